//! Pictures without the empty pixels around them, equal ones, and the parts that frames share.

use std::collections::BTreeMap;
use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;

use pchr::image::{PixelRect, Pixels};

use crate::atlas::{Atlas, Sprite, flip_books};

/// A picture that is to be packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub(super) name: String,
    /// Width and height before it was trimmed.
    pub(super) source: [u32; 2],
    /// The part of the source that is kept.
    pub(super) part: PixelRect,
    /// Pixels of that part, with straight alpha.
    pub(super) pixels: Pixels,
    /// True if there is nothing to see.
    pub(super) is_empty: bool,
}

impl Picture {
    /// A picture without the transparent pixels around it. `pixels` have straight alpha.
    #[must_use]
    pub fn trimmed(name: impl Into<String>, pixels: Pixels) -> Self {
        let source = [pixels.width, pixels.height];
        let part = pixels.visible();
        let is_empty = part.is_none();
        let part = part.unwrap_or(PixelRect { offset: [0, 0], size: [1, 1] });
        let pixels = if part.size == source { pixels } else { pixels.cut(part) };
        Self { name: name.into(), source, part, pixels, is_empty }
    }

    /// A picture with all its pixels. `pixels` have straight alpha.
    #[must_use]
    pub fn whole(name: impl Into<String>, pixels: Pixels) -> Self {
        let source = [pixels.width, pixels.height];
        Self { name: name.into(), source, part: pixels.rect(), pixels, is_empty: false }
    }

    /// The name of its sprite.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes of the pixels that are kept.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.pixels.rgba.len() as u64
    }
}

/// For each picture the first before it that has the same pixels, in a source of the same size.
pub(super) fn originals(pictures: &[Picture]) -> Vec<Option<usize>> {
    let mut known: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    let mut originals = Vec::with_capacity(pictures.len());
    for (index, picture) in pictures.iter().enumerate() {
        // Equal hashes are then compared.
        let hash = FixedState::default().hash_one(&picture.pixels.rgba);
        let key = (picture.source, picture.part, hash);
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

/// Pictures of a folder get a part that others have if they take no more than this much more room, in percent.
const MOST_FOR_OTHERS: u64 = 10;

/// Parts of a folder that are looked through for one picture.
const MOST_LOOKED_AT: usize = 256;

/// The part of each picture's source that is packed, with all that is visible in it. `margin` is the empty room on each side,
/// `page` the largest size of a page; a picture with an original takes no room.
pub(super) fn parts(
    pictures: &[Picture],
    originals: &[Option<usize>],
    margin: u32,
    page: [u32; 2],
) -> Vec<PixelRect> {
    let takes_room = |index: &usize| originals.get(*index) == Some(&None);
    let room = |part: PixelRect| {
        let [width, height] = part.size.map(|size| u64::from(size) + 2 * u64::from(margin));
        width * height
    };
    let fits = |part: PixelRect| {
        let mut sides = part.size.into_iter().zip(page);
        sides.all(|(size, most)| size.saturating_add(2 * margin) <= most)
    };
    let mut parts: Vec<PixelRect> = pictures.iter().map(|picture| picture.part).collect();
    for mut frames in frames_of_a_size(pictures) {
        frames.retain(takes_room);
        share(&frames, pictures, &mut parts, &fits);
    }

    // Smaller ones take the part of a larger one that is nearly as small.
    let mut by_folder: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    let indexed = pictures.iter().enumerate();
    for (index, picture) in indexed.filter(|(index, _)| takes_room(index)) {
        let folder = picture.name.rsplit_once('/').map(|(folder, _)| folder);
        let alike = by_folder.entry((folder, picture.source)).or_default();
        alike.push(index);
    }
    for alike in by_folder.into_values() {
        let part_of = |index: &usize| parts.get(*index).copied();
        let mut known: Vec<PixelRect> = alike.iter().filter_map(part_of).collect();
        known.sort_unstable_by_key(|part| (std::cmp::Reverse(room(*part)), *part));
        known.dedup();
        let mut kept: Vec<PixelRect> = Vec::new();
        let mut becomes: BTreeMap<PixelRect, PixelRect> = BTreeMap::new();
        for part in known {
            let most = room(part) * (100 + MOST_FOR_OTHERS) / 100;
            let fits = |other: &&PixelRect| other.contains(part) && room(**other) <= most;
            match kept.iter().rev().take(MOST_LOOKED_AT).find(fits) {
                Some(other) => _ = becomes.insert(part, *other),
                None => kept.push(part),
            }
        }
        for index in alike {
            if let Some(part) = parts.get_mut(index) {
                *part = becomes.get(part).copied().unwrap_or(*part);
            }
        }
    }
    parts
}

/// Flip-books, each once for every size that sources have in it.
fn frames_of_a_size(pictures: &[Picture]) -> Vec<Vec<usize>> {
    let names = pictures.iter().map(|picture| picture.name.as_str());
    let atlas = Atlas {
        sprites: names.map(|name| (name, Sprite::default())).collect(),
        ..Atlas::default()
    };
    let mut groups = Vec::new();
    for book in flip_books(&atlas) {
        let mut sizes: BTreeMap<[u32; 2], Vec<usize>> = BTreeMap::new();
        for index in book.sprites.into_iter().map(|index| index as usize) {
            if let Some(picture) = pictures.get(index) {
                sizes.entry(picture.source).or_default().push(index);
            }
        }
        groups.extend(sizes.into_values());
    }
    groups
}

/// Gives frames one part or, where no page could hold that, each half of them one, and so on.
fn share(
    frames: &[usize],
    pictures: &[Picture],
    parts: &mut [PixelRect],
    fits: &impl Fn(PixelRect) -> bool,
) {
    let seen = || {
        let frames = frames.iter().filter_map(|index| pictures.get(*index));
        frames.filter(|picture| !picture.is_empty)
    };
    let Some(shared) = seen().map(|picture| picture.part).reduce(PixelRect::union) else {
        return;
    };
    if fits(shared) || frames.len() < 2 {
        for index in frames {
            if let Some(part) = parts.get_mut(*index) {
                *part = shared;
            }
        }
    } else {
        let (first, second) = frames.split_at_checked(frames.len() / 2).unwrap_or_default();
        share(first, pictures, parts, fits);
        share(second, pictures, parts, fits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_borders_are_cut_off() {
        let mut pixels = Pixels { width: 5, height: 4, rgba: vec![0; 80] };
        let empty = Picture::trimmed("empty", pixels.clone());
        assert!(empty.is_empty);
        assert_eq!((empty.part.size, empty.pixels.rgba.len()), ([1, 1], 4));
        for (at, value) in [(6, 9), (13, 7)] {
            pixels.rgba[at * 4 + 3] = value;
        }
        let picture = Picture::trimmed("a", pixels.clone());
        let part = PixelRect { offset: [1, 1], size: [3, 2] };
        assert_eq!((picture.source, picture.part), ([5, 4], part));
        let alpha = |pixels: &Pixels| -> Vec<u8> {
            pixels.rgba.iter().skip(3).step_by(4).copied().collect()
        };
        assert_eq!(alpha(&picture.pixels), [9, 0, 0, 0, 0, 7]);
        let whole = Picture::whole("a", pixels.clone());
        assert_eq!((whole.part.size, whole.pixels), ([5, 4], pixels));
    }
}
