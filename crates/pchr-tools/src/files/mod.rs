//! Files on disk: reading them whole, the images that a JSON file names, the characters in a folder, and
//! the skeleton of a motion.

mod alike;
mod characters;
mod companions;
mod motion_name;
mod read;
mod sidecar;
mod skeleton;
mod stamp;

pub use alike::{alike, with_alike};
pub use characters::{EXTENSIONS, is_character};
pub use companions::Companions;
pub use motion_name::motion_name;
pub(crate) use read::has_conflict;
pub use read::{Kind, ReadError, Reading, with_conflict};
pub use sidecar::Folder;
pub use skeleton::{skeleton_beside, skeletons_beside};
pub use stamp::{Seen, Stamp};
