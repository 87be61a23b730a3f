//! Frames at which meshes are shown or hidden, or change their draw order.

use crate::document::{Animation, BoneId, BoneTransform, Document, Frame};
use crate::scene::{Mark, MarkKind};

/// Maximum number of transforms that are searched; marks of a huge animation end where it is reached. Some tenths of a second at most.
const MOST: usize = 1 << 24;

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
    let mut left = MOST;
    let Some(first) = animation.frame(0).filter(|_| !owning.is_empty()) else {
        return marks;
    };
    let mut before = Vec::with_capacity(owning.len());
    let mut now = Vec::with_capacity(owning.len());
    read(first, &owning, &mut before);
    let mut ranks = Ranks::default();
    for number in 1..animation.frame_count() {
        let Some(frame) = animation.frame(number).filter(|_| left >= owning.len()) else {
            break;
        };
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
            if let Some(text) = ranks.text(&owning, &before, &now, name) {
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

fn read(frame: Frame<'_>, owning: &[BoneId], into: &mut Vec<OrderChanges>) {
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

/// Bones back to front before a frame and on it. Keeps its memory from frame to frame.
#[derive(Debug, Default)]
struct Ranks {
    orders: [Vec<usize>; 2],
    ranks: [Vec<usize>; 2],
    movers: Vec<usize>,
}

impl Ranks {
    /// `order: arm_l above body`; `None` if all bones lie over each other as before.
    fn text<'a>(
        &mut self,
        owning: &[BoneId],
        before: &[OrderChanges],
        now: &[OrderChanges],
        name: impl Fn(BoneId) -> &'a str,
    ) -> Option<String> {
        for (of, (order, ranks)) in
            [before, now].into_iter().zip(self.orders.iter_mut().zip(&mut self.ranks))
        {
            order.clear();
            order.extend(0..of.len());
            order.sort_by_key(|at| of.get(*at).map(|order| order.1)); // stable
            ranks.clear();
            ranks.resize(of.len(), 0);
            for (rank, at) in order.iter().enumerate() {
                if let Some(place) = ranks.get_mut(*at) {
                    *place = rank;
                }
            }
        }
        let [old, new] = &self.ranks;
        let distance = |at: usize| -> Option<usize> { Some(old.get(at)?.abs_diff(*new.get(at)?)) };
        self.movers.clear();
        let z_differs = |at: &usize| before.get(*at).map(|it| it.1) != now.get(*at).map(|it| it.1);
        let moved = (0..now.len()).filter(|at| distance(*at).is_some_and(|by| by > 0));
        self.movers.extend(moved.filter(z_differs));
        self.movers.sort_by_key(|at| std::cmp::Reverse(distance(*at)));
        let mut pairs: Vec<[usize; 2]> = Vec::with_capacity(NAMED);
        let mut words: Vec<String> = Vec::with_capacity(NAMED);
        let mut more = 0_usize;
        let [_, order] = &self.orders;
        for mover in &self.movers {
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
}

#[cfg(test)]
mod tests {
    use crate::character::Character;
    use crate::document::{AnimationId, BoneTransform};
    use crate::fixture::{Builder, WHITE};
    use crate::pose::BindChoice;
    use crate::scene::{Mark, MarkKind, Subject as _};

    /// A bone `none` without meshes, and bones that own one each.
    fn marks(bones: &[&str], frames: &[Vec<(bool, i16)>]) -> Vec<Mark> {
        let mut builder = Builder::new().image(1, &[WHITE]).bone("none", None);
        for (bone, name) in (1..).zip(bones) {
            builder = builder.bone(name, None).quad(name, 0, bone, [0.0; 2], [1.0; 2]);
        }
        let of = |(visible, z_order): &(bool, i16)| BoneTransform {
            flags: u8::from(*visible),
            z_order: *z_order,
            ..BoneTransform::default()
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
    fn bones_that_are_shown_or_hidden_are_named() {
        let (on, off) = ((true, 0), (false, 0));
        let marks = marks(
            &["hand_l", "sword", "shield"],
            &[vec![on, on, off], vec![on, on, off], vec![off, off, on], vec![on, off, on]],
        );
        assert_eq!(
            said(&marks),
            [
                (2, MarkKind::Visible, "hand_l, sword hidden; shield shown"),
                (3, MarkKind::Visible, "hand_l shown"),
            ]
        );
    }

    #[test]
    fn of_many_bones_three_are_named_and_the_others_counted() {
        let marks = marks(&["a", "b", "c", "d", "e"], &[vec![(true, 0); 5], vec![(false, 0); 5]]);
        assert_eq!(said(&marks), [(1, MarkKind::Visible, "a, b, c and 2 more hidden")]);
    }

    #[test]
    fn another_draw_order_is_marked_and_other_numbers_for_the_same_order_are_not() {
        let frame = |a, b, c| vec![(true, a), (true, b), (true, c)];
        let marks = marks(
            &["body", "arm_l", "arm_r"],
            &[
                frame(0, -1, 1),
                frame(10, 9, 11), // the same order
                frame(10, 12, 11),
                frame(10, 11, 11), // equal numbers: by mesh
                frame(20, 11, 11),
            ],
        );
        assert_eq!(
            said(&marks),
            [
                (2, MarkKind::Order, "order: arm_l above arm_r"),
                (3, MarkKind::Order, "order: arm_l below arm_r"),
                (4, MarkKind::Order, "order: body above arm_r"),
            ]
        );
    }

    #[test]
    fn two_bones_that_change_places_are_said_once() {
        let marks = marks(&["a", "b"], &[vec![(true, 0), (true, 1)], vec![(true, 1), (true, 0)]]);
        assert_eq!(said(&marks), [(1, MarkKind::Order, "order: a above b")]);
    }

    #[test]
    fn frames_that_take_no_bytes_cost_nothing() {
        let document = Builder::new().still("long", true, u16::MAX).document();
        let character = Character::new(document, BindChoice::Auto);
        assert_eq!(character.marks(AnimationId(0)), []);
        assert_eq!(character.key_rows(AnimationId(0)).rows, []);
    }
}
