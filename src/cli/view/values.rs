//! Values that are typed on command lines.

use std::path::Path;
use std::str::FromStr;

use clap::ValueEnum;

pub use crate::capture::Background;
use crate::capture::{MAX_SIDE, Template};
use crate::cli::output;
use crate::overlay::Layer;
use crate::playback::SPEED_RANGE;

/// A picture or window size, `WxH` or `W,H`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub [u32; 2]);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let form = || format!("{text:?} is no size; write WIDTHxHEIGHT, like 512x512");
        let (width, height) = text.split_once(['x', 'X', ',']).ok_or_else(form)?;
        let side = |side: &str| side.trim().parse::<u32>().map_err(|_| form());
        let size = [side(width)?, side(height)?];
        if size.iter().all(|side| (1..=MAX_SIDE).contains(side)) {
            Ok(Self(size))
        } else {
            Err(format!("{text:?}: each side is 1 to {MAX_SIDE} pixels"))
        }
    }
}

/// A world point, `X,Y`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point(pub [f64; 2]);

impl FromStr for Point {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |number: &str| {
            number
                .trim()
                .parse()
                .ok()
                .filter(|value: &f64| value.is_finite())
        };
        let point = text
            .split_once(',')
            .and_then(|(x, y)| Some(Self([number(x)?, number(y)?])));
        point.ok_or_else(|| format!("{text:?} is no point; write X,Y, like 0,120.5"))
    }
}

/// Reads a number that is finite and more than 0.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    let value = text
        .parse::<f64>()
        .ok()
        .filter(|value| value.is_finite() && *value > 0.0);
    value.ok_or_else(|| format!("{text:?} is not a number above 0"))
}

/// Reads a playback speed within [`SPEED_RANGE`].
pub(super) fn speed(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok();
    let value = value.filter(|value| SPEED_RANGE.contains(value));
    let (slowest, fastest) = (SPEED_RANGE.start(), SPEED_RANGE.end());
    value.ok_or_else(|| format!("{text:?} is not a number from {slowest} to {fastest}"))
}

/// Reads a number that is finite.
pub(super) fn finite(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| value.is_finite());
    value.ok_or_else(|| format!("{text:?} is not a number"))
}

fn is_png(path: &str) -> bool {
    path.to_ascii_lowercase().ends_with(".png")
}

/// A debug drawing, as it is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OverlayItem {
    /// One that is on or off.
    Layer(Layer),
    /// A bone whose weights are shown.
    Weights(String),
    /// A mesh that stands out.
    Mesh(String),
    /// A bone that stands out.
    Bone(String),
}

impl FromStr for OverlayItem {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if let Some(layer) = Layer::ALL.into_iter().find(|layer| layer.key() == text) {
            return Ok(Self::Layer(layer));
        }
        match text.split_once('=') {
            Some(("weights", bone)) => Ok(Self::Weights(bone.to_owned())),
            Some(("mesh", mesh)) => Ok(Self::Mesh(mesh.to_owned())),
            Some(("bone", bone)) => Ok(Self::Bone(bone.to_owned())),
            _ => {
                let layers = Layer::ALL.map(Layer::key).join(", ");
                Err(format!(
                    "{text:?} is no overlay; there are {layers}, weights=BONE, mesh=MESH and bone=BONE"
                ))
            }
        }
    }
}

/// A draw order for meshes: `MESH=N`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ZOrder {
    pub(super) mesh: String,
    pub(super) z_order: f64,
}

impl FromStr for ZOrder {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = text.rsplit_once('=').and_then(|(mesh, number)| {
            let z_order = number.trim().parse().ok();
            let z_order = z_order.filter(|value: &f64| value.is_finite())?;
            Some(Self {
                mesh: mesh.to_owned(),
                z_order,
            })
        });
        parsed.ok_or_else(|| {
            format!("{text:?} is no draw order; write MESH=N, like hand=3 or hand=-0.5")
        })
    }
}

/// Whether an animation starts over behind its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum LoopArg {
    /// It starts over.
    On,
    /// It ends with its last frame.
    Off,
}

/// Where pictures go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// One PNG on stdout.
    Stdout,
    /// PNG files.
    Files(Template),
}

impl FromStr for Output {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "-" {
            return Ok(Self::Stdout);
        }
        if !is_png(text) && !output::is_null(Path::new(text)) {
            return Err("pictures are written as .png, or with - to stdout".to_owned());
        }
        let template: Result<Template, _> = text.parse();
        template.map(Self::Files).map_err(|error| error.to_string())
    }
}

/// What the view must hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Fit {
    /// All frames of the picture's animation.
    #[default]
    Animation,
    /// The frame of the picture.
    Frame,
    /// All frames of all animations.
    Character,
    /// Nothing: zoom 1 at the origin.
    None,
}

/// How texels are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum FilterArg {
    /// Blended.
    #[default]
    Linear,
    /// The nearest one.
    Nearest,
}

/// What draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum RendererArg {
    /// The GPU when any adapter is found, hardware or software; else the CPU renderer.
    #[default]
    Auto,
    /// A graphics adapter.
    Gpu,
    /// The built-in renderer, whose pixels are the same on every machine.
    Cpu,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_typed_with_x_or_comma() {
        assert_eq!("640x480".parse(), Ok(Size([640, 480])));
        assert_eq!("640,480".parse(), Ok(Size([640, 480])));
        for wrong in ["640", "0x1", "1x0", "-1x5", "99999x1", "axb", ""] {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_speed_is_one_that_the_window_plays_at() {
        assert_eq!([speed("0.05"), speed("8")], [Ok(0.05), Ok(8.0)]);
        for text in ["0.04", "8.1", "0", "-1", "nan", "inf", ""] {
            assert!(speed(text).is_err(), "{text}");
        }
    }

    #[test]
    fn draw_orders_are_fractions_behind_the_last_equals_sign() {
        let order = |text: &str| {
            text.parse::<ZOrder>()
                .map(|order| (order.mesh, order.z_order))
        };
        assert_eq!(order("a=b=-1.5"), Ok(("a=b".to_owned(), -1.5)));
        assert_eq!(order("hand=0.1"), Ok(("hand".to_owned(), 0.1)));
        for wrong in ["hand", "hand=", "hand=nan", "hand=up", "hand=inf"] {
            assert!(order(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn points_and_numbers_are_finite() {
        assert_eq!("-1.5, 2e3".parse(), Ok(Point([-1.5, 2000.0])));
        assert!("nan,1".parse::<Point>().is_err() && "1".parse::<Point>().is_err());
        assert!(positive("0").is_err() && positive("inf").is_err() && positive("0.25").is_ok());
    }
}
