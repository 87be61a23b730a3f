//! PXD: skeletons (`.skl.pxd`) and motions (`.anm.pxd`) of games of the Hedgehog Engine 2, in BINA containers of version 2.1.
//!
//! Little-endian, offsets have 64 bits and count from the payload. A skeleton has parents, names and transforms at rest. An animation
//! has one track for each bone and may move the whole model, too: either as ACL clips, which are kept and written as the bytes that
//! they are, or as sparse keys. A file in canonical layout is written back byte for byte; for others a finding says so.
#![deny(clippy::arithmetic_side_effects)]

use std::ops::Range;

use pchr::bytes::{Reader, UnexpectedEnd};
use pchr::finding::{Findings, Invalid};

use crate::motion::{IndexWidth, KeyFormat, Motion, Precision, Skeleton};

pub use animation::read_animation;
pub use rule::PxdRule;
pub use skeleton::read_skeleton;
pub use write::{Unwritable, write_animation, write_skeleton};

mod animation;
mod container;
mod rule;
mod skeleton;
mod write;

/// Payload magic of a skeleton.
const SKELETON: [u8; 4] = *b"KSXP";
/// Payload magic of an animation.
const ANIMATION: [u8; 4] = *b"NAXP";
/// Version of both.
const VERSION: u32 = 0x200;
/// Number of an animation with keys.
const UNCOMPRESSED: u8 = 0;
/// Number of an animation in clips.
const COMPRESSED: u8 = 8;
/// Maximum number of bones, and of tracks.
const MOST: u64 = 0xffff;

/// Size of a track's record: count, frames and values of three channels.
const RECORD: u64 = 0x48;
/// Packing of keys in a motion.
const FORMAT: KeyFormat = KeyFormat {
    frame: IndexWidth::U16,
    precision: Precision::Single,
};

/// Returns true if a file begins as a BINA container.
#[must_use]
pub fn is_bina(bytes: &[u8]) -> bool {
    bytes.starts_with(&container::MAGIC)
}

/// Returns true if a file is a PXD skeleton by its content.
#[must_use]
pub fn is_skl(bytes: &[u8]) -> bool {
    container::holds(bytes, SKELETON)
}

/// Returns true if a file is a PXD animation by its content.
#[must_use]
pub fn is_anm(bytes: &[u8]) -> bool {
    container::holds(bytes, ANIMATION)
}

/// Kind of a PXD file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PxdKind {
    /// Bones at rest: `.skl.pxd`.
    Skeleton,
    /// A motion: `.anm.pxd`.
    Animation,
}

impl PxdKind {
    /// Returns the kind of a container's payload, in either byte order.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        if container::holds(bytes, SKELETON) {
            return Some(Self::Skeleton);
        }
        container::holds(bytes, ANIMATION).then_some(Self::Animation)
    }

    /// Returns a short name, the same in all reports.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Skeleton => "pxd-skeleton",
            Self::Animation => "pxd-animation",
        }
    }

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Skeleton => "PXD skeleton",
            Self::Animation => "PXD animation",
        }
    }
}

/// Content of a PXD file.
#[derive(Clone, Debug)]
pub enum PxdContent {
    /// Bones at rest.
    Skeleton(Skeleton),
    /// A motion.
    Animation(Box<Motion>),
}

impl PxdContent {
    /// Returns its kind.
    #[must_use]
    pub const fn kind(&self) -> PxdKind {
        match self {
            Self::Skeleton(_) => PxdKind::Skeleton,
            Self::Animation(_) => PxdKind::Animation,
        }
    }
}

/// Reads a file of a kind, with its findings.
///
/// # Errors
/// [`Invalid`] with every finding, if one of them is an error.
pub fn read(bytes: &[u8], kind: PxdKind) -> Result<(PxdContent, Findings), Invalid> {
    match kind {
        PxdKind::Skeleton => {
            let (skeleton, found) = read_skeleton(bytes)?;
            Ok((PxdContent::Skeleton(skeleton), found))
        }
        PxdKind::Animation => {
            let (motion, found) = read_animation(bytes)?;
            Ok((PxdContent::Animation(Box::new(motion)), found))
        }
    }
}

/// Parts of a container, as its header states them: bytes of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Version and byte order.
    pub version: String,
    /// Both headers, up to the payload.
    pub header: Range<u64>,
    /// The payload; offsets in it count from its start.
    pub payload: Range<u64>,
    /// The strings.
    pub strings: Range<u64>,
    /// The offset table.
    pub offset_table: Range<u64>,
    /// Places of pointers that the table lists.
    pub pointers: usize,
    /// Bytes behind all parts.
    pub trailing: Range<u64>,
}

/// Returns the parts of a valid container.
#[must_use]
pub fn outline(bytes: &[u8]) -> Option<Outline> {
    parts(bytes).ok()
}

fn parts(bytes: &[u8]) -> Result<Outline, UnexpectedEnd> {
    let mut r = Reader::new(bytes);
    r.skip(container::MAGIC.len(), 1)?;
    let version = String::from_utf8_lossy(r.bytes(4)?).into_owned();
    r.skip(16, 1)?;
    let sizes = [r.u32()?, r.u32()?, r.u32()?].map(u64::from);
    let start = container::DISTANCE_FROM.saturating_add(r.u16()?.into());
    let length = bytes.len() as u64;
    let mut end = start;
    let [payload, strings, offset_table] = sizes.map(|size| {
        let from = end;
        end = end.saturating_add(size);
        from..end
    });
    let at = |place: u64| usize::try_from(place).unwrap_or(usize::MAX);
    let listed = bytes.get(at(offset_table.start)..at(offset_table.end));
    Ok(Outline {
        version,
        header: 0..start,
        payload,
        strings,
        pointers: container::places(listed.unwrap_or_default()).count(),
        offset_table,
        trailing: end..length.max(end),
    })
}
