//! Remarks about an applied motion.

use pchr::document::BoneId;
use pchr::finding::Findings;
use pchr::format::Losses;

use super::Resampled;
use crate::motion::NameMatch;

/// Remarks about an applied motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Parts of the motion that leave the plane or find no bone, by the rules of [`PlaneRule`](crate::motion::PlaneRule). Offsets are
    /// those of the tracks in the motion's file.
    pub findings: Findings,
    /// Parts of the motion that a character has no place for.
    pub losses: Losses,
    /// The bone of each track, and how it was found.
    pub tracks: Vec<Option<(BoneId, NameMatch)>>,
    /// Bones that no track moves: they stay in the bind pose.
    pub still: Vec<BoneId>,
    /// Other frames than the motion's.
    pub resampled: Option<Resampled>,
    /// True if movement of the whole model was added to the bones without parents.
    pub moves_roots: bool,
    /// True if the motion moves the whole model, which was left out.
    pub leaves_out_root: bool,
    /// True if visibility, draw order and whole turns come from the motion's custom block.
    pub uses_block: bool,
    /// True if the name was taken, or would have made the animation the bind pose: it got a number.
    pub renamed: bool,
}
