//! Rectangles in a larger one, by the method of maximal rectangles (Jukka Jylänki, "A Thousand Ways to Pack the Bin", 2010).

/// A page that is being filled: the largest empty rectangles, which may overlap.
#[derive(Clone, Debug)]
pub(super) struct MaxRects {
    free: Vec<Area>,
}

/// The choice among the empty rectangles that are large enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RectFit {
    /// The lowest bottom edge, then the leftmost.
    Top,
    /// The least that is left beside the rectangle in one direction.
    ShortSide,
    /// The smallest remaining length, in the direction with more room left.
    LongSide,
    /// The smallest.
    Area,
}

/// Edges of a rectangle; the last two are excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Area {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

impl MaxRects {
    pub(super) fn new([width, height]: [u32; 2]) -> Self {
        let page = Area { left: 0, top: 0, right: width, bottom: height };
        Self { free: vec![page] }
    }

    /// Places a rectangle. Returns its top left corner, or `None` if there is no room.
    pub(super) fn place(&mut self, [width, height]: [u32; 2], fit: RectFit) -> Option<[u32; 2]> {
        let score = |area: &Area| {
            let right = (area.right - area.left).checked_sub(width)?;
            let below = (area.bottom - area.top).checked_sub(height)?;
            let (left, top) = (u64::from(area.left), u64::from(area.top));
            let (short, long) = (u64::from(right.min(below)), u64::from(right.max(below)));
            Some(match fit {
                RectFit::Top => (top, left, short),
                RectFit::ShortSide => (short, long, top),
                RectFit::LongSide => (long, short, top),
                RectFit::Area => (area.pixels(), short, top),
            })
        };
        let scored = self.free.iter().filter_map(|area| Some((score(area)?, area)));
        let (_, &Area { left, top, .. }) = scored.min_by_key(|(score, _)| *score)?;
        self.take(Area { left, top, right: left + width, bottom: top + height });
        Some([left, top])
    }

    /// Takes an area out of the empty ones.
    fn take(&mut self, taken: Area) {
        let mut parts = Vec::new();
        self.free.retain(|area| {
            let meets = area.meets(&taken);
            if meets {
                parts.extend(area.without(&taken));
            }
            !meets
        });
        for (index, part) in parts.iter().enumerate() {
            let in_part = |(other, area): (usize, &Area)| {
                other != index && area.contains(part) && (area != part || other < index)
            };
            let is_known = parts.iter().enumerate().any(in_part)
                || self.free.iter().any(|area| area.contains(part));
            if !is_known {
                self.free.push(*part);
            }
        }
    }
}

impl Area {
    fn pixels(&self) -> u64 {
        u64::from(self.right - self.left) * u64::from(self.bottom - self.top)
    }

    fn meets(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn contains(&self, other: &Self) -> bool {
        self.left <= other.left
            && self.top <= other.top
            && other.right <= self.right
            && other.bottom <= self.bottom
    }

    /// Returns the largest parts of this rectangle that do not overlap `taken`.
    fn without(self, taken: &Self) -> impl Iterator<Item = Self> {
        let parts = [
            (self.top < taken.top).then_some(Self { bottom: taken.top, ..self }),
            (taken.bottom < self.bottom).then_some(Self { top: taken.bottom, ..self }),
            (self.left < taken.left).then_some(Self { right: taken.left, ..self }),
            (taken.right < self.right).then_some(Self { left: taken.right, ..self }),
        ];
        parts.into_iter().flatten()
    }
}
