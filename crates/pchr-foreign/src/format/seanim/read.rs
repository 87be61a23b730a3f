//! Reads a file as the document defines it, or as its writer meant it.

use std::borrow::Cow;

use pchr::bytes::Reader;
use pchr::finding::{Findings, Invalid, counted, there_are};

use super::blocks::{
    BlockReading, CUSTOM, KNOWN, LOOPED, MAGIC, NOTES, SeanimHeader, SeanimItem, WalkStop, Walked,
    at, walk,
};
use crate::format::with_findings;
use crate::motion::{
    AnimationType, IndexWidth, Modifier, Motion, Name, Note, Place, SeanimLayout, SeanimRule,
    check, number_of,
};

/// Returns true if a file begins as SEAnim.
#[must_use]
pub fn is_seanim(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Reads a motion, with its findings.
///
/// The bytes are kept in the motion, keys stay packed: pass a `Vec<u8>` that was read, or a `&'static [u8]` that is embedded.
///
/// # Errors
/// [`Invalid`] with every finding, if one of them is an error.
pub fn read(bytes: impl Into<Cow<'static, [u8]>>) -> Result<(Motion, Findings), Invalid> {
    let (motion, mut found) = with_findings(|found| read_blocks(bytes.into(), found))?;
    check(&motion, &mut found);
    Ok((motion, found))
}

fn read_blocks(bytes: Cow<'static, [u8]>, found: &mut Findings) -> Option<Motion> {
    let mut r = Reader::new(&bytes);
    let header = SeanimHeader::read(&mut r, found)?;
    let (reading, walked) = find(&bytes, r, &header);
    let walked = match walked {
        Ok(walked) => walked,
        Err(stop) => {
            let path = || stop.part.to_string();
            found.add(SeanimRule::UnexpectedEnd, stop.offset, path, || stop.to_string());
            return None;
        }
    };
    check_header(&header, found);
    check_reading(&header, reading, &walked, found);
    let contents = BlockContents::read(r, &header, reading, found)?;
    let BlockContents { names, bones, modifiers, notes } = contents;
    let [flags, presence, properties] = header.flags;
    let [known_flags, known_presence, known_properties] = KNOWN;
    let strict = BlockReading::strict(&header);
    // A file with other faults is written again, in the form that current programs read.
    let is_repaired = BlockReading { frame: strict.frame, bone: strict.bone, ..reading } != strict;
    let is_kept = |is_other: bool| is_other && !is_repaired;
    let layout = SeanimLayout {
        header_extra: header.extra.to_vec(),
        reserved: header.reserved,
        reserved_bits: [
            flags & !known_flags,
            presence & !known_presence,
            properties & !known_properties,
        ],
        frame_width: is_kept(reading.frame != strict.frame).then_some(reading.frame),
        bone_width: is_kept(reading.bone != strict.bone).then_some(reading.bone),
        announces_notes: header.has(NOTES) && notes.is_empty(),
        trailing: walked.trailing.to_vec(),
    };
    let custom = walked.custom.map(<[u8]>::to_vec);
    let (channels, format) = (header.channels(), reading.format(&header));
    let (rate, frame_count) = (header.rate, header.frame_count);
    let animation_type = AnimationType::from_code(header.animation_type);
    let mut motion = Motion::packed(bytes, channels, format);
    motion.reserve_tracks(names.len());
    for ((offset, name), (flags, places)) in names.into_iter().zip(bones) {
        motion.add_packed_track(name.into(), flags, offset, places);
    }
    motion.rate = rate;
    motion.frame_count = frame_count;
    motion.looped = flags & LOOPED != 0;
    motion.animation_type = animation_type;
    motion.modifiers = modifiers;
    motion.notes = notes;
    motion.custom = custom;
    motion.layout = layout;
    Some(motion)
}

/// Reports invalid values in the header.
fn check_header(header: &SeanimHeader<'_>, found: &mut Findings) {
    let code = header.animation_type;
    if code > 3 {
        let message = || {
            format!(
                "{code}, expected 0 (absolute), 1 (additive), 2 (relative) or 3 (delta); shown as absolute"
            )
        };
        found.add(SeanimRule::TypeUnknown, at::ANIMATION_TYPE, "animType", message);
    }
    let names = ["animFlags", "dataPresenceFlags", "dataPropertyFlags"];
    for (((flags, known), name), offset) in
        header.flags.into_iter().zip(KNOWN).zip(names).zip(at::FLAGS..)
    {
        if flags & !known != 0 {
            let message = || format!("{flags:#04x} sets unknown bits; only {known:#04x} is known");
            found.add(SeanimRule::FlagBits, offset, name, message);
        }
    }
    let [a, b, c, d, e] = header.reserved;
    let reserved: [(_, _, &[u8]); 2] =
        [("reserved1", at::RESERVED_1, &[a, b]), ("reserved2", at::RESERVED_2, &[c, d, e])];
    for (path, offset, bytes) in reserved {
        if bytes.iter().any(|byte| *byte != 0) {
            let message = || format!("{bytes:02x?}, expected 0");
            found.add(SeanimRule::Reserved, offset, path, message);
        }
    }
    let rate = header.rate;
    if !(rate.is_finite() && rate > 0.0) {
        let message = || match rate {
            0.0 => {
                "0, as the Python library writes it unless a script sets it; played at 30".into()
            }
            _ => format!("{rate}, expected a number above 0; played at 30"),
        };
        found.add(SeanimRule::Rate, at::RATE, "framerate", message);
    }
    if header.frame_count == 0 {
        let message = "0 frames; played up to the last key";
        found.add(SeanimRule::FrameCount, at::FRAME_COUNT, "frameCount", message);
    }
}

/// Adds findings for blocks that differ from the header and the document.
fn check_reading(
    header: &SeanimHeader<'_>,
    reading: BlockReading,
    walked: &Walked<'_>,
    found: &mut Findings,
) {
    let strict = BlockReading::strict(header);
    let presence = "dataPresenceFlags";
    let (bones, notes) = (header.bone_count, header.note_count);
    if !reading.has_bones && !reading.has_notes {
        found.add(SeanimRule::BlocksNone, at::PRESENCE, presence, "no bones and no notes");
    }
    if reading.has_bones && !strict.has_bones {
        let message = || {
            let bones = counted(bones, "bone, which is read", "bones, which are read");
            format!(
                "the bit for bones is not set, but the file has {bones}; the Python library (seanim.py) and SELibDotNet write bones without keys like this"
            )
        };
        found.add(SeanimRule::BonesWithoutKeys, at::PRESENCE, presence, message);
    }
    if reading.has_notes && !strict.has_notes {
        let message = || {
            let notes = counted(notes, "note, which is read", "notes, which are read");
            format!(
                "the bit for notes is not set, but the file has {notes}; SELibDotNet accepts this, too"
            )
        };
        found.add(SeanimRule::NotesWithoutBit, at::PRESENCE, presence, message);
    }
    let modifiers = header.modifier_count.into();
    let unused = [
        (reading.has_bones, "boneCount", at::BONE_COUNT, bones, "bones"),
        (reading.has_bones, "boneAnimModifierCount", at::MODIFIER_COUNT, modifiers, "modifiers"),
        (reading.has_notes, "noteCount", at::NOTE_COUNT, notes, "notes"),
    ];
    for (is_there, path, offset, count, what) in unused {
        if !is_there && count > 0 {
            let message = || format!("{count} {what}, but the file has none");
            found.add(SeanimRule::CountUnused, offset, path, message);
        }
    }
    if reading.modifiers != strict.modifiers {
        let message = || {
            let (stated, count) = (strict.modifiers, reading.modifiers);
            let why = match stated {
                0 if count < 256 => "the Python library (seanim.py) writes new clips like this",
                _ => "the count is a byte, which holds at most 255",
            };
            let count = counted(count, "modifier, which is read", "modifiers, which are read");
            format!("{stated}, but the file has {count}; {why}")
        };
        let path = "boneAnimModifierCount";
        found.add(SeanimRule::ModifierCount, at::MODIFIER_COUNT, path, message);
    }
    let widths = [
        ("frameCount", at::FRAME_COUNT, header.frame_count, "frames", reading.frame, strict.frame),
        ("boneCount", at::BONE_COUNT, bones, "bones", reading.bone, strict.bone),
    ];
    for (path, offset, count, what, width, wanted) in widths {
        if width != wanted {
            let message = || {
                let (width, wanted) = (width.bytes(), wanted.bytes());
                let writer = match count {
                    0x1_0001.. => "SELibDotNet and WraithX",
                    _ => "programs of 2017",
                };
                format!(
                    "{width}-byte indices, expected {wanted}-byte ones for {count} {what}; read as {writer} write them"
                )
            };
            found.add(SeanimRule::IndexWidth, offset, path, message);
        }
    }
    let end = walked.end as u64;
    if header.has(CUSTOM) && walked.custom.is_none() {
        let message = "the file ends before it; the Python library (seanim.py) keeps its bit and drops the block";
        found.add(SeanimRule::CustomMissing, end, "custom", message);
    }
    if !walked.trailing.is_empty() {
        let message = || {
            let bytes = counted(walked.trailing.len(), "byte", "bytes");
            format!("{bytes} after the last block")
        };
        found.add(SeanimRule::Trailing, end, "file", message);
    }
}

#[derive(Default)]
struct BlockContents {
    names: Vec<(u64, Name)>,
    bones: Vec<(u8, [Place; 3])>,
    modifiers: Vec<Modifier>,
    notes: Vec<Note>,
}

impl BlockContents {
    fn read(
        r: Reader<'_>,
        header: &SeanimHeader<'_>,
        reading: BlockReading,
        found: &mut Findings,
    ) -> Option<Self> {
        let (mut all, count) = (Self::default(), header.bone_count);
        let add = |item: SeanimItem<'_>| {
            match item {
                SeanimItem::Name(offset, name) => all.names.push((offset, name.into())),
                SeanimItem::Modifier(offset, track, code) if track < count => {
                    let animation_type = AnimationType::from_code(code);
                    all.modifiers.push(Modifier { track, animation_type, offset });
                }
                SeanimItem::Modifier(offset, track, _) => {
                    let path = || format!("modifiers[{}]", all.modifiers.len());
                    let message = || {
                        let there_are = there_are(count, "bone", "bones");
                        format!("bone {track}, but {there_are}; the modifier is left out")
                    };
                    found.add(SeanimRule::ModifierRange, offset, path, message);
                }
                SeanimItem::Bone(_, flags, places) => all.bones.push((flags, places)),
                SeanimItem::Note(offset, frame, name) => {
                    all.notes.push(Note { frame, name: name.into(), offset });
                }
            }
            true
        };
        walk(r, header, reading, add).ok()?;
        Some(all)
    }
}

/// Maximum number of bytes of names, and of elements, that all tries together check.
const WORK: usize = 1 << 24;

/// Finds the reading that ends with the file; else the document's, with its own end.
pub(super) fn find<'a>(
    bytes: &'a [u8],
    r: Reader<'a>,
    header: &SeanimHeader<'_>,
) -> (BlockReading, Result<Walked<'a>, WalkStop>) {
    let strict = BlockReading::strict(header);
    let mut work = WORK;
    let walked = walk(r, header, strict, |_| true);
    if walked.is_ok_and(|walked| walked.trailing.is_empty()) {
        return (strict, walked);
    }
    for reading in others(header, strict) {
        let mut plausible =
            Plausible { bytes, header, reading, modified: [0; MODIFIED], work: &mut work };
        match walk(r, header, reading, |item| plausible.accepts(item)) {
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
fn others(header: &SeanimHeader<'_>, strict: BlockReading) -> impl Iterator<Item = BlockReading> {
    let has_notes = !strict.has_notes && header.note_count > 0;
    let has_bones = !strict.has_bones && header.bone_count > 0;
    let notes = [Some(strict.has_notes), has_notes.then_some(true)];
    let bones = [Some(strict.has_bones), has_bones.then_some(true)];
    let (bone_count, stated) = (header.bone_count, strict.modifiers);
    let other_frame = other_width(header.frame_count);
    let other_bone = match bone_count {
        0x1_0000.. => Some(IndexWidth::U16), // SELibDotNet and WraithX never use four bytes
        count => other_width(count),
    };
    let blocks = notes.into_iter().flatten().flat_map(move |has_notes| {
        bones.into_iter().flatten().map(move |has_bones| BlockReading {
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
        let modifiers = std::iter::once(stated).chain(uncounted).chain(wrapped.skip(1));
        modifiers.map(move |modifiers| BlockReading { modifiers, ..reading })
    });
    counted
        .flat_map(move |reading| {
            let other = other_bone.filter(|_| reading.modifiers > 0);
            let bones = std::iter::once(strict.bone).chain(other);
            bones.map(move |bone| BlockReading { bone, ..reading })
        })
        .flat_map(move |reading| {
            let frames = std::iter::once(strict.frame).chain(other_frame);
            frames.map(move |frame| BlockReading { frame, ..reading })
        })
        .skip(1) // the document's
}

/// Returns the width of an index where writers of 2017 use another than the document: they drew the line at 254 or at 256, and
/// likewise for two bytes.
fn other_width(count: u32) -> Option<IndexWidth> {
    match count {
        0xff | 0x1_0000 => Some(IndexWidth::U16),
        0x100 => Some(IndexWidth::U8),
        0xffff => Some(IndexWidth::U32),
        _ => None,
    }
}

/// Words of a set of bones: the first 4,096. Modifiers of other bones are not checked for duplicates.
const MODIFIED: usize = 64;

/// Accepts plausible contents while there is work left.
struct Plausible<'a> {
    bytes: &'a [u8],
    header: &'a SeanimHeader<'a>,
    reading: BlockReading,
    modified: [u64; MODIFIED],
    work: &'a mut usize,
}

impl Plausible<'_> {
    fn works(&mut self, amount: usize) -> bool {
        *self.work = self.work.saturating_sub(amount);
        *self.work > 0
    }

    fn accepts(&mut self, item: SeanimItem<'_>) -> bool {
        match item {
            SeanimItem::Name(_, name) => self.works(name.len().saturating_add(1)),
            SeanimItem::Modifier(_, bone, code) => {
                let word = self.modified.get_mut((bone >> 6) as usize);
                let bit = 1 << (bone & 63);
                let is_new = word.is_none_or(|word| {
                    let is_new = *word & bit == 0;
                    *word |= bit;
                    is_new
                });
                is_new && code <= 3 && bone < self.header.bone_count && self.works(1)
            }
            SeanimItem::Bone(_, flags, places) => {
                let mut lists = places.into_iter().zip([3, 4, 3]);
                flags <= 1
                    && lists.all(|(place, lanes)| self.is_sound(place, lanes))
                    && self.works(1)
            }
            SeanimItem::Note(_, frame, name) => {
                frame < self.header.frame_count && self.works(name.len().saturating_add(1))
            }
        }
    }

    /// Returns true if a list has at most one key for each frame, and its first and last lie within the motion.
    fn is_sound(&self, place: Place, lanes: usize) -> bool {
        let (format, count) = (self.reading.format(self.header), self.header.frame_count);
        let width = format.frame.bytes();
        let is_within = |key: &[u8]| number_of(key.get(..width).unwrap_or_default()) < count;
        let stride = format.stride(lanes);
        let mut keys = place.of(self.bytes, stride).chunks_exact(stride);
        let ends = [keys.next(), keys.next_back()];
        place.count <= count && ends.into_iter().flatten().all(is_within)
    }
}
