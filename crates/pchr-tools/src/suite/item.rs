//! The items of a run.

use super::cases::Case;
use crate::run::Failure;

/// A case, or a folder of baselines that belongs to no case.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item<'a> {
    /// Folder below that of all baselines.
    pub(super) name: &'a str,
    pub(super) case: Option<&'a Case>,
    /// Its baselines, by their paths relative to its folder, with `/`.
    pub(super) names: &'a [String],
    /// Unused baselines in its folder, by their relative paths.
    pub(super) unused: &'a [String],
    /// Bytes of the decoded images of its file.
    pub(super) image_bytes: u64,
    /// Reason why it cannot be drawn, as far as it is known before drawing.
    pub(super) failure: Option<&'a Failure>,
}

impl<'a> Item<'a> {
    /// Returns the case, if it will be drawn.
    pub(super) fn drawn(&self) -> Option<&'a Case> {
        self.case.filter(|_| self.failure.is_none())
    }

    /// Returns the number of pictures that will be drawn.
    pub(super) fn frames(&self) -> usize {
        if self.failure.is_some() {
            0
        } else {
            self.names.len()
        }
    }
}
