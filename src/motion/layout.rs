//! Contents of a file besides its motion.

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

/// Parts of a PXD file that say nothing new, kept so that the same bytes can be written again. Empty for a new skeleton or motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PxdLayout {
    pub(crate) duration: Option<StatedDuration>,
    /// Bytes between two clips, where they are not those that alignment demands.
    pub(crate) gap: Option<usize>,
    /// The offset table, where its entries are longer than they need be.
    pub(crate) offset_table: Vec<u8>,
}

/// Duration that a file states, kept as long as rate and number of frames are the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatedDuration {
    pub(crate) secs: f32,
    pub(crate) rate: f32,
    pub(crate) frame_count: u32,
}

impl PartialEq for StatedDuration {
    fn eq(&self, other: &Self) -> bool {
        let bits = |it: &Self| (it.secs.to_bits(), it.rate.to_bits(), it.frame_count);
        bits(self) == bits(other)
    }
}
