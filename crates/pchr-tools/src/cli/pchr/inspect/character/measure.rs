//! Measurements of a character: bounds of its animations, weights of its vertices, and pixels of its images.

use std::io::Cursor;

use schemars::JsonSchema;
use serde::Serialize;

use pchr::bytes::Budget;
use pchr::character::{BoundsSweep, Character};
use pchr::document::{Document, Image, ImageFormat, MeshId};
use pchr::finding::Findings;
use pchr::image::{Pixels, decode_each};
use pchr::pose::BindChoice;
use pchr::scene::{Bounds, Subject, ViewOptions};

use crate::run::input::Input;

/// A character and what is measured of it.
#[derive(Debug)]
pub(in crate::cli::pchr::inspect) struct Measured<'a> {
    /// The name that the report gives the file.
    pub(super) file: &'a str,
    pub(super) character: Character,
    pub(super) extent: Extent,
    /// The images' pixels, by image index; empty if nobody asked.
    pub(super) decoded: Vec<Decoded>,
    /// Findings about the document, its bind pose and its images.
    pub(in crate::cli::pchr::inspect) findings: Findings,
}

impl<'a> Measured<'a> {
    /// Measures a character; with `images`, their pixels, too.
    pub(in crate::cli::pchr::inspect) fn new(input: &'a Input, images: bool) -> Self {
        let document = &input.document;
        let character = Character::new(document.clone(), BindChoice::Auto);
        let mut later = Findings::default();
        character.bind().report(document, &mut later);
        let decoded = match images {
            true => decode(document, &mut later),
            false => Vec::new(),
        };
        let mut findings = document.warnings().clone();
        findings.extend(input.in_file(later));
        Self {
            file: &input.name,
            extent: Extent::new(&character),
            character,
            decoded,
            findings,
        }
    }

    /// Returns a remark if bounds may be larger than what is drawn.
    pub(in crate::cli::pchr::inspect) fn remark(&self) -> Option<String> {
        let remark =
            "too many vertices and frames to measure; some bounds are larger than what is drawn";
        (!self.extent.exact).then(|| format!("{}: {remark}", self.file))
    }
}

/// The bounds of the drawing.
#[derive(Debug)]
pub(super) struct Extent {
    /// By animation index: over its frames.
    pub(super) animations: Vec<Option<Bounds>>,
    /// Over all of them; of the stored pose, if there is no frame.
    pub(super) character: Option<Bounds>,
    /// True if these are exact, and not only large enough.
    pub(super) exact: bool,
}

impl Extent {
    pub(super) fn new(character: &Character) -> Self {
        let (document, subject): (_, &dyn Subject) = (character.document(), character);
        let view = ViewOptions::default();
        let mut sweep = BoundsSweep::new(character, &view).limited_together();
        let ids = document.animation_ids();
        let animations: Vec<_> = ids.map(|id| sweep.over(subject.moments(id))).collect();
        let posed = document.animations().any(|a| a.frame_count() > 0);
        let character = if posed {
            animations.iter().copied().flatten().reduce(Bounds::union)
        } else {
            sweep.over([None])
        };
        Self {
            animations,
            character,
            exact: sweep.is_exact(),
        }
    }
}

/// Vertices by the number of their weights above 0.
pub(super) type ByInfluences = [u64; 5];

/// Result of one pass over the vertices.
#[derive(Debug)]
pub(super) struct Skin {
    /// By mesh index.
    pub(super) meshes: Vec<MeshSkin>,
    /// Number of vertices that each bone moves, by bone index.
    pub(super) moved: Vec<u64>,
}

/// The vertices of a mesh.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MeshSkin {
    /// Bones that move it.
    pub(super) bones: usize,
    /// Its vertices by number of influences.
    pub(super) by_influences: ByInfluences,
}

impl Skin {
    pub(super) fn new(document: &Document) -> Self {
        let bones = document.bones().len();
        let mut moved = vec![0_u64; bones];
        // The mesh and the vertex that each bone was last met in: two slots may name the same bone.
        let mut last: Vec<Option<(MeshId, usize)>> = vec![None; bones];
        let mut meshes = Vec::with_capacity(document.meshes().len());
        for (id, mesh) in document.mesh_ids().zip(document.meshes()) {
            let mut skin = MeshSkin::default();
            for (v, vertex) in mesh.vertices().enumerate() {
                let mut influences = 0_usize;
                for (weight, bone) in vertex.bone_weights.into_iter().zip(vertex.bone_ids) {
                    if weight <= 0.0 {
                        continue;
                    }
                    influences += 1;
                    let bone = usize::from(bone);
                    if let (Some(last), Some(moved)) = (last.get_mut(bone), moved.get_mut(bone)) {
                        skin.bones += usize::from(last.is_none_or(|(mesh, _)| mesh != id));
                        *moved += u64::from(*last != Some((id, v)));
                        *last = Some((id, v));
                    }
                }
                if let Some(count) = skin.by_influences.get_mut(influences) {
                    *count += 1;
                }
            }
            meshes.push(skin);
        }
        Self { meshes, moved }
    }
}

/// Decoded pixels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PixelsReport {
    /// True width, which takes precedence over the declared one.
    pub(super) width: u32,
    /// True height, which takes precedence over the declared one.
    pub(super) height: u32,
    /// Kind of colour of the data.
    #[schemars(extend("enum" = ["grey", "grey-alpha", "rgb", "rgba", "indexed"]))]
    pub(super) color: &'static str,
    /// Bits of a channel or, if indexed, of an index.
    pub(super) bit_depth: u8,
    /// Pixels with alpha 255.
    pub(super) opaque: u64,
    /// Pixels with alpha 1 to 254.
    pub(super) translucent: u64,
    /// Pixels with alpha 0.
    pub(super) transparent: u64,
}

/// Result of decoding an image: its pixels, or the reason why it has none.
pub(super) type Decoded = Result<PixelsReport, String>;

/// Decodes every image; adds faults to `findings`, in their order.
pub(super) fn decode(document: &Document, findings: &mut Findings) -> Vec<Decoded> {
    let counted =
        |id, pixels: Pixels, found: &Findings| match (found.first_error(), document.image(id)) {
            (None, Some(image)) => Ok(count(&image, &pixels)),
            (error, _) => Err(error.map(|error| error.message.clone()).unwrap_or_default()),
        };
    decode_each(document, &Budget::default(), true, findings, counted)
}

fn count(image: &Image<'_>, pixels: &Pixels) -> PixelsReport {
    let (color, bit_depth) = kind(image).unwrap_or(("rgba", 8));
    let mut report = PixelsReport {
        width: pixels.width,
        height: pixels.height,
        color,
        bit_depth,
        opaque: 0,
        translucent: 0,
        transparent: 0,
    };
    if image.format() == ImageFormat::Rgba8888 && image.data().is_empty() {
        // Such an image has no pixels; the renderer draws one transparent pixel instead.
        (report.width, report.height) = (image.width().into(), image.height().into());
        return report;
    }
    for [.., alpha] in pixels.rgba.as_chunks::<4>().0 {
        match alpha {
            255 => report.opaque += 1,
            0 => report.transparent += 1,
            _ => report.translucent += 1,
        }
    }
    report
}

/// Kind of colour and bits of a PNG.
fn kind(image: &Image<'_>) -> Option<(&'static str, u8)> {
    if image.format() != ImageFormat::Png {
        return None;
    }
    let mut decoder = png::Decoder::new(Cursor::new(image.data()));
    let info = decoder.read_header_info().ok()?;
    let color = match info.color_type {
        png::ColorType::Grayscale => "grey",
        png::ColorType::GrayscaleAlpha => "grey-alpha",
        png::ColorType::Rgb => "rgb",
        png::ColorType::Rgba => "rgba",
        png::ColorType::Indexed => "indexed",
    };
    Some((color, info.bit_depth as u8))
}
