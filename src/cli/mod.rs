//! The command lines: arguments to jobs, results to stdout, everything else to stderr.
//!
//! [`pchr`] and [`view`] are the two programs, one subcommand a file. What they share is here: `failure` says which exit
//! code each kind of failure has, `disk` remembers which files were read so that none is written over, `input` reads files, `output` writes
//! them whole, `temps` removes what an interruption leaves, `inside` keeps to a folder, `walk` searches one, `messages` says things on
//! stderr, `line` keeps names from breaking lines, `words` writes numbers as people read them, `threads` starts what parallel work runs on,
//! `fault` reports panics.

mod bind_report;
mod disk;
mod failure;
mod fault;
mod input;
#[cfg(feature = "raster")]
mod inside;
mod junit;
mod messages;
mod output;
pub mod pchr;
mod temps;
mod threads;
#[cfg(feature = "raster")]
pub mod view;
mod walk;
mod words;

use std::io;
use std::process::ExitCode;

use disk::Disk;
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
fn finish(
    verbosity: Verbosity,
    run: impl FnOnce(&Messages, &Disk) -> Result<(), Failure>,
) -> ExitCode {
    let messages = Messages::new(verbosity);
    let disk = Disk::default();
    threads::start();
    let result = run(&messages, &disk);
    disk.sync();
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            messages.failure(&failure);
            ExitCode::from(failure.code())
        }
    }
}
