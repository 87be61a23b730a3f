//! A PXD file of either kind.

use std::ops::Range;

use pchr::bytes::{Reader, UnexpectedEnd};
use pchr::finding::{Findings, Invalid};

use super::{ANIMATION, SKELETON, bina, read_animation, read_skeleton, table};
use crate::motion::{Motion, Skeleton};

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
        if bina::holds(bytes, SKELETON) {
            return Some(Self::Skeleton);
        }
        bina::holds(bytes, ANIMATION).then_some(Self::Animation)
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
    r.skip(bina::MAGIC.len(), 1)?;
    let version = String::from_utf8_lossy(r.bytes(4)?).into_owned();
    r.skip(16, 1)?;
    let sizes = [r.u32()?, r.u32()?, r.u32()?].map(u64::from);
    let start = bina::DISTANCE_FROM.saturating_add(r.u16()?.into());
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
        pointers: table::places(listed.unwrap_or_default()).count(),
        offset_table,
        trailing: end..length.max(end),
    })
}
