//! `pchr convert`: between all formats that are read and written.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::TypedValueParser;

use pchr::format::Losses;
use pchr::format::json::Dialect;
use pchr_foreign::format::atlas_json;
use pchr_foreign::format::gltf::Container;

use super::atlas::{AtlasTarget, ConvertAtlas};
use super::content::{self, Content};
use super::images::{self, ImageFormatArg};
use super::motion::{ConvertMotions, MotionArgs, MotionRig, MotionTarget};
use super::one_of;
use super::report::Remarks;
use super::written::{self, CharacterTarget, WrittenDocument};
use crate::cli::check_one_stdin;
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
        let name = self.output.to_string_lossy().to_ascii_lowercase();
        let fits = |(ending, _): &&(&str, WrittenFormat)| name.ends_with(*ending);
        let ending = ENDINGS.iter().filter(fits).max_by_key(|(end, _)| end.len());
        let format = ending.map(|(_, format)| *format);
        match (format, self.dialect) {
            (Some(WrittenFormat::Json | DRAGONBONES), Some(dialect)) => Ok(dialect),
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
    fn of_motion(&self, format: WrittenFormat) -> Result<MotionTarget, Failure> {
        let images =
            [("--image-format", self.image_format.is_some()), ("--safe-names", self.safe_names)];
        if let Some((option, _)) = images.into_iter().find(|(_, given)| *given) {
            let why = match format {
                WrittenFormat::Motion(MotionTarget::Gltf(_)) => "glTF holds its images, as PNG",
                _ => "a motion has none",
            };
            return Err(self.no_way(&format!("{option} is for images; {why}")));
        }
        match format {
            WrittenFormat::Motion(target) => Ok(target),
            WrittenFormat::Json => Ok(MotionTarget::SeanimJson),
            WrittenFormat::Character(_) => Err(self.no_way(
                "a motion or skeleton has neither meshes nor images, so it cannot become a character; to add a motion to one: pchr convert hero.pchr --motion FILE -o OUT.pchr",
            )),
            WrittenFormat::Atlas(_) => Err(self.no_way(
                "a motion has no pictures for an atlas; expected an output like .seanim, .anm.pxd or .glb",
            )),
        }
    }

    /// Returns the error of an unsupported conversion, with an alternative.
    fn no_way(&self, why: &str) -> Failure {
        Failure::Usage(format!("{}: {why}", input::name(&self.file)))
    }
}

pub(super) fn run(args: &ConvertArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    written::check_stdout(&args.output, args.json)?;
    let of = &args.motions;
    check_one_stdin(of.skeleton.iter().chain(&of.motion).chain([&args.file]))?;
    let format = args.format()?;
    match content::read(disk, &args.file, args.input)? {
        Content::Atlas(file) => {
            let target = match format {
                WrittenFormat::Atlas(target) => target,
                WrittenFormat::Json => AtlasTarget::Json(None),
                WrittenFormat::Character(target) => AtlasTarget::Character(target),
                WrittenFormat::Motion(_) => {
                    let why = "an atlas has no bones; expected an output like .pct, .json or .pchr";
                    return Err(args.no_way(why));
                }
            };
            if !of.motion.is_empty() || of.skeleton.is_some() || of.animation.is_some() {
                return Err(args.no_way(
                    "an atlas has no bones; --motion, --skeleton and --animation are for motions",
                ));
            }
            let convert = ConvertAtlas {
                target,
                output: &args.output,
                image_format: args.image_format,
                safe_names: args.safe_names,
                json: args.json,
            };
            convert.run(&file, messages, disk)
        }
        Content::Character(input) if !matches!(format, WrittenFormat::Motion(_)) => {
            character(input, format, args, messages, disk)
        }
        content => motion(content, format, args, messages, disk),
    }
}

/// Motions, a skeleton or both.
fn motion(
    content: Content,
    format: WrittenFormat,
    args: &ConvertArgs,
    messages: &Messages,
    disk: &Disk,
) -> Result<(), Failure> {
    let target = args.of_motion(format)?;
    let of = &args.motions;
    if of.motion_scale != 1.0 || of.in_place || of.keep_frames {
        return Err(args.no_way(
            "--motion-scale, --in-place and --keep-frames are for adding motions to a character",
        ));
    }
    let Some(rig) = MotionRig::of(content, &args.file) else {
        return Err(args.no_way("an atlas has no bones"));
    };
    let rig = rig.with_motions(&of.motion, args.input, disk)?;
    let (output, json, input) = (args.output.as_path(), args.json, args.input);
    ConvertMotions { target, output, json, args: of, input }.run(rig, messages, disk)
}

fn character(
    input: Input,
    format: WrittenFormat,
    args: &ConvertArgs,
    messages: &Messages,
    disk: &Disk,
) -> Result<(), Failure> {
    let target = match format {
        WrittenFormat::Character(target) => target,
        WrittenFormat::Json => CharacterTarget::Json(Dialect::Pchr),
        WrittenFormat::Atlas(_) => {
            let file = input::name(&args.file);
            return Err(args.no_way(&format!(
                "a character has no sprites; to draw some: pchr-view capture {file} -a all -f all -o OUT.pct"
            )));
        }
        WrittenFormat::Motion(_) => return Err(args.no_way("a character cannot become a motion")),
    };
    let source = input.document.source().id();
    let mut remarks = Remarks::about(&input.name, images::check(&input), Losses::default());
    let (input, of_motions) = with_motions(input, args, messages, disk)?;
    remarks.extend(of_motions);
    let input = images::convert(input, args.image_format, messages)?;
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
) -> Result<(Input, Remarks), Failure> {
    let of = &args.motions;
    if !of.motion.is_empty() {
        return of.apply(input, args.input, messages, disk);
    }
    if of.animation.is_some() || of.skeleton.is_some() {
        return Err(args.no_way(
            "a character is always converted as a whole; --animation and --skeleton are for motions",
        ));
    }
    Ok((input, Remarks::default()))
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

const PCHR_JSON: WrittenFormat = WrittenFormat::Character(CharacterTarget::Json(Dialect::Pchr));
const PACHARIO: WrittenFormat = WrittenFormat::Character(CharacterTarget::Json(Dialect::Pachario));
const DRAGONBONES: WrittenFormat = WrittenFormat::Character(CharacterTarget::DragonBones);
const GLB: WrittenFormat = WrittenFormat::Motion(MotionTarget::Gltf(Container::Binary));
const GLTF: WrittenFormat = WrittenFormat::Motion(MotionTarget::Gltf(Container::Text));

/// Extensions of files and their formats; the longest that matches is used.
const ENDINGS: [(&str, WrittenFormat); 10] = [
    (".pchr", WrittenFormat::Character(CharacterTarget::Pchr)),
    (".json", WrittenFormat::Json),
    ("_ske.json", DRAGONBONES),
    (".pct", WrittenFormat::Atlas(AtlasTarget::Pct)),
    (".seanim", WrittenFormat::Motion(MotionTarget::Seanim)),
    (".seanim.json", WrittenFormat::Motion(MotionTarget::SeanimJson)),
    (".anm.pxd", WrittenFormat::Motion(MotionTarget::PxdAnimation)),
    (".skl.pxd", WrittenFormat::Motion(MotionTarget::PxdSkeleton)),
    (".glb", GLB),
    (".gltf", GLTF),
];

fn any_format() -> impl TypedValueParser<Value = WrittenFormat> {
    let written = WrittenFormat::Motion;
    one_of([
        ("pchr", "PCHR v1", WrittenFormat::Character(CharacterTarget::Pchr)),
        ("pchr-json", "PCHR JSON, the mirror of the binary", PCHR_JSON),
        ("pachario|pachario-json", "Pachario JSON", PACHARIO),
        ("dragonbones", "DragonBones 5.5 JSON, with an atlas", DRAGONBONES),
        ("pct", "PCT, Phaser's compact atlas", WrittenFormat::Atlas(AtlasTarget::Pct)),
        ("seanim", "SEAnim, a 3D motion", written(MotionTarget::Seanim)),
        ("seanim-json", "The JSON mirror of SEAnim", written(MotionTarget::SeanimJson)),
        ("anm-pxd", "PXD animation, of the Hedgehog Engine", written(MotionTarget::PxdAnimation)),
        ("skl-pxd", "PXD skeleton", written(MotionTarget::PxdSkeleton)),
        ("glb", "glTF as one binary file", GLB),
        ("gltf", "glTF as text", GLTF),
    ])
}

fn json_dialect() -> impl TypedValueParser<Value = WrittenFormat> {
    let atlas = |dialect| WrittenFormat::Atlas(AtlasTarget::Json(Some(dialect)));
    one_of([
        ("pchr", "PCHR JSON, for a character", PCHR_JSON),
        ("pachario", "Pachario JSON, for a character", PACHARIO),
        (
            "hash",
            "TexturePacker's hash, for an atlas with one page",
            atlas(atlas_json::AtlasDialect::Hash),
        ),
        (
            "array",
            "TexturePacker's array, for an atlas with one page",
            atlas(atlas_json::AtlasDialect::Array),
        ),
        ("multiatlas", "Phaser's multi-atlas", atlas(atlas_json::AtlasDialect::MultiAtlas)),
    ])
}
