//! `pchr convert` of an atlas: to another text, with the images of its pages beside it, or to a character.

use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};

use pchr::finding::{Findings, quoted};
use pchr::format::{Losses, SidecarError};
use pchr_foreign::atlas::{Atlas, PctRule};
use pchr_foreign::format::atlas_json::{self, AtlasDialect, Layout};
use pchr_foreign::format::pct::{self, UnwritableNames};
use pchr_foreign::format::{AtlasFormat, AtlasText};

use super::AtlasFile;
use crate::cli::pchr::Run;
use crate::cli::pchr::images::{self, ImageFormatArg};
use crate::cli::pchr::report::{Remarks, RenamedReport, WrittenReport};
use crate::cli::pchr::written::{CharacterTarget, WrittenDocument, WrittenTo, write_with};
use crate::file_name;
use crate::files::Folder;
use crate::run::disk::Role;
use crate::run::input::{Input, is_stdin};
use crate::run::{Disk, Failure, output};
use crate::text::words;

/// Format that an atlas is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli::pchr) enum AtlasTarget {
    Pct,
    /// JSON; without a dialect, the usual one for its pages.
    Json(Option<AtlasDialect>),
}

/// Converts an atlas to a character.
pub(in crate::cli::pchr) fn to_character(
    file: &AtlasFile,
    target: CharacterTarget,
    image_format: Option<ImageFormatArg>,
    to: WrittenTo<'_>,
    run: Run<'_>,
) -> Result<(), Failure> {
    let AtlasText { format, warnings, losses, .. } = &file.read;
    let mut odd = warnings.clone();
    let document = file.character(run.disk, &mut odd)?;
    let input = Input::made(document, &file.name);
    let input = images::convert(input, image_format, run.messages)?;
    let remarks = Remarks::about(&input.name, odd, losses.clone());
    WrittenDocument { input: &input, format: format.id(), remarks, target, to }.run(run)
}

#[derive(Clone, Copy, Debug)]
pub(in crate::cli::pchr) struct ConvertAtlas<'a> {
    pub(in crate::cli::pchr) target: AtlasTarget,
    pub(in crate::cli::pchr) to: WrittenTo<'a>,
}

impl ConvertAtlas<'_> {
    /// Converts an atlas to another text, and lists content that was not carried over.
    pub(in crate::cli::pchr) fn run(self, file: &AtlasFile, run: Run<'_>) -> Result<(), Failure> {
        let (output, Run { messages, disk, .. }) = (self.to.output, run);
        let AtlasText { format, warnings, losses, .. } = &file.read;
        let mut said = Vec::new();
        let mut renamed = Vec::new();
        let pages = self.page_names(file, &mut said)?;
        let mut atlas = Cow::Borrowed(&file.read.atlas);
        if { atlas.pages.iter() }.map(|page| &page.file).ne(&pages) {
            let renamed = atlas.to_mut().pages.iter_mut().zip(&pages);
            renamed.for_each(|(page, name)| page.file.clone_from(name));
        }
        let (text, left_out) = match self.target {
            AtlasTarget::Json(dialect) => json(file, &atlas, dialect)?,
            AtlasTarget::Pct => {
                let text = self.pct(file, atlas, &mut renamed, &mut said)?;
                (text.into_bytes(), Losses::default())
            }
        };
        let mut remarks = Remarks::about(&file.name, warnings.clone(), losses.clone());
        remarks.of(&file.name).losses.extend(left_out);
        let mut report = WrittenReport::new(&file.name, format.id());
        if is_stdin(output) {
            output::write_stdout(&text)?;
            messages.note(&format!(
                "{}: page images cannot go to standard output; write to a file with -o",
                file.name
            ));
        } else {
            let copies = self.copies(file, &pages, &mut said, disk);
            let (beside, images): (Vec<PathBuf>, Vec<Vec<u8>>) = copies.into_iter().unzip();
            let images = images.iter().map(|data| Ok(Cow::Borrowed(&**data)));
            let text = |out: &mut dyn Write| out.write_all(&text);
            let ((), (outputs, replaced)) = write_with(disk, output, &beside, images, text)?;
            report.outputs = outputs;
            said.extend(replaced);
        }
        // Said last, so that an error is the first line.
        said.iter().for_each(|text| messages.warning(text));
        report.renamed = renamed.iter().map(RenamedReport::from).collect();
        report.warnings = said;
        report.finish(&remarks, self.to.json, messages)
    }

    /// The atlas as PCT. Names that this cannot hold are refused, or changed on request.
    fn pct(
        self,
        file: &AtlasFile,
        mut atlas: Cow<'_, Atlas>,
        renamed: &mut Vec<(String, String)>,
        said: &mut Vec<String>,
    ) -> Result<String, Failure> {
        if self.to.safe_names {
            *renamed = pct::safe_names(atlas.to_mut());
            said.extend(words::each(renamed, |(old, new)| {
                let (name, old, new) = (&file.name, quoted(old), quoted(new));
                format!("{name}: sprite {old} is now named {new}")
            }));
        }
        let rotated = atlas.sprites.values().filter(|sprite| sprite.rotated);
        if let rotated @ 1.. = rotated.count()
            && file.read.format != AtlasFormat::Pct
        {
            let sprites = words::count(rotated, "sprite is", "sprites are");
            let text =
                "flag 1 (rotated) is reserved; Phaser draws rotated sprites mirrored and stretched";
            said.push(format!("{}: {sprites} rotated: {text}", file.name));
        }
        pct::write(&atlas).map_err(|UnwritableNames(names)| {
            let mut found = Findings::default();
            for unwritable in names {
                let named = file.read.atlas.sprites.get(unwritable.name.as_str());
                let offset = named.map_or(0, |sprite| sprite.offset);
                let path = || format!("{} {}", unwritable.subject, quoted(&unwritable.name));
                let message = || format!("{}, which no record can hold", unwritable.reason);
                found.add(PctRule::NameUnwritable, offset, path, message);
            }
            let count = found.count(PctRule::NameUnwritable);
            let found = found.in_text(&file.text);
            let (name, listed) = (&file.name, words::listed(found.iter(), count));
            Failure::Rejected(format!("{name}: {listed}; rename these with --safe-names"))
        })
    }
}

/// The atlas as JSON, and what that has no words for.
fn json(
    file: &AtlasFile,
    atlas: &Atlas,
    dialect: Option<AtlasDialect>,
) -> Result<(Vec<u8>, Losses), Failure> {
    let pages = atlas.pages.len();
    let dialect = dialect.unwrap_or(AtlasDialect::for_pages(pages));
    if pages > dialect.most_pages() {
        return Err(Failure::Usage(format!(
            "{}: {pages} pages, but the dialect {} holds one; use --dialect multiatlas",
            file.name,
            dialect.id()
        )));
    }
    let mut text = Vec::new();
    let losses = atlas_json::write(atlas, &[], dialect, Layout::Lines, &mut text)?;
    Ok((text, losses))
}

/// An image to write, and where.
type Copied = (PathBuf, Vec<u8>);

impl ConvertAtlas<'_> {
    /// The file of each page as the output names it: the same, except for those that would lie elsewhere or cannot be named.
    fn page_names(self, file: &AtlasFile, said: &mut Vec<String>) -> Result<Vec<String>, Failure> {
        let pages = &file.read.atlas.pages;
        let mut names: Vec<String> = pages.iter().map(|page| page.file.clone()).collect();
        let to = Folder::of(self.to.output, false);
        let stays = is_stdin(self.to.output) || self.is_beside(file);
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
            if self.to.safe_names && matches!(self.target, AtlasTarget::Pct) {
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
        let to = Folder::of(self.to.output, false);
        let is_null = file_name::is_null(self.to.output);
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
                from.place(name).iter().for_each(|path| disk.note(path, Role::Input));
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
        said.extend(words::each(&missing, |text| format!("{}: {text}", file.name)));
        copies
    }

    /// Returns true if the output lies in the folder of the input.
    fn is_beside(self, file: &AtlasFile) -> bool {
        let folder = |path: &Path| std::fs::canonicalize(file_name::folder(path)).ok();
        folder(&file.path).is_some_and(|from| Some(from) == folder(self.to.output))
    }
}
