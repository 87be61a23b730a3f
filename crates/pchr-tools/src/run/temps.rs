//! Temporary files that are removed however the program ends: by an error, or a signal that can be caught.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use tempfile::TempPath;

/// The temporary files of a run.
#[derive(Debug, Default)]
pub(crate) struct Temps {
    open: Mutex<BTreeSet<PathBuf>>,
    watched: OnceLock<()>,
}

/// A listed temporary file. It is unlisted on drop.
#[derive(Debug)]
pub(crate) struct Listed {
    temps: Arc<Temps>,
    path: PathBuf,
}

impl Temps {
    /// Creates a temporary file in `folder`, opened with these options. Errors do not tell its name, which means nothing to anyone.
    pub(crate) fn make(
        self: &Arc<Self>,
        builder: &tempfile::Builder<'_, '_>,
        options: &OpenOptions,
        folder: &Path,
    ) -> io::Result<(File, TempPath, Listed)> {
        self.watched.get_or_init(|| signals::watch(self));
        // The list is locked while the file is created, so a signal either finds the file in it or there is no file.
        let mut open = self.open.lock();
        let file = builder.make_in(folder, |path| options.open(path))?;
        let (file, path) = file.into_parts();
        open.insert(path.to_path_buf());
        let listed = Listed { temps: Arc::clone(self), path: path.to_path_buf() };
        Ok((file, path, listed))
    }

    /// Removes all files, and ends the program with `end` before another can be created.
    fn remove_all(&self, end: impl FnOnce()) {
        let open = self.open.lock();
        for path in &*open {
            let _ = std::fs::remove_file(path);
        }
        end();
    }
}

impl Listed {
    /// Renames the file into place.
    pub(crate) fn persist(self, file: TempPath, path: &Path) -> io::Result<()> {
        let mut open = self.temps.open.lock();
        let persisted = file.persist(path);
        open.remove(&self.path);
        drop(open);
        persisted.map_err(|error| error.error)
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        self.temps.open.lock().remove(&self.path);
    }
}

#[cfg(unix)]
mod signals {
    use std::sync::{Arc, mpsc};
    use std::thread;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::Temps;

    /// Waits on a thread for a signal that ends the program. If no thread can be started, signals keep their default behaviour.
    pub(crate) fn watch(temps: &Arc<Temps>) {
        let temps = Arc::clone(temps);
        let (ready, started) = mpsc::sync_channel(1);
        // With this, writing beyond a limit is an error instead of ending the program.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
        let wait = move || {
            let signals = Signals::new(caught());
            let _ = ready.send(());
            let Ok(mut signals) = signals else { return };
            if let Some(signal) = signals.forever().next() {
                // The parent process sees which signal ended the program.
                temps.remove_all(|| drop(emulate_default_handler(signal)));
            }
        };
        if thread::Builder::new().spawn(wait).is_ok() {
            let _ = started.recv();
        }
    }

    /// Returns the signals that end a program, except those that it was started to ignore: by `nohup`, say.
    fn caught() -> Vec<i32> {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        let ignored = ignored.unwrap_or(0);
        let is_caught = |signal: &i32| ignored >> (signal - 1) & 1 == 0;
        let all = [SIGHUP, SIGINT, SIGTERM];
        all.into_iter().filter(is_caught).collect()
    }
}

#[cfg(windows)]
mod signals {
    use std::sync::Arc;

    use super::Temps;

    /// Waits for Ctrl+C, Ctrl+Break and the user logging off.
    pub(crate) fn watch(temps: &Arc<Temps>) {
        let temps = Arc::clone(temps);
        let end = move || temps.remove_all(|| std::process::exit(130));
        // Without it the program ends as it always does.
        let _ = ctrlc::try_set_handler(end);
    }
}

#[cfg(not(any(unix, windows)))]
mod signals {
    use std::sync::Arc;

    use super::Temps;

    pub(crate) fn watch(_: &Arc<Temps>) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_on_the_list_until_it_has_its_name_or_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let files = || std::fs::read_dir(folder.path()).unwrap().count();
        let temps = Arc::new(Temps::default());
        let builder = tempfile::Builder::new();
        let mut options = File::options();
        options.write(true).create_new(true);
        let make = || temps.make(&builder, &options, folder.path()).unwrap();
        let (_, file, listed) = make();
        assert_eq!(temps.open.lock().len(), 1);
        listed.persist(file, &folder.path().join("a")).unwrap();
        assert_eq!((temps.open.lock().len(), files()), (0, 1));

        drop(make());
        assert_eq!((temps.open.lock().len(), files()), (0, 1));

        let _kept = [(); 3].map(|()| make());
        assert_eq!(files(), 4);
        temps.remove_all(|| assert_eq!(files(), 1));
    }
}
