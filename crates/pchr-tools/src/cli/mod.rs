//! The command lines: arguments to jobs, results to stdout, everything else to stderr.
//!
//! [`pchr`] and [`pchr_view`] are the two programs, one subcommand a file.

mod bind_report;
pub mod pchr;
pub mod pchr_view;

use std::io;
use std::process::ExitCode;

use super::open::Openers;
use super::run::messages::Messages;
use super::run::{Disk, messages, output};
use super::text::agent;
use super::threads;

pub use super::run::Failure;

/// Returns the process's arguments, or the exit code if they are wrong or ask for help. Called first in a program.
fn parse<Args: clap::Parser>(
    program: &'static str,
    version: &'static str,
) -> Result<Args, ExitCode> {
    crate::VERSION.get_or_init(|| version);
    messages::report_panics(program);
    Args::try_parse().map_err(|error| {
        ExitCode::from(match print(&error) {
            _ if error.use_stderr() => messages::USAGE,
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => messages::RUNNING,
            _ => 0,
        })
    })
}

/// Prints what is wrong with the arguments, or the help that they ask for.
fn print(error: &clap::Error) -> io::Result<()> {
    if !agent::is_listening() {
        return error.print(); // in colours
    }
    let text = error.to_string();
    if error.use_stderr() {
        messages::write_stderr(&text);
        return Ok(());
    }
    output::write_text(text.as_bytes())
}

/// Verbosity of stderr.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
struct Verbosity {
    /// Print only errors
    #[arg(short, long, global = true, display_order = 900)]
    quiet: bool,
    /// Print more (repeatable)
    #[arg(short, long, global = true, display_order = 901, action = clap::ArgAction::Count)]
    verbose: u8,
}

/// Runs a program, and says why if it fails.
fn finish(
    verbosity: Verbosity,
    openers: Openers,
    run: impl FnOnce(&Messages, &Disk) -> Result<(), Failure>,
) -> ExitCode {
    let messages = Messages {
        quiet: verbosity.quiet,
        verbose: verbosity.verbose > 0,
    };
    let disk = Disk::new(openers);
    threads::start();
    let result = run(&messages, &disk).and_then(|()| disk.check_all_read());
    disk.sync();
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            messages.failure(&failure);
            ExitCode::from(failure.code())
        }
    }
}
