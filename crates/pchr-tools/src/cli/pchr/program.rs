//! The program that a command is about.

use clap::{Args, ValueEnum};

/// A program of the package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Program {
    /// Reads, checks and converts
    Pchr,
    /// Shows and captures
    PchrView,
}

impl Program {
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
pub(super) struct ProgramArgs {
    /// For this program only [default: both]
    #[arg(long, value_enum, value_name = "PROGRAM")]
    program: Option<Program>,
}

impl ProgramArgs {
    /// The program that was chosen, or all.
    pub(super) fn programs(self) -> Vec<Program> {
        self.program.map_or_else(
            || Program::value_variants().to_vec(),
            |program| vec![program],
        )
    }
}
