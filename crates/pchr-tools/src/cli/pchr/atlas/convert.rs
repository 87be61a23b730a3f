//! `pchr convert` of an atlas: to another text, with the images of its pages beside it, or to a character.

use std::borrow::Cow;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use pchr::finding::{Findings, quoted};
use pchr::format::Losses;
use pchr_foreign::atlas::{Atlas, PctRule};
use pchr_foreign::format::AtlasFormat;
use pchr_foreign::format::atlas_json::{self, Dialect, Layout};
use pchr_foreign::format::pct::{self, UnwritableNames};

use super::file::AtlasFile;
use crate::cli::pchr::images::{self, ImageFormatArg};
use crate::cli::pchr::remarks;
use crate::cli::pchr::report::{OutputReport, RenamedReport, WrittenReport};
use crate::cli::pchr::written::{self, Written};
use crate::run::input::Input;
use crate::run::messages::Messages;
use crate::run::output;
use crate::run::{Disk, Failure};
use crate::text::words;

/// Format that an atlas is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// Converts an atlas, and lists content that was not carried over.
    pub(in crate::cli::pchr) fn run(
        self,
        file: &AtlasFile,
        messages: &Messages,
        disk: &Disk,
    ) -> Result<(), Failure> {
        let is_character = matches!(self.target, Target::Character(_));
        if self.image_format.is_some() && !is_character {
            let text = "--image-format is for characters; page images stay unchanged";
            return Err(Failure::Usage(text.into()));
        }
        if let Target::Character(target) = self.target {
            return self.character(file, target, messages, disk);
        }
        let mut said = Vec::new();
        let mut renamed = Vec::new();
        let pages = self.page_names(file, &mut said)?;
        let mut atlas = Cow::Borrowed(&file.read.atlas);
        if file
            .read
            .atlas
            .pages
            .iter()
            .map(|page| &page.file)
            .ne(&pages)
        {
            let renamed = atlas.to_mut().pages.iter_mut().zip(&pages);
            renamed.for_each(|(page, name)| page.file.clone_from(name));
        }
        let (text, losses) = match self.target {
            Target::Json(dialect) => json(file, &atlas, dialect)?,
            _ => {
                let text = self.pct(file, atlas, &mut renamed, &mut said)?;
                (text.into_bytes(), Losses::default())
            }
        };
        let odd = &file.read.warnings;
        let mut report = WrittenReport::new(&file.name, file.read.format.id());
        let mut all = file.read.losses.clone();
        all.extend(losses);
        if self.output == Path::new("-") {
            output::write_stdout(&text)?;
            messages.note(&format!(
                "{}: page images cannot go to standard output; write to a file with -o",
                file.name
            ));
        } else {
            let copies = self.copies(file, &pages, &mut said, disk);
            self.write(&text, &copies, &mut report, &mut said, disk)?;
        }
        // Said last, so that an error is the first line.
        said.iter().for_each(|text| messages.warning(text));
        messages.oddities(&file.name, odd);
        remarks::say_losses(&file.name, &all, messages);
        if !self.json {
            return Ok(());
        }
        report.not_carried_over = all.iter().map(Into::into).collect();
        let renamed = renamed
            .iter()
            .map(|(from, to)| RenamedReport::new(from, to));
        report.renamed = renamed.collect();
        report.warnings = odd.iter().map(ToString::to_string).chain(said).collect();
        output::write_json(&report)
    }

    /// The atlas as PCT. Names that this cannot hold are refused, or changed on request.
    fn pct(
        self,
        file: &AtlasFile,
        mut atlas: Cow<'_, Atlas>,
        renamed: &mut Vec<(String, String)>,
        said: &mut Vec<String>,
    ) -> Result<String, Failure> {
        if self.safe_names {
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

    /// Writes the text, and images of pages.
    fn write(
        self,
        text: &[u8],
        pages: &[(PathBuf, Vec<u8>)],
        report: &mut WrittenReport,
        said: &mut Vec<String>,
        disk: &Disk,
    ) -> Result<(), Failure> {
        let beside = pages.iter().map(|(path, _)| path.as_path());
        disk.check(beside.clone().chain([self.output]))?;
        output::make_folders(beside.chain([self.output]))?;
        let mut replaced = Vec::new();
        let mut complete = Vec::with_capacity(pages.len());
        for (path, data) in pages {
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
            said.push(format!("{there} had other content and was replaced"));
        }
        Ok(())
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
        let losses = file.read.losses.clone();
        let input = Input::made(document, &file.name);
        let input = images::convert(input, self.image_format, messages)?;
        Written::of(&input, found)
            .made_of(file.read.format.id(), losses)
            .safe_names(self.safe_names)
            .write(target, self.output, messages, disk)?
            .report(self.json)
    }
}

/// The atlas as JSON, and what that has no words for.
fn json(
    file: &AtlasFile,
    atlas: &Atlas,
    dialect: Option<Dialect>,
) -> Result<(Vec<u8>, Losses), Failure> {
    let pages = atlas.pages.len();
    let dialect = dialect.unwrap_or(Dialect::for_pages(pages));
    if pages > dialect.most_pages() {
        return Err(Failure::Usage(format!(
            "{}: {pages} pages, but the dialect {} holds one; use --dialect multiatlas",
            file.name,
            dialect.id()
        )));
    }
    let mut text = Vec::new();
    let losses = atlas_json::write(atlas, dialect, Layout::Lines, &mut text)?;
    Ok((text, losses))
}
