//! The bones' names beside their joints.

use super::super::job::Places;
use super::super::labels::beside;
use super::super::lettering::Lettering;
use super::super::space::{Near, SpaceScratch};
use super::stage::Stage;
use crate::document::BoneId;

/// Margins of a name in design pixels: on its sides, and above and below.
const ROOM: [f32; 2] = [5.0, 3.0];

/// Draws the selected bone's name first, then names from near to far. A name without room is left out.
pub(super) fn draw(
    stage: &mut Stage<'_>,
    chosen: Option<BoneId>,
    space: &mut SpaceScratch,
    places: &mut Places,
) {
    space.sort_near();
    let near = space.near.iter().map(|near| near.bone);
    let others = near.filter(|id| Some(*id) != chosen);
    for id in chosen.into_iter().chain(others) {
        let place = space.joint(id).and_then(|joint| stage.place(joint.seen));
        if let (Some(bone), Some(at)) = (stage.job.subject.bone(id), place) {
            let lettering = Lettering::new(stage.job.options.light, Some(id) == chosen);
            beside((bone.name(), lettering), at, ROOM, places, &mut stage.pen);
        }
    }
}

impl SpaceScratch {
    /// Sorts the bones with known positions, the nearest first.
    pub(super) fn sort_near(&mut self) {
        let Self { near, joints, .. } = self;
        near.clear();
        let ids = (0..=u16::MAX).map(BoneId);
        let placed = ids.zip(joints.iter()).filter(|(_, joint)| joint.placed);
        near.extend(placed.map(|(bone, joint)| Near {
            depth: joint.seen.z,
            bone,
        }));
        near.sort_unstable_by(|a, b| b.depth.total_cmp(&a.depth).then(a.bone.0.cmp(&b.bone.0)));
    }
}
