//! Images of pages that `pchr convert` puts beside its output, and the names that the text gives them.

use std::path::{Path, PathBuf};

use pchr::finding::{Findings, quoted};
use pchr::format::SidecarError;

use super::convert::{Convert, Target};
use super::file::AtlasFile;
use crate::file_name;
use crate::files::Folder;
use crate::run::disk::Role;
use crate::run::{Disk, Failure};
use crate::text::words;

/// An image to write, and where.
type Copied = (PathBuf, Vec<u8>);

impl Convert<'_> {
    /// The file of each page as the output names it: the same, except for those that would lie elsewhere or cannot be named.
    pub(super) fn page_names(
        self,
        file: &AtlasFile,
        said: &mut Vec<String>,
    ) -> Result<Vec<String>, Failure> {
        let pages = &file.read.atlas.pages;
        let mut names: Vec<String> = pages.iter().map(|page| page.file.clone()).collect();
        let to = Folder::of(self.output, false);
        let stays = self.output == Path::new("-") || self.is_beside(file);
        for index in 0..names.len() {
            let old = names.get(index).cloned().unwrap_or_default();
            let mut new = old.clone();
            if !stays && matches!(to.place(&old), Err(SidecarError::Outside)) {
                let (name, page) = (&file.name, quoted(&old));
                if !file.args.allow_outside {
                    return Err(Failure::Rejected(format!(
                        "{name}: the page {page} lies outside the folder, and the output would not find it by this path; copy it beside the output with --allow-outside"
                    )));
                }
                let last = old.rsplit(['/', '\\']).next().unwrap_or_default();
                last.clone_into(&mut new);
            }
            if self.safe_names && matches!(self.target, Target::Pct) {
                new = new.replace([',', '\n', '\r'], "_");
            }
            if new == old {
                continue;
            }
            let (stem, ending) = new.split_at(new.rfind('.').unwrap_or(new.len()));
            let numbered = (2_u32..).map(|number| format!("{stem}_{number}{ending}"));
            let mut free = std::iter::once(new.clone()).chain(numbered);
            let new = free.find(|name| !names.contains(name)).unwrap_or_default();
            let (name, page, called) = (&file.name, quoted(&old), quoted(&new));
            said.push(format!("{name}: the page {page} is now named {called}"));
            if let Some(name) = names.get_mut(index) {
                name.clone_from(&new);
            }
        }
        Ok(names)
    }

    /// Images of pages that belong beside the output and are not there yet. Those that do not decode are reported.
    pub(super) fn copies(
        self,
        file: &AtlasFile,
        names: &[String],
        said: &mut Vec<String>,
        disk: &Disk,
    ) -> Vec<Copied> {
        let from = Folder::of(&file.path, file.args.allow_outside);
        let to = Folder::of(self.output, false);
        let is_null = file_name::is_null(self.output);
        let is_beside = self.is_beside(file);
        let mut copies: Vec<Copied> = Vec::new();
        let mut missing = Vec::new();
        let mut found = Findings::default();
        let pages = file.read.atlas.pages.iter().map(|page| &page.file);
        for (index, (name, new)) in pages.zip(names).enumerate() {
            let stays = is_beside && name == new;
            let data = file.page_file(name, disk);
            if let Ok(data) = &data {
                file.decoded(index, data, &mut found);
            }
            if stays {
                let place = from.place(name);
                place.iter().for_each(|path| disk.note(path, Role::Input));
            }
            if stays || is_null {
                continue;
            }
            let real = |path: &Path| std::fs::canonicalize(path).ok();
            let is_there = |path: &PathBuf| {
                let source = from.place(name).ok().and_then(|path| real(&path));
                source.is_some() && source == real(path)
            };
            let page = quoted(name);
            match (to.place(new), data) {
                _ if name.is_empty() => missing.push(format!("page {index} does not name an image file")),
                (Ok(path), Ok(_)) if is_there(&path) => {}
                (Ok(path), Ok(_)) if copies.iter().any(|(other, _)| *other == path) => {}
                (Ok(path), Ok(data)) => copies.push((path, data)),
                (_, Err(error)) => missing.push(format!(
                    "the page {page} was not copied to the folder of the output: {error}"
                )),
                (Err(_), _) => missing.push(format!(
                    "the page {page} was not copied: its path leads outside the folder of the output"
                )),
            }
        }
        let found = found.in_text(&file.text);
        said.extend(found.iter().map(|found| format!("{}: {found}", file.name)));
        said.extend(words::each(&missing, |text| {
            format!("{}: {text}", file.name)
        }));
        copies
    }

    /// Returns true if the output lies in the folder of the input.
    fn is_beside(self, file: &AtlasFile) -> bool {
        let folder = |path: &Path| {
            let folder = path.parent().filter(|folder| *folder != Path::new(""));
            std::fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()
        };
        folder(&file.path).is_some_and(|from| Some(from) == folder(self.output))
    }
}
