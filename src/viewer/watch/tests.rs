use std::fs;
use std::sync::mpsc::Receiver;

use super::*;
use crate::document::{BoneParts, DocumentParts};
use crate::format;
use crate::viewer::load::{Source, load};

/// Far more than any of it takes.
const SOON: Duration = Duration::from_secs(20);

/// A file whose rate tells it apart from others.
fn version(fps: u16) -> Vec<u8> {
    let parts = DocumentParts {
        fps,
        bones: vec![BoneParts {
            name: "bone".into(),
            parent: None,
        }],
        ..DocumentParts::default()
    };
    format::pchr::write(&parts).unwrap()
}

/// What the window does: reads what changed, keeps what is good, and says what came of it.
struct Reader {
    watcher: Watcher,
    changes: Receiver<PathBuf>,
    path: PathBuf,
    shown: u16,
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
            shown: 0,
            failures: 0,
        };
        reader.read();
        reader
    }

    fn read(&mut self) {
        match load(&Source::File(self.path.clone()), || true) {
            Ok(loaded) => {
                self.shown = loaded.document.fps();
                let file = (self.path.clone(), loaded.stamp);
                self.watcher.watch(Some(file));
            }
            Err(_) => {
                self.failures += 1;
                self.watcher.failed();
            }
        }
    }

    /// Waits until this version is on show.
    fn until(&mut self, fps: u16) {
        let end = Instant::now() + SOON;
        while self.shown != fps {
            let left = end.saturating_duration_since(Instant::now());
            let changed = self.changes.recv_timeout(left);
            let changed = changed.unwrap_or_else(|_| panic!("{fps} never came, {}", self.shown));
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
    // Another file in the folder, and reading this one, are no changes.
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
    reader.watcher.watch(None);
    fs::write(&path, version(2)).unwrap();
    assert!(
        reader.changes.recv_timeout(QUIET * 3).is_err(),
        "nothing is watched"
    );
    reader.watcher.watch(Some((path, before)));
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

/// One of the ways in which exporters, editors and accidents write files. All leave something bad behind, or the
/// version `fps`.
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
    // Each bad kind alone: what was good stays on show, and the next good one comes.
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
