//! Moving a mesh up and down in the draw order, by overriding as few draw orders as it takes.

use crate::document::MeshId;

/// Where a mesh goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Drawn later, on top of its neighbour.
    Up,
    /// Drawn earlier, below its neighbour.
    Down,
}

/// The draw orders to set so that `mesh` changes places with its neighbour. `back_to_front` holds every mesh with its
/// draw order, ascending by `(draw order, mesh)`. Empty where there is no neighbour.
///
/// One override is enough, unless the neighbours share a draw order and the mesh indices do not put it between them:
/// then the whole group that shares it is spread over fractions.
pub(crate) fn moved(
    back_to_front: &[(MeshId, f64)],
    mesh: MeshId,
    direction: Direction,
) -> Vec<(MeshId, f64)> {
    let Some(from) = back_to_front.iter().position(|(id, _)| *id == mesh) else {
        return Vec::new();
    };
    let to = match direction {
        Direction::Up => from.checked_add(1),
        Direction::Down => from.checked_sub(1),
    };
    let Some(to) = to.filter(|to| *to < back_to_front.len()) else {
        return Vec::new();
    };
    let mut order = back_to_front.to_vec();
    order.swap(from, to);
    let below = to.checked_sub(1).and_then(|i| order.get(i)).copied();
    let above = order.get(to.saturating_add(1)).copied();
    let step = |gap: f64| (gap / 2.0).min(0.5);
    let between = match (below, above) {
        (None, None) => None,
        (Some((_, z)), None) => Some(z + 1.0),
        (None, Some((_, z))) => Some(z - 1.0),
        (Some((_, low)), Some((_, high))) if direction == Direction::Up => {
            Some(low + step(high - low))
        }
        (Some((_, low)), Some((_, high))) => Some(high - step(high - low)),
    };
    let Some(z) = between else {
        return Vec::new();
    };
    let fits = below.is_none_or(|(id, low)| (low, id) < (z, mesh))
        && above.is_none_or(|(id, high)| (z, mesh) < (high, id));
    if fits {
        return vec![(mesh, z)];
    }
    spread(&order, mesh, z)
}

/// Gives each mesh of the group at `z`, `mesh` among them, a draw order of its own, in the order wanted.
fn spread(order: &[(MeshId, f64)], mesh: MeshId, z: f64) -> Vec<(MeshId, f64)> {
    let group: Vec<MeshId> = order
        .iter()
        .filter(|(id, at)| *id == mesh || *at == z)
        .map(|(id, _)| *id)
        .collect();
    let next = order
        .iter()
        .filter(|(id, at)| *id != mesh && *at > z)
        .map(|(_, at)| *at)
        .fold(f64::INFINITY, f64::min);
    let room = (next - z).min(1.0);
    let count = f64::from(u32::try_from(group.len()).unwrap_or(u32::MAX));
    (0_u32..)
        .zip(group)
        .map(|(i, id)| (id, z + room * f64::from(i) / count))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order after a move, back to front.
    fn after(start: &[(u16, f64)], mesh: u16, direction: Direction) -> Vec<u16> {
        let mut list: Vec<(MeshId, f64)> = start.iter().map(|(id, z)| (MeshId(*id), *z)).collect();
        for (id, z) in moved(&list, MeshId(mesh), direction) {
            for entry in &mut list {
                if entry.0 == id {
                    entry.1 = z;
                }
            }
        }
        list.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        list.into_iter().map(|(id, _)| id.0).collect()
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
                if list[0].1 < 1e9 {
                    assert_eq!(after(list, ids[i], Direction::Up), up, "{list:?} {i} up");
                    assert_eq!(
                        after(list, ids[i], Direction::Down),
                        down,
                        "{list:?} {i} down"
                    );
                }
            }
        }
    }

    #[test]
    fn one_override_is_enough_where_draw_orders_differ() {
        let list = [(MeshId(0), 0.0), (MeshId(1), 1.0), (MeshId(2), 2.0)];
        assert_eq!(moved(&list, MeshId(0), Direction::Up), [(MeshId(0), 1.5)]);
        assert_eq!(moved(&list, MeshId(2), Direction::Down), [(MeshId(2), 0.5)]);
        assert_eq!(moved(&list, MeshId(1), Direction::Up), [(MeshId(1), 3.0)]);
    }

    #[test]
    fn a_tie_spreads_the_whole_group_and_stays_below_what_lies_above() {
        let list = [
            (MeshId(0), 4.0),
            (MeshId(1), 4.0),
            (MeshId(2), 4.0),
            (MeshId(3), 4.25),
        ];
        let moves = moved(&list, MeshId(0), Direction::Up);
        let ids: Vec<u16> = moves.iter().map(|(id, _)| id.0).collect();
        assert_eq!(ids, [1, 0, 2]);
        assert!(
            moves.iter().all(|(_, z)| (4.0..4.25).contains(z)),
            "{moves:?}"
        );
    }

    #[test]
    fn the_ends_do_not_move() {
        let list = [(MeshId(0), 0.0), (MeshId(1), 1.0)];
        assert!(moved(&list, MeshId(1), Direction::Up).is_empty());
        assert!(moved(&list, MeshId(0), Direction::Down).is_empty());
        assert!(moved(&list, MeshId(9), Direction::Down).is_empty());
        assert!(moved(&[], MeshId(0), Direction::Up).is_empty());
    }
}
