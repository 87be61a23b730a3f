//! Background of the picture, colours as text, directions by name, the ruler and the reference picture.

use std::path::PathBuf;
use std::sync::Arc;

use glam::DVec3;

use pchr::document::{BoneId, MeshId};
use pchr::image::{Levels, Pixels, cover, premultiply};
use pchr::scene::{Camera, Direction, FRONT, OrbitCamera, SIDE, TOP};
use pchr_foreign::motion::UpAxis;
use pchr_tools::view;

/// Background of the character.
#[derive(Clone, Debug, Default)]
pub(crate) enum Background {
    /// The checkerboard of the theme.
    #[default]
    Checker,
    /// Nothing: the checkerboard shows through on screen, and pictures that are taken are transparent.
    Transparent,
    /// One colour: straight RGBA, sRGB-encoded. The checkerboard shows through where it is not opaque.
    Color([u8; 4]),
    /// A picture in its own size, premultiplied. A light checkerboard shows where it is not opaque, as in captures.
    Picture(PathBuf, Arc<Pixels>),
}

/// Two pictures are equal if they have one path and share their pixels. The pixels themselves are not compared.
impl PartialEq for Background {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Checker, Self::Checker) | (Self::Transparent, Self::Transparent) => true,
            (Self::Color(a), Self::Color(b)) => a == b,
            (Self::Picture(path, a), Self::Picture(of, b)) => path == of && Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Background {
    /// The colours that [`Self::next`] walks through.
    const COLORS: [[u8; 4]; 3] = [[0, 0, 0, 255], [128, 128, 128, 255], [255, 255, 255, 255]];

    /// Returns a colour as a background; a transparent colour is no background.
    pub(crate) fn of_color(color: [u8; 4]) -> Self {
        match color {
            [.., 0] => Self::Transparent,
            color => Self::Color(color),
        }
    }

    /// Returns the background that an option names, unless it is a picture, which has to be read.
    pub(crate) fn of(background: &view::Background) -> Self {
        match background {
            view::Background::Transparent => Self::Transparent,
            background => background.color().map_or(Self::Checker, Self::of_color),
        }
    }

    /// Returns the option that names the background; `None` for the checkerboard.
    pub(crate) fn option(&self) -> Option<view::Background> {
        match self {
            Self::Checker => None,
            Self::Transparent => Some(view::Background::Transparent),
            Self::Color(color) => Some(view::Background::Color(*color)),
            Self::Picture(path, _) => Some(view::Background::Picture(path.clone())),
        }
    }

    /// Scales the picture to cover `size`. Returns `None` for other backgrounds.
    pub(crate) fn fitted(&self, size: [u32; 2]) -> Option<Pixels> {
        match self {
            Self::Picture(_, pixels) => Some(cover(pixels, size)),
            Self::Checker | Self::Transparent | Self::Color(_) => None,
        }
    }

    /// Returns the clear colour of the picture: RGBA, premultiplied.
    pub(crate) fn clear(&self) -> [u8; 4] {
        let Self::Color(mut clear) = *self else {
            return [0; 4];
        };
        premultiply(&mut clear);
        clear
    }

    /// Returns the next background: the checkerboard, then black, grey and white, then the checkerboard again.
    pub(crate) fn next(&self) -> Self {
        let next = match self {
            Self::Checker => Self::COLORS.first(),
            Self::Color(color) => Self::COLORS.iter().skip_while(|of| *of != color).nth(1),
            Self::Transparent | Self::Picture(..) => None,
        };
        next.map_or(Self::Checker, |color| Self::Color(*color))
    }
}

/// Parses `#rrggbb`, with or without the sign.
pub(crate) fn color_of_hex(text: &str) -> Option<[u8; 3]> {
    let digits = text.trim();
    let digits = digits.strip_prefix('#').unwrap_or(digits);
    format!("#{digits}").parse().ok().map(|view::Tint(color)| color)
}

/// Returns a colour as `#rrggbb`.
pub(crate) fn hex_of_color(color: [u8; 3]) -> String {
    view::Tint(color).to_string()
}

/// A direction along an axis of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Facing {
    Front,
    Back,
    /// The side that X points to.
    Side,
    OtherSide,
    Top,
    Bottom,
}

impl Facing {
    /// All of them.
    pub(crate) const ALL: [Self; 6] =
        [Self::Front, Self::Back, Self::Side, Self::OtherSide, Self::Top, Self::Bottom];

    /// The one with this direction.
    pub(crate) fn of([yaw, pitch]: Direction) -> Option<Self> {
        let yaw = if yaw <= -180.0 { yaw + 360.0 } else { yaw };
        let same = |facing: &Self| facing.direction() == [yaw, pitch];
        Self::ALL.into_iter().find(same)
    }

    /// Yaw and pitch.
    pub(crate) fn direction(self) -> Direction {
        self.facts().0
    }

    /// The one from the other end of the axis.
    pub(crate) fn opposite(self) -> Self {
        self.facts().1
    }

    /// Name in a word or two.
    pub(crate) fn name(self) -> &'static str {
        self.facts().2
    }

    /// Direction, opposite and name.
    fn facts(self) -> (Direction, Self, &'static str) {
        match self {
            Self::Front => (FRONT, Self::Back, "Front"),
            Self::Back => ([180.0, 0.0], Self::Front, "Back"),
            Self::Side => (SIDE, Self::OtherSide, "Side"),
            Self::OtherSide => ([-90.0, 0.0], Self::Side, "Other side"),
            Self::Top => (TOP, Self::Bottom, "Top"),
            Self::Bottom => ([0.0, -90.0], Self::Top, "Bottom"),
        }
    }

    /// Name of looking from there.
    pub(crate) fn view_name(self) -> String {
        format!("View from the {}", self.name().to_lowercase())
    }

    /// The direction in the world that points to the camera.
    pub(crate) fn toward(self, up: UpAxis) -> DVec3 {
        let [yaw, pitch] = self.direction();
        let camera = OrbitCamera { yaw, pitch, up, ..OrbitCamera::default() };
        let [_, _, toward] = camera.axes();
        toward
    }
}

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
                let away = DVec3::from(self.look.middle) - DVec3::from(orbit.target);
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
    use pchr::scene::Camera2d;

    use super::*;

    #[test]
    fn a_colour_has_six_digits() {
        assert_eq!(color_of_hex("#1a2B3c"), Some([0x1a, 0x2b, 0x3c]));
        assert_eq!(color_of_hex(" 000000 "), Some([0; 3]));
        for text in ["", "#", "#12345", "#1234567", "#12345g", "+12345"] {
            assert_eq!(color_of_hex(text), None, "{text}");
        }
        assert_eq!(color_of_hex(&hex_of_color([1, 2, 255])), Some([1, 2, 255]));
    }

    #[test]
    fn each_facing_has_a_direction_of_its_own_and_an_opposite() {
        for facing in Facing::ALL {
            assert_eq!(Facing::of(facing.direction()), Some(facing));
            assert_eq!(facing.opposite().opposite(), facing);
            for up in [UpAxis::Y, UpAxis::Z] {
                let (toward, away) = (facing.toward(up), facing.opposite().toward(up));
                assert!((toward + away).length() < 1e-12);
                // Along an axis.
                assert!((toward.abs().max_element() - 1.0).abs() < 1e-12);
            }
        }
        assert_eq!(Facing::of([-180.0, 0.0]), Some(Facing::Back));
        assert_eq!(Facing::of([30.0, 15.0]), None);
        assert_eq!(Facing::Top.toward(UpAxis::Z), DVec3::Z);
        assert_eq!(Facing::Side.toward(UpAxis::Z), DVec3::X);
    }

    fn to(x: f64, y: f64) -> Ruler {
        Ruler { from: [10.0, 20.0], to: [10.0 + x, 20.0 + y], of: None }
    }

    #[test]
    fn a_ruler_has_a_length_and_an_angle() {
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
    fn a_ruler_keeps_to_steps_of_fifteen_degrees_and_exactly_to_the_axes() {
        assert_eq!(to(100.0, 8.0).snapped(), to(100.0, 0.0));
        assert_eq!(to(-3.0, 90.0).snapped(), to(0.0, 90.0));
        let snapped = to(100.0, 90.0).snapped();
        assert!((snapped.angle() - 45.0).abs() < 1e-9, "{snapped:?}");
        assert!((snapped.length() - 190.0 / 2.0_f64.sqrt()).abs() < 1e-9);
        assert_eq!(to(0.0, 0.0).snapped(), to(0.0, 0.0));
    }

    #[test]
    fn a_reference_moves_and_grows_with_the_camera() {
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
