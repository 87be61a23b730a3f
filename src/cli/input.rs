//! The input file.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::Context as _;
use clap::Args;

use super::failure::Failure;
use crate::bytes::Budget;
use crate::document::{Document, FileFormat, Findings};
use crate::files::Folder;
use crate::format;
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

/// Reads a document from a file, or from stdin for `-`, and the images that it names. They are not decoded.
pub(super) fn read(path: &Path, args: InputArgs) -> Result<Document, Failure> {
    let bytes = if is_stdin(path) {
        read_all(io::stdin().lock(), 0)
    } else {
        File::open(path).and_then(|file| {
            let len = file.metadata().map_or(0, |metadata| metadata.len());
            read_all(file, len)
        })
    };
    let bytes = bytes.with_context(|| format!("cannot read {}", name(path)))?;
    let mut folder = Folder::of(path, args.allow_outside);
    format::read_with(bytes, &mut folder).map_err(|invalid| Failure::Invalid {
        file: name(path),
        findings: invalid.0,
    })
}

/// Findings about the bytes that a text was packed to, as findings about the text. It is read again, as it seldom
/// matters; of the standard input, which cannot be, only paths are known.
pub(super) fn in_file(path: &Path, document: &Document, found: Findings) -> Findings {
    if document.source() == FileFormat::Pchr || found.is_empty() {
        return found;
    }
    let file = std::fs::read(path).unwrap_or_default();
    format::json::in_file(&file, document.source(), found)
}

/// Reads the picture that lies behind the character; premultiplied.
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

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}
