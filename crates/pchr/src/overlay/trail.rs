//! The path of a bone or of a vertex over the animation, in the plane.

use super::ink::{Ink, Scale, Tone};
use super::job::{OverlayJob, PathOf, PointPath, TrailScratch};
use super::options::Trail;
use super::pen::{Pen, Point};
use crate::document::{BoneId, Vertex};
use crate::playback::FrameAt;
use crate::pose::{Pose, skin_point, transform_point};

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
pub(super) fn draw(
    job: &OverlayJob<'_>,
    trail: Trail,
    scratch: &mut TrailScratch,
    pen: &mut Pen<'_>,
) {
    let (Some(at), Some(moving)) = (job.frame.at(), Moving::of(job, trail)) else {
        return;
    };
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
        let Some(at) = at else {
            continue;
        };
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
