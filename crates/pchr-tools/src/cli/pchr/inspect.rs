//! `pchr inspect`: the contents of a file, for people and for programs.

mod atlas;
mod extent;
mod gather;
pub(super) mod grid;
mod motion;
mod pixels;
mod report;
mod skin;
mod tables;
#[cfg(test)]
mod tests;
mod text;
pub(super) mod words;

use std::path::PathBuf;

use clap::Args;

use pchr::character::Character;
use pchr::finding::{Findings, Severity};
use pchr::pose::BindChoice;

pub(super) use self::atlas::schema as atlas_schema;
use self::extent::Extent;
use self::gather::Gather;
pub(super) use self::motion::{gltf_schema, pxd_schema, schema as motion_schema};
pub(super) use self::report::schema;
use crate::cli::pchr::content::{self, Content};
use crate::cli::pchr::findings::Fold;
use crate::run::input::{Input, InputArgs};
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, output};

/// Arguments of `inspect`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr inspect hero.pchr
  pchr inspect --images hero.pchr
  pchr inspect --all hero.pchr | less
  pchr inspect --json hero.pchr | jq -r '.animations[] | [.name, .frameCount, .seconds] | @tsv'
  pchr inspect --json hero.pchr | jq -r '.meshes[] | select(.owner == 3).name'
  pchr inspect - < hero.pchr
  pchr inspect hero.pct
  pchr inspect --json hero.pct | jq -r '.totals.fillPercent, .asJson.smallerPercent'
  pchr inspect walk.seanim
  pchr inspect --json walk.seanim | jq -r '.tracks[] | [.name, .rotation.keys] | @tsv'
  pchr inspect walk.anm.pxd
  pchr inspect hero.glb
  pchr inspect --json walk.anm.pxd | jq '.animation.clips[0].tracks[].rotation.bits.max'

Byte ranges exclude their end: 0x0c..0x2f is 0x23 bytes from 0x0c. Lengths and bounds are in world pixels, Y up. The bounds of an animation cover what is drawn in all of its frames. Names longer than 120 characters end in … (--json has them in full); names with invisible characters are quoted and escaped. -q leaves out the tables, -v lists everything.

For an atlas: pages with the real sizes of their images, blocks, flip-books, folders, aliases and sprites; how full the pages are; and how much smaller its text is than compact JSON.

For a 3D motion: header, sections, the keys of each bone and whether they are sorted, modifiers, and notes by frame.

For a PXD animation: its container; for each clip compressed with ACL, its formats, its size compared with raw samples, its segments, and the storage and bit rates of each track; for an uncompressed clip, the keys of each bone. For a PXD skeleton: its bones with their parents and rest transforms.

With only warnings, the exit code is still 0. If a file cannot be loaded, only its errors are printed, and the exit code is 4. With --images, an image that does not decode also gives exit code 4, after everything is printed.")]
pub(super) struct InspectArgs {
    /// The file; - reads it from standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    input: InputArgs,
    /// Print everything as JSON. `pchr schema inspect` prints its schema; for other files: `pchr schema inspect-atlas`,
    /// `inspect-motion`, `inspect-pxd` and `inspect-gltf`
    #[arg(long)]
    json: bool,
    /// Also decode the images: real sizes, colour types, percentages of opaque, translucent and transparent pixels
    #[arg(long)]
    images: bool,
    /// List everything, like -v; otherwise long tables end after 40 lines, with the number of lines left out
    #[arg(long)]
    all: bool,
}

/// Runs `inspect`.
pub(super) fn run(args: &InspectArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    let detail = text::Detail::of(messages, args.all);
    match content::read(disk, &args.file, args.input)? {
        Content::Character(input) => character(input, args, detail, messages),
        Content::Atlas(file) => atlas::run(&file, args, detail, disk),
        Content::Motion(input) => motion::run(&input, args, detail),
        Content::Pxd(file) => motion::run_pxd(&file, args, detail),
        Content::Gltf(file) => motion::run_gltf(&file, args, detail),
    }
}

/// Reports the contents of a character.
fn character(
    input: Input,
    args: &InspectArgs,
    detail: text::Detail,
    messages: &Messages,
) -> Result<(), Failure> {
    let document = &input.document;
    let character = Character::new(document.clone(), BindChoice::Auto);
    let mut later = Findings::default();
    character.bind().report(document, &mut later);
    let decoded = if args.images {
        pixels::decode(document, &mut later)
    } else {
        Vec::new()
    };
    let mut findings = document.warnings().clone();
    findings.extend(input.in_file(later));
    let folds = Fold::all(&findings);
    let extent = Extent::new(&character);
    if !extent.exact {
        let file = &input.name;
        messages.note(&format!(
            "{file}: too many vertices and frames to measure; some bounds are larger than what is drawn"
        ));
    }
    let report = Gather {
        file: &input.name,
        character: &character,
        folds: &folds,
        extent: &extent,
        decoded: &decoded,
    }
    .run();
    if args.json {
        output::write_json(&report)?;
    } else {
        let text = text::text(&report, &folds, document.source(), detail);
        output::write_text(text.as_bytes()).map_err(anyhow::Error::from)?;
    }
    if findings.total(Severity::Error) > 0 {
        return Err(Failure::Invalid {
            file: input.name,
            findings,
        });
    }
    Ok(())
}
