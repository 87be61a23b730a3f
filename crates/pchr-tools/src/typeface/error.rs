//! Refused font files.

use super::effort::{OF_GLYPH, OF_LINE};
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
    /// A glyph, or a whole text, takes more work than any sound font causes.
    #[error("{}: {}; choose another font", path.display(), needs(*glyph))]
    TooMuch {
        /// As it was given.
        path: PathBuf,
        /// The glyph's number; None if a text takes too much with glyphs that do not.
        glyph: Option<u32>,
    },
}

fn needs(glyph: Option<u32>) -> String {
    match glyph {
        Some(glyph) => {
            format!("drawing glyph {glyph} takes more than {OF_GLYPH} points and instructions")
        }
        None => format!("drawing a name takes more than {OF_LINE} points and instructions"),
    }
}
