//! Numbers of a bone over the frames of an animation, and the frames on which bones move.

use crate::document::{Animation, BoneId, BoneTransform};
use crate::scene::{Curve, CurveKind, CurveKinds, KeyRow, KeyRows, RowKey};

/// Maximum number of transforms that are searched for the rows of all bones: some hundredths of a second.
const MOST: usize = 1 << 23;

/// Maximum number of frames on which bones move that are listed.
const MOST_KEYS: usize = 1 << 21;

/// The curves of a bone; none if there is no such bone. Numbers that are not finite have their neutral value, as in the picture.
pub(super) fn curves(animation: Animation<'_>, bone: BoneId) -> Vec<Curve> {
    let frames = usize::from(animation.frame_count());
    let room = || Vec::with_capacity(frames);
    let (mut x, mut y, mut rotation) = (room(), room(), room());
    let (mut scale_x, mut scale_y) = (room(), room());
    let (mut visible, mut order) = (room(), room());
    let mut turned = None;
    for frame in 0..animation.frame_count() {
        let Some(transform) = animation.frame(frame).and_then(|at| at.transform(bone)) else {
            return Vec::new();
        };
        x.push(finite(transform.x, 0.0));
        y.push(finite(transform.y, 0.0));
        rotation.push(unwrapped(finite(transform.rotation, 0.0), &mut turned));
        scale_x.push(finite(transform.scale_x, 1.0));
        scale_y.push(finite(transform.scale_y, 1.0));
        visible.push(f32::from(u8::from(transform.visible())));
        order.push(f32::from(transform.z_order));
    }
    let sampled = |name, kind, values| Curve { name, kind, values, keys: None };
    if frames == 0 {
        return Vec::new();
    }
    vec![
        sampled("x", CurveKind::Translation, x),
        sampled("y", CurveKind::Translation, y),
        sampled("rotation", CurveKind::Rotation, rotation),
        sampled("x", CurveKind::Scale, scale_x),
        sampled("y", CurveKind::Scale, scale_y),
        sampled("visible", CurveKind::Visible, visible),
        sampled("order", CurveKind::Order, order),
    ]
}

fn finite(value: f32, neutral: f32) -> f32 {
    if value.is_finite() { value } else { neutral }
}

/// The same turn by whole turns more or less, nearest to the frame before: frames blend along the shorter arc.
fn unwrapped(degrees: f32, before: &mut Option<f64>) -> f32 {
    let degrees = f64::from(degrees);
    let near =
        before.map_or(degrees, |before| degrees + ((before - degrees) / 360.0).round() * 360.0);
    *before = Some(near);
    #[expect(clippy::cast_possible_truncation, reason = "to be drawn")]
    let near = near as f32;
    near
}

/// For each bone the frames whose transform is another than on the frame before. Bones that never move are left out.
pub(super) fn rows(animation: Animation<'_>) -> KeyRows {
    rows_within(animation, MOST, MOST_KEYS)
}

/// Returns the same for about this many transforms and keys.
fn rows_within(animation: Animation<'_>, most: usize, most_keys: usize) -> KeyRows {
    let Some(first) = animation.frame(0) else {
        return KeyRows::default();
    };
    let mut keys: Vec<Vec<RowKey>> = vec![Vec::new(); first.records().len()];
    let most_frames = most.checked_div(keys.len()).unwrap_or(usize::MAX);
    let (mut before, mut count, mut seen) = (first, 0_usize, 0);
    for frame in (1..animation.frame_count()).take(most_frames) {
        let Some(now) = animation.frame(frame) else {
            break;
        };
        let records = before.records().iter().zip(now.records());
        for ((a, b), keys) in records.zip(&mut keys) {
            if a == b {
                continue;
            }
            let [a, b] = [a, b].map(BoneTransform::from_record);
            let kinds = differing(&a, &b);
            if !kinds.is_empty() {
                keys.push(RowKey { frame, kinds });
                count = count.saturating_add(1);
            }
        }
        seen = frame;
        if count > most_keys {
            break;
        }
        before = now;
    }
    let rows = (0..=u16::MAX).map(BoneId).zip(keys);
    let next = seen.saturating_add(1);
    KeyRows {
        rows: rows
            .filter(|(_, keys)| !keys.is_empty())
            .map(|(bone, keys)| KeyRow { bone, keys })
            .collect(),
        left_out: Some(next).filter(|next| *next < animation.frame_count()),
    }
}

/// The numbers that differ.
fn differing(a: &BoneTransform, b: &BoneTransform) -> CurveKinds {
    let place = [a.x, a.y] != [b.x, b.y];
    let scale = [a.scale_x, a.scale_y] != [b.scale_x, b.scale_y];
    let found = [
        (place, CurveKind::Translation),
        (a.rotation != b.rotation, CurveKind::Rotation),
        (scale, CurveKind::Scale),
        (a.visible() != b.visible(), CurveKind::Visible),
        (a.z_order != b.z_order, CurveKind::Order),
    ];
    let differ = found.into_iter().filter(|(differs, _)| *differs);
    differ.fold(CurveKinds::default(), |kinds, (_, kind)| kinds.with(kind))
}

#[cfg(test)]
mod tests {
    use crate::character::Character;
    use crate::document::{AnimationId, BoneId, BoneTransform};
    use crate::fixture::{Builder, at};
    use crate::pose::BindChoice;
    use crate::scene::{Curve, CurveKind, Subject as _};

    fn turned(rotation: f32) -> BoneTransform {
        BoneTransform { rotation, ..at(1.0, 2.0) }
    }

    fn character(frames: &[Vec<BoneTransform>]) -> Character {
        let bones = frames.first().map_or(0, Vec::len);
        let builder = Builder::new().bones(u16::try_from(bones).unwrap());
        Character::new(builder.animation("a", true, frames).document(), BindChoice::Auto)
    }

    fn values<'a>(curves: &'a [Curve], name: &str, kind: CurveKind) -> &'a [f32] {
        let found = curves.iter().find(|it| it.name == name && it.kind == kind);
        &found.unwrap().values
    }

    #[test]
    fn a_curve_has_the_value_of_each_frame_and_turns_do_not_jump() {
        let hidden = BoneTransform { flags: 0, z_order: -3, scale_x: 2.0, ..turned(-170.0) };
        let character = character(&[
            vec![at(0.0, 0.0), turned(170.0)],
            vec![at(0.0, 0.0), hidden],
            vec![at(0.0, 0.0), turned(190.0 + 360.0)],
        ]);
        let curves = character.curves(BoneId(1), AnimationId(0));
        assert_eq!(curves.len(), 7);
        let values = |name, kind| values(&curves, name, kind);
        assert_eq!(values("x", CurveKind::Translation), [1.0; 3]);
        assert_eq!(values("y", CurveKind::Translation), [2.0; 3]);
        assert_eq!(values("rotation", CurveKind::Rotation), [170.0, 190.0, 190.0]);
        assert_eq!(values("x", CurveKind::Scale), [1.0, 2.0, 1.0]);
        assert_eq!(values("visible", CurveKind::Visible), [1.0, 0.0, 1.0]);
        assert_eq!(values("order", CurveKind::Order), [0.0, -3.0, 0.0]);
        assert!(curves.iter().all(|curve| curve.keys.is_none()));
    }

    #[test]
    fn the_first_frame_that_is_not_looked_at_is_told() {
        let frames: Vec<Vec<BoneTransform>> =
            (0..10_u8).map(|frame| vec![at(f32::from(frame), 0.0), at(0.0, 0.0)]).collect();
        let character = character(&frames);
        let animation = character.document.animation(AnimationId(0)).unwrap();
        for (most, most_keys, left_out) in [
            (20, 100, None),
            (18, 100, None),
            (16, 100, Some(9)),
            (0, 100, Some(1)),
            (20, 3, Some(5)),
            (20, 8, None),
        ] {
            let found = super::rows_within(animation, most, most_keys);
            assert_eq!(found.left_out, left_out, "{most} {most_keys}");
            let last = found.rows.first().and_then(|row| row.keys.last());
            let next = last.map_or(1, |key| key.frame + 1);
            assert_eq!(next, left_out.unwrap_or(10), "{most} {most_keys}");
        }
    }

    #[test]
    fn there_is_no_curve_without_a_bone_an_animation_or_a_frame() {
        let character = character(&[vec![at(0.0, 0.0)]]);
        assert_eq!(character.curves(BoneId(1), AnimationId(0)), []);
        assert_eq!(character.curves(BoneId(0), AnimationId(1)), []);
        let empty = Builder::new().bones(1).still("none", true, 0).document();
        let empty = Character::new(empty, BindChoice::Auto);
        assert_eq!(empty.curves(BoneId(0), AnimationId(0)), []);
        assert_eq!(empty.key_rows(AnimationId(0)).rows, []);
    }

    #[test]
    fn a_row_has_the_frames_on_which_a_bone_moves_and_what_moves() {
        let character = character(&[
            vec![at(0.0, 0.0), at(1.0, 2.0)],
            vec![at(0.0, 0.0), at(1.0, 2.0)],
            vec![at(0.0, 0.0), turned(3.0)],
            vec![at(0.0, 0.0), BoneTransform { x: 7.0, scale_y: 2.0, ..turned(3.0) }],
        ]);
        let rows = character.key_rows(AnimationId(0)).rows;
        assert_eq!(rows.len(), 1, "the first bone never moves");
        assert_eq!(rows[0].bone, BoneId(1));
        let frames: Vec<u16> = rows[0].keys.iter().map(|key| key.frame).collect();
        assert_eq!(frames, [2, 3]);
        let has = |key: usize| CurveKind::ALL.map(|kind| rows[0].keys[key].kinds.has(kind));
        assert_eq!(has(0), [false, true, false, false, false]);
        assert_eq!(has(1), [true, false, true, false, false]);
    }
}
