//! Clips compressed with ACL 2.0 (Animation Compression Library): tracks of transforms, as engines store them inside their own files.
//!
//! [`Clip::read`] checks a chunk of bytes, [`Clip::sample`] makes poses of it. Values are those of ACL's own decoder, bit for bit, where
//! that is built without fused products. Everything is little-endian but the stream of animated samples.
#![deny(clippy::arithmetic_side_effects)]

use pchr::finding::rules;

mod clip;
mod header;
mod lanes;
mod metadata;
mod segments;
mod stored;

pub use clip::{Clip, Sizes};
pub use header::{Formats, Part, RotationFormat, Storage, Transform, VectorFormat};
pub use metadata::Metadata;
pub use segments::Segment;

rules! {
    /// A rule of ACL chunks: compressed clips inside other files.
    AclRule "ACL"

    /// The chunk holds all the data that its counts declare.
    UnexpectedEnd = Error "001" "unexpected-end",
        example: "clipRanges: 12 bytes are left, but 20 animated rotations take 480",
        advice: "The chunk was cut short, or a count or an offset before this place is wrong: export it again.";
    /// A chunk has the tag 0xAC11AC11.
    Tag = Error "002" "magic",
        example: "tag: 0x00000000, expected 0xac11ac11",
        advice: "The offset that leads here is wrong, or the data is damaged: export the clip again.";
    /// The binary version is 7.
    Version = Error "003" "version",
        example: "version: version 8, but this program reads version 7 (ACL 2.0)",
        advice: "Compress the clip with ACL 2.0, the version that games read.";
    /// Tracks are compressed by uniform sampling.
    Algorithm = Error "004" "algorithm",
        example: "algorithm: 1, expected 0 (uniformly sampled)",
        advice: "Compress the clip again: ACL 2.0 has no other algorithm.";
    /// Tracks are transforms.
    TrackType = Error "005" "track-type",
        example: "trackType: 2, expected 12 (rotation, translation and scale)",
        advice: "Compress transforms (qvvf): scalar tracks move no bones.";
    /// A clip is whole, not split into a database.
    Database = Error "006" "database",
        example: "flags: the clip is split into a database; a part of its samples lies elsewhere",
        advice: "Compress the clip without a database.";
    /// The format of rotations is 0, 2 or 3.
    RotationFormat = Error "007" "rotation-format",
        example: "flags: rotation format 1, expected 0 (full), 2 (full without w) or 3 (variable without w)",
        advice: "Compress the clip again with one of the three formats.";
    /// The sample rate is a number above 0.
    Rate = Error "008" "frame-rate",
        example: "sampleRate: NaN, expected a number above 0",
        advice: "Write the number of samples per second.";
    /// A clip has at least one sample.
    SampleCount = Error "009" "frame-count",
        example: "sampleCount: 0 samples of 3 tracks",
        advice: "Export at least one frame.";
    /// A clip has at most 65,535 tracks and 16,777,216 samples.
    Limit = Error "010" "limit",
        example: "trackCount: 4294967280 tracks, expected at most 65535",
        advice: "Correct the count, or split the clip.";
    /// Segments start at sample 0 and ascend.
    SegmentStart = Error "011" "segment-start",
        example: "segments[2].start: sample 16, expected 17 to 44",
        advice: "Compress the clip again: the table of segments is damaged.";
    /// The data of segments does not overlap.
    SegmentOrder = Error "012" "segment-order",
        example: "segments[1].data: begins at byte 228 of the chunk, but the segment before ends at 301",
        advice: "Compress the clip again: the table of segments is damaged.";
    /// Counts match the types of the tracks.
    TrackCounts = Error "013" "track-counts",
        example: "animated.rotations: 9, but 8 tracks are marked as animated",
        advice: "Compress the clip again: its header or its table of types is damaged.";
    /// A bit count is 3 to 19 or 32, or 0 if there are several segments.
    BitCount = Error "014" "bit-count",
        example: "segments[0].rotations[4]: 25 bits, expected 0, 3 to 19, or 32",
        advice: "Compress the clip again: its formats are damaged.";
    /// The size of a pose is the sum of its bits.
    PoseBits = Error "015" "pose-bits",
        example: "segments[0].rotationBits: 102, but the rotations take 99",
        advice: "Compress the clip again: its formats are damaged.";
    /// The hash is that of the data.
    Hash = Warning "101" "hash",
        example: "hash: 0xdebb97ff, but the data has 0x12345678",
        advice: "The chunk was changed after compression: compress the clip again. Programs that check the hash refuse it.";
    /// Reserved bits of flags are 0.
    FlagBits = Warning "102" "flag-bits",
        example: "flags: 0x0000023e sets unknown bits",
        advice: "Write 0 for reserved bits.";
    /// Metadata lies within the chunk.
    Metadata = Warning "103" "metadata",
        example: "metadata.trackNames[2]: offset 4096 points outside the chunk; left out",
        advice: "Compress the clip again, or without metadata: poses do not depend on it.";
    /// Constant samples and ranges are finite.
    NotFinite = Warning "104" "not-finite",
        example: "constants: one of the translations contains NaN or infinity",
        advice: "Correct the value in the exporter: a bone with such a value has no position.";
}
