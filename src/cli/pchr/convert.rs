//! `pchr convert`: between all formats that are read and written.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::content::{self, Content};
use super::images::{self, ImageFormatArg};
use super::written::{self, Target, Written};
use super::{atlas, motion};
use crate::format::{atlas_json, json};
use crate::run::input::{self, Input, InputArgs};
use crate::run::messages::Messages;
use crate::run::{Disk, Failure};

/// What is asked for.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr convert hero.json -o hero.pchr
  pchr convert hero.legacy.pchr -o hero.pchr
  pchr convert hero.pchr -o out/hero.json --to pachario
  pchr convert hero.pchr -o hero.raw.pchr --image-format rgba8888
  pchr convert hero.pct -o out/hero.json --dialect array
  pchr convert texturepacker.json -o hero.pct
  pchr convert hero.pct -o hero.pchr
  pchr convert walk.seanim -o walk.json
  pchr convert walk.json -o clean.seanim

What the other format has no words for is listed. Images lie beside a JSON file, by their names.

An atlas becomes another text; its page images are copied to the folder of the output, if that is another one, and stay as \
they are. As a character, each flip-book is an animation that shows one sprite after the other; each sprite has its state in \
each frame, and a file of more than 1 GiB is refused.

A 3D motion becomes SEAnim or its JSON mirror, which says every value bit for bit. SEAnim is written in its canonical form: \
counts, bits and widths of indices as the format demands, and no reserved, additional or trailing bytes; names, keys, notes and \
their order stay.")]
pub(super) struct ConvertArgs {
    /// The file; - reads it from stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    input: InputArgs,
    /// The file to write; its ending says the format: .pchr, .json, .pct, .seanim or .seanim.json; - writes to stdout
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,
    /// The format, whatever the ending [default of .json: pchr-json; of an atlas: as --dialect says; of a motion: seanim-json]
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<To>,
    /// In which words JSON is written [default: pchr; of an atlas: hash or, for several pages, multiatlas]
    #[arg(long, value_enum, value_name = "DIALECT", conflicts_with = "to")]
    dialect: Option<JsonDialect>,
    /// Encode every image like this [default: as the file says]
    #[arg(long, value_enum, value_name = "FORMAT")]
    image_format: Option<ImageFormatArg>,
    /// Give images whose names would leave the folder, and sprites and pages that PCT cannot name, other names instead of refusing
    /// them
    #[arg(long)]
    safe_names: bool,
    /// Say on stdout, as JSON, what was written
    #[arg(long)]
    json: bool,
}

/// A format to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum To {
    /// PCHR v1
    Pchr,
    /// PCHR JSON, the mirror of the binary
    PchrJson,
    /// Pachario JSON
    #[value(alias = "pachario-json")]
    Pachario,
    /// PCT, Phaser's compact atlas
    Pct,
    /// SEAnim, a 3D motion
    Seanim,
    /// The JSON mirror of SEAnim
    SeanimJson,
}

/// A dialect of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum JsonDialect {
    /// PCHR JSON, of a character
    Pchr,
    /// Pachario JSON, of a character
    Pachario,
    /// TexturePacker's hash, of an atlas with one page
    Hash,
    /// TexturePacker's array, of an atlas with one page
    Array,
    /// Phaser's multi-atlas
    Multiatlas,
}

/// A format to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Character(Target),
    Atlas(atlas::Target),
    Motion(motion::Target),
    /// JSON in the usual words for what it says.
    Json,
}

/// Endings of files and their formats; the longest that fits counts.
const ENDINGS: [(&str, Format); 5] = [
    (".pchr", Format::Character(Target::Pchr)),
    (".json", Format::Json),
    (".pct", Format::Atlas(atlas::Target::Pct)),
    (".seanim", Format::Motion(motion::Target::Seanim)),
    (".seanim.json", Format::Motion(motion::Target::SeanimJson)),
];

impl From<To> for Format {
    fn from(to: To) -> Self {
        match to {
            To::Pchr => Self::Character(Target::Pchr),
            To::PchrJson => Self::Character(Target::Json(json::Dialect::Pchr)),
            To::Pachario => Self::Character(Target::Json(json::Dialect::Pachario)),
            To::Pct => Self::Atlas(atlas::Target::Pct),
            To::Seanim => Self::Motion(motion::Target::Seanim),
            To::SeanimJson => Self::Motion(motion::Target::SeanimJson),
        }
    }
}

impl From<JsonDialect> for Format {
    fn from(dialect: JsonDialect) -> Self {
        let atlas = |dialect| Self::Atlas(atlas::Target::Json(Some(dialect)));
        match dialect {
            JsonDialect::Pchr => Self::Character(Target::Json(json::Dialect::Pchr)),
            JsonDialect::Pachario => Self::Character(Target::Json(json::Dialect::Pachario)),
            JsonDialect::Hash => atlas(atlas_json::Dialect::Hash),
            JsonDialect::Array => atlas(atlas_json::Dialect::Array),
            JsonDialect::Multiatlas => atlas(atlas_json::Dialect::MultiAtlas),
        }
    }
}

impl ConvertArgs {
    fn format(&self) -> Result<Format, Failure> {
        if let Some(to) = self.to {
            return Ok(to.into());
        }
        let name = self.output.to_string_lossy().to_ascii_lowercase();
        let fits = |(ending, _): &&(&str, Format)| name.ends_with(*ending);
        let ending = ENDINGS.iter().filter(fits).max_by_key(|(end, _)| end.len());
        let format = ending.map(|(_, format)| *format);
        match (format, self.dialect) {
            (Some(Format::Json), Some(dialect)) => Ok(dialect.into()),
            (_, Some(dialect)) if self.output == Path::new("-") => Ok(dialect.into()),
            (_, Some(_)) => Err(Failure::Usage(format!(
                "{}: --dialect is for .json",
                self.output.display()
            ))),
            (Some(format), None) => Ok(format),
            (None, None) => {
                let endings = ENDINGS.map(|(ending, _)| ending).join(", ");
                Err(Failure::Usage(format!(
                    "{}: the ending says no format that is written ({endings}); --to names one",
                    self.output.display()
                )))
            }
        }
    }

    /// The format that a motion is written in.
    fn of_motion(&self, format: Format) -> Result<motion::Target, Failure> {
        let images = [
            ("--image-format", self.image_format.is_some()),
            ("--safe-names", self.safe_names),
        ];
        if let Some((option, _)) = images.into_iter().find(|(_, given)| *given) {
            return Err(self.no_way(&format!("{option} is for images, and a motion has none")));
        }
        match format {
            Format::Motion(target) => Ok(target),
            Format::Json => Ok(motion::Target::SeanimJson),
            Format::Character(_) => Err(self.no_way(
                "a motion alone is no character: it has keys of bones, but neither meshes nor a skeleton; write .seanim or, for its JSON \
                 mirror, .seanim.json",
            )),
            Format::Atlas(_) => Err(self.no_way(
                "a motion has no pictures for an atlas; write .seanim or, for its JSON mirror, .seanim.json",
            )),
        }
    }

    /// The failure of a conversion that there is not: why, and another way.
    fn no_way(&self, why: &str) -> Failure {
        Failure::Usage(format!("{}: {why}", input::name(&self.file)))
    }
}

/// Runs it.
pub(super) fn run(args: &ConvertArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    written::check_stdout(&args.output, args.json)?;
    let format = args.format()?;
    match content::read(disk, &args.file, args.input)? {
        Content::Character(input) => character(input, format, args, messages, disk),
        Content::Atlas(file) => {
            let target = match format {
                Format::Atlas(target) => target,
                Format::Json => atlas::Target::Json(None),
                Format::Character(target) => atlas::Target::Character(target),
                Format::Motion(_) => {
                    let why = "an atlas moves no bones; .pct, .json and .pchr are written";
                    return Err(args.no_way(why));
                }
            };
            let convert = atlas::Convert {
                target,
                output: &args.output,
                image_format: args.image_format,
                safe_names: args.safe_names,
                json: args.json,
            };
            convert.run(&file, messages, disk)
        }
        Content::Pxd(file) => Err(Failure::Usage(
            file.refusal("no other format is written from"),
        )),
        Content::Motion(input) => {
            let target = args.of_motion(format)?;
            let convert = motion::Convert {
                target,
                output: &args.output,
                json: args.json,
            };
            convert.run(&input, messages, disk)
        }
    }
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
        Format::Json => Target::Json(json::Dialect::Pchr),
        Format::Atlas(_) => {
            let file = input::name(&args.file);
            return Err(args.no_way(&format!(
                "a character has no sprites yet; pchr-view capture {file} -a all -f all -o OUT.pct draws them"
            )));
        }
        Format::Motion(_) => {
            let why = "a character is not written as a 3D motion; .pchr and .json are written";
            return Err(args.no_way(why));
        }
    };
    let odd = images::check(&input);
    let input = images::convert(input, args.image_format, messages)?;
    Written::of(&input, odd)
        .safe_names(args.safe_names)
        .write(target, &args.output, messages, disk)?
        .report(args.json)
}
