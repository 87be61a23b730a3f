//! A picture behind the character, fitted to the size of the output, over the checkerboard.

use super::{Pixels, multiply_255};

/// Light and dark grey squares: the even ones, the odd ones, and their side in pixels.
pub const CHECKER: ([u8; 3], [u8; 3], u32) = ([204; 3], [153; 3], 8);

/// Sub-pixel positions per source pixel.
const PARTS: u64 = 256;

/// Scales a picture so that it covers `size`, keeps its proportions and is centred. The overhang is cut off.
///
/// It is reduced by the mean over each pixel's area, and enlarged by blending neighbours. `pixels` is premultiplied; the result is
/// opaque, with a grey checkerboard below where it was not. Only whole numbers are used: the same pixels on every machine. If
/// either size is empty, the result is transparent pixels.
#[must_use]
pub fn cover(pixels: &Pixels, size: [u32; 2]) -> Pixels {
    let [width, height] = size;
    let from = [pixels.width, pixels.height];
    let count = (width as usize).saturating_mul(height as usize);
    let texels = pixels.rgba.as_chunks::<4>().0;
    let stride = pixels.width as usize;
    let mut rgba = Vec::with_capacity(count.saturating_mul(4));
    if from.contains(&0)
        || size.contains(&0)
        || texels.len() < stride.saturating_mul(pixels.height as usize)
    {
        rgba.resize(count.saturating_mul(4), 0);
        return Pixels { width, height, rgba };
    }
    let [columns, rows] = axes(from, size);
    for y in 0..height {
        let (top, down) = rows.taps(y);
        for x in 0..width {
            let (left, across) = columns.taps(x);
            let mut sums = [0_u64; 4];
            let mut total = 0_u64;
            for (row, part_y) in (top..).zip(down.parts()) {
                let start = row.saturating_mul(stride).saturating_add(left);
                let line = texels.get(start..).unwrap_or_default();
                for (texel, part_x) in line.iter().zip(across.parts()) {
                    let part = part_x.saturating_mul(part_y);
                    total = total.saturating_add(part);
                    for (sum, channel) in sums.iter_mut().zip(texel) {
                        *sum = sum.saturating_add(part.saturating_mul((*channel).into()));
                    }
                }
            }
            let mean = |sum: u64| {
                let rounded = sum.saturating_add(total / 2).checked_div(total).unwrap_or(0);
                u8::try_from(rounded).unwrap_or(u8::MAX)
            };
            let [r, g, b, alpha] = sums.map(mean);
            let [below_r, below_g, below_b] = checker(x, y);
            let clear = 255_u8.saturating_sub(alpha);
            let over = |c: u8, below: u8| c.saturating_add(multiply_255(below, clear));
            rgba.extend([over(r, below_r), over(g, below_g), over(b, below_b), 255]);
        }
    }
    Pixels { width, height, rgba }
}

/// Returns the colour of a pixel of the checkerboard.
fn checker(x: u32, y: u32) -> [u8; 3] {
    let (even, odd, side) = CHECKER;
    let square = |at: u32| at.checked_div(side).unwrap_or(0);
    match square(x).saturating_add(square(y)).is_multiple_of(2) {
        true => even,
        false => odd,
    }
}

/// The visible part of a side.
#[derive(Clone, Copy, Debug)]
struct CoverAxis {
    /// Source pixels.
    from: u64,
    /// Output pixels.
    to: u64,
    /// Start and length of the visible part, in 1/[`PARTS`] of a source pixel.
    start: u64,
    length: u64,
}

/// Returns columns and rows. One of them is wholly visible, the other is cut on both sides.
fn axes(from: [u32; 2], to: [u32; 2]) -> [CoverAxis; 2] {
    let ([from_x, from_y], [to_x, to_y]) = (from.map(u64::from), to.map(u64::from));
    let whole = |from: u64| from.saturating_mul(PARTS);
    // Length required by the other side's scale, if that side is fully visible.
    let cut = |other_from: u64, own_to: u64, other_to: u64| {
        let length = whole(other_from).saturating_mul(own_to);
        length.checked_div(other_to).unwrap_or(0)
    };
    let wider = to_x.saturating_mul(from_y) >= from_x.saturating_mul(to_y);
    let lengths = if wider {
        [whole(from_x), cut(from_x, to_y, to_x).min(whole(from_y))]
    } else {
        [cut(from_y, to_x, to_y).min(whole(from_x)), whole(from_y)]
    };
    let [length_x, length_y] = lengths;
    let axis = |from: u64, to: u64, length: u64| CoverAxis {
        from,
        to,
        start: whole(from).saturating_sub(length) / 2,
        length,
    };
    [axis(from_x, to_x, length_x), axis(from_y, to_y, length_y)]
}

/// Consecutive source pixels and their weights. All those between the first and the last have the same weight.
#[derive(Clone, Copy, Debug)]
struct Taps {
    first: u64,
    between: u64,
    last: u64,
}

impl Taps {
    fn parts(self) -> impl Iterator<Item = u64> {
        let between = usize::try_from(self.between).unwrap_or(usize::MAX);
        let ends = |part: u64| std::iter::once(part).filter(|part| *part > 0);
        std::iter::once(self.first)
            .chain(std::iter::repeat_n(PARTS, between))
            .chain(ends(self.last))
    }
}

impl CoverAxis {
    /// Returns the source of a pixel: the index of the first source pixel, and the weights from there on.
    fn taps(&self, pixel: u32) -> (usize, Taps) {
        let pixel = u64::from(pixel);
        let at = |numerator: u64, denominator: u64| {
            let along = self.length.saturating_mul(numerator).checked_div(denominator);
            self.start.saturating_add(along.unwrap_or(0))
        };
        let index = |part: u64| usize::try_from(part / PARTS).unwrap_or(usize::MAX);
        if self.length > self.to.saturating_mul(PARTS) {
            let from = at(pixel, self.to);
            let end = at(pixel.saturating_add(1), self.to);
            let (first_end, last_start) = (from / PARTS, end / PARTS);
            let first_end = first_end.saturating_add(1).saturating_mul(PARTS);
            let last_start = last_start.saturating_mul(PARTS);
            let taps = Taps {
                first: first_end.min(end).saturating_sub(from),
                between: last_start.saturating_sub(first_end) / PARTS,
                last: if last_start >= first_end { end.saturating_sub(last_start) } else { 0 },
            };
            return (index(from), taps);
        }
        // The pixel's middle, less the middle of a source pixel, within the first and the last of those.
        let middle = at(pixel.saturating_mul(2).saturating_add(1), self.to.saturating_mul(2));
        let most = self.from.saturating_sub(1).saturating_mul(PARTS);
        let place = middle.saturating_sub(PARTS / 2).min(most);
        let last = place % PARTS;
        let taps = Taps { first: PARTS.saturating_sub(last), between: 0, last };
        (index(place), taps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn greys([width, height]: [u32; 2], greys: &[u8]) -> Pixels {
        Pixels {
            width,
            height,
            rgba: greys.iter().flat_map(|grey| [*grey, *grey, *grey, 255]).collect(),
        }
    }

    fn covered(pixels: &Pixels, size: [u32; 2]) -> Vec<u8> {
        let out = cover(pixels, size);
        assert_eq!([out.width, out.height], size);
        let texels = out.rgba.as_chunks::<4>().0;
        assert!(texels.iter().all(|[r, g, b, a]| r == g && g == b && *a == 255));
        texels.iter().map(|[r, ..]| *r).collect()
    }

    #[test]
    fn a_picture_of_the_right_size_stays_as_it_is() {
        let picture = greys([3, 2], &[0, 10, 20, 30, 40, 250]);
        assert_eq!(cover(&picture, [3, 2]), picture);
    }

    #[test]
    fn a_smaller_pixel_is_the_mean_of_its_area() {
        let picture = greys([4, 2], &[0, 10, 100, 110, 20, 30, 120, 130]);
        assert_eq!(covered(&picture, [2, 1]), [15, 115]);
        // Three pixels become two: the middle one is halved.
        let picture = greys([3, 3], &[0, 90, 240, 0, 90, 240, 0, 90, 240]);
        assert_eq!(covered(&picture, [2, 2]), [30, 190, 30, 190]);
    }

    #[test]
    fn larger_pixels_blend_their_neighbours() {
        assert_eq!(covered(&greys([2, 2], &[0, 200, 0, 200]), [4, 4])[..4], [0, 50, 150, 200]);
        assert_eq!(covered(&greys([1, 1], &[7]), [3, 2]), [7; 6]);
    }

    #[test]
    fn what_is_too_much_is_cut_on_both_sides() {
        assert_eq!(covered(&greys([4, 1], &[9, 10, 20, 9]), [2, 1]), [10, 20]);
        assert_eq!(covered(&greys([1, 4], &[9, 10, 20, 9]), [1, 2]), [10, 20]);
        assert_eq!(covered(&greys([2, 3], &[1, 2, 3, 4, 5, 6]), [2, 1]), [3, 4]);
    }

    #[test]
    fn every_size_is_covered_and_one_colour_stays_itself() {
        for sides in [[1, 1], [1, 9], [7, 2], [5, 5], [13, 3]] {
            let picture = greys(sides, &[77; 40]);
            for size in [[1, 1], [2, 7], [9, 1], [16, 16], [3, 4]] {
                assert!(covered(&picture, size).iter().all(|grey| *grey == 77), "{size:?}");
            }
        }
    }

    #[test]
    fn a_checkerboard_lies_below_what_is_clear_and_nothing_stays_nothing() {
        let half = Pixels { width: 1, height: 1, rgba: vec![60, 0, 0, 128] };
        assert_eq!(cover(&half, [1, 1]).rgba, [162, 102, 102, 255]);
        let greys = cover(&Pixels { width: 1, height: 1, rgba: vec![0; 4] }, [16, 16]).rgba;
        let of = |x: usize, y: usize| &greys[(y * 16 + x) * 4..][..4];
        assert_eq!(of(7, 7), [204, 204, 204, 255]);
        assert_eq!(of(8, 7), [153, 153, 153, 255]);
        assert_eq!(of(8, 8), of(0, 0));
        assert_eq!(cover(&Pixels { width: 0, height: 0, rgba: Vec::new() }, [1, 1]).rgba, [0; 4]);
        assert_eq!(cover(&half, [0, 5]).rgba, [0; 0]);
    }
}
