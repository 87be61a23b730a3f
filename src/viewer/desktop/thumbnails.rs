//! Threads that draw the thumbnails of the gallery: those in sight first, then all others, for the facts about them; and one
//! that plays the file under the pointer.
//!
//! Thumbnails are kept where file managers keep theirs, so that a second visit only reads them.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use egui::ColorImage;

use pchr::image::Pixels;
use pchr_tools::open::Openers;
use pchr_tools::thumbnail::{Figure, FileVersion, Thumbnail, ThumbnailCache, reason};

use super::events;
use crate::viewer::action::{Action, GalleryAction};
use crate::viewer::gallery::{GalleryId, Sketch};

/// Threads, at most.
const THREADS: usize = 4;
/// Time between two messages of a thread to the window: with pictures in sight, and with facts alone.
const PAUSE: Duration = Duration::from_millis(40);
const LONG_PAUSE: Duration = Duration::from_millis(400);
/// Pictures per second of a file that plays, at most.
const RATE: f64 = 30.0;

/// The threads.
pub(crate) struct Thumbnails {
    shared: Arc<Shared>,
    is_started: bool,
    /// Changes when another file plays, or none.
    played: Arc<AtomicU64>,
}

struct Shared {
    openers: Openers,
    /// Folder of the thumbnails, if there is one.
    folder: Option<PathBuf>,
    post: Box<dyn Fn(Action) + Send + Sync>,
    job: Mutex<Job>,
    ready: Condvar,
}

/// Files to be drawn.
#[derive(Default)]
struct Job {
    id: GalleryId,
    side: u32,
    files: Arc<[PathBuf]>,
    /// Files in sight and near.
    first: VecDeque<usize>,
    /// The first file that was not looked at, besides those.
    next: usize,
    done: Vec<bool>,
    /// True until the states of the files are known.
    is_new: bool,
}

/// A part of the work.
enum Part {
    /// The states of all files.
    Versions(Arc<[PathBuf]>),
    /// A file, and true if its picture is wanted.
    File(usize, PathBuf, bool),
}

impl Job {
    /// Takes the next part, with the gallery and the side that it is for.
    fn take(&mut self) -> Option<(GalleryId, u32, Part)> {
        if std::mem::take(&mut self.is_new) && !self.files.is_empty() {
            return Some((self.id, self.side, Part::Versions(Arc::clone(&self.files))));
        }
        let (file, is_wanted) = match self.first.pop_front() {
            Some(file) => (file, true),
            None => {
                while self.done.get(self.next).copied().unwrap_or_default() {
                    self.next = self.next.saturating_add(1);
                }
                (self.next, false)
            }
        };
        *self.done.get_mut(file)? = true;
        let part = Part::File(file, self.files.get(file)?.clone(), is_wanted);
        Some((self.id, self.side, part))
    }
}

impl Thumbnails {
    /// Starts without files. Thumbnails are kept in `folder`.
    pub(crate) fn new(
        openers: Openers,
        folder: Option<PathBuf>,
        post: impl Fn(Action) + Send + Sync + 'static,
    ) -> Self {
        Self {
            shared: Arc::new(Shared {
                openers,
                folder,
                post: Box::new(post),
                job: Mutex::default(),
                ready: Condvar::new(),
            }),
            is_started: false,
            played: Arc::default(),
        }
    }

    /// Draws these files, `first` before the others; what is not begun of an earlier request is not done. Without files it
    /// ends all work.
    pub(crate) fn draw(
        &mut self,
        id: GalleryId,
        side: u32,
        files: Arc<[PathBuf]>,
        first: Vec<usize>,
    ) {
        let mut job = self.shared.lock();
        let first = first.into();
        match id == job.id && !files.is_empty() && !job.files.is_empty() {
            true => job.first = first,
            false => {
                let done = vec![false; files.len()];
                *job = Job { id, side, files, first, next: 0, done, is_new: true };
            }
        }
        drop(job);
        self.shared.ready.notify_all();
        if !std::mem::replace(&mut self.is_started, true) {
            let count = std::thread::available_parallelism().map_or(1, |count| count.get());
            for _ in 0..count.min(THREADS) {
                let shared = Arc::clone(&self.shared);
                if let Err(problem) = events::start(move || shared.work()) {
                    (self.shared.post)(Action::Report(problem));
                    break;
                }
            }
        }
    }

    /// Plays a file until another one plays, or none.
    pub(crate) fn play(&self, play: Option<(GalleryId, PathBuf, u32)>) {
        let ticket = self.played.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        let Some((id, path, side)) = play else { return };
        let (shared, played) = (Arc::clone(&self.shared), Arc::clone(&self.played));
        let is_wanted = move || played.load(Ordering::Relaxed) == ticket;
        let started = events::start(move || {
            // The pointer may only pass by.
            std::thread::sleep(PAUSE);
            if is_wanted() {
                shared.play(id, &path, side, &is_wanted);
            }
        });
        drop(started); // without a thread it stands still
    }
}

impl Shared {
    /// Works on the parts of all jobs, for ever.
    fn work(&self) {
        let (mut of, mut sketches) = (GalleryId::default(), Vec::new());
        let mut posted = Instant::now();
        loop {
            let part = self.lock().take();
            let (id, side, part) = part.unwrap_or_else(|| {
                self.posts(of, &mut sketches);
                self.wait()
            });
            if std::mem::replace(&mut of, id) != id {
                sketches.clear();
            }
            match part {
                Part::Versions(files) => {
                    let versions = files.iter().map(|file| FileVersion::of(file).ok()).collect();
                    (self.post)(Action::Gallery(GalleryAction::Versions(id, versions)));
                }
                Part::File(file, path, is_wanted) => {
                    sketches.push(self.sketch(file, &path, side, is_wanted));
                }
            }
            let is_awaited = sketches.iter().any(|sketch| sketch.picture.is_some());
            if posted.elapsed() >= if is_awaited { PAUSE } else { LONG_PAUSE } {
                self.posts(of, &mut sketches);
                posted = Instant::now();
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Job> {
        self.job.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self) -> (GalleryId, u32, Part) {
        let mut job = self.lock();
        loop {
            if let Some(part) = job.take() {
                return part;
            }
            job = self.ready.wait(job).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Posts what was found out, if anything was.
    fn posts(&self, id: GalleryId, sketches: &mut Vec<Sketch>) {
        if !sketches.is_empty() {
            let drawn = GalleryAction::Drawn(id, std::mem::take(sketches));
            (self.post)(Action::Gallery(drawn));
        }
    }

    fn sketch(&self, file: usize, path: &Path, side: u32, is_wanted: bool) -> Sketch {
        let version = FileVersion::of(path).map_err(|error| error.to_string());
        let drawn = version.clone().and_then(|version| self.drawn(path, version, side));
        let pictured = drawn.as_ref().ok().filter(|_| is_wanted);
        let picture = pictured.map(|drawn| image(&drawn.pixels));
        Sketch { file, version: version.ok(), facts: drawn.map(|drawn| drawn.facts), picture }
    }

    /// Returns the thumbnail of a file from the cache; else draws and keeps it.
    fn drawn(&self, path: &Path, version: FileVersion, side: u32) -> Result<Thumbnail, String> {
        let folder = self.folder.clone();
        let cache = folder.map(|folder| ThumbnailCache::new(folder, side));
        if let Some(known) = cache.as_ref().and_then(|cache| cache.get(path, version)) {
            return known;
        }
        match Figure::open(self.openers, path, side) {
            Ok(figure) => {
                let drawn = figure.thumbnail().map_err(|error| error.to_string())?;
                if let Some(cache) = &cache {
                    let _ = cache.put(path, version, &drawn); // the disk may be full
                }
                Ok(drawn)
            }
            Err(failure) => {
                let why = reason(&failure, path);
                // A file of another kind may be whole once the files beside it are there.
                let is_whole = path.extension().is_some_and(|ending| ending == "pchr");
                if let Some(cache) = cache.as_ref().filter(|_| failure.code() == 4 && is_whole) {
                    let _ = cache.put_failure(path, version, &why); // the disk may be full
                }
                Err(why)
            }
        }
    }

    /// Posts the pictures of a file while they are wanted.
    fn play(&self, id: GalleryId, path: &Path, side: u32, is_wanted: &dyn Fn() -> bool) {
        let Ok(figure) = Figure::open(self.openers, path, side) else { return };
        let Some(rate) = figure.rate() else { return };
        let start = Instant::now();
        let pause = Duration::from_secs_f64(1.0 / rate.clamp(1.0, RATE));
        while is_wanted() {
            let Ok(pixels) = figure.at(start.elapsed().as_secs_f64()) else { return };
            let picture = GalleryAction::Playing(id, path.to_owned(), image(&pixels));
            (self.post)(Action::Gallery(picture));
            std::thread::sleep(pause);
        }
    }
}

/// Returns the folder of thumbnails; on systems without a common one, that of this program.
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = match cfg!(any(windows, target_vendor = "apple")) {
        true => directories::ProjectDirs::from("", "", "pchr-view")?.cache_dir().to_owned(),
        false => directories::BaseDirs::new()?.cache_dir().to_owned(),
    };
    Some(folder.join("thumbnails"))
}

fn image(pixels: &Pixels) -> Arc<ColorImage> {
    let size = [pixels.width, pixels.height].map(|side| side as usize);
    Arc::new(ColorImage::from_rgba_unmultiplied(size, &pixels.rgba))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use pchr_tools::thumbnail::Facts;

    use super::*;
    use crate::fixture::{Builder, WHITE};

    #[test]
    fn files_are_drawn_once_and_read_from_the_cache_then() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let hat = Builder::rect(1, &[WHITE], [0.0; 2], [40.0; 2]).still("walk", true, 4);
        std::fs::write(at("hat.pchr"), hat.bytes()).unwrap();
        std::fs::write(at("cut.pchr"), &hat.bytes()[..60]).unwrap();
        let files: Arc<[PathBuf]> = ["hat.pchr", "cut.pchr", "gone.pchr"].map(at).into();
        let cache = folder.path().join("thumbnails");
        let draw = |id| {
            let (sender, actions) = mpsc::channel();
            let post = move |action| drop(sender.send(action));
            let mut threads = Thumbnails::new(Openers::ALL, Some(cache.clone()), post);
            threads.draw(GalleryId(id), 128, Arc::clone(&files), vec![0]);
            let mut sketches: Vec<Sketch> = Vec::new();
            while sketches.len() < 3 {
                match actions.recv_timeout(Duration::from_secs(60)).unwrap() {
                    Action::Gallery(GalleryAction::Drawn(of, drawn)) => {
                        assert_eq!(of, GalleryId(id));
                        sketches.extend(drawn);
                    }
                    Action::Gallery(GalleryAction::Versions(_, versions)) => {
                        let known: Vec<bool> = versions.iter().map(Option::is_some).collect();
                        assert_eq!(known, [true, true, false]);
                    }
                    other => panic!("{other:?}"),
                }
            }
            sketches.sort_by_key(|sketch| sketch.file);
            sketches
        };
        let first = draw(1);
        let facts = Facts { kind: "PCHR characters".into(), bones: 1, warnings: 0 };
        assert_eq!(first[0].facts, Ok(facts));
        let picture = first[0].picture.as_ref().unwrap();
        let middle = picture.pixels[64 * 128 + 64];
        assert_eq!((picture.size, middle), ([128, 128], egui::Color32::WHITE));
        let why = first[1].facts.as_ref().unwrap_err();
        assert!(why.starts_with("PCHR-E") && first[2].facts.is_err(), "{why}");
        let count = |part: &str| std::fs::read_dir(cache.join(part)).unwrap().count();
        assert_eq!((count("normal"), count("fail")), (1, 1));
        // The picture comes from the cache: the file is another one now, of the same age and size.
        let metadata = std::fs::metadata(at("hat.pchr")).unwrap();
        let noise = vec![7; hat.bytes().len()];
        std::fs::write(at("hat.pchr"), noise).unwrap();
        let file = std::fs::File::options().write(true).open(at("hat.pchr")).unwrap();
        file.set_modified(metadata.modified().unwrap()).unwrap();
        assert_eq!(draw(2), first);
    }
}
