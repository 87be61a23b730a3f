//! The keys of a mirror.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Visitor};

use super::number::Number;

/// The whole text.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Record {
    pub(super) version: u16,
    pub(super) header_size: Option<u16>,
    pub(super) anim_type: u8,
    pub(super) looped: bool,
    pub(super) framerate: Number,
    pub(super) frame_count: u32,
    pub(super) presence: Presence,
    pub(super) high_precision: bool,
    pub(super) frame_index_bytes: Option<u8>,
    pub(super) bone_index_bytes: Option<u8>,
    pub(super) modifiers: Vec<(u32, u8)>,
    pub(super) bones: Vec<BoneRecord>,
    pub(super) notes: Vec<(u32, String)>,
    pub(super) custom_hex: Option<String>,
    pub(super) trailing_bytes: Option<u64>,
    /// Bytes of names that are not UTF-8, by the text that replaces them.
    #[serde(default, rename = "notUtf8")]
    pub(super) not_utf8: BTreeMap<String, String>,
    /// Program that wrote the mirror.
    #[serde(default, rename = "_source")]
    _source: IgnoredAny,
}

/// The blocks and channels that the header announces.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Presence {
    pub(super) loc: bool,
    pub(super) rot: bool,
    pub(super) scale: bool,
    pub(super) note: bool,
    pub(super) custom: bool,
}

/// A bone; a channel that is not stored is null.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoneRecord {
    pub(super) name: String,
    pub(super) flags: u8,
    pub(super) loc: Option<Vec<KeyRecord<3>>>,
    pub(super) rot: Option<Vec<KeyRecord<4>>>,
    pub(super) scale: Option<Vec<KeyRecord<3>>>,
}

/// A key: a list of its frame and its numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyRecord<const N: usize> {
    pub(super) frame: u32,
    pub(super) value: [Number; N],
}

impl<'de, const N: usize> Deserialize<'de> for KeyRecord<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Row<const N: usize>;

        impl<'de, const N: usize> Visitor<'de> for Row<N> {
            type Value = KeyRecord<N>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of a frame and {N} numbers")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut row: A) -> Result<KeyRecord<N>, A::Error> {
                let Some(frame) = row.next_element()? else {
                    return Err(A::Error::invalid_length(0, &self));
                };
                let mut value = [Number::double(0); N];
                let mut length: usize = 1;
                for number in &mut value {
                    let Some(next) = row.next_element()? else {
                        return Err(A::Error::invalid_length(length, &self));
                    };
                    *number = next;
                    length = length.saturating_add(1);
                }
                match row.next_element::<IgnoredAny>()? {
                    None => Ok(KeyRecord { frame, value }),
                    Some(_) => Err(A::Error::invalid_length(length.saturating_add(1), &self)),
                }
            }
        }

        deserializer.deserialize_seq(Row)
    }
}
