//! The part of each picture that is packed: one for all frames of a flip-book, so that they do not jitter and can be in a block.

use std::collections::BTreeMap;

use super::picture::{Part, Picture};
use crate::atlas::{Atlas, Sprite, flip_books};

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
) -> Vec<Part> {
    let takes_room = |index: &usize| originals.get(*index) == Some(&None);
    let room = |part: Part| {
        let [width, height] = part
            .size
            .map(|size| u64::from(size) + 2 * u64::from(margin));
        width * height
    };
    let fits = |part: Part| {
        let mut sides = part.size.into_iter().zip(page);
        sides.all(|(size, most)| size.saturating_add(2 * margin) <= most)
    };
    let mut parts: Vec<Part> = pictures.iter().map(|picture| picture.part).collect();
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
        let mut known: Vec<Part> = alike.iter().filter_map(part_of).collect();
        known.sort_unstable_by_key(|part| (std::cmp::Reverse(room(*part)), *part));
        known.dedup();
        let mut kept: Vec<Part> = Vec::new();
        let mut becomes: BTreeMap<Part, Part> = BTreeMap::new();
        for part in known {
            let most = room(part) * (100 + MOST_FOR_OTHERS) / 100;
            let fits = |other: &&Part| other.contains(part) && room(**other) <= most;
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
fn share(frames: &[usize], pictures: &[Picture], parts: &mut [Part], fits: &impl Fn(Part) -> bool) {
    let seen = || {
        let frames = frames.iter().filter_map(|index| pictures.get(*index));
        frames.filter(|picture| !picture.is_empty)
    };
    let Some(shared) = seen().map(|picture| picture.part).reduce(Part::union) else {
        return;
    };
    if fits(shared) || frames.len() < 2 {
        for index in frames {
            if let Some(part) = parts.get_mut(*index) {
                *part = shared;
            }
        }
    } else {
        let (first, second) = frames
            .split_at_checked(frames.len() / 2)
            .unwrap_or_default();
        share(first, pictures, parts, fits);
        share(second, pictures, parts, fits);
    }
}
