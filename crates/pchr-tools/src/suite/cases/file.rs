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

use super::options::{self, Ignore, Options};
use crate::file_name;
use crate::files::{Kind, ReadError, Reading};
use crate::run::{Disk, Failure, input};

/// Default folder of all baselines, relative to the suite's.
pub(crate) const BASELINES: &str = "baselines";

/// A parsed suite, not yet checked against the files.
#[derive(Debug)]
pub(crate) struct Suite {
    /// Path as given.
    pub(crate) path: PathBuf,
    /// Folder of the suite. Its paths are relative to it.
    pub(crate) folder: PathBuf,
    /// The files of the run.
    pub(crate) disk: Disk,
    pub(crate) defaults: Common,
    /// Folder of the baselines, relative to the suite's.
    named_baselines: Option<String>,
    pub(crate) entries: Vec<CaseEntry>,
    /// Tolerances for pictures of certain adapters against baselines of others, by a part of the adapter's name.
    pub(crate) adapters: Vec<(String, CompareLimits)>,
    /// Errors in the text.
    pub(crate) problems: Problems,
}

/// Keys that cases and their defaults share.
#[derive(Clone, Debug, Default)]
pub(crate) struct Common {
    pub(crate) options: Options,
    pub(crate) limits: CompareLimits,
    pub(crate) ignore: Ignore,
    /// True if something in the table is invalid.
    pub(crate) mistaken: bool,
}

/// Tolerance of a picture against its baseline. The renderer determines missing values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct CompareLimits {
    pub(crate) tolerance: Option<u8>,
    pub(crate) max_outliers: Option<MaxOutliers>,
    /// True if the other limits are ignored and pictures must be equal; `None` means true for pictures of the CPU renderer.
    pub(crate) exact: Option<bool>,
}

impl CompareLimits {
    /// Returns these limits, with missing ones from `others`.
    pub(crate) fn or(self, others: Self) -> Self {
        Self {
            tolerance: self.tolerance.or(others.tolerance),
            max_outliers: self.max_outliers.or(others.max_outliers),
            exact: self.exact.or(others.exact),
        }
    }

    /// Returns true if they accept every picture of this many pixels.
    pub(crate) fn accept_all(&self, pixels: u64) -> bool {
        let given = Tolerance {
            channel: self.tolerance.unwrap_or_default(),
            max_outliers: self.max_outliers.unwrap_or_default(),
        };
        given.accepts_all(pixels)
    }

    /// Returns true if any tolerance is given.
    pub(crate) fn tolerates(&self) -> bool {
        self.tolerance.is_some() || self.max_outliers.is_some()
    }
}

/// A `[[case]]`, which may become several cases.
#[derive(Clone, Debug)]
pub(crate) struct CaseEntry {
    /// Line in which it begins.
    pub(crate) line: usize,
    pub(crate) name: Option<SuiteText>,
    /// The file, or a pattern; empty if the session says it.
    pub(crate) file: SuiteText,
    /// Saved view that it shows, unless its own keys override that.
    pub(crate) session: Option<SuiteText>,
    pub(crate) common: Common,
}

#[derive(Clone, Debug)]
pub(crate) struct SuiteText {
    pub(crate) text: String,
    pub(crate) line: usize,
}

impl Suite {
    /// Reads a suite.
    ///
    /// # Errors
    /// [`Failure::Running`] if it cannot be read; [`Failure::Suite`] if it is not text.
    pub(crate) fn read(disk: &Disk, path: &Path) -> Result<Self, Failure> {
        let text = input::read_text(disk, path)?;
        Ok(Self::parse(disk, path, &text))
    }

    pub(crate) fn name(&self) -> String {
        name(&self.path)
    }

    pub(crate) fn baselines(&self) -> PathBuf {
        self.folder.join(self.baselines_shown())
    }

    /// Returns the folder of its baselines relative to its own, for reports: the same on every machine.
    pub(crate) fn baselines_shown(&self) -> &str {
        self.named_baselines.as_deref().unwrap_or(BASELINES)
    }

    /// Returns true if all baselines in the folder are its own. Suites may share a folder: one that they name, or that of suites beside each
    /// other, which a folder that cannot be searched may have.
    pub(crate) fn owns_baselines(&self) -> bool {
        if self.named_baselines.is_some() {
            return false;
        }
        let is_other = |path: &Path| {
            let is_toml = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("toml"));
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
        let Ok(mut entries) = std::fs::read_dir(file_name::or_here(&self.folder)) else {
            return false;
        };
        entries.all(|entry| {
            entry.is_ok_and(|entry| !is_other(&entry.path()) || !is_suite(&entry.path()))
        })
    }

    /// Returns a message about a line, counted from 1. Reports are the same on every machine, so only the file name is included.
    pub(crate) fn place(&self, line: usize, text: &str) -> String {
        format!("{}:{line}: {text}", self.name())
    }

    /// Parses a text as the suite at `path`.
    pub(crate) fn parse(disk: &Disk, path: &Path, text: &str) -> Self {
        let mut parser = Parser {
            breaks: text.match_indices('\n').map(|(at, _)| at).collect(),
            problems: Problems::new(path),
        };
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let mut suite = Self {
            path: path.to_owned(),
            folder,
            disk: disk.clone(),
            defaults: Common::default(),
            named_baselines: None,
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
pub(crate) fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

struct Parser {
    /// Offsets of the line ends.
    breaks: Vec<usize>,
    problems: Problems,
}

/// Lines of the keys of a table.
type KeyLines = BTreeMap<String, usize>;

impl Parser {
    fn line(&self, at: usize) -> usize {
        self.breaks.partition_point(|end| *end < at).saturating_add(1)
    }

    fn suite(&mut self, table: &DeTable<'_>, suite: &mut Suite) {
        for (key, value) in in_order(table) {
            let line = self.line(key.span().start);
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("defaults", DeValue::Table(table)) => self.defaults(table, suite),
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
        suite.adapters.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    }

    fn defaults(&mut self, table: &DeTable<'_>, suite: &mut Suite) {
        let Suite { defaults, named_baselines, .. } = suite;
        self.table(table, defaults, |problems, key, value, line| {
            match (key, value) {
                ("name" | "file" | "session", _) => {
                    problems.add(line, format!("{key} belongs in a [[case]]"));
                }
                ("baselines", DeValue::String(text)) if is_relative(text) => {
                    let text = text.replace('\\', "/");
                    *named_baselines = Some(text.trim_end_matches('/').to_owned());
                }
                ("baselines", _) => problems.add(
                    line,
                    "baselines: expected a folder, relative to the suite, like baselines = \"../baselines\"",
                ),
                _ => return false,
            }
            true
        });
    }

    fn case(&mut self, table: &DeTable<'_>, line: usize) -> Option<CaseEntry> {
        let (mut name, mut file, mut session) = (None, None, None);
        let mut common = Common::default();
        let keys = self.table(table, &mut common, |problems, key, value, line| {
            let text = match key {
                "name" => &mut name,
                "file" => &mut file,
                "session" => &mut session,
                _ => {
                    let why = match key {
                        "baselines" => "one folder holds those of the whole suite",
                        _ if options::OF_DEVICE.contains(&key) => "the whole suite uses one device",
                        _ => return false,
                    };
                    problems.add(line, format!("{key} belongs in [defaults]: {why}"));
                    return true;
                }
            };
            match value {
                DeValue::String(value) => *text = Some(SuiteText { text: value.to_string(), line }),
                _ => problems.add(line, format!("{key}: expected a string")),
            }
            true
        });
        if file.is_none() && session.is_none() {
            if !keys.contains_key("file") && !keys.contains_key("session") {
                self.problems
                    .add(line, "the case has no file: expected file = \"hero.pchr\", or a pattern");
            }
            return None;
        }
        let of_session = SuiteText { text: String::new(), line };
        Some(CaseEntry { line, name, file: file.unwrap_or(of_session), session, common })
    }

    fn adapter(&mut self, name: &str, value: &Spanned<DeValue<'_>>) -> CompareLimits {
        let mut limits = CompareLimits::default();
        let DeValue::Table(table) = value.get_ref() else {
            let line = self.line(value.span().start);
            let text = format!("adapter.{name:?}: expected a table: [adapter.{name:?}]");
            self.problems.add(line, text);
            return limits;
        };
        self.keys(table, |problems, key, value, line| {
            if !limits.set(key, value, line, problems) {
                let text = format!("unknown key {key:?}: expected tolerance or max_outliers");
                problems.add(line, text);
            }
        });
        limits
    }

    /// Parses a table of a case, or of their defaults. `own` parses the keys that only this table has, and returns false for
    /// others.
    fn table(
        &mut self,
        table: &DeTable<'_>,
        common: &mut Common,
        mut own: impl FnMut(&mut Problems, &str, &DeValue<'_>, usize) -> bool,
    ) -> KeyLines {
        let before = self.problems.count();
        let keys = self.keys(table, |problems, key, value, line| {
            if !own(problems, key, value, line) {
                common.set(key, value, line, problems);
            }
        });
        // Options that exclude each other, like a frame and a time.
        let line = |name: &str| keys.get(name).copied();
        for [a, b] in options::either() {
            if let (Some(of_a), Some(of_b)) = (line(a), line(b)) {
                let (first, second) = (of_a.min(of_b), of_a.max(of_b));
                let text = format!("{a} and {b} cannot be combined (the other is on line {first})");
                self.problems.add(second, text);
            }
        }
        common.mistaken = self.problems.count() > before;
        keys
    }

    /// Calls `set` for each key of a table in file order, in its standard spelling: `_` and `-` are the same. Duplicates are
    /// problems, and nothing is set once the list of these is full.
    fn keys(
        &mut self,
        table: &DeTable<'_>,
        mut set: impl FnMut(&mut Problems, &str, &DeValue<'_>, usize),
    ) -> KeyLines {
        let mut keys = KeyLines::new();
        for (key, value) in in_order(table) {
            let line = self.line(key.span().start);
            let key = key.get_ref().replace('_', "-");
            if let Some(first) = keys.get(&key) {
                let text = format!("{key} is already given on line {first}");
                self.problems.add(line, text);
                continue;
            }
            if !self.problems.is_full() {
                set(&mut self.problems, &key, value.get_ref(), line);
            }
            keys.insert(key, line);
        }
        keys
    }
}

impl Common {
    /// Parses a key that cases and their defaults share.
    fn set(&mut self, key: &str, value: &DeValue<'_>, line: usize, problems: &mut Problems) {
        if self.limits.set(key, value, line, problems) {
            return;
        }
        let set = match (key, value) {
            ("exact", DeValue::Boolean(exact)) => {
                self.limits.exact = Some(*exact);
                Ok(())
            }
            ("exact", _) => Err("exact: expected true or false".to_owned()),
            _ => match self.ignore.set(key, value, line) {
                Some(set) => set.map_err(|text| format!("{key}: {text}")),
                None => self.options.set(key, value, line),
            },
        };
        if let Err(text) = set {
            problems.add(line, text);
        }
    }
}

impl CompareLimits {
    /// Parses a limit. Returns false for any other key.
    fn set(
        &mut self,
        key: &str,
        value: &DeValue<'_>,
        line: usize,
        problems: &mut Problems,
    ) -> bool {
        let text = match value {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.to_string(),
            _ => String::new(),
        };
        match key {
            "tolerance" => match text.parse() {
                Ok(tolerance) => self.tolerance = Some(tolerance),
                Err(_) => problems.add(line, "tolerance: expected a whole number from 0 to 255"),
            },
            "max-outliers" => match text.parse() {
                Ok(most) => self.max_outliers = Some(most),
                Err(error) => problems.add(line, format!("max_outliers: {error}")),
            },
            _ => return false,
        }
        true
    }
}

/// Returns true if a text is a path relative to the suite's folder, on every system.
fn is_relative(text: &str) -> bool {
    !text.is_empty() && !text.starts_with(['/', '\\']) && !text.contains(':')
}

type KeyValue<'a> = (&'a Spanned<std::borrow::Cow<'a, str>>, &'a Spanned<DeValue<'a>>);

/// Returns the keys of a table with their values, in file order.
fn in_order<'a>(table: &'a DeTable<'a>) -> Vec<KeyValue<'a>> {
    let mut pairs: Vec<KeyValue<'a>> = table.iter().collect();
    pairs.sort_by_key(|(key, _)| key.span().start);
    pairs
}

/// Maximum number of problems listed. Parsing stops at the last of them.
const MOST_PROBLEMS: usize = 100;

/// Errors in a suite, each with its place.
#[derive(Clone, Debug)]
pub(crate) struct Problems {
    suite: String,
    list: Vec<(usize, String)>,
}

impl Problems {
    pub(crate) fn new(suite: &Path) -> Self {
        Self { suite: input::name(suite), list: Vec::new() }
    }

    /// Adds an error in a line, counted from 1; 0 is the suite as a whole.
    pub(crate) fn add(&mut self, line: usize, text: impl Into<String>) {
        let problem = (line, text.into());
        // A pattern has the same one for every file.
        if !self.is_full() && self.list.last() != Some(&problem) {
            self.list.push(problem);
        }
    }

    fn is_full(&self) -> bool {
        self.list.len() >= MOST_PROBLEMS
    }

    pub(crate) fn count(&self) -> usize {
        self.list.len()
    }

    /// # Errors
    /// [`Failure::Suite`] if there is anything.
    pub(crate) fn into_result(mut self) -> Result<(), Failure> {
        self.list.sort_by_key(|(line, _)| *line);
        let in_words = |(line, text): &(usize, String)| match line {
            0 => format!("{}: {text}", self.suite),
            line => format!("{}:{line}: {text}", self.suite),
        };
        let mut list: Vec<_> = self.list.iter().map(in_words).collect();
        if list.is_empty() {
            return Ok(());
        }
        if self.is_full() {
            list.push(format!(
                "{}: only the first {MOST_PROBLEMS} problems are listed",
                self.suite
            ));
        }
        Err(Failure::Suite(list))
    }
}
