//! Writes a document as a text with one element per line, so that people can read it and version control shows changes.

use std::io::{self, BufWriter, Write};

use serde::Serialize;

use super::Dialect;
use super::pachario::{PacharioBone, PacharioImage, PacharioTransform, PacharioVertex};
use super::pchr::{PchrBone, PchrImage, PchrTransform, PchrVertex};
use crate::document::{
    Animation, BoneTransform, Document, Image, ImageFormat, Mesh, SampledFrame, Vertex,
};
use crate::format::Losses;
use crate::format::pchr::VERSION;

/// Writes a document as JSON. `paths` says where each image's file will lie, relative to the text's.
///
/// Content that the dialect cannot hold is left out and returned.
///
/// # Errors
/// Errors of `out`.
pub fn write(
    document: &Document,
    dialect: Dialect,
    paths: &[String],
    out: &mut dyn Write,
) -> io::Result<Losses> {
    let mut writer = DocumentWriter {
        document,
        dialect,
        out: BufWriter::with_capacity(CHUNK, out),
        losses: Losses::default(),
    };
    writer.write(paths)?;
    writer.out.flush()?;
    Ok(writer.losses)
}

/// Texts are made of many small pieces: so many bytes are gathered before they go on.
const CHUNK: usize = 1 << 16;

struct DocumentWriter<'a> {
    document: &'a Document,
    dialect: Dialect,
    out: BufWriter<&'a mut dyn Write>,
    losses: Losses,
}

impl DocumentWriter<'_> {
    fn write(&mut self, paths: &[String]) -> io::Result<()> {
        let document = self.document;
        write!(self.out, "{{\n  \"version\": {VERSION},\n  \"fps\": {},\n", document.fps())?;
        if document.flags() != 0 {
            match self.dialect {
                Dialect::Pchr => writeln!(self.out, "  \"flags\": {},", document.flags())?,
                Dialect::Pachario => self.losses.add("reserved header flags", || "flags".into()),
            }
        }
        self.section("images", document.images().zip(paths).enumerate(), Self::image)?;
        self.section("bones", document.bones(), |this, bone| match this.dialect {
            Dialect::Pchr => this.json(&PchrBone::new(&bone)),
            Dialect::Pachario => this.json(&PacharioBone::new(&bone)),
        })?;
        self.section("meshes", document.meshes().enumerate(), Self::mesh)?;
        self.section("animations", document.animations().enumerate(), Self::animation)?;
        let trailing = document.trailing();
        if !trailing.is_empty() {
            match self.dialect {
                Dialect::Pchr => self.trailing(trailing)?,
                Dialect::Pachario => self.losses.add_many(
                    "bytes after the last animation",
                    trailing.len() as u64,
                    || format!("byte {}", document.bytes().len().saturating_sub(trailing.len())),
                ),
            }
        }
        self.out.write_all(b"\n}\n")
    }

    /// Writes a list of the document; all keys but the last are followed by more.
    fn section<T>(
        &mut self,
        key: &str,
        items: impl Iterator<Item = T>,
        item: impl FnMut(&mut Self, T) -> io::Result<()>,
    ) -> io::Result<()> {
        if key != "images" {
            self.out.write_all(b",\n")?;
        }
        write!(self.out, "  \"{key}\": ")?;
        self.list("    ", items, item)
    }

    /// Writes an array with each item on its own lines, at an indent.
    fn list<T>(
        &mut self,
        indent: &str,
        items: impl Iterator<Item = T>,
        mut item: impl FnMut(&mut Self, T) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut any = false;
        for value in items {
            self.out.write_all(if any { b",\n" } else { b"[\n" })?;
            self.out.write_all(indent.as_bytes())?;
            item(self, value)?;
            any = true;
        }
        if !any {
            return self.out.write_all(b"[]");
        }
        let outer = indent.get(2..).unwrap_or_default();
        write!(self.out, "\n{outer}]")
    }

    fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, value).map_err(io::Error::from)
    }

    fn image(&mut self, (i, (image, path)): (usize, (Image<'_>, &String))) -> io::Result<()> {
        match self.dialect {
            Dialect::Pchr => self.json(&PchrImage::new(&image, path)),
            Dialect::Pachario => {
                if image.format() == ImageFormat::Rgba8888 {
                    self.losses.add("rgba8888 images (they become PNG files)", || {
                        format!("images[{i}].format")
                    });
                }
                self.json(&PacharioImage::new(&image, path))
            }
        }
    }

    fn mesh(&mut self, (i, mesh): (usize, Mesh<'_>)) -> io::Result<()> {
        let (image, indices) = match self.dialect {
            Dialect::Pchr => ("image", "indices"),
            Dialect::Pachario => ("imageIdx", "triangles"),
        };
        self.out.write_all(b"{\n      \"name\": ")?;
        self.json(&mesh.name())?;
        write!(self.out, ",\n      \"{image}\": {},\n      \"vertices\": ", mesh.image().0)?;
        self.list("        ", mesh.vertices().enumerate(), |this, (v, vertex)| {
            this.vertex(i, v, vertex)
        })?;
        write!(self.out, ",\n      \"{indices}\": [")?;
        for (n, index) in mesh.indices().enumerate() {
            write!(self.out, "{}{index}", if n == 0 { "" } else { "," })?;
        }
        self.out.write_all(b"]\n    }")
    }

    fn vertex(&mut self, i: usize, v: usize, vertex: Vertex) -> io::Result<()> {
        match self.dialect {
            Dialect::Pchr => self.json(&PchrVertex::from(vertex)),
            Dialect::Pachario => {
                let words = PacharioVertex::from(vertex);
                if words.loses_slots(&vertex) {
                    self.losses.add("bone ids and signs of zero weights", || {
                        format!("meshes[{i}].vertices[{v}]")
                    });
                }
                self.json(&words)
            }
        }
    }

    fn animation(&mut self, (i, animation): (usize, Animation<'_>)) -> io::Result<()> {
        self.out.write_all(b"{\n      \"name\": ")?;
        self.json(&animation.name())?;
        match self.dialect {
            Dialect::Pchr => write!(self.out, ",\n      \"flags\": {}", animation.flags())?,
            Dialect::Pachario => {
                if animation.flags() & !1 != 0 {
                    self.losses
                        .add("reserved flags of animations", || format!("animations[{i}].flags"));
                }
                write!(self.out, ",\n      \"loop\": {}", animation.looping())?;
            }
        }
        self.out.write_all(b",\n      \"frames\": ")?;
        let frames =
            (0..animation.frame_count()).filter_map(|frame| Some((frame, animation.frame(frame)?)));
        self.list("        ", frames, |this, (f, frame)| this.frame(i, f, frame))?;
        self.out.write_all(b"\n    }")
    }

    fn frame(&mut self, i: usize, f: u16, frame: SampledFrame<'_>) -> io::Result<()> {
        let transforms = frame.records().iter().map(BoneTransform::from_record).enumerate();
        self.list("          ", transforms, |this, (bone, transform)| match this.dialect {
            Dialect::Pchr => this.json(&PchrTransform::from(transform)),
            Dialect::Pachario => {
                let path = || format!("animations[{i}].frames[{f}][{bone}]");
                if !transform.numbers().iter().all(|value| value.is_finite()) {
                    this.losses
                        .add("transforms that are not finite (written as 0, a scale as 1)", path);
                }
                if transform.flags & !1 != 0 {
                    this.losses.add("reserved flags of transforms", path);
                }
                this.json(&PacharioTransform::from(transform))
            }
        })
    }

    fn trailing(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(b",\n  \"trailing\": \"")?;
        for byte in bytes {
            write!(self.out, "{byte:02x}")?;
        }
        self.out.write_all(b"\"")
    }
}
