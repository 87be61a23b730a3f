//! Options of the program that opens the window, and the first view of a file: of the command line, or of a session.

use std::path::PathBuf;

use pchr::playback::FrameSpec;
use pchr::render::GpuOptions;
use pchr_tools::open::Openers;
use pchr_tools::session::Session;
use pchr_tools::view::{Playing, Shown, ViewError};

use crate::viewer::loaded::Wish;
use crate::viewer::problem::Problem;

/// Initial state of the window. The default shows the sample, fitted and playing.
#[derive(Clone, Debug)]
pub struct ViewerOptions {
    /// Files to show; Left and Right go through them. If empty, the sample is shown. `-` is standard input.
    pub files: Vec<PathBuf>,
    /// Kinds of content that can be opened.
    pub openers: Openers,
    /// True if images that a JSON file names may lie outside its folder.
    pub allow_outside: bool,
    /// Built-in sample, a PCHR file.
    pub sample: &'static [u8],
    /// View of the first file; background, directions and companions also of others.
    pub shown: Shown,
    /// How it plays.
    pub playing: Playing,
    /// Graphics adapter that draws.
    pub gpu: GpuOptions,
    /// Width and height of the window in logical pixels.
    pub window_size: Option<[u32; 2]>,
}

impl Default for ViewerOptions {
    fn default() -> Self {
        Self {
            files: Vec::new(),
            openers: Openers::ALL,
            allow_outside: false,
            sample: &[],
            shown: Shown::default(),
            playing: Playing::default(),
            gpu: GpuOptions::default(),
            window_size: None,
        }
    }
}

/// Requests for the first file that opens.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Start {
    pub(crate) shown: Shown,
    pub(crate) playing: Playing,
    /// True if everything is as in the view, and false if that only adds to the window's.
    pub(crate) is_session: bool,
}

impl Start {
    /// Returns the view of a session.
    pub(crate) fn of(session: &Session) -> Self {
        Self { shown: session.shown.clone(), playing: session.playing.clone(), is_session: true }
    }

    /// Returns the view of a session with the options of a command line.
    pub(crate) fn over(self, session: &Session) -> Self {
        let merged = session.with(&self.shown, &self.playing);
        Self::of(merged.as_ref().unwrap_or(session))
    }

    /// Returns the properties of the first picture that are known before the file is read.
    pub(crate) fn wish(&self) -> Wish {
        let frame = match self.shown.frame {
            Some(FrameSpec::One(frame)) => frame.try_into().unwrap_or(u16::MAX),
            _ => 0,
        };
        Wish { animation: self.shown.animation.clone(), frame, whole: false, ..Wish::default() }
    }

    /// Returns the problem of an option that the file cannot follow.
    pub(crate) fn problem(error: &ViewError) -> Problem {
        let title = sentence(&error.reason);
        match &error.candidates {
            Some(candidates) => Problem::new(title, sentence(candidates)),
            None => Problem::new("The view is not as requested", sentence(&error.to_string())),
        }
    }
}

/// Returns a text with a capital first letter.
fn sentence(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + rest.as_str()
}
