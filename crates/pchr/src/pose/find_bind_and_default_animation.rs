//! Finds the bind pose of a document and inverts it, and finds the animation to show first.

use super::arithmetic::{IDENTITY, inverse};
use super::bind::{BindChoice, BindPose, BindSource};
use super::job::{Pose, PoseJob};
use crate::document::{Animation, AnimationId, BoneId, Document};

/// Names of a bind-pose animation, ignoring case, spaces, `-` and `_`.
const NAMES: [&str; 7] = ["bind", "bindpose", "rest", "restpose", "setup", "setuppose", "tpose"];

impl BindPose {
    /// Finds the bind pose of a document. The source of a chosen frame that does not exist is [`BindSource::Absent`].
    #[must_use]
    pub fn new(document: &Document, choice: BindChoice) -> Self {
        let source = match choice {
            BindChoice::Auto => find(document),
            BindChoice::None => BindSource::Disabled,
            BindChoice::Frame(animation, frame) => {
                let exists =
                    document.animation(animation).is_some_and(|a| a.frame(frame).is_some());
                if exists { BindSource::Chosen(animation, frame) } else { BindSource::Absent }
            }
        };
        let place = |parent: Option<BoneId>| parent.map_or(0, |parent| u32::from(parent.0) + 1);
        let bone_from_bind = vec![IDENTITY; document.bones().len()];
        let mut bind = Self {
            source,
            parents: document.bones().map(|bone| place(bone.parent())).collect(),
            bone_from_bind,
            degenerate: Vec::new(),
        };
        if let Some(at) = bind.frame() {
            let mut pose = Pose::default();
            PoseJob { document, bind: &bind, at: Some(at), mix: None }.run(&mut pose);
            for ((id, world), out) in
                (0..=u16::MAX).zip(pose.world_from_bone()).zip(&mut bind.bone_from_bind)
            {
                match inverse(world) {
                    Some(map) => *out = map,
                    None => bind.degenerate.push(BoneId(id)),
                }
            }
        }
        bind
    }
}

/// Returns true if an animation is named like a bind pose.
#[must_use]
pub fn is_bind_name(name: &str) -> bool {
    let kept =
        || name.chars().filter(|c| !matches!(c, ' ' | '-' | '_')).flat_map(char::to_lowercase);
    NAMES.iter().any(|known| kept().eq(known.chars()))
}

fn find(document: &Document) -> BindSource {
    let with_frames =
        || document.animation_ids().zip(document.animations()).filter(|(_, a)| a.frame_count() > 0);
    let named = |(_, animation): &(AnimationId, Animation<'_>)| is_bind_name(animation.name());
    if let Some((id, _)) = with_frames().find(named) {
        return BindSource::Named(id);
    }
    with_frames().next().map_or(BindSource::Absent, |(id, _)| BindSource::FirstFrame(id))
}

/// Returns the animation to show first: the first with frames that is not the bind pose; else the first with frames.
#[must_use]
pub fn default_animation(document: &Document, bind: &BindPose) -> Option<AnimationId> {
    let with_frames =
        || document.animation_ids().zip(document.animations()).filter(|(_, a)| a.frame_count() > 0);
    let is_bind = |id: AnimationId| bind.frame().is_some_and(|at| at.animation == id);
    let first_but_bind =
        with_frames().find(|(id, animation)| !(is_bind(*id) && is_bind_name(animation.name())));
    first_but_bind.or_else(|| with_frames().next()).map(|(id, _)| id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_bind_pose_ignore_case_and_separators() {
        for name in ["bind", "Bind_Pose", "T-Pose", "REST", "set up pose"] {
            assert!(is_bind_name(name), "{name}");
        }
        for name in ["", "binding", "idle", "unbind"] {
            assert!(!is_bind_name(name), "{name}");
        }
    }
}
