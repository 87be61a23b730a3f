//! Makes the file of an export: in a temporary folder, on another thread, until it is given its name and place.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use pchr::image::Pixels;
use pchr_tools::cli::Failure;
use pchr_tools::cli::pchr_view::{ExportJob, Follow};
use pchr_tools::file_name;
use pchr_tools::open::Openers;
use pchr_tools::session::Session;

use super::events;
use crate::viewer::action::{Action, ExportAction, ExportEvent};
use crate::viewer::command_line;
use crate::viewer::export_choices::{ExportChoices, ExportDone, ExportFormat, ExportView};
use crate::viewer::problem::Problem;

/// Time before work begins, in which the next choice may come.
const SETTLING: Duration = Duration::from_millis(120);
/// Time between two reports of progress.
const PACE: Duration = Duration::from_millis(50);
/// Memory of the pictures that are reported, at most.
const MOST_BYTES: usize = 64 << 20;
/// Longest side of pictures that are reported: that of textures on every adapter.
const MOST_SIDE: u32 = 2048;
/// Names that are tried.
const MOST_NAMES: u32 = 10_000;

/// An export to make.
pub(super) struct ExportRequest {
    pub(super) id: u64,
    pub(super) view: ExportView,
    pub(super) source: ExportSource,
    pub(super) format: ExportFormat,
    pub(super) choices: ExportChoices,
    /// Folder that it is for.
    pub(super) folder: PathBuf,
    pub(super) openers: Openers,
}

/// The file that is exported.
pub(super) enum ExportSource {
    /// A file, and true if its images may lie outside its folder.
    File(PathBuf, bool),
    /// The built-in sample.
    Sample(&'static [u8]),
    /// A stage as it is now.
    Stage(Box<Session>),
}

/// An export that is being made, or is made.
pub(super) struct ExportRun {
    stop: Arc<AtomicBool>,
    made: Arc<Mutex<Option<Arc<MadeExport>>>>,
    thread: Option<JoinHandle<()>>,
}

/// A file that is made, or a folder with files.
pub(super) struct MadeExport {
    /// The folder that it lies in, which is removed with this value.
    temporary: TempDir,
    files: Vec<PathBuf>,
    /// Folder that it is for, and its name there.
    folder: PathBuf,
    base: PathBuf,
    /// The command that makes it; `None` for the sample and for a stage, which may not be saved.
    pub(super) words: Option<Vec<String>>,
}

impl Drop for ExportRun {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl ExportRun {
    /// Starts to make it, once the thread of an earlier one has ended. `post` sends actions to the state.
    pub(super) fn start(
        request: ExportRequest,
        after: Option<JoinHandle<()>>,
        post: impl Fn(Action) + Clone + Send + Sync + 'static,
    ) -> Self {
        let (stop, made) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(None)));
        let mut run = Self { stop: Arc::clone(&stop), made: Arc::clone(&made), thread: None };
        let id = request.id;
        let send = move |event| post(Action::Export(ExportAction::Event(id, event)));
        let failed = send.clone();
        let started = events::start(move || {
            if let Some(after) = after {
                drop(after.join());
            }
            std::thread::sleep(SETTLING);
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let result = make(request, &stop, &send).map(|(done, export)| {
                *made.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(export));
                done
            });
            if !stop.load(Ordering::Relaxed) {
                send(ExportEvent::Done(result));
            }
        });
        match started {
            Ok(thread) => run.thread = Some(thread),
            Err(problem) => failed(ExportEvent::Done(Err(problem))),
        }
        run
    }

    /// Stops. Returns the thread, which ends as soon as the temporary files are gone.
    pub(super) fn stop(mut self) -> Option<JoinHandle<()>> {
        self.thread.take() // dropping the rest stops it
    }

    pub(super) fn made(&self) -> Option<Arc<MadeExport>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Makes the file, and makes it smaller as long as it is larger than it may be.
fn make(
    request: ExportRequest,
    stop: &AtomicBool,
    send: &(dyn Fn(ExportEvent) + Sync),
) -> Result<(ExportDone, MadeExport), Problem> {
    let ExportRequest { view, source, format, mut choices, folder, openers, .. } = request;
    let title = "This cannot be exported";
    let failed = |error: io::Error| Problem::new(title, error.to_string());
    let temporary = tempfile::tempdir().map_err(failed)?;
    let base = free(&view, format, &choices, &folder).map_err(failed)?;
    send(ExportEvent::Named(folder.join(&base)));
    let (file, allow_outside) = match &source {
        ExportSource::File(file, allow_outside) => (file.clone(), *allow_outside),
        ExportSource::Sample(bytes) => {
            let file = temporary.path().join("sample.pchr");
            fs::write(&file, bytes).map_err(failed)?;
            (file, false)
        }
        ExportSource::Stage(session) => {
            let file = temporary.path().join("stage.pchr-view.toml");
            let text = session.text(temporary.path()).map_err(failed)?;
            fs::write(&file, text).map_err(failed)?;
            (file, false)
        }
    };
    let out = temporary.path().join("out");
    loop {
        fs::create_dir_all(&out).map_err(failed)?;
        let words = |path: &Path| {
            let output = view.output(format, &choices, path);
            let mut words = command_line::capture_words(&file, allow_outside, output);
            words.extend(view.words(format, &choices));
            words
        };
        let job = ExportJob::parse(&words(&out.join(&base)), openers);
        let exported = job.and_then(|job| follow(&job, (&out, format.is_video()), stop, send));
        let exported = exported.map_err(|failure| {
            let folder = format!("{}{}", out.display(), std::path::MAIN_SEPARATOR);
            Problem::new(title, failure.to_string().replace(&folder, ""))
        })?;
        let bytes = exported.files.iter().map(|file| fs::metadata(file).map_or(0, |it| it.len()));
        let bytes = bytes.sum();
        let is_large = choices.max_bytes.is_some_and(|most| bytes > most);
        let lowered = choices.lowered(bytes, exported.rate).filter(|_| is_large);
        if let Some(lowered) = lowered {
            choices = lowered;
            send(ExportEvent::Again(lowered));
            fs::remove_dir_all(&out).map_err(failed)?;
            continue;
        }
        let is_file = matches!(source, ExportSource::File(..));
        let words = is_file.then(|| words(&base));
        let (files, count) = (exported.files, exported.pictures);
        let done = ExportDone { pictures: count, rate: exported.rate, bytes, files: files.len() };
        return Ok((done, MadeExport { temporary, files, folder, base, words }));
    }
}

/// Runs a job, and reports progress and pictures.
fn follow(
    job: &ExportJob,
    (out, is_video): (&Path, bool),
    stop: &AtomicBool,
    send: &(dyn Fn(ExportEvent) + Sync),
) -> Result<pchr_tools::cli::pchr_view::Exported, Failure> {
    let reported = Mutex::new(Instant::now());
    let held = AtomicUsize::new(0);
    let shown = AtomicUsize::new(0);
    let drawn = |[drawn, all, pictures]: [usize; 3]| {
        let mut reported = reported.lock().unwrap_or_else(PoisonError::into_inner);
        if reported.elapsed() >= PACE {
            *reported = Instant::now();
            let shown = shown.load(Ordering::Relaxed) as u64;
            let bytes = bytes_in(out).saturating_mul(pictures as u64);
            let about = bytes.checked_div(shown).filter(|about| *about > 0 && !is_video);
            send(ExportEvent::Progress([drawn, all], about));
        }
    };
    let picture = |number: usize, pixels: Pixels| {
        shown.fetch_add(1, Ordering::Relaxed);
        let size = [pixels.width, pixels.height];
        let pixels = reduced(pixels);
        let bytes = pixels.rgba.len();
        if held.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes) <= MOST_BYTES {
            send(ExportEvent::Picture(number, Arc::new(pixels), size));
        }
    };
    job.run(&Follow { drawn: &drawn, picture: &picture, stop })
}

/// Returns a picture that no side of is longer than [`MOST_SIDE`]: every second pixel of it, or every third.
fn reduced(pixels: Pixels) -> Pixels {
    let side = pixels.width.max(pixels.height).div_ceil(MOST_SIDE).max(1);
    let step = side as usize;
    if step == 1 {
        return pixels;
    }
    let rows = pixels.rgba.as_chunks::<4>().0.chunks_exact(pixels.width.max(1) as usize);
    let rgba = rows.step_by(step).flat_map(|row| row.iter().step_by(step)).flatten().copied();
    let [width, height] = [pixels.width, pixels.height].map(|length| length.div_ceil(side));
    Pixels { width, height, rgba: rgba.collect() }
}

fn bytes_in(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.filter_map(|entry| entry.metadata().ok());
    sizes.map(|entry| if entry.is_file() { entry.len() } else { 0 }).sum()
}

/// Returns a name that is not taken in a folder.
fn free(
    view: &ExportView,
    format: ExportFormat,
    choices: &ExportChoices,
    folder: &Path,
) -> io::Result<PathBuf> {
    let mut names = (1..=MOST_NAMES).map(|number| view.base(format, choices, number));
    let is_taken = |path: &Path| path.symlink_metadata().is_ok();
    let is_free = |base: &PathBuf| {
        let path = folder.join(base);
        // An atlas has its pages beside it.
        let stem = file_name::stem(base);
        let pages = ["", "_0"].map(|page| folder.join(format!("{stem}{page}.png")));
        let pages = pages.iter().filter(|_| format.is_atlas());
        pages.chain([&path]).all(|path| !is_taken(path))
    };
    names.find(is_free).ok_or_else(|| io::ErrorKind::AlreadyExists.into())
}

impl MadeExport {
    /// Gives the files their names and places. Returns the path of the file, or of the folder.
    ///
    /// # Errors
    /// Those of writing, with the path; no file that exists is replaced.
    pub(super) fn write(&self) -> Result<PathBuf, Problem> {
        let out = self.temporary.path().join("out");
        for file in &self.files {
            let to = self.folder.join(file.strip_prefix(&out).unwrap_or(file));
            copy_new(file, &to).map_err(|error| {
                let why = match to.symlink_metadata() {
                    Ok(_) => "it exists now; export again".to_owned(),
                    Err(_) => error.to_string(),
                };
                let title = "The export could not be written";
                Problem::new(title, format!("{}: {why}", to.display()))
            })?;
        }
        Ok(self.folder.join(&self.base))
    }

    /// Returns the paths of the files, or of their folder, before they get their places.
    #[cfg(target_os = "linux")]
    pub(super) fn made(&self) -> Vec<PathBuf> {
        self.within(&self.temporary.path().join("out"))
    }

    /// Returns the paths of the files, or of their folder, once they have their places.
    pub(super) fn placed(&self) -> Vec<PathBuf> {
        self.within(&self.folder)
    }

    fn within(&self, folder: &Path) -> Vec<PathBuf> {
        let out = self.temporary.path().join("out");
        let first = |file: &PathBuf| {
            let inside = file.strip_prefix(&out).ok()?;
            Some(folder.join(inside.components().next()?))
        };
        let mut paths: Vec<PathBuf> = self.files.iter().filter_map(first).collect();
        paths.dedup();
        paths
    }
}

/// Copies a file to a new one, which is complete as soon as it is there.
fn copy_new(from: &Path, to: &Path) -> io::Result<()> {
    let folder = to.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder)?;
    let mut file = builder().tempfile_in(folder)?;
    io::copy(&mut fs::File::open(from)?, &mut file)?;
    file.persist_noclobber(to).map(drop).map_err(|error| error.error)
}

/// Returns a builder of temporary files. The umask decides who may read them, as for any other file, since they become
/// the final files.
pub(super) fn builder() -> tempfile::Builder<'static, 'static> {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has modes"))]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver};

    use pchr_tools::view::{Playing, Shown};

    use super::*;
    use crate::fixture::{Builder, WHITE};

    fn view() -> ExportView {
        ExportView {
            shown: Shown::default(),
            playing: Playing::default(),
            clip: Some("wave".into()),
            stem: "hat".into(),
            is_bare: false,
        }
    }

    /// Starts to make a GIF of a clip with 40 frames, in pictures of this size.
    fn start(folder: &Path, side: u32, most: Option<u64>) -> (ExportRun, Receiver<ExportEvent>) {
        let clip = Builder::rect(1, &[WHITE], [0.0; 2], [40.0; 2]).still("wave", true, 40);
        let request = ExportRequest {
            id: 7,
            view: view(),
            source: ExportSource::Sample(clip.bytes().leak()),
            format: ExportFormat::Gif,
            choices: ExportChoices { size: [side; 2], max_bytes: most, ..ExportChoices::default() },
            folder: folder.to_owned(),
            openers: Openers::ALL,
        };
        let (sender, events) = mpsc::channel();
        let run = ExportRun::start(request, None, move |action| {
            if let Action::Export(ExportAction::Event(7, event)) = action {
                let _ = sender.send(event);
            }
        });
        (run, events)
    }

    fn done(events: &Receiver<ExportEvent>) -> (Vec<ExportEvent>, ExportDone) {
        let mut before = Vec::new();
        loop {
            match events.recv_timeout(Duration::from_secs(60)).unwrap() {
                ExportEvent::Done(result) => return (before, result.unwrap()),
                event => before.push(event),
            }
        }
    }

    #[test]
    fn a_file_that_is_made_takes_a_place_that_is_free() {
        let folder = tempfile::tempdir().unwrap();
        let (run, events) = start(folder.path(), 32, None);
        let (before, made) = done(&events);
        assert_eq!((made.pictures, made.rate, made.files), (40, Some(10.0), 1));
        let pictures = before.iter().filter(|event| matches!(event, ExportEvent::Picture(..)));
        assert_eq!(pictures.count(), 40);
        let path = folder.path().join("hat-wave.gif");
        assert_eq!(before[0], ExportEvent::Named(path.clone()));
        assert!(!path.exists());
        let export = run.made().unwrap();
        assert_eq!(export.write(), Ok(path.clone()));
        assert_eq!(fs::metadata(&path).unwrap().len(), made.bytes);
        let problem = export.write().unwrap_err();
        assert!(problem.message.ends_with("it exists now; export again"), "{problem:?}");
        assert_eq!(export.placed(), [path]);
        let (_run, events) = start(folder.path(), 32, None);
        let (before, _) = done(&events);
        assert_eq!(before[0], ExportEvent::Named(folder.path().join("hat-wave-2.gif")));
        // A sheet has pages, which may be there without it.
        fs::write(folder.path().join("hat-sheet_0.png"), "").unwrap();
        let usual = ExportFormat::Pct.usual();
        let base = free(&view(), ExportFormat::Pct, &usual, folder.path()).unwrap();
        assert_eq!(base, Path::new("hat-sheet-2.pct"));
    }

    #[test]
    fn a_file_that_is_too_large_is_made_smaller() {
        let folder = tempfile::tempdir().unwrap();
        let (_run, events) = start(folder.path(), 512, None);
        let (_, whole) = done(&events);
        let most = whole.bytes * 3 / 4;
        let (_run, events) = start(folder.path(), 512, Some(most));
        let (before, smaller) = done(&events);
        assert!(smaller.bytes <= most, "{smaller:?}");
        assert!(before.iter().any(|event| matches!(event, ExportEvent::Again(_))));
    }

    #[test]
    fn what_is_stopped_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (run, events) = start(folder.path(), 2049, None);
        let picture = loop {
            if let ExportEvent::Picture(_, pixels, size) = events.recv().unwrap() {
                break (pixels.width, pixels.height, size);
            }
        };
        assert_eq!(picture, (1025, 1025, [2049; 2]));
        run.stop().unwrap().join().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(!events.try_iter().any(|event| matches!(event, ExportEvent::Done(_))));
    }
}
