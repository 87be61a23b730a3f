//! Vertices in a tree of boxes, for each set of bones that moves them.
//!
//! The furthest coordinate that a box's vertices can have is worked out by the operations that move a vertex, in their
//! order. Rounded sums and products never fall when an operand rises, so no vertex lies beyond it by even the last bit:
//! what is pruned cannot change the result.

use std::ops::Range;

use super::span::{Side, Span};
use crate::document::{BoneId, Document};
use crate::pose::{Affine, IDENTITY, transform_point};
use crate::scene::ViewOptions;

/// Vertices of a leaf.
const LEAF: usize = 16;
/// Influences of a vertex.
const SLOTS: usize = 4;

/// A vertex without what does not move it: slots of weight ≤ 0 are left out, the others keep their order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) position: [f32; 2],
    pub(super) weights: [f32; SLOTS],
}

/// Decides which vertices share a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    /// The bone that shows and hides them; `None` if they are always shown.
    owner: Option<BoneId>,
    bones: [u16; SLOTS],
    slots: u8,
}

/// Vertices that the same bones move.
#[derive(Clone, Debug)]
struct Group {
    key: Key,
    points: Range<usize>,
    root: usize,
}

/// A box around vertices, and the range of each slot's weights.
#[derive(Clone, Debug)]
struct Node {
    min: [f32; 2],
    max: [f32; 2],
    weights: [[f32; 2]; SLOTS],
    inside: Inside,
}

#[derive(Clone, Debug)]
enum Inside {
    Points(Range<usize>),
    Nodes([usize; 2]),
}

/// All vertices of a document that can be shown.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    groups: Vec<Group>,
    nodes: Vec<Node>,
    points: Vec<Point>,
}

impl Tree {
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
                let mut key = Key {
                    owner,
                    bones: [0; SLOTS],
                    slots: 0,
                };
                let mut weights = [0.0; SLOTS];
                let slots = vertex.bone_weights.into_iter().zip(vertex.bone_ids);
                let moving = slots.filter(|(weight, id)| *weight > 0.0 && usize::from(*id) < bones);
                let places = key.bones.iter_mut().zip(&mut weights);
                for ((weight, id), (to_id, to_weight)) in moving.zip(places) {
                    (*to_id, *to_weight) = (id, weight);
                    key.slots = key.slots.saturating_add(1);
                }
                let position = vertex.position;
                (key, Point { position, weights })
            }));
        }
        keyed.sort_unstable_by_key(|(key, _)| *key);
        let mut tree = Self {
            groups: Vec::new(),
            nodes: Vec::new(),
            points: Vec::with_capacity(keyed.len()),
        };
        for alike in keyed.chunk_by(|(a, _), (b, _)| a == b) {
            let Some((key, _)) = alike.first() else {
                continue;
            };
            let mut points: Vec<Point> = alike.iter().map(|(_, point)| *point).collect();
            let first = tree.points.len();
            let root = grow(&mut tree.nodes, &mut points, first);
            tree.points.extend(points);
            let points = first..tree.points.len();
            tree.groups.push(Group {
                key: *key,
                points,
                root,
            });
        }
        tree
    }

    /// Bones and vertices, group by group.
    pub(super) fn groups(&self) -> impl Iterator<Item = (&[u16], &[Point])> {
        self.groups.iter().map(|Group { key, points, .. }| {
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
        for Group { key, root, .. } in &self.groups {
            if key.owner.is_some_and(|owner| !shows(owner)) {
                continue;
            }
            let mut of_group = [IDENTITY; SLOTS];
            debug_assert!(
                key.bones
                    .iter()
                    .take(key.slots.into())
                    .all(|bone| usize::from(*bone) < maps.len()),
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
            for side in Side::ALL {
                self.search(*root, of_group, side, span, &mut stack, steps);
            }
        }
    }

    /// Follows the boxes that can reach beyond a side, the furthest first.
    fn search(
        &self,
        root: usize,
        maps: &[Affine],
        side: Side,
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
                Some(Inside::Points(points)) => {
                    let points = self.points.get(points.clone()).unwrap_or_default();
                    *steps = steps.saturating_add(points.len() as u64);
                    points.iter().for_each(|point| span.add(point.at(maps)));
                }
                Some(Inside::Nodes(nodes)) => {
                    let [a, b] = nodes.map(reach);
                    let b_first = (b.1 > a.1) == side.is_upper();
                    stack.extend(if b_first { [a, b] } else { [b, a] });
                }
                None => {}
            }
        }
    }
}

impl Point {
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

impl Node {
    fn around(points: &[Point], inside: Inside) -> Self {
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
    fn reach(&self, maps: &[Affine], side: Side) -> f32 {
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
fn grow(nodes: &mut Vec<Node>, points: &mut [Point], first: usize) -> usize {
    let at = nodes.len();
    let end = first.saturating_add(points.len());
    let node = Node::around(points, Inside::Points(first..end));
    let ([left, bottom], [right, top]) = (node.min, node.max);
    nodes.push(node);
    if points.len() > LEAF {
        let wide = right - left >= top - bottom;
        let place = |point: &Point| {
            let [x, y] = point.position;
            if wide { x } else { y }
        };
        let middle = points.len() / 2;
        points.select_nth_unstable_by(middle, |a, b| place(a).total_cmp(&place(b)));
        let (low, high) = points.split_at_mut(middle);
        let low = grow(nodes, low, first);
        let high = grow(nodes, high, first.saturating_add(middle));
        if let Some(node) = nodes.get_mut(at) {
            node.inside = Inside::Nodes([low, high]);
        }
    }
    at
}
