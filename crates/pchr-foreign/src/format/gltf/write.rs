//! Writes a skeleton and motions to a file.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::ops::Mul as _;

use glam::{DAffine3, DQuat};

use pchr::format::Losses;

use super::packer::{AccessorPacker, BufferPart};
use super::record::{
    Asset, ChannelTarget, ClipExtras, GltfAnimation, GltfChannel, GltfRoot, GltfSkin, Node,
    NodeExtras, NoteExtras, Path, ROOT_MOTION, Sampler, Scene, Shape, extras, said,
};
use super::{Container, GltfClip, GltfUnwritable};
use crate::format::list_reframed;
use crate::motion::{
    AnimationType, Bone, BoneKeys, Dialect, Interpolation, Key, LocalKeys, Motion, ParentScale,
    ParentScaleChange, Precision, Skeleton, TimedKeys, Transform, Unit, UpAxis, frame_at, slerp,
    unit,
};

/// Largest difference, in radians, between two ways of blending rotations that is ignored.
const TURNED_ALIKE: f64 = 1e-4;

/// Writes a skeleton and motions of it, all in one file: metres, Y up. Returns the content that the file does not hold.
///
/// # Errors
/// [`GltfUnwritable`] if a number is not finite, a motion does not fit the skeleton or single-precision seconds, or there is too much.
pub fn write(
    skeleton: &Skeleton,
    clips: &[GltfClip<'_>],
    container: Container,
) -> Result<(Vec<u8>, Losses), GltfUnwritable> {
    let change = ParentScaleChange::new(skeleton, ParentScale::Inherited);
    let mut writer = GltfWriter {
        skeleton: change.skeleton(),
        root: GltfRoot {
            asset: Asset {
                version: "2.0".into(),
                generator: Some(concat!("pchr-view ", env!("CARGO_PKG_VERSION")).into()),
                ..Asset::default()
            },
            ..GltfRoot::default()
        },
        packer: AccessorPacker::default(),
        losses: Losses::default(),
        above: u32::try_from(skeleton.bones().len()).unwrap_or(u32::MAX),
    };
    writer.nodes(clips)?;
    let mut sheared: BTreeSet<u32> = change.sheared().iter().copied().collect();
    for (index, clip) in clips.iter().enumerate() {
        let (found, expected) = (clip.keys.bones.len(), skeleton.bones().len());
        if found != expected {
            let path = format!("animations[{index}]");
            return Err(GltfUnwritable::Bones { path, found, expected });
        }
        let changed = change.keys(clip.motion, clip.keys)?;
        sheared.extend(&changed.sheared);
        list_reframed(&changed.reframed, &mut writer.losses);
        if let Some(bone) = changed.sampled.first() {
            let what = "translations below animated scales, sampled on each frame";
            let path = || format!("animations[{index}].bones[{bone}].translation");
            let count = changed.sampled.len() as u64;
            writer.losses.add_many(what, count, path);
        }
        writer.clip(index, clip, &changed.keys)?;
    }
    if let Some(bone) = sheared.first() {
        let what = "bones below scales that differ by axis or are 0: glTF shears them";
        let count = sheared.len() as u64;
        writer.losses.add_many(what, count, || format!("bones[{bone}]"));
    }
    let GltfWriter { mut root, packer, losses, .. } = writer;
    let data = packer.finish(&mut root)?;
    Ok((container.file(root, &data)?, losses))
}

/// Writes a file. Nodes have the indices of their bones.
struct GltfWriter<'a> {
    skeleton: &'a Skeleton,
    root: GltfRoot,
    packer: AccessorPacker,
    losses: Losses,
    /// Index of the node above all bones.
    above: u32,
}

impl GltfWriter<'_> {
    /// Writes nodes, a scene and a skin.
    fn nodes(&mut self, clips: &[GltfClip<'_>]) -> Result<(), GltfUnwritable> {
        let bones = self.skeleton.bones();
        let mut nodes: Vec<Node> = Vec::with_capacity(bones.len());
        let mut top = Vec::new();
        for (index, bone) in bones.iter().enumerate() {
            nodes.push(self.node(index, bone)?);
        }
        for (index, bone) in (0_u32..).zip(bones) {
            match bone.parent.and_then(|parent| nodes.get_mut(parent as usize)) {
                Some(parent) => parent.children.push(index),
                None => top.push(index),
            }
        }
        let moves = clips.iter().any(|clip| clip.keys.root.is_some());
        nodes.push(Node {
            name: Some(if moves { ROOT_MOTION } else { "skeleton" }.into()),
            children: top,
            extras: extras(NodeExtras { above: true, name_hex: None }),
            ..Node::default()
        });
        let mut scene = self.above;
        if let Some(axes) = axes(self.skeleton) {
            nodes.push(Node { children: vec![scene], ..axes });
            scene = scene.saturating_add(1);
        }
        if !bones.is_empty() {
            let matrices = self.bind_matrices();
            let shape = Shape::Mat4;
            self.root.skins.push(GltfSkin {
                inverse_bind_matrices: Some(self.packer.add(BufferPart::Bind, shape, &matrices)),
                skeleton: Some(self.above),
                joints: (0..self.above).collect(),
            });
        }
        self.root.nodes = nodes;
        self.root.scene = Some(0);
        self.root.scenes.push(Scene { nodes: vec![scene] });
        Ok(())
    }

    fn node(&mut self, index: usize, bone: &Bone) -> Result<Node, GltfUnwritable> {
        let path = || format!("bones[{index}]");
        let rest = &bone.rest;
        if rest.numbers().any(|number| single(number).is_none()) {
            return Err(GltfUnwritable::NotFinite {
                path: path(),
                bone: bone.name.text().into_owned(),
                frame: None,
            });
        }
        let (rotation, is_changed) = unit(rest.rotation);
        if is_changed {
            let path = || format!("bones[{index}].rotation");
            self.losses.add(NORMALISED, path);
        }
        let identity = Transform::IDENTITY;
        let (text, name_hex) = said(&bone.name);
        let name = text.unwrap_or_else(|| bone.name.text().into_owned());
        Ok(Node {
            name: (!name.is_empty()).then_some(name),
            translation: other(rest.translation, identity.translation),
            rotation: other(rotation, identity.rotation),
            scale: other(rest.scale, identity.scale),
            extras: name_hex
                .and_then(|name_hex| extras(NodeExtras { above: false, name_hex: Some(name_hex) })),
            ..Node::default()
        })
    }

    /// Returns the inverse matrices of the bones at rest.
    fn bind_matrices(&mut self) -> Vec<[f32; 16]> {
        let bones = self.skeleton.bones();
        let mut worlds = vec![DAffine3::IDENTITY; bones.len()];
        for index in self.skeleton.parents_first() {
            let index = *index as usize;
            let Some(bone) = bones.get(index) else {
                continue;
            };
            let parent = bone.parent.and_then(|parent| worlds.get(parent as usize));
            let parent = parent.copied().unwrap_or_default();
            let Transform { translation, rotation, scale } = bone.rest;
            let own = DAffine3::from_scale_rotation_translation(
                scale.into(),
                DQuat::from_array(unit(rotation).0),
                translation.into(),
            );
            if let Some(world) = worlds.get_mut(index) {
                *world = parent.mul(own);
            }
        }
        let mut matrices = Vec::with_capacity(worlds.len());
        for (index, world) in worlds.iter().enumerate() {
            let inverse = glam::DMat4::from(world.inverse()).to_cols_array();
            let mut matrix = glam::Mat4::IDENTITY.to_cols_array();
            let singles = inverse.map(single);
            if singles.iter().all(Option::is_some) {
                matrix = singles.map(Option::unwrap_or_default);
            } else {
                let what = "bind matrices of bones with a scale of 0";
                self.losses.add(what, || format!("bones[{index}]"));
            }
            matrices.push(matrix);
        }
        matrices
    }

    /// Writes a motion.
    fn clip(
        &mut self,
        index: usize,
        clip: &GltfClip<'_>,
        keys: &LocalKeys,
    ) -> Result<(), GltfUnwritable> {
        let motion = clip.motion;
        let mut animation = AnimationWriter {
            path: format!("animations[{index}]"),
            rate: motion.frames_per_second(),
            is_double: motion.sampled().is_none() && motion.precision() == Precision::Double,
            blends: motion.sampled().is_none() && motion.dialect == Dialect::Pxd,
            channels: Vec::new(),
            samplers: Vec::new(),
            known: HashMap::new(),
            last: None,
            packer: &mut self.packer,
            losses: &mut self.losses,
        };
        let bones = self.skeleton.bones().iter().zip(&keys.bones);
        for ((node, index), (bone, keys)) in (0_u32..).zip(0_usize..).zip(bones) {
            let path = format!("{}.bones[{index}]", animation.path);
            let bone = bone.name.text().into_owned();
            animation.channels_of(&ChannelPlace { node, path, bone }, keys)?;
        }
        let mut root = None;
        if let Some(keys) = &keys.root {
            let path = format!("{}.root", animation.path);
            let (node, bone) = (self.above, ROOT_MOTION.to_owned());
            animation.channels_of(&ChannelPlace { node, path, bone }, keys)?;
            let BoneKeys { timed, .. } = keys;
            let has = [
                (Path::Translation, !keys.translation.is_empty() || timed.translation.is_some()),
                (Path::Rotation, !keys.rotation.is_empty() || timed.rotation.is_some()),
                (Path::Scale, !keys.scale.is_empty() || timed.scale.is_some()),
            ];
            let has = has.into_iter().filter(|(_, has)| *has);
            root = Some(has.map(|(path, _)| path).collect::<Vec<Path>>());
        }
        animation.lengthen(self.above, motion.duration_secs(), root.as_deref());
        let AnimationWriter { channels, samplers, rate, .. } = animation;
        self.root.animations.push(GltfAnimation {
            name: (!clip.name.is_empty()).then(|| clip.name.to_owned()),
            channels,
            samplers,
            extras: extras(ClipExtras {
                rate,
                frame_count: match motion.sampled() {
                    Some(sampled) => sampled.frames(),
                    None => motion.frame_count,
                },
                looped: motion.looped,
                notes: motion.notes.iter().map(NoteExtras::new).collect(),
                root,
            }),
        });
        self.left_out(index, motion);
        Ok(())
    }

    /// Lists what an animation cannot hold of a motion.
    fn left_out(&mut self, index: usize, motion: &Motion) {
        let mut add = |what: &'static str, part: &str| {
            self.losses.add(what, || format!("animations[{index}].{part}"));
        };
        if motion.rate.to_bits() != motion.frames_per_second().to_bits() {
            add("frame rates that are not above 0", "rate");
        }
        if motion.custom.is_some() {
            add("custom blocks", "custom");
        }
        let is_other = |kind| !matches!(kind, AnimationType::Absolute | AnimationType::Unknown(_));
        let modified = { motion.modifiers.iter() }.any(|it| is_other(it.animation_type));
        if is_other(motion.animation_type) || modified {
            add("types of motions (applied on top of the rest pose)", "type");
        }
        for (track, _) in { motion.tracks().iter().enumerate() }.filter(|(_, it)| it.flags != 0) {
            add("flags of bones", &format!("tracks[{track}]"));
        }
    }
}

/// Kind of a loss.
const NORMALISED: &str = "rotation lengths other than 1";

/// An animation to write.
struct AnimationWriter<'a> {
    path: String,
    rate: f32,
    /// True if numbers have double precision.
    is_double: bool,
    /// True if rotations between keys are blended number by number.
    blends: bool,
    channels: Vec<GltfChannel>,
    samplers: Vec<Sampler>,
    known: HashMap<(u32, u32, Interpolation), u32>,
    /// Time of the last key.
    last: Option<f32>,
    packer: &'a mut AccessorPacker,
    losses: &'a mut Losses,
}

/// Place of a channel: the node, and its name in errors.
struct ChannelPlace {
    node: u32,
    path: String,
    bone: String,
}

impl AnimationWriter<'_> {
    fn channels_of(&mut self, at: &ChannelPlace, keys: &BoneKeys) -> Result<(), GltfUnwritable> {
        let BoneKeys { timed, .. } = keys;
        self.channel(at, Path::Translation, &keys.translation)?;
        self.timed_channel(at, Path::Translation, timed.translation.as_ref())?;
        self.channel(at, Path::Rotation, &keys.rotation)?;
        self.timed_channel(at, Path::Rotation, timed.rotation.as_ref())?;
        self.channel(at, Path::Scale, &keys.scale)?;
        self.timed_channel(at, Path::Scale, timed.scale.as_ref())
    }

    /// Writes a channel if it has keys.
    fn channel<const N: usize>(
        &mut self,
        at: &ChannelPlace,
        path: Path,
        keys: &[Key<N>],
    ) -> Result<(), GltfUnwritable> {
        if keys.is_empty() {
            return Ok(());
        }
        let keys = ascending(keys);
        let place = || at.place(path);
        let mut values = Vec::with_capacity(keys.len());
        let (mut normalised, mut rounded) = (0_u64, 0_u64);
        for key in keys.iter() {
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
        if normalised > 0 {
            self.losses.add_many(NORMALISED, normalised, place);
        }
        if rounded > 0 && self.is_double {
            let what = "numbers of double precision, rounded to single";
            self.losses.add_many(what, rounded, place);
        }
        if self.blends {
            let turned = blended_otherwise(&keys);
            if turned > 0 {
                let what = "rotations at uneven speed between keys";
                self.losses.add_many(what, turned, place);
            }
        }
        let times = self.times(&keys)?;
        self.push(at.node, path, &times, &values, Interpolation::Linear);
        Ok(())
    }

    /// Writes a channel of keys at times as it is.
    fn timed_channel<const N: usize>(
        &mut self,
        at: &ChannelPlace,
        path: Path,
        keys: Option<&TimedKeys<N>>,
    ) -> Result<(), GltfUnwritable> {
        let Some(keys) = keys else {
            return Ok(());
        };
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
        if normalised > 0 {
            self.losses.add_many(NORMALISED, normalised, || at.place(path));
        }
        let times: Vec<[f32; 1]> = keys.times().iter().map(|time| [*time]).collect();
        self.push(at.node, path, &times, &values, keys.interpolation());
        Ok(())
    }

    /// Adds a channel.
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
    fn times<const N: usize>(&self, keys: &[Key<N>]) -> Result<Vec<[f32; 1]>, GltfUnwritable> {
        let time = |key: &Key<N>| {
            let time = seconds(key.frame, self.rate);
            let is_exact = frame_at(time.into(), self.rate) == Some(key.frame);
            is_exact.then_some([time]).ok_or_else(|| GltfUnwritable::Time {
                path: self.path.clone(),
                frame: key.frame,
                rate: self.rate,
            })
        };
        let times: Vec<[f32; 1]> = keys.iter().map(time).collect::<Result<_, _>>()?;
        let pairs = keys.iter().zip(times.iter().zip(times.iter().skip(1)));
        match { pairs }.find(|(_, (a, b))| a >= b) {
            Some((key, _)) => Err(GltfUnwritable::Time {
                path: self.path.clone(),
                frame: key.frame,
                rate: self.rate,
            }),
            None => Ok(times),
        }
    }

    /// Adds a channel that changes nothing, if keys end before the motion does. An animation has a channel at least.
    fn lengthen(&mut self, node: u32, secs: f64, root: Option<&[Path]>) {
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
        let Some(path) = free else {
            return;
        };
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

impl ChannelPlace {
    /// Returns the name of a channel in errors.
    fn place(&self, path: Path) -> String {
        let word = match path {
            Path::Rotation => "rotation",
            Path::Scale => "scale",
            _ => "translation",
        };
        format!("{}.{word}", self.path)
    }
}

/// Returns the node that rotates and scales bones to metres and Y up, if needed.
fn axes(skeleton: &Skeleton) -> Option<Node> {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let conventions = skeleton.conventions;
    let rotation = (conventions.up == UpAxis::Z).then_some([-half, 0.0, 0.0, half]);
    let scale = (conventions.unit == Unit::Centimetres).then_some([0.01; 3]);
    (rotation.is_some() || scale.is_some()).then(|| Node {
        name: Some("axes".into()),
        rotation,
        scale,
        ..Node::default()
    })
}

/// Returns the keys by frame, of several on one frame the last.
fn ascending<const N: usize>(keys: &[Key<N>]) -> Cow<'_, [Key<N>]> {
    if keys.is_sorted_by(|a, b| a.frame < b.frame) {
        return keys.into();
    }
    let mut keys = keys.to_vec();
    keys.sort_by_key(|key| key.frame);
    keys.reverse();
    keys.dedup_by_key(|key| key.frame);
    keys.reverse();
    keys.into()
}

fn seconds(frame: u32, rate: f32) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "glTF has single precision")]
    let seconds = (f64::from(frame) / f64::from(rate)) as f32;
    seconds
}

/// Returns a number in glTF's precision, if it is finite.
fn single(number: f64) -> Option<f32> {
    #[expect(clippy::cast_possible_truncation, reason = "glTF has single precision")]
    let single = number as f32;
    single.is_finite().then_some(single)
}

/// Returns a value, unless it equals the default that is left out.
fn other<const N: usize>(value: [f64; N], left_out: [f64; N]) -> Option<[f64; N]> {
    let bits = |value: [f64; N]| value.map(f64::to_bits);
    (bits(value) != bits(left_out)).then_some(value)
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
