//! Counterpart of the reader.

use std::fmt;

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
        Self {
            bytes: Vec::with_capacity(bytes),
        }
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

    /// Appends one byte.
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Appends a `uint16`.
    pub fn u16(&mut self, value: u16) {
        self.bytes(&value.to_le_bytes());
    }

    /// Appends an `int16`.
    pub fn i16(&mut self, value: i16) {
        self.bytes(&value.to_le_bytes());
    }

    /// Appends a `uint32`.
    pub fn u32(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    /// Appends a `uint64`.
    pub fn u64(&mut self, value: u64) {
        self.bytes(&value.to_le_bytes());
    }

    /// Appends zeros up to an offset, which is not before the end.
    pub fn zeros_to(&mut self, offset: usize) {
        self.bytes.resize(offset.max(self.bytes.len()), 0);
    }

    /// Appends a `float32`, its bits unchanged.
    pub fn f32(&mut self, value: f32) {
        self.bytes(&value.to_le_bytes());
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
