//! What a document becomes on disk: one file, or a JSON file and its images.
//!
//! All of them are complete before the first takes its name; the JSON file, which names the others, takes its last.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Serialize;

use super::{images, names};
use crate::cli::messages::Messages;
use crate::cli::output::{self, Whole};
use crate::cli::{Failure, input};
use crate::document::Document;
use crate::format::json::{self, Dialect};
use crate::format::{Losses, legacy};

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

/// What is written.
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
            "--json and -o - both write to stdout".into(),
        ));
    }
    Ok(())
}

/// A document that is being written, and what came of it.
#[derive(Debug)]
pub(super) struct Written<'a> {
    document: &'a Document,
    path: &'a Path,
    file: String,
    safe_names: bool,
    outputs: Vec<OutputReport>,
    losses: Losses,
}

impl<'a> Written<'a> {
    /// `path` is what the document was read from.
    pub(super) fn of(document: &'a Document, path: &'a Path) -> Self {
        Self {
            document,
            path,
            file: input::name(path),
            safe_names: false,
            outputs: Vec::new(),
            losses: Losses::default(),
        }
    }

    /// Whether images get other names instead of being refused.
    pub(super) fn safe_names(self, safe_names: bool) -> Self {
        Self { safe_names, ..self }
    }

    /// Writes it to `output`, or to stdout for `-`, and says what was not carried over.
    pub(super) fn write(
        mut self,
        target: Target,
        output: &Path,
        messages: &Messages,
    ) -> Result<Self, Failure> {
        match target {
            Target::Pchr => self.one(output, self.document.bytes())?,
            Target::Legacy => {
                let (bytes, losses) = legacy::write(self.document).map_err(anyhow::Error::from)?;
                self.losses = losses;
                self.one(output, &bytes)?;
            }
            Target::Json(dialect) => self.json(dialect, output, messages)?,
        }
        // Said last, so that an error is the first line.
        messages.warnings(&self.file, self.document.warnings());
        images::check(self.document, &self.file, messages);
        for loss in &self.losses {
            let first = if loss.count == 1 { "" } else { "first " };
            messages.warning(&format!(
                "{}: not carried over: {} {} ({first}{})",
                self.file, loss.count, loss.what, loss.first
            ));
        }
        Ok(self)
    }

    fn one(&mut self, output: &Path, bytes: &[u8]) -> Result<(), Failure> {
        if output == Path::new("-") {
            output::write_stdout(bytes)?;
            return Ok(());
        }
        output::make_folders([&output.to_owned()].into_iter())?;
        output::write_whole(output, bytes)?;
        self.outputs.push(OutputReport::new(output, bytes.len()));
        Ok(())
    }

    fn json(
        &mut self,
        dialect: Dialect,
        output: &Path,
        messages: &Messages,
    ) -> Result<(), Failure> {
        let names = names::image_files(self.document, self.safe_names, self.path)?;
        if output == Path::new("-") {
            let mut text = Vec::new();
            self.losses = json::write(self.document, dialect, &names, &mut text)?;
            output::write_stdout(&text)?;
            if !names.is_empty() {
                messages.note(&format!("{}: images are not written to stdout", self.file));
            }
            return Ok(());
        }
        output::make_folders([&output.to_owned()].into_iter())?;
        let mut complete = Vec::with_capacity(names.len());
        for (image, name) in self.document.images().zip(&names) {
            let path: PathBuf = output.with_file_name(name);
            let data = json::image_file(&image).map_err(anyhow::Error::from)?;
            let mut file = Whole::create(&path)?;
            file.write_all(&data)?;
            self.outputs.push(OutputReport::new(&path, data.len()));
            complete.push(file);
        }
        let mut file = Counted {
            file: Whole::create(output)?,
            len: 0,
        };
        self.losses = json::write(self.document, dialect, &names, &mut file)?;
        self.outputs.push(OutputReport::new(output, file.len));
        complete.push(file.file);
        for file in complete {
            file.finish()?;
        }
        Ok(())
    }

    /// Says on stdout, as JSON, what was written, if that is asked for.
    pub(super) fn report(self, json: bool) -> Result<(), Failure> {
        if !json {
            return Ok(());
        }
        let loss = |loss: &crate::format::Loss| LossReport {
            what: loss.what.to_owned(),
            count: loss.count,
            first: loss.first.clone(),
        };
        let report = WrittenReport {
            version: env!("PCHR_VERSION").to_owned(),
            file: self.file,
            format: self.document.source().id().to_owned(),
            outputs: self.outputs,
            not_carried_over: self.losses.iter().map(loss).collect(),
            warnings: self
                .document
                .warnings()
                .iter()
                .map(ToString::to_string)
                .collect(),
        };
        let mut text = serde_json::to_vec_pretty(&report).map_err(anyhow::Error::from)?;
        text.push(b'\n');
        Ok(output::write_stdout(&text)?)
    }
}

/// A file that counts its bytes.
struct Counted {
    file: Whole,
    len: usize,
}

impl std::io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.len = self.len.saturating_add(written);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

/// What `pchr pack`, `unpack` and `convert` wrote.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct WrittenReport {
    /// The program's version.
    version: String,
    /// The file that was read.
    file: String,
    /// What it was recognised as: pchr, legacy-packed, pchr-json or pachario-json.
    format: String,
    /// The files that were written; the last names the others.
    outputs: Vec<OutputReport>,
    /// What the written format has no words for.
    not_carried_over: Vec<LossReport>,
    /// What is odd about the file that was read.
    warnings: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct OutputReport {
    /// Where it lies.
    path: String,
    /// Its length in bytes.
    bytes: u64,
}

impl OutputReport {
    fn new(path: &Path, bytes: usize) -> Self {
        Self {
            path: path.display().to_string(),
            bytes: bytes as u64,
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct LossReport {
    /// What it is, in the plural.
    what: String,
    /// How many there are.
    count: u64,
    /// Section and element of the first.
    first: String,
}

/// The schema of what `--json` prints.
pub(in crate::cli) fn schema() -> schemars::Schema {
    schemars::schema_for!(WrittenReport)
}
