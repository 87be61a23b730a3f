//! Texture atlases: PCT and JSON, and the images of their pages beside them.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use pchr::bytes::Budget;
use pchr::finding::TextPlace;
use pchr::format::{SidecarError, Sidecars};
use pchr_foreign::atlas::Atlas;
use pchr_foreign::format::{AtlasText, looks_like_an_atlas, read_atlas};
use pchr_foreign::sheet::{PageFile, Sheet};

use super::{Opened, Opener, Opening};

/// Opens PCT atlases, and those in JSON; in folders, only the first are looked for.
pub const ATLASES: Opener = Opener {
    name: "Texture atlases",
    endings: &["pct"],
    is_in,
    recognises: looks_like_an_atlas,
    open,
};

fn is_in(path: &Path) -> bool {
    let ending = path.extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("pct"))
}

fn open(bytes: Cow<'static, [u8]>, sidecars: &mut dyn Sidecars, _: &Budget) -> Opening {
    match read_atlas(&bytes) {
        Ok(read) => Ok(Opened::new(Arc::new(sheet(read, &bytes, sidecars)))),
        Err(invalid) => Err((invalid, bytes)),
    }
}

/// An atlas that was read from a text, with the images of its pages.
pub(crate) fn sheet(read: AtlasText, text: &[u8], sidecars: &mut dyn Sidecars) -> Sheet {
    let files = page_files(&read.atlas, text, sidecars);
    let (format, size) = (read.format.name(), text.len() as u64);
    Sheet::new(Arc::new(read.atlas), files, format, size, read.warnings)
}

/// The images of the pages, and where the text names them.
pub(crate) fn page_files(atlas: &Atlas, text: &[u8], sidecars: &mut dyn Sidecars) -> Vec<PageFile> {
    let offset = |offset| usize::try_from(offset).unwrap_or(usize::MAX);
    let offsets: Vec<usize> = (atlas.pages.iter().map(|page| offset(page.offset))).collect();
    let places = TextPlace::all(text, &offsets);
    let mut png = |path: &str| {
        sidecars.read(path).map_err(|error| match error {
            SidecarError::Outside => {
                "the path leads outside the folder of the atlas; allow this with --allow-outside"
                    .to_owned()
            }
            other => other.to_string(),
        })
    };
    let pages = atlas.pages.iter().zip(places);
    let file = |(page, place): (&pchr_foreign::atlas::Page, TextPlace)| PageFile {
        png: png(&page.file),
        place,
    };
    pages.map(file).collect()
}
