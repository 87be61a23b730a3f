//! Which files are meant: a folder stands for what is in it.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::cli::Failure;
use crate::cli::walk::Walk;

/// The extension that is looked for in folders. JSON files are of many kinds; they are named one by one.
const EXTENSION: &str = "pchr";

/// A file, or a folder and why it cannot be searched.
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
            Ok(found) => files.extend(found),
            Err(failure) => files.push((path.clone(), Err(failure))),
        }
    }
    Ok(files)
}

/// The files in a folder, and the folders below it that cannot be searched. Links to folders are not followed.
fn in_folder(folder: &Path) -> Result<Vec<Named>, Failure> {
    let found = Walk::new(folder).run();
    let found = found.with_context(|| format!("cannot read {}", folder.display()))?;
    let is_ours = |path: &PathBuf| {
        let ending = path.extension();
        ending.is_some_and(|ending| ending.eq_ignore_ascii_case(EXTENSION))
    };
    let files = found.files.into_iter().filter(is_ours);
    let mut files: Vec<Named> = files.map(|file| (file, Ok(()))).collect();
    for (path, why) in found.passed_over {
        let text = format!("cannot read {}: {why}", path.display());
        files.push((path, Err(Failure::Running(anyhow::Error::msg(text)))));
    }
    if files.is_empty() {
        let text = format!(
            "cannot read {}: no .{EXTENSION} files in this folder",
            folder.display()
        );
        return Err(Failure::Running(anyhow::Error::msg(text)));
    }
    files.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(files)
}
