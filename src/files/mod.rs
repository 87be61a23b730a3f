//! Files on disk: reading them whole, the images that a JSON file names, the characters in a folder, and
//! the skeleton of a motion.

mod characters;
mod read;
mod sidecar;
#[cfg(feature = "cli")]
mod skeleton;
#[cfg(feature = "viewer")]
mod stamp;

pub use characters::{EXTENSIONS, is_character};
pub(crate) use read::has_conflict;
pub use read::{Kind, ReadError, Reading, with_conflict};
pub use sidecar::Folder;
#[cfg(feature = "cli")]
pub use skeleton::skeleton_beside;
#[cfg(feature = "viewer")]
pub(crate) use stamp::{Seen, Stamp};
