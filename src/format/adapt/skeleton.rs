//! Any skeleton as PXD says it.

use crate::format::Losses;
use crate::motion::{BoneKeys, ParentScale, Skeleton};

/// Parts of a skeleton that mean something else in PXD: scales at rest, where they move children.
#[must_use]
pub fn skeleton_losses(skeleton: &Skeleton) -> Losses {
    let mut losses = Losses::default();
    if skeleton.conventions.parent_scale == ParentScale::Inherited {
        let bones = skeleton.bones();
        let is_scaled =
            |index: &usize| { bones.get(*index) }.is_some_and(|bone| bone.rest.scale != [1.0; 3]);
        for index in parents(skeleton).filter(is_scaled) {
            losses.add("scales at rest that move children", || {
                format!("bones[{index}]")
            });
        }
    }
    losses
}

/// Lists scales of bones with children, which move these or do not, as `what` says.
pub(super) fn list_parent_scales(
    what: &'static str,
    skeleton: &Skeleton,
    bones: &[BoneKeys],
    losses: &mut Losses,
) {
    let is_scaled = |keys: &BoneKeys| keys.scale.iter().any(|key| key.value != [1.0; 3]);
    for bone in parents(skeleton).filter(|bone| bones.get(*bone).is_some_and(is_scaled)) {
        losses.add(what, || format!("bones[{bone}]"));
    }
}

/// Indices of the bones that have children, ascending.
fn parents(skeleton: &Skeleton) -> impl Iterator<Item = usize> + use<> {
    let bones = skeleton.bones().iter();
    let mut parents: Vec<usize> = { bones }
        .filter_map(|bone| Some(bone.parent? as usize))
        .collect();
    parents.sort_unstable();
    parents.dedup();
    parents.into_iter()
}
