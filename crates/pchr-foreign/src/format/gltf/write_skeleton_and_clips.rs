//! Writes a skeleton and motions to a file.

use std::collections::BTreeSet;
use std::ops::Mul as _;

use glam::{DAffine3, DQuat};

use pchr::character::Character;
use pchr::format::Losses;

use super::record::{
    Asset, ClipExtras, GltfAnimation, GltfRoot, GltfSkin, Node, NodeExtras, NoteExtras, Path,
    ROOT_MOTION, Scene, Shape, extras, said,
};
use super::write_buffer_and_container::{AccessorPacker, BufferPart};
use super::write_channels::{AnimationWriter, ChannelPlace, NORMALISED, single};
use super::write_meshes_and_materials::{GltfFigure, MeshSwitch};
use super::{Container, GltfClip, GltfUnwritable};
use crate::format::list_reframed;
use crate::motion::{
    AnimationType, Bone, BoneKeys, LocalKeys, Motion, ParentScale, ParentScaleChange, Skeleton,
    Transform, Unit, UpAxis, same_bits, unit,
};

/// Writes a skeleton and motions of it, all in one file: metres, Y up. Returns the content that the file does not hold.
///
/// # Errors
/// [`GltfUnwritable`] if a number is not finite, a motion does not fit the skeleton or single-precision seconds, or there is too much.
pub fn write(
    skeleton: &Skeleton,
    clips: &[GltfClip<'_>],
    container: Container,
) -> Result<(Vec<u8>, Losses), GltfUnwritable> {
    write_all(skeleton, None, clips, container)
}

/// Writes a character: its skeleton, as [`plane::skeleton`](crate::plane::skeleton()) returns it, clips, meshes in draw order, and
/// textures. A pixel becomes a metre. Returns the content that the file does not hold.
///
/// # Errors
/// As [`write()`], and [`GltfUnwritable::Bones`] for a skeleton of other bones.
pub fn write_character(
    character: &Character,
    skeleton: &Skeleton,
    clips: &[GltfClip<'_>],
    container: Container,
) -> Result<(Vec<u8>, Losses), GltfUnwritable> {
    let (found, expected) = (skeleton.bones().len(), character.document().bones().len());
    if found != expected {
        return Err(GltfUnwritable::Bones { path: "skeleton".into(), found, expected });
    }
    write_all(skeleton, Some(character), clips, container)
}

fn write_all(
    skeleton: &Skeleton,
    character: Option<&Character>,
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
        character,
        switches: Vec::new(),
    };
    let bind = writer.nodes(clips)?;
    if let Some(character) = character {
        let GltfWriter { root, packer, losses, .. } = &mut writer;
        writer.switches = GltfFigure { character, bind: &bind, root, packer, losses }.write();
    }
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
    character: Option<&'a Character>,
    switches: Vec<MeshSwitch>,
}

impl GltfWriter<'_> {
    /// Writes nodes, a scene and a skin, and returns the skin's bind matrices.
    fn nodes(&mut self, clips: &[GltfClip<'_>]) -> Result<Vec<[f32; 16]>, GltfUnwritable> {
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
            extras: extras(NodeExtras { above: true, ..NodeExtras::default() }),
            ..Node::default()
        });
        let mut scene = self.above;
        if let Some(axes) = axes(self.skeleton) {
            nodes.push(Node { children: vec![scene], ..axes });
            scene = scene.saturating_add(1);
        }
        let matrices = self.bind_matrices();
        if !bones.is_empty() {
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
        Ok(matrices)
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
            self.losses.add(NORMALISED, || format!("bones[{index}].rotation"));
        }
        let identity = Transform::IDENTITY;
        let (text, name_hex) = said(&bone.name);
        let name = text.unwrap_or_else(|| bone.name.text().into_owned());
        Ok(Node {
            name: (!name.is_empty()).then_some(name),
            translation: other(rest.translation, identity.translation),
            rotation: other(rotation, identity.rotation),
            scale: other(rest.scale, identity.scale),
            extras: name_hex.and_then(|name_hex| {
                extras(NodeExtras { name_hex: Some(name_hex), ..NodeExtras::default() })
            }),
            ..Node::default()
        })
    }

    /// Returns the inverse matrices of the bones at rest.
    fn bind_matrices(&mut self) -> Vec<[f32; 16]> {
        let mut worlds = Vec::new();
        self.skeleton.walk(DAffine3::IDENTITY, &mut worlds, |_, bone, parent| {
            let Transform { translation, rotation, scale } = bone.rest;
            let rotation = DQuat::from_array(unit(rotation).0);
            let (scale, translation) = (scale.into(), translation.into());
            parent.mul(DAffine3::from_scale_rotation_translation(scale, rotation, translation))
        });
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

    fn clip(
        &mut self,
        index: usize,
        clip: &GltfClip<'_>,
        keys: &LocalKeys,
    ) -> Result<(), GltfUnwritable> {
        let motion = clip.motion;
        let path = format!("animations[{index}]");
        let mut animation =
            AnimationWriter::new(path.clone(), clip, &mut self.packer, &mut self.losses);
        let bones = self.skeleton.bones().iter().zip(&keys.bones);
        for ((node, index), (bone, keys)) in (0_u32..).zip(0_usize..).zip(bones) {
            let path = format!("{path}.bones[{index}]");
            let (rest, bone) = (&bone.rest, bone.name.text().into_owned());
            animation.channels_of(&ChannelPlace { node, rest, path, bone }, keys)?;
        }
        let mut root = None;
        if let Some(keys) = &keys.root {
            let path = format!("{path}.root");
            let (node, rest, bone) = (self.above, &Transform::IDENTITY, ROOT_MOTION.to_owned());
            animation.channels_of(&ChannelPlace { node, rest, path, bone }, keys)?;
            let BoneKeys { timed, .. } = keys;
            let has = [
                (Path::Translation, !keys.translation.is_empty() || timed.translation.is_some()),
                (Path::Rotation, !keys.rotation.is_empty() || timed.rotation.is_some()),
                (Path::Scale, !keys.scale.is_empty() || timed.scale.is_some()),
            ];
            let has = has.into_iter().filter(|(_, has)| *has);
            root = Some(has.map(|(path, _)| path).collect::<Vec<Path>>());
        }
        for switch in &self.switches {
            if let Some((character, frames)) = self.character.zip(clip.frames) {
                let frames = switch.frames(character, frames);
                animation.switch(switch.node, switch.at_rest, frames)?;
            }
            animation.copy(&switch.copies);
        }
        // The last frame is held, too.
        let held = clip.frames.map(|_| f64::from(motion.frames()) / f64::from(animation.rate));
        let secs = held.unwrap_or_else(|| motion.duration_secs());
        animation.lengthen(self.above, secs, root.as_deref());
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
                held: clip.frames.is_some(),
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

/// Returns a value, unless it equals the default that is left out.
fn other<const N: usize>(value: [f64; N], left_out: [f64; N]) -> Option<[f64; N]> {
    (!same_bits(value, left_out)).then_some(value)
}
