//! `pchr-view thumbnail`: a small picture for file managers.

use std::path::PathBuf;

use clap::Args;

use pchr::image::{Effort, encode_png};

use crate::run::input::is_stdin;
use crate::run::{Disk, Failure, output};
use crate::thumbnail::Figure;

/// Arguments of `thumbnail`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr-view thumbnail hero.pchr hero.png
  pchr-view thumbnail hero.pchr hero.png -s 512

It shows the frame that a window starts with, fitted, transparent, and drawn by the CPU renderer. File managers run it if
assets/desktop is installed. An invalid file has no thumbnail: exit code 4.")]
pub(super) struct ThumbnailArgs {
    /// The file, or a session
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The PNG file to write; - writes it to standard output
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Width and height in pixels
    #[arg(short, long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(16..=2048))]
    size: u32,
}

pub(super) fn run(args: &ThumbnailArgs, disk: &Disk) -> Result<(), Failure> {
    let figure = Figure::read(disk, &args.file, args.size).map_err(in_one_line)?;
    disk.check([args.output.as_path()])?;
    let mut png = Vec::new();
    encode_png(&figure.thumbnail()?.pixels, Effort::Some, &mut png).map_err(anyhow::Error::from)?;
    match is_stdin(&args.output) {
        true => Ok(output::write_stdout(&png)?),
        false => Ok(disk.write_picture(&args.output, &png)?),
    }
}

/// The same failure without details, which nobody would read.
fn in_one_line(failure: Failure) -> Failure {
    match failure.code() {
        4 => Failure::Rejected(failure.to_string()),
        _ => failure,
    }
}
