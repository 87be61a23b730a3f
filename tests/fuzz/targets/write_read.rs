use pchr_view::document::{Document, DocumentParts, FileFormat};
use pchr_view::format::json::{Dialect, image_file, write};
use pchr_view::format::pchr::replace_images;
use pchr_view::format::{legacy, pchr, read_with};

use super::super::files::Files;

/// What is read is written to the same bytes: as it is, by way of its parts, and through each of the other formats.
pub fn write_read(data: &[u8]) {
    let Ok(document) = pchr::read(data.to_vec().into()) else {
        return;
    };
    assert_eq!(document.bytes(), data);
    round_trips(&document);
}

/// Writes a document in every way there is, and reads it again.
pub(super) fn round_trips(document: &Document) {
    let parts = DocumentParts::from(document);
    assert_eq!(
        pchr::write(&parts).expect("it was a file"),
        document.bytes()
    );
    let replaced = replace_images(document, &parts.images).expect("they were its images");
    assert_eq!(replaced, document.bytes());
    let (back, complete) = through_json(document, Dialect::Pchr);
    assert!(complete && back.bytes() == document.bytes());
    let (back, complete) = through_json(document, Dialect::Pachario);
    // An empty document shows no dialect.
    if back.source() == FileFormat::PacharioJson {
        assert_eq!(complete, back.bytes() == document.bytes());
    }
    // More than one image, or one without pixels, does not fit.
    if let Ok((packed, losses)) = legacy::write(document) {
        let back = read_with(packed, &mut Files::default()).expect("what was written is read");
        assert_eq!(losses.is_empty(), back.bytes() == document.bytes());
    }
}

fn through_json(document: &Document, dialect: Dialect) -> (Document, bool) {
    let names: Vec<String> = (0..document.images().len())
        .map(|i| i.to_string())
        .collect();
    let mut text = Vec::new();
    let losses = write(document, dialect, &names, &mut text).expect("memory takes everything");
    let files = document
        .images()
        .map(|image| image_file(&image).expect("pixels").into_owned());
    let mut files = Files::new(names.iter().cloned().zip(files).collect());
    let back = read_with(text, &mut files).expect("what was written is read");
    (back, losses.is_empty())
}
