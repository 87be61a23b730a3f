//! Report about a clip that is compressed with ACL.

use std::borrow::Cow;
use std::ops::Range;

use schemars::JsonSchema;
use serde::Serialize;

use pchr_foreign::acl::{Clip, Part, RotationFormat, Segment, Storage, VectorFormat};
use pchr_foreign::motion::Sampled;

use crate::cli::pchr::inspect::ByteRange;

/// A compressed clip.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ClipReport")]
pub(super) struct AclClipReport<'a> {
    /// Purpose of its tracks: those of the bones ("skeletal"), or movement of the whole model ("root").
    #[schemars(extend("enum" = ["skeletal", "root"]))]
    pub(super) part: &'static str,
    /// Its bytes.
    pub(super) bytes: ByteRange,
    /// Version of ACL's format; 7 is that of ACL 2.0.
    pub(super) version: u16,
    /// Number of tracks.
    pub(super) track_count: u16,
    /// Number of samples of each track.
    pub(super) samples: u32,
    /// Samples per second.
    sample_rate: f32,
    /// Seconds from the first sample to the last.
    pub(super) duration: f32,
    /// Formats of rotations, translations and scales.
    pub(super) formats: FormatsReport,
    /// Scale of tracks that store none.
    pub(super) default_scale: f32,
    /// Bytes that all samples would take uncompressed: 40 for each track and sample.
    pub(super) raw_bytes: u64,
    /// Bytes of its parts.
    pub(super) sizes: SizesReport,
    /// Storage of rotations, in tracks.
    pub(super) rotation: StorageCount,
    /// Storage of translations, in tracks.
    pub(super) translation: StorageCount,
    /// Storage of scales, in tracks.
    pub(super) scale: StorageCount,
    /// Name of the clip, if it is stored.
    pub(super) name: Option<Cow<'a, str>>,
    /// The segments in their order.
    pub(super) segments: Vec<SegmentReport>,
    /// The tracks in the order of the bones.
    pub(super) tracks: Vec<ClipTrackReport<'a>>,
}

/// Formats of the parts of all tracks.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(super) struct FormatsReport {
    /// Of rotations: four floats, three floats, or three whole numbers, each track with its own bit rate.
    #[schemars(extend("enum" = ["full", "drop-w-full", "drop-w-variable"]))]
    pub(super) rotation: &'static str,
    /// Of translations: three floats, or three whole numbers, each track with its own bit rate.
    #[schemars(extend("enum" = ["full", "variable"]))]
    pub(super) translation: &'static str,
    /// The same for scales; null if the clip stores none.
    #[schemars(extend("enum" = ["full", "variable", null]))]
    pub(super) scale: Option<&'static str>,
}

/// Bytes of the parts of a clip.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SizesReport {
    /// Both headers.
    headers: u64,
    /// Tables of segments.
    pub(super) segments: u64,
    /// Storage of each part of each track.
    pub(super) types: u64,
    /// Constant values.
    constants: u64,
    /// Ranges of animated tracks in the clip.
    clip_ranges: u64,
    /// Bit rates in all segments.
    pub(super) formats: u64,
    /// Ranges in all segments.
    segment_ranges: u64,
    /// Animated samples.
    pub(super) samples: u64,
}

/// Tracks by their storage of a part.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
pub(super) struct StorageCount {
    /// Tracks that store nothing.
    pub(super) default: usize,
    /// Tracks with one value.
    pub(super) constant: usize,
    /// Tracks with a value for each sample.
    pub(super) animated: usize,
}

/// A run of samples.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SegmentReport {
    /// Its index.
    pub(super) index: usize,
    /// The first sample.
    pub(super) start: u32,
    /// Number of samples.
    pub(super) samples: u32,
    /// Bits of the animated values of all tracks at one sample.
    pub(super) pose_bits: u32,
    /// Bits of the rotations among them.
    rotation_bits: u32,
    /// Bits of the translations among them.
    translation_bits: u32,
    /// Bytes of bit rates.
    pub(super) formats: ByteRange,
    /// Bytes of ranges; empty in a clip of one segment.
    pub(super) ranges: ByteRange,
    /// Bytes of samples.
    pub(super) poses: ByteRange,
}

/// A track of a clip.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct ClipTrackReport<'a> {
    /// Its index, and that of its bone.
    pub(super) index: u16,
    /// Its name, if it is stored.
    pub(super) name: Option<Cow<'a, str>>,
    /// Index of its parent, if that is stored; null for a root, too.
    pub(super) parent: Option<u16>,
    /// Precision that it was compressed with, if it is stored and a number.
    pub(super) precision: Option<f32>,
    /// Its rotations.
    pub(super) rotation: PartReport,
    /// Its translations.
    pub(super) translation: PartReport,
    /// Its scales.
    pub(super) scale: PartReport,
}

/// Storage of a part of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct PartReport {
    /// Nothing is stored ("default"), one value, or one for each sample.
    #[schemars(extend("enum" = ["default", "constant", "animated"]))]
    pub(super) storage: &'static str,
    /// Bits of each number of an animated part; null for the others.
    pub(super) bits: Option<BitsReport>,
}

/// Bits of a number: 3 to 19, 32 for a float, 0 if it is constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct BitsReport {
    /// The fewest over all segments.
    pub(super) min: u8,
    /// The maximum over all segments.
    pub(super) max: u8,
}

pub(super) fn report<'a>(sampled: &'a Sampled, part: &'static str) -> AclClipReport<'a> {
    let Sampled { clip, offset } = sampled;
    let (sizes, formats) = (clip.sizes(), clip.formats());
    let of = |at: &Range<u32>| ByteRange {
        offset: offset.saturating_add(at.start.into()),
        length: at.end.saturating_sub(at.start).into(),
    };
    let segment = |(index, segment): (usize, &Segment)| SegmentReport {
        index,
        start: segment.start,
        samples: segment.samples,
        pose_bits: segment.pose_bits,
        rotation_bits: segment.rotation_bits,
        translation_bits: segment.translation_bits,
        formats: of(&segment.formats),
        ranges: of(&segment.ranges),
        poses: of(&segment.poses),
    };
    let vector = |format: VectorFormat| match format {
        VectorFormat::Full => "full",
        VectorFormat::Variable => "variable",
    };
    let count = |part| StorageCount {
        default: clip.count(part, Storage::Default),
        constant: clip.count(part, Storage::Constant),
        animated: clip.count(part, Storage::Animated),
    };
    let tracks = 0..clip.track_count();
    AclClipReport {
        part,
        bytes: (*offset..offset.saturating_add(sizes.chunk)).into(),
        version: Clip::VERSION,
        track_count: clip.track_count(),
        samples: clip.sample_count(),
        sample_rate: clip.sample_rate(),
        duration: clip.duration(),
        formats: FormatsReport {
            rotation: match formats.rotation {
                RotationFormat::Full => "full",
                RotationFormat::DropW => "drop-w-full",
                RotationFormat::DropWVariable => "drop-w-variable",
            },
            translation: vector(formats.translation),
            scale: formats.scale.map(vector),
        },
        default_scale: clip.default_scale(),
        raw_bytes: clip.raw_size(),
        sizes: SizesReport {
            headers: sizes.headers,
            segments: sizes.segments,
            types: sizes.types,
            constants: sizes.constants,
            clip_ranges: sizes.clip_ranges,
            formats: sizes.formats,
            segment_ranges: sizes.segment_ranges,
            samples: sizes.samples,
        },
        rotation: count(Part::Rotation),
        translation: count(Part::Translation),
        scale: count(Part::Scale),
        name: clip.metadata().name(),
        segments: clip.segments().iter().enumerate().map(segment).collect(),
        tracks: tracks.map(|index| track(clip, index)).collect(),
    }
}

fn track(clip: &Clip, index: u16) -> ClipTrackReport<'_> {
    let metadata = clip.metadata();
    let precision = metadata.precision(index);
    let part = |part| {
        let storage = clip.storage(part, index);
        PartReport {
            storage: match storage {
                Storage::Default => "default",
                Storage::Constant => "constant",
                Storage::Animated => "animated",
            },
            bits: (storage == Storage::Animated).then(|| bits(clip, part, index)).flatten(),
        }
    };
    ClipTrackReport {
        index,
        name: metadata.track_name(index),
        parent: metadata.parent(index).flatten(),
        precision: precision.filter(|precision| precision.is_finite()),
        rotation: part(Part::Rotation),
        translation: part(Part::Translation),
        scale: part(Part::Scale),
    }
}

fn bits(clip: &Clip, part: Part, track: u16) -> Option<BitsReport> {
    let segments = 0..clip.segments().len();
    let bits = segments.filter_map(|segment| clip.bit_count(part, track, segment));
    let (min, max) = (bits.clone().min()?, bits.max()?);
    Some(BitsReport { min, max })
}
