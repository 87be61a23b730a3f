//! Bounds of a frame: roughly from the boxes of its bones, exactly from a tree of vertex boxes for each set of bones.
//!
//! The furthest coordinate that a box's vertices can have is worked out by the operations that move a vertex, in their
//! order. Rounded sums and products never fall when an operand rises, so no vertex lies beyond it by even the last bit:
//! what is pruned cannot change the result.

use std::ops::Range;

use crate::document::{BoneId, Document};
use crate::pose::{Affine, IDENTITY, transform_point};
use crate::scene::{Span, ViewOptions};

/// Vertices of a leaf.
const LEAF: usize = 16;
/// Influences of a vertex.
const SLOTS: usize = 4;

/// A vertex without what does not move it: slots of weight ≤ 0 are left out, the others keep their order.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoxPoint {
    pub(super) position: [f32; 2],
    pub(super) weights: [f32; SLOTS],
}

/// Decides which vertices share a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct GroupKey {
    /// The bone that shows and hides them; `None` if they are always shown.
    owner: Option<BoneId>,
    bones: [u16; SLOTS],
    slots: u8,
}

/// Vertices that the same bones move.
#[derive(Clone, Debug)]
struct BoneGroup {
    key: GroupKey,
    points: Range<usize>,
    root: usize,
}

/// A box around vertices, and the range of each slot's weights.
#[derive(Clone, Debug)]
struct BoxNode {
    min: [f32; 2],
    max: [f32; 2],
    weights: [[f32; 2]; SLOTS],
    inside: InsideBox,
}

#[derive(Clone, Debug)]
enum InsideBox {
    Points(Range<usize>),
    Nodes([usize; 2]),
}

/// All vertices of a document that can be shown.
#[derive(Clone, Debug)]
pub(super) struct BoxTree {
    groups: Vec<BoneGroup>,
    nodes: Vec<BoxNode>,
    points: Vec<BoxPoint>,
}

impl BoxTree {
    pub(super) fn new(document: &Document, owners: &[Option<BoneId>], view: &ViewOptions) -> Self {
        let mut keyed = Vec::new();
        let bones = document.bones().len();
        for (i, mesh) in document.meshes().enumerate() {
            let wanted = view.meshes.get(i).and_then(|mesh| mesh.visible);
            let owner = match wanted {
                Some(false) => continue,
                Some(true) => None,
                None => owners.get(i).copied().flatten(),
            };
            keyed.extend(mesh.vertices().map(|vertex| {
                let mut key = GroupKey { owner, bones: [0; SLOTS], slots: 0 };
                let mut weights = [0.0; SLOTS];
                let slots = vertex.bone_weights.into_iter().zip(vertex.bone_ids);
                let moving = slots.filter(|(weight, id)| *weight > 0.0 && usize::from(*id) < bones);
                let places = key.bones.iter_mut().zip(&mut weights);
                for ((weight, id), (to_id, to_weight)) in moving.zip(places) {
                    (*to_id, *to_weight) = (id, weight);
                    key.slots = key.slots.saturating_add(1);
                }
                let position = vertex.position;
                (key, BoxPoint { position, weights })
            }));
        }
        keyed.sort_unstable_by_key(|(key, _)| *key);
        let mut tree =
            Self { groups: Vec::new(), nodes: Vec::new(), points: Vec::with_capacity(keyed.len()) };
        for alike in keyed.chunk_by(|(a, _), (b, _)| a == b) {
            let Some((key, _)) = alike.first() else { continue };
            let mut points: Vec<BoxPoint> = alike.iter().map(|(_, point)| *point).collect();
            let first = tree.points.len();
            let root = grow(&mut tree.nodes, &mut points, first);
            tree.points.extend(points);
            let points = first..tree.points.len();
            tree.groups.push(BoneGroup { key: *key, points, root });
        }
        tree
    }

    /// Bones and vertices, group by group.
    pub(super) fn groups(&self) -> impl Iterator<Item = (&[u16], &[BoxPoint])> {
        self.groups.iter().map(|BoneGroup { key, points, .. }| {
            let bones = key.bones.get(..key.slots.into());
            let points = self.points.get(points.clone());
            (bones.unwrap_or_default(), points.unwrap_or_default())
        })
    }

    /// Extends `span` by the vertices that are shown when their bones move them by `maps`, and counts steps.
    pub(super) fn extend(
        &self,
        maps: &[Affine],
        shows: impl Fn(BoneId) -> bool,
        span: &mut Span,
        steps: &mut u64,
    ) {
        let mut stack = Vec::new();
        for BoneGroup { key, root, .. } in &self.groups {
            if key.owner.is_some_and(|owner| !shows(owner)) {
                continue;
            }
            let mut of_group = [IDENTITY; SLOTS];
            debug_assert!(
                key.bones.iter().take(key.slots.into()).all(|bone| usize::from(*bone) < maps.len()),
                "only bones of the document are keys"
            );
            for (to, bone) in of_group.iter_mut().zip(key.bones) {
                *to = maps.get(usize::from(bone)).copied().unwrap_or(IDENTITY);
            }
            let of_group = of_group.get(..key.slots.into()).unwrap_or_default();
            *steps = steps.saturating_add(1);
            if !of_group.iter().flatten().flatten().all(|n| n.is_finite()) {
                continue; // no vertex of the group has a finite place
            }
            for side in BoxSide::ALL {
                self.search(*root, of_group, side, span, &mut stack, steps);
            }
        }
    }

    /// Follows the boxes that can reach beyond a side, the furthest first.
    fn search(
        &self,
        root: usize,
        maps: &[Affine],
        side: BoxSide,
        span: &mut Span,
        stack: &mut Vec<(usize, f32)>,
        steps: &mut u64,
    ) {
        let reach = |node: usize| {
            let reach = self.nodes.get(node).map(|node| node.reach(maps, side));
            (node, reach.unwrap_or(f32::NAN))
        };
        stack.push(reach(root));
        while let Some((node, reach_of_node)) = stack.pop() {
            *steps = steps.saturating_add(1);
            if span.holds(side, reach_of_node) {
                continue;
            }
            match self.nodes.get(node).map(|node| &node.inside) {
                Some(InsideBox::Points(points)) => {
                    let points = self.points.get(points.clone()).unwrap_or_default();
                    *steps = steps.saturating_add(points.len() as u64);
                    points.iter().for_each(|point| span.add(point.at(maps)));
                }
                Some(InsideBox::Nodes(nodes)) => {
                    let [a, b] = nodes.map(reach);
                    let b_first = (b.1 > a.1) == side.is_upper();
                    stack.extend(if b_first { [a, b] } else { [b, a] });
                }
                None => {}
            }
        }
    }
}

impl BoxPoint {
    /// Its place, as [`crate::pose::skin_point`] has it.
    fn at(&self, maps: &[Affine]) -> [f32; 2] {
        let mut world = [0.0; 2];
        for (weight, map) in self.weights.into_iter().zip(maps) {
            let [x, y] = transform_point(map, self.position);
            let [sum_x, sum_y] = &mut world;
            *sum_x += weight * x;
            *sum_y += weight * y;
        }
        world
    }
}

impl BoxNode {
    fn around(points: &[BoxPoint], inside: InsideBox) -> Self {
        let mut node = Self {
            min: [f32::INFINITY; 2],
            max: [f32::NEG_INFINITY; 2],
            weights: [[f32::INFINITY, f32::NEG_INFINITY]; SLOTS],
            inside,
        };
        for point in points {
            let position = point.position.into_iter();
            for ((min, max), at) in node.min.iter_mut().zip(&mut node.max).zip(position) {
                (*min, *max) = (min.min(at), max.max(at));
            }
            for ([least, most], weight) in node.weights.iter_mut().zip(point.weights) {
                (*least, *most) = (least.min(weight), most.max(weight));
            }
        }
        node
    }

    /// The furthest coordinate towards a side that a vertex within can have; NaN if that is not known.
    fn reach(&self, maps: &[Affine], side: BoxSide) -> f32 {
        let upper = side.is_upper();
        let pick = |factor: f32, low: f32, high: f32| {
            if (factor >= 0.0) == upper { high } else { low }
        };
        let ([left, bottom], [right, top]) = (self.min, self.max);
        let mut sum = 0.0;
        for (map, [least, most]) in maps.iter().zip(self.weights) {
            let [to_x, to_y, offset, _] = side.row(map);
            let x = pick(to_x, left, right);
            let y = pick(to_y, bottom, top);
            let furthest = to_x * x + to_y * y + offset;
            sum += pick(furthest, least, most) * furthest;
        }
        sum
    }
}

/// Sorts points into a tree, whose root is returned. `first` is the index that the first of them gets.
fn grow(nodes: &mut Vec<BoxNode>, points: &mut [BoxPoint], first: usize) -> usize {
    let at = nodes.len();
    let end = first.saturating_add(points.len());
    let node = BoxNode::around(points, InsideBox::Points(first..end));
    let ([left, bottom], [right, top]) = (node.min, node.max);
    nodes.push(node);
    if points.len() > LEAF {
        let wide = right - left >= top - bottom;
        let place = |point: &BoxPoint| {
            let [x, y] = point.position;
            if wide { x } else { y }
        };
        let middle = points.len() / 2;
        points.select_nth_unstable_by(middle, |a, b| place(a).total_cmp(&place(b)));
        let (low, high) = points.split_at_mut(middle);
        let low = grow(nodes, low, first);
        let high = grow(nodes, high, first.saturating_add(middle));
        if let Some(node) = nodes.get_mut(at) {
            node.inside = InsideBox::Nodes([low, high]);
        }
    }
    at
}

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
    pub(super) fn new(tree: &BoxTree, bones: usize) -> Self {
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

    fn add(&mut self, bones: &[u16], point: &BoxPoint) {
        let sum: f64 = point.weights.into_iter().map(f64::from).sum();
        self.least_sum = self.least_sum.min(sum);
        self.largest_sum = self.largest_sum.max(sum);
        let position = point.position.map(f64::from);
        for bone in bones {
            let Some(own) = self.boxes.get_mut(usize::from(*bone)) else { continue };
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

impl Span {
    /// Returns whether a coordinate lies on the inner side of an edge, or on it. False for NaN.
    pub(super) fn holds(&self, side: BoxSide, coordinate: f32) -> bool {
        let ([left, bottom], [right, top]) = (self.min, self.max);
        match side {
            BoxSide::Left => coordinate >= left,
            BoxSide::Right => coordinate <= right,
            BoxSide::Bottom => coordinate >= bottom,
            BoxSide::Top => coordinate <= top,
        }
    }

    /// Returns whether a rectangle lies within.
    pub(super) fn holds_all(&self, min: [f64; 2], max: [f64; 2]) -> bool {
        let within = |((low, high), (min, max)): ((f32, f32), (f64, f64))| {
            min >= f64::from(low) && max <= f64::from(high)
        };
        let own = self.min.into_iter().zip(self.max);
        own.zip(min.into_iter().zip(max)).all(within)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum BoxSide {
    Left,
    Right,
    Bottom,
    Top,
}

impl BoxSide {
    pub(super) const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Bottom, Self::Top];

    /// Returns whether the side is reached by large coordinates.
    pub(super) fn is_upper(self) -> bool {
        matches!(self, Self::Right | Self::Top)
    }

    /// The row of a map that gives the coordinate.
    pub(super) fn row(self, [x, y]: &Affine) -> [f32; 4] {
        match self {
            Self::Left | Self::Right => *x,
            Self::Bottom | Self::Top => *y,
        }
    }
}
