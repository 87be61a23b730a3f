//! Files on disk: reading them whole, the images that a JSON file names, and the characters in a folder.

mod characters;
mod read;
mod sidecar;
#[cfg(feature = "viewer")]
mod stamp;

pub use characters::{EXTENSIONS, is_character};
pub(crate) use read::has_conflict;
pub use read::{Kind, ReadError, Reading, with_conflict};
pub use sidecar::Folder;
#[cfg(feature = "viewer")]
pub(crate) use stamp::{Seen, Stamp};
