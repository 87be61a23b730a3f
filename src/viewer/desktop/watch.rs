//! Reports changes of the open file and of the files that it names.
//!
//! Every second the files are checked: one has changed if its [`Stamp`] differs. So nothing depends on how a file was changed: it may
//! be written, renamed over or deleted and written again, or be another one because a folder or a link on the way to it was exchanged.
//!
//! Events of the folders make this faster. They come in bursts, and some get lost, so an event is only a reason to check soon. The
//! folders are watched, not the files, and anew whenever the files were read: they may be other folders then.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use pchr_tools::files::{Seen, Stamp};

use super::events;
use crate::viewer::problem::Problem;

/// Quiet time required after an event, or after a check that found a change.
const QUIET: Duration = Duration::from_millis(100);
/// Longest wait for that quiet time.
const PATIENCE: Duration = Duration::from_secs(1);
/// Interval of checks if there are no events.
const POLL: Duration = Duration::from_secs(1);

/// A message to the thread.
#[derive(Debug)]
enum WatchMessage {
    /// Watches these files, which were read in these states. An empty list watches nothing.
    Watch(Vec<Seen>),
    /// Something may have happened to a file.
    Event,
    /// Ends the thread.
    End,
}

/// A thread that watches a file and the files that it names.
#[derive(Debug)]
pub(crate) struct Watcher {
    messages: Sender<WatchMessage>,
}

impl Watcher {
    /// Starts the thread. It calls `changed` with the path of the first file when any of the files has changed.
    ///
    /// # Errors
    /// A problem to report, if the system refuses the thread.
    pub(crate) fn start(changed: impl FnMut(&Path) + Send + 'static) -> Result<Self, Problem> {
        Self::with(true, POLL, changed)
    }

    fn with(
        events: bool,
        poll: Duration,
        mut changed: impl FnMut(&Path) + Send + 'static,
    ) -> Result<Self, Problem> {
        let (messages, inbox) = mpsc::channel();
        let outbox = messages.clone();
        let started = events::start(move || {
            let mut watched: Option<Watched> = None;
            while let Some(message) = next(&inbox, watched.as_ref().map(Watched::due)) {
                match message {
                    Some(WatchMessage::End) => return,
                    Some(WatchMessage::Watch(files)) => {
                        watched = None; // the system may limit how much is watched at the same time
                        if !files.is_empty() {
                            let outbox = events.then_some(&outbox);
                            watched = Some(Watched::new(files, outbox, poll));
                        }
                    }
                    Some(WatchMessage::Event) => {
                        if let Some(watched) = &mut watched {
                            watched.event();
                        }
                    }
                    None => {
                        if let Some(watched) = &mut watched
                            && watched.check()
                            && let Some(file) = watched.files.first()
                        {
                            changed(&file.path);
                        }
                    }
                }
            }
        });
        started.map(|_| Self { messages })
    }

    /// Watches these files instead of the previous ones, starting from the states that were read. An empty list watches
    /// nothing.
    pub(crate) fn watch(&self, files: Vec<Seen>) {
        // The thread ends only when it panics, which is a bug that was reported then.
        let _ = self.messages.send(WatchMessage::Watch(files));
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.messages.send(WatchMessage::End);
    }
}

/// Receives the next message; `Some(None)` when a check is due.
fn next(inbox: &Receiver<WatchMessage>, due: Option<Instant>) -> Option<Option<WatchMessage>> {
    let Some(due) = due else { return inbox.recv().ok().map(Some) };
    let wait = due.saturating_duration_since(Instant::now());
    match inbox.recv_timeout(wait) {
        Ok(message) => Some(Some(message)),
        Err(RecvTimeoutError::Timeout) => Some(None),
        Err(RecvTimeoutError::Disconnected) => None,
    }
}

/// Files that are watched.
struct Watched {
    /// Files in their last known states. The first is the open file.
    files: Vec<Seen>,
    /// Sends events as long as it exists.
    _listener: Option<RecommendedWatcher>,
    /// Times of the first and the last event since the last check.
    events: Option<[Instant; 2]>,
    checked: Instant,
    poll: Duration,
}

impl Watched {
    fn new(files: Vec<Seen>, outbox: Option<&Sender<WatchMessage>>, poll: Duration) -> Self {
        let now = Instant::now();
        Self {
            _listener: outbox.and_then(|outbox| listen(&files, outbox.clone()).ok()),
            files,
            events: Some([now; 2]), // they may have changed since
            checked: now,
            poll,
        }
    }

    fn event(&mut self) {
        let now = Instant::now();
        let first = self.events.map_or(now, |[first, _]| first);
        self.events = Some([first, now]);
    }

    /// Returns the time of the next check.
    fn due(&self) -> Instant {
        match self.events {
            Some([first, last]) => (last + QUIET).min(first + PATIENCE),
            None => self.checked + self.poll,
        }
    }

    /// Checks the files. Returns true if one of them has changed, and was quiet since.
    fn check(&mut self) -> bool {
        self.checked = Instant::now();
        let quiet = self.events.take().is_some();
        let mut changed = false;
        for file in &mut self.files {
            let stamp = Stamp::of(&file.path);
            changed |= stamp != file.stamp;
            if quiet {
                file.stamp = stamp;
            }
        }
        if changed && !quiet {
            self.event();
        }
        changed && quiet
    }
}

/// Listens for events in the folders of the files, and of the files that they are links to. A folder that cannot be watched is left
/// out: its files are checked at intervals.
fn listen(files: &[Seen], outbox: Sender<WatchMessage>) -> notify::Result<RecommendedWatcher> {
    let mut folders = BTreeSet::new();
    let mut names = BTreeSet::new();
    for place in files.iter().flat_map(|file| places(&file.path)) {
        names.extend(place.file_name().map(OsStr::to_owned));
        if let Some(folder) = place.parent() {
            // The folder itself may be moved or removed.
            names.extend(folder.file_name().map(OsStr::to_owned));
            folders.insert(folder.to_owned());
        }
    }
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        // After an error, or where events were lost, anything may have happened.
        let concerns = event.as_ref().map_or(true, |event| concerns(event, &names));
        if concerns {
            let _ = outbox.send(WatchMessage::Event);
        }
    })?;
    for folder in folders {
        let _ = watcher.watch(&folder, RecursiveMode::NonRecursive);
    }
    Ok(watcher)
}

/// Returns the path of a file without links on the way, with its name and with that of its link's target.
fn places(path: &Path) -> impl Iterator<Item = PathBuf> {
    let folder = path.parent().map(std::fs::canonicalize);
    let named = folder.and_then(Result::ok).zip(path.file_name());
    let named = named.map(|(folder, name)| folder.join(name));
    named.into_iter().chain(std::fs::canonicalize(path))
}

/// Returns true if an event may have changed a file. Reading a file does not change it.
fn concerns(event: &Event, names: &BTreeSet<OsString>) -> bool {
    let changes = match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) => false,
        _ => true,
    };
    let about_it = || {
        let mut named = event.paths.iter().filter_map(|path| path.file_name());
        named.any(|name| names.contains(name))
    };
    event.need_rescan() || (changes && about_it())
}

#[cfg(test)]
mod tests;
