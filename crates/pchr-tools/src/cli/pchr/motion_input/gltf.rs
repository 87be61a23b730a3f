//! A glTF file: a skeleton and its motions.

use pchr::finding::Invalid;
use pchr::format::Sidecars;
use pchr_foreign::format::gltf::{self, GltfFile};

/// A glTF file that was read.
#[derive(Debug)]
pub(in crate::cli::pchr) struct GltfInput {
    /// The name that messages give the file.
    pub(in crate::cli::pchr) name: String,
    /// Bytes of the file.
    pub(in crate::cli::pchr) size: u64,
    pub(in crate::cli::pchr) file: GltfFile,
}

impl GltfInput {
    /// Reads a file, and the buffers that it names.
    pub(in crate::cli::pchr) fn read(
        name: String,
        bytes: &[u8],
        buffers: &mut dyn Sidecars,
    ) -> Result<Self, Invalid> {
        Ok(Self {
            name,
            size: bytes.len() as u64,
            file: gltf::read(bytes, buffers)?,
        })
    }

    /// Returns the error of an unsupported command, with the commands that are supported.
    pub(in crate::cli::pchr) fn refusal(&self, why: &str) -> String {
        let name = &self.name;
        format!("{name}: {why} a glTF file; pchr inspect, validate, pose and convert read it")
    }
}
