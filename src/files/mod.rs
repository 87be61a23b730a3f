//! Files on disk: the images that a JSON file names.

mod sidecar;

pub use sidecar::Folder;
