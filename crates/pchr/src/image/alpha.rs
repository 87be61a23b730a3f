//! Straight and premultiplied alpha, tints of whole layers, and a picture behind the character, fitted to the size of the output, over
//! the checkerboard.

use super::Pixels;

/// Returns `round(a · b / 255)`, exactly.
#[must_use]
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the result is at most 255")]
pub fn multiply_255(a: u8, b: u8) -> u8 {
    let product = (a as u32).wrapping_mul(b as u32).wrapping_add(128);
    (product.wrapping_add(product >> 8) >> 8) as u8
}

/// Returns a pixel over another one, as a GPU's blend unit does it: `source + target · (255 − source alpha) / 255`, rounded to the
/// nearest; both premultiplied. For a byte `!alpha` is `255 − alpha`.
#[must_use]
#[inline(always)]
pub fn over(source: [u8; 4], target: [u8; 4]) -> [u8; 4] {
    let [.., alpha] = source;
    let mut out = source;
    for (out, target) in out.iter_mut().zip(target) {
        *out = out.saturating_add(multiply_255(target, !alpha));
    }
    out
}

/// Bytes of a group of eight pixels.
const BLOCK: usize = 8 * 4;

/// Multiplies colour by alpha in place.
///
/// Most of an atlas is opaque or empty: groups of eight pixels that are all one or the other skip the multiplication.
pub fn premultiply(rgba: &mut [u8]) {
    let (blocks, rest) = rgba.as_chunks_mut::<BLOCK>();
    for block in blocks {
        match alphas(block) {
            (_, 0) => *block = [0; BLOCK],
            (u8::MAX, _) => {}
            _ => premultiply_block(block),
        }
    }
    for pixel in rest.as_chunks_mut::<4>().0 {
        let [r, g, b, a] = *pixel;
        *pixel = [multiply_255(r, a), multiply_255(g, a), multiply_255(b, a), a];
    }
}

/// As [`multiply_255`] for each channel, in loops that become vectors.
fn premultiply_block(block: &mut [u8; BLOCK]) {
    let mut factors = [[0; 4]; BLOCK / 4];
    for (factors, pixel) in factors.iter_mut().zip(block.as_chunks().0) {
        let alpha = u32::from_le_bytes(*pixel) >> 24;
        // 255 takes the place of alpha, which stays as it is.
        *factors = (alpha | (alpha << 8) | (alpha << 16) | 0xff00_0000).to_le_bytes();
    }
    for (channel, factor) in block.iter_mut().zip(factors.as_flattened()) {
        // At most 255 * 255 + 128 + 254.
        let product = u16::from(*channel).wrapping_mul((*factor).into()).wrapping_add(128);
        let [_, quotient] = product.wrapping_add(product >> 8).to_le_bytes();
        *channel = quotient;
    }
}

/// Multiplies the colour of each pixel by another one in place: RGBA by RGB.
pub fn multiply(rgba: &mut [u8], tint: [u8; 3]) {
    if tint == [u8::MAX; 3] {
        return;
    }
    let [by_red, by_green, by_blue] = tint;
    for [red, green, blue, _] in rgba.as_chunks_mut::<4>().0 {
        *red = multiply_255(*red, by_red);
        *green = multiply_255(*green, by_green);
        *blue = multiply_255(*blue, by_blue);
    }
}

/// Divides colour by alpha in place, rounding to the nearest; transparent pixels become 0.
///
/// Groups of eight pixels that are all opaque or empty skip the division, as in [`premultiply`].
pub fn unpremultiply(rgba: &mut [u8]) {
    let (blocks, rest) = rgba.as_chunks_mut::<BLOCK>();
    for block in blocks {
        match alphas(block) {
            (_, 0) => *block = [0; BLOCK],
            (u8::MAX, _) => {}
            _ => unpremultiply_each(block),
        }
    }
    unpremultiply_each(rest);
}

#[inline(always)]
fn unpremultiply_each(rgba: &mut [u8]) {
    for pixel in rgba.as_chunks_mut::<4>().0 {
        let [r, g, b, a] = *pixel;
        let (half, inverse) = (u64::from(a / 2), inverse(a));
        let divide = |c: u8| {
            let scaled = u64::from(c).wrapping_mul(255).wrapping_add(half);
            let quotient = scaled.wrapping_mul(inverse) >> 24;
            u8::try_from(quotient).unwrap_or(u8::MAX)
        };
        *pixel = [divide(r), divide(g), divide(b), a];
    }
}

/// Returns the bits that all alphas of a group have, and those that any has.
#[inline(always)]
fn alphas(block: &[u8; BLOCK]) -> (u8, u8) {
    let alphas = block.as_chunks().0.iter().map(|[.., a]: &[u8; 4]| *a);
    alphas.fold((u8::MAX, 0), |(all, any), a| (all & a, any | a))
}

/// Returns the factor that divides by a number: a product with it, in 1/2²⁴, is the exact quotient of every number below 2²⁴ / 255.
/// That of 0 is 0.
#[inline(always)]
fn inverse(of: u8) -> u64 {
    #[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
    static INVERSES: [u32; 256] = {
        let mut inverses = [0; 256];
        let (mut i, mut number) = (1, 1_u32);
        while i < inverses.len() {
            inverses[i] = (1_u32 << 24).div_ceil(number);
            (i, number) = (i + 1, number + 1);
        }
        inverses
    };
    INVERSES.get(usize::from(of)).copied().unwrap_or_default().into()
}

/// Colour and opacity that a layer gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tint {
    /// RGB, sRGB-encoded.
    pub color: [u8; 3],
    /// Share of this colour in the layer's, in 1/255.
    pub share: u8,
    /// Opacity of the layer, in 1/255.
    pub opacity: u8,
}

impl Tint {
    /// Returns a pixel of a layer in this tint. Both are premultiplied. The shader `ghost.wgsl` has the same arithmetic.
    #[must_use]
    #[inline(always)]
    pub fn apply(self, [r, g, b, a]: [u8; 4]) -> [u8; 4] {
        let [to_r, to_g, to_b] = self.color;
        let mix = |from: u8, to: u8| {
            let (own, added) =
                (multiply_255(from, !self.share), multiply_255(multiply_255(to, a), self.share));
            multiply_255(own.saturating_add(added).min(a), self.opacity)
        };
        let alpha = multiply_255(a, self.opacity);
        [mix(r, to_r), mix(g, to_g), mix(b, to_b), alpha]
    }

    /// Lays `layer`, in this tint, over a picture of the same size.
    pub fn lay(self, layer: &Pixels, out: &mut Pixels) {
        debug_assert!(
            [layer.width, layer.height] == [out.width, out.height],
            "layers have the size of their picture"
        );
        let pixels = out.rgba.as_chunks_mut().0.iter_mut();
        for (pixel, source) in pixels.zip(layer.rgba.as_chunks::<4>().0) {
            if *source != [0; 4] {
                *pixel = over(self.apply(*source), *pixel);
            }
        }
    }
}

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
            let [r, g, b] = checker(x, y);
            rgba.extend(over(sums.map(mean), [r, g, b, 255]));
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

    /// All pairs of numbers.
    fn pairs() -> impl Iterator<Item = (u8, u8)> {
        (0..=255).flat_map(|a| (0..=255).map(move |b| (a, b)))
    }

    #[test]
    fn blending_is_rounded_to_the_nearest() {
        for (alpha, target) in pairs() {
            let source = alpha / 3;
            let rest = f64::from(target) * f64::from(255 - alpha) / 255.0;
            let wanted = f64::from(source) + rest.round();
            let [red, ..] = over([source, 0, 0, alpha], [target, 0, 0, 255]);
            assert_eq!(f64::from(red), wanted, "{alpha} {target}");
        }
    }

    #[test]
    fn transparent_changes_nothing_and_opaque_replaces() {
        for c in 0..=255 {
            assert_eq!(over([0; 4], [c, 1, 2, c]), [c, 1, 2, c]);
            assert_eq!(over([c, 3, 4, 255], [9; 4]), [c, 3, 4, 255]);
        }
    }

    #[test]
    fn colours_above_their_alpha_do_not_wrap() {
        assert_eq!(over([255, 255, 0, 1], [255; 4]), [255, 255, 254, 255]);
    }

    #[test]
    fn the_product_is_rounded_exactly() {
        for (a, b) in pairs() {
            let exact = (f64::from(a) * f64::from(b) / 255.0).round();
            assert_eq!(f64::from(multiply_255(a, b)), exact, "{a} {b}");
        }
    }

    #[test]
    fn whole_images_are_multiplied_as_single_values_are() {
        let low = |i: u32| i.to_le_bytes()[0];
        let pixel = |i: u32| [low(i >> 8), low(i >> 5), low(i >> 3), low(i)];
        // Every colour with every alpha, and long runs of opaque and of empty pixels.
        let pixels =
            (0..0x1_0000).map(pixel).chain((0..99).map(|i| [i, 255 - i, 7, 255 * (i / 50)]));
        let mut rgba: Vec<u8> = pixels.clone().flatten().collect();
        premultiply(&mut rgba);
        for ([r, g, b, a], out) in pixels.zip(rgba.as_chunks::<4>().0) {
            assert_eq!(*out, [multiply_255(r, a), multiply_255(g, a), multiply_255(b, a), a]);
        }
    }

    #[test]
    fn the_quotient_is_rounded_exactly() {
        for (c, a) in pairs().filter(|(_, a)| *a > 0) {
            let exact = (u32::from(c) * 255 + u32::from(a) / 2) / u32::from(a);
            let mut pixel = [c, 0, 255, a];
            unpremultiply(&mut pixel);
            assert_eq!(u32::from(pixel[0]), exact.min(255), "{c} {a}");
        }
    }

    const HALF: Tint = Tint { color: [0, 0, 255], share: 128, opacity: 255 };

    #[test]
    fn a_tint_mixes_its_colour_in_and_then_fades() {
        assert_eq!(HALF.apply([255, 0, 0, 255]), [127, 0, 128, 255]);
        let faint = Tint { opacity: 51, ..HALF };
        assert_eq!(faint.apply([255, 0, 0, 255]), [25, 0, 26, 51]);
        assert_eq!(HALF.apply([0; 4]), [0; 4], "what is empty stays empty");
    }

    #[test]
    fn no_colour_exceeds_its_alpha() {
        for (a, share) in pairs() {
            let tint = Tint { color: [255; 3], share, opacity: 255 - share / 3 };
            let [r, g, b, a] = tint.apply([a, a / 2, 0, a]);
            assert!(r <= a && g <= a && b <= a, "{a} {share}");
        }
    }

    #[test]
    fn a_layer_lies_over_the_picture() {
        let picture = |rgba: [[u8; 4]; 2]| Pixels { width: 2, height: 1, rgba: rgba.concat() };
        let mut out = picture([[0, 255, 0, 255], [9, 9, 9, 9]]);
        let tint = Tint { opacity: 51, ..HALF };
        tint.lay(&picture([[255, 0, 0, 255], [0; 4]]), &mut out);
        assert_eq!(out, picture([[25, 204, 26, 255], [9, 9, 9, 9]]));
    }

    fn greys([width, height]: [u32; 2], greys: &[u8]) -> Pixels {
        let rgba = greys.iter().flat_map(|grey| [*grey, *grey, *grey, 255]).collect();
        Pixels { width, height, rgba }
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
