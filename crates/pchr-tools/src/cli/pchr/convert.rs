//! `pchr convert`: between all formats that are read and written.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::TypedValueParser;

use pchr::format::Losses;
use pchr::format::json::Dialect;
use pchr_foreign::format::atlas_json;
use pchr_foreign::format::gltf::Container;
use pchr_foreign::motion::AdditiveRotation;
use pchr_foreign::plane::{RootMotionUse, Timing};

use super::content::{self, Content};
use super::images::{self, ImageFormatArg};
use super::motion::{AppliedMotions, Apply, ConvertMotions, Rig, additive};
use super::report::Remarks;
use super::written::{self, CharacterTarget, WrittenDocument};
use super::{atlas, motion, one_of};
use crate::run::input::{self, Input, InputArgs};
use crate::run::messages::Messages;
use crate::run::{Disk, Failure};

/// Arguments of `convert`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr convert hero.json -o hero.pchr
  pchr convert hero.legacy.pchr -o hero.pchr
  pchr convert hero.pchr -o out/hero.json --to pachario
  pchr convert hero.pchr -o hero.raw.pchr --image-format rgba8888
  pchr convert hero.pchr -o hero.glb
  pchr convert hero.pchr -o hero_ske.json
  pchr convert hero.pchr -a wave -o wave.seanim
  pchr convert hero.pchr --motion wave.seanim -o waving.pchr
  pchr convert hero.pct -o out/hero.json --dialect array
  pchr convert texturepacker.json -o hero.pct
  pchr convert hero.pct -o hero.pchr
  pchr convert walk.seanim -o walk.json
  pchr convert walk.json -o clean.seanim
  pchr convert hero@walk.anm.pxd -o walk.seanim
  pchr convert walk.seanim --skeleton hero.skl.pxd -o hero@walk2.anm.pxd
  pchr convert hero.skl.pxd --motion hero@walk.anm.pxd --motion walk.seanim -o hero.glb
  pchr convert hero.glb -o 'out/{animation}.anm.pxd'

Anything that the output format cannot hold is listed. Images are written beside a JSON file, under their own names; beside a skeleton of DragonBones (hero_ske.json) as hero_tex.png with hero_tex.json, of several images as hero_tex_0.png and so on.

Converting an atlas rewrites its text; its page images are copied unchanged to the folder of the output, if that is a different one. In a character made from an atlas, each flip-book is an animation that shows one sprite after another. Every frame stores a state for every sprite, and the file may be at most 1 GiB.

A 3D motion becomes SEAnim or its JSON mirror, which holds every value bit for bit. SEAnim is written in its canonical form: counts, bits and index widths as the format requires, and no reserved, additional or trailing bytes; names, keys, notes and their order are kept.

Between SEAnim, .anm.pxd and glTF, keys stay on their frames; sampled motions get a key on every frame. SEAnim refers to bones by name, .anm.pxd by number, so converting from one to the other needs a skeleton: --skeleton, or the .skl.pxd beside an .anm.pxd. A bone or channel that a SEAnim does not move gets one key with its rest value. glTF holds a skeleton and any number of motions.

A character becomes glTF as a whole: bones, skinned meshes in draw order, textures and all animations (with -a, one; with --motion, those instead), every frame held as it is. A pixel becomes a metre. A mesh that is hidden at times, or changes its draw order, is shown and hidden by scales of further joints, named like hand shown at 3. Read back, glTF gives bones and motions.

A motion added to a character is projected onto its plane, bone by bone: x, y, the rotation about z, and scale x and y. A warning lists what leaves the plane. Bones without a track stay in the bind pose.")]
pub(super) struct ConvertArgs {
    /// The file; - reads it from standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    input: InputArgs,
    /// The file to write; its extension sets the format: .pchr, .json, _ske.json, .pct, .seanim, .seanim.json, .anm.pxd, .skl.pxd, .glb or .gltf;
    /// - writes to standard output; {animation} becomes the name of each motion
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,
    /// Format to write, instead of the extension's [default for .json: pchr-json; for an atlas: see --dialect; for a motion: seanim-json]
    #[arg(long, value_name = "FORMAT", value_parser = any_format())]
    to: Option<Format>,
    /// Dialect of the JSON [default: pchr; for an atlas: hash, or multiatlas with several pages]
    #[arg(long, value_name = "DIALECT", conflicts_with = "to", value_parser = json_dialect())]
    dialect: Option<Format>,
    /// Encoding of every image [default: as in the file]
    #[arg(long, value_enum, value_name = "FORMAT")]
    image_format: Option<ImageFormatArg>,
    /// Rename images whose names lead outside the folder, and sprites and pages that PCT cannot name, instead of failing
    #[arg(long)]
    safe_names: bool,
    /// Motion to write with the skeleton, or to add to the character, instead of those in the file (repeatable)
    #[arg(long, value_name = "FILE")]
    motion: Vec<PathBuf>,
    /// Skeleton of the motions: a .skl.pxd file, glTF or a character [default for an .anm.pxd: the one beside it]
    #[arg(long, value_name = "FILE")]
    skeleton: Option<PathBuf>,
    /// The motion to write, by name or index, if there are several
    #[arg(short, long, value_name = "NAME|INDEX")]
    animation: Option<String>,
    /// How to read rotations of additive SEAnim motions (programs differ)
    #[arg(long, value_name = "READING", value_parser = additive(), default_value = "on-rest")]
    additive: AdditiveRotation,
    /// For a character: factor for the motion's distances, like 100 if 100 pixels are a metre
    #[arg(
        long,
        value_name = "FACTOR",
        requires = "motion",
        value_parser = factor,
        allow_hyphen_values = true,
        default_value_t = 1.0
    )]
    motion_scale: f64,
    /// For a character: leave out root motion, instead of adding it to the root bones
    #[arg(long, requires = "motion")]
    in_place: bool,
    /// For a character with a different frame rate: keep the frames, not the speed
    #[arg(long, requires = "motion")]
    keep_frames: bool,
    /// Print a JSON report of the files written
    #[arg(long)]
    json: bool,
}

impl ConvertArgs {
    fn format(&self) -> Result<Format, Failure> {
        if let Some(to) = self.to {
            return Ok(to);
        }
        let name = self.output.to_string_lossy().to_ascii_lowercase();
        let fits = |(ending, _): &&(&str, Format)| name.ends_with(*ending);
        let ending = ENDINGS.iter().filter(fits).max_by_key(|(end, _)| end.len());
        let format = ending.map(|(_, format)| *format);
        match (format, self.dialect) {
            (Some(Format::Json | DRAGONBONES), Some(dialect)) => Ok(dialect),
            (_, Some(dialect)) if self.output == Path::new("-") => Ok(dialect),
            (_, Some(_)) => {
                Err(Failure::Usage(format!("{}: --dialect is for .json", self.output.display())))
            }
            (Some(format), None) => Ok(format),
            (None, None) => {
                let endings = ENDINGS.map(|(ending, _)| ending).join(", ");
                Err(Failure::Usage(format!(
                    "{}: unknown extension, expected one of {endings}; or name the format with --to",
                    self.output.display()
                )))
            }
        }
    }

    /// The format that a motion or a skeleton is written in.
    fn of_motion(&self, format: Format) -> Result<motion::MotionTarget, Failure> {
        let images =
            [("--image-format", self.image_format.is_some()), ("--safe-names", self.safe_names)];
        if let Some((option, _)) = images.into_iter().find(|(_, given)| *given) {
            let why = match format {
                Format::Motion(motion::MotionTarget::Gltf(_)) => "glTF holds its images, as PNG",
                _ => "a motion has none",
            };
            return Err(self.no_way(&format!("{option} is for images; {why}")));
        }
        match format {
            Format::Motion(target) => Ok(target),
            Format::Json => Ok(motion::MotionTarget::SeanimJson),
            Format::Character(_) => Err(self.no_way(
                "a motion or skeleton has neither meshes nor images, so it cannot become a character; to add a motion to one: pchr convert hero.pchr --motion FILE -o OUT.pchr",
            )),
            Format::Atlas(_) => Err(self.no_way(
                "a motion has no pictures for an atlas; expected an output like .seanim, .anm.pxd or .glb",
            )),
        }
    }

    /// Returns the error of an unsupported conversion, with an alternative.
    fn no_way(&self, why: &str) -> Failure {
        Failure::Usage(format!("{}: {why}", input::name(&self.file)))
    }
}

fn factor(text: &str) -> Result<f64, String> {
    let factor: Option<f64> = text.trim().parse().ok();
    let factor = factor.filter(|factor| (1e-9..=1e9).contains(factor));
    factor.ok_or_else(|| "expected a number from 1e-9 to 1e9, like 100".into())
}

/// Runs `convert`.
pub(super) fn run(args: &ConvertArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    written::check_stdout(&args.output, args.json)?;
    let files = args.skeleton.iter().chain(&args.motion).chain([&args.file]);
    if files.filter(|file| *file == Path::new("-")).count() > 1 {
        return Err(Failure::Usage("- (standard input) can be given only once".into()));
    }
    let format = args.format()?;
    match content::read(disk, &args.file, args.input)? {
        Content::Atlas(file) => {
            let target = match format {
                Format::Atlas(target) => target,
                Format::Json => atlas::AtlasTarget::Json(None),
                Format::Character(target) => atlas::AtlasTarget::Character(target),
                Format::Motion(_) => {
                    let why = "an atlas has no bones; expected an output like .pct, .json or .pchr";
                    return Err(args.no_way(why));
                }
            };
            let moves = !args.motion.is_empty() || args.skeleton.is_some();
            if moves || args.animation.is_some() {
                return Err(args.no_way(
                    "an atlas has no bones; --motion, --skeleton and --animation are for motions",
                ));
            }
            let convert = atlas::ConvertAtlas {
                target,
                output: &args.output,
                image_format: args.image_format,
                safe_names: args.safe_names,
                json: args.json,
            };
            convert.run(&file, messages, disk)
        }
        Content::Character(input) if !matches!(format, Format::Motion(_)) => {
            character(input, format, args, messages, disk)
        }
        content => motion(content, format, args, messages, disk),
    }
}

/// Motions, a skeleton or both.
fn motion(
    content: Content,
    format: Format,
    args: &ConvertArgs,
    messages: &Messages,
    disk: &Disk,
) -> Result<(), Failure> {
    let target = args.of_motion(format)?;
    if args.motion_scale != 1.0 || args.in_place || args.keep_frames {
        return Err(args.no_way(
            "--motion-scale, --in-place and --keep-frames are for adding motions to a character",
        ));
    }
    let Some(rig) = Rig::of(content, &args.file) else {
        return Err(args.no_way("an atlas has no bones"));
    };
    let rig = rig.with_motions(&args.motion, args.input, disk)?;
    let convert = ConvertMotions {
        target,
        output: &args.output,
        json: args.json,
        skeleton: args.skeleton.as_deref(),
        animation: args.animation.as_deref(),
        additive: args.additive,
        input: args.input,
    };
    convert.run(rig, messages, disk)
}

fn character(
    input: Input,
    format: Format,
    args: &ConvertArgs,
    messages: &Messages,
    disk: &Disk,
) -> Result<(), Failure> {
    let target = match format {
        Format::Character(target) => target,
        Format::Json => CharacterTarget::Json(Dialect::Pchr),
        Format::Atlas(_) => {
            let file = input::name(&args.file);
            return Err(args.no_way(&format!(
                "a character has no sprites; to draw some: pchr-view capture {file} -a all -f all -o OUT.pct"
            )));
        }
        Format::Motion(_) => return Err(args.no_way("a character cannot become a motion")),
    };
    let source = input.document.source().id();
    let mut remarks = Remarks::about(&input.name, images::check(&input), Losses::default());
    let applied = with_motions(input, args, messages, disk)?;
    remarks.extend(applied.remarks);
    let input = images::convert(applied.character, args.image_format, messages)?;
    let written = WrittenDocument {
        input: &input,
        format: source,
        remarks,
        target,
        output: &args.output,
        safe_names: args.safe_names,
        json: args.json,
    };
    written.run(messages, disk)
}

/// Returns the character with an animation for each added motion.
fn with_motions(
    input: Input,
    args: &ConvertArgs,
    messages: &Messages,
    disk: &Disk,
) -> Result<AppliedMotions, Failure> {
    if args.motion.is_empty() {
        if args.animation.is_some() || args.skeleton.is_some() {
            return Err(args.no_way(
                "a character is always converted as a whole; --animation and --skeleton are for motions",
            ));
        }
        return Ok(AppliedMotions { character: input, remarks: Remarks::default() });
    }
    let apply = Apply {
        motions: &args.motion,
        skeleton: args.skeleton.as_deref(),
        animation: args.animation.as_deref(),
        additive: args.additive,
        scale: args.motion_scale,
        root: if args.in_place { RootMotionUse::LeaveOut } else { RootMotionUse::MoveRoots },
        timing: if args.keep_frames { Timing::FrameByFrame } else { Timing::Resample },
        input: args.input,
    };
    apply.run(input, messages, disk)
}

/// A format to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Character(CharacterTarget),
    Atlas(atlas::AtlasTarget),
    /// A motion, a skeleton or both.
    Motion(motion::MotionTarget),
    /// JSON in the dialect usual for its content.
    Json,
}

const PCHR_JSON: Format = Format::Character(CharacterTarget::Json(Dialect::Pchr));
const PACHARIO: Format = Format::Character(CharacterTarget::Json(Dialect::Pachario));
const DRAGONBONES: Format = Format::Character(CharacterTarget::DragonBones);
const GLB: Format = Format::Motion(motion::MotionTarget::Gltf(Container::Binary));
const GLTF: Format = Format::Motion(motion::MotionTarget::Gltf(Container::Text));

/// Extensions of files and their formats; the longest that matches is used.
const ENDINGS: [(&str, Format); 10] = [
    (".pchr", Format::Character(CharacterTarget::Pchr)),
    (".json", Format::Json),
    ("_ske.json", DRAGONBONES),
    (".pct", Format::Atlas(atlas::AtlasTarget::Pct)),
    (".seanim", Format::Motion(motion::MotionTarget::Seanim)),
    (".seanim.json", Format::Motion(motion::MotionTarget::SeanimJson)),
    (".anm.pxd", Format::Motion(motion::MotionTarget::PxdAnimation)),
    (".skl.pxd", Format::Motion(motion::MotionTarget::PxdSkeleton)),
    (".glb", GLB),
    (".gltf", GLTF),
];

/// Returns a parser of all formats.
fn any_format() -> impl TypedValueParser<Value = Format> {
    let written = Format::Motion;
    one_of([
        ("pchr", "PCHR v1", Format::Character(CharacterTarget::Pchr)),
        ("pchr-json", "PCHR JSON, the mirror of the binary", PCHR_JSON),
        ("pachario|pachario-json", "Pachario JSON", PACHARIO),
        ("dragonbones", "DragonBones 5.5 JSON, with an atlas", DRAGONBONES),
        ("pct", "PCT, Phaser's compact atlas", Format::Atlas(atlas::AtlasTarget::Pct)),
        ("seanim", "SEAnim, a 3D motion", written(motion::MotionTarget::Seanim)),
        ("seanim-json", "The JSON mirror of SEAnim", written(motion::MotionTarget::SeanimJson)),
        (
            "anm-pxd",
            "PXD animation, of the Hedgehog Engine",
            written(motion::MotionTarget::PxdAnimation),
        ),
        ("skl-pxd", "PXD skeleton", written(motion::MotionTarget::PxdSkeleton)),
        ("glb", "glTF as one binary file", GLB),
        ("gltf", "glTF as text", GLTF),
    ])
}

/// Returns a parser of dialects of JSON.
fn json_dialect() -> impl TypedValueParser<Value = Format> {
    let atlas = |dialect| Format::Atlas(atlas::AtlasTarget::Json(Some(dialect)));
    one_of([
        ("pchr", "PCHR JSON, for a character", PCHR_JSON),
        ("pachario", "Pachario JSON, for a character", PACHARIO),
        (
            "hash",
            "TexturePacker's hash, for an atlas with one page",
            atlas(atlas_json::Dialect::Hash),
        ),
        (
            "array",
            "TexturePacker's array, for an atlas with one page",
            atlas(atlas_json::Dialect::Array),
        ),
        ("multiatlas", "Phaser's multi-atlas", atlas(atlas_json::Dialect::MultiAtlas)),
    ])
}
