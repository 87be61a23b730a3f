//! `pchr inspect` of a PXD file: an animation or a skeleton. The JSON of its report is a contract.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use pchr_foreign::format::pxd::{PxdContent, PxdOutline};
use pchr_foreign::motion::{AnimationType, Bone, Motion, RootMotion, Skeleton, Track, Transform};

use self::clip::{AclClipReport, PartReport, StorageCount};
use super::motion::{KeysReport, TrackKeysReport, keys, stated_frames, sum};
use super::{
    ByteRange, TextPage, TextTable, bytes, count, name, number, or_none, reference, share, when,
};
use crate::cli::pchr::content::{FileInput, PxdFile};
use crate::cli::pchr::report::{FindingReport, Fold};
use crate::text::visible;

mod clip;

pub(super) fn describe(report: &PxdInspection<'_>, page: &mut TextPage) {
    let version = visible(report.container.version);
    let pointers = count(report.container.pointers, "pointer", "pointers");
    page.fact("container", format!("BINA {version}, {pointers}"));
    if let Some(animation) = &report.animation {
        animation_facts(animation, page);
    }
    if let Some(skeleton) = &report.skeleton {
        skeleton_facts(skeleton, page);
    }
    tables(report, page);
}

fn skeleton_facts(skeleton: &SkeletonReport<'_>, page: &mut TextPage) {
    let bones = count(skeleton.bones.len(), "bone", "bones");
    let roots = count(skeleton.roots.len(), "root", "roots");
    let levels = count(skeleton.levels, "level", "levels");
    let order = "; some parents come after their children";
    let order = when(!skeleton.parents_first, order);
    page.fact("contents", format!("{bones} ({roots}, {levels}){order}"));
}

fn animation_facts(animation: &PxdAnimationReport<'_>, page: &mut TextPage) {
    let reference = if animation.additive { "additive" } else { "replaces the rest pose" };
    let storage = if animation.compressed { "compressed with ACL" } else { "uncompressed" };
    page.fact("header", format!("{reference}, {storage}"));

    let frames = count(animation.frames, "frame", "frames");
    let stated = stated_frames(animation.frame_count, animation.frames);
    let (secs, rate) = (super::seconds(animation.seconds), animation.frame_rate);
    let duration = match animation.duration {
        None => " (the header states no duration)".into(),
        Some(secs) if (f64::from(secs) - animation.seconds).abs() < 1e-3 => String::new(),
        Some(secs) => format!(" (the header states {secs} s)"),
    };
    page.fact("playing", format!("{frames}{stated}, {secs}, {rate} frames per second{duration}"));

    let tracks = count(animation.tracks, "track", "tracks");
    let root = when(animation.root_motion, ", root motion");
    page.fact("contents", tracks + &root);
    if let Some(keys) = &animation.keys {
        let translation = number(keys.translation_keys);
        let (rotation, scale) = (number(keys.rotation_keys), number(keys.scale_keys));
        let keys = format!("{translation} translation, {rotation} rotation, {scale} scale");
        page.fact("keys", keys);
    }
    for clip in animation.clips.iter().flatten() {
        clip_facts(clip, page);
    }
}

fn clip_facts(clip: &AclClipReport<'_>, page: &mut TextPage) {
    let (version, formats) = (clip.version, &clip.formats);
    let named = clip.name.as_ref().map_or(String::new(), |it| format!(" {}", name(it)));
    let contents = [
        count(clip.track_count, "track", "tracks"),
        count(clip.samples, "sample", "samples"),
        count(clip.segments.len(), "segment", "segments"),
    ];
    let contents = contents.join(", ");
    let (rotation, translation) = (formats.rotation, formats.translation);
    let scale = match formats.scale {
        Some(format) => format!("scale {format}"),
        None => format!("no scale ({} instead)", clip.default_scale),
    };
    let formats = format!("rotation {rotation}, translation {translation}, {scale}");
    let head = format!("ACL version {version}{named}: {contents}; {formats}");
    page.fact(clip.part, head);

    let stored =
        [("rotation", clip.rotation), ("translation", clip.translation), ("scale", clip.scale)];
    let stored = stored.map(|(name, count)| format!("{name} {}", storage(count)));
    page.fact("", stored.join("; "));

    let (size, raw) = (clip.bytes.length, clip.raw_bytes);
    let (part, size, raw) = (share(size, raw), bytes(size), bytes(raw));
    page.fact("", format!("{size}, {part} of the {raw} that raw samples take"));
}

fn storage(count: StorageCount) -> String {
    let parts =
        [(count.animated, "animated"), (count.constant, "constant"), (count.default, "default")];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<_> = parts.map(|(count, what)| format!("{} {what}", number(*count))).collect();
    parts.join(", ")
}

fn tables(report: &PxdInspection<'_>, page: &mut TextPage) {
    let range = super::ranges(report.size);
    let clips = report.animation.iter();
    let clips = clips.flat_map(|animation| animation.clips.iter().flatten());
    let mut sections = Vec::new();
    for section in &report.sections {
        sections.push((section.name.to_owned(), section.bytes));
        if section.name == "payload" {
            let clips = clips.clone();
            sections.extend(clips.map(|clip| (format!("  {} clip", clip.part), clip.bytes)));
        }
    }
    TextTable::new("Sections", &sections)
        .left("section", |(name, _)| name)
        .left("bytes", |(_, it)| range(*it))
        .right("size", |(_, it)| bytes(it.length))
        .right("share", |(_, it)| share(it.length, report.size))
        .write(page);
    for clip in clips {
        let some = |it: ByteRange| or_none((it.length > 0).then(|| range(it)));
        TextTable::new(&format!("Segments, {}", clip.part), &clip.segments)
            .numbered()
            .left("samples", |it| {
                let end = it.start.saturating_add(it.samples);
                format!("{}..{end}", it.start)
            })
            .right("bits per pose", |it| number(it.pose_bits))
            .left("bit rates", |it| some(it.formats))
            .left("ranges", |it| some(it.ranges))
            .left("poses", |it| some(it.poses))
            .write(page);
        let title = format!("Tracks, {} (bits per number, over all segments)", clip.part);
        TextTable::new(&title, &clip.tracks)
            .numbered()
            .left("rotation", |it| part(it.rotation))
            .left("translation", |it| part(it.translation))
            .left("scale", |it| part(it.scale))
            .left("name", |it| it.name.as_ref().map(|it| name(it)).unwrap_or_default())
            .write(page);
    }
    if let Some(keys) = report.animation.as_ref().and_then(|it| it.keys.as_ref()) {
        tracks("Tracks (keys: frames)", &keys.tracks, page);
        tracks("Root motion (keys: frames)", keys.root.as_slice(), page);
    }
    if let Some(skeleton) = &report.skeleton {
        TextTable::new("Bones", &skeleton.bones)
            .numbered()
            .left("bone", |it| name(&it.name))
            .left("parent", |it| reference(it.parent, &skeleton.bones, |it| &it.name))
            .left("translation", |it| numbers(&it.rest.translation))
            .left("rotation (x y z w)", |it| numbers(&it.rest.rotation))
            .left("scale", |it| numbers(&it.rest.scale))
            .left("byte", |it| format!("{:#x}", it.offset))
            .write(page);
    }
}

fn tracks(title: &str, tracks: &[PxdTrackReport], page: &mut TextPage) {
    TextTable::new(title, tracks)
        .numbered()
        .left("translation", |it| keys_in_words(it.keys.translation))
        .left("rotation", |it| keys_in_words(it.keys.rotation))
        .left("scale", |it| keys_in_words(it.keys.scale))
        .left("byte", |it| format!("{:#x}", it.offset))
        .left("", |it| when(!it.keys.sorted, "not sorted"))
        .write(page);
}

/// `animated 7..=12`.
fn part(part: PartReport) -> String {
    match part.bits {
        Some(bits) if bits.min == bits.max => format!("{} {}", part.storage, bits.min),
        Some(bits) => format!("{} {}..={}", part.storage, bits.min, bits.max),
        None => part.storage.into(),
    }
}

/// `12: 0..=44`.
fn keys_in_words(keys: Option<KeysReport>) -> String {
    or_none(keys.map(|keys| {
        let count = number(keys.keys);
        match (keys.first_frame, keys.last_frame) {
            (Some(first), Some(last)) => format!("{count}: {first}..={last}"),
            _ => count,
        }
    }))
}

/// Numbers to four places; those that are not finite as "?".
fn numbers(numbers: &[Option<f32>]) -> String {
    let text = |number: &Option<f32>| match number {
        Some(number) if number.abs() < 5e-5 => "0".into(),
        Some(number) if number.abs() < 1e6 => {
            format!("{number:.4}").trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        Some(number) => format!("{number:.2e}"),
        None => "?".into(),
    };
    let all: Vec<String> = numbers.iter().map(text).collect();
    all.join(" ")
}

/// Output of `pchr inspect --json` for a PXD file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::cli::pchr) struct PxdInspection<'a> {
    /// Version of the program that wrote this.
    pub(super) program_version: &'static str,
    /// The file as it was named; "stdin" for -.
    pub(super) file: &'a str,
    /// Format that was recognised by the content.
    #[schemars(extend("enum" = ["pxd-animation", "pxd-skeleton"]))]
    pub(super) format: &'static str,
    /// Bytes of the file.
    pub(super) size: u64,
    /// The BINA container.
    pub(super) container: ContainerReport<'a>,
    /// The parts of the container that are not empty, in the order of the file.
    pub(super) sections: Vec<PxdSectionReport>,
    /// Warnings about the file, each rule once, in the order in which they were first met: errors leave nothing to inspect.
    pub(super) findings: Vec<FindingReport<'a>>,
    /// The animation; null in a skeleton.
    pub(super) animation: Option<PxdAnimationReport<'a>>,
    /// The skeleton; null in an animation.
    pub(super) skeleton: Option<SkeletonReport<'a>>,
}

/// The container.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(super) struct ContainerReport<'a> {
    /// Version and byte order, as stored: "210L".
    pub(super) version: &'a str,
    /// Pointers that the offset table lists.
    pointers: usize,
}

/// A part of the container.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(rename = "SectionReport")]
pub(super) struct PxdSectionReport {
    /// Its name; "header" is everything before the payload, "trailing" everything after the offset table.
    #[schemars(extend("enum" = ["header", "payload", "strings", "offsetTable", "trailing"]))]
    pub(super) name: &'static str,
    /// Its bytes.
    pub(super) bytes: ByteRange,
}

/// An animation.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AnimationReport")]
pub(super) struct PxdAnimationReport<'a> {
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
    clips: Option<Vec<AclClipReport<'a>>>,
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
    pub(super) tracks: Vec<PxdTrackReport>,
    /// Root motion; null without one.
    pub(super) root: Option<PxdTrackReport>,
}

/// Keys of a bone.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TrackReport")]
pub(super) struct PxdTrackReport {
    /// Index of the track and of its bone; 0 of root motion.
    pub(super) index: usize,
    #[serde(flatten)]
    pub(super) keys: TrackKeysReport,
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
    parents_first: bool,
    /// The bones in the order of the file.
    pub(super) bones: Vec<PxdBoneReport<'a>>,
}

/// A bone.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "BoneReport")]
pub(super) struct PxdBoneReport<'a> {
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
pub(super) struct RestReport {
    /// Translation `x y z`, in metres.
    pub(super) translation: [Option<f32>; 3],
    /// Rotation as a quaternion `x y z w`.
    pub(super) rotation: [Option<f32>; 4],
    /// Scale `x y z`.
    pub(super) scale: [Option<f32>; 3],
}

pub(super) fn report<'a>(input: &'a FileInput<PxdFile>, folds: &'a [Fold]) -> PxdInspection<'a> {
    let PxdFile { outline, content, .. } = &input.file;
    let kind = content.kind();
    let (animation, skeleton) = match content {
        PxdContent::Animation(motion) => (Some(of_animation(motion)), None),
        PxdContent::Skeleton(skeleton) => (None, Some(of_skeleton(skeleton))),
    };
    PxdInspection {
        program_version: crate::version(),
        file: &input.name,
        format: kind.id(),
        size: input.size,
        container: ContainerReport { version: &outline.version, pointers: outline.pointers },
        sections: sections(outline),
        findings: folds.iter().map(Into::into).collect(),
        animation,
        skeleton,
    }
}

fn sections(outline: &PxdOutline) -> Vec<PxdSectionReport> {
    let all = [
        ("header", &outline.header),
        ("payload", &outline.payload),
        ("strings", &outline.strings),
        ("offsetTable", &outline.offset_table),
        ("trailing", &outline.trailing),
    ];
    let there = all.into_iter().filter(|(_, bytes)| !bytes.is_empty());
    there.map(|(name, bytes)| PxdSectionReport { name, bytes: bytes.clone().into() }).collect()
}

fn of_animation(motion: &Motion) -> PxdAnimationReport<'_> {
    let clips = motion.sampled().map(|sampled| {
        let root = motion.root().and_then(RootMotion::sampled);
        let root = root.map(|root| clip::report(root, "root"));
        std::iter::once(clip::report(sampled, "skeletal")).chain(root).collect()
    });
    let duration = motion.pxd_layout.stated_secs();
    PxdAnimationReport {
        additive: motion.animation_type == AnimationType::Additive,
        compressed: motion.sampled().is_some(),
        duration: duration.filter(|secs| secs.is_finite()),
        seconds: motion.duration_secs(),
        frame_count: motion.frame_count,
        frames: motion.frames(),
        frame_rate: motion.frames_per_second(),
        tracks: motion.tracks().len(),
        root_motion: motion.root().is_some(),
        keys: clips.is_none().then(|| of_keys(motion)),
        clips,
    }
}

fn of_keys(motion: &Motion) -> KeysOfTracks {
    let tracks = motion.tracks().iter().enumerate();
    let tracks: Vec<_> = tracks.map(|(index, it)| track(motion, it, index)).collect();
    let root = motion.root().and_then(RootMotion::keys);
    KeysOfTracks {
        translation_keys: sum(tracks.iter().map(|track| track.keys.translation)),
        rotation_keys: sum(tracks.iter().map(|track| track.keys.rotation)),
        scale_keys: sum(tracks.iter().map(|track| track.keys.scale)),
        tracks,
        root: root.map(|root| track(motion, root, 0)),
    }
}

fn track(motion: &Motion, track: &Track, index: usize) -> PxdTrackReport {
    let some = |keys: Option<KeysReport>| keys.filter(|it| it.keys > 0);
    let keys = TrackKeysReport::new(keys(motion, track).map(some));
    PxdTrackReport { index, keys, offset: track.offset }
}

fn of_skeleton(skeleton: &Skeleton) -> SkeletonReport<'_> {
    let bones = skeleton.bones();
    let levels = levels(skeleton);
    let comes_first = |(index, bone): (u32, &Bone)| bone.parent.is_none_or(|parent| parent < index);
    let roots = bones.iter().enumerate().filter(|(_, bone)| bone.parent.is_none());
    let reports = bones.iter().zip(&levels).enumerate();
    SkeletonReport {
        roots: roots.map(|(index, _)| index).collect(),
        levels: levels.iter().copied().max().unwrap_or(0),
        parents_first: (0..).zip(bones).all(comes_first),
        bones: reports
            .map(|(index, (bone, level))| PxdBoneReport {
                index,
                name: bone.name.text(),
                parent: bone.parent,
                level: *level,
                rest: rest(&bone.rest),
                offset: bone.offset,
            })
            .collect(),
    }
}

/// Levels of all bones, from 1.
fn levels(skeleton: &Skeleton) -> Vec<usize> {
    let bones = skeleton.bones();
    let mut levels = vec![0; bones.len()];
    for index in skeleton.parents_first() {
        let index = *index as usize;
        let parent = bones.get(index).and_then(|bone| bone.parent);
        let above = parent.and_then(|parent| levels.get(parent as usize));
        let level = above.map_or(1, |above: &usize| above.saturating_add(1));
        if let Some(place) = levels.get_mut(index) {
            *place = level;
        }
    }
    levels
}

fn rest(rest: &Transform) -> RestReport {
    #[expect(clippy::cast_possible_truncation, reason = "files store 32-bit floats")]
    let single = |number: f64| number.is_finite().then_some(number as f32);
    RestReport {
        translation: rest.translation.map(single),
        rotation: rest.rotation.map(single),
        scale: rest.scale.map(single),
    }
}
