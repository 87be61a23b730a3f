//! Reads a file and decodes its images on a thread of its own; what comes of it is posted back.
//!
//! ```text
//! bytes ──check──► Document ──► owners, bind pose, bounds ─┬─► Done: all that the first picture needs
//!   └ progress        └──► images, those of the first picture first ─┴─► Image, one by one
//! ```
//!
//! A JSON file names image files, which are read with it. What opening costs with the file's size is paid here: the window's thread does not wait for it.

mod beside;
mod images;
mod read;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::thread;
use std::time::{Duration, Instant};

use self::beside::Beside;
use self::images::{Decoded, Order};
use self::read::ReadError;
use super::measure;
use super::stamp::Seen;
use crate::bytes::Budget;
use crate::character::Character;
use crate::document::{AnimationId, Document, ImageId};
use crate::files::{Kind, with_conflict};
use crate::finding::{Finding, Invalid};
use crate::format::{NoSidecars, Origin, read_source};
use crate::image::{ImageRooms, Levels};
use crate::playback::Timeline;
use crate::pose::{BindChoice, BindPose, default_animation, timelines};
use crate::scene::{Bounds, ViewOptions};
use crate::text::visible;

/// Progress is told about as often as a display shows it.
const PROGRESS: Duration = Duration::from_millis(33);

/// Where a document comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The sample that the program carries.
    Sample(&'static [u8]),
    /// A file; `-` is the standard input.
    File(PathBuf),
}

impl Source {
    /// What it is called in the window.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Sample(_) => "Sample".into(),
            Self::File(path) if path.as_os_str() == "-" => "standard input".into(),
            Self::File(path) => {
                let name = path.file_name().unwrap_or(path.as_os_str());
                visible(&name.to_string_lossy()).into_owned()
            }
        }
    }

    /// The file's path, if it is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Sample(_) => None,
            Self::File(path) => Some(path),
        }
    }
}

/// Tells the loads of a session apart; later ones are larger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LoadId(pub u64);

/// What will be shown first, as far as it is known: its images are decoded before all others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wish {
    /// Name or index; else the animation that is shown by default.
    pub animation: Option<String>,
    pub frame: u16,
    /// All images are wanted at once: nothing of what is on show may be missing for a moment.
    pub whole: bool,
}

impl Wish {
    /// The animation that will be shown first, as far as it can be known here.
    fn animation(&self, document: &Document, bind: &BindPose) -> Option<AnimationId> {
        let asked = self.animation.as_deref();
        asked
            .and_then(|text| measure::find_animation(document, text))
            .or_else(|| default_animation(document, bind))
    }
}

/// A character with what showing it needs.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub source: Source,
    /// With the bind pose that is found when nothing else is chosen.
    pub character: Character,
    /// One per animation.
    pub timelines: Vec<Timeline>,
    /// One an image, premultiplied; a placeholder for one that does not decode, and a transparent one for each that
    /// comes later.
    pub images: Vec<Arc<Levels>>,
    /// How many images come later.
    pub pending: usize,
    /// What was found while decoding, in image order.
    pub image_findings: Vec<Finding>,
    /// The animation that is expected to be shown first, and what it covers.
    pub measured: Option<AnimationId>,
    pub bounds: Option<Bounds>,
}

/// Why there is no document.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum LoadError {
    /// The file cannot be read.
    #[error("{0}")]
    Io(String),
    /// It is no valid file.
    #[error(transparent)]
    Invalid(#[from] Invalid),
}

/// The end of a load, but for images that are not needed yet.
#[derive(Clone, Debug)]
pub(crate) struct LoadDone {
    pub id: LoadId,
    pub source: Source,
    /// The files whose state decides about the result: the document's first, then those that it names, there or not.
    /// Empty if the document comes from no file that could be read.
    pub files: Vec<Seen>,
    pub result: Result<Arc<Loaded>, LoadError>,
}

/// Ends of the same load are equal.
impl PartialEq for LoadDone {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.source == other.source
    }
}

/// An image that came after its document.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LoadedImage {
    pub load: LoadId,
    pub image: ImageId,
    pub levels: Arc<Levels>,
    pub findings: Vec<Finding>,
}

/// How far a load is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    pub phase: Phase,
    /// Bytes or images.
    pub done: u64,
    /// 0 where it is not known.
    pub total: u64,
}

/// What a load is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Reading,
    Checking,
    Images,
}

impl Progress {
    /// 0..1 of its phase, where that is known.
    pub(crate) fn fraction(&self) -> Option<f32> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            reason = "a bar is some hundred pixels long"
        )]
        let fraction = (self.done as f64 / self.total as f64) as f32;
        (self.total > 0).then_some(fraction.clamp(0.0, 1.0))
    }
}

/// What a load has to say.
#[derive(Clone, Debug)]
pub(crate) enum LoadEvent {
    Progress(LoadId, Progress),
    Done(LoadDone),
    Image(LoadedImage),
}

/// Starts loads; a newer one makes those before it give up.
#[derive(Debug, Default)]
pub(crate) struct Loader {
    newest: Arc<AtomicU64>,
    /// Whether image files are read that lie outside of the folder of the file that names them.
    allow_outside: bool,
}

impl Loader {
    pub(crate) fn new(allow_outside: bool) -> Self {
        Self {
            allow_outside,
            ..Self::default()
        }
    }

    /// Loads on a thread and posts what comes of it, until a newer load is started. The images of a document that was
    /// posted still come, as long as someone keeps it.
    pub(crate) fn start(
        &self,
        id: LoadId,
        source: Source,
        wish: Wish,
        post: impl Fn(LoadEvent) + Send + Sync + 'static,
    ) {
        self.newest.store(id.0, Ordering::Relaxed);
        let (newest, allow_outside) = (Arc::clone(&self.newest), self.allow_outside);
        let post = Arc::new(post);
        let (of_thread, from) = (Arc::clone(&post), source.clone());
        let started = super::threads::start(move || {
            Job {
                id,
                source,
                wish,
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
    wish: Wish,
    allow_outside: bool,
    wanted: &'a (dyn Fn() -> bool + Sync),
    post: &'a dyn Fn(LoadEvent),
}

impl Job<'_> {
    fn run(&self) {
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
        let read = self.bytes(&mut progress);
        progress(Phase::Checking, 0, 0);
        let (bytes, mut files) = match read {
            Err(ReadError::Unwanted) => return,
            Err(ReadError::Failed(message)) => {
                return self.done(Vec::new(), Err(LoadError::Io(message)));
            }
            Ok(read) => read,
        };
        let budget = Budget::default();
        let read = match self.source.path() {
            None => read_source(bytes, &mut NoSidecars, &budget),
            Some(path) => {
                let mut beside = Beside::new(path, self.allow_outside, self.wanted);
                let read = read_source(bytes, &mut beside, &budget);
                if !files.is_empty() {
                    files.extend(beside.seen());
                }
                read
            }
        };
        match read {
            Ok((document, origin)) => {
                self.images(document, &origin, files, &mut progress);
            }
            Err((Invalid(findings), text)) => {
                // A text that a merge left in two halves is told from one that is damaged.
                let findings = with_conflict(findings, &text);
                self.done(files, Err(LoadError::Invalid(Invalid(findings))));
            }
        }
    }

    /// The bytes, and the file that they come from if it is one.
    fn bytes(
        &self,
        progress: &mut dyn FnMut(Phase, u64, u64),
    ) -> Result<(Cow<'static, [u8]>, Vec<Seen>), ReadError> {
        match &self.source {
            Source::Sample(bytes) => Ok((Cow::Borrowed(*bytes), Vec::new())),
            Source::File(path) => {
                let mut progress = |done, total| progress(Phase::Reading, done, total);
                let (bytes, stamp) = read::read(path, Kind::Document, self.wanted, &mut progress)?;
                let path = path.clone();
                let is_file = path.as_os_str() != "-";
                let file = is_file.then_some(Seen { path, stamp });
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

    /// Decodes the images, and posts the document as soon as those are there that its first picture needs.
    fn images(
        &self,
        document: Document,
        origin: &Origin,
        files: Vec<Seen>,
        progress: &mut dyn FnMut(Phase, u64, u64),
    ) {
        let character = Character::new(document, BindChoice::Auto);
        let document = character.document();
        let measured = self.wish.animation(document, character.bind());
        let Order { ids, first } = Order::new(&character, measured, &self.wish);
        // After it was posted a document lives as long as someone shows it.
        let posted: OnceLock<Weak<Loaded>> = OnceLock::new();
        let wanted = || match posted.get() {
            None => (self.wanted)(),
            Some(loaded) => loaded.strong_count() > 0,
        };
        let source = origin.images(document);
        let rooms = ImageRooms::new(&source, &Budget::default());
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            let decoded = images::decode(scope, &source, &ids, (&next, &rooms), &wanted);
            let view = ViewOptions::default();
            let bounds = measure::bounds(&character, &view, measured);
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
            // One placeholder stands for all that are still to come.
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
                character: character.clone(),
                timelines: timelines(document),
                images,
                pending,
                image_findings,
                measured,
                bounds,
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

/// Loads all of it on this thread.
#[cfg(test)]
pub(crate) fn load(source: &Source, wanted: impl Fn() -> bool + Sync) -> Result<Loaded, LoadError> {
    let loaded = load_done(source, wanted).result?;
    Ok(Arc::into_inner(loaded).unwrap())
}

/// Loads all of it on this thread; what is posted at the end.
#[cfg(test)]
pub(crate) fn load_done(source: &Source, wanted: impl Fn() -> bool + Sync) -> LoadDone {
    let end = std::cell::RefCell::new(None);
    Job {
        id: LoadId::default(),
        source: source.clone(),
        wish: Wish {
            whole: true,
            ..Wish::default()
        },
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
mod tests;
