//! Errors of content that cannot be written.

use pchr::bytes::WriteError;
use pchr::finding::counted;

use crate::motion::TooManySamples;

/// Content that glTF cannot hold.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unwritable {
    /// A number that is not finite in single precision.
    #[error("{path}: bone {bone:?}{}: not a finite number", At(*.frame))]
    NotFinite {
        /// The value, like `animations[0].bones[3].rotation`.
        path: String,
        /// Name of the bone.
        bone: String,
        /// Frame of the key; `None` at rest.
        frame: Option<u32>,
    },
    /// A frame that seconds in single precision cannot distinguish from others.
    #[error(
        "{path}: frame {frame} at {rate} per second is too late for a time in single precision"
    )]
    Time {
        /// The clip, like `animations[0]`.
        path: String,
        /// The frame.
        frame: u32,
        /// Frames per second.
        rate: f32,
    },
    /// Keys for more or fewer bones than the skeleton has.
    #[error("{path}: keys of {}, expected {expected} as in the skeleton", counted(.found, "bone", "bones"))]
    Bones {
        /// The clip, like `animations[0]`.
        path: String,
        /// Number of bones with keys.
        found: usize,
        /// Number of bones.
        expected: usize,
    },
    /// A motion that has to be sampled and is too long.
    #[error(transparent)]
    Samples(#[from] TooManySamples),
    /// More bytes or elements than a file counts.
    #[error(transparent)]
    Limit(#[from] WriteError),
}

/// Formats a frame in words.
struct At(Option<u32>);

impl std::fmt::Display for At {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(frame) => write!(f, " at frame {frame}"),
            None => f.write_str(" at rest"),
        }
    }
}
