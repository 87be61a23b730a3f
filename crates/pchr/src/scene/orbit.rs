//! A camera that turns around a point of a three-dimensional world.

use glam::DVec3;

use super::FIT_MARGIN;
use crate::scene::UpAxis;

/// Zoom range of a camera, in screen pixels per unit: from kilometres to micrometres.
const ZOOM: std::ops::RangeInclusive<f64> = 1e-9..=1e9;

/// Largest vertical field of view, in degrees.
pub const MOST_FOV: f64 = 150.0;

/// Fraction of the distance to the target below which points are too near to be visible.
const NEAR: f64 = 1e-3;

/// An upright camera that looks at a point.
///
/// Angles are in degrees. At yaw 0 and pitch 0 the camera looks at the front: X points right and the up axis up. A positive yaw
/// brings the camera to the side that X points to, a positive pitch above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrbitCamera {
    /// World point in the middle of the picture.
    pub target: [f64; 3],
    /// Screen pixels per unit at the target; positive.
    pub zoom: f64,
    /// Rotation around the up axis.
    pub yaw: f64,
    /// Elevation, -90 to 90.
    pub pitch: f64,
    /// Vertical field of view, at most [`MOST_FOV`]; 0 is orthographic.
    pub fov: f64,
    /// The axis that points up; unknown means Y.
    pub up: UpAxis,
    /// True if the picture is flipped horizontally.
    pub mirror: bool,
}

/// The direction of a view: yaw and pitch in degrees.
pub type Direction = [f64; 2];

/// View from the front.
pub const FRONT: Direction = [0.0, 0.0];
/// View from the side that X points to.
pub const SIDE: Direction = [90.0, 0.0];
/// View from above.
pub const TOP: Direction = [0.0, 90.0];
/// View from the front, slightly from the side and above.
pub const OBLIQUE: Direction = [30.0, 15.0];

impl Default for OrbitCamera {
    fn default() -> Self {
        let [yaw, pitch] = OBLIQUE;
        Self { target: [0.0; 3], zoom: 1.0, yaw, pitch, fov: 0.0, up: UpAxis::Y, mirror: false }
    }
}

/// Content that a picture must hold: boxes along the axes of a view (right, up, and towards the camera), in units, from the world's
/// origin. There is one box per part, so that a near part does not make room for a wide one far away.
#[derive(Clone, Debug, PartialEq)]
pub struct ViewBounds {
    /// Lower left far corner, and upper right near corner.
    boxes: Vec<[DVec3; 2]>,
}

impl ViewBounds {
    /// Creates empty boxes.
    #[must_use]
    pub fn new(parts: usize) -> Self {
        Self { boxes: vec![[DVec3::INFINITY, DVec3::NEG_INFINITY]; parts] }
    }

    /// Extends the box of a part by a point. A point that is not finite is ignored.
    pub fn add(&mut self, part: usize, point: DVec3) {
        if let Some([min, max]) = self.boxes.get_mut(part).filter(|_| point.is_finite()) {
            *min = min.min(point);
            *max = max.max(point);
        }
    }

    /// Returns the box around all boxes; `None` if nothing was added.
    #[must_use]
    pub fn whole(&self) -> Option<[DVec3; 2]> {
        let union = |[a, b]: [DVec3; 2], [c, d]: &[DVec3; 2]| [a.min(*c), b.max(*d)];
        let none = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        let [min, max] = self.boxes.iter().fold(none, union);
        min.is_finite().then_some([min, max])
    }

    /// Returns the nearest eye position from which everything is visible. The argument is half of the picture's sides at a distance of 1.
    fn eye(&self, [wide, high]: [f64; 2]) -> DVec3 {
        // Of each side the plane that touches the parts: `x + wide * z` is most where it does.
        let mut most = [f64::NEG_INFINITY; 4];
        for [min, max] in self.boxes.iter().filter(|[min, _]| min.is_finite()) {
            let (across, above) = (wide * max.z, high * max.z);
            let sides = [max.x + across, across - min.x, max.y + above, above - min.y];
            for (most, side) in most.iter_mut().zip(sides) {
                *most = most.max(side);
            }
        }
        let [right, left, up, down] = most;
        let z = ((right + left) / (2.0 * wide)).max((up + down) / (2.0 * high));
        DVec3::new((right - left) / 2.0, (up - down) / 2.0, z)
    }
}

impl OrbitCamera {
    /// Returns the world directions that point right, up, and towards the camera in the picture, of length 1.
    #[must_use]
    pub fn axes(&self) -> [DVec3; 3] {
        let [(sin_yaw, cos_yaw), (sin_pitch, cos_pitch)] =
            [self.yaw, self.pitch].map(sin_cos_degrees);
        let right = DVec3::new(cos_yaw, 0.0, -sin_yaw);
        let right = if self.mirror { -right } else { right };
        let up = DVec3::new(-sin_yaw * sin_pitch, cos_pitch, -cos_yaw * sin_pitch);
        let toward = DVec3::new(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch);
        // Y is up until here. Front stays front.
        [right, up, toward].map(|axis| match self.up {
            UpAxis::Y | UpAxis::Unknown => axis,
            UpAxis::Z => DVec3::new(axis.x, -axis.z, axis.y),
        })
    }

    /// Returns the screen pixels per unit at the target, along the axes that point right and up without a mirror: negative where the axis
    /// points left or up.
    #[must_use]
    pub fn scale(&self) -> [f64; 2] {
        let right = if self.mirror { -self.zoom } else { self.zoom };
        [right, -self.zoom]
    }

    /// Returns the map of world points for a picture of `size` pixels.
    #[must_use]
    pub fn view(&self, size: [u32; 2]) -> OrbitView {
        let [width, height] = size.map(f64::from);
        let distance = (self.fov > 0.0).then(|| reach(self.fov, height) / self.zoom);
        OrbitView {
            axes: self.axes(),
            target: self.target.into(),
            middle: [width / 2.0, height / 2.0],
            zoom: self.zoom,
            distance,
        }
    }

    /// Returns a camera in the same direction, so near that the picture holds `bounds` with [`FIT_MARGIN`] on each side; the same
    /// camera if they are empty.
    #[must_use]
    pub fn fit(&self, bounds: &ViewBounds, size: [u32; 2]) -> Self {
        let Some([min, max]) = bounds.whole() else { return *self };
        let middle = min + (max - min) / 2.0;
        let [right, up, toward] = self.axes();
        let at = |seen: DVec3| (right * seen.x + up * seen.y + toward * seen.z).into();
        // A mere point is shown as if it were two units large.
        let half = (max - min) / 2.0;
        let half = if half.max_element() > 0.0 { half } else { DVec3::ONE };
        let [_, height] = size.map(|side| f64::from(side.max(1)));
        let room = size.map(|side| f64::from(side.max(1)) * (0.5 - FIT_MARGIN));
        let [room_x, room_y] = room;
        if self.fov > 0.0 && half.x.max(half.y) > 0.0 && max != min {
            let reach = reach(self.fov, height);
            let eye = bounds.eye(room.map(|room| room / reach));
            return Self {
                target: at(DVec3::new(eye.x, eye.y, middle.z)),
                zoom: clamped(reach / (eye.z - middle.z)),
                ..*self
            };
        }
        Self { target: at(middle), zoom: clamped((room_x / half.x).min(room_y / half.y)), ..*self }
    }

    /// Turns by degrees, to the right and up as the picture shows it.
    pub fn turn(&mut self, yaw: f64, pitch: f64) {
        let yaw = if self.mirror { -yaw } else { yaw };
        let yaw = (self.yaw + yaw) % 360.0;
        self.yaw = if yaw > 180.0 {
            yaw - 360.0
        } else if yaw <= -180.0 {
            yaw + 360.0
        } else {
            yaw
        };
        self.pitch = (self.pitch + pitch).clamp(-90.0, 90.0);
    }

    /// Moves the picture by screen pixels, as a drag does. Points at the target's distance follow the pointer.
    pub fn pan(&mut self, [dx, dy]: [f64; 2]) {
        let [right, up, _] = self.axes();
        let by = (up * dy - right * dx) / self.zoom;
        self.target = (DVec3::from(self.target) + by).into();
    }

    /// Moves the target along the line of sight to a `depth` in camera space, without changing a picture in perspective: zooming, panning
    /// and turning are then those of a point there. A depth behind the camera and an orthographic camera change nothing.
    pub fn focus(&mut self, depth: f64, size: [u32; 2]) {
        let [_, height] = size.map(f64::from);
        let distance = reach(self.fov, height) / self.zoom;
        let zoom = reach(self.fov, height) / (distance - depth);
        let is_ahead = depth <= distance * (1.0 - NEAR);
        if self.fov > 0.0 && is_ahead && clamped(zoom) == zoom {
            let [.., toward] = self.axes();
            self.target = (DVec3::from(self.target) + toward * depth).into();
            self.zoom = zoom;
        }
    }

    /// Zooms by `factor` so that the point under the screen point `at`, at the target's distance, stays there.
    pub fn zoom_about(&mut self, factor: f64, at: [f64; 2], size: [u32; 2]) {
        self.zoom_to(self.zoom * factor, at, size);
    }

    /// Zooms about a screen point to exactly `zoom`, within the limits.
    pub fn zoom_to(&mut self, zoom: f64, at: [f64; 2], size: [u32; 2]) {
        let before = self.zoom;
        self.zoom = clamped(zoom);
        let [x, y] = at;
        let [width, height] = size.map(f64::from);
        let [right, up, _] = self.axes();
        // Places on the plane of the target, in units, before and after.
        let moved = 1.0 / before - 1.0 / self.zoom;
        let by = right * ((x - width / 2.0) * moved) - up * ((y - height / 2.0) * moved);
        self.target = (DVec3::from(self.target) + by).into();
    }
}

fn clamped(zoom: f64) -> f64 {
    if zoom.is_finite() { zoom.clamp(*ZOOM.start(), *ZOOM.end()) } else { 1.0 }
}

/// Returns the distance, in pixels, from the eye to a picture of `height` pixels that fills an angle.
fn reach(fov: f64, height: f64) -> f64 {
    let (sin, cos) = sin_cos_degrees(fov / 2.0);
    height / 2.0 * cos / sin
}

/// Returns the sine and cosine of an angle in degrees, exact at multiples of 90, with the same bits on every machine.
fn sin_cos_degrees(degrees: f64) -> (f64, f64) {
    let turn = degrees % 360.0;
    let quarter = (turn / 90.0).round();
    let (sin, cos) = libm::sincos((turn - quarter * 90.0).to_radians());
    #[expect(clippy::cast_possible_truncation, reason = "-4 to 4")]
    match (quarter as i32).rem_euclid(4) {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// A map from the world to the picture.
#[derive(Clone, Copy, Debug)]
pub struct OrbitView {
    axes: [DVec3; 3],
    target: DVec3,
    middle: [f64; 2],
    zoom: f64,
    /// Distance from the eye to the target; `None` for an orthographic view.
    distance: Option<f64>,
}

/// A point in camera space: right, up, and towards the camera, from the target, in units.
pub type Seen = DVec3;

impl OrbitView {
    /// Converts a world point to camera space.
    #[must_use]
    pub fn see(&self, point: DVec3) -> Seen {
        self.see_direction(point - self.target)
    }

    /// Converts a world direction to camera space.
    #[must_use]
    pub fn see_direction(&self, direction: DVec3) -> DVec3 {
        let [right, up, toward] = self.axes;
        DVec3::new(right.dot(direction), up.dot(direction), toward.dot(direction))
    }

    /// Returns the position on the screen, row 0 on top; `None` if the point is behind the camera, or too near.
    #[must_use]
    pub fn screen(&self, seen: Seen) -> Option<[f64; 2]> {
        let scale = self.scale_at(seen)?;
        let [x, y] = self.middle;
        Some([x + seen.x * scale, y - seen.y * scale])
    }

    /// Returns the screen pixels per unit at a point; `None` if it is behind the camera, or too near.
    #[must_use]
    pub fn scale_at(&self, seen: Seen) -> Option<f64> {
        match self.distance {
            None => Some(self.zoom),
            Some(distance) if self.is_before(seen) => {
                Some(self.zoom * distance / (distance - seen.z))
            }
            Some(_) => None,
        }
    }

    /// Returns the screen pixels per unit at the target.
    #[must_use]
    pub fn zoom(&self) -> f64 {
        self.zoom
    }

    /// Returns the part of a line that lies in front of the camera; `None` if no part does.
    #[must_use]
    pub fn clip(&self, from: Seen, to: Seen) -> Option<[Seen; 2]> {
        let Some(nearest) = self.nearest() else { return Some([from, to]) };
        match [from, to].map(|end| self.is_before(end)) {
            [true, true] => Some([from, to]),
            [false, false] => None,
            [first, _] => {
                let way = (nearest - from.z) / (to.z - from.z);
                let cut = from + (to - from) * way;
                // Rounding may not leave it behind the plane.
                let cut = DVec3::new(cut.x, cut.y, nearest);
                Some(if first { [from, cut] } else { [cut, to] })
            }
        }
    }

    fn nearest(&self) -> Option<f64> {
        self.distance.map(|distance| distance * (1.0 - NEAR))
    }

    fn is_before(&self, seen: Seen) -> bool {
        self.nearest().is_none_or(|nearest| seen.z <= nearest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [u32; 2] = [400, 300];

    fn camera([yaw, pitch]: Direction, fov: f64, up: UpAxis) -> OrbitCamera {
        OrbitCamera { target: [0.0; 3], zoom: 10.0, yaw, pitch, fov, up, mirror: false }
    }

    fn at(camera: &OrbitCamera, point: [f64; 3]) -> [f64; 2] {
        let view = camera.view(SIZE);
        view.screen(view.see(point.into())).unwrap()
    }

    #[test]
    fn the_named_views_show_the_axes_where_other_programs_do() {
        // glTF: Y up, +Z is the front; Blender: Z up, -Y is the front.
        let places = |direction, up| {
            let camera = camera(direction, 0.0, up);
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| {
                let [x, y] = at(&camera, axis);
                [x - 200.0, 150.0 - y]
            })
        };
        let (right, left, high, low, none) =
            ([10.0, 0.0], [-10.0, 0.0], [0.0, 10.0], [0.0, -10.0], [0.0, 0.0]);
        assert_eq!(places(FRONT, UpAxis::Y), [right, high, none]);
        assert_eq!(places(SIDE, UpAxis::Y), [none, high, left]);
        assert_eq!(places(TOP, UpAxis::Y), [right, none, low]);
        assert_eq!(places(FRONT, UpAxis::Z), [right, none, high]);
        assert_eq!(places(SIDE, UpAxis::Z), [none, right, high]);
        assert_eq!(places(TOP, UpAxis::Z), [right, high, none]);
    }

    #[test]
    fn a_fit_holds_the_box_in_both_projections() {
        for (fov, up) in [(0.0, UpAxis::Y), (35.0, UpAxis::Z), (90.0, UpAxis::Y)] {
            let start = camera(OBLIQUE, fov, up);
            let corner = |i: i32| DVec3::new((i & 1).into(), (i >> 1 & 1).into(), (i >> 2).into());
            let size = DVec3::new(3.0, 7.0, 2.0);
            let corners: Vec<DVec3> = (0..8).map(|i| corner(i) * size).collect();
            let axes = start.axes();
            let mut bounds = ViewBounds::new(corners.len());
            for (part, corner) in corners.iter().enumerate() {
                bounds.add(part, DVec3::from(axes.map(|axis| axis.dot(*corner))));
            }
            let fitted = start.fit(&bounds, SIZE);
            let places = corners.iter().map(|corner| at(&fitted, (*corner).into()));
            let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
            for place in places {
                for (side, at) in place.into_iter().enumerate() {
                    low[side] = low[side].min(at);
                    high[side] = high[side].max(at);
                }
            }
            // All within the margin, and two sides touch it.
            let room = [20.0 - low[0], high[0] - 380.0, 15.0 - low[1], high[1] - 285.0];
            assert!(room.iter().all(|side| *side < 1e-6), "{room:?}");
            let touched = room.iter().filter(|side| side.abs() < 1e-6).count();
            assert!(touched >= 2, "{room:?}");
        }
    }

    #[test]
    fn zooming_keeps_what_is_under_the_pointer_and_panning_moves_with_it() {
        for (fov, mirror) in [(0.0, false), (50.0, false), (50.0, true)] {
            let mut camera = camera(OBLIQUE, fov, UpAxis::Z);
            camera.target = [3.0, 4.0, 5.0];
            camera.mirror = mirror;
            let under = |camera: &OrbitCamera, [x, y]: [f64; 2]| {
                let [right, up, _] = camera.axes();
                let from_middle = right * (x - 200.0) + up * (150.0 - y);
                DVec3::from(camera.target) + from_middle / camera.zoom
            };
            let before = under(&camera, [40.0, 200.0]);
            camera.zoom_about(3.0, [40.0, 200.0], SIZE);
            let zoomed = under(&camera, [40.0, 200.0]);
            camera.pan([7.0, -3.0]);
            let panned = under(&camera, [47.0, 197.0]);
            assert!(before.distance(zoomed) < 1e-9 && before.distance(panned) < 1e-9);
        }
    }

    #[test]
    fn the_focus_moves_without_a_change_of_the_picture() {
        let mut camera = camera(OBLIQUE, 50.0, UpAxis::Z);
        camera.target = [3.0, 4.0, 5.0];
        let points = [[0.0, 1.0, 2.0], [5.0, -1.0, 0.5], [3.0, 4.0, 5.0]];
        let before = points.map(|point| at(&camera, point));
        let near = points[1];
        let depth = camera.view(SIZE).see(near.into()).z;
        camera.focus(depth, SIZE);
        assert!(camera.view(SIZE).see(near.into()).z.abs() < 1e-9);
        for (before, after) in before.iter().zip(points.map(|point| at(&camera, point))) {
            let off = [0, 1].map(|side: usize| (before[side] - after[side]).abs());
            assert!(off.into_iter().all(|off| off < 1e-9), "{off:?}");
        }
        // A point there stays under the pointer, and grows.
        let place = at(&camera, near);
        camera.zoom_about(8.0, place, SIZE);
        let zoomed = at(&camera, near);
        assert!((zoomed[0] - place[0]).abs() < 1e-9 && (zoomed[1] - place[1]).abs() < 1e-9);
        let view = camera.view(SIZE);
        let scale = view.scale_at(view.see(near.into())).unwrap();
        assert!((scale - camera.zoom).abs() < 1e-9 * scale);
        // Not behind the camera, and not without perspective.
        for (fov, depth) in [(50.0, 1e6), (50.0, f64::NAN), (0.0, 1.0)] {
            let mut same = OrbitCamera { fov, ..camera };
            same.focus(depth, SIZE);
            assert_eq!(same, OrbitCamera { fov, ..camera });
        }
    }

    #[test]
    fn lines_are_cut_where_the_camera_is() {
        let view = camera(FRONT, 60.0, UpAxis::Y).view(SIZE);
        let [before, behind] = [DVec3::ZERO, DVec3::new(0.0, 0.0, 1e6)];
        assert_eq!(view.screen(behind), None);
        let [from, to] = view.clip(before, behind).unwrap();
        assert!(from == before && view.screen(to).is_some());
        let [from, to] = view.clip(behind, before).unwrap();
        assert!(to == before && view.screen(from).is_some());
        assert_eq!(view.clip(behind, behind * 2.0), None);
    }
}
