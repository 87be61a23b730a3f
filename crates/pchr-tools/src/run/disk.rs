//! The files of one run of a program. Inputs are remembered, so that no output overwrites them.
//!
//! Every command gets the one [`Disk`] of its run. It reads inputs with [`Disk::read`], and calls [`Disk::check`] with all of its
//! outputs before it writes the first. `output` checks again when it writes. Temporary files are removed however the program ends: by
//! an error, or a signal that can be caught.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::{fs, io};

use parking_lot::Mutex;
use tempfile::TempPath;

use super::messages::{Failure, Overwrites};
use crate::files::{ReadError, Reading};
use crate::open::Openers;

/// The files of a run, and the kinds of content that it opens. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disk(Arc<DiskState>);

#[derive(Debug, Default)]
struct DiskState {
    openers: Openers,
    inputs: Mutex<Inputs>,
    /// Files of which the system could not read a part, with the reason.
    failures: Mutex<Vec<(PathBuf, String)>>,
    temps: Arc<Temps>,
    /// Folders in which a file was renamed into place.
    changed: Mutex<BTreeSet<PathBuf>>,
}

impl Disk {
    pub(crate) fn new(openers: Openers) -> Self {
        Self(Arc::new(DiskState { openers, ..DiskState::default() }))
    }

    /// Returns the kinds of content that the run opens.
    pub(crate) fn openers(&self) -> Openers {
        self.0.openers
    }

    /// Reads a file, and remembers it as an input.
    pub(crate) fn read(&self, reading: Reading<'_>, role: Role) -> Result<Vec<u8>, ReadError> {
        let bytes = reading.run()?;
        self.note(reading.path, role);
        Ok(bytes)
    }

    /// Remembers a file that is read elsewhere or later. A missing file is ignored.
    pub(crate) fn note(&self, path: &Path, role: Role) {
        let mut inputs = self.0.inputs.lock();
        if let Ok(metadata) = fs::metadata(path)
            && metadata.is_file()
        {
            inputs.note(identity(&metadata), fs::canonicalize(path).ok(), path, role);
        }
    }

    /// Remembers that the system could not read a file that belongs to another: what was made of this one is not whole.
    pub(crate) fn note_failure(&self, file: &Path, words: &str) {
        self.0.failures.lock().push((file.to_owned(), words.to_owned()));
    }

    /// Checks that the system could read all files that belong to one, or to any of the run.
    pub(crate) fn check_read(&self, file: Option<&Path>) -> Result<(), Failure> {
        let failures = self.0.failures.lock();
        match failures.iter().find(|(of, _)| file.is_none_or(|file| of == file)) {
            Some((file, words)) => {
                let file = super::messages::name(file);
                Err(Failure::Running(anyhow::anyhow!("{file}: {words}")))
            }
            None => Ok(()),
        }
    }

    /// Remembers the file that is redirected to stdin, if any.
    pub(crate) fn note_stdin(&self) {
        #[cfg(unix)]
        {
            use std::os::fd::AsFd as _;
            let file = std::io::stdin().as_fd().try_clone_to_owned().map(fs::File::from);
            if let Ok(metadata) = file.and_then(|file| file.metadata())
                && metadata.is_file()
            {
                let name = Path::new("-");
                self.0.inputs.lock().note(identity(&metadata), None, name, Role::Input);
            }
        }
    }

    /// Checks that none of these outputs is a file that was read.
    pub(crate) fn check<'p>(
        &self,
        outputs: impl IntoIterator<Item = &'p Path>,
    ) -> Result<(), Failure> {
        self.check_as(outputs, Role::Baseline)
    }

    /// Checks that none of these outputs was read in a role that is at least `least`: an update writes what was read as baselines.
    pub(crate) fn check_as<'p>(
        &self,
        outputs: impl IntoIterator<Item = &'p Path>,
        least: Role,
    ) -> Result<(), Failure> {
        let overwritten = outputs.into_iter().find_map(|output| self.overwritten(output, least));
        overwritten.map_or(Ok(()), |overwrites| Err(overwrites.into()))
    }

    /// Returns the input that a file at `output` would overwrite, if its role is at least `least`.
    pub(crate) fn overwritten(&self, output: &Path, least: Role) -> Option<Overwrites> {
        let metadata = fs::metadata(output).ok()?;
        if !metadata.is_file() {
            return None;
        }
        let inputs = self.0.inputs.lock();
        let found = inputs.find(identity(&metadata), output);
        let (_, input) = found.filter(|(role, _)| *role >= least)?;
        Some(Overwrites { output: output.to_owned(), input: input.clone() })
    }

    pub(crate) fn temps(&self) -> &Arc<Temps> {
        &self.0.temps
    }

    /// Remembers a folder in which a file was renamed into place.
    pub(crate) fn changed(&self, folder: &Path) {
        let mut changed = self.0.changed.lock();
        if !changed.contains(folder) {
            changed.insert(folder.to_owned());
        }
    }

    /// Flushes the renames to the disk too. The contents were flushed with each file that cannot be made again cheaply.
    pub(crate) fn sync(&self) {
        #[cfg(unix)]
        for folder in std::mem::take(&mut *self.0.changed.lock()) {
            // Some file systems do not support it.
            let _ = fs::File::open(folder).and_then(|folder| folder.sync_all());
        }
    }
}

/// Role of a file that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// A baseline, or a file kept beside it. Only an update may overwrite it.
    Baseline,
    /// An input, which is never overwritten.
    Input,
}

/// Input files, with everything that identifies them.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    by_identity: BTreeMap<Identity, (Role, PathBuf)>,
    by_path: BTreeMap<PathBuf, (Role, PathBuf)>,
}

/// Device and number of a file: the same for all of its names.
pub(super) type Identity = (u64, u64);

impl Inputs {
    pub(super) fn note(
        &mut self,
        identity: Option<Identity>,
        real: Option<PathBuf>,
        path: &Path,
        role: Role,
    ) {
        let new = || (role, path.to_owned());
        let known = [
            identity.map(|identity| self.by_identity.entry(identity).or_insert_with(new)),
            real.map(|real| self.by_path.entry(real).or_insert_with(new)),
        ];
        for known in known.into_iter().flatten().filter(|known| known.0 < role) {
            *known = new();
        }
    }

    pub(super) fn find(
        &self,
        identity: Option<Identity>,
        output: &Path,
    ) -> Option<&(Role, PathBuf)> {
        let by_identity = identity.and_then(|identity| self.by_identity.get(&identity));
        let by_path = || self.by_path.get(&fs::canonicalize(output).ok()?);
        let found = by_identity.or_else(by_path);
        #[cfg(windows)]
        let found = found.or_else(|| {
            // Hard links: the standard library does not say which file a path leads to.
            let same = |path: &Path| same_file::is_same_file(path, output).unwrap_or(false);
            self.by_path.iter().find_map(|(path, input)| same(path).then_some(input))
        });
        found
    }
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it is not known")]
pub(super) fn identity(metadata: &fs::Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
pub(super) fn identity(_: &fs::Metadata) -> Option<Identity> {
    None
}

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

    #[cfg(unix)]
    #[test]
    fn an_output_that_is_a_link_replaces_its_target_and_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("deep")).unwrap();
        fs::write(at("deep/target"), "old").unwrap();
        std::os::unix::fs::symlink("deep/target", at("link")).unwrap();
        Disk::default().write(&at("link"), b"new").unwrap();
        assert!(at("link").is_symlink());
        assert_eq!(fs::read(at("deep/target")).unwrap(), b"new");
        // A link without a target is refused, and nothing appears at its end.
        std::os::unix::fs::symlink("deep/nowhere", at("gone")).unwrap();
        assert!(Disk::default().write(&at("gone"), b"new").is_err());
        assert!(at("gone").is_symlink() && !at("deep/nowhere").exists());
    }

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
