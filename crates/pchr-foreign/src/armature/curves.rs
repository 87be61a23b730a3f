//! Numbers of a bone over the frames of a motion, and its notes.

use glam::{DQuat, EulerRot};

use pchr::document::{AnimationId, BoneId};
use pchr::scene::{Curve, CurveKind, CurveKinds, KeyRow, KeyRows, Mark, MarkKind, RowKey};

use super::Armature;
use super::clip::Clip;
use crate::motion::{Channel, Keys, Motion, PlanMoment, Posed, Track, Transform};

/// Transforms of a sampled motion that are compared, at most.
const MOST_COMPARED: usize = 1 << 22;

/// Names of a transform's numbers: translation, rotation about the axes in degrees, scale.
const NUMBERS: [(&str, CurveKind); 9] = [
    ("x", CurveKind::Translation),
    ("y", CurveKind::Translation),
    ("z", CurveKind::Translation),
    ("x", CurveKind::Rotation),
    ("y", CurveKind::Rotation),
    ("z", CurveKind::Rotation),
    ("x", CurveKind::Scale),
    ("y", CurveKind::Scale),
    ("z", CurveKind::Scale),
];

impl Armature {
    pub(super) fn curves_of(&self, bone: BoneId, animation: AnimationId) -> Vec<Curve> {
        let (Some(clip), Some(index)) = (self.clip(animation), self.bones.index(bone)) else {
            return Vec::new();
        };
        let (motion, plan) = (clip.motion(), clip.plan());
        let frames = clip.timeline().frame_count;
        let mut posed = Posed::default();
        let mut values = [const { Vec::new() }; NUMBERS.len()];
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
        let of_track = track.map(|track| keys(motion, track, frames));
        let [translation, rotation, scale] = of_track.unwrap_or_default();
        let sampled = plan.is_sampled(index);
        let of = |((name, kind), values): ((&'static str, CurveKind), Vec<f32>)| Curve {
            name,
            kind,
            values,
            keys: (!sampled).then(|| match kind {
                CurveKind::Translation => translation.clone(),
                CurveKind::Rotation => rotation.clone(),
                _ => scale.clone(),
            }),
        };
        // A track without a skeleton and without positions has none to show.
        let has_place = self.bones.has_place(bone);
        let is_known = |kind| has_place || kind != CurveKind::Translation;
        let known = NUMBERS.into_iter().zip(values);
        known
            .filter(|((_, kind), _)| is_known(*kind))
            .map(of)
            .collect()
    }

    pub(super) fn rows_of(&self, animation: AnimationId) -> KeyRows {
        let Some(clip) = self.clip(animation) else {
            return KeyRows::default();
        };
        let (motion, plan) = (clip.motion(), clip.plan());
        if motion.sampled().is_some() {
            return self.changes_of(clip, MOST_COMPARED);
        }
        let frames = clip.timeline().frame_count;
        let of = |bone: BoneId| {
            let index = self.bones.index(bone)?;
            let track = plan.track(motion, index)?;
            let [translation, rotation, scale] = keys(motion, track, frames);
            let keys = [
                (CurveKind::Translation, translation),
                (CurveKind::Rotation, rotation),
                (CurveKind::Scale, scale),
            ];
            Some(KeyRow {
                bone,
                keys: merged(keys),
            })
            .filter(|row| !row.keys.is_empty())
        };
        let bones = (0..=u16::MAX).map(BoneId).take(self.bones.len());
        KeyRows {
            rows: bones.filter_map(of).collect(),
            left_out: None,
        }
    }

    /// Frames on which a sampled motion moves a bone; `most` transforms are compared, about.
    fn changes_of(&self, clip: &Clip, most: usize) -> KeyRows {
        let (motion, skeleton) = (clip.motion(), &self.skeleton);
        let mut keys: Vec<Vec<RowKey>> = vec![Vec::new(); self.bones.len()];
        let most_frames = most.checked_div(keys.len()).unwrap_or(usize::MAX).max(1);
        let frames = 0..clip.timeline().frame_count;
        let next = u16::try_from(most_frames).ok();
        let (mut now, mut before) = (Posed::default(), Posed::default());
        for frame in frames.take(most_frames) {
            std::mem::swap(&mut now, &mut before);
            let at = PlanMoment::frame(frame.into(), motion);
            clip.plan().pose(motion, skeleton, at, &mut now);
            if frame == 0 {
                continue;
            }
            for (index, keys) in self.bones.order().iter().zip(&mut keys) {
                let index = *index as usize;
                let both = before.locals().get(index).zip(now.locals().get(index));
                let kinds = both.map(|(before, now)| differing(before, now));
                if let Some(kinds) = kinds.filter(|kinds| !kinds.is_empty()) {
                    keys.push(RowKey { frame, kinds });
                }
            }
        }
        let rows = (0..=u16::MAX).map(BoneId).zip(keys);
        KeyRows {
            rows: rows
                .filter(|(_, keys)| !keys.is_empty())
                .map(|(bone, keys)| KeyRow { bone, keys })
                .collect(),
            left_out: next.filter(|next| *next < clip.timeline().frame_count),
        }
    }

    pub(super) fn notes(&self, animation: AnimationId) -> Vec<Mark> {
        let Some(clip) = self.clip(animation) else {
            return Vec::new();
        };
        let frames = u32::from(clip.timeline().frame_count);
        let notes = clip.motion().notes_by_frame().into_iter();
        let within = notes.filter(|note| note.frame < frames);
        within
            .filter_map(|note| {
                Some(Mark {
                    frame: u16::try_from(note.frame).ok()?,
                    kind: MarkKind::Note,
                    text: note.name.text().into_owned(),
                })
            })
            .collect()
    }
}

/// Keys of several kinds as one list, by frame.
fn merged(lists: [(CurveKind, Vec<u16>); 3]) -> Vec<RowKey> {
    let of = |(kind, frames): (CurveKind, Vec<u16>)| {
        let kinds = CurveKinds::default().with(kind);
        frames.into_iter().map(move |frame| RowKey { frame, kinds })
    };
    let mut keys: Vec<RowKey> = lists.into_iter().flat_map(of).collect();
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
    let kinds = [
        (CurveKind::Translation, a.translation != b.translation),
        (CurveKind::Rotation, a.rotation != b.rotation),
        (CurveKind::Scale, a.scale != b.scale),
    ];
    let differ = kinds.into_iter().filter(|(_, differ)| *differ);
    differ.fold(CurveKinds::default(), |kinds, (kind, _)| kinds.with(kind))
}

/// The frames of the keys of each channel, ascending. A key between frames belongs to the nearest one.
fn keys(motion: &Motion, track: &Track, frames: u16) -> [Vec<u16>; 3] {
    fn of<const N: usize>(keys: Option<Keys<'_, N>>) -> impl Iterator<Item = u32> {
        let keys = keys.into_iter().flat_map(|keys| keys.iter());
        keys.map(|key| key.frame)
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
    *turned = if far(&other) < far(&angles) {
        other
    } else {
        angles
    };
    let [tx, ty, tz] = transform.translation;
    let [rx, ry, rz] = *turned;
    let [sx, sy, sz] = transform.scale;
    #[expect(clippy::cast_possible_truncation, reason = "to be drawn")]
    [tx, ty, tz, rx, ry, rz, sx, sy, sz].map(|number| number as f32)
}
