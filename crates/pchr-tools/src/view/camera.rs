//! The camera and the moment of a picture, as reports, records of baselines and PNG files have them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use pchr::playback::{FrameAt, Mix};
use pchr::scene::{Camera, Camera2d, OrbitCamera, Subject};

use super::choices::UpArg;
use super::values::Point;
use crate::capture::Shot;

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
    /// Returns its parts in words, with their values.
    pub(crate) fn parts(&self) -> Vec<(&'static str, String)> {
        let point = |numbers: &[f64]| {
            let numbers = numbers.iter().map(f64::to_string);
            numbers.collect::<Vec<_>>().join(",")
        };
        let center = match &self.center {
            Point::Flat(center) => point(center),
            Point::Space(center) => point(center),
        };
        let mut parts = vec![
            ("zoom", self.zoom.to_string()),
            ("center", center),
            ("Y down", self.y_down.to_string()),
        ];
        if let Some(view) = self.view {
            parts.push(("view", point(&[view.yaw, view.pitch])));
            parts.push(("fov", view.fov.to_string()));
            parts.push(("up", format!("{:?}", view.up).to_lowercase()));
        }
        parts
    }

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

/// Keyword of the text in a PNG file.
pub(crate) const PNG_KEYWORD: &str = "pchr-view";

/// Camera and moment of a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "View of a picture")]
pub(crate) struct PictureView {
    /// The moment; null if vertices were drawn as stored.
    pub(crate) at: Option<ViewMoment>,
    /// The moment that a cross-fade leads to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) mix: Option<ViewMoment>,
    /// Weight of that moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) amount: Option<f32>,
    /// The camera.
    pub(crate) camera: CameraReport,
}

/// A moment of an animation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Moment")]
pub(crate) struct ViewMoment {
    /// The animation.
    pub(crate) animation: String,
    /// The frame, from 0; with --smooth, the earlier of the two.
    pub(crate) frame: u16,
    /// Seconds from the animation's start.
    pub(crate) time: f64,
}

impl PictureView {
    /// The view of a picture of a subject.
    pub(crate) fn new(shot: &Shot, subject: &dyn Subject) -> Self {
        let moment = |at: FrameAt| {
            let clip = subject.animation(at.animation);
            ViewMoment {
                animation: subject.animation_name(at.animation).to_owned(),
                frame: at.frame,
                time: at.position() / clip.map_or(1.0, |clip| clip.timeline.fps),
            }
        };
        Self {
            at: shot.at.map(moment),
            mix: shot.mix.map(|Mix { to, .. }| moment(to)),
            amount: shot.mix.map(|mix| mix.amount),
            camera: shot.camera.into(),
        }
    }

    /// The text: JSON in one line, the same on every machine.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() // no map in it has keys of another kind
    }

    /// Reads the text of a picture; `None` if another program wrote it.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let view: Self = serde_json::from_str(text).ok()?;
        let sound = view.camera.zoom > 0.0 && view.camera.camera().is_some();
        sound.then_some(view)
    }

    /// Returns whether the moments of two pictures are the same.
    pub(crate) fn same_moment(&self, other: &Self) -> bool {
        (&self.at, &self.mix, self.amount) == (&other.at, &other.mix, other.amount)
    }
}
