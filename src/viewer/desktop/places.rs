//! Places of settings and of what is remembered, and the thread that saves it.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::sync::mpsc::{Receiver, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use pchr_tools::files::{Kind, Reading};
use pchr_tools::session::Session;

use crate::viewer::settings::{Memory, ViewerSettings};

/// Paths of the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    pub config: PathBuf,
    pub memory: PathBuf,
    /// The last view, if it is to be restored.
    pub session: PathBuf,
}

impl Places {
    /// `None` where the user has no home.
    pub(crate) fn find() -> Option<Self> {
        if let Some(folder) = std::env::var_os("PCHR_VIEW_CONFIG_DIR").filter(|dir| !dir.is_empty())
        {
            return Some(Self::within([Path::new(&folder); 2]));
        }
        let folders = directories::ProjectDirs::from("", "", "pchr-view")?;
        let state = folders.state_dir().unwrap_or(folders.data_local_dir());
        Some(Self::within([folders.config_dir(), state]))
    }

    /// Puts settings into a folder, and what is remembered into another one.
    fn within([config, state]: [&Path; 2]) -> Self {
        Self {
            config: config.join("config.toml"),
            memory: state.join("state.toml"),
            session: state.join("last.pchr-view.toml"),
        }
    }
}

/// Reads both files. A missing file is not an error.
pub(crate) fn read(places: Option<&Places>) -> ViewerSettings {
    let mut settings = ViewerSettings::default();
    if let Some(Places { config, memory, .. }) = places {
        read_file(config, &mut settings, ViewerSettings::set_config);
        read_file(memory, &mut settings, ViewerSettings::set_memory);
    }
    settings
}

/// Reads the last view; `None` if there is none, or if its files are gone.
pub(crate) fn last(path: &Path) -> Option<Session> {
    let text = Reading::of(path, Kind::Text).run().ok()?;
    let text = String::from_utf8(text).ok()?;
    let session = Session::parse(&text, path).ok()?;
    session.missing().is_empty().then_some(session)
}

fn read_file(path: &Path, settings: &mut ViewerSettings, set: fn(&mut ViewerSettings, &str, &str)) {
    let text = match Reading::of(path, Kind::Text).run() {
        Ok(text) => String::from_utf8(text).map_err(|_| "is not UTF-8 text".to_owned()),
        Err(error) if error.is_missing() => return,
        Err(error) => Err(error.to_string()),
    };
    let file = path.display().to_string();
    match text {
        Ok(text) => set(settings, &file, &text),
        Err(error) => settings.warnings.push(format!("{file}: {error}")),
    }
}

/// Between two writings.
const PAUSE: Duration = Duration::from_secs(1);

/// Writes the settings on its own thread, at most once a second.
#[derive(Debug)]
pub(crate) struct Saver {
    memories: Option<Sender<Memory>>,
    thread: Option<JoinHandle<()>>,
    saved: Memory,
}

impl Saver {
    /// `saved` is the current content of the file.
    pub(crate) fn new(path: PathBuf, saved: Memory) -> Self {
        Self::with_pause(path, saved, PAUSE)
    }

    fn with_pause(path: PathBuf, saved: Memory, pause: Duration) -> Self {
        let (memories, inbox) = mpsc::channel();
        Self {
            memories: Some(memories),
            // If the system refuses threads, nothing is remembered.
            thread: super::events::start(move || work(&path, &inbox, pause)).ok(),
            saved,
        }
    }

    /// Writes this, if it is something new.
    pub(crate) fn save(&mut self, memory: &Memory) {
        if *memory != self.saved {
            self.saved = memory.clone();
            if let Some(memories) = &self.memories {
                // The thread ends only when it panics, which is a bug that was reported then.
                let _ = memories.send(memory.clone());
            }
        }
    }
}

/// Writes the last saved state before the program ends.
impl Drop for Saver {
    fn drop(&mut self) {
        self.memories = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn work(path: &Path, inbox: &Receiver<Memory>, pause: Duration) {
    while let Ok(mut memory) = inbox.recv() {
        // Changes during the pause are written together; the end of the program does not wait for it.
        let until = Instant::now() + pause;
        while let Ok(newer) = inbox.recv_timeout(until.saturating_duration_since(Instant::now())) {
            memory = newer;
        }
        // A full disk is not worth a message: only the window's size is lost.
        let _ = write(path, &memory.text());
    }
}

/// Writes a whole file beside the old one, and renames it.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::settings::{Config, LISTED, Memory};

    /// An empty folder, but for this settings file.
    fn places(config: Option<&str>) -> (tempfile::TempDir, Places) {
        let folder = tempfile::tempdir().unwrap();
        let places = Places::within([folder.path(); 2]);
        if let Some(text) = config {
            std::fs::write(&places.config, text).unwrap();
        }
        (folder, places)
    }

    #[test]
    fn without_files_everything_is_as_it_comes_and_nothing_is_said() {
        let (_folder, places) = places(None);
        let settings = read(Some(&places));
        assert_eq!((settings.config, settings.memory), (Config::default(), Memory::default()));
        assert_eq!(settings.warnings, [""; 0]);
    }

    #[test]
    fn broken_files_are_named_and_change_nothing() {
        let (_folder, places) = places(Some("watch = \n"));
        std::fs::write(&places.memory, [0xff, 0xfe]).unwrap();
        let settings = read(Some(&places));
        assert!(settings.config == Config::default() && settings.memory == Memory::default());
        let [config, memory] = &settings.warnings[..] else { panic!("{:?}", settings.warnings) };
        assert!(config.contains("config.toml: line 1: "), "{config}");
        assert!(memory.contains("state.toml: "), "{memory}");
        let problem = settings.problem().unwrap();
        assert_eq!(problem.message.lines().count(), 2);
    }

    #[test]
    fn a_file_full_of_mistakes_is_told_in_a_few_lines() {
        let wrong: String = (0..100_000).map(|i| format!("k{i} = 1\n")).collect();
        let (_folder, places) = places(Some(&wrong));
        let settings = read(Some(&places));
        let message = settings.problem().unwrap().message;
        let lines: Vec<&str> = message.lines().collect();
        assert_eq!(lines.len(), LISTED + 1);
        assert!(lines[1].contains("config.toml: line 2: unknown key \"k1\""));
        assert_eq!(lines[LISTED], "and 99990 more");
    }

    #[test]
    fn keys_that_do_not_exist_are_named_with_their_file() {
        let (_folder, places) = places(Some("[keys]\nplay = \"Nokey\"\nfit = \"V\"\n"));
        let mut settings = read(Some(&places));
        assert_eq!(settings.bindings(&places.config.display().to_string()).of("fit").len(), 1);
        let [warning] = &settings.warnings[..] else { panic!("{:?}", settings.warnings) };
        assert!(warning.ends_with("config.toml: line 2: play: unknown key \"Nokey\""), "{warning}");
    }

    fn memory(side: f32) -> Memory {
        let mut memory = Memory::default();
        memory.side = Some(side);
        memory
    }

    #[test]
    fn the_last_of_many_memories_is_written_and_folders_are_made() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep").join("state.toml");
        let mut saver = Saver::with_pause(path.clone(), memory(280.0), Duration::ZERO);
        saver.save(&memory(280.0));
        drop(saver);
        assert!(!path.exists(), "it is known already");
        let mut saver = Saver::with_pause(path.clone(), Memory::default(), PAUSE * 60);
        saver.save(&Memory::default());
        for width in 0..50_u16 {
            saver.save(&memory(width.into()));
        }
        saver.save(&memory(280.0));
        assert!(!path.exists(), "it waits");
        drop(saver);
        assert_eq!(Memory::parse(&std::fs::read_to_string(&path).unwrap()), Ok(memory(280.0)));
        let files = std::fs::read_dir(path.parent().unwrap()).unwrap();
        assert_eq!(files.count(), 1, "nothing else is left behind");
    }
}
