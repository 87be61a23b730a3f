//! One change of a suite's baselines at a time.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use super::fnv::Fnv;
use crate::cli::messages::Messages;

/// Waits until no other run changes the baselines of a suite. The lock ends with the result, also if the program is
/// killed. Where there are no locks, nothing is waited for.
pub(super) fn take(suite: &Path, messages: &Messages) -> Option<File> {
    let path = path(suite);
    // Made by another user, it may be read only: that is enough.
    let made = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path);
    let file = made.or_else(|_| File::open(&path)).ok()?;
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        messages.note(&format!(
            "another run changes the baselines of {}: waiting for its end",
            suite.display()
        ));
        file.lock().ok()?;
    }
    Some(file)
}

/// The file that stands for a suite, wherever it is named from. It is never removed: others may wait for it.
fn path(suite: &Path) -> PathBuf {
    let whole = std::fs::canonicalize(suite).unwrap_or_else(|_| suite.to_owned());
    let mut name = Fnv::default();
    name.add(&whole.to_string_lossy());
    std::env::temp_dir().join(format!("pchr-view-{name}.lock"))
}
