//! Report about a motion. Its JSON is a contract, and [`schema`] says which.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema};
use serde::Serialize;

use crate::cli::pchr::findings::FindingReport;
use crate::cli::pchr::inspect::report::ByteRange;
use crate::run::output;

/// The JSON Schema of the whole report.
pub(in crate::cli::pchr) fn schema() -> Schema {
    output::schema::<Report>()
}

/// Output of `pchr inspect --json` for a motion.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report<'a> {
    /// Version of the program that wrote this.
    pub(super) program_version: &'static str,
    /// The file as it was named; "stdin" for -.
    pub(super) file: &'a str,
    /// Format that was recognised by the content.
    #[schemars(extend("enum" = ["seanim", "seanim-json"]))]
    pub(super) format: &'static str,
    /// The same for people.
    #[serde(skip)]
    pub(super) format_name: &'static str,
    /// Bytes of the file.
    pub(super) size: u64,
    /// The fields of the header.
    pub(super) header: HeaderReport,
    /// Sums over the elements.
    pub(super) totals: Totals,
    /// The blocks in file order, without gaps between them. For seanim-json, those of the equivalent SEAnim file.
    pub(super) sections: Vec<SectionReport>,
    /// Warnings about the file, each rule once, in the order in which they were first met: errors leave nothing to inspect.
    pub(super) findings: Vec<FindingReport<'a>>,
    /// The tracks in the order of the file.
    pub(super) tracks: Vec<TrackReport<'a>>,
    /// The modifiers in the order of the file.
    pub(super) modifiers: Vec<ModifierReport>,
    /// The notes by frame, those of one frame in the order of the file.
    pub(super) notes: Vec<NoteReport<'a>>,
    /// Bytes of the custom block, its size not included; null without one.
    pub(super) custom_bytes: Option<usize>,
}

/// The header.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct HeaderReport {
    /// Version of the format.
    pub(super) version: u16,
    /// Size of the header, including the two bytes of the size field.
    pub(super) header_size: u16,
    /// Reference of the values, unless a modifier has another.
    pub(super) animation_type: TypeReport,
    /// True if the motion loops.
    pub(super) looped: bool,
    /// The flags, as stored: animFlags, dataPresenceFlags, dataPropertyFlags.
    pub(super) flags: [u8; 3],
    /// Frames per second, as stored; null if that is not a number.
    pub(super) frame_rate: Option<f32>,
    /// Frames per second, as played: above 0.
    pub(super) playback_rate: f32,
    /// Number of frames, as stored.
    pub(super) frame_count: u32,
    /// Precision of all values.
    #[schemars(extend("enum" = ["single", "double"]))]
    pub(super) precision: &'static str,
    /// Bytes of a frame and of a number of keys, as they are read.
    pub(super) frame_index_bytes: usize,
    /// Bytes of a bone index, as they are read.
    pub(super) bone_index_bytes: usize,
    /// Channels that are stored, for all tracks alike.
    #[schemars(with = "Vec<String>")]
    pub(super) channels: Vec<&'static str>,
}

/// Reference of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TypeReport {
    /// Its number, as stored.
    pub(super) code: u8,
    /// Its name.
    #[schemars(extend("enum" = ["absolute", "additive", "relative", "delta", "unknown"]))]
    pub(super) name: &'static str,
}

/// Sums over the elements.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Totals {
    /// Tracks, one for each bone.
    pub(super) tracks: usize,
    /// Tracks of cosmetic bones.
    pub(super) cosmetic: usize,
    /// Keys of translation.
    pub(super) translation_keys: usize,
    /// Keys of rotation.
    pub(super) rotation_keys: usize,
    /// Keys of scale.
    pub(super) scale_keys: usize,
    /// Modifiers.
    pub(super) modifiers: usize,
    /// Notes.
    pub(super) notes: usize,
    /// Frames to play: at least 1, and all that have keys or notes.
    pub(super) frames: u32,
    /// Seconds from the first frame to the last, as played.
    pub(super) seconds: f64,
}

/// A block.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SectionReport {
    /// Its name; "trailing" is everything after the last block.
    #[schemars(extend("enum" = ["header", "names", "modifiers", "keys", "notes", "custom", "trailing"]))]
    pub(super) name: &'static str,
    /// Number of its elements; null for one that has no elements.
    pub(super) count: Option<u32>,
    /// Its bytes.
    pub(super) bytes: ByteRange,
}

/// A track: the keys of a bone.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TrackReport<'a> {
    /// Its index.
    pub(super) index: usize,
    /// Name of the bone; bytes that are not UTF-8 are replaced by U+FFFD.
    pub(super) name: Cow<'a, str>,
    /// True if the bone is cosmetic.
    pub(super) cosmetic: bool,
    /// Its flags, as stored.
    pub(super) flags: u8,
    /// Reference of its values: of its own modifier, else of the header. Modifiers of ancestors apply only with a skeleton.
    pub(super) animation_type: TypeReport,
    /// True if it has its own modifier.
    pub(super) modified: bool,
    /// Keys of translation; null if none are stored.
    pub(super) translation: Option<KeysReport>,
    /// Keys of rotation; null if none are stored.
    pub(super) rotation: Option<KeysReport>,
    /// Keys of scale; null if none are stored.
    pub(super) scale: Option<KeysReport>,
    /// The first frame with a key; null without keys.
    pub(super) first_frame: Option<u32>,
    /// The last frame with a key; null without keys.
    pub(super) last_frame: Option<u32>,
    /// True if the frames of each list ascend.
    pub(super) sorted: bool,
    /// Byte offset of its name.
    pub(super) name_offset: u64,
    /// Its flags and keys.
    pub(super) bytes: Option<ByteRange>,
}

/// Keys of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct KeysReport {
    /// Number of keys.
    pub(super) keys: usize,
    /// The first frame with one; null without keys.
    pub(super) first_frame: Option<u32>,
    /// The last frame with one; null without keys.
    pub(super) last_frame: Option<u32>,
    /// True if frames ascend.
    pub(super) sorted: bool,
}

/// Another reference for a bone and its descendants.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ModifierReport {
    /// Index of its track.
    pub(super) track: u32,
    /// The reference.
    pub(super) animation_type: TypeReport,
    /// Byte offset of the record.
    pub(super) offset: u64,
}

/// A named frame.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct NoteReport<'a> {
    /// The frame, from 0.
    pub(super) frame: u32,
    /// The same in seconds, as played.
    pub(super) seconds: f64,
    /// Its name; bytes that are not UTF-8 are replaced by U+FFFD.
    pub(super) name: Cow<'a, str>,
    /// Byte offset of the record.
    pub(super) offset: u64,
}
