//! Makes an image small enough for an adapter.

use std::ops::Range;

use crate::image::Pixels;

/// Scales the image down, keeping its proportions, so that no side is longer than `limit`. Returns `None` if it fits already.
///
/// Each texel is the mean of the box of texels that falls on it. Texture coordinates are relative, so they stay valid.
pub(super) fn fit(pixels: &Pixels, limit: u32) -> Option<Pixels> {
    let longest = pixels.width.max(pixels.height);
    if longest <= limit || limit == 0 {
        return None;
    }
    let scaled = |side: u32| {
        let side = u64::from(side) * u64::from(limit) / u64::from(longest);
        u32::try_from(side).unwrap_or(limit).max(1)
    };
    let (width, height) = (scaled(pixels.width), scaled(pixels.height));
    let texels = pixels.rgba.as_chunks::<4>().0;
    let stride = pixels.width as usize;
    let mut rgba = Vec::with_capacity(width as usize * height as usize * 4);
    for y in 0..height {
        let rows = source(y, height, pixels.height);
        for x in 0..width {
            let columns = source(x, width, pixels.width);
            let mut sum = [0_u64; 4];
            let mut count = 0_u64;
            for row in rows.clone() {
                let start = row * stride;
                let row = texels.get(start + columns.start..start + columns.end);
                debug_assert!(row.is_some(), "images are checked before they are fitted");
                let row = row.unwrap_or_default();
                count += row.len() as u64;
                for texel in row {
                    for (sum, channel) in sum.iter_mut().zip(texel) {
                        *sum += u64::from(*channel);
                    }
                }
            }
            let count = count.max(1);
            rgba.extend(sum.map(|sum| u8::try_from((sum + count / 2) / count).unwrap_or(u8::MAX)));
        }
    }
    Some(Pixels {
        width,
        height,
        rgba,
    })
}

/// Returns the rows of `from` that fall on row `i` of `to`, at least one.
fn source(i: u32, to: u32, from: u32) -> Range<usize> {
    let edge = |i: u32| {
        let edge = u64::from(i) * u64::from(from) / u64::from(to.max(1));
        usize::try_from(edge).unwrap_or(usize::MAX)
    };
    let start = edge(i);
    start..edge(i + 1).max(start + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_that_fits_stays() {
        assert_eq!(fit(&Pixels::transparent(), 1), None);
    }

    #[test]
    fn a_texel_is_the_mean_of_those_that_fall_on_it() {
        let grey = |value: u8| [value, value, value, 255];
        let image = Pixels {
            width: 4,
            height: 2,
            rgba: [0, 10, 20, 30, 40, 50, 60, 71]
                .map(grey)
                .as_flattened()
                .to_vec(),
        };
        let half = fit(&image, 2).expect("it is too wide");
        assert_eq!((half.width, half.height), (2, 1));
        assert_eq!(half.rgba, [grey(25), grey(45)].as_flattened());
        let third = fit(&image, 3).expect("it is too wide");
        assert_eq!((third.width, third.height), (3, 1));
        assert_eq!(third.rgba, [grey(20), grey(30), grey(45)].as_flattened());
    }
}
