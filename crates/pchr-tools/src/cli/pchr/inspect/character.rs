//! `pchr inspect` of a character.

mod measure;
mod report;

use std::borrow::Cow;

pub(super) use self::measure::Measured;
pub(super) use self::report::report;
pub(in crate::cli::pchr) use self::report::schema;

use self::measure::PixelsReport;
use self::report::{AnimationReport, BoneReport, BoundsReport, ImageReport, Report};
use super::page::{Page, Table};
use super::words::{self, by, bytes, count, name, number, or_none, reference, share, when};

/// Bones are moved to the right with their depth up to here.
const DEEPEST_SHOWN: u16 = 20;

impl super::Report for Report<'_> {
    fn describe(&self, page: &mut Page) {
        facts(self, page);
        tables(self, page);
    }
}

fn facts(report: &Report<'_>, page: &mut Page) {
    let (header, totals, bind) = (&report.header, &report.totals, &report.bind_pose);
    let packed = match report.format {
        "pchr" => ",",
        _ => "; packed to PCHR v1 it takes",
    };
    let size = words::exact_bytes(report.size);
    let contents = format!("{}{packed} {size}", report.format_name);
    page.title(report.file, contents);

    let fps = count(header.fps, "frame per second", "frames per second");
    let plays = format!(" (plays at {})", header.playback_fps);
    let plays = when(header.fps == 0, plays);
    let (version, flags) = (header.version, header.flags);
    let header = format!("version {version}, {fps}{plays}, flags {flags:#06x}");
    page.fact("header", header);

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
    let seconds = words::seconds(totals.seconds);
    page.fact("playing", format!("{frames}, {seconds} in all"));

    let (textures, geometry) = (bytes(totals.texture_bytes), bytes(totals.geometry_bytes));
    let memory = format!("{textures} as textures, {geometry} of vertices and indices");
    page.fact("memory", memory);

    let drawn = match report.bounds.map(bounds) {
        Some([x, y, size]) => format!("{size} px, x {x}, y {y}"),
        None => "nothing is drawn".into(),
    };
    let of = match totals.frames {
        0 => "as stored",
        _ => "over all frames",
    };
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
}

fn tables(report: &Report<'_>, page: &mut Page) {
    let range = words::ranges(report.size);
    let title = match report.format {
        "pchr" => "Sections",
        _ => "Sections (bytes as they would be packed to PCHR v1)",
    };
    // Bytes after the last animation are listed only if there are any.
    let sections = report.sections.iter();
    let sections = sections.filter(|it| it.name != "trailing" || it.bytes.length > 0);
    let sections: Vec<_> = sections.collect();
    Table::new(title, &sections)
        .left("section", |it| it.name)
        .right("count", |it| it.count.map(number).unwrap_or_default())
        .left("bytes", |it| range(it.bytes))
        .right("size", |it| bytes(it.bytes.length))
        .right("share", |it| share(it.bytes.length, report.size))
        .write(page);
    Table::new("Images", &report.images)
        .numbered()
        .left("image", |it| name(it.name))
        .right("pixels", |it| by([it.width, it.height]))
        .left("format", |it| it.format)
        .right("meshes", |it| number(it.meshes))
        .right("as texture", |it| bytes(it.texture_bytes))
        .left("data bytes", |it| range(it.data))
        .right("size", |it| bytes(it.data.length))
        .write(page);
    let decoded = |it: &ImageReport<'_>| it.pixels.is_some() || it.decode_error.is_some();
    if report.images.iter().any(decoded) {
        let color = |it: PixelsReport| format!("{}, {} bit", it.color, it.bit_depth);
        let color = |it: Option<_>| it.map_or("does not decode".into(), color);
        let size = |it: PixelsReport| by([it.width, it.height]);
        let all = |it: PixelsReport| it.opaque + it.translucent + it.transparent;
        let part = |it: &ImageReport<'_>, part: fn(PixelsReport) -> u64| {
            or_none(it.pixels.map(|it| share(part(it), all(it))))
        };
        Table::new("Pixels, decoded", &report.images)
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
    let edge = |it: &AnimationReport<'_>, edge: fn([String; 3]) -> String| {
        or_none(it.bounds.map(|it| edge(bounds(it))))
    };
    Table::new("Animations", &report.animations)
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
    Table::new("Meshes", &report.meshes)
        .numbered()
        .left("mesh", |it| name(it.name))
        .right("image", |it| it.image)
        .right("vertices", |it| number(it.vertices))
        .right("triangles", |it| number(it.triangles))
        .right("bones", |it| number(it.bones))
        .right("a vertex", |it| influences(it.vertices_by_influences))
        .left("bytes", |it| range(it.bytes))
        .right("size", |it| bytes(it.bytes.length))
        .left("owner", |it| {
            reference(it.owner, &report.bones, |it| it.name)
        })
        .write(page);
    let bones = tree(&report.bones);
    let indent = |it: &BoneReport<'_>| usize::from(it.depth.min(DEEPEST_SHOWN)) * 2;
    Table::new("Bones", &bones)
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
fn animation(report: &Report<'_>, index: u16) -> String {
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
fn tree<'a>(bones: &'a [BoneReport<'a>]) -> Vec<&'a BoneReport<'a>> {
    let mut children: Vec<Vec<&BoneReport<'_>>> = vec![Vec::new(); bones.len()];
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
