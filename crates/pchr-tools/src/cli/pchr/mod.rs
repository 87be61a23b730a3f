//! `pchr`: inspects, validates, packs, unpacks, converts. A file for each command, or for a few that belong together.

mod atlas;
mod completions_man_and_schema;
mod content;
mod convert;
mod diff;
mod images;
mod inspect;
mod motion;
mod pack;
mod pose;
mod report;
mod unpack;
mod validate;
mod written;

use std::process::ExitCode;

use clap::builder::{PossibleValue, PossibleValuesParser, StyledStr, TypedValueParser};
use clap::{Parser, Subcommand};

use self::completions_man_and_schema::{CompletionsArgs, ManArgs, SchemaArgs};
use super::{Disk, Failure, Verbosity, finish, parse};
use crate::open::Openers;
use crate::run::input::InputArgs;
use crate::run::messages::Messages;
use crate::text::words;

/// Inspects, validates, packs, unpacks and converts PCHR characters, texture atlases and 3D motions.
#[derive(Debug, Parser)]
#[command(
    name = "pchr",
    version = crate::version(),
    help_expected = true,
    after_help = "Examples:
  pchr inspect hero.pchr
  pchr validate --strict art/*.pchr
  pchr unpack hero.pchr -o hero
  pchr pack hero/hero.json -o hero.pchr
  pchr pack pictures -o atlas.pct
  pchr convert walk.seanim -o walk.json
  pchr diff old.pchr new.pchr

FILE is a character: .pchr, legacy packed, PCHR JSON or Pachario JSON; a texture atlas: PCT, TexturePacker JSON or Phaser's multi-atlas JSON; or a 3D motion or skeleton: SEAnim, its JSON mirror, PXD (.anm.pxd, .skl.pxd) or glTF. It is recognised by its content; - reads it from standard input.

Exit codes: 0 done, 1 failed while running, 2 usage, 3 files differ, 4 invalid input file"
)]
struct PchrArgs {
    #[command(subcommand)]
    command: PchrCommand,
    #[command(flatten)]
    verbosity: Verbosity,
}

#[derive(Debug, Subcommand)]
enum PchrCommand {
    /// Prints the contents of a file
    Inspect(inspect::InspectArgs),
    /// Checks files against the rules of their format
    Validate(validate::ValidateArgs),
    /// Packs JSON and its images into one file, or pictures into an atlas
    Pack(pack::PackArgs),
    /// Unpacks a file into JSON and PNG images
    Unpack(unpack::UnpackArgs),
    /// Converts between formats
    Convert(convert::ConvertArgs),
    /// Lists the changes between two files
    Diff(diff::DiffArgs),
    /// Prints the transforms of every bone, as a reference for engines
    Pose(pose::PoseArgs),
    /// Prints the JSON Schema of a JSON dialect or of --json output
    Schema(SchemaArgs),
    /// Prints completions for a shell
    Completions(CompletionsArgs),
    /// Prints the manual pages, or writes them to a folder
    Man(ManArgs),
}

/// What the parts of a command share: its messages, the disk, and the options of reading.
#[derive(Clone, Copy)]
struct Run<'a> {
    messages: &'a Messages,
    disk: &'a Disk,
    input: InputArgs,
}

/// Runs `pchr` with the process's arguments.
#[must_use]
pub fn main(version: &'static str) -> ExitCode {
    let args = match parse::<PchrArgs>("pchr", version) {
        Ok(args) => args,
        Err(code) => return code,
    };
    finish(args.verbosity, Openers::ALL, |messages, disk| match &args.command {
        PchrCommand::Inspect(args) => inspect::run(args, messages, disk),
        PchrCommand::Validate(args) => validate::run(args, messages, disk),
        PchrCommand::Pack(args) => pack::run(args, messages, disk),
        PchrCommand::Unpack(args) => unpack::run(args, messages, disk),
        PchrCommand::Convert(args) => convert::run(args, messages, disk),
        PchrCommand::Diff(args) => diff::run(args, messages, disk),
        PchrCommand::Pose(args) => pose::run(args, messages, disk),
        PchrCommand::Schema(args) => completions_man_and_schema::schema(args),
        PchrCommand::Completions(args) => completions_man_and_schema::completions(args),
        PchrCommand::Man(args) => completions_man_and_schema::man(args, messages, disk),
    })
}

/// Returns a parser of one of several names, each with its help; aliases follow a name after `|`.
fn one_of<T: Clone + Send + Sync + 'static, const N: usize>(
    values: [(&'static str, impl Into<StyledStr>, T); N],
) -> impl TypedValueParser<Value = T> {
    let mut shown = Vec::new();
    let values = values.map(|(names, help, value)| {
        let (name, alias) = names.split_once('|').unwrap_or((names, ""));
        let help: StyledStr = help.into();
        let shown_value = PossibleValue::new(name).help(help);
        shown.push(shown_value.aliases((!alias.is_empty()).then_some(alias)));
        (names, value)
    });
    PossibleValuesParser::new(shown).try_map(move |name| {
        let value = values.iter().find(|(names, _)| names.split('|').any(|it| it == name));
        value.map(|(_, value)| value.clone()).ok_or("unknown")
    })
}

/// Index of the animation that `--animation` names: by its name, or its index. Messages call the file `file`.
fn chosen<'n>(
    wanted: &str,
    names: impl ExactSizeIterator<Item = &'n str> + Clone,
    file: &str,
) -> Result<usize, Failure> {
    let index = wanted.strip_prefix('#').unwrap_or(wanted).parse().ok();
    let index = index.filter(|index: &usize| *index < names.len());
    let named = names.clone().position(|name| name == wanted);
    named.or(index).ok_or_else(|| {
        let there = animations_in_words(names);
        Failure::Usage(format!("{file}: no animation is named {wanted:?}; the file has {there}"))
    })
}

/// Number and names of animations.
fn animations_in_words<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    if names.len() == 0 {
        return "no animations".to_owned();
    }
    let count = words::count(names.len(), "animation", "animations");
    let len = names.len();
    format!("{count}: {}", words::listed(names, len))
}

/// The command line of the program, for completions and man pages.
fn command() -> clap::Command {
    <PchrArgs as clap::CommandFactory>::command()
}
