//! The program's own file: what it remembers of the last run.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::viewer::theme::ThemeChoice;

/// So many files are remembered.
const RECENT: usize = 12;
/// Between two writings.
const PAUSE: Duration = Duration::from_secs(1);

/// What is remembered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct Memory {
    /// The theme that was chosen in the window: `system`, `light` or `dark`.
    theme: Option<String>,
    /// Files that were shown, the latest first.
    pub recent: Vec<PathBuf>,
    /// Width of the side panel in logical pixels.
    pub side: Option<f32>,
    pub window: Option<WindowMemory>,
}

/// The window as it was.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct WindowMemory {
    /// Width and height in logical pixels, when it is not maximised.
    pub size: [u32; 2],
    pub maximised: bool,
}

impl Memory {
    /// # Errors
    /// Why it cannot be understood, with its line.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut memory: Self = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let line = text.get(..at).unwrap_or(text).matches('\n').count();
            format!("line {}: {}", line.saturating_add(1), error.message())
        })?;
        memory.recent.truncate(RECENT);
        memory.side = memory.side.filter(|width| width.is_finite());
        Ok(memory)
    }

    fn text(&self) -> String {
        let mut memory = self.clone();
        // A text holds no other names.
        memory.recent.retain(|path| path.to_str().is_some());
        toml::to_string(&memory).unwrap_or_default()
    }

    pub(crate) fn theme(&self) -> Option<ThemeChoice> {
        match self.theme.as_deref()? {
            "light" => Some(ThemeChoice::Light),
            "dark" => Some(ThemeChoice::Dark),
            _ => Some(ThemeChoice::System),
        }
    }

    pub(crate) fn set_theme(&mut self, choice: ThemeChoice) {
        let name = match choice {
            ThemeChoice::System => "system",
            ThemeChoice::Light => "light",
            ThemeChoice::Dark => "dark",
        };
        self.theme = Some(name.into());
    }
}

/// Puts a file at the top of a list of recent ones.
pub(crate) fn remember(recent: &mut Vec<PathBuf>, path: &Path) {
    recent.retain(|known| known != path);
    recent.insert(0, path.to_owned());
    recent.truncate(RECENT);
}

/// Writes the memory on a thread of its own, not more often than every second.
#[derive(Debug)]
pub(crate) struct Saver {
    memories: Option<Sender<Memory>>,
    thread: Option<JoinHandle<()>>,
    saved: Memory,
}

impl Saver {
    /// `saved` is what the file holds now.
    pub(crate) fn new(path: PathBuf, saved: Memory) -> Self {
        Self::with_pause(path, saved, PAUSE)
    }

    fn with_pause(path: PathBuf, saved: Memory, pause: Duration) -> Self {
        let (memories, inbox) = mpsc::channel();
        Self {
            memories: Some(memories),
            // Where threads are refused nothing is remembered.
            thread: crate::viewer::threads::start(move || work(&path, &inbox, pause)).ok(),
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

/// What was saved last is written before the program ends.
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
        let mut ended = false;
        // What comes within the pause is written with it; the end of the program does not wait.
        let until = std::time::Instant::now() + pause;
        loop {
            let left = until.saturating_duration_since(std::time::Instant::now());
            match inbox.recv_timeout(left) {
                Ok(newer) => memory = newer,
                Err(mpsc::RecvTimeoutError::Timeout) => break,
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    ended = true;
                    break;
                }
            }
        }
        // A disk that is full is no reason to disturb anyone: what is lost is a window's size.
        let _ = write(path, &memory.text());
        if ended {
            return;
        }
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

    fn full() -> Memory {
        let mut memory = Memory {
            recent: vec!["/a b/c.pchr".into(), "d".into()],
            window: Some(WindowMemory {
                size: [1280, 720],
                maximised: true,
            }),
            side: Some(280.5),
            ..Memory::default()
        };
        memory.set_theme(ThemeChoice::Dark);
        memory
    }

    #[test]
    fn what_is_written_is_read_again() {
        for memory in [Memory::default(), full()] {
            assert_eq!(Memory::parse(&memory.text()), Ok(memory));
        }
        assert_eq!(full().theme(), Some(ThemeChoice::Dark));
        assert_eq!(Memory::default().theme(), None);
    }

    #[test]
    fn what_cannot_be_understood_is_said_with_its_line() {
        let error = Memory::parse("recent = []\nwindow = 3\n").unwrap_err();
        assert!(error.starts_with("line 2: "), "{error}");
        // What a later version remembers does not matter.
        assert_eq!(Memory::parse("future = 1\n"), Ok(Memory::default()));
    }

    #[test]
    fn the_latest_file_is_first_and_none_is_there_twice() {
        let mut recent = Vec::new();
        for i in 0..20 {
            remember(&mut recent, Path::new(&format!("{i}")));
        }
        remember(&mut recent, Path::new("15"));
        assert_eq!(recent.len(), RECENT);
        assert_eq!(recent[0], Path::new("15"));
        assert_eq!(
            recent
                .iter()
                .filter(|path| *path == Path::new("15"))
                .count(),
            1
        );
    }

    #[test]
    fn the_last_of_many_memories_is_written_and_folders_are_made() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep").join("state.toml");
        let mut saver = Saver::with_pause(path.clone(), Memory::default(), PAUSE * 60);
        saver.save(&Memory::default());
        for width in 0..50_u16 {
            let mut memory = full();
            memory.side = Some(width.into());
            saver.save(&memory);
        }
        saver.save(&full());
        assert!(!path.exists(), "it waits");
        drop(saver);
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(Memory::parse(&text), Ok(full()));
        let files = std::fs::read_dir(path.parent().unwrap()).unwrap();
        assert_eq!(files.count(), 1, "nothing else is left behind");
    }

    #[test]
    fn what_is_known_already_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.toml");
        let mut saver = Saver::with_pause(path.clone(), full(), Duration::ZERO);
        saver.save(&full());
        drop(saver);
        assert!(!path.exists());
    }
}
