//! The records of equal sprites on a page: blocks where they save bytes.

use std::collections::BTreeMap;
use std::ops::Range;

use super::names::{SpriteName, list, one};
use crate::atlas::{Rect, Trim};

/// Sprites in a grid, row by row. The last row may be shorter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    /// Cells of a row.
    pub(super) columns: usize,
    /// Indices of the sprites; never empty.
    pub(super) members: Vec<usize>,
    /// Column and row of the first cell, and its lattice.
    at: Cell,
}

/// A cell on a lattice of positions: the lattice's offset, then row and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cell {
    lattice: [i64; 2],
    row: i64,
    column: i64,
}

impl Cell {
    /// Cell of a sprite outside of any grid.
    const NOWHERE: Self = Self { lattice: [-1, -1], row: 0, column: 0 };

    const fn right(self) -> Self {
        Self { column: self.column.saturating_add(1), ..self }
    }

    const fn left(self) -> Self {
        Self { column: self.column.saturating_sub(1), ..self }
    }

    const fn below(self, rows: i64) -> Self {
        Self { row: self.row.saturating_add(rows), ..self }
    }
}

/// Choice of the grid among those that begin at a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GridChoice {
    /// The grid with the most cells.
    Largest,
    /// All cells that follow in the row, and the rows below of the same length; none of a longer row.
    Rows,
}

/// Takes sprites, each by its index and place, apart into grids with cells of `pitch` pixels: one that begins at the first
/// place from the top, until none is left.
pub(super) fn grids(
    sprites: &[(usize, [i32; 2])],
    pitch: [i64; 2],
    taken: GridChoice,
) -> Vec<Grid> {
    let mut alone = Vec::new();
    let mut cells = CellIndex::new(sprites, pitch, &mut alone);
    let heights = match taken {
        GridChoice::Largest => cells.heights(),
        GridChoice::Rows => Vec::new(),
    };
    let mut grids = Vec::new();
    let mut from = 0;
    while let Some(first) = cells.next(&mut from) {
        let (columns, count) = match taken {
            GridChoice::Largest => cells.largest(first, &heights),
            GridChoice::Rows => cells.rows(first),
        };
        let mut members = Vec::with_capacity(count);
        let mut row = first;
        while members.len() < count {
            let most = columns.min(count.saturating_sub(members.len()));
            let places = cells.row(row, most);
            if places.is_empty() {
                break;
            }
            cells.take(places, &mut members);
            row = row.below(1);
        }
        grids.push(Grid { columns, members, at: first });
    }
    grids.append(&mut alone);
    grids
}

/// Sprites by cell, sorted by row.
struct CellIndex {
    /// Each cell with the index of its sprite.
    sorted: Vec<(Cell, usize)>,
    /// False for cells that are in a grid.
    left: Vec<bool>,
}

impl CellIndex {
    /// Sorts sprites into cells. Those off the lattice, or in an occupied cell, go to `alone`.
    fn new(sprites: &[(usize, [i32; 2])], pitch: [i64; 2], alone: &mut Vec<Grid>) -> Self {
        let mut sorted: Vec<(Cell, usize)> = Vec::with_capacity(sprites.len());
        for &(index, place) in sprites {
            match cell(place, pitch) {
                Some(cell) => sorted.push((cell, index)),
                None => alone.push(Grid::single(index)),
            }
        }
        sorted.sort_by_key(|(cell, _)| *cell);
        sorted.dedup_by(|(cell, index), (before, _)| {
            let is_same = cell == before;
            if is_same {
                alone.push(Grid::single(*index));
            }
            is_same
        });
        Self { left: vec![true; sorted.len()], sorted }
    }

    /// Returns the first cell that is left; there are none before `from`.
    fn next(&self, from: &mut usize) -> Option<Cell> {
        while !*self.left.get(*from)? {
            *from = from.saturating_add(1);
        }
        self.sorted.get(*from).map(|(cell, _)| *cell)
    }

    /// Returns the index of a cell that is left.
    fn at(&self, cell: Cell) -> Option<usize> {
        let at = self.sorted.binary_search_by_key(&cell, |(cell, _)| *cell);
        at.ok().filter(|at| self.left.get(*at) == Some(&true))
    }

    /// Returns the indices of the first cells of a row, from one on.
    fn row(&self, first: Cell, most: usize) -> Range<usize> {
        let Some(start) = self.at(first) else { return 0..0 };
        let cells = std::iter::successors(Some(first), |cell| Some(cell.right()));
        let there = self.sorted.iter().zip(&self.left).skip(start);
        let row = there.zip(cells).take(most);
        let row = row.take_while(|(((there, _), left), cell)| there == cell && **left);
        start..start.saturating_add(row.count())
    }

    fn take(&mut self, places: Range<usize>, members: &mut Vec<usize>) {
        let taken = self.sorted.get(places.clone()).unwrap_or_default();
        members.extend(taken.iter().map(|(_, index)| *index));
        self.left.get_mut(places).unwrap_or_default().fill(false);
    }

    /// Returns the number of cells in the column from each on. Grids are taken from the top, so the numbers stay valid for cells
    /// that are left.
    fn heights(&self) -> Vec<usize> {
        let mut heights = vec![1_usize; self.sorted.len()];
        for (at, (cell, _)) in self.sorted.iter().enumerate().rev() {
            let below = self.at(cell.below(1));
            let below = below.and_then(|below| heights.get(below)).copied();
            if let (Some(height), Some(below)) = (heights.get_mut(at), below) {
                *height = below.saturating_add(1);
            }
        }
        heights
    }

    /// Returns the columns and cells of the largest grid that begins at a cell.
    fn largest(&self, first: Cell, heights: &[usize]) -> (usize, usize) {
        let mut best = (1, 0);
        let mut height = usize::MAX;
        let mut last_row = 0;
        let row = heights.get(self.row(first, usize::MAX)).unwrap_or_default();
        for (columns, here) in (1_usize..).zip(row) {
            if *here < height {
                height = *here;
                let below = first.below(height.try_into().unwrap_or(i64::MAX));
                last_row = self.row(below, usize::MAX).len();
            }
            let partial = last_row.min(columns.saturating_sub(1));
            let count = columns.saturating_mul(height).saturating_add(partial);
            if count > best.1 {
                best = (columns, count);
            }
        }
        best
    }

    /// Returns the columns and cells of the rows that are as long as the first, and of one more if it is shorter.
    fn rows(&self, first: Cell) -> (usize, usize) {
        let columns = self.row(first, usize::MAX).len();
        let mut count = columns;
        for row in 1.. {
            let start = first.below(row);
            let length = self.row(start, columns.saturating_add(1)).len();
            if length > columns || self.at(start.left()).is_some() {
                break;
            }
            count = count.saturating_add(length);
            if length < columns {
                break;
            }
        }
        (columns, count)
    }
}

fn cell(place: [i32; 2], pitch: [i64; 2]) -> Option<Cell> {
    let [x, y] = place.map(i64::from);
    let [width, height] = pitch;
    (width > 0 && height > 0).then(|| Cell {
        lattice: [x.rem_euclid(width), y.rem_euclid(height)],
        row: y.div_euclid(height),
        column: x.div_euclid(width),
    })
}

/// Joins grids of the same width that lie below each other.
fn stacked(grids: Vec<Grid>) -> Vec<Grid> {
    let (mut alone, placed): (Vec<Grid>, Vec<Grid>) =
        grids.into_iter().partition(|grid| grid.at == Cell::NOWHERE);
    let mut by_place: BTreeMap<Cell, Grid> =
        placed.into_iter().map(|grid| (grid.at, grid)).collect();
    let mut stacks = Vec::with_capacity(by_place.len());
    while let Some((_, mut grid)) = by_place.pop_first() {
        while grid.is_full() {
            let next = grid.at.below(grid.rows());
            if !by_place.get(&next).is_some_and(|next| grid.can_hold(next)) {
                break;
            }
            if let Some(mut next) = by_place.remove(&next) {
                grid.members.append(&mut next.members);
            }
        }
        stacks.push(grid);
    }
    stacks.append(&mut alone);
    stacks
}

impl Grid {
    pub(super) fn single(index: usize) -> Self {
        Self { columns: 1, members: vec![index], at: Cell::NOWHERE }
    }

    fn rows(&self) -> i64 {
        let rows = self.members.len().div_ceil(self.columns);
        rows.try_into().unwrap_or(i64::MAX)
    }

    fn is_full(&self) -> bool {
        self.members.len().is_multiple_of(self.columns)
    }

    /// Returns true if a grid below continues this one.
    fn can_hold(&self, next: &Self) -> bool {
        next.columns == self.columns || (next.rows() == 1 && next.members.len() <= self.columns)
    }
}

/// A record, or a block with its names.
#[derive(Debug)]
pub(super) struct PctRecord {
    /// Index of its first sprite in the order of the atlas.
    pub(super) first: usize,
    /// Indices of its sprites in the order of the atlas, in record order.
    pub(super) members: Vec<usize>,
    /// Lines of the block.
    pub(super) text: String,
}

/// Returns the bytes of a text. The marker byte of each folder is not counted.
pub(super) fn bytes(text: &str) -> usize {
    text.len().saturating_sub(text.bytes().filter(|byte| *byte == b'\r').count())
}

/// Maximum number of sprites among which the largest grids are searched. Positions can be chosen so that the search takes long.
const MOST_SEARCHED: usize = 20_000;

/// Returns the shortest records found for sprites of the same size, trim and page. Their order, and that of the result, does not
/// matter.
pub(super) fn plan(entries: &[PctEntry<'_>], folder: &impl Fn(&str) -> String) -> Vec<PctRecord> {
    let (cells, alone): (Vec<usize>, Vec<usize>) =
        (0..entries.len()).partition(|at| entries.get(*at).is_some_and(PctEntry::fits_block));
    let pitch = entries.first().map_or([0, 0], PctEntry::pitch);
    let place = |at: usize| {
        let entry = entries.get(at)?;
        Some((at, [entry.rect.x, entry.rect.y]))
    };
    let mut ways = Vec::new();
    let largest = (cells.len() <= MOST_SEARCHED).then_some(GridChoice::Largest);
    for taken in [Some(GridChoice::Rows), largest].into_iter().flatten() {
        let found = |cells: &[usize]| {
            let places: Vec<_> = cells.iter().filter_map(|at| place(*at)).collect();
            grids(&places, pitch, taken)
        };
        let books = by_book(&cells, entries);
        let apart = |books: &[Vec<usize>]| (books.len() > 1).then(|| apart(books, &found));
        if let Some(grids) = apart(&books) {
            ways.push(stacked(grids.clone()));
            ways.push(grids);
        }
        drop(books);
        let all = found(&cells);
        if all.len() > 1 {
            ways.push(stacked(all.clone()));
        }
        ways.push(all);
    }
    let mut ways: Vec<Vec<PctRecord>> =
        ways.iter().map(|grids| records(grids, entries, folder)).collect();
    // Of equal ones the last: the simplest.
    ways.reverse();
    let cost =
        |records: &Vec<PctRecord>| records.iter().map(|record| bytes(&record.text)).sum::<usize>();
    let mut best = ways.into_iter().min_by_key(cost).unwrap_or_default();
    let alone = alone.into_iter().filter_map(|at| entries.get(at));
    best.extend(alone.filter_map(|entry| single(entry, folder)));
    best
}

/// Groups names that differ only in their last number.
fn by_book(cells: &[usize], entries: &[PctEntry<'_>]) -> Vec<Vec<usize>> {
    let mut books: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for at in cells {
        let Some(PctEntry { name, .. }) = entries.get(*at) else { continue };
        let SpriteName { folder, stem, ending } = *name;
        let stem = stem.trim_end_matches(|c: char| c.is_ascii_digit());
        let book = books.entry((folder, stem, ending)).or_default();
        book.push(*at);
    }
    books.into_values().collect()
}

/// Returns the grids of each book, and of the sprites left alone by them.
fn apart(books: &[Vec<usize>], found: &impl Fn(&[usize]) -> Vec<Grid>) -> Vec<Grid> {
    let mut rest = Vec::new();
    let mut grids = Vec::new();
    for book in books {
        for grid in found(book) {
            match grid.members.as_slice() {
                [only] => rest.push(*only),
                _ => grids.push(grid),
            }
        }
    }
    grids.append(&mut found(&rest));
    grids
}

/// Returns the records of grids: as blocks, or one by one if that is shorter.
fn records(
    grids: &[Grid],
    entries: &[PctEntry<'_>],
    folder: &impl Fn(&str) -> String,
) -> Vec<PctRecord> {
    let mut records = Vec::with_capacity(grids.len());
    for grid in grids {
        let members: Vec<&PctEntry<'_>> =
            (grid.members.iter()).filter_map(|at| entries.get(*at)).collect();
        let singles = || members.iter().filter_map(|entry| single(entry, folder));
        let block = of_block(&members, grid.columns, folder);
        let is_shorter = |block: &PctRecord| {
            let mut left = bytes(&block.text);
            // As many as are needed to be longer.
            singles().any(|single| {
                let next = left.checked_sub(bytes(&single.text));
                left = next.unwrap_or(0);
                next.is_none()
            })
        };
        match block.filter(is_shorter) {
            Some(block) => records.push(block),
            None => records.extend(singles()),
        }
    }
    records
}

/// Returns a block of equal sprites, and its names. All of them can be in a block.
fn of_block(
    members: &[&PctEntry<'_>],
    columns: usize,
    folder: &impl Fn(&str) -> String,
) -> Option<PctRecord> {
    let first = members.first()?;
    let [x, y] = first.corner()?;
    let Rect { width, height, .. } = first.rect;
    let trim = trimmed(first.trim);
    let names: Vec<SpriteName<'_>> = members.iter().map(|entry| entry.name).collect();
    let names = list(&names, folder);
    Some(PctRecord {
        first: members.iter().map(|entry| entry.index).min()?,
        members: members.iter().map(|entry| entry.index).collect(),
        text: format!("B:{x},{y},{columns},{width},{height}{trim}\n{names}\n"),
    })
}

/// Returns the record of a single sprite; in a block only if necessary.
fn single(entry: &PctEntry<'_>, folder: &impl Fn(&str) -> String) -> Option<PctRecord> {
    match entry.line(folder) {
        Some(text) => Some(PctRecord { first: entry.index, members: vec![entry.index], text }),
        None => of_block(&[entry], 1, folder),
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PctEntry<'a> {
    /// Index in the order of the atlas.
    pub(super) index: usize,
    pub(super) name: SpriteName<'a>,
    pub(super) page: u32,
    /// Empty pixels around sprites of its page; `None` if there is no such page.
    pub(super) padding: Option<i32>,
    pub(super) rect: Rect,
    pub(super) trim: Option<Trim>,
    pub(super) rotated: bool,
}

impl PctEntry<'_> {
    /// Returns its record, if it can have one of its own.
    pub(super) fn line(&self, folder: &impl Fn(&str) -> String) -> Option<String> {
        if !self.name.fits_line() {
            return None;
        }
        let name = one(self.name, folder);
        let flags = u8::from(self.rotated) | (u8::from(self.trim.is_some()) << 1);
        let Rect { x, y, width, height } = self.rect;
        let trim = trimmed(self.trim);
        Some(format!("{name}|{flags}|{x},{y},{width},{height}{trim}\n"))
    }

    /// Returns true if it can be in a block.
    fn fits_block(&self) -> bool {
        self.name.fits_list() && self.corner().is_some()
    }

    /// Returns the reason why it cannot be written, if any.
    pub(super) fn problem(&self) -> Option<&'static str> {
        if self.name.fits_line() || self.fits_block() {
            return None;
        }
        let rotated =
            "is rotated, but only a block could hold its name, and blocks have no rotated sprites";
        Some(match self.name.problem() {
            Some(problem) => problem,
            None if self.rotated => rotated,
            None => "needs a block for its name, but its position does not fit one",
        })
    }

    /// Returns the corner of its cell, if blocks can express it.
    fn corner(&self) -> Option<[i32; 2]> {
        let padding = self.padding.filter(|_| !self.rotated)?;
        let [x, y] = [self.rect.x, self.rect.y].map(|at| at.checked_sub(padding));
        Some([x?, y?])
    }

    /// Returns the distance of cells in a grid.
    fn pitch(&self) -> [i64; 2] {
        let around = i64::from(self.padding.unwrap_or(0)).saturating_mul(2);
        let Rect { width, height, .. } = self.rect;
        [width, height].map(|size| i64::from(size).saturating_add(around))
    }
}

fn trimmed(trim: Option<Trim>) -> String {
    let text = |Trim { source, offset }| {
        let ([width, height], [x, y]) = (source, offset);
        format!("|{width},{height},{x},{y}")
    };
    trim.map(text).unwrap_or_default()
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a panic is a failed test")]
mod tests {
    use super::*;

    /// Returns the grids of a drawing, as columns and members. Each letter is a cell of 10 x 8, with its position in the alphabet
    /// as index.
    fn of(taken: GridChoice, drawing: &[&str]) -> Vec<(usize, Vec<usize>)> {
        let mut sprites = Vec::new();
        for (y, row) in (0..).zip(drawing) {
            for (x, letter) in (0..).zip(row.bytes()) {
                if letter != b' ' {
                    sprites.push((usize::from(letter - b'a'), [x * 10 + 3, y * 8 - 4]));
                }
            }
        }
        let grids = grids(&sprites, [10, 8], taken).into_iter();
        grids.map(|grid| (grid.columns, grid.members)).collect()
    }

    #[test]
    fn the_largest_grid_is_taken_first() {
        let of = |drawing: &[&str]| of(GridChoice::Largest, drawing);
        assert_eq!(of(&["abc", "def", "gh"]), [(3, (0..8).collect())]);
        let wanted = [(3, vec![0, 1, 2, 3]), (1, vec![5, 8]), (2, vec![6, 7])];
        assert_eq!(of(&["abc", "d f", "ghi"]), wanted);
        assert_eq!(of(&["a", "b", "cdef"]), [(1, vec![0, 1, 2]), (3, vec![3, 4, 5])]);
        assert_eq!(of(&[]), []);
    }

    #[test]
    fn rows_stay_whole() {
        let of = |drawing: &[&str]| of(GridChoice::Rows, drawing);
        assert_eq!(of(&["abc", "def", "gh", "ijk"]), [(3, (0..8).collect()), (3, vec![8, 9, 10])]);
        let wanted = [(3, vec![0, 1, 2]), (4, vec![3, 4, 5, 6]), (2, vec![7, 8])];
        assert_eq!(of(&["abc", "defg", " hi"]), wanted);
        assert_eq!(of(&[" ab", "cde"]), [(2, vec![0, 1]), (3, vec![2, 3, 4])]);
    }

    #[test]
    fn places_off_the_lattice_are_grids_of_their_own() {
        let sprites = [(0, [0, 0]), (1, [10, 0]), (2, [21, 0]), (3, [10, 0]), (4, [-10, 0])];
        let found = grids(&sprites, [10, 8], GridChoice::Largest);
        let members: Vec<_> = found.iter().map(|grid| grid.members.clone()).collect();
        assert_eq!(members, [vec![4, 0, 1], vec![2], vec![3]]);
        assert_eq!(grids(&sprites, [0, 8], GridChoice::Rows).len(), 5);
        assert_eq!(grids(&sprites, [-3, 8], GridChoice::Largest).len(), 5);
    }
}
