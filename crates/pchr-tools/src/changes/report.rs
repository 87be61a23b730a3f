//! Changes as JSON.

use std::ops::RangeInclusive;

use pchr::diff::{Change, ChangeKind, ClipDiff, Diff, Element};
use schemars::JsonSchema;
use serde::Serialize;

use super::words::{change_words, clip_words, kind_names, section_name, summary};

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
        let vertices = |count: &usize, largest: f64| (Some(*count as u64), Some(largest));
        let (change, (count, largest)) = match kind {
            ChangeKind::Added => ("added", (None, None)),
            ChangeKind::Removed => ("removed", (None, None)),
            ChangeKind::Renamed(..) => ("renamed", (None, None)),
            ChangeKind::Reordered => ("reordered", (None, None)),
            ChangeKind::Size(..) => ("size", (None, None)),
            ChangeKind::Texels { count, largest, .. } => {
                ("texels", (Some(*count), Some(f64::from(*largest))))
            }
            ChangeKind::Encoding => ("encoding", (None, None)),
            ChangeKind::Parent(..) => ("parent", (None, None)),
            ChangeKind::MeshImage(..) => ("image", (None, None)),
            ChangeKind::VertexCount(..) => ("vertexCount", (None, None)),
            ChangeKind::Triangles(..) => ("triangles", (None, None)),
            ChangeKind::Positions { count, distance } => ("positions", vertices(count, *distance)),
            ChangeKind::Uvs { count, distance } => ("uvs", vertices(count, *distance)),
            ChangeKind::Weights { count, largest } => {
                ("weights", vertices(count, (*largest).into()))
            }
            ChangeKind::Owner(..) => ("owner", (None, None)),
            ChangeKind::FrameCount(..) => ("frameCount", (None, None)),
            ChangeKind::Rate(..) => ("rate", (None, None)),
            ChangeKind::Looping(..) => ("looping", (None, None)),
            ChangeKind::Keys { .. } => ("keys", (None, None)),
        };
        let (bone, keys, frames) = match kind {
            ChangeKind::Keys { bone, kinds, frames } => {
                (Some(bone.name.clone()), kind_names(*kinds), ends(frames))
            }
            _ => Default::default(),
        };
        let text = change_words(kind);
        Self {
            element: ElementReport::new(element),
            change,
            text,
            count,
            largest,
            bone,
            keys,
            frames,
        }
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
