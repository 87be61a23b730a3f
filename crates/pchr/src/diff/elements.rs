//! Images, bones, meshes and animations of both versions, matched by name and compared as stored, and keys of bones.

use std::collections::HashMap;

use super::{Change, ChangeKind, DiffJob, Element, ElementKind, ranges};
use crate::document::{AnimationId, BoneId, Image, ImageId, Mesh, MeshId};
use crate::image::{PixelRect, Pixels};
use crate::playback::FrameAt;
use crate::scene::{Curve, CurveKind, CurveKinds, Subject};

/// Elements of all sections, matched.
#[derive(Debug)]
pub(super) struct ElementPairs {
    pub(super) bones: Pairs,
    pub(super) meshes: Pairs,
    pub(super) clips: Pairs,
    /// By index of a mesh before: true if its match has the same image, triangles and texture coordinates.
    pub(super) looks_same: Vec<bool>,
    /// True if images, bones, meshes and the bind pose are equal.
    pub(super) is_same_at_rest: bool,
}

/// Matches the elements, and adds their changes.
pub(super) fn compare_elements(job: &DiffJob<'_>, changes: &mut Vec<Change>) -> ElementPairs {
    let sides = [job.old.subject, job.new.subject];
    let images = compare_images(job, changes);
    let repainted = changes.iter().filter(|change| change.kind != ChangeKind::Encoding);
    let repainted: Vec<u16> = repainted.filter_map(|change| change.element.old).collect();
    let bones = compare_bones(sides, changes);
    let mesh_job = MeshJob { job, images: &images, bones: &bones, repainted: &repainted };
    let (meshes, looks_same) = mesh_job.run(changes);
    let is_same = changes.iter().all(|change| change.kind == ChangeKind::Encoding);
    let [old, new] = sides.map(|side| side.bind().map(|bind| bind.bone_from_bind()));
    let is_same_at_rest = is_same && old == new;
    let clips = compare_clips(sides, &bones, changes);
    ElementPairs { bones, meshes, clips, looks_same, is_same_at_rest }
}

type Sides<'a> = [&'a dyn Subject; 2];

fn add(
    changes: &mut Vec<Change>,
    pairs: &Pairs,
    (old, new): (u16, u16),
    kinds: impl IntoIterator<Item = ChangeKind>,
) {
    let element = pairs.element(Some(old), Some(new));
    let kinds = kinds.into_iter();
    changes.extend(kinds.map(|kind| Change { element: element.clone(), kind }));
}

fn compare_images(job: &DiffJob<'_>, changes: &mut Vec<Change>) -> Pairs {
    let sides = [job.old.subject, job.new.subject];
    let image = |side: usize, id: u16| sides.get(side).and_then(|it| it.image(ImageId(id)));
    let names = sides.map(|side| {
        let ids = (0..=u16::MAX).take(side.image_count());
        ids.map(|id| side.image(ImageId(id)).map_or("", |it| it.name()).to_owned()).collect()
    });
    let data = |side, id| {
        let of = |image: Image<'_>| (image.format(), [image.width(), image.height()]);
        let tint = sides.get(side).map(|it: &&dyn Subject| it.tint(ImageId(id)));
        image(side, id).map(|image| (of(image), tint, image.data()))
    };
    let pairs = Pairs::new(ElementKind::Image, names, |old, new| data(0, old) == data(1, new));
    pairs.list(changes);
    for (old, new) in pairs.both() {
        if data(0, old) == data(1, new) {
            continue;
        }
        let before = job.old.model.images().nth(usize::from(old));
        let after = job.new.model.images().nth(usize::from(new));
        let kind = before.zip(after).map(|(before, after)| texel_change(before, after));
        add(changes, &pairs, (old, new), kind);
    }
    pairs
}

fn texel_change(old: &Pixels, new: &Pixels) -> ChangeKind {
    let [from, to] = [old, new].map(|it| [it.width, it.height]);
    if from != to {
        return ChangeKind::Size(from, to);
    }
    match pixel_change(old, new, 0) {
        Some((count, largest, area)) => ChangeKind::Texels { count, largest, area },
        None => ChangeKind::Encoding,
    }
}

/// Returns the number of pixels that differ by more than `tolerance` in a channel, their largest difference, and the rectangle
/// around them; `None` if there are none. Both pictures are premultiplied and have one size.
pub(super) fn pixel_change(
    old: &Pixels,
    new: &Pixels,
    tolerance: u8,
) -> Option<(u64, u8, PixelRect)> {
    let (mut count, mut largest) = (0_u64, 0);
    let texels = old.rgba.as_chunks::<4>().0.iter().zip(new.rgba.as_chunks::<4>().0);
    let differ = texels.map(|(old, new)| {
        let channels = old.iter().zip(new).map(|(old, new)| old.abs_diff(*new));
        let difference = channels.max().unwrap_or(0);
        let counts = difference > tolerance;
        if counts {
            count = count.saturating_add(1);
            largest = largest.max(difference);
        }
        counts
    });
    let area = PixelRect::around(new.width, differ)?;
    Some((count, largest, area))
}

fn compare_bones(sides: Sides<'_>, changes: &mut Vec<Change>) -> Pairs {
    let parent = |side: &dyn Subject, id: u16| side.bone(BoneId(id))?.parent();
    let [old, new] = sides;
    let pairs = Pairs::new(
        ElementKind::Bone,
        sides.map(|side| side.bone_names().map(str::to_owned).collect()),
        // A bone has no content of its own but its place.
        |before, after| before == after && parent(old, before) == parent(new, after),
    );
    pairs.list(changes);
    for (before, after) in pairs.both() {
        let (from, to) = (parent(old, before), parent(new, after));
        let is_same = from.and_then(|from| pairs.new_of(from.0)) == to.map(|to| to.0)
            && from.is_some() == to.is_some();
        if !is_same {
            let kind = ChangeKind::Parent(bone_name(old, from), bone_name(new, to));
            add(changes, &pairs, (before, after), [kind]);
        }
    }
    pairs
}

fn bone_name(side: &dyn Subject, id: Option<BoneId>) -> Option<String> {
    Some(side.bone(id?)?.name().to_owned())
}

struct MeshJob<'a> {
    job: &'a DiffJob<'a>,
    images: &'a Pairs,
    bones: &'a Pairs,
    /// Images before whose pixels, size, name or place changed.
    repainted: &'a [u16],
}

impl MeshJob<'_> {
    /// Matches meshes and adds their changes. Returns which of those before look the same.
    fn run(&self, changes: &mut Vec<Change>) -> (Pairs, Vec<bool>) {
        let [old, new] = [self.job.old.subject, self.job.new.subject];
        let pairs = Pairs::new(
            ElementKind::Mesh,
            [old, new].map(|side| side.mesh_names().map(str::to_owned).collect()),
            |before, after| match (old.mesh(MeshId(before)), new.mesh(MeshId(after))) {
                (Some(a), Some(b)) => a.vertex_records() == b.vertex_records(),
                _ => false,
            },
        );
        pairs.list(changes);
        let mut looks_same = vec![false; old.mesh_count()];
        for (before, after) in pairs.both() {
            let (Some(a), Some(b)) = (old.mesh(MeshId(before)), new.mesh(MeshId(after))) else {
                continue;
            };
            let mut found = Vec::new();
            let has_same_image = self.compare_image(&a, &b, &mut found);
            let (from, to) = (old.owner(MeshId(before)), new.owner(MeshId(after)));
            if from.and_then(|from| self.bones.new_of(from.0)) != to.map(|to| to.0) {
                found.push(ChangeKind::Owner(bone_name(old, from), bone_name(new, to)));
            }
            let keeps_look = self.compare_vertices(&a, &b, &mut found);
            if let Some(same) = looks_same.get_mut(usize::from(before)) {
                *same = has_same_image && keeps_look;
            }
            add(changes, &pairs, (before, after), found);
        }
        (pairs, looks_same)
    }

    /// Returns true if the image is the same, and looks the same.
    fn compare_image(&self, a: &Mesh<'_>, b: &Mesh<'_>, found: &mut Vec<ChangeKind>) -> bool {
        let is_same = self.images.new_of(a.image().0) == Some(b.image().0);
        if !is_same {
            let name =
                |side: &dyn Subject, id| side.image(id).map_or("", |it| it.name()).to_owned();
            let from = name(self.job.old.subject, a.image());
            let to = name(self.job.new.subject, b.image());
            found.push(ChangeKind::MeshImage(from, to));
        }
        is_same && !self.repainted.contains(&a.image().0)
    }

    /// Returns true if triangles and texture coordinates are the same.
    fn compare_vertices(&self, a: &Mesh<'_>, b: &Mesh<'_>, found: &mut Vec<ChangeKind>) -> bool {
        let (from, to) = (a.vertex_count(), b.vertex_count());
        if from != to {
            found.push(ChangeKind::VertexCount(from, to));
            return false;
        }
        let same_triangles = a.indices().eq(b.indices());
        if !same_triangles {
            let count = |mesh: &Mesh<'_>| mesh.index_count().checked_div(3).unwrap_or(0);
            found.push(ChangeKind::Triangles(count(a), count(b)));
        }
        if a.vertex_records() == b.vertex_records() && self.bones.is_identity() {
            return same_triangles;
        }
        let image = self.job.new.model.images().nth(b.image().index());
        let texels = image.map_or([1, 1], |image| [image.width, image.height]).map(f64::from);
        let mut moved = Farthest::default();
        let mut shifted = Farthest::default();
        let (mut weighted, mut most) = (0_usize, 0.0_f32);
        for (old, new) in a.vertices().zip(b.vertices()) {
            moved.add(old.position, new.position, [1.0, 1.0]);
            shifted.add(old.uv, new.uv, texels);
            let change = self.weight_change(
                (&old.bone_ids, &old.bone_weights),
                (&new.bone_ids, &new.bone_weights),
            );
            if let Some(change) = change {
                weighted = weighted.saturating_add(1);
                most = most.max(change);
            }
        }
        if moved.count > 0 {
            found.push(ChangeKind::Positions { count: moved.count, distance: moved.distance });
        }
        if shifted.count > 0 {
            found.push(ChangeKind::Uvs { count: shifted.count, distance: shifted.distance });
        }
        if weighted > 0 {
            found.push(ChangeKind::Weights { count: weighted, largest: most });
        }
        same_triangles && shifted.count == 0
    }

    /// Returns the largest difference of a bone's weight in a vertex; `None` if all are equal. Slots without weight do not count.
    fn weight_change(
        &self,
        (old_ids, old_weights): (&[u16; 4], &[f32; 4]),
        (new_ids, new_weights): (&[u16; 4], &[f32; 4]),
    ) -> Option<f32> {
        // By index of the bone after; one without a match counts as a bone of its own.
        let mut sums: [(Option<u16>, f32); 8] = [(None, 0.0); 8];
        let old = { old_ids.iter().zip(old_weights) }.filter(|(_, weight)| **weight > 0.0);
        let old = old.map(|(id, weight)| (self.bones.new_of(*id), *weight));
        let new = { new_ids.iter().zip(new_weights) }.filter(|(_, weight)| **weight > 0.0);
        let new = new.map(|(id, weight)| (Some(*id), -*weight));
        let mut used = 0_usize;
        for (bone, weight) in old.chain(new) {
            let known = sums.iter().take(used).position(|(id, _)| bone.is_some() && *id == bone);
            let place = known.unwrap_or(used);
            if place == used {
                used = used.saturating_add(1);
            }
            if let Some(sum) = sums.get_mut(place) {
                *sum = (bone, sum.1 + weight);
            }
        }
        let largest = sums.iter().map(|(_, sum)| sum.abs()).fold(0.0, f32::max);
        (largest > 0.0).then_some(largest)
    }
}

/// Number of points that differ, and their largest distance.
#[derive(Debug, Default)]
struct Farthest {
    count: usize,
    distance: f64,
}

impl Farthest {
    fn add(&mut self, old: [f32; 2], new: [f32; 2], [x_scale, y_scale]: [f64; 2]) {
        if old == new || old.map(f32::to_bits) == new.map(f32::to_bits) {
            return;
        }
        let ([old_x, old_y], [new_x, new_y]) = (old.map(f64::from), new.map(f64::from));
        let distance = ((new_x - old_x) * x_scale).hypot((new_y - old_y) * y_scale);
        self.count = self.count.saturating_add(1);
        self.distance = self.distance.max(distance); // `max` leaves out NaN
    }
}

fn compare_clips(sides: Sides<'_>, bones: &Pairs, changes: &mut Vec<Change>) -> Pairs {
    let [old, new] = sides;
    let pairs = Pairs::new(
        ElementKind::Clip,
        sides.map(|side| side.animation_names().map(str::to_owned).collect()),
        |before, after| has_same_frames(sides, bones, (AnimationId(before), AnimationId(after))),
    );
    pairs.list(changes);
    for (before, after) in pairs.both() {
        let clips = (old.animation(AnimationId(before)), new.animation(AnimationId(after)));
        let (Some(a), Some(b)) = clips else { continue };
        let (a, b) = (a.timeline, b.timeline);
        let (from, to) = (a.frame_count, b.frame_count);
        let frames = (from != to).then_some(ChangeKind::FrameCount(from, to));
        let rate = (a.fps != b.fps).then_some(ChangeKind::Rate(a.fps, b.fps));
        let looping = a.looping != b.looping;
        let looping = looping.then_some(ChangeKind::Looping(b.looping));
        add(changes, &pairs, (before, after), [frames, rate, looping].into_iter().flatten());
        let keys = compare_keys(sides, bones, (AnimationId(before), AnimationId(after)));
        add(changes, &pairs, (before, after), keys);
    }
    pairs
}

/// Returns true if two animations have the same frames, and bones that have local transforms.
fn has_same_frames(
    sides: Sides<'_>,
    bones: &Pairs,
    (before, after): (AnimationId, AnimationId),
) -> bool {
    let [old, new] = sides;
    let frames = old.frame_count(before);
    let first = old.local(BoneId(0), FrameAt::exact(before, 0));
    frames > 0
        && first.is_some()
        && frames == new.frame_count(after)
        && compare_keys(sides, bones, (before, after)).is_empty()
}

/// Difference of degrees that whole turns leave in a curve.
const TURN_ERROR: f32 = 1e-3;

/// Returns the keys that differ, bone by bone, on frames that both animations have.
fn compare_keys(
    [old, new]: Sides<'_>,
    bones: &Pairs,
    (before, after): (AnimationId, AnimationId),
) -> Vec<ChangeKind> {
    let frames = old.frame_count(before).min(new.frame_count(after));
    let mut changes = Vec::new();
    for (old_bone, new_bone) in bones.both() {
        let (a, b) = (BoneId(old_bone), BoneId(new_bone));
        let mut all = CurveKinds::default();
        let mut differ = Vec::new();
        let mut add = |frame: u16, kinds: CurveKinds| {
            if !kinds.is_empty() {
                all = all.and(kinds);
                differ.push(frame);
            }
        };
        let first = old.local(a, FrameAt::exact(before, 0));
        if first.is_some() && new.local(b, FrameAt::exact(after, 0)).is_some() {
            for frame in 0..frames {
                let old = old.local(a, FrameAt::exact(before, frame));
                let new = new.local(b, FrameAt::exact(after, frame));
                if let (Some(old), Some(new)) = (old, new) {
                    add(frame, CurveKinds::between(&old, &new));
                }
            }
        } else {
            let curves = (old.curves(a, before), new.curves(b, after));
            for frame in 0..frames {
                add(frame, curve_change((&curves.0, &curves.1), frame.into()));
            }
        }
        if !differ.is_empty() {
            let bone = bones.element(Some(old_bone), Some(new_bone));
            changes.push(ChangeKind::Keys { bone, kinds: all, frames: ranges(differ) });
        }
    }
    changes
}

/// Returns the kinds of numbers that differ on a frame.
fn curve_change((old, new): (&[Curve], &[Curve]), frame: usize) -> CurveKinds {
    let mut kinds = CurveKinds::default();
    let value = |curve: &Curve| curve.values.get(frame).copied().unwrap_or(f32::NAN);
    for curve in new {
        let same = old.iter().find(|it| (it.name, it.kind) == (curve.name, curve.kind));
        let (old, new) = (same.map_or(f32::NAN, value), value(curve));
        let is_same = old == new || (old.is_nan() && new.is_nan());
        let is_turned = curve.kind == CurveKind::Rotation
            && ((new - old + 180.0).rem_euclid(360.0) - 180.0).abs() < TURN_ERROR;
        if !is_same && !is_turned {
            kinds = kinds.with(curve.kind);
        }
    }
    kinds
}

/// Maximum number of pairs of unmatched elements whose content is compared, to find renamed ones.
const MOST_RENAMED: usize = 1 << 16;

/// Elements of a section, matched.
#[derive(Debug)]
pub(super) struct Pairs {
    kind: ElementKind,
    old_names: Vec<String>,
    new_names: Vec<String>,
    /// Index in the version after, by that before.
    new_of: Vec<Option<u16>>,
}

impl Pairs {
    /// Matches elements by name; those that are left, by their content.
    fn new(
        kind: ElementKind,
        [old_names, new_names]: [Vec<String>; 2],
        is_same: impl Fn(u16, u16) -> bool,
    ) -> Self {
        let mut places: HashMap<&str, Vec<u16>> = HashMap::new();
        for (new, name) in (0..).zip(&new_names).collect::<Vec<_>>().into_iter().rev() {
            places.entry(name).or_default().push(new);
        }
        let of_name = |name: &String| places.get_mut(name.as_str())?.pop();
        let mut new_of: Vec<Option<u16>> = old_names.iter().map(of_name).collect();
        let mut left: Vec<u16> = places.into_values().flatten().collect();
        left.sort_unstable();
        let unmatched = new_of.iter().filter(|new| new.is_none()).count();
        if unmatched.saturating_mul(left.len()) <= MOST_RENAMED {
            for (old, place) in (0..).zip(&mut new_of).filter(|(_, new)| new.is_none()) {
                let found = left.iter().position(|new| is_same(old, *new));
                *place = found.map(|found| left.remove(found));
            }
        }
        Self { kind, old_names, new_names, new_of }
    }

    /// Returns the element after that matches one before.
    pub(super) fn new_of(&self, old: u16) -> Option<u16> {
        self.new_of.get(usize::from(old)).copied().flatten()
    }

    /// Returns true if each element has its match at the same index.
    fn is_identity(&self) -> bool {
        self.both().all(|(old, new)| old == new) && self.new_of.iter().all(Option::is_some)
    }

    /// Returns each pair: index before, index after.
    pub(super) fn both(&self) -> impl Iterator<Item = (u16, u16)> + '_ {
        (0..).zip(&self.new_of).filter_map(|(old, new)| Some((old, (*new)?)))
    }

    pub(super) fn element(&self, old: Option<u16>, new: Option<u16>) -> Element {
        let name = match (old, new) {
            (_, Some(new)) => self.new_names.get(usize::from(new)),
            (Some(old), None) => self.old_names.get(usize::from(old)),
            (None, None) => None,
        };
        Element { kind: self.kind, name: name.cloned().unwrap_or_default(), old, new }
    }

    /// Adds the elements that were added, removed, renamed or reordered.
    fn list(&self, changes: &mut Vec<Change>) {
        let mut is_new = vec![true; self.new_names.len()];
        let kept = longest_ascending(self.both().map(|(_, new)| new));
        let mut kept = kept.into_iter().peekable();
        for (old, new) in (0..).zip(&self.new_of) {
            let element = self.element(Some(old), *new);
            let Some(new) = *new else {
                changes.push(Change { element, kind: ChangeKind::Removed });
                continue;
            };
            if let Some(is_new) = is_new.get_mut(usize::from(new)) {
                *is_new = false;
            }
            let from = self.old_names.get(usize::from(old)).cloned().unwrap_or_default();
            if from != element.name {
                let kind = ChangeKind::Renamed(from);
                changes.push(Change { element: element.clone(), kind });
            }
            if kept.next_if_eq(&new).is_none() {
                changes.push(Change { element, kind: ChangeKind::Reordered });
            }
        }
        for (new, _) in (0..).zip(is_new).filter(|(_, is_new)| *is_new) {
            let element = self.element(None, Some(new));
            changes.push(Change { element, kind: ChangeKind::Added });
        }
    }
}

/// Returns the longest ascending sequence within `numbers`: the elements that keep their order.
fn longest_ascending(numbers: impl Iterator<Item = u16>) -> Vec<u16> {
    let numbers: Vec<u16> = numbers.collect();
    // The place of the smallest last number of a sequence, by length; and the place before each.
    let mut lasts: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(numbers.len());
    let at = |place: usize| numbers.get(place).copied();
    for (place, number) in numbers.iter().enumerate() {
        let len = lasts.partition_point(|last| at(*last) < Some(*number));
        before.push(len.checked_sub(1).and_then(|len| lasts.get(len).copied()));
        match lasts.get_mut(len) {
            Some(last) => *last = place,
            None => lasts.push(place),
        }
    }
    let mut kept = Vec::with_capacity(lasts.len());
    let mut place = lasts.last().copied();
    while let Some(here) = place {
        kept.extend(at(here));
        place = before.get(here).copied().flatten();
    }
    kept.reverse();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_elements_count_as_reordered() {
        assert_eq!(longest_ascending([0, 1, 2].into_iter()), [0, 1, 2]);
        assert_eq!(longest_ascending([3, 0, 1, 2].into_iter()), [0, 1, 2]);
        assert_eq!(longest_ascending([0, 2, 1, 4, 3, 5].into_iter()).len(), 4);
        assert_eq!(longest_ascending(std::iter::empty()), Vec::<u16>::new());
    }

    #[test]
    fn equal_names_are_matched_in_order_and_the_rest_by_content() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let sides = [names(&["a", "a", "old", "gone"]), names(&["b", "a", "new", "a"])];
        let pairs = Pairs::new(ElementKind::Bone, sides, |old, new| (old, new) == (2, 2));
        assert_eq!(pairs.both().collect::<Vec<_>>(), [(0, 1), (1, 3), (2, 2)]);
        let mut changes = Vec::new();
        pairs.list(&mut changes);
        let told = changes.iter().map(|it| (it.element.name.as_str(), it.kind.clone()));
        let told: Vec<_> = told.collect();
        let renamed = ChangeKind::Renamed("old".into());
        assert!(told.contains(&("new", renamed)) && told.contains(&("gone", ChangeKind::Removed)));
        assert!(told.contains(&("b", ChangeKind::Added)) && told.len() == 4, "{told:?}");
    }
}
