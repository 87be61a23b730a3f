//! A palette for pictures of many colours, and their pixels in it, dithered.
//!
//! Colours are compared in Oklab (Björn Ottosson, "A perceptual color space for image processing", 2020). Arithmetic is the same on every
//! machine.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use rayon::prelude::*;

use pchr::image::Pixels;

/// Colours of a palette, at most; one index is for transparent pixels.
const MOST_COLOURS: usize = 255;
/// Share of a pixel's error that its neighbours take over. With all of it, files are 1 to 5 % larger for less than 3 % of visible error.
const DITHERED: f32 = 0.75;
/// Rounds of moving each colour into the middle of the pixels that it stands for.
const ROUNDS: usize = 2;
/// Least alpha of a pixel that is visible.
const VISIBLE: u8 = 128;

/// How often each colour is seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Histogram(HashMap<[u8; 3], u32>);

impl Histogram {
    /// Counts the visible pixels of a picture with straight alpha.
    pub(crate) fn count(&mut self, pixels: &Pixels) {
        let texels = pixels.rgba.as_chunks::<4>().0.iter();
        let seen = texels.filter(|[.., alpha]| *alpha >= VISIBLE);
        let mut colours: Vec<[u8; 3]> = seen.map(|[r, g, b, _]| [*r, *g, *b]).collect();
        colours.sort_unstable();
        for equal in colours.chunk_by(|a, b| a == b) {
            if let Some(colour) = equal.first() {
                self.add_to(*colour, u32::try_from(equal.len()).unwrap_or(u32::MAX));
            }
        }
    }

    fn add_to(&mut self, colour: [u8; 3], more: u32) {
        let count = self.0.entry(colour).or_default();
        *count = count.saturating_add(more);
    }

    /// Counts what another one has counted.
    pub(crate) fn add(&mut self, other: Self) {
        for (colour, more) in other.0 {
            self.add_to(colour, more);
        }
    }
}

/// A colour of pictures.
#[derive(Clone, Copy, Debug)]
struct Sample {
    lab: [f32; 3],
    /// Number of its pixels.
    count: f32,
    /// Its weight when colours are shared out: the root of its count. By their count, large plain areas would take colours from shades
    /// that are seen as well, for larger files.
    weight: f32,
}

/// Colours that become one, as a part of all samples.
#[derive(Clone, Debug)]
struct Cell {
    range: Range<usize>,
    /// Sum of squared distances to their middle.
    error: f64,
    /// Axis along which they are furthest apart.
    axis: usize,
}

impl Cell {
    fn new(samples: &[Sample], range: Range<usize>) -> Self {
        let of = samples.get(range.clone()).unwrap_or_default();
        let (mut weight, mut sum, mut square) = (0.0, [0.0; 3], [0.0; 3]);
        for sample in of {
            let w = f64::from(sample.weight);
            weight += w;
            for ((value, sum), square) in sample.lab.iter().zip(&mut sum).zip(&mut square) {
                let value = f64::from(*value);
                *sum += value * w;
                *square += value * value * w;
            }
        }
        let along = sum.iter().zip(square).map(|(sum, square)| square - sum * sum / weight);
        let along: Vec<f64> = along.collect();
        let longest = along.iter().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b));
        Self { range, error: along.iter().sum(), axis: longest.map_or(0, |(axis, _)| axis) }
    }

    /// Splits it along its axis into two with the least errors.
    fn split(&mut self, samples: &mut [Sample]) -> Option<Self> {
        let Range { start, end } = self.range.clone();
        let of = samples.get_mut(start..end)?;
        let along = |sample: &Sample| sample.lab.get(self.axis).copied().unwrap_or_default();
        of.par_sort_by(|a, b| along(a).total_cmp(&along(b))); // stable: the same on any number of threads
        let plus = |[w, a, b, c]: [f64; 4], sample: &Sample, sign: f64| {
            let weight = f64::from(sample.weight) * sign;
            let [x, y, z] = sample.lab.map(|value| f64::from(value) * weight);
            [w + weight, a + x, b + y, c + z]
        };
        let mut after = of.iter().fold([0.0; 4], |sum, sample| plus(sum, sample, 1.0));
        let mut before = [0.0; 4];
        let mut best = (f64::MIN, 1);
        for (number, sample) in (1..of.len()).zip(&*of) {
            before = plus(before, sample, 1.0);
            after = plus(after, sample, -1.0);
            let gain = |[w, a, b, c]: [f64; 4]| (a * a + b * b + c * c) / w;
            let gain = gain(before) + gain(after);
            if gain > best.0 {
                best = (gain, number);
            }
        }
        let middle = start + best.1;
        let half = |range| || Self::new(samples, range);
        let (before, after) = rayon::join(half(start..middle), half(middle..end));
        *self = before;
        Some(after)
    }
}

/// Colours for indices, and the nearest one of each colour.
#[derive(Clone, Debug)]
pub(crate) struct Palette {
    colours: Vec<[u8; 3]>,
    places: Places,
    /// Nearest colours of cubes of 2 x 2 x 2 colours, by 7 bits each, as far as they are known.
    cubes: Vec<Cube>,
    /// Nearest colours of single colours, in cubes with a colour of the palette.
    singles: BTreeMap<[u8; 3], u8>,
}

/// Colours that are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cube {
    /// None of them was looked for.
    Unknown,
    /// One of them is in the palette.
    Special,
    /// The nearest colour of all of them.
    Near(u8),
}

impl Palette {
    /// Finds the colours for pictures.
    pub(crate) fn new(histogram: Histogram) -> Self {
        let mut counts: Vec<_> = histogram.0.into_iter().collect();
        counts.par_sort_unstable();
        if counts.len() <= MOST_COLOURS {
            return Self::of(counts.into_iter().map(|(colour, _)| colour).collect());
        }
        #[expect(clippy::cast_precision_loss, reason = "weights need not be exact")]
        let sample = |(colour, count): (_, u32)| Sample {
            lab: oklab(colour),
            count: count as f32,
            weight: (count as f32).sqrt(),
        };
        let mut samples: Vec<Sample> = counts.into_par_iter().map(sample).collect();
        let mut cells = vec![Cell::new(&samples, 0..samples.len())];
        while cells.len() < MOST_COLOURS {
            let several = cells.iter_mut().filter(|cell| cell.range.len() > 1);
            let worst = several.max_by(|a, b| a.error.total_cmp(&b.error));
            let Some(half) = worst.and_then(|cell| cell.split(&mut samples)) else {
                break;
            };
            cells.push(half);
        }
        let of = |cell: &Cell| samples.get(cell.range.clone()).unwrap_or_default();
        let mut middles: Vec<_> = cells.iter().filter_map(|cell| middle(of(cell))).collect();
        for _ in 0..ROUNDS {
            let mut near = vec![Vec::new(); middles.len()];
            let places = Places::new(&middles);
            let nearest = samples.par_iter().map(|sample| places.nearest(sample.lab));
            for (sample, nearest) in samples.iter().zip(nearest.collect::<Vec<_>>()) {
                if let Some(near) = near.get_mut(nearest) {
                    near.push(*sample);
                }
            }
            middles = near.iter().filter_map(|near| middle(near)).collect();
        }
        let mut colours: Vec<_> = middles.into_iter().map(srgb).collect();
        colours.sort_unstable();
        colours.dedup();
        Self::of(colours)
    }

    fn of(colours: Vec<[u8; 3]>) -> Self {
        let mut cubes = vec![Cube::Unknown; 1 << 21];
        for colour in &colours {
            if let Some(cube) = cubes.get_mut(cube(*colour)) {
                *cube = Cube::Special;
            }
        }
        let labs: Vec<_> = colours.iter().map(|colour| oklab(*colour)).collect();
        let singles = colours.iter().copied().zip(0_u8..).collect();
        Self { places: Places::new(&labs), cubes, singles, colours }
    }

    /// Returns the index of transparent pixels.
    pub(crate) fn transparent(&self) -> u8 {
        u8::try_from(self.colours.len()).unwrap_or(u8::MAX)
    }

    /// Returns all colours and a black one for transparent pixels: three bytes each.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let colours = self.colours.iter().chain([&[0; 3]]);
        colours.flatten().copied().collect()
    }

    /// Returns the index of the nearest colour, and that colour.
    fn nearest(&mut self, colour: [u8; 3]) -> (u8, [u8; 3]) {
        let find = || u8::try_from(self.places.nearest(oklab(colour))).unwrap_or(u8::MAX);
        let mut index = 0;
        if let Some(cube) = self.cubes.get_mut(cube(colour)) {
            index = match *cube {
                Cube::Near(index) => index,
                Cube::Special => *self.singles.entry(colour).or_insert_with(find),
                Cube::Unknown => {
                    let found = find();
                    *cube = Cube::Near(found);
                    found
                }
            };
        }
        (index, self.colours.get(usize::from(index)).copied().unwrap_or_default())
    }
}

/// Index of the cube of a colour.
fn cube(colour: [u8; 3]) -> usize {
    let [r, g, b] = colour.map(|value| usize::from(value >> 1));
    r << 14 | g << 7 | b
}

/// Middle of the pixels of samples; `None` if there are none.
fn middle(samples: &[Sample]) -> Option<[f32; 3]> {
    let mut sum = [0.0; 3];
    let mut count = 0.0;
    for sample in samples {
        let of = f64::from(sample.count);
        count += of;
        for (sum, value) in sum.iter_mut().zip(sample.lab) {
            *sum += f64::from(value) * of;
        }
    }
    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
    (count > 0.0).then(|| sum.map(|sum| (sum / count) as f32))
}

/// Places in Oklab with their numbers, by lightness.
#[derive(Clone, Debug)]
struct Places(Vec<([f32; 3], usize)>);

impl Places {
    fn new(labs: &[[f32; 3]]) -> Self {
        let mut places: Vec<_> = labs.iter().copied().zip(0..).collect();
        places.sort_by(|([a, ..], _), ([b, ..], _)| a.total_cmp(b));
        Self(places)
    }

    /// Number of the nearest one; the lowest of several. Begins at the same lightness, and ends where that alone is further away.
    fn nearest(&self, [l, a, b]: [f32; 3]) -> usize {
        let (darker, lighter) = self.0.split_at(self.0.partition_point(|([at, ..], _)| *at < l));
        let mut best = (f32::MAX, usize::MAX);
        let mut look = |([other_l, other_a, other_b], number): &([f32; 3], usize)| {
            let [l, a, b] = [other_l - l, other_a - a, other_b - b];
            let distance = l * l + a * a + b * b;
            if (distance, *number) < best {
                best = (distance, *number);
            }
            l * l > best.0
        };
        let (mut darker, mut lighter) = (darker.iter().rev(), lighter.iter());
        let (mut is_dark, mut is_light) = (true, true);
        while is_dark || is_light {
            is_dark = is_dark && darker.next().is_some_and(|place| !look(place));
            is_light = is_light && lighter.next().is_some_and(|place| !look(place));
        }
        best.1
    }
}

/// Returns a colour in Oklab.
fn oklab(srgb: [u8; 3]) -> [f32; 3] {
    let linear = |value: u8| {
        let value = f32::from(value) / 255.0;
        match value <= 0.04045 {
            true => value / 12.92,
            false => libm::powf((value + 0.055) / 1.055, 2.4),
        }
    };
    let [r, g, b] = srgb.map(linear);
    let [l, m, s] = [
        0.412_221_46 * r + 0.536_332_55 * g + 0.051_445_995 * b,
        0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b,
        0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b,
    ]
    .map(libm::cbrtf);
    [
        0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
    ]
}

/// Returns the colour of a place in Oklab.
fn srgb([l, a, b]: [f32; 3]) -> [u8; 3] {
    let [l, m, s] = [
        l + 0.396_337_78 * a + 0.215_803_76 * b,
        l - 0.105_561_346 * a - 0.063_854_17 * b,
        l - 0.089_484_18 * a - 1.291_485_5 * b,
    ]
    .map(|root| root * root * root);
    let encoded = |value: f32| match value <= 0.003_130_8 {
        true => value * 12.92,
        false => 1.055 * libm::powf(value, 1.0 / 2.4) - 0.055,
    };
    [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_93 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_4 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ]
    .map(|value| byte(encoded(value) * 255.0))
}

/// The nearest byte.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
fn byte(value: f32) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

/// Gives the error of each pixel to its neighbours (Floyd and Steinberg, 1976), in rows that alternate their direction.
#[derive(Debug, Default)]
pub(super) struct Dither {
    /// Errors for the pixels of this row and the next, with a pixel before and after them.
    rows: [Vec<[f32; 3]>; 2],
}

impl Dither {
    /// Returns the indices of a picture with straight alpha. A pixel that is as it was `before` keeps its index.
    pub(super) fn run(
        &mut self,
        palette: &mut Palette,
        picture: &Pixels,
        before: Option<(&Pixels, &[u8])>,
    ) -> Vec<u8> {
        let width = picture.width as usize;
        let none = palette.transparent();
        let mut indices = vec![none; width.saturating_mul(picture.height as usize)];
        let texels = picture.rgba.as_chunks::<4>().0;
        let before = before.map(|(before, indices)| (before.rgba.as_chunks::<4>().0, indices));
        let [current, next] = &mut self.rows;
        for row in [&mut *current, &mut *next] {
            row.clear();
            row.resize(width + 2, [0.0; 3]);
        }
        for (y, row) in texels.chunks_exact(width.max(1)).enumerate() {
            let is_back = !y.is_multiple_of(2);
            for step in 0..width {
                let x = if is_back { width - 1 - step } else { step };
                let at = y * width + x;
                let (Some(texel), Some(index)) = (row.get(x), indices.get_mut(at)) else {
                    continue;
                };
                if texel[3] < VISIBLE {
                    continue;
                }
                let kept = before.filter(|(before, _)| before.get(at) == Some(texel));
                if let Some(kept) = kept.and_then(|(_, indices)| indices.get(at)) {
                    *index = *kept;
                    continue;
                }
                let [r, g, b, _] = *texel;
                let error = current.get(x + 1).copied().unwrap_or_default();
                let wanted = plus([r, g, b].map(f32::from), error, DITHERED);
                let (nearest, colour) = palette.nearest(wanted.map(byte));
                *index = nearest;
                let error = plus(wanted, colour.map(f32::from), -1.0);
                let error = error.map(|error| error.clamp(-64.0, 64.0));
                let (ahead, behind) = if is_back { (x, x + 2) } else { (x + 2, x) };
                let give = |row: &mut [[f32; 3]], at: usize, share: f32| {
                    if let Some(place) = row.get_mut(at) {
                        *place = plus(*place, error, share);
                    }
                };
                give(current, ahead, 7.0 / 16.0);
                give(next, behind, 3.0 / 16.0);
                give(next, x + 1, 5.0 / 16.0);
                give(next, ahead, 1.0 / 16.0);
            }
            std::mem::swap(current, next);
            next.fill([0.0; 3]);
        }
        indices
    }
}

/// `a` and a share of `b`.
fn plus([x, y, z]: [f32; 3], [dx, dy, dz]: [f32; 3], share: f32) -> [f32; 3] {
    [x + dx * share, y + dy * share, z + dz * share]
}
