//! Inspects, validates, packs, unpacks and converts PCHR characters.

use std::process::ExitCode;

fn main() -> ExitCode {
    pchr_tools::cli::pchr::main(env!("PCHR_VERSION"))
}
