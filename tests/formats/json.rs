//! Tests of both JSON dialects and of legacy packed files: round trips lose nothing, and faults are reported at their
//! position.

mod hostile;
mod mutations;
mod refusals;
pub(crate) mod round_trip;

use std::collections::BTreeMap;

use pchr::document::Document;
use pchr::finding::Invalid;
use pchr::format::json::{Dialect, image_file, write};
use pchr::format::{Losses, read_with};

/// A text and the images that it names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    pub(crate) text: String,
    pub(crate) images: BTreeMap<String, Vec<u8>>,
}

impl Files {
    /// Writes a document in a dialect.
    pub(crate) fn of(document: &Document, dialect: Dialect) -> (Self, Losses) {
        let paths: Vec<String> = (0..document.images().len()).map(|i| format!("{i}.png")).collect();
        let mut text = Vec::new();
        let losses = write(document, dialect, &paths, &mut text).unwrap();
        let image = |image| image_file(&image).unwrap().into_owned();
        let images = paths.into_iter().zip(document.images().map(image)).collect();
        (Self { text: String::from_utf8(text).unwrap(), images }, losses)
    }

    pub(crate) fn read(&self) -> Result<Document, Invalid> {
        let mut images = |path: &str| self.images.get(path).cloned().ok_or("no such file");
        read_with(self.text.clone().into_bytes(), &mut images)
    }
}
