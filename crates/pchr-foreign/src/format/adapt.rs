//! Converts motions between formats: the same poses on a skeleton, within the limits of the other format.

use std::borrow::Cow;
use std::collections::HashSet;

use glam::DQuat;

use pchr::finding::{counted, quoted};
use pchr::format::{Losses, MovementError};

use crate::motion::{
    AdditiveRotation, AnimationType, Binding, BoneKeys, Channel, Channels, Conventions, Dialect,
    Interpolation, Key, LocalKeys, Modifier, Motion, Name, ParentScale, ParentScaleChange,
    Precision, Reframed, Skeleton, Target, TooManySamples, Track, Transform, UnwritableKey,
};

/// Reason why a motion cannot be converted to another format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unadaptable {
    /// Bones by number, or without parents and rest, although the target needs them.
    #[error("the motion refers to its bones by number; it needs a skeleton that names them")]
    Skeleton,
    /// Tracks of another skeleton.
    #[error(
        "no track matches a bone of the skeleton ({}; the first is {first})",
        counted(.tracks, "track", "tracks")
    )]
    NoBone {
        /// Number of tracks.
        tracks: usize,
        /// Name of the first, in quotes, or its index.
        first: String,
    },
    /// A number beyond 32-bit floats.
    #[error("tracks[{track}] has a number too large for a 32-bit float")]
    Beyond {
        /// Index of the track.
        track: usize,
    },
    /// More samples than become keys.
    #[error(transparent)]
    Samples(#[from] TooManySamples),
    /// A key that the format cannot store.
    #[error(transparent)]
    Key(#[from] UnwritableKey),
}

/// Finds the bones of a motion, and lists the tracks that find none.
///
/// # Errors
/// [`Unadaptable::NoBone`] if there are tracks, and none finds a bone.
pub fn bind(
    motion: &Motion,
    skeleton: &Skeleton,
    losses: &mut Losses,
) -> Result<Binding, Unadaptable> {
    let binding = Binding::new(motion, skeleton);
    let tracks = motion.tracks();
    let finds = (0..tracks.len()).any(|track| binding.bone(track).is_some());
    if let (false, Some(first), None) = (finds, tracks.first(), binding.root(motion)) {
        return Err(Unadaptable::NoBone {
            tracks: tracks.len(),
            first: match first.target.name() {
                Some(name) => quoted(&name.text()).to_string(),
                None => "#0".to_owned(),
            },
        });
    }
    for track in binding.unmatched(motion) {
        losses.add("tracks without a bone in the skeleton", || {
            match tracks.get(track).and_then(|track| track.target.name()) {
                Some(name) => format!("tracks[{track}], {}", quoted(&name.text())),
                None => format!("tracks[{track}]"),
            }
        });
    }
    Ok(binding)
}

/// Converts a motion to one with a track for each bone of the skeleton. A PXD motion is unchanged, including its clips.
///
/// Relative and delta values become absolute; an additive motion stays additive. Every channel has a key: if the motion has none,
/// it is the bone's rest, since programs differ about a missing key. The track of a delta motion that moves no bone becomes root
/// motion. If scales move children in the skeleton, translations below them are scaled instead. `additive` determines how additive
/// rotations are read.
///
/// # Errors
/// [`Unadaptable`] if there are too many samples.
pub fn to_pxd<'m>(
    motion: &'m Motion,
    skeleton: &Skeleton,
    additive: AdditiveRotation,
) -> Result<(Cow<'m, Motion>, Losses), Unadaptable> {
    let mut losses = Losses::default();
    if motion.dialect == Dialect::Pxd {
        return Ok((Cow::Borrowed(motion), losses));
    }
    let is_additive =
        motion.animation_type == AnimationType::Additive && { motion.modifiers.iter() }
            .all(|it| it.animation_type == AnimationType::Additive);
    let binding = bind(motion, skeleton, &mut losses)?;
    let change = ParentScaleChange::new(skeleton, ParentScale::Separate);
    let rate = motion.frames_per_second();
    let mut keys = |skeleton: &Skeleton| -> Result<LocalKeys, Unadaptable> {
        let mut keys = LocalKeys::new(motion, skeleton, &binding, additive)?;
        list_reframed(&keys.on_frames(rate, Dialect::Pxd)?, &mut losses);
        Ok(keys)
    };
    let LocalKeys { mut bones, root } = if is_additive {
        let without_rest = skeleton.with_rests(|rest| Transform {
            rotation: match additive {
                AdditiveRotation::OnRest => Transform::IDENTITY.rotation,
                AdditiveRotation::Absolute => rest.rotation,
            },
            ..Transform::IDENTITY
        });
        keys(&without_rest)?
    } else {
        let keys = keys(skeleton)?;
        let changed = change.keys(motion, &keys)?;
        list_sheared(&changed.sheared, &mut losses);
        for bone in &changed.sampled {
            losses
                .add("sparse keys below animated scales", || format!("bones[{bone}].translation"));
        }
        changed.keys
    };
    if let Some(track) = motion.tracks().iter().position(|it| has(motion, it, is_beyond)) {
        return Err(Unadaptable::Beyond { track });
    }
    list_lost_in_pxd(motion, &bones, &mut losses);
    if is_additive && skeleton.conventions.parent_scale == ParentScale::Inherited {
        list_parent_scales("scales that children inherit", skeleton, &bones, &mut losses);
    }
    for (keys, bone) in bones.iter_mut().zip(change.skeleton().bones()) {
        if is_additive {
            become_changes(keys, &bone.rest, additive);
        }
        let still = if is_additive { &NO_CHANGE } else { &bone.rest };
        fill(keys, still);
    }
    let all = Channels { translation: true, rotation: true, scale: true };
    let mut numbered = Motion::new(all, Precision::Single);
    numbered.rate = rate;
    numbered.frame_count = motion.frames();
    numbered.dialect = Dialect::Pxd;
    numbered.conventions = Conventions::PXD;
    if is_additive {
        numbered.animation_type = AnimationType::Additive;
    }
    for (bone, keys) in (0_u32..).zip(&bones) {
        numbered.add_track(bone, 0, keys.into())?;
    }
    if let Some(mut root) = root {
        fill(&mut root, &Transform::IDENTITY);
        numbered.set_root_keys((&root).into())?;
    }
    Ok((Cow::Owned(numbered), losses))
}

/// Value of an additive bone without change.
const NO_CHANGE: Transform = Transform { scale: [0.0; 3], ..Transform::IDENTITY };

/// Converts absolute rotations and scales to changes of rest, as in additive motions.
fn become_changes(keys: &mut BoneKeys, rest: &Transform, additive: AdditiveRotation) {
    if additive == AdditiveRotation::Absolute {
        let back = DQuat::from_array(rest.rotation).inverse();
        for key in &mut keys.rotation {
            key.value = back.mul_quat(DQuat::from_array(key.value)).to_array();
        }
    }
    for key in &mut keys.scale {
        for (value, rest) in key.value.iter_mut().zip(rest.scale) {
            // A bone without size stays without size after any change.
            *value = if rest == 0.0 { 0.0 } else { *value / rest - 1.0 };
        }
    }
}

/// Adds a key to each channel without keys.
fn fill(keys: &mut BoneKeys, value: &Transform) {
    fill_channel(&mut keys.translation, value.translation);
    fill_channel(&mut keys.rotation, value.rotation);
    fill_channel(&mut keys.scale, value.scale);
}

fn fill_channel<const N: usize>(keys: &mut Vec<Key<N>>, value: [f64; N]) {
    if keys.is_empty() {
        keys.push(Key { frame: 0, value });
    }
}

fn list_lost_in_pxd(motion: &Motion, bones: &[BoneKeys], losses: &mut Losses) {
    for (bone, frame) in uneven_turns(motion, Dialect::Pxd, bones) {
        losses.add("rotations at even speed between keys", || {
            format!("bones[{bone}], frame {frame}")
        });
    }
    list_unheld(motion, losses);
    if motion.looped {
        losses.add("loop flags", || "looped".into());
    }
    if motion.frames() == 1 && motion.frames_per_second() != Motion::DEFAULT_RATE {
        losses.add("frame rates of one-frame motions", || "framerate".into());
    }
    let is_additive = motion.animation_type == AnimationType::Additive;
    let is_in_part = |it: &Modifier| it.animation_type != AnimationType::Additive;
    if is_additive && motion.modifiers.iter().any(is_in_part) {
        losses.add("additive bones (applied on top of the rest pose)", || "animType".into());
    }
    let modifiers = motion.modifiers.iter().enumerate();
    for (index, _) in modifiers.filter(|(_, it)| !is_additive && !is_in_part(it)) {
        losses.add("additive bones (applied on top of the rest pose)", || {
            format!("modifiers[{index}]")
        });
    }
    for (index, track) in motion.tracks().iter().enumerate() {
        if track.flags != 0 {
            losses.add("flags of bones", || format!("bones[{index}].flags"));
        }
        if motion.precision() == Precision::Double && has(motion, track, is_longer) {
            losses.add("tracks with more digits than 32-bit floats hold", || {
                format!("bones[{index}]")
            });
        }
    }
}

/// Lists the parts of a motion that SEAnim alone has a place for.
pub(crate) fn list_unheld(motion: &Motion, losses: &mut Losses) {
    losses.add_many("notes", motion.notes.len() as u64, || "notes[0]".into());
    let custom = motion.custom.as_ref().map_or(0, Vec::len) as u64;
    losses.add_many("bytes of the custom block", custom, || "custom".into());
}

/// Returns true if a track has a value with a property.
fn has(motion: &Motion, track: &Track, is: fn(f64) -> bool) -> bool {
    let vectors = [motion.translation(track), motion.scale(track)];
    let mut vectors = vectors.into_iter().flatten().flat_map(|keys| keys.iter());
    let mut rotations = motion.rotation(track).into_iter().flat_map(|it| it.iter());
    vectors.any(|key| key.value.into_iter().any(is))
        || rotations.any(|key| key.value.into_iter().any(is))
}

/// Returns true if a value is not exact in 32-bit floats.
#[expect(clippy::cast_possible_truncation, reason = "it is told whether it does")]
fn is_longer(value: f64) -> bool {
    value.is_finite() && f64::from(value as f32) != value
}

fn is_beyond(value: f64) -> bool {
    value.is_finite() && value.abs() > f32::MAX.into()
}

/// Name of the track that moves the whole model, if no bone has it.
const ROOT: &str = "root_motion";

/// Converts a motion to one whose tracks name their bones and have keys on frames. If it already does, it is unchanged. If it numbers
/// its bones, they get names from the skeleton, and keys if it was sampled.
///
/// Types stay. In additive motions translations and rotations are unchanged. Their scales become those of the bones, because SEAnim
/// stores the value and PXD the change. Root motion becomes the first track, of type delta.
///
/// # Errors
/// [`Unadaptable`] if a skeleton is needed and none is given, or there are too many samples.
pub fn to_seanim<'m>(
    motion: &'m Motion,
    skeleton: Option<&Skeleton>,
) -> Result<(Cow<'m, Motion>, Losses), Unadaptable> {
    let mut losses = Losses::default();
    let tracks = motion.tracks();
    let is_named = { tracks.iter() }.all(|track| track.target.name().is_some());
    let is_alone = is_named && motion.sampled().is_none() && motion.root().is_none();
    if is_alone && !motion.is_timed() {
        return Ok((Cow::Borrowed(motion), losses));
    }
    // Tracks with names need no bones.
    let own = is_alone.then(|| Skeleton::of_tracks(motion));
    let skeleton = own.as_ref().or(skeleton).ok_or(Unadaptable::Skeleton)?;
    let binding = match is_alone {
        true => Binding::of_tracks(motion),
        false => bind(motion, skeleton, &mut losses)?,
    };
    // Applied to the values, its rest gives those of SEAnim: of additive motions its scales alone.
    let reference = match motion.animation_type {
        AnimationType::Additive => {
            &skeleton.with_rests(|rest| Transform { scale: rest.scale, ..Transform::IDENTITY })
        }
        _ => skeleton,
    };
    let additive = AdditiveRotation::default();
    let mut keys = LocalKeys::new(motion, reference, &binding, additive)?;
    let reframed = keys.on_frames(motion.frames_per_second(), Dialect::Seanim)?;
    list_reframed(&reframed, &mut losses);
    let LocalKeys { bones, root } = keys;
    list_lost_in_seanim(motion, skeleton, &bones, &mut losses);
    let mut named = Motion::new(channels(bones.iter().chain(&root)), Precision::Single);
    named.rate = motion.frames_per_second();
    named.frame_count = motion.frames();
    named.looped = motion.looped;
    named.animation_type = motion.animation_type;
    named.notes.clone_from(&motion.notes);
    named.custom.clone_from(&motion.custom);
    named.conventions = motion.conventions;
    if let Some(root) = root {
        named.add_track(free_name(skeleton), 0, (&root).into())?;
        named.modifiers.push(Modifier {
            track: 0,
            animation_type: AnimationType::Delta,
            offset: 0,
        });
    }
    let mut moved: Vec<u32> =
        { 0..tracks.len() }.filter_map(|track| Some(binding.bone(track)?.0)).collect();
    moved.sort_unstable();
    for bone in moved {
        let name = skeleton.bones().get(bone as usize).map(|it| it.name.clone());
        if let (Some(name), Some(keys)) = (name, bones.get(bone as usize)) {
            named.add_track(Target::Name(name), 0, keys.into())?;
        }
    }
    Ok((Cow::Owned(named), losses))
}

fn channels<'k>(keys: impl Iterator<Item = &'k BoneKeys>) -> Channels {
    keys.fold(Channels::default(), |channels, keys| Channels {
        translation: channels.translation || !keys.translation.is_empty(),
        rotation: channels.rotation || !keys.rotation.is_empty(),
        scale: channels.scale || !keys.scale.is_empty(),
    })
}

/// Returns a name that no bone has, in any comparison of names.
fn free_name(skeleton: &Skeleton) -> Name {
    let taken: HashSet<String> = { skeleton.bones().iter() }
        .map(|bone| bone.name.text().to_lowercase())
        .map(|name| name.rsplit(':').next().unwrap_or_default().to_owned())
        .collect();
    let numbered = (2_u32..).map(|number| format!("{ROOT}_{number}"));
    let mut names = std::iter::once(ROOT.to_owned()).chain(numbered);
    let name = names.find(|name| !taken.contains(name));
    name.unwrap_or_default().as_str().into()
}

fn list_lost_in_seanim(
    motion: &Motion,
    skeleton: &Skeleton,
    bones: &[BoneKeys],
    losses: &mut Losses,
) {
    let mut names = HashSet::new();
    for (index, (bone, keys)) in skeleton.bones().iter().zip(bones).enumerate() {
        if !keys.is_empty() && !names.insert(&bone.name) {
            losses.add("differences between bones of the same name", || format!("bones[{index}]"));
        }
    }
    for (bone, frame) in uneven_turns(motion, Dialect::Seanim, bones) {
        losses.add("rotations at uneven speed between keys", || {
            format!("bones[{bone}], frame {frame}")
        });
    }
    if skeleton.conventions.parent_scale == ParentScale::Separate {
        list_parent_scales("scales that children do not inherit", skeleton, bones, losses);
    }
}

/// Converts a skeleton to one whose scales move no children, with every bone in the same place. Also returns what PXD cannot
/// express.
#[must_use]
pub fn to_pxd_skeleton(skeleton: &Skeleton) -> (Skeleton, Losses) {
    let change = ParentScaleChange::new(skeleton, ParentScale::Separate);
    let mut losses = Losses::default();
    list_sheared(change.sheared(), &mut losses);
    (change.skeleton().clone(), losses)
}

/// Lists bones that the scales above them shear in one format and not in the other.
fn list_sheared(bones: &[u32], losses: &mut Losses) {
    for bone in bones {
        losses.add("shears of bones below scales that differ by axis, or are 0", || {
            format!("bones[{bone}]")
        });
    }
}

/// Lists scales of bones with children; `what` says whether the scales affect the children.
fn list_parent_scales(
    what: &'static str,
    skeleton: &Skeleton,
    bones: &[BoneKeys],
    losses: &mut Losses,
) {
    // Programs round: so small a difference is not a scale.
    let is_other = |scale: f64| (scale - 1.0).abs() > 1e-5;
    let is_scaled =
        |keys: &BoneKeys| keys.scale.iter().any(|key| key.value.into_iter().any(is_other));
    let parents = skeleton.bones().iter().filter_map(|bone| bone.parent);
    let mut parents: Vec<usize> = parents.map(|parent| parent as usize).collect();
    parents.sort_unstable();
    parents.dedup();
    let scaled = { parents.iter() }.filter(|bone| bones.get(**bone).is_some_and(is_scaled));
    for bone in scaled {
        losses.add(what, || format!("bones[{bone}]"));
    }
}

/// Returns pairs of rotations with frames in between, for which SEAnim turns evenly and PXD does not: index of a bone, and frame.
/// There are none in a motion of that dialect.
fn uneven_turns<'a>(
    motion: &Motion,
    target: Dialect,
    bones: &'a [BoneKeys],
) -> impl Iterator<Item = (usize, u32)> + Clone + use<'a> {
    let differs = motion.dialect != target && motion.sampled().is_none();
    let bones = bones.iter().enumerate().filter(move |_| differs);
    bones.flat_map(|(bone, keys)| {
        let pairs = keys.rotation.windows(2);
        pairs.filter_map(move |pair| match pair {
            // With one frame in between, both agree, because they are equal half way.
            [start, end] if end.frame.saturating_sub(start.frame) > 2 => {
                (start.value != end.value).then_some((bone, start.frame))
            }
            _ => None,
        })
    })
}

/// Lists channels whose keys at times became keys on frames.
pub(crate) fn list_reframed(channels: &[Reframed], losses: &mut Losses) {
    for channel in channels {
        let what = match channel.interpolation {
            Interpolation::Step => "channels with steps, each of which takes one frame",
            Interpolation::Linear => "channels with keys between frames, sampled on each frame",
            Interpolation::CubicSpline => "channels of cubic splines, sampled on each frame",
        };
        let (word, none) = (channel.channel.name(), MovementError::default());
        let error = match channel.channel {
            Channel::Translation => MovementError { units: channel.error, ..none },
            Channel::Rotation => MovementError { degrees: channel.error, ..none },
            Channel::Scale => MovementError { scale: channel.error, ..none },
        };
        losses.add_movement(what, error, || match channel.bone {
            Some(bone) => format!("bones[{bone}].{word}"),
            None => format!("root.{word}"),
        });
    }
}
