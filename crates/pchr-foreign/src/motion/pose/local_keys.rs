//! Keys of a motion applied to a skeleton: local transforms, for formats without other references.

use pchr::finding::counted;

use super::plan::kinds;
use super::poser::Poser;
use super::rest::{AdditiveRotation, Meaning, Values};
use super::{Binding, Moment};
use crate::motion::{
    AnimationType, Key, Keys, Motion, RootMotion, Sampled, Skeleton, TimedTrack, Track, TrackKeys,
    Transform,
};

/// Local transforms over time: keys for each bone of a skeleton, independent of the reference of the motion's own values.
///
/// Sparse keys stay where they are, those at times until [`LocalKeys::on_frames`] moves them. Of samples each frame is a key, without
/// those in the midst of equal ones.
#[derive(Clone, Debug, Default)]
pub struct LocalKeys {
    /// Keys of each bone, in the order of the skeleton.
    pub bones: Vec<BoneKeys>,
    /// Movement of the whole model.
    pub root: Option<BoneKeys>,
}

/// Keys of a bone's local transform, in its parent's space. Frames ascend; a channel without keys is at rest.
#[derive(Clone, Debug, Default)]
pub struct BoneKeys {
    /// Translations.
    pub translation: Vec<Key<3>>,
    /// Rotations, as quaternions `x y z w`.
    pub rotation: Vec<Key<4>>,
    /// Scales.
    pub scale: Vec<Key<3>>,
    /// Channels with keys at times in seconds; they have none on frames.
    pub timed: TimedTrack,
}

/// A motion with too many samples to give each of them a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{frames} frames of {} are too many to become keys, expected at most {} samples",
    counted(.tracks, "track", "tracks"),
    LocalKeys::MOST_SAMPLES
)]
pub struct TooManySamples {
    /// Number of frames.
    pub frames: u32,
    /// Number of tracks.
    pub tracks: u32,
}

impl LocalKeys {
    /// Maximum number of samples that become keys.
    pub const MOST_SAMPLES: u64 = 1 << 22;

    /// Computes the keys of a motion on a skeleton.
    ///
    /// # Errors
    /// [`TooManySamples`] if the motion is sampled and has more than [`LocalKeys::MOST_SAMPLES`].
    pub fn new(
        motion: &Motion,
        skeleton: &Skeleton,
        binding: &Binding,
        additive: AdditiveRotation,
    ) -> Result<Self, TooManySamples> {
        let bones = match motion.sampled() {
            Some(sampled) => {
                check(sampled)?;
                sample(motion, skeleton, binding, additive)
            }
            None => of_tracks(motion, skeleton, binding, additive),
        };
        let root = match motion.root() {
            Some(RootMotion::Sampled(sampled)) => {
                check(sampled)?;
                Some(sample_root(motion, skeleton, binding))
            }
            _ => binding.root(motion).map(|track| {
                let meaning = Meaning::of(motion, AnimationType::Absolute, additive);
                BoneKeys::of_track(motion, track, meaning, &Transform::IDENTITY)
            }),
        };
        Ok(Self { bones, root })
    }
}

fn check(sampled: &Sampled) -> Result<(), TooManySamples> {
    let (frames, tracks) = (sampled.frames(), sampled.tracks());
    let samples = u64::from(frames).saturating_mul(tracks.into());
    if samples > LocalKeys::MOST_SAMPLES {
        return Err(TooManySamples { frames, tracks });
    }
    Ok(())
}

fn of_tracks(
    motion: &Motion,
    skeleton: &Skeleton,
    binding: &Binding,
    additive: AdditiveRotation,
) -> Vec<BoneKeys> {
    let mut bones = vec![BoneKeys::default(); skeleton.bones().len()];
    let kinds = kinds(motion, skeleton, binding);
    for (index, track) in motion.tracks().iter().enumerate() {
        let Some((bone, _)) = binding.bone(index) else {
            continue;
        };
        let at = bone as usize;
        let (kind, bone) = (kinds.get(at), skeleton.bones().get(at));
        if let (Some(kind), Some(bone), Some(keys)) = (kind, bone, bones.get_mut(at)) {
            let meaning = Meaning::of(motion, *kind, additive);
            *keys = BoneKeys::of_track(motion, track, meaning, &bone.rest);
        }
    }
    bones
}

fn sample(
    motion: &Motion,
    skeleton: &Skeleton,
    binding: &Binding,
    additive: AdditiveRotation,
) -> Vec<BoneKeys> {
    let mut bones = vec![BoneKeys::default(); skeleton.bones().len()];
    let tracks = (0..motion.tracks().len()).filter_map(|track| binding.bone(track));
    let moved: Vec<usize> = tracks.map(|(bone, _)| bone as usize).collect();
    let mut poser = Poser::new(motion, skeleton, binding, additive);
    for frame in 0..motion.frames() {
        poser.pose(Moment::Frame(frame));
        for bone in &moved {
            if let (Some(keys), Some(local)) = (bones.get_mut(*bone), poser.locals().get(*bone)) {
                keys.append(frame, local);
            }
        }
    }
    bones.iter_mut().for_each(BoneKeys::finish);
    bones
}

fn sample_root(motion: &Motion, skeleton: &Skeleton, binding: &Binding) -> BoneKeys {
    let mut keys = BoneKeys::default();
    let mut poser = Poser::new(motion, skeleton, binding, AdditiveRotation::default());
    for frame in 0..motion.frames() {
        if let Some(root) = poser.root(Moment::Frame(frame)) {
            keys.append(frame, &root);
        }
    }
    keys.finish();
    keys
}

impl<'a> From<&'a BoneKeys> for TrackKeys<'a> {
    fn from(keys: &'a BoneKeys) -> Self {
        Self {
            translation: &keys.translation,
            rotation: &keys.rotation,
            scale: &keys.scale,
        }
    }
}

impl BoneKeys {
    /// Returns true if no channel has a key.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let on_frames = self
            .translation
            .len()
            .max(self.rotation.len())
            .max(self.scale.len());
        on_frames == 0 && self.timed.is_empty()
    }

    /// Appends keys of a frame; in the midst of equal ones the last is moved on instead.
    pub(crate) fn append(&mut self, frame: u32, local: &Transform) {
        append(&mut self.translation, frame, local.translation);
        append(&mut self.rotation, frame, local.rotation);
        append(&mut self.scale, frame, local.scale);
    }

    /// Drops last keys that equal the ones before them.
    pub(crate) fn finish(&mut self) {
        finish(&mut self.translation);
        finish(&mut self.rotation);
        finish(&mut self.scale);
    }

    fn of_track(motion: &Motion, track: &Track, meaning: Meaning, rest: &Transform) -> Self {
        if let Some(timed) = track.timed() {
            return Self {
                timed: timed.clone(),
                ..Self::default()
            };
        }
        let none = Values::default();
        let translation = map(motion.translation(track), |value| {
            let translation = Some(value);
            let values = Values {
                translation,
                ..none
            };
            meaning.over(rest, values).translation
        });
        let rotation = map(motion.rotation(track), |value| {
            let rotation = Some(value);
            meaning.over(rest, Values { rotation, ..none }).rotation
        });
        let mut scale = map(motion.scale(track), |value| {
            let scale = Some(value);
            meaning.over(rest, Values { scale, ..none }).scale
        });
        if scale.is_empty() {
            // In some readings a track without scales still sets one.
            let value = meaning.over(rest, none).scale;
            if value != rest.scale {
                scale.push(Key { frame: 0, value });
            }
        }
        Self {
            translation,
            rotation,
            scale,
            timed: TimedTrack::default(),
        }
    }
}

fn map<const N: usize>(
    keys: Option<Keys<'_, N>>,
    local: impl Fn([f64; N]) -> [f64; N],
) -> Vec<Key<N>> {
    let mut keys = keys.map(|keys| keys.sorted()).unwrap_or_default();
    for key in &mut keys {
        key.value = local(key.value);
    }
    keys
}

/// Appends a key, or moves the last one on in the midst of equal ones.
pub(super) fn append<const N: usize>(keys: &mut Vec<Key<N>>, frame: u32, value: [f64; N]) {
    if let [.., before, last] = keys.as_mut_slice()
        && is_same(&before.value, &value)
        && is_same(&last.value, &value)
    {
        last.frame = frame;
    } else {
        keys.push(Key { frame, value });
    }
}

/// Drops a last key that equals the one before it.
pub(super) fn finish<const N: usize>(keys: &mut Vec<Key<N>>) {
    if let [.., before, last] = keys.as_slice()
        && is_same(&before.value, &last.value)
    {
        keys.pop();
    }
}

fn is_same<const N: usize>(a: &[f64; N], b: &[f64; N]) -> bool {
    a.map(f64::to_bits) == b.map(f64::to_bits)
}
