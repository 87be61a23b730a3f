//! Converts any motion to SEAnim.

use std::borrow::Cow;
use std::collections::HashSet;

use pchr::format::Losses;

use super::skeleton::list_parent_scales;
use super::turns::uneven_turns;
use super::{Unadaptable, bind};
use crate::format::list_reframed;
use crate::motion::{
    AdditiveRotation, AnimationType, Binding, BoneKeys, Channels, Dialect, LocalKeys, Modifier,
    Motion, Name, ParentScale, Precision, Skeleton, Target, Transform,
};

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
    let reference = reference(motion, skeleton);
    let additive = AdditiveRotation::default();
    let mut keys = LocalKeys::new(motion, &reference, &binding, additive)?;
    let reframed = keys.on_frames(motion.frames_per_second(), Dialect::Seanim)?;
    list_reframed(&reframed, &mut losses);
    let LocalKeys { bones, root } = keys;
    list_losses(motion, skeleton, &bones, &mut losses);
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
    let mut moved: Vec<u32> = { 0..tracks.len() }
        .filter_map(|track| Some(binding.bone(track)?.0))
        .collect();
    moved.sort_unstable();
    for bone in moved {
        let name = skeleton
            .bones()
            .get(bone as usize)
            .map(|it| it.name.clone());
        if let (Some(name), Some(keys)) = (name, bones.get(bone as usize)) {
            named.add_track(Target::Name(name), 0, keys.into())?;
        }
    }
    Ok((Cow::Owned(named), losses))
}

/// Returns the skeleton whose rest is applied to the values to get those of a SEAnim track: for additive motions the rest scales
/// only.
fn reference<'s>(motion: &Motion, skeleton: &'s Skeleton) -> Cow<'s, Skeleton> {
    if motion.animation_type != AnimationType::Additive {
        return Cow::Borrowed(skeleton);
    }
    Cow::Owned(skeleton.with_rests(|rest| Transform {
        scale: rest.scale,
        ..Transform::IDENTITY
    }))
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

fn list_losses(motion: &Motion, skeleton: &Skeleton, bones: &[BoneKeys], losses: &mut Losses) {
    let mut names = HashSet::new();
    for (index, (bone, keys)) in skeleton.bones().iter().zip(bones).enumerate() {
        if !keys.is_empty() && !names.insert(&bone.name) {
            losses.add("differences between bones of the same name", || {
                format!("bones[{index}]")
            });
        }
    }
    for (bone, frame) in uneven_turns(motion, Dialect::Seanim, bones) {
        losses.add("rotations at uneven speed between keys", || {
            format!("bones[{bone}], frame {frame}")
        });
    }
    if skeleton.conventions.parent_scale == ParentScale::Separate {
        list_parent_scales(
            "scales that children do not inherit",
            skeleton,
            bones,
            losses,
        );
    }
}
