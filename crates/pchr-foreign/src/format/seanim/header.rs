//! The header, read and written alike.

use pchr::bytes::{Reader, UnexpectedEnd, Writer};
use pchr::finding::{Findings, counted, quoted};

use crate::motion::{Channels, SeanimRule};

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

/// The fields of the header.
#[derive(Clone, Debug, Default)]
pub(super) struct Header<'a> {
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

impl<'a> Header<'a> {
    /// Reads magic, version and header; `None` if nothing after it can be read.
    pub(super) fn read(r: &mut Reader<'a>, found: &mut Findings) -> Option<Self> {
        let left = r.left().min(MAGIC.len());
        let magic = r.bytes(left).unwrap_or_default();
        if magic != MAGIC {
            let message = || {
                let magic = String::from_utf8_lossy(magic);
                format!("{}, expected \"SEAnim\"", quoted(&magic))
            };
            found.add(SeanimRule::Magic, 0, || "magic".into(), message);
            return None;
        }
        Self::fields(r, found).unwrap_or_else(|end| {
            let message = || {
                format!(
                    "{} needed, {} left",
                    counted(end.wanted, "byte", "bytes"),
                    end.left
                )
            };
            let path = || "header".to_owned();
            found.add(SeanimRule::UnexpectedEnd, end.offset, path, message);
            None
        })
    }

    fn fields(r: &mut Reader<'a>, found: &mut Findings) -> Result<Option<Self>, UnexpectedEnd> {
        let version = r.u16()?;
        if version != VERSION {
            let message = || format!("version {version}, but this program reads version {VERSION}");
            found.add(
                SeanimRule::Version,
                at::VERSION,
                || "version".into(),
                message,
            );
            return Ok(None);
        }
        let size = r.u16()?;
        let Some(extra) = size.checked_sub(SIZE) else {
            let message =
                || format!("{size}, expected {SIZE} or more: the size counts its own two bytes");
            found.add(
                SeanimRule::HeaderSize,
                at::SIZE,
                || "headerSize".into(),
                message,
            );
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
                found.add(SeanimRule::Limit, offset, || path.into(), message);
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

    /// Returns the channels that each bone has.
    pub(super) fn channels(&self) -> Channels {
        Channels {
            translation: self.has(LOC),
            rotation: self.has(ROT),
            scale: self.has(SCALE),
        }
    }
}
