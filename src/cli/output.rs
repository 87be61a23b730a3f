//! Output files: complete or not there.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

/// A file that is being written, and takes its name when it is complete. Whatever has the name stays until then.
#[derive(Debug)]
pub(super) struct Whole {
    /// As it was asked for.
    name: PathBuf,
    to: To,
}

#[derive(Debug)]
enum To {
    /// A file beside `path` that will take its place.
    Place {
        path: PathBuf,
        file: BufWriter<NamedTempFile>,
    },
    /// A pipe or a device: it cannot be replaced, and must not be.
    Stream(BufWriter<File>),
}

impl Whole {
    /// Starts a file at `path`.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let to = Self::open(path).map_err(|error| explain(path, &error))?;
        Ok(Self {
            name: path.to_owned(),
            to,
        })
    }

    fn open(path: &Path) -> io::Result<To> {
        #[cfg_attr(not(unix), expect(unused_variables, reason = "there are none"))]
        let permissions = match fs::metadata(path) {
            Ok(there) if there.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(there) if !there.is_file() => {
                return Ok(To::Stream(BufWriter::new(
                    File::options().write(true).open(path)?,
                )));
            }
            there => there.ok().map(|there| there.permissions()),
        };
        // What a link leads to is replaced, not the link.
        let linked = fs::symlink_metadata(path).is_ok_and(|there| there.is_symlink());
        let path = if linked {
            fs::canonicalize(path)?
        } else {
            path.to_owned()
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".pchr-").suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let new = || fs::Permissions::from_mode(0o666); // less the umask
            builder.permissions(permissions.clone().unwrap_or_else(new));
        }
        let file = BufWriter::new(builder.tempfile_in(folder(&path))?);
        Ok(To::Place { path, file })
    }

    /// Ends it; it does not have its name yet, and is no longer open.
    pub(super) fn complete(self) -> io::Result<Complete> {
        let complete = || match self.to {
            To::Stream(mut file) => {
                file.flush()?;
                Ok(None)
            }
            To::Place { path, file } => {
                let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                Ok(Some((file.into_temp_path(), path)))
            }
        };
        match complete() {
            Ok(place) => Ok(Complete {
                name: self.name,
                place,
            }),
            Err(error) => Err(explain(&self.name, &error)),
        }
    }
}

/// A file that is complete and waits to take its name.
#[derive(Debug)]
pub(super) struct Complete {
    name: PathBuf,
    /// Where it lies and what it replaces; nothing of the kind for what was no file.
    place: Option<(TempPath, PathBuf)>,
}

impl Complete {
    /// Lets it take its name.
    pub(super) fn take_place(self) -> io::Result<()> {
        let Some((file, path)) = self.place else {
            return Ok(());
        };
        file.persist(path)
            .map_err(|error| explain(&self.name, &error.error))
    }
}

impl Write for Whole {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.to {
            To::Place { file, .. } => file.write(bytes),
            To::Stream(file) => file.write(bytes),
        };
        written.map_err(|error| explain(&self.name, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = match &mut self.to {
            To::Place { file, .. } => file.flush(),
            To::Stream(file) => file.flush(),
        };
        flushed.map_err(|error| explain(&self.name, &error))
    }
}

/// Writes a file whole: to a temporary one beside it, which then takes its name. Whatever was there before stays until
/// the new one is complete.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = Whole::create(path)?;
    file.write_all(bytes)?;
    file.complete()?.take_place()
}

fn explain(path: &Path, error: &io::Error) -> io::Error {
    let text = error.to_string();
    // The name of a temporary file means nothing to anyone.
    let reason = text
        .split_once(" at path \"")
        .map_or(text.as_str(), |(reason, _)| reason);
    io::Error::new(
        error.kind(),
        format!("cannot write {}: {reason}", path.display()),
    )
}

/// Makes the folders that the files will lie in.
pub(super) fn make_folders<'a>(paths: impl IntoIterator<Item = &'a Path>) -> io::Result<()> {
    let mut made: Option<&Path> = None;
    for path in paths {
        let folder = folder(path);
        if made != Some(folder) {
            std::fs::create_dir_all(folder).map_err(|error| {
                io::Error::new(
                    error.kind(),
                    format!("cannot make the folder {}: {error}", folder.display()),
                )
            })?;
            made = Some(folder);
        }
    }
    Ok(())
}

/// Writes a result to stdout. A reader that has gone is no error.
pub(super) fn write_stdout(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    to_stdout(stdout.write_all(bytes).and_then(|()| stdout.flush()))
}

/// Writes a result to stdout as JSON, piece by piece: it may be longer than memory is large.
pub(super) fn write_json(result: &impl serde::Serialize) -> Result<(), super::Failure> {
    let mut stdout = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let written = serde_json::to_writer_pretty(&mut stdout, result)
        .map_err(io::Error::from)
        .and_then(|()| stdout.write_all(b"\n"))
        .and_then(|()| stdout.flush());
    Ok(to_stdout(written)?)
}

fn to_stdout(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(io::Error::new(
            error.kind(),
            format!("cannot write to stdout: {error}"),
        )),
        Ok(()) => Ok(()),
    }
}

fn folder(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}
