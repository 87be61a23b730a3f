//! Choices for applying a motion.

use super::clock::Timing;
use super::extras::Extras;
use crate::motion::{AdditiveRotation, Skeleton};

/// Choices for applying a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ApplyOptions<'a> {
    /// Factor of the motion's translations, from 1e-9 to 1e9: 100 for metres on a character of 100 pixels a metre.
    pub scale: f64,
    /// Frames of the new animation.
    pub timing: Timing,
    /// Movement of the whole model.
    pub root: RootMotionUse,
    /// The motion's custom block, if it came from a character.
    pub extras: Extras,
    /// Reading of rotations in additive SEAnim motions.
    pub additive: AdditiveRotation,
    /// Names for tracks that have an index: the skeleton that the motion was made for.
    pub names: Option<&'a Skeleton>,
}

impl Default for ApplyOptions<'_> {
    fn default() -> Self {
        Self {
            scale: 1.0,
            timing: Timing::default(),
            root: RootMotionUse::default(),
            extras: Extras::default(),
            additive: AdditiveRotation::default(),
            names: None,
        }
    }
}

/// Movement of the whole model, beside that of its bones: a character has no place for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RootMotionUse {
    /// Added to all bones without a parent: the character moves as the model does.
    #[default]
    MoveRoots,
    /// Left out: the character stays on its place.
    LeaveOut,
}
