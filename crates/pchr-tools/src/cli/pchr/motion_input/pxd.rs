//! A PXD file: an animation or a skeleton.

use pchr::finding::{Findings, Invalid};
use pchr_foreign::format::pxd::{Outline, PxdContent, PxdKind, outline, read};

/// Ending of skeletons.
const SKELETON: &str = ".skl.pxd";

/// A PXD file that was read.
#[derive(Debug)]
pub(in crate::cli::pchr) struct PxdInput {
    /// The name that messages give the file.
    pub(in crate::cli::pchr) name: String,
    /// Bytes of the file.
    pub(in crate::cli::pchr) size: u64,
    /// Parts of the container.
    pub(in crate::cli::pchr) outline: Outline,
    pub(in crate::cli::pchr) content: PxdContent,
    /// Warnings about it.
    pub(in crate::cli::pchr) warnings: Findings,
}

impl PxdInput {
    /// Reads a file. Where its content does not tell its kind, its name does.
    pub(in crate::cli::pchr) fn read(name: String, bytes: &[u8]) -> Result<Self, Invalid> {
        let is_named = || name.to_ascii_lowercase().ends_with(SKELETON);
        let kind = PxdKind::of(bytes).unwrap_or_else(|| match is_named() {
            true => PxdKind::Skeleton,
            false => PxdKind::Animation,
        });
        let (content, warnings) = read(bytes, kind)?;
        Ok(Self {
            name,
            size: bytes.len() as u64,
            outline: outline(bytes).unwrap_or_default(),
            content,
            warnings,
        })
    }

    /// Returns the error of an unsupported command, with the commands that are supported.
    pub(in crate::cli::pchr) fn refusal(&self, why: &str) -> String {
        let (name, kind) = (&self.name, self.content.kind().name());
        format!("{name}: {why} a {kind}; pchr inspect, validate, pose and convert read it")
    }
}
