//! `pchr pack`: any file that is read to one binary file; a folder of pictures to an atlas.

use std::path::PathBuf;

use clap::Args;

use super::content::{self, Content};
use super::images::{self, ImageFormatArg};
use super::pack_folder::{FolderArgs, MaxSize, PackFolder};
use super::written::{self, Target, Written};
use crate::run::input::InputArgs;
use crate::run::messages::Messages;
use crate::run::{Disk, Failure};

/// What is asked for.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr pack hero.json -o hero.pchr
  pchr pack hero.json -o hero.pchr --image-format rgba8888
  pchr pack - -o - < hero.json > hero.pchr
  pchr pack hero.json -o hero.legacy.pchr --legacy
  pchr pack pictures -o atlas.pct
  pchr pack pictures -o atlas.pct --page-size 1024 --padding 1 --power-of-two

Either JSON dialect is read; the images that it names are looked for beside it. PNG files are packed as they are, so \
what was unpacked and not changed is packed to the same bytes again.

The PNG files in a folder, and in those below it, are packed to a PCT atlas and its pages, atlas.png, or atlas_0.png, \
atlas_1.png and so on. Sprites are named by their paths below the folder, without .png. Frames, whose names differ in their \
last number only, are trimmed alike if they are of one size: to the box around all that is seen in them, in several parts only \
where no page could hold that. Pictures that are the same share one place, and the trim of the first.")]
pub(super) struct PackArgs {
    /// The JSON file, or any other that pchr reads, or a folder of PNG files; - reads a file from stdin
    #[arg(value_name = "FILE|DIR")]
    file: PathBuf,
    /// Read images that a JSON file names outside of its folder, too
    #[arg(long)]
    allow_outside: bool,
    /// Read files of up to this size, like 512MiB or 3GiB [default: 4GiB, 1GiB from a pipe; 2GiB for an image]; for a folder it
    /// is --page-size, in pixels
    #[arg(long, value_name = "SIZE", value_parser = MaxSize::parse)]
    max_size: Option<MaxSize>,
    /// The .pchr file to write, for a folder the .pct file; - writes a .pchr file to stdout
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,
    /// Encode every image like this [default: as the file says]
    #[arg(long, value_enum, value_name = "FORMAT")]
    image_format: Option<ImageFormatArg>,
    /// Write a legacy packed file (JSON and one PNG in one), for programs that read nothing else
    #[arg(long)]
    legacy: bool,
    #[command(flatten)]
    folder: FolderArgs,
    /// Say on stdout, as JSON, what was written
    #[arg(long)]
    json: bool,
}

/// Runs it.
pub(super) fn run(args: &PackArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    written::check_stdout(&args.output, args.json)?;
    if args.file.is_dir() {
        return folder(args, messages, disk);
    }
    if let Some(option) = args.folder.given() {
        let file = args.file.display();
        return Err(Failure::Usage(format!(
            "{option} is for folders of PNG files, and {file} is none"
        )));
    }
    if args.legacy && args.image_format == Some(ImageFormatArg::Rgba8888) {
        let text =
            "a legacy packed file holds a PNG: --legacy does not go with --image-format rgba8888";
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
                "{name}: an atlas is not packed to a character; pchr convert {name} -o {output} makes one of it"
            )));
        }
        Content::Gltf(file) => {
            return Err(Failure::Usage(file.refusal("no character is packed from")));
        }
        Content::Pxd(file) => {
            return Err(Failure::Usage(file.refusal("no character is packed from")));
        }
        Content::Motion(motion) => {
            let name = motion.name;
            return Err(Failure::Usage(format!(
                "{name}: a motion is not packed to a character; pchr convert {name} -o OUT.seanim writes SEAnim"
            )));
        }
    };
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

fn folder(args: &PackArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    let given = [
        ("--legacy", args.legacy),
        ("--image-format", args.image_format.is_some()),
        ("--allow-outside", args.allow_outside),
    ];
    if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
        let folder = args.file.display();
        return Err(Failure::Usage(format!(
            "{option} is not for folders, and {folder} is one"
        )));
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
