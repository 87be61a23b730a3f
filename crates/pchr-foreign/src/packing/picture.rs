//! Pictures without the empty pixels around them, equal ones, and the parts that frames share.

use std::collections::BTreeMap;

use pchr::image::Pixels;

use crate::atlas::{Atlas, Sprite, flip_books};

/// A picture that is to be packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The name of its sprite.
    pub(super) name: String,
    /// Width and height before it was trimmed.
    pub(super) source: [u32; 2],
    /// The part of the source that is kept.
    pub(super) part: PicturePart,
    /// Pixels of that part, with straight alpha.
    pub(super) pixels: Pixels,
    /// True if there is nothing to see.
    pub(super) is_empty: bool,
}

/// A part of a picture, in pixels from its top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PicturePart {
    pub(super) offset: [u32; 2],
    pub(super) size: [u32; 2],
}

impl PicturePart {
    /// The smallest part with both in it.
    pub(super) fn union(self, other: Self) -> Self {
        let end = |axis: usize| self.end(axis).max(other.end(axis));
        let offset = |axis: usize| at(self.offset, axis).min(at(other.offset, axis));
        let along = |axis: usize| (offset(axis), end(axis) - offset(axis));
        let ((x, width), (y, height)) = (along(0), along(1));
        Self { offset: [x, y], size: [width, height] }
    }

    /// Returns whether all of `other` is in it.
    pub(super) fn contains(self, other: Self) -> bool {
        self.union(other) == self
    }

    fn end(self, axis: usize) -> u32 {
        at(self.offset, axis) + at(self.size, axis)
    }
}

fn at([x, y]: [u32; 2], axis: usize) -> u32 {
    if axis == 0 { x } else { y }
}

impl Picture {
    /// A picture without the transparent pixels around it. `pixels` have straight alpha.
    #[must_use]
    pub fn trimmed(name: impl Into<String>, pixels: Pixels) -> Self {
        let source = [pixels.width, pixels.height];
        let part = visible(&pixels);
        let is_empty = part.is_none();
        let part = part.unwrap_or(PicturePart { offset: [0, 0], size: [1, 1] });
        let pixels = if part.size == source { pixels } else { cut(&pixels, part) };
        Self { name: name.into(), source, part, pixels, is_empty }
    }

    /// A picture with all its pixels. `pixels` have straight alpha.
    #[must_use]
    pub fn whole(name: impl Into<String>, pixels: Pixels) -> Self {
        let source = [pixels.width, pixels.height];
        Self {
            name: name.into(),
            source,
            part: PicturePart { offset: [0, 0], size: source },
            pixels,
            is_empty: false,
        }
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

/// The smallest part with all pixels that are not transparent.
fn visible(pixels: &Pixels) -> Option<PicturePart> {
    let width = pixels.width.max(1) as usize;
    let (mut rows, mut columns): (Option<[u32; 2]>, Option<[u32; 2]>) = (None, None);
    for (y, row) in (0_u32..).zip(pixels.rgba.as_chunks::<4>().0.chunks_exact(width)) {
        let seen = |[_, _, _, alpha]: &[u8; 4]| *alpha != 0;
        let (Some(first), Some(last)) = (row.iter().position(seen), row.iter().rposition(seen))
        else {
            continue;
        };
        let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let (first, last) = (number(first), number(last));
        rows = Some([rows.map_or(y, |[top, _]| top), y]);
        columns =
            Some(columns.map_or([first, last], |[left, right]| [left.min(first), right.max(last)]));
    }
    let ([left, right], [top, bottom]) = (columns?, rows?);
    Some(PicturePart { offset: [left, top], size: [right - left + 1, bottom - top + 1] })
}

fn cut(pixels: &Pixels, part: PicturePart) -> Pixels {
    let ([x, y], [width, height]) = (part.offset, part.size);
    let stride = pixels.width as usize * 4;
    let (from, length) = (x as usize * 4, width as usize * 4);
    let rows = pixels.rgba.chunks_exact(stride.max(1));
    let rows = rows.skip(y as usize).take(height as usize);
    let mut rgba = Vec::with_capacity(length * height as usize);
    for row in rows {
        rgba.extend_from_slice(row.get(from..from + length).unwrap_or_default());
    }
    Pixels { width, height, rgba }
}

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
) -> Vec<PicturePart> {
    let takes_room = |index: &usize| originals.get(*index) == Some(&None);
    let room = |part: PicturePart| {
        let [width, height] = part.size.map(|size| u64::from(size) + 2 * u64::from(margin));
        width * height
    };
    let fits = |part: PicturePart| {
        let mut sides = part.size.into_iter().zip(page);
        sides.all(|(size, most)| size.saturating_add(2 * margin) <= most)
    };
    let mut parts: Vec<PicturePart> = pictures.iter().map(|picture| picture.part).collect();
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
        let mut known: Vec<PicturePart> = alike.iter().filter_map(part_of).collect();
        known.sort_unstable_by_key(|part| (std::cmp::Reverse(room(*part)), *part));
        known.dedup();
        let mut kept: Vec<PicturePart> = Vec::new();
        let mut becomes: BTreeMap<PicturePart, PicturePart> = BTreeMap::new();
        for part in known {
            let most = room(part) * (100 + MOST_FOR_OTHERS) / 100;
            let fits = |other: &&PicturePart| other.contains(part) && room(**other) <= most;
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
    parts: &mut [PicturePart],
    fits: &impl Fn(PicturePart) -> bool,
) {
    let seen = || {
        let frames = frames.iter().filter_map(|index| pictures.get(*index));
        frames.filter(|picture| !picture.is_empty)
    };
    let Some(shared) = seen().map(|picture| picture.part).reduce(PicturePart::union) else {
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
        let part = PicturePart { offset: [1, 1], size: [3, 2] };
        assert_eq!((picture.source, picture.part), ([5, 4], part));
        let alpha = |pixels: &Pixels| -> Vec<u8> {
            pixels.rgba.iter().skip(3).step_by(4).copied().collect()
        };
        assert_eq!(alpha(&picture.pixels), [9, 0, 0, 0, 0, 7]);
        let whole = Picture::whole("a", pixels.clone());
        assert_eq!((whole.part.size, whole.pixels), ([5, 4], pixels));
    }
}
