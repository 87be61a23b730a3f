//! A bone as a solid, as the camera sees it.

use glam::DVec3;

use super::super::ink::Ink;
use super::super::pen::Point;
use super::super::tone::Scale;
use super::outline::Outline;
use super::stage::{Stage, pixels};
use crate::scene::Seen;

/// Part of its length at which a bone is widest.
const WAIST: f64 = 0.14;
/// Half of its width there, as a part of its length.
const HALF: f64 = 0.085;
/// The same in design pixels, at least and at most.
const HALF_PIXELS: [f64; 2] = [1.7, 15.0];
/// Width of the dark rim in design pixels, at least and at most: small bones would be all rim.
const RIM: [f64; 2] = [0.7, 1.2];
/// Bones that are shorter are only their joints; design pixels.
const SHORTEST: f64 = 4.0;

/// The direction to the light, as the camera sees it: 1 long.
const LIGHT: DVec3 = DVec3::new(-0.48, 0.64, 0.6);
/// Light on sides that turn away from it.
const AMBIENT: f64 = 0.26;
/// Light on sides that turn towards it, which is less than all of it: most sides lie aslant.
const DIFFUSE: f64 = 0.84;

/// A bone between two joints.
#[derive(Clone, Copy, Debug)]
pub(super) struct Octahedron {
    pub(super) from: Seen,
    pub(super) to: Seen,
    waist: [Seen; 4],
    /// Width of its dark rim in pixels.
    rim: f64,
}

impl Octahedron {
    /// `side` is the direction in which it has an edge, as near as that is possible; `long` is the length that its width is that
    /// of, `wide` is times that. `None` if it is behind the camera or too short.
    pub(super) fn new(
        stage: &Stage<'_>,
        ends: [Seen; 2],
        side: DVec3,
        [long, wide]: [f64; 2],
    ) -> Option<Self> {
        let [from, to] = ends;
        let [from, to] = stage.view.clip(from, to)?;
        let length = from.distance(to);
        let along = (to - from) / length;
        let middle = from + (to - from) * WAIST;
        let scale = stage.scale_at(middle)?;
        if !(along.is_finite() && length * scale >= SHORTEST * stage.unit) {
            return None;
        }
        let [least, most] = HALF_PIXELS.map(|pixels| pixels * stage.unit);
        let half = (length.min(long) * HALF * scale).clamp(least, most) * wide / scale;
        let half = half.min(length * 0.35);
        let [thinnest, thickest] = RIM.map(|pixels| pixels * stage.unit);
        let rim = (half * scale * 0.4).clamp(thinnest, thickest);
        let side = across(along, side) * half;
        let up = along.cross(side);
        Some(Self {
            from,
            to,
            waist: [middle + side, middle + up, middle - side, middle - up],
            rim,
        })
    }

    /// The corners on the screen: both ends and the waist. `None` if one is not in sight.
    fn places(&self, stage: &Stage<'_>) -> Option<[Point; 6]> {
        let [a, b, c, d] = self.waist.map(|corner| stage.place(corner));
        let [from, to] = [self.from, self.to].map(|end| stage.place(end));
        Some([from?, to?, a?, b?, c?, d?])
    }

    /// The sides that can be seen, with the light on each, 0..=1.
    fn sides(&self, places: [Point; 6]) -> impl Iterator<Item = ([Point; 3], f64)> {
        let [from, to, a, b, c, d] = places;
        let [a_seen, b_seen, c_seen, d_seen] = self.waist;
        let around = [
            ([a, b], [a_seen, b_seen]),
            ([b, c], [b_seen, c_seen]),
            ([c, d], [c_seen, d_seen]),
            ([d, a], [d_seen, a_seen]),
        ];
        let upper =
            around.map(|([p, q], [p_seen, q_seen])| ([to, p, q], [self.to, p_seen, q_seen]));
        let lower =
            around.map(|([p, q], [p_seen, q_seen])| ([from, q, p], [self.from, q_seen, p_seen]));
        let all = upper.into_iter().chain(lower);
        // Those that turn away run the other way round.
        let facing = all.filter(|([[x0, y0], [x1, y1], [x2, y2]], _)| {
            (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0) < 0.0
        });
        facing.map(|(corners, [p, q, r])| {
            let normal = (q - p).cross(r - p).normalize_or_zero();
            (corners, light(normal))
        })
    }

    /// The corners of its outline on the screen; `None` if one is not in sight.
    pub(super) fn outline(&self, stage: &Stage<'_>) -> Option<Outline> {
        self.places(stage).map(Outline::around)
    }

    /// Draws it with a dark rim.
    pub(super) fn draw(&self, stage: &mut Stage<'_>, scale: Scale) {
        let Some(places) = self.places(stage) else {
            // So large that its sides can not be told from lines.
            let width = pixels(4.0 * stage.unit);
            stage.line(self.from, self.to, width, scale.at(0.7));
            return;
        };
        let rim = Outline::around(places).grown(pixels(self.rim));
        stage.pen.convex(rim.corners(), Ink::Halo);
        for (corners, light) in self.sides(places) {
            stage.pen.polygon(corners, scale.at(light));
        }
    }
}

/// The part of a direction that is across another, 1 long; any other direction across if there is none.
fn across(along: DVec3, wanted: DVec3) -> DVec3 {
    let crosswise = |axis: DVec3| {
        let axis = axis.normalize_or_zero();
        let part = axis - along * axis.dot(along);
        (part.length() > 1e-3).then(|| part.normalize_or_zero())
    };
    { [wanted, DVec3::X, DVec3::Y].into_iter() }
        .find_map(crosswise)
        .unwrap_or(DVec3::ZERO)
}

/// Light on a side with this normal.
fn light(normal: DVec3) -> f64 {
    AMBIENT + DIFFUSE * normal.dot(LIGHT).max(0.0)
}
