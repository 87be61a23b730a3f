//! The bounds of a subject.

use pchr::document::AnimationId;
use pchr::pose::Pose;
use pchr::scene::{Bounds, Subject, ViewOptions};

/// Maximum number of joints that are measured; longer animations are measured only at their beginning.
const JOINTS: usize = 16_000_000;

/// The bounds of `animation` over its frames; those of the stored pose without one. Of a subject without meshes they hold its joints.
pub(crate) fn bounds(
    subject: &dyn Subject,
    view: &ViewOptions,
    animation: Option<AnimationId>,
) -> Option<Bounds> {
    let playable = animation.filter(|id| subject.distinct_frames(*id) > 0);
    if is_bare(subject) {
        return bounds_of_joints(subject, playable);
    }
    let mut sweep = subject.sweep(view);
    match playable {
        Some(id) => sweep.over(&mut subject.moments(id)),
        None => sweep.over(&mut [None].into_iter()),
    }
}

/// Returns whether a subject has bones in a plane, and nothing that they move.
pub(crate) fn is_bare(subject: &dyn Subject) -> bool {
    subject.mesh_count() == 0 && subject.bone_count() > 0 && subject.spatial().is_none()
}

fn bounds_of_joints(subject: &dyn Subject, animation: Option<AnimationId>) -> Option<Bounds> {
    let most = (JOINTS / subject.bone_count().max(1)).max(1);
    let mut pose = Pose::default();
    let mut all: Option<Bounds> = None;
    let mut add = |at| {
        subject.pose(at, &mut pose);
        for [[.., x, _], [.., y, _]] in pose.world_from_bone() {
            let joint = [*x, *y];
            if joint.iter().all(|side| side.is_finite()) {
                let joint = Bounds {
                    min: joint,
                    max: joint,
                };
                all = Some(all.map_or(joint, |all| all.union(joint)));
            }
        }
    };
    match animation {
        Some(id) => subject.moments(id).take(most).for_each(add),
        None => add(None),
    }
    all
}
