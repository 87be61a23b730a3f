//! Arbitrary text to both JSON readers and to legacy packed files; what is read is said in both dialects and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pchr_view::document::{Document, FileFormat};
use pchr_view::format::json::{Dialect, image_file, write};
use pchr_view::format::{SidecarError, Sidecars, legacy, read_with};

/// Every path but `gone` leads to a file: what was written under it, or else one white pixel.
#[derive(Default)]
struct Files(Vec<(String, Vec<u8>)>);

impl Sidecars for Files {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, SidecarError> {
        let written = self.0.iter().find(|(name, _)| name == path);
        match (written, path) {
            (Some((_, bytes)), _) => Ok(bytes.clone()),
            (None, "gone") => Err(SidecarError::Unreadable("no such file".into())),
            _ => Ok(include_bytes!("../white.png").to_vec()),
        }
    }
}

fn again(document: &Document, dialect: Dialect) -> (Document, bool) {
    let names: Vec<String> = (0..document.images().len()).map(|i| i.to_string()).collect();
    let mut text = Vec::new();
    let losses = write(document, dialect, &names, &mut text).expect("memory takes everything");
    let files = document.images().map(|image| image_file(&image).expect("pixels").into_owned());
    let mut files = Files(names.iter().cloned().zip(files).collect());
    let back = read_with(text, &mut files).expect("what was written is read");
    (back, losses.is_empty())
}

fuzz_target!(|data: &[u8]| {
    match read_with(data.to_vec(), &mut Files::default()) {
        Err(invalid) => {
            let first = invalid.0.first_error().expect("an error says why");
            assert!(first.offset <= data.len() as u64, "{first}");
        }
        Ok(document) => {
            let (back, complete) = again(&document, Dialect::Pchr);
            assert!(complete && back.bytes() == document.bytes());
            let (back, complete) = again(&document, Dialect::Pachario);
            // An empty document shows no dialect.
            if back.source() == FileFormat::PacharioJson {
                assert_eq!(complete, back.bytes() == document.bytes());
            }
            // More than one image, or one without pixels, does not fit.
            if let Ok((packed, losses)) = legacy::write(&document) {
                let back = read_with(packed, &mut Files::default()).expect("what was written is read");
                assert_eq!(losses.is_empty(), back.bytes() == document.bytes());
            }
        }
    }
});
