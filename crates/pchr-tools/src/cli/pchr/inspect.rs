//! `pchr inspect`: the contents of a file, for people and for programs.

mod atlas;
mod character;
mod gltf;
mod motion;
pub(super) mod page;
mod pxd;

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use pchr::finding::{Findings, Severity};

pub(super) use self::atlas::AtlasInspection;
pub(super) use self::character::CharacterInspection;
pub(super) use self::gltf::GltfInspection;
pub(super) use self::motion::MotionInspection;
pub(super) use self::pxd::PxdInspection;

use self::page::TextPage;
use crate::cli::pchr::content::{self, Content};
use crate::cli::pchr::report::Fold;
use crate::run::input::InputArgs;
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, output};

/// Lines of a table that is not shown whole.
const LISTED: usize = 40;

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

/// A report: serialised, it is the JSON; described, the text.
trait Inspection: Serialize {
    /// Adds title, facts and tables to a page.
    fn describe(&self, page: &mut TextPage);
}

pub(super) fn run(args: &InspectArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    let limit = match (messages.quiet, args.all || messages.verbose) {
        (true, _) => 0,
        (false, true) => usize::MAX,
        (false, false) => LISTED,
    };
    match content::read(disk, &args.file, args.input)? {
        Content::Character(input) => {
            let measured = character::MeasuredCharacter::new(&input, args.images);
            measured.remark().iter().for_each(|it| messages.note(it));
            let folds = Fold::all(&measured.findings);
            write(&character::report(&measured, &folds), &folds, args, limit)?;
            refuse_errors(&input.name, measured.findings)
        }
        Content::Atlas(file) => {
            let sheet = file.sheet(disk);
            let findings = atlas::check(&sheet, args.images);
            let folds = Fold::all(&findings);
            write(&atlas::report(&file, &sheet, &folds)?, &folds, args, limit)?;
            refuse_errors(&file.name, findings)
        }
        Content::Motion(input) => {
            let folds = Fold::all(&input.file.warnings);
            write(&motion::report(&input, &folds), &folds, args, limit)
        }
        Content::Pxd(input) => {
            let folds = Fold::all(&input.file.warnings);
            write(&pxd::report(&input, &folds), &folds, args, limit)
        }
        Content::Gltf(input) => {
            let folds = Fold::all(&input.file.warnings);
            write(&gltf::report(&input, &folds), &folds, args, limit)
        }
    }
}

/// Writes a report as JSON or text.
fn write(
    report: &impl Inspection,
    folds: &[Fold],
    args: &InspectArgs,
    limit: usize,
) -> Result<(), Failure> {
    if args.json {
        return output::write_json(report);
    }
    let mut page = TextPage::new(limit);
    report.describe(&mut page);
    let text = page.finish(folds);
    Ok(output::write_text(text.as_bytes()).map_err(anyhow::Error::from)?)
}

/// Fails if there is an error: an image that does not decode.
fn refuse_errors(file: &str, findings: Findings) -> Result<(), Failure> {
    if findings.total(Severity::Error) > 0 {
        let file = file.to_owned();
        return Err(Failure::Invalid { file, findings });
    }
    Ok(())
}

/// Number of times that each index below `len` occurs.
fn tally(len: usize, indices: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut tally = vec![0; len];
    for index in indices {
        if let Some(count) = tally.get_mut(index) {
            *count += 1;
        }
    }
    tally
}
