use pchr::bytes::Budget;
use pchr::finding::Findings;
use pchr::format::json::{begins_a_document, in_file};
use pchr::format::read_with;
use pchr::image::ImageRooms;

use super::super::files::Files;
use super::write_read::round_trips;
use super::{accepted, places, refused};

/// Reads arbitrary text, with files beside it, as both JSON dialects and as a legacy packed file, and writes the result in
/// every way.
pub fn read_json(data: &[u8]) {
    let (text, mut files) = Files::split(data);
    let _ = begins_a_document(&text);
    match read_with(text.clone(), &mut files) {
        Err(invalid) => {
            assert!(!invalid.to_string().is_empty());
            refused(&invalid.0, &text);
        }
        Ok(document) => {
            accepted(document.warnings(), &text);
            let rooms = ImageRooms::new(&document, &Budget::new(1 << 20));
            let mut found = Findings::default();
            for id in document.image_ids().take(8) {
                rooms.decode(&document, id, &mut found);
            }
            places(&in_file(&text, document.source(), found), &text);
            round_trips(&document);
        }
    }
}
