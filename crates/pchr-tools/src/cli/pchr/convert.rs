//! `pchr convert`: between all formats that are read and written.

use std::path::PathBuf;

use clap::Args;
use clap::builder::TypedValueParser;

use pchr::format::json::Dialect;
use pchr_foreign::format::atlas_json::AtlasDialect;
use pchr_foreign::format::gltf::Container;

use self::WrittenFormat::{Atlas, Character, Motion};
use super::atlas::{self, AtlasTarget, ConvertAtlas};
use super::content::{self, Content};
use super::images::{self, ImageFormatArg};
use super::motion::MotionTarget::{self, Gltf, PxdAnimation, PxdSkeleton, Seanim, SeanimJson};
use super::motion::{ConvertMotions, MotionArgs, MotionRig};
use super::written::CharacterTarget::{self, DragonBones, Json, Pchr};
use super::written::{self, WrittenDocument, WrittenTo};
use super::{Run, one_of};
use crate::cli::check_one_stdin;
use crate::run::input::{self, Input, InputArgs};
use crate::run::messages::Messages;
use crate::run::{Disk, Failure};

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
    to: Option<WrittenFormat>,
    /// Dialect of the JSON [default: pchr; for an atlas: hash, or multiatlas with several pages]
    #[arg(long, value_name = "DIALECT", conflicts_with = "to", value_parser = json_dialect())]
    dialect: Option<WrittenFormat>,
    /// Encoding of every image [default: as in the file]
    #[arg(long, value_enum, value_name = "FORMAT")]
    image_format: Option<ImageFormatArg>,
    /// Rename images whose names lead outside the folder, and sprites and pages that PCT cannot name, instead of failing
    #[arg(long)]
    safe_names: bool,
    #[command(flatten)]
    motions: MotionArgs,
    /// Print a JSON report of the files written
    #[arg(long)]
    json: bool,
}

impl ConvertArgs {
    fn format(&self) -> Result<WrittenFormat, Failure> {
        if let Some(to) = self.to {
            return Ok(to);
        }
        let output = self.output.display();
        let name = self.output.to_string_lossy().to_ascii_lowercase();
        let endings = || FORMATS.iter().filter(|(.., ending, _)| !ending.is_empty());
        let fits = endings().filter(|(.., ending, _)| name.ends_with(ending));
        let longest = fits.max_by_key(|(.., ending, _)| ending.len());
        match (longest.map(|(.., format)| *format), self.dialect) {
            // JSON that has dialects: not that of a motion.
            (Some(Character(Json(_) | DragonBones)), Some(dialect)) => Ok(dialect),
            (_, Some(dialect)) if input::is_stdin(&self.output) => Ok(dialect),
            (_, Some(_)) => Err(Failure::Usage(format!("{output}: --dialect is for .json"))),
            (Some(Character(Json(_))), None) => Ok(WrittenFormat::Json),
            (Some(format), None) => Ok(format),
            (None, None) => {
                let endings = endings().map(|(.., ending, _)| *ending).collect::<Vec<_>>();
                let endings = endings.join(", ");
                Err(Failure::Usage(format!(
                    "{output}: unknown extension, expected one of {endings}; or name the format with --to"
                )))
            }
        }
    }

    /// The format that a motion or a skeleton is written in.
    fn of_motion(&self, format: WrittenFormat) -> Result<MotionTarget, Failure> {
        let images =
            [("--image-format", self.image_format.is_some()), ("--safe-names", self.safe_names)];
        if let Some((option, _)) = images.into_iter().find(|(_, given)| *given) {
            let why = match format {
                Motion(Gltf(_)) => "glTF holds its images, as PNG",
                _ => "a motion has none",
            };
            return Err(self.no_way(&format!("{option} is for images; {why}")));
        }
        match format {
            Motion(target) => Ok(target),
            WrittenFormat::Json => Ok(SeanimJson),
            Character(_) => Err(self.no_way(
                "a motion or skeleton has neither meshes nor images, so it cannot become a character; to add a motion to one: pchr convert hero.pchr --motion FILE -o OUT.pchr",
            )),
            Atlas(_) => Err(self.no_way(
                "a motion has no pictures for an atlas; expected an output like .seanim, .anm.pxd or .glb",
            )),
        }
    }

    /// Returns the error of an unsupported conversion, with an alternative.
    fn no_way(&self, why: &str) -> Failure {
        Failure::Usage(format!("{}: {why}", input::name(&self.file)))
    }

    fn to(&self) -> WrittenTo<'_> {
        WrittenTo { output: &self.output, safe_names: self.safe_names, json: self.json }
    }
}

pub(super) fn run(args: &ConvertArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    written::check_stdout(&args.output, args.json)?;
    let of = &args.motions;
    check_one_stdin(of.skeleton.iter().chain(&of.motion).chain([&args.file]))?;
    let format = args.format()?;
    let run = Run { messages, disk, input: args.input };
    match (content::read(disk, &args.file, args.input)?, format) {
        (Content::Atlas(_), Motion(_)) => {
            Err(args.no_way("an atlas has no bones; expected an output like .pct, .json or .pchr"))
        }
        (Content::Atlas(_), _)
            if !of.motion.is_empty() || of.skeleton.is_some() || of.animation.is_some() =>
        {
            Err(args.no_way(
                "an atlas has no bones; --motion, --skeleton and --animation are for motions",
            ))
        }
        (Content::Atlas(file), Character(target)) => {
            atlas::to_character(&file, target, args.image_format, args.to(), run)
        }
        (Content::Atlas(_), _) if args.image_format.is_some() => {
            let text = "--image-format is for characters; page images stay unchanged";
            Err(Failure::Usage(text.into()))
        }
        (Content::Atlas(file), Atlas(target)) => {
            ConvertAtlas { target, to: args.to() }.run(&file, run)
        }
        (Content::Atlas(file), WrittenFormat::Json) => {
            ConvertAtlas { target: AtlasTarget::Json(None), to: args.to() }.run(&file, run)
        }
        (Content::Character(input), Character(target)) => character(input, target, args, run),
        (Content::Character(input), WrittenFormat::Json) => {
            character(input, Json(Dialect::Pchr), args, run)
        }
        (Content::Character(_), Atlas(_)) => {
            let file = input::name(&args.file);
            Err(args.no_way(&format!(
                "a character has no sprites; to draw some: pchr-view capture {file} -a all -f all -o OUT.pct"
            )))
        }
        (content, format) => motion(content, format, args, run),
    }
}

/// Motions, a skeleton or both.
fn motion(
    content: Content,
    format: WrittenFormat,
    args: &ConvertArgs,
    run: Run<'_>,
) -> Result<(), Failure> {
    let target = args.of_motion(format)?;
    let of = &args.motions;
    if of.motion_scale != 1.0 || of.in_place || of.keep_frames {
        return Err(args.no_way(
            "--motion-scale, --in-place and --keep-frames are for adding motions to a character",
        ));
    }
    let rig = MotionRig::of(content, &args.file);
    let rig = rig.ok_or_else(|| args.no_way("an atlas has no bones"))?;
    let rig = rig.with_motions(&of.motion, run)?;
    ConvertMotions { target, output: &args.output, json: args.json, args: of }.run(rig, run)
}

fn character(
    input: Input,
    target: CharacterTarget,
    args: &ConvertArgs,
    run: Run<'_>,
) -> Result<(), Failure> {
    let format = input.document.source().id();
    let mut remarks = images::remarks(&input);
    let of = &args.motions;
    let input = match (of.motion.is_empty(), of.animation.is_some() || of.skeleton.is_some()) {
        (false, _) => of.apply(input, run, &mut remarks)?,
        (true, false) => input,
        (true, true) => {
            return Err(args.no_way(
                "a character is always converted as a whole; --animation and --skeleton are for motions",
            ));
        }
    };
    let input = images::convert(input, args.image_format, run.messages)?;
    WrittenDocument { input: &input, format, remarks, target, to: args.to() }.run(run)
}

/// A format to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WrittenFormat {
    Character(CharacterTarget),
    Atlas(AtlasTarget),
    /// A motion, a skeleton or both.
    Motion(MotionTarget),
    /// JSON in the dialect usual for its content.
    Json,
}

const PCHR_JSON: WrittenFormat = Character(Json(Dialect::Pchr));
const PACHARIO: WrittenFormat = Character(Json(Dialect::Pachario));

/// The formats: name, meaning, and extension of files, of which the longest that matches is used. Files that end in just .json have the
/// dialect usual for their content.
const FORMATS: [(&str, &str, &str, WrittenFormat); 11] = [
    ("pchr", "PCHR v1", ".pchr", Character(Pchr)),
    ("pchr-json", "PCHR JSON, the mirror of the binary", ".json", PCHR_JSON),
    ("pachario|pachario-json", "Pachario JSON", "", PACHARIO),
    ("dragonbones", "DragonBones 5.5 JSON, with an atlas", "_ske.json", Character(DragonBones)),
    ("pct", "PCT, Phaser's compact atlas", ".pct", Atlas(AtlasTarget::Pct)),
    ("seanim", "SEAnim, a 3D motion", ".seanim", Motion(Seanim)),
    ("seanim-json", "The JSON mirror of SEAnim", ".seanim.json", Motion(SeanimJson)),
    ("anm-pxd", "PXD animation, of the Hedgehog Engine", ".anm.pxd", Motion(PxdAnimation)),
    ("skl-pxd", "PXD skeleton", ".skl.pxd", Motion(PxdSkeleton)),
    ("glb", "glTF as one binary file", ".glb", Motion(Gltf(Container::Binary))),
    ("gltf", "glTF as text", ".gltf", Motion(Gltf(Container::Text))),
];

fn any_format() -> impl TypedValueParser<Value = WrittenFormat> {
    one_of(FORMATS.map(|(names, help, _, format)| (names, help, format)))
}

fn json_dialect() -> impl TypedValueParser<Value = WrittenFormat> {
    let atlas = |dialect| Atlas(AtlasTarget::Json(Some(dialect)));
    one_of([
        ("pchr", "PCHR JSON, for a character", PCHR_JSON),
        ("pachario", "Pachario JSON, for a character", PACHARIO),
        ("hash", "TexturePacker's hash, for an atlas with one page", atlas(AtlasDialect::Hash)),
        ("array", "TexturePacker's array, for an atlas with one page", atlas(AtlasDialect::Array)),
        ("multiatlas", "Phaser's multi-atlas", atlas(AtlasDialect::MultiAtlas)),
    ])
}
