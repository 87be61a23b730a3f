//! The kernels in plain integers: four channels in one 64-bit word.

use super::edges::RowSpan;
use super::kernel::{
    Canvas, Convex, Kernel, Rows, SampleRun, Samples, each_row, each_row_of_samples,
};
use super::run::{BLOCK, Block, Source};
use super::sample::Rgba;
use super::setup::{At, TexelPlane};

/// The kernel for every machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

/// Every other byte.
const BYTES: u64 = 0x00ff_00ff_00ff_00ff;
/// Every other half word.
const HALVES: u64 = 0x0000_ffff_0000_ffff;

impl Kernel for Portable {
    fn one(self, source: &Source<'_>, pixels: &mut [Rgba], width: usize, rows: &Rows) {
        each_row(source, pixels, width, rows, |row, count, at| {
            run(source, row, count, at)
        });
    }

    fn one_run(self, source: &Source<'_>, row: &mut [Rgba], count: usize, at: [i64; 2]) {
        run(source, row, count, at);
    }

    fn four(self, source: &Source<'_>, pixels: Samples<'_>, spans: &[RowSpan], at: &At) {
        each_row_of_samples(source, pixels, spans, at, |row, run| {
            run_samples(source, row, run)
        });
    }

    fn four_run(self, source: &Source<'_>, row: &mut [[Rgba; 4]], run: &SampleRun<'_>) {
        run_samples(source, row, run);
    }

    fn flat(self, colour: Rgba, polygon: &Convex<'_>, canvas: Canvas<'_>) {
        let colour = spread(u32::from_le_bytes(colour).into());
        let (_, pixels, spans) = canvas.cover(polygon);
        let at = TexelPlane::NUMBERS.rows(0);
        each_row_of_samples(&Source::default(), pixels, spans, &at, |row, run| {
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
fn run(source: &Source<'_>, row: &mut [Rgba], count: usize, mut at: [i64; 2]) {
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
fn run_samples(source: &Source<'_>, row: &mut [[Rgba; 4]], run: &SampleRun<'_>) {
    let SampleRun {
        mut x,
        end,
        span,
        mut at,
    } = *run;
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
fn colour(source: &Source<'_>, block: &Block, i: usize) -> u64 {
    let (across, down) = (u64::from(block.across[i]), u64::from(block.down[i]));
    let (left, right) = (across & 0xffff, across >> 16);
    let (above, below) = (down & 0xff, (down >> 8) & 0xff);
    let Some([upper, lower]) = source.texels(block.offset[i]) else {
        return 0;
    };
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
    *target = if colour >> 48 == 255 {
        gather(colour)
    } else {
        over(colour, *target)
    };
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
