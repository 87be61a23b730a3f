//! Output files: complete or absent, and never written over an input; and a folder that may come from elsewhere, whose files are reached
//! by paths relative to it, and through no link. An atlas and the images of its pages are written together.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use rayon::prelude::*;
use tempfile::TempPath;

use pchr::image::{Effort, encode_png};
use pchr_foreign::format::pct;
use pchr_foreign::packing::Packed;

use super::Failure;
use super::disk::{Disk, Listed, Role};
use super::messages::{AgentLog, Messages, progress};
use crate::file_name::{self, folder};
use crate::files::{Kind, ReadError, Reading};

/// A file being written. It is renamed into place when it is complete; an existing file stays until then.
#[derive(Debug)]
pub(crate) struct Whole {
    disk: Disk,
    /// Path as requested.
    name: PathBuf,
    /// The file, pipe or device; `None` for the null device, by its name on any system.
    out: Option<BufWriter<File>>,
    /// `None` for a pipe or a device, which cannot and must not be replaced.
    place: Option<Place>,
    /// Number of bytes that were written.
    len: usize,
}

/// A path, and the file beside it that will replace it.
#[derive(Debug)]
struct Place {
    path: PathBuf,
    temp: TempPath,
    listed: Listed,
    /// True if the file must be on the disk before it is renamed.
    syncs: bool,
}

/// Options for writing an output.
#[derive(Clone, Copy, Debug)]
struct Manner {
    /// True if the target of a link is replaced, instead of the link, and a pipe or device is written to. Else any existing entry
    /// is replaced.
    follows: bool,
    /// Least role of an input that must not be overwritten.
    keeps: Role,
    /// True if the file is cheap to make again. A new one need not be on the disk before it is renamed, which takes longer than
    /// drawing it. One that replaces another always must.
    is_cheap: bool,
}

/// Outputs named by users.
const NAMED: Manner = Manner { follows: true, keeps: Role::Baseline, is_cheap: false };

/// Pictures, which may be many.
const PICTURE: Manner = Manner { is_cheap: true, ..NAMED };

/// Baselines and files beside them.
const UPDATE: Manner = Manner { follows: false, keeps: Role::Input, ..NAMED };

/// Files named by the program, in a folder that may come from elsewhere.
const WITHIN: Manner = Manner { follows: false, is_cheap: true, ..NAMED };

impl Disk {
    /// Starts a file at `path`. If `path` is a link, its target is replaced.
    pub(crate) fn create(&self, path: &Path) -> io::Result<Whole> {
        self.start(path, NAMED)
    }

    /// Writes a file as a whole: to a temporary one beside it, which is then renamed into place. An existing file stays until the
    /// new one is complete.
    pub(crate) fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.create(path)?.finish(bytes)
    }

    /// Writes a picture as a whole, as [`Disk::write`] does.
    pub(crate) fn write_picture(&self, path: &Path, png: &[u8]) -> io::Result<()> {
        self.start(path, PICTURE)?.finish(png)
    }

    fn start(&self, path: &Path, manner: Manner) -> io::Result<Whole> {
        if let Some(overwrites) = self.overwritten(path, manner.keeps) {
            return Err(io::Error::other(overwrites));
        }
        let opened = self.open(path, manner);
        let (out, place) = opened.map_err(|error| explain(path, &error))?;
        Ok(Whole { disk: self.clone(), name: path.to_owned(), out, place, len: 0 })
    }

    fn open(
        &self,
        path: &Path,
        manner: Manner,
    ) -> io::Result<(Option<BufWriter<File>>, Option<Place>)> {
        let follows = manner.follows;
        if file_name::is_null(path) {
            return Ok((None, None));
        }
        let there = if follows {
            fs::metadata(path)
        } else {
            let there = fs::symlink_metadata(path);
            there.and_then(|there| match there.is_file() || there.is_dir() {
                true => Ok(there),
                false => Err(io::ErrorKind::NotFound.into()),
            })
        };
        let syncs = !manner.is_cheap || there.is_ok();
        #[cfg_attr(not(unix), expect(unused_variables, reason = "there are none"))]
        let permissions = match there {
            Ok(there) if there.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(there) if !there.is_file() => {
                let stream = File::options().write(true).open(path)?;
                return Ok((Some(BufWriter::new(stream)), None));
            }
            there => there.ok().map(|there| there.permissions()),
        };
        let linked = fs::symlink_metadata(path).is_ok_and(|there| there.is_symlink());
        let path = if linked && follows { fs::canonicalize(path)? } else { path.to_owned() };
        let mut builder = tempfile::Builder::new();
        let [prefix, suffix] = TEMPORARY;
        builder.prefix(prefix).suffix(suffix);
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
            options.mode(permissions.map_or(0o666, |there| there.mode())); // less the umask
        }
        let (file, temp, listed) = self.temps().make(&builder, &options, folder(&path))?;
        Ok((Some(BufWriter::new(file)), Some(Place { path, temp, listed, syncs })))
    }
}

impl Whole {
    /// Returns the path at which another program may write the file; `None` for pipes and devices.
    pub(crate) fn temporary(&self) -> Option<&Path> {
        self.place.as_ref().map(|place| &*place.temp)
    }

    /// Writes all bytes, and renames the file into place.
    pub(crate) fn finish(mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)?;
        self.complete()?.take_place()
    }

    /// Completes and closes the file without renaming it. Unless it is cheap to make again, it is on the disk afterwards.
    pub(crate) fn complete(self) -> io::Result<Complete> {
        let Self { disk, name, out, place, len } = self;
        let syncs = place.as_ref().is_some_and(|place| place.syncs);
        let written = out.map_or(Ok(()), |out| {
            let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
            if syncs { file.sync_all() } else { Ok(()) }
        });
        match written {
            Ok(()) => Ok(Complete { disk, name, place, len }),
            Err(error) => Err(explain(&name, &error)),
        }
    }
}

/// A complete file that is not renamed yet.
#[derive(Debug)]
pub(crate) struct Complete {
    disk: Disk,
    /// Path as requested.
    pub(crate) name: PathBuf,
    /// `None` for pipes and devices.
    place: Option<Place>,
    /// Number of bytes that were written.
    pub(crate) len: usize,
}

impl Complete {
    /// Renames the file into place.
    pub(crate) fn take_place(self) -> io::Result<()> {
        let Some(Place { path, temp, listed, .. }) = self.place else { return Ok(()) };
        let placed = listed.persist(temp, &path);
        placed.map_err(|error| explain(&self.name, &error))?;
        self.disk.changed(folder(&path));
        Ok(())
    }
}

impl Write for Whole {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.as_mut().map_or(Ok(bytes.len()), |out| out.write(bytes));
        let written = written.map_err(|error| explain(&self.name, &error))?;
        self.len = self.len.saturating_add(written);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), Write::flush).map_err(|error| explain(&self.name, &error))
    }
}

/// Places in a file; a pipe or a device has none.
impl Seek for Whole {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        let sought = match &mut self.out {
            None => Ok(0),
            Some(_) if self.place.is_none() => Err(ErrorKind::NotSeekable.into()),
            Some(out) => out.seek(place),
        };
        sought.map_err(|error| explain(&self.name, &error))
    }
}

/// Prefix and suffix of temporary file names.
const TEMPORARY: [&str; 2] = [".pchr-", ".tmp"];

/// Returns true if a file is a temporary one of this program, by its name.
pub(crate) fn is_temporary(name: &std::ffi::OsStr) -> bool {
    let (name, [prefix, suffix]) = (name.as_encoded_bytes(), TEMPORARY.map(str::as_bytes));
    name.starts_with(prefix) && name.ends_with(suffix)
}

/// Returns an error of writing a file, which names the file.
pub(crate) fn explain(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display()))
}

pub(crate) fn make_folders<'a>(paths: impl IntoIterator<Item = &'a Path>) -> io::Result<()> {
    let mut made: Option<&Path> = None;
    for path in paths.into_iter().filter(|path| !file_name::is_null(path)) {
        let folder = folder(path);
        if made != Some(folder) {
            std::fs::create_dir_all(folder).map_err(|error| {
                io::Error::new(
                    error.kind(),
                    format!("cannot create the folder {}: {error}", folder.display()),
                )
            })?;
            made = Some(folder);
        }
    }
    Ok(())
}

/// Writes what could also be a file to stdout, byte for byte. A closed reader is not an error.
pub(crate) fn write_stdout(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    to_stdout(stdout.write_all(bytes).and_then(|()| stdout.flush()))
}

/// Writes text to stdout in the same way, but without [commands for an agent](AgentLog).
pub(crate) fn write_text(text: &[u8]) -> io::Result<()> {
    let mut stdout = AgentLog::new(BufWriter::new(io::stdout().lock()));
    to_stdout(stdout.write_all(text).and_then(|()| stdout.flush()))
}

/// Writes a result to stdout as JSON, in pieces: it may be larger than memory.
pub(crate) fn write_json(result: &impl serde::Serialize) -> Result<(), super::Failure> {
    let mut stdout = AgentLog::new(BufWriter::with_capacity(1 << 16, io::stdout().lock()));
    let written = serde_json::to_writer_pretty(&mut stdout, result)
        .map_err(io::Error::from)
        .and_then(|()| stdout.write_all(b"\n"))
        .and_then(|()| stdout.flush());
    Ok(to_stdout(written)?)
}

/// Returns the schema of the output of [`write_json`].
pub(crate) fn schema<T: schemars::JsonSchema>() -> schemars::Schema {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>()
}

fn to_stdout(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => {
            Err(io::Error::new(error.kind(), format!("cannot write to standard output: {error}")))
        }
        Ok(()) => Ok(()),
    }
}

/// Returns true if a path, whose end need not exist, is a folder or in it.
pub(crate) fn is_in(path: &Path, folder: &Path) -> bool {
    let Ok(folder) = std::fs::canonicalize(folder) else { return false };
    let Ok(path) = std::path::absolute(path) else { return false };
    let mut there = path.ancestors().filter_map(|part| part.canonicalize().ok());
    there.next().is_some_and(|part| part.starts_with(folder))
}

/// The folder. It may be a link itself, because the user named it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inside<'a>(pub(crate) &'a Path);

impl Inside<'_> {
    /// Returns the path of a file, whose end need not exist. No folder on the way is a link.
    ///
    /// # Errors
    /// An error that names the link, or a path that could leave the folder.
    fn place(self, path: &str) -> io::Result<PathBuf> {
        let mut place = self.0.to_owned();
        let mut parts = path.split('/').peekable();
        while let Some(part) = parts.next() {
            if matches!(part, "" | "." | "..") || part.contains(['\\', ':']) {
                let text = format!("{path:?} is not a path in {}", self.0.display());
                return Err(io::Error::new(ErrorKind::InvalidInput, text));
            }
            place.push(part);
            if parts.peek().is_some() && look(&place)?.is_some_and(|there| there.is_symlink()) {
                return Err(linked(&place));
            }
        }
        Ok(place)
    }

    /// Returns the length of a file, without reading it.
    pub(crate) fn len(self, path: &str) -> io::Result<u64> {
        Ok(fs::metadata(self.file(path)?)?.len())
    }

    /// Opens a file of pictures, which may be large.
    pub(crate) fn open(self, path: &str) -> io::Result<File> {
        let place = self.file(path)?;
        let opened = Reading::of(&place, Kind::Picture).open();
        opened.map(|(file, _)| file).map_err(|error| match error {
            ReadError::Io(error) => error,
            error => io::Error::other(format!("{}: {error}", place.display())),
        })
    }

    /// Reads a file, and remembers it as an input.
    pub(crate) fn read(self, disk: &Disk, path: &str, kind: Kind) -> Result<Vec<u8>, ReadError> {
        disk.read(Reading::of(&self.file(path)?, kind), Role::Input)
    }

    /// Reads a file without remembering it as an input.
    pub(crate) fn peek(self, path: &str, kind: Kind) -> Result<Vec<u8>, ReadError> {
        Reading::of(&self.file(path)?, kind).run()
    }

    /// Returns the path of a file that is not a link.
    fn file(self, path: &str) -> io::Result<PathBuf> {
        let place = self.place(path)?;
        match look(&place)? {
            Some(there) if there.is_symlink() => Err(linked(&place)),
            _ => Ok(place),
        }
    }

    /// Starts a file, and creates its folders. A link at its path is replaced.
    pub(crate) fn create(self, disk: &Disk, path: &str) -> io::Result<Whole> {
        let place = self.place(path)?;
        make_folders([place.as_path()])?;
        disk.start(&place, WITHIN)
    }

    /// Writes a baseline, or a file kept beside it, as a whole, and creates its folders. A link at its path is replaced.
    pub(crate) fn update(self, disk: &Disk, path: &str, bytes: &[u8]) -> io::Result<()> {
        let place = self.place(path)?;
        make_folders([place.as_path()])?;
        disk.start(&place, UPDATE)?.finish(bytes)
    }

    /// Removes a file, or a link at its path, and the folders that become empty. A file that is missing or cannot be reached is
    /// ignored.
    pub(crate) fn remove(self, path: &str) -> io::Result<()> {
        let Ok(place) = self.place(path) else { return Ok(()) };
        match fs::remove_file(&place) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let folders = place.ancestors().skip(1);
        for folder in folders.take_while(|folder| *folder != self.0) {
            if fs::remove_dir(folder).is_err() {
                break;
            }
        }
        Ok(())
    }
}

/// Returns the metadata of a path itself, without following links; `None` if it does not exist.
fn look(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::symlink_metadata(path) {
        Ok(there) => Ok(Some(there)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn linked(path: &Path) -> io::Error {
    io::Error::other(format!("{} is a link, which is not followed", path.display()))
}

/// Returns the files of an atlas whose text is written to `output`: the images of its pages beside it, and the text last.
pub(crate) fn sheet_files(
    packed: &Packed,
    text: String,
    output: &Path,
    messages: &Messages,
) -> Result<Vec<(PathBuf, Vec<u8>)>, Failure> {
    let bar = progress(packed.pages.len(), messages);
    let encode = |page| {
        let mut png = Vec::new();
        encode_png(page, Effort::Some, &mut png).context("cannot write a page")?;
        bar.inc(1);
        Ok(png)
    };
    let pages: Result<Vec<_>, Failure> = packed.pages.par_iter().map(encode).collect();
    bar.finish_and_clear();
    let paths = packed.atlas.pages.iter().map(|page| output.with_file_name(&page.file));
    let mut files: Vec<_> = paths.zip(pages?).collect();
    files.push((output.to_owned(), text.into_bytes()));
    Ok(files)
}

/// Returns the images of the atlas that `files` replaces, unless they are replaced themselves.
pub(crate) fn left_over_pages(files: &[(PathBuf, Vec<u8>)]) -> Vec<PathBuf> {
    let Some((text, _)) = files.last() else { return Vec::new() };
    let there = Reading::of(text, Kind::Document).run();
    let there = there.ok().and_then(|bytes| pct::read(&bytes).ok());
    let pages = there.map_or_else(Vec::new, |(atlas, _)| atlas.pages);
    let mut left: Vec<PathBuf> = pages
        .iter()
        .filter(|page| !page.file.is_empty() && !page.file.contains(['/', '\\']))
        .map(|page| text.with_file_name(&page.file))
        .filter(|path| path.is_file() && files.iter().all(|(file, _)| file != path))
        .collect();
    left.sort();
    left.dedup();
    left
}

/// Writes files, all of which are complete before the first takes its name. The text of an atlas, which names the others, is the last.
pub(crate) fn write_together(files: &[(PathBuf, Vec<u8>)], disk: &Disk) -> Result<(), Failure> {
    let paths = files.iter().map(|(path, _)| path.as_path());
    disk.check(paths.clone())?;
    make_folders(paths)?;
    let mut complete = Vec::with_capacity(files.len());
    for (path, bytes) in files {
        let mut file = disk.create(path)?;
        file.write_all(bytes)?;
        complete.push(file.complete()?);
    }
    for file in complete {
        file.take_place()?;
    }
    Ok(())
}
