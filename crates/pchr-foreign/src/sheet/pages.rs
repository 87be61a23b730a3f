//! Images of an atlas's pages.

use pchr::document::{Image, ImageFault, ImageFormat, ImageId};
use pchr::finding::{Finding, TextPlace, quoted};
use pchr::image::png_size;

use crate::atlas::{Atlas, Page, PctRule};

/// The image file of a page, and the place in the atlas that names it.
#[derive(Debug)]
pub struct PageFile {
    /// The bytes of the PNG; or why there are none.
    pub png: Result<Vec<u8>, String>,
    /// Line and column of the page in the text.
    pub place: TextPlace,
}

/// The images, and the size that each has.
#[derive(Debug)]
pub(super) struct Pages {
    files: Vec<PageFile>,
    sizes: Vec<[u32; 2]>,
}

impl Pages {
    /// Images of the pages of an atlas.
    pub(super) fn new(atlas: &Atlas, files: Vec<PageFile>) -> Self {
        let size = |(page, file): (&Page, &PageFile)| {
            let real = file.png.as_ref().ok().and_then(|png| png_size(png).ok());
            real.unwrap_or(page.size).map(|side| side.max(1))
        };
        Self {
            sizes: atlas.pages.iter().zip(&files).map(size).collect(),
            files,
        }
    }

    /// Width and height of a page: of its image or, without one, as the atlas states it.
    pub(super) fn size(&self, page: u32) -> [u32; 2] {
        self.sizes.get(page as usize).copied().unwrap_or([1, 1])
    }

    /// The image of a page; it has no data if its file is missing.
    pub(super) fn image<'a>(&'a self, id: ImageId, page: &'a Page) -> Option<Image<'a>> {
        let file = self.files.get(id.index())?;
        let real = self.sizes.get(id.index())?;
        // If the atlas states no size, the image's own is declared.
        let size = if page.size.contains(&0) {
            *real
        } else {
            page.size
        };
        let size = size.map(|side| u16::try_from(side).unwrap_or(u16::MAX));
        let data = file.png.as_deref().unwrap_or_default();
        Some(Image::new(&page.file, size, ImageFormat::Png, data))
    }

    /// The finding about a fault of an image.
    pub(super) fn finding(
        &self,
        id: ImageId,
        atlas: &Atlas,
        fault: ImageFault,
        message: String,
    ) -> Finding {
        let (page, file) = (atlas.pages.get(id.index()), self.files.get(id.index()));
        let missing = file.and_then(|file| file.png.as_ref().err());
        let (rule, message) = match (missing, fault) {
            (Some(why), _) => (PctRule::PageMissing, why.clone()),
            (None, ImageFault::Memory) => (PctRule::Limit, message),
            (None, ImageFault::Data) => (PctRule::PageDecode, message),
            (None, ImageFault::Size) => (PctRule::PageSize, message),
        };
        let path = format!(
            "page {} {}",
            id.0,
            quoted(page.map_or("", |page| &page.file))
        );
        let offset = page.map_or(0, |page| page.offset);
        let mut finding = Finding::new(rule, offset, &path, &message);
        finding.text = file.map(|file| file.place);
        finding
    }
}
