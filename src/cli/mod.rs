//! The command lines: arguments to jobs, results to stdout, everything else to stderr.
//!
//! [`main`] is `pchr-view`. One subcommand a file; `args` and `values` say what can be typed, `failure` which exit code
//! each kind of failure has. The window is not known here: the program passes it in.

mod args;
mod capture;
mod failure;
mod input;
mod messages;
mod output;
mod report;
mod select;
mod values;

use std::io;
use std::process::ExitCode;

use clap::Parser as _;

pub use args::{AdapterArgs, WindowArgs};
pub use failure::Failure;
pub use values::{Background, Point, Size};

/// Runs `pchr-view` with the process's arguments. `window` opens the window.
pub fn main(window: impl FnOnce(WindowArgs) -> Result<(), Failure>) -> ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            let printed = error.print();
            return ExitCode::from(match printed {
                _ if error.use_stderr() => failure::USAGE,
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => failure::RUNNING,
                _ => 0,
            });
        }
    };
    let messages = messages::Messages::new(args.verbosity);
    let result = match args.command {
        Some(args::Command::Capture(capture)) => capture::run(&capture, &messages),
        None => window(args.window),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            messages.failure(&failure);
            ExitCode::from(failure.code())
        }
    }
}
