//! Ids of parts, and the check that names are text and unique, in time proportional to their bytes for any input.

/// Calls `found(first, again)` for every name that equals an earlier one, in order.
pub(super) fn duplicates<'a>(
    count: usize,
    name: impl Fn(usize) -> &'a [u8],
    mut found: impl FnMut(usize, usize),
) {
    let mut first = std::collections::BTreeMap::new();
    for index in 0..count {
        let first = *first.entry(name(index)).or_insert(index);
        if first != index {
            found(first, index);
        }
    }
}

/// Returns true if all names are ASCII and all hashes differ, which holds for nearly every file. False proves nothing: a file made
/// to collide only takes the slow path.
pub(super) fn quickly_sound<'a>(count: usize, name: impl Fn(usize) -> &'a [u8]) -> bool {
    const PROBES: usize = 16;
    let mask = count.saturating_mul(2).next_power_of_two().saturating_sub(1);
    let mut table = vec![0_u32; mask.saturating_add(1)];
    for index in 0..count {
        let (hash, all_bits) = hash(name(index));
        if all_bits & 0x8080_8080_8080_8080 != 0 {
            return false;
        }
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

/// Returns a hash, and the bits that are set in any of the bytes. Each step multiplies and folds eight bytes (as in `FxHash` and
/// `wyhash`); only the spread matters here.
#[inline]
fn hash(bytes: &[u8]) -> (u64, u64) {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |state: u64, word: u64| {
        let product = u128::from(state ^ word).wrapping_mul(u128::from(K));
        #[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
        let folded = (product as u64) ^ ((product >> 64) as u64);
        folded
    };
    let (words, _) = bytes.as_chunks::<8>();
    let mut bits = 0;
    let mut state = bytes.len() as u64;
    for word in words {
        let word = u64::from_le_bytes(*word);
        bits |= word;
        state = mix(state, word);
    }
    let last = tail(bytes);
    (mix(mix(state, last), K), bits | last)
}

/// Returns the bytes after the last whole word. Some bytes may count twice, so that none is read singly.
#[inline]
fn tail(bytes: &[u8]) -> u64 {
    let half = |half: &[u8; 4]| u64::from(u32::from_le_bytes(*half));
    if let Some(word) = bytes.last_chunk() {
        u64::from_le_bytes(*word)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        half(first) | (half(last) << 32)
    } else if let (Some(first), Some(last), Some(middle)) =
        (bytes.first(), bytes.last(), bytes.get(bytes.len() / 2))
    {
        u64::from(*first) | (u64::from(*middle) << 8) | (u64::from(*last) << 16)
    } else {
        0
    }
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident,)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u16);

        impl $name {
            /// Returns the id as a slice index.
            #[must_use]
            #[inline]
            pub fn index(self) -> usize {
                usize::from(self.0)
            }

            /// Returns the first ids.
            pub(crate) fn first(count: usize) -> impl ExactSizeIterator<Item = Self> + Clone {
                debug_assert!(count <= 1 << 16, "there are at most 65,536 of anything");
                (0..count).map(|id| Self(id.try_into().unwrap_or(u16::MAX)))
            }
        }
    )+};
}

ids! {
    /// Index of an image in its document.
    ImageId,
    /// Index of a bone in its document.
    BoneId,
    /// Index of a mesh in its document.
    MeshId,
    /// Index of an animation in its document.
    AnimationId,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(names: &[&str]) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        duplicates(names.len(), |i| names[i].as_bytes(), |a, b| pairs.push((a, b)));
        pairs
    }

    #[test]
    fn each_repetition_names_the_first() {
        assert_eq!(found(&["a", "b", "a", "", "a", ""]), [(0, 2), (0, 4), (3, 5)]);
        assert_eq!(found(&["a", "b", "aa", "ab", "ba"]), []);
        assert_eq!(found(&[]), []);
    }

    #[test]
    fn a_thousand_different_names_take_the_quick_way_but_no_two_equal_ones() {
        let names: Vec<String> = (0..1000).map(|i| format!("bone_{i:03}")).collect();
        assert!(quickly_sound(1000, |i| names[i].as_bytes()));
        assert!(!quickly_sound(1001, |i| names[i % 1000].as_bytes()));
    }
}
