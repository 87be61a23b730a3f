//! Turns between keys, which formats blend in different ways.

use crate::motion::{BoneKeys, Dialect, Key, Motion};

/// Places of pairs of rotations with frames between them, over which SEAnim turns evenly and PXD does not: index of a bone, and frame.
/// None of a motion of that dialect.
pub(super) fn uneven_turns<'a>(
    motion: &Motion,
    target: Dialect,
    bones: &'a [BoneKeys],
) -> impl Iterator<Item = (usize, u32)> + Clone + use<'a> {
    let differs = motion.dialect != target && motion.sampled().is_none();
    let bones = bones.iter().enumerate().filter(move |_| differs);
    bones.flat_map(|(bone, keys)| {
        let pairs = keys.rotation.windows(2);
        pairs.filter_map(move |pair| match pair {
            [start, end] if is_turn(start, end) => Some((bone, start.frame)),
            _ => None,
        })
    })
}

/// Half way, both are at the same place: with one frame in between they agree.
fn is_turn(start: &Key<4>, end: &Key<4>) -> bool {
    end.frame.saturating_sub(start.frame) > 2 && start.value != end.value
}
