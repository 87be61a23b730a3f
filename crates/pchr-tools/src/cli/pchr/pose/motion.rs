//! Poses of a 3D motion.

use std::borrow::Cow;

use glam::DAffine3;

use pchr::document::AnimationId;
use pchr::finding::one_line;
use pchr::playback::{FrameSpecError, Timeline};
use pchr_foreign::format::gltf::GltfFile;
use pchr_foreign::motion::{Binding, Dialect, Moment, Motion, Poser, Skeleton, Track, Transform};

use super::{BoneName, BonePose, Parts, PoseArgs, PoseAt, PoseReport, Space};
use crate::cli::pchr::motion::{compare_bones, find_skeleton};
use crate::cli::pchr::report::counted;
use crate::cli::pchr::{Run, chosen};
use crate::open::several_beside;
use crate::run::Failure;
use crate::text::words;

/// Maximum number of transforms of one answer.
const MOST_TRANSFORMS: usize = 5_000_000;

/// Bytes of a name that are shown in a list of them.
const LONGEST_NAME: usize = 120;

/// The poses of an animation of glTF, or of its skeleton where it has none.
pub(super) fn of_gltf<'a>(
    file: &'a str,
    gltf: &'a GltfFile,
    args: &PoseArgs,
    run: Run<'_>,
) -> Result<PoseReport<'a>, Failure> {
    if args.smooth {
        return check(file, args).and_then(|()| rest(file, &gltf.skeleton, args));
    }
    let clip = match &args.animation {
        Some(wanted) => {
            let names = gltf.clips.iter().map(|clip| clip.name.as_str());
            gltf.clips.get(chosen(wanted, names, file)?)
        }
        None => gltf.clips.first(),
    };
    match clip {
        Some(clip) => {
            for loss in &clip.losses {
                let what = counted(loss.what, loss.count);
                run.messages.note(&format!("{file}: {what} ({})", loss.first));
            }
            let report = poses(file, &clip.motion, Some(&gltf.skeleton), args, run)?;
            Ok(PoseReport { animation: Some(&clip.name), ..report })
        }
        None => rest(file, &gltf.skeleton, args),
    }
}

/// Returns the requested poses of a motion. `own` is the skeleton in its file.
pub(super) fn poses<'a>(
    file: &'a str,
    motion: &'a Motion,
    own: Option<&Skeleton>,
    args: &PoseArgs,
    run: Run<'_>,
) -> Result<PoseReport<'a>, Failure> {
    let messages = run.messages;
    if own.is_none() {
        check(file, args)?;
    }
    let found = match (&args.skeleton, own) {
        (None, Some(_)) => None,
        (named, _) => find_skeleton(named.as_deref(), (&args.file, file), motion, run)?,
    };
    let several = || {
        let is_open = args.skeleton.is_none() && motion.numbers_bones();
        is_open.then(|| several_beside(&args.file)).flatten()
    };
    let (skeleton, binding) = match found {
        Some(skeleton) => {
            compare_bones(file, motion, &skeleton, messages);
            let binding = Binding::new(motion, &skeleton);
            (skeleton, binding)
        }
        None if let Some(own) = own => (own.clone(), Binding::new(motion, own)),
        None if args.space == Space::Local => {
            if let Some(several) = several() {
                messages.note(&format!("{file}: no skeleton: {several}"));
            }
            (Skeleton::of_tracks(motion), Binding::of_tracks(motion))
        }
        None => {
            let space = args.space.name();
            let how = several().unwrap_or_else(|| "choose a skeleton with --skeleton".to_owned());
            return Err(Failure::Usage(format!(
                "{file}: --space {space} needs the parents of the bones: {how}"
            )));
        }
    };
    let unmatched = binding.unmatched(motion);
    let unmatched: Vec<Cow<'a, str>> = { unmatched }
        .filter_map(|track| Some(words_of(motion.tracks().get(track)?, track)))
        .collect();
    if !unmatched.is_empty() {
        let count = unmatched.len();
        let names = words::listed(unmatched.iter().map(|name| one_line(name, LONGEST_NAME)), count);
        messages.warning(&format!(
            "{file}: {count} of {} tracks move no bone of the skeleton: {names}",
            motion.tracks().len()
        ));
    }
    // PXD has no word about it, and begins again as in captures. glTF holds its last key.
    let looping = motion.looped || own.is_none() && motion.dialect == Dialect::Pxd;
    let report = report(file, motion, &skeleton, &binding, looping, args)?;
    Ok(PoseReport { unmatched, ..report })
}

/// The skeleton where nothing moves it.
pub(super) fn rest<'a>(
    file: &'a str,
    skeleton: &Skeleton,
    args: &PoseArgs,
) -> Result<PoseReport<'a>, Failure> {
    check(file, args)?;
    if args.skeleton.is_some() {
        return Err(Failure::Usage(format!(
            "{file} is already a skeleton; --skeleton is for motions"
        )));
    }
    let still = Motion::default();
    report(file, &still, skeleton, &Binding::of_tracks(&still), false, args)
}

fn check(file: &str, args: &PoseArgs) -> Result<(), Failure> {
    if args.animation.is_some() || args.smooth {
        return Err(Failure::Usage(format!(
            "{file}: a 3D motion has one animation and is always smooth; --animation and --smooth are for characters"
        )));
    }
    Ok(())
}

fn report<'a>(
    file: &'a str,
    motion: &Motion,
    skeleton: &Skeleton,
    binding: &Binding,
    looping: bool,
    args: &PoseArgs,
) -> Result<PoseReport<'a>, Failure> {
    let mut poser = Poser::new(motion, skeleton, binding, args.additive);
    let moments = moments(file, motion, looping, skeleton.bones().len(), args)?;
    let poses = moments.into_iter().map(|(moment, time)| {
        poser.pose(moment);
        let bones: Vec<Parts> = match args.space {
            Space::Local => poser.locals().iter().map(|local| parts(local, None)).collect(),
            Space::World => poser.worlds().map(|world| parts(&world, None)).collect(),
            Space::Skin => {
                poser.skinning().map(|(matrix, skin)| parts(&skin, Some(matrix))).collect()
            }
        };
        PoseAt {
            time,
            frame: match moment {
                Moment::Frame(frame) if args.time.is_empty() => Some(frame),
                _ => None,
            },
            root: poser.root(moment).map(|root| parts(&root, None)),
            bones: bones.into_iter().map(BonePose::Space).collect(),
        }
    });
    let bones = skeleton
        .bones()
        .iter()
        .map(|bone| BoneName { name: bone.name.text().into_owned().into(), parent: bone.parent });
    Ok(PoseReport {
        file,
        animation: None,
        space: args.space.name(),
        rate: motion.frames_per_second(),
        bones: bones.collect(),
        unmatched: Vec::new(),
        poses: poses.collect(),
    })
}

/// The moments that were asked for, and their times.
fn moments(
    file: &str,
    motion: &Motion,
    looping: bool,
    bones: usize,
    args: &PoseArgs,
) -> Result<Vec<(Moment, f32)>, Failure> {
    if !args.time.is_empty() {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "samples are taken at times of 32 bits"
        )]
        let single = |time: f64| time as f32;
        let line = Timeline {
            frame_count: u16::try_from(motion.frames()).unwrap_or(u16::MAX),
            fps: motion.frames_per_second().into(),
            looping,
            smooth: true,
        };
        let moment = |time: f64| {
            let at = line.at(AnimationId(0), time);
            if at.blend == 0.0 {
                return Moment::Frame(at.frame.into());
            }
            let is_within = time < line.duration() && time >= 0.0;
            let seconds = if is_within { time } else { line.seconds(at) };
            Moment::Seconds(single(seconds))
        };
        return Ok(args.time.iter().map(|time| (moment(*time), single(*time))).collect());
    }
    let wrong = |error: FrameSpecError| Failure::Usage(format!("{file}: {error}"));
    let count = motion.frames();
    let number = args.frames.number(count).map_err(wrong)?;
    if number.saturating_mul(bones) > MOST_TRANSFORMS {
        return Err(Failure::Usage(format!(
            "{file}: {number} frames of {bones} bones are too many, expected at most {MOST_TRANSFORMS} transforms; choose fewer frames with -f"
        )));
    }
    let frames = args.frames.frames(count).map_err(wrong)?.into_iter();
    let rate = f64::from(motion.frames_per_second());
    #[expect(clippy::cast_possible_truncation, reason = "times are printed as 32-bit floats")]
    let moment = |frame: u32| (Moment::Frame(frame), (f64::from(frame) / rate) as f32);
    Ok(frames.map(moment).collect())
}

/// Name of a track, or its index.
fn words_of(track: &Track, index: usize) -> Cow<'_, str> {
    track.target.name().map_or_else(|| format!("#{index}").into(), |name| name.text())
}

fn parts(transform: &Transform, matrix: Option<DAffine3>) -> Parts {
    #[expect(clippy::cast_possible_truncation, reason = "what is printed are 32-bit floats")]
    let single = |number: f64| number as f32;
    Parts {
        translation: transform.translation.map(single),
        rotation: transform.rotation.map(single),
        scale: transform.scale.map(single),
        matrix: matrix.map(|matrix| glam::DMat4::from(matrix).to_cols_array().map(single)),
    }
}
