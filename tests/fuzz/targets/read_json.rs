use pchr::bytes::Budget;
use pchr::finding::{Findings, Severity};
use pchr::format::json::{begins_a_document, in_file};
use pchr::format::read_with;
use pchr::image::ImageRooms;

use super::super::files::Files;
use super::write_read::round_trips;

/// Reads arbitrary text, with files beside it, as both JSON dialects and as a legacy packed file, and writes the result in
/// every way.
pub fn read_json(data: &[u8]) {
    let (text, mut files) = Files::split(data);
    let _ = begins_a_document(&text);
    let check = |findings: &Findings| {
        for finding in findings.iter() {
            assert!(finding.offset <= text.len() as u64, "{finding}");
            assert!(!finding.to_string().is_empty());
        }
    };
    match read_with(text.clone(), &mut files) {
        Err(invalid) => {
            assert!(invalid.0.first_error().is_some(), "an error says why");
            assert!(!invalid.to_string().is_empty());
            check(&invalid.0);
        }
        Ok(document) => {
            check(document.warnings());
            let severities = document.warnings().iter().map(|finding| finding.rule.severity());
            assert!(severities.into_iter().all(|severity| severity != Severity::Error));
            let rooms = ImageRooms::new(&document, &Budget::new(1 << 20));
            let mut found = Findings::default();
            for id in document.image_ids().take(8) {
                rooms.decode(&document, id, &mut found);
            }
            check(&in_file(&text, document.source(), found));
            round_trips(&document);
        }
    }
}
