//! Source of a document, for findings that come later.

use std::borrow::Cow;

use crate::document::Document;
#[cfg(feature = "json")]
use crate::finding::Finding;
use crate::finding::Findings;

/// Source of a document, kept for findings that come later. A text is kept whole: drop this when nothing more is
/// looked for in it. Of PCHR v1 nothing is kept, since the document has the bytes.
#[derive(Debug, Default)]
pub struct Origin {
    #[cfg(feature = "json")]
    text: Cow<'static, [u8]>,
    /// Places of the images in the text, located when the first finding about an image needs them.
    #[cfg(feature = "json")]
    images: std::sync::OnceLock<super::json::ImagePlaces>,
}

impl Origin {
    /// Creates the origin from the file with the text of a document.
    #[cfg(feature = "json")]
    pub(super) fn text(text: Cow<'static, [u8]>) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    /// Creates an empty origin: without the feature there is no other wording.
    #[cfg(not(feature = "json"))]
    pub(super) fn text(_text: Cow<'static, [u8]>) -> Self {
        Self::default()
    }

    /// Converts findings about the document to findings about the file, with its terms and lines.
    #[must_use]
    #[cfg(feature = "json")]
    pub fn in_words(&self, document: &Document, found: Findings) -> Findings {
        use super::json::{ImagePlaces, in_file};
        if self.text.is_empty() || found.is_empty() {
            return found;
        }
        let (source, count) = (document.source(), document.images().len());
        let find = || ImagePlaces::find(&self.text, source, count);
        let of_images = |finding: &Finding| finding.path.starts_with("images[");
        let placed = if found.iter().all(of_images) {
            self.images.get_or_init(find).place(&found, source)
        } else {
            None
        };
        placed.unwrap_or_else(|| in_file(&self.text, source, found))
    }

    /// Returns the findings unchanged: PCHR v1 has no other wording.
    #[must_use]
    #[cfg(not(feature = "json"))]
    pub fn in_words(&self, _document: &Document, found: Findings) -> Findings {
        found
    }
}
