//! Tests of motions in the plane: animations become motions and come back, and any motion is projected to an animation.
#![allow(
    clippy::print_stdout,
    reason = "a failed expectation is a failed test; figures are printed"
)]

mod back;
mod hostile;
mod projection;
mod timing;

use pchr::document::{BoneTransform, Document};
use pchr::pose::{BindChoice, BindPose};
use pchr_foreign::motion::{Channels, Key, Motion, Precision, TrackKeys};
use pchr_foreign::plane::{self, Applied, ApplyOptions, Refused};

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
