//! Shows PCHR characters in a window, and captures them as pictures without opening one.

use std::process::ExitCode;

use pchr_tools::open::Openers;

fn main() -> ExitCode {
    pchr_view::main(Openers::ALL)
}
