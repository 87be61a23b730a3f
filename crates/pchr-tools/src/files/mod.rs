//! Files on disk: reading them whole, the images that a JSON file names, and the skeleton of a motion.

mod companions;
mod read;
mod sidecar;

pub(crate) use companions::several_beside;
pub use companions::{Companions, motion_name, skeleton_beside, skeletons_beside};
pub use read::{
    Kind, ReadError, Reading, Seen, Stamp, alike, is_cut_off, with_alike, with_conflict,
};
pub(crate) use read::{has_conflict, is_pointer};
pub use sidecar::Folder;
