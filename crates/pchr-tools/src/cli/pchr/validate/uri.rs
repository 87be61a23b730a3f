//! Files' names as URI references (RFC 3986).

use std::fmt::Write as _;
use std::path::{Component, Path, Prefix};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

/// All but unreserved characters.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// A relative path stays relative; an absolute one becomes a `file` URI.
pub(super) fn of(path: &Path) -> String {
    let mut uri = String::new();
    for component in path.components() {
        match component {
            Component::Prefix(prefix) => match prefix.kind() {
                Prefix::Disk(letter) | Prefix::VerbatimDisk(letter) => {
                    let _ = write!(uri, "file:///{}:", char::from(letter));
                }
                _ => encode(prefix.as_os_str().as_encoded_bytes(), &mut uri),
            },
            Component::RootDir if uri.is_empty() => uri.push_str("file:///"),
            Component::RootDir => uri.push('/'),
            Component::CurDir => {}
            Component::ParentDir | Component::Normal(_) => {
                if !uri.is_empty() && !uri.ends_with('/') {
                    uri.push('/');
                }
                encode(component.as_os_str().as_encoded_bytes(), &mut uri);
            }
        }
    }
    uri
}

fn encode(bytes: &[u8], uri: &mut String) {
    uri.extend(percent_encode(bytes, ENCODED));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_part_of_a_name_is_encoded() {
        for (path, uri) in [
            ("hero.pchr", "hero.pchr"),
            ("./art/hero.pchr", "art/hero.pchr"),
            ("../art/hero.pchr", "../art/hero.pchr"),
            ("my art/50%#1?.pchr", "my%20art/50%25%231%3F.pchr"),
            ("größe.pchr", "gr%C3%B6%C3%9Fe.pchr"),
        ] {
            assert_eq!(of(Path::new(path)), uri);
        }
    }

    #[cfg(unix)]
    #[test]
    fn an_absolute_path_is_a_file_uri() {
        assert_eq!(of(Path::new("/a b/hero.pchr")), "file:///a%20b/hero.pchr");
        assert_eq!(of(Path::new("c:hero.pchr")), "c%3Ahero.pchr", "no scheme");
    }

    #[cfg(windows)]
    #[test]
    fn a_path_with_a_drive_is_a_file_uri() {
        assert_eq!(
            of(Path::new(r"C:\a b\hero.pchr")),
            "file:///C:/a%20b/hero.pchr"
        );
    }
}
