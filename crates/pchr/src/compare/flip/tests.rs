#![expect(
    clippy::cast_possible_truncation,
    reason = "the numbers are small, or cut to make them so"
)]

use super::*;
use crate::compare::{Ignored, Region};

/// xorshift32: the same numbers on every machine.
struct Noise(u32);

impl Noise {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }
}

fn picture(width: u32, height: u32, mut pixel: impl FnMut(u32, u32) -> [u8; 4]) -> Pixels {
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    Pixels { width, height, rgba: places.flat_map(|(x, y)| pixel(x, y)).collect() }
}

fn noise(width: u32, height: u32, seed: u32) -> Pixels {
    let mut noise = Noise(seed);
    picture(width, height, |_, _| {
        let [r, g, b, _] = noise.next().to_le_bytes();
        [r, g, b, 255]
    })
}

fn plain(width: u32, height: u32, color: [u8; 4]) -> Pixels {
    picture(width, height, |_, _| color)
}

fn ramp(x: u32, y: u32) -> [u8; 4] {
    [(x % 251) as u8, (y * 3 % 256) as u8, (x ^ y) as u8, 255]
}

/// Returns a disc on a transparent background; the pixels at its edge are half transparent.
fn disc(size: u32, at: [i64; 2], radius: i64, [r, g, b]: [u8; 3]) -> Pixels {
    picture(size, size, |x, y| {
        let [x, y] = [i64::from(x) - at[0], i64::from(y) - at[1]];
        let distance = x * x + y * y;
        if distance <= radius * radius {
            [r, g, b, 255]
        } else if distance <= (radius + 1) * (radius + 1) {
            [r, g, b, 128]
        } else {
            [0; 4]
        }
    })
}

fn with(mut pixels: Pixels, places: &[([u32; 2], [u8; 4])]) -> Pixels {
    for ([x, y], color) in places {
        pixels.rgba.as_chunks_mut::<4>().0[(y * pixels.width + x) as usize] = *color;
    }
    pixels
}

/// Pairs of pictures, and the mean that the authors' program in C++ (version 1.2) has for them: the larger of those over black
/// and over white. Its features are square roots of small differences, so its rounding is seen in the fifth digit.
fn known() -> Vec<(&'static str, [Pixels; 2], f64)> {
    let (wide, high) = (281, 130);
    let ramps = || picture(wide, high, ramp);
    let bars = |bar: u32| {
        picture(96, 64, move |x, _| if x == bar { [0, 0, 0, 255] } else { [128, 128, 128, 255] })
    };
    let checks = |odd: u32| {
        picture(80, 80, move |x, y| match (x / 4 + y / 4 + odd) % 2 {
            0 => [0, 0, 0, 255],
            _ => [255; 4],
        })
    };
    let lines = noise(96, 64, 1);
    let mut a_little = lines.clone();
    for pixel in a_little.rgba.as_chunks_mut::<4>().0.iter_mut().step_by(20) {
        *pixel = [pixel[0] ^ 1, pixel[1] ^ 1, pixel[2] ^ 1, 255];
    }
    let fox = |at: i64| disc(96, [at, 48], 30, [226, 120, 50]);
    vec![
        ("black and white", [plain(1, 1, [0, 0, 0, 255]), plain(1, 1, [255; 4])], 0.967_391_8),
        ("blue and green", [plain(40, 24, [0, 0, 255, 255]), plain(40, 24, [0, 255, 0, 255])], 1.0),
        ("two noises", [noise(96, 64, 1), noise(96, 64, 2)], 0.445_132_8),
        ("a noise, a level more or less", [lines, a_little], 0.005_116_9),
        ("a ramp and another", [ramps(), picture(wide, high, |x, y| ramp(x, y + 40))], 0.953_545_1),
        (
            "around the corner of four tiles",
            [ramps(), with(ramps(), &[([127, 63], [255, 0, 255, 255]), ([129, 66], [255; 4])])],
            0.000_348_2,
        ),
        (
            "beyond the edge of a tile",
            [
                ramps(),
                with(ramps(), &[([118, 60], [0, 255, 0, 255]), ([266, 60], [0, 255, 0, 255])]),
            ],
            0.000_445_9,
        ),
        (
            "a pixel in a corner",
            [ramps(), with(ramps(), &[([280, 129], [255, 255, 0, 255])])],
            0.000_406_6,
        ),
        ("a line that moved", [bars(40), bars(43)], 0.020_405_7),
        ("checks and their negative", [checks(0), checks(1)], 0.556_480_9),
        ("a disc that moved by a pixel", [fox(48), fox(49)], 0.054_013_5),
        ("a disc that moved far", [fox(35), fox(60)], 0.419_498_7),
        (
            "a disc in another colour",
            [fox(48), disc(96, [48, 48], 30, [220, 118, 60])],
            0.066_016_7,
        ),
        (
            "a dark disc and nothing",
            [disc(96, [48, 48], 30, [12, 10, 20]), plain(96, 96, [0; 4])],
            0.355_594_7,
        ),
        ("a column", [noise(1, 300, 7), noise(1, 300, 8)], 0.701_757_4),
        ("a row", [noise(300, 1, 9), noise(300, 1, 10)], 0.702_709_8),
    ]
}

fn mean_of([expected, actual]: &[Pixels; 2]) -> f64 {
    Pair::new(expected, actual).unwrap().mean_flip()
}

#[test]
fn means_are_those_of_the_authors_program() {
    for (name, pair, theirs) in known() {
        let ours = mean_of(&pair);
        assert!((ours - theirs).abs() < 1e-4, "{name}: {ours} {theirs}");
    }
}

#[test]
fn means_are_the_same_with_all_instructions() {
    for (name, [expected, actual], _) in known() {
        let pair = Pair::new(&expected, &actual).unwrap();
        let [best, least] = [Level::new(), Level::baseline()].map(|level| mean_at(level, &pair));
        assert_eq!(best.to_bits(), least.to_bits(), "{name}");
    }
}

#[test]
fn equal_pictures_have_no_error() {
    for (_, [picture, _], _) in known() {
        assert_eq!(mean_of(&[picture.clone(), picture]), 0.0);
    }
}

#[test]
fn what_is_seen_over_one_background_only_counts() {
    let nothing = || plain(1, 1, [0; 4]);
    for color in [[255; 4], [0, 0, 0, 255]] {
        assert!(mean_of(&[nothing(), plain(1, 1, color)]) > 0.9);
    }
    assert_eq!(mean_of(&[nothing(), plain(1, 1, [255, 255, 255, 0])]), 0.0);
}

#[test]
fn ignored_pixels_have_no_error_and_are_not_counted() {
    let (black, white) = ([0, 0, 0, 255], [255; 4]);
    let expected = plain(200, 10, black);
    let mut actual = picture(200, 10, |x, _| if x < 40 { white } else { black });
    let region = Region { x: 0, y: 0, width: 100, height: 10 };
    let ignored = Ignored::new([200, 10], &[region], None).unwrap().unwrap();
    let mean = |actual: &Pixels| Pair::ignoring(&expected, actual, &ignored).unwrap().mean_flip();
    assert_eq!(mean(&actual), 0.0);
    // Far from there, half of the picture is compared: the error is twice that of the whole picture.
    actual = with(expected.clone(), &[([180, 5], white)]);
    let whole = mean_of(&[expected.clone(), actual.clone()]);
    assert!(whole > 0.0 && (mean(&actual) - 2.0 * whole).abs() < 1e-12);
}
