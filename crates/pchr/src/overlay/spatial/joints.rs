//! Joints of all bones, in camera space.

use super::super::space::{Joint, SpaceScratch};
use super::stage::Stage;
use crate::document::BoneId;

/// Computes the joints, and the length of the bones at each.
pub(super) fn place(stage: &mut Stage<'_>, space: &mut SpaceScratch) {
    let worlds = stage.job.frame.spatial().world_from_bone();
    let joints = &mut space.joints;
    joints.clear();
    let (mut count, mut squares) = (0.0, 0.0);
    for (id, world) in (0..=u16::MAX).map(BoneId).zip(worlds) {
        let seen = stage.view.see(world.translation);
        let parent = stage.job.subject.bone(id).and_then(|bone| bone.parent());
        let parent = parent.filter(|parent| parent.index() < id.index());
        let placed = seen.is_finite() && stage.spatial.has_place(id);
        let mut reach = 0.0;
        if let Some(over) = parent.and_then(|parent| joints.get_mut(parent.index())) {
            over.is_parent = true;
            if placed && over.placed {
                reach = over.seen.distance(seen);
                let square = reach * reach;
                if reach > 0.0 && square.is_finite() {
                    (count, squares) = (count + 1.0, squares + square);
                }
                if over.parent.is_none() {
                    over.reach = over.reach.max(reach);
                }
            }
        }
        joints.push(Joint {
            seen,
            parent,
            reach,
            is_parent: false,
            placed,
        });
    }
    // Longer bones have more weight.
    let typical = (squares / count).sqrt();
    space.typical = if typical > 0.0 {
        typical
    } else {
        f64::INFINITY
    };
}

impl SpaceScratch {
    /// Returns the joint of a bone with a known position.
    pub(super) fn joint(&self, bone: BoneId) -> Option<&Joint> {
        self.joints.get(bone.index()).filter(|joint| joint.placed)
    }

    /// Returns a bone's parent, and its joint.
    pub(super) fn parent(&self, joint: &Joint) -> Option<(BoneId, &Joint)> {
        let id = joint.parent?;
        Some((id, self.joint(id)?))
    }
}
