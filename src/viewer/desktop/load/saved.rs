//! Sessions as they are opened: the text is read, and the file that it shows is loaded in its place.

use std::path::{Path, PathBuf};

use pchr_tools::files::{Kind, Seen, Stamp};
use pchr_tools::session::Session;

use super::ReadFailure;
use crate::viewer::loaded::LoadError;

/// Reads a session and finds its files. `relocated` has files that the user found elsewhere: missing ones, and their places.
pub(super) fn read(
    path: &Path,
    relocated: &[(PathBuf, PathBuf)],
    wanted: &dyn Fn() -> bool,
) -> Result<(Session, Seen), (Vec<Seen>, Option<LoadError>)> {
    let seen = |stamp| Seen {
        path: path.to_owned(),
        stamp,
    };
    let failed = |error| (vec![seen(Stamp::of(path))], error);
    let (text, stamp) = match super::read(path, Kind::Text, wanted, &mut |_, _| ()) {
        Ok(read) => read,
        Err(ReadFailure::Unwanted) => return Err(failed(None)),
        Err(ReadFailure::Failed(why)) => return Err(failed(Some(LoadError::Io(why)))),
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let session = match String::from_utf8(text) {
        Ok(text) => Session::parse(&text, folder).map_err(|error| error.to_string()),
        Err(_) => Err("not UTF-8 text; save the file as UTF-8".to_owned()),
    };
    let mut session = session.map_err(|why| failed(Some(LoadError::Io(why))))?;
    for (missing, found) in relocated {
        session.relocate(missing, found);
    }
    match session.missing() {
        missing if missing.is_empty() => Ok((session, seen(stamp))),
        missing => {
            let gone = missing.iter().cloned();
            let gone = gone.map(|path| Seen { path, stamp: None });
            let files = [seen(stamp)].into_iter().chain(gone).collect();
            Err((files, Some(LoadError::Missing(missing))))
        }
    }
}
