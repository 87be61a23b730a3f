//! A picture to compare the character with.

use std::path::PathBuf;
use std::sync::Arc;

use pchr::image::Levels;
use pchr::scene::Camera;

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
        Self {
            visible: true,
            above: false,
            opacity: 0.5,
            middle: [0.0; 3],
            scale: 1.0,
        }
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

    /// Returns its rectangle in a picture of `size`, in screen pixels: left, top, width and height.
    pub(crate) fn on_screen(&self, camera: &Camera, size: [u32; 2]) -> [f64; 4] {
        let ([x, y], zoom) = match camera {
            Camera::Flat(camera) => {
                let [x, y, _] = self.look.middle;
                (camera.screen_at([x, y], size), camera.zoom)
            }
            Camera::Orbit(orbit) => {
                let away = glam::DVec3::from(self.look.middle) - glam::DVec3::from(orbit.target);
                let [right, up, _] = orbit.axes().map(|axis| axis.dot(away) * orbit.zoom);
                let [width, height] = size.map(|side| f64::from(side) / 2.0);
                ([width + right, height - up], orbit.zoom)
            }
        };
        let factor = self.look.scale * zoom;
        let [wide, high] = self.size().map(|side| f64::from(side) * factor);
        [x - wide / 2.0, y - high / 2.0, wide, high]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pchr::image::Pixels;
    use pchr::scene::Camera2d;

    #[test]
    fn it_moves_and_grows_with_the_camera() {
        let pixels = Pixels {
            width: 20,
            height: 10,
            rgba: vec![0; 800],
        };
        let mut reference = Reference {
            path: PathBuf::new(),
            picture: Arc::new(Levels::with_mipmaps(pixels)),
            look: ReferenceLook {
                middle: [5.0, 10.0, 0.0],
                scale: 2.0,
                ..ReferenceLook::default()
            },
        };
        let mut camera = Camera2d {
            center: [5.0, 0.0],
            zoom: 3.0,
            y_down: false,
        };
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
