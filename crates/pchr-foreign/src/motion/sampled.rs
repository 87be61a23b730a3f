//! Motion that is stored as samples of all tracks on every frame, compressed.

use crate::acl::Clip;

/// A clip of ACL, which stays compressed: transforms of all tracks on every frame.
///
/// Two are equal if the bytes of their clips are.
#[derive(Clone, Debug)]
pub struct Sampled {
    /// The clip.
    pub clip: Clip,
    /// Byte offset of the clip in the file that was read.
    pub offset: u64,
}

impl Sampled {
    /// Returns the number of tracks.
    #[must_use]
    pub fn tracks(&self) -> u32 {
        self.clip.track_count().into()
    }

    /// Returns the number of frames to play: at least 1, even without tracks.
    #[must_use]
    pub fn frames(&self) -> u32 {
        self.clip.sample_count().max(1)
    }
}

impl PartialEq for Sampled {
    fn eq(&self, other: &Self) -> bool {
        self.clip.bytes() == other.clip.bytes()
    }
}
