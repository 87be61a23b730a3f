//! The reading of a file that does not end as the document defines: known faults of other programs, tried one after another.

use pchr::bytes::Reader;

use super::blocks::{Reading, Stop, Visitor, Walked, walk};
use super::header::Header;
use crate::motion::{IndexWidth, Place};

/// Maximum number of bytes of names, and of elements, that all tries together check.
const WORK: usize = 1 << 24;

/// Finds the reading that ends with the file; else the document's, with its own end.
pub(super) fn find<'a>(
    bytes: &'a [u8],
    r: Reader<'a>,
    header: &Header<'_>,
) -> (Reading, Result<Walked<'a>, Stop>) {
    let strict = Reading::strict(header);
    let mut work = WORK;
    let walked = walk(r, header, strict, &mut Anything);
    if walked.is_ok_and(|walked| walked.trailing.is_empty()) {
        return (strict, walked);
    }
    for reading in others(header, strict) {
        let mut visitor = Plausible {
            bytes,
            header,
            reading,
            modified: [0; MODIFIED],
            work: &mut work,
        };
        match walk(r, header, reading, &mut visitor) {
            Ok(walked) if walked.trailing.is_empty() => return (reading, Ok(walked)),
            Ok(_) => {}
            Err(stop) => {
                // The whole text was searched for the end of a name.
                let seen = if stop.part.is_name() { stop.left } else { 0 };
                work = work.saturating_sub(usize::try_from(seen).unwrap_or(usize::MAX));
            }
        }
        if work == 0 {
            break;
        }
    }
    (strict, walked)
}

/// Returns the readings of known writers.
fn others(header: &Header<'_>, strict: Reading) -> impl Iterator<Item = Reading> {
    let has_notes = !strict.has_notes && header.note_count > 0;
    let has_bones = !strict.has_bones && header.bone_count > 0;
    let notes = [Some(strict.has_notes), has_notes.then_some(true)];
    let bones = [Some(strict.has_bones), has_bones.then_some(true)];
    let frames = widths(header.frame_count, strict.frame);
    let (bone_count, stated) = (header.bone_count, strict.modifiers);
    let blocks = notes.into_iter().flatten().flat_map(move |has_notes| {
        bones.into_iter().flatten().map(move |has_bones| Reading {
            has_notes,
            has_bones,
            ..strict
        })
    });
    let counted = blocks.flat_map(move |reading| {
        // A byte counts modifiers: more than 255 wrap around. seanim.py counts none.
        let most = if reading.has_bones { bone_count } else { 0 };
        let wrapped = (0..=most).skip(stated as usize).step_by(256);
        let uncounted = 1..=if stated == 0 { most.min(255) } else { 0 };
        let modifiers = std::iter::once(stated)
            .chain(uncounted)
            .chain(wrapped.skip(1));
        modifiers.map(move |modifiers| Reading {
            modifiers,
            ..reading
        })
    });
    counted
        .flat_map(move |reading| {
            let has_indices = reading.modifiers > 0;
            let bones = bone_widths(bone_count, strict.bone).into_iter().flatten();
            bones
                .take(if has_indices { 2 } else { 1 })
                .map(move |bone| Reading { bone, ..reading })
        })
        .flat_map(move |reading| {
            let frames = frames.into_iter().flatten();
            frames.map(move |frame| Reading { frame, ..reading })
        })
        .skip(1) // the document's
}

/// Returns the widths of an index: the document's, and that of writers of 2017, which drew the line at 254 or at 256, and likewise
/// for two bytes.
fn widths(count: u32, strict: IndexWidth) -> [Option<IndexWidth>; 2] {
    let other = match count {
        0xff | 0x1_0000 => Some(IndexWidth::U16),
        0x100 => Some(IndexWidth::U8),
        0xffff => Some(IndexWidth::U32),
        _ => None,
    };
    [Some(strict), other]
}

/// Returns the widths of a bone index: SELibDotNet and WraithX never use four bytes.
fn bone_widths(count: u32, strict: IndexWidth) -> [Option<IndexWidth>; 2] {
    match count {
        0x1_0000.. => [Some(strict), Some(IndexWidth::U16)],
        _ => widths(count, strict),
    }
}

/// Accepts everything.
struct Anything;

impl Visitor for Anything {
    fn name(&mut self, _: u64, _: &[u8]) -> bool {
        true
    }

    fn modifier(&mut self, _: u64, _: u32, _: u8) -> bool {
        true
    }

    fn bone(&mut self, _: u8, _: [Place; 3]) -> bool {
        true
    }

    fn note(&mut self, _: u64, _: u32, _: &[u8]) -> bool {
        true
    }
}

/// Words of a set of bones: the first 4,096. Modifiers of other bones are not checked for duplicates.
const MODIFIED: usize = 64;

/// Accepts plausible contents while there is work left.
struct Plausible<'a> {
    bytes: &'a [u8],
    header: &'a Header<'a>,
    reading: Reading,
    modified: [u64; MODIFIED],
    work: &'a mut usize,
}

impl Plausible<'_> {
    fn works(&mut self, amount: usize) -> bool {
        *self.work = self.work.saturating_sub(amount);
        *self.work > 0
    }
}

impl Visitor for Plausible<'_> {
    fn name(&mut self, _: u64, name: &[u8]) -> bool {
        self.works(name.len().saturating_add(1))
    }

    fn modifier(&mut self, _: u64, bone: u32, code: u8) -> bool {
        let word = self.modified.get_mut((bone >> 6) as usize);
        let bit = 1 << (bone & 63);
        let is_new = word.is_none_or(|word| {
            let is_new = *word & bit == 0;
            *word |= bit;
            is_new
        });
        is_new && code <= 3 && bone < self.header.bone_count && self.works(1)
    }

    fn bone(&mut self, flags: u8, places: [Place; 3]) -> bool {
        let format = self.reading.format(self.header);
        let count = self.header.frame_count;
        let is_sound = |(place, lanes): (Place, usize)| {
            let width = format.frame.bytes();
            let keys = place.of(self.bytes, format.stride(lanes));
            let frame = |key: Option<&[u8]>| {
                let frame = key.and_then(|key| key.get(..width)).unwrap_or_default();
                let frame = frame.iter().rev();
                frame.fold(0, |frame: u32, byte| (frame << 8) | u32::from(*byte))
            };
            let mut keys = keys.chunks_exact(format.stride(lanes));
            let (first, last) = (keys.next(), keys.next_back());
            place.count <= count
                && [first, last]
                    .into_iter()
                    .all(|key| key.is_none() || frame(key) < count)
        };
        flags <= 1 && places.into_iter().zip([3, 4, 3]).all(is_sound) && self.works(1)
    }

    fn note(&mut self, _: u64, frame: u32, name: &[u8]) -> bool {
        frame < self.header.frame_count && self.works(name.len().saturating_add(1))
    }
}
