//! Skeletons and animations as files, in canonical layout.

use pchr::bytes::{Limit, WriteError, Writer};
use pchr::finding::Findings;

use super::{
    ANIMATION, COMPRESSED, FORMAT, MOST, PxdRule, RECORD, SKELETON, UNCOMPRESSED, VERSION,
    container,
};
use crate::motion::{AnimationType, Keys, Motion, RootMotion, Sampled, Skeleton, Track, Transform};

/// Writes a skeleton. One that was read from a file in canonical layout and is unchanged gives the same bytes.
///
/// # Errors
/// [`PxdUnwritable`] if there are too many bones, or a name has a NUL.
pub fn write_skeleton(skeleton: &Skeleton) -> Result<Vec<u8>, PxdUnwritable> {
    const PARENTS: usize = 0x68;
    let bones = skeleton.bones();
    let count = bones.len();
    if count as u64 > MOST {
        return Err(PxdUnwritable::limit("skeleton.bones".into(), count as u64, MOST));
    }
    let place = |start: usize, size: usize, align: usize| {
        start.saturating_add(count.saturating_mul(size)).next_multiple_of(align)
    };
    let names = place(PARENTS, 2, 8);
    let transforms = place(names, 16, 16);
    let strings_at = place(transforms, 48, 4);
    let mut w = Writer::new();
    let mut strings = Writer::new();
    let mut pointers = Vec::with_capacity(count.saturating_add(3));
    w.bytes(&SKELETON);
    w.u32(VERSION);
    for list in [PARENTS, names, transforms] {
        pointers.push(w.len() as u64);
        for number in [list, count, count, 0] {
            w.u64(number as u64);
        }
    }
    for (index, bone) in bones.iter().enumerate() {
        let parent = bone.parent.map_or(Ok(-1), i16::try_from);
        let parent = parent.map_err(|_| {
            let path = format!("skeleton.parents[{index}]");
            PxdUnwritable::limit(path, bone.parent.unwrap_or(0).into(), 0x7fff)
        })?;
        w.i16(parent);
    }
    w.zeros_to(names);
    for (index, bone) in bones.iter().enumerate() {
        let name = bone.name.as_bytes();
        if name.contains(&0) {
            let path = format!("skeleton.names[{index}]");
            return Err(PxdUnwritable::Nul { path });
        }
        pointers.push(w.len() as u64);
        w.u64(strings_at.saturating_add(strings.len()) as u64);
        w.u64(0);
        strings.bytes(name);
        strings.u8(0);
    }
    w.zeros_to(transforms);
    for bone in bones {
        let Transform { translation, rotation, scale } = bone.rest;
        let numbers = translation.into_iter().chain([0.0]).chain(rotation);
        for value in numbers.chain(scale).chain([0.0]) {
            w.f32(single(value));
        }
    }
    Ok(container::write(w, strings, &pointers, &skeleton.pxd_layout.offset_table)?)
}

/// Writes an animation: clips of ACL as they are, keys uncompressed. One that was read from a file in canonical layout and is unchanged
/// gives the same bytes. Notes, loops and flags of bones are left out: PXD has none.
///
/// # Errors
/// [`PxdUnwritable`] if bones have no index or two tracks, types differ from PXD's, or a number does not fit its field.
pub fn write_animation(motion: &Motion) -> Result<Vec<u8>, PxdUnwritable> {
    let kind = motion.animation_type;
    let is_other = matches!(kind, AnimationType::Relative | AnimationType::Delta);
    if is_other || !motion.modifiers.is_empty() {
        return Err(PxdUnwritable::Type);
    }
    if motion.is_timed() {
        return Err(PxdUnwritable::Timed);
    }
    match (motion.sampled(), motion.root()) {
        (Some(skeletal), None) => clips(motion, skeletal, None),
        (Some(skeletal), Some(RootMotion::Sampled(root))) => clips(motion, skeletal, Some(root)),
        (None, None) => keys(motion, None),
        (None, Some(RootMotion::Keys(root))) => keys(motion, Some(root)),
        _ => Err(PxdUnwritable::Mixed),
    }
}

/// Returns the time from the first frame to the last, in seconds.
pub(super) fn duration_secs(rate: f32, frame_count: u32) -> f32 {
    single(f64::from(frame_count.saturating_sub(1)) / f64::from(rate))
}

/// Writes the header, up to the skeletal part; both parts have their offsets. Returns the places of its pointers.
fn header(
    w: &mut Writer,
    motion: &Motion,
    tracks: usize,
    compression: u8,
    (skeletal, root): (usize, Option<usize>),
) -> Vec<u64> {
    const FIELDS: u64 = 0x18;
    w.bytes(&ANIMATION);
    w.u32(VERSION);
    w.u8((motion.animation_type == AnimationType::Additive).into());
    w.u8(compression);
    w.bytes(&[0; 6]);
    w.u64(FIELDS);
    let (rate, frames) = (motion.rate, motion.frame_count);
    let stated = motion
        .pxd_layout
        .duration
        .filter(|stated| stated.rate.to_bits() == rate.to_bits() && stated.frame_count == frames);
    let computed = duration_secs(motion.frames_per_second(), frames);
    w.f32(stated.map_or(computed, |stated| stated.secs));
    w.u32(frames);
    w.u64(tracks as u64);
    w.u64(skeletal as u64);
    w.u64(root.unwrap_or(0) as u64);
    w.zeros_to(skeletal);
    let root = root.map(|_| 0x30);
    [0x10, 0x28].into_iter().chain(root).collect()
}

fn clips(
    motion: &Motion,
    skeletal: &Sampled,
    root: Option<&Sampled>,
) -> Result<Vec<u8>, PxdUnwritable> {
    const SKELETAL: usize = 0x40;
    let end = SKELETAL.saturating_add(skeletal.clip.bytes().len());
    let gap = motion.pxd_layout.gap.map(|gap| end.saturating_add(gap));
    let kept = gap.filter(|place| place.is_multiple_of(16));
    let root_at = root.map(|_| kept.unwrap_or(end.next_multiple_of(16)));
    let mut w = Writer::new();
    let tracks = motion.tracks().len();
    let pointers = header(&mut w, motion, tracks, COMPRESSED, (SKELETAL, root_at));
    w.bytes(skeletal.clip.bytes());
    if let (Some(root), Some(place)) = (root, root_at) {
        w.zeros_to(place);
        w.bytes(root.clip.bytes());
    }
    let table = &motion.pxd_layout.offset_table;
    Ok(container::write(w, Writer::new(), &pointers, table)?)
}

fn keys(motion: &Motion, root: Option<&Track>) -> Result<Vec<u8>, PxdUnwritable> {
    /// Offset of the records.
    const SKELETAL: usize = 0x38;
    let tracks = by_bone(motion)?;
    let count = tracks.len();
    let size = usize::try_from(RECORD).unwrap_or(usize::MAX);
    let end = SKELETAL.saturating_add(count.saturating_mul(size));
    let root_at = root.map(|_| end.next_multiple_of(16));
    let mut records = Writer::new();
    let pointers = header(&mut records, motion, count, UNCOMPRESSED, (SKELETAL, root_at));
    let mut body = Body {
        records,
        data_at: root_at.map_or(end, |place| place.saturating_add(size)),
        data: Writer::new(),
        pointers,
    };
    for (index, track) in tracks.into_iter().enumerate() {
        body.track(motion, track, &|| format!("tracks[{index}]"))?;
    }
    if let (Some(root), Some(place)) = (root, root_at) {
        body.records.zeros_to(place);
        body.track(motion, Some(root), &|| "root".into())?;
    }
    let Body { mut records, mut data, pointers, .. } = body;
    records.append(&mut data);
    let table = &motion.pxd_layout.offset_table;
    Ok(container::write(records, Writer::new(), &pointers, table)?)
}

/// Returns the tracks by the indices of their bones.
fn by_bone(motion: &Motion) -> Result<Vec<Option<&Track>>, PxdUnwritable> {
    let mut tracks = Vec::with_capacity(motion.tracks().len());
    for (index, track) in motion.tracks().iter().enumerate() {
        let bone = track.target.bone().ok_or(PxdUnwritable::Named(index))?;
        if u64::from(bone) >= MOST {
            let path = format!("tracks[{index}]");
            return Err(PxdUnwritable::limit(path, bone.into(), MOST.saturating_sub(1)));
        }
        let bone = bone as usize;
        if bone >= tracks.len() {
            tracks.resize(bone.saturating_add(1), None);
        }
        let slot = tracks.get_mut(bone).ok_or(PxdUnwritable::Twice(index))?;
        if slot.replace(track).is_some() {
            return Err(PxdUnwritable::Twice(index));
        }
    }
    Ok(tracks)
}

/// Records of tracks, and the columns behind all of them.
struct Body {
    records: Writer,
    data: Writer,
    /// Offset of the columns.
    data_at: usize,
    pointers: Vec<u64>,
}

impl Body {
    fn track(
        &mut self,
        motion: &Motion,
        track: Option<&Track>,
        path: &dyn Fn() -> String,
    ) -> Result<(), PxdUnwritable> {
        self.channel(track.and_then(|track| motion.translation(track)), path)?;
        self.channel(track.and_then(|track| motion.rotation(track)), path)?;
        self.channel(track.and_then(|track| motion.scale(track)), path)
    }

    fn channel<const N: usize>(
        &mut self,
        keys: Option<Keys<'_, N>>,
        path: &dyn Fn() -> String,
    ) -> Result<(), PxdUnwritable> {
        let Some(keys) = keys.filter(|keys| !keys.is_empty()) else {
            self.records.bytes(&[0; 0x18]);
            return Ok(());
        };
        self.records.u64(keys.len() as u64);
        self.column();
        for key in keys.iter() {
            let frame = u16::try_from(key.frame).map_err(|_| {
                PxdUnwritable::limit(format!("{}: frame", path()), key.frame.into(), 0xffff)
            })?;
            self.data.u16(frame);
        }
        let end = self.data_at.saturating_add(self.data.len());
        let place = end.next_multiple_of(16).saturating_sub(self.data_at);
        self.data.zeros_to(place);
        self.column();
        let (packed, format) = keys.packed();
        if format == FORMAT {
            for key in packed.chunks_exact(FORMAT.stride(N)) {
                self.data.bytes(key.get(2..).unwrap_or_default());
                self.data.bytes([0; 16].get(N.saturating_mul(4)..).unwrap_or_default());
            }
            return Ok(());
        }
        for key in keys.iter() {
            for value in key.value {
                self.data.f32(single(value));
            }
            self.data.bytes([0; 16].get(N.saturating_mul(4)..).unwrap_or_default());
        }
        Ok(())
    }

    /// Writes a pointer to the end of the columns.
    fn column(&mut self) {
        self.pointers.push(self.records.len() as u64);
        let place = self.data_at.saturating_add(self.data.len());
        self.records.u64(place as u64);
    }
}

/// Content that PXD cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PxdUnwritable {
    /// A number that its field has no room for.
    #[error(transparent)]
    Limit(#[from] WriteError),
    /// A name with a NUL, which would end it.
    #[error("{path}: a name with a NUL cannot be written")]
    Nul {
        /// The name, like `skeleton.names[2]`.
        path: String,
    },
    /// A track that knows its bone by name: the skeleton has the index.
    #[error(
        "tracks[{0}]: names its bone, but PXD refers to bones by number; this needs the skeleton"
    )]
    Named(usize),
    /// A second track of a bone.
    #[error("tracks[{0}]: its bone already has a track")]
    Twice(usize),
    /// Values relative to a reference that PXD does not have.
    #[error("PXD holds only absolute and additive motions")]
    Type,
    /// Keys at times: PXD has keys on frames.
    #[error("a motion with keys at times must be converted to keys on frames before it is written")]
    Timed,
    /// Only one of tracks and root motion is sampled.
    #[error("expected tracks and root motion to be either both sampled or both keyed")]
    Mixed,
}

impl PxdUnwritable {
    pub(super) fn limit(path: String, found: u64, most: u64) -> Self {
        Self::Limit(WriteError { path, found, limit: Limit::AtMost(most) })
    }
}

/// Converts a number to PXD's precision.
pub(super) fn single(value: f64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "PXD has single precision")]
    let single = value as f32;
    single
}

/// Rules whose faults a writer repairs. Their findings already mean that the bytes are not kept.
const REPAIRED: [PxdRule; 4] =
    [PxdRule::Sizes, PxdRule::OffsetTable, PxdRule::RootOffset, PxdRule::Additive];

/// Finds the first byte that would be written differently, unless another finding explains it.
pub(super) fn check(bytes: &[u8], written: Result<Vec<u8>, PxdUnwritable>, found: &mut Findings) {
    let is_repaired = REPAIRED.iter().any(|rule| found.count(*rule) > 0);
    let written = match written {
        Ok(written) if written != bytes && !is_repaired => written,
        Ok(_) => return,
        Err(error) => {
            let message = || format!("cannot be written again: {error}");
            found.add(PxdRule::Layout, 0, "file", message);
            return;
        }
    };
    let offset = { bytes.iter().zip(&written) }.take_while(|(a, b)| a == b).count();
    let message = || {
        let other = match (bytes.get(offset), written.get(offset)) {
            (Some(found), Some(written)) => format!("{found:#04x}, written as {written:#04x}"),
            _ => format!("{} bytes, written as {}", bytes.len(), written.len()),
        };
        format!(
            "{other}: writing the file again does not keep unused bytes, gaps or the order of parts"
        )
    };
    found.add(PxdRule::Layout, offset as u64, "file", message);
}
