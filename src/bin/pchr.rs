//! Inspects, validates, packs, unpacks and converts PCHR characters.

use std::process::ExitCode;

fn main() -> ExitCode {
    pchr_view::cli::pchr::main()
}
