//! Says when the file on show changes.
//!
//! The file's folder is watched, not the file: a program that writes another file and renames it over the old one, or
//! deletes and writes again, puts a different file at the same path. Events come in bursts and some get lost, so an
//! event is only a reason to look: what counts is whether the file's [`Stamp`] is another one. After a version that could
//! not be read it is looked at again after a while; and where no folder can be watched, it is looked at every second.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::stamp::Stamp;

/// After an event it has to be quiet this long …
const QUIET: Duration = Duration::from_millis(100);
/// … but not for ever.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often a file is looked at that sends no events.
const POLL: Duration = Duration::from_secs(1);
/// How soon a version is looked at again that could not be read; each time it takes twice as long, up to the latter.
const RETRY: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(2)];

/// What the thread is told.
#[derive(Debug)]
enum Message {
    /// Watch this, of which this state was read; or nothing.
    Watch(Option<(PathBuf, Option<Stamp>)>),
    /// What was read last is no valid file.
    Failed,
    /// Something happened to the file, or may have.
    Event,
    /// Nothing is to be watched any longer.
    End,
}

/// A thread that watches one file.
#[derive(Debug)]
pub(crate) struct Watcher {
    messages: Sender<Message>,
}

impl Watcher {
    /// `changed` is called, on another thread, with a path whose file is another one than before.
    pub(crate) fn start(changed: impl FnMut(&Path) + Send + 'static) -> Self {
        Self::with_events(true, changed)
    }

    fn with_events(events: bool, mut changed: impl FnMut(&Path) + Send + 'static) -> Self {
        let (messages, inbox) = mpsc::channel();
        let outbox = messages.clone();
        thread::spawn(move || {
            let mut watched: Option<Watched> = None;
            while let Some(message) = next(&inbox, watched.as_ref().and_then(Watched::due)) {
                match message {
                    Some(Message::End) => return,
                    Some(Message::Watch(None)) => watched = None,
                    Some(Message::Watch(Some((path, stamp)))) => {
                        if let Some(watched) = watched.as_mut().filter(|w| w.path == path) {
                            watched.read(stamp);
                        } else {
                            let outbox = events.then_some(&outbox);
                            watched = Some(Watched::new(path, stamp, outbox));
                        }
                    }
                    Some(Message::Failed) => {
                        if let Some(watched) = &mut watched {
                            watched.failed();
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
                        {
                            changed(&watched.path);
                        }
                    }
                }
            }
        });
        Self { messages }
    }

    /// Watches this file instead of the one before, from the state of it on that was read; or nothing.
    pub(crate) fn watch(&self, file: Option<(PathBuf, Option<Stamp>)>) {
        // The thread ends only when it panics, which is a bug that was reported then.
        let _ = self.messages.send(Message::Watch(file));
    }

    /// What was read after a change could not be shown: it is looked at again, since the event that tells of its end may
    /// get lost.
    pub(crate) fn failed(&self) {
        let _ = self.messages.send(Message::Failed);
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.messages.send(Message::End);
    }
}

/// The next message; `Some(None)` when something is due.
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

/// The file that is watched.
struct Watched {
    path: PathBuf,
    /// The state that was told of last.
    stamp: Option<Stamp>,
    watcher: Option<RecommendedWatcher>,
    /// The first event that was not looked into yet, and the last.
    events: Option<[Instant; 2]>,
    /// When a version that could not be read is looked at again, and how long that was waited for.
    retry: Option<(Instant, Duration)>,
    poll: Option<Instant>,
}

impl Watched {
    fn new(path: PathBuf, stamp: Option<Stamp>, outbox: Option<&Sender<Message>>) -> Self {
        let mut watched = Self {
            path,
            stamp,
            watcher: None,
            events: None,
            retry: None,
            poll: None,
        };
        watched.listen(outbox);
        watched.read(stamp);
        watched
    }

    /// This state of it was read, and all is well.
    fn read(&mut self, stamp: Option<Stamp>) {
        self.stamp = stamp;
        self.retry = None;
        self.event(); // it may have changed since
    }

    /// Starts to listen to what happens in the folder; where that cannot be the file is looked at again and again.
    fn listen(&mut self, outbox: Option<&Sender<Message>>) {
        self.watcher = None;
        self.watcher = outbox.and_then(|outbox| listen(&self.path, outbox.clone()).ok());
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

    fn failed(&mut self) {
        let [soon, late] = RETRY;
        let wait = self
            .retry
            .map_or(soon, |(_, before)| (before * 2).min(late));
        self.retry = Instant::now().checked_add(wait).map(|at| (at, wait));
    }

    /// When it has to be looked at.
    fn due(&self) -> Option<Instant> {
        let quiet = self.events.and_then(|[first, last]| {
            let quiet = last.checked_add(QUIET)?;
            Some(quiet.min(first.checked_add(PATIENCE)?))
        });
        let retry = self.retry.map(|(at, _)| at);
        [quiet, retry, self.poll].into_iter().flatten().min()
    }

    /// Looks whether the file is another one than before.
    fn look(&mut self, outbox: Option<&Sender<Message>>) -> bool {
        self.events = None;
        let stamp = Stamp::of(&self.path);
        let changed = stamp != self.stamp;
        if stamp.is_some() && self.stamp.is_none() {
            // What lies there now may lie in another folder of the same name.
            self.listen(outbox);
        } else if self.poll.is_some() {
            self.poll = Instant::now().checked_add(POLL);
        }
        if changed {
            self.stamp = stamp;
            // Whether this one can be read will be told.
            self.retry = self
                .retry
                .map(|(_, wait)| (Instant::now() + RETRY[1], wait));
        } else if self.retry.is_some() {
            self.failed();
        }
        changed
    }
}

fn listen(path: &Path, outbox: Sender<Message>) -> notify::Result<RecommendedWatcher> {
    let places = places(path);
    let names: Vec<OsString> = places.iter().map(|(_, name)| name.clone()).collect();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        // After an error, or where events were lost, anything may have happened.
        let concerns = event.as_ref().map_or(true, |event| concerns(event, &names));
        if concerns {
            let _ = outbox.send(Message::Event);
        }
    })?;
    for (folder, _) in places {
        watcher.watch(&folder, RecursiveMode::NonRecursive)?;
    }
    Ok(watcher)
}

/// The folder and the name of the file, and of what it is a link to.
fn places(path: &Path) -> Vec<(PathBuf, OsString)> {
    let place = |path: &Path| {
        let name = path.file_name()?.to_owned();
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        Some((folder, name))
    };
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

/// Whether an event may have changed the file. That it was read changes nothing.
fn concerns(event: &Event, names: &[OsString]) -> bool {
    let changes = match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) => false,
        _ => true,
    };
    let about_it = || {
        let mut named = event.paths.iter().filter_map(|path| path.file_name());
        named.any(|name| names.iter().any(|known| known == name))
    };
    event.need_rescan() || (changes && about_it())
}

#[cfg(test)]
mod tests;
