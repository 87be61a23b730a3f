//! Tests of motions in the plane: animations become motions and come back, and any motion is projected to an animation.

mod back;
mod hostile;
mod projection;

use pchr::document::{BoneTransform, Document};
use pchr::pose::{BindChoice, BindPose};
use pchr_foreign::motion::{Channels, Key, Motion, Precision, TrackKeys};
use pchr_foreign::plane::{self, Applied, ApplyOptions, Refused, Timing};

use crate::fixture::{Builder, puppet};

/// Motion in double precision with one track.
fn motion(name: &str, keys: TrackKeys<'_>) -> Motion {
    let channels = Channels { translation: true, rotation: true, scale: true };
    let mut motion = Motion::new(channels, Precision::Double);
    motion.rate = 10.0;
    motion.add_track(name, 0, keys).unwrap();
    motion
}

fn key<const N: usize>(frame: u32, value: [f64; N]) -> Key<N> {
    Key { frame, value }
}

/// Keys of translations along X.
fn along(keys: &[(u32, f64)]) -> Vec<Key<3>> {
    keys.iter().map(|(frame, x)| key(*frame, [*x, 0.0, 0.0])).collect()
}

/// Track with translation keys only.
fn moving(translation: &[Key<3>]) -> TrackKeys<'_> {
    TrackKeys { translation, ..TrackKeys::default() }
}

fn apply(
    document: &Document,
    motion: &Motion,
    options: &ApplyOptions<'_>,
) -> Result<Applied, Refused> {
    plane::apply(document, &BindPose::new(document, BindChoice::Auto), motion, "new", options)
}

/// Findings as reported.
fn told(applied: &Applied) -> Vec<String> {
    applied.report.findings.iter().map(ToString::to_string).collect()
}

/// Transforms of one bone, frame by frame.
fn of_bone(document: &Document, applied: &Applied, bone: usize) -> Vec<BoneTransform> {
    let transforms = applied.animation.transforms.iter().skip(bone);
    transforms.step_by(document.bones().len()).copied().collect()
}

/// X positions of a bone that moves 10 per frame, for a motion at this rate on a character at 10 frames per second.
fn xs(rate: f32, frames: u32, timing: Timing) -> Vec<f32> {
    let document = puppet().document();
    let last = frames - 1;
    let mut motion = motion("root", moving(&along(&[(0, 0.0), (last, f64::from(last) * 10.0)])));
    motion.rate = rate;
    motion.frame_count = frames;
    let options = ApplyOptions { timing, ..ApplyOptions::default() };
    let applied = apply(&document, &motion, &options).unwrap();
    let moved = of_bone(&document, &applied, 0);
    if let Some(resampled) = applied.report.resampled {
        let from = if rate > 0.0 { rate } else { 30.0 };
        assert_eq!((resampled.from, resampled.to), (from, 10.0));
        assert_eq!(resampled.from_frames, frames);
        assert_eq!(usize::from(resampled.to_frames), moved.len());
    } else {
        assert_eq!(moved.len(), frames as usize);
    }
    moved.iter().map(|it| it.x).collect()
}

#[test]
fn a_motion_keeps_its_speed_and_its_end() {
    let resample = |rate, frames| xs(rate, frames, Timing::Resample);
    assert_eq!(resample(10.0, 4), [0.0, 10.0, 20.0, 30.0]);
    // Every second frame, without rounding errors.
    assert_eq!(resample(20.0, 5), [0.0, 20.0, 40.0]);
    assert_eq!(resample(20.0, 4), [0.0, 20.0, 30.0]);
    assert_eq!(resample(30.0, 1), [0.0]);
    let slow = resample(4.0, 3);
    for (x, wanted) in slow.iter().zip([0.0, 4.0, 8.0, 12.0, 16.0, 20.0]) {
        assert!((x - wanted).abs() < 1e-5, "{slow:?}");
    }
    assert_eq!(slow.len(), 6);
    // A motion with an invalid rate plays at 30 frames per second.
    assert_eq!(resample(0.0, 4), [0.0, 30.0]);
    assert_eq!(resample(f32::NAN, 4), [0.0, 30.0]);
}

#[test]
fn frames_may_stay_as_they_are() {
    assert_eq!(xs(30.0, 3, Timing::FrameByFrame), [0.0, 10.0, 20.0]);
}

#[test]
fn a_character_without_a_rate_plays_at_24() {
    let document = Builder::new().fps(0).bones(1).still("a", true, 1).document();
    let mut motion = motion("bone 0", moving(&along(&[(0, 0.0), (3, 3.0)])));
    motion.rate = 24.0;
    let applied = apply(&document, &motion, &ApplyOptions::default()).unwrap();
    assert_eq!(applied.report.resampled, None);
    assert_eq!(applied.animation.frame_count, 4);
}
