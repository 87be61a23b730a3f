//! The grammar of a picture's content: the options, their values, and the selected pictures of a subject.
//!
//! Values are parsed from text and formatted to it. `options` has those of a capture; `select` resolves their names in a subject, `plan`
//! lists the pictures with their cameras and paths. No file is opened.

#[cfg(all(feature = "cli", feature = "raster"))]
mod camera;
#[cfg(all(feature = "cli", feature = "raster"))]
mod cameras;
#[cfg(all(feature = "cli", feature = "raster"))]
mod choices;
#[cfg(all(feature = "cli", feature = "raster"))]
mod error;
#[cfg(all(feature = "cli", feature = "raster"))]
mod mixes;
#[cfg(all(feature = "cli", feature = "raster"))]
mod mixing;
pub(crate) mod names;
#[cfg(all(feature = "cli", feature = "raster"))]
mod numbers;
#[cfg(all(feature = "cli", feature = "raster"))]
mod options;
#[cfg(all(feature = "cli", feature = "raster"))]
mod output;
#[cfg(all(feature = "cli", feature = "raster"))]
pub(crate) mod picture_view;
#[cfg(all(feature = "cli", feature = "raster"))]
pub(crate) mod plan;
#[cfg(all(feature = "cli", feature = "raster"))]
pub(crate) mod select;
#[cfg(all(feature = "cli", feature = "raster"))]
mod time;
mod values;

#[cfg(all(feature = "cli", feature = "raster"))]
pub(crate) use self::{
    camera::{CameraReport, Center},
    cameras::CameraOf,
    choices::{FilterArg, RendererArg},
    numbers::{fov, positive, speed},
    options::Options,
    output::Output,
};
#[cfg(all(feature = "cli", feature = "raster"))]
pub use self::{choices::UpArg, error::ViewError, options::AdapterArgs};
pub use crate::capture::Background;
#[cfg(feature = "viewer")]
pub(crate) use values::{OverlayItem, ZOrder};
pub use values::{Point, Size, Tints, ViewDirection, up_name};
