//! Values that are typed on command lines.

use std::str::FromStr;

use clap::ValueEnum;

use crate::capture::Template;

/// A picture or window size, `WxH` or `W,H`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub [u32; 2]);

/// The largest side of a picture.
const MAX_SIDE: u32 = 32_768;

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

/// Reads a number that is finite.
pub(super) fn finite(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| value.is_finite());
    value.ok_or_else(|| format!("{text:?} is not a number"))
}

/// What lies behind the character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// Nothing.
    Transparent,
    /// A checkerboard.
    Checker,
    /// A colour: straight RGBA, sRGB-encoded.
    Color([u8; 4]),
}

impl Background {
    /// The colour, if it is one.
    #[must_use]
    pub fn color(self) -> Option<[u8; 4]> {
        match self {
            Self::Color(color) => Some(color),
            Self::Transparent | Self::Checker => None,
        }
    }
}

impl FromStr for Background {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "none" | "transparent" => Ok(Self::Transparent),
            "checker" => Ok(Self::Checker),
            _ => color(text).map(Self::Color).ok_or_else(|| {
                format!("{text:?} is no background; write none, checker, #RRGGBB or #RRGGBBAA")
            }),
        }
    }
}

fn color(text: &str) -> Option<[u8; 4]> {
    let digits = text.strip_prefix('#')?;
    let hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16).ok().filter(|_| hex)?;
    match digits.len() {
        6 => Some(((number << 8) | 0xff).to_be_bytes()),
        8 => Some(number.to_be_bytes()),
        _ => None,
    }
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
        if !text.to_ascii_lowercase().ends_with(".png") {
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
    fn colours_have_six_or_eight_digits() {
        assert_eq!(
            "#102030".parse(),
            Ok(Background::Color([0x10, 0x20, 0x30, 0xff]))
        );
        assert_eq!(
            "#10203040".parse(),
            Ok(Background::Color([0x10, 0x20, 0x30, 0x40]))
        );
        for wrong in ["#123", "102030", "#+12345", "#12345g", "red"] {
            assert!(wrong.parse::<Background>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn points_and_numbers_are_finite() {
        assert_eq!("-1.5, 2e3".parse(), Ok(Point([-1.5, 2000.0])));
        assert!("nan,1".parse::<Point>().is_err() && "1".parse::<Point>().is_err());
        assert!(positive("0").is_err() && positive("inf").is_err() && positive("0.25").is_ok());
    }
}
