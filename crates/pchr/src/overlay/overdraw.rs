//! Overdraw: the number of layers of each pixel as a colour, and a legend of the colours.

use super::atlas::{GLYPH_SIZE, Lettering};
use super::colors::{HEATS, Heat};
use super::labels::{outlined, width};
use super::pen::{Pen, Point};
use super::{LabelPlaces, OverdrawScratch, OverlayJob, Piece};
use crate::raster::LayerCounts;
use crate::scene::Picture;

/// Maximum number of rectangles. With more, each cell of 2, 4, 8 … pixels has the colour of its most layers.
const MOST_PIECES: usize = 1 << 15;

/// Draws the colour of each pixel that is covered.
pub(super) fn draw(job: &OverlayJob<'_>, scratch: &mut OverdrawScratch, pen: &mut Pen<'_>) {
    let OverdrawScratch { counter, cells, open, row, pieces } = scratch;
    let picture = Picture::new(job.size, job.camera.flat());
    // Who draws the picture has refused it if this is too much work.
    let Ok(layers) = counter.count(job.subject, job.frame, &picture, 1) else { return };
    let [width, _] = layers.size.map(|side| side as usize);
    let mut cell = 1;
    let mut fits = cut(&layers.counts, width, (open, row, pieces));
    while !fits {
        cell *= 2;
        let columns = join(layers, cell, cells);
        fits = cut(cells, columns, (open, row, pieces));
    }
    let at = |[column, row]: [usize; 2]| [column, row].map(|number| (number * cell) as f32);
    for Piece { columns: [left, right], rows: [top, bottom], heat } in &*pieces {
        pen.rectangle(at([*left, *top]), at([*right, *bottom]), *heat);
    }
}

/// Fills `cells` with the most layers in each square of `side` pixels, row by row, and returns the number of columns.
fn join(layers: &LayerCounts, side: usize, cells: &mut Vec<u16>) -> usize {
    let [width, _] = layers.size.map(|side| side as usize);
    let columns = width.div_ceil(side);
    cells.clear();
    for rows in layers.counts.chunks(width.max(1).saturating_mul(side)) {
        let start = cells.len();
        cells.resize(start + columns, 0);
        for row in rows.chunks(width.max(1)) {
            let cells = cells.get_mut(start..).unwrap_or_default();
            for (cell, counts) in cells.iter_mut().zip(row.chunks(side)) {
                *cell = counts.iter().copied().fold(*cell, u16::max);
            }
        }
    }
    columns
}

/// Cuts cells into rectangles of one colour: the runs of each row, joined with equal ones below. Returns false if there are too many.
fn cut(
    cells: &[u16],
    columns: usize,
    (open, row, pieces): (&mut Vec<Piece>, &mut Vec<Piece>, &mut Vec<Piece>),
) -> bool {
    open.clear();
    pieces.clear();
    for (y, counts) in cells.chunks(columns.max(1)).enumerate() {
        row.clear();
        let mut start = 0;
        for run in counts.chunk_by(|a, b| Heat::of(*a) == Heat::of(*b)) {
            let columns = [start, start + run.len()];
            start += run.len();
            if let Some(heat) = run.first().copied().and_then(Heat::of) {
                row.push(Piece { columns, rows: [y, y + 1], heat });
            }
        }
        // Both are sorted by column.
        let mut above = open.iter().copied().peekable();
        for run in row.iter_mut() {
            while let Some(piece) = above.next_if(|piece| piece.columns < run.columns) {
                pieces.push(piece);
            }
            let goes_on = |piece: &Piece| piece.columns == run.columns && piece.heat == run.heat;
            if let Some(piece) = above.next_if(goes_on) {
                run.rows = [piece.rows[0], y + 1];
            }
        }
        pieces.extend(above);
        std::mem::swap(open, row);
        if pieces.len().saturating_add(open.len()) > MOST_PIECES {
            return false;
        }
    }
    pieces.extend(&*open);
    true
}

/// Draws the legend in the lower right corner: a square for each number of layers, narrower and without a word where there is no room.
pub(super) fn legend(job: &OverlayJob<'_>, places: &mut LabelPlaces, pen: &mut Pen<'_>) {
    let unit = pen.unit;
    let [wide, high] = GLYPH_SIZE.map(|side| f32::from(side) * unit);
    let [right, bottom] = pen.size.map(|side| side - 8.0 * unit);
    let top = (bottom - high).floor();
    for (word, square) in [("layers ", 3.0 * wide), ("", 2.0 * wide)] {
        let words = width(word.chars()) * unit;
        let left = (right - words - square * f32::from(HEATS)).floor();
        if !places.take([left, top], [right, top + high]) {
            continue;
        }
        outlined(word.chars(), [left, top], Lettering::new(job.options.light, false), pen);
        for heat in Heat::all() {
            let x = left + words + square * f32::from(heat.0 - 1);
            let corners: [Point; 2] = [[x, top - unit], [x + square, top + high + unit]];
            pen.rectangle(corners[0], corners[1], heat);
            let digit = char::from(b'0' + heat.0);
            let more = (heat.0 == HEATS).then_some('+');
            let text = std::iter::once(digit).chain(more);
            let indent = ((square - width(text.clone()) * unit) / 2.0).floor();
            outlined(text, [x + indent, top], Lettering::new(false, false), pen);
        }
        return;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut_up(cells: &[u16], columns: usize) -> Option<Vec<Piece>> {
        let (mut open, mut row, mut pieces) = (Vec::new(), Vec::new(), Vec::new());
        cut(cells, columns, (&mut open, &mut row, &mut pieces)).then_some(pieces)
    }

    #[test]
    fn rectangles_cover_each_cell_once_with_its_colour() {
        let cells = [
            0, 1, 1, 2, 0, //
            0, 1, 1, 2, 9, //
            3, 1, 1, 2, 8, //
            3, 3, 1, 0, 0,
        ];
        let pieces = cut_up(&cells, 5).unwrap();
        let mut seen = [0; 20];
        for piece in &pieces {
            for y in piece.rows[0]..piece.rows[1] {
                for x in piece.columns[0]..piece.columns[1] {
                    assert_eq!(std::mem::replace(&mut seen[y * 5 + x], piece.heat.0), 0);
                }
            }
        }
        assert_eq!(seen, cells.map(|count| u8::try_from(count.min(8)).unwrap()));
        assert_eq!(pieces.len(), 6, "{pieces:?}");
        assert_eq!(cut_up(&[], 0), Some(Vec::new()));
    }

    #[test]
    fn a_picture_of_too_many_rectangles_has_larger_cells() {
        let size = [512, 512];
        let noise = (0..512 * 512).map(|i| u16::from(i % 2 == i / 512 % 2)).collect();
        let layers = LayerCounts { size, counts: noise };
        let mut cells = Vec::new();
        let columns = join(&layers, 1, &mut cells);
        assert_eq!((columns, cut_up(&cells, columns)), (512, None));
        let columns = join(&layers, 2, &mut cells);
        assert_eq!(columns, 256);
        assert_eq!(cut_up(&cells, columns).map(|pieces| pieces.len()), Some(1));
        let odd = LayerCounts { size: [3, 3], counts: vec![0, 0, 4, 0, 5, 0, 0, 0, 6] };
        assert_eq!(join(&odd, 2, &mut cells), 2);
        assert_eq!(cells, [5, 4, 0, 6]);
    }
}
