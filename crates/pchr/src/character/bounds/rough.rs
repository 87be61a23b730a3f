//! The box of the vertices that each bone moves: enough to see, in a step a bone, that a frame cannot extend the bounds.

use super::tree::{Point, Tree};
use crate::pose::Affine;

/// Rounding of single precision, as a fraction of the largest number in a vertex's sum (16 roundings of 2⁻²⁴, doubled).
const ROUNDING: f64 = 2e-6;
/// Bound on the sum of subnormal rounding errors.
const TINY: f64 = 1e-40;

/// Boxes of stored positions, and the range of the vertices' sums of weights.
#[derive(Clone, Debug)]
pub(super) struct Rough {
    /// Least and largest coordinates, by bone; `None` for one that moves nothing.
    boxes: Vec<Option<[[f64; 2]; 2]>>,
    least_sum: f64,
    largest_sum: f64,
    /// True if there are vertices without weights, which lie at the origin.
    origin: bool,
}

impl Rough {
    pub(super) fn new(tree: &Tree, bones: usize) -> Self {
        let mut rough = Self {
            boxes: vec![None; bones],
            least_sum: f64::INFINITY,
            largest_sum: 0.0,
            origin: false,
        };
        for (bones, points) in tree.groups() {
            rough.origin |= bones.is_empty();
            for point in points.iter().filter(|_| !bones.is_empty()) {
                rough.add(bones, point);
            }
        }
        rough
    }

    fn add(&mut self, bones: &[u16], point: &Point) {
        let sum: f64 = point.weights.into_iter().map(f64::from).sum();
        self.least_sum = self.least_sum.min(sum);
        self.largest_sum = self.largest_sum.max(sum);
        let position = point.position.map(f64::from);
        for bone in bones {
            let Some(own) = self.boxes.get_mut(usize::from(*bone)) else {
                continue;
            };
            let [min, max] = own.get_or_insert([position; 2]);
            for ((min, max), at) in min.iter_mut().zip(max).zip(position) {
                (*min, *max) = (min.min(at), max.max(at));
            }
        }
    }

    /// A rectangle that holds every vertex with a finite place, as `[min, max]`; `None` if there is none.
    ///
    /// A vertex is a sum of its places by each of its bones, weighted: it lies between these, times its sum of weights.
    pub(super) fn around(&self, maps: &[Affine]) -> Option<[[f64; 2]; 2]> {
        let mut min = [f64::INFINITY; 2];
        let mut max = [f64::NEG_INFINITY; 2];
        let mut largest = 0.0_f64;
        let finite = |map: &Affine| map.iter().flatten().all(|n| n.is_finite());
        let moved = self.boxes.iter().zip(maps);
        for (own, map) in moved.filter_map(|(own, map)| Some((own.as_ref()?, map))) {
            if !finite(map) {
                continue; // what it moves has no finite place
            }
            let [[left, bottom], [right, top]] = own;
            let edges = min.iter_mut().zip(&mut max);
            for ((min, max), [to_x, to_y, offset, _]) in
                edges.zip(map.map(|row| row.map(f64::from)))
            {
                let ([x0, x1], [y0, y1]) =
                    ([to_x * left, to_x * right], [to_y * bottom, to_y * top]);
                *min = min.min(x0.min(x1) + y0.min(y1) + offset);
                *max = max.max(x0.max(x1) + y0.max(y1) + offset);
                let size = x0.abs().max(x1.abs()) + y0.abs().max(y1.abs()) + offset.abs();
                largest = largest.max(size);
            }
        }
        let any = min <= max;
        if any {
            let slack = self.largest_sum * (largest * ROUNDING + TINY) + TINY;
            for (min, max) in min.iter_mut().zip(&mut max) {
                *min = (*min * self.least_sum).min(*min * self.largest_sum) - slack;
                *max = (*max * self.least_sum).max(*max * self.largest_sum) + slack;
            }
        }
        if self.origin {
            min = min.map(|edge| edge.min(0.0));
            max = max.map(|edge| edge.max(0.0));
        }
        (any || self.origin).then_some([min, max])
    }
}
