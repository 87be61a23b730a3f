//! Refused font files.

use std::io;
use std::path::PathBuf;

/// A font file that cannot be used; its text is one line that names the file.
#[derive(Debug, thiserror::Error)]
pub enum FontError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    Unreadable {
        /// As it was given.
        path: PathBuf,
        /// The system's reason.
        error: io::Error,
    },
    /// The bytes are not a font, or a damaged one.
    #[error("{}: damaged, or not a TrueType or OpenType font", path.display())]
    NoFont {
        /// As it was given.
        path: PathBuf,
    },
    /// A bitmap font, or one without a character map.
    #[error("{}: the font has no glyph outlines", path.display())]
    NoOutlines {
        /// As it was given.
        path: PathBuf,
    },
}
