//! The inner loops: covered pixels are coloured and blended, row by row.

use std::ops::Range;

use super::blend::over;
use super::edges::RowSpan;
use super::kernel::Kernel;
use super::sample::{Linear, Rgba, Sampler};

/// Where a triangle's pixels go.
pub(super) trait Target<const S: usize> {
    /// Draws the rows of a triangle that `spans` has. The first is number `row` of the band and `y` of the picture.
    fn triangle(&mut self, row: usize, y: i32, spans: &[RowSpan<S>], sampler: &Sampler<'_>);
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

/// A column of the picture, or its width.
#[inline(always)]
fn column(x: i32, width: usize) -> usize {
    usize::try_from(x).unwrap_or(0).min(width)
}

impl<K: Kernel> Target<1> for OneSample<'_, K> {
    #[inline(always)]
    fn triangle(&mut self, row: usize, y: i32, spans: &[RowSpan<1>], sampler: &Sampler<'_>) {
        let (kernel, width) = (self.kernel, self.width);
        let rows = self.pixels.chunks_exact_mut(width).skip(row).zip(spans);
        match sampler {
            Sampler::Linear(linear) => {
                let Linear { level, plane, .. } = *linear;
                let ready = kernel.ready(level.source(plane.dx));
                let mut row_at = plane.at(0, y);
                for (pixels, span) in rows {
                    let ([left], [right]) = (span.left, span.right);
                    let (left, right) = (column(left, width), column(right, width));
                    let at = plane.right(row_at, left);
                    row_at = plane.down(row_at);
                    if left >= right {
                        continue;
                    }
                    let (pixels, count) =
                        (pixels.get_mut(left..).unwrap_or_default(), right - left);
                    if linear.inside {
                        kernel.one(&ready, pixels, count, at);
                        continue;
                    }
                    let inside = linear.inside(at, count);
                    let edge = |i| linear.colour(at, i);
                    slow(pixels, 0..inside.start, edge);
                    if let Some(pixels) = pixels.get_mut(inside.start..)
                        && !inside.is_empty()
                    {
                        kernel.one(&ready, pixels, inside.len(), plane.right(at, inside.start));
                    }
                    slow(pixels, inside.end..count, edge);
                }
            }
            _ => {
                for ((pixels, span), y) in rows.zip(y..) {
                    let ([left], [right]) = (span.left, span.right);
                    let (left, right) = (column(left, width), column(right, width));
                    let mut walk = sampler.walk(left, y);
                    slow(pixels, left..right, |_| walk.next());
                }
            }
        }
    }
}

/// Draws pixels whose colours come one by one.
#[inline(always)]
fn slow(pixels: &mut [Rgba], part: Range<usize>, mut colour: impl FnMut(usize) -> Rgba) {
    for (i, pixel) in part.clone().zip(pixels.get_mut(part).unwrap_or_default()) {
        *pixel = over(colour(i), *pixel);
    }
}

impl<K: Kernel> Target<4> for FourSamples<'_, K> {
    #[inline(always)]
    fn triangle(&mut self, row: usize, y: i32, spans: &[RowSpan<4>], sampler: &Sampler<'_>) {
        let (kernel, width) = (self.kernel, self.width);
        let rows = self.samples.chunks_exact_mut(width).skip(row).zip(spans);
        let rows = rows.zip(self.touched.iter_mut().skip(row));
        let linear = match sampler {
            Sampler::Linear(linear) => Some(linear),
            _ => None,
        };
        let ready = linear.map(|linear| kernel.ready(linear.level.source(linear.plane.dx)));
        for (((pixels, span), touched), y) in rows.zip(y..) {
            let [a, b, c, d] = span.left;
            let left = column(a.min(b).min(c.min(d)), width);
            let [a, b, c, d] = span.right;
            let right = column(a.max(b).max(c.max(d)), width);
            if left >= right {
                continue;
            }
            touch(touched, left..right, pixels, self.clear);
            let pixels = pixels.get_mut(left..right).unwrap_or_default();
            let Some((linear, ready)) = linear.zip(ready.as_ref()) else {
                let mut walk = sampler.walk(left, y);
                slow_samples(pixels, 0..right - left, left, span, |_| walk.next());
                continue;
            };
            let plane = &linear.plane;
            let at = plane.right(plane.at(0, y), left);
            if linear.inside {
                kernel.four(ready, pixels, number(left), span, at);
                continue;
            }
            let inside = linear.inside(at, right - left);
            let edge = |i| linear.colour(at, i);
            slow_samples(pixels, 0..inside.start, left, span, edge);
            if let Some(pixels) = pixels.get_mut(inside.clone())
                && !inside.is_empty()
            {
                let at = plane.right(at, inside.start);
                kernel.four(ready, pixels, number(left + inside.start), span, at);
            }
            slow_samples(pixels, inside.end..right - left, left, span, edge);
        }
    }
}

/// A column within the picture.
#[inline(always)]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "pictures have at most 65,536 columns"
)]
fn number(column: usize) -> i32 {
    column as i32
}

/// Draws pixels whose colours come one by one; the first of them all is in column `x`.
#[inline(always)]
fn slow_samples(
    pixels: &mut [[Rgba; 4]],
    part: Range<usize>,
    x: usize,
    span: &RowSpan<4>,
    mut colour: impl FnMut(usize) -> Rgba,
) {
    for (i, samples) in part.clone().zip(pixels.get_mut(part).unwrap_or_default()) {
        let (x, colour) = (number(x + i), colour(i));
        for ((sample, left), right) in samples.iter_mut().zip(span.left).zip(span.right) {
            if left <= x && x < right {
                *sample = over(colour, *sample);
            }
        }
    }
}

/// Clears what is touched for the first time.
#[inline(always)]
fn touch(touched: &mut Range<usize>, columns: Range<usize>, row: &mut [[Rgba; 4]], clear: Rgba) {
    if touched.start <= columns.start && columns.end <= touched.end {
        return;
    }
    touch_more(touched, columns, row, clear);
}

fn touch_more(
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
