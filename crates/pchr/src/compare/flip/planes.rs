//! A window of both pictures, filtered along x: seven planes each.

use fearless_simd::{Simd, f32x8, prelude::*};

use super::Rect;
use super::color::{linear_from_srgb, opponent};
use super::filters::{
    ACHROMATIC, Around, BLUE_YELLOW_NARROW, BLUE_YELLOW_WIDE, EDGE, LANES, POINT, REACH, RED_GREEN,
    SMOOTH,
};
use crate::image::{Pixels, multiply_255};

/// Region under test: the pixels whose error is computed, over a grey.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) rect: Rect,
    pub(super) grey: u8,
}

/// Values of a window, filtered along x, in groups of [`LANES`]: column by column, each with a margin of [`REACH`] at both ends.
type Plane = Vec<[f32; LANES]>;

/// The planes of one picture.
#[derive(Debug, Default)]
pub(super) struct Filtered {
    pub(super) achromatic: Plane,
    pub(super) red_green: Plane,
    pub(super) blue_yellow: [Plane; 2],
    pub(super) smooth: Plane,
    pub(super) edge: Plane,
    pub(super) point: Plane,
}

/// The planes of both pictures.
#[derive(Debug, Default)]
pub(super) struct Planes {
    /// Planes of the expected and of the actual picture.
    pub(super) filtered: [Filtered; 2],
    /// Width and height of the window.
    pub(super) size: [usize; 2],
    /// Red, green and blue of a row in linear light; then the channels that are filtered.
    row: [Vec<f32>; 3],
}

impl Planes {
    /// Returns the number of groups in a row of the window.
    pub(super) fn columns(&self) -> usize {
        let [width, _] = self.size;
        width.div_ceil(LANES)
    }

    /// Filters both pictures along x.
    #[inline(always)]
    pub(super) fn filter<S: Simd>(&mut self, simd: S, pictures: [&Pixels; 2], window: Window) {
        self.size = window.rect.size();
        let light = linear_from_srgb(simd);
        let columns = self.columns();
        let [_, height] = self.size;
        let rows = height + 2 * REACH;
        let Self { filtered, row, .. } = self;
        for channel in row.iter_mut() {
            channel.resize((columns * LANES + 2 * REACH).next_multiple_of(LANES), 0.0);
        }
        for (filtered, pixels) in filtered.iter_mut().zip(pictures) {
            filtered.resize(columns * rows);
            let mut last: Option<u32> = None;
            for (i, y) in around(window.rect.y, pixels.height).enumerate() {
                // Beyond the picture, its edge is repeated.
                if last != Some(y) {
                    read(pixels, y, window, &light, row);
                    oppose(simd, row);
                    last = Some(y);
                }
                for column in 0..columns {
                    filtered.set(simd, row, column, column * rows + i);
                }
            }
        }
    }
}

/// Returns the columns or rows of a window with a margin of [`REACH`] on both sides. Beyond the picture the last one repeats.
fn around([from, to]: [u32; 2], side: u32) -> impl Iterator<Item = u32> {
    let reach = u32::try_from(REACH).unwrap_or_default();
    (from..to.saturating_add(2 * reach))
        .map(move |at| at.saturating_sub(reach).min(side.saturating_sub(1)))
}

/// Reads a row of a window: light of red, green and blue, over a grey.
fn read(pixels: &Pixels, y: u32, window: Window, light: &[f32; 256], row: &mut [Vec<f32>; 3]) {
    let texels = pixels.rgba.as_chunks::<4>().0;
    let start = (y as usize).saturating_mul(pixels.width as usize);
    let texels = texels.get(start..).unwrap_or_default();
    let of = |value: u8| light.get(usize::from(value)).copied().unwrap_or_default();
    let [red, green, blue] = row;
    let channels = red.iter_mut().zip(green).zip(blue);
    for (x, ((red, green), blue)) in around(window.rect.x, pixels.width).zip(channels) {
        let [r, g, b, a] = texels.get(x as usize).copied().unwrap_or_default();
        let [r, g, b] = if a == u8::MAX {
            [r, g, b]
        } else {
            let behind = multiply_255(window.grey, u8::MAX - a);
            [r, g, b].map(|color| multiply_255(color, a).saturating_add(behind))
        };
        (*red, *green, *blue) = (of(r), of(g), of(b));
    }
}

/// Converts light into the filtered channels.
#[inline(always)]
fn oppose<S: Simd>(simd: S, [red, green, blue]: &mut [Vec<f32>; 3]) {
    let rows = red.as_chunks_mut::<LANES>().0.iter_mut();
    let rows = rows
        .zip(green.as_chunks_mut::<LANES>().0)
        .zip(blue.as_chunks_mut::<LANES>().0);
    for ((r, g), b) in rows {
        let rgb: [f32x8<S>; 3] = [
            (*r).simd_into(simd),
            (*g).simd_into(simd),
            (*b).simd_into(simd),
        ];
        let [achromatic, red_green, blue_yellow] = opponent(rgb);
        (*r, *g, *b) = (achromatic.into(), red_green.into(), blue_yellow.into());
    }
}

impl Filtered {
    fn resize(&mut self, len: usize) {
        let Self {
            achromatic,
            red_green,
            blue_yellow: [wide, narrow],
            smooth,
            edge,
            point,
        } = self;
        for plane in [achromatic, red_green, wide, narrow, smooth, edge, point] {
            plane.resize(len, [0.0; LANES]);
        }
    }

    /// Filters the pixels of a column in a row, and stores them as the planes' groups at an index.
    #[inline(always)]
    fn set<S: Simd>(&mut self, simd: S, row: &[Vec<f32>; 3], column: usize, index: usize) {
        let near = |channel: &Vec<f32>| {
            let values = channel.get(column * LANES..).and_then(<[f32]>::first_chunk);
            values.map(|values| Around::in_row(simd, values))
        };
        let [achromatic, red_green, blue_yellow] = row;
        let (Some(achromatic), Some(red_green), Some(blue_yellow)) =
            (near(achromatic), near(red_green), near(blue_yellow))
        else {
            return;
        };
        let [wide, narrow] = &mut self.blue_yellow;
        for (plane, values) in [
            (&mut self.achromatic, achromatic.even(&ACHROMATIC)),
            (&mut self.smooth, achromatic.even(&SMOOTH)),
            (&mut self.edge, achromatic.odd(&EDGE)),
            (&mut self.point, achromatic.even(&POINT)),
            (&mut self.red_green, red_green.even(&RED_GREEN)),
            (wide, blue_yellow.even(&BLUE_YELLOW_WIDE)),
            (narrow, blue_yellow.even(&BLUE_YELLOW_NARROW)),
        ] {
            if let Some(place) = plane.get_mut(index) {
                *place = values.into();
            }
        }
    }
}
