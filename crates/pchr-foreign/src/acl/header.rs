//! The parts of a clip: transforms and their formats, the bytes of a chunk, and both headers.

use pchr::finding::{Finding, Findings, counted};

use super::AclRule;

/// Transform of a track, as it is stored: usually from the bone's space to its parent's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Quaternion `x y z w`.
    pub rotation: [f32; 4],
    /// `x y z`, in the unit of the file.
    pub translation: [f32; 3],
    /// Factors along `x y z`.
    pub scale: [f32; 3],
}

impl Transform {
    /// Bytes of a transform that is not compressed.
    pub const SIZE: u64 = 40;
}

/// A part of a transform; each has its own track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Quaternions.
    Rotation,
    /// Places.
    Translation,
    /// Factors.
    Scale,
}

impl Part {
    /// All parts in the order of a chunk.
    pub const ALL: [Self; 3] = [Self::Rotation, Self::Translation, Self::Scale];

    /// Its name in findings.
    pub(super) fn plural(self) -> &'static str {
        self.of(["rotations", "translations", "scales"])
    }

    /// The one of this part among those of [all](Self::ALL).
    pub(super) fn of<T>(self, [rotation, translation, scale]: [T; 3]) -> T {
        match self {
            Self::Rotation => rotation,
            Self::Translation => translation,
            Self::Scale => scale,
        }
    }
}

/// Storage of a part of one track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Nothing is stored: no rotation, no translation, the clip's default scale.
    Default,
    /// One value for the whole clip.
    Constant,
    /// A value for each sample.
    Animated,
}

/// Format of the rotations of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RotationFormat {
    /// Four 32-bit floats.
    Full,
    /// Three 32-bit floats; `w` follows from them.
    DropW,
    /// Three whole numbers of a track's own bit count in a segment; `w` follows from them.
    DropWVariable,
}

/// Format of the translations or of the scales of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorFormat {
    /// Three 32-bit floats.
    Full,
    /// Three whole numbers of a track's own bit count in a segment.
    Variable,
}

/// Formats of the three parts of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formats {
    /// Of rotations.
    pub rotation: RotationFormat,
    /// Of translations.
    pub translation: VectorFormat,
    /// Of scales; `None` if the clip has none.
    pub scale: Option<VectorFormat>,
}

impl Formats {
    /// Returns whether a part is stored.
    #[must_use]
    pub fn has(&self, part: Part) -> bool {
        part != Part::Scale || self.scale.is_some()
    }

    /// Returns whether a part has a bit count for each track and segment.
    #[must_use]
    pub fn is_variable(&self, part: Part) -> bool {
        part.of([
            self.rotation == RotationFormat::DropWVariable,
            self.translation == VectorFormat::Variable,
            self.scale == Some(VectorFormat::Variable),
        ])
    }

    /// Bits of a sample of a part that is not variable.
    pub(super) fn full_bits(&self, part: Part) -> u32 {
        match (part, self.rotation) {
            (Part::Rotation, RotationFormat::Full) => 128,
            _ => 96,
        }
    }
}

/// Bytes from the start of a chunk on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk<'a> {
    pub(super) bytes: &'a [u8],
    /// Place of the chunk in its file.
    pub(super) base: u64,
}

impl<'a> Chunk<'a> {
    /// A finding about a byte of the chunk.
    pub(super) fn finding(self, rule: AclRule, at: u64, path: &str, message: &str) -> Finding {
        Finding::new(rule, self.base.saturating_add(at), path, message)
    }

    /// `length` bytes from `at` on; none if `length` is 0, for any `at`. `what` names the content in messages.
    pub(super) fn part(
        self,
        at: u64,
        length: u64,
        path: &str,
        what: impl FnOnce() -> String,
    ) -> Result<&'a [u8], Finding> {
        if length == 0 {
            return Ok(&[]);
        }
        let start = usize::try_from(at).unwrap_or(usize::MAX);
        let from = self.bytes.get(start..).unwrap_or_default();
        let part = usize::try_from(length).ok().and_then(|length| from.get(..length));
        part.ok_or_else(|| {
            let (left, what) = (from.len(), what());
            let left = counted(left, "byte is", "bytes are");
            let message = format!("{left} left, but {what} take {length}");
            let at = at.min(self.bytes.len() as u64);
            self.finding(AclRule::UnexpectedEnd, at, path, &message)
        })
    }

    pub(super) fn words<const N: usize>(self, at: u64, path: &str) -> Result<[u32; N], Finding> {
        let what = || format!("{N} numbers");
        let bytes = self.part(at, (N as u64).saturating_mul(4), path, what)?;
        let mut all = words(bytes);
        Ok(std::array::from_fn(|_| all.next().unwrap_or_default()))
    }
}

pub(super) fn words(bytes: &[u8]) -> impl ExactSizeIterator<Item = u32> + Clone {
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word))
}

pub(super) fn floats(bytes: &[u8]) -> impl ExactSizeIterator<Item = f32> + Clone {
    bytes.as_chunks().0.iter().map(|word| f32::from_le_bytes(*word))
}

/// FNV-1a in 32 bits.
pub(super) fn hash(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .fold(2_166_136_261, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(16_777_619))
}

/// First word of a chunk behind its size and hash.
const TAG: u32 = 0xac11_ac11;
/// Binary version of ACL 2.0.0 to 2.0.6.
const VERSION: u32 = 7;
/// Rotation, translation, scale.
const QVVF: u32 = 12;
/// Size of the first header: offsets in the second one count from here.
pub(super) const HEADER: u64 = 32;
const TRACKS_HEADER: u64 = 52;
/// No offset.
pub(super) const ABSENT: u32 = u32::MAX;
/// Tracks of a clip: skeletons number bones in 16 bits.
const MOST_TRACKS: u32 = 0xffff;
/// Samples of a clip: times in 32-bit floats reach no further.
const MOST_SAMPLES: u32 = 1 << 24;

/// Bits of `flags`.
mod flag {
    pub(super) const SCALE: u32 = 1;
    pub(super) const DEFAULT_SCALE: u32 = 1 << 1;
    pub(super) const SCALE_FORMAT: u32 = 1 << 2;
    pub(super) const TRANSLATION_FORMAT: u32 = 1 << 3;
    pub(super) const ROTATION_FORMAT: u32 = 0xf << 4;
    pub(super) const DATABASE: u32 = 1 << 8;
    pub(super) const UNKNOWN: u32 = 0x7fff_fe00;
    pub(super) const METADATA: u32 = 1 << 31;
}

/// Offsets of fields.
mod at {
    pub(super) const HASH: u64 = 4;
    pub(super) const TAG: u64 = 8;
    pub(super) const VERSION: u64 = 12;
    pub(super) const ALGORITHM: u64 = 14;
    pub(super) const TRACK_TYPE: u64 = 15;
    pub(super) const TRACK_COUNT: u64 = 16;
    pub(super) const SAMPLE_COUNT: u64 = 20;
    pub(super) const RATE: u64 = 24;
    pub(super) const FLAGS: u64 = 28;
}

#[derive(Clone, Copy, Debug)]
pub(super) struct AclHeader {
    pub(super) track_count: u16,
    pub(super) sample_count: u32,
    pub(super) rate: f32,
    pub(super) formats: Formats,
    /// 0 or 1.
    pub(super) default_scale: f32,
    pub(super) has_metadata: bool,
}

impl AclHeader {
    /// Reads the header that `file` begins with. The chunk that is returned ends where its size says.
    pub(super) fn read<'a>(
        file: Chunk<'a>,
        found: &mut Findings,
    ) -> Result<(Self, Chunk<'a>), Finding> {
        let head = file.part(0, HEADER, "header", || "the header's fields".into())?;
        let head = Chunk { bytes: head, ..file };
        let fields = head.words(0, "header")?;
        let [size, stated, tag, kinds, tracks, samples, rate, flags] = fields;
        let fault = |rule, at, path, message: String| Err(file.finding(rule, at, path, &message));
        let (version, algorithm, track_type) = (kinds & 0xffff, (kinds >> 16) & 0xff, kinds >> 24);
        if tag != TAG {
            let message = format!("{tag:#010x}, expected {TAG:#010x}");
            return fault(AclRule::Tag, at::TAG, "tag", message);
        }
        if version != VERSION {
            let message = format!("version {version}, but this program reads version 7 (ACL 2.0)");
            return fault(AclRule::Version, at::VERSION, "version", message);
        }
        if algorithm != 0 {
            let message = format!("{algorithm}, expected 0 (uniformly sampled)");
            return fault(AclRule::Algorithm, at::ALGORITHM, "algorithm", message);
        }
        if track_type != QVVF {
            let message = format!("{track_type}, expected 12 (rotation, translation and scale)");
            return fault(AclRule::TrackType, at::TRACK_TYPE, "trackType", message);
        }
        let smallest = match tracks {
            0 => HEADER,
            _ => HEADER.saturating_add(TRACKS_HEADER),
        };
        if u64::from(size) < smallest {
            let message = format!("{size} bytes, but the headers take {smallest}");
            return fault(AclRule::UnexpectedEnd, 0, "size", message);
        }
        let bytes = file.part(0, size.into(), "size", || "the fields of the chunk".into())?;
        if flags & flag::DATABASE != 0 {
            let message = "the clip is split into a database; a part of its samples lies elsewhere";
            return fault(AclRule::Database, at::FLAGS, "flags", message.into());
        }
        let formats = match formats(flags) {
            Ok(formats) => formats,
            Err(code) => {
                let message = format!(
                    "rotation format {code}, expected 0 (full), 2 (full without w) or 3 (variable without w)"
                );
                return fault(AclRule::RotationFormat, at::FLAGS, "flags", message);
            }
        };
        let Ok(track_count) = u16::try_from(tracks) else {
            let message = format!("{tracks} tracks, expected at most {MOST_TRACKS}");
            return fault(AclRule::Limit, at::TRACK_COUNT, "trackCount", message);
        };
        let path = "sampleCount";
        if samples == 0 && tracks > 0 {
            let message = format!("0 samples of {}", counted(tracks, "track", "tracks"));
            return fault(AclRule::SampleCount, at::SAMPLE_COUNT, path, message);
        }
        if samples > MOST_SAMPLES {
            let message = format!("{samples} samples, expected at most {MOST_SAMPLES}");
            return fault(AclRule::Limit, at::SAMPLE_COUNT, path, message);
        }
        let rate = f32::from_bits(rate);
        if !(rate.is_finite() && rate > 0.0) {
            let message = format!("{rate}, expected a number above 0");
            return fault(AclRule::Rate, at::RATE, "sampleRate", message);
        }
        let actual = hash(bytes.get(8..).unwrap_or_default());
        if stated != actual {
            let message = format!("{stated:#010x}, but the data has {actual:#010x}");
            found.push(file.finding(AclRule::Hash, at::HASH, "hash", &message));
        }
        if flags & flag::UNKNOWN != 0 {
            let message = format!("{flags:#010x} sets unknown bits");
            found.push(file.finding(AclRule::FlagBits, at::FLAGS, "flags", &message));
        }
        let default_scale = match flags & flag::DEFAULT_SCALE {
            0 => 0.0,
            _ => 1.0,
        };
        let header = Self {
            track_count,
            sample_count: samples,
            rate,
            formats,
            default_scale,
            has_metadata: flags & flag::METADATA != 0,
        };
        Ok((header, Chunk { bytes, ..file }))
    }
}

/// The formats, or the invalid code of the rotations.
fn formats(flags: u32) -> Result<Formats, u32> {
    let vector = |flag| match flags & flag {
        0 => VectorFormat::Full,
        _ => VectorFormat::Variable,
    };
    Ok(Formats {
        rotation: match (flags & flag::ROTATION_FORMAT) >> 4 {
            0 => RotationFormat::Full,
            2 => RotationFormat::DropW,
            3 => RotationFormat::DropWVariable,
            code => return Err(code),
        },
        translation: vector(flag::TRANSLATION_FORMAT),
        scale: (flags & flag::SCALE != 0).then(|| vector(flag::SCALE_FORMAT)),
    })
}

/// The header of transform tracks. Offsets are from the start of the chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct TracksHeader {
    pub(super) segment_count: u32,
    /// Bytes of formats in a segment.
    pub(super) variable: u32,
    /// Number of animated tracks of each part.
    pub(super) animated: [u32; 3],
    /// Number of constant tracks of each part.
    pub(super) constant: [u32; 3],
    /// Offset of the first samples of segments, if there are several.
    pub(super) starts: u64,
    pub(super) segments: u64,
    pub(super) types: u64,
    pub(super) constants: u64,
    pub(super) ranges: u64,
}

/// Offsets of fields of the second header.
pub(super) mod tracks_at {
    pub(in super::super) const SEGMENT_COUNT: u64 = 32;
    pub(in super::super) const VARIABLE: u64 = 36;
    pub(in super::super) const ANIMATED: u64 = 40;
    pub(in super::super) const CONSTANT: u64 = 52;
}

impl TracksHeader {
    pub(super) fn read(chunk: Chunk<'_>) -> Result<Self, Finding> {
        let fields = chunk.words(HEADER, "tracksHeader")?;
        let [segment_count, variable, ar, at, as_, cr, ct, cs, offsets @ ..]: [u32; 13] = fields;
        let [_, segments, types, constants, ranges] = offsets;
        let offset = |offset: u32| HEADER.saturating_add(offset.into());
        if segment_count == 0 {
            let message = "0 segments, expected at least 1";
            let at = tracks_at::SEGMENT_COUNT;
            return Err(chunk.finding(AclRule::SegmentStart, at, "segmentCount", message));
        }
        Ok(Self {
            segment_count,
            variable,
            animated: [ar, at, as_],
            constant: [cr, ct, cs],
            starts: HEADER.saturating_add(TRACKS_HEADER),
            segments: offset(segments),
            types: offset(types),
            constants: offset(constants),
            ranges: offset(ranges),
        })
    }

    /// Format bytes of a part in a segment: those of rotations are padded to groups of four.
    pub(super) fn format_bytes(&self, formats: &Formats, part: Part) -> u64 {
        let count = u64::from(part.of(self.animated));
        match part {
            _ if !formats.is_variable(part) => 0,
            Part::Rotation => count.next_multiple_of(4),
            _ => count,
        }
    }
}
