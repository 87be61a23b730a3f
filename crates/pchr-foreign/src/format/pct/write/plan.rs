//! The records of equal sprites on a page: blocks where they save bytes.

use std::collections::BTreeMap;

use super::grid::{Grid, Taken, grids, stacked};
use super::name::Name;
use super::record::{Entry, block};

/// A record, or a block with its names.
#[derive(Debug)]
pub(super) struct Record {
    /// Index of its first sprite in the order of the atlas.
    pub(super) first: usize,
    /// Indices of its sprites in the order of the atlas, in record order.
    pub(super) members: Vec<usize>,
    /// Lines of the block.
    pub(super) text: String,
}

/// Returns the bytes of a text. The marker byte of each folder is not counted.
pub(super) fn bytes(text: &str) -> usize {
    text.len()
        .saturating_sub(text.bytes().filter(|byte| *byte == b'\r').count())
}

/// Maximum number of sprites among which the largest grids are searched. Positions can be chosen so that the search takes long.
const MOST_SEARCHED: usize = 20_000;

/// Returns the shortest records found for sprites of the same size, trim and page. Their order, and that of the result, does not
/// matter.
pub(super) fn plan(entries: &[Entry<'_>], folder: &impl Fn(&str) -> String) -> Vec<Record> {
    let (cells, alone): (Vec<usize>, Vec<usize>) =
        (0..entries.len()).partition(|at| entries.get(*at).is_some_and(Entry::fits_block));
    let pitch = entries.first().map_or([0, 0], Entry::pitch);
    let place = |at: usize| {
        let entry = entries.get(at)?;
        Some((at, [entry.rect.x, entry.rect.y]))
    };
    let mut ways = Vec::new();
    let largest = (cells.len() <= MOST_SEARCHED).then_some(Taken::Largest);
    for taken in [Some(Taken::Rows), largest].into_iter().flatten() {
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
    let mut ways: Vec<Vec<Record>> = ways
        .iter()
        .map(|grids| records(grids, entries, folder))
        .collect();
    // Of equal ones the last: the simplest.
    ways.reverse();
    let cost = |records: &Vec<Record>| {
        records
            .iter()
            .map(|record| bytes(&record.text))
            .sum::<usize>()
    };
    let mut best = ways.into_iter().min_by_key(cost).unwrap_or_default();
    let alone = alone.into_iter().filter_map(|at| entries.get(at));
    best.extend(alone.filter_map(|entry| single(entry, folder)));
    best
}

/// Groups names that differ only in their last number.
fn by_book(cells: &[usize], entries: &[Entry<'_>]) -> Vec<Vec<usize>> {
    let mut books: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for at in cells {
        let Some(Entry { name, .. }) = entries.get(*at) else {
            continue;
        };
        let Name {
            folder,
            stem,
            ending,
        } = *name;
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
fn records(grids: &[Grid], entries: &[Entry<'_>], folder: &impl Fn(&str) -> String) -> Vec<Record> {
    let mut records = Vec::with_capacity(grids.len());
    for grid in grids {
        let members: Vec<&Entry<'_>> = (grid.members.iter())
            .filter_map(|at| entries.get(*at))
            .collect();
        let singles = || members.iter().filter_map(|entry| single(entry, folder));
        let block = of_block(&members, grid.columns, folder);
        let is_shorter = |block: &Record| {
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

fn of_block(
    members: &[&Entry<'_>],
    columns: usize,
    folder: &impl Fn(&str) -> String,
) -> Option<Record> {
    Some(Record {
        first: members.iter().map(|entry| entry.index).min()?,
        members: members.iter().map(|entry| entry.index).collect(),
        text: block(members, columns, folder)?,
    })
}

/// Returns the record of a single sprite; in a block only if necessary.
fn single(entry: &Entry<'_>, folder: &impl Fn(&str) -> String) -> Option<Record> {
    match entry.line(folder) {
        Some(text) => Some(Record {
            first: entry.index,
            members: vec![entry.index],
            text,
        }),
        None => of_block(&[entry], 1, folder),
    }
}
