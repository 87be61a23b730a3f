//! Bounds of a stage: those of each member over its own moments, in its place.

use std::collections::HashSet;

use pchr::playback::FrameAt;
use pchr::pose::{Affine, transform_point};
use pchr::scene::{Bounds, Frame, Sweep, ViewOptions};

use super::cast::Part;
use super::schedule::{GroupClip, MemberMoment, moment_of};

/// Measures each member over its own moments, in its place.
pub(super) struct StageSweep<'a> {
    parts: &'a [Part],
    places: &'a [Affine],
    clips: &'a [GroupClip],
    view: &'a ViewOptions,
    exact: bool,
}

impl<'a> StageSweep<'a> {
    pub(super) fn new(
        parts: &'a [Part],
        places: &'a [Affine],
        clips: &'a [GroupClip],
        view: &'a ViewOptions,
    ) -> Self {
        Self { parts, places, clips, view, exact: true }
    }
}

impl Sweep for StageSweep<'_> {
    fn over(&mut self, moments: &mut dyn Iterator<Item = Option<FrameAt>>) -> Option<Bounds> {
        let moments: Vec<_> = moments.collect();
        let members = self.parts.iter().zip(self.places).enumerate();
        let bounds = members.filter_map(|(member, (part, place))| {
            let own = moments_of(self.clips, member, moments.iter().copied());
            let (bounds, is_exact) = of_member(part, place, &own, &part.view(self.view));
            self.exact &= is_exact;
            bounds
        });
        bounds.reduce(Bounds::union)
    }

    fn is_exact(&self) -> bool {
        self.exact
    }
}

/// Returns the moments of a member at moments of the stage, each once.
pub(super) fn moments_of(
    clips: &[GroupClip],
    member: usize,
    moments: impl Iterator<Item = Option<FrameAt>>,
) -> Vec<Option<MemberMoment>> {
    let mut seen = HashSet::new();
    let own = moments.map(|at| moment_of(clips, member, at));
    own.filter(|moment| seen.insert(moment.map(key))).collect()
}

/// Returns the bounds of a member in its place over its moments, and true if they are exact.
pub(super) fn of_member(
    part: &Part,
    place: &Affine,
    moments: &[Option<MemberMoment>],
    view: &ViewOptions,
) -> (Option<Bounds>, bool) {
    let is_mixed = |it: &Option<MemberMoment>| it.is_some_and(|(_, mix)| mix.is_some());
    if !is_upright(place) || moments.iter().any(is_mixed) {
        return (of_vertices(part, place, moments, view), true);
    }
    let mut sweep = part.subject.sweep(view);
    let bounds = sweep.over(&mut moments.iter().map(|moment| moment.map(|(at, _)| at)));
    let bounds = bounds.map(|Bounds { min, max }| {
        let [a, b] = [min, max].map(|corner| {
            let corner = transform_point(place, corner);
            Bounds { min: corner, max: corner }
        });
        a.union(b)
    });
    (bounds, sweep.is_exact())
}

/// Returns a moment in a form that is equal for equal moments.
fn key((at, mix): MemberMoment) -> [u32; 8] {
    let of =
        |at: FrameAt| [at.animation.0.into(), at.frame.into(), at.next.into(), at.blend.to_bits()];
    let [a, b, c, d] = of(at);
    let [e, f, g, h] = mix.map_or([u32::MAX; 4], |mix| {
        let [e, f, g, h] = of(mix.to);
        [e, f.wrapping_shl(16) | g, h, mix.amount.to_bits()]
    });
    [a, b, c, d, e, f, g, h]
}

/// Returns true for a place whose axes are those of the world.
fn is_upright([[_, x_of_y, ..], [y_of_x, ..]]: &Affine) -> bool {
    *x_of_y == 0.0 && *y_of_x == 0.0
}

/// Returns the bounds of a member in its place by moving every vertex.
fn of_vertices(
    part: &Part,
    place: &Affine,
    moments: &[Option<MemberMoment>],
    view: &ViewOptions,
) -> Option<Bounds> {
    let (mut frame, mut points) = (Frame::default(), Vec::new());
    let mut bounds: Option<Bounds> = None;
    for moment in moments {
        let at = moment.map(|(at, _)| at);
        frame.fill_mixed(&*part.subject, at, moment.and_then(|(_, mix)| mix), view);
        points.clear();
        for draw in frame.draws() {
            if let Some(mesh) = part.subject.mesh(draw.mesh) {
                frame.pose().place(&mesh, &mut points);
            }
        }
        let placed = points.iter().map(|point| transform_point(place, *point));
        for point in placed.filter(|point| point.iter().all(|side| side.is_finite())) {
            let point = Bounds { min: point, max: point };
            bounds = Some(bounds.map_or(point, |bounds| bounds.union(point)));
        }
    }
    bounds
}
