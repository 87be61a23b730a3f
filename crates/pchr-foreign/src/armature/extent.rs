//! Room that bones take, compared with the range that pictures can show.

use pchr::document::{AnimationId, BoneId};
use pchr::playback::FrameAt;
use pchr::scene::{Spatial, SpatialPose, Subject};

use super::Armature;
use crate::motion::ArmatureRule;

/// Units from the origin up to which pictures are exact.
const FARTHEST: f64 = 1e10;
/// Smallest distance of bones, in units, that pictures can show.
const LEAST: f64 = 1e-6;
/// Places that are looked at, about.
const MOST_PLACES: usize = 1 << 20;

/// Least and largest coordinates.
type Extent = [[f64; 3]; 2];

impl Armature {
    /// Warns of places beyond those that can be shown.
    pub(super) fn check_extent(&mut self) {
        let Some(extent) = self.extent() else {
            return;
        };
        let [min, max] = extent;
        let numbers = min.into_iter().chain(max);
        let far = numbers.fold(0.0, |far: f64, number| far.max(number.abs()));
        let sides = max.into_iter().zip(min).map(|(max, min)| max - min);
        let size = sides.fold(0.0, f64::max);
        let message = if !far.is_finite() {
            "a bone's position is not finite; the bone is not shown".to_owned()
        } else if far > FARTHEST {
            format!(
                "bones reach {far:.0e} units from the origin; beyond {FARTHEST:.0e}, pictures may be inexact"
            )
        } else if size > 0.0 && size < LEAST {
            format!(
                "all bones lie within {size:.0e} units, too close to tell apart; expected {LEAST:.0e} or more"
            )
        } else {
            return;
        };
        { &mut self.warnings }.add(ArmatureRule::Extent, 0, || "places".into(), || message);
    }

    /// Extent of the rest pose and of the clips' frames, or of every few of very many; infinite if a place is.
    fn extent(&self) -> Option<Extent> {
        let per_pose = self.bones.len().max(1);
        let most = MOST_PLACES.checked_div(per_pose).unwrap_or(0).max(4);
        let subject: &dyn Subject = self;
        let count = |id: AnimationId| usize::from(subject.frame_count(id));
        let all: usize = subject.animation_ids().map(count).sum();
        let step = all.div_ceil(most).max(1);
        let some = |id: AnimationId| {
            let frames = (0..subject.frame_count(id)).step_by(step);
            frames.map(move |frame| Some(FrameAt::exact(id, frame)))
        };
        let clips = subject.animation_ids().flat_map(some);
        let rest = std::iter::once(None).filter(|_| self.has_skeleton);
        let mut extent: Option<Extent> = None;
        let mut pose = SpatialPose::default();
        for at in rest.chain(clips).take(most) {
            Spatial::pose(self, at, false, &mut pose);
            for (bone, world) in (0..=u16::MAX).map(BoneId).zip(pose.world_from_bone()) {
                let place = world.translation.to_array();
                if !self.bones.has_place(bone) {
                    continue;
                }
                if !place.iter().all(|number| number.is_finite()) {
                    return Some([
                        place.map(|_| f64::NEG_INFINITY),
                        place.map(|_| f64::INFINITY),
                    ]);
                }
                let [min, max] = extent.get_or_insert([place; 2]);
                for ((min, max), at) in min.iter_mut().zip(max).zip(place) {
                    *min = min.min(at);
                    *max = max.max(at);
                }
            }
        }
        extent
    }
}
