//! The clips, frame by frame at 30 frames per second.

mod idle;
mod jump;
mod walk;
mod wave;

use pchr::document::AnimationParts;

use super::motion::Pose;
use super::rig::Rig;

/// Frames per second of every clip.
pub(crate) const FPS: u16 = 30;

pub(crate) fn all(rig: &Rig) -> Vec<AnimationParts> {
    vec![
        clip(rig, "bind", false, vec![Pose::rest(rig)]),
        clip(rig, "idle", true, idle::frames(rig)),
        clip(rig, "walk", true, walk::frames(rig)),
        clip(rig, "jump", false, jump::frames(rig)),
        clip(rig, "wave", true, wave::frames(rig)),
    ]
}

fn clip(rig: &Rig, name: &str, looping: bool, frames: Vec<Pose>) -> AnimationParts {
    AnimationParts {
        name: name.into(),
        flags: u8::from(looping),
        frame_count: frames.len() as u16,
        transforms: frames.iter().flat_map(|pose| pose.bake(rig)).collect(),
    }
}
