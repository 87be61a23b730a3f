//! The command lines: arguments to jobs, results to stdout, everything else to stderr.
//!
//! [`pchr`] and [`pchr_view`] are the two programs, with a file for each subcommand or for a few of them; those of `bench` and
//! `suite` are there.

pub mod pchr;
pub mod pchr_view;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use schemars::JsonSchema;
use serde::Serialize;

use ::pchr::pose::{BindPose, BindSource};
use ::pchr::scene::Subject;

use super::open::Openers;
use super::run::input::is_stdin;
use super::run::messages::Messages;
use super::run::{Disk, messages, output};
use super::threads;

pub use super::run::Failure;

/// Returns the process's arguments, or the exit code if they are wrong or ask for help. Called first in a program.
fn parse<Args: clap::Parser>(name: &'static str, version: &'static str) -> Result<Args, ExitCode> {
    crate::VERSION.get_or_init(|| version);
    messages::report_panics(name);
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
    if !messages::agent_listens() {
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

/// Checks that `-` for standard input is given once at most.
fn check_one_stdin<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Result<(), Failure> {
    if paths.into_iter().filter(|path| is_stdin(path)).count() > 1 {
        return Err(Failure::Usage("- (standard input) can be given only once".into()));
    }
    Ok(())
}

/// Runs a program, and says why if it fails.
fn finish(
    verbosity: Verbosity,
    openers: Openers,
    run: impl FnOnce(&Messages, &Disk) -> Result<(), Failure>,
) -> ExitCode {
    let messages = Messages { quiet: verbosity.quiet, verbose: verbosity.verbose > 0 };
    let disk = Disk::new(openers);
    threads::start();
    let result = run(&messages, &disk).and_then(|()| disk.check_read(None));
    disk.sync();
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            messages.failure(&failure);
            ExitCode::from(failure.code())
        }
    }
}

/// Pose in which the vertices are assumed to be stored.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Bind pose")]
pub(super) struct BindReport<'a> {
    /// named: an animation with frames is named like a bind pose; first-frame: none is, so the first one is used; chosen and
    /// none: by --bind; absent: no animation has a frame, and vertices stay as stored.
    #[schemars(extend("enum" = ["named", "first-frame", "chosen", "none", "absent"]))]
    pub(super) source: &'static str,
    /// Reason, in words.
    pub(super) reason: &'static str,
    /// The animation that it is in, if it is in one.
    pub(super) animation: Option<&'a str>,
    /// The animation's index in the file, from 0.
    pub(super) animation_index: Option<u16>,
    /// The frame of that animation.
    pub(super) frame: Option<u16>,
    /// Indices of bones that have no inverse in it: vertices that they move stay as stored.
    pub(super) degenerate_bones: Vec<u16>,
}

impl<'a> BindReport<'a> {
    pub(super) fn new(bind: &BindPose, subject: &'a dyn Subject) -> Self {
        let (source, reason) = match bind.source() {
            BindSource::Named(_) => ("named", "it is named like a bind pose"),
            BindSource::FirstFrame(_) => (
                "first-frame",
                "no animation with frames is named like a bind pose (bind, rest, setup, tpose), so the first is used (choose another with pchr-view --bind)",
            ),
            BindSource::Chosen(..) => ("chosen", "chosen with --bind"),
            BindSource::Disabled => ("none", "turned off with --bind none"),
            BindSource::Absent => ("absent", "no animation has frames, so vertices stay as stored"),
        };
        let at = bind.frame();
        let animation = at.and_then(|at| subject.animation(at.animation));
        Self {
            source,
            reason,
            animation: animation.map(|animation| animation.name),
            animation_index: at.map(|at| at.animation.0),
            frame: at.map(|at| at.frame),
            degenerate_bones: bind.degenerate().iter().map(|id| id.0).collect(),
        }
    }
}
