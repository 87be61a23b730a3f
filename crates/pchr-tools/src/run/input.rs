//! The input file.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use pchr::bytes::Budget;
use pchr::document::{Document, PchrRule};
use pchr::finding::{Findings, Invalid};
use pchr::format::{Companion, Origin, SidecarError, Sidecars};
use pchr::image::{ImageError, Pixels, decode_picture};

use super::disk::{Disk, Role};
use super::messages::Failure;
use crate::file_name;
use crate::files::{self, Companions, Folder, Kind, ReadError, Reading};
use crate::open::{self, Opened, read_character};
use crate::session::{Session, SessionError};
use crate::view::{Playing, Shown};

pub(crate) use super::messages::{is_stdin, name, stem};

/// Options of reading a file.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct InputArgs {
    /// Also read images outside the folder of the JSON file or atlas that names them
    #[arg(long)]
    pub(crate) allow_outside: bool,
    /// Read files of up to this size, like 512MiB or 3GiB [default: 4GiB, 1GiB from a pipe; 2GiB for an image]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) max_size: Option<u64>,
}

/// Parses a size in bytes: a number with an optional unit.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let wrong =
        || format!("invalid size {text:?}: expected bytes, like 4096, or 512KiB, 16MB or 3GiB");
    let at = text.find(|c: char| !c.is_ascii_digit());
    let (number, unit) = text.split_at(at.unwrap_or(text.len()));
    let unit = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        _ => return Err(wrong()),
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    number.checked_mul(unit).ok_or_else(wrong)
}

/// A document, and the source that it was read from.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) document: Arc<Document>,
    /// Name of the file in messages.
    pub(crate) name: String,
    /// The text that the document was read from. The file may have changed since.
    origin: Origin,
}

impl Input {
    /// Rewords findings about the document as findings about its file. A text file has other names and places.
    pub(crate) fn in_file(&self, found: Findings) -> Findings {
        self.origin.in_words(&self.document, found)
    }

    /// Creates an input from the content of another file.
    pub(crate) fn made(document: Document, name: &str) -> Self {
        Self { document: Arc::new(document), name: name.to_owned(), origin: Origin::default() }
    }

    /// Returns the same file with a changed document.
    pub(crate) fn with_document(self, document: Document) -> Self {
        Self { document: Arc::new(document), ..self }
    }

    /// Returns the failure for errors that were found after reading.
    pub(crate) fn invalid(&self, found: Findings) -> Failure {
        Failure::Invalid { file: self.name.clone(), findings: self.in_file(found) }
    }
}

/// Reads a document from the bytes of a file.
pub(crate) fn document(
    bytes: Vec<u8>,
    disk: &Disk,
    path: &Path,
    name: String,
    args: InputArgs,
    budget: &Budget,
) -> Result<Input, (Invalid, Cow<'static, [u8]>)> {
    let mut beside = Beside::new(disk, path, args);
    let (document, origin) = read_character(bytes.into(), &mut beside, budget)?;
    Ok(Input { document: Arc::new(document), name, origin })
}

/// Opens a file, or stdin for `-`, of any kind that the run supports. Messages call it `name`.
pub(crate) fn open(
    disk: &Disk,
    path: &Path,
    name: &str,
    args: InputArgs,
    companions: &Companions,
) -> Result<Opened, Failure> {
    let bytes = bytes(disk, path, name, args)?;
    let opened = open_bytes(disk, (path, name), bytes, args, companions);
    disk.check_read(Some(path))?;
    opened
}

/// Opens bytes as a content file of this path, such as an earlier version of it. Messages call it by the name.
pub(crate) fn open_bytes(
    disk: &Disk,
    (path, name): (&Path, &str),
    bytes: Vec<u8>,
    args: InputArgs,
    companions: &Companions,
) -> Result<Opened, Failure> {
    let chosen = |path: &PathBuf| {
        let (name, bytes) = (self::name(path), self::bytes(disk, path, &self::name(path), args)?);
        Ok::<_, Failure>(Companion { name, bytes })
    };
    let mut beside = Beside {
        skeleton: companions.skeleton.as_ref().map(chosen).transpose()?,
        motions: companions.motions.iter().map(chosen).collect::<Result<_, _>>()?,
        motion_paths: companions.motions.clone(),
        ..Beside::new(disk, path, args)
    };
    let budget = Budget::default();
    let opened = disk.openers().open(path, bytes.into(), &mut beside, &budget);
    let opened = opened.map_err(|refused| refusal(name, refused))?;
    let (is_spatial, motions) = (opened.subject.spatial().is_some(), &companions.motions);
    let wrong = if !is_spatial && opened.subject.skinned().is_none() && !motions.is_empty() {
        "--motion is for skeletons and characters"
    } else if !is_spatial && companions.skeleton.is_some() && motions.is_empty() {
        "--skeleton is for 3D motions; --motion adds one to a character"
    } else {
        return Ok(opened);
    };
    Err(Failure::Usage(format!("{name}: {wrong}")))
}

/// Returns the bytes of a content file, or of stdin for `-`. Messages call it `name`.
pub(crate) fn bytes(
    disk: &Disk,
    path: &Path,
    name: &str,
    args: InputArgs,
) -> Result<Vec<u8>, Failure> {
    match load(disk, path, Kind::Document, args.max_size) {
        Ok(bytes) => Ok(bytes),
        Err(error @ ReadError::Pointer) => {
            let mut findings = Findings::default();
            findings.add(PchrRule::Magic, 0, || "file".into(), || error.to_string());
            Err(Failure::Invalid { file: name.to_owned(), findings })
        }
        Err(error) => Err(unreadable(name, &error)),
    }
}

/// Returns the failure for a refused file with these bytes.
pub(crate) fn refusal(
    name: &str,
    (Invalid(findings), text): (Invalid, Cow<'static, [u8]>),
) -> Failure {
    Failure::Invalid { file: name.to_owned(), findings: files::with_conflict(findings, &text) }
}

/// Reads a text file, or stdin for `-`.
pub(crate) fn read_text(disk: &Disk, path: &Path) -> Result<String, Failure> {
    let name = name(path);
    let text = match load(disk, path, Kind::Text, None) {
        Ok(text) => text,
        Err(error @ ReadError::Conflict(line)) => {
            return Err(Failure::Suite(vec![format!("{name}:{line}: {error}")]));
        }
        Err(error) => return Err(unreadable(&name, &error)),
    };
    let wrong = |_| {
        let text = format!("{name}: not UTF-8 text; save the file as UTF-8");
        Failure::Suite(vec![text])
    };
    String::from_utf8(text).map_err(wrong)
}

/// Reads a session, and replaces options by those of a command line. All files that are left exist.
///
/// # Errors
/// [`Failure::Session`] for faults of its text; [`Failure::Running`] for missing files; [`Failure::Usage`] for options that cannot be
/// combined.
pub(crate) fn session(
    disk: &Disk,
    path: &Path,
    over: &Shown,
    playing: &Playing,
) -> Result<Session, Failure> {
    let name = name(path);
    let text = read_text(disk, path).map_err(|failure| match failure {
        Failure::Suite(lines) => Failure::Session(lines),
        other => other,
    })?;
    let session = Session::parse(&text, path).map_err(|SessionError(faults)| {
        let lines = faults.iter().map(|(line, why)| format!("{name}:{line}: {why}"));
        Failure::Session(lines.collect())
    })?;
    let session = session.with(over, playing).map_err(Failure::Usage)?;
    let missing = session.missing();
    let missing: Vec<_> = missing.iter().map(|path| self::name(path)).collect();
    match missing.is_empty() {
        true => Ok(session),
        false => Err(Failure::Running(anyhow::anyhow!(
            "{name}: missing {}; change the paths in the session, which are relative to it",
            missing.join(", ")
        ))),
    }
}

/// Returns the bytes of a picture, or of stdin for `-`.
pub(crate) fn picture(disk: &Disk, path: &Path, max_size: Option<u64>) -> Result<Vec<u8>, Failure> {
    load(disk, path, Kind::Picture, max_size).map_err(|error| unreadable(&name(path), &error))
}

/// Reason why there is no picture.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PictureError {
    /// The file was not read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Its bytes are not a picture.
    #[error(transparent)]
    Image(#[from] ImageError),
}

/// Reads the background picture; premultiplied.
pub(crate) fn background(
    disk: &Disk,
    path: &Path,
    args: InputArgs,
) -> Result<Pixels, PictureError> {
    let reading = Reading { max_size: args.max_size, ..Reading::of(path, Kind::Picture) };
    let bytes = disk.read(reading, Role::Input)?;
    Ok(decode_picture(&bytes, &Budget::default())?)
}

/// Reads a file from the command line. It may be a pipe, and `-` is stdin.
fn load(disk: &Disk, path: &Path, kind: Kind, max_size: Option<u64>) -> Result<Vec<u8>, ReadError> {
    let reading = Reading { path, kind, max_size, streams: true };
    if is_stdin(path) {
        disk.note_stdin();
        return reading.pour(&mut io::stdin().lock(), None, &mut |_, _| true);
    }
    disk.read(reading, Role::Input)
}

/// Returns the failure to read or decode a file. Errors of images have the message of their source.
pub(crate) fn unreadable(name: &str, error: &dyn std::fmt::Display) -> Failure {
    Failure::Running(anyhow::anyhow!("cannot read {name}: {error}"))
}

/// Says that the folder of a file cannot be listed.
fn folder_unread(file: &Path, error: &io::Error) -> String {
    let folder = name(file_name::folder(file));
    format!("cannot read the folder {folder}: {error}")
}

pub(crate) fn skeleton_beside(motion: &Path) -> Result<Option<PathBuf>, Failure> {
    let found = open::skeleton_beside(motion);
    found.map_err(|error| Failure::Running(anyhow::Error::msg(folder_unread(motion, &error))))
}

/// Files that belong to another file. They are remembered as inputs too.
pub(crate) struct Beside<'a> {
    path: &'a Path,
    folder: Folder,
    disk: &'a Disk,
    args: InputArgs,
    skeleton: Option<Companion>,
    motions: Vec<Companion>,
    motion_paths: Vec<PathBuf>,
}

impl<'a> Beside<'a> {
    /// Returns the files beside the file at `path`; for stdin, those in the current directory.
    pub(crate) fn new(disk: &'a Disk, path: &'a Path, args: InputArgs) -> Self {
        let mut folder = Folder::of(path, args.allow_outside);
        folder.max_size = args.max_size;
        let (motions, motion_paths) = (Vec::new(), Vec::new());
        Self { path, folder, disk, args, skeleton: None, motions, motion_paths }
    }

    fn companion(&self, path: &Path) -> Result<Companion, SidecarError> {
        let name = name(path);
        match load(self.disk, path, Kind::Document, self.args.max_size) {
            Ok(bytes) => Ok(Companion { name, bytes }),
            Err(error) => {
                let words = format!("cannot read {name}: {error}");
                let error = match error.is_failure() {
                    true => SidecarError::Failed(words),
                    false => SidecarError::Unreadable(words),
                };
                self.note_failure(&error);
                Err(error)
            }
        }
    }

    fn skeleton_of(&self, motion: &Path) -> Result<Option<Companion>, SidecarError> {
        let found = open::skeleton_beside(motion).map_err(|error| {
            let error = SidecarError::Failed(folder_unread(motion, &error));
            self.note_failure(&error);
            error
        })?;
        found.map(|path| self.companion(&path)).transpose()
    }

    /// Remembers that the file is not whole because the system could not read a part.
    fn note_failure(&self, error: &SidecarError) {
        if let SidecarError::Failed(words) = error {
            self.disk.note_failure(self.path, words);
        }
    }
}

impl Sidecars for Beside<'_> {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, SidecarError> {
        let bytes = self.folder.read(path).inspect_err(|error| self.note_failure(error))?;
        self.disk.note(&self.folder.place(path)?, Role::Input);
        Ok(bytes)
    }

    fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn chosen_skeleton(&mut self) -> Result<Option<Companion>, SidecarError> {
        Ok(self.skeleton.clone())
    }

    fn skeleton_beside(&mut self) -> Result<Option<Companion>, SidecarError> {
        self.skeleton_of(self.path)
    }

    fn chosen_motions(&mut self) -> Result<Vec<Companion>, SidecarError> {
        Ok(self.motions.clone())
    }

    fn skeleton_of_motion(&mut self, motion: usize) -> Result<Option<Companion>, SidecarError> {
        match self.motion_paths.get(motion) {
            Some(path) => self.skeleton_of(path),
            None => Ok(None),
        }
    }
}
