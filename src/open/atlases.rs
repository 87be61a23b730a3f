//! Texture atlases: PCT, and the images of its pages beside it.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use super::{Opened, Opener, Opening};
use crate::atlas::Atlas;
use crate::bytes::Budget;
use crate::finding::TextPlace;
use crate::format::{SidecarError, Sidecars, pct};
use crate::sheet::{PageFile, Sheet};

/// Opens PCT atlases.
pub const ATLASES: Opener = Opener {
    name: "Texture atlases",
    endings: &["pct"],
    is_in,
    recognises: pct::looks_like_pct,
    open,
};

fn is_in(path: &Path) -> bool {
    let ending = path.extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("pct"))
}

fn open(bytes: Cow<'static, [u8]>, sidecars: &mut dyn Sidecars, _: &Budget) -> Opening {
    match pct::read(&bytes) {
        Ok((atlas, warnings)) => {
            let files = page_files(&atlas, &bytes, sidecars);
            let size = bytes.len() as u64;
            let sheet = Sheet::new(Arc::new(atlas), files, "PCT 1.0", size, warnings);
            Ok(Opened::new(Arc::new(sheet)))
        }
        Err(invalid) => Err((invalid, bytes)),
    }
}

/// The images of the pages, and where the text names them.
pub(crate) fn page_files(atlas: &Atlas, text: &[u8], sidecars: &mut dyn Sidecars) -> Vec<PageFile> {
    let offset = |offset| usize::try_from(offset).unwrap_or(usize::MAX);
    let offsets: Vec<usize> = (atlas.pages.iter().map(|page| offset(page.offset))).collect();
    let places = TextPlace::all(text, &offsets);
    let mut png = |path: &str| {
        sidecars.read(path).map_err(|error| match error {
            SidecarError::Outside => {
                "the path leaves the folder of the atlas; --allow-outside reads it".to_owned()
            }
            other => other.to_string(),
        })
    };
    let pages = atlas.pages.iter().zip(places);
    let file = |(page, place): (&crate::atlas::Page, TextPlace)| PageFile {
        png: png(&page.file),
        place,
    };
    pages.map(file).collect()
}
