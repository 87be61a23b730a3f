//! Output files of a document: one file, or a JSON file and its images.
//!
//! All of them are complete before the first takes its name; the JSON file, which names the others, takes its last.

use std::borrow::Cow;
use std::io::{self, Write};
use std::iter;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use pchr::format::json::{self, Dialect};
use pchr::format::{Losses, legacy};
use pchr::image::EncodeError;
use pchr_foreign::format::dragonbones::{self, DragonBonesFiles};

use super::report::{OutputReport, Remarks, WrittenReport};
use super::{Run, images};
use crate::file_name;
use crate::files::{Kind, Reading};
use crate::run::input::{self, Input};
use crate::run::{Disk, Failure, output};

/// Format that a character is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharacterTarget {
    Pchr,
    Legacy,
    /// JSON, with images beside it.
    Json(Dialect),
    /// A skeleton of DragonBones, with atlases beside it.
    DragonBones,
}

/// `--json` and `-o -` cannot both have stdout.
pub(super) fn check_stdout(output: &Path, json: bool) -> Result<(), Failure> {
    if json && output == Path::new("-") {
        return Err(Failure::Usage("--json and -o - both write to standard output".into()));
    }
    Ok(())
}

/// Place and manner of writing.
#[derive(Clone, Copy, Debug)]
pub(super) struct WrittenTo<'a> {
    pub(super) output: &'a Path,
    /// True if images and sprites are renamed instead of being refused.
    pub(super) safe_names: bool,
    /// True if a report is printed.
    pub(super) json: bool,
}

/// A document to write, or to print for `-`.
#[derive(Debug)]
pub(super) struct WrittenDocument<'a> {
    pub(super) input: &'a Input,
    /// Stable name of the format that was read.
    pub(super) format: &'static str,
    /// Remarks about what it was made of, itself first.
    pub(super) remarks: Remarks,
    pub(super) target: CharacterTarget,
    pub(super) to: WrittenTo<'a>,
}

impl WrittenDocument<'_> {
    /// Writes it, and lists content that was not carried over.
    pub(super) fn run(mut self, run: Run<'_>) -> Result<(), Failure> {
        let Input { document, name, .. } = self.input;
        let (losses, (outputs, replaced)) = match self.target {
            CharacterTarget::Pchr if input::is_stdin(self.to.output) => {
                output::write_stdout(document.bytes())?;
                (Losses::default(), Done::default())
            }
            CharacterTarget::Pchr => {
                let (bytes, none) = (document.bytes(), Losses::default());
                let text = |out: &mut dyn Write| out.write_all(bytes).map(|()| none);
                self.write(iter::empty(), iter::empty(), text, run)?
            }
            CharacterTarget::Legacy => {
                let (bytes, losses) = legacy::write(document).with_context(|| name.clone())?;
                let text = |out: &mut dyn Write| out.write_all(&bytes).map(|()| losses);
                self.write(iter::empty(), iter::empty(), text, run)?
            }
            CharacterTarget::Json(dialect) => {
                let names = images::image_files(self.input, self.to.safe_names, self.to.output)?;
                let files = document.images().map(|image| json::image_file(&image));
                let text = |out: &mut dyn Write| json::write(document, dialect, &names, out);
                self.write(names.iter().map(String::as_str), files, text, run)?
            }
            CharacterTarget::DragonBones => {
                let files = dragonbones::write(document, &self.skeleton_name());
                let DragonBonesFiles { skeleton, beside, losses } =
                    files.with_context(|| name.clone())?;
                let names = beside.iter().map(|(name, _)| name.as_str());
                let files = beside.iter().map(|(_, data)| Ok(Cow::Borrowed(&**data)));
                let text = |out: &mut dyn Write| out.write_all(&skeleton).map(|()| losses);
                self.write(names, files, text, run)?
            }
        };
        self.remarks.of(name).losses.extend(losses);
        // Said last, so that an error is the first line.
        replaced.iter().for_each(|text| run.messages.warning(text));
        let mut report = WrittenReport::new(name, self.format);
        report.outputs = outputs;
        report.finish(&self.remarks, self.to.json, run.messages)
    }

    /// Writes the file, and those that it names, to lie beside it: first them, each made when it is its turn. Stdout has no place for
    /// them. Also returns what the file does not hold.
    fn write<'n, 'd>(
        &self,
        names: impl ExactSizeIterator<Item = &'n str>,
        files: impl Iterator<Item = Result<Cow<'d, [u8]>, EncodeError>>,
        text: impl FnOnce(&mut dyn Write) -> io::Result<Losses>,
        Run { messages, disk, .. }: Run<'_>,
    ) -> Result<(Losses, Done), Failure> {
        let output = self.to.output;
        if input::is_stdin(output) {
            let mut bytes = Vec::new();
            let losses = text(&mut bytes)?;
            output::write_stdout(&bytes)?;
            if names.len() > 0 {
                messages.note(&format!(
                    "{}: images cannot go to standard output; write to a file with -o",
                    self.input.name
                ));
            }
            return Ok((losses, Done::default()));
        }
        let beside = |name: &str| match file_name::is_null(output) {
            true => output.to_owned(), // as the text, which they would lie beside
            false => output.with_file_name(name),
        };
        let paths: Vec<PathBuf> = names.map(beside).collect();
        write_with(disk, output, &paths, files, text)
    }

    /// Name of a skeleton: that of its file, without `_ske`.
    fn skeleton_name(&self) -> String {
        let output = self.to.output;
        let file = if input::is_stdin(output) { Path::new(&self.input.name) } else { output };
        let mut name = input::stem(file);
        let stem = name.len().saturating_sub("_ske".len());
        if stem > 0 && name.get(stem..).is_some_and(|end| end.eq_ignore_ascii_case("_ske")) {
            name.truncate(stem);
        }
        name
    }
}

/// Files that were written, and warnings about existing ones with other content that they replaced.
pub(super) type Done = (Vec<OutputReport>, Vec<String>);

/// Writes a file, and those that it names: first them, each made when it is its turn. All are complete before the first takes its name.
pub(super) fn write_with<'d, T>(
    disk: &Disk,
    output: &Path,
    beside: &[PathBuf],
    files: impl Iterator<Item = Result<Cow<'d, [u8]>, EncodeError>>,
    text: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> Result<(T, Done), Failure> {
    let paths = beside.iter().map(PathBuf::as_path).chain([output]);
    disk.check(paths.clone())?;
    output::make_folders(paths)?;
    let (mut complete, mut replaced) = (Vec::new(), Vec::new());
    for (path, data) in beside.iter().zip(files) {
        let data = data.map_err(anyhow::Error::from)?;
        if holds_other(path, &data) {
            replaced.push(format!("{} had other content and was replaced", path.display()));
        }
        let mut file = disk.create(path)?;
        file.write_all(&data)?;
        complete.push(file.complete()?);
    }
    let mut file = disk.create(output)?;
    let written = text(&mut file)?;
    complete.push(file.complete()?);
    let outputs = complete.iter().map(OutputReport::new).collect();
    for file in complete {
        file.take_place()?;
    }
    Ok((written, (outputs, replaced)))
}

/// Returns true if there is a file with other content, which may belong to something else.
fn holds_other(path: &Path, data: &[u8]) -> bool {
    std::fs::metadata(path).is_ok_and(|there| {
        let same = || Reading::of(path, Kind::Picture).run().map(|it| it == data);
        there.is_file() && (there.len() != data.len() as u64 || !same().unwrap_or(true))
    })
}
