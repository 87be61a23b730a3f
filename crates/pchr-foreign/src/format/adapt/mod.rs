//! Converts motions between formats: the same poses on a skeleton, within the limits of the other format.

mod bind;
mod pxd;
mod seanim;
mod skeleton;
mod turns;

pub use bind::bind;
pub use pxd::to_pxd;
pub use seanim::to_seanim;
pub use skeleton::to_pxd_skeleton;

use pchr::finding::counted;

use crate::motion::{TooManySamples, UnwritableKey};

/// Reason why a motion cannot be converted to another format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unadaptable {
    /// Bones by number, or without parents and rest, although the target needs them.
    #[error("the motion refers to its bones by number; it needs a skeleton that names them")]
    Skeleton,
    /// Tracks of another skeleton.
    #[error(
        "no track matches a bone of the skeleton ({}; the first is {first})",
        counted(.tracks, "track", "tracks")
    )]
    NoBone {
        /// Number of tracks.
        tracks: usize,
        /// Name of the first, in quotes, or its index.
        first: String,
    },
    /// A number beyond 32-bit floats.
    #[error("tracks[{track}] has a number too large for a 32-bit float")]
    Beyond {
        /// Index of the track.
        track: usize,
    },
    /// More samples than become keys.
    #[error(transparent)]
    Samples(#[from] TooManySamples),
    /// A key that the format cannot store.
    #[error(transparent)]
    Key(#[from] UnwritableKey),
}
