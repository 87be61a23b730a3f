//! Reports changes of the open file and of the files that it names.
//!
//! The folders are watched, not the files. Programs write another file and rename it over the old one, or delete the
//! file and write it again; both put a different file at the same path. Events come in bursts and some get lost, so an
//! event is only a reason to check: a file has changed if its [`Stamp`] differs. After a version that could not be
//! read, the files are checked again after a while. If a folder cannot be watched, they are checked every second.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::threads;
use crate::files::{Seen, Stamp};

/// Quiet time required after an event.
const QUIET: Duration = Duration::from_millis(100);
/// Longest wait for that quiet time.
const PATIENCE: Duration = Duration::from_secs(1);
/// Interval of checks if there are no events.
const POLL: Duration = Duration::from_secs(1);
/// First and longest wait before an unreadable version is checked again. The wait doubles each time.
const RETRY: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(2)];

/// A message to the thread.
#[derive(Debug)]
enum Message {
    /// Watches these files, which were read in these states. An empty list watches nothing.
    Watch(Vec<Seen>),
    /// The last version of these files cannot be shown. The list is empty if nothing was read.
    Failed(Vec<Seen>),
    /// Something may have happened to a file.
    Event,
    /// Ends the thread.
    End,
}

/// A thread that watches a file and the files that it names.
#[derive(Debug)]
pub(crate) struct Watcher {
    messages: Sender<Message>,
}

impl Watcher {
    /// Starts the thread. It calls `changed` with the path of the first file when any of the files has changed.
    pub(crate) fn start(changed: impl FnMut(&Path) + Send + 'static) -> Self {
        Self::with_events(true, changed)
    }

    fn with_events(events: bool, mut changed: impl FnMut(&Path) + Send + 'static) -> Self {
        let (messages, inbox) = mpsc::channel();
        let outbox = messages.clone();
        // If the system refuses threads, nothing is watched.
        let _ = threads::start(move || {
            let mut watched: Option<Watched> = None;
            while let Some(message) = next(&inbox, watched.as_ref().and_then(Watched::due)) {
                match message {
                    Some(Message::End) => return,
                    Some(Message::Watch(files)) => {
                        let outbox = events.then_some(&outbox);
                        match watched.as_mut().filter(|watched| watched.is_of(&files)) {
                            Some(watched) => watched.read(files, outbox),
                            None if files.is_empty() => watched = None,
                            None => watched = Some(Watched::new(files, outbox)),
                        }
                    }
                    Some(Message::Failed(files)) => {
                        if let Some(watched) = &mut watched {
                            watched.failed(files, events.then_some(&outbox));
                        }
                    }
                    Some(Message::Event) => {
                        if let Some(watched) = &mut watched {
                            watched.event();
                        }
                    }
                    None => {
                        let outbox = events.then_some(&outbox);
                        if let Some(watched) = &mut watched
                            && watched.look(outbox)
                            && let Some(file) = watched.files.first()
                        {
                            changed(&file.path);
                        }
                    }
                }
            }
        });
        Self { messages }
    }

    /// Watches these files instead of the previous ones, starting from the states that were read. An empty list watches
    /// nothing.
    pub(crate) fn watch(&self, files: Vec<Seen>) {
        // The thread ends only when it panics, which is a bug that was reported then.
        let _ = self.messages.send(Message::Watch(files));
    }

    /// Watches these files, whose states could not be shown, instead of the previous ones. An empty list watches
    /// nothing.
    pub(crate) fn wait_for(&self, files: Vec<Seen>) {
        self.watch(files.clone());
        self.failed(files);
    }

    /// Reports that the last version of these files could not be shown. They are checked again, since the event for the
    /// end of the change may get lost. One of them may be missing and may not have been needed before.
    pub(crate) fn failed(&self, files: Vec<Seen>) {
        let _ = self.messages.send(Message::Failed(files));
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.messages.send(Message::End);
    }
}

/// Receives the next message; `Some(None)` when a check is due.
fn next(inbox: &Receiver<Message>, due: Option<Instant>) -> Option<Option<Message>> {
    let Some(due) = due else {
        return inbox.recv().ok().map(Some);
    };
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
    watcher: Option<RecommendedWatcher>,
    /// Times of the first and the last event since the last check.
    events: Option<[Instant; 2]>,
    /// Time of the next check of an unreadable version, and the wait for it.
    retry: Option<(Instant, Duration)>,
    poll: Option<Instant>,
}

impl Watched {
    fn new(files: Vec<Seen>, outbox: Option<&Sender<Message>>) -> Self {
        let mut watched = Self {
            files,
            watcher: None,
            events: None,
            retry: None,
            poll: None,
        };
        watched.listen(outbox);
        watched.event(); // they may have changed since
        watched
    }

    /// Returns true if the first of these files is the current one.
    fn is_of(&self, files: &[Seen]) -> bool {
        let path = |files: &[Seen]| files.first().map(|file| file.path.clone());
        path(&self.files) == path(files)
    }

    /// Takes over states that were read without problems.
    fn read(&mut self, files: Vec<Seen>, outbox: Option<&Sender<Message>>) {
        self.replace(files, outbox);
        self.retry = None;
        self.event(); // they may have changed since
    }

    fn replace(&mut self, files: Vec<Seen>, outbox: Option<&Sender<Message>>) {
        let same = self.files.len() == files.len()
            && files.iter().zip(&self.files).all(|(a, b)| a.path == b.path);
        self.files = files;
        if !same {
            self.listen(outbox);
        }
    }

    /// Starts to listen for events in the folders. If that fails, the files are checked at intervals.
    fn listen(&mut self, outbox: Option<&Sender<Message>>) {
        self.watcher = None;
        self.watcher = outbox.and_then(|outbox| listen(&self.files, outbox.clone()).ok());
        self.poll = match &self.watcher {
            Some(_) => None,
            None => Instant::now().checked_add(POLL),
        };
    }

    fn event(&mut self) {
        let now = Instant::now();
        let first = self.events.map_or(now, |[first, _]| first);
        self.events = Some([first, now]);
    }

    fn failed(&mut self, files: Vec<Seen>, outbox: Option<&Sender<Message>>) {
        if self.is_of(&files) {
            self.replace(files, outbox);
        }
        self.look_later();
    }

    fn look_later(&mut self) {
        let [soon, late] = RETRY;
        let wait = self
            .retry
            .map_or(soon, |(_, before)| (before * 2).min(late));
        self.retry = Instant::now().checked_add(wait).map(|at| (at, wait));
    }

    /// Returns the time of the next check.
    fn due(&self) -> Option<Instant> {
        let quiet = self.events.and_then(|[first, last]| {
            let quiet = last.checked_add(QUIET)?;
            Some(quiet.min(first.checked_add(PATIENCE)?))
        });
        let retry = self.retry.map(|(at, _)| at);
        [quiet, retry, self.poll].into_iter().flatten().min()
    }

    /// Checks the files. Returns true if one of them has changed.
    fn look(&mut self, outbox: Option<&Sender<Message>>) -> bool {
        self.events = None;
        let (mut changed, mut moved) = (false, false);
        for file in &mut self.files {
            let stamp = Stamp::of(&file.path);
            changed |= stamp != file.stamp;
            moved |= stamp.is_some() && file.stamp.is_none();
            file.stamp = stamp;
        }
        if moved || (changed && self.has_folders()) {
            // The files there may now be in another folder with the same name.
            self.listen(outbox);
        } else if self.poll.is_some() {
            self.poll = Instant::now().checked_add(POLL);
        }
        if changed {
            // Reading it will show whether it is complete.
            self.retry = self
                .retry
                .map(|(_, wait)| (Instant::now() + RETRY[1], wait));
        } else if self.retry.is_some() {
            self.look_later();
        }
        changed
    }

    /// Returns true if a file lies in another folder than the current one.
    fn has_folders(&self) -> bool {
        let mut folders = self.files.iter().map(|file| file.path.parent());
        let first = folders.next();
        folders.any(|folder| Some(folder) != first)
    }
}

fn listen(files: &[Seen], outbox: Sender<Message>) -> notify::Result<RecommendedWatcher> {
    let mut places: Vec<_> = files.iter().flat_map(|file| places(&file.path)).collect();
    if let Some(folder) = files.first().and_then(|file| file.path.parent()) {
        // A folder below it may be replaced as a whole.
        let below = files.iter().filter_map(|file| file.path.parent());
        let below = below.filter(|below| *below != folder && below.starts_with(folder));
        places.extend(below.filter_map(place));
    }
    let (folders, names): (BTreeSet<PathBuf>, BTreeSet<OsString>) = places.into_iter().unzip();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        // After an error, or where events were lost, anything may have happened.
        let concerns = event.as_ref().map_or(true, |event| concerns(event, &names));
        if concerns {
            let _ = outbox.send(Message::Event);
        }
    })?;
    for folder in folders {
        watcher.watch(&folder, RecursiveMode::NonRecursive)?;
    }
    Ok(watcher)
}

fn place(path: &Path) -> Option<(PathBuf, OsString)> {
    let name = path.file_name()?.to_owned();
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    Some((folder, name))
}

/// Returns folder and name of a file, and those of its link's target.
fn places(path: &Path) -> Vec<(PathBuf, OsString)> {
    let target = std::fs::canonicalize(path).ok();
    let mut places: Vec<_> = place(path).into_iter().collect();
    let linked = target.and_then(|target| place(&target));
    let same = |folder: &Path| std::fs::canonicalize(folder).ok();
    if let Some((folder, name)) = linked
        && !places
            .iter()
            .any(|(first, known)| *known == name && same(first) == Some(folder.clone()))
    {
        places.push((folder, name));
    }
    places
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
