//! Files of 3D motions and skeletons that were read.

mod gltf;
mod pxd;

pub(super) use gltf::GltfInput;
pub(super) use pxd::PxdInput;

use pchr_foreign::format::MotionFile;

/// A motion that was read, and the file that it was read from.
#[derive(Debug)]
pub(super) struct MotionInput {
    /// The name that messages give the file.
    pub(super) name: String,
    /// Bytes of the file.
    pub(super) size: u64,
    pub(super) file: MotionFile,
}
