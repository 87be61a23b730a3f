//! Keys of a motion applied to a skeleton: local transforms, for formats without other references.

use pchr::finding::counted;

use super::binding::{AdditiveRotation, ValueMeaning, Values};
use super::curve::{Curve, KeyTime};
use super::poser::{Poser, kinds};
use super::{Binding, Moment};
use crate::motion::track::{frame_after, frame_at, frame_before};
use crate::motion::{
    AnimationType, Channel, Dialect, Interpolation, Key, Keys, Motion, RootMotion, Skeleton,
    TimedKeys, TimedTrack, Track, TrackKeys, Transform, same_bits,
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
                TooManySamples::check(sampled.frames(), sampled.tracks())?;
                sample(motion, skeleton, binding, additive)
            }
            None => of_tracks(motion, skeleton, binding, additive),
        };
        let root = match motion.root() {
            Some(RootMotion::Sampled(sampled)) => {
                TooManySamples::check(sampled.frames(), sampled.tracks())?;
                Some(sample_root(motion, skeleton, binding))
            }
            _ => binding.root(motion).map(|track| {
                let meaning = ValueMeaning::of(motion, AnimationType::Absolute, additive);
                BoneKeys::of_track(motion, track, meaning, &Transform::IDENTITY)
            }),
        };
        Ok(Self { bones, root })
    }
}

impl TooManySamples {
    pub(super) fn check(frames: u32, tracks: u32) -> Result<(), Self> {
        let samples = u64::from(frames).saturating_mul(tracks.into());
        match samples > LocalKeys::MOST_SAMPLES {
            true => Err(Self { frames, tracks }),
            false => Ok(()),
        }
    }
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
        let Some((bone, _)) = binding.bone(index) else { continue };
        let at = bone as usize;
        let (kind, bone) = (kinds.get(at), skeleton.bones().get(at));
        if let (Some(kind), Some(bone), Some(keys)) = (kind, bone, bones.get_mut(at)) {
            let meaning = ValueMeaning::of(motion, *kind, additive);
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
        Self { translation: &keys.translation, rotation: &keys.rotation, scale: &keys.scale }
    }
}

impl BoneKeys {
    /// Returns true if no channel has a key.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let on_frames = self.translation.len().max(self.rotation.len()).max(self.scale.len());
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

    fn of_track(motion: &Motion, track: &Track, meaning: ValueMeaning, rest: &Transform) -> Self {
        if let Some(timed) = track.timed() {
            return Self { timed: timed.clone(), ..Self::default() };
        }
        let none = Values::default();
        let translation = map(motion.translation(track), |value| {
            meaning.over(rest, Values { translation: Some(value), ..none }).translation
        });
        let rotation = map(motion.rotation(track), |value| {
            meaning.over(rest, Values { rotation: Some(value), ..none }).rotation
        });
        let mut scale = map(motion.scale(track), |value| {
            meaning.over(rest, Values { scale: Some(value), ..none }).scale
        });
        if scale.is_empty() {
            // In some readings a track without scales still sets one.
            let value = meaning.over(rest, none).scale;
            if value != rest.scale {
                scale.push(Key { frame: 0, value });
            }
        }
        Self { translation, rotation, scale, timed: TimedTrack::default() }
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
        && same_bits(before.value, value)
        && same_bits(last.value, value)
    {
        last.frame = frame;
    } else {
        keys.push(Key { frame, value });
    }
}

/// Drops a last key that equals the one before it.
pub(super) fn finish<const N: usize>(keys: &mut Vec<Key<N>>) {
    if let [.., before, last] = keys.as_slice()
        && same_bits(before.value, last.value)
    {
        keys.pop();
    }
}

/// A channel that keys on frames follow only in part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reframed {
    /// The bone; `None` for the whole model.
    pub bone: Option<u32>,
    /// Its channel.
    pub channel: Channel,
    /// Interpolation of the keys at times. Linear keys lay between frames.
    pub interpolation: Interpolation,
    /// Largest error, at all keys and half-way between them: a distance in units, an angle in degrees, or a difference of scales.
    pub error: f64,
}

/// Less of an error comes from rounding.
const NEGLIGIBLE: f64 = 1e-6;

impl LocalKeys {
    /// Brings [keys at times](BoneKeys::timed) to frames, and returns the channels that are not the same then. `dialect` says how
    /// rotations between the new keys are interpolated.
    ///
    /// Linear keys that lie on frames stay there. Otherwise a step takes the frame before it, and all else gets a key on every
    /// frame, except between equal keys.
    ///
    /// # Errors
    /// [`TooManySamples`] if there would be more than [`LocalKeys::MOST_SAMPLES`].
    pub fn on_frames(
        &mut self,
        rate: f32,
        dialect: Dialect,
    ) -> Result<Vec<Reframed>, TooManySamples> {
        let (mut tracks, mut frames, mut samples) = (0_u32, 0, 0_u64);
        for keys in self.bones.iter().chain(&self.root) {
            let BoneKeys { timed, .. } = keys;
            let of_vectors =
                [&timed.translation, &timed.scale].map(|keys| count(keys.as_ref(), rate));
            let of_rotations = count(timed.rotation.as_ref(), rate);
            for count in of_vectors.into_iter().chain([of_rotations]) {
                frames = frames.max(count);
                samples = samples.saturating_add(count.into());
            }
            tracks = tracks.saturating_add(u32::from(!timed.is_empty()));
        }
        if samples > Self::MOST_SAMPLES {
            return Err(TooManySamples { frames, tracks });
        }
        Ok(self.bring_to_frames(rate, dialect))
    }

    /// Returns the channels that would not be the same on frames, as [`LocalKeys::on_frames`] does.
    #[must_use]
    pub fn reframed(&self, rate: f32, dialect: Dialect) -> Vec<Reframed> {
        self.clone().bring_to_frames(rate, dialect)
    }

    fn bring_to_frames(&mut self, rate: f32, dialect: Dialect) -> Vec<Reframed> {
        let mut found = Vec::new();
        let bones = (0..).map(Some).zip(&mut self.bones);
        for (bone, keys) in bones.chain(self.root.iter_mut().map(|root| (None, root))) {
            keys.bring_to_frames(rate, dialect, &mut |channel, interpolation, error| {
                found.push(Reframed { bone, channel, interpolation, error });
            });
        }
        found
    }
}

impl BoneKeys {
    fn bring_to_frames(
        &mut self,
        rate: f32,
        dialect: Dialect,
        found: &mut dyn FnMut(Channel, Interpolation, f64),
    ) {
        let timed = std::mem::take(&mut self.timed);
        let vector = |curve: &Curve<'_, 3>, frame: f64| curve.vector(frame);
        if let Some(keys) = timed.translation {
            let (framed, error) = brought(&keys, rate, vector, distance);
            self.translation = framed;
            error.inspect(|error| found(Channel::Translation, keys.interpolation(), *error));
        }
        if let Some(keys) = timed.rotation {
            let rotation = |curve: &Curve<'_, 4>, frame: f64| curve.rotation(frame, dialect);
            let (framed, error) = brought(&keys, rate, rotation, degrees);
            self.rotation = framed;
            error.inspect(|error| found(Channel::Rotation, keys.interpolation(), *error));
        }
        if let Some(keys) = timed.scale {
            let (framed, error) = brought(&keys, rate, vector, farthest);
            self.scale = framed;
            error.inspect(|error| found(Channel::Scale, keys.interpolation(), *error));
        }
    }
}

/// Returns the frames of keys that all lie on frames.
fn frames_of<const N: usize>(keys: &TimedKeys<N>, rate: f32) -> Option<Vec<u32>> {
    let frames = keys.times().iter();
    { frames }.map(|time| frame_at((*time).into(), rate)).collect()
}

/// Returns the first and last frame around keys.
fn around<const N: usize>(keys: &TimedKeys<N>, rate: f32) -> (u32, u32) {
    let secs = |time: Option<&f32>| time.copied().map_or(0.0, f64::from);
    let first = frame_before(secs(keys.times().first()), rate).unwrap_or(0);
    let last = frame_after(secs(keys.times().last()), rate);
    (first, last.unwrap_or(u32::MAX))
}

/// Returns the number of keys on frames that keys at times become, at most.
fn count<const N: usize>(keys: Option<&TimedKeys<N>>, rate: f32) -> u32 {
    let Some(keys) = keys else { return 0 };
    let is_spline = keys.interpolation() == Interpolation::CubicSpline;
    if !is_spline && frames_of(keys, rate).is_some() {
        return u32::try_from(keys.times().len()).map_or(u32::MAX, |it| it.saturating_mul(2));
    }
    let (first, last) = around(keys, rate);
    last.saturating_sub(first).saturating_add(1)
}

/// Returns keys on frames, and the largest error if they are not the same.
fn brought<const N: usize>(
    keys: &TimedKeys<N>,
    rate: f32,
    at: impl Fn(&Curve<'_, N>, f64) -> Option<[f64; N]>,
    difference: fn([f64; N], [f64; N]) -> f64,
) -> (Vec<Key<N>>, Option<f64>) {
    let framed = match (keys.interpolation(), frames_of(keys, rate)) {
        (Interpolation::Linear, Some(frames)) => {
            let mut framed = Vec::with_capacity(frames.len());
            for (frame, time) in frames.into_iter().zip(keys.times()) {
                let value = keys.at(KeyTime::exact(*time));
                push(&mut framed, Key { frame, value });
            }
            return (framed, None);
        }
        (Interpolation::Step, Some(frames)) => {
            let mut framed: Vec<Key<N>> = Vec::with_capacity(frames.len().saturating_mul(2));
            for (frame, time) in frames.into_iter().zip(keys.times()) {
                let before = framed.last().copied();
                if let Some(before) = before.filter(|it| it.frame.saturating_add(1) < frame) {
                    let frame = frame.saturating_sub(1);
                    framed.push(Key { frame, ..before });
                }
                let value = keys.at(KeyTime::exact(*time));
                push(&mut framed, Key { frame, value });
            }
            framed
        }
        _ => sampled(keys, rate),
    };
    let error = largest_error(keys, &framed, rate, at, difference);
    (framed, error)
}

/// Appends a key; of several on one frame the last is kept.
fn push<const N: usize>(keys: &mut Vec<Key<N>>, key: Key<N>) {
    match keys.last_mut() {
        Some(last) if last.frame == key.frame => *last = key,
        _ => keys.push(key),
    }
}

/// Returns a key on each frame, without those in the midst of equal ones.
fn sampled<const N: usize>(keys: &TimedKeys<N>, rate: f32) -> Vec<Key<N>> {
    let (first, last) = around(keys, rate);
    let mut framed = Vec::new();
    for frame in first..=last {
        let value = keys.at(KeyTime::of_position(frame.into(), rate));
        append(&mut framed, frame, value);
    }
    finish(&mut framed);
    framed
}

/// Returns the largest difference at the keys of both and half-way between them; `None` if it is negligible.
fn largest_error<const N: usize>(
    keys: &TimedKeys<N>,
    framed: &[Key<N>],
    rate: f32,
    at: impl Fn(&Curve<'_, N>, f64) -> Option<[f64; N]>,
    difference: fn([f64; N], [f64; N]) -> f64,
) -> Option<f64> {
    let own = { keys.times().iter() }.map(|time| f64::from(*time) * f64::from(rate));
    let others = framed.iter().map(|key| f64::from(key.frame));
    let mut positions: Vec<f64> = own.chain(others).collect();
    positions.sort_unstable_by(f64::total_cmp);
    let halves = positions.iter().zip(positions.iter().skip(1));
    let halves = halves.map(|(a, b)| a.midpoint(*b));
    let curve = Curve::Sorted(framed);
    let (mut error, mut size) = (0.0_f64, 1.0_f64);
    for position in positions.iter().copied().chain(halves) {
        let wanted = keys.at(KeyTime::of_position(position, rate));
        let found = at(&curve, position).unwrap_or(wanted);
        error = error.max(difference(wanted, found));
        size = wanted.iter().fold(size, |size, number| size.max(number.abs()));
    }
    (error > NEGLIGIBLE * size).then_some(error)
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f64>().sqrt()
}

fn farthest(a: [f64; 3], b: [f64; 3]) -> f64 {
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f64::max)
}

/// Returns the angle between rotations of length 1.
fn degrees(a: [f64; 4], b: [f64; 4]) -> f64 {
    let chord = |sign: f64| {
        let squares = a.iter().zip(b).map(|(a, b)| (a - sign * b) * (a - sign * b));
        squares.sum::<f64>().sqrt()
    };
    // The chord of a quarter of the angle; an arc cosine would round small angles away.
    let half = (chord(1.0).min(chord(-1.0)) / 2.0).min(1.0);
    (4.0 * libm::asin(half)).to_degrees()
}
