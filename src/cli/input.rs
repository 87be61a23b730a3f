//! The input file.

use std::io::Read as _;
use std::path::Path;

use anyhow::Context as _;

use super::failure::Failure;
use crate::document::Document;
use crate::format;

/// The name that messages give the file.
pub(super) fn name(path: &Path) -> String {
    if is_stdin(path) {
        "stdin".to_owned()
    } else {
        path.display().to_string()
    }
}

/// The file's name without folder and extension, for output names.
pub(super) fn stem(path: &Path) -> String {
    if is_stdin(path) {
        return "stdin".to_owned();
    }
    path.file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// Reads a document from a file, or from stdin for `-`. Its images are not decoded.
pub(super) fn read(path: &Path) -> Result<Document, Failure> {
    let bytes = if is_stdin(path) {
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .context("cannot read stdin")?;
        bytes
    } else {
        std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?
    };
    format::read(bytes).map_err(|invalid| Failure::Invalid {
        file: name(path),
        findings: invalid.0,
    })
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}
