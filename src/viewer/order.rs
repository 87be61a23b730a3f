//! Moves of a mesh in the draw order, with as few overrides as possible.

use pchr::document::MeshId;

/// Direction of a move in the draw order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OrderStep {
    /// Later, on top of its neighbour.
    Up,
    /// Earlier, below its neighbour.
    Down,
}

/// Returns the draw orders that swap `mesh` with its neighbour. Empty without a neighbour. See [`placed`] for the rest.
pub(crate) fn moved(
    back_to_front: &[(MeshId, f64)],
    mesh: MeshId,
    direction: OrderStep,
) -> Vec<(MeshId, f64)> {
    let from = back_to_front.iter().position(|(id, _)| *id == mesh);
    let to = from.and_then(|from| match direction {
        OrderStep::Up => from.checked_add(1),
        OrderStep::Down => from.checked_sub(1),
    });
    to.map_or_else(Vec::new, |to| placed(back_to_front, mesh, to))
}

/// Returns the draw orders that put `mesh` at `position` from the back. The other meshes keep their order. A position
/// beyond the end is the top. `back_to_front` holds every mesh with its draw order, ascending by `(draw order, mesh)`.
///
/// One override is enough, unless the new neighbours share a draw order and the mesh indices do not put the mesh
/// between them. In that case all meshes of that group on one side move by half a step.
pub(crate) fn placed(
    back_to_front: &[(MeshId, f64)],
    mesh: MeshId,
    position: usize,
) -> Vec<(MeshId, f64)> {
    let Some(from) = back_to_front.iter().position(|(id, _)| *id == mesh) else {
        return Vec::new();
    };
    let to = position.min(back_to_front.len().saturating_sub(1));
    if to == from {
        return Vec::new();
    }
    let mut rest = back_to_front.to_vec();
    let own = rest.remove(from);
    let (lower, upper) = rest.split_at(to.min(rest.len()));
    let z = match (lower.last(), upper.first()) {
        (None, None) => return Vec::new(),
        (Some((_, low)), None) => low + 1.0,
        (None, Some((_, high))) => high - 1.0,
        (Some((_, low)), Some((_, high))) if to > from => low + step(high - low),
        (Some((_, low)), Some((_, high))) => high - step(high - low),
    };
    if lies_between(lower, (mesh, z), upper) {
        return vec![(mesh, z)];
    }
    let raised = lower.last().and_then(|low| shifted(own, *low, upper.iter(), 1.0));
    let lowered = upper.first().and_then(|high| shifted(own, *high, lower.iter().rev(), -1.0));
    let candidates = [raised, lowered];
    let sound = candidates.into_iter().flatten();
    let fewest = sound.min_by_key(Vec::len);
    fewest.unwrap_or_else(|| numbered(lower, own, upper))
}

/// Returns half of the gap between draw orders, at most 0.5: half of what authors leave between them.
fn step(gap: f64) -> f64 {
    (gap / 2.0).min(0.5)
}

/// Returns true if a mesh is drawn after all of `lower` and before all of `upper`.
fn lies_between(lower: &[(MeshId, f64)], mesh: (MeshId, f64), upper: &[(MeshId, f64)]) -> bool {
    let before = |a: &(MeshId, f64), b: &(MeshId, f64)| (a.1, a.0) < (b.1, b.0);
    lower.last().is_none_or(|low| before(low, &mesh))
        && upper.first().is_none_or(|high| before(&mesh, high))
}

/// Moves the meshes of the group next to the mesh, which `side` begins with, half a step away from the `nearest` one of the other side:
/// `way` is 1 to move them up and -1 to move them down. Returns `None` if there is no room.
fn shifted<'a>(
    own: (MeshId, f64),
    (nearest, z): (MeshId, f64),
    mut side: impl Iterator<Item = &'a (MeshId, f64)> + Clone,
    way: f64,
) -> Option<Vec<(MeshId, f64)>> {
    let group = side.clone().take_while(|(_, at)| *at == z);
    let next = side.nth(group.clone().count());
    let to = z + way * step(next.map_or(f64::INFINITY, |(_, next)| (next - z) * way));
    let room = z * way < to * way && next.is_none_or(|(_, next)| to * way < next * way);
    // If its index puts the mesh on the far side of the nearest one, it joins that one's group; otherwise this one.
    let is_beyond = if way > 0.0 { own.0 > nearest } else { own.0 < nearest };
    let own_to = if is_beyond { z } else { to };
    room.then(|| overrides(own, own_to, group, to))
}

fn overrides<'a>(
    own: (MeshId, f64),
    own_to: f64,
    group: impl Iterator<Item = &'a (MeshId, f64)>,
    to: f64,
) -> Vec<(MeshId, f64)> {
    let own_moves = (own.1 != own_to).then_some((own.0, own_to));
    let group = group.map(|(id, _)| (*id, to));
    own_moves.into_iter().chain(group).collect()
}

/// Numbers all meshes by their positions. Used if draw orders lie too close to each other, or too far from 0.
fn numbered(
    lower: &[(MeshId, f64)],
    own: (MeshId, f64),
    upper: &[(MeshId, f64)],
) -> Vec<(MeshId, f64)> {
    let order = lower.iter().chain([&own]).chain(upper);
    (0_u32..).zip(order).map(|(place, (id, _))| (*id, f64::from(place))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn list(of: &[(u16, f64)]) -> Vec<(MeshId, f64)> {
        of.iter().map(|(id, z)| (MeshId(*id), *z)).collect()
    }

    /// Returns the order after the overrides, back to front.
    fn with(list: &[(MeshId, f64)], overrides: &[(MeshId, f64)]) -> Vec<u16> {
        let mut list = list.to_vec();
        for (id, z) in overrides {
            for entry in &mut list {
                if entry.0 == *id {
                    entry.1 = *z;
                }
            }
        }
        list.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        list.into_iter().map(|(id, _)| id.0).collect()
    }

    /// Returns the order after a move, back to front.
    fn after(start: &[(u16, f64)], mesh: u16, direction: OrderStep) -> Vec<u16> {
        let list = list(start);
        with(&list, &moved(&list, MeshId(mesh), direction))
    }

    #[test]
    fn a_mesh_changes_places_with_its_neighbour_and_with_no_other() {
        let lists: [&[(u16, f64)]; 6] = [
            &[(0, 0.0), (1, 1.0), (2, 2.0), (3, 3.0)],
            &[(0, 0.0), (1, 0.0), (2, 0.0), (3, 0.0)],
            &[(3, -1.0), (0, 0.0), (1, 0.0), (2, 7.0)],
            &[(2, 0.0), (3, 0.0), (0, 0.5), (1, 0.5)],
            &[(1, 5.0), (2, 5.0), (0, 6.0), (3, 6.0)],
            &[(0, 1e300), (1, 1e300), (2, 1e300), (3, 1e300)],
        ];
        for list in lists {
            let ids: Vec<u16> = list.iter().map(|(id, _)| *id).collect();
            for i in 0..ids.len() {
                let mut up = ids.clone();
                if i + 1 < ids.len() {
                    up.swap(i, i + 1);
                }
                let mut down = ids.clone();
                if i > 0 {
                    down.swap(i, i - 1);
                }
                assert_eq!(after(list, ids[i], OrderStep::Up), up, "{list:?} {i} up");
                assert_eq!(after(list, ids[i], OrderStep::Down), down, "{list:?} {i} down");
            }
        }
    }

    #[test]
    fn one_override_is_enough_where_draw_orders_differ() {
        let list = [(MeshId(0), 0.0), (MeshId(1), 1.0), (MeshId(2), 2.0)];
        assert_eq!(moved(&list, MeshId(0), OrderStep::Up), [(MeshId(0), 1.5)]);
        assert_eq!(moved(&list, MeshId(2), OrderStep::Down), [(MeshId(2), 0.5)]);
        assert_eq!(moved(&list, MeshId(1), OrderStep::Up), [(MeshId(1), 3.0)]);
    }

    #[test]
    fn a_tie_is_parted_on_its_shorter_side_and_stays_below_what_lies_above() {
        let list = list(&[(0, 4.0), (1, 4.0), (2, 4.0), (4, 4.0), (5, 4.0), (3, 4.25)]);
        let part = |mesh, to| placed(&list, MeshId(mesh), to);
        // 0 stays where it is, above 1.
        assert_eq!(part(0, 1), [(MeshId(1), 3.5)]);
        assert_eq!(part(1, 3), [(MeshId(1), 4.125), (MeshId(5), 4.125)]);
        assert_eq!(part(5, 1), [(MeshId(5), 3.5), (MeshId(0), 3.5)]);
        // Between 1 and 2 there is no index, but between 2 and 4.
        assert_eq!(part(3, 3), [(MeshId(3), 4.0)]);
    }

    #[test]
    fn a_row_goes_to_the_top_and_to_the_bottom_by_one_override() {
        let list = list(&[(2, 0.0), (0, 0.5), (1, 0.5), (3, 9.0)]);
        assert_eq!(placed(&list, MeshId(0), 3), [(MeshId(0), 10.0)]);
        assert_eq!(placed(&list, MeshId(0), usize::MAX), [(MeshId(0), 10.0)]);
        assert_eq!(placed(&list, MeshId(3), 0), [(MeshId(3), -1.0)]);
        assert!(placed(&list, MeshId(3), 3).is_empty(), "it is there");
        assert!(placed(&list, MeshId(7), 0).is_empty(), "there is no such mesh");
        assert!(placed(&[], MeshId(0), 0).is_empty());
    }

    #[test]
    fn the_ends_do_not_move() {
        let list = [(MeshId(0), 0.0), (MeshId(1), 1.0)];
        assert!(moved(&list, MeshId(1), OrderStep::Up).is_empty());
        assert!(moved(&list, MeshId(0), OrderStep::Down).is_empty());
        assert!(moved(&list, MeshId(9), OrderStep::Down).is_empty());
        assert!(moved(&[], MeshId(0), OrderStep::Up).is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_mesh_comes_to_lie_where_it_is_put_and_the_others_keep_their_order(
            orders in prop::collection::vec(
                prop::sample::select(vec![-1.0, 0.0, 0.0, 0.5, 1.0, 1.0 + f64::EPSILON, 7.0, 1e300]),
                1..9,
            ),
            moves in prop::collection::vec((0_usize..9, 0_usize..9), 1..40),
        ) {
            let mut list: Vec<_> = (0..=u16::MAX).map(MeshId).zip(orders).collect();
            for (from, to) in moves {
                list.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
                let (from, to) = (from % list.len(), to % list.len());
                let mut wanted: Vec<u16> = list.iter().map(|(id, _)| id.0).collect();
                let mesh = wanted.remove(from);
                wanted.insert(to, mesh);
                let overrides = placed(&list, MeshId(mesh), to);
                prop_assert_eq!(with(&list, &overrides), wanted);
                let alone = overrides.len() <= 1;
                let mut rest = list.clone();
                rest.remove(from);
                let tie = to > 0 && to < rest.len() && rest[to].1 - rest[to - 1].1 < 1e-9;
                let far = list.iter().any(|(_, z)| z.abs() > 1e15);
                prop_assert!(alone || tie || far, "{:?} {:?}", list, overrides);
                for (id, z) in overrides {
                    prop_assert!(z.is_finite());
                    for entry in &mut list {
                        if entry.0 == id {
                            entry.1 = z;
                        }
                    }
                }
            }
        }
    }
}
