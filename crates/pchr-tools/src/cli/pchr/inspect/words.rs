//! Names and numbers as people read them, one line each.

use std::borrow::Cow;
use std::fmt::Display;
use std::ops::Range;

use indicatif::HumanBytes;
use schemars::JsonSchema;
use serde::Serialize;

pub(super) use crate::text::words::{count, number, share};

/// Longer names are cut off in tables, so that one name does not lengthen every line; JSON has the whole name.
const LONGEST_NAME: usize = 120;

/// A run of bytes: of the file or, if it is a text, of the equivalent binary file: PCHR v1 or SEAnim.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(super) struct ByteRange {
    /// The first byte, counted from 0.
    pub(super) offset: u64,
    /// Number of bytes.
    pub(super) length: u64,
}

impl From<Range<u64>> for ByteRange {
    fn from(range: Range<u64>) -> Self {
        Self {
            offset: range.start,
            length: range.end.saturating_sub(range.start),
        }
    }
}

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

/// A value, or `-` for none.
pub(super) fn or_none(value: Option<impl Display>) -> String {
    value.map_or("-".into(), |value| value.to_string())
}

/// Index and name of an item, or `-` for none.
pub(super) fn reference<T>(
    index: Option<impl Into<u32>>,
    items: &[T],
    of: impl FnOnce(&T) -> &str,
) -> String {
    or_none(index.map(|index| {
        let index = index.into();
        let item = items.get(index as usize);
        format!(
            "{index} {}",
            item.map(|it| name(of(it))).unwrap_or_default()
        )
    }))
}

/// The text if the condition holds, or nothing.
pub(super) fn when(holds: bool, text: impl Display) -> String {
    if holds {
        text.to_string()
    } else {
        String::new()
    }
}

/// `46.53 KiB`.
pub(super) fn bytes(bytes: u64) -> String {
    HumanBytes(bytes).to_string()
}

/// `46.53 KiB (47,645 bytes)`.
pub(super) fn exact_bytes(size: u64) -> String {
    let exact = count(size, "byte", "bytes");
    if size < 1024 {
        exact
    } else {
        format!("{} ({exact})", bytes(size))
    }
}

/// Returns a writer of byte ranges in a file of this size, all equally long: `0x0c..0x2f`, the end excluded.
pub(super) fn ranges(size: u64) -> impl Fn(ByteRange) -> String {
    let digits = format!("{size:x}").len() + 2;
    move |ByteRange { offset, length }| {
        let end = offset.saturating_add(length);
        format!("{offset:#0digits$x}..{end:#0digits$x}")
    }
}

/// `3.08 s`.
pub(super) fn seconds(seconds: f64) -> String {
    format!("{seconds:.2} s")
}

/// `640 x 480`.
pub(super) fn by([width, height]: [impl Display; 2]) -> String {
    format!("{width} x {height}")
}
