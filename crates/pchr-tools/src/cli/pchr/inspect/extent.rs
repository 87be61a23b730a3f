//! The bounds of each animation, and of all.

use pchr::character::{BoundsSweep, Character};
use pchr::scene::{Bounds, Subject, ViewOptions};

/// The bounds of the drawing.
#[derive(Debug)]
pub(super) struct Extent {
    /// By animation index: over its frames.
    pub(super) animations: Vec<Option<Bounds>>,
    /// Over all of them; of the stored pose, if there is no frame.
    pub(super) character: Option<Bounds>,
    /// True if these are exact, and not only large enough.
    pub(super) exact: bool,
}

impl Extent {
    pub(super) fn new(character: &Character) -> Self {
        let (document, subject): (_, &dyn Subject) = (character.document(), character);
        let view = ViewOptions::default();
        let mut sweep = BoundsSweep::new(character, &view).limited_together();
        let ids = document.animation_ids();
        let animations: Vec<_> = ids.map(|id| sweep.over(subject.moments(id))).collect();
        let posed = document.animations().any(|a| a.frame_count() > 0);
        let character = if posed {
            animations.iter().copied().flatten().reduce(Bounds::union)
        } else {
            sweep.over([None])
        };
        Self {
            animations,
            character,
            exact: sweep.is_exact(),
        }
    }
}
