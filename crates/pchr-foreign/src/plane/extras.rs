//! Parts of an animation that have no place in a motion, and the custom block that keeps them.
//!
//! The block is little-endian: `PCHR`, version u8 (1), flags of the animation u8, frames u16, bones u16; for each bone, which is the track of the same
//! index, the number of runs u16 and the runs: first frame u16, whole turns i32, flags u8, draw order i16.

use pchr::bytes::{Reader, UnexpectedEnd, Writer};
use pchr::finding::counted;

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    /// Flags of the animation.
    pub(super) flags: u8,
    /// Number of frames.
    pub(super) frames: u16,
    /// Runs of each track, in their order, by first frame.
    pub(super) tracks: Vec<Vec<Run>>,
}

/// Parts of a bone's transforms that stay the same from a frame on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Run {
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

impl Block {
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
            for Run { frame, extra } in runs {
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

fn read(reader: &mut Reader<'_>) -> Result<Result<Block, String>, UnexpectedEnd> {
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
        let mut runs: Vec<Run> = Vec::new();
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
            runs.push(Run { frame, extra });
        }
        tracks.push(runs);
    }
    let block = Block {
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
