//! SEAnim version 1: 3D motions, exported from games and brought into Blender and Maya.
//!
//! Little-endian: magic `SEAnim`, version, header, names of bones, modifiers, keys of each bone, notes, a custom block. The header's
//! size counts its own two bytes, as in every program and unlike the document. [`SeanimRule`](crate::motion::SeanimRule) lists the faults
//! that known writers make and that are repaired.

mod blocks;
mod header;
mod read;
mod readings;
mod write;

pub use read::{is_seanim, read};
pub use write::{Unwritable, write};
