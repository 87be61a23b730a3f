//! `pchr convert` of an atlas: to another text, with the images of its pages beside it, or to a character.

use std::borrow::Cow;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::file::AtlasFile;
use crate::atlas::PctRule;
use crate::cli::pchr::images::{self, ImageFormatArg};
use crate::cli::pchr::report::{OutputReport, WrittenReport};
use crate::cli::pchr::written::{self, Written};
use crate::file_name;
use crate::files::Folder;
use crate::finding::{Findings, quoted};
use crate::format::Losses;
use crate::format::atlas_json::{self, Dialect, Layout};
use crate::format::pct::{self, UnwritableNames};
use crate::run::disk::Role;
use crate::run::input::Input;
use crate::run::messages::Messages;
use crate::run::output;
use crate::run::{Disk, Failure};
use crate::text::words;

/// Sprites with another name, or missing pages, that are listed.
const LISTED: usize = 10;

/// Format that an atlas is written in.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli::pchr) enum Target {
    /// PCT.
    Pct,
    /// JSON; without a dialect, the usual one for its pages.
    Json(Option<Dialect>),
    /// A character, in one of its formats.
    Character(written::Target),
}

/// A conversion.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli::pchr) struct Convert<'a> {
    pub(in crate::cli::pchr) target: Target,
    pub(in crate::cli::pchr) output: &'a Path,
    pub(in crate::cli::pchr) image_format: Option<ImageFormatArg>,
    pub(in crate::cli::pchr) safe_names: bool,
    pub(in crate::cli::pchr) json: bool,
}

impl Convert<'_> {
    /// Converts an atlas, and says what was not carried over.
    pub(in crate::cli::pchr) fn run(
        self,
        file: &AtlasFile,
        messages: &Messages,
        disk: &Disk,
    ) -> Result<(), Failure> {
        let is_character = matches!(self.target, Target::Character(_));
        if self.image_format.is_some() && !is_character {
            let text = "page images stay as they are: --image-format is for characters";
            return Err(Failure::Usage(text.into()));
        }
        let mut said = Vec::new();
        let (text, losses) = match self.target {
            Target::Character(target) => return self.character(file, target, messages, disk),
            Target::Json(dialect) => json(file, dialect)?,
            Target::Pct => (self.pct(file, &mut said)?.into_bytes(), Losses::default()),
        };
        let mut report = WrittenReport::new(&file.name, file.read.format.id());
        let mut all = file.read.losses.clone();
        all.extend(losses);
        if self.output == Path::new("-") {
            output::write_stdout(&text)?;
            messages.note(&format!(
                "{}: page images are not written to stdout",
                file.name
            ));
        } else {
            self.write(&text, file, &mut report, &mut said, disk)?;
        }
        // Said last, so that an error is the first line.
        said.iter().for_each(|text| messages.warning(text));
        messages.oddities(&file.name, &file.read.warnings);
        written::say_losses(&file.name, &all, messages);
        if !self.json {
            return Ok(());
        }
        report.not_carried_over = all.iter().map(Into::into).collect();
        report.warnings = file.read.warnings.iter().map(ToString::to_string).collect();
        output::write_json(&report)
    }

    /// The atlas as PCT. Names that this cannot hold are refused or, if that is asked for, changed.
    fn pct(self, file: &AtlasFile, said: &mut Vec<String>) -> Result<String, Failure> {
        let mut atlas = Cow::Borrowed(&file.read.atlas);
        if self.safe_names {
            let renamed = pct::safe_names(atlas.to_mut());
            let name = &file.name;
            let first = renamed.iter().take(LISTED);
            said.extend(first.map(|(old, new)| {
                let (old, new) = (quoted(old), quoted(new));
                format!("{name}: sprite {old} is now called {new}")
            }));
            if let Some(more @ 1..) = renamed.len().checked_sub(LISTED) {
                let more = words::count(more, "more sprite has", "more sprites have");
                said.push(format!("{name}: {more} another name now"));
            }
        }
        pct::write(&atlas).map_err(|UnwritableNames(names)| {
            let mut found = Findings::default();
            for unwritable in names {
                let named = file.read.atlas.sprites.get(unwritable.name.as_str());
                let offset = named.map_or(0, |sprite| sprite.offset);
                let path = || format!("{} {}", unwritable.subject, quoted(&unwritable.name));
                let message = || format!("{}; no record can hold it", unwritable.reason);
                found.add(PctRule::NameUnwritable, offset, path, message);
            }
            let count = found.count(PctRule::NameUnwritable);
            let found = found.in_text(&file.text);
            let first = found.iter().next().map(ToString::to_string);
            let more = match count {
                0 | 1 => String::new(),
                count => format!(" (and {} more)", words::number(count - 1)),
            };
            let (name, first) = (&file.name, first.unwrap_or_default());
            Failure::Rejected(format!(
                "{name}: {first}{more}; --safe-names renames sprites"
            ))
        })
    }

    /// Writes the text, and the images of the pages beside it if it lies in another folder.
    fn write(
        self,
        text: &[u8],
        file: &AtlasFile,
        report: &mut WrittenReport,
        said: &mut Vec<String>,
        disk: &Disk,
    ) -> Result<(), Failure> {
        disk.check([self.output])?;
        let pages = match file_name::is_null(self.output) {
            true => Vec::new(),
            false => self.pages(file, said, disk),
        };
        let beside = pages.iter().map(|(path, _)| path.as_path());
        disk.check(beside.clone().chain([self.output]))?;
        output::make_folders(beside.chain([self.output]))?;
        let mut replaced = Vec::new();
        let mut complete = Vec::with_capacity(pages.len());
        for (path, data) in &pages {
            if written::is_another(path, data) {
                replaced.push(path.display());
            }
            let mut page = disk.create(path)?;
            page.write_all(data)?;
            complete.push(page.complete()?);
            report.outputs.push(OutputReport::new(path, data.len()));
        }
        let mut whole = disk.create(self.output)?;
        whole.write_all(text)?;
        complete.push(whole.complete()?);
        report
            .outputs
            .push(OutputReport::new(self.output, text.len()));
        for file in complete {
            file.take_place()?;
        }
        for there in replaced {
            said.push(format!(
                "{there} was there with another content and was replaced"
            ));
        }
        Ok(())
    }

    /// Page images that are to lie beside the output and do not yet, with their bytes.
    fn pages(
        self,
        file: &AtlasFile,
        said: &mut Vec<String>,
        disk: &Disk,
    ) -> Vec<(PathBuf, Vec<u8>)> {
        let [from, to] = [
            Folder::of(&file.path, file.args.allow_outside),
            Folder::of(self.output, false),
        ];
        let mut pages: Vec<(PathBuf, Vec<u8>)> = Vec::new();
        let mut missing = Vec::new();
        let folder = |path: &Path| {
            let folder = path.parent().filter(|folder| *folder != Path::new(""));
            std::fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()
        };
        let is_same = folder(&file.path).is_some_and(|from| Some(from) == folder(self.output));
        for page in &file.read.atlas.pages {
            let name = &page.file;
            if is_same {
                let place = from.place(name);
                place.iter().for_each(|path| disk.note(path, Role::Input));
                continue;
            }
            let place = to
                .place(name)
                .map_err(|_| "its path leads out of that folder".to_owned());
            let is_there = |path: &PathBuf| {
                let real = |path: &Path| std::fs::canonicalize(path).ok();
                let source = from.place(name).ok().and_then(|path| real(&path));
                source.is_some() && source == real(path)
            };
            match (place, file.page_file(name, disk)) {
                (Ok(path), Ok(_)) if is_there(&path) => {}
                (Ok(path), Ok(_)) if pages.iter().any(|(other, _)| *other == path) => {}
                (Ok(path), Ok(data)) => pages.push((path, data)),
                (Err(error), _) | (_, Err(error)) => missing.push((name, error)),
            }
        }
        let atlas = &file.name;
        let first = missing.iter().take(LISTED);
        said.extend(first.map(|(name, error)| {
            let page = quoted(name);
            format!("{atlas}: the page {page} was not copied to the folder of the output: {error}")
        }));
        if let Some(more @ 1..) = missing.len().checked_sub(LISTED) {
            let more = words::count(more, "more page was", "more pages were");
            said.push(format!("{atlas}: {more} not copied"));
        }
        pages
    }

    fn character(
        self,
        file: &AtlasFile,
        target: written::Target,
        messages: &Messages,
        disk: &Disk,
    ) -> Result<(), Failure> {
        let mut odd = Findings::default();
        let document = file.character(disk, &mut odd)?;
        let mut found = file.read.warnings.clone();
        found.extend(odd);
        let input = Input::made(document, &file.name);
        let input = images::convert(input, self.image_format, messages)?;
        Written::of(&input, found)
            .made_of(file.read.format.id())
            .safe_names(self.safe_names)
            .write(target, self.output, messages, disk)?
            .report(self.json)
    }
}

/// The atlas as JSON, and what that has no words for.
fn json(file: &AtlasFile, dialect: Option<Dialect>) -> Result<(Vec<u8>, Losses), Failure> {
    let atlas = &file.read.atlas;
    let pages = atlas.pages.len();
    let dialect = dialect.unwrap_or(Dialect::for_pages(pages));
    if pages > dialect.most_pages() {
        return Err(Failure::Usage(format!(
            "{}: {pages} pages, the dialect {} holds one; --dialect multiatlas holds all",
            file.name,
            dialect.id()
        )));
    }
    let mut text = Vec::new();
    let losses = atlas_json::write(atlas, dialect, Layout::Lines, &mut text)?;
    Ok((text, losses))
}
