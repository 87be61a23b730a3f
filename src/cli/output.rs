//! Output files: complete or not there.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Writes a file whole: to a temporary one beside it, which then takes its name. Whatever was there before stays until
/// the new one is complete.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let write = || {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".pchr-").suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(std::fs::Permissions::from_mode(0o666)); // less the umask
        }
        let mut file = builder.tempfile_in(folder(path))?;
        file.write_all(bytes)?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|error: io::Error| {
        io::Error::new(
            error.kind(),
            format!("cannot write {}: {error}", path.display()),
        )
    })
}

/// Makes the folders that the files will lie in.
pub(super) fn make_folders<'a>(paths: impl Iterator<Item = &'a PathBuf>) -> io::Result<()> {
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
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
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
