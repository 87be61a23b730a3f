//! Bounds-checked reading and writing of little-endian bytes, and the budget that guards allocation.
//!
//! [`Reader`] is the only code that walks a file: every section reads through it, so no other file slices bytes by an offset it
//! computed. [`Budget`] is charged before memory is allocated by a number from a file.
#![deny(clippy::arithmetic_side_effects)]

mod budget;

use std::fmt;

pub use budget::{Budget, BudgetError, Lease, has_room_for};

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
        let end = self.position.checked_add(count);
        match end.and_then(|end| self.data.get(self.position..end).map(|bytes| (bytes, end))) {
            Some((bytes, end)) => {
                self.position = end;
                Ok(bytes)
            }
            None => Err(self.end(count)),
        }
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
        match rest.iter().position(|byte| *byte == 0) {
            Some(length) => {
                let text = self.bytes(length)?;
                self.skip(1, 1)?;
                Ok(text)
            }
            None => Err(self.end(rest.len().saturating_add(1))),
        }
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], UnexpectedEnd> {
        let rest = self.data.get(self.position..).unwrap_or_default();
        match rest.first_chunk::<N>() {
            Some(chunk) => {
                self.position = self.position.saturating_add(N);
                Ok(*chunk)
            }
            None => Err(self.end(N)),
        }
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

    /// Appends `count` as a `uint16`.
    ///
    /// # Errors
    /// [`WriteError`] naming `path` if it does not fit.
    pub fn count16(
        &mut self,
        count: usize,
        path: impl FnOnce() -> String,
    ) -> Result<(), WriteError> {
        self.u16(fit(count, u16::MAX.into(), path)?);
        Ok(())
    }

    /// Appends `count` as a `uint32`.
    ///
    /// # Errors
    /// [`WriteError`] naming `path` if it does not fit.
    pub fn count32(
        &mut self,
        count: usize,
        path: impl FnOnce() -> String,
    ) -> Result<(), WriteError> {
        self.u32(fit(count, u32::MAX.into(), path)?);
        Ok(())
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

fn fit<T: TryFrom<usize>>(
    found: usize,
    limit: u64,
    path: impl FnOnce() -> String,
) -> Result<T, WriteError> {
    T::try_from(found).map_err(|_| WriteError {
        path: path(),
        found: found as u64,
        limit: Limit::AtMost(limit),
    })
}

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
}
