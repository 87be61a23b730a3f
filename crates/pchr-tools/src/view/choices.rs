//! Options with a few possible values, numbers within bounds, and the program that draws.

use std::fmt;

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use pchr::playback::{FPS_RANGE, SPEED_RANGE};
use pchr::scene::MOST_FOV;
use pchr_foreign::motion::UpAxis;

#[cfg(feature = "render")]
use super::ViewError;

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
macro_rules! displayed_as_typed {
    ($($type:ty),*) => {$(impl fmt::Display for $type {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let value = self.to_possible_value();
            f.write_str(value.as_ref().map_or("", |value| value.get_name()))
        }
    })*};
}
displayed_as_typed!(LoopArg, Fit, UpArg, FilterArg, SamplesArg, RendererArg);

/// Reads a number that is finite and more than 0.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| value.is_finite() && *value > 0.0);
    value.ok_or_else(|| format!("invalid number {text:?}: expected more than 0"))
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

/// Renderer of pictures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub(crate) struct RendererArgs {
    /// Renderer
    #[arg(long, value_enum, default_value_t)]
    pub(crate) renderer: RendererArg,
    #[command(flatten)]
    pub(crate) adapter: AdapterArgs,
}

/// Graphics adapter that draws.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct AdapterArgs {
    /// Graphics interface: vulkan, gl, metal or dx12 (also WGPU_BACKEND)
    #[arg(long, value_name = "BACKEND", value_parser = ["vulkan", "gl", "metal", "dx12"])]
    pub backend: Option<String>,
    /// Part of the graphics adapter's name (also WGPU_ADAPTER_NAME)
    #[arg(long, value_name = "TEXT")]
    pub adapter: Option<String>,
}

impl AdapterArgs {
    /// Returns true if the command line names an adapter.
    pub(crate) fn asked(&self) -> bool {
        self.backend.is_some() || self.adapter.is_some()
    }
}

#[cfg(feature = "render")]
impl AdapterArgs {
    /// Returns the adapter that the command line or the environment asks for.
    ///
    /// # Errors
    /// [`ViewError`] for an unknown backend.
    pub fn gpu_options(&self) -> Result<pchr::render::GpuOptions, ViewError> {
        let backend =
            self.backend.as_deref().map(str::parse::<pchr::render::BackendChoice>).transpose();
        let backend =
            backend.map_err(|error| ViewError::new("backend", error.to_string()).of_option())?;
        let options = pchr::render::GpuOptions { backend, adapter: self.adapter.clone() };
        options
            .with_environment()
            .map_err(|error| ViewError::new("backend", format!("WGPU_BACKEND: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_is_one_that_the_window_plays_at() {
        assert_eq!([speed("0.05"), speed("8")], [Ok(0.05), Ok(8.0)]);
        for text in ["0.04", "8.1", "0", "-1", "nan", "inf", ""] {
            assert!(speed(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_are_finite() {
        assert!(positive("0").is_err() && positive("inf").is_err() && positive("0.25").is_ok());
    }
}
