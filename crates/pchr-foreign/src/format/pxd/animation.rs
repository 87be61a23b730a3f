//! Reads an animation: clips of ACL, or keys.

use pchr::bytes::Reader;
use pchr::finding::{Finding, Findings, Invalid, counted};

use super::container::{BinaContainer, BinaList};
use super::write::{duration_secs, write_animation};
use super::{ANIMATION, COMPRESSED, FORMAT, MOST, PxdRule, RECORD, UNCOMPRESSED, write};
use crate::acl::Clip;
use crate::format::with_findings;
use crate::motion::{
    AnimationType, Channel, Channels, Conventions, Dialect, KeyPart, KeyRules, Motion, Place,
    Sampled, StatedDuration, Target, Track, check_keys,
};

/// Size of the header before the fields, and of the fields.
const HEADER: usize = 0x18;
const FIELDS: u64 = 0x20;

/// Offsets in the header.
mod at {
    pub(super) const ADDITIVE: u64 = 8;
    pub(super) const COMPRESSION: u64 = 9;
    pub(super) const FIELDS: u64 = 0x10;
}

/// Offsets in the fields.
mod field {
    pub(super) const FRAME_COUNT: u64 = 4;
    pub(super) const TRACK_COUNT: u64 = 8;
    pub(super) const SKELETAL: u64 = 0x10;
    pub(super) const ROOT: u64 = 0x18;
}

/// Reads an animation, with its findings.
///
/// # Errors
/// [`Invalid`] with every finding, if one of them is an error.
pub fn read_animation(bytes: &[u8]) -> Result<(Motion, Findings), Invalid> {
    with_findings(|found| read(bytes, found))
}

#[derive(Clone, Copy, Debug)]
struct Fields {
    place: u64,
    duration: f32,
    frame_count: u32,
    track_count: u32,
    skeletal: u64,
    /// Offset of root motion; 0 for none.
    root: u64,
    /// True if the root offset leads out of the file.
    dangling: bool,
}

fn read(bytes: &[u8], found: &mut Findings) -> Option<Motion> {
    let mut file = BinaContainer::read(bytes, ANIMATION, "an animation", found)?;
    let mut r = file.payload("animation", 0, HEADER, found)?;
    r.skip(8, 1).ok()?;
    let (additive, compression) = (r.u8().ok()?, r.u8().ok()?);
    r.skip(6, 1).ok()?;
    if additive > 1 {
        let message = || format!("{additive}, expected 0 or 1; read as additive");
        let place = file.offset(at::ADDITIVE);
        found.add(PxdRule::Additive, place, "animation.additive", message);
    }
    let fields = fields(&mut file, r.u64().ok()?, found)?;
    let mut motion = match compression {
        UNCOMPRESSED => keyed(&mut file, &fields, found)?,
        COMPRESSED => sampled(&mut file, &fields, found)?,
        _ => {
            let message = || format!("{compression}, expected 0 (uncompressed) or 8 (ACL)");
            let place = file.offset(at::COMPRESSION);
            found.add(PxdRule::Compression, place, "animation.compression", message);
            return None;
        }
    };
    if additive != 0 {
        motion.animation_type = AnimationType::Additive;
    }
    motion.conventions = Conventions::PXD;
    motion.dialect = Dialect::Pxd;
    motion.pxd_layout.duration = Some(StatedDuration {
        secs: fields.duration,
        rate: motion.rate,
        frame_count: motion.frame_count,
    });
    if !fields.dangling {
        file.check_table(found); // else it may list pointers of what is lost
    }
    motion.pxd_layout.offset_table = file.table.to_vec();
    if write_animation(&motion).as_deref() != Ok(bytes) {
        motion.pxd_layout.offset_table.clear();
        write::check(bytes, write_animation(&motion), found);
    }
    Some(motion)
}

fn fields(file: &mut BinaContainer<'_>, place: u64, found: &mut Findings) -> Option<Fields> {
    let list = BinaList { pointer: at::FIELDS, offset: place, count: 1, size: FIELDS };
    let bytes = file.list(list, "animation.fieldsOffset", found)?;
    let mut r = Reader::new(bytes);
    let duration = f32::from_bits(r.u32().ok()?);
    let (frame_count, track_count) = (r.u32().ok()?, r.u32().ok()?);
    r.skip(4, 1).ok()?;
    let (skeletal, root) = (r.u64().ok()?, r.u64().ok()?);
    let offset = |field: u64| file.offset(place.saturating_add(field));
    if u64::from(track_count) > MOST {
        let message = || format!("{track_count} tracks, expected at most {MOST}");
        found.add(PxdRule::Limit, offset(field::TRACK_COUNT), "animation.trackCount", message);
        return None;
    }
    if frame_count == 0 {
        let (path, message) = ("animation.frameCount", "0 frames; played up to the last key");
        found.add(PxdRule::FrameCount, offset(field::FRAME_COUNT), path, message);
    }
    let dangling = root >= file.end() && root != 0;
    if dangling {
        let message = || {
            let end = file.end();
            format!(
                "{root:#x}, but the data ends at {end:#x}; read as no root motion, which is what old exporters mean"
            )
        };
        found.add(PxdRule::RootOffset, offset(field::ROOT), "animation.rootOffset", message);
    }
    Some(Fields {
        place,
        duration,
        frame_count,
        track_count,
        skeletal,
        root: if dangling { 0 } else { root },
        dangling,
    })
}

/// Reads tracks with keys.
fn keyed(file: &mut BinaContainer<'_>, fields: &Fields, found: &mut Findings) -> Option<Motion> {
    let list = |field, offset, count: u32| BinaList {
        pointer: fields.place.saturating_add(field),
        offset,
        count: count.into(),
        size: RECORD,
    };
    let skeletal = list(field::SKELETAL, fields.skeletal, fields.track_count);
    let records = file.list(skeletal, "animation.skeletalOffset", found)?;
    let root = list(field::ROOT, fields.root, u32::from(fields.root != 0));
    let root_record = file.list(root, "animation.rootOffset", found)?;
    let mut packed = Vec::new();
    let mut tracks: Vec<TrackRecord> = Vec::with_capacity(records.len() / 0x48);
    for (index, record) in (0_u64..).zip(records.as_chunks::<0x48>().0) {
        let place = fields.skeletal.saturating_add(index.saturating_mul(RECORD));
        let path = || format!("tracks[{index}]");
        tracks.push(TrackRecord::read(file, place, record, &path, &mut packed, found)?);
    }
    let root = match root_record {
        [] => None,
        record => {
            let path = || "root".to_owned();
            Some(TrackRecord::read(file, fields.root, record, &path, &mut packed, found)?)
        }
    };
    let channels = Channels { translation: true, rotation: true, scale: true };
    let mut motion = Motion::packed(packed.into(), channels, FORMAT);
    motion.frame_count = fields.frame_count;
    motion.rate = rate(file, fields, found);
    motion.reserve_tracks(tracks.len());
    for (index, record) in (0..).zip(&tracks) {
        motion.add_packed_track(Target::Bone(index), 0, record.offset, record.places);
    }
    if let Some(root) = &root {
        motion.set_packed_root(root.offset, root.places);
    }
    for (index, (track, record)) in motion.tracks().iter().zip(&tracks).enumerate() {
        record.check(&motion, track, &|| format!("tracks[{index}]"), found);
    }
    if let (Some(track), Some(record)) = (motion.root().and_then(|root| root.keys()), &root) {
        record.check(&motion, track, &|| "root".into(), found);
    }
    Some(motion)
}

/// Reads the clips of a compressed animation.
fn sampled(file: &mut BinaContainer<'_>, fields: &Fields, found: &mut Findings) -> Option<Motion> {
    let skeletal = clip(file, fields, field::SKELETAL, fields.skeletal, found)?;
    let mut motion = Motion::default();
    motion.frame_count = fields.frame_count;
    motion.rate = skeletal.clip.sample_rate();
    check_clip(file, fields, field::SKELETAL, &skeletal, found);
    check_duration(file, fields, motion.rate, found);
    if fields.root != 0 {
        let root = clip(file, fields, field::ROOT, fields.root, found)?;
        check_clip(file, fields, field::ROOT, &root, found);
        let end = fields.skeletal.saturating_add(skeletal.clip.bytes().len() as u64);
        let gap = fields.root.checked_sub(end);
        motion.pxd_layout.gap = gap.and_then(|gap| usize::try_from(gap).ok());
        motion.set_sampled_root(root);
    }
    motion.set_sampled(skeletal);
    Some(motion)
}

fn part(field: u64) -> &'static str {
    match field {
        field::ROOT => "animation.root",
        _ => "animation.skeletal",
    }
}

/// Reads a clip. Findings about it name its part.
fn clip(
    file: &mut BinaContainer<'_>,
    fields: &Fields,
    field: u64,
    offset: u64,
    found: &mut Findings,
) -> Option<Sampled> {
    const SMALLEST: u64 = 32;
    let list =
        BinaList { pointer: fields.place.saturating_add(field), offset, count: 1, size: SMALLEST };
    file.list(list, || format!("{}Offset", part(field)), found)?;
    let place = file.offset(offset);
    let read = Clip::read(file.from(offset)?, place);
    let (clip, more) = match read {
        Ok((clip, more)) => (Some(clip), more),
        Err(Invalid(more)) => (None, more),
    };
    for finding in &more {
        found
            .push(Finding { path: format!("{}.{}", part(field), finding.path), ..finding.clone() });
    }
    clip.map(|clip| Sampled { clip, offset: place })
}

/// Checks a clip against the header.
fn check_clip(
    file: &BinaContainer<'_>,
    fields: &Fields,
    field: u64,
    clip: &Sampled,
    found: &mut Findings,
) {
    let (tracks, owner, played, stated) = match field {
        field::ROOT => (1, "root motion", "the first is", field::ROOT),
        _ => (fields.track_count, "the header", "the clip's are", field::TRACK_COUNT),
    };
    let offset = |field: u64| file.offset(fields.place.saturating_add(field));
    let path = part(field);
    if clip.tracks() != tracks {
        let message = || {
            let found = counted(clip.tracks(), "track", "tracks");
            format!("{found}, but {owner} has {tracks}; {played} played")
        };
        found.add(PxdRule::Clip, offset(stated), path, message);
    }
    if clip.clip.sample_count() != fields.frame_count {
        let message = || {
            let found = counted(clip.clip.sample_count(), "frame", "frames");
            let count = fields.frame_count;
            format!("{found}, but the header has {count}; the clip's are played")
        };
        found.add(PxdRule::Clip, offset(field::FRAME_COUNT), path, message);
    }
}

/// Finds a duration that does not match the rate of a clip.
fn check_duration(file: &BinaContainer<'_>, fields: &Fields, rate: f32, found: &mut Findings) {
    let expected = duration_secs(rate, fields.frame_count);
    let stated = fields.duration;
    let is_near = (stated - expected).abs() <= expected.abs() * 1e-3;
    if !is_near {
        let message = || {
            let frames = counted(fields.frame_count, "frame", "frames");
            format!("{stated}, expected {expected}: {frames} at {rate} per second, as in the clip")
        };
        found.add(PxdRule::Duration, file.offset(fields.place), "animation.duration", message);
    }
}

/// Returns the frames per second that give the duration: the shortest decimal number that does.
fn rate(file: &BinaContainer<'_>, fields: &Fields, found: &mut Findings) -> f32 {
    let Fields { duration, frame_count, .. } = *fields;
    let steps = frame_count.saturating_sub(1);
    let exact = f64::from(steps) / f64::from(duration);
    #[expect(clippy::cast_possible_truncation, reason = "rates are single precision")]
    let single = |rate: f64| rate as f32;
    let is_sound = |rate: f32| rate.is_finite() && rate > 0.0;
    if steps > 0 && is_sound(single(exact)) {
        let short = (0..7).map(|digits| {
            let scale = 10_f64.powi(digits);
            single((exact * scale).round() / scale)
        });
        let gives = |rate: &f32| is_sound(*rate) && duration_secs(*rate, frame_count) == duration;
        return { short }.find(gives).unwrap_or(single(exact));
    }
    let is_still = steps == 0 && duration == 0.0;
    if !is_still {
        let message = || match steps {
            0 => {
                format!("{duration}, expected 0 for a single frame; played at 30 frames per second")
            }
            _ => format!(
                "{duration}, expected a number above 0 for {frame_count} frames; played at 30 frames per second"
            ),
        };
        found.add(PxdRule::Duration, file.offset(fields.place), "animation.duration", message);
    }
    Motion::DEFAULT_RATE
}

const CHANNEL: u64 = 0x18;
const FRAME: u64 = 2;
/// Size of a value: four numbers, of which vectors use three.
const VALUE: u64 = 16;

const RULES: KeyRules<PxdRule> = KeyRules {
    range: PxdRule::KeyRange,
    order: PxdRule::KeyOrder,
    unordered: "",
    duplicate: PxdRule::KeyDuplicate,
    not_finite: PxdRule::NotFinite,
    rotation_length: PxdRule::RotationLength,
};

/// A track, as read: its keys in the packed bytes, and its columns in the file.
#[derive(Clone, Copy, Debug)]
struct TrackRecord {
    offset: u64,
    places: [Place; 3],
    /// Byte offsets of frames and of values.
    columns: [[u64; 2]; 3],
}

impl TrackRecord {
    fn check(
        &self,
        motion: &Motion,
        track: &Track,
        path: &dyn Fn() -> String,
        found: &mut Findings,
    ) {
        let path = |(channel, key): (Channel, usize)| {
            let path = path();
            format!("{path}.{}[{key}]", channel.name())
        };
        let offset = |(channel, key): (Channel, usize), part| {
            let [frames, values] = channel.of(self.columns);
            let (start, size) = match part {
                KeyPart::Frame => (frames, FRAME),
                KeyPart::Value => (values, VALUE),
            };
            start.saturating_add((key as u64).saturating_mul(size))
        };
        check_keys(motion, track, &RULES, &path, &offset, found);
    }

    /// Reads the track whose record is at an offset in the payload, and packs its keys in sequence.
    fn read(
        file: &mut BinaContainer<'_>,
        place: u64,
        record: &[u8],
        path: &dyn Fn() -> String,
        packed_keys: &mut Vec<u8>,
        found: &mut Findings,
    ) -> Option<Self> {
        let mut r = Reader::new(record);
        let mut places = [Place::default(); 3];
        let mut columns = [[0; 2]; 3];
        let channels = Channel::ALL.into_iter().zip(&mut places).zip(&mut columns);
        for (index, ((channel, packed), columns)) in (0_u64..).zip(channels) {
            let (count, frames, values) = (r.u64().ok()?, r.u64().ok()?, r.u64().ok()?);
            let start = place.saturating_add(index.saturating_mul(CHANNEL));
            let path = |column: &str| format!("{}.{}{column}", path(), channel.name());
            let list = |after: u64, offset, size| BinaList {
                pointer: start.saturating_add(after),
                offset,
                count,
                size,
            };
            let frame_bytes = file.list(list(8, frames, FRAME), || path(".frames"), found)?;
            let value_bytes = file.list(list(16, values, VALUE), || path(".values"), found)?;
            file.take(start.saturating_add(16), value_bytes, || path(".values"), found)?;
            *columns = [file.offset(frames), file.offset(values)];
            packed.at = packed_keys.len();
            packed.count = u32::try_from(count).ok()?;
            let frames = frame_bytes.as_chunks::<2>().0.iter();
            let size = channel.lanes().saturating_mul(4);
            for (frame, value) in frames.zip(value_bytes.as_chunks::<16>().0) {
                packed_keys.extend(frame);
                packed_keys.extend(value.get(..size).unwrap_or_default());
            }
        }
        Some(Self { offset: file.offset(place), places, columns })
    }
}
