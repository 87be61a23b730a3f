//! `pchr unpack`: a file to JSON and PNG images in a folder.

use std::path::{Path, PathBuf};

use clap::Args;

use super::atlas::Unpack;
use super::content::{self, Content};
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
  pchr unpack hero.pct -o sprites
  pchr unpack hero.pct -o sprites --trimmed

Writes hero/hero.json, and every image as a PNG file of its name beside it; what is there is replaced. PCHR JSON says \
all that a file holds; what Pachario JSON has no words for is listed.

Of an atlas, each sprite is a PNG file of its name, with its folders, as large as its source; nothing else is written. A name \
that has another ending keeps it before .png. Names that lead elsewhere, or are one file on some system, are refused.")]
pub(super) struct UnpackArgs {
    /// The .pchr file, the atlas, or any other that pchr reads; - reads it from stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    input: InputArgs,
    /// The folder to write to, which is made if need be; - writes the JSON alone to stdout
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// In which words; of a character [default: pchr]
    #[arg(long, value_enum)]
    dialect: Option<DialectArg>,
    /// Write the sprites of an atlas as they lie on their pages, without the empty borders that were cut off; upright
    #[arg(long)]
    trimmed: bool,
    /// Give an image or sprite whose name would leave the folder another one instead of refusing it
    #[arg(long)]
    safe_names: bool,
    /// Say on stdout, as JSON, what was written
    #[arg(long)]
    json: bool,
}

/// Runs it.
pub(super) fn run(args: &UnpackArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    written::check_stdout(&args.output, args.json)?;
    let stdout = args.output == Path::new("-");
    let input = match content::read(disk, &args.file, args.input)? {
        Content::Character(input) => input,
        Content::Gltf(file) => {
            return Err(Failure::Usage(
                file.refusal("there are no images to unpack from"),
            ));
        }
        Content::Pxd(file) => {
            return Err(Failure::Usage(
                file.refusal("there are no images to unpack from"),
            ));
        }
        Content::Motion(motion) => {
            let name = motion.name;
            return Err(Failure::Usage(format!(
                "{name}: a motion has no images to unpack; pchr convert {name} -o OUT.json writes its JSON mirror"
            )));
        }
        Content::Atlas(_) if stdout => {
            let text = "an atlas is unpacked to many files; - is not a folder";
            return Err(Failure::Usage(text.into()));
        }
        Content::Atlas(_) if args.dialect.is_some() => {
            let text = "--dialect is for characters; this is an atlas";
            return Err(Failure::Usage(text.into()));
        }
        Content::Atlas(file) => {
            let unpack = Unpack {
                folder: &args.output,
                trimmed: args.trimmed,
                safe_names: args.safe_names,
            };
            return unpack.run(&file, args.json, messages, disk);
        }
    };
    if args.trimmed {
        let text = "--trimmed is for atlases; this is a character";
        return Err(Failure::Usage(text.into()));
    }
    let odd = images::check(&input);
    let output = if stdout {
        args.output.clone()
    } else {
        args.output.join(input::stem(&args.file) + ".json")
    };
    let dialect = args.dialect.unwrap_or_default();
    Written::of(&input, odd)
        .safe_names(args.safe_names)
        .write(Target::Json(dialect.into()), &output, messages, disk)?
        .report(args.json)
}
