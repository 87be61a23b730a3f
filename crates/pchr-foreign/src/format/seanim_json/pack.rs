//! Converts a record to a motion, with its keys packed as in a SEAnim file.

use std::collections::BTreeMap;

use super::number::Number;
use super::record::{KeyRecord, Record};
use crate::motion::{
    AnimationType, Channels, IndexWidth, KeyFormat, Modifier, Motion, Name, Note, Place, Precision,
};

/// A value that a motion cannot hold: its path, and the reason.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) path: String,
    pub(super) message: String,
}

fn fault<T>(path: impl Into<String>, message: impl Into<String>) -> Result<T, Fault> {
    Err(Fault {
        path: path.into(),
        message: message.into(),
    })
}

/// Returns the motion of a record.
pub(super) fn motion(record: &Record) -> Result<Motion, Fault> {
    if record.version != 1 {
        let version = record.version;
        return fault(
            "version",
            format!("version {version}, but this program reads version 1"),
        );
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
    let channels = Channels {
        translation: presence.loc,
        rotation: presence.rot,
        scale: presence.scale,
    };
    let mut packer = Packer {
        bytes: Vec::new(),
        format,
    };
    let mut places = Vec::with_capacity(record.bones.len());
    for (index, bone) in record.bones.iter().enumerate() {
        places.push([
            packer.keys(bone.loc.as_deref(), presence.loc, index, "loc")?,
            packer.keys(bone.rot.as_deref(), presence.rot, index, "rot")?,
            packer.keys(bone.scale.as_deref(), presence.scale, index, "scale")?,
        ]);
    }
    let names = Names::new(&record.not_utf8)?;
    let mut motion = Motion::packed(packer.bytes.into(), channels, format);
    motion.reserve_tracks(record.bones.len());
    for (bone, places) in record.bones.iter().zip(places) {
        motion.add_packed_track(names.of(&bone.name).into(), bone.flags, 0, places);
    }
    let Some(rate) = record.framerate.to_single() else {
        return fault("framerate", "a number that does not fit in 32 bits");
    };
    motion.rate = f32::from_bits(rate);
    motion.frame_count = record.frame_count;
    motion.looped = record.looped;
    motion.animation_type = AnimationType::from_code(record.anim_type);
    motion.modifiers = { record.modifiers.iter() }
        .map(|(track, code)| Modifier {
            track: *track,
            animation_type: AnimationType::from_code(*code),
            offset: 0,
        })
        .collect();
    motion.notes = { record.notes.iter() }
        .map(|(frame, name)| Note {
            frame: *frame,
            name: names.of(name),
            offset: 0,
        })
        .collect();
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
fn width(path: &str, bytes: Option<u8>, usual: IndexWidth) -> Result<IndexWidth, Fault> {
    match bytes {
        None => Ok(usual),
        Some(1) => Ok(IndexWidth::U8),
        Some(2) => Ok(IndexWidth::U16),
        Some(4) => Ok(IndexWidth::U32),
        Some(bytes) => fault(path, format!("{bytes}, expected 1, 2 or 4")),
    }
}

struct Packer {
    bytes: Vec<u8>,
    format: KeyFormat,
}

impl Packer {
    fn keys<const N: usize>(
        &mut self,
        keys: Option<&[KeyRecord<N>]>,
        is_stored: bool,
        bone: usize,
        channel: &str,
    ) -> Result<Place, Fault> {
        let path = || format!("bones[{bone}].{channel}");
        let at = self.bytes.len();
        let keys = match keys {
            Some(_) if !is_stored => {
                let text = format!("a list, but presence.{channel} is false; expected null");
                return fault(path(), text);
            }
            keys => keys.unwrap_or_default(),
        };
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
            self.bytes
                .extend(bytes.get(..frame.bytes()).unwrap_or_default());
            for value in key.value {
                self.number(value, precision).ok_or_else(|| Fault {
                    path: path(),
                    message: "a number that does not fit in 32 bits, and highPrecision is false"
                        .into(),
                })?;
            }
        }
        let count = u32::try_from(keys.len()).unwrap_or(u32::MAX);
        Ok(Place { at, count })
    }

    fn number(&mut self, value: Number, precision: Precision) -> Option<()> {
        match precision {
            Precision::Single => self.bytes.extend(value.to_single()?.to_le_bytes()),
            Precision::Double => self.bytes.extend(value.to_double().to_le_bytes()),
        }
        Some(())
    }
}

/// The bytes of names that are not UTF-8, by the texts that stand for them in the mirror.
struct Names<'a>(BTreeMap<&'a str, Vec<u8>>);

impl<'a> Names<'a> {
    fn new(not_utf8: &'a BTreeMap<String, String>) -> Result<Self, Fault> {
        let mut names = BTreeMap::new();
        for (text, hex) in not_utf8 {
            let Some(bytes) = from_hex(hex) else {
                return fault("notUtf8", "expected pairs of hexadecimal digits");
            };
            names.insert(text.as_str(), bytes);
        }
        Ok(Self(names))
    }

    fn of(&self, text: &str) -> Name {
        match self.0.get(text) {
            Some(bytes) => bytes.as_slice().into(),
            None => text.into(),
        }
    }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else {
        return None;
    };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let byte = |[high, low]: &[u8; 2]| u8::try_from((digit(*high)? << 4) | digit(*low)?).ok();
    pairs.iter().map(byte).collect()
}
