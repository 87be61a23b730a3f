//! Record of how baselines were made.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::run::device::DrawnBy;
use crate::view::CameraReport;
use crate::view::settings::Settings;

/// Record of how the baselines of a case were made.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Record {
    /// The options of the case when baselines were last written, by their long names.
    pub(super) options: Settings,
    /// Makers of the existing pictures.
    pub(super) made_by: Vec<Maker>,
    /// The pictures, by their paths relative to this file's folder.
    pub(super) frames: BTreeMap<String, Frame>,
}

/// Program and renderer that made pictures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Maker {
    /// Version of the program, with the commit that it was built from.
    pub(super) version: String,
    /// The renderer and its adapter.
    #[serde(flatten)]
    pub(super) drawn_by: DrawnBy,
}

/// Record of one picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    /// Camera of the picture. It is used again, so that a character that grew looks different instead of being fitted again.
    pub(super) camera: CameraReport,
    /// Index into the record's list of makers.
    pub(super) made_by: usize,
}
