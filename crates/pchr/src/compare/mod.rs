//! Differences of two pictures: their size, place and visibility, and a picture of them. [`Pair`] is the entry point.
//!
//! Needs the feature `compare`.
//!
//! Pixels have straight alpha here, as in PNG files. The pictures of a pair have one size; [`Ignored`] pixels are not compared.
//!
//! # The difference of two pixels
//!
//! It is the largest difference of their four channels. Colours are multiplied by their alpha first, since only the product is
//! visible over any background: the colour of a nearly transparent pixel is mostly rounding. Pixels whose stored bytes are not
//! equal differ by at least 1, so that a tolerance of 0 means equal bytes.

mod difference;
mod difference_picture;
mod flip;

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::image::Pixels;

#[cfg(feature = "schema")]
pub use difference::DifferenceReport;
pub use difference::{
    BUCKETS, Bucket, Channel, Difference, Largest, MaxOutliers, MaxOutliersError, Tolerance,
};
pub use difference_picture::picture_of_sizes;

/// Pictures of two sizes cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {}x{}, found {}x{}", .expected[0], .expected[1], .actual[0], .actual[1])]
pub struct SizesDiffer {
    /// Expected width and height.
    pub expected: [u32; 2],
    /// Actual width and height.
    pub actual: [u32; 2],
}

impl SizesDiffer {
    fn check(expected: [u32; 2], actual: [u32; 2]) -> Result<(), Self> {
        if expected == actual { Ok(()) } else { Err(Self { expected, actual }) }
    }
}

/// Two pictures of one size with straight alpha, and their ignored pixels.
#[derive(Clone, Debug)]
pub struct Pair<'a> {
    expected: &'a Pixels,
    /// The actual picture, with ignored pixels copied from `expected`.
    actual: Cow<'a, Pixels>,
    ignored: Option<&'a Ignored>,
}

impl<'a> Pair<'a> {
    /// Creates a pair; all of its pixels are compared.
    ///
    /// # Errors
    /// [`SizesDiffer`] if they do not have the same size.
    pub fn new(expected: &'a Pixels, actual: &'a Pixels) -> Result<Self, SizesDiffer> {
        SizesDiffer::check(size(expected), size(actual))?;
        Ok(Self { expected, actual: Cow::Borrowed(actual), ignored: None })
    }

    /// Creates a pair with ignored pixels.
    ///
    /// # Errors
    /// [`SizesDiffer`] if they do not have the same size, or `ignored` was made for another.
    pub fn ignoring(
        expected: &'a Pixels,
        actual: &'a Pixels,
        ignored: &'a Ignored,
    ) -> Result<Self, SizesDiffer> {
        SizesDiffer::check(size(expected), size(actual))?;
        SizesDiffer::check(size(expected), ignored.size)?;
        let mut actual = actual.clone();
        let texels = actual.rgba.as_chunks_mut::<4>().0.iter_mut();
        let texels = texels.zip(expected.rgba.as_chunks::<4>().0);
        for ((actual, expected), ignored) in texels.zip(&ignored.pixels) {
            if *ignored {
                *actual = *expected;
            }
        }
        Ok(Self { expected, actual: Cow::Owned(actual), ignored: Some(ignored) })
    }

    fn size(&self) -> [u32; 2] {
        size(self.expected)
    }

    /// Returns the expected and the actual picture.
    fn pictures(&self) -> [&Pixels; 2] {
        [self.expected, &self.actual]
    }

    /// Returns the number of compared pixels.
    fn counted(&self) -> u64 {
        let [width, height] = self.size();
        let ignored = self.ignored.map_or(0, Ignored::count);
        (u64::from(width) * u64::from(height)).saturating_sub(ignored)
    }

    fn is_equal(&self) -> bool {
        self.expected.rgba == self.actual.rgba
    }

    fn ignores(&self, at: [u32; 2]) -> bool {
        self.ignored.is_some_and(|ignored| ignored.contains(at))
    }
}

fn size(pixels: &Pixels) -> [u32; 2] {
    [pixels.width, pixels.height]
}

/// A rectangle of a picture in pixels, from the upper left corner, Y down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Region {
    /// First column.
    pub x: u32,
    /// First row.
    pub y: u32,
    /// Columns, at least 1.
    pub width: u32,
    /// Rows, at least 1.
    pub height: u32,
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { x, y, width, height } = self;
        write!(f, "{x},{y},{width}x{height}")
    }
}

/// The text is not a rectangle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid rectangle {0:?}: expected X,Y,WxH in pixels from the top left corner, like 0,240,64x16"
)]
pub struct RegionError(String);

impl FromStr for Region {
    type Err = RegionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let region = || {
            let (x, rest) = text.split_once(',')?;
            let (y, size) = rest.split_once(',')?;
            let (width, height) = size.split_once(['x', 'X', '×'])?;
            let number = |text: &str| text.trim().parse::<u32>().ok();
            let positive = |text: &str| number(text).filter(|number| *number > 0);
            Some(Self {
                x: number(x)?,
                y: number(y)?,
                width: positive(width)?,
                height: positive(height)?,
            })
        };
        region().ok_or_else(|| RegionError(text.to_owned()))
    }
}

/// The pixels cannot be ignored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IgnoreError {
    /// A rectangle does not lie in the picture.
    #[error("{region} lies partly outside the picture, which is {}x{}", .size[0], .size[1])]
    Outside {
        /// The rectangle.
        region: Region,
        /// Width and height of the picture.
        size: [u32; 2],
    },
    /// A mask has another size than the picture.
    #[error("the mask is {}x{}, the picture {}x{}", .mask[0], .mask[1], .size[0], .size[1])]
    MaskSize {
        /// Width and height of the mask.
        mask: [u32; 2],
        /// Width and height of the picture.
        size: [u32; 2],
    },
    /// No pixel would be compared.
    #[error("every pixel would be ignored, so nothing would be compared")]
    Everything,
}

/// Pixels of a picture that are not compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    size: [u32; 2],
    /// Flags of the pixels, row by row.
    pixels: Vec<bool>,
    count: u64,
}

impl Ignored {
    /// Returns the pixels of a picture of `size` that lie in one of `regions`, or are painted in `mask`: neither transparent nor
    /// black. Returns `None` if there are none.
    ///
    /// # Errors
    /// [`IgnoreError`] if they do not fit the picture, or cover all of it.
    pub fn new(
        size: [u32; 2],
        regions: &[Region],
        mask: Option<&Pixels>,
    ) -> Result<Option<Self>, IgnoreError> {
        let [width, height] = size.map(|side| side as usize);
        let mut pixels = vec![false; width.saturating_mul(height)];
        for region in regions {
            let fits = |from: u32, length: u32, side: u32| {
                from.checked_add(length).is_some_and(|end| end <= side)
            };
            if !fits(region.x, region.width, size[0]) || !fits(region.y, region.height, size[1]) {
                return Err(IgnoreError::Outside { region: *region, size });
            }
            let rows = pixels.chunks_exact_mut(width.max(1));
            for row in rows.skip(region.y as usize).take(region.height as usize) {
                let columns = row.iter_mut().skip(region.x as usize);
                columns.take(region.width as usize).for_each(|pixel| *pixel = true);
            }
        }
        if let Some(mask) = mask {
            let of = [mask.width, mask.height];
            if of != size {
                return Err(IgnoreError::MaskSize { mask: of, size });
            }
            for (pixel, [r, g, b, a]) in pixels.iter_mut().zip(mask.rgba.as_chunks::<4>().0) {
                *pixel |= *a > 0 && (*r > 0 || *g > 0 || *b > 0);
            }
        }
        let count = pixels.iter().filter(|pixel| **pixel).count() as u64;
        if count > 0 && count == pixels.len() as u64 {
            return Err(IgnoreError::Everything);
        }
        Ok((count > 0).then_some(Self { size, pixels, count }))
    }

    /// Returns the number of pixels, at least 1.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    fn contains(&self, [x, y]: [u32; 2]) -> bool {
        let [width, _] = self.size;
        let at = (y as usize).saturating_mul(width as usize).saturating_add(x as usize);
        x < width && self.pixels.get(at).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::cast_possible_truncation,
        reason = "the numbers are small, or cut to make them so"
    )]

    use proptest::prelude::*;

    use super::*;

    /// Returns the mean FLIP error of two pictures of one size.
    fn mean_flip(expected: &Pixels, actual: &Pixels) -> f64 {
        Pair::new(expected, actual).unwrap().mean_flip()
    }

    fn difference_picture(expected: &Pixels, actual: &Pixels, tolerance: u8) -> Pixels {
        Pair::new(expected, actual).unwrap().picture(tolerance)
    }

    const OPAQUE_GREY: [u8; 4] = [100, 100, 100, 255];

    fn picture(width: u32, height: u32, pixels: impl IntoIterator<Item = [u8; 4]>) -> Pixels {
        let rgba: Vec<u8> = pixels.into_iter().flatten().collect();
        assert_eq!(rgba.len(), (width * height * 4) as usize);
        Pixels { width, height, rgba }
    }

    fn one(pixel: [u8; 4]) -> Pixels {
        picture(1, 1, [pixel])
    }

    fn plain(width: u32, height: u32) -> Pixels {
        picture(width, height, vec![OPAQUE_GREY; (width * height) as usize])
    }

    fn set(pixels: &mut Pixels, [x, y]: [u32; 2], pixel: [u8; 4]) {
        pixels.rgba.as_chunks_mut::<4>().0[(y * pixels.width + x) as usize] = pixel;
    }

    fn histogram(difference: &Difference) -> [u64; 9] {
        difference.histogram().map(|bucket| bucket.pixels)
    }

    /// Returns the difference of two pictures of a pixel, and its channel.
    fn between(expected: [u8; 4], actual: [u8; 4]) -> (u8, Option<Channel>) {
        let largest = Difference::measure(&one(expected), &one(actual)).unwrap().largest();
        let channel = largest.map(|largest| largest.channel);
        (largest.map_or(0, |largest| largest.difference), channel)
    }

    #[test]
    fn the_difference_of_pixels_is_what_is_seen_of_it() {
        use Channel::{Alpha, Blue, Green, Red};
        assert_eq!(between([1, 2, 3, 4], [1, 2, 3, 4]), (0, None));
        assert_eq!(between([10, 20, 30, 255], [12, 25, 27, 255]), (5, Some(Green)));
        assert_eq!(between([9, 9, 9, 255], [9, 9, 200, 255]), (191, Some(Blue)));
        // Half transparent, half as much of a colour is seen: 200 * 128 / 255 = 100.4, 100 * 128 / 255 = 50.2.
        assert_eq!(between([200, 0, 0, 128], [100, 0, 0, 128]), (50, Some(Red)));
        // White that fades changes equally in all channels: alpha causes it.
        assert_eq!(between([255; 4], [255, 255, 255, 55]), (200, Some(Alpha)));
        // A colour that is not seen is still another file.
        assert_eq!(between([0; 4], [0, 255, 0, 0]), (1, Some(Green)));
        assert_eq!(between([0, 0, 7, 1], [0, 0, 0, 1]), (1, Some(Blue)));
    }

    #[test]
    fn a_hidden_pixel_is_found_with_its_size_place_and_channel() {
        // 35 pixels: neither a whole number of blocks nor less than one.
        let expected = plain(7, 5);
        let mut actual = expected.clone();
        set(&mut actual, [6, 4], [100, 100, 108, 255]);
        set(&mut actual, [2, 1], [100, 103, 100, 255]);
        set(&mut actual, [3, 4], [92, 100, 100, 255]);
        let difference = Difference::measure(&expected, &actual).unwrap();
        assert_eq!((difference.pixels(), difference.differing()), (35, 3));
        let [expected, actual] = [[100, 100, 100, 255], [92, 100, 100, 255]];
        let first = Largest { difference: 8, at: [3, 4], channel: Channel::Red, expected, actual };
        assert_eq!(difference.largest(), Some(first), "the first of two");
        assert_eq!(histogram(&difference), [0, 0, 1, 2, 0, 0, 0, 0, 0]);
        let wanted = [3, 2, 2, 0, 0];
        assert_eq!([2, 3, 7, 8, 255].map(|tolerance| difference.outliers(tolerance)), wanted);
        assert!(!difference.alpha_only());
    }

    #[test]
    fn equal_pictures_do_not_differ() {
        let difference = Difference::measure(&plain(4, 4), &plain(4, 4)).unwrap();
        assert_eq!((difference.pixels(), difference.differing()), (16, 0));
        assert_eq!(difference.largest(), None);
        assert!(!difference.alpha_only());
        assert_eq!(histogram(&difference), [0; 9]);
        assert_eq!(mean_flip(&plain(4, 4), &plain(4, 4)), 0.0);
        let nothing = picture(0, 3, []);
        let difference = Difference::measure(&nothing, &nothing).unwrap();
        assert_eq!((difference.pixels(), difference.differing()), (0, 0));
        assert_eq!(mean_flip(&nothing, &nothing), 0.0);
    }

    #[test]
    fn only_alpha_differs_when_no_stored_colour_does() {
        let expected = plain(3, 1);
        let mut actual = expected.clone();
        set(&mut actual, [1, 0], [100, 100, 100, 10]);
        let difference = Difference::measure(&expected, &actual).unwrap();
        assert!(difference.alpha_only());
        assert_eq!(difference.largest().unwrap().difference, 245);
        set(&mut actual, [2, 0], [100, 101, 100, 255]);
        let difference = Difference::measure(&expected, &actual).unwrap();
        assert!(!difference.alpha_only());
    }

    #[test]
    fn pictures_of_two_sizes_are_not_compared() {
        let (wide, high) = (plain(4, 2), plain(2, 4));
        let error = SizesDiffer { expected: [4, 2], actual: [2, 4] };
        assert_eq!(error.to_string(), "expected 4x2, found 2x4");
        assert_eq!(Difference::measure(&wide, &high), Err(error));
        assert_eq!(Pair::new(&wide, &high).unwrap_err(), error);
    }

    #[test]
    fn a_picture_of_two_sizes_shows_what_both_have_and_stripes_the_rest() {
        let (wide, mut high) = (plain(4, 2), plain(2, 4));
        set(&mut high, [1, 1], [0, 0, 0, 255]);
        let drawn = picture_of_sizes(&wide, &high, 0).unwrap();
        assert_eq!([drawn.width, drawn.height], [4, 4]);
        let pixels = drawn.rgba.as_chunks::<4>().0;
        let same = pixels[0];
        assert!(same[0] == same[1] && same[1] == same[2], "{same:?}");
        assert_eq!([pixels[1], pixels[4]], [same; 2]);
        assert!(pixels[5][0] > pixels[5][2], "an outlier is orange or lighter");
        let rest = (0..16).filter(|at| at % 4 > 1 || at / 4 > 1);
        assert!(rest.clone().all(|at| pixels[at][0] > pixels[at][2] && pixels[at][3] == 255));
        assert_eq!(picture_of_sizes(&high, &wide, 0).unwrap().width, 4);
    }

    #[test]
    fn a_tolerance_allows_so_many_outliers_and_no_more() {
        let expected = plain(10, 10);
        let mut actual = expected.clone();
        set(&mut actual, [0, 0], [103, 100, 100, 255]);
        set(&mut actual, [5, 5], [102, 100, 100, 255]);
        let difference = Difference::measure(&expected, &actual).unwrap();
        let is_within = |channel: u8, max_outliers: &str| {
            difference
                .is_within(&Tolerance { channel, max_outliers: max_outliers.parse().unwrap() })
        };
        assert!(!difference.is_within(&Tolerance::default()));
        assert!(is_within(3, "0") && !is_within(2, "0"));
        assert!(is_within(2, "1") && is_within(2, "1%") && !is_within(2, "0.99%"));
        assert!(is_within(0, "2") && is_within(0, "2%") && !is_within(0, "1.9%"));
    }

    #[test]
    fn outliers_are_counted_in_pixels_or_as_a_share() {
        let of = |text: &str, pixels: u64| text.parse::<MaxOutliers>().unwrap().of(pixels);
        assert_eq!((of("12", 5), of("0.1%", 65_536), of("100%", 65_536)), (12, 65, 65_536));
        assert_eq!((of(" 0 % ", 65_536), of("99.9%", 1)), (0, 0));
        // Each of them is a whole number of pixels that binary fractions come to just below.
        for hundredths in 1..=10_000_u32 {
            let percent = format!("{}.{:02}%", hundredths / 100, hundredths % 100);
            assert_eq!(of(&percent, 10_000), u64::from(hundredths), "{percent}");
        }
        for text in ["12", "0.1%", "0%", "100%"] {
            assert_eq!(text.parse::<MaxOutliers>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_number_of_outliers_is_told_what_one_is() {
        let error = |text: &str| text.parse::<MaxOutliers>().unwrap_err().to_string();
        for text in ["", "%", "few", "-1", "1.5", "0x10", "5%%"] {
            let wanted = format!(
                "invalid limit {text:?}: expected a number of pixels, like 12, or a percentage, like 0.1%"
            );
            assert_eq!(error(text), wanted);
        }
        for text in ["-1%", "100.1%", "inf%", "NaN%"] {
            assert_eq!(error(text), format!("invalid percentage {text:?}: expected 0% to 100%"));
        }
    }

    #[test]
    fn a_difference_of_one_stands_out_of_the_picture() {
        let expected = picture(2, 2, [[0; 4], [255; 4], [0, 0, 0, 255], OPAQUE_GREY]);
        let mut actual = expected.clone();
        set(&mut actual, [1, 1], [100, 101, 100, 255]);
        let shown = difference_picture(&expected, &actual, 0);
        let pixels = shown.rgba.as_chunks::<4>().0;
        assert_eq!(pixels[..3], [20, 84, 36].map(|grey| [grey, grey, grey, 255]));
        assert_eq!(pixels[3], [232, 96, 20, 255]);
        let tolerated = difference_picture(&expected, &actual, 1);
        assert_eq!(tolerated.rgba.as_chunks::<4>().0[3], [64, 144, 255, 255]);
    }

    #[test]
    fn larger_outliers_are_lighter() {
        let light = |difference: u8| {
            let actual = one([difference, difference, difference, 255]);
            let shown = difference_picture(&one([0, 0, 0, 255]), &actual, 0);
            let [r, g, b] = *shown.rgba.first_chunk::<3>().unwrap();
            0.2126 * f64::from(r) + 0.7152 * f64::from(g) + 0.0722 * f64::from(b)
        };
        let lights = BUCKETS.map(|bucket| {
            assert_eq!(light(*bucket.start()), light(*bucket.end()));
            light(*bucket.start())
        });
        assert!(lights.is_sorted_by(|a, b| a + 8.0 < *b), "{lights:?}");
        assert!(lights[0] > 84.0 + 20.0, "lighter than what is behind");
    }

    /// Pixels by difference, the first of the largest, and whether only alpha differs.
    type Facts = ([u64; 256], Option<([u32; 2], u8)>, bool);

    /// Computes the values of [`Difference`] by its definition.
    fn by_definition(expected: &Pixels, actual: &Pixels) -> Facts {
        let mut counts = [0; 256];
        let mut largest = None;
        let mut alpha_only = expected != actual;
        for y in 0..expected.height {
            for x in 0..expected.width {
                let at = ((y * expected.width + x) * 4) as usize;
                let [e, a] = [expected, actual].map(|pixels| &pixels.rgba[at..at + 4]);
                let seen = |pixel: &[u8], channel: usize| match channel {
                    3 => f64::from(pixel[3]),
                    _ => (f64::from(pixel[channel]) * f64::from(pixel[3]) / 255.0).round(),
                };
                let differences = (0..4).map(|channel| (seen(e, channel) - seen(a, channel)).abs());
                let difference = differences.fold(f64::from(e != a), f64::max) as u8;
                counts[usize::from(difference)] += 1;
                if difference > largest.map_or(0, |(_, difference)| difference) {
                    largest = Some(([x, y], difference));
                }
                alpha_only &= e[..3] == a[..3];
            }
        }
        (counts, largest, alpha_only)
    }

    fn two_pictures() -> impl Strategy<Value = (Pixels, Pixels)> {
        // Few colours, so that many pixels are equal; some that are near each other, and some that are not seen.
        let pixel = prop_oneof![
            4 => Just([90, 60, 30, 255]),
            1 => Just([90, 60, 30, 254]),
            1 => (0..4_u8, 0..3_u8).prop_map(|(r, a)| [r * 80, 0, 255, a]),
            1 => any::<[u8; 4]>(),
        ];
        (1..20_u32, 1..9_u32).prop_flat_map(move |(width, height)| {
            let pixels = prop::collection::vec(pixel.clone(), (width * height) as usize);
            (pixels.clone(), pixels).prop_map(move |(expected, actual)| {
                (picture(width, height, expected), picture(width, height, actual))
            })
        })
    }

    proptest! {
        #[test]
        fn measuring_is_what_the_definition_says((expected, actual) in two_pictures()) {
            let difference = Difference::measure(&expected, &actual).unwrap();
            let (counts, largest, alpha_only) = by_definition(&expected, &actual);
            for tolerance in 0..=255_u8 {
                let over: u64 = counts[usize::from(tolerance) + 1..].iter().sum();
                prop_assert_eq!(difference.outliers(tolerance), over);
            }
            prop_assert_eq!(difference.pixels(), counts.iter().sum::<u64>());
            prop_assert_eq!(difference.largest().map(|it| (it.at, it.difference)), largest);
            prop_assert_eq!(difference.alpha_only(), alpha_only);
            prop_assert_eq!(histogram(&difference).iter().sum::<u64>(), difference.differing());
            // Swapping expected and actual changes nothing but the order in which they are named.
            let back = Difference::measure(&actual, &expected).unwrap();
            let swapped = |it: Largest| Largest { expected: it.actual, actual: it.expected, ..it };
            prop_assert_eq!(back.largest().map(swapped), difference.largest());
            prop_assert_eq!(back.alpha_only(), alpha_only);
            prop_assert!((0..=255).all(|tolerance| back.outliers(tolerance) == difference.outliers(tolerance)));
        }
    }
}
