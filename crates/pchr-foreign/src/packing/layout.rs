//! Places for sprites, in grids where they are equal, on as few and as small pages as are found.

use std::collections::BTreeMap;

use super::max_rects::{MaxRects, RectFit};

/// A grid of sprites, or one alone, that is placed as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PictureBlock {
    /// Sprites of a row.
    pub(super) columns: usize,
    /// Indices of the sprites, row by row; the rows are full, or there is one.
    pub(super) sprites: Vec<usize>,
    /// Width and height of a cell, with the room around its sprite.
    pub(super) cell: [u32; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockColumns {
    /// About as wide as high.
    Square,
    /// Half of the page's width.
    Half,
    /// All of the page's width.
    Full,
}

/// Minimum number of sprites in a block.
const LEAST: usize = 4;

impl PictureBlock {
    pub(super) fn size(&self) -> [u32; 2] {
        let [width, height] = self.cell;
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let rows = self.sprites.len().div_ceil(self.columns);
        let columns = self.columns.min(self.sprites.len());
        [width.saturating_mul(count(columns)), height.saturating_mul(count(rows))]
    }
}

/// Blocks of sprites that are equal in `kinds`, each no larger than `page`. `cells` are sizes with the room around.
pub(super) fn blocks<K: Ord + Copy>(
    sprites: &[(usize, K, [u32; 2])],
    columns: BlockColumns,
    page: [u32; 2],
) -> Vec<PictureBlock> {
    let mut kinds: BTreeMap<(K, [u32; 2]), Vec<usize>> = BTreeMap::new();
    for (index, kind, cell) in sprites {
        kinds.entry((*kind, *cell)).or_default().push(*index);
    }
    // In the order of the first of each.
    let mut kinds: Vec<([u32; 2], Vec<usize>)> =
        kinds.into_iter().map(|((_, cell), sprites)| (cell, sprites)).collect();
    kinds.sort_by_key(|(_, sprites)| sprites.first().copied());
    let mut blocks = Vec::with_capacity(kinds.len());
    for (cell, sprites) in kinds {
        if sprites.len() < LEAST {
            let single = |sprite| PictureBlock { columns: 1, sprites: vec![sprite], cell };
            blocks.extend(sprites.into_iter().map(single));
            continue;
        }
        let columns = columns.of(sprites.len(), cell, page);
        let [_, most] = fitting(cell, page);
        let full = sprites.len() / columns * columns;
        let (full, rest) = sprites.split_at_checked(full).unwrap_or_default();
        let grids = full.chunks(columns.saturating_mul(most)).chain([rest]);
        for sprites in grids.filter(|sprites| !sprites.is_empty()) {
            blocks.push(PictureBlock {
                columns: columns.min(sprites.len()),
                sprites: sprites.to_vec(),
                cell,
            });
        }
    }
    blocks
}

/// Columns and rows that fit on a page, at least one.
fn fitting(cell: [u32; 2], page: [u32; 2]) -> [usize; 2] {
    let ([width, height], [page_width, page_height]) = (cell, page);
    [page_width / width.max(1), page_height / height.max(1)].map(|count| count.max(1) as usize)
}

impl BlockColumns {
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

/// The order in which sprites and blocks are placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The order with the fewest pages and, among those, the least area.
    #[default]
    Best,
    /// By height.
    Height,
    /// By width.
    Width,
    /// By the longer side.
    Side,
    /// By area.
    Area,
    /// As they are given.
    Given,
}

/// The orders that [`Order::Best`] compares: its own mixture, and all others.
const ALL: [Order; 6] =
    [Order::Best, Order::Height, Order::Width, Order::Side, Order::Area, Order::Given];

/// The orders that are mixed on a page, the quickest first.
const ORDERS: [Order; 4] = [Order::Height, Order::Width, Order::Side, Order::Area];

/// Pages that may be used.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageLimits {
    /// The largest width and height.
    pub(super) most: [u32; 2],
    /// True if widths and heights are powers of two.
    pub(super) powers_of_two: bool,
    pub(super) order: Order,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PageLayout {
    pub(super) size: [u32; 2],
    /// Blocks with their top left corners.
    pub(super) blocks: Vec<(PictureBlock, [u32; 2])>,
}

/// Finds pages for sprites. Each has its index, the key that a block shares, and its size with padding, which is at most a page.
pub(super) fn layout<K: Ord + Copy + Sync>(
    sprites: &[(usize, K, [u32; 2])],
    limits: PageLimits,
) -> Vec<PageLayout> {
    if limits.order != Order::Best {
        return in_order(sprites, limits);
    }
    let ways = ALL.map(|order| PageLimits { order, ..limits });
    let found = each(ways, |limits| in_order(sprites, limits));
    found.into_iter().min_by_key(|pages| size(pages)).unwrap_or_default()
}

#[cfg(feature = "threads")]
fn each<T: Send>(
    ways: [PageLimits; ALL.len()],
    layout: impl Fn(PageLimits) -> T + Send + Sync,
) -> Vec<T> {
    use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
    ways.into_par_iter().map(layout).collect()
}

#[cfg(not(feature = "threads"))]
fn each<T>(ways: [PageLimits; ALL.len()], layout: impl Fn(PageLimits) -> T) -> Vec<T> {
    ways.into_iter().map(layout).collect()
}

fn size(pages: &[PageLayout]) -> (usize, u64) {
    let pixels = pages.iter().map(|page| area(page.size)).sum();
    (pages.len(), pixels)
}

/// Pages for sprites in one order.
fn in_order<K: Ord + Copy>(
    sprites: &[(usize, K, [u32; 2])],
    limits: PageLimits,
) -> Vec<PageLayout> {
    if sprites.is_empty() {
        return Vec::new();
    }
    let [width, height] = limits.most;
    let pixels: u64 = sprites.iter().map(|(.., size)| area(*size)).sum();
    if pixels <= area(limits.most)
        && let Some(page) = smallest(sprites, limits)
    {
        return vec![page];
    }
    // Blocks of a quarter of a page leave little over where a page ends.
    let quarter = [width, height / 4];
    let ways = every_way(sprites, quarter).into_iter();
    let ways = ways.map(|blocks| pages(blocks, sprites, limits));
    ways.min_by_key(|pages| size(pages)).unwrap_or_default()
}

/// Fills page by page; the last is as small as can be.
fn pages<K: Ord + Copy>(
    mut rest: Vec<PictureBlock>,
    sprites: &[(usize, K, [u32; 2])],
    limits: PageLimits,
) -> Vec<PageLayout> {
    let order = match limits.order {
        Order::Best => Order::Height,
        order => order,
    };
    order.sort(&mut rest);
    let mut pages = Vec::new();
    while !rest.is_empty() {
        if !pages.is_empty()
            && rest.iter().map(|block| area(block.size())).sum::<u64>() <= area(limits.most)
        {
            let mut indices: Vec<usize> =
                rest.iter().flat_map(|block| block.sprites.clone()).collect();
            indices.sort_unstable();
            let left = sprites.iter().filter(|(index, ..)| indices.binary_search(index).is_ok());
            let left: Vec<_> = left.copied().collect();
            if let Some(page) = smallest(&left, limits) {
                pages.push(page);
                break;
            }
        }
        let mut page = MaxRects::new(limits.most);
        let mut blocks = Vec::new();
        let mut over = Vec::new();
        let mut refused: Option<[u32; 2]> = None;
        for block in rest {
            // A page no larger than one that was too small need not be tried.
            let [width, height] = block.size();
            let is_hopeless = refused.is_some_and(|[w, h]| width >= w && height >= h);
            match (!is_hopeless).then(|| page.place(block.size(), RectFit::Top)).flatten() {
                Some(place) => blocks.push((block, place)),
                None => {
                    refused = Some([width, height]);
                    over.push(block);
                }
            }
        }
        if blocks.is_empty() {
            break; // larger than a page, which the caller has seen to
        }
        pages.push(finished(blocks, limits));
        rest = over;
    }
    pages
}

/// One page for all of them, as small as is found.
fn smallest<K: Ord + Copy>(
    sprites: &[(usize, K, [u32; 2])],
    limits: PageLimits,
) -> Option<PageLayout> {
    let orders: &[Order] = match &limits.order {
        Order::Best => &ORDERS,
        order => std::slice::from_ref(order),
    };
    let height = limits.most[1];
    let first = *orders.first()?;
    let tries = widths(sprites, limits).into_iter().flat_map(|width| {
        let page = [width, height];
        let ways = every_way(sprites, page).into_iter();
        ways.filter_map(move |blocks| Try::run(&blocks, page, (first, RectFit::Top), limits))
    });
    let mut best = tries.min_by_key(Try::key)?;
    // Then the slower ways, with decreasing height, at the best width.
    for blocks in every_way(sprites, [best.width, height]) {
        best = lower(best, &blocks, orders, limits);
    }
    Some(finished(best.blocks, limits))
}

/// The best, or what other orders and fits find for these blocks in less height.
fn lower(mut best: Try, blocks: &[PictureBlock], orders: &[Order], limits: PageLimits) -> Try {
    let width = best.width;
    let mut left = match blocks.len() {
        0 | MOST_SLOW.. => 0,
        count => MOST_SLOW * 6 / count,
    };
    let pixels: u64 = blocks.iter().map(|block| area(block.size())).sum();
    let least = u32::try_from(pixels.div_ceil(width.into())).unwrap_or(u32::MAX);
    for order in orders {
        for fit in [RectFit::Top, RectFit::ShortSide, RectFit::LongSide, RectFit::Area] {
            let (mut low, mut high) = (least, best.height);
            while low < high && left > 0 {
                left -= 1;
                let middle = low.midpoint(high);
                match Try::run(blocks, [width, middle], (*order, fit), limits) {
                    Some(found) => {
                        high = found.height.min(middle);
                        best = if found.key() < best.key() { found } else { best };
                    }
                    None => low = middle + 1,
                }
            }
        }
    }
    best
}

/// Blocks with each number of columns that makes a difference.
fn every_way<K: Ord + Copy>(
    sprites: &[(usize, K, [u32; 2])],
    page: [u32; 2],
) -> Vec<Vec<PictureBlock>> {
    let all = [BlockColumns::Square, BlockColumns::Half, BlockColumns::Full];
    let mut ways = all.map(|columns| blocks(sprites, columns, page)).to_vec();
    ways.dedup();
    ways
}

/// Maximum number of sprites on a page for which slow methods are tried.
const MOST_SLOW: usize = 2000;

/// Widths to try, in hundredths of that of a square. A page that is half full or more has all of its width.
const WIDTHS: [u64; 12] = [70, 80, 90, 100, 103, 106, 110, 115, 120, 130, 150, 200];

fn widths<K>(sprites: &[(usize, K, [u32; 2])], limits: PageLimits) -> Vec<u32> {
    let [most, _] = limits.most;
    let least = sprites.iter().map(|(.., [width, _])| *width).max();
    let least = least.unwrap_or(1).min(most);
    if limits.powers_of_two {
        let powers = (0..32).map(|power| 1_u32 << power);
        return powers.filter(|width| (least..=most).contains(width)).collect();
    }
    let pixels: u64 = sprites.iter().map(|(.., size)| area(*size)).sum();
    if pixels * 2 >= area(limits.most) {
        return vec![most];
    }
    let square = pixels.isqrt();
    let width = |hundredths: &u64| u32::try_from(square * hundredths / 100).unwrap_or(most);
    let is_quick = matches!(limits.order, Order::Best | Order::Height);
    let tried = match is_quick || sprites.len() <= MOST_SLOW {
        true => WIDTHS.as_slice(),
        false => WIDTHS.get(5..6).unwrap_or_default(),
    };
    let mut widths: Vec<u32> = tried.iter().map(width).chain([most]).collect();
    widths.iter_mut().for_each(|width| *width = (*width).clamp(least, most));
    widths.dedup();
    widths
}

/// Blocks that found their places.
struct Try {
    /// Width that was given.
    width: u32,
    /// Height that is used.
    height: u32,
    /// Area of the page that it would be.
    pixels: u64,
    blocks: Vec<(PictureBlock, [u32; 2])>,
}

impl Try {
    fn run(
        given: &[PictureBlock],
        page: [u32; 2],
        (order, fit): (Order, RectFit),
        limits: PageLimits,
    ) -> Option<Self> {
        let mut sorted = given.to_vec();
        order.sort(&mut sorted);
        let mut rects = MaxRects::new(page);
        let mut blocks = Vec::with_capacity(sorted.len());
        for block in sorted {
            let place = rects.place(block.size(), fit)?;
            blocks.push((block, place));
        }
        let used = used(&blocks);
        Some(Self { width: page[0], height: used[1], pixels: area(limits.page(used)), blocks })
    }

    fn key(&self) -> (u64, u32) {
        (self.pixels, self.width.max(self.height))
    }
}

impl PageLimits {
    /// Returns the page size for content of this size.
    fn page(self, used: [u32; 2]) -> [u32; 2] {
        match self.powers_of_two {
            true => used.map(u32::next_power_of_two),
            false => used,
        }
    }
}

impl Order {
    fn sort(self, blocks: &mut [PictureBlock]) {
        let key = |block: &PictureBlock| {
            let [width, height] = block.size();
            let (short, long) = (width.min(height), width.max(height));
            let pair = |a: u32, b: u32| (u64::from(a), u64::from(b));
            match self {
                Self::Best | Self::Height => pair(height, width),
                Self::Width => pair(width, height),
                Self::Side => pair(long, short),
                Self::Area => (area([width, height]), height.into()),
                Self::Given => (0, 0),
            }
        };
        // Equal ones stay in their order.
        blocks.sort_by_cached_key(|block| std::cmp::Reverse(key(block)));
    }
}

fn finished(mut blocks: Vec<(PictureBlock, [u32; 2])>, limits: PageLimits) -> PageLayout {
    let size = limits.page(used(&blocks));
    blocks.sort_by_key(|(block, _)| block.sprites.first().copied());
    PageLayout { size, blocks }
}

/// Width and height from the corner to the last block.
fn used(blocks: &[(PictureBlock, [u32; 2])]) -> [u32; 2] {
    let ends = blocks.iter().map(|(block, [x, y])| {
        let [width, height] = block.size();
        [x + width, y + height]
    });
    ends.fold([1, 1], |[a, b], [x, y]| [a.max(x), b.max(y)])
}

fn area([width, height]: [u32; 2]) -> u64 {
    u64::from(width) * u64::from(height)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(count: usize, columns: BlockColumns) -> Vec<(usize, usize)> {
        let sprites: Vec<_> = (0..count).map(|index| (index, 0, [10, 10])).collect();
        let blocks = blocks(&sprites, columns, [100, 50]);
        let places: Vec<usize> = blocks.iter().flat_map(|block| block.sprites.clone()).collect();
        assert_eq!(places, (0..count).collect::<Vec<_>>());
        blocks.iter().map(|block| (block.columns, block.sprites.len())).collect()
    }

    #[test]
    fn rows_are_full_and_pages_large_enough() {
        assert_eq!(made(3, BlockColumns::Full), [(1, 1), (1, 1), (1, 1)]);
        assert_eq!(made(4, BlockColumns::Square), [(2, 4)]);
        assert_eq!(made(10, BlockColumns::Square), [(5, 10)]);
        assert_eq!(made(11, BlockColumns::Square), [(4, 8), (3, 3)]);
        assert_eq!(made(12, BlockColumns::Half), [(4, 12)]);
        assert_eq!(made(23, BlockColumns::Full), [(8, 16), (7, 7)]);
        assert_eq!(made(70, BlockColumns::Full), [(10, 50), (10, 20)]);
    }

    #[test]
    fn only_equal_sprites_share_a_block() {
        let sprites: Vec<_> = (0..8).map(|index| (index, index % 2, [10, 10])).collect();
        let blocks = blocks(&sprites, BlockColumns::Square, [100, 100]);
        let sprites: Vec<_> = blocks.into_iter().map(|block| block.sprites).collect();
        assert_eq!(sprites, [[0, 2, 4, 6], [1, 3, 5, 7]]);
    }
}
