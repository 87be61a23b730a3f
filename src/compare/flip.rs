//! How visible a difference is: ꟻLIP (Andersson et al., 2020), which models how an observer sees two pictures that take
//! turns on a screen.

use nv_flip::{DEFAULT_PIXELS_PER_DEGREE, FlipImageRgb8, flip};

use super::SizesDiffer;
use crate::image::{Pixels, multiply_255};

/// Side of the squares that pictures are looked at in.
const TILE: u32 = 128;

/// As far as a pixel can have an effect at [`DEFAULT_PIXELS_PER_DEGREE`]: the radius of ꟻLIP's largest filter.
const REACH: u32 = 10;

/// The mean ꟻLIP error of two pictures with straight alpha, 0 (equal) to 1.
///
/// ꟻLIP knows no alpha: both pictures are laid over black and over white, and the larger mean counts. The observer sits
/// at 67 pixels per degree: 70 cm from a 32" screen of 3840 pixels.
///
/// Only the neighbourhood of pixels that differ is looked at, in squares of 128 pixels. So it takes about 3 MB for each
/// thread, however large the pictures are. In time it is by far the dearest of what is here: about 1 µs for each pixel of
/// such a square, and half of that where both pictures are opaque.
///
/// # Errors
/// [`SizesDiffer`] if they are not of one size.
pub fn mean_flip(expected: &Pixels, actual: &Pixels) -> Result<f64, SizesDiffer> {
    let [width, height] = SizesDiffer::check(expected, actual)?;
    if expected.rgba == actual.rgba {
        return Ok(0.0);
    }
    let tiles = Span::all(height).flat_map(|y| Span::all(width).map(move |x| Tile { x, y }));
    let error = |tile: Tile| tile.error(expected, actual);
    #[cfg(feature = "threads")]
    let errors: Vec<[f64; 2]> = {
        use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
        let tiles: Vec<_> = tiles.collect();
        tiles.into_par_iter().map(error).collect()
    };
    #[cfg(not(feature = "threads"))]
    let errors = tiles.map(error);
    // Summed in order, so that threads do not show.
    let sums = errors
        .into_iter()
        .fold([0.0; 2], |[black, white], [on_black, on_white]| {
            [black + on_black, white + on_white]
        });
    let [black, white] = sums.map(|sum| sum / (f64::from(width) * f64::from(height)));
    Ok(black.max(white))
}

/// One side of a square, with what has an effect on it.
#[derive(Clone, Copy, Debug)]
struct Span {
    /// First pixel, in the picture, of what is looked at.
    from: u32,
    /// Pixels before the square's own, and of its own.
    before: u32,
    own: u32,
    /// All that are looked at.
    len: u32,
}

impl Span {
    /// What a side of a picture is cut into.
    fn all(side: u32) -> impl Iterator<Item = Self> {
        let starts = (0..side).step_by(TILE as usize);
        starts.map(move |start| {
            let from = start.saturating_sub(REACH);
            let own = TILE.min(side - start);
            Self {
                from,
                before: start - from,
                own,
                len: (start + own).saturating_add(REACH).min(side) - from,
            }
        })
    }

    fn own<T>(self, of: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
        of.skip(self.before as usize).take(self.own as usize)
    }
}

/// A square of a picture.
#[derive(Clone, Copy, Debug)]
struct Tile {
    x: Span,
    y: Span,
}

impl Tile {
    /// Sums of the errors of its own pixels, over black and over white.
    fn error(self, expected: &Pixels, actual: &Pixels) -> [f64; 2] {
        if self.rows(expected).eq(self.rows(actual)) {
            return [0.0; 2];
        }
        let on_black = self.error_over(0, expected, actual);
        let opaque = |pixels: &Pixels| {
            let mut pixels = self.rows(pixels).flatten();
            pixels.all(|[.., alpha]| *alpha == u8::MAX)
        };
        if opaque(expected) && opaque(actual) {
            return [on_black; 2];
        }
        [on_black, self.error_over(u8::MAX, expected, actual)]
    }

    fn error_over(self, grey: u8, expected: &Pixels, actual: &Pixels) -> f64 {
        let [expected, actual] = [expected, actual].map(|pixels| self.over(grey, pixels));
        let errors = flip(expected, actual, DEFAULT_PIXELS_PER_DEGREE).to_vec();
        let rows = self.y.own(errors.chunks_exact(self.x.len as usize));
        let own = rows.flat_map(|row| self.x.own(row.iter()));
        own.map(|error| f64::from(*error)).sum()
    }

    /// What is looked at, laid over a grey.
    fn over(self, grey: u8, pixels: &Pixels) -> FlipImageRgb8 {
        let (width, height) = (self.x.len, self.y.len);
        let len = width as usize * height as usize * 3;
        let mut rgb = Vec::with_capacity(len);
        for [r, g, b, a] in self.rows(pixels).flatten() {
            let behind = multiply_255(grey, u8::MAX - a);
            let over = |color: u8| multiply_255(color, *a).saturating_add(behind);
            rgb.extend([over(*r), over(*g), over(*b)]);
        }
        rgb.resize(len, 0); // `with_data` relies on it
        FlipImageRgb8::with_data(width, height, &rgb)
    }

    fn rows(self, pixels: &Pixels) -> impl Iterator<Item = &[[u8; 4]]> {
        let texels = pixels.rgba.as_chunks::<4>().0;
        let rows = texels.chunks_exact((pixels.width as usize).max(1));
        let (left, width) = (self.x.from as usize, self.x.len as usize);
        rows.skip(self.y.from as usize)
            .take(self.y.len as usize)
            .map(move |row| row.get(left..left + width).unwrap_or_default())
    }
}
