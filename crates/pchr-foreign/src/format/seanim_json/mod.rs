//! The mirror of SEAnim in JSON, read and written.
//!
//! ```text
//! text ──recognise──► record ──pack──► SEAnim bytes ──seanim::read──► Motion, findings with lines and columns
//! Motion ──write──► text, and a list of what it cannot hold
//! ```
//!
//! It holds every value bit for bit: numbers are the exact doubles of their floats, and numbers that are not finite are strings. Bytes that mean
//! nothing (reserved ones, those behind the known fields of the header and behind the last block) are counted and not kept.

mod read;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, Write};

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

use pchr::format::Losses;

use crate::format::json_text::{AfterKey, each_key, hex};
use crate::format::seanim::left_out;
use crate::motion::{IndexWidth, Keys, Motion, Name, Precision};

pub use read::read;

/// Returns true if bytes are the mirror of a motion, possibly damaged: an object with a key that only mirrors have, before any that
/// only characters or atlases have.
#[must_use]
pub fn looks_like_a_mirror(bytes: &[u8]) -> bool {
    let mut is_mirror = false;
    each_key(bytes, |_, key| {
        match key {
            "animType" | "framerate" | "frameCount" | "highPrecision" | "frameIndexBytes"
            | "boneIndexBytes" | "customHex" => is_mirror = true,
            "fps" | "images" | "meshes" | "animations" | "frames" | "textures" => {}
            _ => return AfterKey::Next,
        }
        AfterKey::Stop
    });
    is_mirror
}

/// Writes a motion, and returns the content that the mirror cannot express.
///
/// # Errors
/// Errors of `out`.
pub fn write(motion: &Motion, out: &mut dyn Write) -> io::Result<Losses> {
    let mut losses = left_out(&motion.layout);
    let layout = &motion.layout;
    let bone_count = u32::try_from(motion.tracks().len()).unwrap_or(u32::MAX);
    let frame_width = layout.frame_width.unwrap_or(IndexWidth::of_count(motion.frame_count));
    let bone_width = layout.bone_width.unwrap_or(IndexWidth::of_count(bone_count));
    let channels = motion.channels();
    let has_notes = layout.announces_notes || !motion.notes.is_empty();
    let header_size = layout.header_extra.len().saturating_add(28);
    let precision = motion.precision();
    write!(
        out,
        "{{\"version\":1,\"headerSize\":{header_size},\"animType\":{},\"looped\":{},\"framerate\":",
        motion.animation_type.code(),
        motion.looped
    )?;
    let rate = MirrorNumber::single(motion.rate.to_bits());
    serde_json::to_writer(&mut *out, &Spelled(rate, Precision::Single))?;
    write!(
        out,
        ",\"frameCount\":{},\n\"presence\":{{\"loc\":{},\"rot\":{},\"scale\":{},\"note\":{has_notes},\"custom\":{}}},\n\"highPrecision\":{},\"frameIndexBytes\":{},\"boneIndexBytes\":{},\n\"modifiers\":[",
        motion.frame_count,
        channels.translation,
        channels.rotation,
        channels.scale,
        motion.custom.is_some(),
        precision == Precision::Double,
        frame_width.bytes(),
        bone_width.bytes(),
    )?;
    for (index, modifier) in motion.modifiers.iter().enumerate() {
        let (track, code) = (modifier.track, modifier.animation_type.code());
        write!(out, "{}[{track},{code}]", comma(index))?;
    }
    out.write_all(b"],\n\"bones\":[")?;
    for (index, track) in motion.tracks().iter().enumerate() {
        write!(out, "{}\n{{\"name\":", comma(index))?;
        serde_json::to_writer(&mut *out, &track.target.text())?;
        write!(out, ",\"flags\":{},\n\"loc\":", track.flags)?;
        keys(motion.translation(track), out)?;
        out.write_all(b",\n\"rot\":")?;
        keys(motion.rotation(track), out)?;
        out.write_all(b",\n\"scale\":")?;
        keys(motion.scale(track), out)?;
        out.write_all(b"}")?;
    }
    out.write_all(b"],\n\"notes\":[")?;
    for (index, note) in motion.notes.iter().enumerate() {
        write!(out, "{}\n[{},", comma(index), note.frame)?;
        serde_json::to_writer(&mut *out, &note.name.text())?;
        out.write_all(b"]")?;
    }
    out.write_all(b"],\n\"customHex\":")?;
    match &motion.custom {
        Some(bytes) => write!(out, "\"{}\"", hex(bytes))?,
        None => out.write_all(b"null")?,
    }
    write!(out, ",\"trailingBytes\":{}", layout.trailing.len())?;
    let names = not_utf8(motion, &mut losses);
    if !names.is_empty() {
        out.write_all(b",\n\"notUtf8\":")?;
        serde_json::to_writer(&mut *out, &names)?;
    }
    out.write_all(b"}\n")?;
    Ok(losses)
}

/// Returns the text before an element of a list.
const fn comma(index: usize) -> &'static str {
    if index == 0 { "" } else { "," }
}

/// Writes keys, each as a list of its frame and its numbers; null if the channel is not stored.
fn keys<const N: usize>(keys: Option<Keys<'_, N>>, out: &mut dyn Write) -> io::Result<()> {
    let Some(keys) = keys else { return out.write_all(b"null") };
    let (packed, format) = keys.packed();
    let values = packed.chunks_exact(format.stride(N));
    out.write_all(b"[")?;
    for (index, (key, packed)) in keys.iter().zip(values).enumerate() {
        write!(out, "{}[{}", comma(index), key.frame)?;
        let numbers = packed.get(format.frame.bytes()..).unwrap_or_default();
        for number in numbers.chunks_exact(format.precision.bytes()) {
            let number = match (number.first_chunk(), number.first_chunk()) {
                (_, Some(double)) => MirrorNumber::double(u64::from_le_bytes(*double)),
                (Some(single), None) => MirrorNumber::single(u32::from_le_bytes(*single)),
                (None, None) => continue,
            };
            out.write_all(b",")?;
            serde_json::to_writer(&mut *out, &Spelled(number, format.precision))?;
        }
        out.write_all(b"]")?;
    }
    out.write_all(b"]")
}

/// Returns the bytes of names that are not UTF-8, by their replacement text. Names that share it with others are lost.
fn not_utf8(motion: &Motion, losses: &mut Losses) -> BTreeMap<String, String> {
    let tracks = motion.tracks().iter().enumerate();
    let tracks = tracks.filter_map(|(index, track)| Some((track.target.name()?, "bones", index)));
    let notes = motion.notes.iter().enumerate();
    let all = tracks.chain(notes.map(|(index, note)| (&note.name, "notes", index)));
    let odd = all.clone().filter(|(name, ..)| name.fault().is_some());
    let texts: BTreeSet<String> = odd.map(|(name, ..)| name.text().into_owned()).collect();
    let mut names: BTreeMap<String, &Name> = BTreeMap::new();
    if texts.is_empty() {
        return BTreeMap::new();
    }
    for (name, list, index) in all {
        let text = name.text();
        if !texts.contains(&*text) {
            continue;
        }
        let kept = names.entry(text.into_owned()).or_insert(name);
        if *kept != name {
            losses.add("exact bytes of names that read the same as another name", || {
                format!("{list}[{index}]")
            });
        }
    }
    let kept = names.into_iter().filter(|(_, name)| name.fault().is_some());
    kept.map(|(text, name)| (text, hex(name.as_bytes()))).collect()
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct MirrorRecord {
    version: u16,
    header_size: Option<u16>,
    anim_type: u8,
    looped: bool,
    framerate: MirrorNumber,
    frame_count: u32,
    presence: Presence,
    high_precision: bool,
    frame_index_bytes: Option<u8>,
    bone_index_bytes: Option<u8>,
    modifiers: Vec<(u32, u8)>,
    bones: Vec<BoneRecord>,
    notes: Vec<(u32, String)>,
    custom_hex: Option<String>,
    trailing_bytes: Option<u64>,
    /// Bytes of names that are not UTF-8, by the text that replaces them.
    #[serde(default, rename = "notUtf8")]
    not_utf8: BTreeMap<String, String>,
    /// Program that wrote the mirror.
    #[serde(default, rename = "_source")]
    _source: IgnoredAny,
}

/// The blocks and channels that the header announces.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Presence {
    loc: bool,
    rot: bool,
    scale: bool,
    note: bool,
    custom: bool,
}

/// A bone; a channel that is not stored is null.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BoneRecord {
    name: String,
    flags: u8,
    loc: Option<Vec<KeyRecord<3>>>,
    rot: Option<Vec<KeyRecord<4>>>,
    scale: Option<Vec<KeyRecord<3>>>,
}

/// A key: a list of its frame and its numbers.
#[derive(Clone, Copy, Debug)]
struct KeyRecord<const N: usize> {
    frame: u32,
    value: [MirrorNumber; N],
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
struct MirrorNumber(f64);

/// Bits of a mantissa that only 64-bit floats have.
const NARROWED: u32 = 29;
const SINGLE_NAN: u32 = 0x7fc0_0000;
const DOUBLE_NAN: u64 = 0x7ff8_0000_0000_0000;

impl MirrorNumber {
    fn single(bits: u32) -> Self {
        let value = f32::from_bits(bits);
        if !value.is_nan() {
            return Self(value.into());
        }
        // A conversion would make a signalling NaN a quiet one.
        let (sign, rest) = (u64::from(bits >> 31), u64::from(bits & 0x7f_ffff));
        Self(f64::from_bits((sign << 63) | (0x7ff << 52) | (rest << NARROWED)))
    }

    fn double(bits: u64) -> Self {
        Self(f64::from_bits(bits))
    }

    /// Returns the nearest 32-bit float, or the same NaN; `None` if there is none.
    fn to_single(self) -> Option<u32> {
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
}

/// A float, and the precision in whose bits its NaN is written.
#[derive(Clone, Copy, Debug)]
struct Spelled(MirrorNumber, Precision);

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
    //! Motions as mirrors, and back.

    use pchr::finding::Invalid;

    use super::{DOUBLE_NAN, MirrorNumber, Spelled, looks_like_a_mirror, read, write};
    use crate::format::{MotionFile, seanim};
    use crate::motion::{Channels, Key, Motion, Note, Precision, TrackKeys};

    fn motion(precision: Precision) -> Motion {
        let channels = Channels { translation: true, rotation: true, scale: false };
        let mut motion = Motion::new(channels, precision);
        motion.frame_count = 10;
        let key = |frame, value| Key { frame, value };
        let keys = TrackKeys {
            translation: &[key(0, [0.1, -0.0, f64::NAN]), key(9, [1e-40, 3.0, 4.0])],
            rotation: &[Key { frame: 3, value: [0.0, 0.0, f64::INFINITY, f64::NEG_INFINITY] }],
            ..TrackKeys::default()
        };
        motion.add_track("arm \"L\"", 1, keys).unwrap();
        let bytes: &[u8] = b"caf\xe9";
        motion.add_track(bytes, 0, TrackKeys::default()).unwrap();
        motion.notes.push(Note { frame: 4, name: "step".into(), offset: 0 });
        motion.custom = Some(vec![0, 0xff, 0x10]);
        motion
    }

    fn said(motion: &Motion) -> (String, Vec<(&'static str, u64, String)>) {
        let mut text = Vec::new();
        let losses = write(motion, &mut text).unwrap();
        let losses = losses.iter().map(|l| (l.what, l.count, l.first.clone()));
        (String::from_utf8(text).unwrap(), losses.collect())
    }

    fn refused(text: &str) -> String {
        let Invalid(found) = read(text.as_bytes()).unwrap_err();
        found.first_error().unwrap().to_string()
    }

    #[test]
    fn a_motion_comes_back_bit_for_bit() {
        for precision in [Precision::Single, Precision::Double] {
            let written = motion(precision);
            let (text, losses) = said(&written);
            assert_eq!(losses, []);
            let MotionFile { motion, losses, .. } = read(text.as_bytes()).unwrap();
            assert_eq!(motion, written);
            assert!(losses.is_empty());
            assert_eq!(seanim::write(&motion).unwrap(), seanim::write(&written).unwrap());
            assert_eq!(said(&motion).0, text);
        }
    }

    #[test]
    fn what_means_nothing_is_counted() {
        let mut motion = motion(Precision::Single);
        motion.layout.header_extra = vec![1; 8];
        motion.layout.reserved = [0, 7, 0, 1, 0];
        motion.layout.reserved_bits = [0x80, 0, 6];
        motion.layout.trailing = vec![0; 3];
        let (text, losses) = said(&motion);
        let first = |path: &str| path.to_owned();
        let behind = "header bytes after the known fields";
        let wanted = [
            ("reserved header bytes", 2, first("reserved1")),
            ("reserved bits of flags", 3, first("animFlags")),
            (behind, 8, first("headerSize")),
            ("bytes after the last block", 3, first("file")),
        ];
        assert_eq!(losses, wanted);
        let mirror = read(text.as_bytes()).unwrap();
        let losses: Vec<_> = mirror.losses.iter().map(|l| (l.what, l.count)).collect();
        assert_eq!(losses, [(behind, 8), ("bytes after the last block", 3)]);
        let (bytes, losses) = seanim::write_canonical(&motion).unwrap();
        assert_eq!(bytes, seanim::write(&mirror.motion).unwrap());
        assert_eq!(losses.iter().count(), 4);
    }

    #[test]
    fn names_that_look_alike_are_told() {
        let mut motion = motion(Precision::Single);
        let bytes: &[u8] = b"caf\xe8";
        motion.notes.push(Note { frame: 0, name: bytes.into(), offset: 0 });
        let losses = said(&motion).1;
        let what = "exact bytes of names that read the same as another name";
        assert_eq!(losses, [(what, 1, "notes[1]".to_owned())]);
    }

    #[test]
    fn findings_have_the_lines_of_the_text() {
        let (text, _) = said(&motion(Precision::Single));
        let mirror = read(text.as_bytes()).unwrap();
        let found: Vec<String> = mirror.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), 3, "{found:?}");
        let at = text.find("[0,0.1").unwrap();
        let start = format!(
            "SEANIM-W123 not-finite: bones[0].loc[0] at line 7, column 8 (byte {at}): [0.1"
        );
        assert!(found.iter().any(|text| text.starts_with(&start)), "{found:?}");
        assert!(found.iter().any(|text| text.contains("bones[1].name")));
    }

    #[test]
    fn each_wrong_value_is_named() {
        let (text, _) = said(&motion(Precision::Single));
        for (from, to, wanted) in [
            ("\"version\":1", "\"version\":2", "json-value: version at"),
            ("\"headerSize\":28", "\"headerSize\":26", "headerSize at"),
            ("\"flags\":1", "\"flags\":256", "bones[0].flags at"),
            ("[3,0.0,0.0", "[3,0.0", "bones[0].rot[0] at"),
            ("[3,0.0,0.0", "[3,0.0,1e39", "bones[0].rot[0] at"),
            ("[3,0.0,0.0", "[300,0.0,0.0", "bones[0].rot[0] at"),
            ("\"-Infinity\"", "\"-Inf\"", "bones[0].rot[0][4] at"),
            ("\"rot\":true", "\"rot\":false", "bones[0].rot at"),
            ("\"flags\":1", "\"flags\":1,\"color\":1", "bones[0].color at"),
            ("00ff10", "00ff1", "customHex at"),
            ("\"customHex\"", "\"custom\"", "json-value: custom at"),
            ("636166e9", "63610066", "bones[1].name at"),
            ("\"frameIndexBytes\":1", "\"frameIndexBytes\":3", "frameIndexBytes at"),
            ("[4,\"step\"]", "[400,\"step\"]", "notes[0] at"),
            ("\"looped\":false,", "", "missing field `looped`"),
            ("\"looped\":false", "\"looped\":fals", "json-syntax: document at"),
        ] {
            assert!(text.contains(from), "{from}");
            let said = refused(&text.replacen(from, to, 1));
            assert!(said.contains(wanted), "{to}: {said}");
        }
        assert!(refused(&text[..text.len() / 2]).contains("json-syntax"));
    }

    #[test]
    fn a_mirror_has_keys_that_no_other_json_has() {
        for (text, wanted) in [
            (r#"{"version":1,"headerSize":28,"animType":0"#, true),
            ("\u{feff} {\"bones\":[],\"framerate\":30}", true),
            (r#"{"notes":[],"bones":oops,"animType":0}"#, false),
            (r#"{"version":1,"fps":24,"frameCount":1}"#, false),
            (r#"{"bones":[{"frameCount":1}],"fps":24}"#, false),
            (r#"{"frames":{},"frameCount":1}"#, false),
            (r#"[{"animType":0}]"#, false),
            ("{}", false),
            ("SEAnim", false),
            ("", false),
        ] {
            assert_eq!(looks_like_a_mirror(text.as_bytes()), wanted, "{text}");
        }
    }

    #[test]
    fn numbers_keep_their_bits() {
        let text = |number: MirrorNumber, precision| {
            serde_json::to_string(&Spelled(number, precision)).unwrap_or_default()
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
            assert_eq!(read(&said).0.to_bits(), bits, "{wanted}");
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
