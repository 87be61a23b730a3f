//! Options with a few possible values, overlays among them, and the renderer.

use std::fmt;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use pchr::overlay::{Layer, MOST_GHOSTS};
use pchr_foreign::motion::UpAxis;

use crate::capture::AgainstMode;

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
displayed_as_typed!(AgainstMode, LoopArg, Fit, UpArg, FilterArg, SamplesArg, RendererArg);

/// Overlays with commas between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OverlayList(pub Vec<OverlayItem>);

impl FromStr for OverlayList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let has_room = |item: &str| {
            let numbers = item.trim().strip_prefix("onion=");
            numbers.is_some_and(|numbers| numbers.matches(',').count() < 2)
        };
        let mut items: Vec<String> = Vec::new();
        for item in text.split(',') {
            // The numbers of onion have commas between them.
            match items.last_mut() {
                Some(last) if has_room(last) && item.trim().parse::<u16>().is_ok() => {
                    last.push(',');
                    last.push_str(item);
                }
                _ => items.push(item.to_owned()),
            }
        }
        let items: Result<_, String> = items.iter().map(|item| item.parse()).collect();
        items.map(Self)
    }
}

impl fmt::Display for OverlayList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&items.join(","))
    }
}

/// A debug drawing, as it is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OverlayItem {
    /// One that needs no choice.
    Layer(Layer),
    /// A bone whose weights are shown.
    Weights(String),
    /// A highlighted mesh.
    Mesh(String),
    /// A highlighted bone.
    Bone(String),
    /// A bone whose path is shown.
    Trail(String),
    /// Ghosts: numbers of frames before and after, and frames from one to the next.
    Onion([u16; 3]),
    /// A frame that is shown as a ghost.
    Pin(String),
}

/// Help of the option `overlay`.
pub(super) fn overlay_help() -> String {
    let layers = |is_spatial: bool| {
        let layers = Layer::ALL.into_iter().filter(|layer| layer.is_spatial() == is_spatial);
        let named = layers.map(|layer| match layer.name().to_lowercase() {
            name if name == layer.key() => name,
            name => format!("{} ({name})", layer.key()),
        });
        named.collect::<Vec<_>>()
    };
    format!(
        "Overlays (repeatable, or separated by commas): {}, weights=BONE (its weights as colours), mesh=MESH and bone=BONE (highlighted), \
         trail=BONE or trail=MESH:VERTEX (its path), onion=BEFORE,AFTER or onion=BEFORE,AFTER,STEP (ghosts of other frames), \
         pin=ANIMATION:FRAME (ghost of a frame); overdraw (layers of each pixel) is drawn in place of meshes, weights and ghosts; for a 3D \
         motion also {}",
        layers(false).join(", "),
        layers(true).join(" and ")
    )
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
            Some(("trail", bone)) => Ok(Self::Trail(bone.to_owned())),
            Some(("onion", frames)) => onion(frames),
            Some(("pin", frame)) => Ok(Self::Pin(frame.to_owned())),
            _ => {
                let layers = Layer::ALL.map(Layer::key).join(", ");
                Err(format!(
                    "invalid overlay {text:?}: expected {layers}, weights=BONE, mesh=MESH, bone=BONE, trail=BONE, trail=MESH:VERTEX, onion=BEFORE,AFTER[,STEP] or pin=ANIMATION:FRAME"
                ))
            }
        }
    }
}

impl fmt::Display for OverlayItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layer(layer) => f.write_str(layer.key()),
            Self::Weights(bone) => write!(f, "weights={bone}"),
            Self::Mesh(mesh) => write!(f, "mesh={mesh}"),
            Self::Bone(bone) => write!(f, "bone={bone}"),
            Self::Trail(bone) => write!(f, "trail={bone}"),
            Self::Pin(frame) => write!(f, "pin={frame}"),
            Self::Onion([before, after, 1]) => write!(f, "onion={before},{after}"),
            Self::Onion([before, after, step]) => write!(f, "onion={before},{after},{step}"),
        }
    }
}

/// Frames before and after that are shown as ghosts, and the step between them.
fn onion(text: &str) -> Result<OverlayItem, String> {
    let mut numbers = text.split(',').map(|number| number.trim().parse::<u16>().ok());
    let mut next = |missing: u16| numbers.next().unwrap_or(Some(missing));
    let all = [next(0), next(0), next(1)];
    let count = |number: &u16| *number <= MOST_GHOSTS;
    match (all, numbers.next()) {
        ([Some(before), Some(after), Some(step)], None)
            if step > 0 && [before, after].iter().all(count) =>
        {
            Ok(OverlayItem::Onion([before, after, step]))
        }
        _ => Err(format!(
            "invalid overlay \"onion={text}\": expected the numbers of frames before and after, 0 to {MOST_GHOSTS}, like onion=2,2, and optionally a step, like onion=2,2,3"
        )),
    }
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
        let backend = self.backend.as_deref().map(pchr::render::backend_named).transpose();
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
    fn the_numbers_of_onion_are_told_from_the_commas_of_the_list() {
        let list: OverlayList = "names,onion=2,3,grid".parse().unwrap();
        let [_, onion, _] = list.0.as_slice() else { panic!("{list:?}") };
        assert_eq!(*onion, OverlayItem::Onion([2, 3, 1]));
        let list: OverlayList = "onion=1,grid".parse().unwrap();
        assert_eq!(list.0.first(), Some(&OverlayItem::Onion([1, 0, 1])));
    }

    #[test]
    fn wrong_overlays_are_refused() {
        for text in ["onion=", "onion=a", "onion=1,2,0", "onion=1,2,3,4", "onion=99999", "3"] {
            assert!(text.parse::<OverlayList>().is_err(), "{text}");
        }
    }

    #[test]
    fn overlays_are_written_as_they_are_read() {
        let texts = "bones order weights=a=b mesh=#3 bone=hand grid trail=#7 trail=hand:12 \
                     onion=2,3 onion=2,3,4 pin=walk:3";
        for text in texts.split(' ') {
            assert_eq!(text.parse::<OverlayItem>().unwrap().to_string(), text);
        }
    }
}
