//! Pictures that are the same pixel by pixel.

use std::collections::BTreeMap;

use super::picture::Picture;

/// For each picture the first before it that has the same pixels, in a source of the same size.
pub(super) fn originals(pictures: &[Picture]) -> Vec<Option<usize>> {
    let mut known: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    let mut originals = Vec::with_capacity(pictures.len());
    for (index, picture) in pictures.iter().enumerate() {
        let key = (picture.source, picture.part, checksum(&picture.pixels.rgba));
        let alike = known.entry(key).or_default();
        let same = |other: &&usize| {
            let other = pictures.get(**other);
            other.is_some_and(|other| other.pixels == picture.pixels)
        };
        let original = alike.iter().find(same).copied();
        if original.is_none() {
            alike.push(index);
        }
        originals.push(original);
    }
    originals
}

/// FNV-1a, eight bytes at a time: equal hashes are then compared.
fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let words = words.iter().map(|word| u64::from_le_bytes(*word));
    let rest = rest.iter().map(|byte| u64::from(*byte));
    words.chain(rest).fold(0xcbf2_9ce4_8422_2325, |sum, word| {
        let mixed = (sum ^ word).wrapping_mul(0x0100_0000_01b3);
        mixed ^ (mixed >> 29)
    })
}
