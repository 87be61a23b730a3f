//! Reports a panic, which is a bug of the program, in one line, and ends the program with exit code 1. It does so on any thread, so
//! that no other thread waits for the panicking one.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::PanicHookInfo;

use super::failure::RUNNING;
use super::output::write_stderr;
use crate::text::visible;

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
            let name = "run::fault::tests::a_panic_on_any_thread_ends_the_program_with_one_line";
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
