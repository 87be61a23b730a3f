use std::fs;
use std::sync::mpsc::Receiver;
use std::thread;

use super::*;
use crate::fixture::Builder;
use crate::format::json::{self, Dialect};
use crate::image::{Effort, Pixels, encode_png};
use crate::viewer::desktop::load::load_done;
use crate::viewer::loaded::Source;

/// Time limit, far longer than any step takes.
const SOON: Duration = Duration::from_secs(20);

/// Returns a file that differs from other versions by its rate.
fn version(fps: u16) -> Vec<u8> {
    Builder::new().fps(fps).bone("bone", None).bytes()
}

/// Stand-in for the window: reads changed files, keeps the good ones, and reports the results.
struct Reader {
    watcher: Watcher,
    changes: Receiver<PathBuf>,
    path: PathBuf,
    shown: Option<f64>,
    /// Red values of the images' first texels.
    colors: Vec<u8>,
    failures: usize,
}

impl Reader {
    fn new(path: &Path, events: bool) -> Self {
        let (sender, changes) = mpsc::channel();
        let watcher = Watcher::with_events(events, move |path| {
            let _ = sender.send(path.to_owned());
        });
        let mut reader = Self {
            watcher,
            changes,
            path: path.to_owned(),
            shown: None,
            colors: Vec::new(),
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
                let images = loaded.images.iter().map(|image| image.base().rgba[0]);
                self.colors = images.collect();
                self.watcher.watch(done.files);
            }
            Err(_) => {
                self.failures += 1;
                self.watcher.failed(done.files);
            }
        }
    }

    /// Waits until this version is shown.
    fn until(&mut self, fps: u16) {
        self.until_it(&format!("{fps}"), |reader| reader.shown == Some(fps.into()));
    }

    fn until_it(&mut self, what: &str, shows: impl Fn(&Self) -> bool) {
        let end = Instant::now() + SOON;
        while !shows(self) {
            let left = end.saturating_duration_since(Instant::now());
            let changed = self.changes.recv_timeout(left);
            let changed = changed.unwrap_or_else(|_| panic!("{what} never came, {:?}", self.shown));
            assert_eq!(changed, self.path);
            self.read();
        }
    }
}

#[test]
fn a_file_that_is_written_again_is_seen_and_quietness_is_quiet() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pchr");
    fs::write(&path, version(1)).unwrap();
    let mut reader = Reader::new(&path, true);
    fs::write(&path, version(2)).unwrap();
    reader.until(2);
    // Another file in the folder, or reading this one, is not a change.
    fs::write(folder.path().join("b.pchr"), version(3)).unwrap();
    drop(fs::read(&path).unwrap());
    assert!(reader.changes.recv_timeout(QUIET * 4).is_err());
}

#[test]
fn what_changed_between_reading_and_watching_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pchr");
    fs::write(&path, version(1)).unwrap();
    let mut reader = Reader::new(&path, true);
    let before = Stamp::of(&path);
    reader.watcher.watch(Vec::new());
    fs::write(&path, version(2)).unwrap();
    assert!(
        reader.changes.recv_timeout(QUIET * 3).is_err(),
        "nothing is watched"
    );
    let stamp = before;
    reader.watcher.watch(vec![Seen { path, stamp }]);
    reader.until(2);
}

#[test]
fn where_no_events_come_the_file_is_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pchr");
    fs::write(&path, version(1)).unwrap();
    let mut reader = Reader::new(&path, false);
    fs::write(&path, version(2)).unwrap();
    reader.until(2);
    fs::remove_file(&path).unwrap();
    thread::sleep(POLL);
    fs::write(&path, version(3)).unwrap();
    reader.until(3);
}

#[test]
fn a_folder_that_was_replaced_is_watched_again() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("folder");
    let path = folder.join("a.pchr");
    fs::create_dir(&folder).unwrap();
    fs::write(&path, version(1)).unwrap();
    let mut reader = Reader::new(&path, true);
    fs::rename(&folder, root.path().join("away")).unwrap();
    fs::remove_dir_all(root.path().join("away")).unwrap();
    thread::sleep(QUIET * 3);
    fs::create_dir(&folder).unwrap();
    fs::write(&path, version(2)).unwrap();
    reader.until(2);
    fs::write(&path, version(3)).unwrap();
    reader.until(3);
}

#[cfg(unix)]
#[test]
fn what_a_link_points_to_is_watched_as_the_link_itself_is() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let target = tempfile::tempdir().unwrap();
    let (path, file) = (folder.path().join("a.pchr"), target.path().join("b.pchr"));
    fs::write(&file, version(1)).unwrap();
    symlink(&file, &path).unwrap();
    let mut reader = Reader::new(&path, true);
    fs::write(&file, version(2)).unwrap();
    reader.until(2);
    let other = target.path().join("c.pchr");
    fs::write(&other, version(3)).unwrap();
    let link = folder.path().join("new");
    symlink(&other, &link).unwrap();
    fs::rename(&link, &path).unwrap();
    reader.until(3);
}

/// Returns the PNG file of an image in one colour.
fn png(color: u8) -> Vec<u8> {
    let pixels = Pixels {
        width: 1,
        height: 1,
        rgba: vec![color, 0, 0, 255],
    };
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

#[test]
fn the_image_files_of_a_text_are_watched_with_it_with_and_without_events() {
    for events in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("deep")).unwrap();
        fs::write(at("a.png"), png(1)).unwrap();
        fs::write(at("deep/b.png"), png(2)).unwrap();
        fs::write(at("hero.json"), text(1, &["a.png", "deep/b.png"])).unwrap();
        let mut reader = Reader::new(&at("hero.json"), events);
        assert_eq!(reader.colors, [1, 2]);
        let mut becomes = |colors: &[u8]| {
            reader.until_it(&format!("{colors:?}"), |reader| reader.colors == colors);
        };
        fs::write(at("a.png"), png(3)).unwrap();
        becomes(&[3, 2]);
        fs::write(at("deep/b.png"), png(4)).unwrap();
        becomes(&[3, 4]);
        // Its folder is replaced as a whole.
        fs::create_dir(at("new")).unwrap();
        fs::write(at("new/b.png"), png(5)).unwrap();
        fs::rename(at("deep"), at("old")).unwrap();
        fs::rename(at("new"), at("deep")).unwrap();
        becomes(&[3, 5]);
        fs::write(at("deep/b.png"), png(6)).unwrap();
        becomes(&[3, 6]);
        // Files that are no longer named do not matter.
        fs::write(at("hero.json"), text(2, &["a.png"])).unwrap();
        becomes(&[3]);
        fs::write(at("deep/b.png"), png(7)).unwrap();
        let quiet = if events { QUIET * 4 } else { POLL * 2 };
        assert!(reader.changes.recv_timeout(quiet).is_err());
    }
}

#[test]
fn an_image_file_that_comes_after_the_text_that_names_it_first_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.png"), png(1)).unwrap();
    fs::write(at("hero.json"), text(1, &["a.png"])).unwrap();
    let mut reader = Reader::new(&at("hero.json"), true);
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
    let beside = path.with_extension("tmp");
    match way {
        // In place, and in two pieces with time between them.
        0 => {
            use std::io::Write as _;
            let mut file = fs::File::create(path).unwrap();
            file.write_all(&good[..good.len() / 2]).unwrap();
            thread::sleep(Duration::from_millis(7));
            file.write_all(&good[good.len() / 2..]).unwrap();
        }
        // Half of it, and no more.
        1 => fs::write(path, &good[..good.len() / 2]).unwrap(),
        2 => fs::write(path, b"").unwrap(),
        3 => fs::write(path, b"no such format at all").unwrap(),
        // Deleted.
        4 => drop(fs::remove_file(path)),
        // Renamed over.
        5 => {
            fs::write(&beside, good).unwrap();
            fs::rename(&beside, path).unwrap();
        }
        // Half of it renamed over.
        6 => {
            fs::write(&beside, &good[..good.len() / 3]).unwrap();
            fs::rename(&beside, path).unwrap();
        }
        // Deleted and written again.
        7 => {
            drop(fs::remove_file(path));
            thread::sleep(Duration::from_millis(3));
            fs::write(path, good).unwrap();
        }
        // Renamed away.
        8 => drop(fs::rename(path, &beside)),
        // A folder in its place, for a moment.
        _ => {
            drop(fs::remove_file(path));
            fs::create_dir(path).unwrap();
            thread::sleep(Duration::from_millis(5));
            fs::remove_dir(path).unwrap();
        }
    }
}

#[test]
fn two_hundred_bad_rewrites_end_with_the_good_one_on_show() {
    const WAYS: u16 = 10;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pchr");
    fs::write(&path, version(1)).unwrap();
    let mut reader = Reader::new(&path, true);
    let writer = {
        let path = path.clone();
        thread::spawn(move || {
            for i in 0..200 {
                disturb(&path, i * 7 % WAYS, i + 2);
                // Sometimes long enough for it to be read, mostly not.
                let pause = if i % 19 == 0 {
                    160
                } else {
                    u64::from(i % 5) * 4
                };
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
        while reader
            .changes
            .recv_timeout(end.saturating_duration_since(Instant::now()))
            .is_ok()
        {
            reader.read();
        }
        fs::write(&path, version(2000 + way)).unwrap();
        reader.until(2000 + way);
    }
}
