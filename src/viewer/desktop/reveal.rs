//! Shows a file in the system's file manager.

use std::io;
use std::path::Path;
use std::process::Command;
#[cfg(not(windows))]
use std::process::Stdio;

/// Opens the folder of a file in the file manager and selects the file there, if the file manager can.
///
/// # Errors
/// The system has no file manager, or it failed.
pub(super) fn reveal(file: &Path) -> io::Result<()> {
    let file = std::path::absolute(file)?;
    show(&file)
}

#[cfg(target_os = "macos")]
fn show(file: &Path) -> io::Result<()> {
    run(Command::new("open").arg("-R").arg(file))
}

#[cfg(windows)]
fn show(file: &Path) -> io::Result<()> {
    use std::os::windows::process::CommandExt as _;
    // Explorer reads its command line itself, and ends with 1 even if all is well.
    let mut command = Command::new("explorer");
    command.raw_arg(format!("/select,\"{}\"", file.display()));
    command.spawn().map(drop)
}

/// Asks the file manager over D-Bus (`org.freedesktop.FileManager1.ShowItems`). Without one, opens the folder.
#[cfg(not(any(windows, target_os = "macos")))]
fn show(file: &Path) -> io::Result<()> {
    let mut ask = Command::new("dbus-send");
    ask.args([
        "--session",
        "--print-reply",
        "--reply-timeout=3000",
        "--dest=org.freedesktop.FileManager1",
        "/org/freedesktop/FileManager1",
        "org.freedesktop.FileManager1.ShowItems",
        &format!("array:string:{}", uri(file)),
        "string:",
    ]);
    let folder = file.parent().unwrap_or(file);
    run(&mut ask).or_else(|_| run(Command::new("xdg-open").arg(folder)))
}

/// Returns the `file:` URI of an absolute path. All but unreserved characters are escaped, commas too: they separate arguments of
/// `dbus-send`.
#[cfg(not(any(windows, target_os = "macos")))]
fn uri(file: &Path) -> String {
    use std::os::unix::ffi::OsStrExt as _;

    use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
    const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'/')
        .remove(b'-')
        .remove(b'.')
        .remove(b'_')
        .remove(b'~');
    format!(
        "file://{}",
        percent_encode(file.as_os_str().as_bytes(), RESERVED)
    )
}

/// Runs a command without a terminal, and waits for it.
#[cfg(not(windows))]
fn run(command: &mut Command) -> io::Result<()> {
    let quiet = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let status = quiet.status()?;
    if status.success() {
        return Ok(());
    }
    let program = command.get_program().to_string_lossy().into_owned();
    Err(io::Error::other(format!("{program}: {status}")))
}

#[cfg(all(test, not(any(windows, target_os = "macos"))))]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_a_uri() {
        let path = Path::new("/home/a b/50%, über.png");
        assert_eq!(uri(path), "file:///home/a%20b/50%25%2C%20%C3%BCber.png");
        assert_eq!(
            uri(Path::new("/a-b_c~d.e/1.png")),
            "file:///a-b_c~d.e/1.png"
        );
    }
}
