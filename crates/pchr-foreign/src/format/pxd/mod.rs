//! PXD: skeletons (`.skl.pxd`) and motions (`.anm.pxd`) of games of the Hedgehog Engine 2, in BINA containers of version 2.1.
//!
//! Little-endian, offsets have 64 bits and count from the payload. A skeleton has parents, names and transforms at rest. An animation
//! has one track for each bone and may move the whole model, too: either as ACL clips, which are kept and written as the bytes that
//! they are, or as sparse keys. A file in canonical layout is written back byte for byte; for others a finding says so.
#![deny(clippy::arithmetic_side_effects)]

mod animation;
mod container;
mod skeleton;
mod write;

use std::ops::Range;

use pchr::finding::{Findings, Invalid, rules};

use crate::motion::{IndexWidth, KeyFormat, Motion, Precision, Skeleton};

pub use animation::read_animation;
pub use skeleton::read_skeleton;
pub use write::{PxdUnwritable, write_animation, write_skeleton};

/// Payload magic of a skeleton.
const SKELETON: [u8; 4] = *b"KSXP";
/// Payload magic of an animation.
const ANIMATION: [u8; 4] = *b"NAXP";
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
const FORMAT: KeyFormat = KeyFormat { frame: IndexWidth::U16, precision: Precision::Single };

/// Returns true if a file begins as a BINA container.
#[must_use]
pub fn is_bina(bytes: &[u8]) -> bool {
    bytes.starts_with(&container::MAGIC)
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
pub struct PxdOutline {
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
pub fn outline(bytes: &[u8]) -> Option<PxdOutline> {
    container::BinaContainer::headers(bytes, &mut Findings::default()).ok()??.outline()
}

rules! {
    /// A rule of PXD files: BINA containers, skeletons and animations.
    PxdRule "PXD"

    /// A file starts with "BINA", its data with "KSXP" (skeletons) or "NAXP" (animations).
    Magic = Error "001" "magic",
        example: "payload.magic: \"KSXP\", expected \"NAXP\" (an animation)",
        advice: "The file is in another format, or is damaged: export it again, and check that it was copied as binary.";
    /// The container has the version 2.1, its data the version 0x200.
    Version = Error "002" "version",
        example: "bina.version: \"200\" has offsets of 32 bits, but this program reads \"210\"",
        advice: "Export for a game that uses PXD; containers of version 2.0 belong to older ones.";
    /// The container is little-endian.
    ByteOrder = Error "003" "byte-order",
        example: "bina.byteOrder: \"B\", a big-endian container, expected \"L\" (little-endian)",
        advice: "Export for a little-endian system: PXD is always little-endian.";
    /// The file holds all the data that its sizes and counts declare.
    UnexpectedEnd = Error "004" "unexpected-end",
        example: "tracks[4].rotation.values: 12 items take 192 bytes, but 80 are left",
        advice: "The file was cut short, or a size, a count or an offset is wrong: export it again.";
    /// Offsets point into the file.
    Offset = Error "005" "offset",
        example: "animation.skeletalOffset: 0x7ffffff0, but the data ends at 0xfe4",
        advice: "Correct the offset; it counts from the start of the data, not of the file.";
    /// A skeleton has as many parents as names and transforms.
    Counts = Error "006" "counts",
        example: "skeleton.names: 11 names, but 12 parents",
        advice: "Write the three lists with one entry for each bone.";
    /// A file has at most 65,535 bones or tracks; lists of keys, and names, do not overlap.
    Limit = Error "007" "limit",
        example: "animation.trackCount: 4294967295 tracks, expected at most 65535",
        advice: "Correct the count.";
    /// A parent is a bone, or -1.
    ParentRange = Error "008" "parent-range",
        example: "skeleton.parents[1]: 99, but there are 3 bones",
        advice: "Correct the index, counted from 0; -1 marks a root.";
    /// No bone is its own ancestor.
    ParentCircle = Error "009" "parent-circle",
        example: "skeleton.parents[4]: bone 4 is its own ancestor",
        advice: "Correct the parents: every chain has to end at a root.";
    /// A name ends with a NUL within the data or the strings.
    NameEnd = Error "010" "name-end",
        example: "skeleton.names[2]: the strings end before the name does",
        advice: "The file was cut short, or the offset of the name is wrong: export it again.";
    /// An animation is uncompressed (0) or compressed with ACL (8).
    Compression = Error "011" "compression",
        example: "animation.compression: 3, expected 0 (uncompressed) or 8 (ACL)",
        advice: "Write one of the two numbers.";
    /// The first block of the container holds data.
    Block = Error "012" "block",
        example: "bina.block: \"IMAG\", expected \"DATA\"",
        advice: "The container holds other data: export the file again.";
    /// The file has the layout that this program writes.
    Layout = Warning "101" "layout",
        example: "file: 0xcc, written as 0x00: writing the file again does not keep unused bytes, gaps or the order of parts",
        advice: "Nothing to do; writing the file again changes its bytes, not its meaning.";
    /// The sizes in the container match the file.
    Sizes = Warning "102" "sizes",
        example: "bina.fileSize: 1284, but the file has 1300 bytes",
        advice: "Check that the whole file was copied; games trust the sizes.";
    /// The offset table lists the places of all pointers, and no others.
    OffsetTable = Warning "103" "offset-table",
        example: "bina.offsetTable: 2 places, but there are 3 pointers; the first that differs is 0x30",
        advice: "Write the file again: games find pointers only by this table.";
    /// The offset of root motion points into the file.
    RootOffset = Warning "104" "root-offset",
        example: "animation.rootOffset: 0x100000, but the data ends at 0x25cc; read as no root motion, which is what old exporters mean",
        advice: "Write the file again, or 0 for no root motion.";
    /// An animation is additive (1) or not (0).
    Additive = Warning "105" "additive",
        example: "animation.additive: 7, expected 0 or 1; read as additive",
        advice: "Write one of the two numbers.";
    /// The duration is (frame count - 1) / frame rate.
    Duration = Warning "106" "duration",
        example: "animation.duration: NaN, expected a number above 0 for 10 frames; played at 30 frames per second",
        advice: "Write (frame count - 1) / frame rate.";
    /// A motion has at least one frame.
    FrameCount = Warning "107" "frame-count",
        example: "animation.frameCount: 0 frames; played up to the last key",
        advice: "Write the largest frame plus 1.";
    /// A compressed clip has the tracks, frames and rate of the header.
    Clip = Warning "108" "clip",
        example: "animation.skeletal: 12 tracks, but the header has 14; the clip's are played",
        advice: "Write the header again from the clip.";
    /// Names are UTF-8.
    NameUtf8 = Warning "109" "name-utf8",
        example: "skeleton.names[0]: byte 0xe9 is not UTF-8; shown as \"caf\u{fffd}\"",
        advice: "Encode names as UTF-8: programs look up bones by name.";
    /// Names of bones are unique, and not empty.
    NameDuplicate = Warning "110" "name-duplicate",
        example: "skeleton.names[1]: \"a\" is also the name of bone 0; motions that name their bones move the first",
        advice: "Give each bone its own name.";
    /// Values are finite.
    NotFinite = Warning "111" "not-finite",
        example: "tracks[0].translation[0]: [NaN, 1.0, 2.0] is not finite",
        advice: "Correct the value in the exporter: a bone with such a value has no position.";
    /// A rotation has the length 1.
    RotationLength = Warning "112" "rotation-length",
        example: "tracks[0].rotation[1]: rotation of length 2.0000, expected 1; normalised for playback",
        advice: "Normalise quaternions before saving; length 0 is not a rotation.";
    /// Keys ascend by frame.
    KeyOrder = Warning "113" "key-order",
        example: "tracks[0].translation[1]: frame 0 comes after frame 9; sorted for playback",
        advice: "Sort keys by frame: games may play unsorted keys wrongly.";
    /// A list has at most one key for each frame.
    KeyDuplicate = Warning "114" "key-duplicate",
        example: "tracks[0].scale[2]: frame 4 already has a key; the last one is used",
        advice: "Write one key for each frame.";
    /// Keys lie within the motion.
    KeyRange = Warning "115" "key-range",
        example: "tracks[0].scale[2]: frame 9, but there are 5 frames; the motion is extended to it",
        advice: "Write the largest frame plus 1 as the frame count.";
}
