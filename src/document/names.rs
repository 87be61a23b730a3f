//! Finds names that occur twice, in time proportional to their bytes whatever they are.

/// Calls `found(first, again)` for every name that equals an earlier one, in order.
pub(super) fn duplicates<'a>(
    count: usize,
    name: impl Fn(usize) -> &'a [u8],
    mut found: impl FnMut(usize, usize),
) {
    if quick_unique(count, &name) {
        return;
    }
    let mut first = std::collections::BTreeMap::new();
    for index in 0..count {
        match first.entry(name(index)) {
            std::collections::btree_map::Entry::Vacant(entry) => {
                entry.insert(index);
            }
            std::collections::btree_map::Entry::Occupied(entry) => found(*entry.get(), index),
        }
    }
}

/// Whether all hashes differ, as they do in nearly every file. A file made to collide only costs the slow way.
fn quick_unique<'a>(count: usize, name: &impl Fn(usize) -> &'a [u8]) -> bool {
    const PROBES: usize = 16;
    let mask = count
        .saturating_mul(2)
        .next_power_of_two()
        .saturating_sub(1);
    let mut table = vec![0_u32; mask.saturating_add(1)];
    for index in 0..count {
        let hash = hash(name(index));
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the low bits of a hash are as good as all"
        )]
        let (start, tag) = (hash as usize, ((hash >> 32) as u32) | 1);
        let mut slots = (0..PROBES).map(|step| start.wrapping_add(step) & mask);
        let free = slots.find_map(|slot| match table.get_mut(slot) {
            Some(held) if *held == 0 => {
                *held = tag;
                Some(true)
            }
            Some(held) if *held == tag => Some(false),
            _ => None,
        });
        if free != Some(true) {
            return false;
        }
    }
    true
}

/// Eight bytes a step, multiplied and folded (as in `FxHash` and `wyhash`); only its spread matters here.
fn hash(bytes: &[u8]) -> u64 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, rest) = bytes.as_chunks::<8>();
    let mix = |state: u64, word: u64| {
        let product = u128::from(state ^ word).wrapping_mul(u128::from(K));
        #[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
        let folded = (product as u64) ^ ((product >> 64) as u64);
        folded
    };
    let state = words.iter().fold(bytes.len() as u64, |state, word| {
        mix(state, u64::from_le_bytes(*word))
    });
    let last = rest
        .iter()
        .fold(1, |word: u64, byte| (word << 8) | u64::from(*byte));
    mix(mix(state, last), K)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(names: &[&str]) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        duplicates(
            names.len(),
            |i| names[i].as_bytes(),
            |a, b| pairs.push((a, b)),
        );
        pairs
    }

    #[test]
    fn each_repetition_names_the_first() {
        assert_eq!(
            found(&["a", "b", "a", "", "a", ""]),
            [(0, 2), (0, 4), (3, 5)]
        );
        assert_eq!(found(&["a", "b", "aa", "ab", "ba"]), []);
        assert_eq!(found(&[]), []);
    }

    #[test]
    fn a_thousand_different_names_take_the_quick_way() {
        let names: Vec<String> = (0..1000).map(|i| format!("bone_{i:03}")).collect();
        assert!(quick_unique(1000, &|i| names[i].as_bytes()));
    }
}
