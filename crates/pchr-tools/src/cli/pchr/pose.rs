//! `pchr pose`: the transforms of every bone, to test an engine against.

mod motion;
mod report;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use pchr::document::{AnimationId, Document};
use pchr::playback::{FrameAt, FrameSpec};
use pchr::pose::{Affine, BindChoice, BindPose, Pose, PoseJob, default_animation, timeline};
use pchr_foreign::format::pxd::PxdContent;
use pchr_foreign::motion::AdditiveRotation;

use self::report::{BoneName, BonePose, PoseAt, PoseReport};
use super::content::{self, Content};
use super::motion::additive;
use crate::cli::pchr::chosen;
use crate::run::input::{Input, InputArgs};
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, output};
use crate::text::seconds;

/// Arguments of the command.
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

/// Runs `pose`.
pub(super) fn run(args: &PoseArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    if args.file == Path::new("-") && args.skeleton.as_deref() == Some(Path::new("-")) {
        return Err(Failure::Usage("- (standard input) can be given only once".into()));
    }
    let content = content::read(disk, &args.file, args.input)?;
    let report = match &content {
        Content::Character(input) => poses(input, args)?,
        Content::Motion(input) => {
            let (name, motion) = (&input.name, &input.file.motion);
            motion::poses(name, motion, None, args, messages, disk)?
        }
        Content::Pxd(input) => match &input.content {
            PxdContent::Skeleton(skeleton) => motion::rest(&input.name, skeleton, args)?,
            PxdContent::Animation(animation) => {
                motion::poses(&input.name, animation, None, args, messages, disk)?
            }
        },
        Content::Gltf(input) => motion::of_gltf(&input.name, &input.file, args, messages, disk)?,
        Content::Atlas(file) => {
            let name = file.name();
            return Err(Failure::Usage(format!(
                "{name}: an atlas has no bones; expected a character or a 3D motion"
            )));
        }
    };
    if args.json {
        output::write_json(&report)?;
    } else if args.csv {
        output::write_text(&report::lines(&report)?).map_err(anyhow::Error::from)?;
    } else {
        output::write_text(report::tables(&report).as_bytes()).map_err(anyhow::Error::from)?;
    }
    Ok(())
}

/// The JSON Schema of `pchr pose --json`.
pub(super) fn schema() -> schemars::Schema {
    output::schema::<PoseReport<'_>>()
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
    let animation = match &args.animation {
        Some(wanted) => {
            let names = document.animations().map(|it| it.name());
            let index = chosen(wanted, names, &input.name)?;
            AnimationId(u16::try_from(index).unwrap_or(u16::MAX))
        }
        None => default_animation(document, &bind)
            .ok_or_else(|| Failure::Rejected(format!("{}: no animation has frames", input.name)))?,
    };
    let Some(line) = timeline(document, animation) else {
        return Err(Failure::Rejected(format!("{}: no animation has frames", input.name)));
    };
    let moments: Vec<(Option<u32>, FrameAt, f32)> = if args.time.is_empty() {
        let frames = args.frames.frames(line.frame_count);
        let frames =
            frames.map_err(|error| Failure::Usage(format!("{}: {error}", input.name)))?.into_iter();
        let frames = frames.map(|frame| {
            let at = FrameAt::exact(animation, frame);
            (Some(frame.into()), at, line.seconds(at) as f32)
        });
        frames.collect()
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
