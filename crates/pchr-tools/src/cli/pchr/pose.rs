//! `pchr pose`: the transforms of every bone, to test an engine against.

mod character;
mod motion;
mod report;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use pchr::playback::FrameSpec;
use pchr_foreign::format::pxd::PxdContent;
use pchr_foreign::motion::AdditiveRotation;

use self::report::PoseReport;
use super::content::{self, Content};
use super::motion::additive;
use crate::run::input::InputArgs;
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
    #[arg(
        short,
        long,
        value_name = "FRAMES",
        default_value = "0",
        conflicts_with = "time"
    )]
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
        return Err(Failure::Usage(
            "- (standard input) can be given only once".into(),
        ));
    }
    let content = content::read(disk, &args.file, args.input)?;
    let report = match &content {
        Content::Character(input) => character::poses(input, args)?,
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
