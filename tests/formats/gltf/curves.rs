//! Tests of keys at times: values between them are those of appendix C of the specification, worked out here again.

use pchr::format::Losses;
use pchr_foreign::format::adapt::{to_pxd, to_seanim};
use pchr_foreign::format::gltf::Container;
use pchr_foreign::motion::{
    AdditiveRotation, Binding, Channel, Conventions, Dialect, Interpolation, Moment, Motion, Poser,
    Skeleton, TimedKeys, TimedTrack, Transform,
};
use proptest::collection::vec;
use proptest::prelude::*;

use super::foreign::{moved, only};
use super::{bone, json_of, keys, read, try_write, write};

/// A motion of one bone, and a skeleton for it.
fn of(track: TimedTrack) -> (Skeleton, Motion) {
    let skeleton = Skeleton::new(vec![bone("a", None, [9.0; 3])], Conventions::GLTF).unwrap();
    let mut motion = Motion::default();
    motion.conventions = Conventions::GLTF;
    motion.add_timed_track("a", track);
    (skeleton, motion)
}

/// Local transforms of the first track's bone.
fn poses(motion: &Motion, moments: &[Moment]) -> Vec<Transform> {
    let skeleton = Skeleton::of_tracks(motion);
    let binding = Binding::of_tracks(motion);
    let mut poser = Poser::new(motion, &skeleton, &binding, AdditiveRotation::OnRest);
    let pose = |moment: &Moment| {
        poser.pose(*moment);
        poser.locals()[0]
    };
    moments.iter().map(pose).collect()
}

fn at(motion: &Motion, secs: f32) -> Transform {
    poses(motion, &[Moment::Seconds(secs)])[0]
}

/// The formulas of appendix C, for any number of components; four are a rotation.
mod appendix_c {
    pub(super) fn value(kind: &str, times: &[f32], values: &[Vec<f32>], secs: f32) -> Vec<f64> {
        let wide =
            |index: usize| -> Vec<f64> { values[index].iter().map(|it| (*it).into()).collect() };
        let (per_key, own) = if kind == "CUBICSPLINE" { (3, 1) } else { (1, 0) };
        let key = |index: usize| wide(per_key * index + own);
        let last = times.len() - 1;
        if secs <= times[0] {
            return key(0);
        }
        if secs >= times[last] {
            return key(last);
        }
        let next = times.iter().position(|time| *time > secs).unwrap();
        let before = next - 1;
        let span = f64::from(times[next]) - f64::from(times[before]);
        let t = (f64::from(secs) - f64::from(times[before])) / span;
        let (a, b) = (key(before), key(next));
        let sum = |parts: &[(f64, &[f64])]| -> Vec<f64> {
            (0..a.len()).map(|i| parts.iter().map(|(f, v)| f * v[i]).sum()).collect()
        };
        match kind {
            "STEP" => a,
            "LINEAR" if a.len() == 3 => sum(&[(1.0 - t, &a), (t, &b)]),
            "LINEAR" => {
                let d: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
                let angle = d.abs().min(1.0).acos();
                if angle < 1e-6 {
                    return unit(&sum(&[(1.0 - t, &a), (t * d.signum(), &b)]));
                }
                let sine = angle.sin();
                sum(&[
                    ((angle * (1.0 - t)).sin() / sine, &a),
                    (d.signum() * (angle * t).sin() / sine, &b),
                ])
            }
            _ => {
                let (out, into) = (wide(3 * before + 2), wide(3 * next));
                let value = sum(&[
                    (2.0 * t.powi(3) - 3.0 * t.powi(2) + 1.0, &a),
                    (span * (t.powi(3) - 2.0 * t.powi(2) + t), &out),
                    (-2.0 * t.powi(3) + 3.0 * t.powi(2), &b),
                    (span * (t.powi(3) - t.powi(2)), &into),
                ]);
                if value.len() == 4 { unit(&value) } else { value }
            }
        }
    }

    fn unit(value: &[f64]) -> Vec<f64> {
        let length = value.iter().map(|it| it * it).sum::<f64>().sqrt();
        value.iter().map(|it| it / length).collect()
    }
}

/// Times that begin anywhere, with spans of a microsecond to seconds, and one value for each; of splines the tangents, too.
fn samplers()
-> impl Strategy<Value = (&'static str, &'static str, Vec<f32>, Vec<Vec<f32>>, Vec<f32>)> {
    let kinds = prop_oneof![Just("STEP"), Just("LINEAR"), Just("CUBICSPLINE")];
    let paths = prop_oneof![Just("translation"), Just("rotation"), Just("scale")];
    let spans = prop_oneof![1e-6_f32..1e-3, 0.001_f32..0.1, 0.1_f32..3.0];
    (kinds, paths, vec(spans, 1..9), 0.0_f32..1.0)
        .prop_flat_map(|(kind, path, spans, start)| {
            let mut times = vec![start];
            for span in spans {
                let last = times[times.len() - 1];
                times.push((last + span).max(last.next_up()));
            }
            let lanes = if path == "rotation" { 4 } else { 3 };
            let count = times.len() * if kind == "CUBICSPLINE" { 3 } else { 1 };
            let end = times[times.len() - 1];
            (
                Just((kind, path, times)),
                vec(vec(-2.0_f32..2.0, lanes), count),
                vec(-0.5_f32..end + 0.5, 16),
            )
        })
        .prop_map(|((kind, path, times), mut values, mut moments)| {
            if path == "rotation" {
                // Tangents may have any length.
                let (skip, step) = if kind == "CUBICSPLINE" { (1, 3) } else { (0, 1) };
                for value in values.iter_mut().skip(skip).step_by(step) {
                    let length = value.iter().map(|it| it * it).sum::<f32>().sqrt();
                    if length < 0.1 {
                        *value = vec![0.0, 0.0, 0.0, 1.0];
                    } else {
                        value.iter_mut().for_each(|it| *it /= length);
                    }
                }
            }
            for pair in times.windows(2) {
                let [a, b] = [pair[0], pair[1]];
                moments.extend([a, a.next_up(), (a + b) / 2.0, b.next_down()]);
            }
            (kind, path, times, values, moments)
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_time_has_the_value_of_the_specification((kind, path, times, values, moments) in samplers()) {
        let file = moved(path, kind, &times, &values.concat(), values[0].len());
        let mut file = read(&file);
        let motion = file.clips.remove(0).motion;
        prop_assert_eq!(motion.duration_secs(), f64::from(times[times.len() - 1]));
        for secs in moments {
            let found = at(&motion, secs);
            let found = match path {
                "translation" => found.translation.to_vec(),
                "rotation" => found.rotation.to_vec(),
                _ => found.scale.to_vec(),
            };
            let wanted = appendix_c::value(kind, &times, &values, secs);
            let size = wanted.iter().fold(1.0_f64, |size, it| size.max(it.abs()));
            // Two rotations half a turn apart have no shorter arc.
            let is_open = path == "rotation" && kind == "LINEAR" && values.windows(2).any(|pair| {
                pair[0].iter().zip(&pair[1]).map(|(a, b)| a * b).sum::<f32>().abs() < 1e-4
            });
            let tolerance = 1e-6 * size;
            for (found, wanted) in found.iter().zip(&wanted) {
                prop_assert!(is_open || (found - wanted).abs() <= tolerance, "{} s: {} {}", secs, found, wanted);
            }
        }
    }

    #[test]
    fn keys_and_interpolation_come_back((kind, path, times, values, _) in samplers()) {
        let file = read(&moved(path, kind, &times, &values.concat(), values[0].len()));
        let (again, losses) = try_write(&file.skeleton, &[("x", &file.clips[0].motion)], Container::Binary).unwrap();
        prop_assert!(losses.is_empty());
        let back = read(&again);
        prop_assert!(back.warnings.is_empty(), "{:?}", back.warnings);
        prop_assert_eq!(&back.clips[0].motion, &file.clips[0].motion);
        let sampler = &json_of(&again)["animations"][0]["samplers"][0];
        prop_assert_eq!(sampler["interpolation"].as_str().unwrap_or("LINEAR"), kind);
    }
}

#[test]
fn keys_between_frames_are_reached_at_their_times() {
    let times = [0.0, 0.0123, 0.777, 1.0];
    let values = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0, 0.0];
    let (motion, losses) = only(&moved("translation", "LINEAR", &times, &values, 3));
    assert_eq!(losses, [""; 0]);
    for (secs, x) in times.into_iter().zip([0.0, 1.0, 2.0, 3.0]) {
        assert_eq!(at(&motion, secs).translation, [x, 0.0, 0.0]);
    }
    assert_eq!([-1.0, 9.0].map(|secs| at(&motion, secs).translation[0]), [0.0, 3.0]);
    assert_eq!((motion.frames_per_second(), motion.frames()), (30.0, 31));
    assert_eq!(motion.duration_secs(), 1.0);
    let (short, _) = only(&moved("translation", "LINEAR", &[0.0, 0.0123, 0.99], &values[..9], 3));
    assert_eq!(short.duration_secs(), f64::from(0.99_f32));
    assert_eq!(short.frames(), 31, "the last frame holds the end");
}

/// Half a turn about z, between no turn at the start and at the end.
fn flip() -> Vec<u8> {
    let values = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    moved("rotation", "STEP", &[0.0, 0.5, 1.0], &values, 4)
}

#[test]
fn a_step_begins_on_its_frame() {
    // Although 1/24 and the like are rounded.
    for rate in [24.0_f32, 29.97, 23.976, 60.0, 120.0] {
        let times: Vec<f32> = (0..500).map(|frame| frame as f32 * rate.recip()).collect();
        let values: Vec<f32> = (0..500).flat_map(|frame| [frame as f32, 0.0, 0.0]).collect();
        let (mut motion, _) = only(&moved("translation", "STEP", &times, &values, 3));
        motion.rate = rate;
        let moments: Vec<Moment> = (0..500).map(Moment::Frame).collect();
        for (frame, pose) in poses(&motion, &moments).iter().enumerate() {
            assert_eq!(pose.translation[0], frame as f64, "{rate}");
        }
    }
}

#[test]
fn rotations_come_out_with_length_1() {
    let long = [0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0];
    let cubic: Vec<f32> =
        [[0.0; 4], [0.0, 0.0, 0.0, 2.0], [1.0; 4], [1.0; 4], [0.0, 0.0, 3.0, 0.0], [0.0; 4]]
            .concat();
    for (kind, values) in [("STEP", &long[..]), ("LINEAR", &long), ("CUBICSPLINE", &cubic)] {
        let file = read(&moved("rotation", kind, &[0.0, 1.0], values, 4));
        for secs in [0.0, 0.3, 0.5, 1.0] {
            let rotation = at(&file.clips[0].motion, secs).rotation;
            let length: f64 = rotation.iter().map(|it| it * it).sum();
            assert!((length - 1.0).abs() < 1e-12, "{kind} {secs}: {rotation:?}");
        }
    }
}

/// Kinds, places and errors of losses.
fn lines(losses: &Losses) -> Vec<String> {
    let line = |loss: &pchr::format::Loss| {
        let error = loss.error.unwrap_or_default();
        let [degrees, units, scale] =
            [error.degrees, error.units, error.scale].map(|it| format!("{it:.4}"));
        format!("{} {} ({}): {degrees} {units} {scale}", loss.count, loss.what, loss.first)
    };
    losses.iter().map(line).collect()
}

#[test]
fn formats_with_frames_list_what_they_miss() {
    let seanim = |file: &[u8]| {
        let file = read(file);
        let (motion, losses) = to_seanim(&file.clips[0].motion, Some(&file.skeleton)).unwrap();
        (motion.into_owned(), lines(&losses))
    };
    let (motion, losses) = seanim(&flip());
    let steps = "1 channels with steps, each of which takes one frame (bones[0].rotation)";
    assert_eq!(losses, [format!("{steps}: 90.0000 0.0000 0.0000")]);
    let frames = motion.rotation(&motion.tracks()[0]).unwrap().iter();
    assert_eq!(frames.map(|key| key.frame).collect::<Vec<_>>(), [0, 14, 15, 29, 30]);

    // On frame 1 the value is 1 + (1/30 - 0.0123) / 0.7647, of which 0.369 are seen at 0.0123 s.
    let values = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0, 0.0];
    let times = [0.0, 0.0123, 0.777, 1.0];
    let (motion, losses) = seanim(&moved("translation", "LINEAR", &times, &values, 3));
    let between =
        "1 channels with keys between frames, sampled on each frame (bones[0].translation)";
    assert_eq!(losses, [format!("{between}: 0.0000 0.6209 0.0000")]);
    let there = at(&motion, 0.0123).translation[0];
    assert!((1.0 - there - 0.6209).abs() < 1e-4, "{there}");

    // x³: within a frame of h seconds the chord is off by 3x · h² / 4 in the middle.
    let values = [
        0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, //
        3.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    ];
    let (_, losses) = seanim(&moved("scale", "CUBICSPLINE", &[0.0, 1.0], &values, 3));
    let splines = "1 channels of cubic splines, sampled on each frame (bones[0].scale)";
    assert_eq!(losses, [format!("{splines}: 0.0000 0.0000 0.0008")]);

    // What is exact on frames is not listed.
    let still = [1.0, 2.0, 3.0, 1.0, 2.0, 3.0];
    assert_eq!(seanim(&moved("scale", "STEP", &[0.0, 0.777], &still, 3)).1, [""; 0]);
    assert_eq!(seanim(&moved("scale", "LINEAR", &[0.0, 0.5], &values[..6], 3)).1, [""; 0]);

    let file = read(&flip());
    let (_, losses) =
        to_pxd(&file.clips[0].motion, &file.skeleton, AdditiveRotation::OnRest).unwrap();
    assert_eq!(lines(&losses), [format!("{steps}: 90.0000 0.0000 0.0000")]);
}

#[test]
fn keys_at_times_are_local_transforms_and_the_last_counts() {
    let keys_at =
        |x: f32| TimedKeys::new([0.0, 0.5].into(), vec![[x; 3]; 2], Interpolation::Linear);
    let track = TimedTrack { translation: keys_at(2.0), ..TimedTrack::default() };
    let (skeleton, mut motion) = of(track.clone());
    motion.set_timed_root(TimedTrack { scale: keys_at(3.0), ..TimedTrack::default() });
    assert_eq!(track.times(Channel::Translation), [0.0, 0.5]);
    assert_eq!(track.times(Channel::Rotation), [0.0; 0]);
    let binding = Binding::new(&motion, &skeleton);
    let mut poser = Poser::new(&motion, &skeleton, &binding, AdditiveRotation::OnRest);
    poser.pose(Moment::Frame(3));
    assert_eq!(poser.locals()[0].translation, [2.0; 3]);
    assert_eq!(poser.root(Moment::Seconds(0.1)).unwrap().scale, [3.0; 3]);
    let back = read(&write(&skeleton, &[("x", &motion)]).0);
    let wanted = motion.root().unwrap().keys().unwrap().timed();
    assert_eq!(back.clips[0].motion.root().unwrap().keys().unwrap().timed(), wanted);
    assert_eq!(back.clips[0].motion.frames(), motion.frames());

    let steps = |times: &[f32]| {
        TimedKeys::new(times.into(), vec![[0.0; 3]; times.len()], Interpolation::Step)
    };
    assert_eq!([&[][..], &[0.0, 0.0], &[0.0, f32::INFINITY]].map(steps), [None, None, None]);
    assert_eq!(TimedKeys::new([0.0].into(), vec![[0.0; 3]; 2], Interpolation::CubicSpline), None);
}

#[test]
fn too_many_frames_are_refused_where_keys_need_them() {
    let values = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let file = read(&moved("translation", "LINEAR", &[0.012_345_6, 1e6], &values, 3));
    let motion = &file.clips[0].motion;
    let error = keys(&file.skeleton, motion).on_frames(30.0, Dialect::Seanim).unwrap_err();
    assert_eq!((error.frames, error.tracks), (30_000_001, 1));
    let error = to_seanim(motion, None).unwrap_err().to_string();
    assert!(error.starts_with("30000001 frames of 1 track are too many to become keys"), "{error}");
    // On frames they need no more keys than there are.
    let file = read(&moved("translation", "LINEAR", &[0.0, 1e6], &values, 3));
    let mut keys = keys(&file.skeleton, &file.clips[0].motion);
    assert_eq!(keys.on_frames(30.0, Dialect::Seanim), Ok(vec![]));
    assert_eq!(keys.bones[0].translation.len(), 2);
}
