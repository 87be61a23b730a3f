//! One change of a suite's baselines at a time.

use std::fs::{File, TryLockError};
use std::path::Path;

use crate::run::messages::Messages;

/// Waits until no other run changes the baselines of a suite. The lock ends with the result, also if the program is
/// killed. Where there are no locks, nothing is waited for.
pub(super) fn take(suite: &Path, messages: &Messages) -> Option<File> {
    let file = open(suite)?;
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        messages.note(&format!(
            "another run changes the baselines of {}: waiting for its end",
            suite.display()
        ));
        file.lock().ok()?;
    }
    Some(file)
}

/// The suite itself: locks do not keep others from reading it, and nothing is left behind.
#[cfg(unix)]
fn open(suite: &Path) -> Option<File> {
    // A pipe would be waited for.
    suite.is_file().then(|| File::open(suite).ok()).flatten()
}

/// A file that stands for the suite, among the user's own temporary files: what is locked here cannot be read by others. It
/// is never removed, others may wait for it.
#[cfg(not(unix))]
fn open(suite: &Path) -> Option<File> {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};

    let mut name = DefaultHasher::new();
    std::fs::canonicalize(suite).ok()?.hash(&mut name);
    let path = std::env::temp_dir().join(format!("pchr-view-{:016x}.lock", name.finish()));
    let options = &mut File::options();
    options
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .ok()
}
