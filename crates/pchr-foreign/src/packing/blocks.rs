//! Sprites of one size as grids.

use std::collections::BTreeMap;

/// A grid of sprites, or one alone, that is placed as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// Sprites of a row.
    pub(super) columns: usize,
    /// Indices of the sprites, row by row; the rows are full, or there is one.
    pub(super) sprites: Vec<usize>,
    /// Width and height of a cell, with the room around its sprite.
    pub(super) cell: [u32; 2],
}

/// The number of columns that blocks get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Columns {
    /// About as wide as high.
    Square,
    /// Half of the page's width.
    Half,
    /// All of the page's width.
    Full,
}

impl Columns {
    pub(super) const ALL: [Self; 3] = [Self::Square, Self::Half, Self::Full];
}

/// Minimum number of sprites in a block.
const LEAST: usize = 4;

impl Block {
    /// Width and height.
    pub(super) fn size(&self) -> [u32; 2] {
        let [width, height] = self.cell;
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let rows = self.sprites.len().div_ceil(self.columns);
        let columns = self.columns.min(self.sprites.len());
        [
            width.saturating_mul(count(columns)),
            height.saturating_mul(count(rows)),
        ]
    }
}

/// Blocks of sprites that are equal in `kinds`, each no larger than `page`. `cells` are sizes with the room around.
pub(super) fn blocks<K: Ord + Copy>(
    sprites: &[(usize, K, [u32; 2])],
    columns: Columns,
    page: [u32; 2],
) -> Vec<Block> {
    let mut kinds: BTreeMap<(K, [u32; 2]), Vec<usize>> = BTreeMap::new();
    for (index, kind, cell) in sprites {
        kinds.entry((*kind, *cell)).or_default().push(*index);
    }
    // In the order of the first of each.
    let mut kinds: Vec<([u32; 2], Vec<usize>)> = kinds
        .into_iter()
        .map(|((_, cell), sprites)| (cell, sprites))
        .collect();
    kinds.sort_by_key(|(_, sprites)| sprites.first().copied());
    let mut blocks = Vec::with_capacity(kinds.len());
    for (cell, sprites) in kinds {
        if sprites.len() < LEAST {
            blocks.extend(sprites.into_iter().map(|sprite| single(sprite, cell)));
            continue;
        }
        let columns = columns.of(sprites.len(), cell, page);
        let [_, most] = fitting(cell, page);
        let full = sprites.len() / columns * columns;
        let (full, rest) = sprites.split_at_checked(full).unwrap_or_default();
        let grids = full.chunks(columns.saturating_mul(most)).chain([rest]);
        for sprites in grids.filter(|sprites| !sprites.is_empty()) {
            blocks.push(Block {
                columns: columns.min(sprites.len()),
                sprites: sprites.to_vec(),
                cell,
            });
        }
    }
    blocks
}

fn single(sprite: usize, cell: [u32; 2]) -> Block {
    Block {
        columns: 1,
        sprites: vec![sprite],
        cell,
    }
}

/// Columns and rows that fit on a page, at least one.
fn fitting(cell: [u32; 2], page: [u32; 2]) -> [usize; 2] {
    let ([width, height], [page_width, page_height]) = (cell, page);
    [page_width / width.max(1), page_height / height.max(1)].map(|count| count.max(1) as usize)
}

impl Columns {
    fn of(self, count: usize, cell: [u32; 2], page: [u32; 2]) -> usize {
        let [most, _] = fitting(cell, page);
        let [width, height] = cell.map(|size| size as usize);
        let columns = match self {
            Self::Square => (1..count)
                .find(|columns| columns * width >= count.div_ceil(*columns) * height)
                .unwrap_or(count),
            Self::Half => most / 2,
            Self::Full => most,
        };
        let columns = columns.clamp(1, most.min(count));
        // A few more or less, if that fills all rows; else as many rows, of a length that leaves few over.
        let mut near =
            (0..=columns / 4 + 1).flat_map(|by| [columns.saturating_sub(by), columns + by]);
        let fills =
            |columns: &usize| (1..=most).contains(columns) && count.is_multiple_of(*columns);
        let balanced = count.div_ceil(count.div_ceil(columns));
        near.find(fills).unwrap_or(balanced)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(count: usize, columns: Columns) -> Vec<(usize, usize)> {
        let sprites: Vec<_> = (0..count).map(|index| (index, 0, [10, 10])).collect();
        let blocks = blocks(&sprites, columns, [100, 50]);
        let places: Vec<usize> = blocks
            .iter()
            .flat_map(|block| block.sprites.clone())
            .collect();
        assert_eq!(places, (0..count).collect::<Vec<_>>());
        let shape = |block: &Block| (block.columns, block.sprites.len());
        blocks.iter().map(shape).collect()
    }

    #[test]
    fn rows_are_full_and_pages_large_enough() {
        assert_eq!(made(3, Columns::Full), [(1, 1), (1, 1), (1, 1)]);
        assert_eq!(made(4, Columns::Square), [(2, 4)]);
        assert_eq!(made(10, Columns::Square), [(5, 10)]);
        assert_eq!(made(11, Columns::Square), [(4, 8), (3, 3)]);
        assert_eq!(made(12, Columns::Half), [(4, 12)]);
        assert_eq!(made(23, Columns::Full), [(8, 16), (7, 7)]);
        assert_eq!(made(70, Columns::Full), [(10, 50), (10, 20)]);
    }

    #[test]
    fn only_equal_sprites_share_a_block() {
        let sprites: Vec<_> = (0..8).map(|index| (index, index % 2, [10, 10])).collect();
        let blocks = blocks(&sprites, Columns::Square, [100, 100]);
        let sprites: Vec<_> = blocks.into_iter().map(|block| block.sprites).collect();
        assert_eq!(sprites, [[0, 2, 4, 6], [1, 3, 5, 7]]);
    }
}
