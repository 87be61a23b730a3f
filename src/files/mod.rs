//! Files on disk: reading them whole, and the images that a JSON file names.

mod read;
mod sidecar;

pub use read::{Kind, ReadError, Reading, with_conflict};
pub use sidecar::Folder;
