//! Reads a file and decodes its images on its own thread, and posts the results.
//!
//! ```text
//! bytes ──check──► Subject ──► bounds ─────────────────────┬─► Done: all that the first picture needs
//!   └ progress        └──► images, those of the first picture first ─┴─► Image, one by one
//! ```
//!
//! Image files named by a JSON file are read with it. All work that grows with the file's size is done here, so that
//! the window's thread does not wait for it.

mod beside;
mod candidates;
mod images;
mod read;
mod saved;

use std::borrow::Cow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::thread;
use std::time::{Duration, Instant};

use pchr::bytes::Budget;
use pchr::finding::Invalid;
use pchr::format::NoSidecars;
use pchr::image::{ImageRooms, Levels};
use pchr::scene::ViewOptions;
use pchr_tools::files::{Companions, Kind, Seen, Stamp, with_conflict};
use pchr_tools::open::{Opened, Openers};
use pchr_tools::session::{Session, is_session};

use self::beside::Beside;
use self::images::{Decoded, Order};
use self::read::ReadError;
use crate::viewer::loaded::{
    LoadDone, LoadError, LoadEvent, LoadId, Loaded, LoadedImage, Phase, Progress, RigFiles, Source,
    Wish,
};
use crate::viewer::measure;
use crate::viewer::sprites::Sprites;
use crate::viewer::start::Start;

/// Interval of progress reports, about one frame of a display.
const PROGRESS: Duration = Duration::from_millis(33);

/// Starter of loads. A newer load cancels the earlier ones.
#[derive(Debug, Default)]
pub(crate) struct Loader {
    newest: Arc<AtomicU64>,
    openers: Openers,
    /// True if images may lie outside the folder of the file that names them.
    allow_outside: bool,
}

impl Loader {
    pub(crate) fn new(openers: Openers, allow_outside: bool) -> Self {
        Self {
            openers,
            allow_outside,
            ..Self::default()
        }
    }

    pub(crate) fn openers(&self) -> Openers {
        self.openers
    }

    /// Loads on a thread and posts the results until a newer load starts. Images of a posted subject still arrive while
    /// something keeps the subject.
    pub(crate) fn start(
        &self,
        id: LoadId,
        source: Source,
        wish: Wish,
        post: impl Fn(LoadEvent) + Send + Sync + 'static,
    ) {
        self.newest.store(id.0, Ordering::Relaxed);
        let (newest, openers) = (Arc::clone(&self.newest), self.openers);
        let allow_outside = self.allow_outside;
        let post = Arc::new(post);
        let (of_thread, from) = (Arc::clone(&post), source.clone());
        let started = super::threads::start(move || {
            Job {
                id,
                content: source.clone(),
                source,
                session: None,
                wish,
                openers,
                allow_outside,
                wanted: &|| newest.load(Ordering::Relaxed) == id.0,
                post: &*of_thread,
            }
            .run();
        });
        if let Err(problem) = started {
            post(LoadEvent::Done(LoadDone {
                id,
                source: from,
                files: Vec::new(),
                result: Err(LoadError::Io(format!(
                    "{}: {}",
                    problem.title, problem.message
                ))),
            }));
        }
    }
}

/// One load.
struct Job<'a> {
    id: LoadId,
    source: Source,
    /// What is read: the source, or the file that it shows as a session.
    content: Source,
    session: Option<Session>,
    wish: Wish,
    openers: Openers,
    allow_outside: bool,
    wanted: &'a (dyn Fn() -> bool + Sync),
    post: &'a dyn Fn(LoadEvent),
}

impl Job<'_> {
    /// Loads the file of a session in place of the session.
    fn run(mut self) {
        let Some(path) = self.source.path().filter(|path| is_session(path)) else {
            return self.load(None);
        };
        match saved::read(path, &self.wish.relocated, self.wanted) {
            Ok((session, seen)) => {
                self.content = Source::File(session.file.clone());
                self.allow_outside |= session.allow_outside;
                let companions = session.shown.companions();
                let has_any = companions != Companions::default();
                if has_any {
                    self.wish.companions = companions;
                }
                if !self.wish.whole {
                    let Wish {
                        animation, frame, ..
                    } = Start::of(&session).wish();
                    (self.wish.animation, self.wish.frame) = (animation, frame);
                }
                self.session = Some(session);
                self.load(Some(seen));
            }
            Err((_, None)) => {}
            Err((files, Some(error))) => self.done(files, Err(error)),
        }
    }

    /// Loads the content. `session` is the file that names it.
    fn load(&self, session: Option<Seen>) {
        let mut told = None;
        let mut progress = |phase, done, total| {
            let now = Instant::now();
            let due = told.is_none_or(|(last, at)| {
                last != phase || now.saturating_duration_since(at) >= PROGRESS
            });
            if due && (self.wanted)() {
                told = Some((phase, now));
                let progress = Progress { phase, done, total };
                (self.post)(LoadEvent::Progress(self.id, progress));
            }
        };
        let file = self.file();
        let read = self.bytes(&mut progress);
        progress(Phase::Checking, 0, 0);
        let (bytes, mut files) = match read {
            Err(ReadError::Unwanted) => return,
            Err(ReadError::Failed(message)) => {
                let files = session.into_iter().chain(file).collect();
                return self.done(files, Err(LoadError::Io(message)));
            }
            Ok(read) => read,
        };
        files.splice(0..0, session);
        let budget = Budget::default();
        let mut rig = RigFiles::default();
        let read = match self.content.path() {
            None => (self.openers).open(Path::new(""), bytes, &mut NoSidecars, &budget),
            Some(path) => {
                let companions = &self.wish.companions;
                let mut beside = Beside::new(path, self.allow_outside, companions, self.wanted);
                let read = self.openers.open(path, bytes, &mut beside, &budget);
                let (seen, of_rig) = beside.seen();
                if !files.is_empty() {
                    files.extend(seen);
                }
                rig = of_rig;
                read
            }
        };
        match read {
            Ok(opened) => {
                let path = self.content.path().unwrap_or(Path::new(""));
                let spatial = opened.subject.spatial();
                let tracks = spatial.and_then(|spatial| spatial.numbered_tracks());
                if self.wish.skeletons {
                    rig.candidates = candidates::beside(path);
                }
                if rig.skeleton.is_none() || self.wish.skeletons {
                    candidates::order(&mut rig.candidates, path, tracks, self.wanted);
                }
                self.images((&Arc::new(opened), rig), files, &mut progress);
            }
            Err((Invalid(findings), text)) => {
                // Merge conflicts are reported as such, not as damage.
                let findings = with_conflict(findings, &text);
                self.done(files, Err(LoadError::Invalid(Invalid(findings))));
            }
        }
    }

    /// Returns the file in its current state; `None` if the source is not a file.
    fn file(&self) -> Option<Seen> {
        let path = self.content.path().filter(|path| path.as_os_str() != "-")?;
        Some(Seen {
            path: path.to_owned(),
            stamp: Stamp::of(path),
        })
    }

    /// Returns the bytes, and the files that they come from.
    fn bytes(
        &self,
        progress: &mut dyn FnMut(Phase, u64, u64),
    ) -> Result<(Cow<'static, [u8]>, Vec<Seen>), ReadError> {
        match &self.content {
            Source::Sample(bytes) => Ok((Cow::Borrowed(*bytes), Vec::new())),
            Source::File(path) => {
                let mut progress = |done, total| progress(Phase::Reading, done, total);
                let (bytes, stamp) = read::read(path, Kind::Document, self.wanted, &mut progress)?;
                let path = path.clone();
                let file = stamp.is_some().then_some(Seen { path, stamp }); // a pipe cannot be read again
                Ok((Cow::Owned(bytes), file.into_iter().collect()))
            }
        }
    }

    fn done(&self, files: Vec<Seen>, result: Result<Arc<Loaded>, LoadError>) {
        if (self.wanted)() {
            (self.post)(LoadEvent::Done(LoadDone {
                id: self.id,
                source: self.source.clone(),
                files,
                result,
            }));
        }
    }

    /// Decodes the images. Posts the subject as soon as the images of its first picture are there.
    fn images(
        &self,
        (opened, rig): (&Arc<Opened>, RigFiles),
        files: Vec<Seen>,
        progress: &mut dyn FnMut(Phase, u64, u64),
    ) {
        let subject = &*opened.subject;
        let measured = self.wish.animation(subject);
        let Order { ids, first } = Order::new(subject, measured, &self.wish);
        // Once posted, a subject lives as long as it is shown.
        let posted: OnceLock<Weak<Loaded>> = OnceLock::new();
        let wanted = || match posted.get() {
            None => (self.wanted)(),
            Some(loaded) => loaded.strong_count() > 0,
        };
        let source = opened.images();
        let rooms = ImageRooms::new(source, &Budget::default());
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            let decoded = images::decode(scope, source, &ids, (&next, &rooms), &wanted);
            let view = ViewOptions::default();
            let bounds = measure::bounds(subject, &view, measured);
            let sprites = Sprites::new(subject);
            let count = ids.len() as u64;
            let mut early: Vec<Decoded> = Vec::new();
            let mut missing = first;
            while missing > 0 {
                progress(Phase::Images, early.len() as u64, count);
                let Ok(image) = decoded.recv() else {
                    return; // it is no longer wanted
                };
                let needed = ids.iter().take(first).any(|id| *id == image.id);
                missing = missing.saturating_sub(usize::from(needed));
                early.push(image);
            }
            // One placeholder represents all images that are still loading.
            let placeholder = Arc::new(Levels::transparent());
            let mut images = Vec::new();
            images.resize(ids.len(), placeholder);
            let pending = ids.len().saturating_sub(early.len());
            early.sort_unstable_by_key(|image| image.id);
            let mut image_findings = Vec::new();
            for image in early {
                if let Some(place) = images.get_mut(image.id.index()) {
                    *place = image.levels;
                }
                image_findings.extend(image.findings);
            }
            let loaded = Arc::new(Loaded {
                source: self.source.clone(),
                session: self.session.clone(),
                opened: Arc::clone(opened),
                timelines: subject.timelines(),
                images,
                pending,
                image_findings,
                measured,
                bounds,
                rig,
                sprites,
            });
            let _ = posted.set(Arc::downgrade(&loaded));
            self.done(files, Ok(loaded));
            for image in decoded {
                if !wanted() {
                    return;
                }
                (self.post)(LoadEvent::Image(LoadedImage {
                    load: self.id,
                    image: image.id,
                    levels: image.levels,
                    findings: image.findings,
                }));
            }
        });
    }
}

/// Loads everything on this thread.
#[cfg(test)]
pub(crate) fn load(source: &Source, wanted: impl Fn() -> bool + Sync) -> Result<Loaded, LoadError> {
    let loaded = load_done(source, wanted).result?;
    Ok(Arc::into_inner(loaded).unwrap())
}

/// Loads everything on this thread. Returns what is posted at the end.
#[cfg(test)]
pub(crate) fn load_done(source: &Source, wanted: impl Fn() -> bool + Sync) -> LoadDone {
    let wish = Wish {
        whole: true,
        ..Wish::default()
    };
    load_as(source, wish, wanted)
}

/// Does the same as [`load_done`], but with the given wish.
#[cfg(test)]
fn load_as(source: &Source, wish: Wish, wanted: impl Fn() -> bool + Sync) -> LoadDone {
    let end = std::cell::RefCell::new(None);
    Job {
        id: LoadId::default(),
        source: source.clone(),
        content: source.clone(),
        session: None,
        wish,
        openers: Openers::ALL,
        allow_outside: false,
        wanted: &wanted,
        post: &|event| {
            if let LoadEvent::Done(done) = event {
                *end.borrow_mut() = Some(done);
            }
        },
    }
    .run();
    end.into_inner().unwrap()
}

#[cfg(test)]
pub(super) mod tests;
