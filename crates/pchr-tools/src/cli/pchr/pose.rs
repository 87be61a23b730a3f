//! `pchr pose`: the transforms of every bone, to test an engine against; as JSON, comma-separated values, or tables for people.

mod motion;

use std::borrow::Cow;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::Serialize;

use pchr::document::{AnimationId, Document};
use pchr::playback::{FrameAt, FrameSpec};
use pchr::pose::{Affine, BindChoice, BindPose, Pose, PoseJob, default_animation};
use pchr_foreign::format::pxd::PxdContent;
use pchr_foreign::motion::AdditiveRotation;

use super::content::{self, Content};
use super::inspect::{self, TextTable};
use super::motion::additive;
use super::{Run, chosen};
use crate::cli::check_one_stdin;
use crate::run::input::{Input, InputArgs};
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, output};
use crate::text::seconds;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr pose hero.pchr -a walk -f 0..=2
  pchr pose hero.pchr -a walk --time 0.1,0.25 --smooth --space world --json
  pchr pose walk.seanim --csv > walk.csv
  pchr pose walk.seanim --skeleton hero.skl.pxd --space skin -f all --json
  pchr pose hero@walk.anm.pxd --space world --time 0.25
  pchr pose hero.glb -a walk --space world -f all --csv

Transforms of a character are matrices a, b, c, d, tx, ty: x' = a x + c y + tx, y' = b x + d y + ty, in pixels, Y up. Transforms of a 3D motion are a translation, a rotation (a quaternion x, y, z, w) and a scale; with --space skin also the matrix, column by column, which includes the shear of scaled bones.

Spaces: local is relative to the parent; world to the model; skin maps the bind pose to the current pose (world times inverse bind). Root motion (root) is listed separately, and is not part of the bones.

A SEAnim names its bones: they are matched to the skeleton exactly, then ignoring case, then by the part after the last colon. Bones without a match are listed. Without a skeleton, its bones have no parents and rest at the origin. An .anm.pxd refers to bones \
by number: without --skeleton, it uses the .skl.pxd beside it whose name is the start of its own (hero.skl.pxd for hero@walk.anm.pxd), or the only one there. \
A skeleton alone is posed at rest. Before its first key and after its last, a bone keeps that key's value. Numbers are 32-bit floats, written with as few digits as possible.

Exit codes: 0 done, 1 failed while running, 2 usage, 4 invalid input file")]
pub(super) struct PoseArgs {
    /// The character, the motion or the skeleton; - reads it from standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    input: InputArgs,
    /// Skeleton of a motion: a .skl.pxd file, glTF or a character [default for an .anm.pxd: the one beside it]
    #[arg(long, value_name = "FILE")]
    skeleton: Option<PathBuf>,
    /// Animation of a character or glTF, by name or index [default: the first that is not the bind pose]
    #[arg(short, long, value_name = "NAME|INDEX")]
    animation: Option<String>,
    /// Frames: 7, 0..24, 0..=24, 0..:2, all, or a list of these
    #[arg(short, long, value_name = "FRAMES", default_value = "0", conflicts_with = "time")]
    frames: FrameSpec,
    /// Times in seconds, separated by commas; FRAME / rate, also if rounded to 6 or more digits, is that frame. A negative one
    /// counts back from the end of a character's animation that loops
    #[arg(long, value_name = "SECONDS", value_delimiter = ',', value_parser = seconds, allow_hyphen_values = true)]
    time: Vec<f64>,
    /// With --time, blend between frames of a character; motions always blend
    #[arg(long, requires = "time")]
    smooth: bool,
    /// Space of the transforms
    #[arg(long, value_enum, default_value_t)]
    space: Space,
    /// How to read rotations of additive SEAnim motions (programs differ)
    #[arg(long, value_name = "READING", value_parser = additive(), default_value = "on-rest")]
    additive: AdditiveRotation,
    /// Print JSON; `pchr schema pose` prints its schema
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV: a line for each bone and moment
    #[arg(long)]
    csv: bool,
}

/// Space of transforms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Space {
    /// Relative to the parent
    #[default]
    Local,
    /// Relative to the model
    World,
    /// From the bind pose to the current pose
    Skin,
}

impl Space {
    const fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::World => "world",
            Self::Skin => "skin",
        }
    }
}

pub(super) fn run(args: &PoseArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    check_one_stdin(args.skeleton.iter().chain([&args.file]))?;
    let content = content::read(disk, &args.file, args.input)?;
    let run = Run { messages, disk, input: args.input };
    let report = match &content {
        Content::Character(input) => poses(input, args)?,
        Content::Motion(input) => motion::poses(&input.name, &input.file.motion, None, args, run)?,
        Content::Pxd(input) => match &input.file.content {
            PxdContent::Skeleton(skeleton) => motion::rest(&input.name, skeleton, args)?,
            PxdContent::Animation(it) => motion::poses(&input.name, it, None, args, run)?,
        },
        Content::Gltf(input) => motion::of_gltf(&input.name, &input.file, args, run)?,
        Content::Atlas(file) => {
            let name = &file.name;
            return Err(Failure::Usage(format!(
                "{name}: an atlas has no bones; expected a character or a 3D motion"
            )));
        }
    };
    match (args.json, args.csv) {
        (true, _) => output::write_json(&report),
        (false, true) => Ok(output::write_text(&lines(&report)?)?),
        (false, false) => Ok(output::write_text(tables(&report).as_bytes())?),
    }
}

/// The poses of a character that were asked for.
#[expect(clippy::cast_possible_truncation, reason = "times and rates are printed as 32-bit floats")]
fn poses<'a>(input: &'a Input, args: &PoseArgs) -> Result<PoseReport<'a>, Failure> {
    let document: &Document = &input.document;
    if args.skeleton.is_some() {
        return Err(Failure::Usage(format!(
            "{}: a character has its own skeleton; --skeleton is for 3D motions",
            input.name
        )));
    }
    let bind = BindPose::new(document, BindChoice::Auto);
    let still = || Failure::Rejected(format!("{}: no animation has frames", input.name));
    let animation = match &args.animation {
        Some(wanted) => {
            let names = document.animations().map(|it| it.name());
            let index = chosen(wanted, names, &input.name)?;
            AnimationId(u16::try_from(index).unwrap_or(u16::MAX))
        }
        None => default_animation(document, &bind).ok_or_else(still)?,
    };
    let line = document.animation(animation).ok_or_else(still)?.timeline();
    let moments: Vec<(Option<u32>, FrameAt, f32)> = if args.time.is_empty() {
        let frames = args.frames.frames(line.frame_count);
        let frames = frames.map_err(|error| Failure::Usage(format!("{}: {error}", input.name)))?;
        let moment = |frame: u16| {
            let at = FrameAt::exact(animation, frame);
            (Some(u32::from(frame)), at, line.seconds(at) as f32)
        };
        frames.into_iter().map(moment).collect()
    } else {
        let line = pchr::playback::Timeline { smooth: args.smooth, ..line };
        let times = args.time.iter();
        times.map(|time| (None, line.at(animation, *time), *time as f32)).collect()
    };
    let bones = document.bones().map(|bone| BoneName {
        name: bone.name().into(),
        parent: bone.parent().and_then(|parent| u32::try_from(parent.index()).ok()),
    });
    let (mut pose, mut locals) = (Pose::default(), Vec::new());
    let poses = moments.into_iter().map(|(frame, at, time)| {
        let job = PoseJob { document, bind: &bind, at: Some(at), mix: None };
        let maps = if args.space == Space::Local {
            job.locals(&mut locals);
            &locals
        } else {
            job.run(&mut pose);
            match args.space {
                Space::Skin => pose.world_from_bind(),
                _ => pose.world_from_bone(),
            }
        };
        let bones = maps.iter().map(matrix).collect();
        PoseAt { time, frame, root: None, bones }
    });
    Ok(PoseReport {
        file: &input.name,
        animation: document.animation(animation).map(|it| it.name()),
        space: args.space.name(),
        rate: line.fps as f32,
        poses: poses.collect(),
        bones: bones.collect(),
        unmatched: Vec::new(),
    })
}

fn matrix(map: &Affine) -> BonePose {
    let [[a, c, tx, _], [b, d, ty, _]] = *map;
    BonePose::Plane { matrix: [a, b, c, d, tx, ty] }
}

/// Poses of a skeleton.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PoseReport<'a> {
    /// The file.
    file: &'a str,
    /// The animation of a character.
    #[serde(skip_serializing_if = "Option::is_none")]
    animation: Option<&'a str>,
    /// Space of the transforms: local, world or skin.
    space: &'static str,
    /// Frames per second.
    rate: f32,
    /// The bones, in the order of the skeleton.
    bones: Vec<BoneName<'a>>,
    /// Names of tracks that move no bone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unmatched: Vec<Cow<'a, str>>,
    /// The poses, in the requested order.
    poses: Vec<PoseAt>,
}

/// A bone.
#[derive(Debug, Serialize, JsonSchema)]
struct BoneName<'a> {
    /// Its name; may be empty.
    name: Cow<'a, str>,
    /// Index of its parent; null for a root.
    parent: Option<u32>,
}

/// The pose at a moment.
#[derive(Debug, Serialize, JsonSchema)]
struct PoseAt {
    /// The moment in seconds.
    time: f32,
    /// The frame; null if a time was requested.
    frame: Option<u32>,
    /// Movement of the whole model, if a motion has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<Parts>,
    /// Transform of each bone.
    bones: Vec<BonePose>,
}

/// Transform of a bone.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum BonePose {
    /// In the plane: a, b, c, d, tx, ty.
    Plane {
        /// a, b, c, d, tx, ty: x' = a x + c y + tx, y' = b x + d y + ty.
        #[schemars(with = "[Option<f32>; 6]")]
        matrix: [f32; 6],
    },
    /// In space.
    Space(Parts),
}

/// A transform in space; numbers that are not finite are null.
#[derive(Debug, Serialize, JsonSchema)]
struct Parts {
    /// Translation x, y, z.
    #[schemars(with = "[Option<f32>; 3]")]
    translation: [f32; 3],
    /// Rotation as a quaternion x, y, z, w.
    #[schemars(with = "[Option<f32>; 4]")]
    rotation: [f32; 4],
    /// Scale x, y, z.
    #[schemars(with = "[Option<f32>; 3]")]
    scale: [f32; 3],
    /// With --space skin: the whole matrix, 4 columns of 4 numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    matrix: Option<[f32; 16]>,
}

impl BonePose {
    /// The numbers of a line: a matrix in the plane, or translation, rotation and scale.
    fn numbers(&self) -> Vec<f32> {
        match self {
            Self::Plane { matrix } => matrix.to_vec(),
            Self::Space(parts) => parts.numbers(),
        }
    }
}

impl Parts {
    fn numbers(&self) -> Vec<f32> {
        [self.translation.as_slice(), &self.rotation, &self.scale].concat()
    }
}

/// Names of the numbers of a line.
fn columns(report: &PoseReport<'_>) -> &'static [&'static str] {
    let first = report.poses.iter().find_map(|pose| pose.bones.first());
    match first {
        Some(BonePose::Plane { .. }) => &["a", "b", "c", "d", "tx", "ty"],
        _ => &["tx", "ty", "tz", "qx", "qy", "qz", "qw", "sx", "sy", "sz"],
    }
}

/// Rows of a pose: root motion, which has neither an index nor a name, and each bone.
fn rows<'r>(
    report: &'r PoseReport<'_>,
    pose: &'r PoseAt,
) -> Vec<(String, Option<&'r str>, Vec<f32>)> {
    let root = pose.root.iter().map(|root| (String::new(), None, root.numbers()));
    let bones = report.bones.iter().zip(&pose.bones).enumerate();
    let bones =
        bones.map(|(index, (bone, pose))| (index.to_string(), Some(&*bone.name), pose.numbers()));
    root.chain(bones).collect()
}

/// A line for each row of each moment.
fn lines(report: &PoseReport<'_>) -> anyhow::Result<Vec<u8>> {
    let mut lines = csv::Writer::from_writer(Vec::new());
    lines.write_record(["time", "frame", "bone", "name"].iter().chain(columns(report)))?;
    for pose in &report.poses {
        let frame = pose.frame.map_or(String::new(), |frame| frame.to_string());
        for (index, name, numbers) in rows(report, pose) {
            let name = name.unwrap_or("root").to_owned();
            let start = [pose.time.to_string(), frame.clone(), index, name];
            lines.write_record(start.into_iter().chain(numbers.iter().map(ToString::to_string)))?;
        }
    }
    lines.into_inner().map_err(|error| anyhow::anyhow!("{error}"))
}

/// A table for each moment.
fn tables(report: &PoseReport<'_>) -> String {
    let mut out = format!("{}: {} space", report.file, report.space);
    if let Some(animation) = report.animation {
        out += &format!(", animation {animation}");
    }
    out.push('\n');
    let columns = columns(report);
    for pose in &report.poses {
        let title = match pose.frame {
            Some(frame) => format!("Frame {frame}, {} s", pose.time),
            None => format!("{} s", pose.time),
        };
        let number = |number: f32| format!("{:.4}", number + 0.0); // no -0
        let rows = rows(report, pose);
        let mut table = TextTable::new(&title, &rows)
            .right("#", |(index, ..)| index)
            .left("bone", |(_, name, _)| name.map_or("(root)".into(), inspect::name));
        for (at, column) in columns.iter().enumerate() {
            table = table.right(column, move |(.., numbers)| {
                numbers.get(at).copied().map(number).unwrap_or_default()
            });
        }
        out += &table.text(usize::MAX);
    }
    out
}
