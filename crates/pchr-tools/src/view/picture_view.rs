//! The view of a picture, as a text in its PNG file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use pchr::playback::{FrameAt, Mix};
use pchr::scene::Subject;

use super::CameraReport;
use crate::capture::Shot;

/// Keyword of the text in a PNG file.
pub(crate) const KEYWORD: &str = "pchr-view";

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
