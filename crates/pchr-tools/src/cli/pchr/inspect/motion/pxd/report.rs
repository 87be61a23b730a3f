//! Report about a PXD file. Its JSON is a contract, and [`schema`] says which.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema};
use serde::Serialize;

use super::clip::ClipReport;
use crate::cli::pchr::findings::FindingReport;
use crate::cli::pchr::inspect::motion::report::KeysReport;
use crate::cli::pchr::inspect::report::ByteRange;
use crate::run::output;

/// The JSON Schema of the whole report.
pub(in crate::cli::pchr) fn schema() -> Schema {
    output::schema::<Report>()
}

/// Output of `pchr inspect --json` for a PXD file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report<'a> {
    /// Version of the program that wrote this.
    pub(super) program_version: &'static str,
    /// The file as it was named; "stdin" for -.
    pub(super) file: &'a str,
    /// Format that was recognised by the content.
    #[schemars(extend("enum" = ["pxd-animation", "pxd-skeleton"]))]
    pub(super) format: &'static str,
    /// The same for people.
    #[serde(skip)]
    pub(super) format_name: &'static str,
    /// Bytes of the file.
    pub(super) size: u64,
    /// The BINA container.
    pub(super) container: ContainerReport<'a>,
    /// The parts of the container that are not empty, in the order of the file.
    pub(super) sections: Vec<SectionReport>,
    /// Warnings about the file, each rule once, in the order in which they were first met: errors leave nothing to inspect.
    pub(super) findings: Vec<FindingReport<'a>>,
    /// The animation; null in a skeleton.
    pub(super) animation: Option<AnimationReport<'a>>,
    /// The skeleton; null in an animation.
    pub(super) skeleton: Option<SkeletonReport<'a>>,
}

/// The container.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ContainerReport<'a> {
    /// Version and byte order, as stored: "210L".
    pub(super) version: &'a str,
    /// Pointers that the offset table lists.
    pub(super) pointers: usize,
}

/// A part of the container.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SectionReport {
    /// Its name; "header" is everything before the payload, "trailing" everything after the offset table.
    #[schemars(extend("enum" = ["header", "payload", "strings", "offsetTable", "trailing"]))]
    pub(super) name: &'static str,
    /// Its bytes.
    pub(super) bytes: ByteRange,
}

/// An animation.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AnimationReport<'a> {
    /// True if it is applied on top of another one, false if it replaces the rest pose.
    pub(super) additive: bool,
    /// True if it is compressed with ACL; false if it has keys.
    pub(super) compressed: bool,
    /// Seconds from the first frame to the last, as stored; null if that is not a number.
    pub(super) duration: Option<f32>,
    /// Seconds from the first frame to the last, as played.
    pub(super) seconds: f64,
    /// Number of frames, as stored.
    pub(super) frame_count: u32,
    /// Frames to play: at least 1, and all that have keys or samples.
    pub(super) frames: u32,
    /// Frames per second, as played: those of the clip, or computed from duration and frames.
    pub(super) frame_rate: f32,
    /// Number of tracks.
    pub(super) tracks: usize,
    /// The whole model is moved, too.
    pub(super) root_motion: bool,
    /// The compressed clips: of the bones and, if there is one, of root motion; null if there are keys.
    pub(super) clips: Option<Vec<ClipReport<'a>>>,
    /// The keys; null in a compressed animation.
    pub(super) keys: Option<KeysOfTracks>,
}

/// All keys.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct KeysOfTracks {
    /// Keys of translation, those of root motion left out.
    pub(super) translation_keys: usize,
    /// Keys of rotation, those of root motion left out.
    pub(super) rotation_keys: usize,
    /// Keys of scale, those of root motion left out.
    pub(super) scale_keys: usize,
    /// The tracks in the order of the bones.
    pub(super) tracks: Vec<TrackReport>,
    /// Root motion; null without one.
    pub(super) root: Option<TrackReport>,
}

/// Keys of a bone.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TrackReport {
    /// Index of the track and of its bone; 0 of root motion.
    pub(super) index: usize,
    /// Keys of translation; null if there are none.
    pub(super) translation: Option<KeysReport>,
    /// Keys of rotation; null if there are none.
    pub(super) rotation: Option<KeysReport>,
    /// Keys of scale; null if there are none.
    pub(super) scale: Option<KeysReport>,
    /// The first frame with a key; null without keys.
    pub(super) first_frame: Option<u32>,
    /// The last frame with a key; null without keys.
    pub(super) last_frame: Option<u32>,
    /// True if the frames of each list ascend.
    pub(super) sorted: bool,
    /// Byte offset of its record.
    pub(super) offset: u64,
}

/// A skeleton.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SkeletonReport<'a> {
    /// Bones without a parent.
    pub(super) roots: Vec<usize>,
    /// Bones in the longest chain.
    pub(super) levels: usize,
    /// True if every parent comes before its children.
    pub(super) parents_first: bool,
    /// The bones in the order of the file.
    pub(super) bones: Vec<BoneReport<'a>>,
}

/// A bone.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BoneReport<'a> {
    /// Its index.
    pub(super) index: usize,
    /// Its name; bytes that are not UTF-8 are replaced by U+FFFD.
    pub(super) name: Cow<'a, str>,
    /// Index of its parent; null for a root.
    pub(super) parent: Option<u32>,
    /// Bones between it and its root, itself included: 1 for a root.
    pub(super) level: usize,
    /// The transform where nothing moves it, in its parent's space.
    pub(super) rest: RestReport,
    /// Byte offset of the transform.
    pub(super) offset: u64,
}

/// A transform; numbers that are not finite are null.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RestReport {
    /// Translation `x y z`, in metres.
    pub(super) translation: [Option<f32>; 3],
    /// Rotation as a quaternion `x y z w`.
    pub(super) rotation: [Option<f32>; 4],
    /// Scale `x y z`.
    pub(super) scale: [Option<f32>; 3],
}
