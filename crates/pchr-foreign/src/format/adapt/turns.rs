//! Turns between keys, which formats blend in different ways.

use crate::motion::{BoneKeys, Dialect, Key, Motion};

/// Returns pairs of rotations with frames in between, for which SEAnim turns evenly and PXD does not: index of a bone, and frame.
/// There are none in a motion of that dialect.
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

/// Returns true if there is more than one frame in between. With one, both agree, because they are equal half way.
fn is_turn(start: &Key<4>, end: &Key<4>) -> bool {
    end.frame.saturating_sub(start.frame) > 2 && start.value != end.value
}
