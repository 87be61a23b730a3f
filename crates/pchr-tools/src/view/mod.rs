//! The grammar of a picture's content: the options, their values, and the selected pictures of a subject.
//!
//! [`Shown`] is what a picture shows, and `shown` has a row for each option; values are parsed from text and formatted to it. `select` resolves their names in a subject, `plan`
//! lists the pictures with their cameras and paths. No file is opened.

mod camera;
mod cameras;
mod choices;
mod error;
pub(crate) mod grammar;
mod mixes;
mod mixing;
pub mod names;
pub mod naming;
mod numbers;
mod output;
pub(crate) mod picture_view;
pub(crate) mod plan;
mod renderer;
pub(crate) mod select;
pub(crate) mod settings;
mod shown;
mod time;
mod values;

pub(crate) use self::{
    camera::CameraReport,
    cameras::CameraOf,
    choices::RendererArg,
    output::Output,
    renderer::RendererArgs,
    shown::{MARKS, Mark, PLAYING_MARKS},
};
pub use self::{
    choices::{FilterArg, Fit, LoopArg, SamplesArg, UpArg},
    error::ViewError,
    mixing::Mixing,
    renderer::AdapterArgs,
    select::Resolved,
    settings::{Setting, Settings},
    shown::{Playing, Shown},
};
pub use crate::capture::Background;
pub use values::{
    FadeTime, OverlayItem, OverlayList, Point, Section, Size, Tints, ViewDirection, ZOrder,
};
