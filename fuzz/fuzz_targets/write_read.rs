//! What is read is written to the same bytes: as it is, by way of its parts, and through PCHR JSON.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pchr_view::document::DocumentParts;
use pchr_view::format::json::{Dialect, image_file, write};
use pchr_view::format::pchr::replace_images;
use pchr_view::format::{SidecarError, Sidecars, pchr, read_with};

/// Files by their number.
struct Files(Vec<Vec<u8>>);

impl Sidecars for Files {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, SidecarError> {
        let file = path.parse().ok().and_then(|i: usize| self.0.get(i).cloned());
        file.ok_or_else(|| SidecarError::Unreadable("no such file".into()))
    }
}

fuzz_target!(|data: &[u8]| {
    let Ok(document) = pchr::read(data.to_vec().into()) else { return };
    assert_eq!(document.bytes(), data);
    let parts = DocumentParts::from(&document);
    assert_eq!(pchr::write(&parts).expect("it was a file"), data);
    assert_eq!(replace_images(&document, &parts.images).expect("they were its images"), data);

    let files = document.images().map(|image| image_file(&image).expect("pixels").into_owned());
    let mut files = Files(files.collect());
    let names: Vec<String> = (0..files.0.len()).map(|i| i.to_string()).collect();
    let mut text = Vec::new();
    let losses = write(&document, Dialect::Pchr, &names, &mut text).expect("memory takes everything");
    assert!(losses.is_empty());
    let back = read_with(text, &mut files).expect("what was written is read");
    assert_eq!(back.bytes(), data);
});
