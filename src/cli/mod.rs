//! The command lines: arguments to jobs, results to stdout, everything else to stderr.
//!
//! [`pchr`] and [`view`] are the two programs, one subcommand a file. What they share is here: `failure` says which exit
//! code each kind of failure has, `input` reads files, `output` writes them whole, `messages` says things on stderr, `line` keeps names from
//! breaking lines, `words` writes numbers as people read them, `threads` starts what parallel work runs on, `fault` reports panics.

mod failure;
mod fault;
mod input;
mod junit;
mod line;
mod messages;
mod output;
pub mod pchr;
mod threads;
#[cfg(feature = "raster")]
pub mod view;
mod words;

use std::io;
use std::process::ExitCode;

pub use failure::Failure;
use messages::{Messages, Verbosity};

/// The process's arguments; or the code to end with, if they are wrong or ask for help. The first thing a program does.
fn parse<Args: clap::Parser>(program: &'static str) -> Result<Args, ExitCode> {
    fault::report_panics(program);
    Args::try_parse().map_err(|error| {
        ExitCode::from(match error.print() {
            _ if error.use_stderr() => failure::USAGE,
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => failure::RUNNING,
            _ => 0,
        })
    })
}

/// Runs a program, and says why if it fails.
fn finish(verbosity: Verbosity, run: impl FnOnce(&Messages) -> Result<(), Failure>) -> ExitCode {
    let messages = Messages::new(verbosity);
    threads::start();
    match run(&messages) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            messages.failure(&failure);
            ExitCode::from(failure.code())
        }
    }
}
