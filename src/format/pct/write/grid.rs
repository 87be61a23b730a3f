//! Grids among the places of equal sprites.

use std::collections::BTreeMap;

/// Sprites in a grid: row by row, the last of which may be shorter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    /// Cells of a row.
    pub(super) columns: usize,
    /// Indices of the sprites; never empty.
    pub(super) members: Vec<usize>,
    /// Column and row of the first cell, and which lattice it is on.
    at: Cell,
}

/// A place on one of the lattices that places make: its offset, then row and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cell {
    lattice: [i64; 2],
    row: i64,
    column: i64,
}

impl Cell {
    const fn right(self) -> Self {
        Self {
            column: self.column.saturating_add(1),
            ..self
        }
    }

    const fn left(self) -> Self {
        Self {
            column: self.column.saturating_sub(1),
            ..self
        }
    }

    const fn below(self, rows: i64) -> Self {
        Self {
            row: self.row.saturating_add(rows),
            ..self
        }
    }
}

/// The grid that is taken of those that begin at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// That with most cells.
    Largest,
    /// All cells that follow in the row, and the rows below that are as long; of a longer one none.
    Rows,
}

/// Takes sprites, each by its index and place, apart into grids with cells of `pitch` pixels: one that begins at the first
/// place from the top, until none is left.
pub(super) fn grids(sprites: &[(usize, [i32; 2])], pitch: [i64; 2], taken: Taken) -> Vec<Grid> {
    let mut cells: BTreeMap<Cell, usize> = BTreeMap::new();
    let mut alone = Vec::new();
    for &(index, place) in sprites {
        match cell(place, pitch).filter(|cell| !cells.contains_key(cell)) {
            Some(cell) => _ = cells.insert(cell, index),
            None => alone.push(Grid::single(index)),
        }
    }
    // Cells in a column from each on. Grids are taken from the top, so these stay true for cells that are left.
    let mut heights: BTreeMap<Cell, usize> = BTreeMap::new();
    for cell in cells.keys().rev() {
        let below = heights.get(&cell.below(1)).copied().unwrap_or(0);
        heights.insert(*cell, below.saturating_add(1));
    }
    let mut grids = Vec::new();
    while let Some((&first, _)) = cells.first_key_value() {
        let (columns, count) = match taken {
            Taken::Largest => largest(first, &cells, &heights),
            Taken::Rows => rows(first, &cells),
        };
        let rows = std::iter::successors(Some(first), |row| Some(row.below(1)));
        let places = rows.flat_map(|row| {
            std::iter::successors(Some(row), |cell| Some(cell.right())).take(columns)
        });
        let members = places
            .take(count)
            .filter_map(|cell| cells.remove(&cell))
            .collect();
        grids.push(Grid {
            columns,
            members,
            at: first,
        });
    }
    grids.append(&mut alone);
    grids
}

/// Columns and cells of the largest grid that begins at a cell.
fn largest(
    first: Cell,
    cells: &BTreeMap<Cell, usize>,
    heights: &BTreeMap<Cell, usize>,
) -> (usize, usize) {
    let mut best = (1, 0);
    let mut height = usize::MAX;
    let mut last_row = 0;
    let mut cell = first;
    for columns in 1_usize.. {
        if !cells.contains_key(&cell) {
            break;
        }
        let here = heights.get(&cell).copied().unwrap_or(1);
        if here < height {
            height = here;
            last_row = row_of(first.below(height.try_into().unwrap_or(i64::MAX)), cells);
        }
        let partial = last_row.min(columns.saturating_sub(1));
        let count = columns.saturating_mul(height).saturating_add(partial);
        if count > best.1 {
            best = (columns, count);
        }
        cell = cell.right();
    }
    best
}

/// Columns and cells of the rows that are as long as the first, and of one more if it is shorter.
fn rows(first: Cell, cells: &BTreeMap<Cell, usize>) -> (usize, usize) {
    let columns = row_of(first, cells);
    let mut count = columns;
    for row in 1.. {
        let start = first.below(row);
        let length = row_of(start, cells);
        if length > columns || cells.contains_key(&start.left()) {
            break;
        }
        count = count.saturating_add(length);
        if length < columns {
            break;
        }
    }
    (columns, count)
}

/// Cells in a row, from one on.
fn row_of(first: Cell, cells: &BTreeMap<Cell, usize>) -> usize {
    let row = std::iter::successors(Some(first), |cell| Some(cell.right()));
    row.take_while(|cell| cells.contains_key(cell)).count()
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

/// Puts grids that lie below each other, as wide, together.
pub(super) fn stacked(grids: Vec<Grid>) -> Vec<Grid> {
    let mut by_place: BTreeMap<Cell, Grid> = BTreeMap::new();
    let mut alone = Vec::new();
    for grid in grids {
        if grid.at == Cell::NOWHERE {
            alone.push(grid);
        } else {
            by_place.insert(grid.at, grid);
        }
    }
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

impl Cell {
    /// Of what is in no grid.
    const NOWHERE: Self = Self {
        lattice: [-1, -1],
        row: 0,
        column: 0,
    };
}

impl Grid {
    /// A sprite alone.
    pub(super) fn single(index: usize) -> Self {
        Self {
            columns: 1,
            members: vec![index],
            at: Cell::NOWHERE,
        }
    }

    fn rows(&self) -> i64 {
        let rows = self.members.len().div_ceil(self.columns);
        rows.try_into().unwrap_or(i64::MAX)
    }

    fn is_full(&self) -> bool {
        self.members.len().is_multiple_of(self.columns)
    }

    /// Returns whether a grid below it goes on with it.
    fn can_hold(&self, next: &Self) -> bool {
        next.columns == self.columns || (next.rows() == 1 && next.members.len() <= self.columns)
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a panic is a failed test")]
mod tests {
    use super::*;

    /// Grids of a drawing, as columns and members: each letter is a cell of 10 x 8, its index the place in the alphabet.
    fn of(taken: Taken, drawing: &[&str]) -> Vec<(usize, Vec<usize>)> {
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
        let of = |drawing: &[&str]| of(Taken::Largest, drawing);
        assert_eq!(of(&["abc", "def", "gh"]), [(3, (0..8).collect())]);
        assert_eq!(
            of(&["abc", "d f", "ghi"]),
            [(3, vec![0, 1, 2, 3]), (1, vec![5, 8]), (2, vec![6, 7])]
        );
        assert_eq!(
            of(&["a", "b", "cdef"]),
            [(1, vec![0, 1, 2]), (3, vec![3, 4, 5])]
        );
        assert_eq!(of(&[]), []);
    }

    #[test]
    fn rows_stay_whole() {
        let of = |drawing: &[&str]| of(Taken::Rows, drawing);
        assert_eq!(
            of(&["abc", "def", "gh", "ijk"]),
            [(3, (0..8).collect()), (3, vec![8, 9, 10])]
        );
        assert_eq!(
            of(&["abc", "defg", " hi"]),
            [(3, vec![0, 1, 2]), (4, vec![3, 4, 5, 6]), (2, vec![7, 8])]
        );
        assert_eq!(of(&[" ab", "cde"]), [(2, vec![0, 1]), (3, vec![2, 3, 4])]);
    }

    #[test]
    fn places_off_the_lattice_are_grids_of_their_own() {
        let sprites = [
            (0, [0, 0]),
            (1, [10, 0]),
            (2, [21, 0]),
            (3, [10, 0]),
            (4, [-10, 0]),
        ];
        let found = grids(&sprites, [10, 8], Taken::Largest);
        let members: Vec<_> = found.iter().map(|grid| grid.members.clone()).collect();
        assert_eq!(members, [vec![4, 0, 1], vec![2], vec![3]]);
        assert_eq!(grids(&sprites, [0, 8], Taken::Rows).len(), 5);
        assert_eq!(grids(&sprites, [-3, 8], Taken::Largest).len(), 5);
    }
}
