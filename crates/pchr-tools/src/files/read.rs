//! Reads whole files up to a limit, without blocking forever, and with a reason for each failure.
//!
//! Both programs read every file with it. A Git LFS pointer, and a text with merge conflicts, are refused with advice.
//!
//! A missing file is named with one that differs from it only in case or in the form of its accents: on another system, that one would
//! be found. Stamps detect changes of files that were read.

use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use pchr::document::PchrRule;
use pchr::finding::{Findings, Rule};
use serde::de::IgnoredAny;

use crate::file_name;

/// Bytes read before the caller is asked to continue.
const CHUNK: u64 = 1 << 20;

/// Spare room after the bytes of a read. Without it, the standard library may allocate infallibly.
const SPARE: usize = 64;

/// First line of a Git LFS pointer.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1";

/// A kind of file, with its size limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A character: 4 GiB minus one byte, as the format defines; 1 GiB from a pipe or a device, which may never end.
    Document,
    /// An image: 2 GiB.
    Picture,
    /// A text from people or programs: a suite, settings, a record of baselines, a report. 256 MiB.
    Text,
}

impl Kind {
    /// Returns the largest size of a file of this kind.
    #[must_use]
    pub fn limit(self, is_stream: bool) -> u64 {
        match self {
            Self::Document if is_stream => 1 << 30,
            Self::Document => u32::MAX as u64,
            Self::Picture => 2 << 30,
            Self::Text => 256 << 20,
        }
    }
}

/// Reason why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system says why.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is a directory.
    #[error("is a directory")]
    Directory,
    /// It is a pipe or a device where only a file will do: reading could wait for ever.
    #[error("is not a regular file")]
    Irregular,
    /// It is longer than the limit.
    #[error("is larger than {}", size(*.0))]
    TooLarge(u64),
    /// It does not fit in memory.
    #[error("{} do not fit in memory", size(*.0))]
    Memory(u64),
    /// It is a Git LFS pointer.
    #[error("is a Git LFS pointer, not the file itself; fetch the file with `git lfs pull`")]
    Pointer,
    /// It has unresolved merge conflicts, the first in this line.
    #[error(
        "has a merge conflict on line {0}; resolve it, or choose one side with `git checkout --ours` or `--theirs`"
    )]
    Conflict(usize),
    /// It grew while it was read.
    #[error("is still being written")]
    Changing,
    /// It is no longer needed.
    #[error("is no longer needed")]
    Unwanted,
}

impl ReadError {
    /// Returns true if there is no such file.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }

    /// Returns true if there may be such a file, but the system cannot read it.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        use io::ErrorKind::{InvalidFilename, InvalidInput, IsADirectory, NotADirectory, NotFound};
        let Self::Io(error) = self else { return false };
        !matches!(
            error.kind(),
            NotFound | NotADirectory | IsADirectory | InvalidFilename | InvalidInput
        )
    }
}

/// A file to read.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// Its path.
    pub path: &'a Path,
    /// Its kind.
    pub kind: Kind,
    /// Limit that replaces the kind's.
    pub max_size: Option<u64>,
    /// True if pipes and devices are allowed.
    pub streams: bool,
}

impl<'a> Reading<'a> {
    /// Creates a request for a regular file within the limit of its kind.
    #[must_use]
    pub fn of(path: &'a Path, kind: Kind) -> Self {
        Self { path, kind, max_size: None, streams: false }
    }

    /// Returns the bytes of the file.
    pub fn run(self) -> Result<Vec<u8>, ReadError> {
        let (mut file, metadata) = self.open()?;
        let len = metadata.is_file().then_some(metadata.len());
        let bytes = self.pour(&mut file, len, &mut |_, _| true)?;
        if len.is_some_and(|len| len > 0 && bytes.len() as u64 > len) {
            return Err(ReadError::Changing);
        }
        Ok(bytes)
    }

    /// Opens the file, if it may be read.
    pub fn open(self) -> Result<(File, Metadata), ReadError> {
        // Looked at before it is opened: opening a pipe would wait for someone to write.
        let before = fs::metadata(self.path).map_err(|error| with_alike(self.path, error))?;
        self.check(&before)?;
        let file = File::open(self.path)?;
        let metadata = file.metadata()?;
        self.check(&metadata)?;
        Ok((file, metadata))
    }

    fn check(self, metadata: &Metadata) -> Result<(), ReadError> {
        if metadata.is_dir() {
            return Err(ReadError::Directory);
        }
        if !metadata.is_file() && !self.streams {
            return Err(ReadError::Irregular);
        }
        Ok(())
    }

    /// Returns all bytes of `from`, or one byte more than `len`, its length if it has one. `go_on` gets the number of bytes read
    /// and their total, and returns true to continue.
    pub fn pour(
        self,
        from: &mut dyn Read,
        len: Option<u64>,
        go_on: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<Vec<u8>, ReadError> {
        let limit = self.max_size.unwrap_or(self.kind.limit(len.is_none()));
        let total = len.unwrap_or(0);
        if total > limit {
            return Err(ReadError::TooLarge(limit));
        }
        let mut bytes = Vec::new();
        let expected = usize::try_from(total).unwrap_or(usize::MAX);
        bytes
            .try_reserve_exact(expected.saturating_add(SPARE + 1))
            .map_err(|_| ReadError::Memory(total))?;
        // One byte more than the length shows that the file is growing while it is read.
        let most = match len {
            Some(0) | None => limit, // system files report a length of 0 but have content
            Some(len) => len,
        };
        loop {
            let done = bytes.len() as u64;
            if !go_on(done, total) {
                return Err(ReadError::Unwanted);
            }
            let next = CHUNK.min(most.saturating_add(1).saturating_sub(done));
            let room = usize::try_from(next).unwrap_or(usize::MAX).saturating_add(SPARE);
            bytes
                .try_reserve(room)
                .or_else(|_| bytes.try_reserve_exact(room))
                .map_err(|_| ReadError::Memory(done))?;
            match from.take(next).read_to_end(&mut bytes) {
                Ok(0) => break,
                Ok(_) if bytes.len() as u64 > limit => return Err(ReadError::TooLarge(limit)),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::OutOfMemory => {
                    return Err(ReadError::Memory(done));
                }
                Err(error) => return Err(error.into()),
            }
        }
        if is_pointer(&bytes) {
            return Err(ReadError::Pointer);
        }
        // Only texts have lines: looking for them in any other file takes longer than reading it.
        if self.kind == Kind::Text
            && let Some(line) = conflict(&bytes)
        {
            return Err(ReadError::Conflict(line));
        }
        Ok(bytes)
    }
}

/// Returns true if a file is a Git LFS pointer, by its first bytes.
pub(crate) fn is_pointer(start: &[u8]) -> bool {
    start
        .strip_prefix(POINTER)
        .is_some_and(|rest| rest.starts_with(b"\n") || rest.starts_with(b"\r\n"))
}

/// Returns the first line of a text, from 1, with a merge conflict.
pub(crate) fn conflict(text: &[u8]) -> Option<usize> {
    let marked = |mark: &'static [u8]| {
        text.split(|byte| *byte == b'\n').position(|line| line.starts_with(mark))
    };
    let first = marked(b"<<<<<<< ")?;
    marked(b">>>>>>> ").filter(|last| *last > first).map(|_| first.saturating_add(1))
}

/// Returns the findings of a document that did not load. A merge conflict in its text replaces them all.
#[must_use]
pub fn with_conflict(findings: Findings, text: &[u8]) -> Findings {
    let damaged = |rule: &Rule| *rule == PchrRule::JsonSyntax || *rule == PchrRule::Magic;
    let rule = findings.first_error().map(|finding| finding.rule);
    let line = conflict(text);
    let Some((rule, line)) = rule.filter(damaged).zip(line) else { return findings };
    let mut found = Findings::default();
    let message = || ReadError::Conflict(line).to_string();
    found.add(rule, 0, || "file".into(), message);
    found
}

/// Returns true if a document did not load because it ends too early: its export has not finished, or was cut off.
#[must_use]
pub fn is_cut_off(findings: &Findings, text: &[u8]) -> bool {
    let is_end = |error: serde_json::Error| error.classify() == serde_json::error::Category::Eof;
    let first = findings.first_error().map(|finding| finding.rule);
    match first.map(|rule| rule.name()) {
        Some("unexpected-end") => true,
        Some("json-syntax" | "syntax") => {
            serde_json::from_slice::<IgnoredAny>(text).is_err_and(is_end)
        }
        _ => false,
    }
}

/// Formats a number of bytes for people: `256 MiB`.
fn size(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    // 4 GiB minus one byte is displayed as 4 GiB.
    let bytes = if bytes == u64::from(u32::MAX) { 1 << 32 } else { bytes };
    for (shift, unit) in units {
        let whole = bytes >> shift;
        if whole > 0 && whole << shift == bytes {
            return format!("{whole} {unit}");
        }
    }
    format!("{bytes} bytes")
}

/// Returns the error of a missing file, extended by the file or folder that lies there instead, if there is one. Any other error is
/// returned unchanged.
#[must_use]
pub fn with_alike(path: &Path, error: io::Error) -> io::Error {
    if error.kind() != ErrorKind::NotFound {
        return error;
    }
    match alike(path) {
        Some(alike) => io::Error::new(ErrorKind::NotFound, format!("{error}; {alike}")),
        None => error,
    }
}

/// Returns the words about the file or folder that lies in place of a missing one.
#[must_use]
pub fn alike(path: &Path) -> Option<String> {
    let (wanted, there) = found(path)?;
    let (wanted, there) = (wanted.to_string_lossy(), there.to_string_lossy());
    // Composed and separate accents look the same.
    let how = match wanted.to_lowercase() == there.to_lowercase() {
        true => "upper and lower case",
        false => "the Unicode form of its accents (composed or separate)",
    };
    Some(format!("{there:?} exists and differs from {wanted:?} in {how}"))
}

/// Returns the first part of a path that is missing, and the name that lies there instead.
fn found(path: &Path) -> Option<(OsString, OsString)> {
    let mut folder = PathBuf::new();
    for part in path.components() {
        let next = folder.join(part);
        let is_missing =
            || fs::symlink_metadata(&next).is_err_and(|error| error.kind() == ErrorKind::NotFound);
        match part {
            Component::Normal(name) if is_missing() => {
                let key = file_name::key(&name.to_string_lossy());
                let entries = fs::read_dir(file_name::or_here(&folder)).ok()?;
                let names = entries.flatten().map(|entry| entry.file_name());
                let alike = names.filter(|it| file_name::key(&it.to_string_lossy()) == key);
                return Some((name.to_owned(), alike.min()?));
            }
            _ => folder = next,
        }
    }
    None
}

/// State of a file that changes with it: its length, its modification time, and on Unix its identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    len: u64,
    modified: Option<SystemTime>,
    identity: [i64; 4],
}

impl Stamp {
    /// Returns the current stamp of the file at `path`; `None` if there is none.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        Some(Self::of_metadata(&std::fs::metadata(path).ok()?))
    }

    /// Returns the stamp of a file with this metadata.
    #[must_use]
    pub fn of_metadata(metadata: &Metadata) -> Self {
        Self {
            len: metadata.len(),
            modified: metadata.modified().ok(),
            identity: identity(metadata),
        }
    }
}

/// A file, and its stamp when it was read; `None` if there was no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The file.
    pub path: PathBuf,
    /// Its stamp.
    pub stamp: Option<Stamp>,
}

/// Returns the file's device and number, and the time when it was last renamed, written or given other permissions.
#[cfg(unix)]
fn identity(metadata: &Metadata) -> [i64; 4] {
    use std::os::unix::fs::MetadataExt as _;
    [
        metadata.dev().cast_signed(),
        metadata.ino().cast_signed(),
        metadata.ctime(),
        metadata.ctime_nsec(),
    ]
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> [i64; 4] {
    [0; 4]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_ends_costs_no_more_than_its_limit() {
        let path = Path::new("endless");
        let reading = Reading { max_size: Some(4 << 20), ..Reading::of(path, Kind::Document) };
        let mut most = 0;
        let mut go_on = |done, _| {
            most = done;
            true
        };
        let error = reading.pour(&mut io::repeat(0), None, &mut go_on);
        assert!(matches!(error, Err(ReadError::TooLarge(4_194_304))));
        assert_eq!(most, 4 << 20);
    }

    #[test]
    fn a_length_that_is_claimed_and_not_there_is_not_believed() {
        let reading = Reading::of(Path::new("a"), Kind::Document);
        let claim = Some(u64::from(u32::MAX));
        // Either there is enough memory, or the error says that there is not.
        match reading.pour(&mut &b"abc"[..], claim, &mut |_, _| true) {
            Ok(bytes) => assert_eq!(bytes, b"abc"),
            Err(error) => assert!(matches!(error, ReadError::Memory(_)), "{error}"),
        }
    }

    #[test]
    fn lines_that_look_like_a_conflict_are_none_without_the_others() {
        for fine in ["<<<<<<< ", ">>>>>>> \n<<<<<<< ", "a <<<<<<< b\n>>>>>>> ", ""] {
            assert_eq!(conflict(fine.as_bytes()), None, "{fine}");
        }
    }

    fn said_of_missing(path: &Path) -> String {
        let error = std::fs::metadata(path).unwrap_err();
        let error = with_alike(path, error);
        assert_eq!(error.kind(), ErrorKind::NotFound);
        error.to_string()
    }

    #[test]
    fn a_missing_file_names_the_one_that_differs_in_case_or_accents() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("Art")).unwrap();
        std::fs::write(at("Art/Hero.pchr"), "").unwrap();
        std::fs::write(at("Art/caf\u{e9}.png"), "").unwrap();
        if at("art").exists() {
            return; // this file system finds them
        }
        let why = "\"Hero.pchr\" exists and differs from \"hero.pchr\" in upper and lower case";
        assert!(said_of_missing(&at("Art/hero.pchr")).ends_with(why));
        let why = "\"Art\" exists and differs from \"art\" in upper and lower case";
        assert!(said_of_missing(&at("art/Hero.pchr")).ends_with(why));
        let text = said_of_missing(&at("Art/cafe\u{301}.png"));
        assert!(text.contains("the Unicode form of its accents"), "{text}");
        assert!(!said_of_missing(&at("Art/other.pchr")).contains("differs"));
        let denied = io::Error::from(ErrorKind::PermissionDenied);
        let denied = with_alike(&at("art"), denied);
        assert_eq!(denied.kind(), ErrorKind::PermissionDenied);
    }
}
