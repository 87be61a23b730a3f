//! SEAnim version 1: 3D motions, exported from games and brought into Blender and Maya.
//!
//! Little-endian: magic `SEAnim`, version, header, names of bones, modifiers, keys of each bone, notes, a custom block. The header's
//! size counts its own two bytes, as in every program and unlike the document. [`SeanimRule`](crate::motion::SeanimRule) lists the faults
//! that known writers make and that are repaired.
//!
//! [`write()`] gives the bytes that were read; [`write_canonical`] those that the document demands, for programs that take no others.

mod blocks;
mod read;
mod write;

use std::ops::Range;

use pchr::bytes::Reader;
use pchr::finding::Findings;

use self::blocks::{BlockReading, MAGIC, SeanimHeader, SeanimItem, walk};
use self::read::find;
use crate::motion::IndexWidth;

pub use read::{is_seanim, read};
pub(super) use write::left_out;
pub use write::{SeanimUnwritable, write, write_canonical};

/// Facts about a file that its motion does not keep: blocks with their byte ranges, widths, raw flags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeanimOutline {
    /// Size of the header, as stated.
    pub header_size: u16,
    /// `animFlags`, `dataPresenceFlags` and `dataPropertyFlags`.
    pub flags: [u8; 3],
    /// Width of frames and of key counts, as they are read.
    pub frame_width: Option<IndexWidth>,
    /// Width of bone indices, as they are read.
    pub bone_width: Option<IndexWidth>,
    /// Blocks in file order, without gaps; empty ones are left out.
    pub blocks: Vec<Block>,
    /// Flags and keys of each bone.
    pub bones: Vec<Range<u64>>,
}

/// A block of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its name: header, names, modifiers, keys, notes, custom or trailing.
    pub name: &'static str,
    /// Number of its elements; `None` for one that has no elements.
    pub count: Option<u32>,
    /// Its bytes.
    pub bytes: Range<u64>,
}

/// Finds the blocks of a file, read as [`read`] does; `None` if that refuses it.
#[must_use]
pub fn outline(bytes: &[u8]) -> Option<SeanimOutline> {
    let mut r = Reader::new(bytes);
    let header = SeanimHeader::read(&mut r, &mut Findings::default())?;
    let start = r.position() as u64;
    let (reading, walked) = find(bytes, r, &header);
    let walked = walked.ok()?;
    let channels = header.channels();
    let mut places = BlockEnds {
        reading,
        header: &header,
        stored: [channels.translation, channels.rotation, channels.scale],
        names: start,
        keys: start,
        notes: 0,
        bones: Vec::new(),
    };
    walk(r, &header, reading, |item| {
        places.add(item);
        true
    })
    .ok()?;
    let BlockEnds { names, keys, bones, .. } = places;
    let widths = (reading.bone.bytes() as u64).saturating_add(1);
    let modifiers = u64::from(reading.modifiers).saturating_mul(widths);
    let modifiers = match reading.has_bones {
        true => names.saturating_add(modifiers),
        false => names,
    };
    let notes = places.notes.max(keys);
    let end = walked.end as u64;
    let has = |is_there: bool, count: u32| is_there.then_some(count);
    let ends = [
        ("header", None, start),
        ("names", has(reading.has_bones, header.bone_count), names),
        ("modifiers", Some(reading.modifiers), modifiers),
        ("keys", has(reading.has_bones, header.bone_count), keys),
        ("notes", has(reading.has_notes, header.note_count), notes),
        ("custom", None, end),
        ("trailing", None, bytes.len() as u64),
    ];
    let mut at = 0;
    let blocks = ends.map(|(name, count, end)| {
        let bytes = at..end;
        at = end;
        Block { name, count, bytes }
    });
    let before = (MAGIC.len() as u64).saturating_add(2);
    Some(SeanimOutline {
        header_size: u16::try_from(start.saturating_sub(before)).unwrap_or(u16::MAX),
        flags: header.flags,
        frame_width: Some(reading.frame),
        bone_width: Some(reading.bone),
        blocks: { blocks.into_iter() }.filter(|block| !block.bytes.is_empty()).collect(),
        bones,
    })
}

/// Ends of the blocks seen so far.
struct BlockEnds<'a> {
    reading: BlockReading,
    header: &'a SeanimHeader<'a>,
    /// True for each channel that is stored.
    stored: [bool; 3],
    names: u64,
    keys: u64,
    notes: u64,
    bones: Vec<Range<u64>>,
}

impl BlockEnds<'_> {
    fn add(&mut self, item: SeanimItem<'_>) {
        let format = self.reading.format(self.header);
        let after = |offset: u64, width: usize, name: &[u8]| {
            let end = offset.saturating_add(width as u64);
            end.saturating_add(name.len() as u64).saturating_add(1)
        };
        match item {
            SeanimItem::Name(offset, name) => {
                self.names = after(offset, 0, name);
                self.keys = self.names;
            }
            SeanimItem::Modifier(offset, ..) => {
                self.keys = after(offset, self.reading.bone.bytes(), &[]);
            }
            SeanimItem::Bone(_, places) => {
                let start = self.keys;
                let mut end = start.saturating_add(1);
                for ((place, lanes), is_stored) in
                    places.into_iter().zip([3, 4, 3]).zip(self.stored)
                {
                    if is_stored {
                        let keys =
                            u64::from(place.count).saturating_mul(format.stride(lanes) as u64);
                        let count = format.frame.bytes() as u64;
                        end = end.saturating_add(count).saturating_add(keys);
                    }
                }
                self.bones.push(start..end);
                self.keys = end;
            }
            SeanimItem::Note(offset, _, name) => {
                self.notes = after(offset, self.reading.frame.bytes(), name);
            }
        }
    }
}
