//! Messages on stderr: one line first, details after it; progress; names of paths; failures with their exit codes; panics, which
//! are bugs of the program; and logs of CI services, whose agents take some of the text in them for commands.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;

use pchr::finding::{Finding, Findings, Invalid, Severity};

use crate::capture::CaptureError;
use crate::file_name;
use crate::text::{is_hidden, slashed, visible};
use crate::view::ViewError;

/// Findings listed after the first without `-v`.
const DETAILS: usize = 9;

/// Writes messages to stderr, with the chosen verbosity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Messages {
    /// True if only errors are printed.
    pub(crate) quiet: bool,
    /// True if more is printed than usual.
    pub(crate) verbose: bool,
}

impl Messages {
    /// Prints a warning: something to know although nothing failed.
    pub(crate) fn warning(&self, text: &str) {
        if !self.quiet {
            say(&format!("warning: {text}"));
        }
    }

    /// Prints a note that explains the result.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            say(&format!("note: {text}"));
        }
    }

    /// Prints a detail that only `-v` shows.
    pub(crate) fn detail(&self, text: &str) {
        if self.verbose && !self.quiet {
            say(text);
        }
    }

    /// Prints the warnings of a file: the first in full, the rest counted or, with `-v`, listed.
    pub(crate) fn warnings(&self, file: &str, findings: &Findings) {
        let warnings = findings.of(Severity::Warning);
        self.list(file, findings.total(Severity::Warning), warnings);
    }

    /// Prints all findings of a file, none of which stops the program.
    pub(crate) fn oddities(&self, file: &str, findings: &Findings) {
        let total =
            findings.total(Severity::Error).saturating_add(findings.total(Severity::Warning));
        self.list(file, total, findings.iter());
    }

    fn list<'a>(&self, file: &str, total: u64, mut findings: impl Iterator<Item = &'a Finding>) {
        let Some(first) = findings.next() else { return };
        match total {
            1 => self.warning(&format!("{file}: {first}")),
            _ if self.verbose => {
                self.warning(&format!("{file}: {first}"));
                findings.for_each(|finding| self.detail(&format!("warning: {file}: {finding}")));
            }
            _ => self
                .warning(&format!("{file}: {first} (and {} more; list them with -v)", total - 1)),
        }
    }

    /// Prints the reason why the program ends, even if quiet.
    pub(crate) fn failure(&self, failure: &Failure) {
        say(&format!("error: {failure}"));
        if let Failure::Suite(problems) | Failure::Session(problems) | Failure::Slower(problems) =
            failure
        {
            for problem in problems.iter().skip(1) {
                say(&format!("  {problem}"));
            }
        }
        if let Failure::Invalid { findings, .. } = failure {
            let more = if self.verbose { usize::MAX } else { DETAILS };
            for finding in findings.of(Severity::Error).skip(1).take(more) {
                say(&format!("  {finding}"));
            }
        }
    }
}

/// Prints one line, with any hidden characters in names escaped. A closed stderr is ignored.
fn say(text: &str) {
    write_stderr(&format!("{}\n", visible(text)));
}

/// Returns a progress bar on a terminal, if there is more than one picture.
pub(crate) fn progress(pictures: usize, messages: &Messages) -> ProgressBar {
    if pictures > 1 && !messages.quiet {
        ProgressBar::new(pictures as u64) // draws to stderr, and only if that is a terminal
    } else {
        ProgressBar::hidden()
    }
}

/// Makes panics end the program. `program` is its name.
pub(crate) fn report_panics(program: &'static str) {
    std::panic::set_hook(Box::new(move |panic| {
        let what = panic.payload_as_str().unwrap_or("unknown cause");
        let place = panic.location();
        let place = place.map_or(String::new(), |at| format!(" at {}:{}", at.file(), at.line()));
        say(&format!(
            "error: internal error{place}: {what}; this is a bug in {program} {}: please report this line, the command and its files",
            crate::version()
        ));
        // Captured only if RUST_BACKTRACE says so.
        let backtrace = Backtrace::capture();
        if backtrace.status() == BacktraceStatus::Captured {
            write_stderr(&format!("{backtrace}\n"));
        }
        std::process::exit(RUNNING.into());
    }));
}

/// Exit code for an error while running.
pub(crate) const RUNNING: u8 = 1;
/// Exit code for an invalid command line, or one that names something missing.
pub(crate) const USAGE: u8 = 2;

/// A failure with its exit code.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Something failed while running: exit code 1.
    #[error("{0:#}")]
    Running(#[from] anyhow::Error),
    /// The command line asks for something that does not exist: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// An output is a file that was read: exit code 2, and nothing was written.
    #[error("{0}")]
    Overwrites(String),
    /// The input file is invalid: exit code 4.
    #[error("{file}: {}", Invalid(.findings.clone()))]
    Invalid {
        /// Name of the file.
        file: String,
        /// Findings about the file.
        findings: Findings,
    },
    /// Files were read, and are not as they should be: exit code 4.
    #[error("{0}")]
    Rejected(String),
    /// Pictures differ by more than is tolerated: exit code 3.
    #[error("{0}")]
    Differ(String),
    /// Stages that are slower than a baseline, a line each: exit code 3.
    #[error("{}", .0.first().map_or("", String::as_str))]
    Slower(Vec<String>),
    /// Mistakes in a suite, each with its line: exit code 2.
    #[error("{}", .0.first().map_or("", String::as_str))]
    Suite(Vec<String>),
    /// Mistakes in a session, each with its line: exit code 4.
    #[error("{}", .0.first().map_or("", String::as_str))]
    Session(Vec<String>),
    /// There is no usable graphics adapter: exit code 5.
    #[error("{0}")]
    NoAdapter(String),
    /// A baseline is missing: exit code 6.
    #[error("{0}")]
    BaselineMissing(String),
}

impl Failure {
    /// Returns the failure with the file name in front, if it is about the options for a file.
    pub(crate) fn in_file(self, file: &str) -> Self {
        match self {
            Self::Usage(text) => Self::Usage(format!("{file}: {text}")),
            other => other,
        }
    }

    /// Returns the exit code. The codes are a contract.
    #[must_use]
    pub fn code(&self) -> u8 {
        match self {
            Self::Running(_) => RUNNING,
            Self::Usage(_) | Self::Suite(_) | Self::Overwrites(_) => USAGE,
            Self::Differ(_) | Self::Slower(_) => 3,
            Self::Invalid { .. } | Self::Rejected(_) | Self::Session(_) => 4,
            Self::NoAdapter(_) => 5,
            Self::BaselineMissing(_) => 6,
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        match error.get_ref() {
            Some(inner) if inner.is::<Overwrites>() => Self::Overwrites(error.to_string()),
            _ => Self::Running(error.into()),
        }
    }
}

impl From<CaptureError> for Failure {
    fn from(error: CaptureError) -> Self {
        Self::Running(error.into())
    }
}

impl From<ViewError> for Failure {
    fn from(error: ViewError) -> Self {
        Self::Usage(error.to_string())
    }
}

/// An output that is an input, too.
#[derive(Debug, thiserror::Error)]
#[error("the output {} would overwrite the input {}; choose another output", name(.output), name(.input))]
pub(crate) struct Overwrites {
    pub(super) output: PathBuf,
    pub(super) input: PathBuf,
}

impl From<Overwrites> for Failure {
    fn from(overwrites: Overwrites) -> Self {
        Self::Overwrites(overwrites.to_string())
    }
}

/// Writes text to stderr without [commands for an agent](AgentLog). A closed stderr is ignored.
pub(crate) fn write_stderr(text: &str) {
    let mut stderr = AgentLog::new(BufWriter::new(io::stderr().lock()));
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

/// Returns the name of a file in messages and reports.
pub(crate) fn name(path: &Path) -> String {
    if is_stdin(path) { "stdin".to_owned() } else { slashed(path) }
}

/// Returns the file name without folder and extension, as an output name that is valid on every system.
pub(crate) fn stem(path: &Path) -> String {
    if is_stdin(path) {
        return "stdin".to_owned();
    }
    file_name::stem(path)
}

/// Returns true for `-`: stdin for inputs, stdout for outputs.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Variables that the agents of these services set: GitHub Actions, Azure Pipelines, TeamCity.
const AGENTS: [&str; 3] = ["GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"];

/// Returns true if an agent reads what the program prints.
pub(crate) fn agent_listens() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    AGENTS.into_iter().any(is_set)
}

/// Writes text without commands for an agent, if one is listening, so that a name in a file cannot command it. Text is written
/// line by line; [`Write::flush`] writes the last one if it has no end.
#[derive(Debug)]
pub(crate) struct AgentLog<W> {
    to: W,
    agent: bool,
    line: Vec<u8>,
}

impl<W: Write> AgentLog<W> {
    pub(crate) fn new(to: W) -> Self {
        Self { to, agent: agent_listens(), line: Vec::new() }
    }

    fn end_line(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        self.to.write_all(harmless(&text).as_bytes())
    }
}

impl<W: Write> Write for AgentLog<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.agent {
            return self.to.write(bytes);
        }
        for part in bytes.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") || part.ends_with(b"\r") {
                self.end_line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.end_line()?;
        self.to.flush()
    }
}

/// The line without commands. GitHub's runner obeys `::name::` at the start of a line and `##[name]` anywhere in it, Azure's agent
/// `##vso[name]`. One character of these is escaped as in JSON, whose strings keep their value by that.
fn harmless(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let (blank, mut rest) = line.split_at(line.len().saturating_sub(shown(line).len()));
    text.push_str(blank);
    if let Some(after) = rest.strip_prefix(':').filter(|rest| rest.starts_with(':')) {
        text.push_str("\\u003a");
        rest = after;
    }
    while let Some(at) = rest.find("##") {
        let (before, after) = rest.split_at(at.saturating_add(1));
        text.push_str(before);
        rest = after;
        if let Some(name) = after.strip_prefix('#')
            && name.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).starts_with('[')
        {
            text.push_str("\\u0023");
            rest = name;
        }
    }
    text.push_str(rest);
    text
}

/// The line from its first visible character.
fn shown(line: &str) -> &str {
    let mut rest = line;
    loop {
        let next = match rest.strip_prefix("\u{1b}[") {
            Some(color) => color
                .trim_start_matches(|c: char| c.is_ascii_digit() || c == ';')
                .trim_start_matches('m'),
            None => rest
                .trim_start_matches(|c: char| c != '\u{1b}' && (c.is_whitespace() || is_hidden(c))),
        };
        if next.len() == rest.len() {
            return rest;
        }
        rest = next;
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// Set in the process that panics.
    const PANICS: &str = "PCHR_TEST_PANICS";

    #[test]
    fn a_panic_on_any_thread_ends_the_program_with_one_line() {
        if std::env::var_os(PANICS).is_some() {
            super::report_panics("pchr");
            let thread = std::thread::spawn(|| panic!("no\nway"));
            let _ = thread.join();
            std::thread::park();
        }
        let child = |backtrace: &str| {
            let name = "run::messages::tests::a_panic_on_any_thread_ends_the_program_with_one_line";
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.args(["--exact", name, "--nocapture"]).env(PANICS, "1");
            let output = command.env("RUST_BACKTRACE", backtrace).output().unwrap();
            assert_eq!(output.status.code(), Some(1));
            String::from_utf8(output.stderr).unwrap()
        };
        let said = child("0");
        let [line] = said.lines().collect::<Vec<_>>()[..] else { panic!("{said}") };
        let start = format!("error: internal error at {}:", file!());
        assert!(line.starts_with(&start) && line.contains(r": no\nway; "), "{line}");
        assert!(child("1").lines().count() > 1);
    }

    #[test]
    fn only_commands_are_changed() {
        let texts = "a::b ::error::x|error: ::error::x|: :error::x|## a [b]|#[a] ##-[b] # #[c]|##||\
                     größe ##é[x]";
        for text in texts.split('|') {
            assert_eq!(harmless(text), text);
        }
        for (text, written) in [
            ("::error::x", r"\u003a:error::x"),
            (":::x", r"\u003a::x"),
            (" \t\u{3000}::add-mask::x", " \t\u{3000}\\u003a:add-mask::x"),
            ("\u{feff}\u{200b}::x", "\u{feff}\u{200b}\\u003a:x"),
            ("\u{1b}[1;31m \u{1b}[0m::x", "\u{1b}[1;31m \u{1b}[0m\\u003a:x"),
            ("a ##[error]b ##[c]", r"a #\u0023[error]b #\u0023[c]"),
            ("####[x]", r"###\u0023[x]"),
            ("##vso[task.x]", r"#\u0023vso[task.x]"),
            ("##teamcity[x", r"#\u0023teamcity[x"),
            ("::x##[y]", r"\u003a:x#\u0023[y]"),
        ] {
            assert_eq!(harmless(text), written);
        }
    }

    #[test]
    fn lines_are_whole_whatever_the_pieces() {
        let text = "a\n::b\r::c\r\n##[d]\n::e";
        for size in 1..text.len() {
            let mut log = AgentLog { to: Vec::new(), agent: true, line: Vec::new() };
            for piece in text.as_bytes().chunks(size) {
                log.write_all(piece).unwrap();
            }
            log.flush().unwrap();
            let written = String::from_utf8(log.to).unwrap();
            assert_eq!(written, "a\n\\u003a:b\r\\u003a:c\r\n#\\u0023[d]\n\\u003a:e");
        }
    }
}
