//! A motion that is shown, and the curves of its bones.

use std::sync::Arc;

use glam::{DAffine3, DQuat, EulerRot};

use pchr::document::{AnimationId, BoneId};
use pchr::finding::{Findings, counted, quoted};
use pchr::playback::{FrameAt, Timeline};
use pchr::scene::{
    Curve, CurveKind, CurveKinds, KeyRow, KeyRows, Mark, MarkKind, RowKey, SpatialPose,
};

use super::{Armature, ShownBone};
use crate::motion::{
    AdditiveRotation, ArmatureRule, Binding, Channel, Dialect, Keys, Motion, Note, PlanMoment,
    PosePlan, Posed, Skeleton, Track, Transform, blended,
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
    pub(super) posed: Posed,
    /// Pose of the frame that the last one is blended with.
    after: Posed,
    /// Pose that a cross-fade goes to.
    pub(super) faded_to: Posed,
}

/// A motion and the bones that it moves.
#[derive(Debug)]
pub(super) struct ArmatureClip {
    pub(super) name: String,
    pub(super) motion: Arc<Motion>,
    pub(super) plan: PosePlan,
    frames: u16,
    pub(super) looping: Option<bool>,
}

impl ArmatureClip {
    /// Finds the bones. With `of_tracks` the skeleton is made of the motion's tracks.
    pub(super) fn new(
        shown: ArmatureMotion,
        skeleton: &Skeleton,
        of_tracks: bool,
        warnings: &mut Findings,
    ) -> Self {
        let ArmatureMotion { name, motion, own, looping } = shown;
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
            warnings.add(ArmatureRule::BoneCount, 0, "tracks", message);
        }
        let found = (0..tracks).filter(|track| binding.bone(*track).is_some()).count();
        if found.saturating_mul(2) < tracks {
            let rule = match found {
                0 => ArmatureRule::MotionUnmatched,
                _ => ArmatureRule::MotionPart,
            };
            let message = || {
                let name = quoted(&name);
                let moved = match (found, tracks) {
                    (0, 1) => format!("the only track of {name} moves no"),
                    (0, _) => format!("none of the {tracks} tracks of {name} moves a"),
                    (1, _) => format!("only 1 of the {tracks} tracks of {name} moves a"),
                    _ => format!("only {found} of the {tracks} tracks of {name} move a"),
                };
                format!("{moved} bone of the skeleton")
            };
            warnings.add(rule, 0, "tracks", message);
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
            let (frames, most) = (motion.frames(), u16::MAX);
            let message = || format!("{frames} frames; only the first {most} can be shown");
            warnings.add(ArmatureRule::ShownLimit, 0, "frames", message);
            most
        });
        Self {
            plan: PosePlan::new(&motion, skeleton, &binding, AdditiveRotation::default()),
            name,
            motion,
            frames,
            looping,
        }
    }

    pub(super) fn timeline(&self) -> Timeline {
        Timeline {
            frame_count: self.frames,
            fps: self.motion.frames_per_second().into(),
            looping: self.looping.unwrap_or(true),
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
            root = root.zip(after).map(|(root, after)| blended(&root, &after, way));
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

/// Transforms of a sampled motion that are compared, at most.
const MOST_COMPARED: usize = 1 << 22;

/// Kinds of a transform's numbers: translation, rotation about the axes in degrees, scale.
const KINDS: [CurveKind; 3] = [CurveKind::Translation, CurveKind::Rotation, CurveKind::Scale];

impl Armature {
    pub(super) fn curves_of(&self, bone: BoneId, animation: AnimationId) -> Vec<Curve> {
        let shown = self.bones.get(bone.index());
        let (Some(clip), Some(&ShownBone { index, has_place, .. })) = (self.clip(animation), shown)
        else {
            return Vec::new();
        };
        let (motion, plan) = (&*clip.motion, &clip.plan);
        let frames = clip.timeline().frame_count;
        let mut posed = Posed::default();
        let mut values = [const { Vec::new() }; 3 * KINDS.len()];
        let mut turned = [0.0; 3];
        for frame in 0..frames {
            let at = PlanMoment::frame(frame.into(), motion);
            let local = plan.local(motion, &self.skeleton, index, at, &mut posed);
            let numbers = numbers(&local.unwrap_or_default(), &mut turned);
            for (values, number) in values.iter_mut().zip(numbers) {
                values.push(number);
            }
        }
        let track = plan.track(motion, index);
        let of_track = track.map(|track| keys(motion, track, frames)).unwrap_or_default();
        let sampled = plan.is_sampled(index);
        let numbers = KINDS.into_iter().zip(of_track).flat_map(|(kind, keys)| {
            let keys = (!sampled).then_some(keys);
            ["x", "y", "z"].map(|name| (name, kind, keys.clone()))
        });
        // A track without a skeleton and without positions has none to show.
        let known = numbers.zip(values);
        let known = known.filter(|((_, kind, _), _)| has_place || *kind != CurveKind::Translation);
        known.map(|((name, kind, keys), values)| Curve { name, kind, values, keys }).collect()
    }

    pub(super) fn rows_of(&self, animation: AnimationId) -> KeyRows {
        let Some(clip) = self.clip(animation) else { return KeyRows::default() };
        let (motion, plan) = (&*clip.motion, &clip.plan);
        if motion.sampled().is_some() {
            return self.changes_of(clip, MOST_COMPARED);
        }
        let frames = clip.timeline().frame_count;
        let of = |(bone, shown): (BoneId, &ShownBone)| {
            let track = plan.track(motion, shown.index)?;
            let keys = merged(keys(motion, track, frames));
            (!keys.is_empty()).then_some(KeyRow { bone, keys })
        };
        let bones = (0..=u16::MAX).map(BoneId).zip(&self.bones);
        KeyRows { rows: bones.filter_map(of).collect(), left_out: None }
    }

    /// Frames on which a sampled motion moves a bone; `most` transforms are compared, about.
    fn changes_of(&self, clip: &ArmatureClip, most: usize) -> KeyRows {
        let (motion, skeleton) = (&*clip.motion, &self.skeleton);
        let mut keys: Vec<Vec<RowKey>> = vec![Vec::new(); self.bones.len()];
        let most_frames = most.checked_div(keys.len()).unwrap_or(usize::MAX).max(1);
        let frames = 0..clip.timeline().frame_count;
        let next = u16::try_from(most_frames).ok();
        let (mut now, mut before) = (Posed::default(), Posed::default());
        for frame in frames.take(most_frames) {
            std::mem::swap(&mut now, &mut before);
            let at = PlanMoment::frame(frame.into(), motion);
            clip.plan.pose(motion, skeleton, at, &mut now);
            if frame == 0 {
                continue;
            }
            for (ShownBone { index, .. }, keys) in self.bones.iter().zip(&mut keys) {
                let both = before.locals.get(*index).zip(now.locals.get(*index));
                let kinds = both.map(|(before, now)| differing(before, now));
                if let Some(kinds) = kinds.filter(|kinds| !kinds.is_empty()) {
                    keys.push(RowKey { frame, kinds });
                }
            }
        }
        let rows = (0..=u16::MAX).map(BoneId).zip(keys).filter(|(_, keys)| !keys.is_empty());
        KeyRows {
            rows: rows.map(|(bone, keys)| KeyRow { bone, keys }).collect(),
            left_out: next.filter(|next| *next < clip.timeline().frame_count),
        }
    }

    pub(super) fn notes(&self, animation: AnimationId) -> Vec<Mark> {
        let Some(clip) = self.clip(animation) else { return Vec::new() };
        let frames = clip.timeline().frame_count;
        let notes = clip.motion.notes_by_frame().into_iter();
        let mark = |note: &Note| {
            let frame = u16::try_from(note.frame).ok().filter(|frame| *frame < frames)?;
            Some(Mark { frame, kind: MarkKind::Note, text: note.name.text().into_owned() })
        };
        notes.filter_map(mark).collect()
    }
}

/// Keys of all kinds as one list, by frame.
fn merged(lists: [Vec<u16>; 3]) -> Vec<RowKey> {
    let of = |(kind, frames): (CurveKind, Vec<u16>)| {
        let kinds = CurveKinds::default().with(kind);
        frames.into_iter().map(move |frame| RowKey { frame, kinds })
    };
    let mut keys: Vec<RowKey> = KINDS.into_iter().zip(lists).flat_map(of).collect();
    keys.sort_by_key(|key| key.frame);
    keys.dedup_by(|later, kept| {
        let same = later.frame == kept.frame;
        if same {
            kept.kinds = kept.kinds.and(later.kinds);
        }
        same
    });
    keys
}

/// Kinds of numbers in which two transforms differ.
fn differing(a: &Transform, b: &Transform) -> CurveKinds {
    let differ = [a.translation != b.translation, a.rotation != b.rotation, a.scale != b.scale];
    let differ = KINDS.into_iter().zip(differ).filter(|(_, differ)| *differ);
    differ.fold(CurveKinds::default(), |kinds, (kind, _)| kinds.with(kind))
}

/// The frames of the keys of each channel, ascending. A key between frames belongs to the nearest one.
fn keys(motion: &Motion, track: &Track, frames: u16) -> [Vec<u16>; 3] {
    fn of<const N: usize>(keys: Option<Keys<'_, N>>) -> impl Iterator<Item = u32> {
        keys.into_iter().flat_map(|keys| keys.iter()).map(|key| key.frame)
    }
    let rate = f64::from(motion.frames_per_second());
    let sorted = |channel: Channel, on_frames: &mut dyn Iterator<Item = u32>| {
        let times = track.timed().map_or(&[][..], |timed| timed.times(channel));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it saturates, and frames beyond the last are left out"
        )]
        let at_times = { times.iter() }.map(|time| (f64::from(*time) * rate).round() as u32);
        let all = on_frames.chain(at_times);
        let mut found: Vec<u16> = { all.filter_map(|frame| u16::try_from(frame).ok()) }
            .filter(|frame| *frame < frames)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    [
        sorted(Channel::Translation, &mut of(motion.translation(track))),
        sorted(Channel::Rotation, &mut of(motion.rotation(track))),
        sorted(Channel::Scale, &mut of(motion.scale(track))),
    ]
}

/// The numbers of a transform. Turns go on from `turned`, those of the frame before, so that nothing jumps by a whole turn.
fn numbers(transform: &Transform, turned: &mut [f64; 3]) -> [f32; 9] {
    let rotation = DQuat::from_array(transform.rotation);
    let length = rotation.length();
    let angles = if length > 0.0 && length.is_finite() {
        let (x, y, z) = rotation.normalize().to_euler(EulerRot::XYZEx);
        [x, y, z].map(f64::to_degrees)
    } else {
        [0.0; 3]
    };
    // The same turn has a second triple of angles.
    let [x, y, z] = angles;
    let other = [x + 180.0, 180.0 - y, z + 180.0];
    let near = |angles: [f64; 3]| {
        let mut near = angles;
        for (angle, before) in near.iter_mut().zip(*turned) {
            *angle += ((before - *angle) / 360.0).round() * 360.0;
        }
        near
    };
    let far = |angles: &[f64; 3]| -> f64 {
        let pairs = angles.iter().zip(*turned);
        pairs.map(|(angle, before)| (angle - before).abs()).sum()
    };
    let [angles, other] = [angles, other].map(near);
    *turned = if far(&other) < far(&angles) { other } else { angles };
    let [tx, ty, tz] = transform.translation;
    let [rx, ry, rz] = *turned;
    let [sx, sy, sz] = transform.scale;
    #[expect(clippy::cast_possible_truncation, reason = "to be drawn")]
    [tx, ty, tz, rx, ry, rz, sx, sy, sz].map(|number| number as f32)
}
