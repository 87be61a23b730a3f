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

use self::blocks::{MAGIC, SeanimHeader, SeanimItem, walk};
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
    let mut bones = Vec::new();
    walk(r, &header, reading, |item| {
        if let SeanimItem::Bone([start, end], ..) = item {
            bones.push(start..end);
        }
        true
    })
    .ok()?;
    let [names, modifiers, keys, notes] = walked.ends;
    let has = |is_there: bool, count: u32| is_there.then_some(count);
    let ends = [
        ("header", None, start),
        ("names", has(reading.has_bones, header.bone_count), names),
        ("modifiers", Some(reading.modifiers), modifiers),
        ("keys", has(reading.has_bones, header.bone_count), keys),
        ("notes", has(reading.has_notes, header.note_count), notes),
        ("custom", None, walked.end as u64),
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
