//! The items of a run.

use super::cases::Case;
use crate::run::Failure;

/// A case, or a folder of baselines that belongs to no case.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item<'a> {
    /// The folder below that of all baselines.
    pub(super) name: &'a str,
    pub(super) case: Option<&'a Case>,
    /// Its baselines, by their paths from its folder, with `/`.
    pub(super) names: &'a [String],
    /// Baselines in its folder that it does not use, by their paths from there.
    pub(super) unused: &'a [String],
    /// Bytes that the images of its file take, decoded.
    pub(super) image_bytes: u64,
    /// Reason why it cannot be drawn, as far as that is known before drawing.
    pub(super) failure: Option<&'a Failure>,
}

impl<'a> Item<'a> {
    /// The case, if it will be drawn.
    pub(super) fn drawn(&self) -> Option<&'a Case> {
        self.case.filter(|_| self.failure.is_none())
    }

    /// Pictures that will be drawn.
    pub(super) fn frames(&self) -> usize {
        if self.failure.is_some() {
            0
        } else {
            self.names.len()
        }
    }
}
