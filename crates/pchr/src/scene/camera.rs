//! The camera of a picture, for content of any kind; that of a flat world, and the world rectangle that a picture must hold. The
//! picture to draw: its size, filter, samples and background.

use super::FIT_MARGIN;
use super::orbit::OrbitCamera;
use crate::pose::Affine;

/// An upright camera. The world point `center` lies in the middle of the picture, on the corner that the four middle
/// pixels of an even-sized picture share.
///
/// `screen x = (x − center x) · zoom + width / 2`, `screen y = height / 2 − (y − center y) · zoom`: screen pixels, row 0
/// on top, pixel centres at half integers. A mirror negates the zoom of X.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera2d {
    /// World point in the middle of the picture.
    pub center: [f64; 2],
    /// Screen pixels per world pixel; positive.
    pub zoom: f64,
    /// True if the file was authored with Y down.
    pub y_down: bool,
    /// True if the picture is flipped horizontally: X points left.
    pub mirror: bool,
}

impl Default for Camera2d {
    fn default() -> Self {
        Self { center: [0.0; 2], zoom: 1.0, y_down: false, mirror: false }
    }
}

impl Camera2d {
    /// Returns the camera that shows `bounds` whole in a picture of `size`, with [`FIT_MARGIN`] on each side. Without bounds, or if
    /// they are infinite, it shows the origin at zoom 1; if they are a single point, that point at zoom 1.
    #[must_use]
    pub fn fit(bounds: Option<Bounds>, size: [u32; 2], y_down: bool) -> Self {
        let is_finite =
            |Bounds { min, max }: &Bounds| min.iter().chain(max).all(|side| side.is_finite());
        let Some(bounds) = bounds.filter(is_finite) else {
            return Self { y_down, ..Self::default() };
        };
        let [[x0, y0], [x1, y1]] = [bounds.min.map(f64::from), bounds.max.map(f64::from)];
        let room = size.map(|pixels| f64::from(pixels.max(1)) * (1.0 - 2.0 * FIT_MARGIN));
        let [room_x, room_y] = room;
        let zoom = (room_x / (x1 - x0)).min(room_y / (y1 - y0));
        let zoom = if zoom.is_finite() { zoom.clamp(1e-6, 1e6) } else { 1.0 };
        Self { center: [f64::midpoint(x0, x1), f64::midpoint(y0, y1)], zoom, y_down, mirror: false }
    }

    /// Returns `screen_from_world` for a picture of `size` pixels.
    #[must_use]
    pub fn screen_from_world(&self, size: [u32; 2]) -> Affine {
        let [scale_x, scale_y, x, y] = self.scale_and_offset(size);
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
        let row = |a: f64, b: f64, t: f64| [a as f32, b as f32, t as f32, 0.0];
        [row(scale_x, 0.0, x), row(0.0, scale_y, y)]
    }

    /// Returns the world point under a screen point.
    #[must_use]
    pub fn world_at(&self, [x, y]: [f64; 2], size: [u32; 2]) -> [f64; 2] {
        let [scale_x, scale_y, offset_x, offset_y] = self.scale_and_offset(size);
        [(x - offset_x) / scale_x, (y - offset_y) / scale_y]
    }

    /// Returns the screen point of a world point.
    #[must_use]
    pub fn screen_at(&self, [x, y]: [f64; 2], size: [u32; 2]) -> [f64; 2] {
        let [scale_x, scale_y, offset_x, offset_y] = self.scale_and_offset(size);
        [x * scale_x + offset_x, y * scale_y + offset_y]
    }

    /// Moves the picture by screen pixels, as a drag does.
    pub fn pan(&mut self, [dx, dy]: [f64; 2]) {
        let [scale_x, scale_y] = self.scale();
        let [x, y] = &mut self.center;
        *x -= dx / scale_x;
        *y -= dy / scale_y;
    }

    /// Zooms by `factor` so that the world point under the screen point `at` stays there.
    pub fn zoom_about(&mut self, factor: f64, at: [f64; 2], size: [u32; 2]) {
        self.zoom_to(self.zoom * factor, at, size);
    }

    /// Zooms to `zoom`, which becomes exactly that within the limits, so that the world point under the screen point `at`
    /// stays there.
    pub fn zoom_to(&mut self, zoom: f64, at: [f64; 2], size: [u32; 2]) {
        let before = self.world_at(at, size);
        self.zoom = zoom.clamp(1e-4, 1e4);
        let after = self.world_at(at, size);
        for ((center, before), after) in self.center.iter_mut().zip(before).zip(after) {
            *center += before - after;
        }
    }

    /// Returns the screen pixels per unit along X and Y, negative where they point left or up.
    #[must_use]
    pub fn scale(&self) -> [f64; 2] {
        let turned = |turns: bool| if turns { -self.zoom } else { self.zoom };
        [turned(self.mirror), turned(!self.y_down)]
    }

    fn scale_and_offset(&self, [width, height]: [u32; 2]) -> [f64; 4] {
        let [x, y] = self.center;
        let [scale_x, scale_y] = self.scale();
        [
            scale_x,
            scale_y,
            f64::from(width) / 2.0 - x * scale_x,
            f64::from(height) / 2.0 - y * scale_y,
        ]
    }
}

/// An upright rectangle in world pixels, Y up; `min` is not above `max`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Left and lower edge.
    pub min: [f32; 2],
    /// Right and upper edge.
    pub max: [f32; 2],
}

impl Bounds {
    /// Returns the smallest bounds that hold both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        let both = |pick: fn(f32, f32) -> f32, [ax, ay]: [f32; 2], [bx, by]: [f32; 2]| {
            [pick(ax, bx), pick(ay, by)]
        };
        Self { min: both(f32::min, self.min, other.min), max: both(f32::max, self.max, other.max) }
    }
}

/// Placement of the world in the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Camera {
    /// Camera of a flat world.
    Flat(Camera2d),
    /// Camera of a world in which bones move in space.
    Orbit(OrbitCamera),
}

impl Default for Camera {
    fn default() -> Self {
        Self::Flat(Camera2d::default())
    }
}

impl From<Camera2d> for Camera {
    fn from(camera: Camera2d) -> Self {
        Self::Flat(camera)
    }
}

impl From<OrbitCamera> for Camera {
    fn from(camera: OrbitCamera) -> Self {
        Self::Orbit(camera)
    }
}

impl Camera {
    /// Returns the camera that meshes are drawn with.
    #[must_use]
    pub fn flat(&self) -> Camera2d {
        match self {
            Self::Flat(camera) => *camera,
            Self::Orbit(_) => Camera2d::default(),
        }
    }

    /// Returns the camera of a world in which bones move in space.
    #[must_use]
    pub fn orbit(&self) -> Option<OrbitCamera> {
        match self {
            Self::Flat(_) => None,
            Self::Orbit(camera) => Some(*camera),
        }
    }

    /// Returns the map from the plane of the meshes to the picture.
    #[must_use]
    pub fn screen_from_world(&self, size: [u32; 2]) -> Affine {
        self.flat().screen_from_world(size)
    }

    /// Returns the screen pixels per unit along X and Y of the world, or of the view in space: negative where the axis points left or up.
    #[must_use]
    pub fn scale(&self) -> [f64; 2] {
        match self {
            Self::Flat(camera) => camera.scale(),
            Self::Orbit(camera) => camera.scale(),
        }
    }

    /// Returns the screen pixels per unit of the world.
    #[must_use]
    pub fn zoom(&self) -> f64 {
        match self {
            Self::Flat(camera) => camera.zoom,
            Self::Orbit(camera) => camera.zoom,
        }
    }
}

/// Texture filter; [`Self::Linear`] by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Filter {
    /// Bilinear, clamped to the edge.
    #[default]
    Linear,
    /// The nearest texel.
    Nearest,
}

/// Coverage samples per pixel; [`Self::Four`] by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Samples {
    /// One, at the pixel's centre.
    One = 1,
    /// Four, in the rotated grid that all GPUs use.
    #[default]
    Four = 4,
}

impl Samples {
    /// Returns 1 or 4.
    #[must_use]
    pub fn count(self) -> u32 {
        self as u32
    }
}

/// The picture to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Picture {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Placement of the world in the picture.
    pub camera: Camera2d,
    /// Texture filter.
    pub filter: Filter,
    /// True to use the smaller copies of the images when zoomed out (trilinear).
    pub mipmaps: bool,
    /// Background: RGBA, sRGB-encoded, premultiplied.
    pub clear: [u8; 4],
}

impl Picture {
    /// Returns a picture without background, with linear filtering.
    #[must_use]
    pub fn new(size: [u32; 2], camera: Camera2d) -> Self {
        Self { size, camera, filter: Filter::Linear, mipmaps: false, clear: [0; 4] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::transform_point;

    const SIZE: [u32; 2] = [512, 256];

    #[test]
    fn the_center_is_the_corner_of_the_four_middle_pixels_and_y_points_up() {
        let camera = Camera2d { center: [10.0, -5.0], zoom: 2.0, ..Camera2d::default() };
        let map = camera.screen_from_world(SIZE);
        assert_eq!(transform_point(&map, [10.0, -5.0]), [256.0, 128.0]);
        assert_eq!(transform_point(&map, [11.0, -4.0]), [258.0, 126.0]);
        assert_eq!(camera.world_at([258.0, 126.0], SIZE), [11.0, -4.0]);
        assert_eq!(camera.screen_at([11.0, -4.0], SIZE), [258.0, 126.0]);
        let down = Camera2d { y_down: true, ..camera };
        assert_eq!(transform_point(&down.screen_from_world(SIZE), [11.0, -4.0]), [258.0, 130.0]);
        let mirrored = Camera2d { mirror: true, ..camera };
        let wanted = [254.0, 126.0];
        assert_eq!(transform_point(&mirrored.screen_from_world(SIZE), [11.0, -4.0]), wanted);
    }

    #[test]
    fn a_fit_leaves_five_percent_on_each_side() {
        let bounds = Bounds { min: [-10.0, 0.0], max: [10.0, 40.0] };
        let map = Camera2d::fit(Some(bounds), SIZE, false).screen_from_world(SIZE);
        let [_, top] = transform_point(&map, [0.0, 40.0]);
        assert!((top - 12.8).abs() < 1e-3, "{top}");
        let point = Bounds { min: [3.0; 2], max: [3.0; 2] };
        assert_eq!(Camera2d::fit(Some(point), SIZE, false).zoom, 1.0);
        let endless = Bounds { min: [-1e38, f32::NEG_INFINITY], max: [1e38, 3e38] };
        assert_eq!(Camera2d::fit(Some(endless), [8, 8], false), Camera2d::default());
    }

    #[test]
    fn zooming_keeps_what_is_under_the_cursor_and_panning_moves_with_it() {
        for (y_down, mirror) in [(false, false), (true, false), (false, true)] {
            let mut camera = Camera2d { center: [3.0, 4.0], zoom: 1.5, y_down, mirror };
            let before = camera.world_at([40.0, 200.0], SIZE);
            camera.zoom_about(3.0, [40.0, 200.0], SIZE);
            let after = camera.world_at([40.0, 200.0], SIZE);
            camera.pan([7.0, -3.0]);
            for ((a, b), c) in before.iter().zip(after).zip(camera.world_at([47.0, 197.0], SIZE)) {
                assert!((a - b).abs() < 1e-9 && (a - c).abs() < 1e-9);
            }
        }
    }
}
