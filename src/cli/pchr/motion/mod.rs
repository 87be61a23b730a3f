//! 3D motions. What the commands share, and their parts that are about motions.

mod convert;
mod pxd;
pub(super) mod skeleton;

pub(super) use convert::{Convert, Target};
pub(super) use pxd::PxdInput;

use crate::format::MotionFile;

/// A motion that was read, and the file that it was read from.
#[derive(Debug)]
pub(super) struct MotionInput {
    /// The name that messages give the file.
    pub(super) name: String,
    /// Bytes of the file.
    pub(super) size: u64,
    pub(super) file: MotionFile,
}
