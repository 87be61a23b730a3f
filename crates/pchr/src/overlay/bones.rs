//! Bones as kites from joint to joint, the axes of a flat world, and the path of a bone or of a vertex over the animation.

use super::colors::{Ink, Scale, Tone};
use super::options::{Layer, LayerNeeds, OverlayOptions, Trail};
use super::pen::{Pen, Point, direction, offset, snap, turned};
use super::{OverlayJob, OverlayScratch, PathOf, PointPath, TrailScratch};
use crate::document::{BoneId, Vertex};
use crate::playback::FrameAt;
use crate::pose::{Pose, skin_point, transform_point};

/// A bone's colours, and its width relative to others.
#[derive(Clone, Copy, Debug)]
struct BoneLook {
    lit: Ink,
    shade: Ink,
    joint: Ink,
    width: f32,
}

const PLAIN: BoneLook =
    BoneLook { lit: Ink::Bone, shade: Ink::BoneShade, joint: Ink::Joint, width: 1.0 };
const CHOSEN: BoneLook =
    BoneLook { lit: Ink::Accent, shade: Ink::AccentShade, joint: Ink::Accent, width: 1.4 };

/// Draws the origin, the layers of bones, the highlighted bone and the path. Computes the joints first; names use them, too.
pub(super) fn draw_layers(job: &OverlayJob<'_>, scratch: &mut OverlayScratch, pen: &mut Pen<'_>) {
    let OverlayOptions { bone, trail, .. } = *job.options;
    let has = |layer| job.options.has(layer);
    if has(Layer::Origin) {
        origin(job, pen);
    }
    // Without a frame no bone is anywhere.
    let posed = job.frame.pose().is_skinned();
    let on_bones = job.options.draws_on(LayerNeeds::FlatBones);
    if posed && (on_bones || has(Layer::Names) || bone.is_some()) {
        place(job, scratch);
        if has(Layer::Bones) {
            draw(job, None, scratch, pen);
        }
        if bone.is_some() {
            draw(job, bone, scratch, pen);
        }
    }
    if let Some(trail) = trail {
        draw_trail(job, trail, &mut scratch.trail, pen);
    }
}

/// Computes the joints on the screen, and finds the bones that have children.
fn place(job: &OverlayJob<'_>, scratch: &mut OverlayScratch) {
    let screen_from_world = job.camera.screen_from_world(job.size);
    let worlds = job.frame.pose().world_from_bone();
    scratch.joints.clear();
    scratch.joints.extend(worlds.iter().map(|world| {
        let [[.., x, _], [.., y, _]] = *world;
        transform_point(&screen_from_world, [x, y])
    }));
    scratch.parents.clear();
    scratch.parents.resize(worlds.len(), false);
    for parent in job.subject.bones().filter_map(|bone| bone.parent()) {
        if let Some(parent) = scratch.parents.get_mut(parent.index()) {
            *parent = true;
        }
    }
}

/// Draws all bones, or highlights the chosen one: a kite to each child, a short kite in the direction of a bone without children, and
/// the joints.
fn draw(job: &OverlayJob<'_>, chosen: Option<BoneId>, scratch: &OverlayScratch, pen: &mut Pen<'_>) {
    let look = if chosen.is_some() { CHOSEN } else { PLAIN };
    let is_drawn = |bone: &BoneId| chosen.is_none_or(|chosen| chosen == *bone);
    let ids = || (0..=u16::MAX).map(BoneId);
    for (id, bone) in ids().zip(job.subject.bones()) {
        let parent = bone.parent().filter(is_drawn);
        let from = parent.and_then(|parent| scratch.joints.get(parent.index()));
        if let (Some(from), Some(to)) = (from, scratch.joints.get(id.index())) {
            kite(*from, *to, look, pen);
        }
        if is_drawn(&id) && scratch.parents.get(id.index()) == Some(&false) {
            tip(job, id, scratch, look, pen);
        }
    }
    for (_, at) in ids().zip(&scratch.joints).filter(|(id, _)| is_drawn(id)) {
        joint(*at, look, pen);
    }
}

/// Draws the tip of a bone without children: along its own y axis, for half of its distance from its parent.
fn tip(
    job: &OverlayJob<'_>,
    id: BoneId,
    scratch: &OverlayScratch,
    look: BoneLook,
    pen: &mut Pen<'_>,
) {
    let (Some(at), Some(world)) =
        (scratch.joints.get(id.index()), job.frame.pose().world_from_bone().get(id.index()))
    else {
        return;
    };
    let [[_, x, ..], [_, y, ..]] = *world;
    let [[scale_x, ..], [_, scale_y, ..]] = job.camera.screen_from_world(job.size);
    let Some((along, _)) = direction([0.0; 2], unit_sized([x * scale_x, y * scale_y])) else {
        return;
    };
    let parent = job.subject.bone(id).and_then(|bone| bone.parent());
    let parent = parent.and_then(|parent| scratch.joints.get(parent.index()));
    let length = parent
        .and_then(|parent| direction(*parent, *at))
        .map_or(f32::INFINITY, |(_, length)| length / 2.0);
    kite(*at, offset(*at, along, length.clamp(7.0 * pen.unit, 18.0 * pen.unit)), look, pen);
}

/// Scales a vector so that its longer side is 1. This keeps the direction of very small bones. 0 stays 0.
fn unit_sized([x, y]: Point) -> Point {
    let longer = x.abs().max(y.abs());
    if longer > 0.0 { [x / longer, y / longer] } else { [0.0; 2] }
}

/// Draws a slim kite, lit from the upper left.
fn kite(from: Point, to: Point, look: BoneLook, pen: &mut Pen<'_>) {
    let unit = pen.unit;
    let Some((along, length)) = direction(from, to) else { return };
    if length < 3.0 * unit {
        return; // its joints cover it
    }
    let across = match turned(along) {
        [x, y] if x + 2.0 * y > 0.0 => [-x, -y],
        up => up,
    };
    let half = (0.07 * length).clamp(1.7 * unit, 5.0 * unit) * look.width;
    let rim = 1.25 * unit;
    let waist = offset(from, along, (0.2 * length).min(12.0 * unit));
    let side = |distance: f32| offset(waist, across, distance);
    pen.polygon(
        [
            offset(from, along, -1.6 * rim),
            side(half + rim),
            offset(to, along, 1.6 * rim),
            side(-half - rim),
        ],
        Ink::Halo,
    );
    pen.polygon([from, side(half), to], look.lit);
    pen.polygon([from, to, side(-half)], look.shade);
}

fn joint(at: Point, look: BoneLook, pen: &mut Pen<'_>) {
    let unit = pen.unit * look.width;
    pen.disc(at, 3.4 * unit, Ink::Halo);
    pen.disc(at, 2.3 * unit, look.joint);
    pen.disc(at, unit, Ink::Halo);
}

/// Length of an axis including its arrow, in design pixels.
const LENGTH: f32 = 44.0;

/// Draws a cross through the whole picture at the world's origin, with arrows along positive x and y.
fn origin(job: &OverlayJob<'_>, pen: &mut Pen<'_>) {
    let map = job.camera.screen_from_world(job.size);
    let unit = pen.unit;
    // On whole pixels, so that the lines are crisp.
    let [x, y] = snap(transform_point(&map, [0.0; 2]), unit);
    let [width, height] = pen.size;
    pen.rectangle([0.0, y], [width, y + unit], Ink::FaintX);
    pen.rectangle([x, 0.0], [x + unit, height], Ink::FaintY);

    let [[across, ..], [_, down, ..]] = map;
    let [right, up] = [across, down].map(|scale| if scale > 0.0 { unit } else { -unit });
    let [x, y] = [x + unit / 2.0, y + unit / 2.0];
    // Both axes as one arrow each: along, and across it.
    let place_x = |[along, across]: [f32; 2]| [x + along * right, y + across * unit];
    let place_y = |[along, across]: [f32; 2]| [x + across * unit, y + along * up];
    for (rim, inks) in [(1.0, [Ink::Halo; 2]), (0.0, [Ink::AxisX, Ink::AxisY])] {
        let half = 1.0 + rim;
        let shaft = [[-half, -half], [LENGTH - 9.0, -half], [LENGTH - 9.0, half], [-half, half]];
        let head = [
            [LENGTH - 10.0 - rim, -4.5 - 1.6 * rim],
            [LENGTH + 2.2 * rim, 0.0],
            [LENGTH - 10.0 - rim, 4.5 + 1.6 * rim],
        ];
        let [ink_x, ink_y] = inks;
        pen.polygon(shaft.map(place_x), ink_x);
        pen.polygon(head.map(place_x), ink_x);
        pen.polygon(shaft.map(place_y), ink_y);
        pen.polygon(head.map(place_y), ink_y);
    }
}

/// Maximum number of positions of a path. Longer animations are sampled evenly.
const MOST_PLACES: u16 = 8192;

/// Least distance between dots in design pixels.
const BETWEEN_DOTS: f32 = 7.0;

enum Moving {
    Bone(BoneId),
    Vertex(Vertex),
}

impl Moving {
    fn of(job: &OverlayJob<'_>, trail: Trail) -> Option<Self> {
        match trail {
            Trail::Bone(bone) => Some(Self::Bone(bone)),
            Trail::Vertex(mesh, index) => {
                let mesh = job.subject.mesh(mesh)?;
                mesh.vertices().nth(index.into()).map(Self::Vertex)
            }
        }
    }

    /// Returns its position in the world.
    fn place(&self, pose: &Pose) -> Option<Point> {
        if !pose.is_skinned() {
            return None;
        }
        let place = match self {
            Self::Bone(bone) => {
                let [[.., x, _], [.., y, _]] = *pose.world_from_bone().get(bone.index())?;
                [x, y]
            }
            Self::Vertex(vertex) => skin_point(vertex, pose.world_from_bind()),
        };
        place.iter().all(|c| c.is_finite()).then_some(place)
    }
}

/// Draws the path: a dot for each frame, and a mark at the moment shown. The part already passed stands out.
fn draw_trail(job: &OverlayJob<'_>, trail: Trail, scratch: &mut TrailScratch, pen: &mut Pen<'_>) {
    let (Some(at), Some(moving)) = (job.frame.at(), Moving::of(job, trail)) else { return };
    let now = moving.place(job.frame.pose());
    let TrailScratch { path, pose } = scratch;
    path.find(job, at, Some(trail), now, |at| {
        job.subject.pose(Some(at), pose);
        moving.place(pose)
    });
    let screen_from_world = job.camera.screen_from_world(job.size);
    let see = |place: Point| transform_point(&screen_from_world, place);
    let tone = |frame| tone(Scale::Trail, frame, at);
    let unit = pen.unit;
    for [(_, from), (_, to)] in path.stops.array_windows() {
        pen.line(see(*from), see(*to), 3.6 * unit, 0.0, Ink::FaintHalo);
    }
    for [(_, from), (frame, to)] in path.stops.array_windows() {
        pen.line(see(*from), see(*to), 1.8 * unit, 0.0, tone(*frame));
    }
    dots(path.stops.iter().map(|(frame, place)| (*frame, Some(see(*place)))), tone, pen);
    if let Some(now) = now {
        mark(see(now), Scale::Trail, pen);
    }
}

/// Returns the colour of a path at a frame. The part that is passed at a moment stands out.
pub(super) fn tone(scale: Scale, frame: u16, at: FrameAt) -> Tone {
    let passed = f64::from(frame) <= at.position();
    scale.at(if passed { 1.0 } else { 0.5 })
}

/// Draws a dot for each frame of a path that is seen, unless it would be too near to the one before.
pub(super) fn dots(
    stops: impl Iterator<Item = (u16, Option<Point>)>,
    tone: impl Fn(u16) -> Tone,
    pen: &mut Pen<'_>,
) {
    let unit = pen.unit;
    let mut last: Option<Point> = None;
    for (frame, at) in stops {
        let Some(at) = at else { continue };
        let far = |[x, y]: Point| {
            let [dx, dy] = [at[0] - x, at[1] - y];
            dx * dx + dy * dy >= BETWEEN_DOTS * BETWEEN_DOTS * unit * unit
        };
        if last.is_none_or(far) {
            last = Some(at);
            pen.dot(at, 2.9 * unit, Ink::FaintHalo);
            pen.dot(at, 2.1 * unit, tone(frame));
        }
    }
}

/// Draws the mark at the moment that is shown.
pub(super) fn mark(at: Point, scale: Scale, pen: &mut Pen<'_>) {
    let unit = pen.unit;
    pen.dot(at, 5.2 * unit, Ink::Halo);
    pen.dot(at, 4.0 * unit, scale.at(1.0));
    pen.dot(at, 1.8 * unit, Ink::Halo);
}

impl<P: Copy + PartialEq> PointPath<P> {
    /// Computes the positions with `place`, unless they are known. `now` is the position in the job's frame, at the moment `at`.
    pub(super) fn find(
        &mut self,
        job: &OverlayJob<'_>,
        at: FrameAt,
        point: Option<Trail>,
        now: Option<P>,
        mut place: impl FnMut(FrameAt) -> Option<P>,
    ) {
        let subject = job.subject;
        let frames = subject.frame_count(at.animation);
        let of = PathOf {
            subject: std::ptr::from_ref(subject).addr(),
            facts: (subject.file().bytes, subject.bone_count(), subject.mesh_count()),
            animation: at.animation,
            frames,
            point,
            in_place: job.frame.is_in_place(),
        };
        if self.of == Some(of) && self.agrees(at, now) {
            return;
        }
        self.of = Some(of);
        self.stops.clear();
        let step = frames.div_ceil(MOST_PLACES).max(1);
        let last = frames.checked_sub(1);
        for frame in (0..frames).step_by(step.into()).chain(last) {
            if self.stops.last().is_some_and(|(stop, _)| *stop >= frame) {
                continue;
            }
            let place = place(FrameAt::exact(at.animation, frame));
            self.stops.extend(place.map(|place| (frame, place)));
        }
    }

    /// Returns true if the current position is on the path. A different subject may have the same address.
    fn agrees(&self, at: FrameAt, now: Option<P>) -> bool {
        let index = self.stops.binary_search_by_key(&at.frame, |(frame, _)| *frame);
        let stop = index.ok().and_then(|index| self.stops.get(index));
        at.blend > 0.0 || stop.is_none_or(|(_, place)| now == Some(*place))
    }
}
