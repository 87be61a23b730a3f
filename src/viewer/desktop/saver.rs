//! Writes the remembered settings.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::viewer::settings::Memory;

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
            thread: super::threads::start(move || work(&path, &inbox, pause)).ok(),
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
        let mut ended = false;
        // Changes during the pause are written together; the end of the program does not wait for it.
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
        // A full disk is not worth a message: only the window's size is lost.
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

    fn memory(side: f32) -> Memory {
        let mut memory = Memory::default();
        memory.side = Some(side);
        memory
    }

    #[test]
    fn the_last_of_many_memories_is_written_and_folders_are_made() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep").join("state.toml");
        let mut saver = Saver::with_pause(path.clone(), Memory::default(), PAUSE * 60);
        saver.save(&Memory::default());
        for width in 0..50_u16 {
            saver.save(&memory(width.into()));
        }
        saver.save(&memory(280.0));
        assert!(!path.exists(), "it waits");
        drop(saver);
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(Memory::parse(&text), Ok(memory(280.0)));
        let files = std::fs::read_dir(path.parent().unwrap()).unwrap();
        assert_eq!(files.count(), 1, "nothing else is left behind");
    }

    #[test]
    fn what_is_known_already_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.toml");
        let mut saver = Saver::with_pause(path.clone(), memory(280.0), Duration::ZERO);
        saver.save(&memory(280.0));
        drop(saver);
        assert!(!path.exists());
    }
}
