//! An animation of a character as a motion, with a custom block for what has no place in it.

use pchr::bytes::{Reader, UnexpectedEnd, Writer};
use pchr::document::{AnimationId, BoneId, BoneTransform, Document};
use pchr::finding::counted;
use pchr::format::Losses;
use pchr::pose::playback_fps;

use super::skeleton;
use super::skeleton::{CONVENTIONS, finite, spelled, transform};
use crate::motion::{BoneKeys, Channels, Motion, Precision};

/// Parts of an animation that have no place in a plane: visibility and draw order of bones, rotations beyond ±180 degrees, and flags
/// that the format leaves open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extras {
    /// Kept in the motion's custom block, which [`apply`](super::apply()) reads: for SEAnim.
    #[default]
    Keep,
    /// Left out, and listed: for formats without such a block.
    LeaveOut,
}

/// First bytes of the block.
const MAGIC: [u8; 4] = *b"PCHR";
const VERSION: u8 = 1;

/// Parts of an animation that have no place in a motion.
///
/// In a file it is little-endian: `PCHR`, version u8 (1), flags of the animation u8, frames u16, bones u16; for each bone, which is the
/// track of the same index, the number of runs u16 and the runs: first frame u16, whole turns i32, flags u8, draw order i16.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CharacterBlock {
    /// Flags of the animation.
    pub(super) flags: u8,
    /// Number of frames.
    pub(super) frames: u16,
    /// Runs of each track, in their order, by first frame.
    pub(super) tracks: Vec<Vec<BlockRun>>,
}

/// Parts of a bone's transforms that stay the same from a frame on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BlockRun {
    pub(super) frame: u16,
    pub(super) extra: Extra,
}

/// Parts of a transform that have no place in a motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Extra {
    /// Whole turns that the rotation has beyond ±180 degrees.
    pub(super) turns: i32,
    pub(super) flags: u8,
    pub(super) z_order: i16,
}

impl CharacterBlock {
    pub(super) fn write(&self) -> Vec<u8> {
        // Counts come from a document, where they have 16 bits.
        let count = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        let mut w = Writer::new();
        w.bytes(&MAGIC);
        w.u8(VERSION);
        w.u8(self.flags);
        w.u16(self.frames);
        w.u16(count(self.tracks.len()));
        for runs in &self.tracks {
            w.u16(count(runs.len()));
            for BlockRun { frame, extra } in runs {
                w.u16(*frame);
                w.bytes(&extra.turns.to_le_bytes());
                w.u8(extra.flags);
                w.i16(extra.z_order);
            }
        }
        w.finish()
    }

    /// Reads a block; `None` if the bytes are another program's.
    ///
    /// # Errors
    /// A line about its fault.
    pub(super) fn read(bytes: &[u8]) -> Option<Result<Self, String>> {
        let rest = bytes.strip_prefix(&MAGIC)?;
        let mut reader = Reader::new(rest);
        let block = read(&mut reader);
        Some(block.unwrap_or_else(|end| Err(format!("its {end}"))))
    }

    /// The extra of a track at a frame.
    pub(super) fn at(&self, track: usize, frame: u32) -> Option<Extra> {
        let runs = self.tracks.get(track)?;
        let behind = runs.partition_point(|run| u32::from(run.frame) <= frame);
        Some(runs.get(behind.checked_sub(1)?)?.extra)
    }
}

fn read(reader: &mut Reader<'_>) -> Result<Result<CharacterBlock, String>, UnexpectedEnd> {
    let version = reader.u8()?;
    if version != VERSION {
        return Ok(Err(format!(
            "version {version}, but this program reads {VERSION}"
        )));
    }
    let flags = reader.u8()?;
    let frames = reader.u16()?;
    let mut tracks = Vec::new();
    for track in 0..reader.u16()? {
        let mut runs: Vec<BlockRun> = Vec::new();
        for index in 0..reader.u16()? {
            let frame = reader.u16()?;
            let follows = runs.last().map_or(frame == 0, |run| frame > run.frame);
            if !follows || frame >= frames {
                let expected = match runs.last() {
                    None if frame != 0 => "0".to_owned(),
                    Some(run) if frame < frames => format!("more than {}", run.frame),
                    _ => format!("less than {frames}"),
                };
                return Ok(Err(format!(
                    "run {index} of track {track} begins at frame {frame}, expected {expected}"
                )));
            }
            let turns = reader.u32()?.cast_signed();
            let flags = reader.u8()?;
            let z_order = reader.i16()?;
            let extra = Extra {
                turns,
                flags,
                z_order,
            };
            runs.push(BlockRun { frame, extra });
        }
        tracks.push(runs);
    }
    let block = CharacterBlock {
        flags,
        frames,
        tracks,
    };
    Ok(match reader.left() {
        0 => Ok(block),
        left => Err(format!(
            "{} after the last run",
            counted(left, "byte", "bytes")
        )),
    })
}

/// An animation as a motion: absolute, double precision, a track for each bone by name, at the rate at which the character plays.
/// Every frame has the same numbers bit for bit, turns after rounding to 32 bits; a key in the midst of equal ones is not stored. Returns
/// what is not carried over, too; `None` if the document has no such animation. The name stays with the caller, whose file has it.
#[must_use]
pub fn motion_of(
    document: &Document,
    animation: AnimationId,
    extras: Extras,
) -> Option<(Motion, Losses)> {
    let source = document.animation(animation)?;
    let channels = Channels {
        translation: true,
        rotation: true,
        scale: true,
    };
    let mut motion = Motion::new(channels, Precision::Double);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a rate of 16 bits is exact in 32-bit floats"
    )]
    let rate = playback_fps(document) as f32;
    motion.rate = rate;
    motion.frame_count = source.frame_count().into();
    motion.looped = source.looping();
    motion.conventions = CONVENTIONS;
    let mut block = CharacterBlock {
        flags: source.flags(),
        frames: source.frame_count(),
        tracks: Vec::new(),
    };
    let mut losses = Losses::default();
    if extras == Extras::LeaveOut && source.flags() > 1 {
        let path = || format!("animations[{}].flags", animation.0);
        losses.add_many("animations with unknown flags", 1, path);
    }
    for (id, bone) in (0..=u16::MAX).map(BoneId).zip(document.bones()) {
        let frames = (0..source.frame_count()).map_while(|frame| source.frame(frame));
        let records = frames.filter_map(|frame| frame.transform(id));
        let mut course = Course::default();
        for (frame, record) in (0..).zip(records) {
            course.push(frame, record);
        }
        course.keys.finish();
        for (what, first, count) in course.losses(extras) {
            let path = || format!("animations[{}].frames[{first}][{}]", animation.0, id.0);
            losses.add_many(what, count, path);
        }
        let name = spelled(bone.name());
        if name != bone.name() {
            let path = || format!("bones[{}].name", id.0);
            losses.add_many("names of bones with a NUL, which becomes U+2400", 1, path);
        }
        // Frames and counts have 16 bits, and all channels are stored.
        motion
            .add_track(name.as_ref(), 0, (&course.keys).into())
            .ok()?;
        block.tracks.push(course.runs);
    }
    if extras == Extras::Keep {
        motion.custom = Some(block.write());
    }
    Some((motion, losses))
}

/// Keys of a bone in order, and values that they cannot hold.
#[derive(Debug, Default)]
struct Course {
    keys: BoneKeys,
    runs: Vec<BlockRun>,
    odd: SeenBones,
    too_many_turns: SeenBones,
    turned: SeenBones,
    hidden: SeenBones,
    ordered: SeenBones,
    unknown: SeenBones,
}

/// The first frame that has something, and the number of frames that do.
#[derive(Clone, Copy, Debug, Default)]
struct SeenBones {
    first: u16,
    count: u64,
}

impl SeenBones {
    fn see(&mut self, has: bool, frame: u16) {
        if has {
            if self.count == 0 {
                self.first = frame;
            }
            self.count = self.count.saturating_add(1);
        }
    }
}

impl Course {
    fn push(&mut self, frame: u16, record: BoneTransform) {
        let (record, is_odd) = finite(record);
        let split = skeleton::split(record.rotation);
        let turns = split.map_or(0, |(turns, _)| turns);
        self.odd.see(is_odd, frame);
        self.too_many_turns.see(split.is_none(), frame);
        self.turned.see(turns != 0, frame);
        self.hidden.see(!record.visible(), frame);
        self.ordered.see(record.z_order != 0, frame);
        self.unknown.see(record.flags > 1, frame);
        let local = transform(&record);
        self.keys.append(frame.into(), &local);
        let extra = Extra {
            turns,
            flags: record.flags,
            z_order: record.z_order,
        };
        if self.runs.last().is_none_or(|run| run.extra != extra) {
            self.runs.push(BlockRun { frame, extra });
        }
    }

    /// Kinds of losses, with their first frame and number.
    fn losses(&self, extras: Extras) -> impl Iterator<Item = (&'static str, u16, u64)> {
        let always = [
            ("transforms that are not finite", self.odd, true),
            (
                "transforms with too many turns to count",
                self.too_many_turns,
                true,
            ),
        ];
        let bones = [
            ("bones with rotations beyond ±180 degrees", self.turned),
            ("hidden bones", self.hidden),
            ("bones with a draw order", self.ordered),
            ("bones with unknown flags", self.unknown),
        ];
        let bones = bones.map(|(what, seen)| {
            let count = seen.count.min(1);
            (
                what,
                SeenBones { count, ..seen },
                extras == Extras::LeaveOut,
            )
        });
        let all = always.into_iter().chain(bones);
        let lost = all.filter(|(_, seen, is_lost)| *is_lost && seen.count > 0);
        lost.map(|(what, seen, _)| (what, seen.first, seen.count))
    }
}
