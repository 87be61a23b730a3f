//! Facts about the meshes of a subject for their list, found on a thread: small pictures, and alternatives of one another.

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
        let Some(mesh) = subject.mesh(id) else {
            continue;
        };
        let Some(levels) = images.get(mesh.image().index()) else {
            continue;
        };
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
        let Some(([left, top], scale)) = fitted(&self.corners, f32::from(side)) else {
            return;
        };
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
fn level(levels: &Levels, shrink: f32) -> &Pixels {
    let mut shrink = shrink;
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
fn bounds(points: impl Iterator<Item = [f32; 2]>) -> Option<Bounds> {
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

#[cfg(test)]
mod tests {
    use pchr::character::Character;
    use pchr::pose::BindChoice;

    use super::*;
    use crate::fixture::{Builder, WHITE, at, hidden};

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
    fn names_that_differ_in_a_number_are_alternatives() {
        let facts =
            facts(&[("eye#0", 0.0), ("nose", 0.0), ("eye#1", 500.0), ("ear#0", 0.0)], &[0b1111]);
        assert_eq!(facts.alternatives(MeshId(0)), ids(&[0, 2]));
        assert_eq!(facts.alternatives(MeshId(2)), ids(&[0, 2]));
        assert_eq!(facts.alternatives(MeshId(1)), []);
        assert_eq!(facts.alternatives(MeshId(3)), [], "it is the only one");
    }

    #[test]
    fn meshes_in_one_place_that_are_shown_in_turn_are_alternatives() {
        let hands = [("open", 0.0), ("fist", 2.0), ("far", 500.0), ("lost", 0.0)];
        let facts = facts(&hands, &[0b0001, 0b0010, 0b0101]);
        assert_eq!(facts.alternatives(MeshId(0)), ids(&[0, 1]), "never shown is no turn");
        assert_eq!(facts.alternatives(MeshId(2)), [], "it lies elsewhere");
        let together = super::tests::facts(&hands, &[0b0001, 0b0011]);
        assert_eq!(together.alternatives(MeshId(0)), []);
    }
}
