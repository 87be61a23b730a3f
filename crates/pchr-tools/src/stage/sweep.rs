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
        let mut of_members = vec![Vec::new(); self.parts.len()];
        let mut seen = HashSet::new();
        for at in moments {
            for (index, own) in of_members.iter_mut().enumerate() {
                let moment = moment_of(self.clips, index, at);
                if seen.insert((index, moment.map(key))) {
                    own.push(moment);
                }
            }
        }
        let members = self.parts.iter().zip(self.places).zip(&of_members);
        let bounds = members.filter_map(|((part, place), moments)| {
            let view = part.view(self.view);
            let is_mixed = |it: &Option<MemberMoment>| it.is_some_and(|(_, mix)| mix.is_some());
            if !is_upright(place) || moments.iter().any(is_mixed) {
                return of_vertices(part, place, moments, &view);
            }
            let mut sweep = part.subject.sweep(&view);
            let mut moments = moments.iter().map(|moment| moment.map(|(at, _)| at));
            let bounds = sweep.over(&mut moments);
            self.exact &= sweep.is_exact();
            let Bounds { min: [left, bottom], max: [right, top] } = bounds?;
            let corners = [[left, bottom], [right, top]].map(|it| transform_point(place, it));
            corners
                .map(|corner| Bounds { min: corner, max: corner })
                .into_iter()
                .reduce(Bounds::union)
        });
        bounds.reduce(Bounds::union)
    }

    fn is_exact(&self) -> bool {
        self.exact
    }
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
