use std::sync::mpsc::Receiver;
use std::{fs, thread};

use pchr::format::json::{self, Dialect};
use pchr::image::{Effort, Pixels, encode_png};

use super::*;
use crate::fixture::Builder;
use crate::viewer::desktop::load::tests::load_done;
use crate::viewer::loaded::Source;

/// Time limit, far longer than any step takes.
const SOON: Duration = Duration::from_secs(20);

/// Returns a file that differs from other versions by its rate.
fn version(fps: u16) -> Vec<u8> {
    Builder::new().fps(fps).bone("bone", None).bytes()
}

/// A folder with a first version of a file, which is watched.
fn watched() -> (tempfile::TempDir, PathBuf, Reader) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pchr");
    fs::write(&path, version(1)).unwrap();
    let reader = Reader::new(&path, true, POLL);
    (folder, path, reader)
}

/// Stand-in for the window: reads changed files, keeps the good ones, and reports the results.
struct Reader {
    watcher: Watcher,
    changes: Receiver<PathBuf>,
    path: PathBuf,
    shown: Option<f64>,
    /// Red values of the images' first texels.
    colors: Vec<u8>,
    bones: u16,
    failures: usize,
}

impl Reader {
    fn new(path: &Path, events: bool, poll: Duration) -> Self {
        let (sender, changes) = mpsc::channel();
        let post = move |path: &Path| drop(sender.send(path.to_owned()));
        let mut reader = Self {
            watcher: Watcher::with(events, poll, post).unwrap(),
            changes,
            path: path.to_owned(),
            shown: None,
            colors: Vec::new(),
            bones: 0,
            failures: 0,
        };
        reader.read();
        reader
    }

    fn read(&mut self) {
        let done = load_done(&Source::File(self.path.clone()), || true);
        match done.result {
            Ok(loaded) => {
                self.shown = loaded.opened.subject.file().fps;
                self.colors = loaded.images.iter().map(|image| image.base().rgba[0]).collect();
                self.bones = u16::try_from(loaded.opened.subject.bone_count()).unwrap();
            }
            Err(_) => self.failures += 1,
        }
        self.watcher.watch(done.files);
    }

    /// Waits until this version is shown.
    fn until(&mut self, fps: u16) {
        self.until_it(&format!("{fps}"), |reader| reader.shown == Some(fps.into()));
    }

    fn until_it(&mut self, what: &str, shows: impl Fn(&Self) -> bool) {
        let end = Instant::now() + SOON;
        while !shows(self) {
            let changed = self.changes.recv_timeout(end.saturating_duration_since(Instant::now()));
            let changed = changed.unwrap_or_else(|_| panic!("{what} never came, {:?}", self.shown));
            assert_eq!(changed, self.path);
            self.read();
        }
    }
}

#[test]
fn what_changed_between_reading_and_watching_is_seen() {
    let (_folder, path, mut reader) = watched();
    let before = Stamp::of(&path);
    reader.watcher.watch(Vec::new());
    fs::write(&path, version(2)).unwrap();
    assert!(reader.changes.recv_timeout(QUIET * 3).is_err(), "nothing is watched");
    reader.watcher.watch(vec![Seen { path, stamp: before }]);
    reader.until(2);
}

/// Returns the PNG file of an image in one colour.
fn png(color: u8) -> Vec<u8> {
    let pixels = Pixels { width: 1, height: 1, rgba: vec![color, 0, 0, 255] };
    let mut png = Vec::new();
    encode_png(&pixels, Effort::Some, &mut png).unwrap();
    png
}

/// Returns a text that names these images.
fn text(fps: u16, images: &[&str]) -> Vec<u8> {
    let builder = Builder::new().fps(fps).bone("bone", None);
    let png = |builder: Builder, name: &&str| builder.png(name, png(0));
    let document = images.iter().fold(builder, png).document();
    let paths: Vec<String> = images.iter().map(|path| (*path).into()).collect();
    let mut text = Vec::new();
    json::write(&document, Dialect::Pchr, &paths, &mut text).unwrap();
    text
}

/// Checks that events alone show a change, long before the files are checked without one.
#[test]
fn events_are_enough_also_in_a_folder_that_was_made_again() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("folder");
    let path = folder.join("a.pchr");
    fs::create_dir(&folder).unwrap();
    fs::write(&path, version(1)).unwrap();
    let mut reader = Reader::new(&path, true, SOON * 9);
    fs::remove_dir_all(&folder).unwrap();
    fs::create_dir(&folder).unwrap();
    fs::write(&path, version(2)).unwrap();
    reader.until(2);
    fs::write(&path, version(3)).unwrap();
    reader.until(3);
    fs::rename(&folder, root.path().join("away")).unwrap();
    fs::create_dir(&folder).unwrap();
    fs::write(&path, version(4)).unwrap();
    reader.until(4);
}

#[test]
fn files_that_are_not_or_no_longer_named_do_not_matter_and_reading_is_no_change() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["a.png", "b.png"] {
        fs::write(at(name), png(1)).unwrap();
    }
    fs::write(at("hero.json"), text(1, &["a.png", "b.png"])).unwrap();
    let mut reader = Reader::new(&at("hero.json"), true, POLL);
    fs::write(at("hero.json"), text(2, &["a.png"])).unwrap();
    reader.until(2);
    fs::write(at("b.png"), png(2)).unwrap();
    fs::write(at("c.png"), png(3)).unwrap();
    drop(fs::read(at("hero.json")).unwrap());
    assert!(reader.changes.recv_timeout(POLL * 2).is_err());
}

#[test]
fn an_image_file_that_comes_after_the_text_that_names_it_first_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.png"), png(1)).unwrap();
    fs::write(at("hero.json"), text(1, &["a.png"])).unwrap();
    let mut reader = Reader::new(&at("hero.json"), true, POLL);
    fs::write(at("hero.json"), text(2, &["a.png", "deep/new.png"])).unwrap();
    reader.until_it("a failure", |reader| reader.failures == 1);
    assert_eq!(reader.shown, Some(1.0));
    fs::create_dir(at("deep")).unwrap();
    fs::write(at("deep/new.png"), png(2)).unwrap();
    reader.until(2);
    assert_eq!(reader.colors, [1, 2]);
    fs::remove_file(at("a.png")).unwrap();
    let failures = reader.failures;
    reader.until_it("a failure", |reader| reader.failures > failures);
    fs::write(at("a.png"), png(3)).unwrap();
    reader.until_it("the image", |reader| reader.colors == [3, 2]);
}

/// Writes a file the way that exporters, editors and accidents do. Leaves something bad behind, or the version `fps`.
fn disturb(path: &Path, way: u16, fps: u16) {
    let good = version(fps);
    let (half, beside) = (&good[..good.len() / 2], path.with_extension("tmp"));
    let rest = |milliseconds| thread::sleep(Duration::from_millis(milliseconds));
    match way {
        // In place, and in two pieces with time between them.
        0 => {
            use std::io::Write as _;
            let mut file = fs::File::create(path).unwrap();
            file.write_all(half).unwrap();
            rest(7);
            file.write_all(&good[half.len()..]).unwrap();
        }
        // Half of it and no more, nothing, and something else.
        1 => fs::write(path, half).unwrap(),
        2 => fs::write(path, b"").unwrap(),
        3 => fs::write(path, b"no such format at all").unwrap(),
        // Deleted.
        4 => drop(fs::remove_file(path)),
        // Renamed over: all of it, or half.
        5 | 6 => {
            fs::write(&beside, if way == 5 { &good[..] } else { half }).unwrap();
            fs::rename(&beside, path).unwrap();
        }
        // Deleted and written again.
        7 => {
            drop(fs::remove_file(path));
            rest(3);
            fs::write(path, good).unwrap();
        }
        // Renamed away.
        8 => drop(fs::rename(path, &beside)),
        // A folder in its place, for a moment.
        _ => {
            drop(fs::remove_file(path));
            fs::create_dir(path).unwrap();
            rest(5);
            fs::remove_dir(path).unwrap();
        }
    }
}

#[test]
fn two_hundred_bad_rewrites_end_with_the_good_one_on_show() {
    const WAYS: u16 = 10;
    let (_folder, path, mut reader) = watched();
    let writer = {
        let path = path.clone();
        thread::spawn(move || {
            for i in 0..200 {
                disturb(&path, i * 7 % WAYS, i + 2);
                // Sometimes long enough for it to be read, mostly not.
                let pause = if i % 19 == 0 { 160 } else { u64::from(i % 5) * 4 };
                thread::sleep(Duration::from_millis(pause));
            }
            fs::write(&path, version(999)).unwrap();
        })
    };
    reader.until(999);
    writer.join().unwrap();
    assert!(reader.failures > 0, "none of the bad ones was met");
    // It stays so.
    assert!(reader.changes.recv_timeout(QUIET * 4).is_err());
    // Each bad kind alone: what was good stays visible, and the next good one comes.
    for way in 0..WAYS {
        disturb(&path, way, 1000 + way);
        let end = Instant::now() + QUIET * 3;
        while reader.changes.recv_timeout(end.saturating_duration_since(Instant::now())).is_ok() {
            reader.read();
        }
        fs::write(&path, version(2000 + way)).unwrap();
        reader.until(2000 + way);
    }
}

#[cfg(target_os = "linux")]
mod ways;
