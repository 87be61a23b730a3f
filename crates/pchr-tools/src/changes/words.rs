//! Sentences about changes.

use std::fmt::Display;
use std::ops::RangeInclusive;

use pchr::diff::{Change, ChangeKind, ClipDiff, Diff, ElementKind};
use pchr::finding::quoted;
use pchr::scene::{CurveKind, CurveKinds};

use crate::text::words::{count, listed, number};

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
    match kind {
        ChangeKind::Added => "added".into(),
        ChangeKind::Removed => "removed".into(),
        ChangeKind::Renamed(from) => format!("renamed from {}", quoted(from)),
        ChangeKind::Reordered => "at another place in the file".into(),
        ChangeKind::Size([w, h], [width, height]) => {
            format!("{width} x {height} pixels, was {w} x {h}")
        }
        ChangeKind::Texels { count: pixels, largest, area } => {
            let ([x, y], [width, height]) = (area.offset, area.size);
            let pixels = count(*pixels, "pixel differs", "pixels differ");
            format!("{pixels} by up to {largest} of 255, within {width} x {height} at {x}, {y}")
        }
        ChangeKind::Encoding => "other bytes, the same pixels".into(),
        ChangeKind::Parent(from, to) => {
            format!("{}, was {}", parent(to.as_deref()), parent(from.as_deref()))
        }
        ChangeKind::MeshImage(from, to) => {
            format!("image {}, was {}", quoted(to), quoted(from))
        }
        ChangeKind::VertexCount(from, to) => {
            format!("{}, was {}", count(*to, "vertex", "vertices"), number(*from))
        }
        ChangeKind::Triangles(from, to) if from == to => "other triangles".into(),
        ChangeKind::Triangles(from, to) => {
            format!("{}, was {}", count(*to, "triangle", "triangles"), number(*from))
        }
        ChangeKind::Positions { count: vertices, distance } => {
            let vertices = count(*vertices, "vertex", "vertices");
            format!("{vertices} moved by up to {} px", length(*distance))
        }
        ChangeKind::Uvs { count: vertices, distance } => {
            let vertices = count(*vertices, "texture coordinate", "texture coordinates");
            format!("{vertices} moved by up to {} texels", length(*distance))
        }
        ChangeKind::Weights { count: vertices, largest } => {
            let vertices = count(*vertices, "vertex has", "vertices have");
            format!("{vertices} other weights, by up to {}", length((*largest).into()))
        }
        ChangeKind::Owner(from, to) => {
            let name = |name: &Option<String>| match name {
                Some(name) => quoted(name).to_string(),
                None => "none".to_owned(),
            };
            format!("owner {}, was {}", name(to), name(from))
        }
        ChangeKind::FrameCount(from, to) => {
            format!("{}, was {from}", count(*to, "frame", "frames"))
        }
        ChangeKind::Rate(from, to) => format!("{to} frames per second, was {from}"),
        ChangeKind::Looping(true) => "loops".into(),
        ChangeKind::Looping(false) => "plays once".into(),
        ChangeKind::Keys { bone, kinds, frames } => {
            let kinds = kind_names(*kinds).join(", ");
            format!("{kinds} of {}: {}", quoted(&bone.name), frames_in_words(frames))
        }
    }
}

fn parent(name: Option<&str>) -> String {
    name.map_or_else(|| "a root".into(), |name| format!("child of {}", quoted(name)))
}

pub(super) fn kind_names(kinds: CurveKinds) -> Vec<&'static str> {
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
pub(super) fn frames_in_words(ranges: &[RangeInclusive<u16>]) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_two_or_three_digits_and_no_exponent() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (123.4, "123"),
            (-12.34, "-12.3"),
            (6.02, "6.02"),
            (0.0999, "0.1"),
            (0.0031, "0.0031"),
            (-1.234e-4, "-0.00012"),
        ] {
            assert_eq!(length(value), text);
        }
    }
}
