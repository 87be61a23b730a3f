//! A palette for pictures of many colours, and their pixels in it, dithered.
//!
//! Colours are compared in Oklab (Björn Ottosson, "A perceptual color space for image processing", 2020). Arithmetic is the same on every
//! machine.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering};

use rayon::prelude::*;

use pchr::image::Pixels;

/// Colours of a palette, at most; one index is for transparent pixels.
const MOST_COLOURS: usize = 255;
/// Share of a pixel's error that its neighbours take over. With 0.95, files are 1 % larger for at most 2 % of visible error.
const DITHERED: f32 = 0.85;
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
        let seen = pixels.rgba.as_chunks::<4>().0.iter().filter(|[.., alpha]| *alpha >= VISIBLE);
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
struct ColourSample {
    lab: [f32; 3],
    /// Number of its pixels.
    count: f32,
    /// Its weight when colours are shared out: the root of its count. By their count, large plain areas would take colours from shades
    /// that are seen as well, for larger files.
    weight: f32,
}

/// Colours that become one, as a part of all samples.
#[derive(Clone, Debug)]
struct ColourCell {
    range: Range<usize>,
    /// Sum of squared distances to their middle.
    error: f64,
    /// Axis along which they are furthest apart.
    axis: usize,
}

impl ColourCell {
    fn new(samples: &[ColourSample], range: Range<usize>) -> Self {
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
    fn split(&mut self, samples: &mut [ColourSample]) -> Option<Self> {
        let Range { start, end } = self.range.clone();
        let of = samples.get_mut(start..end)?;
        let along = |sample: &ColourSample| sample.lab.get(self.axis).copied().unwrap_or_default();
        of.par_sort_by(|a, b| along(a).total_cmp(&along(b))); // stable: the same on any number of threads
        let plus = |[w, a, b, c]: [f64; 4], sample: &ColourSample, sign: f64| {
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
#[derive(Debug)]
pub(crate) struct GifPalette {
    colours: Vec<[u8; 3]>,
    places: Places,
    /// Nearest colours of cubes of 2 x 2 x 2 colours, by 7 bits each: an index, [`UNKNOWN`] or [`SPECIAL`].
    cubes: Vec<AtomicU16>,
    /// Nearest colours of single colours, in special cubes.
    singles: HashMap<[u8; 3], u8>,
}

/// A cube of colours of which none was looked for.
const UNKNOWN: u16 = u16::MAX;
/// A cube of colours of which one is in the palette.
const SPECIAL: u16 = u16::MAX - 1;

impl GifPalette {
    /// Finds the colours for pictures.
    pub(crate) fn new(histogram: Histogram) -> Self {
        let mut counts: Vec<_> = histogram.0.into_iter().collect();
        counts.par_sort_unstable();
        if counts.len() <= MOST_COLOURS {
            return Self::of(counts.into_iter().map(|(colour, _)| colour).collect());
        }
        let cube = |colour: [u8; 3]| colour.map(|value| value | 1);
        counts.par_sort_unstable_by_key(|(colour, _)| (cube(*colour), *colour));
        let cubes = counts.chunk_by(|(a, _), (b, _)| cube(*a) == cube(*b));
        let counts: Vec<_> = cubes
            .filter_map(|of| {
                let count = of.iter().fold(0, |sum: u32, (_, count)| sum.saturating_add(*count));
                of.iter().max_by_key(|(_, count)| *count).map(|(colour, _)| (*colour, count))
            })
            .collect();
        let sample = |(colour, count): (_, u32)| ColourSample {
            lab: oklab(colour),
            count: count as f32,
            weight: (count as f32).sqrt(),
        };
        let mut samples: Vec<ColourSample> = counts.into_par_iter().map(sample).collect();
        let mut cells = vec![ColourCell::new(&samples, 0..samples.len())];
        while cells.len() < MOST_COLOURS {
            let several = cells.iter_mut().filter(|cell| cell.range.len() > 1);
            let worst = several.max_by(|a, b| a.error.total_cmp(&b.error));
            let Some(half) = worst.and_then(|cell| cell.split(&mut samples)) else { break };
            cells.push(half);
        }
        let of = |cell: &ColourCell| samples.get(cell.range.clone()).unwrap_or_default();
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
        let labs: Vec<_> = colours.iter().map(|colour| oklab(*colour)).collect();
        let places = Places::new(&labs);
        let mut cubes = vec![UNKNOWN; 1 << 21];
        let mut singles = HashMap::new();
        for colour in &colours {
            if let Some(cube) = cubes.get_mut(cube(*colour)) {
                *cube = SPECIAL;
            }
            for corner in 0..8 {
                let [r, g, b] = colour.map(|value| value & !1);
                let single = [r | corner & 1, g | corner >> 1 & 1, b | corner >> 2];
                singles.insert(single, places.index(single));
            }
        }
        let cubes = cubes.into_iter().map(AtomicU16::new).collect();
        Self { colours, places, cubes, singles }
    }

    /// Returns the index of transparent pixels.
    pub(crate) fn transparent(&self) -> u8 {
        u8::try_from(self.colours.len()).unwrap_or(u8::MAX)
    }

    /// Returns all colours and a black one for transparent pixels: three bytes each.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.colours.iter().chain([&[0; 3]]).flatten().copied().collect()
    }

    pub(super) fn rgba(&self, index: u8) -> [u8; 4] {
        self.colours.get(usize::from(index)).map_or([0; 4], |[r, g, b]| [*r, *g, *b, 255])
    }

    /// Returns the index of the nearest colour, and that colour. The colours of a cube are looked for as one, so that it does not matter
    /// which is the first.
    fn nearest(&self, colour: [u8; 3]) -> (u8, [u8; 3]) {
        let known = self.cubes.get(cube(colour));
        let index = match known.map_or(SPECIAL, |cube| cube.load(Ordering::Relaxed)) {
            SPECIAL => self.singles.get(&colour).copied().unwrap_or_default(),
            UNKNOWN => {
                let found = self.places.index(colour.map(|value| value | 1));
                if let Some(cube) = known {
                    cube.store(found.into(), Ordering::Relaxed);
                }
                found
            }
            index => u8::try_from(index).unwrap_or(u8::MAX),
        };
        (index, self.colours.get(usize::from(index)).copied().unwrap_or_default())
    }
}

/// Index of the cube of a colour.
fn cube(colour: [u8; 3]) -> usize {
    let [r, g, b] = colour.map(|value| usize::from(value >> 1));
    r << 14 | g << 7 | b
}

/// Middle of the pixels of samples; `None` if there are none.
fn middle(samples: &[ColourSample]) -> Option<[f32; 3]> {
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

    /// Index of the nearest colour.
    fn index(&self, colour: [u8; 3]) -> u8 {
        u8::try_from(self.nearest(oklab(colour))).unwrap_or(u8::MAX)
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

fn oklab(srgb: [u8; 3]) -> [f32; 3] {
    let linear = |value: u8| {
        let value = f32::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { libm::powf((value + 0.055) / 1.055, 2.4) }
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

#[expect(clippy::cast_possible_truncation, reason = "0 to 255")]
fn byte(value: f32) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

/// Returns the index of each pixel of a picture with straight alpha; `None` where it is as it was `before`, and keeps its index. The error
/// of each of the others goes to its neighbours (Floyd and Steinberg, 1976), in rows that alternate their direction.
pub(super) fn dither(
    palette: &GifPalette,
    picture: &Pixels,
    before: Option<&Pixels>,
) -> Vec<Option<u8>> {
    let width = picture.width as usize;
    let mut indices = vec![Some(palette.transparent()); width * picture.height as usize];
    let before = before.map(|before| before.rgba.as_chunks::<4>().0);
    // Errors for the pixels of this row and the next, with a pixel before and after them.
    let [mut current, mut next] = [(); 2].map(|()| vec![[0.0; 3]; width + 2]);
    let rows = picture.rgba.as_chunks::<4>().0.chunks_exact(width.max(1));
    for (y, row) in rows.enumerate() {
        let is_back = !y.is_multiple_of(2);
        for step in 0..width {
            let x = if is_back { width - 1 - step } else { step };
            let at = y * width + x;
            let (Some(texel), Some(index)) = (row.get(x), indices.get_mut(at)) else { continue };
            if texel[3] < VISIBLE {
                continue;
            }
            if before.is_some_and(|before| before.get(at) == Some(texel)) {
                *index = None;
                continue;
            }
            let [r, g, b, _] = *texel;
            let error = current.get(x + 1).copied().unwrap_or_default();
            let wanted = plus([r, g, b].map(f32::from), error, DITHERED);
            let (nearest, colour) = palette.nearest(wanted.map(byte));
            *index = Some(nearest);
            let error = plus(wanted, colour.map(f32::from), -1.0);
            let error = error.map(|error| error.clamp(-64.0, 64.0));
            let (ahead, behind) = if is_back { (x, x + 2) } else { (x + 2, x) };
            let give = |row: &mut [[f32; 3]], at: usize, share: f32| {
                if let Some(place) = row.get_mut(at) {
                    *place = plus(*place, error, share);
                }
            };
            give(&mut current, ahead, 7.0 / 16.0);
            give(&mut next, behind, 3.0 / 16.0);
            give(&mut next, x + 1, 5.0 / 16.0);
            give(&mut next, ahead, 1.0 / 16.0);
        }
        std::mem::swap(&mut current, &mut next);
        next.fill([0.0; 3]);
    }
    indices
}

/// `a` and a share of `b`.
fn plus([x, y, z]: [f32; 3], [dx, dy, dz]: [f32; 3], share: f32) -> [f32; 3] {
    [x + dx * share, y + dy * share, z + dz * share]
}
