//! Reads a text to a motion.

use std::collections::BTreeMap;

use pchr::bytes::WriteError;
use pchr::finding::{Finding, Findings, Invalid};
use pchr::format::Losses;
use pchr::format::other::without_mark;

use super::{KeyRecord, MirrorNumber, MirrorRecord};
use crate::format::json_text::{self, TextFault, Unreadable, ValuePlaces, from_hex};
use crate::format::seanim::{self, SeanimUnwritable};
use crate::format::{MotionFile, MotionFormat};
use crate::motion::{
    AnimationType, Channels, IndexWidth, KeyFormat, Modifier, Motion, Name, Note, Place, Precision,
    SeanimRule,
};

/// Reads a mirror, with its findings.
///
/// # Errors
/// [`Invalid`] with every finding, if one of them is an error.
pub fn read(file: &[u8]) -> Result<MotionFile, Invalid> {
    let bytes = without_mark(file);
    let before = file.len().saturating_sub(bytes.len());
    let refuse = |rule: SeanimRule, at: usize, path: &str, message: String| {
        let mut found = Findings::default();
        let offset = at.saturating_add(before) as u64;
        found.add(rule, offset, path, || message);
        Invalid(found.in_text(file))
    };
    let unreadable = |error: Unreadable| {
        let rule = match error.fault {
            TextFault::Limit => SeanimRule::Limit,
            TextFault::Syntax => SeanimRule::JsonSyntax,
            TextFault::Value => SeanimRule::JsonValue,
        };
        refuse(rule, error.at, &error.path, error.message)
    };
    let text = json_text::text(bytes, "bytes").map_err(unreadable)?;
    let record: MirrorRecord = json_text::record(text).map_err(unreadable)?;
    let mut places = ValuePlaces::new(text);
    let mut fault = |MirrorFault { path, message }| {
        let at = places.offset(&path);
        refuse(SeanimRule::JsonValue, at, &path, message)
    };
    let said = motion(&record).map_err(&mut fault)?;
    let seanim = seanim::write(&said).map_err(|error| {
        fault(match error {
            SeanimUnwritable::Limit(WriteError { path, found, limit }) => MirrorFault {
                path: said_as(&path).to_owned(),
                message: format!("{found}, expected {limit}"),
            },
            SeanimUnwritable::Nul { path } => {
                MirrorFault { path, message: "a NUL, which would end the name".into() }
            }
            SeanimUnwritable::Unnamed { .. } | SeanimUnwritable::Sampled => {
                unreachable!("a mirror has names and keys")
            }
        })
    })?;
    let outline = seanim::outline(&seanim).unwrap_or_default();
    let mut in_words = |found: Findings| {
        let kept = found.iter().map(|finding| {
            let path = said_as(&finding.path);
            let offset = places.offset(path).saturating_add(before) as u64;
            Finding::new(finding.rule, offset, path, &finding.message)
        });
        let kept = kept.collect();
        found.with_kept(kept).in_text(file)
    };
    let (motion, mut warnings) = match seanim::read(seanim) {
        Ok(read) => read,
        Err(Invalid(found)) => return Err(Invalid(in_words(found))),
    };
    if record.presence.custom && record.custom_hex.is_none() {
        let message = "null, but presence.custom is true; read without a custom block";
        warnings.add(SeanimRule::CustomMissing, 0, "customHex", message);
    }
    let mut losses = Losses::default();
    let extra = record.header_size.unwrap_or(0).saturating_sub(28);
    let uncarried = [
        ("header bytes after the known fields", extra.into(), "headerSize"),
        ("bytes after the last block", record.trailing_bytes.unwrap_or(0), "trailingBytes"),
    ];
    for (what, count, path) in uncarried {
        losses.add_many(what, count, || path.to_owned());
    }
    let format = MotionFormat::SeanimJson;
    Ok(MotionFile { motion, format, warnings: in_words(warnings), losses, outline })
}

/// Converts a path of a SEAnim file to the terms of its mirror.
fn said_as(path: &str) -> &str {
    match path {
        "custom" => "customHex",
        "dataPresenceFlags" => "presence",
        "boneCount" => "bones",
        "noteCount" => "notes",
        "boneAnimModifierCount" => "modifiers",
        other => other,
    }
}

/// A value that a motion cannot hold: its path, and the reason.
#[derive(Debug)]
struct MirrorFault {
    path: String,
    message: String,
}

fn fault<T>(path: impl Into<String>, message: impl Into<String>) -> Result<T, MirrorFault> {
    Err(MirrorFault { path: path.into(), message: message.into() })
}

fn motion(record: &MirrorRecord) -> Result<Motion, MirrorFault> {
    if record.version != 1 {
        let version = record.version;
        return fault("version", format!("version {version}, but this program reads version 1"));
    }
    if let Some(size @ ..28) = record.header_size {
        return fault("headerSize", format!("{size}, expected 28 or more"));
    }
    let bone_count = u32::try_from(record.bones.len()).unwrap_or(u32::MAX);
    let frame = IndexWidth::of_count(record.frame_count);
    let bone = IndexWidth::of_count(bone_count);
    let frame_width = width("frameIndexBytes", record.frame_index_bytes, frame)?;
    let bone_width = width("boneIndexBytes", record.bone_index_bytes, bone)?;
    let format = KeyFormat {
        frame: frame_width,
        precision: match record.high_precision {
            true => Precision::Double,
            false => Precision::Single,
        },
    };
    let presence = record.presence;
    let channels =
        Channels { translation: presence.loc, rotation: presence.rot, scale: presence.scale };
    let mut packer = KeyPacker { bytes: Vec::new(), format };
    let mut places = Vec::with_capacity(record.bones.len());
    for (index, bone) in record.bones.iter().enumerate() {
        places.push([
            packer.keys(bone.loc.as_deref(), presence.loc, index, "loc")?,
            packer.keys(bone.rot.as_deref(), presence.rot, index, "rot")?,
            packer.keys(bone.scale.as_deref(), presence.scale, index, "scale")?,
        ]);
    }
    // The bytes of names that are not UTF-8, by the texts that stand for them.
    let mut odd_names = BTreeMap::new();
    for (text, hex) in &record.not_utf8 {
        let Some(bytes) = from_hex(hex) else {
            return fault("notUtf8", "expected pairs of hexadecimal digits");
        };
        odd_names.insert(text.as_str(), bytes);
    }
    let named = |text: &str| match odd_names.get(text) {
        Some(bytes) => Name::from(bytes.as_slice()),
        None => Name::from(text),
    };
    let mut motion = Motion::packed(packer.bytes.into(), channels, format);
    motion.reserve_tracks(record.bones.len());
    for (bone, places) in record.bones.iter().zip(places) {
        motion.add_packed_track(named(&bone.name).into(), bone.flags, 0, places);
    }
    let Some(rate) = record.framerate.to_single() else {
        return fault("framerate", "a number that does not fit in 32 bits");
    };
    motion.rate = f32::from_bits(rate);
    motion.frame_count = record.frame_count;
    motion.looped = record.looped;
    motion.animation_type = AnimationType::from_code(record.anim_type);
    let modifiers = record.modifiers.iter().map(|&(track, code)| {
        let animation_type = AnimationType::from_code(code);
        Modifier { track, animation_type, offset: 0 }
    });
    motion.modifiers = modifiers.collect();
    let notes = record.notes.iter();
    let notes = notes.map(|(frame, name)| Note { frame: *frame, name: named(name), offset: 0 });
    motion.notes = notes.collect();
    if let Some(text) = &record.custom_hex {
        let Some(bytes) = from_hex(text) else {
            return fault("customHex", "expected pairs of hexadecimal digits");
        };
        motion.custom = Some(bytes);
    }
    motion.layout.frame_width = (frame_width != frame).then_some(frame_width);
    motion.layout.bone_width = (bone_width != bone).then_some(bone_width);
    motion.layout.announces_notes = presence.note && motion.notes.is_empty();
    Ok(motion)
}

/// Returns the width that a field states, or `usual`.
fn width(path: &str, bytes: Option<u8>, usual: IndexWidth) -> Result<IndexWidth, MirrorFault> {
    match bytes {
        None => Ok(usual),
        Some(1) => Ok(IndexWidth::U8),
        Some(2) => Ok(IndexWidth::U16),
        Some(4) => Ok(IndexWidth::U32),
        Some(bytes) => fault(path, format!("{bytes}, expected 1, 2 or 4")),
    }
}

struct KeyPacker {
    bytes: Vec<u8>,
    format: KeyFormat,
}

impl KeyPacker {
    fn keys<const N: usize>(
        &mut self,
        keys: Option<&[KeyRecord<N>]>,
        is_stored: bool,
        bone: usize,
        channel: &str,
    ) -> Result<Place, MirrorFault> {
        let path = || format!("bones[{bone}].{channel}");
        let at = self.bytes.len();
        if keys.is_some() && !is_stored {
            let text = format!("a list, but presence.{channel} is false; expected null");
            return fault(path(), text);
        }
        let keys = keys.unwrap_or_default();
        let KeyFormat { frame, precision } = self.format;
        for (index, key) in keys.iter().enumerate() {
            let path = || format!("{}[{index}]", path());
            if key.frame > frame.most() {
                let (found, width) = (key.frame, frame.bytes());
                let text = format!(
                    "frame {found}, which {width}-byte indices cannot hold; correct frameCount"
                );
                return fault(path(), text);
            }
            let bytes = key.frame.to_le_bytes();
            self.bytes.extend(bytes.get(..frame.bytes()).unwrap_or_default());
            for value in key.value {
                self.number(value, precision).ok_or_else(|| MirrorFault {
                    path: path(),
                    message: "a number that does not fit in 32 bits, and highPrecision is false"
                        .into(),
                })?;
            }
        }
        let count = u32::try_from(keys.len()).unwrap_or(u32::MAX);
        Ok(Place { at, count })
    }

    fn number(&mut self, value: MirrorNumber, precision: Precision) -> Option<()> {
        match precision {
            Precision::Single => self.bytes.extend(value.to_single()?.to_le_bytes()),
            Precision::Double => self.bytes.extend(value.0.to_le_bytes()),
        }
        Some(())
    }
}
