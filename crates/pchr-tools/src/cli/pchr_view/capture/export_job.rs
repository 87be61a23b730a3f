//! A capture that another program runs: the window exports what its copied command would.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Parser as _;

use super::super::{ProgramArgs, ProgramCommand};
use super::CaptureArgs;
use crate::capture::CaptureError;
use crate::export::Shows;
use crate::open::Openers;
use crate::run::messages::Messages;
use crate::run::{Disk, Failure};
use crate::threads;

/// A capture to run: the words of a command line.
#[derive(Debug)]
pub struct ExportJob {
    args: Box<CaptureArgs>,
    openers: Openers,
}

/// Progress of a capture, and the way to stop it. All of it is called from any thread.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "functions have none")]
pub struct Follow<'a> {
    /// Called after each picture that is drawn: the number so far, that of all, and that of pictures to write. Some are drawn twice.
    pub drawn: &'a (dyn Fn([usize; 3]) + Sync),
    /// Called with each picture of a file, in straight alpha, as the file shows it: its number, from 0.
    pub picture: Shows<'a>,
    /// Set to stop before the next picture.
    pub stop: &'a AtomicBool,
}

/// Result of a capture.
#[derive(Clone, Debug, PartialEq)]
pub struct Exported {
    /// Files that were written.
    pub files: Vec<PathBuf>,
    /// Number of pictures.
    pub pictures: usize,
    /// Pictures per second, for animations and atlases.
    pub rate: Option<f64>,
}

impl ExportJob {
    /// Reads a command: `pchr-view capture` and its arguments.
    ///
    /// # Errors
    /// [`Failure::Usage`] for arguments that are not understood.
    pub fn parse(words: &[String], openers: Openers) -> Result<Self, Failure> {
        let args = ProgramArgs::try_parse_from(words);
        let args = args.map_err(|error| Failure::Usage(error.to_string()))?;
        match args.command {
            Some(ProgramCommand::Capture(args)) => Ok(Self { args, openers }),
            _ => Err(Failure::Usage("expected the command capture".to_owned())),
        }
    }

    /// Takes the pictures and writes the files. One core is left to the caller.
    ///
    /// # Errors
    /// Those of the command, and any error if it was stopped. No file is left half-written.
    pub fn run(&self, follow: &Follow<'_>) -> Result<Exported, Failure> {
        let cores = u16::try_from(threads::count(None)).unwrap_or(u16::MAX);
        let jobs = Some(self.args.jobs.unwrap_or(cores.saturating_sub(1).max(1)));
        let args = CaptureArgs { jobs, ..CaptureArgs::clone(&self.args) };
        let disk = Disk::new(self.openers);
        let messages = Messages { quiet: true, verbose: false };
        let exported = super::take(&args, &messages, &disk, Some(follow))?;
        disk.check_all_read()?;
        Ok(exported)
    }
}

impl Follow<'_> {
    /// Returns an error if the capture is to stop.
    pub(super) fn check(&self) -> Result<(), CaptureError> {
        match self.stop.load(Ordering::Relaxed) {
            true => Err(CaptureError::Write(std::io::ErrorKind::Interrupted.into())),
            false => Ok(()),
        }
    }
}
