//! Output files of a document: one file, or a JSON file and its images.
//!
//! All of them are complete before the first takes its name; the JSON file, which names the others, takes its last.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use pchr::format::json::{self, Dialect};
use pchr::format::legacy;
use pchr_foreign::format::dragonbones::{self, DragonBonesFiles};

use super::images;
use super::report::{OutputReport, Remarks, WrittenReport};
use crate::file_name;
use crate::files::{Kind, Reading};
use crate::run::input::{self, Input};
use crate::run::messages::Messages;
use crate::run::output::{self, Complete};
use crate::run::{Disk, Failure};

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

/// A document to write, or to print for `-`.
#[derive(Debug)]
pub(super) struct WrittenDocument<'a> {
    pub(super) input: &'a Input,
    /// Stable name of the format that was read.
    pub(super) format: &'static str,
    /// Remarks about what it was made of, itself first.
    pub(super) remarks: Remarks,
    pub(super) target: CharacterTarget,
    pub(super) output: &'a Path,
    /// True if images are renamed instead of being refused.
    pub(super) safe_names: bool,
    pub(super) json: bool,
}

impl WrittenDocument<'_> {
    /// Writes it, and lists content that was not carried over.
    pub(super) fn run(mut self, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
        let input = self.input;
        let (outputs, replaced) = match self.target {
            CharacterTarget::Pchr => self.one(input.document.bytes(), disk)?,
            CharacterTarget::Legacy => {
                let written = legacy::write(&input.document);
                let (bytes, losses) = written.with_context(|| input.name.clone())?;
                self.remarks.of(&input.name).losses.extend(losses);
                self.one(&bytes, disk)?
            }
            CharacterTarget::Json(dialect) => self.json(dialect, messages, disk)?,
            CharacterTarget::DragonBones => self.dragonbones(messages, disk)?,
        };
        // Said last, so that an error is the first line.
        replaced.iter().for_each(|text| messages.warning(text));
        self.remarks.say(messages);
        if !self.json {
            return Ok(());
        }
        let mut report = WrittenReport::new(&input.name, self.format);
        report.outputs = outputs;
        self.remarks.report(&input.name, &mut report);
        output::write_json(&report)
    }

    fn one(&self, bytes: &[u8], disk: &Disk) -> Result<Done, Failure> {
        if self.output == Path::new("-") {
            output::write_stdout(bytes)?;
            return Ok(Done::default());
        }
        let mut outputs = OutputFiles::new(disk, [self.output])?;
        outputs.add(self.output, |file| file.write_all(bytes))?;
        outputs.finish()
    }

    fn json(
        &mut self,
        dialect: Dialect,
        messages: &Messages,
        disk: &Disk,
    ) -> Result<Done, Failure> {
        let (input, output) = (self.input, self.output);
        let names = images::image_files(input, self.safe_names, output)?;
        let text = |out: &mut dyn Write| json::write(&input.document, dialect, &names, out);
        if output == Path::new("-") {
            let mut bytes = Vec::new();
            self.remarks.of(&input.name).losses.extend(text(&mut bytes)?);
            return self.text_alone(&bytes, names.is_empty(), messages);
        }
        let paths: Vec<PathBuf> = names.iter().map(|name| self.beside(name)).collect();
        let all = paths.iter().map(PathBuf::as_path).chain([output]);
        let mut outputs = OutputFiles::new(disk, all)?;
        for (image, path) in input.document.images().zip(&paths) {
            let data = json::image_file(&image).map_err(anyhow::Error::from)?;
            outputs.add_beside(path, &data)?;
        }
        self.remarks.of(&input.name).losses.extend(outputs.add(output, text)?);
        outputs.finish()
    }

    fn dragonbones(&mut self, messages: &Messages, disk: &Disk) -> Result<Done, Failure> {
        let (input, output) = (self.input, self.output);
        let file =
            input::stem(if input::is_stdin(output) { Path::new(&input.name) } else { output });
        let parts = file.split_at_checked(file.len().saturating_sub("_ske".len()));
        let parts =
            parts.filter(|(name, end)| !name.is_empty() && end.eq_ignore_ascii_case("_ske"));
        let name = parts.map_or(file.as_str(), |(name, _)| name);
        let written = dragonbones::write(&input.document, name);
        let DragonBonesFiles { skeleton, beside, losses } =
            written.with_context(|| input.name.clone())?;
        self.remarks.of(&input.name).losses.extend(losses);
        if output == Path::new("-") {
            return self.text_alone(&skeleton, beside.is_empty(), messages);
        }
        let paths: Vec<PathBuf> = beside.iter().map(|(name, _)| self.beside(name)).collect();
        let all = paths.iter().map(PathBuf::as_path).chain([output]);
        let mut outputs = OutputFiles::new(disk, all)?;
        for ((_, data), path) in beside.iter().zip(&paths) {
            outputs.add_beside(path, data)?;
        }
        outputs.add(output, |file| file.write_all(&skeleton))?;
        outputs.finish()
    }

    /// Writes a text to stdout, which has no place for its images.
    fn text_alone(&self, text: &[u8], alone: bool, messages: &Messages) -> Result<Done, Failure> {
        output::write_stdout(text)?;
        if !alone {
            messages.note(&format!(
                "{}: images cannot go to standard output; write to a file with -o",
                self.input.name
            ));
        }
        Ok(Done::default())
    }

    fn beside(&self, name: &str) -> PathBuf {
        match file_name::is_null(self.output) {
            true => self.output.to_owned(), // as the text, which they would lie beside
            false => self.output.with_file_name(name),
        }
    }
}

/// Files that were written, and warnings about existing ones with other content that they replaced.
pub(super) type Done = (Vec<OutputReport>, Vec<String>);

/// Files that are written together: all are complete before the first takes its name.
pub(super) struct OutputFiles<'d> {
    disk: &'d Disk,
    complete: Vec<Complete>,
    done: Done,
}

impl<'d> OutputFiles<'d> {
    /// Checks the paths, and makes their folders.
    pub(super) fn new<'p>(
        disk: &'d Disk,
        paths: impl IntoIterator<Item = &'p Path, IntoIter: Clone>,
    ) -> Result<Self, Failure> {
        let paths = paths.into_iter();
        disk.check(paths.clone())?;
        output::make_folders(paths)?;
        Ok(Self { disk, complete: Vec::new(), done: Done::default() })
    }

    pub(super) fn add<T>(
        &mut self,
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> Result<T, Failure> {
        let mut file = Counted::new(self.disk.create(path)?);
        let written = write(&mut file)?;
        self.done.0.push(OutputReport::new(path, file.len));
        self.complete.push(file.file.complete()?);
        Ok(written)
    }

    /// Writes a file that the last one names. A different file may already exist there and belong to something else.
    pub(super) fn add_beside(&mut self, path: &Path, data: &[u8]) -> Result<(), Failure> {
        let is_another = std::fs::metadata(path).is_ok_and(|there| {
            let same = || Reading::of(path, Kind::Picture).run().map(|it| it == data);
            there.is_file() && (there.len() != data.len() as u64 || !same().unwrap_or(true))
        });
        if is_another {
            let there = path.display();
            let text = format!("{there} had other content and was replaced");
            self.done.1.push(text);
        }
        self.add(path, |file| file.write_all(data))
    }

    /// Gives the files their names.
    pub(super) fn finish(self) -> Result<Done, Failure> {
        for file in self.complete {
            file.take_place()?;
        }
        Ok(self.done)
    }
}

/// A writer that counts the bytes.
pub(super) struct Counted<W> {
    file: W,
    pub(super) len: usize,
}

impl<W> Counted<W> {
    pub(super) fn new(file: W) -> Self {
        Self { file, len: 0 }
    }
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.len = self.len.saturating_add(written);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
