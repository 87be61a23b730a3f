//! A character in the model of motions: its bones as a skeleton, turns in the plane, and an animation as a motion.

use std::borrow::Cow;

use pchr::document::{AnimationId, BoneId, BoneTransform, Document};
use pchr::format::Losses;
use pchr::pose::{BindPose, playback_fps};

use crate::motion::{
    Bone, BoneKeys, Channels, Conventions, Motion, ParentScale, Precision, Skeleton, Transform,
    Unit, UpAxis,
};

/// The part of a rotation that stays in the plane, and the part that leaves it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn {
    /// Degrees about z, counter-clockwise, from -180 to 180.
    pub(super) degrees: f64,
    /// Degrees between z before and after, from 0 to 180.
    pub(super) tilt: f64,
}

/// Degrees without whole turns, exact: from -180 to 180.
pub(super) fn without_turns(degrees: f32) -> f32 {
    match degrees % 360.0 {
        rest if rest > 180.0 => rest - 360.0,
        rest if rest < -180.0 => rest + 360.0,
        rest => rest,
    }
}

/// The rotation about z by an angle in degrees.
pub(super) fn rotation(degrees: f32) -> [f64; 4] {
    let half = f64::from(degrees).to_radians() / 2.0;
    [0.0, 0.0, libm::sin(half), libm::cos(half)]
}

/// The turn of a rotation of any length: none for 0; `None` if it is not finite.
pub(super) fn turn(rotation: [f64; 4]) -> Option<Turn> {
    let most = rotation.into_iter().map(f64::abs).fold(0.0, f64::max);
    if !rotation.into_iter().all(f64::is_finite) {
        return None;
    }
    if most == 0.0 {
        let [degrees, tilt] = [0.0; 2];
        return Some(Turn { degrees, tilt });
    }
    // Scaled so that the squares are finite.
    let [x, y, z, w] = rotation.map(|number| number / most);
    // Of the two signs of a rotation, the one with the shorter turn.
    let [z, w] = if w < 0.0 { [0.0 - z, -w] } else { [z, w] };
    let [across, along] = [x * x + y * y, z * z + w * w].map(f64::sqrt);
    Some(Turn {
        degrees: (2.0 * libm::atan2(z, w)).to_degrees(),
        tilt: (2.0 * libm::atan2(across, along)).to_degrees(),
    })
}

/// Axes, unit and chain of scales of characters.
pub(super) const CONVENTIONS: Conventions =
    Conventions { up: UpAxis::Y, unit: Unit::Scene, parent_scale: ParentScale::Inherited };

/// The bones of a character, at rest in its bind pose: z is 0, all turns are about z, pixels are the scene's unit. Without a bind pose
/// all rest at the origin. Numbers that are not finite are neutral, as where the character is posed; a NUL in a name is U+2400.
#[must_use]
pub fn skeleton(document: &Document, bind: &BindPose) -> Skeleton {
    resting(document, &rest(document, bind), 1.0)
}

/// The name of a bone as motions have it: their formats end names with a NUL, so U+2400 replaces it.
pub(super) fn spelled(name: &str) -> Cow<'_, str> {
    if name.contains('\0') { name.replace('\0', "\u{2400}").into() } else { name.into() }
}

/// The bones of a character, at rest as records say, whose offsets are multiplied by `scale`.
pub(super) fn resting(document: &Document, rest: &[BoneTransform], scale: f64) -> Skeleton {
    let bones = document.bones().zip(rest).map(|(bone, rest)| {
        let mut rest = transform(rest);
        for offset in &mut rest.translation {
            *offset *= scale;
        }
        Bone {
            name: spelled(bone.name()).as_ref().into(),
            parent: bone.parent().map(|parent| parent.0.into()),
            rest,
            offset: 0,
        }
    });
    let skeleton = Skeleton::new(bones.collect(), CONVENTIONS);
    skeleton.unwrap_or_default() // parents come first in a document
}

/// The transform of each bone in the bind pose, its numbers finite.
pub(super) fn rest(document: &Document, bind: &BindPose) -> Vec<BoneTransform> {
    let frame = bind.frame().and_then(|at| document.animation(at.animation)?.frame(at.frame));
    match frame {
        Some(frame) => {
            let records = frame.records().iter().map(BoneTransform::from_record);
            records.map(|record| finite(record).0).collect()
        }
        None => vec![BoneTransform::default(); document.bones().len()],
    }
}

/// The record with neutral numbers where it has others than finite ones, and whether there are such.
pub(super) fn finite(record: BoneTransform) -> (BoneTransform, bool) {
    let still = BoneTransform::default();
    let or = |value: f32, neutral: f32| if value.is_finite() { value } else { neutral };
    let neutral = BoneTransform {
        x: or(record.x, still.x),
        y: or(record.y, still.y),
        rotation: or(record.rotation, still.rotation),
        scale_x: or(record.scale_x, still.scale_x),
        scale_y: or(record.scale_y, still.scale_y),
        ..record
    };
    let numbers = [record.x, record.y, record.rotation, record.scale_x, record.scale_y];
    (neutral, !numbers.into_iter().all(f32::is_finite))
}

/// A record in the plane, whole turns taken off.
pub(super) fn transform(record: &BoneTransform) -> Transform {
    Transform {
        translation: [record.x.into(), record.y.into(), 0.0],
        rotation: rotation(without_turns(record.rotation)),
        scale: [record.scale_x.into(), record.scale_y.into(), 1.0],
    }
}

/// Losses of [`motion_of()`] that are about the meshes of bones, not about their movement.
pub const OF_MESHES: [&str; 2] = ["hidden bones", "bones with a draw order"];

/// Kinds of losses of a bone, and how often each counts at most.
const KINDS: [(&str, u64); 5] = [
    ("transforms that are not finite", u64::MAX),
    ("bones with rotations beyond ±180 degrees", 1),
    (OF_MESHES[0], 1),
    (OF_MESHES[1], 1),
    ("bones with unknown flags", 1),
];

/// An animation as a motion: absolute, double precision, a track for each bone by name, at the rate at which the character plays.
/// Every frame has the same numbers bit for bit, turns after rounding to 32 bits; a key in the midst of equal ones is not stored. Returns
/// what is not carried over, too: visibility and draw order of bones, rotations beyond ±180 degrees, and flags that the format leaves
/// open; `None` if the document has no such animation. The name stays with the caller, whose file has it.
#[must_use]
pub fn motion_of(document: &Document, animation: AnimationId) -> Option<(Motion, Losses)> {
    let source = document.animation(animation)?;
    let channels = Channels { translation: true, rotation: true, scale: true };
    let mut motion = Motion::new(channels, Precision::Double);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a rate of 16 bits is exact in 32-bit floats"
    )]
    let rate = playback_fps(document) as f32;
    motion.rate = rate;
    motion.frame_count = source.frame_count().into();
    motion.looped = source.looping();
    motion.conventions = CONVENTIONS;
    let mut losses = Losses::default();
    if source.flags() > 1 {
        let path = || format!("animations[{}].flags", animation.0);
        losses.add_many("animations with unknown flags", 1, path);
    }
    for (id, bone) in (0..=u16::MAX).map(BoneId).zip(document.bones()) {
        let frames = (0..source.frame_count()).map_while(|frame| source.frame(frame));
        let records = frames.filter_map(|frame| frame.transform(id));
        let mut keys = BoneKeys::default();
        // The first frame with each kind, and the number of its frames.
        let mut seen = [(0, 0_u64); KINDS.len()];
        for (frame, record) in (0..=u16::MAX).zip(records) {
            let (record, is_odd) = finite(record);
            let is_turned = record.rotation.abs() > 180.0;
            let has = [is_odd, is_turned, !record.visible(), record.z_order != 0, record.flags > 1];
            for ((first, count), _) in seen.iter_mut().zip(has).filter(|(_, has)| *has) {
                if *count == 0 {
                    *first = frame;
                }
                *count = count.saturating_add(1);
            }
            keys.append(frame.into(), &transform(&record));
        }
        keys.finish();
        for ((what, most), (first, count)) in KINDS.into_iter().zip(seen) {
            let path = || format!("animations[{}].frames[{first}][{}]", animation.0, id.0);
            losses.add_many(what, count.min(most), path);
        }
        let name = spelled(bone.name());
        if name != bone.name() {
            let path = || format!("bones[{}].name", id.0);
            losses.add_many("names of bones with a NUL, which becomes U+2400", 1, path);
        }
        // Frames and counts have 16 bits, and all channels are stored.
        motion.add_track(name.as_ref(), 0, (&keys).into()).ok()?;
    }
    Some((motion, losses))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::cast_possible_truncation, reason = "rotations have 32 bits")]
    fn rotations_give_back_the_same_degrees() {
        let mut compared = 0;
        let mut check = |degrees: f32| {
            let rest = without_turns(degrees);
            let turn = turn(rotation(rest)).unwrap();
            assert!((-180.0..=180.0).contains(&turn.degrees), "{degrees}");
            assert_eq!(turn.tilt, 0.0);
            let back = turn.degrees as f32;
            assert_eq!(back.to_bits(), rest.to_bits(), "{degrees} {back}");
            compared += 1;
        };
        for bits in (0..=720.0_f32.to_bits()).step_by(4099) {
            check(f32::from_bits(bits));
            check(-f32::from_bits(bits));
        }
        for degrees in [0.0, 90.0, 180.0, 270.0, 360.0, 540.0, 1e5, 1e9, 7e11] {
            let degrees: f32 = degrees;
            for near in [degrees.next_down(), degrees, degrees.next_up()] {
                check(near);
                check(-near);
            }
        }
        assert!(compared > 500_000, "{compared}");
    }

    #[test]
    fn whole_turns_are_taken_off() {
        for (degrees, rest) in [(350.0, -10.0), (-190.0, 170.0), (180.0, 180.0)] {
            assert_eq!(without_turns(degrees), rest);
            assert_eq!(without_turns(-degrees), -rest);
        }
    }

    #[test]
    fn a_tilt_is_told_apart() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        // A quarter about x: the bone looks out of the plane.
        let tilted = turn([half, 0.0, 0.0, half]).unwrap();
        assert_eq!((tilted.degrees, tilted.tilt), (0.0, 90.0));
        // Half a turn about y.
        let flipped = turn([0.0, 1.0, 0.0, 0.0]).unwrap();
        assert_eq!((flipped.degrees, flipped.tilt), (0.0, 180.0));
        // A quarter about z, then 60 degrees about x, of another sign and length.
        let (sin, cos) = (30_f64.to_radians().sin(), 30_f64.to_radians().cos());
        let both = [half * sin, -half * sin, half * cos, half * cos];
        let both = turn(both.map(|number| number * -3e200)).unwrap();
        assert!((both.degrees - 90.0).abs() < 1e-12, "{both:?}");
        assert!((both.tilt - 60.0).abs() < 1e-12, "{both:?}");
        assert_eq!(turn([0.0, 0.0, 0.0, f64::NAN]), None);
        assert_eq!(turn([0.0; 4]).unwrap().degrees, 0.0);
        assert!(turn([0.0, 0.0, 0.0, -1.0]).unwrap().degrees.is_sign_positive());
    }
}
