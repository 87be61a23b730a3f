//! `pchr validate`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::Failure;
use crate::cli::input::{self, InputArgs};
use crate::cli::messages::Messages;

/// What is asked for.
#[derive(Debug, Args)]
pub(super) struct ValidateArgs {
    /// The file; - reads it from stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    input: InputArgs,
}

/// Runs it.
pub(super) fn run(args: &ValidateArgs, messages: &Messages) -> Result<(), Failure> {
    let document = input::read(&args.file, args.input)?;
    messages.warnings(&input::name(&args.file), document.warnings());
    Ok(())
}
