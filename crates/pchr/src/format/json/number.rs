//! Numbers of the format's own ranges: what does not fit is refused, never wrapped.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::value::RawValue;

macro_rules! whole {
    ($($(#[$doc:meta])* $vis:vis $name:ident($type:ty), $range:expr, $expecting:literal;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
        #[serde(transparent)]
        $vis struct $name($vis $type);

        impl From<$name> for $type {
            #[inline]
            fn from(value: $name) -> Self {
                value.0
            }
        }

        impl<'de> Deserialize<'de> for $name {
            #[inline]
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct WholeVisitor;

                impl Visitor<'_> for WholeVisitor {
                    type Value = $name;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expecting)
                    }

                    #[inline]
                    fn visit_u64<E: Error>(self, value: u64) -> Result<$name, E> {
                        let fits = <$type>::try_from(value).ok().filter(|value| $range.contains(value));
                        fits.map($name).ok_or_else(|| E::invalid_value(Unexpected::Unsigned(value), &self))
                    }

                    #[inline]
                    fn visit_i64<E: Error>(self, value: i64) -> Result<$name, E> {
                        let fits = <$type>::try_from(value).ok().filter(|value| $range.contains(value));
                        fits.map($name).ok_or_else(|| E::invalid_value(Unexpected::Signed(value), &self))
                    }

                    /// Accepts `3.0` as the whole number 3.
                    fn visit_f64<E: Error>(self, value: f64) -> Result<$name, E> {
                        #[expect(clippy::cast_possible_truncation, reason = "compared with what it was")]
                        let whole = value as i64;
                        #[expect(clippy::cast_precision_loss, reason = "compared with what it was")]
                        let same = whole as f64 == value;
                        if same {
                            return self.visit_i64(whole);
                        }
                        Err(E::invalid_value(Unexpected::Float(value), &self))
                    }
                }

                deserializer.deserialize_i64(WholeVisitor)
            }
        }
    )+};
}

whole! {
    /// A `uint8`.
    pub(in crate::format) Uint8(u8), (0..=u8::MAX), "a whole number from 0 to 255";
    /// A `uint16`.
    pub(in crate::format) Uint16(u16), (0..=u16::MAX), "a whole number from 0 to 65535";
    /// An `int16`.
    pub(in crate::format) Int16(i16), (i16::MIN..=i16::MAX), "a whole number from -32768 to 32767";
    /// An `int32`.
    pub Int32(i32), (i32::MIN..=i32::MAX), "a 32-bit whole number";
    /// A bone's parent.
    pub(in crate::format) Parent(i16), (-1..=i16::MAX), "-1 or the index of an earlier bone, at most 32767";
}

impl Parent {
    pub(super) fn index(self) -> Option<u16> {
        u16::try_from(self.0).ok()
    }
}

/// A `float32` that is a number: the nearest to its decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
#[serde(transparent)]
pub(super) struct Finite(pub(super) f32);

impl<'de> Deserialize<'de> for Finite {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FiniteVisitor;

        impl Visitor<'_> for FiniteVisitor {
            type Value = Finite;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }

            #[inline]
            fn visit_f64<E: Error>(self, value: f64) -> Result<Finite, E> {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "the parser was asked for 32 bits, and rounded to them"
                )]
                let single = value as f32;
                if single.is_finite() {
                    return Ok(Finite(single));
                }
                Err(E::invalid_value(Unexpected::Float(value), &"a number that fits in 32 bits"))
            }

            #[inline]
            #[expect(clippy::cast_precision_loss, reason = "rounds to the nearest, as it should")]
            fn visit_u64<E: Error>(self, value: u64) -> Result<Finite, E> {
                Ok(Finite(value as f32))
            }

            #[inline]
            #[expect(clippy::cast_precision_loss, reason = "rounds to the nearest, as it should")]
            fn visit_i64<E: Error>(self, value: i64) -> Result<Finite, E> {
                Ok(Finite(value as f32))
            }
        }

        deserializer.deserialize_f32(FiniteVisitor)
    }
}

/// A `float32` with any bits: special values are strings, `"NaN"`, `"Infinity"`, `"-Infinity"` or, for other bits
/// than those of the usual NaN, `"NaN(0x7fc00001)"`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Exact(pub(super) f32);

const NAN: u32 = 0x7fc0_0000;

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.0;
        if value.is_finite() {
            serializer.serialize_f32(value)
        } else if value.is_infinite() {
            serializer.serialize_str(if value > 0.0 { "Infinity" } else { "-Infinity" })
        } else if value.to_bits() == NAN {
            serializer.serialize_str("NaN")
        } else {
            serializer.collect_str(&format_args!("NaN({:#010x})", value.to_bits()))
        }
    }
}

impl<'de> Deserialize<'de> for Exact {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <&RawValue>::deserialize(deserializer)?.get();
        let value = match text {
            "\"NaN\"" => f32::from_bits(NAN),
            "\"Infinity\"" => f32::INFINITY,
            "\"-Infinity\"" => f32::NEG_INFINITY,
            _ => match text.strip_prefix("\"NaN(0x").and_then(|text| text.strip_suffix(")\"")) {
                Some(bits) => u32::from_str_radix(bits, 16)
                    .map(f32::from_bits)
                    .ok()
                    .filter(|value| value.is_nan())
                    .ok_or_else(|| D::Error::custom(format_args!("{text} are not the bits of a NaN")))?,
                None => finite(text).ok_or_else(|| {
                    D::Error::custom(format_args!(
                        "invalid value: {text:.40}, expected a number that fits in 32 bits, \"NaN\" or \"Infinity\""
                    ))
                })?,
            },
        };
        Ok(Self(value))
    }
}

/// Parses a finite number. The JSON parser made sure that text with the start of a number is one.
fn finite(text: &str) -> Option<f32> {
    let number = text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    let value = number.then(|| text.parse::<f32>().ok()).flatten()?;
    value.is_finite().then_some(value)
}

/// A `float32` in a text.
pub(super) trait Float: for<'de> Deserialize<'de> + Copy {
    fn get(self) -> f32;
}

impl Float for Finite {
    #[inline]
    fn get(self) -> f32 {
        self.0
    }
}

impl Float for Exact {
    fn get(self) -> f32 {
        self.0
    }
}

/// Four of a kind; no fewer and no more.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
#[serde(transparent)]
pub(super) struct Four<T>(pub(super) [T; 4]);

impl<'de, T: Deserialize<'de> + Default + Copy> Deserialize<'de> for Four<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FourVisitor<T>(std::marker::PhantomData<T>);

        impl<'de, T: Deserialize<'de> + Default + Copy> Visitor<'de> for FourVisitor<T> {
            type Value = Four<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("four numbers")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Four<T>, A::Error> {
                let mut four = [T::default(); 4];
                for (index, slot) in four.iter_mut().enumerate() {
                    *slot = seq
                        .next_element()?
                        .ok_or_else(|| A::Error::invalid_length(index, &self))?;
                }
                match seq.next_element::<serde::de::IgnoredAny>()? {
                    None => Ok(Four(four)),
                    Some(_) => Err(A::Error::invalid_length(5, &self)),
                }
            }
        }

        deserializer.deserialize_seq(FourVisitor(std::marker::PhantomData))
    }
}
