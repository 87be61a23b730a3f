//! Visibility of a difference: ꟻLIP (Andersson et al., "FLIP: A Difference Evaluator for Alternating Images", 2020), which
//! models an observer who sees two pictures take turns on a screen. Sections and equations are cited from there.
//!
//! ```text
//! two windows of pictures ─planes─► filtered planes ─error─► the error of each pixel
//!                           └─ color, filters               └─ color, power
//! ```
//!
//! Only `+ - * /` and square roots are used, never fused: the same error on every machine.

mod color;
mod error;
mod filters;

use fearless_simd::{Level, dispatch};

use self::filters::{LANES, REACH, Window};
use super::Pair;
use crate::image::Pixels;

/// Side of the squares in which pictures are processed.
const TILE: u32 = 64;

impl Pair<'_> {
    /// Returns the mean ꟻLIP error of the compared pixels, 0 (equal) to 1: the visibility of the difference.
    ///
    /// ꟻLIP does not support alpha: both pictures are placed on black and on white, and the larger mean counts. The observer sees
    /// 67 pixels per degree: 70 cm from a 32" screen of 3840 pixels. The result is the same on every machine.
    ///
    /// Only pixels within 10 pixels of a difference are processed, in squares of 64 pixels, so memory does not grow with the
    /// pictures.
    #[must_use]
    pub fn mean_flip(&self) -> f64 {
        mean(self)
    }
}

/// Returns the mean error of the compared pixels, 0 (equal) to 1.
///
/// ꟻLIP does not support alpha: both pictures are placed on black and on white, and the larger mean counts. Pixels further than
/// [`REACH`] from a difference have no error, so only nearer ones are processed.
fn mean(pair: &Pair<'_>) -> f64 {
    mean_at(Level::new(), pair)
}

/// Computes [`mean`] with the instructions of a level. The result is the same with all levels.
fn mean_at(level: Level, pair: &Pair<'_>) -> f64 {
    let [width, height] = pair.size();
    let counted = pair.counted();
    if counted == 0 || pair.is_equal() {
        return 0.0;
    }
    let starts = |side: u32| (0..side).step_by(TILE as usize);
    let tiles = starts(height).flat_map(|y| starts(width).map(move |x| [x, y]));
    #[cfg(feature = "threads")]
    let errors: Vec<[f64; 2]> = {
        use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
        let tiles: Vec<_> = tiles.collect();
        tiles
            .into_par_iter()
            .map_init(
                || FlipScratch::new(level),
                |scratch, tile| scratch.tile(pair, tile),
            )
            .collect()
    };
    #[cfg(not(feature = "threads"))]
    let errors = {
        let mut scratch = FlipScratch::new(level);
        tiles.map(move |tile| scratch.tile(pair, tile))
    };
    // Added in order, so that the number of threads does not show.
    let sums = errors
        .into_iter()
        .fold([0.0; 2], |[black, white], [on_black, on_white]| {
            [black + on_black, white + on_white]
        });
    #[expect(
        clippy::cast_precision_loss,
        reason = "pictures have less than 2^53 pixels"
    )]
    let [black, white] = sums.map(|sum: f64| sum / counted as f64);
    black.max(white)
}

/// A rectangle of a picture: columns and rows, the ends excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FlipRect {
    x: [u32; 2],
    y: [u32; 2],
}

impl FlipRect {
    /// Returns the rectangle with `by` more pixels on each side, within the picture.
    fn grown(self, by: u32, [width, height]: [u32; 2]) -> Self {
        let grown = |[from, to]: [u32; 2], side: u32| {
            [from.saturating_sub(by), to.saturating_add(by).min(side)]
        };
        Self {
            x: grown(self.x, width),
            y: grown(self.y, height),
        }
    }

    /// Returns the intersection with another rectangle.
    fn within(self, other: Self) -> Self {
        let within =
            |[from, to]: [u32; 2], [least, most]: [u32; 2]| [from.max(least), to.min(most)];
        Self {
            x: within(self.x, other.x),
            y: within(self.y, other.y),
        }
    }

    fn size(self) -> [usize; 2] {
        [self.x, self.y].map(|[from, to]| to.saturating_sub(from) as usize)
    }

    /// Returns the rows of a picture, from column to column, with their indices.
    fn rows(self, pixels: &Pixels) -> impl Iterator<Item = (u32, &[[u8; 4]])> {
        let rows = pixels.rgba.as_chunks::<4>().0;
        let rows = rows.chunks_exact((pixels.width as usize).max(1));
        let [left, right] = self.x.map(|x| x as usize);
        let [top, bottom] = self.y;
        let rows = (0..).zip(rows).skip(top as usize);
        rows.take(bottom.saturating_sub(top) as usize)
            .map(move |(y, row)| (y, row.get(left..right).unwrap_or_default()))
    }
}

/// Memory that is reused for each square.
#[derive(Debug)]
struct FlipScratch {
    level: Level,
    planes: filters::Planes,
    errors: Vec<[f32; LANES]>,
}

impl FlipScratch {
    fn new(level: Level) -> Self {
        Self {
            level,
            planes: filters::Planes::default(),
            errors: Vec::new(),
        }
    }

    /// Returns the sums of the errors of a square's pixels, over black and over white.
    fn tile(&mut self, pair: &Pair<'_>, [x, y]: [u32; 2]) -> [f64; 2] {
        let size = pair.size();
        let [width, height] = size;
        let tile = FlipRect {
            x: [x, x.saturating_add(TILE).min(width)],
            y: [y, y.saturating_add(TILE).min(height)],
        };
        let reach = u32::try_from(REACH).unwrap_or_default();
        let Some(differing) = differing(pair, tile.grown(reach, size)) else {
            return [0.0; 2];
        };
        let rect = differing.grown(reach, size).within(tile);
        let on_black = self.sum(pair, rect, 0);
        let [expected, actual] = pair.pictures();
        let opaque = |pixels: &Pixels| {
            let mut rows = rect.grown(reach, size).rows(pixels);
            rows.all(|(_, row)| row.iter().all(|[.., alpha]| *alpha == u8::MAX))
        };
        if opaque(expected) && opaque(actual) {
            return [on_black; 2];
        }
        [on_black, self.sum(pair, rect, u8::MAX)]
    }

    /// Returns the sum of the errors over a grey.
    fn sum(&mut self, pair: &Pair<'_>, rect: FlipRect, grey: u8) -> f64 {
        let Self {
            level,
            planes,
            errors,
        } = self;
        let window = Window { rect, grey };
        let pictures = pair.pictures();
        dispatch!(*level, simd => {
            planes.filter(simd, pictures, window);
            error::run(simd, planes, errors);
        });
        added(pair, rect, errors)
    }
}

/// Returns the smallest rectangle with all differing pixels of another.
fn differing(pair: &Pair<'_>, within: FlipRect) -> Option<FlipRect> {
    let [expected, actual] = pair.pictures();
    let [left, right] = within.x;
    let mut found: Option<FlipRect> = None;
    for ((y, expected), (_, actual)) in within.rows(expected).zip(within.rows(actual)) {
        if expected == actual {
            continue;
        }
        let pixels = || expected.iter().zip(actual).map(|(a, b)| a != b);
        let equal =
            |count: Option<usize>| u32::try_from(count.unwrap_or_default()).unwrap_or_default();
        let first = left.saturating_add(equal(pixels().position(|differ| differ)));
        let end = right.saturating_sub(equal(pixels().rev().position(|differ| differ)));
        let FlipRect {
            x: [from, to],
            y: [top, _],
        } = found.unwrap_or(FlipRect {
            x: [first, end],
            y: [y, y],
        });
        found = Some(FlipRect {
            x: [from.min(first), to.max(end)],
            y: [top, y.saturating_add(1)],
        });
    }
    found
}

/// Returns the sum of the errors of pixels that count, by columns of groups.
fn added(pair: &Pair<'_>, rect: FlipRect, errors: &[[f32; LANES]]) -> f64 {
    let ([left, right], [top, bottom]) = (rect.x, rect.y);
    let mut errors = errors.iter();
    let mut sum = 0.0;
    for left in (left..right).step_by(LANES) {
        for (y, group) in (top..bottom).zip(&mut errors) {
            for (x, error) in (left..right).zip(group) {
                if !pair.ignores([x, y]) {
                    sum += f64::from(*error);
                }
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests;
