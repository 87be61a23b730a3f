//! A motion applied to a skeleton.

use std::sync::Arc;

use glam::{DAffine3, DQuat};

use pchr::finding::{Findings, counted, quoted};
use pchr::playback::{FrameAt, Timeline};
use pchr::scene::SpatialPose;

use crate::motion::{
    AdditiveRotation, ArmatureRule, Binding, Dialect, Motion, PlanMoment, PosePlan, Posed,
    Skeleton, Transform, blended,
};

/// A motion to show, with a name.
#[derive(Clone, Debug)]
pub struct ArmatureMotion {
    /// Its name.
    pub name: String,
    /// The motion.
    pub motion: Arc<Motion>,
    /// The skeleton that its tracks have bones of by index, where that is another than the one it is shown on.
    pub own: Option<Arc<Skeleton>>,
    /// True if it begins again at its end; `None` if its file has no word about that: then it does.
    pub looping: Option<bool>,
}

/// Poses that are kept in a [`SpatialPose`].
#[derive(Clone, Debug, Default)]
pub(super) struct Poses {
    /// Pose on screen.
    pub(super) posed: Posed,
    /// Pose of the frame that the last one is blended with.
    after: Posed,
    /// Pose that a cross-fade goes to.
    pub(super) faded_to: Posed,
}

/// A motion and the bones that it moves.
#[derive(Debug)]
pub(super) struct Clip {
    name: String,
    motion: Arc<Motion>,
    plan: PosePlan,
    frames: u16,
    looping: bool,
}

impl Clip {
    /// Finds the bones. With `of_tracks` the skeleton is made of the motion's tracks.
    pub(super) fn new(
        shown: ArmatureMotion,
        skeleton: &Skeleton,
        of_tracks: bool,
        warnings: &mut Findings,
    ) -> Self {
        let ArmatureMotion {
            name,
            motion,
            own,
            looping,
        } = shown;
        let binding = match &own {
            _ if of_tracks => Binding::of_tracks(&motion),
            Some(own) if !std::ptr::eq(&**own, skeleton) => {
                Binding::by_names(&motion, own, skeleton)
            }
            _ => Binding::new(&motion, skeleton),
        };
        let (tracks, bones) = (motion.tracks().len(), skeleton.bones().len());
        if motion.dialect == Dialect::Pxd && !of_tracks && own.is_none() && tracks != bones {
            let message = || {
                let tracks = counted(tracks, "track", "tracks");
                let bones = counted(bones, "bone", "bones");
                format!("{tracks}, but the skeleton has {bones}; it may belong to another motion")
            };
            warnings.add(ArmatureRule::BoneCount, 0, || "tracks".into(), message);
        }
        let found = (0..tracks).filter(|track| binding.bone(*track).is_some());
        let found = found.count();
        if tracks > 0 && found == 0 {
            let message = || {
                let name = quoted(&name);
                match tracks {
                    1 => format!("the only track of {name} moves no bone of the skeleton"),
                    _ => format!(
                        "none of the {tracks} tracks of {name} moves a bone of the skeleton"
                    ),
                }
            };
            warnings.add(
                ArmatureRule::MotionUnmatched,
                0,
                || "tracks".into(),
                message,
            );
        } else if found.saturating_mul(2) < tracks {
            let message = || {
                let verb = if found == 1 { "moves" } else { "move" };
                let name = quoted(&name);
                format!(
                    "only {found} of the {tracks} tracks of {name} {verb} a bone of the skeleton"
                )
            };
            warnings.add(ArmatureRule::MotionPart, 0, || "tracks".into(), message);
        }
        for index in binding.unmatched(&motion) {
            let track = motion.tracks().get(index);
            let offset = track.map_or(0, |track| track.offset);
            let path = || format!("tracks[{index}]");
            warnings.add(ArmatureRule::TrackUnmatched, offset, path, || {
                match track.and_then(|track| track.target.name()) {
                    Some(name) => {
                        format!("the skeleton has no bone named {}", quoted(&name.text()))
                    }
                    None => {
                        let bones = counted(skeleton.bones().len(), "bone", "bones");
                        format!("the skeleton has {bones}, but none for track {index}")
                    }
                }
            });
        }
        let frames = u16::try_from(motion.frames()).unwrap_or_else(|_| {
            let message = || {
                let frames = motion.frames();
                format!("{frames} frames; only the first {} can be shown", u16::MAX)
            };
            warnings.add(ArmatureRule::ShownLimit, 0, || "frames".into(), message);
            u16::MAX
        });
        Self {
            plan: PosePlan::new(&motion, skeleton, &binding, AdditiveRotation::default()),
            name,
            motion,
            frames,
            looping: looping.unwrap_or(true),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn motion(&self) -> &Motion {
        &self.motion
    }

    pub(super) fn plan(&self) -> &PosePlan {
        &self.plan
    }

    pub(super) fn timeline(&self) -> Timeline {
        Timeline {
            frame_count: self.frames,
            fps: self.motion.frames_per_second().into(),
            looping: self.looping,
            // Frames are the window's alone where keys have times.
            smooth: self.motion.is_timed(),
        }
    }

    /// Poses the bones and the whole model.
    pub(super) fn pose(&self, at: FrameAt, skeleton: &Skeleton, pose: &mut SpatialPose) {
        let root = self.transforms(at, skeleton, pose);
        pose.root = root.map(|root| affine(&root));
    }

    /// Poses the bones. Returns the movement of the whole model, if there is one.
    pub(super) fn transforms(
        &self,
        at: FrameAt,
        skeleton: &Skeleton,
        pose: &mut SpatialPose,
    ) -> Option<Transform> {
        let Self { motion, plan, .. } = self;
        let Poses { posed, after, .. } = pose.memory.of();
        let (moment, between) = self.moment(at);
        plan.pose(motion, skeleton, moment, posed);
        let mut root = plan.root(motion, moment, posed);
        if let Some(way) = between {
            // From the last frame to the first.
            let moment = PlanMoment::frame(at.next.into(), motion);
            plan.pose(motion, skeleton, moment, after);
            posed.blend(skeleton, after, way);
            let after = plan.root(motion, moment, after);
            root = root
                .zip(after)
                .map(|(root, after)| blended(&root, &after, way));
        }
        root
    }

    /// The moment of the motion, and how far the pose is on its way to that of another frame.
    fn moment(&self, at: FrameAt) -> (PlanMoment, Option<f64>) {
        let motion = &self.motion;
        let frame = PlanMoment::frame(at.frame.into(), motion);
        if at.blend <= 0.0 || at.next == at.frame {
            return (frame, None);
        }
        if u32::from(at.next) != u32::from(at.frame).saturating_add(1) {
            return (frame, Some(at.blend.into()));
        }
        let position = f64::from(at.frame) + f64::from(at.blend);
        (PlanMoment::between(position, motion), None)
    }
}

/// Scale first, then rotation, then translation.
pub(super) fn affine(transform: &Transform) -> DAffine3 {
    DAffine3::from_scale_rotation_translation(
        transform.scale.into(),
        DQuat::from_array(transform.rotation),
        transform.translation.into(),
    )
}
