//! Messages on stderr: one line first, details after it.

use pchr::finding::{Finding, Findings, Severity};

use super::failure::Failure;
use super::output::write_stderr;
use crate::text::visible;

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
    /// Returns true if progress may be shown.
    pub(crate) fn shows_progress(&self) -> bool {
        !self.quiet
    }

    /// Returns true if only failures are printed.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Returns true if more is printed than usual.
    pub(crate) fn is_verbose(&self) -> bool {
        self.verbose
    }

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
        let total = findings
            .total(Severity::Error)
            .saturating_add(findings.total(Severity::Warning));
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
            _ => self.warning(&format!(
                "{file}: {first} (and {} more; list them with -v)",
                total - 1
            )),
        }
    }

    /// Prints the reason why the program ends, even if quiet.
    pub(crate) fn failure(&self, failure: &Failure) {
        say(&format!("error: {failure}"));
        if let Failure::Suite(problems) = failure {
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
