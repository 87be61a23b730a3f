//! Messages on stderr: one line first, details after it; progress; and panics, which are bugs of the program.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::PanicHookInfo;

use indicatif::ProgressBar;

use pchr::finding::{Finding, Findings, Severity};

use super::failure::{Failure, RUNNING};
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
        let text = describe(program, panic);
        write_stderr(&format!("{}\n", visible(&text)));
        // Captured only if RUST_BACKTRACE says so.
        let backtrace = Backtrace::capture();
        if backtrace.status() == BacktraceStatus::Captured {
            write_stderr(&format!("{backtrace}\n"));
        }
        std::process::exit(RUNNING.into());
    }));
}

fn describe(program: &str, panic: &PanicHookInfo<'_>) -> String {
    let what = panic.payload_as_str().unwrap_or("unknown cause");
    let place = panic.location().map_or(String::new(), |at| {
        format!(" at {}:{}", at.file(), at.line())
    });
    format!(
        "error: internal error{place}: {what}; this is a bug in {program} {}: please report this line, the command and its files",
        crate::version()
    )
}

#[cfg(test)]
mod tests {
    use std::process::Command;

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
            command
                .args(["--exact", name, "--nocapture"])
                .env(PANICS, "1");
            let output = command.env("RUST_BACKTRACE", backtrace).output().unwrap();
            assert_eq!(output.status.code(), Some(1));
            String::from_utf8(output.stderr).unwrap()
        };
        let said = child("0");
        let [line] = said.lines().collect::<Vec<_>>()[..] else {
            panic!("{said}");
        };
        let start = format!("error: internal error at {}:", file!());
        assert!(
            line.starts_with(&start) && line.contains(r": no\nway; "),
            "{line}"
        );
        assert!(child("1").lines().count() > 1);
    }
}
