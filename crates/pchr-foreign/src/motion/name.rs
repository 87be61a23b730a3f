//! Names as their file spells them.

use std::borrow::Cow;
use std::fmt;

/// A name of a bone or a note: UTF-8 in valid files, any bytes in others, so that it can be written again.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(Box<[u8]>);

impl Name {
    /// Returns the bytes of the name.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the name to show. Bytes that are not UTF-8 are replaced by U+FFFD.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// Returns the index of the first byte that is not UTF-8.
    #[must_use]
    pub fn fault(&self) -> Option<usize> {
        std::str::from_utf8(&self.0)
            .err()
            .map(|error| error.valid_up_to())
    }
}

impl From<&[u8]> for Name {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().into())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text())
    }
}
