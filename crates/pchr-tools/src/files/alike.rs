//! Names that differ from that of a missing file only in case or in the form of their accents. On another system, the file would be
//! found.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Component, Path};

use crate::file_name;

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
    Some(format!(
        "{there:?} exists and differs from {wanted:?} in {how}"
    ))
}

/// Returns the first part of a path that is missing, and the name that lies there instead.
fn found(path: &Path) -> Option<(OsString, OsString)> {
    let mut folder = std::path::PathBuf::new();
    for part in path.components() {
        let next = folder.join(part);
        let is_missing = || {
            let there = std::fs::symlink_metadata(&next);
            there.is_err_and(|error| error.kind() == ErrorKind::NotFound)
        };
        match part {
            Component::Normal(name) if is_missing() => {
                let folder = match folder.as_os_str().is_empty() {
                    true => Path::new("."),
                    false => &folder,
                };
                let key = file_name::key(&name.to_string_lossy());
                let entries = std::fs::read_dir(folder).ok()?;
                let names = entries.flatten().map(|entry| entry.file_name());
                let alike = names.filter(|it| file_name::key(&it.to_string_lossy()) == key);
                return Some((name.to_owned(), alike.min()?));
            }
            _ => folder = next,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(path: &Path) -> String {
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
        assert!(said(&at("Art/hero.pchr")).ends_with(why));
        let why = "\"Art\" exists and differs from \"art\" in upper and lower case";
        assert!(said(&at("art/Hero.pchr")).ends_with(why));
        let text = said(&at("Art/cafe\u{301}.png"));
        assert!(text.contains("the Unicode form of its accents"), "{text}");
        assert!(!said(&at("Art/other.pchr")).contains("differs"));
        let denied = io::Error::from(ErrorKind::PermissionDenied);
        let denied = with_alike(&at("art"), denied);
        assert_eq!(denied.kind(), ErrorKind::PermissionDenied);
    }
}
