//! A bone as a solid, in camera space.

use glam::DVec3;

use super::super::ink::Ink;
use super::super::pen::Point;
use super::super::tone::Scale;
use super::outline::Outline;
use super::stage::{Stage, pixels};
use crate::scene::Seen;

/// Position of a bone's widest part, as a fraction of its length.
const WAIST: f64 = 0.14;
/// Half of the bone's greatest width, as a fraction of its length.
const HALF: f64 = 0.085;
/// Least and greatest half width in design pixels.
const HALF_PIXELS: [f64; 2] = [1.7, 15.0];
/// Least and greatest width of the dark rim in design pixels. With a constant rim small bones would be dark.
const RIM: [f64; 2] = [0.7, 1.2];
/// Least width of the rim on a light background, where the rims of many thin bones would be a dark mass.
const LIGHT_RIM: f64 = 0.3;
/// Shortest bone that is drawn, in design pixels. Of shorter ones only the joints are drawn.
const SHORTEST: f64 = 4.0;

/// Direction to the light in camera space, of length 1.
const LIGHT: DVec3 = DVec3::new(-0.48, 0.64, 0.6);
/// Light on sides that face away from the light.
const AMBIENT: f64 = 0.26;
/// Light on sides that face the light. It is less than 1 because most sides are oblique.
const DIFFUSE: f64 = 0.84;

/// A bone between two joints.
#[derive(Clone, Copy, Debug)]
pub(super) struct Octahedron {
    pub(super) from: Seen,
    pub(super) to: Seen,
    waist: [Seen; 4],
    /// Width of the dark rim in pixels.
    rim: f64,
}

impl Octahedron {
    /// Creates the solid of a bone. One edge is as near to the direction `side` as possible. The width is that of a bone of length
    /// `long`, times `wide`. Returns `None` if it is behind the camera or too short.
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
        // A thin bone that stands out is wider still.
        let least = least * wide * wide;
        let half = (length.min(long) * HALF * scale).clamp(least, most) * wide / scale;
        let half = half.min(length * 0.35);
        let [thinnest, thickest] = RIM.map(|pixels| pixels * stage.unit);
        let (thinnest, part) = match stage.job.options.light {
            true => (LIGHT_RIM * stage.unit, 0.2),
            false => (thinnest, 0.4),
        };
        let rim = (half * scale * part).clamp(thinnest, thickest);
        let side = across(along, side) * half;
        let up = along.cross(side);
        Some(Self {
            from,
            to,
            waist: [middle + side, middle + up, middle - side, middle - up],
            rim,
        })
    }

    /// Returns the corners on the screen: both ends and the waist; `None` if one is not visible.
    fn places(&self, stage: &Stage<'_>) -> Option<[Point; 6]> {
        let [a, b, c, d] = self.waist.map(|corner| stage.place(corner));
        let [from, to] = [self.from, self.to].map(|end| stage.place(end));
        Some([from?, to?, a?, b?, c?, d?])
    }

    /// Returns the visible sides, with the light on each, 0..=1.
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

    /// Returns the corners of its outline on the screen; `None` if one is not visible.
    pub(super) fn outline(&self, stage: &Stage<'_>) -> Option<Outline> {
        self.places(stage).map(Outline::around)
    }

    /// Draws it with a dark rim.
    pub(super) fn draw(&self, stage: &mut Stage<'_>, scale: Scale) {
        let Some(places) = self.places(stage) else {
            // So large that its sides look like lines.
            let width = pixels(4.0 * stage.unit);
            stage.line(self.from, self.to, width, scale.at(0.7));
            return;
        };
        let rim = Outline::around(places).grown(pixels(self.rim));
        stage.pen.convex(rim.corners(), Ink::Rim);
        for (corners, light) in self.sides(places) {
            stage.pen.polygon(corners, scale.at(light));
        }
    }
}

/// Returns the part of a direction that is perpendicular to another, of length 1; any perpendicular direction if it is 0.
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

/// Returns the light on a side with this normal.
fn light(normal: DVec3) -> f64 {
    AMBIENT + DIFFUSE * normal.dot(LIGHT).max(0.0)
}
