//! Meshes of a subject: facts for their list, found on a thread (small pictures, and alternatives of one another), and moves in the draw
//! order, with as few overrides as possible.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use pchr::document::{AnimationId, BoneId, MeshId, Vertex};
use pchr::image::{Levels, Pixels};
use pchr::playback::FrameAt;
use pchr::scene::{Bounds, MeshOrder, Subject};

/// Side of a small picture in pixels.
const SIDE: u16 = 32;
/// Samples along each side of a pixel.
const SAMPLES: u16 = 2;
/// Pictures in a row of their texture, and rows of it: what every adapter can show.
const MOST: u16 = 2048 / SIDE;
/// Meshes and frames that are compared to find meshes which are never shown together; with more, only names count.
const MOST_ORDERS: usize = 1 << 24;

/// Small pictures and alternatives of meshes.
#[derive(Debug, PartialEq)]
pub(crate) struct MeshFacts {
    /// Pictures in the order of the meshes, row by row: premultiplied.
    pub pictures: Pixels,
    /// Meshes of which one takes the place of another, in file order.
    groups: Vec<Vec<MeshId>>,
    /// Number of its group, of each mesh that has one.
    group_of: BTreeMap<MeshId, usize>,
}

impl MeshFacts {
    /// Finds the facts about a subject with these images.
    pub(crate) fn new(subject: &dyn Subject, images: &[Arc<Levels>]) -> Self {
        // Sprites of an atlas are alternatives by nature.
        let groups = if subject.bone_count() > 0 { alternatives(subject) } else { Vec::new() };
        let members = groups.iter().enumerate();
        let group_of = members.flat_map(|(group, of)| of.iter().map(move |mesh| (*mesh, group)));
        Self { pictures: pictures(subject, images), group_of: group_of.collect(), groups }
    }

    /// Returns the place of the picture of a mesh as fractions of the whole: left, top, width and height. `None` for the meshes that
    /// have none.
    pub(crate) fn place(&self, mesh: MeshId) -> Option<[f32; 4]> {
        let [column, row] = [mesh.0 % MOST, mesh.0 / MOST];
        let top = u32::from(row) * u32::from(SIDE);
        if top >= self.pictures.height {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "at most 2048")]
        let [width, height] = [self.pictures.width, self.pictures.height].map(|side| side as f32);
        let side = f32::from(SIDE);
        let [left, top] = [column, row].map(|place| f32::from(place) * side);
        Some([left / width, top / height, side / width, side / height])
    }

    /// Returns the meshes that take the place of a mesh, itself included; empty if there are none.
    pub(crate) fn alternatives(&self, mesh: MeshId) -> &[MeshId] {
        let group = self.group_of.get(&mesh).and_then(|group| self.groups.get(*group));
        group.map_or(&[], Vec::as_slice)
    }
}

/// Returns the pictures of all meshes, as far as there is room.
fn pictures(subject: &dyn Subject, images: &[Arc<Levels>]) -> Pixels {
    let count = u16::try_from(subject.mesh_count()).unwrap_or(u16::MAX).min(MOST * MOST);
    let [columns, rows] = [count.min(MOST), count.div_ceil(MOST)];
    let [width, height] = [columns, rows].map(|cells| u32::from(cells) * u32::from(SIDE));
    let side = usize::from(SIDE);
    let mut rgba = vec![0; width as usize * height as usize * 4];
    let mut drawing = Drawing::default();
    for id in (0..count).map(MeshId) {
        let Some(mesh) = subject.mesh(id) else { continue };
        let Some(levels) = images.get(mesh.image().index()) else { continue };
        drawing.draw(mesh.vertices(), mesh.indices(), levels);
        let [left, top] = [id.0 % MOST, id.0 / MOST].map(|cell| usize::from(cell) * side);
        for (y, pixels) in drawing.pixels().chunks_exact(side).enumerate() {
            let start = ((top + y) * width as usize + left) * 4;
            if let Some(row) = rgba.get_mut(start..start + side * 4) {
                row.copy_from_slice(pixels.as_flattened());
            }
        }
    }
    Pixels { width, height, rgba }
}

/// A mesh as it is stored, drawn with [`SAMPLES`] squared samples a pixel.
#[derive(Default)]
struct Drawing {
    samples: Vec<[u8; 4]>,
    corners: Vec<([f32; 2], [f32; 2])>,
}

impl Drawing {
    fn draw(
        &mut self,
        vertices: impl Iterator<Item = Vertex>,
        indices: impl Iterator<Item = u16>,
        levels: &Levels,
    ) {
        let side = SIDE * SAMPLES;
        self.samples.clear();
        self.samples.resize(usize::from(side) * usize::from(side), [0; 4]);
        self.corners.clear();
        self.corners.extend(vertices.map(|vertex| (vertex.position, vertex.uv)));
        let Some(([left, top], scale)) = fitted(&self.corners, f32::from(side)) else { return };
        for ([x, y], _) in &mut self.corners {
            (*x, *y) = ((*x - left) * scale, (top - *y) * scale);
        }
        let indices: Vec<u16> = indices.collect();
        for triangle in indices.as_chunks::<3>().0 {
            let corner = |index: u16| self.corners.get(usize::from(index)).copied();
            if let [Some(a), Some(b), Some(c)] = triangle.map(corner) {
                fill(&mut self.samples, side, [a, b, c], levels);
            }
        }
    }

    /// Returns the pixels, row by row.
    fn pixels(&self) -> Vec<[u8; 4]> {
        let [side, samples] = [SIDE, SAMPLES].map(usize::from);
        let pixel = |x: usize, y: usize| {
            let places = (0..samples * samples).map(|i| {
                let (row, column) = (y * samples + i / samples, x * samples + i % samples);
                self.samples.get(row * side * samples + column).copied().unwrap_or_default()
            });
            let sum = places.fold([0_u16; 4], |mut sum, sample| {
                for (sum, channel) in sum.iter_mut().zip(sample) {
                    *sum += u16::from(channel);
                }
                sum
            });
            sum.map(|sum| u8::try_from(sum / (SAMPLES * SAMPLES)).unwrap_or(u8::MAX))
        };
        (0..side).flat_map(|y| (0..side).map(move |x| (x, y))).map(|(x, y)| pixel(x, y)).collect()
    }
}

/// Returns the upper left corner of the square that holds all positions in its middle, and the samples per unit; `None` without an extent.
fn fitted(corners: &[([f32; 2], [f32; 2])], side: f32) -> Option<([f32; 2], f32)> {
    let all = bounds(corners.iter().map(|(position, _)| *position))?;
    let ([x0, y0], [x1, y1]) = (all.min, all.max);
    let extent = (x1 - x0).max(y1 - y0);
    let scale = (side - 2.0) / extent;
    let half = side / 2.0 / scale;
    let middle = [f32::midpoint(x0, x1), f32::midpoint(y0, y1)];
    let is_sound = extent > 0.0 && scale.is_finite() && scale > 0.0;
    is_sound.then(|| ([middle[0] - half, middle[1] + half], scale))
}

/// Fills a triangle: positions in samples, with texture coordinates.
fn fill(samples: &mut [[u8; 4]], side: u16, corners: [([f32; 2], [f32; 2]); 3], levels: &Levels) {
    let [(a, uv_a), (b, uv_b), (c, uv_c)] = corners;
    let cross = |[ax, ay]: [f32; 2], [bx, by]: [f32; 2], [cx, cy]: [f32; 2]| {
        (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    };
    let area = cross(a, b, c);
    if !area.is_finite() || area == 0.0 {
        return;
    }
    let base = levels.base();
    #[expect(clippy::cast_precision_loss, reason = "sides of images are small")]
    let texels = base.width as f32 * base.height as f32;
    let shrink = (cross(uv_a, uv_b, uv_c) * texels / area).abs();
    let image = level(levels, shrink);
    let span = |pick: fn([f32; 2]) -> f32| {
        let [a, b, c] = [a, b, c].map(pick);
        range(a.min(b).min(c), a.max(b).max(c), side)
    };
    for y in span(|[_, y]| y) {
        for x in span(|[x, _]| x) {
            let at = [f32::from(x) + 0.5, f32::from(y) + 0.5];
            let shares = [cross(at, b, c), cross(a, at, c), cross(a, b, at)].map(|it| it / area);
            if shares.iter().any(|share| *share < 0.0) {
                continue;
            }
            let uv = [0, 1].map(|axis: usize| {
                let parts = [uv_a, uv_b, uv_c].into_iter().zip(shares);
                parts.map(|(uv, share)| uv.get(axis).copied().unwrap_or(0.0) * share).sum::<f32>()
            });
            let place = usize::from(y) * usize::from(side) + usize::from(x);
            if let (Some(sample), Some(texel)) = (samples.get_mut(place), texel(image, uv)) {
                *sample = texel;
            }
        }
    }
}

/// Returns the copy of an image whose texels are as large as samples; each sample of the image in full size covers `shrink` texels.
fn level(levels: &Levels, mut shrink: f32) -> &Pixels {
    let mut image = levels.base();
    for smaller in levels.smaller() {
        if shrink < 2.0 {
            break;
        }
        (image, shrink) = (smaller, shrink / 4.0);
    }
    image
}

/// Returns the whole numbers whose middles may lie between two.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped, and `as` saturates"
)]
fn range(from: f32, to: f32, side: u16) -> RangeInclusive<u16> {
    let last = side.saturating_sub(1);
    (from.max(0.0) as u16).min(last)..=(to.max(0.0) as u16).min(last)
}

/// Returns the texel at texture coordinates, which are held within the image.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "clamped, and `as` saturates"
)]
fn texel(image: &Pixels, [u, v]: [f32; 2]) -> Option<[u8; 4]> {
    let place = |part: f32, side: u32| {
        let last = side.checked_sub(1)?;
        Some(((part.clamp(0.0, 1.0) * side as f32) as u32).min(last))
    };
    let [x, y] = [place(u, image.width)?, place(v, image.height)?].map(|place| place as usize);
    image.rgba.as_chunks::<4>().0.get(y * image.width as usize + x).copied()
}

/// Returns the groups of meshes that take each other's place: their names differ in a number behind `#`; or their bones have the same
/// parent, they lie in the same place, and no frame shows two of them.
fn alternatives(subject: &dyn Subject) -> Vec<Vec<MeshId>> {
    let mut named: BTreeMap<&str, Vec<MeshId>> = BTreeMap::new();
    let mut single = Vec::new();
    for (mesh, name) in (0..=u16::MAX).map(MeshId).zip(subject.mesh_names()) {
        match name.rsplit_once('#').filter(|(_, number)| number.parse::<u16>().is_ok()) {
            Some((base, _)) => named.entry(base).or_default().push(mesh),
            None => single.push(mesh),
        }
    }
    let (mut groups, others): (Vec<_>, Vec<_>) =
        named.into_values().partition(|meshes| meshes.len() > 1);
    single.extend(others.into_iter().flatten());
    single.sort_unstable();
    groups.extend(in_turn(subject, &single));
    groups.sort_unstable();
    groups
}

/// Returns the groups of meshes that lie in the same place and are shown in turn.
fn in_turn(subject: &dyn Subject, meshes: &[MeshId]) -> Vec<Vec<MeshId>> {
    let candidates = candidates(subject, meshes);
    let frames = subject.animation_ids().map(|id| usize::from(subject.frame_count(id)));
    let frames: usize = frames.sum();
    if candidates.is_empty() || frames.saturating_mul(subject.mesh_count()) > MOST_ORDERS {
        return Vec::new();
    }
    let seen = seen(subject, frames);
    let is_in_turn = |a: MeshId, b: MeshId| {
        let both = seen.get(a.index()).zip(seen.get(b.index()));
        both.is_some_and(|(a, b)| {
            let any = |seen: &[u64]| seen.iter().any(|bits| *bits != 0);
            any(a) && any(b) && a.iter().zip(b).all(|(a, b)| a & b == 0)
        })
    };
    let mut groups: Vec<Vec<MeshId>> = Vec::new();
    for siblings in candidates {
        let first = groups.len();
        for (mesh, bounds) in &siblings {
            let fits = |group: &&mut Vec<MeshId>| {
                group.iter().all(|other| {
                    let at = siblings.iter().find(|(mesh, _)| mesh == other);
                    at.is_some_and(|(_, at)| is_same_place(bounds, at)) && is_in_turn(*mesh, *other)
                })
            };
            match groups.get_mut(first..).unwrap_or_default().iter_mut().find(fits) {
                Some(group) => group.push(*mesh),
                None => groups.push(vec![*mesh]),
            }
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// Returns the meshes whose bones have the same parent, with their bounds as stored; only where there are several of them.
fn candidates(subject: &dyn Subject, meshes: &[MeshId]) -> Vec<Vec<(MeshId, Bounds)>> {
    let mut siblings: BTreeMap<BoneId, Vec<(MeshId, Bounds)>> = BTreeMap::new();
    for id in meshes {
        let owner = subject.owner(*id).and_then(|bone| subject.bone(bone));
        let parent = owner.and_then(|bone| bone.parent());
        let mesh = subject.mesh(*id);
        let bounds = mesh.and_then(|mesh| bounds(mesh.vertices().map(|vertex| vertex.position)));
        if let Some((parent, bounds)) = parent.zip(bounds) {
            siblings.entry(parent).or_default().push((*id, bounds));
        }
    }
    siblings.into_values().filter(|meshes| meshes.len() > 1).collect()
}

/// Returns the bounds of the finite ones of some points.
pub(crate) fn bounds(points: impl Iterator<Item = [f32; 2]>) -> Option<Bounds> {
    let finite = points.filter(|point| point.iter().all(|c| c.is_finite()));
    finite.map(|point| Bounds { min: point, max: point }).reduce(Bounds::union)
}

/// Returns for each mesh the frames that show it, one bit each.
fn seen(subject: &dyn Subject, frames: usize) -> Vec<Vec<u64>> {
    let words = frames.div_ceil(64);
    let mut seen = vec![vec![0_u64; words]; subject.mesh_count()];
    let mut orders: Vec<MeshOrder> = Vec::new();
    let frames = |id: AnimationId| (0..subject.frame_count(id)).map(move |frame| (id, frame));
    for (place, (id, frame)) in subject.animation_ids().flat_map(frames).enumerate() {
        orders.clear();
        subject.order(Some(FrameAt::exact(id, frame)), &mut orders);
        for (seen, order) in seen.iter_mut().zip(&orders) {
            if let Some(word) = seen.get_mut(place / 64).filter(|_| order.visible) {
                *word |= 1 << (place % 64);
            }
        }
    }
    seen
}

/// Returns true for bounds of which at least half of the smaller lies in the larger.
fn is_same_place(a: &Bounds, b: &Bounds) -> bool {
    let area = |[x0, y0]: [f32; 2], [x1, y1]: [f32; 2]| (x1 - x0).max(0.0) * (y1 - y0).max(0.0);
    let inner = |pick: fn(f32, f32) -> f32, [ax, ay]: [f32; 2], [bx, by]: [f32; 2]| {
        [pick(ax, bx), pick(ay, by)]
    };
    let both = area(inner(f32::max, a.min, b.min), inner(f32::min, a.max, b.max));
    let smaller = area(a.min, a.max).min(area(b.min, b.max));
    smaller > 0.0 && both * 2.0 >= smaller
}

/// Direction of a move in the draw order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OrderStep {
    /// Later, on top of its neighbour.
    Up,
    /// Earlier, below its neighbour.
    Down,
}

/// Returns the draw orders that swap `mesh` with its neighbour. Empty without a neighbour. See [`placed`] for the rest.
pub(crate) fn moved(
    back_to_front: &[(MeshId, f64)],
    mesh: MeshId,
    direction: OrderStep,
) -> Vec<(MeshId, f64)> {
    let from = back_to_front.iter().position(|(id, _)| *id == mesh);
    let to = from.and_then(|from| match direction {
        OrderStep::Up => from.checked_add(1),
        OrderStep::Down => from.checked_sub(1),
    });
    to.map_or_else(Vec::new, |to| placed(back_to_front, mesh, to))
}

/// Returns the draw orders that put `mesh` at `position` from the back. The other meshes keep their order. A position
/// beyond the end is the top. `back_to_front` holds every mesh with its draw order, ascending by `(draw order, mesh)`.
///
/// One override is enough, unless the new neighbours share a draw order and the mesh indices do not put the mesh
/// between them. In that case all meshes of that group on one side move by half a step.
pub(crate) fn placed(
    back_to_front: &[(MeshId, f64)],
    mesh: MeshId,
    position: usize,
) -> Vec<(MeshId, f64)> {
    let Some(from) = back_to_front.iter().position(|(id, _)| *id == mesh) else {
        return Vec::new();
    };
    let to = position.min(back_to_front.len().saturating_sub(1));
    if to == from {
        return Vec::new();
    }
    let mut rest = back_to_front.to_vec();
    let own = rest.remove(from);
    let (lower, upper) = rest.split_at(to.min(rest.len()));
    let z = match (lower.last(), upper.first()) {
        (None, None) => return Vec::new(),
        (Some((_, low)), None) => low + 1.0,
        (None, Some((_, high))) => high - 1.0,
        (Some((_, low)), Some((_, high))) if to > from => low + step(high - low),
        (Some((_, low)), Some((_, high))) => high - step(high - low),
    };
    if lies_between(lower, (mesh, z), upper) {
        return vec![(mesh, z)];
    }
    let raised = lower.last().and_then(|low| shifted(own, *low, upper.iter(), 1.0));
    let lowered = upper.first().and_then(|high| shifted(own, *high, lower.iter().rev(), -1.0));
    let candidates = [raised, lowered];
    let sound = candidates.into_iter().flatten();
    let fewest = sound.min_by_key(Vec::len);
    fewest.unwrap_or_else(|| numbered(lower, own, upper))
}

/// Returns half of the gap between draw orders, at most 0.5: half of what authors leave between them.
fn step(gap: f64) -> f64 {
    (gap / 2.0).min(0.5)
}

/// Returns true if a mesh is drawn after all of `lower` and before all of `upper`.
fn lies_between(lower: &[(MeshId, f64)], mesh: (MeshId, f64), upper: &[(MeshId, f64)]) -> bool {
    let before = |a: &(MeshId, f64), b: &(MeshId, f64)| (a.1, a.0) < (b.1, b.0);
    lower.last().is_none_or(|low| before(low, &mesh))
        && upper.first().is_none_or(|high| before(&mesh, high))
}

/// Moves the meshes of the group next to the mesh, which `side` begins with, half a step away from the `nearest` one of the other side:
/// `way` is 1 to move them up and -1 to move them down. Returns `None` if there is no room.
fn shifted<'a>(
    own: (MeshId, f64),
    (nearest, z): (MeshId, f64),
    mut side: impl Iterator<Item = &'a (MeshId, f64)> + Clone,
    way: f64,
) -> Option<Vec<(MeshId, f64)>> {
    let group = side.clone().take_while(|(_, at)| *at == z);
    let next = side.nth(group.clone().count());
    let to = z + way * step(next.map_or(f64::INFINITY, |(_, next)| (next - z) * way));
    let room = z * way < to * way && next.is_none_or(|(_, next)| to * way < next * way);
    // If its index puts the mesh on the far side of the nearest one, it joins that one's group; otherwise this one.
    let is_beyond = if way > 0.0 { own.0 > nearest } else { own.0 < nearest };
    let own_to = if is_beyond { z } else { to };
    room.then(|| overrides(own, own_to, group, to))
}

fn overrides<'a>(
    own: (MeshId, f64),
    own_to: f64,
    group: impl Iterator<Item = &'a (MeshId, f64)>,
    to: f64,
) -> Vec<(MeshId, f64)> {
    let own_moves = (own.1 != own_to).then_some((own.0, own_to));
    let group = group.map(|(id, _)| (*id, to));
    own_moves.into_iter().chain(group).collect()
}

/// Numbers all meshes by their positions. Used if draw orders lie too close to each other, or too far from 0.
fn numbered(
    lower: &[(MeshId, f64)],
    own: (MeshId, f64),
    upper: &[(MeshId, f64)],
) -> Vec<(MeshId, f64)> {
    let order = lower.iter().chain([&own]).chain(upper);
    (0_u32..).zip(order).map(|(place, (id, _))| (*id, f64::from(place))).collect()
}

#[cfg(test)]
mod tests {
    use pchr::character::Character;
    use pchr::pose::BindChoice;

    use super::*;
    use crate::fixture::{Builder, WHITE, at, hidden};
    use proptest::prelude::*;

    const RED: [u8; 4] = [255, 0, 0, 255];

    /// A rig whose meshes lie on bones below one root, each on its own; `shown` has a bit for each mesh, frame by frame.
    fn facts(meshes: &[(&str, f32)], shown: &[u8]) -> MeshFacts {
        let rig = Builder::new().image(2, &[RED, WHITE]).bone("root", None);
        let rig = (1..).zip(meshes).fold(rig, |rig, (bone, (name, left))| {
            let rig = rig.bone(&format!("bone of {name}"), Some(0));
            rig.quad(name, 0, bone, [*left, 0.0], [*left + 10.0, 10.0])
        });
        let frames: Vec<Vec<_>> = { shown.iter() }
            .map(|shown| {
                let of = |mesh: usize| if shown >> mesh & 1 == 1 { at(0.0, 0.0) } else { hidden() };
                let meshes = (0..meshes.len()).map(of);
                std::iter::once(at(0.0, 0.0)).chain(meshes).collect()
            })
            .collect();
        let rig = Character::new(rig.animation("walk", true, &frames).document(), BindChoice::Auto);
        let image = Pixels { width: 2, height: 1, rgba: [RED, WHITE].concat() };
        MeshFacts::new(&rig, &[Arc::new(Levels::with_mipmaps(image))])
    }

    fn ids(ids: &[u16]) -> Vec<MeshId> {
        ids.iter().copied().map(MeshId).collect()
    }

    #[test]
    fn a_picture_shows_the_mesh_as_it_is_stored() {
        let facts = facts(&[("a", 0.0), ("b", 500.0)], &[0b11]);
        let Pixels { width, height, rgba } = &facts.pictures;
        assert_eq!((*width, *height), (64, 32));
        let pixel = |x: usize, y: usize| rgba.as_chunks::<4>().0[y * 64 + x];
        for left in [0, 32] {
            assert_eq!(pixel(left + 8, 16), RED);
            assert_eq!(pixel(left + 24, 16), WHITE);
            assert!(pixel(left + 24, 0)[3] < 255, "there is a margin");
        }
        assert_eq!(facts.place(MeshId(1)), Some([0.5, 0.0, 0.5, 1.0]));
        assert_eq!(facts.place(MeshId(64)), None);
    }

    #[test]
    fn a_mesh_without_an_extent_or_with_wrong_numbers_has_an_empty_picture() {
        for right in [0.0, f32::NAN, f32::INFINITY] {
            let corners = [[0.0, 0.0], [right, 0.0], [0.0, right]].map(|at| (at, [0.0; 2]));
            let fits = fitted(&corners, 64.0);
            assert!(fits.is_none() || right.is_infinite(), "{right}: {fits:?}");
        }
        assert_eq!(fitted(&[], 64.0), None);
    }

    #[test]
    fn meshes_whose_names_differ_in_a_number_or_that_are_shown_in_turn_are_alternatives() {
        let eyes = [("eye#0", 0.0), ("nose", 0.0), ("eye#1", 500.0), ("ear#0", 0.0)];
        let hands = [("open", 0.0), ("fist", 2.0), ("far", 500.0), ("lost", 0.0)];
        let in_turn = [0b0001, 0b0010, 0b0101];
        for (meshes, shown, mesh, wanted) in [
            (&eyes, &[0b1111][..], 0, &[0, 2][..]),
            (&eyes, &[0b1111], 2, &[0, 2]),
            (&eyes, &[0b1111], 1, &[]),
            (&eyes, &[0b1111], 3, &[]),     // it is the only one
            (&hands, &in_turn, 0, &[0, 1]), // never shown is no turn
            (&hands, &in_turn, 2, &[]),     // it lies elsewhere
            (&hands, &[0b0001, 0b0011], 0, &[]),
        ] {
            assert_eq!(facts(meshes, shown).alternatives(MeshId(mesh)), ids(wanted), "{mesh}");
        }
    }

    fn list(of: &[(u16, f64)]) -> Vec<(MeshId, f64)> {
        of.iter().map(|(id, z)| (MeshId(*id), *z)).collect()
    }

    /// Returns the list after the overrides, back to front.
    fn with(list: &[(MeshId, f64)], overrides: &[(MeshId, f64)]) -> Vec<(MeshId, f64)> {
        let z_of = |id, z| overrides.iter().find(|(of, _)| *of == id).map_or(z, |(_, own)| *own);
        let mut list: Vec<_> = list.iter().map(|(id, z)| (*id, z_of(*id, *z))).collect();
        list.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        list
    }

    fn order(list: &[(MeshId, f64)]) -> Vec<u16> {
        list.iter().map(|(id, _)| id.0).collect()
    }

    /// Returns the order after a move, back to front.
    fn after(start: &[(u16, f64)], mesh: u16, direction: OrderStep) -> Vec<u16> {
        let list = list(start);
        order(&with(&list, &moved(&list, MeshId(mesh), direction)))
    }

    #[test]
    fn a_mesh_changes_places_with_its_neighbour_and_with_no_other() {
        let lists: [&[(u16, f64)]; 6] = [
            &[(0, 0.0), (1, 1.0), (2, 2.0), (3, 3.0)],
            &[(0, 0.0), (1, 0.0), (2, 0.0), (3, 0.0)],
            &[(3, -1.0), (0, 0.0), (1, 0.0), (2, 7.0)],
            &[(2, 0.0), (3, 0.0), (0, 0.5), (1, 0.5)],
            &[(1, 5.0), (2, 5.0), (0, 6.0), (3, 6.0)],
            &[(0, 1e300), (1, 1e300), (2, 1e300), (3, 1e300)],
        ];
        for list in lists {
            let ids: Vec<u16> = list.iter().map(|(id, _)| *id).collect();
            for i in 0..ids.len() {
                let above = (i + 1).min(ids.len() - 1);
                for (step, to) in [(OrderStep::Up, above), (OrderStep::Down, i.saturating_sub(1))] {
                    let mut wanted = ids.clone();
                    wanted.swap(i, to);
                    assert_eq!(after(list, ids[i], step), wanted, "{list:?} {i} {step:?}");
                }
            }
        }
    }

    #[test]
    fn one_override_is_enough_where_draw_orders_differ_and_the_ends_do_not_move() {
        let list = list(&[(0, 0.0), (1, 1.0), (2, 2.0)]);
        for (mesh, step, wanted) in [
            (0, OrderStep::Up, Some(1.5)),
            (2, OrderStep::Down, Some(0.5)),
            (1, OrderStep::Up, Some(3.0)),
            (2, OrderStep::Up, None),
            (0, OrderStep::Down, None),
            (9, OrderStep::Down, None),
        ] {
            let wanted = Vec::from_iter(wanted.map(|z| (MeshId(mesh), z)));
            assert_eq!(moved(&list, MeshId(mesh), step), wanted);
        }
        assert!(moved(&[], MeshId(0), OrderStep::Up).is_empty());
    }

    #[test]
    fn a_tie_is_parted_on_its_shorter_side_and_stays_below_what_lies_above() {
        let list = list(&[(0, 4.0), (1, 4.0), (2, 4.0), (4, 4.0), (5, 4.0), (3, 4.25)]);
        let part = |mesh, to| placed(&list, MeshId(mesh), to);
        // 0 stays where it is, above 1.
        assert_eq!(part(0, 1), [(MeshId(1), 3.5)]);
        assert_eq!(part(1, 3), [(MeshId(1), 4.125), (MeshId(5), 4.125)]);
        assert_eq!(part(5, 1), [(MeshId(5), 3.5), (MeshId(0), 3.5)]);
        // Between 1 and 2 there is no index, but between 2 and 4.
        assert_eq!(part(3, 3), [(MeshId(3), 4.0)]);
    }

    #[test]
    fn a_row_goes_to_the_top_and_to_the_bottom_by_one_override() {
        let list = list(&[(2, 0.0), (0, 0.5), (1, 0.5), (3, 9.0)]);
        assert_eq!(placed(&list, MeshId(0), 3), [(MeshId(0), 10.0)]);
        assert_eq!(placed(&list, MeshId(0), usize::MAX), [(MeshId(0), 10.0)]);
        assert_eq!(placed(&list, MeshId(3), 0), [(MeshId(3), -1.0)]);
        assert!(placed(&list, MeshId(3), 3).is_empty(), "it is there");
        assert!(placed(&list, MeshId(7), 0).is_empty(), "there is no such mesh");
        assert!(placed(&[], MeshId(0), 0).is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_mesh_comes_to_lie_where_it_is_put_and_the_others_keep_their_order(
            orders in prop::collection::vec(
                prop::sample::select(vec![-1.0, 0.0, 0.0, 0.5, 1.0, 1.0 + f64::EPSILON, 7.0, 1e300]),
                1..9,
            ),
            moves in prop::collection::vec((0_usize..9, 0_usize..9), 1..40),
        ) {
            let list: Vec<_> = (0..=u16::MAX).map(MeshId).zip(orders).collect();
            let mut list = with(&list, &[]);
            for (from, to) in moves {
                let (from, to) = (from % list.len(), to % list.len());
                let mut wanted = order(&list);
                let mesh = wanted.remove(from);
                wanted.insert(to, mesh);
                let overrides = placed(&list, MeshId(mesh), to);
                let after = with(&list, &overrides);
                prop_assert_eq!(order(&after), wanted);
                let alone = overrides.len() <= 1;
                let mut rest = list.clone();
                rest.remove(from);
                let tie = to > 0 && to < rest.len() && rest[to].1 - rest[to - 1].1 < 1e-9;
                let far = list.iter().any(|(_, z)| z.abs() > 1e15);
                prop_assert!(alone || tie || far, "{:?} {:?}", list, overrides);
                prop_assert!(overrides.iter().all(|(_, z)| z.is_finite()));
                list = after;
            }
        }
    }
}
