//! Reads animations as motions.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::NamedMotion;
use super::accessor::{Accessors, Use};
use super::bones::{Bones, normalise, other_length};
use super::curve::Curve;
use super::extras::{ClipExtras, NoteExtras, ours};
use super::frames::{around, frame, rate_of};
use super::record::{Animation, Interpolation, Path, Root, Sampler};
use super::rule::GltfRule;
use super::source::Notes;
use crate::finding::{counted, there_are};
use crate::motion::{
    Bone, BoneKeys, Channels, Conventions, Key, Motion, Precision, Target, TrackKeys,
};

/// Times of an input.
type Seconds = Rc<[f64]>;

/// Times of inputs by their accessors; `None` for those with findings.
type Times = HashMap<u32, Option<Seconds>>;

/// Returns the motion of each animation; those with errors are left out.
pub(super) fn clips(
    root: &Root,
    bones: &Bones,
    accessors: &mut Accessors<'_>,
    notes: &mut Notes<'_>,
) -> Vec<NamedMotion> {
    let targets = targets(bones.skeleton.bones());
    let mut times = Times::new();
    let mut clips = Vec::with_capacity(root.animations.len());
    for (index, animation) in root.animations.iter().enumerate() {
        let of_file = std::mem::take(&mut notes.losses);
        let mut reader = Reader {
            index,
            animation,
            bones,
            accessors,
            times: &mut times,
            notes,
        };
        let motion = reader.motion(&targets);
        let losses = std::mem::replace(&mut notes.losses, of_file);
        if let Some(motion) = motion {
            let name = animation.name.clone().unwrap_or_default();
            clips.push(NamedMotion {
                name,
                motion,
                losses,
            });
        }
    }
    clips
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
type Moved = Option<u32>;

/// A channel of a bone, or of root motion.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    moved: Moved,
    path: Path,
    /// Index of the channel.
    index: usize,
    sampler: u32,
}

/// Reads an animation.
struct Reader<'a, 'f, 't> {
    index: usize,
    animation: &'a Animation,
    bones: &'a Bones,
    accessors: &'a mut Accessors<'f>,
    times: &'a mut Times,
    notes: &'a mut Notes<'t>,
}

/// Frames of an animation.
#[derive(Clone, Copy, Debug)]
struct Grid {
    rate: f32,
    /// True if every time is a frame.
    fits: bool,
}

impl Reader<'_, '_, '_> {
    fn path(&self) -> String {
        format!("animations[{}]", self.index)
    }

    /// Returns the motion. `None` comes with a finding.
    fn motion(&mut self, targets: &[Target]) -> Option<Motion> {
        let extras: Option<Result<ClipExtras, String>> = ours(&self.animation.extras);
        let extras = match extras {
            Some(Ok(extras)) => Some(extras),
            Some(Err(message)) => {
                self.add_extras(message);
                None
            }
            None => None,
        };
        let root = extras.as_ref().map(|extras| extras.root.as_deref());
        let wanted = self.wanted(root)?;
        let (times, lists) = self.input(&wanted)?;
        let (grid, extras) = self.grid(&lists, extras);
        let mut keys: HashMap<Moved, BoneKeys> = HashMap::new();
        for (channel, times) in wanted.into_iter().zip(times) {
            let keys = keys.entry(channel.moved).or_default();
            match channel.path {
                Path::Translation => {
                    keys.translation = self.keys(channel, times, Use::Vectors, grid)?;
                }
                Path::Scale => keys.scale = self.keys(channel, times, Use::Vectors, grid)?,
                Path::Rotation => {
                    keys.rotation = self.keys(channel, times, Use::Rotations, grid)?;
                }
                Path::Weights | Path::Other => {}
            }
        }
        let all = Channels {
            translation: true,
            rotation: true,
            scale: true,
        };
        let mut motion = Motion::new(all, Precision::Single);
        motion.conventions = Conventions::GLTF;
        motion.rate = grid.rate;
        for (bone, target) in (0..).zip(targets) {
            if let Some(keys) = keys.get(&Some(bone)) {
                motion.add_track(target.clone(), 0, slices(keys)).ok()?;
            }
        }
        let has_root = extras.as_ref().is_some_and(|extras| extras.root.is_some());
        if let Some(keys) = keys.get(&None) {
            motion.set_root_keys(slices(keys)).ok()?;
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
    fn wanted(&mut self, root: Option<Option<&[Path]>>) -> Option<Vec<Wanted>> {
        let mut wanted: Vec<Wanted> = Vec::new();
        let mut places: HashMap<(Moved, Path), usize> = HashMap::new();
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
                let message = || format!("{node}, but {}", there_are(count, "node", "nodes"));
                let path = || format!("{}.target.node", path());
                self.notes.add(GltfRule::Index, path, message);
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
            } else if bone.is_none() {
                let what = "channels of nodes that are not bones";
                self.notes.losses.add(what, path);
                continue;
            }
            let one = Wanted {
                moved: *bone,
                path: target.path,
                index,
                sampler: channel.sampler,
            };
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

    fn sampler(&mut self, channel: Wanted) -> Option<Sampler> {
        let sampler = self.animation.samplers.get(channel.sampler as usize);
        if sampler.is_none() {
            let count = self.animation.samplers.len();
            let message = || {
                let there_are = there_are(count, "sampler", "samplers");
                format!("{}, but {there_are}", channel.sampler)
            };
            let (clip, index) = (self.index, channel.index);
            let path = || format!("animations[{clip}].channels[{index}].sampler");
            self.notes.add(GltfRule::Index, path, message);
        }
        sampler.copied()
    }

    /// Returns the times of each channel, and each distinct list of times.
    fn input(&mut self, wanted: &[Wanted]) -> Option<(Vec<Seconds>, Vec<Seconds>)> {
        let (mut all, mut lists) = (Vec::with_capacity(wanted.len()), Vec::new());
        let mut seen = HashSet::new();
        for channel in wanted {
            let input = self.sampler(*channel)?.input;
            let path = || {
                format!(
                    "animations[{}].samplers[{}].input",
                    self.index, channel.sampler
                )
            };
            let is_new = seen.insert(input);
            let times = match self.times.get(&input) {
                Some(known) => {
                    let known = known.clone()?;
                    // Each animation looks at all of them.
                    let count = if is_new { known.len() as u64 } else { 0 };
                    self.accessors.room.take(count, path, self.notes)?;
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
        let read = self
            .accessors
            .read::<1>(input, Use::Times, &user, self.notes)?;
        let times: Seconds = read.into_iter().map(|[time]| time).collect();
        let is_wild = |time: &f64| !time.is_finite() || *time < 0.0;
        if let Some(at) = times.iter().position(is_wild) {
            let time = times.get(at).copied().unwrap_or_default();
            let message = || format!("{time} seconds, expected 0 or more");
            self.notes
                .add(GltfRule::Time, || format!("{path}[{at}]"), message);
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
            let path = || format!("{path}[{at}]");
            self.notes.add(GltfRule::TimeOrder, path, message);
        }
        Some(times)
    }

    /// Returns the frames, and the extras if they fit them.
    fn grid(
        &mut self,
        times: &[Seconds],
        extras: Option<ClipExtras>,
    ) -> (Grid, Option<ClipExtras>) {
        let all = times.iter().map(|times| &**times);
        if let Some(extras) = extras {
            let rate = extras.rate;
            let is_rate = rate.is_finite() && rate > 0.0;
            if is_rate && { all.clone() }
                .flatten()
                .all(|time| frame(*time, rate).is_some())
            {
                return (Grid { rate, fits: true }, Some(extras));
            }
            self.add_extras(format!(
                "the times do not fall on frames at {rate} per second; the rate is taken from the times"
            ));
        }
        let grid = match rate_of(all) {
            Some(rate) => Grid { rate, fits: true },
            None => Grid {
                rate: Motion::DEFAULT_RATE,
                fits: false,
            },
        };
        (grid, None)
    }

    /// Returns the keys of a channel. `None` comes with a finding.
    fn keys<const N: usize>(
        &mut self,
        channel: Wanted,
        times: Seconds,
        usage: Use,
        grid: Grid,
    ) -> Option<Vec<Key<N>>> {
        let sampler = self.sampler(channel)?;
        let at = format!("{}.samplers[{}]", self.path(), channel.sampler);
        let user = || format!("{at}.output");
        let output = sampler.output;
        let values = self.accessors.read::<N>(output, usage, &user, self.notes)?;
        let parts = match sampler.interpolation {
            Interpolation::CubicSpline => 3,
            Interpolation::Linear | Interpolation::Step => 1,
        };
        let expected = times.len().saturating_mul(parts);
        if values.len() != expected {
            let message = || {
                let (found, times) = (values.len(), times.len());
                let found = counted(found, "value", "values");
                let times = counted(times, "time", "times");
                format!("{found} for {times}, expected {expected}")
            };
            self.notes.add(GltfRule::SamplerCount, user, message);
            return None;
        }
        let values = values.chunks_exact(parts).map(|chunk| match *chunk {
            [before, value, after] => [before, value, after],
            [value] => [[0.0; N], value, [0.0; N]],
            _ => [[0.0; N]; 3],
        });
        let mut pairs: Vec<(f64, [[f64; N]; 3])> = times.iter().copied().zip(values).collect();
        self.check(&mut pairs, &user);
        if !pairs.is_sorted_by(|a, b| a.0 < b.0) {
            pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
            pairs.reverse();
            pairs.dedup_by(|a, b| a.0 == b.0);
            pairs.reverse();
        }
        let (times, values) = pairs.into_iter().unzip();
        let curve = Curve {
            times,
            values,
            interpolation: sampler.interpolation,
        };
        self.on_frames(&curve, &at, grid)
    }

    /// Finds irregular values, and normalises rotations.
    fn check<const N: usize>(
        &mut self,
        pairs: &mut [(f64, [[f64; N]; 3])],
        user: &dyn Fn() -> String,
    ) {
        let values = || pairs.iter().map(|(_, [_, value, _])| value);
        let wild = values().position(|value| !value.iter().all(|number| number.is_finite()));
        if let Some(key) = wild {
            let message = || {
                let value = values().nth(key).copied().unwrap_or([0.0; N]);
                format!("{value:?} is not finite")
            };
            let path = || format!("{}[{key}]", user());
            self.notes.add(GltfRule::NotFinite, path, message);
        }
        if N != 4 {
            return;
        }
        let lengths = pairs
            .iter_mut()
            .enumerate()
            .filter_map(|(key, (_, parts))| {
                let [before, value, after] = parts;
                let length = normalise(value)?;
                // Tangents are as much too long.
                for number in before.iter_mut().chain(after).filter(|_| length > 0.0) {
                    *number /= length;
                }
                Some((key, length))
            });
        // All are normalised, and the first is told.
        if let Some((key, length)) = lengths.reduce(|first, _| first) {
            let message = || other_length(length);
            let path = || format!("{}[{key}]", user());
            self.notes.add(GltfRule::RotationLength, path, message);
        }
    }

    /// Returns the keys on frames. Those of a linear curve are unchanged.
    fn on_frames<const N: usize>(
        &mut self,
        curve: &Curve<N>,
        path: &str,
        grid: Grid,
    ) -> Option<Vec<Key<N>>> {
        let (Some(first), Some(last)) = (curve.times.first(), curve.times.last()) else {
            return Some(Vec::new());
        };
        let is_still = curve.times.len() == 1;
        let what = match curve.interpolation {
            _ if is_still && grid.fits => None,
            Interpolation::Linear if grid.fits => None,
            Interpolation::Linear => {
                Some("channels with times between frames, sampled at 30 per second")
            }
            Interpolation::Step => Some("channels with steps, each of which takes one frame"),
            Interpolation::CubicSpline => Some("channels of cubic splines, sampled on each frame"),
        };
        if let Some(what) = what {
            self.notes.losses.add(what, || path.to_owned());
        }
        let frames = curve.times.iter().map(|time| frame(*time, grid.rate));
        let value = |[_, value, _]: &[[f64; N]; 3]| *value;
        let keys = grid.fits.then(|| frames.zip(&curve.values));
        match (curve.interpolation, keys) {
            (Interpolation::Linear, Some(keys)) => {
                let key = |(frame, parts)| {
                    let (frame, value) = (Option::<u32>::unwrap_or_default(frame), value(parts));
                    Key { frame, value }
                };
                return Some(last_of_frames(keys.map(key)));
            }
            (Interpolation::Step, Some(keys)) => {
                let mut stepped: Vec<Key<N>> = Vec::new();
                for (frame, parts) in keys {
                    let frame = frame.unwrap_or_default();
                    let before = stepped.last().copied();
                    if let Some(before) = before
                        && before.frame.saturating_add(1) < frame
                    {
                        let frame = frame.saturating_sub(1);
                        stepped.push(Key { frame, ..before });
                    }
                    let value = value(parts);
                    stepped.push(Key { frame, value });
                }
                return Some(last_of_frames(stepped.into_iter()));
            }
            _ => {}
        }
        let Some((first, last)) = around(*first, *last, grid.rate) else {
            let message = || format!("{last:?} seconds is too late for any frame number");
            self.notes.add(GltfRule::Limit, || path.to_owned(), message);
            return None;
        };
        let count = u64::from(last.saturating_sub(first)).saturating_add(1);
        let room = &mut self.accessors.sampled;
        room.take(count, || path.to_owned(), self.notes)?;
        let mut keys: Vec<Key<N>> = Vec::new();
        for frame in first..=last {
            let value = curve.at(f64::from(frame) / f64::from(grid.rate));
            match keys.as_mut_slice() {
                [.., before, last] if before.value == value && last.value == value => {
                    last.frame = frame;
                }
                _ => keys.push(Key { frame, value }),
            }
        }
        Some(keys)
    }
}

/// Returns keys with ascending frames, of several on one frame the last.
fn last_of_frames<const N: usize>(keys: impl Iterator<Item = Key<N>>) -> Vec<Key<N>> {
    let mut kept: Vec<Key<N>> = Vec::with_capacity(keys.size_hint().0);
    for key in keys {
        match kept.last_mut() {
            Some(last) if last.frame == key.frame => *last = key,
            _ => kept.push(key),
        }
    }
    kept
}

fn slices(keys: &BoneKeys) -> TrackKeys<'_> {
    TrackKeys {
        translation: &keys.translation,
        rotation: &keys.rotation,
        scale: &keys.scale,
    }
}
