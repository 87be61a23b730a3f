//! Reading of files that other programs may be writing: again and again, until one comes to rest.

use std::path::Path;
use std::time::Duration;
use std::{io, thread};

use pchr_tools::files::{self, Kind, Reading, Stamp};

/// Number of further attempts if a file changes while it is read. Each one waits a little longer.
const TRIES: u32 = 6;
const PAUSE: Duration = Duration::from_millis(30);

/// Reason why there are no bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ReadFailure {
    /// Something newer was requested.
    Unwanted,
    /// An error in words.
    Failed(String),
}

impl ReadFailure {
    /// Returns the reason in words.
    pub(super) fn why(self) -> String {
        match self {
            Self::Unwanted => "is no longer needed".to_owned(),
            Self::Failed(why) => why,
        }
    }
}

impl From<files::ReadError> for ReadFailure {
    fn from(error: files::ReadError) -> Self {
        match error {
            files::ReadError::Unwanted => Self::Unwanted,
            error => Self::Failed(error.to_string()),
        }
    }
}

/// Reads the bytes at `path` (`-` is standard input). Returns them with the stamp of the file, if it is one. Calls
/// `progress` with the bytes read so far and the bytes in total.
pub(super) fn read(
    path: &Path,
    kind: Kind,
    wanted: &dyn Fn() -> bool,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(Vec<u8>, Option<Stamp>), ReadFailure> {
    let reading = Reading { streams: kind == Kind::Document, ..Reading::of(path, kind) };
    let mut go_on = |done, total| {
        let go_on = wanted();
        if go_on {
            progress(done, total);
        }
        go_on
    };
    if path.as_os_str() == "-" {
        let bytes = reading.pour(&mut io::stdin().lock(), None, &mut go_on)?;
        return Ok((bytes, None));
    }
    let mut tries = 1..=TRIES;
    loop {
        let (mut file, metadata) = reading.open()?;
        let len = metadata.is_file().then_some(metadata.len());
        let bytes = reading.pour(&mut file, len, &mut go_on)?;
        let Some(len) = len else {
            return Ok((bytes, None)); // a pipe has no length and no past
        };
        // Someone may have changed or replaced the file in the meantime.
        let stamp = Stamp::of_metadata(&metadata);
        if bytes.len() as u64 == len && Stamp::of(path) == Some(stamp) {
            return Ok((bytes, Some(stamp)));
        }
        let Some(again) = tries.next() else {
            return Err(files::ReadError::Changing.into());
        };
        thread::sleep(PAUSE * again);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::io::Write as _;

    use super::*;

    #[test]
    fn all_bytes_come_and_progress_counts_them() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let written: Vec<u8> = (0..3_000_000_u32).map(|i| i.to_le_bytes()[0]).collect();
        file.write_all(&written).unwrap();
        let mut told = Vec::new();
        let (bytes, stamp) = read(file.path(), Kind::Document, &|| true, &mut |done, of| {
            assert_eq!(of, 3_000_000);
            told.push(done);
        })
        .unwrap();
        assert_eq!(bytes, written);
        assert_eq!(stamp, Stamp::of(file.path()));
        assert_eq!(told, [0, 1 << 20, 2 << 20, 3_000_000]);
    }

    #[test]
    fn reading_ends_as_soon_as_it_is_no_longer_wanted() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&vec![0; 8 << 20]).unwrap();
        let left = Cell::new(3);
        let wanted = || left.replace(left.get() - 1) > 0;
        let mut most = 0;
        let result = read(file.path(), Kind::Document, &wanted, &mut |done, _| most = done);
        assert_eq!(result, Err(ReadFailure::Unwanted));
        assert_eq!(most, 2 << 20);
    }

    #[test]
    fn a_file_that_changes_while_it_is_read_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, vec![1; 2 << 20]).unwrap();
        let mut changes = 2;
        let (bytes, stamp) = read(&path, Kind::Document, &|| true, &mut |done, _| {
            if done > 0 && changes > 0 {
                changes -= 1;
                std::fs::write(&path, vec![2; (2 << 20) + changes]).unwrap();
            }
        })
        .unwrap();
        assert!(bytes.iter().all(|byte| *byte == 2));
        assert_eq!(bytes.len(), 2 << 20);
        assert_eq!(stamp, Stamp::of(&path));
    }

    #[test]
    fn a_file_that_never_comes_to_rest_is_refused_and_so_are_folders_and_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, [1]).unwrap();
        let mut len = 1;
        let result = read(&path, Kind::Document, &|| true, &mut |_, _| {
            len += 1;
            std::fs::write(&path, vec![2; len]).unwrap();
        });
        let failed = |text: &str| Err(ReadFailure::Failed(text.into()));
        assert_eq!(result, failed("is still being written"));
        let result = read(folder.path(), Kind::Document, &|| true, &mut |_, _| {});
        assert_eq!(result, failed("is a directory"));
        let result = read(&folder.path().join("b"), Kind::Document, &|| true, &mut |_, _| {});
        assert!(matches!(result, Err(ReadFailure::Failed(_))));
    }
}
