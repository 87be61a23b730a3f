//! The grammar of a picture's content: the options, their values, and the selected pictures of a subject.
//!
//! Values are parsed from text and formatted to it. `options` has those of a capture; `select` resolves their names in a subject, `plan`
//! lists the pictures with their cameras and paths. No file is opened.

mod camera;
mod cameras;
mod choices;
mod error;
mod mixes;
mod mixing;
pub mod names;
mod numbers;
mod options;
mod output;
pub(crate) mod picture_view;
pub(crate) mod plan;
pub(crate) mod select;
mod time;
mod values;

pub(crate) use self::{
    camera::{CameraReport, Center},
    cameras::CameraOf,
    choices::{FilterArg, RendererArg},
    numbers::{fov, positive, speed},
    options::Options,
    output::Output,
};
pub use self::{choices::UpArg, error::ViewError, options::AdapterArgs};
pub use crate::capture::Background;
pub use values::{OverlayItem, ZOrder};
pub use values::{Point, Size, Tints, ViewDirection, up_name};
