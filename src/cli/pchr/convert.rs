//! `pchr convert`: between all formats that are read and written.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::atlas::{self, Content};
use super::images::{self, ImageFormatArg};
use super::written::{self, Target, Written};
use crate::format::{atlas_json, json};
use crate::run::input::{self, InputArgs};
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

What the other format has no words for is listed. Images lie beside a JSON file, by their names.

An atlas becomes another text; its page images are copied to the folder of the output, if that is another one, and stay as \
they are. As a character, each flip-book is an animation that shows one sprite after the other; each sprite has its state in \
each frame, and a file of more than 1 GiB is refused.")]
pub(super) struct ConvertArgs {
    /// The file; - reads it from stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    input: InputArgs,
    /// The file to write; its ending says the format: .pchr, .json or .pct; - writes to stdout
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,
    /// The format, whatever the ending [default of .json: pchr-json; of an atlas: as --dialect says]
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
    Pchr,
    Pct,
    Character(json::Dialect),
    Atlas(atlas_json::Dialect),
    /// JSON in the usual words.
    Json,
}

impl ConvertArgs {
    fn format(&self) -> Result<Format, Failure> {
        let of_json = |dialect: Option<JsonDialect>| match dialect {
            None => Format::Json,
            Some(JsonDialect::Pchr) => Format::Character(json::Dialect::Pchr),
            Some(JsonDialect::Pachario) => Format::Character(json::Dialect::Pachario),
            Some(JsonDialect::Hash) => Format::Atlas(atlas_json::Dialect::Hash),
            Some(JsonDialect::Array) => Format::Atlas(atlas_json::Dialect::Array),
            Some(JsonDialect::Multiatlas) => Format::Atlas(atlas_json::Dialect::MultiAtlas),
        };
        match self.to {
            Some(To::Pchr) => return Ok(Format::Pchr),
            Some(To::PchrJson) => return Ok(Format::Character(json::Dialect::Pchr)),
            Some(To::Pachario) => return Ok(Format::Character(json::Dialect::Pachario)),
            Some(To::Pct) => return Ok(Format::Pct),
            None => {}
        }
        let ending = self.output.extension();
        let ending = ending.map(|end| end.to_string_lossy().to_ascii_lowercase());
        match (ending.as_deref(), self.dialect) {
            (Some("json"), dialect) => Ok(of_json(dialect)),
            (_, Some(dialect)) if self.output == Path::new("-") => Ok(of_json(Some(dialect))),
            (_, Some(_)) => Err(Failure::Usage(format!(
                "{}: --dialect is for .json",
                self.output.display()
            ))),
            (Some("pchr"), None) => Ok(Format::Pchr),
            (Some("pct"), None) => Ok(Format::Pct),
            (_, None) => Err(Failure::Usage(format!(
                "{}: the ending says no format that is written (.pchr, .json, .pct); --to names one",
                self.output.display()
            ))),
        }
    }
}

/// Runs it.
pub(super) fn run(args: &ConvertArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    written::check_stdout(&args.output, args.json)?;
    let format = args.format()?;
    let input = match atlas::read(disk, &args.file, args.input)? {
        Content::Character(input) => input,
        Content::Atlas(file) => {
            let target = match format {
                Format::Pct => atlas::Target::Pct,
                Format::Json => atlas::Target::Json(None),
                Format::Atlas(dialect) => atlas::Target::Json(Some(dialect)),
                Format::Pchr => atlas::Target::Character(Target::Pchr),
                Format::Character(dialect) => atlas::Target::Character(Target::Json(dialect)),
            };
            let convert = atlas::Convert {
                target,
                output: &args.output,
                image_format: args.image_format,
                safe_names: args.safe_names,
                json: args.json,
            };
            return convert.run(&file, messages, disk);
        }
    };
    let target = match format {
        Format::Pchr => Target::Pchr,
        Format::Json => Target::Json(json::Dialect::Pchr),
        Format::Character(dialect) => Target::Json(dialect),
        Format::Pct | Format::Atlas(_) => {
            let file = input::name(&args.file);
            return Err(Failure::Usage(format!(
                "{file}: a character has no sprites yet; pchr-view capture {file} -a all -f all -o OUT.pct draws them"
            )));
        }
    };
    let odd = images::check(&input);
    let input = images::convert(input, args.image_format, messages)?;
    Written::of(&input, odd)
        .safe_names(args.safe_names)
        .write(target, &args.output, messages, disk)?
        .report(args.json)
}
