//! Choices of screenshots, and the size and camera of the picture that they ask for.

use serde::{Deserialize, Serialize};

use pchr::image::PixelRect;
use pchr::scene::{Bounds, Camera, Camera2d, OrbitCamera};

use crate::viewer::interface::{narrow, pixel};

/// Largest side of a fixed size in pixels.
pub(crate) const MOST_SIDE: u32 = 16_384;

/// Choices of screenshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ScreenshotChoices {
    /// True to crop the picture to what is drawn.
    pub cropped: bool,
    /// True to leave out the background.
    pub transparent: bool,
    pub overlays: bool,
    pub size: ScreenshotSize,
    /// Width and height in pixels of [`ScreenshotSize::Fixed`].
    pub fixed: [u32; 2],
}

impl Default for ScreenshotChoices {
    fn default() -> Self {
        Self {
            cropped: false,
            transparent: false,
            overlays: true,
            size: ScreenshotSize::One,
            fixed: [512; 2],
        }
    }
}

/// Size of screenshots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ScreenshotSize {
    /// That of the window.
    #[default]
    One,
    Two,
    Four,
    /// A width and a height, into which the part of the world is fitted.
    Fixed,
}

/// A picture to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ShotFrame {
    pub size: [u32; 2],
    pub camera: Camera,
    /// Pixels per pixel of the window.
    pub factor: f64,
    /// True if what is empty at its edges is to be cut off.
    pub trims: bool,
}

impl ScreenshotChoices {
    /// Limits the size.
    pub(crate) fn clamped(self) -> Self {
        Self { fixed: self.fixed.map(|side| side.clamp(1, MOST_SIDE)), ..self }
    }

    /// Returns the choices in a few words.
    pub(crate) fn in_words(&self) -> String {
        let [width, height] = self.fixed;
        let mut words = match self.size {
            ScreenshotSize::One => "1×".to_owned(),
            ScreenshotSize::Two => "2×".to_owned(),
            ScreenshotSize::Four => "4×".to_owned(),
            ScreenshotSize::Fixed => format!("{width} × {height}"),
        };
        words.push_str(if self.cropped { ", character" } else { ", view" });
        if self.transparent {
            words.push_str(", transparent");
        }
        if !self.overlays {
            words.push_str(", no overlays");
        }
        words
    }

    /// Returns the picture of a view of `size` pixels. A cropped one has what is drawn within `content`, in the plane of a flat world, and
    /// with overlays also what the view shows around that.
    pub(crate) fn frame(
        &self,
        size: [u32; 2],
        camera: Camera,
        content: Option<Bounds>,
        has_overlays: bool,
    ) -> ShotFrame {
        let is_fixed = self.size == ScreenshotSize::Fixed;
        let whole = [[0.0; 2], size.map(f64::from)];
        let part = match (camera, content) {
            (Camera::Flat(camera), Some(content)) if self.cropped => {
                let part = on_screen(&camera, content, size);
                if has_overlays && !is_fixed { union(part, whole) } else { part }
            }
            _ => whole,
        };
        let [[left, top], [right, bottom]] = part;
        let [wide, high] = [(right - left).max(1.0), (bottom - top).max(1.0)];
        let factor = match self.size {
            ScreenshotSize::One => 1.0,
            ScreenshotSize::Two => 2.0,
            ScreenshotSize::Four => 4.0,
            ScreenshotSize::Fixed => {
                let [width, height] = self.fixed.map(f64::from);
                (width / wide).min(height / high)
            }
        };
        let drawn = match is_fixed {
            true => self.fixed,
            false => [wide, high].map(|side| pixel(narrow(side * factor))),
        };
        let camera = match camera {
            Camera::Flat(camera) => {
                let middle = [f64::midpoint(left, right), f64::midpoint(top, bottom)];
                let is_whole = part == whole; // then nothing is rounded
                let center = if is_whole { camera.center } else { camera.world_at(middle, size) };
                Camera2d { center, zoom: camera.zoom * factor, ..camera }.into()
            }
            Camera::Orbit(camera) => {
                let [_, height] = drawn.map(f64::from);
                enlarged(camera, factor, height / (high * factor)).into()
            }
        };
        ShotFrame { size: drawn, camera, factor, trims: self.cropped && !is_fixed }
    }
}

impl ShotFrame {
    /// Returns the frame of the same size in which a part of the picture is as large as fits, in the middle; of a flat world.
    pub(crate) fn around(self, part: PixelRect) -> Self {
        let Camera::Flat(camera) = self.camera else { return self };
        let ([left, top], [wide, high]) = (part.offset.map(f64::from), part.size.map(f64::from));
        let [width, height] = self.size.map(f64::from);
        // A pixel of room for edges that are smoothed.
        let factor = (width / (wide + 2.0)).min(height / (high + 2.0));
        let center = camera.world_at([left + wide / 2.0, top + high / 2.0], self.size);
        let camera = Camera2d { center, zoom: camera.zoom * factor, ..camera };
        Self { camera: camera.into(), factor: self.factor * factor, ..self }
    }
}

/// Left, top, right and bottom edge in pixels of the view.
type Part = [[f64; 2]; 2];

/// Returns the part of the view with all of the content, on whole pixels.
fn on_screen(camera: &Camera2d, content: Bounds, size: [u32; 2]) -> Part {
    let corners = [content.min, content.max];
    let [[x0, y0], [x1, y1]] = corners.map(|at| camera.screen_at(at.map(f64::from), size));
    let least = [x0.min(x1), y0.min(y1)];
    let most = [x0.max(x1), y0.max(y1)];
    [least.map(f64::floor), most.map(f64::ceil)]
}

fn union([[x0, y0], [x1, y1]]: Part, [[x2, y2], [x3, y3]]: Part) -> Part {
    [[x0.min(x2), y0.min(y2)], [x1.max(x3), y1.max(y3)]]
}

/// Returns a camera at the same place for a picture that is larger by a factor, and then higher by another one.
fn enlarged(camera: OrbitCamera, factor: f64, higher: f64) -> OrbitCamera {
    let half = (camera.fov / 2.0).to_radians();
    let is_as_high = higher == 1.0; // then nothing is rounded
    let fov = if is_as_high { camera.fov } else { 2.0 * (half.tan() * higher).atan().to_degrees() };
    OrbitCamera { zoom: camera.zoom * factor, fov, ..camera }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEW: [u32; 2] = [640, 480];

    fn flat() -> Camera2d {
        Camera2d { center: [10.0, -5.0], zoom: 1.5, ..Camera2d::default() }
    }

    /// Checks that a point of the world lies at a place of the picture.
    fn expect_at(frame: &ShotFrame, world: [f64; 2], [x, y]: [f64; 2]) {
        let [at_x, at_y] = frame.camera.flat().screen_at(world, frame.size);
        let is_near = (at_x - x).abs() < 1e-9 && (at_y - y).abs() < 1e-9;
        assert!(is_near, "{world:?} is at {at_x}, {at_y} instead of {x}, {y}");
    }

    #[test]
    fn a_larger_picture_has_the_same_part_of_the_world() {
        let corner = flat().world_at([0.0; 2], VIEW);
        for (size, factor) in
            [(ScreenshotSize::One, 1), (ScreenshotSize::Two, 2), (ScreenshotSize::Four, 4)]
        {
            let choices = ScreenshotChoices { size, ..Default::default() };
            let frame = choices.frame(VIEW, flat().into(), None, true);
            assert_eq!(frame.size, VIEW.map(|side| side * factor));
            assert_eq!((frame.factor, frame.trims), (factor.into(), false));
            expect_at(&frame, corner, [0.0; 2]);
            assert_eq!(frame.camera.flat().center, flat().center, "nothing is rounded");
        }
    }

    #[test]
    fn a_wide_view_is_fitted_into_a_fixed_size() {
        let size = ScreenshotSize::Fixed;
        let choices = ScreenshotChoices { size, fixed: [512; 2], ..Default::default() };
        let view = [1024, 256];
        let frame = choices.frame(view, flat().into(), None, true);
        assert_eq!((frame.size, frame.factor), ([512; 2], 0.5));
        expect_at(&frame, flat().world_at([0.0; 2], view), [0.0, 192.0]);
        expect_at(&frame, flat().world_at([1024.0, 256.0], view), [512.0, 320.0]);
        // In perspective, too: the height of the view has the angle that it had.
        let orbit = OrbitCamera { fov: 60.0, zoom: 3.0, ..OrbitCamera::default() };
        let Camera::Orbit(of) = choices.frame(view, orbit.into(), None, true).camera else {
            panic!("it is a camera in space");
        };
        let half = |fov: f64| (fov / 2.0).to_radians().tan();
        assert!((half(of.fov) * 128.0 / 512.0 - half(60.0)).abs() < 1e-9, "{}", of.fov);
        assert_eq!(of.zoom, 1.5);
    }

    #[test]
    fn a_cropped_picture_has_all_of_the_content_and_keeps_its_pixels() {
        let camera = Camera2d { zoom: 2.0, ..Camera2d::default() };
        // It lies partly outside of the view, from pixel 300.5 to 1320, and from 140 to 240.
        let content = Bounds { min: [-9.75, 0.0], max: [500.0, 50.0] };
        let choices = ScreenshotChoices { cropped: true, ..Default::default() };
        let frame = choices.frame(VIEW, camera.into(), Some(content), false);
        assert_eq!((frame.size, frame.trims), ([1020, 100], true));
        expect_at(&frame, [-9.75, 50.0], [0.5, 0.0]);
        // Overlays lie around it.
        let frame = choices.frame(VIEW, camera.into(), Some(content), true);
        assert_eq!(frame.size, [1320, 480]);
        let twice = ScreenshotChoices { size: ScreenshotSize::Two, ..choices };
        let frame = twice.frame(VIEW, camera.into(), Some(content), false);
        assert_eq!(frame.size, [2040, 200]);
        expect_at(&frame, [-9.75, 50.0], [1.0, 0.0]);
        // A fixed size is filled by the content.
        let size = ScreenshotSize::Fixed;
        let fixed = ScreenshotChoices { size, fixed: [510, 400], ..choices };
        let frame = fixed.frame(VIEW, camera.into(), Some(content), true);
        assert_eq!((frame.size, frame.factor, frame.trims), ([510, 400], 0.5, false));
        // The view is drawn if there is nothing to measure.
        assert_eq!(choices.frame(VIEW, camera.into(), None, false).size, VIEW);
    }

    #[test]
    fn the_choices_are_said_in_short() {
        let choices = ScreenshotChoices::default();
        assert_eq!(choices.in_words(), "1×, view");
        let size = ScreenshotSize::Two;
        let cropped = ScreenshotChoices { cropped: true, transparent: true, size, ..choices };
        assert_eq!(cropped.in_words(), "2×, character, transparent");
        let fixed = ScreenshotChoices { size: ScreenshotSize::Fixed, overlays: false, ..choices };
        assert_eq!(fixed.in_words(), "512 × 512, view, no overlays");
    }
}
