//! What a file has besides its motion.

use super::IndexWidth;

/// Parts of a SEAnim file that mean nothing, kept so that the same bytes can be written again. Empty for a new motion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeanimLayout {
    /// Bytes of the header behind its known fields.
    pub header_extra: Vec<u8>,
    /// Reserved bytes of the header: two in the middle, three behind the number of modifiers.
    pub reserved: [u8; 5],
    /// Reserved bits of `animFlags`, `dataPresenceFlags` and `dataPropertyFlags`.
    pub reserved_bits: [u8; 3],
    /// Width of frames and key counts, where an old writer used another than the number of frames demands.
    pub frame_width: Option<IndexWidth>,
    /// Width of bone indices, where a writer used another than the number of bones demands.
    pub bone_width: Option<IndexWidth>,
    /// True if the file announces notes and has none.
    pub announces_notes: bool,
    /// Bytes behind the last block.
    pub trailing: Vec<u8>,
}

/// Parts of a PXD animation that say nothing new, kept so that the same bytes can be written again.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PxdLayout {
    /// Time from the first frame to the last as the file states it, in seconds: written again while rate and number of frames give it.
    pub duration: Option<f32>,
}
