//! Lock that allows one change of a suite's baselines at a time.

use std::fs::{File, TryLockError};
use std::path::Path;

use crate::run::messages::Messages;

/// Waits until no other run changes the baselines of a suite. The lock is released when the result is dropped, or the program is
/// killed. On systems without locks it does not wait.
pub(super) fn take(suite: &Path, messages: &Messages) -> Option<File> {
    let file = open(suite)?;
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        messages.note(&format!(
            "waiting for another run that changes the baselines of {}",
            suite.display()
        ));
        file.lock().ok()?;
    }
    Some(file)
}

/// Opens the suite itself: others can still read it, and nothing is left behind.
#[cfg(unix)]
fn open(suite: &Path) -> Option<File> {
    // A pipe would be waited for.
    suite.is_file().then(|| File::open(suite).ok()).flatten()
}

/// Opens a file that represents the suite, in the user's own temporary folder: here a locked file cannot be read by others. It is
/// never removed, because others may wait for it.
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
