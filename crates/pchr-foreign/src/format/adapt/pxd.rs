//! Converts any motion to PXD, with keys.

use std::borrow::Cow;

use glam::DQuat;

use pchr::format::Losses;

use super::skeleton::{list_parent_scales, list_sheared};
use super::turns::uneven_turns;
use super::{Unadaptable, bind};
use crate::format::list_reframed;
use crate::motion::{
    AdditiveRotation, AnimationType, BoneKeys, Channels, Conventions, Dialect, Key, LocalKeys,
    Modifier, Motion, ParentScale, ParentScaleChange, Precision, Skeleton, Track, Transform,
};

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
            losses.add("sparse keys below animated scales", || {
                format!("bones[{bone}].translation")
            });
        }
        changed.keys
    };
    if let Some(track) = motion
        .tracks()
        .iter()
        .position(|it| has(motion, it, is_beyond))
    {
        return Err(Unadaptable::Beyond { track });
    }
    list_losses(motion, &bones, &mut losses);
    if is_additive && skeleton.conventions.parent_scale == ParentScale::Inherited {
        list_parent_scales(
            "scales that children inherit",
            skeleton,
            &bones,
            &mut losses,
        );
    }
    for (keys, bone) in bones.iter_mut().zip(change.skeleton().bones()) {
        if is_additive {
            become_changes(keys, &bone.rest, additive);
        }
        let still = if is_additive { &NO_CHANGE } else { &bone.rest };
        fill(keys, still);
    }
    let all = Channels {
        translation: true,
        rotation: true,
        scale: true,
    };
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
const NO_CHANGE: Transform = Transform {
    scale: [0.0; 3],
    ..Transform::IDENTITY
};

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
            *value = if rest == 0.0 {
                0.0
            } else {
                *value / rest - 1.0
            };
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

fn list_losses(motion: &Motion, bones: &[BoneKeys], losses: &mut Losses) {
    for (bone, frame) in uneven_turns(motion, Dialect::Pxd, bones) {
        losses.add("rotations at even speed between keys", || {
            format!("bones[{bone}], frame {frame}")
        });
    }
    let notes = motion.notes.len() as u64;
    if notes > 0 {
        losses.add_many("notes", notes, || "notes[0]".into());
    }
    if let Some(custom) = motion.custom.as_ref().filter(|custom| !custom.is_empty()) {
        let bytes = custom.len() as u64;
        losses.add_many("bytes of the custom block", bytes, || "custom".into());
    }
    if motion.looped {
        losses.add("loop flags", || "looped".into());
    }
    if motion.frames() == 1 && motion.frames_per_second() != Motion::DEFAULT_RATE {
        losses.add("frame rates of one-frame motions", || "framerate".into());
    }
    let is_additive = motion.animation_type == AnimationType::Additive;
    let is_in_part = |it: &Modifier| it.animation_type != AnimationType::Additive;
    if is_additive && motion.modifiers.iter().any(is_in_part) {
        losses.add("additive bones (applied on top of the rest pose)", || {
            "animType".into()
        });
    }
    let kinds = motion.modifiers.iter().enumerate();
    for (index, _) in kinds.filter(|(_, it)| it.animation_type == AnimationType::Additive) {
        if !is_additive {
            losses.add("additive bones (applied on top of the rest pose)", || {
                format!("modifiers[{index}]")
            });
        }
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

/// Returns true if a track has a value with a property.
fn has(motion: &Motion, track: &Track, is: fn(f64) -> bool) -> bool {
    let vectors = [motion.translation(track), motion.scale(track)];
    let mut vectors = vectors.into_iter().flatten().flat_map(|keys| keys.iter());
    let mut rotations = motion.rotation(track).into_iter().flat_map(|it| it.iter());
    vectors.any(|key| key.value.into_iter().any(is))
        || rotations.any(|key| key.value.into_iter().any(is))
}

/// Returns true if a value is not exact in 32-bit floats.
#[expect(
    clippy::cast_possible_truncation,
    reason = "it is told whether it does"
)]
fn is_longer(value: f64) -> bool {
    value.is_finite() && f64::from(value as f32) != value
}

/// Returns true if a value is beyond 32-bit floats.
fn is_beyond(value: f64) -> bool {
    value.is_finite() && value.abs() > f32::MAX.into()
}
