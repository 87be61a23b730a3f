//! The input file.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;

use super::failure::Failure;
#[cfg(feature = "raster")]
use crate::bytes::Budget;
use crate::document::{Document, FileFormat, Findings, Invalid};
use crate::files::Folder;
use crate::format;
#[cfg(feature = "raster")]
use crate::image::{DEFAULT_BUDGET, Pixels, decode_picture};

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

/// How a file is read.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct InputArgs {
    /// Read images that a JSON file names outside of its folder, too
    #[arg(long)]
    pub(super) allow_outside: bool,
}

/// A document that was read, and what it was read from.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) document: Document,
    /// The name that messages give the file.
    pub(super) name: String,
    path: PathBuf,
    /// The bytes of what cannot be read twice, if places in it may still be looked for.
    kept: Option<Vec<u8>>,
}

impl Input {
    /// What was found in the document after it was read, as findings about the file: a text has other words and places.
    pub(super) fn in_file(&self, found: Findings) -> Findings {
        let source = self.document.source();
        if source == FileFormat::Pchr || found.is_empty() {
            return found;
        }
        // It is read again, as it seldom matters.
        let again = || std::fs::read(&self.path).unwrap_or_default();
        let file = self
            .kept
            .as_deref()
            .map_or_else(|| again().into(), Cow::Borrowed);
        format::json::in_file(&file, source, found)
    }

    /// The same file, its document changed.
    pub(super) fn with_document(self, document: Document) -> Self {
        Self { document, ..self }
    }

    /// The failure of a file in which errors were found after it was read.
    pub(super) fn invalid(&self, found: Findings) -> Failure {
        Failure::Invalid {
            file: self.name.clone(),
            findings: self.in_file(found),
        }
    }
}

/// Reads a document from a file, or from stdin for `-`, and the images that it names. They are not decoded.
pub(super) fn read(path: &Path, args: InputArgs) -> Result<Input, Failure> {
    let bytes = bytes(path)?;
    let name = name(path);
    let once = is_stdin(path) || !std::fs::metadata(path).is_ok_and(|there| there.is_file());
    let mut kept = once.then(|| bytes.clone());
    let mut folder = Folder::of(path, args.allow_outside);
    match format::read_with(bytes, &mut folder) {
        Ok(document) => {
            if document.source() == FileFormat::Pchr {
                kept = None; // its bytes are the document's
            }
            let path = path.to_owned();
            Ok(Input {
                document,
                name,
                path,
                kept,
            })
        }
        Err(Invalid(findings)) => Err(Failure::Invalid {
            file: name,
            findings,
        }),
    }
}

/// Reads a text file, or stdin for `-`.
#[cfg(feature = "raster")]
pub(super) fn read_text(path: &Path) -> Result<String, Failure> {
    let text = if is_stdin(path) {
        io::read_to_string(io::stdin().lock())
    } else {
        std::fs::read_to_string(path)
    };
    Ok(text.with_context(|| format!("cannot read {}", name(path)))?)
}

/// What a file holds, or stdin for `-`.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = if is_stdin(path) {
        read_all(io::stdin().lock(), 0)
    } else {
        File::open(path).and_then(|file| {
            let len = file.metadata().map_or(0, |metadata| metadata.len());
            read_all(file, len)
        })
    };
    Ok(bytes.with_context(|| format!("cannot read {}", name(path)))?)
}

/// Reads the picture that lies behind the character; premultiplied.
#[cfg(feature = "raster")]
pub(super) fn read_picture(path: &Path) -> Result<Pixels, Failure> {
    let file = || format!("cannot read the background {}", path.display());
    let bytes = std::fs::read(path).with_context(file)?;
    let budget = Budget::new(DEFAULT_BUDGET);
    Ok(decode_picture(&bytes, &budget).with_context(file)?)
}

/// Reads to the end, or to where no file that is valid can end. `len` is how long it is likely to be.
fn read_all(from: impl Read, len: u64) -> io::Result<Vec<u8>> {
    const MAX_LEN: u64 = 1 << 32; // a file is shorter: the check says so
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(len.min(MAX_LEN)).unwrap_or(0))?;
    from.take(MAX_LEN).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether a path is `-`: stdin for inputs, stdout for outputs.
pub(super) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}
