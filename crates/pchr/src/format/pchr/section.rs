//! Shared parts of the sections: a count, names, and errors with their path.

use crate::bytes::{Reader, UnexpectedEnd};
use crate::document::{NameEntry, PchrRule};
use crate::finding::{Findings, counted};

/// The data ended inside a field.
pub(super) struct Ended {
    path: String,
    end: UnexpectedEnd,
}

impl Ended {
    #[cold]
    pub(super) fn report(self, findings: &mut Findings) {
        let UnexpectedEnd {
            offset,
            wanted,
            left,
        } = self.end;
        let message = || {
            let more = counted(wanted.saturating_sub(left), "byte", "bytes");
            let ends_at = offset.saturating_add(left);
            format!(
                "the file ends at byte {ends_at}, {more} too early ({wanted} needed from byte {offset}, {left} left)"
            )
        };
        findings.add(PchrRule::UnexpectedEnd, offset, || self.path, message);
    }
}

/// Adds the path to an early end.
pub(super) trait At<T> {
    fn at(self, path: impl FnOnce() -> String) -> Result<T, Ended>;
}

impl<T> At<T> for Result<T, UnexpectedEnd> {
    #[inline]
    fn at(self, path: impl FnOnce() -> String) -> Result<T, Ended> {
        self.map_err(
            #[cold]
            |end| Ended { path: path(), end },
        )
    }
}

/// Reads a section's `uint16` count and its elements.
///
/// Room is made only for a count that the bytes left can hold, at `min_size` bytes an element. For any other the
/// elements are walked without keeping them, to find the one that the data ends in.
pub(super) fn elements<'a, T>(
    reader: &mut Reader<'a>,
    out: &mut Vec<T>,
    count_path: &str,
    min_size: usize,
    mut element: impl FnMut(&mut Reader<'a>, usize) -> Result<T, Ended>,
) -> Result<(), Ended> {
    let count = usize::from(reader.u16().at(|| count_path.into())?);
    if count.saturating_mul(min_size) <= reader.left() {
        out.reserve_exact(count);
        for index in 0..count {
            out.push(element(reader, index)?);
        }
    } else {
        for index in 0..count {
            element(reader, index)?;
        }
    }
    Ok(())
}

/// Reads the offset and length of a string. Its UTF-8 is checked later.
#[inline]
pub(super) fn name(reader: &mut Reader<'_>) -> Result<NameEntry, UnexpectedEnd> {
    let mut ahead = *reader;
    let len = ahead.u16()?;
    let at = offset(&ahead);
    ahead.bytes(len.into())?;
    *reader = ahead;
    Ok(NameEntry { at, len })
}

/// Returns the reader's position; files are smaller than 4 GiB.
#[inline]
pub(super) fn offset(reader: &Reader<'_>) -> u32 {
    u32::try_from(reader.position()).unwrap_or(u32::MAX)
}
