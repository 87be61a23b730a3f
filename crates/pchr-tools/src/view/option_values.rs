//! Values of options, as they are read and written, and numbers within bounds.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use pchr::playback::{FPS_RANGE, FadeCurve, FadeOptions, SPEED_RANGE};
use pchr::scene::{Direction, FRONT, MOST_FOV, SIDE, TOP};

use crate::capture::{MAX_SIDE, rgb};

/// A picture or window size, `WxH` or `W,H`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub [u32; 2]);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let form = || format!("invalid size {text:?}: expected WIDTHxHEIGHT, like 512x512");
        let (width, height) = text.split_once(['x', 'X', ',']).ok_or_else(form)?;
        let side = |side: &str| side.trim().parse::<u32>().map_err(|_| form());
        let size = [side(width)?, side(height)?];
        if size.iter().all(|side| (1..=MAX_SIDE).contains(side)) {
            Ok(Self(size))
        } else {
            Err(format!("invalid size {text:?}: expected 1 to {MAX_SIDE} pixels on each side"))
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [width, height] = self.0;
        write!(f, "{width}x{height}")
    }
}

/// First and last frame of a section: `FIRST..=LAST`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section(pub [u16; 2]);

impl FromStr for Section {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let frames = text.split_once("..=").and_then(|(first, last)| {
            let frames = [first.trim().parse().ok()?, last.trim().parse().ok()?];
            Some(frames).filter(|[first, last]| first <= last)
        });
        let wrong = || format!("invalid section {text:?}: expected FIRST..=LAST, like 8..=20");
        frames.map(Self).ok_or_else(wrong)
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, last] = self.0;
        write!(f, "{first}..={last}")
    }
}

/// Length and curve of a cross-fade: `SECONDS` or `SECONDS,CURVE`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FadeTime(pub FadeOptions);

impl FadeTime {
    /// Longest cross-fade in seconds.
    pub const LONGEST: f64 = 2.0;
}

impl FromStr for FadeTime {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (seconds, curve) = text.split_once(',').unwrap_or((text, "linear"));
        let seconds = seconds.trim().parse::<f64>().ok();
        let seconds = seconds.filter(|seconds| (0.0..=Self::LONGEST).contains(seconds));
        let curve = match curve.trim() {
            "linear" => Some(FadeCurve::Linear),
            "smooth" => Some(FadeCurve::Smooth),
            _ => None,
        };
        match (seconds, curve) {
            (Some(seconds), Some(curve)) => Ok(Self(FadeOptions { seconds, curve })),
            _ => Err(format!(
                "invalid cross-fade {text:?}: expected 0 to {} seconds, and linear or smooth, like 0.3,smooth",
                Self::LONGEST
            )),
        }
    }
}

impl fmt::Display for FadeTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FadeOptions { seconds, curve } = self.0;
        match curve {
            FadeCurve::Linear => write!(f, "{seconds}"),
            FadeCurve::Smooth => write!(f, "{seconds},smooth"),
        }
    }
}

/// A world point: `X,Y`, or `X,Y,Z` of a 3D motion.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Center", title = "Center")]
#[schemars(description = "World point in the middle of a picture.")]
pub enum Point {
    /// Of a flat world.
    Flat([f64; 2]),
    /// Of a 3D motion.
    Space([f64; 3]),
}

impl FromStr for Point {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number =
            |number: &str| number.trim().parse().ok().filter(|value: &f64| value.is_finite());
        let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
        match numbers.as_deref() {
            Some([x, y]) => Ok(Self::Flat([*x, *y])),
            Some([x, y, z]) => Ok(Self::Space([*x, *y, *z])),
            _ => Err(format!(
                "invalid point {text:?}: expected X,Y, like 0,120.5, or X,Y,Z for a 3D motion"
            )),
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flat([x, y]) => write!(f, "{x},{y}"),
            Self::Space([x, y, z]) => write!(f, "{x},{y},{z}"),
        }
    }
}

/// The direction of a view: a name, or `YAW,PITCH` in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewDirection(pub Direction);

/// Directions with names.
const DIRECTIONS: [(&str, Direction); 3] = [("front", FRONT), ("side", SIDE), ("top", TOP)];

impl FromStr for ViewDirection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some((_, direction)) = DIRECTIONS.iter().find(|(name, _)| *name == text) {
            return Ok(Self(*direction));
        }
        let number = |text: &str| text.trim().parse().ok().filter(|it: &f64| it.is_finite());
        let angles = text.split_once(',');
        let angles = angles.and_then(|(yaw, pitch)| Some([number(yaw)?, number(pitch)?]));
        let within = |[yaw, pitch]: &Direction| yaw.abs() <= 360.0 && pitch.abs() <= 90.0;
        angles.filter(within).map(Self).ok_or_else(|| {
            format!(
                "invalid view {text:?}: expected front, side, top, or YAW,PITCH in degrees, like 30,15, with a pitch of -90 to 90"
            )
        })
    }
}

impl fmt::Display for ViewDirection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [yaw, pitch] = self.0;
        match DIRECTIONS.iter().find(|(_, it)| *it == self.0) {
            Some((name, _)) => f.write_str(name),
            None => write!(f, "{yaw},{pitch}"),
        }
    }
}

/// Colours of the ghosts before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tints(pub [[u8; 3]; 2]);

/// Colour of a ghost: RGB, sRGB-encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tint(pub [u8; 3]);

impl FromStr for Tint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let color = rgb(text.trim()).map(Self);
        color.ok_or_else(|| format!("invalid colour {text:?}: expected one like #40be6e"))
    }
}

impl fmt::Display for Tint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [r, g, b] = self.0;
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

impl FromStr for Tints {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let both = text.split_once(',');
        let both = both.and_then(|(before, after)| Some([rgb(before.trim())?, rgb(after.trim())?]));
        both.map(Self).ok_or_else(|| {
            format!("invalid colours {text:?}: expected one for the frames before and one for those after, like #408cff,#ff8636")
        })
    }
}

impl fmt::Display for Tints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [before, after] = self.0.map(Tint);
        write!(f, "{before},{after}")
    }
}

/// Reads a number that is finite and more than 0.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| value.is_finite() && *value > 0.0);
    value.ok_or_else(|| format!("invalid number {text:?}: expected more than 0"))
}

/// Reads a part of a whole: 0 to 1.
pub(crate) fn part(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| (0.0..=1.0).contains(value));
    value.ok_or_else(|| format!("invalid part {text:?}: expected 0 to 1"))
}

/// Reads an angle of view in degrees: 0, or up to 150.
pub(crate) fn fov(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok();
    let value = value.filter(|value| (0.0..=MOST_FOV).contains(value));
    value.ok_or_else(|| {
        format!("invalid angle {text:?}: expected 0 (orthographic) to {MOST_FOV} degrees")
    })
}

/// Reads a playback speed within [`SPEED_RANGE`].
pub(crate) fn speed(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok();
    let value = value.filter(|value| SPEED_RANGE.contains(value));
    let (slowest, fastest) = (SPEED_RANGE.start(), SPEED_RANGE.end());
    value.ok_or_else(|| format!("invalid speed {text:?}: expected {slowest} to {fastest}"))
}

/// Reads a frame rate within [`FPS_RANGE`].
pub(crate) fn rate(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok();
    let value = value.filter(|value| FPS_RANGE.contains(value));
    let (least, most) = (FPS_RANGE.start(), FPS_RANGE.end());
    value.ok_or_else(|| {
        format!("invalid rate {text:?}: expected {least} to {most} frames per second")
    })
}

/// A draw order for meshes: `MESH=N`.
#[derive(Clone, Debug, PartialEq)]
pub struct ZOrder {
    /// Name of the mesh.
    pub mesh: String,
    /// Meshes with lower numbers are drawn first.
    pub z_order: f64,
}

impl FromStr for ZOrder {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = text.rsplit_once('=').and_then(|(mesh, number)| {
            let z_order = number.trim().parse().ok().filter(|value: &f64| value.is_finite())?;
            Some(Self { mesh: mesh.to_owned(), z_order })
        });
        parsed.ok_or_else(|| {
            format!("invalid draw order {text:?}: expected MESH=N, like hand=3 or hand=-0.5")
        })
    }
}

impl fmt::Display for ZOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.mesh, self.z_order)
    }
}

/// A picture in place of an image of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageSwap {
    /// Name of the image.
    pub image: String,
    /// The picture's file.
    pub file: PathBuf,
}

impl FromStr for ImageSwap {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((image, file)) if !image.is_empty() && !file.is_empty() => {
                Ok(Self { image: image.to_owned(), file: file.into() })
            }
            _ => Err(format!("invalid image {text:?}: expected NAME=FILE, like skin=red.png")),
        }
    }
}

impl fmt::Display for ImageSwap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.image, self.file.display())
    }
}

/// A cross-fade as it is typed: two animations with a colon between them, and how far it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixing {
    /// `A:B`. Names may hold colons themselves.
    pub(super) names: String,
    /// Weight of B: 0..=1.
    pub(super) amount: f32,
}

impl Mixing {
    /// A cross-fade from one animation to another. Names with a colon are to be given by number.
    pub(super) fn new(from: &str, to: &str, amount: f32) -> Self {
        Self { names: format!("{from}:{to}"), amount }
    }
}

impl FromStr for Mixing {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let form = || {
            format!(
                "invalid cross-fade {text:?}: expected A:B:T, like walk:run:0.5, with T from 0 to 1"
            )
        };
        let (names, amount) = text.rsplit_once(':').ok_or_else(form)?;
        let amount: f32 = amount.trim().parse().map_err(|_| form())?;
        if !names.contains(':') {
            return Err(form());
        }
        if !(0.0..=1.0).contains(&amount) {
            return Err(format!("invalid T {amount}: expected 0 (only A) to 1 (only B)"));
        }
        Ok(Self {
            names: names.to_owned(),
            amount: amount.abs(), // no -0
        })
    }
}

impl fmt::Display for Mixing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.names, self.amount)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::Background;

    #[test]
    fn wrong_values_are_refused() {
        fn wrong<T: FromStr>(texts: &[&str]) {
            for text in texts {
                assert!(text.parse::<T>().is_err(), "{text}");
            }
        }
        wrong::<Size>(&["640", "0x1", "1x0", "-1x5", "99999x1", "axb", ""]);
        wrong::<Point>(&["nan,1", "1"]);
        wrong::<Tints>(&["#ffffff", "red,#ffffff", "#fff,#fff", "#+fffff,#ffffff"]);
        wrong::<Tints>(&["#ffffff,#ffffff,#ffffff"]);
        wrong::<ViewDirection>(&["back to front", "1", "1,91", "nan,0", "361,0", "1,2,3"]);
        wrong::<ZOrder>(&["hand", "hand=", "hand=nan", "hand=up", "hand=inf"]);
        wrong::<Background>(&["#123", "102030", "#+12345", "#12345g", "red", "checker:"]);
        wrong::<Background>(&["checker:#010203", "checker:#010203,#04050680", "checker:red,blue"]);
        wrong::<Background>(&["checker:#010203,#040506,0", "checker:#010203,#040506,8,8"]);
        wrong::<Mixing>(&["", "walk", "walk:0.5", "walk:run", "walk:run:", "walk:run:x"]);
        wrong::<Mixing>(&["walk:run:1.01", "walk:run:-0.1", "walk:run:nan", "walk:run:inf"]);
    }

    #[test]
    fn values_are_written_as_they_are_read() {
        fn same<T: FromStr<Err = String> + ToString>(texts: &[&str]) {
            for text in texts {
                assert_eq!(text.parse::<T>().unwrap().to_string(), *text);
            }
        }
        same::<Size>(&["640x480"]);
        assert_eq!("640,480".parse(), Ok(Size([640, 480])));
        assert_eq!("-1.5, 2e3".parse(), Ok(Point::Flat([-1.5, 2000.0])));
        same::<Point>(&["-1.5,2000", "0,0.1", "1,-2,3.5"]);
        same::<Background>(&["none", "#102030", "#10203040", "a/b.png", "b.PNG", "a/b"]);
        same::<Background>(&["./checker", "/#102030"]);
        same::<Background>(&["checker:#010203,#040506,32"]);
        same::<Tints>(&["#408cff,#ff8636"]);
        same::<Tint>(&["#0a0b0c"]);
        same::<ViewDirection>(&["front", "side", "top", "30,15", "-12.5,-90"]);
        same::<ZOrder>(&["a=b=-1.5", "hand=3"]);
        same::<Mixing>(&["walk:run:0.5", "a:b:c:0", "#0:#1:1", "x:y:0.00001"]);
        assert_eq!("a:b:-0".parse::<Mixing>().unwrap().to_string(), "a:b:0");
    }

    #[test]
    fn a_speed_is_one_that_the_window_plays_at() {
        assert_eq!([speed("0.05"), speed("8")], [Ok(0.05), Ok(8.0)]);
        for text in ["0.04", "8.1", "0", "-1", "nan", "inf", ""] {
            assert!(speed(text).is_err(), "{text}");
        }
    }
}
