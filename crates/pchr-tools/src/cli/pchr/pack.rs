//! `pchr pack`: any file that is read to one binary file; a folder of pictures to an atlas.

use std::path::PathBuf;

use clap::Args;

use super::content::{self, Content};
use super::images::{self, ImageFormatArg};
use super::pack_folder::{FolderArgs, MaxSize, PackFolder};
use super::report::Remarks;
use super::written::{self, CharacterTarget, WrittenDocument};
use pchr::format::Losses;

use crate::run::input::InputArgs;
use crate::run::messages::Messages;
use crate::run::{Disk, Failure};

/// Arguments of `pack`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr pack hero.json -o hero.pchr
  pchr pack hero.json -o hero.pchr --image-format rgba8888
  pchr pack - -o - < hero.json > hero.pchr
  pchr pack hero.json -o hero.legacy.pchr --legacy
  pchr pack pictures -o atlas.pct
  pchr pack pictures -o atlas.pct --page-size 1024 --padding 1 --power-of-two

Both JSON dialects are read; images are read from the folder of the JSON file. PNG files are packed unchanged, so an unpacked file that was not edited packs to the same bytes again.

The PNG files in a folder and its subfolders are packed into a PCT atlas and its pages: atlas.png, or atlas_0.png, atlas_1.png and so on. Sprites are named by their paths in the folder, without .png. Frames (pictures whose names differ only in their last number) that have the same size are trimmed to one common box, around everything visible in them; they get several boxes only if the common box would not fit on a page. Identical pictures share one place on a page, trimmed as the first is.")]
pub(super) struct PackArgs {
    /// The JSON file, any other character file, or a folder of PNG files; - reads a file from standard input
    #[arg(value_name = "FILE|DIR")]
    file: PathBuf,
    /// Also read images outside the folder of the JSON file that names them
    #[arg(long)]
    allow_outside: bool,
    /// Read files of up to this size, like 512MiB or 3GiB [default: 4GiB, 1GiB from a pipe; 2GiB for an image]; for a folder,
    /// the same as --page-size, in pixels
    #[arg(long, value_name = "SIZE", value_parser = MaxSize::parse)]
    max_size: Option<MaxSize>,
    /// The .pchr file to write, or for a folder the .pct file; - writes a .pchr file to standard output
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,
    /// Encoding of every image [default: as in the file]
    #[arg(long, value_enum, value_name = "FORMAT")]
    image_format: Option<ImageFormatArg>,
    /// Write a legacy packed file (JSON and a PNG in one file), for programs that read nothing else
    #[arg(long)]
    legacy: bool,
    #[command(flatten)]
    folder: FolderArgs,
    /// Print a JSON report of the files written
    #[arg(long)]
    json: bool,
}

/// Runs `pack`.
pub(super) fn run(args: &PackArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    written::check_stdout(&args.output, args.json)?;
    if args.file.is_dir() {
        return folder(args, messages, disk);
    }
    if let Some(option) = args.folder.given() {
        let file = args.file.display();
        return Err(Failure::Usage(format!(
            "{option} is for folders of PNG files; {file} is a file"
        )));
    }
    if args.legacy && args.image_format == Some(ImageFormatArg::Rgba8888) {
        let text = "--legacy and --image-format rgba8888 cannot be combined: a legacy packed file holds a PNG";
        return Err(Failure::Usage(text.into()));
    }
    let input = InputArgs {
        allow_outside: args.allow_outside,
        max_size: args.max_size.map(|size| size.number),
    };
    let input = match content::read(disk, &args.file, input)? {
        Content::Character(input) => input,
        Content::Atlas(atlas) => {
            let (name, output) = (atlas.name(), args.output.display());
            return Err(Failure::Usage(format!(
                "{name}: an atlas cannot be packed; to make a character from it: pchr convert {name} -o {output}"
            )));
        }
        other @ (Content::Gltf(_) | Content::Pxd(_)) => {
            return Err(other.refusal("cannot pack a character from"));
        }
        Content::Motion(motion) => {
            let name = motion.name;
            return Err(Failure::Usage(format!(
                "{name}: a motion cannot be packed; to write SEAnim: pchr convert {name} -o OUT.seanim"
            )));
        }
    };
    let odd = images::check(&input);
    let input = images::convert(input, args.image_format, messages)?;
    let written = WrittenDocument {
        input: &input,
        format: input.document.source().id(),
        remarks: Remarks::about(&input.name, odd, Losses::default()),
        target: if args.legacy { CharacterTarget::Legacy } else { CharacterTarget::Pchr },
        output: &args.output,
        safe_names: false,
        json: args.json,
    };
    written.run(messages, disk)
}

fn folder(args: &PackArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    let given = [
        ("--legacy", args.legacy),
        ("--image-format", args.image_format.is_some()),
        ("--allow-outside", args.allow_outside),
    ];
    if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
        let folder = args.file.display();
        return Err(Failure::Usage(format!("{option} is for files; {folder} is a folder")));
    }
    let pack = PackFolder {
        folder: &args.file,
        output: &args.output,
        args: &args.folder,
        page_size: args.max_size,
        json: args.json,
    };
    pack.run(messages, disk)
}
