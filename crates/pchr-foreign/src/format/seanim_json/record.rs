//! The keys of a mirror, and its floats of any bits.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::motion::Precision;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct MirrorRecord {
    pub(super) version: u16,
    pub(super) header_size: Option<u16>,
    pub(super) anim_type: u8,
    pub(super) looped: bool,
    pub(super) framerate: MirrorNumber,
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
    pub(super) value: [MirrorNumber; N],
}

impl<'de, const N: usize> Deserialize<'de> for KeyRecord<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor<const N: usize>;

        impl<'de, const N: usize> Visitor<'de> for KeyVisitor<N> {
            type Value = KeyRecord<N>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of a frame and {N} numbers")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut row: A) -> Result<KeyRecord<N>, A::Error> {
                let Some(frame) = row.next_element()? else {
                    return Err(A::Error::invalid_length(0, &self));
                };
                let mut value = [MirrorNumber::double(0); N];
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

        deserializer.deserialize_seq(KeyVisitor)
    }
}

/// A float with any bits: special values are strings, `"NaN"`, `"Infinity"`, `"-Infinity"` or, for other bits than those of the usual
/// NaN, `"NaN(0x7fc00001)"`. NaNs of 32 bits are widened with their bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct MirrorNumber(f64);

/// Bits of a mantissa that only 64-bit floats have.
const NARROWED: u32 = 29;
const SINGLE_NAN: u32 = 0x7fc0_0000;
const DOUBLE_NAN: u64 = 0x7ff8_0000_0000_0000;

impl MirrorNumber {
    pub(super) fn single(bits: u32) -> Self {
        let value = f32::from_bits(bits);
        if !value.is_nan() {
            return Self(value.into());
        }
        // A conversion would make a signalling NaN a quiet one.
        let (sign, rest) = (u64::from(bits >> 31), u64::from(bits & 0x7f_ffff));
        Self(f64::from_bits((sign << 63) | (0x7ff << 52) | (rest << NARROWED)))
    }

    pub(super) fn double(bits: u64) -> Self {
        Self(f64::from_bits(bits))
    }

    /// Returns the nearest 32-bit float, or the same NaN; `None` if there is none.
    pub(super) fn to_single(self) -> Option<u32> {
        let Self(value) = self;
        if value.is_nan() {
            let bits = value.to_bits();
            let sign = u32::try_from(bits >> 63).ok()?;
            let rest = u32::try_from((bits & 0xf_ffff_ffff_ffff) >> NARROWED).ok()?;
            let single = (sign << 31) | (0xff << 23) | rest;
            return (Self::single(single).0.to_bits() == bits && rest != 0).then_some(single);
        }
        #[expect(clippy::cast_possible_truncation, reason = "rounds to the nearest, as it should")]
        let single = value as f32;
        (single.is_finite() || value.is_infinite()).then_some(single.to_bits())
    }

    pub(super) fn to_double(self) -> u64 {
        self.0.to_bits()
    }

    /// Returns the number with its NaN written in the bits of a precision.
    pub(super) fn spelled(self, precision: Precision) -> Spelled {
        Spelled(self, precision)
    }
}

/// A float, and the precision that its bits are written in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spelled(MirrorNumber, Precision);

impl Serialize for Spelled {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(number @ MirrorNumber(value), precision) = *self;
        if value.is_finite() {
            return serializer.serialize_f64(value);
        }
        if value.is_infinite() {
            let text = if value > 0.0 { "Infinity" } else { "-Infinity" };
            return serializer.serialize_str(text);
        }
        let single = number.to_single();
        match (precision, single) {
            _ if value.to_bits() == DOUBLE_NAN => serializer.serialize_str("NaN"),
            (Precision::Single, Some(bits)) => {
                serializer.collect_str(&format_args!("NaN({bits:#010x})"))
            }
            _ => serializer.collect_str(&format_args!("NaN({:#018x})", value.to_bits())),
        }
    }
}

impl<'de> Deserialize<'de> for MirrorNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;

        impl Visitor<'_> for Any {
            type Value = MirrorNumber;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, \"NaN\", \"Infinity\" or \"-Infinity\"")
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<MirrorNumber, E> {
                Ok(MirrorNumber(value))
            }

            #[expect(clippy::cast_precision_loss, reason = "rounds to the nearest, as it should")]
            fn visit_u64<E: Error>(self, value: u64) -> Result<MirrorNumber, E> {
                Ok(MirrorNumber(value as f64))
            }

            #[expect(clippy::cast_precision_loss, reason = "rounds to the nearest, as it should")]
            fn visit_i64<E: Error>(self, value: i64) -> Result<MirrorNumber, E> {
                Ok(MirrorNumber(value as f64))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<MirrorNumber, E> {
                from_text(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_any(Any)
    }
}

fn from_text(text: &str) -> Option<MirrorNumber> {
    match text {
        "NaN" => return Some(MirrorNumber::single(SINGLE_NAN)),
        "Infinity" => return Some(MirrorNumber(f64::INFINITY)),
        "-Infinity" => return Some(MirrorNumber(f64::NEG_INFINITY)),
        _ => {}
    }
    let bits = text.strip_prefix("NaN(0x")?.strip_suffix(')')?;
    let number = match bits.len() {
        8 => MirrorNumber::single(u32::from_str_radix(bits, 16).ok()?),
        16 => MirrorNumber::double(u64::from_str_radix(bits, 16).ok()?),
        _ => return None,
    };
    number.0.is_nan().then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_bits() {
        let text = |number: MirrorNumber, precision| {
            serde_json::to_string(&number.spelled(precision)).unwrap_or_default()
        };
        let read = |text: &str| serde_json::from_str::<MirrorNumber>(text).unwrap();
        for (bits, wanted) in [
            (0x3dcc_cccd, "0.10000000149011612"),
            (0x8000_0000, "-0.0"),
            (0x0000_0001, "1.401298464324817e-45"),
            (0x7f7f_ffff, "3.4028234663852886e+38"),
            (0xff80_0000, "\"-Infinity\""),
            (0x7fc0_0000, "\"NaN\""),
            (0x7f80_0001, "\"NaN(0x7f800001)\""),
            (0xffc0_0000, "\"NaN(0xffc00000)\""),
        ] {
            let said = text(MirrorNumber::single(bits), Precision::Single);
            assert_eq!(said, wanted);
            assert_eq!(read(&said).to_single(), Some(bits), "{wanted}");
        }
        for (bits, wanted) in [
            (0.1_f64.to_bits(), "0.1"),
            (1, "5e-324"),
            (DOUBLE_NAN, "\"NaN\""),
            (0x7ff0_0000_0000_0001, "\"NaN(0x7ff0000000000001)\""),
            // It would fit 32 bits.
            (0xfff8_0000_0000_0000, "\"NaN(0xfff8000000000000)\""),
        ] {
            let said = text(MirrorNumber::double(bits), Precision::Double);
            assert_eq!(said, wanted);
            assert_eq!(read(&said).to_double(), bits, "{wanted}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for text in ["1e39", "-1e300", "\"NaN(0x7ff0000000000001)\""] {
            let number: MirrorNumber = serde_json::from_str(text).unwrap();
            assert_eq!(number.to_single(), None, "{text}");
        }
        for text in ["\"nan\"", "\"NaN(0x7f800000)\"", "\"NaN(0x1)\"", "null", "[]", "true"] {
            assert!(serde_json::from_str::<MirrorNumber>(text).is_err(), "{text}");
        }
    }
}
