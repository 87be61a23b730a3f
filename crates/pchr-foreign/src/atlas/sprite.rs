//! A sprite: its place on its page, and the source that it was trimmed from.

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
