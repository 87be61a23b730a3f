//! The bytes of a chunk, and findings about them.

use pchr::finding::{Finding, counted};

use super::AclRule;

/// Bytes from the start of a chunk on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk<'a> {
    pub(super) bytes: &'a [u8],
    /// Place of the chunk in its file.
    pub(super) base: u64,
}

impl<'a> Chunk<'a> {
    /// A finding about a byte of the chunk.
    pub(super) fn finding(self, rule: AclRule, at: u64, path: &str, message: &str) -> Finding {
        Finding::new(rule, self.base.saturating_add(at), path, message)
    }

    /// `length` bytes from `at` on; none if `length` is 0, for any `at`. `what` names the content in messages.
    pub(super) fn part(
        self,
        at: u64,
        length: u64,
        path: &str,
        what: impl FnOnce() -> String,
    ) -> Result<&'a [u8], Finding> {
        if length == 0 {
            return Ok(&[]);
        }
        let start = usize::try_from(at).unwrap_or(usize::MAX);
        let from = self.bytes.get(start..).unwrap_or_default();
        let part = usize::try_from(length)
            .ok()
            .and_then(|length| from.get(..length));
        part.ok_or_else(|| {
            let (left, what) = (from.len(), what());
            let left = counted(left, "byte is", "bytes are");
            let message = format!("{left} left, but {what} take {length}");
            let at = at.min(self.bytes.len() as u64);
            self.finding(AclRule::UnexpectedEnd, at, path, &message)
        })
    }

    /// `N` words from `at` on.
    pub(super) fn words<const N: usize>(self, at: u64, path: &str) -> Result<[u32; N], Finding> {
        let what = || format!("{N} numbers");
        let bytes = self.part(at, (N as u64).saturating_mul(4), path, what)?;
        let mut all = words(bytes);
        Ok(std::array::from_fn(|_| all.next().unwrap_or_default()))
    }
}

/// The words that bytes hold.
pub(super) fn words(bytes: &[u8]) -> impl ExactSizeIterator<Item = u32> + Clone {
    bytes
        .as_chunks()
        .0
        .iter()
        .map(|word| u32::from_le_bytes(*word))
}

/// The floats that bytes hold.
pub(super) fn floats(bytes: &[u8]) -> impl ExactSizeIterator<Item = f32> + Clone {
    bytes
        .as_chunks()
        .0
        .iter()
        .map(|word| f32::from_le_bytes(*word))
}

/// FNV-1a in 32 bits.
pub(super) fn hash(bytes: &[u8]) -> u32 {
    bytes.iter().fold(2_166_136_261, |hash, byte| {
        (hash ^ u32::from(*byte)).wrapping_mul(16_777_619)
    })
}
