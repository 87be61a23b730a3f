//! Innermost loops, in a version for each kind of machine, and the portable one. All versions produce the same bits.

use std::ops::Range;

use super::edges::{Crossing, RowSpan, grid_rows, grid_spans};
use super::run::{BLOCK, PixelBlock, RunSource};
use super::sample::Rgba;
use super::setup::{Point, TexelPlane, TexelRows, sides};

/// Rows of a triangle for [`Kernel::one`], from the first row of the pixels on.
#[derive(Clone, Copy, Debug)]
pub(super) struct KernelRows {
    pub(super) count: usize,
    /// Crossings of the sides with the first row, and their change per row.
    pub(super) left: Crossing,
    pub(super) left_step: Crossing,
    pub(super) right: Crossing,
    pub(super) right_step: Crossing,
    pub(super) at: TexelRows,
}

/// Rows of samples.
#[derive(Debug)]
pub(super) struct RunSamples<'a> {
    pub(super) pixels: &'a mut [[Rgba; 4]],
    /// Columns of each row that hold something.
    pub(super) touched: &'a mut [Range<usize>],
    pub(super) width: usize,
    /// Colour of the samples in the other columns.
    pub(super) clear: Rgba,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Convex<'a> {
    pub(super) corners: &'a [Point],
    /// True if the corners turn right on the screen.
    pub(super) clockwise: bool,
}

/// A band of a picture with four samples, and room for the spans of a polygon.
#[derive(Debug)]
pub(super) struct Canvas<'a> {
    pub(super) band: Range<i32>,
    pub(super) samples: RunSamples<'a>,
    pub(super) spans: &'a mut Vec<RowSpan>,
}

impl<'a> Canvas<'a> {
    /// Returns the first row that a convex polygon covers, the samples from there on, and its spans.
    #[inline(always)]
    pub(super) fn cover(self, polygon: &Convex<'_>) -> (i32, RunSamples<'a>, &'a [RowSpan]) {
        let Self { band, samples, spans } = self;
        let (mut top, mut bottom) = (i32::MAX, i32::MIN);
        for [_, y] in polygon.corners {
            (top, bottom) = (top.min(*y), bottom.max(*y));
        }
        let rows = grid_rows(top..bottom);
        let (start, end) = (rows.start.max(band.start), rows.end.min(band.end));
        let count = usize::try_from(end.saturating_sub(start)).unwrap_or(0);
        spans.clear();
        spans.resize(count, RowSpan::EMPTY);
        grid_spans(sides(polygon.corners), polygon.clockwise, start, spans);
        let from = usize::try_from(start - band.start).unwrap_or(0);
        let RunSamples { pixels, touched, width, clear } = samples;
        let samples = RunSamples {
            pixels: pixels.get_mut(from * width..).unwrap_or_default(),
            touched: touched.get_mut(from..).unwrap_or_default(),
            width,
            clear,
        };
        (start, samples, spans)
    }
}

/// Pixels of a row with four samples.
#[derive(Clone, Copy, Debug)]
pub(super) struct SampleRun<'a> {
    /// Column of the first pixel, and the one after the last.
    pub(super) x: i32,
    pub(super) end: i32,
    /// Covered samples; none from `end` on.
    pub(super) span: &'a RowSpan,
    /// Texture coordinates of the first pixel.
    pub(super) at: [i64; 2],
}

/// Colours and blends pixels bilinearly, and resolves samples to pixels. No texel is beyond the image's edge.
pub(super) trait Kernel: Copy {
    /// Draws part of a triangle with whole rows, with one sample. `pixels` starts with its first row.
    fn one(self, source: &RunSource<'_>, pixels: &mut [Rgba], width: usize, rows: &KernelRows);

    /// Draws part of a row with one sample: the first `count` pixels of `row`, from `at` on.
    fn one_run(self, source: &RunSource<'_>, row: &mut [Rgba], count: usize, at: [i64; 2]);

    /// Draws a whole triangle with four samples. `pixels` starts with its first row.
    fn four(
        self,
        source: &RunSource<'_>,
        pixels: RunSamples<'_>,
        spans: &[RowSpan],
        at: &TexelRows,
    );

    /// Draws part of a row with four samples. `row` starts with its first pixel and may be longer.
    fn four_run(self, source: &RunSource<'_>, row: &mut [[Rgba; 4]], run: &SampleRun<'_>);

    /// Draws a polygon of one colour with four samples.
    fn flat(self, colour: Rgba, polygon: &Convex<'_>, canvas: Canvas<'_>);

    /// Draws part of a row with four samples and these colours. `row` starts with its first pixel, in column `x`.
    fn colours(self, colours: &[Rgba], row: &mut [[Rgba; 4]], x: i32, span: &RowSpan);

    /// Draws part of a row with these colours over all four samples.
    fn whole(self, colours: &[Rgba], row: &mut [[Rgba; 4]]);

    /// Writes the mean of each pixel's samples.
    fn resolve(self, samples: &[[Rgba; 4]], pixels: &mut [Rgba]);
}

/// Calls `run` for each row that covers anything, with its pixels from the first covered column on, the number of covered pixels,
/// and the texture coordinates there.
#[inline(always)]
pub(super) fn each_row(
    source: &RunSource<'_>,
    pixels: &mut [Rgba],
    width: usize,
    rows: &KernelRows,
    mut run: impl FnMut(&mut [Rgba], usize, [i64; 2]),
) {
    let KernelRows { count, mut left, left_step, mut right, right_step, at } = *rows;
    let ([mut u, mut v], [uy, vy], [ux, vx]) = (at.start, at.down, source.dx);
    let mut pixels = pixels;
    for _ in 0..count {
        let Some((row, rest)) = pixels.split_at_mut_checked(width) else { return };
        pixels = rest;
        let from = usize::try_from(super::edges::column(left)).unwrap_or(0);
        let to = usize::try_from(super::edges::column(right)).unwrap_or(0).min(width);
        if from < to
            && let Some(row) = row.get_mut(from..)
        {
            #[expect(clippy::cast_possible_wrap, reason = "a column")]
            let x = from as i64;
            let at = [u.wrapping_add(ux.wrapping_mul(x)), v.wrapping_add(vx.wrapping_mul(x))];
            run(row, to - from, at);
        }
        left = left.wrapping_add(left_step);
        right = right.wrapping_add(right_step);
        u = u.wrapping_add(uy);
        v = v.wrapping_add(vy);
    }
}

/// Calls `run` for each row with a covered sample, with its pixels from the first covered column on.
#[inline(always)]
pub(super) fn each_row_of_samples(
    source: &RunSource<'_>,
    samples: RunSamples<'_>,
    spans: &[RowSpan],
    at: &TexelRows,
    mut run: impl FnMut(&mut [[Rgba; 4]], &SampleRun<'_>),
) {
    let RunSamples { mut pixels, touched, width, clear } = samples;
    let ([mut u, mut v], [uy, vy], [ux, vx]) = (at.start, at.down, source.dx);
    let right_edge = i32::try_from(width).unwrap_or(i32::MAX);
    for (span, touched) in spans.iter().zip(touched) {
        let Some((row, rest)) = pixels.split_at_mut_checked(width) else { return };
        pixels = rest;
        let [a, b, c, d] = span.left;
        let x = a.min(b).min(c.min(d)).max(0);
        let [a, b, c, d] = span.right;
        let end = a.max(b).max(c.max(d)).min(right_edge);
        if x < end {
            let columns = usize::try_from(x).unwrap_or(0)..usize::try_from(end).unwrap_or(0);
            let from = columns.start;
            if columns.start < touched.start || touched.end < columns.end {
                touch(touched, columns, row, clear);
            }
            if let Some(row) = row.get_mut(from..) {
                let along = i64::from(x);
                let at = [
                    u.wrapping_add(ux.wrapping_mul(along)),
                    v.wrapping_add(vx.wrapping_mul(along)),
                ];
                run(row, &SampleRun { x, end, span, at });
            }
        }
        u = u.wrapping_add(uy);
        v = v.wrapping_add(vy);
    }
}

/// Clears columns that are touched for the first time.
#[inline(never)]
pub(super) fn touch(
    touched: &mut Range<usize>,
    columns: Range<usize>,
    row: &mut [[Rgba; 4]],
    clear: Rgba,
) {
    if touched.start >= touched.end {
        *touched = columns.start..columns.start;
    }
    let [before, after] = [columns.start..touched.start, touched.end..columns.end];
    for part in [before, after] {
        if let Some(pixels) = row.get_mut(part) {
            pixels.fill([clear; 4]);
        }
    }
    touched.start = touched.start.min(columns.start);
    touched.end = touched.end.max(columns.end);
}

/// The kernel for every machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

/// Every other byte.
const BYTES: u64 = 0x00ff_00ff_00ff_00ff;
/// Every other half word.
const HALVES: u64 = 0x0000_ffff_0000_ffff;

impl Kernel for Portable {
    fn one(self, source: &RunSource<'_>, pixels: &mut [Rgba], width: usize, rows: &KernelRows) {
        each_row(source, pixels, width, rows, |row, count, at| run(source, row, count, at));
    }

    fn one_run(self, source: &RunSource<'_>, row: &mut [Rgba], count: usize, at: [i64; 2]) {
        run(source, row, count, at);
    }

    fn four(
        self,
        source: &RunSource<'_>,
        pixels: RunSamples<'_>,
        spans: &[RowSpan],
        at: &TexelRows,
    ) {
        each_row_of_samples(source, pixels, spans, at, |row, run| run_samples(source, row, run));
    }

    fn four_run(self, source: &RunSource<'_>, row: &mut [[Rgba; 4]], run: &SampleRun<'_>) {
        run_samples(source, row, run);
    }

    fn flat(self, colour: Rgba, polygon: &Convex<'_>, canvas: Canvas<'_>) {
        let colour = spread(u32::from_le_bytes(colour).into());
        let (_, pixels, spans) = canvas.cover(polygon);
        let at = TexelPlane::NUMBERS.rows(0);
        each_row_of_samples(&RunSource::default(), pixels, spans, &at, |row, run| {
            for (samples, x) in row.iter_mut().zip(run.x..run.end) {
                put_samples(colour, samples, run.span, x);
            }
        });
    }

    fn colours(self, colours: &[Rgba], row: &mut [[Rgba; 4]], x: i32, span: &RowSpan) {
        for ((samples, colour), x) in row.iter_mut().zip(colours).zip(x..) {
            // Most of a glyph's cell shows nothing.
            if *colour != [0; 4] {
                let colour = spread(u32::from_le_bytes(*colour).into());
                put_samples(colour, samples, span, x);
            }
        }
    }

    fn whole(self, colours: &[Rgba], row: &mut [[Rgba; 4]]) {
        for (samples, colour) in row.iter_mut().zip(colours) {
            if *colour != [0; 4] {
                let colour = spread(u32::from_le_bytes(*colour).into());
                for sample in samples {
                    put(colour, sample);
                }
            }
        }
    }

    fn resolve(self, samples: &[[Rgba; 4]], pixels: &mut [Rgba]) {
        for (pixel, samples) in pixels.iter_mut().zip(samples) {
            let spread = samples.map(|sample| spread(u32::from_le_bytes(sample).into()));
            let sum = spread.iter().sum::<u64>() + 0x0002_0002_0002_0002;
            *pixel = gather((sum >> 2) & BYTES);
        }
    }
}

#[inline(always)]
fn run(source: &RunSource<'_>, row: &mut [Rgba], count: usize, mut at: [i64; 2]) {
    debug_assert!(count <= row.len(), "a run ends within its row");
    for pixels in row.get_mut(..count).unwrap_or_default().chunks_mut(BLOCK) {
        let block = source.block(at);
        for (i, pixel) in pixels.iter_mut().enumerate() {
            put(colour(source, &block, i), pixel);
        }
        at = source.next(at);
    }
}

#[inline(always)]
fn run_samples(source: &RunSource<'_>, row: &mut [[Rgba; 4]], run: &SampleRun<'_>) {
    let SampleRun { mut x, end, span, mut at } = *run;
    let count = usize::try_from(end - x).unwrap_or(0);
    debug_assert!(count <= row.len(), "a run ends within its row");
    for pixels in row.get_mut(..count).unwrap_or_default().chunks_mut(BLOCK) {
        let block = source.block(at);
        for (i, samples) in pixels.iter_mut().enumerate() {
            put_samples(colour(source, &block, i), samples, span, x);
            x += 1;
        }
        at = source.next(at);
    }
}

/// Puts a colour over the covered samples of the pixel in column `x`.
#[inline(always)]
fn put_samples(colour: u64, samples: &mut [Rgba; 4], span: &RowSpan, x: i32) {
    for ((sample, left), right) in samples.iter_mut().zip(span.left).zip(span.right) {
        if left <= x && x < right {
            put(colour, sample);
        }
    }
}

/// Returns the colour of one pixel: a channel in each quarter of the word.
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "`i` is below the constant length")]
fn colour(source: &RunSource<'_>, block: &PixelBlock, i: usize) -> u64 {
    let (across, down) = (u64::from(block.across[i]), u64::from(block.down[i]));
    let (left, right) = (across & 0xffff, across >> 16);
    let (above, below) = (down & 0xff, (down >> 8) & 0xff);
    let Some([upper, lower]) = source.texels(block.offset[i]) else { return 0 };
    let column = |shift: u32| spread(upper >> shift) * above + spread(lower >> shift) * below;
    let (from_left, from_right) = (column(0), column(32));
    let mix = |shift: u32| {
        let part = |column: u64| (column >> shift) & HALVES;
        let sum = part(from_left) * left + part(from_right) * right + 0x0020_0000_0020_0000;
        (sum >> 22) & 0x0000_00ff_0000_00ff
    };
    mix(0) | (mix(16) << 16)
}

/// Spreads the pixel in the low half of a word: a channel in each quarter.
#[inline(always)]
fn spread(pixel: u64) -> u64 {
    let halves = ((pixel & 0xffff_ffff) | (pixel << 16)) & HALVES;
    (halves | (halves << 8)) & BYTES
}

/// Blends a colour over a pixel. Most colours are opaque.
#[inline(always)]
fn put(colour: u64, target: &mut Rgba) {
    *target = if colour >> 48 == 255 { gather(colour) } else { over(colour, *target) };
}

/// See [`crate::image::over`].
#[inline(always)]
fn over(colour: u64, target: Rgba) -> Rgba {
    let product =
        spread(u32::from_le_bytes(target).into()) * (255 - (colour >> 48)) + 0x0080_0080_0080_0080;
    let rest = ((product + ((product >> 8) & BYTES)) >> 8) & BYTES;
    // Nine bits: a channel may be larger than the alpha in a damaged image.
    let sum = colour + rest;
    let over = (sum >> 8) & 0x0001_0001_0001_0001;
    let sum = (sum | (over * 255)) & BYTES;
    gather(sum)
}

/// Reverses [`spread`].
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the low half is wanted")]
fn gather(channels: u64) -> Rgba {
    let halves = (channels | (channels >> 8)) & HALVES;
    ((halves | (halves >> 16)) as u32).to_le_bytes()
}
