//! Keeps what libwayland says off stderr.
//!
//! Mesa's Vulkan drivers look for a Wayland display also where nothing is shown, and libwayland calls it an `error:` if
//! `XDG_RUNTIME_DIR` is not set, as in every container. The drivers offer no way to ask them not to, and a process cannot
//! safely change its own environment; so the program takes its own place, with the variable set to a folder that is not
//! there.

use std::os::unix::process::CommandExt as _;
use std::process::Command;

const VARIABLE: &str = "XDG_RUNTIME_DIR";

/// Restarts the program in the same process if the variable is missing. Returns where it is set; also if that fails,
/// since two extra lines of output must not stop the program.
pub(super) fn with_runtime_dir() {
    let value = std::env::var_os(VARIABLE).unwrap_or_default();
    if value.as_encoded_bytes().starts_with(b"/") {
        return;
    }
    let mut args = std::env::args_os();
    if let (Ok(program), Some(name)) = (std::env::current_exe(), args.next()) {
        let mut again = Command::new(program);
        again.arg0(name).args(args).env(VARIABLE, "/nonexistent");
        drop(again.exec()); // returns only if it failed
    }
}
