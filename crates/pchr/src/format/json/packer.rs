//! The bytes of a v1 file, packed in the order in which a text has its sections.

use std::ops::Range;

use serde::de::Error;

use super::audit::Audit;
use super::findings::{At, Noted};
use super::path::{Path, Step};
use super::words::ImageRecord;
use crate::bytes::{Budget, Lease, Writer};
use crate::document::{ImageFormat, PchrRule};
use crate::finding::quoted;
use crate::format::pchr::header;
use crate::format::{SidecarError, Sidecars};
use crate::image::{ImageError, decode_leased};

/// Number of sections in a file.
const SECTIONS: usize = 4;

/// Longest list with a `uint16` count.
const MAX_COUNT: usize = u16::MAX as usize;

/// State of the reader while it walks through a text.
pub(super) struct Packer<'a> {
    pub(super) out: Writer,
    pub(super) header: Header,
    header_len: usize,
    sections: [Range<usize>; SECTIONS],
    pub(super) trailing: Vec<u8>,
    pub(super) beside: Beside<'a>,
    /// Number of images seen, and of those that an earlier reading requested.
    images: usize,
    asked: usize,
    /// Number of bones, once they are read.
    pub(super) bones: Option<usize>,
    /// Length of the first frame, and its animation, if it comes before the bones.
    pub(super) first_frame: Option<(usize, usize)>,
    pub(super) animation: usize,
    pub(super) mesh: usize,
    pub(super) vertices: Writer,
    pub(super) indices: Writer,
    /// Rule that is broken, unless the parser stopped.
    pub(super) broken: Option<PchrRule>,
    /// Findings that do not stop the reading.
    pub(super) noted: Noted,
    /// Collects all errors, if the text is read for that.
    pub(super) audit: Option<Audit>,
}

/// Image files next to the text, and their memory budgets.
pub(super) struct Beside<'a> {
    /// Source of the files; `None` if they are not needed.
    sidecars: Option<&'a mut dyn Sidecars>,
    /// Memory of the encoded files.
    files: Lease<'a>,
    /// Memory of the pixels of images that become raw.
    pixels: Lease<'a>,
}

impl<'a> Beside<'a> {
    /// Files from `sidecars`. They draw on one budget, decoded pixels on the other.
    pub(super) fn new(
        sidecars: &'a mut dyn Sidecars,
        files: &'a Budget,
        pixels: &'a Budget,
    ) -> Self {
        Self {
            sidecars: Some(sidecars),
            files: files.lease(),
            pixels: pixels.lease(),
        }
    }

    /// Returns the same for a reading from the start.
    pub(super) fn afresh(self) -> Self {
        Self {
            files: self.files.budget().lease(),
            pixels: self.pixels.budget().lease(),
            ..self
        }
    }

    /// Keeps the charges of the budgets, because a document has the memory.
    pub(super) fn keep(self) {
        self.files.keep();
        self.pixels.keep();
    }

    /// Returns the same without files.
    pub(super) fn without_files(self) -> Self {
        Self {
            sidecars: None,
            ..self
        }
    }

    fn read(&mut self, path: &str) -> Result<Vec<u8>, (PchrRule, String)> {
        let Some(sidecars) = &mut self.sidecars else {
            return Ok(Vec::new());
        };
        let file = sidecars.read(path).map_err(|error| {
            let rule = match error {
                SidecarError::Outside => PchrRule::SidecarPath,
                SidecarError::Unreadable(_) | SidecarError::Failed(_) => PchrRule::SidecarMissing,
                SidecarError::NotOne => PchrRule::LegacyImages,
            };
            (rule, error.to_string())
        })?;
        // Many images may name one file, so the size of the files does not limit the memory that a text needs.
        self.files
            .take(file.len() as u64, 1)
            .map_err(|error| (PchrRule::Limit, format!("image files: {error}")))?;
        Ok(file)
    }
}

#[derive(Default)]
pub(super) struct Header {
    pub(super) fps: u16,
    pub(super) flags: u16,
}

impl<'a> Packer<'a> {
    pub(super) fn new(beside: Beside<'a>) -> Self {
        let mut out = Writer::new();
        header::write(&mut out, 0, 0);
        Self {
            header_len: out.len(),
            out,
            header: Header::default(),
            sections: [const { 0..0 }; SECTIONS],
            trailing: Vec::new(),
            beside,
            images: 0,
            asked: 0,
            bones: None,
            first_frame: None,
            animation: 0,
            mesh: 0,
            vertices: Writer::new(),
            indices: Writer::new(),
            broken: None,
            noted: Noted::default(),
            audit: None,
        }
    }

    /// Returns a packer for another reading of the same text. It requests only images that this one did not request.
    pub(super) fn again(self, audit: Audit) -> Self {
        Self {
            asked: self.images,
            noted: self.noted,
            audit: Some(audit),
            ..Self::new(self.beside)
        }
    }

    /// Notes a first frame whose length is not the number of bones that came after it.
    pub(super) fn note_odd_frames(&mut self) {
        if let (Some((len, animation)), Some(bones)) = (self.first_frame, self.bones)
            && len != bones
        {
            let path = || {
                path(
                    "animations",
                    animation,
                    &[Step::Key("frames".into()), Step::Index(0)],
                )
            };
            let message = || frame_message(len, bones);
            self.noted
                .add(PchrRule::FrameLength, path, message, || At::Path);
        }
    }

    /// Returns the v1 file, and the budgets charged for its images.
    pub(super) fn finish(mut self) -> (Vec<u8>, Beside<'a>) {
        self.out.set_u16(header::FPS_AT, self.header.fps);
        self.out.set_u16(header::FLAGS_AT, self.header.flags);
        let in_order = self.sections.is_sorted_by_key(|section| section.start);
        let mut bytes = if in_order {
            self.out.finish()
        } else {
            let packed = self.out.finish();
            let mut bytes = Vec::with_capacity(packed.len());
            bytes.extend_from_slice(packed.get(..self.header_len).unwrap_or_default());
            for section in self.sections {
                bytes.extend_from_slice(packed.get(section).unwrap_or_default());
            }
            bytes
        };
        bytes.append(&mut self.trailing);
        (bytes, self.beside)
    }

    #[cold]
    pub(super) fn fail<E: Error>(&mut self, rule: PchrRule, message: impl std::fmt::Display) -> E {
        match &mut self.audit {
            Some(audit) => audit.broken = Some(rule),
            None => self.broken = Some(rule),
        }
        E::custom(message)
    }

    /// Starts a list whose length is written later.
    pub(super) fn begin(&mut self) -> usize {
        let start = self.out.len();
        self.out.u16(0);
        start
    }

    /// Ends the section that began at `start`.
    pub(super) fn end<E: Error>(
        &mut self,
        section: usize,
        start: usize,
        count: usize,
        what: &str,
    ) -> Result<(), E> {
        let fits = self.fits(count, what)?;
        self.out.set_u16(start, fits);
        if let Some(range) = self.sections.get_mut(section) {
            *range = start..self.out.len();
        }
        Ok(())
    }

    pub(super) fn fits<E: Error>(&mut self, count: usize, what: &str) -> Result<u16, E> {
        u16::try_from(count).map_err(|_| {
            self.fail(
                PchrRule::JsonValue,
                format_args!("{count} {what} do not fit, expected at most {MAX_COUNT}"),
            )
        })
    }

    pub(super) fn string<E: Error>(&mut self, text: &str) -> Result<(), E> {
        let len = self.fits(text.len(), "bytes of a name")?;
        self.out.u16(len);
        self.out.bytes(text.as_bytes());
        Ok(())
    }

    /// Returns an image's format and data: the file unchanged or, for rgba8888, its pixels. Errors in it do not stop the reading.
    pub(super) fn image_data(&mut self, image: &ImageRecord) -> (ImageFormat, Vec<u8>) {
        let index = self.images;
        self.images = index.saturating_add(1);
        // A PNG without data represents a missing image: it causes no other findings.
        let absent = (ImageFormat::Png, Vec::new());
        if index < self.asked {
            return absent;
        }
        match self.read_image(image) {
            Ok(data) => (image.format, data),
            Err((rule, message)) => {
                let message = || {
                    let (name, path) = (quoted(&image.name), quoted(&image.path));
                    format!("image {name}, path {path}: {message}")
                };
                let path = || path("images", index, &[]);
                self.noted.add(rule, path, message, || At::Path);
                absent
            }
        }
    }

    fn read_image(&mut self, image: &ImageRecord) -> Result<Vec<u8>, (PchrRule, String)> {
        let file = self.beside.read(&image.path)?;
        let empty = image.width == 0 || image.height == 0;
        if image.format == ImageFormat::Png || (empty && file.is_empty()) {
            return Ok(file);
        }
        let refused = |error: ImageError| {
            let rule = match error {
                ImageError::Budget(_) => PchrRule::Limit,
                _ => PchrRule::SidecarPixels,
            };
            (rule, error.to_string())
        };
        let pixels = &mut self.beside.pixels;
        let (decoded, lease) = decode_leased(&file, pixels.budget()).map_err(refused)?;
        pixels.join(lease);
        let (width, height) = (u32::from(image.width), u32::from(image.height));
        if (width, height) != (decoded.width, decoded.height) {
            let message = format!(
                "declared as {width} x {height}, but the PNG is {} x {}",
                decoded.width, decoded.height
            );
            return Err((PchrRule::SidecarPixels, message));
        }
        Ok(decoded.rgba)
    }
}

/// Returns the path of an element of the document, and steps within it.
fn path(section: &'static str, index: usize, inner: &[Step]) -> Path {
    let element = [Step::Key(section.into()), Step::Index(index)];
    element.into_iter().chain(inner.iter().cloned()).collect()
}

pub(super) fn frame_message(len: usize, bones: usize) -> String {
    let s = |count| if count == 1 { "" } else { "s" };
    format!(
        "{len} transform{}, but there {} {bones} bone{}",
        s(len),
        if bones == 1 { "is" } else { "are" },
        s(bones)
    )
}
