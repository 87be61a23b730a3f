//! The inner loops: covered pixels of one row are coloured and blended.

use std::ops::Range;

use super::blend::over;
use super::edges::RowSpan;
use super::sample::{Rgba, Sampler};

/// Where a triangle's pixels go.
pub(super) trait Target<const S: usize> {
    /// `row` counts from the top of the band, `y` from that of the picture.
    fn row(&mut self, row: usize, y: i32, span: &RowSpan<S>, sampler: &Sampler<'_>);
}

/// One colour a pixel.
#[derive(Debug)]
pub(super) struct OneSample<'a> {
    pub(super) pixels: &'a mut [Rgba],
    pub(super) width: usize,
}

/// Four colours a pixel. Only the `touched` columns of a row hold something.
#[derive(Debug)]
pub(super) struct FourSamples<'a> {
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

impl Target<1> for OneSample<'_> {
    fn row(&mut self, row: usize, y: i32, span: &RowSpan<1>, sampler: &Sampler<'_>) {
        let RowSpan {
            left: [left],
            right: [right],
        } = *span;
        let columns = columns(left, right, self.width);
        let Some(pixels) = row_mut(self.pixels, row, self.width).get_mut(columns.clone()) else {
            return;
        };
        let mut walk = sampler.walk(columns.start, y);
        for pixel in pixels {
            *pixel = over(walk.next(), *pixel);
        }
    }
}

impl Target<4> for FourSamples<'_> {
    fn row(&mut self, row: usize, y: i32, span: &RowSpan<4>, sampler: &Sampler<'_>) {
        let mut left = i32::MAX;
        let mut right = i32::MIN;
        for (l, r) in span.left.into_iter().zip(span.right) {
            if l < r {
                left = left.min(l);
                right = right.max(r);
            }
        }
        if left >= right {
            return;
        }
        let columns = columns(left, right, self.width);
        if columns.start >= columns.end {
            return;
        }
        let pixels = row_mut(self.samples, row, self.width);
        if let Some(touched) = self.touched.get_mut(row) {
            touch(touched, &columns, pixels, self.clear);
        }
        let mut walk = sampler.walk(columns.start, y);
        for (x, samples) in (left.max(0)..).zip(pixels.get_mut(columns).unwrap_or_default()) {
            let colour = walk.next();
            for ((sample, left), right) in samples.iter_mut().zip(span.left).zip(span.right) {
                if left <= x && x < right {
                    *sample = over(colour, *sample);
                }
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
