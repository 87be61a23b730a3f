//! SEAnim version 1: 3D motions, exported from games and brought into Blender and Maya.
//!
//! Little-endian: magic `SEAnim`, version, header, names of bones, modifiers, keys of each bone, notes, a custom block. The header's
//! size counts its own two bytes, as in every program and unlike the document. [`SeanimRule`](crate::motion::SeanimRule) lists the faults
//! that known writers make and that are repaired.
//!
//! [`write()`] gives the bytes that were read; [`write_canonical`] those that the document demands, for programs that take no others.

mod blocks;
mod outline;
mod read;
mod write;

pub use outline::{Block, Outline, outline};
pub use read::{is_seanim, read};
pub use write::{Unwritable, write, write_canonical};

pub(super) use write::left_out;
