//! The camera of a picture, as reports and records of baselines have it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scene::Camera2d;

/// Given back as `--center X,Y --zoom Z` it reproduces the picture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "Camera")]
pub(crate) struct CameraReport {
    /// World point in the middle of the picture: X to the right, Y up.
    pub(crate) center: [f64; 2],
    /// Pixels per world unit.
    pub(crate) zoom: f64,
    /// True if the file was taken to be authored with Y down.
    pub(crate) y_down: bool,
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
