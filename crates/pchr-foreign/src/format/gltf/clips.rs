//! Reads animations as motions, at the frame rate of their times.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use pchr::finding::{counted, quoted};

use super::accessors_and_buffers::Accessors;
use super::bones::{NodeBones, normalise, other_length};
use super::container_and_extensions::Notes;
use super::record::{
    ClipExtras, GltfAnimation, GltfRoot, NoteExtras, Path, Sampler, ours, seconds,
};
use super::{GltfRule, NamedMotion};
use crate::motion::{
    Bone, Channels, Conventions, Interpolation, Motion, Precision, Target, TimedKeys, TimedTrack,
    TrackKeys, frame_after, frame_at, repeated,
};

type Seconds = Arc<[f32]>;

/// Times of inputs by their accessors; `None` for those with findings.
type InputTimes = HashMap<u32, Option<Seconds>>;

/// Returns the motion of each animation; those with errors are left out.
pub(super) fn clips(
    root: &GltfRoot,
    bones: &NodeBones,
    accessors: &mut Accessors<'_>,
    notes: &mut Notes<'_>,
) -> Vec<NamedMotion> {
    let targets = targets(bones.skeleton.bones());
    let mut times = InputTimes::new();
    let mut clips = Vec::with_capacity(root.animations.len());
    check_names(&root.animations, notes);
    for (index, animation) in root.animations.iter().enumerate() {
        let of_file = std::mem::take(&mut notes.losses);
        let mut reader =
            ClipReader { index, animation, bones, accessors, times: &mut times, notes };
        let motion = reader.motion(&targets);
        let losses = std::mem::replace(&mut notes.losses, of_file);
        if let Some(motion) = motion {
            let name = animation.name.clone().unwrap_or_default();
            clips.push(NamedMotion { name, motion, losses });
        }
    }
    clips
}

/// Finds names of more than one animation.
fn check_names(animations: &[GltfAnimation], notes: &mut Notes<'_>) {
    let names = animations.iter().map(|it| it.name.as_deref().filter(|name| !name.is_empty()));
    for (index, first) in repeated(names) {
        let name = animations.get(index).and_then(|it| it.name.as_deref()).unwrap_or_default();
        let path = || format!("animations[{index}].name");
        let message = || {
            format!(
                "{} is also the name of animation {first}; the name alone chooses the first",
                quoted(name)
            )
        };
        notes.add(GltfRule::NameDuplicate, path, message);
    }
}

/// Returns the names of bones, or their indices if a name is empty or a duplicate.
fn targets(bones: &[Bone]) -> Vec<Target> {
    let mut names = HashSet::with_capacity(bones.len());
    let targets = (0_u32..).zip(bones).map(|(index, bone)| {
        let is_first = names.insert(&bone.name);
        match bone.name.as_bytes().is_empty() || !is_first {
            true => Target::Bone(index),
            false => Target::Name(bone.name.clone()),
        }
    });
    targets.collect()
}

/// Bone that a channel moves; `None` for the whole model.
type ChannelBone = Option<u32>;

/// A channel of a bone, or of root motion.
#[derive(Clone, Copy, Debug)]
struct WantedChannel {
    moved: ChannelBone,
    path: Path,
    index: usize,
    sampler: u32,
}

struct ClipReader<'a, 'f, 't> {
    index: usize,
    animation: &'a GltfAnimation,
    bones: &'a NodeBones,
    accessors: &'a mut Accessors<'f>,
    times: &'a mut InputTimes,
    notes: &'a mut Notes<'t>,
}

impl ClipReader<'_, '_, '_> {
    /// Returns the motion. `None` comes with a finding.
    fn motion(&mut self, targets: &[Target]) -> Option<Motion> {
        let extras: Option<Result<ClipExtras, String>> = ours(&self.animation.extras);
        let extras = extras.and_then(|it| it.map_err(|message| self.add_extras(message)).ok());
        let root = extras.as_ref().map(|extras| extras.root.as_deref());
        let wanted = self.wanted(root)?;
        let (times, lists) = self.input(&wanted)?;
        let (rate, extras) = self.rate(&lists, extras);
        let timing = (rate, extras.as_ref().is_some_and(|extras| extras.held));
        let mut keys: HashMap<ChannelBone, TimedTrack> = HashMap::new();
        for (channel, times) in wanted.into_iter().zip(times) {
            let keys = keys.entry(channel.moved).or_default();
            match channel.path {
                Path::Translation => keys.translation = self.keys(channel, times, timing)?,
                Path::Rotation => keys.rotation = self.keys(channel, times, timing)?,
                Path::Scale => keys.scale = self.keys(channel, times, timing)?,
                Path::Weights | Path::Other => {}
            }
        }
        let all = Channels { translation: true, rotation: true, scale: true };
        let mut motion = Motion::new(all, Precision::Single);
        motion.conventions = Conventions::GLTF;
        motion.rate = rate;
        for (bone, target) in (0..).zip(targets) {
            if let Some(keys) = keys.remove(&Some(bone)) {
                motion.add_timed_track(target.clone(), keys);
            }
        }
        let has_root = extras.as_ref().is_some_and(|extras| extras.root.is_some());
        if let Some(keys) = keys.remove(&None) {
            motion.set_timed_root(keys);
        } else if has_root {
            motion.set_root_keys(TrackKeys::default()).ok()?;
        }
        if let Some(extras) = extras {
            motion.frame_count = extras.frame_count;
            motion.looped = extras.looped;
            motion.notes = extras.notes.iter().map(NoteExtras::note).collect();
        } else {
            motion.frame_count = motion.frames();
        }
        Some(motion)
    }

    fn add_extras(&mut self, message: String) {
        let path = || format!("animations[{}].extras.pchr", self.index);
        self.notes.add(GltfRule::Extras, path, || message);
    }

    /// Returns the channels of bones and of the whole model, one for each property; `root` are those of root motion, if the
    /// animation states any.
    fn wanted(&mut self, root: Option<Option<&[Path]>>) -> Option<Vec<WantedChannel>> {
        let mut wanted: Vec<WantedChannel> = Vec::new();
        let mut places: HashMap<(ChannelBone, Path), usize> = HashMap::new();
        let (clip, count) = (self.index, self.bones.of_node.len());
        for (index, channel) in self.animation.channels.iter().enumerate() {
            let path = || format!("animations[{clip}].channels[{index}]");
            let target = channel.target;
            let lost = match (target.path, target.node) {
                (Path::Weights, _) => Some("channels of morph weights"),
                (Path::Other, _) | (_, None) => Some("channels of extensions"),
                _ => None,
            };
            let Some(node) = target.node.filter(|_| lost.is_none()) else {
                self.notes.losses.add(lost.unwrap_or_default(), path);
                continue;
            };
            let Some(bone) = self.bones.of_node.get(node as usize) else {
                let path = || format!("{}.target.node", path());
                self.notes.add_index(node, count, ["node", "nodes"], path);
                return None;
            };
            if bone.is_none() && self.bones.above == Some(node) {
                let is_root = match root {
                    Some(channels) => channels.unwrap_or_default().contains(&target.path),
                    None => true,
                };
                if !is_root {
                    continue; // it makes the clip as long as it is
                }
            } else if self.bones.switches.contains(&node) {
                continue;
            } else if bone.is_none() {
                let what = "channels of nodes that are not bones";
                self.notes.losses.add(what, path);
                continue;
            }
            let one =
                WantedChannel { moved: *bone, path: target.path, index, sampler: channel.sampler };
            match places.get(&(one.moved, one.path)) {
                Some(place) => {
                    if let Some(place) = wanted.get_mut(*place) {
                        let first = place.index;
                        let message = || {
                            format!(
                                "channel {first} already moves this property; the last one is used"
                            )
                        };
                        self.notes.add(GltfRule::ChannelTwice, path, message);
                        *place = one;
                    }
                }
                None => {
                    places.insert((one.moved, one.path), wanted.len());
                    wanted.push(one);
                }
            }
        }
        Some(wanted)
    }

    fn sampler(&mut self, channel: WantedChannel) -> Option<Sampler> {
        let sampler = self.animation.samplers.get(channel.sampler as usize);
        if sampler.is_none() {
            let count = self.animation.samplers.len();
            let (clip, index) = (self.index, channel.index);
            let path = || format!("animations[{clip}].channels[{index}].sampler");
            self.notes.add_index(channel.sampler, count, ["sampler", "samplers"], path);
        }
        sampler.copied()
    }

    /// Returns the times of each channel, and each distinct list of times.
    fn input(&mut self, wanted: &[WantedChannel]) -> Option<(Vec<Seconds>, Vec<Seconds>)> {
        let (mut all, mut lists) = (Vec::with_capacity(wanted.len()), Vec::new());
        let mut seen = HashSet::new();
        for channel in wanted {
            let input = self.sampler(*channel)?.input;
            let path = || format!("animations[{}].samplers[{}].input", self.index, channel.sampler);
            let is_new = seen.insert(input);
            let times = match self.times.get(&input) {
                Some(known) => {
                    let known = known.clone()?;
                    // Each animation looks at all of them.
                    let count = if is_new { known.len() as u64 } else { 0 };
                    self.accessors.take_room(count, path, self.notes)?;
                    known
                }
                None => {
                    let path = path();
                    let times = self.read_times(input, &path);
                    self.times.insert(input, times.clone());
                    times?
                }
            };
            if is_new {
                lists.push(times.clone());
            }
            all.push(times);
        }
        Some((all, lists))
    }

    fn read_times(&mut self, input: u32, path: &str) -> Option<Seconds> {
        let user = || path.to_owned();
        let read = self.accessors.read::<1>(input, &user, self.notes)?;
        #[expect(clippy::cast_possible_truncation, reason = "times are read as 32-bit floats")]
        let times: Seconds = read.into_iter().map(|[time]| time as f32).collect();
        let is_wild = |time: &f32| !time.is_finite() || *time < 0.0;
        if let Some(at) = times.iter().position(is_wild) {
            let time = times.get(at).copied().unwrap_or_default();
            let message = || format!("{time} seconds, expected 0 or more");
            self.notes.add(GltfRule::Time, || format!("{path}[{at}]"), message);
            return None;
        }
        let steps = times.iter().zip(times.iter().skip(1));
        if let Some(before) = { steps }.position(|(a, b)| a >= b) {
            let at = before.saturating_add(1);
            let time = |at: usize| times.get(at).copied().unwrap_or_default();
            let (time, before) = (time(at), time(before));
            let message = || {
                format!(
                    "{time} s comes after {before} s, expected a later time; the last key at each time is used"
                )
            };
            self.notes.add(GltfRule::TimeOrder, || format!("{path}[{at}]"), message);
        }
        Some(times)
    }

    /// Returns the frames per second, and the extras if they fit the times. Times that no rate fits say nothing against them.
    fn rate(&mut self, times: &[Seconds], extras: Option<ClipExtras>) -> (f32, Option<ClipExtras>) {
        let all = times.iter().map(|times| &**times);
        let common = rate_of(all.clone());
        let Some(extras) = extras else { return (common.unwrap_or(Motion::DEFAULT_RATE), None) };
        let rate = extras.rate;
        let is_rate = rate.is_finite() && rate > 0.0;
        if is_rate && (common.is_none() || are_frames(all, rate)) {
            return (rate, Some(extras));
        }
        self.add_extras(format!(
            "the times do not fall on frames at {rate} per second; the rate is taken from the times"
        ));
        (common.unwrap_or(Motion::DEFAULT_RATE), None)
    }

    /// Returns the keys of a channel, if it has any; with their rate, and true if steps hold frames. An outer `None` comes with a finding.
    fn keys<const N: usize>(
        &mut self,
        channel: WantedChannel,
        times: Seconds,
        (rate, is_held): (f32, bool),
    ) -> Option<Option<TimedKeys<N>>> {
        let sampler = self.sampler(channel)?;
        let at = format!("animations[{}].samplers[{}]", self.index, channel.sampler);
        let user = || format!("{at}.output");
        let output = sampler.output;
        let mut values = self.accessors.read::<N>(output, &user, self.notes)?;
        let mut interpolation = sampler.interpolation;
        let parts = interpolation.values_per_key();
        let expected = times.len().saturating_mul(parts);
        if values.len() != expected {
            let message = || {
                let found = counted(values.len(), "value", "values");
                let times = counted(times.len(), "time", "times");
                format!("{found} for {times}, expected {expected}")
            };
            self.notes.add(GltfRule::SamplerCount, user, message);
            return None;
        }
        let Some(last) = times.iter().copied().max_by(f32::total_cmp) else { return Some(None) };
        if frame_after(last.into(), rate).is_none() {
            let last = f64::from(last);
            let message = || format!("{last:?} seconds is too late for any frame number");
            self.notes.add(GltfRule::Limit, || at.clone(), message);
            return None;
        }
        self.check(&mut values, parts, &user);
        #[expect(clippy::cast_possible_truncation, reason = "values are kept as 32-bit floats")]
        let mut values: Vec<[f32; N]> =
            { values.into_iter() }.map(|value| value.map(|number| number as f32)).collect();
        let mut times = times;
        if !times.is_sorted_by(|a, b| a < b) {
            let mut keys: Vec<(f32, &[[f32; N]])> =
                times.iter().copied().zip(values.chunks(parts)).collect();
            keys.sort_by(|a, b| a.0.total_cmp(&b.0));
            keys.reverse();
            keys.dedup_by(|a, b| a.0 == b.0);
            keys.reverse();
            times = keys.iter().map(|(time, _)| *time).collect();
            values = keys.into_iter().flat_map(|(_, values)| values).copied().collect();
        }
        if let ([_], [_, value, _]) = (&*times, values.as_slice()) {
            // Nothing moves, and a spline has at least two keys.
            (values, interpolation) = (vec![*value], Interpolation::Linear);
        }
        let keys = TimedKeys::new(times, values, interpolation);
        Some(keys.and_then(|keys| frames(keys, rate, is_held)))
    }

    /// Finds irregular values, and normalises rotations.
    fn check<const N: usize>(
        &mut self,
        values: &mut [[f64; N]],
        parts: usize,
        user: &dyn Fn() -> String,
    ) {
        // Tangents lie around the value.
        let own = parts >> 1;
        let wild = { values.iter().skip(own).step_by(parts) }
            .position(|value| !value.iter().all(|number| number.is_finite()));
        if let Some(key) = wild {
            let message = || {
                let value = values.iter().skip(own).step_by(parts).nth(key);
                format!("{:?} is not finite", value.copied().unwrap_or([0.0; N]))
            };
            let path = || format!("{}[{key}]", user());
            self.notes.add(GltfRule::NotFinite, path, message);
        }
        if N != 4 {
            return;
        }
        let keys = values.chunks_exact_mut(parts).enumerate();
        let lengths = keys.filter_map(|(key, parts)| {
            let length = normalise(parts.get_mut(own)?)?;
            // Tangents are as much too long.
            let tangents = parts.iter_mut().enumerate().filter(|(part, _)| *part != own);
            for number in tangents.flat_map(|(_, it)| it).filter(|_| length > 0.0) {
                *number /= length;
            }
            Some((key, length))
        });
        // All are normalised, and the first is told.
        if let Some((key, length)) = lengths.reduce(|first, _| first) {
            let path = || format!("{}[{key}]", user());
            self.notes.add(GltfRule::RotationLength, path, || other_length(length));
        }
    }
}

/// Returns keys on frames for steps that hold frames: a value is also that of the frame before the next key.
fn frames<const N: usize>(keys: TimedKeys<N>, rate: f32, is_held: bool) -> Option<TimedKeys<N>> {
    if !is_held || keys.interpolation() != Interpolation::Step {
        return Some(keys);
    }
    let (mut times, mut values) = (Vec::new(), Vec::new());
    let mut last: Option<(f32, [f32; N])> = None;
    for (time, value) in keys.times().iter().zip(keys.values()) {
        if let Some((from, held)) = last {
            let before = frame_at((*time).into(), rate)?.saturating_sub(1);
            let before = seconds(before, rate);
            if from < before {
                times.push(before);
                values.push(held);
            }
        }
        times.push(*time);
        values.push(*value);
        last = Some((*time, *value));
    }
    TimedKeys::new(times.into(), values, Interpolation::Linear)
}

/// Usual frame rates of animations, the most common first.
const RATES: [f32; 20] = [
    30.0, 60.0, 24.0, 25.0, 120.0, 50.0, 15.0, 12.0, 10.0, 48.0, 90.0, 100.0, 29.97, 23.976, 59.94,
    240.0, 20.0, 8.0, 144.0, 1000.0,
];

/// Returns the first usual rate at which all times are frames.
fn rate_of<'a>(times: impl Iterator<Item = &'a [f32]> + Clone) -> Option<f32> {
    { RATES.into_iter() }.find(|rate| are_frames(times.clone(), *rate))
}

fn are_frames<'a>(mut times: impl Iterator<Item = &'a [f32]>, rate: f32) -> bool {
    let are = |times: &[f32]| { times.iter() }.all(|it| frame_at((*it).into(), rate).is_some());
    times.all(are)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_exporters_have_their_rate() {
        for rate in [24.0_f32, 30.0, 60.0, 25.0, 29.97, 120.0] {
            let times: Vec<f32> = (0..2000).map(|frame| frame as f32 / rate).collect();
            let found = rate_of([times.as_slice()].into_iter()).unwrap();
            let frames = times.iter().map(|t| frame_at((*t).into(), found).unwrap());
            let frames: Vec<u32> = frames.collect();
            assert!(frames.windows(2).all(|pair| pair[1] - pair[0] == 1 || found > rate));
        }
        assert_eq!(rate_of([[0.0].as_slice()].into_iter()), Some(30.0));
        assert_eq!(rate_of([[0.0, 0.001_7].as_slice()].into_iter()), None);
        assert_eq!(rate_of([[0.0, 0.041_67, 0.0833].as_slice()].into_iter()), Some(24.0));
    }
}
