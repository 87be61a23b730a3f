//! The bind pose, in which the vertices are stored, and its inverse.

use super::arithmetic::Affine;
use crate::document::{AnimationId, BoneId, Document, PchrRule};
use crate::finding::{Findings, quoted};
use crate::playback::FrameAt;

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
