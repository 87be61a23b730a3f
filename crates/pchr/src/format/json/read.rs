//! Reads the text to the bytes of a v1 file, element by element.
//!
//! The bytes are checked against the rules later, as for every other file. Only values that the bytes cannot hold are refused here.

use std::marker::PhantomData;

use serde::Deserialize as _;
use serde::de::{DeserializeSeed as _, Deserializer, Error};

use super::audit::Audit;
use super::findings::At;
use super::number::Uint16;
use super::packer::{Packer, frame_message};
use super::path::Step;
use super::walk::{Array, Elements, Fields, Object};
use super::words::{BoneWords as _, ImageRecord, Record as _, Words};
use crate::document::PchrRule;
use crate::finding::counted;
use crate::format::pchr::VERSION;

/// Reads a document in a dialect.
pub(super) fn read<'de, W: Words, D: Deserializer<'de>>(
    packer: &mut Packer<'_>,
    value: D,
) -> Result<(), D::Error> {
    let words = PhantomData;
    Object(&mut DocumentFields::<W> { packer, words }).deserialize(value)
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
                        format!("version {version}, but this program reads version {VERSION}");
                    return Err(packer.fail(PchrRule::Version, message));
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

    fn audit(&mut self) -> Option<&mut Audit> {
        self.packer.audit.as_mut()
    }
}

/// Decodes pairs of hexadecimal digits.
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
        let (format, data) = packer.image_data(&image);
        let len = u32::try_from(data.len()).map_err(|_| {
            packer.fail(
                PchrRule::Limit,
                format_args!(
                    "{} bytes of image, expected at most {}",
                    data.len(),
                    u32::MAX
                ),
            )
        })?;
        packer.string(&image.name)?;
        packer.out.u16(image.width);
        packer.out.u16(image.height);
        packer.out.u8(format.number());
        packer.out.u32(len);
        packer.out.bytes(&data);
        Ok(())
    }

    fn audit(&mut self) -> Option<&mut Audit> {
        self.0.audit.as_mut()
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

    fn audit(&mut self) -> Option<&mut Audit> {
        self.0.audit.as_mut()
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

    fn audit(&mut self) -> Option<&mut Audit> {
        self.0.audit.as_mut()
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
                let count = Array(&mut Indices(packer)).read(value)?;
                self.counts.1 = u32::try_from(count)
                    .map_err(|_| packer.fail(PchrRule::Limit, "too many indices"))?;
            }
        }
        Ok(())
    }

    fn audit(&mut self) -> Option<&mut Audit> {
        self.packer.audit.as_mut()
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
            let path = || {
                let steps = [
                    Step::Key("meshes".into()),
                    Step::Index(mesh),
                    Step::Key("vertices".into()),
                    Step::Index(index),
                    Step::Key("bones".into()),
                ];
                steps.into_iter().collect()
            };
            let message = || {
                let all = count.saturating_add(4);
                format!(
                    "{count} of {all} influences dropped, with a weight of {weight}; the four largest are kept and not renormalised"
                )
            };
            self.0
                .noted
                .add(PchrRule::InfluencesDropped, path, message, || At::Path);
        }
        Ok(())
    }

    fn audit(&mut self) -> Option<&mut Audit> {
        self.0.audit.as_mut()
    }
}

struct Indices<'p, 'a>(&'p mut Packer<'a>);

impl<'de> Elements<'de> for Indices<'_, '_> {
    const EXPECTING: &'static str = "vertex indices";

    #[inline]
    fn element<D: Deserializer<'de>>(&mut self, _: usize, value: D) -> Result<(), D::Error> {
        self.0.indices.u16(Uint16::deserialize(value)?.0);
        Ok(())
    }

    fn audit(&mut self) -> Option<&mut Audit> {
        self.0.audit.as_mut()
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

    fn audit(&mut self) -> Option<&mut Audit> {
        self.0.audit.as_mut()
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

    fn audit(&mut self) -> Option<&mut Audit> {
        self.packer.audit.as_mut()
    }
}

struct Frames<'p, 'a, W>(&'p mut Packer<'a>, PhantomData<W>);

impl<'de, W: Words> Elements<'de> for Frames<'_, '_, W> {
    const EXPECTING: &'static str = "frames";

    fn element<D: Deserializer<'de>>(&mut self, _: usize, value: D) -> Result<(), D::Error> {
        let packer = &mut *self.0;
        let len = Array(&mut Transforms::<W>(packer, PhantomData)).read(value)?;
        let wrong = match packer.bones {
            Some(bones) if len != bones => frame_message(len, bones),
            Some(_) => return Ok(()),
            // The bones come later: until then all frames are as long as the first.
            None => {
                let (first, _) = *packer.first_frame.get_or_insert((len, packer.animation));
                if len == first {
                    return Ok(());
                }
                let transforms = counted(len, "transform", "transforms");
                format!("{transforms}, expected {first} as in the first frame")
            }
        };
        Err(packer.fail(PchrRule::FrameLength, wrong))
    }

    fn audit(&mut self) -> Option<&mut Audit> {
        self.0.audit.as_mut()
    }
}

struct Transforms<'p, 'a, W>(&'p mut Packer<'a>, PhantomData<W>);

impl<'de, W: Words> Elements<'de> for Transforms<'_, '_, W> {
    const EXPECTING: &'static str = "transforms";

    #[inline]
    fn element<D: Deserializer<'de>>(&mut self, _: usize, value: D) -> Result<(), D::Error> {
        W::Transform::deserialize(value)?.pack(&mut self.0.out);
        Ok(())
    }

    fn audit(&mut self) -> Option<&mut Audit> {
        self.0.audit.as_mut()
    }
}
