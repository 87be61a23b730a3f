//! Bones that move in space.

use super::job::{OverlayJob, OverlayScratch};
use crate::scene::Overlay;

impl OverlayJob<'_> {
    /// Replaces what is in `out` by the bones of a subject whose bones move in space, and what is wanted over them.
    pub(super) fn run_spatial(&self, _scratch: &mut OverlayScratch, _out: &mut Overlay) {}
}
