//! What `--json` says about a capture.

use std::time::Duration;

use serde::Serialize;

use crate::cli::{Failure, output};
use crate::scene::Camera2d;

/// The whole answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CaptureReport<'a> {
    pub(super) version: &'static str,
    pub(super) file: &'a str,
    pub(super) drawn_by: DrawnBy,
    pub(super) bind_pose: BindReport<'a>,
    pub(super) warnings: Vec<String>,
    pub(super) captures: Vec<PictureReport<'a>>,
    pub(super) milliseconds: serde_json::Map<String, serde_json::Value>,
}

/// The renderer and, for a GPU, the adapter.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DrawnBy {
    pub(super) renderer: &'static str,
    pub(super) adapter: Option<String>,
    pub(super) backend: Option<String>,
    pub(super) driver: Option<String>,
    pub(super) software: bool,
}

/// Which pose the vertices were taken to be stored in, and why.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BindReport<'a> {
    pub(super) source: &'static str,
    pub(super) animation: Option<&'a str>,
    pub(super) frame: Option<u16>,
}

/// One picture.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PictureReport<'a> {
    pub(super) path: String,
    pub(super) animation: Option<&'a str>,
    pub(super) animation_index: Option<u16>,
    pub(super) frame: Option<u16>,
    /// Seconds from the animation's start.
    pub(super) time: f64,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) camera: CameraReport,
}

/// Given back as `--center X,Y --zoom Z` it reproduces the picture.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CameraReport {
    pub(super) center: [f64; 2],
    pub(super) zoom: f64,
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

/// Milliseconds with three decimals.
pub(super) fn milliseconds(duration: Duration) -> serde_json::Value {
    ((duration.as_secs_f64() * 1e6).round() / 1e3).into()
}

/// The report as a line of JSON on stdout.
pub(super) fn print(report: &CaptureReport<'_>) -> Result<(), Failure> {
    let mut text = serde_json::to_vec_pretty(report).map_err(anyhow::Error::from)?;
    text.push(b'\n');
    output::write_stdout(&text).map_err(|error| Failure::Running(error.into()))
}
