//! `pchr inspect` of a glTF file: bones and animations.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use pchr::format::Loss;
use pchr_foreign::format::gltf::{GltfFile, NamedMotion};
use pchr_foreign::motion::{Bone, Channel, Track};

use super::{TextPage, TextTable, count, name, number, reference};
use crate::cli::pchr::content::FileInput;
use crate::cli::pchr::report::{FindingReport, Fold, counted};
use crate::text::visible;

/// Output of `pchr inspect --json` for a glTF file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::cli::pchr) struct GltfInspection<'a> {
    /// Version of the program that wrote this.
    program_version: &'static str,
    /// The file as it was named; "stdin" for -.
    file: &'a str,
    /// Format that was recognised by the content.
    #[schemars(extend("enum" = ["gltf"]))]
    format: &'static str,
    /// Bytes of the file, without buffers that it names.
    size: u64,
    /// The program that wrote it; null if it does not say.
    generator: Option<&'a str>,
    /// Number of nodes.
    nodes: usize,
    /// Number of skins.
    skins: usize,
    /// Warnings about the file, each rule once: errors leave nothing to inspect.
    findings: Vec<FindingReport<'a>>,
    /// The bones: joints of all skins and nodes that place them; in a file without a skin, all nodes.
    bones: Vec<GltfBoneReport<'a>>,
    /// The animations.
    animations: Vec<GltfAnimationReport<'a>>,
    /// Content that is neither bones nor motions of them.
    not_read: Vec<&'a Loss>,
}

/// A bone.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "BoneReport")]
struct GltfBoneReport<'a> {
    /// Its index.
    index: usize,
    /// Its name.
    name: Cow<'a, str>,
    /// Index of its parent; null for a root.
    parent: Option<u32>,
}

/// An animation.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AnimationReport")]
struct GltfAnimationReport<'a> {
    /// Its index.
    index: usize,
    /// Its name.
    name: &'a str,
    /// Frames up to the last key, at least 1.
    frames: u32,
    /// Frames per second: stated in `extras`, or derived from the times of the keys.
    frame_rate: f32,
    /// Seconds up to the last key.
    seconds: f64,
    /// Bones that are moved.
    tracks: usize,
    /// Keys of translation.
    translation_keys: usize,
    /// Keys of rotation.
    rotation_keys: usize,
    /// Keys of scale.
    scale_keys: usize,
    /// True if it begins again where it ends.
    looped: bool,
    /// Number of notes.
    notes: usize,
    /// True if the whole model is moved, too.
    root_motion: bool,
}

pub(super) fn report<'a>(input: &'a FileInput<GltfFile>, folds: &'a [Fold]) -> GltfInspection<'a> {
    let file = &input.file;
    let bones = file.skeleton.bones().iter().enumerate();
    let bone = |(index, bone): (usize, &'a Bone)| GltfBoneReport {
        index,
        name: bone.name.text(),
        parent: bone.parent,
    };
    GltfInspection {
        program_version: crate::version(),
        file: &input.name,
        format: "gltf",
        size: input.size,
        generator: file.generator.as_deref(),
        nodes: file.nodes,
        skins: file.skins,
        findings: folds.iter().map(Into::into).collect(),
        bones: bones.map(bone).collect(),
        animations: file.clips.iter().enumerate().map(animation).collect(),
        not_read: file.losses.iter().collect(),
    }
}

fn animation((index, clip): (usize, &NamedMotion)) -> GltfAnimationReport<'_> {
    let motion = &clip.motion;
    let sum = |channel: Channel| -> usize {
        let timed = motion.tracks().iter().filter_map(Track::timed);
        timed.map(|track| track.times(channel).len()).sum()
    };
    GltfAnimationReport {
        index,
        name: &clip.name,
        frames: motion.frames(),
        frame_rate: motion.frames_per_second(),
        seconds: motion.duration_secs(),
        tracks: motion.tracks().len(),
        translation_keys: sum(Channel::Translation),
        rotation_keys: sum(Channel::Rotation),
        scale_keys: sum(Channel::Scale),
        looped: motion.looped,
        notes: motion.notes.len(),
        root_motion: motion.root().is_some(),
    }
}

pub(super) fn describe(report: &GltfInspection<'_>, page: &mut TextPage) {
    let contents = [
        count(report.bones.len(), "bone", "bones"),
        count(report.animations.len(), "animation", "animations"),
        count(report.nodes, "node", "nodes"),
        count(report.skins, "skin", "skins"),
    ];
    page.fact("contents", contents.join(", "));
    if let Some(generator) = report.generator {
        page.fact("written by", visible(generator));
    }
    let losses = report.not_read.iter().map(|it| counted(it.what, it.count));
    let losses: Vec<_> = losses.collect();
    if !losses.is_empty() {
        page.fact("not read", losses.join(", "));
    }
    let keys =
        |it: &GltfAnimationReport<'_>| it.translation_keys + it.rotation_keys + it.scale_keys;
    TextTable::new("Animations", &report.animations)
        .numbered()
        .left("animation", |it| name(it.name))
        .right("frames", |it| number(it.frames))
        .right("fps", |it| it.frame_rate)
        .right("length", |it| super::seconds(it.seconds))
        .right("tracks", |it| number(it.tracks))
        .right("keys", |it| number(keys(it)))
        .right("notes", |it| number(it.notes))
        .write(page);
    TextTable::new("Bones", &report.bones)
        .numbered()
        .left("bone", |it| name(&it.name))
        .left("parent", |it| reference(it.parent, &report.bones, |it| &it.name))
        .write(page);
}
