//! An atlas and the images of its pages, written together.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use rayon::prelude::*;

use pchr::image::{Effort, encode_png};
use pchr_foreign::format::pct;
use pchr_foreign::packing::Packed;

use super::messages::{Messages, progress};
use super::{Disk, Failure, output};
use crate::files::{Kind, Reading};

/// Returns the files of an atlas whose text is written to `output`: the images of its pages beside it, and the text last.
pub(crate) fn files(
    packed: &Packed,
    text: String,
    output: &Path,
    messages: &Messages,
) -> Result<Vec<(PathBuf, Vec<u8>)>, Failure> {
    let bar = progress(packed.pages.len(), messages);
    let encode = |page| {
        let mut png = Vec::new();
        encode_png(page, Effort::Some, &mut png).context("cannot write a page")?;
        bar.inc(1);
        Ok(png)
    };
    let pages: Result<Vec<_>, Failure> = packed.pages.par_iter().map(encode).collect();
    bar.finish_and_clear();
    let paths = packed.atlas.pages.iter();
    let paths = paths.map(|page| output.with_file_name(&page.file));
    let mut files: Vec<_> = paths.zip(pages?).collect();
    files.push((output.to_owned(), text.into_bytes()));
    Ok(files)
}

/// Returns the images of the atlas that `files` replaces, unless they are replaced themselves.
pub(crate) fn left_over(files: &[(PathBuf, Vec<u8>)]) -> Vec<PathBuf> {
    let Some((text, _)) = files.last() else {
        return Vec::new();
    };
    let there = Reading::of(text, Kind::Document).run();
    let there = there.ok().and_then(|bytes| pct::read(&bytes).ok());
    let pages = there.map_or_else(Vec::new, |(atlas, _)| atlas.pages);
    let mut left: Vec<PathBuf> = pages
        .iter()
        .filter(|page| !page.file.is_empty() && !page.file.contains(['/', '\\']))
        .map(|page| text.with_file_name(&page.file))
        .filter(|path| path.is_file() && files.iter().all(|(file, _)| file != path))
        .collect();
    left.sort();
    left.dedup();
    left
}

/// Writes all files. The last one names the others and is renamed into place last.
pub(crate) fn write(files: &[(PathBuf, Vec<u8>)], disk: &Disk) -> Result<(), Failure> {
    let paths = files.iter().map(|(path, _)| path.as_path());
    disk.check(paths.clone())?;
    output::make_folders(paths)?;
    let mut complete = Vec::with_capacity(files.len());
    for (path, bytes) in files {
        let mut file = disk.create(path)?;
        file.write_all(bytes)?;
        complete.push(file.complete()?);
    }
    for file in complete {
        file.take_place()?;
    }
    Ok(())
}
