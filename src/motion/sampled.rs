//! Motion that is stored as samples of all tracks on every frame, compressed.

/// A clip of ACL, which stays compressed: transforms of all tracks on every frame.
///
/// Two are equal if their bytes are.
#[derive(Clone, Debug)]
pub struct Sampled {
    chunk: Vec<u8>,
    offset: u64,
    tracks: u32,
    frames: u32,
    rate: f32,
}

impl Sampled {
    pub(crate) fn new(chunk: &[u8], offset: u64, tracks: u32, frames: u32, rate: f32) -> Self {
        Self {
            chunk: chunk.to_vec(),
            offset,
            tracks,
            frames,
            rate,
        }
    }

    /// Bytes of the clip in its file, size and hash included.
    #[must_use]
    pub fn chunk(&self) -> &[u8] {
        &self.chunk
    }

    /// Byte offset of the clip in the file that was read.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Number of tracks.
    #[must_use]
    pub fn tracks(&self) -> u32 {
        self.tracks
    }

    /// Number of frames, at least 1.
    #[must_use]
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// Frames a second.
    #[must_use]
    pub fn rate(&self) -> f32 {
        self.rate
    }
}

impl PartialEq for Sampled {
    fn eq(&self, other: &Self) -> bool {
        self.chunk == other.chunk
    }
}
