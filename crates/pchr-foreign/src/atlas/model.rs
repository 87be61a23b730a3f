//! The model of an atlas. Every format is read to it and written from it.

use super::Sprites;

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
    /// Pixel format that the file states; `RGBA8888` in all known files.
    pub format: String,
    /// Width and height that the file states; 0 if it states none.
    pub size: [u32; 2],
    /// Empty pixels on each side of a sprite; `None` if the file states none.
    pub padding: Option<i32>,
    /// Byte offset of the record that names it, in the text that was read.
    pub offset: u64,
}
