//! The bytes of a v1 file, packed in the order in which a text has its sections.

use std::ops::Range;

use serde::de::Error;

use super::words::ImageRecord;
use crate::bytes::{Budget, Writer};
use crate::document::{Findings, ImageFormat, Rule};
use crate::format::pchr::header;
use crate::format::{SidecarError, Sidecars};
use crate::image::{DEFAULT_BUDGET, decode_straight};

/// The sections of a file, in its order.
const SECTIONS: usize = 4;

/// The longest list that a `uint16` counts.
const MAX_COUNT: usize = u16::MAX as usize;

/// What the reader keeps while it walks through a text.
pub(super) struct Packer<'a> {
    pub(super) out: Writer,
    pub(super) header: Header,
    header_len: usize,
    sections: [Range<usize>; SECTIONS],
    pub(super) trailing: Vec<u8>,
    /// Where images come from; nowhere if only the path of an error is looked for.
    sidecars: Option<&'a mut dyn Sidecars>,
    /// How many images were begun, and at which of them to stop.
    images: usize,
    stop_at_image: Option<usize>,
    /// How many bones there are, once they are read.
    pub(super) bones: Option<usize>,
    /// The length of the first frame, and its animation.
    pub(super) first_frame: Option<(usize, usize)>,
    pub(super) animation: usize,
    pub(super) mesh: usize,
    pub(super) vertices: Writer,
    pub(super) indices: Writer,
    /// The rule that is broken, where it was not the parser that stopped.
    pub(super) broken: Option<Rule>,
    /// Warnings, with paths in the text; their offsets mean nothing.
    pub(super) noted: Findings,
}

#[derive(Default)]
pub(super) struct Header {
    pub(super) fps: u16,
    pub(super) flags: u16,
}

impl<'a> Packer<'a> {
    pub(super) fn new(sidecars: Option<&'a mut dyn Sidecars>) -> Self {
        let mut out = Writer::new();
        header::write(&mut out, 0, 0);
        Self {
            header_len: out.len(),
            out,
            header: Header::default(),
            sections: [const { 0..0 }; SECTIONS],
            trailing: Vec::new(),
            sidecars,
            images: 0,
            stop_at_image: None,
            bones: None,
            first_frame: None,
            animation: 0,
            mesh: 0,
            vertices: Writer::new(),
            indices: Writer::new(),
            broken: None,
            noted: Findings::default(),
        }
    }

    /// A packer that stops where `stopped` did, without asking for images.
    pub(super) fn again(stopped: &Packer<'_>) -> Self {
        let by_image = matches!(
            stopped.broken,
            Some(
                Rule::SidecarPath | Rule::SidecarMissing | Rule::SidecarPixels | Rule::LegacyImages
            )
        );
        Self {
            stop_at_image: by_image.then_some(stopped.images),
            ..Self::new(None)
        }
    }

    /// A frame whose length is not the number of bones that came after it: the path, and what is wrong.
    pub(super) fn odd_frames(&self) -> Option<(String, String)> {
        let (len, animation) = self.first_frame?;
        let bones = self.bones?;
        let path = format!("animations[{animation}].frames[0]");
        (len != bones).then(|| (path, frame_message(len, bones)))
    }

    /// The v1 file.
    pub(super) fn finish(mut self) -> Vec<u8> {
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
        bytes
    }

    #[cold]
    pub(super) fn fail<E: Error>(&mut self, rule: Rule, message: impl std::fmt::Display) -> E {
        self.broken = Some(rule);
        E::custom(message)
    }

    /// Starts a list whose length follows when it is known.
    pub(super) fn begin(&mut self) -> usize {
        let start = self.out.len();
        self.out.u16(0);
        start
    }

    /// Ends the section that was begun at `start`.
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
                Rule::JsonValue,
                format_args!("{count} {what} do not fit, {MAX_COUNT} are the most"),
            )
        })
    }

    pub(super) fn string<E: Error>(&mut self, text: &str) -> Result<(), E> {
        let len = self.fits(text.len(), "bytes of a name")?;
        self.out.u16(len);
        self.out.bytes(text.as_bytes());
        Ok(())
    }

    /// An image's data: the file as it is or, for rgba8888, its pixels.
    pub(super) fn image_data<E: Error>(&mut self, image: &ImageRecord) -> Result<Vec<u8>, E> {
        self.images = self.images.saturating_add(1);
        if self.stop_at_image == Some(self.images) {
            return Err(E::custom("here"));
        }
        let Some(sidecars) = &mut self.sidecars else {
            return Ok(Vec::new());
        };
        let file = sidecars.read(&image.path).map_err(|error| {
            let rule = match error {
                SidecarError::Outside => Rule::SidecarPath,
                SidecarError::Unreadable(_) => Rule::SidecarMissing,
                SidecarError::NotOne => Rule::LegacyImages,
            };
            self.fail(
                rule,
                format_args!("image {:?}, path {:?}: {error}", image.name, image.path),
            )
        })?;
        let empty = image.width == 0 || image.height == 0;
        if image.format == ImageFormat::Png || (empty && file.is_empty()) {
            return Ok(file);
        }
        let pixels = decode_straight(&file, &Budget::new(DEFAULT_BUDGET)).map_err(|error| {
            self.fail(
                Rule::SidecarPixels,
                format_args!("{:?}: {error}", image.path),
            )
        })?;
        let announced = (u32::from(image.width), u32::from(image.height));
        if announced != (pixels.width, pixels.height) {
            let (width, height) = announced;
            return Err(self.fail(
                Rule::SidecarPixels,
                format_args!(
                    "{:?} is {} x {}, announced as {width} x {height}",
                    image.path, pixels.width, pixels.height
                ),
            ));
        }
        Ok(pixels.rgba)
    }
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
