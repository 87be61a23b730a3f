//! `pchr-view`: shows and captures. The window is not known here: the program passes it in.

mod args;
mod capture;
mod compare;
mod device;
mod doctor;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzz;
mod plan;
mod prepare;
mod report;
#[cfg(all(feature = "render", target_os = "linux"))]
mod restart;
mod select;
mod test;
mod values;
#[cfg(feature = "render")]
mod watchdog;

use std::process::ExitCode;

use super::{Failure, finish, parse};

pub use args::{AdapterArgs, WindowArgs};
pub use values::{Background, Point, Size};

/// The built-in sample character.
pub const SAMPLE: &[u8] = include_bytes!("../../../assets/sample.pchr");

/// Runs `pchr-view` with the process's arguments. `window` opens the window.
pub fn main(window: impl FnOnce(WindowArgs) -> Result<(), Failure>) -> ExitCode {
    let args = match parse::<args::Args>("pchr-view") {
        Ok(args) => args,
        Err(code) => return code,
    };
    #[cfg(all(feature = "render", target_os = "linux"))]
    if args
        .command
        .as_ref()
        .is_some_and(args::Command::may_open_adapter)
    {
        restart::with_runtime_dir();
    }
    finish(args.verbosity, |messages, disk| match args.command {
        Some(args::Command::Capture(capture)) => capture::run(&capture, messages, disk),
        Some(args::Command::Compare(args)) => compare::run(&args, messages, disk),
        Some(args::Command::Doctor(args)) => doctor::run(&args, messages),
        Some(args::Command::Test(args)) => test::run(&args, messages, disk),
        Some(args::Command::Report(args)) => test::report(&args, messages, disk),
        None => window(args.window),
    })
}

/// The command line of the program, for completions and man pages.
pub(super) fn command() -> clap::Command {
    <args::Args as clap::CommandFactory>::command()
}

pub(super) use compare::schema as compare_schema;
pub(super) use doctor::schema as doctor_schema;
pub(super) use test::{baseline_schema, report_schema, suite_schema};

/// The schema of what `capture --json` prints.
pub(super) fn capture_schema() -> schemars::Schema {
    report::schema()
}
