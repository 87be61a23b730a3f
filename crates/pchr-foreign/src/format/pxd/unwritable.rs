//! Content that cannot be written.

use pchr::bytes::{Limit, WriteError};

/// Content that PXD cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwritable {
    /// A number that its field has no room for.
    #[error(transparent)]
    Limit(#[from] WriteError),
    /// A name with a NUL, which would end it.
    #[error("{path}: a name with a NUL cannot be written")]
    Nul {
        /// The name, like `skeleton.names[2]`.
        path: String,
    },
    /// A track that knows its bone by name: the skeleton has the index.
    #[error(
        "tracks[{0}]: names its bone, but PXD refers to bones by number; this needs the skeleton"
    )]
    Named(usize),
    /// A second track of a bone.
    #[error("tracks[{0}]: its bone already has a track")]
    Twice(usize),
    /// Values relative to a reference that PXD does not have.
    #[error("PXD holds only absolute and additive motions")]
    Type,
    /// Keys at times: PXD has keys on frames.
    #[error("a motion with keys at times must be converted to keys on frames before it is written")]
    Timed,
    /// Only one of tracks and root motion is sampled.
    #[error("expected tracks and root motion to be either both sampled or both keyed")]
    Mixed,
}

impl Unwritable {
    pub(super) fn limit(path: String, found: u64, most: u64) -> Self {
        Self::Limit(WriteError {
            path,
            found,
            limit: Limit::AtMost(most),
        })
    }
}

/// Converts a number to PXD's precision.
pub(super) fn single(value: f64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "PXD has single precision")]
    let single = value as f32;
    single
}
