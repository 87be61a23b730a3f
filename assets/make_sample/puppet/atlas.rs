//! Packs the parts into one square image and encodes it.
//!
//! Parts interlock: a part takes only the blocks of texels under its triangles, not its whole rectangle.

use std::cmp::Reverse;

use super::Part;

/// Width and height of the atlas in texels.
pub(crate) const SIZE: usize = 1024;
/// Side of a block in texels.
const BLOCK: usize = 8;
/// Number of blocks along a side of the atlas.
const BLOCKS: usize = SIZE / BLOCK;
/// Free texels around every triangle.
const GAP: f64 = 2.0;

/// Blocks that a part needs, relative to its canvas's top left.
struct Footprint {
    blocks: Vec<[usize; 2]>,
}

impl Footprint {
    fn of(part: &Part) -> Self {
        let shape = &part.meshes[0].1;
        let texels: Vec<[f64; 2]> =
            shape.points.iter().map(|&point| part.canvas.texel_at(point)).collect();
        let columns = part.canvas.width.div_ceil(BLOCK);
        let rows = part.canvas.height.div_ceil(BLOCK);
        let needed = |x: usize, y: usize| {
            let low = [(x * BLOCK) as f64 - GAP, (y * BLOCK) as f64 - GAP];
            let high = [((x + 1) * BLOCK) as f64 + GAP, ((y + 1) * BLOCK) as f64 + GAP];
            shape
                .indices
                .chunks_exact(3)
                .any(|t| touches([0, 1, 2].map(|k| texels[usize::from(t[k])]), low, high))
        };
        let all = (0..rows).flat_map(|y| (0..columns).map(move |x| [x, y]));
        Self { blocks: all.filter(|&[x, y]| needed(x, y)).collect() }
    }

    fn fits(&self, taken: &[bool], left: usize, top: usize) -> bool {
        self.blocks.iter().all(|&[x, y]| {
            let (x, y) = (x + left, y + top);
            x < BLOCKS && y < BLOCKS && !taken[y * BLOCKS + x]
        })
    }
}

/// Returns true if a triangle and a rectangle overlap: no axis separates them.
fn touches(triangle: [[f64; 2]; 3], low: [f64; 2], high: [f64; 2]) -> bool {
    let corners = [low, [high[0], low[1]], high, [low[0], high[1]]];
    let edge = |i: usize| {
        let (a, b) = (triangle[i], triangle[(i + 1) % 3]);
        [a[1] - b[1], b[0] - a[0]]
    };
    [[1.0, 0.0], [0.0, 1.0], edge(0), edge(1), edge(2)].into_iter().all(|axis| {
        let along = |p: &[f64; 2]| p[0] * axis[0] + p[1] * axis[1];
        let span = |points: &[[f64; 2]]| {
            points
                .iter()
                .map(along)
                .fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)))
        };
        let ((a, b), (c, d)) = (span(&triangle), span(&corners));
        a <= d && c <= b
    })
}

/// A part's place in the atlas.
pub(crate) struct Place {
    /// Top left texel of its canvas.
    pub(crate) at: [usize; 2],
    blocks: Vec<[usize; 2]>,
}

/// Places the largest part first, each as high up as it fits.
pub(crate) fn pack(parts: &[Part]) -> Vec<Place> {
    let footprints: Vec<Footprint> = parts.iter().map(Footprint::of).collect();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&i| (Reverse(footprints[i].blocks.len()), i));
    let mut taken = vec![false; BLOCKS * BLOCKS];
    let mut places: Vec<Option<Place>> = parts.iter().map(|_| None).collect();
    for i in order {
        let spots = (0..BLOCKS).flat_map(|y| (0..BLOCKS).map(move |x| (x, y)));
        let (left, top) = spots
            .into_iter()
            .find(|&(x, y)| footprints[i].fits(&taken, x, y))
            .unwrap_or_else(|| panic!("the parts do not fit the atlas: {}", parts[i].meshes[0].0));
        for &[x, y] in &footprints[i].blocks {
            taken[(y + top) * BLOCKS + x + left] = true;
        }
        places[i] =
            Some(Place { at: [left * BLOCK, top * BLOCK], blocks: footprints[i].blocks.clone() });
    }
    places.into_iter().map(Option::unwrap).collect()
}

/// Encodes the packed parts as a PNG file.
pub(crate) fn encode(parts: &[Part], places: &[Place]) -> Vec<u8> {
    let mut rgba = vec![0; SIZE * SIZE * 4];
    for (part, place) in parts.iter().zip(places) {
        for &[column, row] in &place.blocks {
            for y in row * BLOCK..((row + 1) * BLOCK).min(part.canvas.height) {
                for x in column * BLOCK..((column + 1) * BLOCK).min(part.canvas.width) {
                    let at = ((place.at[1] + y) * SIZE + place.at[0] + x) * 4;
                    rgba[at..at + 4].copy_from_slice(&part.canvas.rgba(x, y));
                }
            }
        }
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, SIZE as u32, SIZE as u32);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    // Papers have few, repeating tones, which compress best unfiltered.
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&rgba).unwrap();
    writer.finish().unwrap();
    bytes
}
