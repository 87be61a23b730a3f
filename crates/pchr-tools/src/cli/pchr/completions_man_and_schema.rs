//! What `pchr` says about both programs: `pchr completions` and `pchr man` (completion scripts for shells, and manual pages, generated
//! from the command lines and the `--help`), and `pchr schema` (the JSON Schemas of inputs and outputs).

use std::io;
use std::path::PathBuf;

use clap::{Args, Command, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use super::inspect::{
    AtlasInspection, CharacterInspection, GltfInspection, MotionInspection, PxdInspection,
};
use super::one_of;
use super::pose::PoseReport;
use super::report::WrittenReport;
use super::validate::FileReport;
use crate::changes::DiffReport;
use crate::cli::pchr_view::{CaptureReport, CompareReport, DoctorReport};
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, output};
use crate::suite;

/// A program of the package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ProgramName {
    /// Reads, checks and converts
    Pchr,
    /// Shows and captures
    PchrView,
}

impl ProgramName {
    fn command(self) -> clap::Command {
        match self {
            Self::Pchr => super::command(),
            Self::PchrView => crate::cli::pchr_view::command(),
        }
    }
}

/// The choice between them.
#[derive(Clone, Copy, Debug, Args)]
struct ProgramChoice {
    /// For this program only [default: both]
    #[arg(long, value_enum, value_name = "PROGRAM")]
    program: Option<ProgramName>,
}

impl ProgramChoice {
    /// The program that was chosen, or all.
    fn programs(self) -> Vec<ProgramName> {
        self.program.map_or_else(|| ProgramName::value_variants().to_vec(), |program| vec![program])
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr completions bash > ~/.local/share/bash-completion/completions/pchr
  pchr completions bash --program pchr-view > ~/.local/share/bash-completion/completions/pchr-view
  pchr completions zsh --program pchr > ~/.zfunc/_pchr
  pchr completions fish > ~/.config/fish/conf.d/pchr.fish
  pchr completions powershell >> pchr.ps1

Shells that load completions by program name (bash, zsh) need one file per program. If a shell reads a single file when it starts, that file can hold both.")]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
    #[command(flatten)]
    program: ProgramChoice,
}

pub(super) fn completions(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut scripts = String::new();
    for program in args.program.programs() {
        let script = script(program, args.shell)?;
        if scripts.is_empty() {
            scripts = script;
        } else {
            append(&mut scripts, &script);
        }
    }
    print(&scripts)
}

fn script(program: ProgramName, shell: Shell) -> Result<String, Failure> {
    let mut command = program.command();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, &name, &mut script);
    let script = String::from_utf8(script).map_err(|error| Failure::Running(error.into()))?;
    Ok(if shell == Shell::Bash { with_one_spelling(&script, &name) } else { script })
}

/// In bash, clap_complete spells the name of a program with a hyphen in two ways: it sets a command under one spelling, and
/// looks it up under the other: <https://github.com/clap-rs/clap/issues/6421>.
fn with_one_spelling(script: &str, name: &str) -> String {
    const THEN: &str = "__subcmd__";
    let [here, there] = ["__", THEN].map(|hyphen| name.replace('-', hyphen) + THEN);
    script.replace(&there, &here)
}

/// Appends a script to another. PowerShell allows `using` only at the beginning, and the first script already has it.
fn append(scripts: &mut String, script: &str) {
    scripts.push('\n');
    for line in script.lines().filter(|line| !line.starts_with("using ")) {
        scripts.push_str(line);
        scripts.push('\n');
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr man --program pchr > pchr.1
  pchr man -o share/man/man1

Without -o, only each program's main page goes to standard output; read it with `man -l -`. With -o, each command gets its own page, like pchr-inspect.1.")]
pub(super) struct ManArgs {
    #[command(flatten)]
    program: ProgramChoice,
    /// Write all pages, including those of commands, to files in this folder
    #[arg(short, long, value_name = "FOLDER", value_hint = clap::ValueHint::DirPath)]
    output: Option<PathBuf>,
}

pub(super) fn man(args: &ManArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    let pages = args.program.programs().into_iter().map(|program| pages(program.command()));
    let pages = pages.collect::<io::Result<Vec<_>>>()?;
    let Some(folder) = &args.output else {
        let first = pages.iter().filter_map(|pages| pages.first());
        let text: Vec<u8> = first.flat_map(|(_, text)| text.iter().copied()).collect();
        return Ok(output::write_stdout(&text)?);
    };
    for (file, text) in pages.iter().flatten() {
        let path = folder.join(file);
        output::make_folders([path.as_path()])?;
        disk.write(&path, text)?;
        messages.detail(&format!("wrote {}", path.display()));
    }
    Ok(())
}

/// The name of a file, and its text.
type ManPage = (String, Vec<u8>);

/// The page of a program, followed by those of its commands.
fn pages(program: Command) -> io::Result<Vec<ManPage>> {
    let mut program = program.disable_help_subcommand(true);
    program.build();
    let mut commands = vec![&program];
    let mut next = 0;
    while let Some(command) = commands.get(next) {
        commands.extend(command.get_subcommands());
        next += 1;
    }
    commands.iter().map(|command| page(&program, command)).collect()
}

fn page(program: &Command, command: &Command) -> io::Result<ManPage> {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").to_owned(); // shorter than a list of all options
    let man = Man::new(command.clone().override_usage(usage))
        .title(display_name(command).to_uppercase())
        .date("\"\"") // none: an empty argument would be dropped, and the others would move up
        .source(format!("{} {}", program.get_name(), crate::version()))
        .manual("User Commands");
    let help = help(program, command);
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    notes(&help).to_writer(&mut text)?;
    man.render_options_section(&mut text)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut text)?;
    }
    sections(&help).to_writer(&mut text)?;
    see_also(program, command).to_writer(&mut text)?;
    Ok((man.get_filename(), portable(&text)))
}

/// Joins sections that each repeat the same definitions into one page, in ASCII: formatters guess other encodings.
fn portable(text: &[u8]) -> Vec<u8> {
    let preamble = Roff::new().render();
    let text = String::from_utf8_lossy(text).replace(&preamble, "");
    let letter = |letter: char| match letter.is_ascii() {
        true => letter.to_string(),
        false => format!("\\[u{:04X}]", u32::from(letter)),
    };
    (preamble + &text.chars().map(letter).collect::<String>()).into_bytes()
}

fn display_name(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

/// The pages of the programs, of the program's commands, and of those below this one.
fn see_also(program: &Command, command: &Command) -> Roff {
    let programs = ProgramName::value_variants().iter();
    let programs = programs.map(|program| program.command().get_name().to_owned());
    let is_program = display_name(command) == display_name(program);
    let below = command.get_subcommands().filter(|_| !is_program);
    let commands = program.get_subcommands().chain(below).map(display_name);
    let pages = programs.chain(commands.map(str::to_owned));
    let mut line = Vec::new();
    for name in pages.filter(|name| name != display_name(command)) {
        if !line.is_empty() {
            line.push(roman(", "));
        }
        line.extend([bold(name), roman("(1)")]);
    }
    let mut roff = Roff::new();
    if !line.is_empty() {
        roff.control("SH", ["SEE ALSO"]).text(line);
    }
    roff
}

/// Paragraphs of the help of a command, with the exit codes of its program if it states none.
fn help(program: &Command, command: &Command) -> Vec<String> {
    let mut help = paragraphs(command);
    if !help.iter().any(|text| exit_codes(text).is_some()) {
        let inherited = paragraphs(program).into_iter();
        help.extend(inherited.filter(|text| exit_codes(text).is_some()));
    }
    help
}

/// Paragraphs without a heading, which belong to the description.
fn notes(help: &[String]) -> Roff {
    let mut roff = Roff::new();
    for text in help.iter().filter(|text| heading(text).is_none() && exit_codes(text).is_none()) {
        roff.control("PP", []).text([roman(text.as_str())]);
    }
    roff
}

/// The paragraphs that have a heading, line by line, and the exit codes.
fn sections(help: &[String]) -> Roff {
    let mut roff = Roff::new();
    for text in help {
        if let Some(codes) = exit_codes(text) {
            roff.control("SH", ["EXIT STATUS"]);
            for (code, meaning) in codes {
                roff.control("TP", ["4"]).text([roman(code)]);
                roff.text([roman(meaning)]);
            }
        } else if let Some((heading, lines)) = heading(text) {
            roff.control("SH", [heading.to_uppercase().as_str()]);
            roff.control("nf", []);
            for line in lines.lines() {
                roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
            }
            roff.control("fi", []);
        }
    }
    roff
}

fn paragraphs(command: &Command) -> Vec<String> {
    let help = command.get_after_long_help().or_else(|| command.get_after_help());
    let help = help.map(ToString::to_string).unwrap_or_default();
    let paragraphs = help.split("\n\n").map(str::trim_end);
    paragraphs.filter(|text| !text.is_empty()).map(str::to_owned).collect()
}

/// The heading and the indented lines below it, like `Examples:`.
fn heading(text: &str) -> Option<(&str, &str)> {
    let (heading, lines) = text.split_once('\n')?;
    let heading = heading.strip_suffix(':')?;
    let indented = lines.lines().all(|line| line.starts_with("  "));
    indented.then_some((heading, lines))
}

/// Codes and their meanings, from `Exit codes: 0 done, 4 errors, or warnings`.
fn exit_codes(text: &str) -> Option<Vec<(&str, String)>> {
    let list = text.strip_prefix("Exit codes: ")?;
    let mut codes: Vec<(&str, String)> = Vec::new();
    for part in list.split(", ") {
        let code = part.split_once(' ');
        match code.filter(|(code, _)| code.parse::<u8>().is_ok()) {
            Some((code, meaning)) => codes.push((code, meaning.to_owned())),
            None => codes.last_mut()?.1.push_str(&format!(", {part}")),
        }
    }
    Some(codes)
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr schema > pchr.schema.json
  pchr schema pachario > pachario.schema.json
  pchr schema validate | head -n 3

The schemas follow draft 2020-12.")]
pub(super) struct SchemaArgs {
    /// The file or output that the schema describes
    #[arg(value_name = "NAME", value_parser = one_of(SCHEMAS.map(|row| (row.0, about(row), row))), default_value = "pchr")]
    name: SchemaRow,
}

/// A file format or output with a schema: its name, the title of its schema if that is made, what it is if it is not just the output
/// of the title, and its schema as text.
type SchemaRow = (&'static str, &'static str, &'static str, fn(&str) -> Result<String, Failure>);

/// What a schema describes.
fn about((_, title, about, _): SchemaRow) -> String {
    if about.is_empty() { format!("Output of {title}") } else { about.to_owned() }
}

const SCHEMAS: [SchemaRow; 20] = [
    (
        "pchr",
        "",
        "PCHR JSON, the mirror of the binary format: pchr pack reads it, pchr unpack writes it",
        |_| Ok(PCHR.to_owned()),
    ),
    (
        "pachario",
        "",
        "Pachario JSON, as the Blender add-on exports it",
        |_| Ok(PACHARIO.to_owned()),
    ),
    (
        "seanim",
        "",
        "The JSON mirror of SEAnim, a 3D motion: pchr convert reads and writes it",
        |_| Ok(SEANIM.to_owned()),
    ),
    ("inspect", "pchr inspect --json", "", of::<CharacterInspection>),
    ("inspect-atlas", "pchr inspect --json for an atlas", "", of::<AtlasInspection>),
    ("inspect-motion", "pchr inspect --json for a 3D motion", "", of::<MotionInspection>),
    (
        "inspect-pxd",
        "pchr inspect --json for a PXD file",
        "Output of pchr inspect --json for a PXD file, an animation or a skeleton",
        of::<PxdInspection>,
    ),
    ("inspect-gltf", "pchr inspect --json for a glTF file", "", of::<GltfInspection>),
    ("validate", "pchr validate --json", "", of::<Vec<FileReport>>),
    ("pose", "pchr pose --json", "", of::<PoseReport>),
    ("diff", "pchr diff --json", "", of::<DiffReport>),
    ("convert", "pchr pack, unpack and convert --json", "", of::<WrittenReport>),
    ("capture", "pchr-view capture --json", "", of::<CaptureReport>),
    ("compare", "pchr-view compare --json", "", of::<CompareReport>),
    ("doctor", "pchr-view doctor --json", "", of::<DoctorReport>),
    (
        "suite",
        "pchr-view suite",
        "A suite of captures in TOML, the input of pchr-view test",
        |title| made(title, suite::suite_schema()),
    ),
    (
        "session",
        "pchr-view session",
        "A session in TOML, a view that was saved in the window: the input of pchr-view and pchr-view capture",
        |title| made(title, crate::session::schema()),
    ),
    (
        "report",
        "pchr-view report",
        "report.json of pchr-view test, and its --json output",
        |title| made(title, suite::report_schema()),
    ),
    ("baseline", "pchr-view baseline", "baseline.json beside the baselines of a case", |title| {
        made(title, suite::baseline_schema())
    }),
    ("bench", "pchr-view bench --json", "", |title| made(title, crate::bench::schema())),
];

/// The dialects are file formats: their schemas are written by hand, and published as they are.
const PCHR: &str = include_str!("../../../schemas/pchr.schema.json");
const PACHARIO: &str = include_str!("../../../schemas/pachario.schema.json");
const SEANIM: &str = include_str!("../../../schemas/seanim.schema.json");

pub(super) fn schema(args: &SchemaArgs) -> Result<(), Failure> {
    let (_, title, _, text) = args.name;
    print(&text(title)?)
}

fn print(text: &str) -> Result<(), Failure> {
    Ok(output::write_stdout(text.as_bytes())?)
}

/// The schema of an output.
fn of<T: JsonSchema>(title: &str) -> Result<String, Failure> {
    made(title, output::schema::<T>())
}

/// A schema generated from the code, as text. Its descriptions are doc comments, broken into lines like the code.
fn made(title: &str, mut schema: Schema) -> Result<String, Failure> {
    RecursiveTransform(unwrap_description).transform(&mut schema);
    schema.insert("title".to_owned(), title.into());
    if schema.get("description").is_none() {
        schema.insert("description".to_owned(), format!("Output of {title}.").into());
    }
    let mut text = serde_json::to_string_pretty(&schema).map_err(anyhow::Error::from)?;
    text.push('\n');
    Ok(text)
}

fn unwrap_description(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
}
