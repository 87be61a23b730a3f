//! The bind pose, in which the vertices are stored, and its inverse; how it is found, and the animation to show first.

use super::arithmetic::{Affine, IDENTITY, inverse};
use super::job::{Pose, PoseJob};
use crate::document::{Animation, AnimationId, BoneId, Document, PchrRule};
use crate::finding::{Findings, quoted};
use crate::playback::FrameAt;

/// Names of a bind-pose animation, ignoring case, spaces, `-` and `_`.
const NAMES: [&str; 7] = ["bind", "bindpose", "rest", "restpose", "setup", "setuppose", "tpose"];

/// Choice of the bind pose; [`Self::Auto`] by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BindChoice {
    /// The animation named like a bind pose, else the first frame of the first animation.
    #[default]
    Auto,
    /// A frame of an animation. If it does not exist, vertices stay as stored: [`BindSource::Absent`].
    Frame(AnimationId, u16),
    /// No inverse: the stored positions are relative to their bones.
    None,
}

/// Source of the bind pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindSource {
    /// Frame 0 of the animation named like a bind pose.
    Named(AnimationId),
    /// No animation has such a name: frame 0 of the first animation with frames.
    FirstFrame(AnimationId),
    /// The frame that the caller chose.
    Chosen(AnimationId, u16),
    /// The caller chose none.
    Disabled,
    /// No animation has a frame, or the chosen one does not exist: the bones move, and the vertices stay as stored.
    Absent,
}

/// The inverse of the bind pose, bone by bone.
#[derive(Clone, Debug)]
pub struct BindPose {
    pub(super) source: BindSource,
    pub(super) bone_from_bind: Vec<Affine>,
    /// Index of each bone's parent among the bones + 1; 0 for a root.
    pub(super) parents: Vec<u32>,
    pub(super) degenerate: Vec<BoneId>,
}

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

    /// Returns the source of the bind pose.
    #[must_use]
    pub fn source(&self) -> BindSource {
        self.source
    }

    /// Returns the frame that serves as the bind pose, if any.
    #[must_use]
    pub fn frame(&self) -> Option<FrameAt> {
        match self.source {
            BindSource::Named(animation) | BindSource::FirstFrame(animation) => {
                Some(FrameAt::exact(animation, 0))
            }
            BindSource::Chosen(animation, frame) => Some(FrameAt::exact(animation, frame)),
            BindSource::Disabled | BindSource::Absent => None,
        }
    }

    /// Returns the inverse matrices, in bone order.
    #[must_use]
    pub fn bone_from_bind(&self) -> &[Affine] {
        &self.bone_from_bind
    }

    /// Adds a warning for each bone that cannot be inverted, at the transform that causes it.
    pub fn report(&self, document: &Document, findings: &mut Findings) {
        let Some(FrameAt { animation, frame, .. }) = self.frame() else { return };
        for bone in &self.degenerate {
            let at = document
                .animation(animation)
                .map_or(0, |animation| animation.record_offset(frame, *bone));
            let name = document.bone(*bone).map_or("", |bone| bone.name());
            let path = || format!("animations[{}].frames[{frame}][{}]", animation.0, bone.0);
            let message = || {
                let name = quoted(name);
                format!(
                    "bone {name} has no inverse in the bind pose; the vertices that it moves stay as stored"
                )
            };
            findings.add(PchrRule::BoneBindDegenerate, at, path, message);
        }
    }

    /// Returns the bones that cannot be inverted (|det| < 1e-12). Their skinning matrix is the identity.
    #[must_use]
    pub fn degenerate(&self) -> &[BoneId] {
        &self.degenerate
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
