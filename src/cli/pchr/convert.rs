//! `pchr convert`: between all formats that are read and written.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::images::{self, ImageFormatArg};
use super::written::{self, Target, Written};
use crate::format::json::Dialect;
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

What the other format has no words for is listed. Images lie beside a JSON file, by their names.")]
pub(super) struct ConvertArgs {
    /// The file; - reads it from stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    input: InputArgs,
    /// The file to write; its ending says the format: .pchr or .json; - writes to stdout
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,
    /// The format, whatever the ending [default of .json: pchr-json]
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<To>,
    /// Encode every image like this [default: as the file says]
    #[arg(long, value_enum, value_name = "FORMAT")]
    image_format: Option<ImageFormatArg>,
    /// Give an image whose name would leave the folder another one instead of refusing it
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
}

impl To {
    /// What the ending of a path asks for.
    fn of(path: &Path) -> Result<Self, Failure> {
        let ending = path
            .extension()
            .map(|end| end.to_string_lossy().to_ascii_lowercase());
        match ending.as_deref() {
            Some("pchr") => Ok(Self::Pchr),
            Some("json") => Ok(Self::PchrJson),
            _ => Err(Failure::Usage(format!(
                "{}: the ending says no format that is written (.pchr, .json); --to names one",
                path.display()
            ))),
        }
    }
}

/// Runs it.
pub(super) fn run(args: &ConvertArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    written::check_stdout(&args.output, args.json)?;
    let target = match args.to.map_or_else(|| To::of(&args.output), Ok)? {
        To::Pchr => Target::Pchr,
        To::PchrJson => Target::Json(Dialect::Pchr),
        To::Pachario => Target::Json(Dialect::Pachario),
    };
    let input = input::read(disk, &args.file, args.input)?;
    let odd = images::check(&input);
    let input = images::convert(input, args.image_format, messages)?;
    Written::of(&input, odd)
        .safe_names(args.safe_names)
        .write(target, &args.output, messages, disk)?
        .report(args.json)
}
