//! What `--json` says about a capture.

use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cli::bind_report::BindReport;
use crate::cli::{Failure, output};
use crate::scene::Camera2d;

/// What was captured, from what, by what and how.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CaptureReport<'a> {
    /// Version of the program, with the commit that it was built from.
    pub(super) version: &'static str,
    /// The file, as it was named on the command line; stdin for -.
    pub(super) file: &'a str,
    /// What drew the pictures.
    pub(super) drawn_by: DrawnBy,
    /// Which pose the vertices were taken to be stored in, and why.
    pub(super) bind_pose: BindReport<'a>,
    /// What is odd about the file, in a line each, with the rule's id in front.
    pub(super) warnings: Vec<String>,
    /// The pictures that were written, in order.
    pub(super) captures: Vec<PictureReport<'a>>,
    /// Milliseconds by stage. Stages overlap, so they need not sum to total.
    #[schemars(with = "BTreeMap<String, f64>")]
    pub(super) milliseconds: serde_json::Map<String, serde_json::Value>,
}

/// The renderer and, for a GPU, the adapter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "Renderer")]
pub(in crate::cli) struct DrawnBy {
    /// cpu is the built-in renderer, gpu a graphics adapter.
    #[schemars(extend("enum" = ["cpu", "gpu"]))]
    pub(in crate::cli) renderer: String,
    /// Name of the adapter; null for cpu.
    pub(in crate::cli) adapter: Option<String>,
    /// Its graphics interface, like vulkan; null for cpu.
    pub(in crate::cli) backend: Option<String>,
    /// Its driver; null for cpu.
    pub(in crate::cli) driver: Option<String>,
    /// Whether the adapter is one that draws in software.
    pub(in crate::cli) software: bool,
}

impl DrawnBy {
    /// The built-in renderer.
    pub(super) fn cpu() -> Self {
        Self {
            renderer: "cpu".to_owned(),
            adapter: None,
            backend: None,
            driver: None,
            software: false,
        }
    }
}

/// A picture that was written.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Picture")]
pub(super) struct PictureReport<'a> {
    /// Path of the PNG file, as the template of -o gave it.
    pub(super) path: String,
    /// The animation; null where the file has none, and vertices were drawn as stored.
    pub(super) animation: Option<&'a str>,
    /// The animation's index in the file, from 0.
    pub(super) animation_index: Option<u16>,
    /// The frame, from 0; with --smooth, the earlier of the two.
    pub(super) frame: Option<u16>,
    /// Seconds from the animation's start.
    pub(super) time: f64,
    /// Width in pixels.
    pub(super) width: u32,
    /// Height in pixels.
    pub(super) height: u32,
    /// What the picture shows.
    pub(super) camera: CameraReport,
}

/// Given back as `--center X,Y --zoom Z` it reproduces the picture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "Camera")]
pub(super) struct CameraReport {
    /// World point in the middle of the picture: X to the right, Y up.
    pub(super) center: [f64; 2],
    /// Pixels per world unit.
    pub(super) zoom: f64,
    /// Whether the file was taken to be authored with Y down.
    pub(super) y_down: bool,
}

impl From<Camera2d> for CameraReport {
    fn from(camera: Camera2d) -> Self {
        let Camera2d {
            center,
            zoom,
            y_down,
        } = camera;
        Self {
            center,
            zoom,
            y_down,
        }
    }
}

impl From<CameraReport> for Camera2d {
    fn from(camera: CameraReport) -> Self {
        let CameraReport {
            center,
            zoom,
            y_down,
        } = camera;
        Self {
            center,
            zoom,
            y_down,
        }
    }
}

/// The schema of the report.
pub(super) fn schema() -> schemars::Schema {
    output::schema::<CaptureReport<'_>>()
}

/// Milliseconds with three decimals.
pub(super) fn milliseconds(duration: Duration) -> serde_json::Value {
    ((duration.as_secs_f64() * 1e6).round() / 1e3).into()
}

/// The report as a line of JSON on stdout.
pub(super) fn print(report: &CaptureReport<'_>) -> Result<(), Failure> {
    output::write_json(report)
}
