//! From the text to the bytes of a v1 file, element by element.
//!
//! Sections are packed in the order in which the text has them. What their meaning is, is checked on the bytes later, as
//! for every other file; only what the bytes cannot hold is refused here.

use std::marker::PhantomData;
use std::ops::Range;

use serde::Deserialize as _;
use serde::de::{DeserializeSeed as _, Deserializer, Error};

use super::number::Uint16;
use super::walk::{Array, Elements, Fields, Object};
use super::words::{BoneWords as _, ImageRecord, Record as _, Words};
use crate::bytes::{Budget, Writer};
use crate::document::{Findings, ImageFormat, Rule};
use crate::format::pchr::{VERSION, header};
use crate::format::{SidecarError, Sidecars};
use crate::image::{DEFAULT_BUDGET, decode_straight};

/// The sections of a file, in its order.
const SECTIONS: usize = 4;

/// The longest list that a `uint16` counts.
const MAX_COUNT: usize = u16::MAX as usize;

/// What the reader keeps while it walks through a text.
pub(super) struct Packer<'a> {
    out: Writer,
    header: Header,
    header_len: usize,
    sections: [Range<usize>; SECTIONS],
    trailing: Vec<u8>,
    /// Where images come from; nowhere if only the path of an error is looked for.
    sidecars: Option<&'a mut dyn Sidecars>,
    /// How many images were begun, and at which of them to stop.
    images: usize,
    stop_at_image: Option<usize>,
    /// How many bones there are, once they are read.
    bones: Option<usize>,
    /// The length of the first frame, and its animation.
    first_frame: Option<(usize, usize)>,
    animation: usize,
    mesh: usize,
    vertices: Writer,
    indices: Writer,
    /// The rule that is broken, where it was not the parser that stopped.
    pub(super) broken: Option<Rule>,
    /// Warnings, with paths in the text; their offsets mean nothing.
    pub(super) noted: Findings,
}

#[derive(Default)]
struct Header {
    fps: u16,
    flags: u16,
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

    /// Reads a document in the words of a dialect.
    pub(super) fn read<'de, W: Words, D: Deserializer<'de>>(
        &mut self,
        value: D,
    ) -> Result<(), D::Error> {
        let mut document = DocumentFields::<W> {
            packer: self,
            words: PhantomData,
        };
        Object(&mut document).deserialize(value)
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
    fn fail<E: Error>(&mut self, rule: Rule, message: impl std::fmt::Display) -> E {
        self.broken = Some(rule);
        E::custom(message)
    }

    /// Starts a list whose length follows when it is known.
    fn begin(&mut self) -> usize {
        let start = self.out.len();
        self.out.u16(0);
        start
    }

    /// Ends the section that was begun at `start`.
    fn end<E: Error>(
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

    fn fits<E: Error>(&mut self, count: usize, what: &str) -> Result<u16, E> {
        u16::try_from(count).map_err(|_| {
            self.fail(
                Rule::JsonValue,
                format_args!("{count} {what} do not fit, {MAX_COUNT} are the most"),
            )
        })
    }

    fn string<E: Error>(&mut self, text: &str) -> Result<(), E> {
        let len = self.fits(text.len(), "bytes of a name")?;
        self.out.u16(len);
        self.out.bytes(text.as_bytes());
        Ok(())
    }

    /// An image's data: the file as it is or, for rgba8888, its pixels.
    fn image_data<E: Error>(&mut self, image: &ImageRecord) -> Result<Vec<u8>, E> {
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

fn frame_message(len: usize, bones: usize) -> String {
    let s = |count| if count == 1 { "" } else { "s" };
    format!(
        "{len} transform{}, but there {} {bones} bone{}",
        s(len),
        if bones == 1 { "is" } else { "are" },
        s(bones)
    )
}

struct DocumentFields<'p, 'a, W> {
    packer: &'p mut Packer<'a>,
    words: PhantomData<W>,
}

impl<'de, W: Words> Fields<'de> for DocumentFields<'_, '_, W> {
    const EXPECTING: &'static str = "a document";
    const KEYS: &'static [&'static str] = W::DOCUMENT;
    const OPTIONAL: &'static [&'static str] = &["flags", "trailing"];
    const STRICT: bool = W::STRICT;

    fn field<D: Deserializer<'de>>(&mut self, key: usize, value: D) -> Result<(), D::Error> {
        let packer = &mut *self.packer;
        match W::DOCUMENT.get(key).copied().unwrap_or_default() {
            "version" => {
                let version = Uint16::deserialize(value)?.0;
                if u32::from(version) != VERSION {
                    let message =
                        format!("version {version}, this program reads version {VERSION}");
                    return Err(packer.fail(Rule::Version, message));
                }
            }
            "fps" => packer.header.fps = Uint16::deserialize(value)?.0,
            "flags" => packer.header.flags = Uint16::deserialize(value)?.0,
            "images" => {
                let start = packer.begin();
                let count = Array(&mut Images::<W>(packer, PhantomData)).read(value)?;
                packer.end(0, start, count, "images")?;
            }
            "bones" => {
                let start = packer.begin();
                let count = Array(&mut Bones::<W>(packer, PhantomData)).read(value)?;
                packer.end(1, start, count, "bones")?;
                packer.bones = Some(count);
            }
            "meshes" => {
                let start = packer.begin();
                let count = Array(&mut Meshes::<W>(packer, PhantomData)).read(value)?;
                packer.end(2, start, count, "meshes")?;
            }
            "animations" => {
                let start = packer.begin();
                let count = Array(&mut Animations::<W>(packer, PhantomData)).read(value)?;
                packer.end(3, start, count, "animations")?;
            }
            _ => {
                let digits = String::deserialize(value)?;
                packer.trailing = hex(&digits).ok_or_else(|| {
                    D::Error::custom("expected two hexadecimal digits for each byte")
                })?;
            }
        }
        Ok(())
    }
}

/// The bytes that pairs of hexadecimal digits mean.
fn hex(digits: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let digit = |digit: u8| {
        char::from(digit)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    let byte = |[high, low]: &[u8; 2]| Some((digit(*high)? << 4) | digit(*low)?);
    let bytes = pairs.iter().map(byte).collect();
    if rest.is_empty() { bytes } else { None }
}

struct Images<'p, 'a, W>(&'p mut Packer<'a>, PhantomData<W>);

impl<'de, W: Words> Elements<'de> for Images<'_, '_, W> {
    const EXPECTING: &'static str = "images";

    fn element<D: Deserializer<'de>>(&mut self, _: usize, value: D) -> Result<(), D::Error> {
        let image: ImageRecord = W::Image::deserialize(value)?.into();
        let packer = &mut *self.0;
        let data = packer.image_data(&image)?;
        let len = u32::try_from(data.len()).map_err(|_| {
            packer.fail(
                Rule::Limit,
                format_args!("{} bytes of image, {} are the most", data.len(), u32::MAX),
            )
        })?;
        packer.string(&image.name)?;
        packer.out.u16(image.width);
        packer.out.u16(image.height);
        packer.out.u8(image.format.number());
        packer.out.u32(len);
        packer.out.bytes(&data);
        Ok(())
    }
}

struct Bones<'p, 'a, W>(&'p mut Packer<'a>, PhantomData<W>);

impl<'de, W: Words> Elements<'de> for Bones<'_, '_, W> {
    const EXPECTING: &'static str = "bones";

    fn element<D: Deserializer<'de>>(&mut self, _: usize, value: D) -> Result<(), D::Error> {
        let bone = W::Bone::deserialize(value)?;
        self.0.string(bone.name())?;
        self.0.out.i16(bone.parent());
        Ok(())
    }
}

struct Meshes<'p, 'a, W>(&'p mut Packer<'a>, PhantomData<W>);

impl<'de, W: Words> Elements<'de> for Meshes<'_, '_, W> {
    const EXPECTING: &'static str = "meshes";

    fn element<D: Deserializer<'de>>(&mut self, index: usize, value: D) -> Result<(), D::Error> {
        self.0.mesh = index;
        let mut mesh = Mesh::<W> {
            packer: self.0,
            name: String::new(),
            image: 0,
            counts: (0, 0),
            words: PhantomData,
        };
        Object(&mut mesh).deserialize(value)?;
        let Mesh {
            packer,
            name,
            image,
            counts: (vertices, indices),
            ..
        } = mesh;
        packer.string(&name)?;
        packer.out.u16(image);
        packer.out.u16(vertices);
        packer.out.u32(indices);
        packer.out.append(&mut packer.vertices);
        packer.out.append(&mut packer.indices);
        Ok(())
    }
}

struct Mesh<'p, 'a, W> {
    packer: &'p mut Packer<'a>,
    name: String,
    image: u16,
    counts: (u16, u32),
    words: PhantomData<W>,
}

impl<'de, W: Words> Fields<'de> for Mesh<'_, '_, W> {
    const EXPECTING: &'static str = "a mesh";
    const KEYS: &'static [&'static str] = W::MESH;
    const STRICT: bool = W::STRICT;

    fn field<D: Deserializer<'de>>(&mut self, key: usize, value: D) -> Result<(), D::Error> {
        let packer = &mut *self.packer;
        match key {
            0 => self.name = String::deserialize(value)?,
            1 => self.image = Uint16::deserialize(value)?.0,
            2 => {
                let count = Array(&mut Vertices::<W>(packer, PhantomData)).read(value)?;
                self.counts.0 = packer.fits(count, "vertices")?;
            }
            _ => {
                let count = Array(&mut Indices(&mut packer.indices)).read(value)?;
                self.counts.1 = u32::try_from(count)
                    .map_err(|_| packer.fail(Rule::Limit, "too many indices"))?;
            }
        }
        Ok(())
    }
}

struct Vertices<'p, 'a, W>(&'p mut Packer<'a>, PhantomData<W>);

impl<'de, W: Words> Elements<'de> for Vertices<'_, '_, W> {
    const EXPECTING: &'static str = "vertices";

    #[inline]
    fn element<D: Deserializer<'de>>(&mut self, index: usize, value: D) -> Result<(), D::Error> {
        let vertex = W::Vertex::deserialize(value)?;
        vertex.pack(&mut self.0.vertices);
        if let Some((count, weight)) = vertex.dropped() {
            let mesh = self.0.mesh;
            let path = || format!("meshes[{mesh}].vertices[{index}].bones");
            let message = || {
                let all = count.saturating_add(4);
                format!(
                    "{count} of {all} influences dropped, with a weight of {weight}; the four largest are kept and not renormalised"
                )
            };
            self.0.noted.add(Rule::InfluencesDropped, 0, path, message);
        }
        Ok(())
    }
}

struct Indices<'p>(&'p mut Writer);

impl<'de> Elements<'de> for Indices<'_> {
    const EXPECTING: &'static str = "vertex indices";

    #[inline]
    fn element<D: Deserializer<'de>>(&mut self, _: usize, value: D) -> Result<(), D::Error> {
        self.0.u16(Uint16::deserialize(value)?.0);
        Ok(())
    }
}

struct Animations<'p, 'a, W>(&'p mut Packer<'a>, PhantomData<W>);

impl<'de, W: Words> Elements<'de> for Animations<'_, '_, W> {
    const EXPECTING: &'static str = "animations";

    fn element<D: Deserializer<'de>>(&mut self, index: usize, value: D) -> Result<(), D::Error> {
        self.0.animation = index;
        let start = self.0.out.len();
        let mut animation = Animation::<W> {
            packer: self.0,
            name: String::new(),
            flags: 0,
            frames: 0,
            words: PhantomData,
        };
        Object(&mut animation).deserialize(value)?;
        let Animation {
            packer,
            name,
            flags,
            frames,
            ..
        } = animation;
        // The frames lie there already; name, flags and count come in front of them.
        let end = packer.out.len();
        packer.string(&name)?;
        packer.out.u8(flags);
        packer.out.u16(frames);
        packer.out.move_tail(start, end);
        Ok(())
    }
}

struct Animation<'p, 'a, W> {
    packer: &'p mut Packer<'a>,
    name: String,
    flags: u8,
    frames: u16,
    words: PhantomData<W>,
}

impl<'de, W: Words> Fields<'de> for Animation<'_, '_, W> {
    const EXPECTING: &'static str = "an animation";
    const KEYS: &'static [&'static str] = W::ANIMATION;
    const STRICT: bool = W::STRICT;

    fn field<D: Deserializer<'de>>(&mut self, key: usize, value: D) -> Result<(), D::Error> {
        match key {
            0 => self.name = String::deserialize(value)?,
            1 => self.flags = W::Flags::deserialize(value)?.into(),
            _ => {
                let count = Array(&mut Frames::<W>(self.packer, PhantomData)).read(value)?;
                self.frames = self.packer.fits(count, "frames")?;
            }
        }
        Ok(())
    }
}

struct Frames<'p, 'a, W>(&'p mut Packer<'a>, PhantomData<W>);

impl<'de, W: Words> Elements<'de> for Frames<'_, '_, W> {
    const EXPECTING: &'static str = "frames";

    fn element<D: Deserializer<'de>>(&mut self, _: usize, value: D) -> Result<(), D::Error> {
        let packer = &mut *self.0;
        let len = Array(&mut Transforms::<W>(&mut packer.out, PhantomData)).read(value)?;
        let (first, _) = *packer.first_frame.get_or_insert((len, packer.animation));
        match packer.bones {
            Some(bones) if len != bones => {
                Err(packer.fail(Rule::FrameLength, frame_message(len, bones)))
            }
            None if len != first => Err(packer.fail(
                Rule::FrameLength,
                format_args!("{len} transforms, the first frame has {first}"),
            )),
            _ => Ok(()),
        }
    }
}

struct Transforms<'p, W>(&'p mut Writer, PhantomData<W>);

impl<'de, W: Words> Elements<'de> for Transforms<'_, W> {
    const EXPECTING: &'static str = "transforms";

    #[inline]
    fn element<D: Deserializer<'de>>(&mut self, _: usize, value: D) -> Result<(), D::Error> {
        W::Transform::deserialize(value)?.pack(self.0);
        Ok(())
    }
}
