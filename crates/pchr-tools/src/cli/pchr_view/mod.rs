//! `pchr-view`: shows and captures. The window is not known here: the program passes it in.

mod args;
mod capture;
mod compare;
mod doctor;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzz;
#[cfg(all(feature = "render", target_os = "linux"))]
mod restart;

use std::process::ExitCode;

use super::{Failure, finish, parse};
use crate::open::Openers;
use crate::suite;

pub use crate::view::{AdapterArgs, Background, Point, Size};
pub use args::WindowArgs;

const NO_WINDOW: &str = "this program was built without the window (feature `viewer`); `pchr-view capture` draws to files";

/// Opens the window of a program that has one.
pub type OpenWindow = fn(Openers, WindowArgs) -> Result<(), Failure>;

/// Runs `pchr-view` with the process's arguments, over the kinds of content of `openers`. `sample` is the file of the built-in
/// sample character, which `doctor` draws.
pub fn main(
    version: &'static str,
    sample: &'static [u8],
    openers: Openers,
    window: Option<OpenWindow>,
) -> ExitCode {
    let args = match parse::<args::ProgramArgs>("pchr-view", version) {
        Ok(args) => args,
        Err(code) => return code,
    };
    #[cfg(all(feature = "render", target_os = "linux"))]
    if args
        .command
        .as_ref()
        .is_some_and(args::ProgramCommand::may_open_adapter)
    {
        restart::with_runtime_dir();
    }
    finish(args.verbosity, openers, |messages, disk| {
        match args.command {
            Some(args::ProgramCommand::Capture(capture)) => capture::run(&capture, messages, disk),
            Some(args::ProgramCommand::Compare(args)) => compare::run(&args, messages, disk),
            Some(args::ProgramCommand::Doctor(args)) => {
                doctor::run(&args, messages, sample, window.is_some())
            }
            Some(args::ProgramCommand::Test(args)) => suite::test(&args, messages, disk),
            Some(args::ProgramCommand::Report(args)) => suite::report(args, messages, disk),
            None => match window {
                Some(open) => open(openers, args.window),
                None => Err(Failure::Usage(NO_WINDOW.into())),
            },
        }
    })
}

/// The command line of the program, for completions and man pages.
pub(super) fn command() -> clap::Command {
    <args::ProgramArgs as clap::CommandFactory>::command()
}

pub(super) use capture::schema as capture_schema;
pub(super) use compare::schema as compare_schema;
pub(super) use doctor::schema as doctor_schema;
