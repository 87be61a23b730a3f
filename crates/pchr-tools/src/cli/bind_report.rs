//! The bind pose as `inspect --json` and `capture --json` report it.

use schemars::JsonSchema;
use serde::Serialize;

use pchr::pose::{BindPose, BindSource};
use pchr::scene::Subject;

/// Pose in which the vertices are assumed to be stored.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Bind pose")]
pub(super) struct BindReport<'a> {
    /// named: an animation with frames is named like a bind pose; first-frame: none is, so the first one is used; chosen and
    /// none: by --bind; absent: no animation has a frame, and vertices stay as stored.
    #[schemars(extend("enum" = ["named", "first-frame", "chosen", "none", "absent"]))]
    pub(super) source: &'static str,
    /// Reason, in words.
    pub(super) reason: &'static str,
    /// The animation that it is in, if it is in one.
    pub(super) animation: Option<&'a str>,
    /// The animation's index in the file, from 0.
    pub(super) animation_index: Option<u16>,
    /// The frame of that animation.
    pub(super) frame: Option<u16>,
    /// Indices of bones that have no inverse in it: vertices that they move stay as stored.
    pub(super) degenerate_bones: Vec<u16>,
}

impl<'a> BindReport<'a> {
    pub(super) fn new(bind: &BindPose, subject: &'a dyn Subject) -> Self {
        let (source, reason) = match bind.source() {
            BindSource::Named(_) => ("named", "it is named like a bind pose"),
            BindSource::FirstFrame(_) => (
                "first-frame",
                "no animation with frames is named like a bind pose (bind, rest, setup, tpose), so the first is used (choose another with pchr-view --bind)",
            ),
            BindSource::Chosen(..) => ("chosen", "chosen with --bind"),
            BindSource::Disabled => ("none", "turned off with --bind none"),
            BindSource::Absent => (
                "absent",
                "no animation has frames, so vertices stay as stored",
            ),
        };
        let at = bind.frame();
        let animation = at.and_then(|at| subject.animation(at.animation));
        Self {
            source,
            reason,
            animation: animation.map(|animation| animation.name),
            animation_index: at.map(|at| at.animation.0),
            frame: at.map(|at| at.frame),
            degenerate_bones: bind.degenerate().iter().map(|id| id.0).collect(),
        }
    }
}
