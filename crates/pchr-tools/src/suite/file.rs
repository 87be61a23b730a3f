//! The suite: a TOML file, as written.
//!
//! ```toml
//! [defaults]                  # any option of captures, by its long name
//! resolution = "256x256"
//!
//! [[case]]
//! name = "walk"
//! file = "hero.pchr"          # or a glob, which makes a case of each file
//! animation = "walk"
//! frame = "0..24:6"
//! ignore = ["0,240,64x16"]    # parts that are not compared: X,Y,WxH; or mask = "mask.png"
//!
//! [[case]]
//! session = "hero.pchr-view.toml"     # a view that was saved in the window; other keys override it
//!
//! [adapter."llvmpipe"]        # for baselines that another class of adapter made
//! tolerance = 4
//! max_outliers = "0.5%"
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use pchr::compare::{MaxOutliers, Tolerance};

use super::ignore::Ignore;
use super::options::{self, Options};
use super::problems::Problems;
use crate::files::{Kind, ReadError, Reading};
use crate::run::{Disk, Failure, input};

/// A parsed suite, not yet checked against the files.
#[derive(Debug)]
pub(super) struct Suite {
    /// Path as given.
    pub(super) path: PathBuf,
    /// Folder of the suite. Its paths are relative to it.
    pub(super) folder: PathBuf,
    /// The files of the run.
    pub(super) disk: Disk,
    pub(super) defaults: Defaults,
    pub(super) entries: Vec<Entry>,
    /// Tolerances for pictures of certain adapters against baselines of others, by a part of the adapter's name.
    pub(super) adapters: Vec<(String, Limits)>,
    /// Errors in the text.
    pub(super) problems: Problems,
}

/// Defaults of all cases.
#[derive(Debug, Default)]
pub(super) struct Defaults {
    pub(super) options: Options,
    pub(super) limits: Limits,
    /// Folder of the baselines, relative to the suite's.
    pub(super) baselines: Option<String>,
    pub(super) ignore: Ignore,
    /// True if something in it is invalid.
    pub(super) mistaken: bool,
}

/// Tolerance of a picture against its baseline. The renderer determines missing values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Limits {
    pub(super) tolerance: Option<u8>,
    pub(super) max_outliers: Option<MaxOutliers>,
    /// True if the other limits are ignored and pictures must be equal; `None` means true for pictures of the CPU renderer.
    pub(super) exact: Option<bool>,
}

impl Limits {
    /// Returns these limits, with missing ones from `others`.
    pub(super) fn or(self, others: Self) -> Self {
        Self {
            tolerance: self.tolerance.or(others.tolerance),
            max_outliers: self.max_outliers.or(others.max_outliers),
            exact: self.exact.or(others.exact),
        }
    }

    /// Returns true if they accept every picture of this many pixels.
    pub(super) fn accept_all(&self, pixels: u64) -> bool {
        let given = Tolerance {
            channel: self.tolerance.unwrap_or_default(),
            max_outliers: self.max_outliers.unwrap_or_default(),
        };
        given.accepts_all(pixels)
    }

    /// Returns true if any tolerance is given.
    pub(super) fn tolerates(&self) -> bool {
        self.tolerance.is_some() || self.max_outliers.is_some()
    }
}

/// A `[[case]]`, which may become several cases.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Line in which it begins.
    pub(super) line: usize,
    pub(super) name: Option<Text>,
    /// The file, or a pattern; empty if the session says it.
    pub(super) file: Text,
    /// Saved view that it shows, unless its own keys override that.
    pub(super) session: Option<Text>,
    pub(super) options: Options,
    pub(super) limits: Limits,
    pub(super) ignore: Ignore,
    /// True if something in it is invalid.
    pub(super) mistaken: bool,
}

/// A text of the suite.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) line: usize,
}

impl Suite {
    /// Reads a suite.
    ///
    /// # Errors
    /// [`Failure::Running`] if it cannot be read; [`Failure::Suite`] if it is not text.
    pub(super) fn read(disk: &Disk, path: &Path) -> Result<Self, Failure> {
        let text = input::read_text(disk, path)?;
        Ok(Self::parse(disk, path, &text))
    }

    /// Returns its file name.
    pub(super) fn name(&self) -> String {
        name(&self.path)
    }

    /// Returns the folder of its baselines.
    pub(super) fn baselines(&self) -> PathBuf {
        self.folder.join(self.baselines_shown())
    }

    /// Returns the folder of its baselines relative to its own, for reports: the same on every machine.
    pub(super) fn baselines_shown(&self) -> &str {
        let said = self.defaults.baselines.as_deref();
        said.unwrap_or(super::baseline::FOLDER)
    }

    /// Returns true if all baselines in the folder are its own. Suites may share a folder: one that they name, or that of suites beside each
    /// other.
    pub(super) fn owns_baselines(&self) -> bool {
        self.defaults.baselines.is_none() && !self.has_suite_beside()
    }

    /// Returns true if another suite lies in the folder, or if the folder cannot be searched.
    fn has_suite_beside(&self) -> bool {
        let is_other = |path: &Path| {
            let is_toml = path
                .extension()
                .is_some_and(|it| it.eq_ignore_ascii_case("toml"));
            is_toml && path.file_name() != self.path.file_name()
        };
        // A file that cannot be read, like a broken link, may be a suite.
        let is_suite = |path: &Path| match Reading::of(path, Kind::Text).run() {
            Ok(text) => String::from_utf8_lossy(&text)
                .lines()
                .any(|line| line.trim_start().starts_with("[[case]]")),
            Err(ReadError::Directory | ReadError::Irregular | ReadError::Pointer) => false,
            Err(_) => true,
        };
        let folder = match self.folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => &self.folder,
        };
        let Ok(mut entries) = std::fs::read_dir(folder) else {
            return true;
        };
        entries.any(|entry| {
            entry.map_or(true, |entry| {
                is_other(&entry.path()) && is_suite(&entry.path())
            })
        })
    }

    /// Returns a message about a line, counted from 1. Reports are the same on every machine, so only the file name is included.
    pub(super) fn place(&self, line: usize, text: &str) -> String {
        format!("{}:{line}: {text}", self.name())
    }

    /// Parses a text as the suite at `path`.
    pub(super) fn parse(disk: &Disk, path: &Path, text: &str) -> Self {
        let mut parser = Parser {
            breaks: text.match_indices('\n').map(|(at, _)| at).collect(),
            problems: Problems::new(path),
        };
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let mut suite = Self {
            path: path.to_owned(),
            folder,
            disk: disk.clone(),
            defaults: Defaults::default(),
            entries: Vec::new(),
            adapters: Vec::new(),
            problems: Problems::new(path),
        };
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            let line = parser.line(error.span().map_or(0, |span| span.start));
            parser.problems.add(line, error.message());
        }
        if errors.is_empty() {
            parser.suite(table.get_ref(), &mut suite);
        }
        suite.problems = parser.problems;
        suite
    }
}

/// Returns the name of a suite's file, without its folder.
pub(super) fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

struct Parser {
    /// Offsets of the line ends.
    breaks: Vec<usize>,
    problems: Problems,
}

type Pair<'a> = (
    &'a Spanned<std::borrow::Cow<'a, str>>,
    &'a Spanned<DeValue<'a>>,
);

impl Parser {
    fn line(&self, at: usize) -> usize {
        self.breaks
            .partition_point(|end| *end < at)
            .saturating_add(1)
    }

    fn suite(&mut self, table: &DeTable<'_>, suite: &mut Suite) {
        for (key, value) in in_order(table) {
            let line = self.line(key.span().start);
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("defaults", DeValue::Table(table)) => self.defaults(table, &mut suite.defaults),
                ("case", DeValue::Array(cases)) => {
                    for case in cases.iter() {
                        let line = self.line(case.span().start);
                        match case.get_ref() {
                            DeValue::Table(table) => suite.entries.extend(self.case(table, line)),
                            _ => self.problems.add(line, "expected a case as a table: [[case]]"),
                        }
                    }
                }
                ("adapter", DeValue::Table(adapters)) => {
                    for (name, value) in in_order(adapters) {
                        let limits = self.adapter(name.get_ref(), value);
                        suite.adapters.push((name.get_ref().to_string(), limits));
                    }
                }
                ("defaults", _) => self.problems.add(line, "defaults: expected a table: [defaults]"),
                ("case", _) => self.problems.add(line, "case: expected a list of tables: [[case]]"),
                ("adapter", _) => {
                    self.problems.add(line, "adapter: expected tables: [adapter.\"NAME\"]");
                }
                (unknown, _) => self.problems.add(
                    line,
                    format!("unknown key {unknown:?}: expected [defaults], [[case]] or [adapter.\"NAME\"]"),
                ),
            }
        }
        if suite.entries.is_empty() && self.problems.count() == 0 {
            self.problems.add(0, "the suite has no [[case]]");
        }
        // The longest part of a name says the most.
        suite
            .adapters
            .sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    }

    fn defaults(&mut self, table: &DeTable<'_>, defaults: &mut Defaults) {
        let before = self.problems.count();
        let mut keys = Keys::default();
        for (key, value) in in_order(table) {
            let line = self.line(key.span().start);
            let Some(key) = keys.note(key.get_ref(), line, &mut self.problems) else {
                continue;
            };
            match key.as_str() {
                "name" | "file" | "session" => {
                    self.problems
                        .add(line, format!("{key} belongs in a [[case]]"));
                }
                "baselines" => match value.get_ref() {
                    DeValue::String(text) if is_relative(text) => {
                        let text = text.replace('\\', "/");
                        defaults.baselines = Some(text.trim_end_matches('/').to_owned());
                    }
                    _ => self.problems.add(
                        line,
                        "baselines: expected a folder, relative to the suite, like baselines = \"../baselines\"",
                    ),
                },
                _ => {
                    let Defaults {
                        options,
                        limits,
                        ignore,
                        ..
                    } = defaults;
                    self.common(&key, value, line, (options, limits, ignore));
                }
            }
        }
        self.moments(&keys);
        defaults.mistaken = self.problems.count() > before;
    }

    fn case(&mut self, table: &DeTable<'_>, line: usize) -> Option<Entry> {
        let mut entry = Entry {
            line,
            name: None,
            file: Text {
                text: String::new(),
                line,
            },
            session: None,
            options: Options::default(),
            limits: Limits::default(),
            ignore: Ignore::default(),
            mistaken: false,
        };
        let before = self.problems.count();
        let mut file = None;
        let mut keys = Keys::default();
        for (key, value) in in_order(table) {
            let line = self.line(key.span().start);
            let Some(key) = keys.note(key.get_ref(), line, &mut self.problems) else {
                continue;
            };
            match (key.as_str(), value.get_ref()) {
                ("name", DeValue::String(text)) => {
                    entry.name = Some(Text {
                        text: text.to_string(),
                        line,
                    });
                }
                ("file", DeValue::String(text)) => {
                    file = Some(Text {
                        text: text.to_string(),
                        line,
                    })
                }
                ("session", DeValue::String(text)) => {
                    entry.session = Some(Text {
                        text: text.to_string(),
                        line,
                    });
                }
                ("name" | "file" | "session", _) => {
                    self.problems.add(line, format!("{key}: expected a string"));
                }
                ("baselines", _) => self.problems.add(
                    line,
                    "baselines belongs in [defaults]: one folder holds those of the whole suite",
                ),
                ("backend" | "adapter", _) => self.problems.add(
                    line,
                    format!("{key} belongs in [defaults]: the whole suite uses one device"),
                ),
                _ => {
                    let Entry {
                        options,
                        limits,
                        ignore,
                        ..
                    } = &mut entry;
                    self.common(&key, value, line, (options, limits, ignore));
                }
            }
        }
        self.moments(&keys);
        match file {
            Some(file) => entry.file = file,
            None if entry.session.is_some() => {}
            None => {
                if !keys.0.contains_key("file") && !keys.0.contains_key("session") {
                    self.problems.add(
                        line,
                        "the case has no file: expected file = \"hero.pchr\", or a pattern",
                    );
                }
                return None;
            }
        }
        entry.mistaken = self.problems.count() > before;
        Some(entry)
    }

    fn adapter(&mut self, name: &str, value: &Spanned<DeValue<'_>>) -> Limits {
        let mut limits = Limits::default();
        let DeValue::Table(table) = value.get_ref() else {
            let line = self.line(value.span().start);
            self.problems.add(
                line,
                format!("adapter.{name:?}: expected a table: [adapter.{name:?}]"),
            );
            return limits;
        };
        let mut keys = Keys::default();
        for (key, value) in in_order(table) {
            let line = self.line(key.span().start);
            let Some(key) = keys.note(key.get_ref(), line, &mut self.problems) else {
                continue;
            };
            match self.limit(&key, value, line, &mut limits) {
                true => {}
                false => self.problems.add(
                    line,
                    format!("unknown key {key:?}: expected tolerance or max_outliers"),
                ),
            }
        }
        limits
    }

    /// Parses a key that cases and their defaults share.
    fn common(
        &mut self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        line: usize,
        (options, limits, ignore): (&mut Options, &mut Limits, &mut Ignore),
    ) {
        if self.limit(key, value, line, limits) {
            return;
        }
        if key == "exact" {
            match value.get_ref() {
                DeValue::Boolean(exact) => limits.exact = Some(*exact),
                _ => self.problems.add(line, "exact: expected true or false"),
            }
            return;
        }
        if let Some(set) = ignore.set(key, value.get_ref(), line) {
            if let Err(text) = set {
                self.problems.add(line, format!("{key}: {text}"));
            }
            return;
        }
        if let Err(text) = options.set(key, value.get_ref(), line) {
            self.problems.add(line, text);
        }
    }

    /// Parses a limit. Returns false for any other key.
    fn limit(
        &mut self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        line: usize,
        limits: &mut Limits,
    ) -> bool {
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.to_string(),
            _ => String::new(),
        };
        match key {
            "tolerance" => match text.parse() {
                Ok(tolerance) => limits.tolerance = Some(tolerance),
                Err(_) => self
                    .problems
                    .add(line, "tolerance: expected a whole number from 0 to 255"),
            },
            "max-outliers" => match text.parse() {
                Ok(most) => limits.max_outliers = Some(most),
                Err(error) => self.problems.add(line, format!("max_outliers: {error}")),
            },
            _ => return false,
        }
        true
    }

    /// Reports an error for each pair of options that exclude each other, like a frame and a time.
    fn moments(&mut self, keys: &Keys) {
        let line = |name: &str| keys.0.get(name).copied();
        for [a, b] in options::either() {
            if let (Some(of_a), Some(of_b)) = (line(a), line(b)) {
                let (first, second) = (of_a.min(of_b), of_a.max(of_b));
                let text = format!("{a} and {b} cannot be combined (the other is on line {first})");
                self.problems.add(second, text);
            }
        }
    }
}

/// Returns true if a text is a path relative to the suite's folder, on every system.
fn is_relative(text: &str) -> bool {
    !text.is_empty() && !text.starts_with(['/', '\\']) && !text.contains(':')
}

/// Keys seen in a table, spelled with `-`, and their lines.
#[derive(Default)]
struct Keys(BTreeMap<String, usize>);

impl Keys {
    /// Returns the key in its standard spelling: `_` and `-` are the same. Returns `None` if it is a duplicate, or if nothing more
    /// is parsed.
    fn note(&mut self, key: &str, line: usize, problems: &mut Problems) -> Option<String> {
        let key = key.replace('_', "-");
        if let Some(first) = self.0.get(&key) {
            problems.add(line, format!("{key} is already given on line {first}"));
            return None;
        }
        self.0.insert(key.clone(), line);
        (!problems.is_full()).then_some(key)
    }
}

/// Returns the keys of a table with their values, in file order.
fn in_order<'a>(table: &'a DeTable<'a>) -> Vec<Pair<'a>> {
    let mut pairs: Vec<Pair<'a>> = table.iter().collect();
    pairs.sort_by_key(|(key, _)| key.span().start);
    pairs
}
