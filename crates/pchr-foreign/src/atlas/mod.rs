//! Texture atlases: pages, and named sprites on them, in the order of their file.
//!
//! Sizes and places are in pixels from the top left; a sprite's source is the picture that it was before empty borders were cut
//! off ("trimmed").
#![deny(clippy::arithmetic_side_effects)]

mod check;
mod flip_book;
mod rule;

use std::hash::BuildHasher as _;

use foldhash::fast::RandomState;
use hashbrown::hash_table::{Entry, HashTable};

pub use check::{check, covered_pixels};
pub use flip_book::{FlipBook, flip_books};
pub use rule::PctRule;

/// Pages, and named sprites on them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Atlas {
    /// The pages.
    pub pages: Vec<Page>,
    /// Folder names that a PCT file lists, in its order; sprites have them in their names already.
    pub folders: Vec<String>,
    /// The sprites by their whole names, with folder and extension.
    pub sprites: Sprites,
}

impl Atlas {
    /// Maximum number of sprites that a file may name.
    pub const MOST_SPRITES: usize = 1_000_000;

    /// Lets every alias name an original that is not an alias and has the same place: a name may have been reused since.
    pub(crate) fn settle_aliases(&mut self) {
        const STEPS: usize = 64; // longer chains are circles
        if self.sprites.values().all(|sprite| sprite.alias_of.is_none()) {
            return;
        }
        let settled = |index: usize| {
            let sprite = self.sprites.get_index(index)?.1;
            let mut original = sprite.alias_of?;
            for _ in 0..STEPS {
                let (_, found) = self.sprites.get_index(original as usize)?;
                match found.alias_of {
                    Some(next) => original = next,
                    None => return found.is_at(sprite).then_some(original),
                }
            }
            None
        };
        let settled: Vec<Option<u32>> = (0..self.sprites.len()).map(settled).collect();
        for (sprite, original) in self.sprites.values_mut().zip(settled) {
            sprite.alias_of = original;
        }
    }
}

/// An image of an atlas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Path of the image file, from the folder of the atlas.
    pub file: String,
    /// Pixel format that the file states; `RGBA8888` in all known files.
    pub format: String,
    /// Width and height that the file states; 0 if it states none.
    pub size: [u32; 2],
    /// Empty pixels on each side of a sprite; `None` if the file states none.
    pub padding: Option<i32>,
    /// Byte offset of the record that names it, in the text that was read.
    pub offset: u64,
}

impl Page {
    /// Its pixel format, the usual one if it states none.
    pub(crate) fn format(&self) -> &str {
        if self.format.is_empty() { "RGBA8888" } else { &self.format }
    }
}

/// A picture on a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sprite {
    /// Index of its page, which exists.
    pub page: u32,
    /// Its place on the page, and its upright size: one that is [`rotated`](Self::rotated) covers `height` x `width`.
    pub rect: Rect,
    /// The source that it was trimmed from; `None` if it is whole.
    pub trim: Option<Trim>,
    /// True if it lies on the page turned by 90 degrees clockwise, as TexturePacker does it.
    pub rotated: bool,
    /// Index of the sprite whose place it shares.
    pub alias_of: Option<u32>,
    /// Number of the grid of equal sprites that it was in, from 0, across pages.
    pub block: Option<u32>,
    /// Byte offset of the record that names it, in the text that was read.
    pub offset: u64,
}

impl Sprite {
    /// Returns whether another one shows the same pixels in the same place of its source.
    #[must_use]
    pub fn is_at(&self, other: &Self) -> bool {
        let place = |sprite: &Self| (sprite.page, sprite.rect, sprite.trim, sprite.rotated);
        place(self) == place(other)
    }

    /// Width and height of its source.
    #[must_use]
    pub fn source_size(&self) -> [i32; 2] {
        self.trim.map_or([self.rect.width, self.rect.height], |trim| trim.source)
    }

    /// Place of its top left corner in its source.
    #[must_use]
    pub fn source_offset(&self) -> [i32; 2] {
        self.trim.map_or([0, 0], |trim| trim.offset)
    }

    /// The part of the page that it covers.
    #[must_use]
    pub const fn covered(&self) -> Rect {
        if self.rotated {
            Rect { width: self.rect.height, height: self.rect.width, ..self.rect }
        } else {
            self.rect
        }
    }
}

/// A rectangle of whole pixels; files may state any numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rect {
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Width.
    pub width: i32,
    /// Height.
    pub height: i32,
}

impl Rect {
    /// Left, top, right and bottom edge, the last two excluded.
    #[must_use]
    pub fn edges(self) -> [i64; 4] {
        let [x, y] = [i64::from(self.x), i64::from(self.y)];
        let far = |near: i64, size: i32| near.saturating_add(size.into());
        [x, y, far(x, self.width), far(y, self.height)]
    }

    /// Returns whether there is no pixel in it.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.width <= 0 || self.height <= 0
    }
}

/// The source of a trimmed sprite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Trim {
    /// Width and height of the source.
    pub source: [i32; 2],
    /// Place of the sprite in the source.
    pub offset: [i32; 2],
}

/// Sprites by their whole names, in order. A sprite keeps its index.
///
/// All names lie in one string: a short text can make a million of them.
#[derive(Clone, Default)]
pub struct Sprites {
    names: SpriteNames,
    sprites: Vec<Sprite>,
    /// Indices of sprites by the hashes of their names.
    indices: HashTable<u32>,
    hasher: RandomState,
}

impl Sprites {
    /// Number of sprites.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sprites.len()
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sprites.is_empty()
    }

    /// Makes room for more sprites.
    pub fn reserve(&mut self, more: usize) {
        self.names.ends.reserve(more);
        self.sprites.reserve(more);
        let again = |index: &u32| self.hasher.hash_one(self.names.get(*index as usize));
        self.indices.reserve(more, again);
    }

    /// Replaces the sprite of the same name, or adds the sprite at the end. Returns its index, and the sprite that it replaces.
    pub fn insert(&mut self, name: &str, sprite: Sprite) -> (usize, Option<Sprite>) {
        let Self { names, sprites, indices, hasher } = self;
        let same = |index: &u32| names.get(*index as usize) == name;
        let again = |index: &u32| hasher.hash_one(names.get(*index as usize));
        match indices.entry(hasher.hash_one(name), same, again) {
            Entry::Occupied(entry) => {
                let index = *entry.get() as usize;
                let place = sprites.get_mut(index);
                (index, place.map(|place| std::mem::replace(place, sprite)))
            }
            Entry::Vacant(entry) => {
                let index = sprites.len();
                entry.insert(u32::try_from(index).unwrap_or(u32::MAX));
                sprites.push(sprite);
                names.push(name);
                (index, None)
            }
        }
    }

    /// Index of the sprite of a name.
    #[must_use]
    pub fn index_of(&self, name: &str) -> Option<usize> {
        let same = |index: &u32| self.names.get(*index as usize) == name;
        let index = self.indices.find(self.hasher.hash_one(name), same)?;
        Some(*index as usize)
    }

    /// The sprite of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Sprite> {
        self.sprites.get(self.index_of(name)?)
    }

    /// Name and sprite at an index.
    #[must_use]
    pub fn get_index(&self, index: usize) -> Option<(&str, &Sprite)> {
        let sprite = self.sprites.get(index)?;
        Some((self.names.get(index), sprite))
    }

    /// The names, in order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.iter().map(|(name, _)| name)
    }

    /// The sprites, in order.
    pub fn values(&self) -> std::slice::Iter<'_, Sprite> {
        self.sprites.iter()
    }

    /// The sprites, in order.
    pub fn values_mut(&mut self) -> std::slice::IterMut<'_, Sprite> {
        self.sprites.iter_mut()
    }

    /// The sprites, each with its name, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Sprite)> + Clone {
        let sprites = self.sprites.iter().enumerate();
        sprites.map(|(index, sprite)| (self.names.get(index), sprite))
    }
}

/// Two are equal if the same sprites have the same names in the same order.
impl PartialEq for Sprites {
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names && self.sprites == other.sprites
    }
}

impl Eq for Sprites {}

impl std::fmt::Debug for Sprites {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<N: AsRef<str>> FromIterator<(N, Sprite)> for Sprites {
    fn from_iter<T: IntoIterator<Item = (N, Sprite)>>(named: T) -> Self {
        let mut sprites = Self::default();
        for (name, sprite) in named {
            sprites.insert(name.as_ref(), sprite);
        }
        sprites
    }
}

#[derive(Clone, Default, PartialEq, Eq)]
struct SpriteNames {
    text: String,
    /// Ends of the names in the text.
    ends: Vec<usize>,
}

impl SpriteNames {
    fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends.push(self.text.len());
    }

    fn get(&self, index: usize) -> &str {
        let start = index.checked_sub(1).and_then(|index| self.ends.get(index));
        let (start, end) = (start.copied().unwrap_or(0), self.ends.get(index));
        let name = end.and_then(|end| self.text.get(start..*end));
        debug_assert!(name.is_some(), "name {index} of {}", self.ends.len());
        name.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprite(page: u32) -> Sprite {
        Sprite { page, ..Sprite::default() }
    }

    #[test]
    fn sprites_keep_their_order_and_a_later_one_replaces_its_namesake() {
        let mut sprites = Sprites::default();
        assert!(sprites.is_empty());
        sprites.reserve(3);
        for (index, name) in (0..).zip(["b", "", "a/ü.png"]) {
            assert_eq!(sprites.insert(name, sprite(index)), (index as usize, None));
        }
        assert_eq!(sprites.insert("", sprite(7)), (1, Some(sprite(1))));
        let wanted = [("b", &sprite(0)), ("", &sprite(7)), ("a/ü.png", &sprite(2))];
        assert_eq!(sprites.iter().collect::<Vec<_>>(), wanted);
        assert_eq!(sprites.names().collect::<Vec<_>>(), ["b", "", "a/ü.png"]);
        assert_eq!(sprites.len(), 3);
        assert_eq!(sprites.index_of("a/ü.png"), Some(2));
        assert_eq!(sprites.get_index(2), Some(("a/ü.png", &sprite(2))));
        assert_eq!(sprites.get_index(3), None);
        assert_eq!(sprites.get("a"), None);
        assert_eq!(sprites.get("b"), Some(&sprite(0)));
    }

    #[test]
    fn many_names_are_found_again() {
        let names: Vec<String> = (0..3000).map(|number| format!("walk/{number}")).collect();
        let numbered = (0..).zip(&names);
        let sprites: Sprites = numbered.map(|(number, name)| (name, sprite(number))).collect();
        for (index, name) in names.iter().enumerate() {
            assert_eq!(sprites.index_of(name), Some(index));
        }
        let again: Sprites = sprites.iter().map(|(name, sprite)| (name, sprite.clone())).collect();
        assert_eq!(sprites, again);
        assert_eq!(sprites.index_of("walk/3000"), None);
    }
}
