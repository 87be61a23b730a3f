//! Options with a few possible values.

use std::fmt;

use clap::ValueEnum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use pchr_foreign::motion::UpAxis;

/// Choice of whether an animation starts over at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LoopArg {
    /// It loops.
    On,
    /// It stops at its last frame.
    Off,
}

/// Content that the view fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Fit {
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

/// The axis that points up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "UpReport", title = "Up")]
pub enum UpArg {
    /// Y.
    Y,
    /// Z.
    Z,
}

impl From<UpAxis> for UpArg {
    fn from(up: UpAxis) -> Self {
        match up {
            UpAxis::Z => Self::Z,
            UpAxis::Y | UpAxis::Unknown => Self::Y,
        }
    }
}

impl From<UpArg> for UpAxis {
    fn from(up: UpArg) -> Self {
        match up {
            UpArg::Y => Self::Y,
            UpArg::Z => Self::Z,
        }
    }
}

/// Texture filter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FilterArg {
    /// Blended.
    #[default]
    Linear,
    /// The nearest texel.
    Nearest,
}

/// Coverage samples of each pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SamplesArg {
    /// One.
    #[value(name = "1")]
    One,
    /// Four.
    #[default]
    #[value(name = "4")]
    Four,
}

/// Selected renderer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum RendererArg {
    /// The GPU when any adapter is found, hardware or software; else the CPU renderer.
    #[default]
    Auto,
    /// A graphics adapter.
    Gpu,
    /// The built-in renderer, whose pixels are the same on every machine.
    Cpu,
}

/// Formats the choices as they are typed.
macro_rules! typed {
    ($($type:ty),*) => {$(impl fmt::Display for $type {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let value = self.to_possible_value();
            f.write_str(value.as_ref().map_or("", |value| value.get_name()))
        }
    })*};
}
typed!(LoopArg, Fit, UpArg, FilterArg, SamplesArg, RendererArg);
