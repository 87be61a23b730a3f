//! A picture of the differences.

use super::{BUCKETS, Pair, difference};
use crate::image::{PixelRect, Pixels, multiply_255, run_all};

/// Colour of a pixel that differs within the tolerance: blue, which nothing else has.
const TOLERATED: [u8; 3] = [64, 144, 255];

/// Colours of outliers by the bucket of their difference: from orange to nearly white, each lighter than the one before. With every
/// kind of colour blindness they are distinct from blue, and all of them stand out from [`DARK`] to [`LIGHT`].
const OUTLIERS: [[u8; 3]; BUCKETS.len()] = [
    [232, 96, 20],
    [240, 116, 18],
    [247, 136, 20],
    [252, 156, 28],
    [255, 176, 44],
    [255, 196, 68],
    [255, 215, 100],
    [255, 233, 150],
    [255, 250, 210],
];

/// Grey where the expected picture is empty or black.
const DARK: u8 = 20;
/// Range from [`DARK`] to the grey of white, and the part of it that opaque black already gets, so that a dark character stays
/// visible.
const LIGHT: u8 = 64;
const OPAQUE: u8 = 16;

/// The two colours of ignored pixels, and the width of each stripe in pixels: violet, which nothing else has.
const HATCH: [[u8; 3]; 2] = [[150, 110, 190], [44, 36, 56]];
const STRIPE: u32 = 3;

/// Rows that are drawn at a time.
const BAND: usize = 64;

/// Bytes of a row, or of several: drawn, expected and actual.
type PictureRow<'a> = ((&'a mut [u8], &'a [u8]), &'a [u8]);

impl Pair<'_> {
    /// Returns an opaque picture of the differences.
    ///
    /// The background is the expected picture in dim grey. Each pixel that differs is drawn over it: blue up to `tolerance`, else
    /// from orange to nearly white by the size of the difference, in the steps of [`super::BUCKETS`]. Ignored pixels are hatched.
    #[must_use]
    pub fn picture(&self, tolerance: u8) -> Pixels {
        let [expected, actual] = self.pictures();
        let [width, height] = self.size();
        let row_bytes = (width as usize).saturating_mul(4).max(4);
        let mut rgba = vec![u8::MAX; expected.rgba.len()];
        let colors = colors(tolerance);
        let draw_row = |(y, ((row, expected), actual)): (u32, PictureRow<'_>)| {
            let row = row.as_chunks_mut::<4>().0.iter_mut();
            let pixels = expected.as_chunks::<4>().0.iter();
            let pixels = pixels.zip(actual.as_chunks::<4>().0);
            for (x, (pixel, (expected, actual))) in (0..).zip(row.zip(pixels)) {
                let [r, g, b] = if self.ignores([x, y]) {
                    striped(HATCH, [x, y])
                } else if expected == actual {
                    [dimmed(*expected); 3]
                } else {
                    let difference = usize::from(difference::difference(*expected, *actual));
                    colors.get(difference).copied().unwrap_or(TOLERATED)
                };
                *pixel = [r, g, b, u8::MAX];
            }
        };
        let band = row_bytes.saturating_mul(BAND);
        let bands = rgba.chunks_mut(band).zip(expected.rgba.chunks(band));
        let bands = (0_u32..).step_by(BAND).zip(bands.zip(actual.rgba.chunks(band)));
        let draw = |(first, ((rows, expected), actual)): (u32, PictureRow<'_>)| {
            let rows = rows.chunks_exact_mut(row_bytes).zip(expected.chunks_exact(row_bytes));
            (first..).zip(rows.zip(actual.chunks_exact(row_bytes))).for_each(draw_row);
        };
        run_all(bands.collect(), true, || (), |_, band| draw(band));
        Pixels { width, height, rgba }
    }
}

/// Returns an opaque picture of the differences of two pictures of two sizes, large enough for both, with their upper left corners
/// together. The part that both have is drawn as [`Pair::picture`] does; the rest is striped in the colours of large and small
/// differences. `None` if it does not fit in memory.
#[must_use]
pub fn picture_of_sizes(expected: &Pixels, actual: &Pixels, tolerance: u8) -> Option<Pixels> {
    let both = [expected, actual];
    let common = [expected.width.min(actual.width), expected.height.min(actual.height)];
    let common = PixelRect { offset: [0, 0], size: common };
    let [expected, actual] = both.map(|pixels| pixels.cut(common));
    let pair = Pair::new(&expected, &actual).ok()?;
    let drawn = pair.picture(tolerance);
    let [width, height] =
        [both.map(|pixels| pixels.width), both.map(|pixels| pixels.height)].map(|[a, b]| a.max(b));
    let len = (width as usize).checked_mul(height as usize)?.checked_mul(4)?;
    let mut rgba = Vec::new();
    rgba.try_reserve_exact(len).ok()?;
    let [light, .., dark] = OUTLIERS;
    for y in 0..height {
        let inside = row(&drawn, y);
        rgba.extend_from_slice(inside);
        let from = if inside.is_empty() { 0 } else { drawn.width };
        for x in from..width {
            let [r, g, b] = striped([light, dark], [x, y]);
            rgba.extend_from_slice(&[r, g, b, u8::MAX]);
        }
    }
    Some(Pixels { width, height, rgba })
}

/// Returns the bytes of a row; none beyond the last.
fn row(pixels: &Pixels, y: u32) -> &[u8] {
    let bytes = (pixels.width as usize).saturating_mul(4);
    let start = (y as usize).saturating_mul(bytes);
    pixels.rgba.get(start..start.saturating_add(bytes)).unwrap_or_default()
}

/// Returns the colour of diagonal stripes at a pixel.
fn striped([light, dark]: [[u8; 3]; 2], [x, y]: [u32; 2]) -> [u8; 3] {
    if (x.wrapping_add(y) / STRIPE).is_multiple_of(2) { light } else { dark }
}

fn colors(tolerance: u8) -> [[u8; 3]; 256] {
    let mut colors = [TOLERATED; 256];
    for (difference, color) in (0..=u8::MAX).zip(&mut colors) {
        let mut steps = BUCKETS.iter().zip(OUTLIERS);
        let step = steps.find(|(bucket, _)| bucket.contains(&difference));
        if let Some((_, outlier)) = step.filter(|_| difference > tolerance) {
            *color = outlier;
        }
    }
    colors
}

fn dimmed([r, g, b, a]: [u8; 4]) -> u8 {
    // Luma of sRGB, in 256ths.
    let luma = 54 * u32::from(r) + 183 * u32::from(g) + 19 * u32::from(b);
    let luma = u8::try_from(luma >> 8).unwrap_or(u8::MAX);
    let light = OPAQUE.saturating_add(multiply_255(luma, LIGHT - OPAQUE));
    DARK.saturating_add(multiply_255(light, a))
}
