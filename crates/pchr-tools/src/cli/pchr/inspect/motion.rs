//! `pchr inspect` of a motion. The JSON of its report is a contract.

use std::borrow::Cow;
use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

use pchr_foreign::format::MotionFile;
use pchr_foreign::format::seanim::SeanimOutline;
use pchr_foreign::motion::{AnimationType, Channel, IndexWidth, Keys, Motion, Precision, Track};

use super::{ByteRange, TextPage, TextTable, bytes, count, name, number, or_none, share, when};
use crate::cli::pchr::content::FileInput;
use crate::cli::pchr::report::{FindingReport, Fold};

pub(super) fn describe(report: &MotionInspection<'_>, page: &mut TextPage) {
    let (header, totals) = (&report.header, &report.totals);
    let bytes = |number: usize| count(number, "byte", "bytes");
    let (version, size) = (header.version, bytes(header.header_size.into()));
    let reference = type_name(header.animation_type);
    let ends = if header.looped { "loop" } else { "once" };
    let rate = match header.frame_rate {
        Some(rate) => format!("{rate} frames per second"),
        None => "no frame rate".into(),
    };
    let plays = format!(" (plays at {})", header.playback_rate);
    let plays = when(header.frame_rate != Some(header.playback_rate), plays);
    page.fact("header", format!("version {version}, {size}; {reference}, {ends}, {rate}{plays}"));

    let frames = count(totals.frames, "frame", "frames");
    let stated = stated_frames(header.frame_count, totals.frames);
    let seconds = super::seconds(totals.seconds);
    page.fact("playing", format!("{frames}{stated}, {seconds}"));

    let cosmetic = format!(" ({} cosmetic)", number(totals.cosmetic));
    let cosmetic = when(totals.cosmetic > 0, cosmetic);
    let mut contents = vec![
        count(totals.tracks, "bone", "bones") + &cosmetic,
        count(totals.modifiers, "modifier", "modifiers"),
        count(totals.notes, "note", "notes"),
    ];
    let custom = report.custom_bytes;
    contents.extend(custom.map(|size| format!("a custom block of {}", bytes(size))));
    page.fact("contents", contents.join(", "));

    let keys = [
        ("translation", totals.translation_keys),
        ("rotation", totals.rotation_keys),
        ("scale", totals.scale_keys),
    ];
    let keys = keys.iter().filter(|(name, _)| header.channels.contains(name));
    let keys: Vec<_> = keys.map(|(name, keys)| format!("{} {name}", number(*keys))).collect();
    match keys.is_empty() {
        true => page.fact("keys", "no channel is stored"),
        false => page.fact("keys", keys.join(", ")),
    }

    let (frames, bones) = (bytes(header.frame_index_bytes), bytes(header.bone_index_bytes));
    let flags = header.flags.map(|flags| format!("{flags:#04x}")).join(" ");
    let precision = header.precision;
    let stored = format!(
        "{precision} precision, frames in {frames}, bone indices in {bones}; flags {flags}"
    );
    page.fact("stored", stored);
    tables(report, page);
}

/// Number of frames in the header, if another is played.
pub(super) fn stated_frames(stated: u32, played: u32) -> String {
    let text = format!(" (the header states {})", number(stated));
    when(stated != played, text)
}

fn type_name(animation_type: TypeReport) -> String {
    match animation_type.name {
        "unknown" => format!("unknown type {}", animation_type.code),
        name => name.into(),
    }
}

fn tables(report: &MotionInspection<'_>, page: &mut TextPage) {
    // The file or, for a mirror, the SEAnim file that it describes.
    let last = report.sections.last().map(|it| it.bytes);
    let size = last.map_or(0, |last| last.offset.saturating_add(last.length));
    let range = super::ranges(size);
    let title = match report.format {
        "seanim" => "Sections",
        _ => "Sections (bytes as they would be written to SEAnim)",
    };
    TextTable::new(title, &report.sections)
        .left("section", |it| it.name)
        .right("count", |it| it.count.map(number).unwrap_or_default())
        .left("bytes", |it| range(it.bytes))
        .right("size", |it| bytes(it.bytes.length))
        .right("share", |it| share(it.bytes.length, size))
        .write(page);
    let keys = |keys: Option<KeysReport>| or_none(keys.map(|it| number(it.keys)));
    TextTable::new("Tracks", &report.tracks)
        .numbered()
        .left("bone", |it| name(&it.name))
        .left("type", |it| type_name(it.animation_type))
        .right("translation", |it| keys(it.keys.translation))
        .right("rotation", |it| keys(it.keys.rotation))
        .right("scale", |it| keys(it.keys.scale))
        .left("frames", |it| {
            let frames = it.keys.first_frame.zip(it.keys.last_frame);
            or_none(frames.map(|(first, last)| format!("{first}..={last}")))
        })
        .left("bytes", |it| or_none(it.bytes.map(&range)))
        .left("", |it| {
            let remarks = [
                it.cosmetic.then_some("cosmetic"),
                it.modified.then_some("modified"),
                (!it.keys.sorted).then_some("not sorted"),
            ];
            remarks.into_iter().flatten().collect::<Vec<_>>().join(", ")
        })
        .write(page);
    let bone = |track: u32| or_none(report.tracks.get(track as usize).map(|it| name(&it.name)));
    TextTable::new("Modifiers", &report.modifiers)
        .right("#", |it| it.track)
        .left("bone", |it| bone(it.track))
        .left("type", |it| type_name(it.animation_type))
        .left("byte", |it| format!("{:#x}", it.offset))
        .write(page);
    TextTable::new("Notes, by frame", &report.notes)
        .right("frame", |it| it.frame)
        .right("seconds", |it| format!("{:.2}", it.seconds))
        .left("note", |it| name(&it.name))
        .left("byte", |it| format!("{:#x}", it.offset))
        .write(page);
}

/// Output of `pchr inspect --json` for a motion.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::cli::pchr) struct MotionInspection<'a> {
    /// Version of the program that wrote this.
    pub(super) program_version: &'static str,
    /// The file as it was named; "stdin" for -.
    pub(super) file: &'a str,
    /// Format that was recognised by the content.
    #[schemars(extend("enum" = ["seanim", "seanim-json"]))]
    pub(super) format: &'static str,
    /// Bytes of the file.
    pub(super) size: u64,
    /// The fields of the header.
    pub(super) header: MotionHeaderReport,
    /// Sums over the elements.
    pub(super) totals: MotionTotals,
    /// The blocks in file order, without gaps between them. For seanim-json, those of the equivalent SEAnim file.
    pub(super) sections: Vec<MotionSectionReport>,
    /// Warnings about the file, each rule once, in the order in which they were first met: errors leave nothing to inspect.
    pub(super) findings: Vec<FindingReport<'a>>,
    /// The tracks in the order of the file.
    pub(super) tracks: Vec<MotionTrackReport<'a>>,
    /// The modifiers in the order of the file.
    pub(super) modifiers: Vec<ModifierReport>,
    /// The notes by frame, those of one frame in the order of the file.
    pub(super) notes: Vec<NoteReport<'a>>,
    /// Bytes of the custom block, its size not included; null without one.
    custom_bytes: Option<usize>,
}

/// The header.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "HeaderReport")]
pub(super) struct MotionHeaderReport {
    /// Version of the format.
    pub(super) version: u16,
    /// Size of the header, including the two bytes of the size field.
    header_size: u16,
    /// Reference of the values, unless a modifier has another.
    pub(super) animation_type: TypeReport,
    /// True if the motion loops.
    pub(super) looped: bool,
    /// The flags, as stored: animFlags, dataPresenceFlags, dataPropertyFlags.
    pub(super) flags: [u8; 3],
    /// Frames per second, as stored; null if that is not a number.
    pub(super) frame_rate: Option<f32>,
    /// Frames per second, as played: above 0.
    playback_rate: f32,
    /// Number of frames, as stored.
    pub(super) frame_count: u32,
    /// Precision of all values.
    #[schemars(extend("enum" = ["single", "double"]))]
    pub(super) precision: &'static str,
    /// Bytes of a frame and of a number of keys, as they are read.
    frame_index_bytes: usize,
    /// Bytes of a bone index, as they are read.
    bone_index_bytes: usize,
    /// Channels that are stored, for all tracks alike.
    #[schemars(with = "Vec<String>")]
    pub(super) channels: Vec<&'static str>,
}

/// Reference of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
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
#[schemars(rename = "Totals")]
pub(super) struct MotionTotals {
    /// Tracks, one for each bone.
    pub(super) tracks: usize,
    /// Tracks of cosmetic bones.
    cosmetic: usize,
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
#[schemars(rename = "SectionReport")]
pub(super) struct MotionSectionReport {
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
#[schemars(rename = "TrackReport")]
pub(super) struct MotionTrackReport<'a> {
    /// Its index.
    pub(super) index: usize,
    /// Name of the bone; bytes that are not UTF-8 are replaced by U+FFFD.
    pub(super) name: Cow<'a, str>,
    /// True if the bone is cosmetic.
    cosmetic: bool,
    /// Its flags, as stored.
    pub(super) flags: u8,
    /// Reference of its values: of its own modifier, else of the header. Modifiers of ancestors apply only with a skeleton.
    pub(super) animation_type: TypeReport,
    /// True if it has its own modifier.
    pub(super) modified: bool,
    #[serde(flatten)]
    pub(super) keys: TrackKeysReport,
    /// Byte offset of its name.
    name_offset: u64,
    /// Its flags and keys.
    pub(super) bytes: Option<ByteRange>,
}

/// Keys of a track.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TrackKeysReport {
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
}

impl TrackKeysReport {
    /// Keys of translation, rotation and scale.
    pub(super) fn new(lists: [Option<KeysReport>; 3]) -> Self {
        let [translation, rotation, scale] = lists;
        let lists = || lists.iter().flatten();
        Self {
            translation,
            rotation,
            scale,
            first_frame: lists().filter_map(|keys| keys.first_frame).min(),
            last_frame: lists().filter_map(|keys| keys.last_frame).max(),
            sorted: lists().all(|keys| keys.sorted),
        }
    }
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

pub(super) fn report<'a>(
    input: &'a FileInput<MotionFile>,
    folds: &'a [Fold],
) -> MotionInspection<'a> {
    let FileInput { name, size, file } = input;
    let (motion, outline) = (&file.motion, &file.outline);
    let tracks = tracks(motion, outline);
    let sections = outline.blocks.iter().map(|block| MotionSectionReport {
        name: block.name,
        count: block.count,
        bytes: block.bytes.clone().into(),
    });
    let modifiers = motion.modifiers.iter().map(|modifier| ModifierReport {
        track: modifier.track,
        animation_type: type_report(modifier.animation_type),
        offset: modifier.offset,
    });
    let rate = f64::from(motion.frames_per_second());
    let notes = motion.notes_by_frame().into_iter().map(|note| NoteReport {
        frame: note.frame,
        seconds: f64::from(note.frame) / rate,
        name: note.name.text(),
        offset: note.offset,
    });
    MotionInspection {
        program_version: crate::version(),
        file: name,
        format: file.format.id(),
        size: *size,
        header: header(motion, outline),
        totals: totals(motion, &tracks),
        sections: sections.collect(),
        findings: folds.iter().map(Into::into).collect(),
        tracks,
        modifiers: modifiers.collect(),
        notes: notes.collect(),
        custom_bytes: motion.custom.as_ref().map(Vec::len),
    }
}

fn header(motion: &Motion, outline: &SeanimOutline) -> MotionHeaderReport {
    let channels = motion.channels();
    let all = [
        (Channel::Translation, "translation"),
        (Channel::Rotation, "rotation"),
        (Channel::Scale, "scale"),
    ];
    let stored = all.iter().filter(|(channel, _)| channels.has(*channel));
    let bytes = |width: Option<IndexWidth>| width.map_or(0, IndexWidth::bytes);
    MotionHeaderReport {
        version: 1,
        header_size: outline.header_size,
        animation_type: type_report(motion.animation_type),
        looped: motion.looped,
        flags: outline.flags,
        frame_rate: motion.rate.is_finite().then_some(motion.rate),
        playback_rate: motion.frames_per_second(),
        frame_count: motion.frame_count,
        precision: match motion.precision() {
            Precision::Single => "single",
            Precision::Double => "double",
        },
        frame_index_bytes: bytes(outline.frame_width),
        bone_index_bytes: bytes(outline.bone_width),
        channels: stored.map(|(_, name)| *name).collect(),
    }
}

fn totals(motion: &Motion, tracks: &[MotionTrackReport<'_>]) -> MotionTotals {
    MotionTotals {
        tracks: tracks.len(),
        cosmetic: tracks.iter().filter(|track| track.cosmetic).count(),
        translation_keys: sum(tracks.iter().map(|track| track.keys.translation)),
        rotation_keys: sum(tracks.iter().map(|track| track.keys.rotation)),
        scale_keys: sum(tracks.iter().map(|track| track.keys.scale)),
        modifiers: motion.modifiers.len(),
        notes: motion.notes.len(),
        frames: motion.frames(),
        seconds: motion.duration_secs(),
    }
}

fn tracks<'a>(motion: &'a Motion, outline: &SeanimOutline) -> Vec<MotionTrackReport<'a>> {
    // The last modifier of a bone is used.
    let modifiers = motion.modifiers.iter();
    let modifiers: HashMap<u32, AnimationType> =
        modifiers.map(|modifier| (modifier.track, modifier.animation_type)).collect();
    let tracks = motion.tracks().iter().zip(0..);
    tracks
        .map(|(track, index)| {
            let own = u32::try_from(index).ok().and_then(|index| modifiers.get(&index));
            MotionTrackReport {
                index,
                name: track.target.text(),
                cosmetic: track.flags & 1 != 0,
                flags: track.flags,
                animation_type: type_report(*own.unwrap_or(&motion.animation_type)),
                modified: own.is_some(),
                keys: TrackKeysReport::new(keys(motion, track)),
                name_offset: track.offset,
                bytes: outline.bones.get(index).cloned().map(Into::into),
            }
        })
        .collect()
}

/// Keys of translation, rotation and scale; `None` if none are stored.
pub(super) fn keys(motion: &Motion, track: &Track) -> [Option<KeysReport>; 3] {
    fn report<const N: usize>(keys: Keys<'_, N>) -> KeysReport {
        KeysReport {
            keys: keys.len(),
            first_frame: keys.iter().map(|key| key.frame).min(),
            last_frame: keys.iter().map(|key| key.frame).max(),
            sorted: keys.is_sorted(),
        }
    }

    [
        motion.translation(track).map(report),
        motion.rotation(track).map(report),
        motion.scale(track).map(report),
    ]
}

pub(super) fn sum(keys: impl Iterator<Item = Option<KeysReport>>) -> usize {
    keys.flatten().map(|keys| keys.keys).sum()
}

fn type_report(animation_type: AnimationType) -> TypeReport {
    TypeReport {
        code: animation_type.code(),
        name: match animation_type {
            AnimationType::Absolute => "absolute",
            AnimationType::Additive => "additive",
            AnimationType::Relative => "relative",
            AnimationType::Delta => "delta",
            AnimationType::Unknown(_) => "unknown",
        },
    }
}
