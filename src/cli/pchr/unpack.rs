//! `pchr unpack`: a file to JSON and PNG images in a folder.

use std::path::{Path, PathBuf};

use clap::Args;

use super::images;
use super::written::{self, DialectArg, Target, Written};
use crate::run::input::{self, InputArgs};
use crate::run::messages::Messages;
use crate::run::{Disk, Failure};

/// What is asked for.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr unpack hero.pchr -o hero
  pchr unpack hero.pchr -o hero --dialect pachario
  pchr unpack hero.pchr -o - | head -20

Writes hero/hero.json, and every image as a PNG file of its name beside it; what is there is replaced. PCHR JSON says \
all that a file holds; what Pachario JSON has no words for is listed.")]
pub(super) struct UnpackArgs {
    /// The .pchr file, or any other that pchr reads; - reads it from stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    input: InputArgs,
    /// The folder to write to, which is made if need be; - writes the JSON alone to stdout
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// In which words
    #[arg(long, value_enum, default_value_t)]
    dialect: DialectArg,
    /// Give an image whose name would leave the folder another one instead of refusing it
    #[arg(long)]
    safe_names: bool,
    /// Say on stdout, as JSON, what was written
    #[arg(long)]
    json: bool,
}

/// Runs it.
pub(super) fn run(args: &UnpackArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    written::check_stdout(&args.output, args.json)?;
    let input = input::read(disk, &args.file, args.input)?;
    let odd = images::check(&input);
    let output = if args.output == Path::new("-") {
        args.output.clone()
    } else {
        args.output.join(input::stem(&args.file) + ".json")
    };
    Written::of(&input, odd)
        .safe_names(args.safe_names)
        .write(Target::Json(args.dialect.into()), &output, messages, disk)?
        .report(args.json)
}
