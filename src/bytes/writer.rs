//! The counterpart of the reader.

/// A value that the format has no room for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {found} does not fit, {limit} is the most")]
pub struct WriteError {
    /// The value, like `meshes[2].vertices`.
    pub path: String,
    /// Its size or value.
    pub found: u64,
    /// The largest that the format holds.
    pub limit: u64,
}

/// Appends little-endian values to a growing buffer.
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// An empty buffer.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The bytes written.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        self.bytes
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
        limit,
    })
}
