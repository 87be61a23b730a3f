//! Any skeleton in the form of PXD, and scales of parents.

use pchr::format::Losses;

use crate::motion::{BoneKeys, ParentScale, ParentScaleChange, Skeleton};

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
pub(super) fn list_sheared(bones: &[u32], losses: &mut Losses) {
    for bone in bones {
        losses.add(
            "shears of bones below scales that differ by axis, or are 0",
            || format!("bones[{bone}]"),
        );
    }
}

/// Lists scales of bones with children; `what` says whether the scales affect the children.
pub(super) fn list_parent_scales(
    what: &'static str,
    skeleton: &Skeleton,
    bones: &[BoneKeys],
    losses: &mut Losses,
) {
    // Programs round: so small a difference is not a scale.
    let is_other = |scale: f64| (scale - 1.0).abs() > 1e-5;
    let is_scaled = |keys: &BoneKeys| {
        keys.scale
            .iter()
            .any(|key| key.value.into_iter().any(is_other))
    };
    let parents = skeleton.bones().iter().filter_map(|bone| bone.parent);
    let mut parents: Vec<usize> = parents.map(|parent| parent as usize).collect();
    parents.sort_unstable();
    parents.dedup();
    let scaled = { parents.iter() }.filter(|bone| bones.get(**bone).is_some_and(is_scaled));
    for bone in scaled {
        losses.add(what, || format!("bones[{bone}]"));
    }
}
