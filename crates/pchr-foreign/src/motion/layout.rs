//! Contents of a file besides its motion.

use super::IndexWidth;

/// Parts of a SEAnim file that mean nothing, kept so that the same bytes can be written again. Empty for a new motion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeanimLayout {
    /// Bytes of the header after its known fields.
    pub header_extra: Vec<u8>,
    /// Reserved bytes of the header: two in the middle, three behind the number of modifiers.
    pub reserved: [u8; 5],
    /// Reserved bits of `animFlags`, `dataPresenceFlags` and `dataPropertyFlags`.
    pub reserved_bits: [u8; 3],
    /// Width of frames and key counts, if an old writer used another than the number of frames requires.
    pub frame_width: Option<IndexWidth>,
    /// Width of bone indices, if a writer used another than the number of bones requires.
    pub bone_width: Option<IndexWidth>,
    /// True if the file announces notes but has none.
    pub announces_notes: bool,
    /// Bytes after the last block.
    pub trailing: Vec<u8>,
}

/// Parts of a PXD file that say nothing new, kept so that the same bytes can be written again. Empty for a new skeleton or motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PxdLayout {
    pub(crate) duration: Option<StatedDuration>,
    /// Bytes between two clips, if they are not those of the alignment.
    pub(crate) gap: Option<usize>,
    /// The offset table, if its entries are longer than necessary.
    pub(crate) offset_table: Vec<u8>,
}

impl PxdLayout {
    /// The duration in seconds that the file states.
    #[must_use]
    pub fn stated_secs(&self) -> Option<f32> {
        self.duration.map(|duration| duration.secs)
    }
}

/// Stated duration of a file, kept while rate and number of frames are unchanged.
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
