//! `pchr pack`: any file that is read to one binary file.

use std::path::PathBuf;

use clap::Args;

use super::images::{self, ImageFormatArg};
use super::written::{self, Target, Written};
use crate::run::input::{self, InputArgs};
use crate::run::messages::Messages;
use crate::run::{Disk, Failure};

/// What is asked for.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr pack hero.json -o hero.pchr
  pchr pack hero.json -o hero.pchr --image-format rgba8888
  pchr pack - -o - < hero.json > hero.pchr
  pchr pack hero.json -o hero.legacy.pchr --legacy

Either JSON dialect is read; the images that it names are looked for beside it. PNG files are packed as they are, so \
what was unpacked and not changed is packed to the same bytes again.")]
pub(super) struct PackArgs {
    /// The JSON file, or any other that pchr reads; - reads it from stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    input: InputArgs,
    /// The .pchr file to write; - writes it to stdout
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,
    /// Encode every image like this [default: as the file says]
    #[arg(long, value_enum, value_name = "FORMAT")]
    image_format: Option<ImageFormatArg>,
    /// Write a legacy packed file (JSON and one PNG in one), for programs that read nothing else
    #[arg(long)]
    legacy: bool,
    /// Say on stdout, as JSON, what was written
    #[arg(long)]
    json: bool,
}

/// Runs it.
pub(super) fn run(args: &PackArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    written::check_stdout(&args.output, args.json)?;
    if args.legacy && args.image_format == Some(ImageFormatArg::Rgba8888) {
        let text =
            "a legacy packed file holds a PNG: --legacy does not go with --image-format rgba8888";
        return Err(Failure::Usage(text.into()));
    }
    let input = input::read(disk, &args.file, args.input)?;
    let odd = images::check(&input);
    let input = images::convert(input, args.image_format, messages)?;
    let target = if args.legacy {
        Target::Legacy
    } else {
        Target::Pchr
    };
    Written::of(&input, odd)
        .write(target, &args.output, messages, disk)?
        .report(args.json)
}
