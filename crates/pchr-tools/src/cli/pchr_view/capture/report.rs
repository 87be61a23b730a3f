//! Report of a capture for `--json`.

use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use pchr::playback::Mix;
use pchr::scene::Subject;

use super::sheet::SheetReport;
use crate::cli::BindReport;
use crate::run::device::DrawnBy;
use crate::run::output;
use crate::view::CameraReport;

/// Captured pictures, their file and their renderer.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CaptureReport<'a> {
    /// Version of the program, with the commit that it was built from.
    pub(super) version: &'static str,
    /// The file, as named on the command line; stdin for -.
    pub(super) file: &'a str,
    /// Renderer of the pictures.
    pub(super) drawn_by: DrawnBy,
    /// Pose in which the vertices were assumed to be stored, with the reason; null for content that has no bind pose.
    pub(super) bind_pose: Option<BindReport<'a>>,
    /// Warnings about the file, one line each, starting with the rule's id.
    pub(super) warnings: Vec<String>,
    /// Families of the fonts used for names that the built-in font cannot write; empty if there are none.
    pub(super) fonts: &'a [String],
    /// The pictures that were written, in order; none if they became an atlas.
    pub(super) captures: Vec<PictureReport<'a>>,
    /// The atlas that the pictures became; null unless -o requested one.
    pub(super) sheet: Option<SheetReport<'a>>,
    /// Milliseconds by stage. Stages overlap, so they need not sum to total.
    #[schemars(with = "BTreeMap<String, f64>")]
    pub(super) milliseconds: serde_json::Map<String, serde_json::Value>,
}

/// A picture that was written.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Picture")]
pub(super) struct PictureReport<'a> {
    /// Path of the PNG file, as the template of -o gave it.
    pub(super) path: String,
    /// The animation; null if the file has none, and vertices were drawn as stored.
    pub(super) animation: Option<&'a str>,
    /// The animation's index in the file, from 0.
    pub(super) animation_index: Option<u16>,
    /// The frame, from 0; with --smooth, the earlier of the two.
    pub(super) frame: Option<u16>,
    /// Seconds from the animation's start.
    pub(super) time: f64,
    /// The cross-fade from that moment; null if there is none.
    pub(super) mix: Option<MixReport<'a>>,
    /// Width in pixels.
    pub(super) width: u32,
    /// Height in pixels.
    pub(super) height: u32,
    /// Camera of the picture.
    pub(super) camera: CameraReport,
}

/// A cross-fade to another moment, bone by bone.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Mix")]
pub(super) struct MixReport<'a> {
    /// The animation that fades in.
    pub(super) animation: &'a str,
    /// Its index in the file, from 0.
    pub(super) animation_index: u16,
    /// Its frame, from 0; with --smooth, the earlier of the two.
    pub(super) frame: u16,
    /// Seconds from its start.
    pub(super) time: f64,
    /// Its weight: 0 shows only the other animation, 1 only this one.
    pub(super) amount: f32,
}

impl<'a> MixReport<'a> {
    /// The report of a cross-fade.
    pub(super) fn new(mix: Mix, subject: &'a dyn Subject) -> Self {
        let Mix { to, amount } = mix;
        let fps = subject.animation(to.animation);
        let fps = fps.map_or(1.0, |clip| clip.timeline.fps);
        Self {
            animation: subject.animation_name(to.animation),
            animation_index: to.animation.0,
            frame: to.frame,
            time: to.position() / fps,
            amount,
        }
    }
}

/// The schema of the report.
pub(in crate::cli) fn schema() -> schemars::Schema {
    output::schema::<CaptureReport<'_>>()
}

/// Milliseconds with three decimals.
pub(super) fn milliseconds(duration: Duration) -> serde_json::Value {
    ((duration.as_secs_f64() * 1e6).round() / 1e3).into()
}
