//! Meshes over the parts, and the weights that bind them to bones.

use super::canvas::{Canvas, MARGIN};
use super::pen::snap;
use super::rig::{Bone, Limb, WORLD_FROM_DESIGN_X};
use super::spine::Spine;
use pchr::document::Vertex;

/// Up to four bones with their weights.
pub(crate) type Weights = Vec<(Bone, f64)>;

/// A mesh before it is placed in the atlas.
pub(crate) struct Shape {
    /// Design positions on the part's canvas.
    pub(crate) points: Vec<[f64; 2]>,
    pub(crate) weights: Vec<Weights>,
    pub(crate) indices: Vec<u16>,
    /// Offset from the drawing's position to the mesh's position.
    pub(crate) offset: [f64; 2],
}

impl Shape {
    /// Vertices of the mesh; `uv_at` gives the atlas position of a canvas point.
    pub(crate) fn vertices(&self, uv_at: impl Fn([f64; 2]) -> [f32; 2]) -> Vec<Vertex> {
        let vertex = |(&point, weights): (&[f64; 2], &Weights)| {
            let [x, y] =
                [point[0] + self.offset[0] + WORLD_FROM_DESIGN_X, point[1] + self.offset[1]];
            let (bone_ids, bone_weights) = slots(weights);
            Vertex { position: [snap(x), snap(y)], uv: uv_at(point), bone_ids, bone_weights }
        };
        self.points.iter().zip(&self.weights).map(vertex).collect()
    }

    /// Copy with the same texels at another place, on another bone.
    pub(crate) fn moved(&self, offset: [f64; 2], bone: Bone) -> Self {
        let weights = vec![vec![(bone, 1.0)]; self.points.len()];
        Self { points: self.points.clone(), weights, indices: self.indices.clone(), offset }
    }
}

/// Weights in 1/4096 that add up to exactly 1.
fn slots(weights: &Weights) -> ([u16; 4], [f32; 4]) {
    let total: f64 = weights.iter().map(|w| w.1).sum();
    let mut parts: Vec<(u16, i32)> = weights
        .iter()
        .map(|&(bone, w)| (bone.index() as u16, (w / total * 4096.0).round() as i32))
        .collect();
    parts.retain(|part| part.1 > 0);
    parts.sort_by_key(|part| -part.1);
    assert!((1..=4).contains(&parts.len()), "a vertex has one to four bones");
    let sum: i32 = parts.iter().map(|part| part.1).sum();
    parts[0].1 += 4096 - sum;
    let (mut ids, mut shares) = ([0; 4], [0.0; 4]);
    for (slot, (bone, share)) in parts.into_iter().enumerate() {
        ids[slot] = bone;
        shares[slot] = share as f32 / 4096.0;
    }
    (ids, shares)
}

/// Grid of square cells over everything that is drawn, without empty cells.
pub(crate) fn grid(canvas: &Canvas, cell: f64, weigh: impl Fn([f64; 2]) -> Weights) -> Shape {
    let [left, bottom, right, top] = canvas.bounds();
    let columns = ((right - left) / cell).ceil() as usize;
    let rows = ((top - bottom) / cell).ceil() as usize;
    let x = |i: usize| left + (right - left) * i as f64 / columns as f64;
    let y = |j: usize| top + (bottom - top) * j as f64 / rows as f64;
    let mut shape =
        Shape { points: Vec::new(), weights: Vec::new(), indices: Vec::new(), offset: [0.0; 2] };
    let mut corner: Vec<Option<u16>> = vec![None; (columns + 1) * (rows + 1)];
    for j in 0..rows {
        for i in 0..columns {
            if !canvas.has_ink([x(i), y(j + 1), x(i + 1), y(j)]) {
                continue;
            }
            let quad = [(i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)].map(|(i, j)| {
                *corner[j * (columns + 1) + i].get_or_insert_with(|| {
                    shape.points.push([x(i), y(j)]);
                    shape.weights.push(weigh([x(i), y(j)]));
                    (shape.points.len() - 1) as u16
                })
            });
            shape.indices.extend([quad[0], quad[1], quad[2], quad[0], quad[2], quad[3]]);
        }
    }
    shape
}

/// Mesh of a whole part on one bone.
pub(crate) fn rigid(canvas: &Canvas, bone: Bone) -> Shape {
    grid(canvas, 24.0, |_| vec![(bone, 1.0)])
}

/// Strip of quads along a spine, `half(s)` wide on each side plus a margin.
pub(crate) fn ribbon(
    spine: &Spine,
    [from, to]: [f64; 2],
    [rows, columns]: [usize; 2],
    half: impl Fn(f64) -> f64,
    weigh: impl Fn(f64) -> Weights,
) -> Shape {
    let mut shape =
        Shape { points: Vec::new(), weights: Vec::new(), indices: Vec::new(), offset: [0.0; 2] };
    let (from, to) = (from - MARGIN, to + MARGIN);
    for row in 0..=rows {
        let s = from + (to - from) * row as f64 / rows as f64;
        // Uses the widest nearby value, so that a straight edge between two rows does not cut off a bulge.
        let reach = (to - from) / rows as f64;
        let width =
            (-4..=4).map(|k| half(s + reach * f64::from(k) / 4.0)).fold(0.0, f64::max) + MARGIN;
        for column in 0..=columns {
            shape
                .points
                .push(spine.beside(s, width * (1.0 - 2.0 * column as f64 / columns as f64)));
            shape.weights.push(weigh(s));
        }
    }
    let at = |row: usize, column: usize| (row * (columns + 1) + column) as u16;
    for row in 0..rows {
        for column in 0..columns {
            let quad = [
                at(row, column),
                at(row + 1, column),
                at(row + 1, column + 1),
                at(row, column + 1),
            ];
            shape.indices.extend([quad[0], quad[1], quad[2], quad[0], quad[2], quad[3]]);
        }
    }
    shape
}

/// Canvas that holds every point of a mesh.
pub(crate) fn canvas_for(shape: &Shape) -> Canvas {
    let fold = |k: usize, f: fn(f64, f64) -> f64, start: f64| {
        shape.points.iter().map(|p| p[k]).fold(start, f)
    };
    Canvas::new(
        fold(0, f64::min, f64::MAX) - 1.0,
        fold(1, f64::min, f64::MAX) - 1.0,
        fold(0, f64::max, f64::MIN) + 1.0,
        fold(1, f64::max, f64::MIN) + 1.0,
    )
}

/// Weights along a chain of equal bones: quadratic B-splines, which bend without corners.
pub(crate) fn chain(bones: &[Bone], length: f64, s: f64) -> Weights {
    let t = (s / length * bones.len() as f64).clamp(0.0, bones.len() as f64 - 1e-6);
    let i = t.floor() as isize;
    let u = t - t.floor();
    let last = bones.len() as isize - 1;
    let mut weights: Weights = Vec::new();
    for (k, w) in [(-1, 0.5 * (1.0 - u) * (1.0 - u)), (0, 0.5 + u * (1.0 - u)), (1, 0.5 * u * u)] {
        let bone = bones[(i + k).clamp(0, last) as usize];
        match weights.iter_mut().find(|entry| entry.0 == bone) {
            Some(entry) => entry.1 += w,
            None => weights.push((bone, w)),
        }
    }
    weights
}

/// 0 below `from`, 1 above `to`, and smooth between.
pub(crate) fn smooth(from: f64, to: f64, value: f64) -> f64 {
    let t = ((value - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Weights of two bones that share the range between `from` and `to`.
pub(crate) fn blend(low: Bone, high: Bone, from: f64, to: f64, value: f64) -> Weights {
    let t = smooth(from, to, value);
    vec![(low, 1.0 - t), (high, t)]
}

/// Weights along a limb whose middle joint bends over `soft` pixels on each side.
pub(crate) fn limb(limb: &Limb, soft: f64, s: f64) -> Weights {
    let [a, b, _] = limb.joints;
    let joint = ((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1])).sqrt();
    blend(limb.bones[0], limb.bones[1], joint - soft, joint + soft, s)
}
