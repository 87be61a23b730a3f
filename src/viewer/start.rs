//! The first view of a file: of the command line, or of a session.

use pchr::playback::FrameSpec;
use pchr_tools::session::Session;
use pchr_tools::view::{Playing, Shown, ViewError};

use crate::viewer::loaded::Wish;
use crate::viewer::problem::Problem;

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
        Self {
            shown: session.shown.clone(),
            playing: session.playing.clone(),
            is_session: true,
        }
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
        Wish {
            animation: self.shown.animation.clone(),
            frame,
            whole: false,
            ..Wish::default()
        }
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
