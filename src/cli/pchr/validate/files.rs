//! Which files are meant: a folder stands for what is in it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::cli::Failure;

/// The extension that is looked for in folders. JSON files are of many kinds; they are named one by one.
const EXTENSION: &str = "pchr";

/// A file, or a folder and why it gives none.
pub(super) type Named = (PathBuf, Result<(), Failure>);

/// The files in the order given, those of a folder sorted by path; or why a folder gives none.
pub(super) fn listed(given: &[PathBuf]) -> Result<Vec<Named>, Failure> {
    if given.iter().filter(|path| *path == Path::new("-")).count() > 1 {
        let text = "- is given more than once, but the standard input is read to its end";
        return Err(Failure::Usage(text.into()));
    }
    let mut files = Vec::new();
    for path in given {
        if !path.is_dir() {
            files.push((path.clone(), Ok(()))); // what is not there is told when it is read
            continue;
        }
        match in_folder(path) {
            Ok(found) => files.extend(found.into_iter().map(|file| (file, Ok(())))),
            Err(failure) => files.push((path.clone(), Err(failure))),
        }
    }
    Ok(files)
}

fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    walk(folder, &mut files).with_context(|| format!("cannot read {}", folder.display()))?;
    if files.is_empty() {
        let text = format!(
            "cannot read {}: no .{EXTENSION} files in this folder",
            folder.display()
        );
        return Err(Failure::Running(anyhow::Error::msg(text)));
    }
    files.sort();
    Ok(files)
}

/// Links to folders are not followed: they may lead in circles.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            walk(&path, files)?;
        } else if path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case(EXTENSION))
            && path.is_file()
        {
            files.push(path);
        }
    }
    Ok(())
}
