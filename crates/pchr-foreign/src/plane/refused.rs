//! Motions that make no animation of a character.

use pchr::finding::counted;

use crate::motion::TooManySamples;

/// Maximum number of transforms that a motion becomes: 65,535 frames of 256 bones.
pub const MOST_TRANSFORMS: u64 = 1 << 24;

/// A motion that makes no animation of a character.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refused {
    /// A factor beyond the range.
    #[error("motion scale {0}: expected a number from 1e-9 to 1e9")]
    Scale(f64),
    /// Tracks with indices and no names.
    #[error("the motion does not name its bones; it needs its skeleton")]
    Unnamed,
    /// Tracks of another character.
    #[error(
        "no track matches a bone of the character ({}; the first is {first})",
        counted(.tracks, "track", "tracks")
    )]
    NoBone {
        /// Number of tracks.
        tracks: usize,
        /// Name of the first, in quotes.
        first: String,
    },
    /// More frames than 16 bits count.
    #[error("the motion takes {frames} frames at {fps} frames per second, expected at most 65535")]
    Frames {
        /// A whole number.
        frames: f64,
        /// Frames per second of the character.
        fps: f64,
    },
    /// More transforms than [`MOST_TRANSFORMS`].
    #[error(
        "{frames} frames of {bones} bones are too many, expected at most {MOST_TRANSFORMS} transforms in all"
    )]
    Transforms {
        /// Number of frames.
        frames: u16,
        /// Number of bones.
        bones: usize,
    },
    /// A file beyond 4 GiB.
    #[error(
        "the character would take {bytes} bytes, expected at most {}",
        u32::MAX
    )]
    File {
        /// Bytes of the file.
        bytes: u64,
    },
    /// More animations than 16 bits count.
    #[error(
        "the character already has {} animations, the most that a file can hold",
        u16::MAX
    )]
    Animations,
    /// Samples too many to become keys.
    #[error(transparent)]
    Samples(#[from] TooManySamples),
}
