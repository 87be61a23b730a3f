//! Differences as a picture.

use super::{BUCKETS, SizesDiffer, pixel};
use crate::image::{Pixels, multiply_255};

/// A pixel that differs within the tolerance: blue, which nothing else is.
const TOLERATED: [u8; 3] = [64, 144, 255];

/// Outliers by the bucket of their difference: from orange to nearly white, each lighter than the one before. Blue and
/// these are told apart with every kind of colour blindness, and all of them stand out from [`DARK`] to [`LIGHT`].
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

/// Where the expected picture has nothing, or black.
const DARK: u8 = 20;
/// How much lighter its white is, and how much of that an opaque black already is: a dark character is still seen.
const LIGHT: u8 = 64;
const OPAQUE: u8 = 16;

/// Where two pictures with straight alpha differ, and by how much.
///
/// Opaque. Behind, in dim grey, the expected picture; over it each pixel that differs, however little: blue up to
/// `tolerance`, else from orange to nearly white by the size of the difference, in the steps of [`BUCKETS`].
///
/// # Errors
/// [`SizesDiffer`] if they are not of one size.
pub fn difference_picture(
    expected: &Pixels,
    actual: &Pixels,
    tolerance: u8,
) -> Result<Pixels, SizesDiffer> {
    let [width, height] = SizesDiffer::check(expected, actual)?;
    let mut rgba = Vec::with_capacity(expected.rgba.len());
    let pixels = expected.rgba.as_chunks::<4>().0.iter();
    for (expected, actual) in pixels.zip(actual.rgba.as_chunks::<4>().0) {
        let [r, g, b] = match pixel::difference(*expected, *actual) {
            0 => [dimmed(*expected); 3],
            difference if difference <= tolerance => TOLERATED,
            difference => outlier(difference),
        };
        rgba.extend([r, g, b, 255]);
    }
    Ok(Pixels {
        width,
        height,
        rgba,
    })
}

fn outlier(difference: u8) -> [u8; 3] {
    let steps = BUCKETS.iter().zip(OUTLIERS);
    let mut steps = steps.filter(|(bucket, _)| bucket.contains(&difference));
    steps.next().map_or(TOLERATED, |(_, color)| color)
}

fn dimmed([r, g, b, a]: [u8; 4]) -> u8 {
    // Luma of sRGB, in 256ths.
    let luma = 54 * u32::from(r) + 183 * u32::from(g) + 19 * u32::from(b);
    let luma = u8::try_from(luma >> 8).unwrap_or(u8::MAX);
    let light = OPAQUE.saturating_add(multiply_255(luma, LIGHT - OPAQUE));
    DARK.saturating_add(multiply_255(light, a))
}
