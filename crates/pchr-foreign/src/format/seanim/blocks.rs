//! Walks the blocks after the header. Nothing is allocated, and lists of keys are skipped.

use std::fmt;

use pchr::bytes::{Reader, UnexpectedEnd};
use pchr::finding::counted;

use super::header::{CUSTOM, HIGH_PRECISION, Header, NOTES, at};
use crate::motion::{Channel, IndexWidth, KeyFormat, Place, Precision};

/// A way to read the blocks: as the document defines them, or as a writer with a known fault wrote them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    /// Width of frames and of key counts.
    pub(super) frame: IndexWidth,
    /// Width of the bone indices of modifiers.
    pub(super) bone: IndexWidth,
    /// Number of modifiers.
    pub(super) modifiers: u32,
    /// True if there are bones.
    pub(super) has_bones: bool,
    /// True if there are notes.
    pub(super) has_notes: bool,
}

impl Reading {
    /// Returns the reading that the document defines.
    pub(super) fn strict(header: &Header<'_>) -> Self {
        Self {
            frame: IndexWidth::of_count(header.frame_count),
            bone: IndexWidth::of_count(header.bone_count),
            modifiers: header.modifier_count.into(),
            has_bones: !header.channels().is_empty(),
            has_notes: header.has(NOTES),
        }
    }

    /// Returns the packing of keys.
    pub(super) fn format(self, header: &Header<'_>) -> KeyFormat {
        let [_, _, properties] = header.flags;
        let precision = if properties & HIGH_PRECISION == 0 {
            Precision::Single
        } else {
            Precision::Double
        };
        KeyFormat {
            frame: self.frame,
            precision,
        }
    }
}

/// Place where a walk stopped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    pub(super) part: Part,
    pub(super) offset: u64,
    /// Number of items, 0 for a field.
    pub(super) count: u32,
    /// Least bytes that they take, and remaining bytes. Equal if a visitor ended the walk.
    pub(super) wanted: u64,
    pub(super) left: u64,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            wanted,
            left,
            count,
            ..
        } = self;
        match self.part {
            Part::Name(_) | Part::Note(_) => write!(f, "the file ends before the name does"),
            _ if *count == 0 => {
                write!(
                    f,
                    "{} needed, {left} left",
                    counted(wanted, "byte", "bytes")
                )
            }
            part => {
                let [one, many] = part.items();
                let items = counted(count, one, many);
                let take = if *count == 1 { "takes" } else { "take" };
                write!(f, "{items} {take} {wanted} bytes, but {left} are left")
            }
        }
    }
}

/// A part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Bones,
    Name(u32),
    Modifier(u32),
    Bone(u32),
    Keys(u32, Channel),
    Notes,
    Note(u32),
    Custom,
}

impl Part {
    /// Returns true if the part ends in a name.
    pub(super) fn is_name(self) -> bool {
        matches!(self, Self::Name(_) | Self::Note(_))
    }

    fn items(self) -> [&'static str; 2] {
        match self {
            Self::Keys(..) => ["key", "keys"],
            Self::Notes | Self::Note(_) => ["note", "notes"],
            Self::Custom => ["byte of a custom block", "bytes of a custom block"],
            _ => ["bone", "bones"],
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bones => f.write_str("boneCount"),
            Self::Name(index) => write!(f, "bones[{index}].name"),
            Self::Modifier(index) => write!(f, "modifiers[{index}]"),
            Self::Bone(index) => write!(f, "bones[{index}]"),
            Self::Keys(index, Channel::Translation) => write!(f, "bones[{index}].loc"),
            Self::Keys(index, Channel::Rotation) => write!(f, "bones[{index}].rot"),
            Self::Keys(index, Channel::Scale) => write!(f, "bones[{index}].scale"),
            Self::Notes => f.write_str("noteCount"),
            Self::Note(index) => write!(f, "notes[{index}]"),
            Self::Custom => f.write_str("custom"),
        }
    }
}

/// Receives the parts of a walk. A visitor that returns `false` ends it.
pub(super) trait Visitor {
    fn name(&mut self, offset: u64, name: &[u8]) -> bool;
    fn modifier(&mut self, offset: u64, bone: u32, code: u8) -> bool;
    /// Flags of a bone, and its lists of keys: translation, rotation, scale.
    fn bone(&mut self, flags: u8, places: [Place; 3]) -> bool;
    fn note(&mut self, offset: u64, frame: u32, name: &[u8]) -> bool;
}

/// Result of a whole walk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walked<'a> {
    /// The custom block.
    pub(super) custom: Option<&'a [u8]>,
    /// True if its bit is set, but the file ends before it.
    pub(super) lacks_custom: bool,
    /// Bytes after the last block.
    pub(super) trailing: &'a [u8],
    /// Offset of the trailing bytes.
    pub(super) end: usize,
}

/// Walks the blocks after a header.
pub(super) fn walk<'a>(
    mut r: Reader<'a>,
    header: &Header<'_>,
    reading: Reading,
    visitor: &mut impl Visitor,
) -> Result<Walked<'a>, Stop> {
    if reading.has_bones {
        bones(&mut r, header, reading, visitor)?;
    }
    if reading.has_notes {
        let least = reading.frame.bytes().saturating_add(1);
        fits(&r, Part::Notes, at::NOTE_COUNT, header.note_count, least)?;
        for index in 0..header.note_count {
            let part = Part::Note(index);
            let offset = r.position() as u64;
            let frame = number(&mut r, reading.frame).map_err(|end| stop(part, end))?;
            let name = r.c_string().map_err(|end| stop(part, end))?;
            go_on(visitor.note(offset, frame, name), part, &r)?;
        }
    }
    let has_custom = header.has(CUSTOM);
    let lacks_custom = has_custom && r.left() == 0;
    let mut custom = None;
    if has_custom && !lacks_custom {
        let offset = r.position() as u64;
        let size = r.u32().map_err(|end| stop(Part::Custom, end))?;
        let length = fits(&r, Part::Custom, offset, size, 1)?;
        custom = Some(r.bytes(length).map_err(|end| stop(Part::Custom, end))?);
    }
    let end = r.position();
    let left = r.left();
    Ok(Walked {
        custom,
        lacks_custom,
        trailing: r.bytes(left).unwrap_or_default(),
        end,
    })
}

fn bones(
    r: &mut Reader<'_>,
    header: &Header<'_>,
    reading: Reading,
    visitor: &mut impl Visitor,
) -> Result<(), Stop> {
    let channels = header.channels();
    let all = [
        (Channel::Translation, 3),
        (Channel::Rotation, 4),
        (Channel::Scale, 3),
    ];
    let stored = all
        .iter()
        .filter(|(channel, _)| channels.has(*channel))
        .count();
    // A name's end, flags, and a count a channel.
    let least = stored
        .saturating_mul(reading.frame.bytes())
        .saturating_add(2);
    fits(r, Part::Bones, at::BONE_COUNT, header.bone_count, least)?;
    for index in 0..header.bone_count {
        let part = Part::Name(index);
        let offset = r.position() as u64;
        let name = r.c_string().map_err(|end| stop(part, end))?;
        go_on(visitor.name(offset, name), part, r)?;
    }
    for index in 0..reading.modifiers {
        let part = Part::Modifier(index);
        let offset = r.position() as u64;
        let bone = number(r, reading.bone).map_err(|end| stop(part, end))?;
        let code = r.u8().map_err(|end| stop(part, end))?;
        go_on(visitor.modifier(offset, bone, code), part, r)?;
    }
    let format = reading.format(header);
    for index in 0..header.bone_count {
        let flags = r.u8().map_err(|end| stop(Part::Bone(index), end))?;
        let mut places = [Place::default(); 3];
        for ((channel, lanes), place) in all.into_iter().zip(&mut places) {
            if !channels.has(channel) {
                continue;
            }
            let part = Part::Keys(index, channel);
            let offset = r.position() as u64;
            let count = number(r, reading.frame).map_err(|end| stop(part, end))?;
            let at = r.position();
            let length = fits(r, part, offset, count, format.stride(lanes))?;
            r.skip(length, 1).map_err(|end| stop(part, end))?;
            *place = Place { at, count };
        }
        go_on(visitor.bone(flags, places), Part::Bone(index), r)?;
    }
    Ok(())
}

fn number(r: &mut Reader<'_>, width: IndexWidth) -> Result<u32, UnexpectedEnd> {
    match width {
        IndexWidth::U8 => r.u8().map(u32::from),
        IndexWidth::U16 => r.u16().map(u32::from),
        IndexWidth::U32 => r.u32(),
    }
}

/// Returns the size of `count` items of at least `size` bytes, if they are there.
fn fits(r: &Reader<'_>, part: Part, offset: u64, count: u32, size: usize) -> Result<usize, Stop> {
    let wanted = u64::from(count).saturating_mul(size as u64);
    let length = usize::try_from(wanted).ok();
    length.filter(|length| *length <= r.left()).ok_or(Stop {
        part,
        offset,
        count,
        wanted,
        left: r.left() as u64,
    })
}

fn stop(part: Part, end: UnexpectedEnd) -> Stop {
    Stop {
        part,
        offset: end.offset,
        count: 0,
        wanted: end.wanted,
        left: end.left,
    }
}

/// Ends a walk if its visitor wants no more.
fn go_on(wanted: bool, part: Part, r: &Reader<'_>) -> Result<(), Stop> {
    let end = UnexpectedEnd {
        offset: r.position() as u64,
        wanted: 0,
        left: 0,
    };
    if wanted { Ok(()) } else { Err(stop(part, end)) }
}
