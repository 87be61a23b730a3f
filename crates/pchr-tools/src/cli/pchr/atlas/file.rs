//! The file of an atlas, and its page images, decoded one at a time: memory holds no more than one.

use std::borrow::Cow;
use std::path::PathBuf;

use pchr::bytes::Budget;
use pchr::finding::{Findings, Invalid, quoted};
use pchr::format::{SidecarError, Sidecars as _};
use pchr::image::{Pixels, decode_straight};
use pchr_foreign::atlas::{Atlas, PctRule};
use pchr_foreign::format::{AtlasFormat, AtlasText, read_atlas};
use pchr_foreign::sheet::Sheet;

use crate::open::sheet;
use crate::run::input::{Beside, InputArgs};
use crate::run::{Disk, Failure};

/// An atlas that was read, and its text. Its page images are not read.
#[derive(Debug)]
pub(in crate::cli::pchr) struct AtlasFile {
    /// The name that messages give the file.
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) args: InputArgs,
    pub(super) read: AtlasText,
    pub(super) text: Vec<u8>,
}

impl AtlasFile {
    /// Reads an atlas from a text; messages call the file at `path` `name`.
    pub(in crate::cli::pchr) fn read(
        name: String,
        path: PathBuf,
        args: InputArgs,
        text: Vec<u8>,
    ) -> Result<Self, (Invalid, Cow<'static, [u8]>)> {
        match read_atlas(&text) {
            Ok(read) => Ok(Self {
                name,
                path,
                args,
                read,
                text,
            }),
            Err(invalid) => Err((invalid, text.into())),
        }
    }

    /// The name that messages give the file.
    pub(in crate::cli::pchr) fn name(&self) -> &str {
        &self.name
    }

    /// The atlas.
    pub(in crate::cli::pchr) fn atlas(&self) -> &Atlas {
        &self.read.atlas
    }

    /// Format that was recognised.
    pub(in crate::cli::pchr) fn format(&self) -> AtlasFormat {
        self.read.format
    }

    /// Bytes of the text.
    pub(in crate::cli::pchr) fn size(&self) -> u64 {
        self.text.len() as u64
    }

    /// The files beside it.
    pub(super) fn beside<'a>(&'a self, disk: &'a Disk) -> Beside<'a> {
        Beside::new(disk, &self.path, self.args)
    }

    /// The atlas with the images of its pages, as they lie in their files.
    pub(in crate::cli::pchr) fn sheet(&self, disk: &Disk) -> Sheet {
        sheet(self.read.clone(), &self.text, &mut self.beside(disk))
    }

    /// The failure of an atlas in which errors were found after it was read.
    pub(super) fn invalid(&self, found: Findings) -> Failure {
        Failure::Invalid {
            file: self.name.clone(),
            findings: found.in_text(&self.text),
        }
    }
}

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
