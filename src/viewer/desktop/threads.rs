//! Threads of the window. The system may refuse them: the failed operation is then reported as a problem.

use std::thread::{Builder, JoinHandle};

use crate::viewer::problem::Problem;

/// Starts a thread.
///
/// # Errors
/// A problem to report, if the system refuses it.
pub(crate) fn start(work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Problem> {
    let started = Builder::new().spawn(work);
    started.map_err(|error| {
        Problem::new(
            "The system does not allow another thread",
            error.to_string(),
        )
    })
}
