//! The header, and the blocks after it.

use std::fmt;

use pchr::bytes::{Reader, UnexpectedEnd, Writer};
use pchr::finding::{Findings, counted, quoted};

use crate::motion::{
    Channel, Channels, IndexWidth, KeyFormat, Place, Precision, SEANIM_CHANNELS, SeanimRule,
};

/// First bytes of a file.
pub(super) const MAGIC: &[u8; 6] = b"SEAnim";
/// The version that is read and written.
const VERSION: u16 = 1;
/// Size of the header, including the two bytes of the size field.
const SIZE: u16 = 28;
/// Maximum number of bones, and of notes.
const MOST: u32 = 1_000_000;

/// Bit of `animFlags`: the motion is a loop.
pub(super) const LOOPED: u8 = 1;
/// Bits of `dataPresenceFlags`.
pub(super) const LOC: u8 = 1;
pub(super) const ROT: u8 = 1 << 1;
pub(super) const SCALE: u8 = 1 << 2;
pub(super) const NOTES: u8 = 1 << 6;
pub(super) const CUSTOM: u8 = 1 << 7;
/// Bit of `dataPropertyFlags`: all values have 64 bits.
pub(super) const HIGH_PRECISION: u8 = 1;

/// Known bits of `animFlags`, `dataPresenceFlags` and `dataPropertyFlags`.
pub(super) const KNOWN: [u8; 3] = [LOOPED, LOC | ROT | SCALE | NOTES | CUSTOM, HIGH_PRECISION];

/// Byte offsets of fields.
pub(super) mod at {
    pub(crate) const VERSION: u64 = 6;
    pub(crate) const SIZE: u64 = 8;
    pub(crate) const ANIMATION_TYPE: u64 = 10;
    pub(crate) const FLAGS: u64 = 11;
    pub(crate) const PRESENCE: u64 = 12;
    pub(crate) const RESERVED_1: u64 = 14;
    pub(crate) const RATE: u64 = 16;
    pub(crate) const FRAME_COUNT: u64 = 20;
    pub(crate) const BONE_COUNT: u64 = 24;
    pub(crate) const MODIFIER_COUNT: u64 = 28;
    pub(crate) const RESERVED_2: u64 = 29;
    pub(crate) const NOTE_COUNT: u64 = 32;
}

#[derive(Clone, Debug, Default)]
pub(super) struct SeanimHeader<'a> {
    pub(super) animation_type: u8,
    /// `animFlags`, `dataPresenceFlags`, `dataPropertyFlags`.
    pub(super) flags: [u8; 3],
    pub(super) reserved: [u8; 5],
    pub(super) rate: f32,
    pub(super) frame_count: u32,
    pub(super) bone_count: u32,
    pub(super) modifier_count: u8,
    pub(super) note_count: u32,
    /// Bytes behind the known fields.
    pub(super) extra: &'a [u8],
}

impl<'a> SeanimHeader<'a> {
    /// Reads magic, version and header; `None` if nothing after it can be read.
    pub(super) fn read(r: &mut Reader<'a>, found: &mut Findings) -> Option<Self> {
        let left = r.left().min(MAGIC.len());
        let magic = r.bytes(left).unwrap_or_default();
        if magic != MAGIC {
            let message = || {
                let magic = String::from_utf8_lossy(magic);
                format!("{}, expected \"SEAnim\"", quoted(&magic))
            };
            found.add(SeanimRule::Magic, 0, "magic", message);
            return None;
        }
        Self::fields(r, found).unwrap_or_else(|end| {
            let message =
                || format!("{} needed, {} left", counted(end.wanted, "byte", "bytes"), end.left);
            found.add(SeanimRule::UnexpectedEnd, end.offset, "header", message);
            None
        })
    }

    fn fields(r: &mut Reader<'a>, found: &mut Findings) -> Result<Option<Self>, UnexpectedEnd> {
        let version = r.u16()?;
        if version != VERSION {
            let message = || format!("version {version}, but this program reads version {VERSION}");
            found.add(SeanimRule::Version, at::VERSION, "version", message);
            return Ok(None);
        }
        let size = r.u16()?;
        let Some(extra) = size.checked_sub(SIZE) else {
            let message =
                || format!("{size}, expected {SIZE} or more: the size counts its own two bytes");
            found.add(SeanimRule::HeaderSize, at::SIZE, "headerSize", message);
            return Ok(None);
        };
        let animation_type = r.u8()?;
        let flags = [r.u8()?, r.u8()?, r.u8()?];
        let [a, b] = [r.u8()?, r.u8()?];
        let rate = f32::from_bits(r.u32()?);
        let (frame_count, bone_count) = (r.u32()?, r.u32()?);
        let modifier_count = r.u8()?;
        let reserved = [a, b, r.u8()?, r.u8()?, r.u8()?];
        let note_count = r.u32()?;
        let header = Self {
            animation_type,
            flags,
            reserved,
            rate,
            frame_count,
            bone_count,
            modifier_count,
            note_count,
            extra: r.bytes(extra.into())?,
        };
        let limits = [
            ("boneCount", "bones", at::BONE_COUNT, bone_count),
            ("noteCount", "notes", at::NOTE_COUNT, note_count),
        ];
        for (path, what, offset, count) in limits {
            if count > MOST {
                let message = || format!("{count} {what}, expected at most {MOST}");
                found.add(SeanimRule::Limit, offset, path, message);
                return Ok(None);
            }
        }
        Ok(Some(header))
    }

    /// Writes magic, version and header.
    pub(super) fn write(&self, w: &mut Writer, size: u16) {
        w.bytes(MAGIC);
        w.u16(VERSION);
        w.u16(size);
        w.u8(self.animation_type);
        w.bytes(&self.flags);
        let [a, b, rest @ ..] = self.reserved;
        w.bytes(&[a, b]);
        w.f32(self.rate);
        w.u32(self.frame_count);
        w.u32(self.bone_count);
        w.u8(self.modifier_count);
        w.bytes(&rest);
        w.u32(self.note_count);
        w.bytes(self.extra);
    }

    /// Returns the size of a header with a number of bytes after the known fields.
    pub(super) fn size(extra: usize) -> Option<u16> {
        SIZE.checked_add(u16::try_from(extra).ok()?)
    }

    /// Returns true if a bit of `dataPresenceFlags` is set.
    pub(super) fn has(&self, bit: u8) -> bool {
        let [_, presence, _] = self.flags;
        presence & bit != 0
    }

    pub(super) fn channels(&self) -> Channels {
        Channels { translation: self.has(LOC), rotation: self.has(ROT), scale: self.has(SCALE) }
    }
}

/// A way to read the blocks: as the document defines them, or as a writer with a known fault wrote them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockReading {
    /// Width of frames and of key counts.
    pub(super) frame: IndexWidth,
    /// Width of the bone indices of modifiers.
    pub(super) bone: IndexWidth,
    pub(super) modifiers: u32,
    pub(super) has_bones: bool,
    pub(super) has_notes: bool,
}

impl BlockReading {
    /// Returns the reading that the document defines.
    pub(super) fn strict(header: &SeanimHeader<'_>) -> Self {
        Self {
            frame: IndexWidth::of_count(header.frame_count),
            bone: IndexWidth::of_count(header.bone_count),
            modifiers: header.modifier_count.into(),
            has_bones: !header.channels().is_empty(),
            has_notes: header.has(NOTES),
        }
    }

    pub(super) fn format(self, header: &SeanimHeader<'_>) -> KeyFormat {
        let [_, _, properties] = header.flags;
        let precision =
            if properties & HIGH_PRECISION == 0 { Precision::Single } else { Precision::Double };
        KeyFormat { frame: self.frame, precision }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct WalkStop {
    pub(super) part: SeanimPart,
    pub(super) offset: u64,
    /// Number of items, 0 for a field.
    pub(super) count: u32,
    /// Least bytes that they take, and remaining bytes. Equal if `visit` ended the walk.
    pub(super) wanted: u64,
    pub(super) left: u64,
}

impl fmt::Display for WalkStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wanted, left, count, .. } = self;
        match self.part {
            SeanimPart::Name(_) | SeanimPart::Note(_) => {
                write!(f, "the file ends before the name does")
            }
            _ if *count == 0 => {
                write!(f, "{} needed, {left} left", counted(wanted, "byte", "bytes"))
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeanimPart {
    Bones,
    Name(u32),
    Modifier(u32),
    Bone(u32),
    Keys(u32, Channel),
    Notes,
    Note(u32),
    Custom,
}

impl SeanimPart {
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

impl fmt::Display for SeanimPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bones => f.write_str("boneCount"),
            Self::Name(index) => write!(f, "bones[{index}].name"),
            Self::Modifier(index) => write!(f, "modifiers[{index}]"),
            Self::Bone(index) => write!(f, "bones[{index}]"),
            Self::Keys(index, channel) => {
                write!(f, "bones[{index}].{}", channel.of(SEANIM_CHANNELS))
            }
            Self::Notes => f.write_str("noteCount"),
            Self::Note(index) => write!(f, "notes[{index}]"),
            Self::Custom => f.write_str("custom"),
        }
    }
}

/// An item of a walk, and its byte offset.
#[derive(Clone, Copy, Debug)]
pub(super) enum SeanimItem<'a> {
    Name(u64, &'a [u8]),
    /// The index of a bone, and a type.
    Modifier(u64, u32, u8),
    /// Start and end of a bone's flags and keys; the flags, and the lists of keys: translation, rotation, scale.
    Bone([u64; 2], u8, [Place; 3]),
    /// A frame, and a name.
    Note(u64, u32, &'a [u8]),
}

/// Result of a whole walk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walked<'a> {
    /// The custom block; `None` also if its bit is set, but the file ends before it.
    pub(super) custom: Option<&'a [u8]>,
    /// Bytes after the last block.
    pub(super) trailing: &'a [u8],
    /// Ends of names, modifiers, keys and notes.
    pub(super) ends: [u64; 4],
    /// Offset of the trailing bytes.
    pub(super) end: usize,
}

/// Walks the blocks after a header. `visit` ends the walk if it returns `false`.
pub(super) fn walk<'a>(
    mut r: Reader<'a>,
    header: &SeanimHeader<'_>,
    reading: BlockReading,
    mut visit: impl FnMut(SeanimItem<'a>) -> bool,
) -> Result<Walked<'a>, WalkStop> {
    let mut ends = [r.position() as u64; 3];
    if reading.has_bones {
        ends = bones(&mut r, header, reading, &mut visit)?;
    }
    if reading.has_notes {
        let least = reading.frame.bytes().saturating_add(1);
        fits(&r, SeanimPart::Notes, at::NOTE_COUNT, header.note_count, least)?;
        for index in 0..header.note_count {
            let part = SeanimPart::Note(index);
            let offset = r.position() as u64;
            let frame = number(&mut r, reading.frame).map_err(|end| stop(part, end))?;
            let name = r.c_string().map_err(|end| stop(part, end))?;
            go_on(visit(SeanimItem::Note(offset, frame, name)), part, &r)?;
        }
    }
    let [names, modifiers, keys] = ends;
    let ends = [names, modifiers, keys, r.position() as u64];
    let mut custom = None;
    if header.has(CUSTOM) && r.left() > 0 {
        let offset = r.position() as u64;
        let size = r.u32().map_err(|end| stop(SeanimPart::Custom, end))?;
        let length = fits(&r, SeanimPart::Custom, offset, size, 1)?;
        custom = Some(r.bytes(length).map_err(|end| stop(SeanimPart::Custom, end))?);
    }
    let end = r.position();
    let left = r.left();
    Ok(Walked { custom, trailing: r.bytes(left).unwrap_or_default(), ends, end })
}

/// Walks names, modifiers and keys, and returns their ends.
fn bones<'a>(
    r: &mut Reader<'a>,
    header: &SeanimHeader<'_>,
    reading: BlockReading,
    visit: &mut impl FnMut(SeanimItem<'a>) -> bool,
) -> Result<[u64; 3], WalkStop> {
    let channels = header.channels();
    let stored = Channel::ALL.iter().filter(|channel| channels.has(**channel)).count();
    // A name's end, flags, and a count a channel.
    let least = stored.saturating_mul(reading.frame.bytes()).saturating_add(2);
    fits(r, SeanimPart::Bones, at::BONE_COUNT, header.bone_count, least)?;
    for index in 0..header.bone_count {
        let part = SeanimPart::Name(index);
        let offset = r.position() as u64;
        let name = r.c_string().map_err(|end| stop(part, end))?;
        go_on(visit(SeanimItem::Name(offset, name)), part, r)?;
    }
    let names = r.position() as u64;
    for index in 0..reading.modifiers {
        let part = SeanimPart::Modifier(index);
        let offset = r.position() as u64;
        let bone = number(r, reading.bone).map_err(|end| stop(part, end))?;
        let code = r.u8().map_err(|end| stop(part, end))?;
        go_on(visit(SeanimItem::Modifier(offset, bone, code)), part, r)?;
    }
    let modifiers = r.position() as u64;
    let format = reading.format(header);
    for index in 0..header.bone_count {
        let start = r.position() as u64;
        let flags = r.u8().map_err(|end| stop(SeanimPart::Bone(index), end))?;
        let mut places = [Place::default(); 3];
        for (channel, place) in Channel::ALL.into_iter().zip(&mut places) {
            if !channels.has(channel) {
                continue;
            }
            let part = SeanimPart::Keys(index, channel);
            let offset = r.position() as u64;
            let count = number(r, reading.frame).map_err(|end| stop(part, end))?;
            let at = r.position();
            let length = fits(r, part, offset, count, format.stride(channel.lanes()))?;
            r.skip(length, 1).map_err(|end| stop(part, end))?;
            *place = Place { at, count };
        }
        let part = SeanimPart::Bone(index);
        let bytes = [start, r.position() as u64];
        go_on(visit(SeanimItem::Bone(bytes, flags, places)), part, r)?;
    }
    Ok([names, modifiers, r.position() as u64])
}

fn number(r: &mut Reader<'_>, width: IndexWidth) -> Result<u32, UnexpectedEnd> {
    match width {
        IndexWidth::U8 => r.u8().map(u32::from),
        IndexWidth::U16 => r.u16().map(u32::from),
        IndexWidth::U32 => r.u32(),
    }
}

/// Returns the size of `count` items of at least `size` bytes, if they are there.
fn fits(
    r: &Reader<'_>,
    part: SeanimPart,
    offset: u64,
    count: u32,
    size: usize,
) -> Result<usize, WalkStop> {
    let wanted = u64::from(count).saturating_mul(size as u64);
    let length = usize::try_from(wanted).ok();
    length.filter(|length| *length <= r.left()).ok_or(WalkStop {
        part,
        offset,
        count,
        wanted,
        left: r.left() as u64,
    })
}

fn stop(part: SeanimPart, end: UnexpectedEnd) -> WalkStop {
    WalkStop { part, offset: end.offset, count: 0, wanted: end.wanted, left: end.left }
}

/// Ends a walk if no more is wanted.
fn go_on(wanted: bool, part: SeanimPart, r: &Reader<'_>) -> Result<(), WalkStop> {
    let end = UnexpectedEnd { offset: r.position() as u64, wanted: 0, left: 0 };
    if wanted { Ok(()) } else { Err(stop(part, end)) }
}
