//! The inner loops: covered pixels of one row are coloured and blended.

use std::ops::Range;

use super::blend::over;
use super::edges::RowSpan;
use super::kernel::Kernel;
use super::sample::{Level, Rgba, Sampler};

/// Where a triangle's pixels go.
pub(super) trait Target<const S: usize> {
    /// `row` counts from the top of the band, `y` from that of the picture.
    fn row(&mut self, row: usize, y: i32, span: &RowSpan<S>, sampler: &Sampler<'_>);
}

/// One colour a pixel.
#[derive(Debug)]
pub(super) struct OneSample<'a, K> {
    pub(super) kernel: K,
    pub(super) pixels: &'a mut [Rgba],
    pub(super) width: usize,
}

/// Four colours a pixel. Only the `touched` columns of a row hold something.
#[derive(Debug)]
pub(super) struct FourSamples<'a, K> {
    pub(super) kernel: K,
    pub(super) samples: &'a mut [[Rgba; 4]],
    pub(super) touched: &'a mut [Range<usize>],
    pub(super) width: usize,
    pub(super) clear: Rgba,
}

/// `left..right` within a row of `width` pixels.
#[inline]
fn columns(left: i32, right: i32, width: usize) -> Range<usize> {
    let column = |x: i32| usize::try_from(x).unwrap_or(0).min(width);
    column(left)..column(right)
}

impl<K: Kernel> Target<1> for OneSample<'_, K> {
    #[inline(always)]
    fn row(&mut self, row: usize, y: i32, span: &RowSpan<1>, sampler: &Sampler<'_>) {
        let RowSpan {
            left: [left],
            right: [right],
        } = *span;
        let columns = columns(left, right, self.width);
        let count = columns.end.saturating_sub(columns.start);
        let Some(pixels) = row_mut(self.pixels, row, self.width).get_mut(columns.start..) else {
            return;
        };
        let kernel = self.kernel;
        let x = left.max(0);
        match sampler {
            Sampler::Linear(level) => {
                let at = level.plane.at([x, y]);
                let inside = inside(level, at, count);
                slow(pixels, 0..inside.start, at, level);
                if inside.start < inside.end {
                    let row = pixels.get_mut(inside.start..).unwrap_or_default();
                    let run = level.run(level.plane.along(at, inside.start));
                    kernel.one(row, inside.end - inside.start, run);
                }
                slow(pixels, inside.end..count, at, level);
            }
            _ => {
                let mut walk = sampler.walk(x, y);
                for pixel in pixels.get_mut(..count).unwrap_or_default() {
                    *pixel = over(walk.next(), *pixel);
                }
            }
        }
    }
}

/// The pixels of a run of `count` from `at` on that a kernel may be given. The others lie on both sides of them.
#[inline(always)]
fn inside(level: &Level<'_>, at: [i64; 2], count: usize) -> Range<usize> {
    let mut inside = 0..count;
    while inside.start < inside.end && !level.holds(level.plane.along(at, inside.start)) {
        inside.start += 1;
    }
    while inside.start < inside.end && !level.holds(level.plane.along(at, inside.end - 1)) {
        inside.end -= 1;
    }
    inside
}

/// Draws pixels whose texels are beyond the image's edge.
#[inline(always)]
fn slow(pixels: &mut [Rgba], part: Range<usize>, at: [i64; 2], level: &Level<'_>) {
    for (i, pixel) in part.clone().zip(pixels.get_mut(part).unwrap_or_default()) {
        *pixel = over(level.linear(level.plane.along(at, i)), *pixel);
    }
}

impl<K: Kernel> Target<4> for FourSamples<'_, K> {
    #[inline(always)]
    fn row(&mut self, row: usize, y: i32, span: &RowSpan<4>, sampler: &Sampler<'_>) {
        let mut left = i32::MAX;
        let mut right = i32::MIN;
        for (l, r) in span.left.into_iter().zip(span.right) {
            if l < r {
                left = left.min(l);
                right = right.max(r);
            }
        }
        let columns = columns(left, right, self.width);
        if columns.start >= columns.end {
            return;
        }
        let pixels = row_mut(self.samples, row, self.width);
        if let Some(touched) = self.touched.get_mut(row) {
            touch(touched, &columns, pixels, self.clear);
        }
        let count = columns.end - columns.start;
        let x = left.max(0);
        let pixels = pixels.get_mut(columns).unwrap_or_default();
        match sampler {
            Sampler::Linear(level) => {
                let at = level.plane.at([x, y]);
                let inside = inside(level, at, count);
                let colour = |i| level.linear(level.plane.along(at, i));
                slow_samples(pixels, 0..inside.start, x, span, colour);
                if inside.start < inside.end {
                    let run = level.run(level.plane.along(at, inside.start));
                    let row = pixels.get_mut(inside.clone()).unwrap_or_default();
                    self.kernel.four(row, offset(x, inside.start), span, run);
                }
                slow_samples(pixels, inside.end..count, x, span, colour);
            }
            _ => {
                let mut walk = sampler.walk(x, y);
                slow_samples(pixels, 0..count, x, span, |_| walk.next());
            }
        }
    }
}

#[inline(always)]
fn offset(x: i32, by: usize) -> i32 {
    x.saturating_add(i32::try_from(by).unwrap_or(i32::MAX))
}

#[inline(always)]
fn slow_samples(
    pixels: &mut [[Rgba; 4]],
    part: Range<usize>,
    x: i32,
    span: &RowSpan<4>,
    mut colour: impl FnMut(usize) -> Rgba,
) {
    for (i, samples) in part.clone().zip(pixels.get_mut(part).unwrap_or_default()) {
        let (x, colour) = (offset(x, i), colour(i));
        for ((sample, left), right) in samples.iter_mut().zip(span.left).zip(span.right) {
            if left <= x && x < right {
                *sample = over(colour, *sample);
            }
        }
    }
}

#[inline]
fn row_mut<T>(pixels: &mut [T], row: usize, width: usize) -> &mut [T] {
    let start = row.saturating_mul(width);
    pixels
        .get_mut(start..start.saturating_add(width))
        .unwrap_or_default()
}

/// Clears what is touched for the first time.
#[inline]
fn touch(touched: &mut Range<usize>, columns: &Range<usize>, row: &mut [[Rgba; 4]], clear: Rgba) {
    if touched.start >= touched.end {
        *touched = columns.start..columns.start;
    }
    if columns.start < touched.start {
        row.get_mut(columns.start..touched.start)
            .unwrap_or_default()
            .fill([clear; 4]);
        touched.start = columns.start;
    }
    if columns.end > touched.end {
        row.get_mut(touched.end..columns.end)
            .unwrap_or_default()
            .fill([clear; 4]);
        touched.end = columns.end;
    }
}
