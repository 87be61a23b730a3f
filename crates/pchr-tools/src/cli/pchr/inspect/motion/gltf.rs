//! `pchr inspect` of a glTF file: bones and animations.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema};
use serde::Serialize;

use pchr_foreign::format::gltf::NamedMotion;
use pchr_foreign::motion::{Bone, Channel, Track};

use crate::cli::pchr::findings::{FindingReport, Fold};
use crate::cli::pchr::inspect::InspectArgs;
use crate::cli::pchr::inspect::grid::Align::{Left, Right};
use crate::cli::pchr::inspect::grid::list;
use crate::cli::pchr::inspect::text::{Detail, page, title};
use crate::cli::pchr::inspect::words;
use crate::cli::pchr::motion_input::GltfInput;
use crate::cli::pchr::remarks;
use crate::cli::pchr::report::LossReport;
use crate::run::{Failure, output};
use crate::text::visible;

/// Output of `pchr inspect --json` for a glTF file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
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
    bones: Vec<BoneReport<'a>>,
    /// The animations.
    animations: Vec<AnimationReport<'a>>,
    /// Content that is neither bones nor motions of them.
    not_read: Vec<LossReport>,
}

/// A bone.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct BoneReport<'a> {
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
struct AnimationReport<'a> {
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

/// The JSON Schema of the whole report.
pub(in crate::cli::pchr) fn schema() -> Schema {
    output::schema::<Report<'_>>()
}

/// Reports the contents of a glTF file.
pub(in crate::cli::pchr::inspect) fn run(
    input: &GltfInput,
    args: &InspectArgs,
    detail: Detail,
) -> Result<(), Failure> {
    let folds = Fold::all(&input.file.warnings);
    let report = gather(input, &folds);
    if args.json {
        return output::write_json(&report);
    }
    let text = text(input, &report, &folds, detail);
    output::write_text(text.as_bytes()).map_err(anyhow::Error::from)?;
    Ok(())
}

fn gather<'a>(input: &'a GltfInput, folds: &'a [Fold]) -> Report<'a> {
    let file = &input.file;
    let bones = file.skeleton.bones().iter().enumerate();
    let bone = |(index, bone): (usize, &'a Bone)| BoneReport {
        index,
        name: bone.name.text(),
        parent: bone.parent,
    };
    Report {
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
        not_read: file.losses.iter().map(Into::into).collect(),
    }
}

fn animation((index, clip): (usize, &NamedMotion)) -> AnimationReport<'_> {
    let motion = &clip.motion;
    let sum = |channel: Channel| -> usize {
        let timed = motion.tracks().iter().filter_map(Track::timed);
        timed.map(|track| track.times(channel).len()).sum()
    };
    AnimationReport {
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

fn text(input: &GltfInput, report: &Report<'_>, folds: &[Fold], detail: Detail) -> String {
    let contents = [
        words::count(report.bones.len(), "bone", "bones"),
        words::count(report.animations.len(), "animation", "animations"),
        words::count(report.nodes, "node", "nodes"),
        words::count(report.skins, "skin", "skins"),
    ];
    let mut lines = vec![("contents", contents.join(", "))];
    if let Some(generator) = report.generator {
        lines.push(("written by", visible(generator).into_owned()));
    }
    let losses = input.file.losses.iter();
    let not_read: Vec<String> = losses
        .map(|loss| remarks::counted(loss.what, loss.count))
        .collect();
    if !not_read.is_empty() {
        lines.push(("not read", not_read.join(", ")));
    }
    let title = title(report.file, "glTF 2.0", report.size);
    page(&title, lines, folds, detail, |out, all| {
        tables(report, all, out);
    })
}

fn tables(report: &Report<'_>, all: bool, out: &mut String) {
    let header = [
        ("#", Right),
        ("animation", Left),
        ("frames", Right),
        ("fps", Right),
        ("length", Right),
        ("tracks", Right),
        ("keys", Right),
        ("notes", Right),
    ];
    let rows = report.animations.iter().map(|it| {
        let keys = [it.translation_keys, it.rotation_keys, it.scale_keys];
        [
            it.index.to_string(),
            words::name(it.name).into_owned(),
            words::number(it.frames),
            it.frame_rate.to_string(),
            words::seconds(it.seconds),
            words::number(it.tracks),
            words::number(keys.into_iter().sum::<usize>()),
            words::number(it.notes),
        ]
    });
    list(
        out,
        "Animations",
        header,
        report.animations.len(),
        all,
        rows,
    );
    let header = [("#", Right), ("bone", Left), ("parent", Left)];
    let rows = report.bones.iter().map(|bone| {
        let parent = bone.parent.map_or("-".into(), |parent| {
            let named = report.bones.get(parent as usize);
            let name = named.map(|it| words::name(&it.name).into_owned());
            format!("{parent} {}", name.unwrap_or_default())
        });
        let name = words::name(&bone.name).into_owned();
        [bone.index.to_string(), name, parent]
    });
    list(out, "Bones", header, report.bones.len(), all, rows);
}
