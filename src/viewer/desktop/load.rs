//! Loading of files on a thread: reading, and the skeletons that a motion may have.

mod reading;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::thread;
use std::time::{Duration, Instant};

use pchr::bytes::Budget;
use pchr::finding::Invalid;
use pchr::format::NoSidecars;
use pchr::image::{ImageRooms, Levels};
use pchr::scene::ViewOptions;
use pchr_foreign::format::pxd;
use pchr_tools::files::{Companions, Kind, Seen, Stamp, is_cut_off, with_conflict};
use pchr_tools::git;
use pchr_tools::open::{Opened, Openers, skeletons_beside};
use pchr_tools::session::{FolderLook, Session, is_session};
use pchr_tools::stage::Layout;

use self::reading::{Beside, SwappedImages, image_order, read, read_or_why};
use crate::viewer::action::FileAction;
use crate::viewer::command_line::Start;
use crate::viewer::loaded::{
    Candidate, LoadDone, LoadError, LoadId, Loaded, LoadedImage, Phase, Progress, RigFiles, Source,
    Wish, is_input,
};
use crate::viewer::model;
use crate::viewer::sprites::SpriteList;

/// Interval of progress reports, about one frame of a display.
const PROGRESS: Duration = Duration::from_millis(33);

/// Starter of loads. A newer load cancels the earlier ones.
#[derive(Debug, Default)]
pub(crate) struct Loader {
    newest: Arc<AtomicU64>,
    pub(super) openers: Openers,
    /// True if images may lie outside the folder of the file that names them.
    pub(super) allow_outside: bool,
}

impl Loader {
    pub(crate) fn new(openers: Openers, allow_outside: bool) -> Self {
        Self { openers, allow_outside, ..Self::default() }
    }

    /// Loads on a thread and posts the results until a newer load starts. Images of a posted subject still arrive while
    /// something keeps the subject.
    pub(crate) fn start(
        &self,
        id: LoadId,
        source: Source,
        wish: Wish,
        post: impl Fn(FileAction) + Send + Sync + 'static,
    ) {
        self.newest.store(id.0, Ordering::Relaxed);
        let (newest, openers) = (Arc::clone(&self.newest), self.openers);
        let allow_outside = self.allow_outside;
        let post = Arc::new(post);
        let (of_thread, from) = (Arc::clone(&post), source.clone());
        let started = super::events::start(move || {
            LoadJob {
                id,
                content: source.clone(),
                source,
                session: None,
                folder: None,
                wish,
                staged: None,
                on_disk: None,
                is_relocated: false,
                openers,
                allow_outside,
                wanted: &|| newest.load(Ordering::Relaxed) == id.0,
                post: &*of_thread,
            }
            .run();
        });
        if let Err(problem) = started {
            post(FileAction::Loaded(LoadDone {
                id,
                source: from,
                files: Vec::new(),
                result: Err(LoadError::Io(format!("{}: {}", problem.title, problem.message))),
            }));
        }
    }
}

/// A stage that was changed in the window, and the index of its first character without a place.
type StagedLayout = (Layout, usize);

/// One load.
struct LoadJob<'a> {
    id: LoadId,
    source: Source,
    /// What is read: the source, or the file that it shows as a session.
    content: Source,
    session: Option<Session>,
    /// Look of the folder of a file that is no session.
    folder: Option<(FolderLook, Seen)>,
    wish: Wish,
    staged: Option<StagedLayout>,
    /// The session of a stage as its file has it.
    on_disk: Option<Session>,
    /// True if files of the session were found elsewhere.
    is_relocated: bool,
    openers: Openers,
    allow_outside: bool,
    wanted: &'a (dyn Fn() -> bool + Sync),
    post: &'a dyn Fn(FileAction),
}

impl LoadJob<'_> {
    /// Loads the file of a session in place of the session.
    fn run(mut self) {
        let Some(path) = self.source.path().filter(|path| is_session(path)) else {
            let path = self.source.path().filter(|path| !is_input(path));
            let read = |path: &Path| read_text(path, self.wanted);
            self.folder = path.and_then(|path| FolderLook::of(path, read)).map(|(look, stamp)| {
                let seen = Seen { path: look.path.clone(), stamp };
                (look, seen)
            });
            return self.load(None);
        };
        let read = read_session(path, &self.wish.relocated, self.wanted);
        let read = match self.wish.staged.take() {
            Some(staged) => {
                self.staged = Some((staged.layout, staged.unplaced));
                self.on_disk = read.ok().map(|(session, ..)| session);
                Ok((staged.session, seen(path), false))
            }
            None => read,
        };
        match read {
            Ok((session, seen, is_relocated)) => {
                self.is_relocated = is_relocated;
                self.content = Source::File(session.file.clone());
                self.allow_outside |= session.reads_outside();
                let is_stage = session.stage.is_some();
                let companions = session.shown.companions();
                if companions != Companions::default() {
                    self.wish.companions = companions;
                }
                if !self.wish.whole {
                    let Wish { animation, frame, .. } = Start::of(&session).wish();
                    (self.wish.animation, self.wish.frame) = (animation, frame);
                }
                self.wish.images.get_or_insert_with(|| session.shown.image.clone());
                if self.staged.is_none() && is_stage {
                    self.on_disk = Some(session.clone());
                }
                self.session = Some(session);
                self.load((!is_stage).then_some(seen)); // a stage is its own content
            }
            Err((files, error)) => self.done(files, Err(error)),
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
                (self.post)(FileAction::Loading(self.id, progress));
            }
        };
        let file = self.content.path().filter(|path| !is_input(path)).map(seen);
        let read = self.bytes(&mut progress);
        progress(Phase::Checking, 0, 0);
        let (bytes, mut files) = match read {
            Err(message) => {
                let files = session.into_iter().chain(file).collect();
                return self.done(files, Err(LoadError::Io(message)));
            }
            Ok(read) => read,
        };
        files.splice(0..0, session);
        if let Some((_, seen)) = self.folder.as_ref().filter(|_| !files.is_empty()) {
            files.push(seen.clone());
        }
        let budget = Budget::default();
        let mut rig = RigFiles::default();
        let read = match self.content.path() {
            None => self.openers.open(Path::new(""), bytes, &mut NoSidecars, &budget),
            Some(path) => {
                let companions = &self.wish.companions;
                let mut beside = Beside::new(path, self.allow_outside, companions, self.wanted);
                let read = self.openers.open_leniently(path, bytes, &mut beside, &budget);
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
                let layout = self.session.as_ref().and_then(|it| it.stage.clone());
                let relocated = layout.clone().filter(|_| self.is_relocated);
                let relocated = relocated.map(|layout| (layout, usize::MAX)); // all have places
                let (opened, layout) = match self.staged.clone().or(relocated) {
                    Some(staged) => {
                        let (opened, layout) = reading::lined_up(opened, &staged);
                        (opened, Some(layout))
                    }
                    None => (opened, layout),
                };
                let path = self.content.path().unwrap_or(Path::new(""));
                let spatial = opened.subject.spatial();
                let tracks = spatial.and_then(|spatial| spatial.numbered_tracks());
                if self.wish.skeletons {
                    rig.candidates = beside(path);
                }
                if rig.skeleton.is_none() || self.wish.skeletons {
                    order(&mut rig.candidates, path, tracks, self.wanted);
                }
                let asked = self.wish.images.as_deref().unwrap_or_default();
                let swapped = SwappedImages::read(opened.images(), asked, self.wanted);
                if !files.is_empty() {
                    files.extend(swapped.seen.iter().cloned());
                }
                self.images((&Arc::new(opened), rig, layout), swapped, files, &mut progress);
            }
            Err((Invalid(findings), text)) => {
                // Merge conflicts are reported as such, not as damage.
                let is_cut_off = is_cut_off(&findings, &text);
                let invalid = Invalid(with_conflict(findings, &text));
                let error = match is_cut_off {
                    true => LoadError::CutOff(invalid),
                    false => LoadError::Invalid(invalid),
                };
                self.done(files, Err(error));
            }
        }
    }

    /// Returns the bytes, and the files that they come from.
    fn bytes(
        &self,
        progress: &mut dyn FnMut(Phase, u64, u64),
    ) -> Result<(Cow<'static, [u8]>, Vec<Seen>), String> {
        match &self.content {
            Source::File(path) if self.staged.is_some() => {
                let text = self.stage_text().unwrap_or_default();
                Ok((Cow::Owned(text), vec![seen(path)]))
            }
            Source::Sample(bytes) => Ok((Cow::Borrowed(*bytes), Vec::new())),
            Source::Committed(path) => {
                let bytes = git::version(path, "HEAD")?;
                Ok((Cow::Owned(bytes), Vec::new())) // a commit does not change
            }
            Source::File(path) => {
                let mut progress = |done, total| progress(Phase::Reading, done, total);
                let read = read(path, Kind::Document, self.wanted, &mut progress);
                let (bytes, stamp) = read.map_err(|error| error.to_string())?;
                let path = path.clone();
                let file = stamp.is_some().then_some(Seen { path, stamp }); // a pipe cannot be read again
                let moved = self.stage_text().filter(|_| self.is_relocated);
                Ok((Cow::Owned(moved.unwrap_or(bytes)), file.into_iter().collect()))
            }
        }
    }

    /// Returns the text of a stage with the layout of the window, or with the places of files that the user found; `None` for a session
    /// of a file.
    fn stage_text(&self) -> Option<Vec<u8>> {
        let session = self.session.as_ref()?;
        let stage = session.stage.as_ref()?;
        let layout = self.staged.as_ref().map_or(stage, |(layout, _)| layout);
        let session = Session { stage: Some(layout.clone()), ..session.clone() };
        let text = session.text(session.file.parent().unwrap_or(Path::new("")));
        text.ok().map(String::into_bytes)
    }

    fn done(&self, files: Vec<Seen>, result: Result<Arc<Loaded>, LoadError>) {
        if (self.wanted)() {
            (self.post)(FileAction::Loaded(LoadDone {
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
        (opened, rig, layout): (&Arc<Opened>, RigFiles, Option<Layout>),
        swapped: SwappedImages,
        files: Vec<Seen>,
        progress: &mut dyn FnMut(Phase, u64, u64),
    ) {
        let subject = &*opened.subject;
        let shown = self.wish.animation(subject);
        let (ids, first) =
            image_order(subject, shown, &self.wish, |id| swapped.images.contains_key(&id));
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
            let decoded = reading::decode(scope, source, (self.id, &ids), (&next, &rooms), &wanted);
            let view = ViewOptions::default();
            let sprites = SpriteList::new(subject).map(Arc::new);
            let is_fitted_whole = sprites.is_none() && subject.spatial().is_none();
            let bounds = is_fitted_whole.then(|| model::bounds_of_all(subject, &view)).flatten();
            let count = ids.len() as u64;
            let mut early: Vec<LoadedImage> = Vec::new();
            let mut missing = first;
            while missing > 0 {
                progress(Phase::Images, early.len() as u64, count);
                let Ok(image) = decoded.recv() else {
                    return; // it is no longer wanted
                };
                let needed = ids.iter().take(first).any(|id| *id == image.image);
                missing = missing.saturating_sub(usize::from(needed));
                early.push(image);
            }
            // One placeholder represents all images that are still loading.
            let placeholder = Arc::new(Levels::transparent());
            let mut images = vec![placeholder; source.image_count()];
            for (id, levels) in swapped.images {
                if let Some(place) = images.get_mut(id.index()) {
                    *place = levels;
                }
            }
            let pending = ids.len().saturating_sub(early.len());
            early.sort_unstable_by_key(|image| image.image);
            let mut image_findings = Vec::new();
            for image in early {
                if let Some(place) = images.get_mut(image.image.index()) {
                    *place = image.levels;
                }
                image_findings.extend(image.findings);
            }
            let loaded = Arc::new(Loaded {
                source: self.source.clone(),
                session: self.session.clone(),
                layout,
                is_draft: self.staged.is_some(),
                on_disk: self.on_disk.clone(),
                folder_look: self.folder.as_ref().map(|(look, _)| look.clone()),
                figures: None,
                opened: Arc::clone(opened),
                timelines: subject.timelines(),
                images,
                pending,
                image_findings,
                swaps: swapped.swaps,
                swapped: swapped.files,
                unread: swapped.unread,
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
                (self.post)(FileAction::LoadedImage(image));
            }
        });
    }
}

/// Returns a file in its current state.
fn seen(path: &Path) -> Seen {
    Seen { path: path.to_owned(), stamp: Stamp::of(path) }
}

/// Reads a text. Returns it, or why there is none, and its stamp in both cases.
fn read_text(path: &Path, wanted: &dyn Fn() -> bool) -> (Result<String, String>, Option<Stamp>) {
    let (text, stamp) = read_or_why(path, Kind::Text, wanted);
    let not_utf8 = |_| "not UTF-8 text; save the file as UTF-8".to_owned();
    (text.and_then(|text| String::from_utf8(text).map_err(not_utf8)), stamp)
}

/// The files that a session could not be read for, and why.
type SessionFailure = (Vec<Seen>, LoadError);

/// Reads a session and finds its files. `relocated` has files that the user found elsewhere: missing ones, and their places. Returns
/// true if the session has such files.
fn read_session(
    path: &Path,
    relocated: &[(PathBuf, PathBuf)],
    wanted: &dyn Fn() -> bool,
) -> Result<(Session, Seen, bool), SessionFailure> {
    let (text, stamp) = read_text(path, wanted);
    let session = text.and_then(|text| Session::parse(&text, path).map_err(|e| e.to_string()));
    let written = session.map_err(|why| (vec![seen(path)], LoadError::Io(why)))?;
    let seen = Seen { path: path.to_owned(), stamp };
    let mut session = written.clone();
    for (missing, found) in relocated {
        session.relocate(missing, found);
    }
    match session.missing() {
        missing if missing.is_empty() => {
            let is_relocated = session != written;
            Ok((session, seen, is_relocated))
        }
        missing => {
            let gone = missing.iter().cloned();
            let gone = gone.map(|path| Seen { path, stamp: None });
            let files = [seen].into_iter().chain(gone).collect();
            Err((files, LoadError::Missing(missing)))
        }
    }
}

/// Maximum number of files that are read: a motion does not wait for a whole library.
const MOST_READ: usize = 24;

/// Returns the skeletons beside a motion, by name, with their bones not yet counted.
pub(super) fn beside(motion: &Path) -> Vec<Candidate> {
    let unread = |path| Candidate { path, bones: None };
    let found = skeletons_beside(motion).unwrap_or_default();
    found.into_iter().map(unread).collect()
}

/// Counts the bones of a skeleton, unless it cannot be read.
pub(super) fn bones(path: &Path, wanted: &(dyn Fn() -> bool + Sync)) -> Option<usize> {
    let file = read(path, Kind::Document, wanted, &mut |_, _| ());
    let (bytes, _) = file.ok()?;
    let (skeleton, _) = pxd::read_skeleton(&bytes).ok()?;
    Some(skeleton.bones().len())
}

/// Counts the bones of the candidates for the motion at `path`, as long as that is `wanted`, and puts first the one with a bone for
/// each of its `tracks`, if it numbers them; among alike ones, the one that shares most of the motion's name. Removes those that cannot
/// be read.
pub(super) fn order(
    candidates: &mut Vec<Candidate>,
    path: &Path,
    tracks: Option<usize>,
    wanted: &(dyn Fn() -> bool + Sync),
) {
    let mut left = MOST_READ;
    candidates.retain_mut(|candidate| {
        if candidate.bones.is_none() && left > 0 {
            left = left.saturating_sub(1);
            candidate.bones = bones(&candidate.path, wanted);
            return candidate.bones.is_some();
        }
        true
    });
    let motion = name(path);
    // They are already sorted by name.
    candidates.sort_by_cached_key(|candidate| {
        let off = candidate.bones.zip(tracks);
        let off = off.map(|(bones, tracks)| bones.abs_diff(tracks));
        let own = name(&candidate.path);
        let shared = own.chars().zip(motion.chars());
        let shared = shared.take_while(|(a, b)| a == b).count();
        (off.unwrap_or(usize::MAX), std::cmp::Reverse(shared))
    });
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().to_lowercase()
}

#[cfg(test)]
pub(super) mod tests;
