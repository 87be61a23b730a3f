//! Aids of the window that captures lack: the ruler and the reference picture.

use std::path::PathBuf;
use std::sync::Arc;

use pchr::document::{BoneId, MeshId};
use pchr::image::Levels;
use pchr::scene::Camera;

/// Degrees between the directions that a line keeps to.
const STEP: f64 = 15.0;

/// A line between two world points. An aid of the window: captures have none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ruler {
    pub from: [f64; 2],
    pub to: [f64; 2],
    /// Parts that the ends stay at in every frame; none for a line on the picture.
    pub of: Option<MeasuredParts>,
}

/// Parts that are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MeasuredParts {
    /// From joint to joint.
    Bones([BoneId; 2]),
    /// From the first corner of its box to the opposite one.
    Mesh(MeshId),
}

impl Ruler {
    /// Returns how far it goes along X and along Y.
    pub(crate) fn along(&self) -> [f64; 2] {
        let ([x0, y0], [x1, y1]) = (self.from, self.to);
        [x1 - x0, y1 - y0]
    }

    pub(crate) fn length(&self) -> f64 {
        let [x, y] = self.along();
        x.hypot(y)
    }

    /// Returns its angle from X towards Y in degrees, above -180 up to 180.
    pub(crate) fn angle(&self) -> f64 {
        let [x, y] = self.along();
        // Neither a negative zero nor -180°.
        match (y + 0.0).atan2(x).to_degrees() + 0.0 {
            angle if angle <= -180.0 => 180.0,
            angle => angle,
        }
    }

    /// Returns the line with the nearest direction out of 24 that ends closest to this one's end.
    pub(crate) fn snapped(self) -> Self {
        let angle = (self.angle() / STEP).round() * STEP;
        let (sin, cos) = match angle {
            -90.0 => (-1.0, 0.0),
            90.0 => (1.0, 0.0),
            0.0 => (0.0, 1.0),
            180.0 => (0.0, -1.0),
            angle => angle.to_radians().sin_cos(),
        };
        let ([x, y], [across, up]) = (self.from, self.along());
        let length = across * cos + up * sin;
        Self { to: [x + cos * length, y + sin * length], ..self }
    }
}

/// Least and greatest size of a reference, in world units per pixel of it.
pub(crate) const SCALES: std::ops::RangeInclusive<f64> = 1e-5..=1e5;

/// A picture above or below the character, which moves with the camera. An aid of the window: captures have none.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub path: PathBuf,
    /// Premultiplied.
    pub picture: Arc<Levels>,
    pub look: ReferenceLook,
}

/// Place and look of a reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ReferenceLook {
    pub visible: bool,
    /// True over the character, false behind it.
    pub above: bool,
    /// From 0 to 1.
    pub opacity: f32,
    /// World point of its middle.
    pub middle: [f64; 3],
    /// World units per pixel.
    pub scale: f64,
}

impl Default for ReferenceLook {
    fn default() -> Self {
        Self { visible: true, above: false, opacity: 0.5, middle: [0.0; 3], scale: 1.0 }
    }
}

/// Two references are equal if they look alike and share their pixels. The pixels themselves are not compared.
impl PartialEq for Reference {
    fn eq(&self, other: &Self) -> bool {
        let same = self.path == other.path && self.look == other.look;
        same && Arc::ptr_eq(&self.picture, &other.picture)
    }
}

impl Reference {
    /// Returns its width and height in pixels.
    pub(crate) fn size(&self) -> [u32; 2] {
        let base = self.picture.base();
        [base.width, base.height]
    }

    /// Returns its rectangle in a picture of `size`, in screen pixels: left, top, width and height. The width is negative where the
    /// camera shows the world mirrored.
    pub(crate) fn on_screen(&self, camera: &Camera, size: [u32; 2]) -> [f64; 4] {
        let [x, y] = match camera {
            Camera::Flat(camera) => {
                let [x, y, _] = self.look.middle;
                camera.screen_at([x, y], size)
            }
            Camera::Orbit(orbit) => {
                let away = glam::DVec3::from(self.look.middle) - glam::DVec3::from(orbit.target);
                let [right, up, _] = orbit.axes().map(|axis| axis.dot(away) * orbit.zoom);
                let [width, height] = size.map(|side| f64::from(side) / 2.0);
                [width + right, height - up]
            }
        };
        let [scale_x, _] = camera.scale();
        let [wide, high] = self.size().map(|side| f64::from(side) * self.look.scale);
        let (wide, high) = (wide * scale_x, high * camera.zoom());
        [x - wide / 2.0, y - high / 2.0, wide, high]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to(x: f64, y: f64) -> Ruler {
        Ruler { from: [10.0, 20.0], to: [10.0 + x, 20.0 + y], of: None }
    }

    #[test]
    fn it_has_a_length_and_an_angle() {
        assert_eq!((to(3.0, 4.0).length(), to(3.0, 4.0).along()), (5.0, [3.0, 4.0]));
        for (x, y, angle) in [
            (1.0, 0.0, 0.0),
            (1.0, -0.0, 0.0),
            (1.0, 1.0, 45.0),
            (0.0, 2.0, 90.0),
            (-1.0, 0.0, 180.0),
            (-1.0, -0.0, 180.0),
            (0.0, -2.0, -90.0),
            (0.0, 0.0, 0.0),
        ] {
            assert_eq!(Ruler { from: [0.0; 2], to: [x, y], of: None }.angle(), angle, "{x} {y}");
        }
    }

    #[test]
    fn it_keeps_to_steps_of_fifteen_degrees_and_exactly_to_the_axes() {
        assert_eq!(to(100.0, 8.0).snapped(), to(100.0, 0.0));
        assert_eq!(to(-3.0, 90.0).snapped(), to(0.0, 90.0));
        let snapped = to(100.0, 90.0).snapped();
        assert!((snapped.angle() - 45.0).abs() < 1e-9, "{snapped:?}");
        assert!((snapped.length() - 190.0 / 2.0_f64.sqrt()).abs() < 1e-9);
        assert_eq!(to(0.0, 0.0).snapped(), to(0.0, 0.0));
    }
}

#[cfg(test)]
mod reference_tests {
    use super::*;
    use pchr::image::Pixels;
    use pchr::scene::Camera2d;

    #[test]
    fn it_moves_and_grows_with_the_camera() {
        let pixels = Pixels { width: 20, height: 10, rgba: vec![0; 800] };
        let mut reference = Reference {
            path: PathBuf::new(),
            picture: Arc::new(Levels::with_mipmaps(pixels)),
            look: ReferenceLook {
                middle: [5.0, 10.0, 0.0],
                scale: 2.0,
                ..ReferenceLook::default()
            },
        };
        let mut camera = Camera2d { center: [5.0, 0.0], zoom: 3.0, ..Camera2d::default() };
        let of = |reference: &Reference, camera: Camera2d| {
            reference.on_screen(&Camera::Flat(camera), [400, 300])
        };
        assert_eq!(of(&reference, camera), [140.0, 90.0, 120.0, 60.0]);
        camera.y_down = true;
        assert_eq!(of(&reference, camera), [140.0, 150.0, 120.0, 60.0]);
        reference.look.middle = [5.0, 0.0, 0.0];
        camera.zoom = 1.0;
        assert_eq!(of(&reference, camera), [180.0, 140.0, 40.0, 20.0]);
    }
}
