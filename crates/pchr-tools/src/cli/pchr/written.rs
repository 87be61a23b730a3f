//! Output files of a document: one file, or a JSON file and its images.
//!
//! All of them are complete before the first takes its name; the JSON file, which names the others, takes its last.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::ValueEnum;

use pchr::finding::Findings;
use pchr::format::json::{self, Dialect};
use pchr::format::{Losses, legacy};

use super::names;
use super::remarks::{Remarks, say_losses};
use super::report::{OutputReport, WrittenReport};
use crate::file_name;
use crate::files::{Kind, Reading};
use crate::run::input::Input;
use crate::run::messages::Messages;
use crate::run::output;
use crate::run::{Disk, Failure};

/// A JSON dialect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum DialectArg {
    /// PCHR JSON, the mirror of the binary
    #[default]
    Pchr,
    /// Pachario JSON
    Pachario,
}

impl From<DialectArg> for Dialect {
    fn from(dialect: DialectArg) -> Self {
        match dialect {
            DialectArg::Pchr => Self::Pchr,
            DialectArg::Pachario => Self::Pachario,
        }
    }
}

/// The output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// PCHR v1.
    Pchr,
    /// A legacy packed file.
    Legacy,
    /// JSON, with images beside it.
    Json(Dialect),
}

/// `--json` and `-o -` cannot both have stdout.
pub(super) fn check_stdout(output: &Path, json: bool) -> Result<(), Failure> {
    if json && output == Path::new("-") {
        return Err(Failure::Usage(
            "--json and -o - both write to standard output".into(),
        ));
    }
    Ok(())
}

/// A document that is being written, and the results.
#[derive(Debug)]
pub(super) struct Written<'a> {
    input: &'a Input,
    /// Stable name of the format that was read.
    format: &'static str,
    /// Warnings about it.
    odd: Findings,
    /// Remarks about other inputs.
    remarks: Remarks,
    safe_names: bool,
    /// Existing files with other content that were replaced; perhaps they belonged to something else.
    replaced: Vec<PathBuf>,
    outputs: Vec<OutputReport>,
    losses: Losses,
}

impl<'a> Written<'a> {
    /// `of_images` has warnings besides the document's own.
    pub(super) fn of(input: &'a Input, of_images: Findings) -> Self {
        let mut odd = input.document.warnings().clone();
        odd.extend(of_images);
        Self {
            input,
            format: input.document.source().id(),
            odd,
            remarks: Remarks::default(),
            safe_names: false,
            replaced: Vec::new(),
            outputs: Vec::new(),
            losses: Losses::default(),
        }
    }

    /// Another format than the document's, from which it was made, and what that did not carry over.
    pub(super) fn made_of(self, format: &'static str, losses: Losses) -> Self {
        Self {
            format,
            losses,
            ..self
        }
    }

    /// Adds remarks about other inputs that it was made from.
    pub(super) fn with(self, remarks: Remarks) -> Self {
        Self { remarks, ..self }
    }

    /// Sets whether images are renamed instead of being refused.
    pub(super) fn safe_names(self, safe_names: bool) -> Self {
        Self { safe_names, ..self }
    }

    /// Writes it to `output`, or to stdout for `-`, and lists content that was not carried over.
    pub(super) fn write(
        mut self,
        target: Target,
        output: &Path,
        messages: &Messages,
        disk: &Disk,
    ) -> Result<Self, Failure> {
        match target {
            Target::Pchr => self.one(output, self.input.document.bytes(), disk)?,
            Target::Legacy => {
                let (bytes, losses) =
                    legacy::write(&self.input.document).with_context(|| self.input.name.clone())?;
                self.losses.extend(losses);
                self.one(output, &bytes, disk)?;
            }
            Target::Json(dialect) => self.json(dialect, output, messages, disk)?,
        }
        // Said last, so that an error is the first line.
        for path in &self.replaced {
            let there = path.display();
            messages.warning(&format!("{there} had other content and was replaced"));
        }
        messages.oddities(&self.input.name, &self.odd);
        say_losses(&self.input.name, &self.losses, messages);
        self.remarks.say(messages);
        Ok(self)
    }

    fn one(&mut self, output: &Path, bytes: &[u8], disk: &Disk) -> Result<(), Failure> {
        if output == Path::new("-") {
            output::write_stdout(bytes)?;
            return Ok(());
        }
        disk.check([output])?;
        output::make_folders([output])?;
        disk.write(output, bytes)?;
        self.outputs.push(OutputReport::new(output, bytes.len()));
        Ok(())
    }

    fn json(
        &mut self,
        dialect: Dialect,
        output: &Path,
        messages: &Messages,
        disk: &Disk,
    ) -> Result<(), Failure> {
        let names = names::image_files(self.input, self.safe_names, output)?;
        if output == Path::new("-") {
            let mut text = Vec::new();
            let losses = json::write(&self.input.document, dialect, &names, &mut text)?;
            self.losses.extend(losses);
            output::write_stdout(&text)?;
            if !names.is_empty() {
                messages.note(&format!(
                    "{}: images cannot go to standard output; write to a file with -o",
                    self.input.name
                ));
            }
            return Ok(());
        }
        let place = |name: &String| match file_name::is_null(output) {
            true => output.to_owned(), // as the text, which they would lie beside
            false => output.with_file_name(name),
        };
        let paths: Vec<PathBuf> = names.iter().map(place).collect();
        disk.check(paths.iter().map(PathBuf::as_path).chain([output]))?;
        output::make_folders([output])?;
        let mut complete = Vec::with_capacity(names.len());
        for (image, path) in self.input.document.images().zip(paths) {
            let data = json::image_file(&image).map_err(anyhow::Error::from)?;
            if is_another(&path, &data) {
                self.replaced.push(path.clone());
            }
            let mut file = disk.create(&path)?;
            file.write_all(&data)?;
            self.outputs.push(OutputReport::new(&path, data.len()));
            complete.push(file.complete()?);
        }
        let mut file = Counted::new(disk.create(output)?);
        let losses = json::write(&self.input.document, dialect, &names, &mut file)?;
        self.losses.extend(losses);
        self.outputs.push(OutputReport::new(output, file.len));
        complete.push(file.file.complete()?);
        for file in complete {
            file.take_place()?;
        }
        Ok(())
    }

    /// Prints a JSON report of the output, if requested.
    pub(super) fn report(self, json: bool) -> Result<(), Failure> {
        if !json {
            return Ok(());
        }
        let mut report = WrittenReport::new(&self.input.name, self.format);
        report.outputs = self.outputs;
        report.not_carried_over = self.losses.iter().map(Into::into).collect();
        report.warnings = self.odd.iter().map(ToString::to_string).collect();
        self.remarks.report(&self.input.name, &mut report);
        output::write_json(&report)
    }
}

/// Returns true if a different file already exists there: it may belong to something else.
pub(super) fn is_another(path: &Path, data: &[u8]) -> bool {
    let Ok(there) = std::fs::metadata(path) else {
        return false;
    };
    there.is_file()
        && (there.len() != data.len() as u64
            || (Reading::of(path, Kind::Picture).run()).is_ok_and(|there| there != data))
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

impl<W: std::io::Write> std::io::Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.len = self.len.saturating_add(written);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}
