//! The path of a bone or of a vertex over the animation, in the plane.

use super::ink::{Ink, Scale};
use super::job::{OverlayJob, TrailOf, TrailScratch, TrailStop};
use super::options::Trail;
use super::pen::{Pen, Point};
use crate::document::{BoneId, Vertex};
use crate::playback::FrameAt;
use crate::pose::{Pose, skin_point, transform_point};

/// Maximum number of positions of a path. Longer animations are sampled evenly.
pub(super) const MOST_PLACES: u16 = 8192;

/// Least distance between dots in design pixels.
pub(super) const BETWEEN_DOTS: f32 = 7.0;

/// A point that moves.
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
    scratch.find(job, at, trail, &moving, now);
    let screen_from_world = job.camera.screen_from_world(job.size);
    let see = |place: Point| transform_point(&screen_from_world, place);
    let tone = |frame: u16| {
        let passed = f64::from(frame) <= at.position();
        Scale::Trail.at(if passed { 1.0 } else { 0.5 })
    };
    let unit = pen.unit;
    let stops = &scratch.stops;
    for stop in stops.iter().zip(stops.iter().skip(1)) {
        let [from, to] = [stop.0, stop.1].map(|stop| see(stop.place));
        pen.line(from, to, 3.6 * unit, 0.0, Ink::FaintHalo);
    }
    for (from, to) in stops.iter().zip(stops.iter().skip(1)) {
        let [start, end] = [from, to].map(|stop| see(stop.place));
        pen.line(start, end, 1.8 * unit, 0.0, tone(to.frame));
    }
    let mut last: Option<Point> = None;
    for stop in stops {
        let at = see(stop.place);
        let far = |[x, y]: Point| {
            let [dx, dy] = [at[0] - x, at[1] - y];
            dx * dx + dy * dy >= BETWEEN_DOTS * BETWEEN_DOTS * unit * unit
        };
        if last.is_none_or(far) {
            last = Some(at);
            pen.dot(at, 2.9 * unit, Ink::FaintHalo);
            pen.dot(at, 2.1 * unit, tone(stop.frame));
        }
    }
    if let Some(now) = now {
        let at = see(now);
        pen.dot(at, 5.2 * unit, Ink::Halo);
        pen.dot(at, 4.0 * unit, Scale::Trail.at(1.0));
        pen.dot(at, 1.8 * unit, Ink::Halo);
    }
}

impl TrailScratch {
    /// Computes the positions, unless they are known.
    fn find(
        &mut self,
        job: &OverlayJob<'_>,
        at: FrameAt,
        trail: Trail,
        moving: &Moving,
        now: Option<Point>,
    ) {
        let subject = job.subject;
        let frames = subject.frame_count(at.animation);
        let of = TrailOf {
            subject: std::ptr::from_ref(subject).addr(),
            facts: (subject.file().bytes, subject.bone_count(), subject.mesh_count()),
            animation: at.animation,
            frames,
            trail,
        };
        if self.of == Some(of) && self.agrees(at, now) {
            return;
        }
        self.of = Some(of);
        self.stops.clear();
        let step = frames.div_ceil(MOST_PLACES).max(1);
        let last = frames.checked_sub(1);
        for frame in (0..frames).step_by(step.into()).chain(last) {
            if self.stops.last().is_some_and(|stop| stop.frame >= frame) {
                continue;
            }
            let at = FrameAt::exact(at.animation, frame);
            subject.pose(Some(at), &mut self.pose);
            if let Some(place) = moving.place(&self.pose) {
                self.stops.push(TrailStop { frame, place });
            }
        }
    }

    /// Returns true if the current position is on the path. A different subject may have the same address.
    fn agrees(&self, at: FrameAt, now: Option<Point>) -> bool {
        let index = self.stops.binary_search_by_key(&at.frame, |stop| stop.frame);
        let stop = index.ok().and_then(|index| self.stops.get(index));
        at.blend > 0.0 || stop.is_none_or(|stop| now == Some(stop.place))
    }
}
