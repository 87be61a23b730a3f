//! The bytes of a file, read a piece at a time.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::viewer::stamp::Stamp;

/// Read at once: small enough that a load which is no longer wanted ends soon.
const CHUNK: u64 = 1 << 20;
/// A file that changes while it is read is read again this often, a little later each time.
const TRIES: u32 = 6;
const PAUSE: Duration = Duration::from_millis(30);

/// Why there are no bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ReadError {
    /// Something newer is wanted.
    Unwanted,
    /// In words.
    Failed(String),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

/// The bytes at `path` (`-` is the standard input), and the stamp of the file if it is one. `progress` is told how many
/// of how many bytes are there.
pub(super) fn read(
    path: &Path,
    wanted: &dyn Fn() -> bool,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(Vec<u8>, Option<Stamp>), ReadError> {
    if path.as_os_str() == "-" {
        let bytes = pour(&mut io::stdin().lock(), None, wanted, progress)?;
        return Ok((bytes, None));
    }
    let mut tries = 1..=TRIES;
    loop {
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(ReadError::Failed("it is a folder, not a file".into()));
        }
        let len = metadata.is_file().then_some(metadata.len());
        let bytes = pour(&mut file, len, wanted, progress)?;
        let Some(len) = len else {
            return Ok((bytes, None)); // a pipe has no length and no past
        };
        // Someone may have written to it meanwhile, or have put another file in its place.
        let stamp = Stamp::of_metadata(&metadata);
        if bytes.len() as u64 == len && Stamp::of(path) == Some(stamp) {
            return Ok((bytes, Some(stamp)));
        }
        let Some(again) = tries.next() else {
            return Err(ReadError::Failed("it is still being written".into()));
        };
        thread::sleep(PAUSE * again);
    }
}

/// All that `from` has; where its length is known, no more than one byte beyond it, since a file may grow for ever.
fn pour(
    from: &mut dyn Read,
    len: Option<u64>,
    wanted: &dyn Fn() -> bool,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    let total = len.unwrap_or(0);
    let room = usize::try_from(total).unwrap_or(usize::MAX);
    bytes
        .try_reserve_exact(room)
        .map_err(|_| ReadError::Failed(format!("its {total} bytes do not fit in memory")))?;
    loop {
        if !wanted() {
            return Err(ReadError::Unwanted);
        }
        let done = bytes.len() as u64;
        progress(done, total);
        let beyond = len.map_or(u64::MAX, |len| len.saturating_add(1).saturating_sub(done));
        if from.take(CHUNK.min(beyond)).read_to_end(&mut bytes)? == 0 {
            return Ok(bytes);
        }
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
        let (bytes, stamp) = read(file.path(), &|| true, &mut |done, of| {
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
        let result = read(file.path(), &wanted, &mut |done, _| most = done);
        assert_eq!(result, Err(ReadError::Unwanted));
        assert_eq!(most, 2 << 20);
    }

    #[test]
    fn a_file_that_changes_while_it_is_read_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, vec![1; 2 << 20]).unwrap();
        let mut changes = 2;
        let (bytes, stamp) = read(&path, &|| true, &mut |done, _| {
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
        let result = read(&path, &|| true, &mut |_, _| {
            len += 1;
            std::fs::write(&path, vec![2; len]).unwrap();
        });
        let failed = |text: &str| Err(ReadError::Failed(text.into()));
        assert_eq!(result, failed("it is still being written"));
        let result = read(folder.path(), &|| true, &mut |_, _| {});
        assert_eq!(result, failed("it is a folder, not a file"));
        let result = read(&folder.path().join("b"), &|| true, &mut |_, _| {});
        assert!(matches!(result, Err(ReadError::Failed(_))));
    }
}
