//! Bounds-checked reading and writing of little-endian bytes, and the budget that guards allocation.
//!
//! [`Reader`] is the only code that walks a file: every section reads through it, so no other file slices bytes by an offset it
//! computed. [`Budget`] is charged before memory is allocated by a number from a file.
#![deny(clippy::arithmetic_side_effects)]

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The data ended before the requested bytes.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("data ends early at byte {offset}: {wanted} bytes needed, {left} left")]
pub struct UnexpectedEnd {
    /// Offset of the first requested byte.
    pub offset: u64,
    /// Bytes requested from `offset` on.
    pub wanted: u64,
    /// Bytes available from `offset` on.
    pub left: u64,
}

/// A cursor over a byte slice. Every step is checked; a failed step does not move it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    data: &'a [u8],
    position: usize,
}

impl<'a> Reader<'a> {
    /// Creates a cursor at the first byte of `data`.
    #[must_use]
    pub fn new(data: &'a [u8]) -> Self {
        Self { data, position: 0 }
    }

    /// Returns the offset of the next byte.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }

    /// Returns the number of bytes from here to the end.
    #[must_use]
    pub fn left(&self) -> usize {
        self.data.len().saturating_sub(self.position)
    }

    /// Returns the next `count` bytes.
    ///
    /// # Errors
    /// [`UnexpectedEnd`] if fewer are left.
    #[inline]
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], UnexpectedEnd> {
        let rest = self.data.get(self.position..).unwrap_or_default();
        let bytes = rest.get(..count).ok_or_else(|| self.end(count))?;
        self.position = self.position.saturating_add(count);
        Ok(bytes)
    }

    /// Skips `count` items of `size` bytes; the product may exceed the address space.
    ///
    /// # Errors
    /// [`UnexpectedEnd`] if fewer bytes are left.
    #[inline]
    pub fn skip(&mut self, count: usize, size: usize) -> Result<(), UnexpectedEnd> {
        self.bytes(count.saturating_mul(size)).map(|_| ())
    }

    /// Returns the bytes up to the next NUL, and skips the NUL.
    ///
    /// # Errors
    /// [`UnexpectedEnd`] if there is no NUL.
    pub fn c_string(&mut self) -> Result<&'a [u8], UnexpectedEnd> {
        let rest = self.data.get(self.position..).unwrap_or_default();
        let length = rest.iter().position(|byte| *byte == 0);
        let length = length.ok_or_else(|| self.end(rest.len().saturating_add(1)))?;
        let text = self.bytes(length)?;
        self.skip(1, 1)?;
        Ok(text)
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], UnexpectedEnd> {
        let rest = self.data.get(self.position..).unwrap_or_default();
        let chunk = rest.first_chunk::<N>().ok_or_else(|| self.end(N))?;
        self.position = self.position.saturating_add(N);
        Ok(*chunk)
    }

    #[cold]
    fn end(&self, wanted: usize) -> UnexpectedEnd {
        UnexpectedEnd {
            offset: self.position as u64,
            wanted: wanted as u64,
            left: self.left() as u64,
        }
    }
}

/// A value that the format has no room for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {found} does not fit, expected {limit}")]
pub struct WriteError {
    /// Path of the value, like `meshes[2].vertices`.
    pub path: String,
    /// Its size or value.
    pub found: u64,
    /// Limit of the field.
    pub limit: Limit,
}

/// Limit of a field of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The value may be at most this.
    AtMost(u64),
    /// The value must be this, because other fields determine it.
    Exactly(u64),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost(most) => write!(f, "at most {most}"),
            Self::Exactly(wanted) => write!(f, "{wanted}"),
        }
    }
}

/// Appends little-endian values to a growing buffer.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// Creates an empty buffer.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty buffer with room for a number of bytes.
    #[must_use]
    pub fn with_capacity(bytes: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes) }
    }

    /// Returns the written bytes.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }

    /// Returns the number of bytes written so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns true if nothing was written yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Appends another buffer and empties it. It keeps its memory.
    pub fn append(&mut self, other: &mut Self) {
        self.bytes.append(&mut other.bytes);
    }

    /// Appends zeros up to an offset, which is not before the end.
    pub fn zeros_to(&mut self, offset: usize) {
        self.bytes.resize(offset.max(self.bytes.len()), 0);
    }

    /// Appends raw bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends a string: `uint16` byte length, then UTF-8.
    ///
    /// # Errors
    /// [`WriteError`] naming `path` if it is longer than 65,535 bytes.
    pub fn string(&mut self, text: &str, path: impl FnOnce() -> String) -> Result<(), WriteError> {
        self.count16(text.len(), path)?;
        self.bytes(text.as_bytes());
        Ok(())
    }
}

macro_rules! counts {
    ($($name:ident $number:ident)*) => {
        impl Writer {
            $(
                #[doc = concat!("Appends `count` as a `", stringify!($number), "`.")]
                ///
                /// # Errors
                /// [`WriteError`] naming `path` if it does not fit.
                pub fn $name(
                    &mut self,
                    count: usize,
                    path: impl FnOnce() -> String,
                ) -> Result<(), WriteError> {
                    let limit = Limit::AtMost($number::MAX.into());
                    let fitting = $number::try_from(count)
                        .map_err(|_| WriteError { path: path(), found: count as u64, limit })?;
                    self.$number(fitting);
                    Ok(())
                }
            )*
        }
    };
}

counts!(count16 u16 count32 u32);

macro_rules! numbers {
    ($($number:ident)*) => {
        impl Reader<'_> {
            $(
                /// Returns the next number of this type.
                ///
                /// # Errors
                /// [`UnexpectedEnd`] if fewer bytes are left than it has.
                #[inline]
                pub fn $number(&mut self) -> Result<$number, UnexpectedEnd> {
                    self.array().map($number::from_le_bytes)
                }
            )*
        }

        impl Writer {
            $(
                /// Appends a number of this type, its bits unchanged.
                pub fn $number(&mut self, value: $number) {
                    self.bytes(&value.to_le_bytes());
                }
            )*
        }
    };
}

numbers!(u8 u16 i16 u32 u64 f32);

/// More memory was asked for than the budget has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} of memory needed, {} left of the limit of {}", Amount(*.wanted), Amount(*.left), Amount(*.limit))]
pub struct BudgetError {
    /// Requested bytes.
    pub wanted: u64,
    /// Remaining bytes.
    pub left: u64,
    /// Total bytes of the budget.
    pub limit: u64,
}

/// A number of bytes for people: `64 bytes`, `1.5 MiB`.
struct Amount(u64);

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
        let Some((unit, name)) = UNITS.into_iter().find(|(unit, _)| self.0 >= *unit) else {
            return write!(f, "{} bytes", self.0);
        };
        #[expect(clippy::cast_precision_loss, reason = "two decimals are shown")]
        let count = self.0 as f64 / unit as f64;
        if count.fract() == 0.0 {
            write!(f, "{count} {name}")
        } else {
            write!(f, "{count:.2} {name}")
        }
    }
}

/// Memory that a file may cause to be allocated, in bytes. Several threads may share a budget.
#[derive(Debug)]
pub struct Budget {
    limit: u64,
    left: AtomicU64,
    /// Parent budget, which is charged too.
    shared: Option<Arc<Budget>>,
    /// Set if the parent refused a request. Siblings share it.
    crowded: Arc<AtomicBool>,
}

/// 1 GiB.
impl Default for Budget {
    fn default() -> Self {
        Self::new(Self::DEFAULT)
    }
}

impl Budget {
    /// Default memory limit for a document's images: 1 GiB.
    pub const DEFAULT: u64 = 1 << 30;

    /// Creates a budget of `bytes`.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        Self { limit: bytes, left: AtomicU64::new(bytes), shared: None, crowded: Arc::default() }
    }

    /// Returns a budget of the same size that also charges this one, and gives everything back when it is dropped. It is for one of
    /// several files that are read at the same time.
    #[must_use]
    pub fn share(self: &Arc<Self>) -> Self {
        let mut budget = Self::new(self.limit);
        budget.shared = Some(Arc::clone(self));
        budget
    }

    /// Returns another budget of the same size for the same file, which charges the same [shared](Self::share) one.
    #[must_use]
    pub fn sibling(&self) -> Self {
        Self {
            limit: self.limit,
            left: AtomicU64::new(self.limit),
            shared: self.shared.clone(),
            crowded: Arc::clone(&self.crowded),
        }
    }

    /// Returns the total bytes of the budget.
    #[must_use]
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Returns true if a request was refused, here or by a [sibling](Self::sibling), only because of other users of the same
    /// [shared](Self::share) budget.
    #[must_use]
    pub fn was_crowded(&self) -> bool {
        self.crowded.load(Ordering::Relaxed)
    }

    /// Charges `count` items of `size` bytes for as long as the budget lives.
    ///
    /// # Errors
    /// [`BudgetError`] if they do not fit; nothing is charged then.
    pub fn take(&self, count: u64, size: u64) -> Result<(), BudgetError> {
        self.draw(count.saturating_mul(size))
    }

    /// Returns an empty lease. Its memory is returned when it is dropped.
    #[must_use]
    pub fn lease(&self) -> Lease<'_> {
        Lease { budget: self, taken: 0 }
    }

    fn draw(&self, wanted: u64) -> Result<(), BudgetError> {
        let take = |left: u64| left.checked_sub(wanted);
        let taken = self.left.try_update(Ordering::Relaxed, Ordering::Relaxed, take);
        let limit = self.limit;
        taken.map_err(|left| BudgetError { wanted, left, limit })?;
        let Some(shared) = &self.shared else { return Ok(()) };
        shared.draw(wanted).inspect_err(|_| {
            self.crowded.store(true, Ordering::Relaxed);
            self.left.fetch_add(wanted, Ordering::Relaxed);
        })
    }

    fn give_back(&self, bytes: u64) {
        self.left.fetch_add(bytes, Ordering::Relaxed);
        if let Some(shared) = &self.shared {
            shared.give_back(bytes);
        }
    }
}

impl Drop for Budget {
    fn drop(&mut self) {
        if let Some(shared) = &self.shared {
            let left = self.left.load(Ordering::Relaxed);
            shared.give_back(self.limit.saturating_sub(left));
        }
    }
}

/// A part of a budget, returned when it is dropped.
#[derive(Debug)]
pub struct Lease<'a> {
    budget: &'a Budget,
    taken: u64,
}

impl<'a> Lease<'a> {
    /// Returns the budget of the lease.
    #[must_use]
    pub fn budget(&self) -> &'a Budget {
        self.budget
    }

    /// Adds another lease of the same budget.
    pub fn join(&mut self, mut other: Self) {
        self.taken = self.taken.saturating_add(std::mem::take(&mut other.taken));
    }

    /// Charges `count` more items of `size` bytes.
    ///
    /// # Errors
    /// [`BudgetError`] if they do not fit; nothing is charged then.
    pub fn take(&mut self, count: u64, size: u64) -> Result<(), BudgetError> {
        let wanted = count.saturating_mul(size);
        self.budget.draw(wanted)?;
        self.taken = self.taken.saturating_add(wanted);
        Ok(())
    }

    /// Keeps the charge for as long as the budget lives.
    pub fn keep(mut self) {
        self.taken = 0;
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        self.budget.give_back(self.taken);
    }
}

/// Returns true if parts of these sizes in bytes fit in memory together: they are allocated as a test, and freed. An allocation that
/// cannot report failure would end the program.
pub fn has_room_for(parts: impl IntoIterator<Item = u64>) -> bool {
    let mut held: Vec<Vec<u8>> = Vec::new();
    parts.into_iter().all(|bytes| {
        let mut part = Vec::new();
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let fits = part.try_reserve_exact(bytes).is_ok();
        held.push(part);
        fits
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_past_the_end_says_where_and_does_not_move() {
        let mut reader = Reader::new(&[1, 0, 2]);
        assert_eq!(reader.u16(), Ok(1));
        let end = reader.u32().unwrap_err();
        assert_eq!((end.offset, end.wanted, end.left), (2, 4, 1));
        assert_eq!(reader.u8(), Ok(2));
    }

    #[test]
    fn a_product_larger_than_memory_is_an_early_end() {
        let mut reader = Reader::new(&[0; 8]);
        assert!(reader.skip(usize::MAX, 23).is_err());
        assert_eq!(reader.left(), 8);
    }

    #[test]
    fn a_budget_runs_out_and_keeps_what_it_could_not_give() {
        let budget = Budget::new(100);
        assert_eq!(budget.take(10, 8), Ok(()));
        let error = budget.take(u64::MAX, 2).unwrap_err();
        assert_eq!(error, BudgetError { wanted: u64::MAX, left: 20, limit: 100 });
        assert_eq!(budget.take(5, 4), Ok(()));
    }

    #[test]
    fn what_is_leased_comes_back_unless_it_is_kept() {
        let budget = Budget::new(100);
        let mut lease = budget.lease();
        assert_eq!(lease.take(60, 1), Ok(()));
        assert!(lease.take(60, 1).is_err() && budget.take(60, 1).is_err());
        drop(lease);
        let mut lease = budget.lease();
        assert_eq!(lease.take(90, 1), Ok(()));
        lease.keep();
        assert!(budget.take(20, 1).is_err());
    }

    #[test]
    fn files_side_by_side_share_one_budget_and_each_knows_whose_fault_it_is() {
        let all = Arc::new(Budget::new(100));
        let (one, other) = (all.share(), all.share());
        assert_eq!(one.take(70, 1), Ok(()));
        assert!(other.take(40, 1).is_err() && other.was_crowded());
        assert_eq!(other.take(30, 1), Ok(()));
        assert!(one.take(31, 1).is_err() && !one.was_crowded(), "too much alone");
        drop(one);
        assert_eq!(other.take(70, 1), Ok(()));
        drop(other);
        assert_eq!(all.take(100, 1), Ok(()));
    }

    #[test]
    fn siblings_have_room_each_and_share_what_is_shared() {
        let alone = Budget::new(100);
        let sibling = alone.sibling();
        assert_eq!((alone.take(100, 1), sibling.take(100, 1)), (Ok(()), Ok(())));
        let one = Arc::new(Budget::new(100)).share();
        let sibling = one.sibling();
        assert_eq!(one.take(60, 1), Ok(()));
        assert!(sibling.take(60, 1).is_err() && one.was_crowded());
        drop(one);
        assert_eq!(sibling.take(100, 1), Ok(()));
    }

    #[test]
    fn sizes_are_said_in_words() {
        let said = |bytes| Amount(bytes).to_string();
        let wanted = ["64 bytes", "1 GiB", "1.49 GiB"];
        assert_eq!([said(64), said(1 << 30), said(1_600_000_000)], wanted);
    }
}
