//! Channels of an animation and their samplers.

use std::collections::HashMap;

use glam::DQuat;

use pchr::format::Losses;

use super::record::{ChannelTarget, GltfChannel, Path, Sampler, Shape, seconds};
use super::write_buffer_and_container::{AccessorPacker, BufferPart};
use super::{GltfClip, GltfUnwritable};
use crate::motion::{
    BoneKeys, Dialect, Interpolation, Key, Precision, TimedKeys, Transform, frame_at, slerp, unit,
};

/// Largest difference, in radians, between two ways of blending rotations that is ignored.
const TURNED_ALIKE: f64 = 1e-4;

pub(super) const NORMALISED: &str = "rotation lengths other than 1";

pub(super) struct AnimationWriter<'a> {
    path: String,
    pub(super) rate: f32,
    is_double: bool,
    /// True if rotations between keys are blended number by number.
    blends: bool,
    /// True if every frame is held until the next.
    is_held: bool,
    pub(super) channels: Vec<GltfChannel>,
    pub(super) samplers: Vec<Sampler>,
    known: HashMap<(u32, u32, Interpolation), u32>,
    /// Time of the last key.
    last: Option<f32>,
    packer: &'a mut AccessorPacker,
    losses: &'a mut Losses,
}

/// Place of a channel: the node, its transform at rest, and its name in errors.
pub(super) struct ChannelPlace<'a> {
    pub(super) node: u32,
    pub(super) rest: &'a Transform,
    pub(super) path: String,
    pub(super) bone: String,
}

impl<'a> AnimationWriter<'a> {
    /// Begins the animation of a clip; `path` is its name in errors.
    pub(super) fn new(
        path: String,
        clip: &GltfClip<'_>,
        packer: &'a mut AccessorPacker,
        losses: &'a mut Losses,
    ) -> Self {
        let motion = clip.motion;
        let (is_held, is_keyed) = (clip.frames.is_some(), motion.sampled().is_none());
        Self {
            path,
            rate: motion.frames_per_second(),
            // A character's own numbers have single precision.
            is_double: is_keyed && motion.precision() == Precision::Double && !is_held,
            blends: is_keyed && motion.dialect == Dialect::Pxd,
            is_held,
            channels: Vec::new(),
            samplers: Vec::new(),
            known: HashMap::new(),
            last: None,
            packer,
            losses,
        }
    }

    /// Writes the channels of a bone, or of root motion.
    pub(super) fn channels_of(
        &mut self,
        at: &ChannelPlace<'_>,
        keys: &BoneKeys,
    ) -> Result<(), GltfUnwritable> {
        let BoneKeys { timed, .. } = keys;
        self.channel(at, Path::Translation, &keys.translation)?;
        self.timed_channel(at, Path::Translation, timed.translation.as_ref())?;
        self.channel(at, Path::Rotation, &keys.rotation)?;
        self.timed_channel(at, Path::Rotation, timed.rotation.as_ref())?;
        self.channel(at, Path::Scale, &keys.scale)?;
        self.timed_channel(at, Path::Scale, timed.scale.as_ref())
    }

    fn channel<const N: usize>(
        &mut self,
        at: &ChannelPlace<'_>,
        path: Path,
        keys: &[Key<N>],
    ) -> Result<(), GltfUnwritable> {
        if keys.is_empty() {
            return Ok(());
        }
        let place = || at.place(path);
        let mut values = Vec::with_capacity(keys.len());
        let (mut normalised, mut rounded) = (0_u64, 0_u64);
        for key in keys {
            let mut value = key.value;
            let wild = || GltfUnwritable::NotFinite {
                path: place(),
                bone: at.bone.clone(),
                frame: Some(key.frame),
            };
            if let Some(rotation) = value.first_chunk_mut::<4>() {
                if rotation.iter().any(|number| !number.is_finite()) {
                    return Err(wild());
                }
                let (unit, is_changed) = unit(*rotation);
                *rotation = unit;
                normalised = normalised.saturating_add(is_changed.into());
            }
            let mut singles = [0.0; N];
            for (number, place) in value.into_iter().zip(&mut singles) {
                *place = single(number).ok_or_else(wild)?;
                rounded = rounded.saturating_add((f64::from(*place) != number).into());
            }
            values.push(singles);
        }
        self.losses.add_many(NORMALISED, normalised, place);
        if self.is_double {
            let what = "numbers of double precision, rounded to single";
            self.losses.add_many(what, rounded, place);
        }
        if self.blends {
            let what = "rotations at uneven speed between keys";
            self.losses.add_many(what, blended_otherwise(keys), place);
        }
        let mut times = self.times(keys.iter().map(|key| key.frame))?;
        if !self.is_held {
            self.push(at.node, path, &times, &values, Interpolation::Linear);
            return Ok(());
        }
        let mut keys: Vec<([f32; 1], [f32; N])> = times.into_iter().zip(values).collect();
        keys.dedup_by_key(|(_, value)| *value);
        (times, values) = keys.into_iter().unzip();
        if values.len() > 1 || values.first() != Some(&at.rest(path)) {
            self.push(at.node, path, &times, &values, Interpolation::Step);
        }
        Ok(())
    }

    /// Writes when a node is shown: its width and height are 1, and else 0. `frames` says so for frame after frame; `at_rest`, for
    /// the node. It stays in its depth, by which viewers sort.
    pub(super) fn switch(
        &mut self,
        node: u32,
        at_rest: bool,
        frames: impl Iterator<Item = bool>,
    ) -> Result<(), GltfUnwritable> {
        let mut keys: Vec<(u32, bool)> = (0..).zip(frames).collect();
        keys.dedup_by_key(|(_, shown)| *shown);
        if keys.iter().all(|(_, shown)| *shown == at_rest) {
            return Ok(());
        }
        let times = self.times(keys.iter().map(|(frame, _)| *frame))?;
        let scales: Vec<[f32; 3]> = keys.iter().map(|(_, shown)| switched(*shown)).collect();
        self.push(node, Path::Scale, &times, &scales, Interpolation::Step);
        Ok(())
    }

    /// Moves copies of bones as the bones; they are pairs of nodes.
    pub(super) fn copy(&mut self, copies: &[(u32, u32)]) {
        let copies: HashMap<u32, u32> = copies.iter().copied().collect();
        let moved = self.channels.iter().filter_map(|channel| {
            let node = Some(*copies.get(&channel.target.node?)?);
            Some(GltfChannel { target: ChannelTarget { node, ..channel.target }, ..*channel })
        });
        let moved: Vec<GltfChannel> = moved.collect();
        self.channels.extend(moved);
    }

    /// Writes a channel of keys at times as it is.
    fn timed_channel<const N: usize>(
        &mut self,
        at: &ChannelPlace<'_>,
        path: Path,
        keys: Option<&TimedKeys<N>>,
    ) -> Result<(), GltfUnwritable> {
        let Some(keys) = keys else { return Ok(()) };
        let mut values = keys.values().to_vec();
        let parts = keys.interpolation().values_per_key();
        let mut normalised = 0_u64;
        for (parts, time) in values.chunks_exact_mut(parts).zip(keys.times()) {
            if parts.as_flattened().iter().any(|number| !number.is_finite()) {
                return Err(GltfUnwritable::NotFinite {
                    path: at.place(path),
                    bone: at.bone.clone(),
                    frame: frame_at((*time).into(), self.rate),
                });
            }
            // The tangents of a spline lie around the value.
            let value = parts.get_mut(parts.len() >> 1);
            if let Some(rotation) = value.and_then(|value| value.first_chunk_mut::<4>()) {
                let (unit, is_changed) = unit(rotation.map(f64::from));
                if is_changed {
                    *rotation = unit.map(|number| single(number).unwrap_or_default());
                    normalised = normalised.saturating_add(1);
                }
            }
        }
        self.losses.add_many(NORMALISED, normalised, || at.place(path));
        let times: Vec<[f32; 1]> = keys.times().iter().map(|time| [*time]).collect();
        self.push(at.node, path, &times, &values, keys.interpolation());
        Ok(())
    }

    fn push<const N: usize>(
        &mut self,
        node: u32,
        path: Path,
        times: &[[f32; 1]],
        values: &[[f32; N]],
        interpolation: Interpolation,
    ) {
        let shape = if N == 4 { Shape::Vec4 } else { Shape::Vec3 };
        let input = self.packer.add(BufferPart::Keys, Shape::Scalar, times);
        let output = self.packer.add(BufferPart::Keys, shape, values);
        let last = times.last().map(|[time]| *time);
        self.last = self.last.into_iter().chain(last).max_by(f32::total_cmp);
        let next = u32::try_from(self.samplers.len()).unwrap_or(u32::MAX);
        let of = (input, output, interpolation);
        let sampler = *self.known.entry(of).or_insert(next);
        if sampler == next {
            self.samplers.push(Sampler { input, output, interpolation });
        }
        self.channels
            .push(GltfChannel { sampler, target: ChannelTarget { node: Some(node), path } });
    }

    /// Returns the times of keys in seconds.
    fn times(
        &self,
        frames: impl Iterator<Item = u32> + Clone,
    ) -> Result<Vec<[f32; 1]>, GltfUnwritable> {
        let too_late =
            |frame| GltfUnwritable::Time { path: self.path.clone(), frame, rate: self.rate };
        let time = |frame| {
            let time = seconds(frame, self.rate);
            let is_exact = frame_at(time.into(), self.rate) == Some(frame);
            is_exact.then_some([time]).ok_or_else(|| too_late(frame))
        };
        let times: Vec<[f32; 1]> = frames.clone().map(time).collect::<Result<_, _>>()?;
        let mut pairs = frames.zip(times.iter().zip(times.iter().skip(1)));
        match pairs.find(|(_, (a, b))| a >= b) {
            Some((frame, _)) => Err(too_late(frame)),
            None => Ok(times),
        }
    }

    /// Adds a channel that changes nothing, if keys end before the motion does. An animation has a channel at least.
    pub(super) fn lengthen(&mut self, node: u32, secs: f64, root: Option<&[Path]>) {
        #[expect(clippy::cast_possible_truncation, reason = "glTF has single precision")]
        let end = secs as f32;
        if self.last.is_some_and(|keyed| keyed >= end) {
            return;
        }
        let taken = root.unwrap_or_default();
        let mut times = vec![[0.0]];
        times.extend((end > 0.0 && end.is_finite()).then_some([end]));
        let paths = [Path::Translation, Path::Rotation, Path::Scale];
        let free = paths.into_iter().find(|path| !taken.contains(path));
        let Some(path) = free else { return };
        let (count, linear) = (times.len(), Interpolation::Linear);
        match path {
            Path::Rotation => {
                let still = vec![[0.0, 0.0, 0.0, 1.0]; count];
                self.push(node, path, &times, &still, linear);
            }
            Path::Scale => self.push(node, path, &times, &vec![[1.0; 3]; count], linear),
            _ => self.push(node, path, &times, &vec![[0.0; 3]; count], linear),
        }
    }
}

impl ChannelPlace<'_> {
    /// Returns the value at rest, in glTF's precision.
    fn rest<const N: usize>(&self, path: Path) -> [f32; N] {
        let rest = self.rest;
        let numbers: &[f64] = match path {
            Path::Rotation => &unit(rest.rotation).0,
            Path::Scale => &rest.scale,
            _ => &rest.translation,
        };
        let number = |index| numbers.get(index).and_then(|number| single(*number));
        std::array::from_fn(|index| number(index).unwrap_or_default())
    }

    fn place(&self, path: Path) -> String {
        let word = match path {
            Path::Rotation => "rotation",
            Path::Scale => "scale",
            _ => "translation",
        };
        format!("{}.{word}", self.path)
    }
}

/// Returns the scale of a node that shows meshes, or hides them.
pub(super) const fn switched(shown: bool) -> [f32; 3] {
    if shown { [1.0; 3] } else { [0.0, 0.0, 1.0] }
}

/// Returns a number in glTF's precision, if it is finite.
pub(super) fn single(number: f64) -> Option<f32> {
    #[expect(clippy::cast_possible_truncation, reason = "glTF has single precision")]
    let single = number as f32;
    single.is_finite().then_some(single)
}

/// Counts the rotations between keys that are uneven when blended number by number.
fn blended_otherwise<const N: usize>(keys: &[Key<N>]) -> u64 {
    let mut count: u64 = 0;
    for (before, after) in keys.iter().zip(keys.iter().skip(1)) {
        let pair = before.value.first_chunk::<4>().zip(after.value.first_chunk::<4>());
        let Some((start, end)) = pair.filter(|_| after.frame.saturating_sub(before.frame) > 1)
        else {
            continue;
        };
        let [start, end] = [start, end].map(|it| DQuat::from_array(unit(*it).0));
        // A quarter of the way, about where the two differ most.
        let even = DQuat::from_array(slerp(start.to_array(), end.to_array(), 0.25));
        if even.angle_between(start.lerp(end, 0.25)) > TURNED_ALIKE {
            count = count.saturating_add(1);
        }
    }
    count
}
