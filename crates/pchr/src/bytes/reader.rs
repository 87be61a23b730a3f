//! Cursor of all readers of binary formats.

/// The data ended before the requested bytes.
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

    /// Returns the next byte.
    ///
    /// # Errors
    /// [`UnexpectedEnd`] if none is left.
    #[inline]
    pub fn u8(&mut self) -> Result<u8, UnexpectedEnd> {
        self.array::<1>().map(|[byte]| byte)
    }

    /// Returns the next `uint16`.
    ///
    /// # Errors
    /// [`UnexpectedEnd`] if fewer than 2 bytes are left.
    #[inline]
    pub fn u16(&mut self) -> Result<u16, UnexpectedEnd> {
        self.array().map(u16::from_le_bytes)
    }

    /// Returns the next `int16`.
    ///
    /// # Errors
    /// [`UnexpectedEnd`] if fewer than 2 bytes are left.
    #[inline]
    pub fn i16(&mut self) -> Result<i16, UnexpectedEnd> {
        self.array().map(i16::from_le_bytes)
    }

    /// Returns the next `uint32`.
    ///
    /// # Errors
    /// [`UnexpectedEnd`] if fewer than 4 bytes are left.
    #[inline]
    pub fn u32(&mut self) -> Result<u32, UnexpectedEnd> {
        self.array().map(u32::from_le_bytes)
    }

    /// Returns the next `uint64`.
    ///
    /// # Errors
    /// [`UnexpectedEnd`] if fewer than 8 bytes are left.
    #[inline]
    pub fn u64(&mut self) -> Result<u64, UnexpectedEnd> {
        self.array().map(u64::from_le_bytes)
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
