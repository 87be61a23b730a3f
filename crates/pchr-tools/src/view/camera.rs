//! The camera of a picture, as reports and records of baselines have it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use pchr::scene::{Camera, Camera2d, OrbitCamera};

use super::choices::UpArg;
use super::values::Point;

/// Passed to `--center --zoom`, and for a 3D motion to `--view --fov --up`, it reproduces the picture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "Camera")]
pub(crate) struct CameraReport {
    /// World point in the middle of the picture: X to the right, Y up; or X, Y, Z of a 3D motion.
    pub(crate) center: Point,
    /// Pixels per world unit, at the center.
    pub(crate) zoom: f64,
    /// True if the file was taken to be authored with Y down.
    pub(crate) y_down: bool,
    /// Direction of the camera, of a 3D motion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) view: Option<ViewReport>,
}

/// Direction of a camera in space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "View")]
pub(crate) struct ViewReport {
    /// Degrees around the up axis, 0 from the front.
    pub(crate) yaw: f64,
    /// Degrees above the ground.
    pub(crate) pitch: f64,
    /// Vertical field of view in degrees; 0 is orthographic.
    pub(crate) fov: f64,
    /// The axis that points up.
    pub(crate) up: UpArg,
}

impl From<Camera> for CameraReport {
    fn from(camera: Camera) -> Self {
        match camera {
            Camera::Flat(camera) => Self {
                center: Point::Flat(camera.center),
                zoom: camera.zoom,
                y_down: camera.y_down,
                view: None,
            },
            Camera::Orbit(camera) => Self {
                center: Point::Space(camera.target),
                zoom: camera.zoom,
                y_down: false,
                view: Some(ViewReport {
                    yaw: camera.yaw,
                    pitch: camera.pitch,
                    fov: camera.fov,
                    up: camera.up.into(),
                }),
            },
        }
    }
}

impl CameraReport {
    /// The camera; `None` if center and view are not of the same kind.
    pub(crate) fn camera(&self) -> Option<Camera> {
        match (self.center, self.view) {
            (Point::Flat(center), None) => Some(Camera::Flat(Camera2d {
                center,
                zoom: self.zoom,
                y_down: self.y_down,
            })),
            (Point::Space(target), Some(view)) => Some(Camera::Orbit(OrbitCamera {
                target,
                zoom: self.zoom,
                yaw: view.yaw,
                pitch: view.pitch,
                fov: view.fov,
                up: view.up.into(),
            })),
            _ => None,
        }
    }
}
