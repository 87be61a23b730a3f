//! `pchr unpack`: a file to JSON and PNG images in a folder.

use std::path::{Path, PathBuf};

use clap::Args;

use super::atlas::Unpack;
use super::content::{self, Content};
use super::report::Remarks;
use super::written::{self, CharacterTarget, WrittenDocument};
use super::{images, one_of};
use pchr::format::Losses;
use pchr::format::json::Dialect;

use crate::run::input::{self, InputArgs};
use crate::run::messages::Messages;
use crate::run::{Disk, Failure};

/// Arguments of `unpack`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr unpack hero.pchr -o hero
  pchr unpack hero.pchr -o hero --dialect pachario
  pchr unpack hero.pchr -o - | head -20
  pchr unpack hero.pct -o sprites
  pchr unpack hero.pct -o sprites --trimmed

Writes hero/hero.json and, beside it, each image as a PNG file with the image's name; existing files are replaced. PCHR JSON keeps the whole character; anything that Pachario JSON cannot hold is listed.

From an atlas, each sprite becomes a PNG file at the size of its source; its name gives the file name and the folders. Nothing else is written. If a name ends in an extension other than .png, .png is added after it. Names that lead outside the folder, or that some systems treat as the same file, are refused.")]
pub(super) struct UnpackArgs {
    /// The .pchr file, the atlas, or any other character file; - reads it from standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    input: InputArgs,
    /// The folder to write to, created if missing; - writes only the JSON, to standard output
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// JSON dialect for a character [default: pchr]
    #[arg(long, value_parser = one_of([
        ("pchr", "PCHR JSON, the mirror of the binary", Dialect::Pchr),
        ("pachario", "Pachario JSON", Dialect::Pachario),
    ]))]
    dialect: Option<Dialect>,
    /// Write the sprites of an atlas trimmed, as on their pages, but upright
    #[arg(long)]
    trimmed: bool,
    /// Rename images and sprites whose names lead outside the folder, instead of failing
    #[arg(long)]
    safe_names: bool,
    /// Print a JSON report of the files written
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &UnpackArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    written::check_stdout(&args.output, args.json)?;
    let stdout = args.output == Path::new("-");
    let input = match content::read(disk, &args.file, args.input)? {
        Content::Character(input) => input,
        other @ (Content::Gltf(_) | Content::Pxd(_)) => {
            return Err(other.refusal("cannot unpack images from"));
        }
        Content::Motion(motion) => {
            let name = motion.name;
            return Err(Failure::Usage(format!(
                "{name}: a motion has no images to unpack; to write its JSON mirror: pchr convert {name} -o OUT.json"
            )));
        }
        Content::Atlas(_) if stdout => {
            let text = "an atlas is unpacked to many files; expected a folder instead of -";
            return Err(Failure::Usage(text.into()));
        }
        Content::Atlas(_) if args.dialect.is_some() => {
            let text = "--dialect is for characters; this is an atlas";
            return Err(Failure::Usage(text.into()));
        }
        Content::Atlas(file) => {
            let unpack =
                Unpack { folder: &args.output, trimmed: args.trimmed, safe_names: args.safe_names };
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
    let written = WrittenDocument {
        input: &input,
        format: input.document.source().id(),
        remarks: Remarks::about(&input.name, odd, Losses::default()),
        target: CharacterTarget::Json(args.dialect.unwrap_or_default()),
        output: &output,
        safe_names: args.safe_names,
        json: args.json,
    };
    written.run(messages, disk)
}
