//! `pchr inspect` of a character, and what is measured of it.

use std::borrow::Cow;
use std::io::Cursor;

use schemars::JsonSchema;
use serde::Serialize;

use pchr::bytes::Budget;
use pchr::character::{BoundsSweep, Character};
use pchr::document::{Document, Image, ImageFormat, MeshId};
use pchr::finding::Findings;
use pchr::image::{Pixels, decode_each};
use pchr::pose::BindChoice;
use pchr::scene::{Bounds, Subject, Sweep as _, ViewOptions};

use self::report::{
    BoundsReport, CharacterAnimationReport, CharacterBoneReport, CharacterImageReport,
};
use super::{TextPage, TextTable, by, bytes, count, name, number, or_none, reference, share, when};
use crate::run::input::Input;

pub(in crate::cli::pchr) use report::CharacterInspection;
pub(super) use report::report;

mod report;

/// Bones are moved to the right with their depth up to here.
const DEEPEST_SHOWN: u16 = 20;

pub(super) fn describe(report: &CharacterInspection<'_>, page: &mut TextPage) {
    let (header, totals, bind) = (&report.header, &report.totals, &report.bind_pose);
    let fps = count(header.fps, "frame per second", "frames per second");
    let plays = format!(" (plays at {})", header.playback_fps);
    let plays = when(header.fps == 0, plays);
    let (version, flags) = (header.version, header.flags);
    page.fact("header", format!("version {version}, {fps}{plays}, flags {flags:#06x}"));

    let roots = count(totals.root_bones, "root", "roots");
    let levels = count(totals.bone_levels, "level", "levels");
    let shape = when(totals.bones > 0, format!(" ({roots}, {levels})"));
    let contents = [
        count(totals.images, "image", "images"),
        count(totals.bones, "bone", "bones") + &shape,
        count(totals.meshes, "mesh", "meshes"),
        count(totals.animations, "animation", "animations"),
    ];
    page.fact("contents", contents.join(", "));

    let vertices = count(totals.vertices, "vertex", "vertices");
    let triangles = count(totals.triangles, "triangle", "triangles");
    let influences = influences(totals.vertices_by_influences);
    let geometry = format!("{vertices}, {triangles}; bones per vertex: {influences}");
    page.fact("geometry", geometry);

    let frames = count(totals.frames, "frame", "frames");
    let seconds = super::seconds(totals.seconds);
    page.fact("playing", format!("{frames}, {seconds} in all"));

    let (textures, geometry) = (bytes(totals.texture_bytes), bytes(totals.geometry_bytes));
    page.fact("memory", format!("{textures} as textures, {geometry} of vertices and indices"));

    let drawn = match report.bounds.map(bounds) {
        Some([x, y, size]) => format!("{size} px, x {x}, y {y}"),
        None => "nothing is drawn".into(),
    };
    let of = if totals.frames == 0 { "as stored" } else { "over all frames" };
    page.fact("bounds", format!("{drawn}, {of}"));

    let pose = match (bind.animation_index, bind.frame) {
        (Some(index), Some(frame)) => format!("frame {frame} of {}", animation(report, index)),
        _ => "none".into(),
    };
    let bones = count(bind.degenerate_bones.len(), "bone has", "bones have");
    let degenerate = format!("; {bones} no inverse in this pose");
    let degenerate = when(!bind.degenerate_bones.is_empty(), degenerate);
    page.fact("bind pose", format!("{pose}: {}{degenerate}", bind.reason));

    if let Some(index) = report.default_animation {
        let default = animation(report, index);
        page.fact("default", format!("{default} is shown by default"));
    }
    tables(report, page);
}

fn tables(report: &CharacterInspection<'_>, page: &mut TextPage) {
    let range = super::ranges(report.size);
    let title = match report.format {
        "pchr" => "Sections",
        _ => "Sections (bytes as they would be packed to PCHR v1)",
    };
    // Bytes after the last animation are listed only if there are any.
    let sections = report.sections.iter();
    let sections = sections.filter(|it| it.name != "trailing" || it.bytes.length > 0);
    let sections: Vec<_> = sections.collect();
    TextTable::new(title, &sections)
        .left("section", |it| it.name)
        .right("count", |it| it.count.map(number).unwrap_or_default())
        .left("bytes", |it| range(it.bytes))
        .right("size", |it| bytes(it.bytes.length))
        .right("share", |it| share(it.bytes.length, report.size))
        .write(page);
    TextTable::new("Images", &report.images)
        .numbered()
        .left("image", |it| name(it.name))
        .right("pixels", |it| by([it.width, it.height]))
        .left("format", |it| it.format)
        .right("meshes", |it| number(it.meshes))
        .right("as texture", |it| bytes(it.texture_bytes))
        .left("data bytes", |it| range(it.data))
        .right("size", |it| bytes(it.data.length))
        .write(page);
    let decoded = |it: &CharacterImageReport<'_>| it.pixels.is_some() || it.decode_error.is_some();
    if report.images.iter().any(decoded) {
        let color = |it: PixelsReport| format!("{}, {} bit", it.color, it.bit_depth);
        let color = |it: Option<_>| it.map_or("does not decode".into(), color);
        let size = |it: PixelsReport| by([it.width, it.height]);
        let all = |it: PixelsReport| it.opaque + it.translucent + it.transparent;
        let part = |it: &CharacterImageReport<'_>, part: fn(PixelsReport) -> u64| {
            or_none(it.pixels.map(|it| share(part(it), all(it))))
        };
        TextTable::new("Pixels, decoded", &report.images)
            .numbered()
            .left("image", |it| name(it.name))
            .right("pixels", |it| or_none(it.pixels.map(size)))
            .left("colour", |it| color(it.pixels))
            .right("opaque", |it| part(it, |it| it.opaque))
            .right("translucent", |it| part(it, |it| it.translucent))
            .right("transparent", |it| part(it, |it| it.transparent))
            .write(page);
    }
    let remark = |index: u16| {
        let is_bind = report.bind_pose.animation_index == Some(index);
        match (is_bind, report.default_animation == Some(index)) {
            (true, true) => "bind pose, default",
            (true, false) => "bind pose",
            (false, true) => "default",
            (false, false) => "",
        }
    };
    let edge = |it: &CharacterAnimationReport<'_>, edge: fn([String; 3]) -> String| {
        or_none(it.bounds.map(|it| edge(bounds(it))))
    };
    TextTable::new("Animations", &report.animations)
        .numbered()
        .left("animation", |it| name(it.name))
        .left("plays", |it| if it.looping { "loop" } else { "once" })
        .right("frames", |it| number(it.frame_count))
        .right("seconds", |it| format!("{:.2}", it.seconds))
        .right("x", |it| edge(it, |[x, ..]| x))
        .right("y", |it| edge(it, |[_, y, _]| y))
        .right("extent", |it| edge(it, |[.., size]| size))
        .left("bytes", |it| range(it.bytes))
        .right("size", |it| bytes(it.bytes.length))
        .left("", |it| remark(it.index))
        .write(page);
    TextTable::new("Meshes", &report.meshes)
        .numbered()
        .left("mesh", |it| name(it.name))
        .right("image", |it| it.image)
        .right("vertices", |it| number(it.vertices))
        .right("triangles", |it| number(it.triangles))
        .right("bones", |it| number(it.bones))
        .right("a vertex", |it| influences(it.vertices_by_influences))
        .left("bytes", |it| range(it.bytes))
        .right("size", |it| bytes(it.bytes.length))
        .left("owner", |it| reference(it.owner, &report.bones, |it| it.name))
        .write(page);
    let bones = tree(&report.bones);
    let indent = |it: &CharacterBoneReport<'_>| usize::from(it.depth.min(DEEPEST_SHOWN)) * 2;
    TextTable::new("Bones", &bones)
        .right("#", |it| it.index)
        .right("parent", |it| or_none(it.parent))
        .right("depth", |it| it.depth)
        .left("bone", |it| " ".repeat(indent(it)) + &name(it.name))
        .right("meshes", |it| number(it.owned_meshes))
        .right("vertices", |it| number(it.vertices))
        .left("bytes", |it| range(it.bytes))
        .write(page);
}

/// `animation 3 "walk"`.
fn animation(report: &CharacterInspection<'_>, index: u16) -> String {
    let animation = report.animations.get(usize::from(index));
    match name(animation.map_or("", |animation| animation.name)) {
        Cow::Borrowed(plain) => format!("animation {index} \"{plain}\""),
        Cow::Owned(quoted) => format!("animation {index} {quoted}"),
    }
}

/// The fewest and the most bones that move one vertex.
fn influences(vertices: [u64; 5]) -> String {
    let some = |count: &u64| *count > 0;
    let least = vertices.iter().position(some);
    let most = vertices.iter().rposition(some);
    match (least, most) {
        (Some(least), Some(most)) if least < most => format!("{least}..{most}"),
        _ => or_none(most),
    }
}

/// Left and right edge, lower and upper edge, width and height.
fn bounds(bounds: BoundsReport) -> [String; 3] {
    let [x0, y0] = bounds.min.map(f64::from);
    let [x1, y1] = bounds.max.map(f64::from);
    let edges = |low, high| format!("{}..{}", pixels(low), pixels(high));
    let size = by([x1 - x0, y1 - y0].map(pixels));
    [edges(x0, x1), edges(y0, y1), size]
}

/// A length or coordinate in pixels.
fn pixels(pixels: f64) -> String {
    if pixels.abs() < 0.05 {
        "0.0".into() // not -0.0
    } else if pixels.abs() < 1e7 {
        format!("{pixels:.1}")
    } else {
        format!("{pixels:.2e}")
    }
}

/// The bones as a tree: each before its children, and these before the next bone.
fn tree<'a>(bones: &'a [CharacterBoneReport<'a>]) -> Vec<&'a CharacterBoneReport<'a>> {
    let mut children: Vec<Vec<&CharacterBoneReport<'_>>> = vec![Vec::new(); bones.len()];
    let mut open = Vec::new();
    for bone in bones.iter().rev() {
        let parent = bone.parent.map(usize::from);
        match parent.and_then(|parent| children.get_mut(parent)) {
            Some(siblings) => siblings.push(bone),
            None => open.push(bone),
        }
    }
    let mut order = Vec::with_capacity(bones.len());
    while let Some(bone) = open.pop() {
        order.push(bone);
        open.extend(children.get(usize::from(bone.index)).into_iter().flatten());
    }
    order
}

/// A character and what is measured of it.
#[derive(Debug)]
pub(super) struct MeasuredCharacter<'a> {
    /// The name that the report gives the file.
    pub(super) file: &'a str,
    pub(super) character: Character,
    /// Bounds of the drawing, by animation index: over its frames.
    pub(super) animations: Vec<Option<Bounds>>,
    /// Bounds over all of them; of the stored pose, if there is no frame.
    pub(super) bounds: Option<Bounds>,
    /// True if bounds are exact, and not only large enough.
    is_exact: bool,
    /// The images' pixels, by image index; empty if nobody asked.
    pub(super) decoded: Vec<ImageDecoding>,
    /// Findings about the document, its bind pose and its images.
    pub(super) findings: Findings,
}

impl<'a> MeasuredCharacter<'a> {
    /// Measures a character; with `images`, their pixels, too.
    pub(super) fn new(input: &'a Input, images: bool) -> Self {
        let document = &input.document;
        let character = Character::new(document.clone(), BindChoice::Auto);
        let mut later = Findings::default();
        character.bind().report(document, &mut later);
        let decoded = if images { decode(document, &mut later) } else { Vec::new() };
        let mut findings = document.warnings().clone();
        findings.extend(input.in_file(later));
        let (animations, bounds, is_exact) = {
            let (subject, view): (&dyn Subject, _) = (&character, ViewOptions::default());
            let mut sweep = BoundsSweep::new(&character, &view).limited_together();
            let ids = document.animation_ids();
            let animations: Vec<_> = ids.map(|id| sweep.over(&mut subject.moments(id))).collect();
            let bounds = match document.animations().any(|a| a.frame_count() > 0) {
                true => animations.iter().copied().flatten().reduce(Bounds::union),
                false => sweep.over(&mut [None].into_iter()),
            };
            (animations, bounds, sweep.is_exact())
        };
        Self { file: &input.name, character, animations, bounds, is_exact, decoded, findings }
    }

    /// Returns a remark if bounds may be larger than what is drawn.
    pub(super) fn remark(&self) -> Option<String> {
        let remark =
            "too many vertices and frames to measure; some bounds are larger than what is drawn";
        (!self.is_exact).then(|| format!("{}: {remark}", self.file))
    }
}

/// Result of one pass over the vertices.
#[derive(Debug)]
pub(super) struct SkinCounts {
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
    /// Its vertices by the number of their weights above 0.
    pub(super) by_influences: [u64; 5],
}

impl SkinCounts {
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
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
    bit_depth: u8,
    /// Pixels with alpha 255.
    pub(super) opaque: u64,
    /// Pixels with alpha 1 to 254.
    pub(super) translucent: u64,
    /// Pixels with alpha 0.
    pub(super) transparent: u64,
}

/// Result of decoding an image: its pixels, or the reason why it has none.
pub(super) type ImageDecoding = Result<PixelsReport, String>;

/// Decodes every image; adds faults to `findings`, in their order.
pub(super) fn decode(document: &Document, findings: &mut Findings) -> Vec<ImageDecoding> {
    let counted =
        |id, pixels: Pixels, found: &Findings| match (found.first_error(), document.image(id)) {
            (None, Some(image)) => Ok(count_pixels(&image, &pixels)),
            (error, _) => Err(error.map(|error| error.message.clone()).unwrap_or_default()),
        };
    decode_each(document, &Budget::default(), true, findings, counted)
}

fn count_pixels(image: &Image<'_>, pixels: &Pixels) -> PixelsReport {
    let (color, bit_depth) = kind(image).unwrap_or(("rgba", 8));
    let Pixels { width, height, .. } = *pixels;
    let mut report = PixelsReport { width, height, color, bit_depth, ..Default::default() };
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
