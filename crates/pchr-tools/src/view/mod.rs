//! The grammar of a picture's content: the options, their values, and the selected pictures of a subject.
//!
//! [`Shown`] is what a picture shows, and `option_table` has a row for each option; values are parsed from text and formatted to it.
//! `select` resolves their names in a subject, `plan` lists the pictures with their cameras and paths. No file is opened.

pub(crate) mod cameras;
mod choices;
mod error;
mod mixes;
pub mod naming;
pub(crate) mod option_rules;
mod option_table;
mod option_values;
pub(crate) mod plan;
pub(crate) mod reel;
pub(crate) mod select;
pub(crate) mod settings;

pub(crate) use self::cameras::{CameraOf, CameraReport};
pub use self::choices::{AdapterArgs, FilterArg, Fit, LoopArg, SamplesArg, UpArg};
pub(crate) use self::choices::{RendererArg, RendererArgs, rate};
pub use self::error::ViewError;
pub(crate) use self::option_table::{MARKS, Mark, PLAYING_MARKS};
pub use self::option_table::{Playing, Shown, on};
pub use self::select::Resolved;
pub use self::settings::{Setting, Settings};
pub use crate::capture::Background;
pub(crate) use crate::capture::Output;
pub use option_values::{
    FadeTime, Mixing, OverlayItem, OverlayList, Point, Section, Size, Tints, ViewDirection, ZOrder,
};
