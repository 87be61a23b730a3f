//! The page images of an atlas, decoded one at a time: memory holds no more than one.

use pchr::bytes::Budget;
use pchr::finding::{Findings, quoted};
use pchr::format::{SidecarError, Sidecars as _};
use pchr::image::{Pixels, decode_straight};
use pchr_foreign::atlas::PctRule;

use super::file::AtlasFile;
use crate::run::{Disk, Failure};

impl AtlasFile {
    /// The image file of a page; or the reason why there is none.
    pub(super) fn page_file(&self, file: &str, disk: &Disk) -> Result<Vec<u8>, String> {
        self.beside(disk).read(file).map_err(|error| match error {
            SidecarError::Outside => {
                "the path leads outside the folder of the atlas; allow this with --allow-outside"
                    .into()
            }
            other => other.to_string(),
        })
    }

    /// The pixels of a page's image file; or a finding.
    pub(super) fn decoded(
        &self,
        index: usize,
        data: &[u8],
        found: &mut Findings,
    ) -> Option<Pixels> {
        let (file, offset, _) = self.page(index);
        let path = || format!("page {index} {}", quoted(file));
        let pixels = decode_straight(data, &Budget::default());
        let tell = |error| found.add(PctRule::PageDecode, offset, path, || format!("{error}"));
        pixels.map_err(tell).ok()
    }

    /// File, place in the text and stated size of a page.
    fn page(&self, index: usize) -> (&str, u64, [u32; 2]) {
        let page = self.read.atlas.pages.get(index);
        page.map_or(("", 0, [0, 0]), |page| (&page.file, page.offset, page.size))
    }

    /// The pixels of a page, with straight alpha. A size that is not the stated one is added to `odd`.
    pub(super) fn page_pixels(
        &self,
        index: usize,
        disk: &Disk,
        odd: &mut Findings,
    ) -> Result<Pixels, Failure> {
        let (file, offset, stated) = self.page(index);
        let path = || format!("page {index} {}", quoted(file));
        let data = self.page_file(file, disk).map_err(|why| {
            let text = format!("{}: {}: {why}", self.name, path());
            Failure::Running(anyhow::Error::msg(text))
        })?;
        let mut found = Findings::default();
        let Some(pixels) = self.decoded(index, &data, &mut found) else {
            return Err(self.invalid(found));
        };
        let real = [pixels.width, pixels.height];
        if stated != [0, 0] && stated != real {
            let ([w, h], [x, y]) = (stated, real);
            let message = || format!("declared as {w} x {h}, but the PNG is {x} x {y}");
            found.add(PctRule::PageSize, offset, path, message);
            odd.extend(found.in_text(&self.text));
        }
        Ok(pixels)
    }
}
