//! `pchr completions`: scripts with which a shell completes the command lines of both programs.

use clap::{Args, ValueEnum};
use clap_complete::Shell;

use crate::run::{Failure, output};

/// A program of the package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ProgramName {
    /// Reads, checks and converts
    Pchr,
    /// Shows and captures
    PchrView,
}

impl ProgramName {
    /// Its command line.
    pub(super) fn command(self) -> clap::Command {
        match self {
            Self::Pchr => super::command(),
            Self::PchrView => crate::cli::pchr_view::command(),
        }
    }
}

/// The choice between them.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct ProgramChoice {
    /// For this program only [default: both]
    #[arg(long, value_enum, value_name = "PROGRAM")]
    program: Option<ProgramName>,
}

impl ProgramChoice {
    /// The program that was chosen, or all.
    pub(super) fn programs(self) -> Vec<ProgramName> {
        self.program.map_or_else(|| ProgramName::value_variants().to_vec(), |program| vec![program])
    }
}

/// Arguments of `completions`.
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

/// Prints the scripts.
pub(super) fn run(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut scripts = String::new();
    for program in args.program.programs() {
        let script = script(program, args.shell)?;
        if scripts.is_empty() {
            scripts = script;
        } else {
            append(&mut scripts, &script);
        }
    }
    output::write_stdout(scripts.as_bytes()).map_err(|error| Failure::Running(error.into()))
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
