//! Numbers of a bone over the frames of an animation, the frames on which bones move, and those on which meshes are shown or hidden, or
//! change their draw order.

use crate::document::{Animation, BoneId, BoneTransform, Document, SampledFrame};
use crate::scene::{Curve, CurveKind, CurveKinds, KeyRow, KeyRows, Mark, MarkKind, RowKey};

/// Maximum number of transforms that are searched for the rows of all bones: some hundredths of a second.
const MOST: usize = 1 << 23;

/// Maximum number of frames on which bones move that are listed.
const MOST_KEYS: usize = 1 << 21;

/// The curves of a bone; none if there is no such bone. Numbers that are not finite have their neutral value, as in the picture.
pub(super) fn curves(animation: Animation<'_>, bone: BoneId) -> Vec<Curve> {
    let transform = |frame| Some(animation.frame(frame)?.transform(bone)?.neutralised());
    let frames: Option<Vec<_>> = (0..animation.frame_count()).map(transform).collect();
    let frames = frames.unwrap_or_default();
    if frames.is_empty() {
        return Vec::new();
    }
    let curve = |name, kind, number: fn(&BoneTransform) -> f32| {
        let values = frames.iter().map(number).collect();
        Curve { name, kind, values, keys: None }
    };
    let mut rotation = curve("rotation", CurveKind::Rotation, |at| at.rotation);
    let mut turned = None;
    for degrees in &mut rotation.values {
        *degrees = unwrapped(*degrees, &mut turned);
    }
    vec![
        curve("x", CurveKind::Translation, |at| at.x),
        curve("y", CurveKind::Translation, |at| at.y),
        rotation,
        curve("x", CurveKind::Scale, |at| at.scale_x),
        curve("y", CurveKind::Scale, |at| at.scale_y),
        curve("visible", CurveKind::Visible, |at| f32::from(u8::from(at.visible()))),
        curve("order", CurveKind::Order, |at| f32::from(at.z_order)),
    ]
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
    let Some(first) = animation.frame(0) else { return KeyRows::default() };
    let mut keys: Vec<Vec<RowKey>> = vec![Vec::new(); first.records().len()];
    let most_frames = most.checked_div(keys.len()).unwrap_or(usize::MAX);
    let (mut before, mut count, mut seen) = (first, 0_usize, 0);
    for frame in (1..animation.frame_count()).take(most_frames) {
        let Some(now) = animation.frame(frame) else { break };
        let records = before.records().iter().zip(now.records());
        for ((a, b), keys) in records.zip(&mut keys) {
            if a == b {
                continue;
            }
            let [a, b] = [a, b].map(BoneTransform::from_record);
            let kinds = CurveKinds::between(&a, &b);
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

/// Maximum number of transforms that are searched; marks of a huge animation end where it is reached. Some tenths of a second at most.
const MOST_SEARCHED: usize = 1 << 24;

/// Bones that a text names.
const NAMED: usize = 3;

/// Visibility and draw order of a bone that owns meshes.
type OrderChanges = (bool, i16);

/// The marks of an animation, one for each frame and kind. `owners` has the bone of each mesh.
pub(super) fn marks(
    document: &Document,
    animation: Animation<'_>,
    owners: &[Option<BoneId>],
) -> Vec<Mark> {
    let owning = owning(owners);
    let name = |bone: BoneId| document.bone(bone).map_or("", |bone| bone.name());
    let mut marks = Vec::new();
    let mut left = MOST_SEARCHED;
    let Some(first) = animation.frame(0).filter(|_| !owning.is_empty()) else { return marks };
    let mut before = Vec::with_capacity(owning.len());
    let mut now = Vec::with_capacity(owning.len());
    read(first, &owning, &mut before);
    for number in 1..animation.frame_count() {
        let Some(frame) = animation.frame(number).filter(|_| left >= owning.len()) else { break };
        left = left.saturating_sub(owning.len());
        read(frame, &owning, &mut now);
        if now == before {
            continue;
        }
        let mark = |kind, text| Mark { frame: number, kind, text };
        if let Some(text) = visibility(&owning, &before, &now, name) {
            marks.push(mark(MarkKind::Visible, text));
        }
        let moved = before.iter().zip(&now).any(|(a, b)| a.1 != b.1);
        if moved {
            // Sorting costs more than looking.
            left = left.saturating_sub(owning.len().saturating_mul(16));
            if let Some(text) = order(&owning, &before, &now, name) {
                marks.push(mark(MarkKind::Order, text));
            }
        }
        std::mem::swap(&mut before, &mut now);
    }
    marks
}

/// Bones that own meshes, by their first mesh: that decides where draw orders are equal.
fn owning(owners: &[Option<BoneId>]) -> Vec<BoneId> {
    let mut seen = vec![false; usize::from(u16::MAX).saturating_add(1)];
    let first = |bone: &BoneId| {
        let seen = seen.get_mut(bone.index());
        seen.is_some_and(|seen| !std::mem::replace(seen, true))
    };
    owners.iter().flatten().copied().filter(first).collect()
}

fn read(frame: SampledFrame<'_>, owning: &[BoneId], into: &mut Vec<OrderChanges>) {
    let of = |bone: &BoneId| {
        let transform: BoneTransform = frame.transform(*bone).unwrap_or_default();
        (transform.visible(), transform.z_order)
    };
    into.clear();
    into.extend(owning.iter().map(of));
}

/// `hand_l, sword hidden; shield shown`.
fn visibility<'a>(
    owning: &[BoneId],
    before: &[OrderChanges],
    now: &[OrderChanges],
    name: impl Fn(BoneId) -> &'a str,
) -> Option<String> {
    let mut text = String::new();
    for (shown, word) in [(false, "hidden"), (true, "shown")] {
        let pairs = before.iter().zip(now).zip(owning);
        let turned = pairs.filter(|((a, b), _)| a.0 != b.0 && b.0 == shown);
        let mut names = turned.map(|(_, bone)| name(*bone));
        let first: Vec<&str> = names.by_ref().take(NAMED).collect();
        if first.is_empty() {
            continue;
        }
        if !text.is_empty() {
            text.push_str("; ");
        }
        text.push_str(&first.join(", "));
        push_more(&mut text, names.count());
        text.push(' ');
        text.push_str(word);
    }
    (!text.is_empty()).then_some(text)
}

fn push_more(text: &mut String, more: usize) {
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
}

/// Indices of bones back to front, and the place of each in that order.
fn back_to_front(of: &[OrderChanges]) -> [Vec<usize>; 2] {
    let mut order: Vec<usize> = (0..of.len()).collect();
    order.sort_by_key(|at| of.get(*at).map(|order| order.1)); // stable
    let mut ranks = vec![0; of.len()];
    for (rank, at) in order.iter().enumerate() {
        if let Some(place) = ranks.get_mut(*at) {
            *place = rank;
        }
    }
    [order, ranks]
}

/// `order: arm_l above body`; `None` if all bones lie over each other as before.
fn order<'a>(
    owning: &[BoneId],
    before: &[OrderChanges],
    now: &[OrderChanges],
    name: impl Fn(BoneId) -> &'a str,
) -> Option<String> {
    let [[_, old], [order, new]] = [before, now].map(back_to_front);
    let distance = |at: usize| -> Option<usize> { Some(old.get(at)?.abs_diff(*new.get(at)?)) };
    let z_differs = |at: &usize| before.get(*at).map(|it| it.1) != now.get(*at).map(|it| it.1);
    let moved = (0..now.len()).filter(|at| distance(*at).is_some_and(|by| by > 0));
    let mut movers: Vec<usize> = moved.filter(z_differs).collect();
    movers.sort_by_key(|at| std::cmp::Reverse(distance(*at)));
    let mut pairs: Vec<[usize; 2]> = Vec::with_capacity(NAMED);
    let mut words: Vec<String> = Vec::with_capacity(NAMED);
    let mut more = 0_usize;
    for mover in &movers {
        let (was, is) = (old.get(*mover)?, new.get(*mover)?);
        // The mesh that it now lies directly above or below.
        let rose = is > was;
        let beside = if rose { is.checked_sub(1) } else { is.checked_add(1) };
        let beside = *order.get(beside?)?;
        if pairs.iter().any(|pair| pair.contains(mover)) {
            continue; // already reported, from the other mesh's side
        }
        if words.len() == NAMED {
            more = more.saturating_add(1);
            continue;
        }
        pairs.push([*mover, beside]);
        let [a, b] = [*mover, beside].map(|at| owning.get(at).map_or("", |bone| name(*bone)));
        words.push(format!("{a} {} {b}", if rose { "above" } else { "below" }));
    }
    if words.is_empty() {
        return None;
    }
    let mut text = format!("order: {}", words.join(", "));
    push_more(&mut text, more);
    Some(text)
}

#[cfg(test)]
mod tests {
    use crate::character::Character;
    use crate::document::{AnimationId, BoneId, BoneTransform};
    use crate::fixture::{Builder, WHITE, at};
    use crate::pose::BindChoice;
    use crate::scene::{Curve, CurveKind, Mark, MarkKind, Subject as _};

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
        let turns = [turned(170.0), hidden, turned(190.0 + 360.0)];
        let character = character(&turns.map(|turn| vec![at(0.0, 0.0), turn]));
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
        let last = BoneTransform { x: 7.0, scale_y: 2.0, ..turned(3.0) };
        let moves = [at(1.0, 2.0), at(1.0, 2.0), turned(3.0), last];
        let character = character(&moves.map(|to| vec![at(0.0, 0.0), to]));
        let rows = character.key_rows(AnimationId(0)).rows;
        assert_eq!(rows.len(), 1, "the first bone never moves");
        assert_eq!(rows[0].bone, BoneId(1));
        let frames: Vec<u16> = rows[0].keys.iter().map(|key| key.frame).collect();
        assert_eq!(frames, [2, 3]);
        let has = |key: usize| CurveKind::ALL.map(|kind| rows[0].keys[key].kinds.has(kind));
        assert_eq!(has(0), [false, true, false, false, false]);
        assert_eq!(has(1), [true, false, true, false, false]);
    }

    /// A bone `none` without meshes, and bones that own one each.
    fn marks(bones: &[&str], frames: &[Vec<(bool, i16)>]) -> Vec<Mark> {
        let mut builder = Builder::new().image(1, &[WHITE]).bone("none", None);
        for (bone, name) in (1..).zip(bones) {
            builder = builder.bone(name, None).quad(name, 0, bone, [0.0; 2], [1.0; 2]);
        }
        let of = |&(visible, z_order): &(bool, i16)| {
            let flags = visible.into();
            BoneTransform { flags, z_order, ..BoneTransform::default() }
        };
        let frames: Vec<Vec<BoneTransform>> = { frames.iter().enumerate() }
            .map(|(number, frame)| {
                // Its values do not matter.
                let none = of(&(number % 2 == 0, i16::try_from(number).unwrap()));
                std::iter::once(none).chain(frame.iter().map(of)).collect()
            })
            .collect();
        let document = builder.animation("a", true, &frames).document();
        Character::new(document, BindChoice::Auto).marks(AnimationId(0))
    }

    fn said(marks: &[Mark]) -> Vec<(u16, MarkKind, &str)> {
        marks.iter().map(|mark| (mark.frame, mark.kind, mark.text.as_str())).collect()
    }

    #[test]
    fn bones_that_are_shown_or_hidden_are_named_up_to_three() {
        let (on, off) = ((true, 0), (false, 0));
        let found = marks(
            &["hand_l", "sword", "shield"],
            &[vec![on, on, off], vec![on, on, off], vec![off, off, on], vec![on, off, on]],
        );
        let wanted = [
            (2, MarkKind::Visible, "hand_l, sword hidden; shield shown"),
            (3, MarkKind::Visible, "hand_l shown"),
        ];
        assert_eq!(said(&found), wanted);
        let many = marks(&["a", "b", "c", "d", "e"], &[vec![on; 5], vec![off; 5]]);
        assert_eq!(said(&many), [(1, MarkKind::Visible, "a, b, c and 2 more hidden")]);
    }

    #[test]
    fn another_draw_order_is_marked_and_other_numbers_for_the_same_order_are_not() {
        let frame = |a, b, c| vec![(true, a), (true, b), (true, c)];
        let found = marks(
            &["body", "arm_l", "arm_r"],
            &[
                frame(0, -1, 1),
                frame(10, 9, 11), // the same order
                frame(10, 12, 11),
                frame(10, 11, 11), // equal numbers: by mesh
                frame(20, 11, 11),
            ],
        );
        let wanted = [
            (2, MarkKind::Order, "order: arm_l above arm_r"),
            (3, MarkKind::Order, "order: arm_l below arm_r"),
            (4, MarkKind::Order, "order: body above arm_r"),
        ];
        assert_eq!(said(&found), wanted);
        let swapped = marks(&["a", "b"], &[vec![(true, 0), (true, 1)], vec![(true, 1), (true, 0)]]);
        assert_eq!(said(&swapped), [(1, MarkKind::Order, "order: a above b")], "said once");
    }

    #[test]
    fn frames_that_take_no_bytes_cost_nothing() {
        let document = Builder::new().still("long", true, u16::MAX).document();
        let character = Character::new(document, BindChoice::Auto);
        assert_eq!(character.marks(AnimationId(0)), []);
        assert_eq!(character.key_rows(AnimationId(0)).rows, []);
    }
}
