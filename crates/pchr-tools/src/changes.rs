//! Changes between two versions of a file, in words and as a report: for `pchr diff`, suites and the window.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use pchr::diff::{Change, ChangeKind, ClipDiff, Diff, DiffJob, DiffSide, Element, ElementKind};
use pchr::finding::quoted;
use pchr::image::Pixels;
use pchr::raster::RasterModel;
use pchr::scene::{CurveKind, CurveKinds, Subject};

use crate::text::words::{count, listed, number};

pub use crate::text::smoothness::unit;

/// A version of a file, ready to be compared.
#[derive(Clone, Debug)]
pub struct Version {
    /// Its content.
    pub subject: Arc<dyn Subject>,
    /// Its model.
    pub model: Arc<RasterModel>,
}

impl Version {
    /// Creates a version from content and its decoded images.
    #[must_use]
    pub fn new(subject: Arc<dyn Subject>, images: Vec<Pixels>) -> Self {
        let model = Arc::new(RasterModel::new(&*subject, images));
        Self { subject, model }
    }

    fn side(&self) -> DiffSide<'_> {
        DiffSide { subject: &*self.subject, model: &self.model }
    }
}

/// Compares two versions.
#[must_use]
pub fn compare(old: &Version, new: &Version) -> Diff {
    DiffJob { old: old.side(), new: new.side() }.run()
}

const LISTED_RANGES: usize = 5;

/// Returns the name of a section, in the plural.
#[must_use]
pub fn section_name(kind: ElementKind) -> &'static str {
    match kind {
        ElementKind::Image => "images",
        ElementKind::Bone => "bones",
        ElementKind::Mesh => "meshes",
        ElementKind::Clip => "animations",
    }
}

/// Describes a change of an element, such as `14 vertices have other weights, by up to 0.25`.
#[must_use]
pub fn change_words(kind: &ChangeKind) -> String {
    name_and_words(kind).1
}

/// Returns the name of a kind of change in reports, and the change in words.
fn name_and_words(kind: &ChangeKind) -> (&'static str, String) {
    match kind {
        ChangeKind::Added => ("added", "added".into()),
        ChangeKind::Removed => ("removed", "removed".into()),
        ChangeKind::Renamed(from) => ("renamed", format!("renamed from {}", quoted(from))),
        ChangeKind::Reordered => ("reordered", "at another place in the file".into()),
        ChangeKind::Size([w, h], [width, height]) => {
            ("size", format!("{width} x {height} pixels, was {w} x {h}"))
        }
        ChangeKind::Texels { count: pixels, largest, area } => {
            let ([x, y], [width, height]) = (area.offset, area.size);
            let pixels = count(*pixels, "pixel differs", "pixels differ");
            let place = format!("within {width} x {height} at {x}, {y}");
            ("texels", format!("{pixels} by up to {largest} of 255, {place}"))
        }
        ChangeKind::Encoding => ("encoding", "other bytes, the same pixels".into()),
        ChangeKind::Parent(from, to) => {
            ("parent", format!("{}, was {}", parent(to.as_deref()), parent(from.as_deref())))
        }
        ChangeKind::MeshImage(from, to) => {
            ("image", format!("image {}, was {}", quoted(to), quoted(from)))
        }
        ChangeKind::VertexCount(from, to) => {
            let now = count(*to, "vertex", "vertices");
            ("vertexCount", format!("{now}, was {}", number(*from)))
        }
        ChangeKind::Triangles(from, to) if from == to => ("triangles", "other triangles".into()),
        ChangeKind::Triangles(from, to) => {
            let now = count(*to, "triangle", "triangles");
            ("triangles", format!("{now}, was {}", number(*from)))
        }
        ChangeKind::Positions { count: vertices, distance } => {
            let vertices = count(*vertices, "vertex", "vertices");
            ("positions", format!("{vertices} moved by up to {} px", length(*distance)))
        }
        ChangeKind::Uvs { count: vertices, distance } => {
            let vertices = count(*vertices, "texture coordinate", "texture coordinates");
            ("uvs", format!("{vertices} moved by up to {} texels", length(*distance)))
        }
        ChangeKind::Weights { count: vertices, largest } => {
            let vertices = count(*vertices, "vertex has", "vertices have");
            let by = length((*largest).into());
            ("weights", format!("{vertices} other weights, by up to {by}"))
        }
        ChangeKind::Owner(from, to) => {
            let name = |name: &Option<String>| match name {
                Some(name) => quoted(name).to_string(),
                None => "none".to_owned(),
            };
            ("owner", format!("owner {}, was {}", name(to), name(from)))
        }
        ChangeKind::FrameCount(from, to) => {
            ("frameCount", format!("{}, was {from}", count(*to, "frame", "frames")))
        }
        ChangeKind::Rate(from, to) => ("rate", format!("{to} frames per second, was {from}")),
        ChangeKind::Looping(true) => ("looping", "loops".into()),
        ChangeKind::Looping(false) => ("looping", "plays once".into()),
        ChangeKind::Keys { bone, kinds, frames } => {
            let kinds = kind_names(*kinds).join(", ");
            ("keys", format!("{kinds} of {}: {}", quoted(&bone.name), frames_in_words(frames)))
        }
    }
}

fn parent(name: Option<&str>) -> String {
    name.map_or_else(|| "a root".into(), |name| format!("child of {}", quoted(name)))
}

fn kind_names(kinds: CurveKinds) -> Vec<&'static str> {
    let names = CurveKind::ALL.into_iter().filter(|kind| kinds.has(*kind)).map(|kind| match kind {
        CurveKind::Translation => "position",
        CurveKind::Rotation => "rotation",
        CurveKind::Scale => "scale",
        CurveKind::Visible => "visibility",
        CurveKind::Order => "draw order",
    });
    names.collect()
}

/// Describes the effects of all changes on an animation, a line each. Lengths have a unit, such as `px`.
#[must_use]
pub fn clip_words(clip: &ClipDiff, unit: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let at = |frame: u16| match clip.clip {
        Some(_) => format!(" on frame {frame}"),
        None => String::new(),
    };
    if let Some(movement) = &clip.movement {
        let ([x, y, z], part) = (movement.place, quoted(&movement.part.name));
        let place = match movement.part.kind {
            ElementKind::Bone => format!("{}, {}, {}", length(x), length(y), length(z)),
            _ => format!("{}, {}", length(x), length(y)),
        };
        let frames = clip.clip.as_ref().map(|_| frames_in_words(&movement.frames) + " ");
        let frames = frames.unwrap_or_default();
        let by = match movement.distance {
            0.0 => "turned in place".into(),
            by => format!("moved by up to {} {unit}", length(by)),
        };
        lines.push(format!("{frames}{by}: {part}{}, at {place}", at(movement.frame)));
    }
    if !clip.order.is_empty() {
        let frames = clip.clip.as_ref().map(|_| frames_in_words(&clip.order));
        let frames = frames.map(|frames| format!(" on {frames}")).unwrap_or_default();
        lines.push(format!("other meshes, or in another order{frames}"));
    }
    match &clip.picture {
        Some(picture) => {
            let pixels = count(picture.pixels, "pixel", "pixels");
            let by = format!("by up to {} of 255", picture.largest);
            let is_one = picture.frames.iter().map(ExactSizeIterator::len).sum::<usize>() == 1;
            lines.push(match (&clip.clip, is_one) {
                (None, _) => format!("the picture differs: {pixels}, {by}"),
                (Some(_), true) => {
                    format!("the picture of frame {} differs: {pixels}, {by}", picture.frame)
                }
                (Some(_), false) => {
                    let (frames, most) = (frames_in_words(&picture.frames), picture.frame);
                    format!("pictures of {frames} differ: {pixels} of frame {most}, {by}")
                }
            });
        }
        None if clip.is_visible() => {}
        None => lines.push("no visible change".into()),
    }
    if clip.not_drawn > 0 {
        lines.push(format!("{} not drawn: too many", count(clip.not_drawn, "frame", "frames")));
    }
    lines
}

/// `frame 7`, `frames 3..=9`, `frames 0, 3..=9, 12 and 4 more ranges`.
fn frames_in_words(ranges: &[RangeInclusive<u16>]) -> String {
    let one = |range: &RangeInclusive<u16>| match (range.start(), range.end()) {
        (start, end) if start == end => start.to_string(),
        (start, end) => format!("{start}..={end}"),
    };
    let noun = match ranges {
        [range] if range.start() == range.end() => "frame",
        _ => "frames",
    };
    let few: Vec<String> = ranges.iter().take(LISTED_RANGES).map(one).collect();
    let more = match ranges.len().saturating_sub(few.len()) {
        0 => String::new(),
        more => format!(" and {more} more ranges"),
    };
    format!("{noun} {}{more}", few.join(", "))
}

/// Formats a length with two or three digits: `6.02`, `0.0031`; whole from 100 on.
fn length(value: f64) -> String {
    let size = value.abs();
    let text = if size >= 100.0 || value == 0.0 {
        format!("{value:.0}")
    } else if size >= 10.0 {
        format!("{value:.1}")
    } else if size >= 0.1 {
        format!("{value:.2}")
    } else {
        // Two digits, however small.
        format!("{value:.1e}").parse().map_or_else(|_| String::new(), |it: f64| it.to_string())
    };
    if text.starts_with("-0") && text.chars().all(|c| matches!(c, '-' | '0' | '.')) {
        text.trim_start_matches('-').to_owned()
    } else {
        text
    }
}

/// Describes everything in a line, the elements that changed most visibly first: `arm_l: 14 vertices have other weights; walk: frames
/// 3..=9 moved by up to 6 px`. Lengths have a unit.
#[must_use]
pub fn summary(diff: &Diff, unit: &str) -> String {
    // Keys show in an animation's movement.
    let is_detail =
        |change: &Change| matches!(change.kind, ChangeKind::Keys { .. } | ChangeKind::Encoding);
    let elements = diff.changes.iter().filter(|change| !is_detail(change));
    let elements =
        elements.map(|change| labelled(&change.element.name, &change_words(&change.kind)));
    let clips = diff.clips.iter().filter_map(|clip| {
        let words = clip_words(clip, unit).into_iter().next()?;
        Some(match &clip.clip {
            Some(element) => labelled(&element.name, &words),
            None => words,
        })
    });
    let all: Vec<String> = clips.chain(elements).collect();
    if all.is_empty() {
        return "the same content".into();
    }
    listed(all.iter(), all.len())
}

fn labelled(name: &str, words: &impl Display) -> String {
    format!("{}: {words}", crate::text::visible(name))
}

/// Changes between two files.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiffReport {
    /// Version of the program, with the commit that it was built from.
    version: &'static str,
    /// The file before, as it was named.
    old: String,
    /// The file after.
    new: String,
    /// same: the same bytes or the same content; invisible: content differs, but no picture of a frame that both have; visible:
    /// pictures differ, or animations were added, removed, or have another number of frames.
    #[schemars(extend("enum" = ["same", "invisible", "visible"]))]
    verdict: &'static str,
    /// True if the files have the same bytes.
    same_bytes: bool,
    /// Unit of lengths: px, m, cm or units.
    unit: &'static str,
    /// All of it in a line.
    summary: String,
    /// Changes of elements.
    changes: Vec<ChangeReport>,
    /// Effects on animations that both files have.
    animations: Vec<ClipReport>,
}

/// A change of an element.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Change")]
struct ChangeReport {
    #[serde(flatten)]
    element: ElementReport,
    /// Kind of change.
    #[schemars(extend("enum" = [
        "added", "removed", "renamed", "reordered", "size", "texels", "encoding", "parent", "image", "vertexCount", "triangles",
        "positions", "uvs", "weights", "owner", "frameCount", "rate", "looping", "keys"
    ]))]
    change: &'static str,
    /// The change in words.
    text: String,
    /// Number of pixels or vertices that differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    /// Largest difference: of a channel (0 to 255), a weight, or a distance in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    largest: Option<f64>,
    /// The bone whose keys differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    bone: Option<String>,
    /// Kinds of numbers that differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    keys: Vec<&'static str>,
    /// Frames on which keys differ: first and last of each run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    frames: Vec<[u16; 2]>,
}

/// An element of one or both files.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Element")]
struct ElementReport {
    /// Its section.
    #[schemars(extend("enum" = ["images", "bones", "meshes", "animations"]))]
    section: &'static str,
    /// Its name; that of the file after, if it is in both.
    name: String,
    /// Its index in the file before; null if it was added.
    old_index: Option<u16>,
    /// Its index in the file after; null if it was removed.
    new_index: Option<u16>,
}

/// Effect on an animation, or on content at rest if there are no animations.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Animation")]
struct ClipReport {
    /// Its name; null for content at rest.
    animation: Option<String>,
    /// True if a picture differs.
    visible: bool,
    /// The effects in words.
    text: Vec<String>,
    /// The largest movement; null if nothing moves.
    movement: Option<MovementReport>,
    /// Frames with other meshes, or in another order: first and last of each run.
    order_frames: Vec<[u16; 2]>,
    /// The pictures that differ; null if none does.
    picture: Option<PictureReport>,
    /// Number of frames that may differ but were not drawn, because there were too many.
    not_drawn: usize,
}

/// The largest movement.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Movement")]
struct MovementReport {
    /// Frames on which something is in another place: first and last of each run.
    frames: Vec<[u16; 2]>,
    /// Largest distance.
    distance: f64,
    /// Frame of the largest distance.
    frame: u16,
    #[serde(flatten)]
    part: ElementReport,
    /// Place in the world after, x y z.
    place: [f64; 3],
}

/// Pictures that differ.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "DifferingPicture")]
struct PictureReport {
    /// Frames whose picture differs: first and last of each run.
    frames: Vec<[u16; 2]>,
    /// Frame of which most pixels differ.
    frame: u16,
    /// Number of its pixels that differ.
    pixels: u64,
    /// Largest difference of a channel, 0 to 255.
    largest: u8,
    /// Rectangle around them in the world: left, bottom, right, top.
    area: [f32; 4],
    /// Pixels of the picture per unit of the world.
    scale: f64,
}

impl DiffReport {
    /// Creates the report about two files with these names.
    #[must_use]
    pub fn new([old, new]: [String; 2], same_bytes: bool, diff: &Diff, unit: &'static str) -> Self {
        let verdict = match (diff.is_same_content(), diff.is_visible()) {
            (true, _) => "same",
            (false, false) => "invisible",
            (false, true) => "visible",
        };
        Self {
            version: crate::version(),
            old,
            new,
            verdict,
            same_bytes,
            unit,
            summary: summary(diff, unit),
            changes: diff.changes.iter().map(ChangeReport::new).collect(),
            animations: diff.clips.iter().map(|clip| ClipReport::new(clip, unit)).collect(),
        }
    }
}

fn ends(ranges: &[RangeInclusive<u16>]) -> Vec<[u16; 2]> {
    ranges.iter().map(|range| [*range.start(), *range.end()]).collect()
}

impl ElementReport {
    fn new(element: &Element) -> Self {
        let Element { kind, name, old, new } = element;
        let section = section_name(*kind);
        Self { section, name: name.clone(), old_index: *old, new_index: *new }
    }
}

impl ChangeReport {
    fn new(Change { element, kind }: &Change) -> Self {
        let (change, text) = name_and_words(kind);
        let vertices = |count: &usize, largest: f64| (Some(*count as u64), Some(largest));
        let (count, largest) = match kind {
            ChangeKind::Texels { count, largest, .. } => (Some(*count), Some(f64::from(*largest))),
            ChangeKind::Positions { count, distance } | ChangeKind::Uvs { count, distance } => {
                vertices(count, *distance)
            }
            ChangeKind::Weights { count, largest } => vertices(count, (*largest).into()),
            _ => (None, None),
        };
        let (bone, keys, frames) = match kind {
            ChangeKind::Keys { bone, kinds, frames } => {
                (Some(bone.name.clone()), kind_names(*kinds), ends(frames))
            }
            _ => Default::default(),
        };
        let element = ElementReport::new(element);
        Self { element, change, text, count, largest, bone, keys, frames }
    }
}

impl ClipReport {
    fn new(clip: &ClipDiff, unit: &str) -> Self {
        let movement = clip.movement.as_ref().map(|movement| MovementReport {
            frames: ends(&movement.frames),
            distance: movement.distance,
            frame: movement.frame,
            part: ElementReport::new(&movement.part),
            place: movement.place,
        });
        let picture = clip.picture.as_ref().map(|picture| {
            let ([left, bottom], [right, top]) = (picture.area.min, picture.area.max);
            PictureReport {
                frames: ends(&picture.frames),
                frame: picture.frame,
                pixels: picture.pixels,
                largest: picture.largest,
                area: [left, bottom, right, top],
                scale: picture.scale,
            }
        });
        Self {
            animation: clip.clip.as_ref().map(|clip| clip.name.clone()),
            visible: clip.is_visible(),
            text: clip_words(clip, unit),
            movement,
            order_frames: ends(&clip.order),
            picture,
            not_drawn: clip.not_drawn,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_two_or_three_digits_and_no_exponent() {
        let values = [0.0, -0.0, 123.4, -12.34, 6.02, 0.0999, 0.0031, -1.234e-4];
        let texts = ["0", "0", "123", "-12.3", "6.02", "0.1", "0.0031", "-0.00012"];
        assert_eq!(values.map(length), texts);
    }
}
