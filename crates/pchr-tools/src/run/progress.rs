//! Progress on a terminal.

use indicatif::ProgressBar;

use super::messages::Messages;

/// Returns a progress bar on a terminal, if there is more than one picture.
pub(crate) fn progress(pictures: usize, messages: &Messages) -> ProgressBar {
    if pictures > 1 && messages.shows_progress() {
        ProgressBar::new(pictures as u64) // draws to stderr, and only if that is a terminal
    } else {
        ProgressBar::hidden()
    }
}
