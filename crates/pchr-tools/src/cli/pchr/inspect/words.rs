//! Names and numbers as people read them, one line each.

use std::borrow::Cow;

use indicatif::HumanBytes;

use super::report::{BoundsReport, ByteRange, Report};
use super::skin::ByInfluences;
pub(super) use crate::text::words::{count, number, share};

/// Longer names are cut off in tables, so that one name does not lengthen every line; JSON has the whole name.
const LONGEST_NAME: usize = 120;

/// Returns a name unchanged if it is readable; otherwise in quotes, with hidden characters escaped.
pub(in crate::cli::pchr) fn name(name: &str) -> Cow<'_, str> {
    let cut = name.char_indices().nth(LONGEST_NAME);
    let (head, more) = cut.map_or((name, ""), |(at, _)| {
        (name.get(..at).unwrap_or_default(), "…")
    });
    let quoted = format!("{head:?}");
    let plain = quoted.len() == head.len() + 2 && !head.is_empty() && head.trim() == head;
    if plain && more.is_empty() {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(quoted + more)
    }
}

/// `animation 3 "walk"`.
pub(super) fn animation(report: &Report<'_>, index: u16) -> String {
    let animation = report.animations.get(usize::from(index));
    match name(animation.map_or("", |animation| animation.name)) {
        Cow::Borrowed(plain) => format!("animation {index} \"{plain}\""),
        Cow::Owned(quoted) => format!("animation {index} {quoted}"),
    }
}

/// `46.53 KiB`.
pub(super) fn bytes(bytes: u64) -> String {
    HumanBytes(bytes).to_string()
}

/// `46.53 KiB (47,645 bytes)`.
pub(super) fn exact_bytes(bytes: u64) -> String {
    let exact = count(bytes, "byte", "bytes");
    if bytes < 1024 {
        exact
    } else {
        format!("{} ({exact})", HumanBytes(bytes))
    }
}

/// `0x0c..0x2f`, the end excluded; `digits` make all of a file equally long.
pub(super) fn range(range: ByteRange, digits: usize) -> String {
    let ByteRange { offset, length } = range;
    let end = offset.saturating_add(length);
    format!("{offset:#0digits$x}..{end:#0digits$x}", digits = digits + 2)
}

/// Returns the number of hexadecimal digits for offsets in a file of this size.
pub(super) fn digits(size: u64) -> usize {
    format!("{size:x}").len()
}

/// `3.08 s`.
pub(super) fn seconds(seconds: f64) -> String {
    format!("{seconds:.2} s")
}

/// A length or coordinate in pixels.
pub(super) fn pixels(pixels: f64) -> String {
    if pixels.abs() < 0.05 {
        "0.0".into() // not -0.0
    } else if pixels.abs() < 1e7 {
        format!("{pixels:.1}")
    } else {
        format!("{pixels:.2e}")
    }
}

/// Left and right edge, lower and upper edge, width and height.
pub(super) fn bounds(bounds: BoundsReport) -> [String; 3] {
    let [x0, y0] = bounds.min.map(f64::from);
    let [x1, y1] = bounds.max.map(f64::from);
    let edges = |low, high| format!("{}..{}", pixels(low), pixels(high));
    [
        edges(x0, x1),
        edges(y0, y1),
        format!("{} x {}", pixels(x1 - x0), pixels(y1 - y0)),
    ]
}

/// The fewest and the most bones that move one vertex.
pub(super) fn influences(vertices: ByInfluences) -> String {
    let there = |count: &u64| *count > 0;
    match (
        vertices.iter().position(there),
        vertices.iter().rposition(there),
    ) {
        (Some(least), Some(most)) if least < most => format!("{least}..{most}"),
        (_, Some(most)) => most.to_string(),
        _ => "-".into(),
    }
}
