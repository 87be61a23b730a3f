//! The model of an atlas. Every format is read to it and written from it.

use super::Sprites;

/// Pages, and named sprites on them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Atlas {
    /// The pages.
    pub pages: Vec<Page>,
    /// Folder names that a PCT file lists, in its order; sprites have them in their names already.
    pub folders: Vec<String>,
    /// The sprites by their whole names, with folder and ending.
    pub sprites: Sprites,
}

impl Atlas {
    /// Most sprites that a file may name.
    pub const MOST_SPRITES: usize = 1_000_000;

    /// Lets every alias name an original that is none, and has the same place: a name may have been given anew since.
    pub(crate) fn settle_aliases(&mut self) {
        const STEPS: usize = 64; // none is as long, but in a circle
        if self
            .sprites
            .values()
            .all(|sprite| sprite.alias_of.is_none())
        {
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
    /// Pixel format that the file states; `RGBA8888` in all that are known.
    pub format: String,
    /// Width and height that the file states; 0 if it states none.
    pub size: [u32; 2],
    /// Empty pixels on each side of a sprite; `None` if the file states none.
    pub padding: Option<i32>,
    /// Byte offset of the record that names it, in the text that was read.
    pub offset: u64,
}

/// A picture on a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sprite {
    /// Index of its page; there are as many.
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
        self.trim
            .map_or([self.rect.width, self.rect.height], |trim| trim.source)
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
            Rect {
                width: self.rect.height,
                height: self.rect.width,
                ..self.rect
            }
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Trim {
    /// Width and height of the source.
    pub source: [i32; 2],
    /// Place of the sprite in the source.
    pub offset: [i32; 2],
}
