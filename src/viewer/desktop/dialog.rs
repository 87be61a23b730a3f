//! Dialogs of the system, the file manager, and names of exported files.

use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::process::Command;
#[cfg(not(windows))]
use std::process::Stdio;
use std::sync::Arc;

use winit::window::Window;

use pchr::overlay::{Layer, Letters, OverlayOptions};
use pchr::scene::Subject;
use pchr_tools::open::Openers;
use pchr_tools::typeface::{Fonts, WrittenNames};

use super::events;
use crate::viewer::problem::Problem;
use crate::viewer::state::Ask;

/// Result of a dialog: the chosen paths, none if it was cancelled.
pub(crate) type Picked = Result<Vec<PathBuf>, Problem>;

/// Opens a dialog over `window`, starting in a folder. Calls `answer` on another thread. Must be called on the window's
/// thread, since some systems require it.
pub(crate) fn open(
    (ask, openers): (&Ask, Openers),
    window: &Arc<Window>,
    folder: Option<PathBuf>,
    answer: impl FnOnce(Picked) + Send + 'static,
) {
    let (title, how) = match ask {
        Ask::Files => ("Open files", OPEN_OTHERWISE),
        Ask::Folder => ("Open a folder", OPEN_OTHERWISE),
        Ask::Stage => ("Add to the stage", "Hold Shift while you drop files on the window."),
        Ask::ExportFolder => ("Export to", "Or set `screenshots` in the settings file."),
        Ask::Compare => ("Compare with", "Hold Ctrl while you drop the file on the window."),
        Ask::Picture => (
            "Choose a background picture",
            "Or choose a colour in the background menu, without a dialog.",
        ),
        Ask::Reference => ("Choose a reference picture", "Drop the picture on the window."),
        Ask::Image(_) => {
            ("Choose a picture in place of the image", "Drop the picture on the atlas page.")
        }
        Ask::Missing(_) => {
            ("Locate the missing file", "Or change its path in the session, a text file.")
        }
    };
    let mut dialog = rfd::AsyncFileDialog::new().set_parent(window.as_ref()).set_title(title);
    if let Some(folder) = folder {
        dialog = dialog.set_directory(folder);
    }
    match ask {
        Ask::Files | Ask::Compare | Ask::Stage => {
            let all = openers.0.iter().flat_map(|opener| opener.endings).copied();
            let with_sessions: Vec<&str> = all.chain(["toml"]).collect();
            dialog = dialog.add_filter("All supported files", &with_sessions);
            for opener in openers.0.iter().filter(|opener| !opener.endings.is_empty()) {
                dialog = dialog.add_filter(opener.name, opener.endings);
            }
            dialog = dialog.add_filter("Sessions", &["toml"]).add_filter("All files", &["*"]);
        }
        Ask::Picture | Ask::Reference | Ask::Image(_) => {
            dialog = dialog.add_filter("PNG pictures", &["png"]);
        }
        Ask::Folder | Ask::ExportFolder | Ask::Missing(_) => {}
    }
    let picked: Pin<Box<dyn Future<Output = _> + Send>> = match ask {
        Ask::Folder | Ask::ExportFolder => Box::pin(dialog.pick_folders()),
        _ => Box::pin(dialog.pick_files()),
    };
    let window = Arc::clone(window); // the dialog knows it only by its number
    // If the system refuses threads, no dialog opens.
    let _ = events::start(move || {
        let picked: Option<Vec<rfd::FileHandle>> = pollster::block_on(picked);
        let paths = picked.map(|files| files.iter().map(|file| file.path().to_owned()).collect());
        answer(answer_of(how, paths));
        drop(window);
    });
}

/// What to do without dialogs for files.
const OPEN_OTHERWISE: &str =
    "Drop files on the window, paste a path, or name them on the command line.";

/// Returns the answer of a closed dialog. On Linux, where a portal or `zenity` shows the dialogs, a cancelled dialog
/// for files returns an empty list; `None` means that neither exists, and the answer says `how` to do without.
fn answer_of(how: &str, picked: Option<Vec<PathBuf>>) -> Picked {
    let tells = cfg!(all(unix, not(target_os = "macos")));
    match picked {
        None if tells => {
            let message = format!(
                "This desktop has no file dialogs: install xdg-desktop-portal or zenity. {how}"
            );
            Err(Problem::new("No file dialog", message))
        }
        None => Ok(Vec::new()),
        Some(paths) => Ok(paths),
    }
}

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
    run_command(Command::new("open").arg("-R").arg(file))
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
    run_command(&mut ask).or_else(|_| run_command(Command::new("xdg-open").arg(folder)))
}

/// Returns the `file:` URI of an absolute path. All but unreserved characters are escaped, commas too: they separate arguments of
/// `dbus-send`.
#[cfg(not(any(windows, target_os = "macos")))]
pub(super) fn uri(file: &Path) -> String {
    use std::os::unix::ffi::OsStrExt as _;

    use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
    const RESERVED: &AsciiSet =
        &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    format!("file://{}", percent_encode(file.as_os_str().as_bytes(), RESERVED))
}

/// Runs a command without a terminal, and waits for it.
#[cfg(not(windows))]
fn run_command(command: &mut Command) -> io::Result<()> {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
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
        assert_eq!(uri(Path::new("/a-b_c~d.e/1.png")), "file:///a-b_c~d.e/1.png");
    }
}

/// Names of the current subject, in the system's fonts.
#[derive(Debug, Default)]
pub(super) struct NameLetters {
    fonts: Fonts,
    /// Everything that they depend on: the model's serial number, a light background, and the scale.
    of: Option<(u64, bool, u32)>,
    written: Option<WrittenNames>,
}

impl NameLetters {
    /// Writes the names of a model whose serial number is given, if they are wanted and others than before. Returns true if the atlas
    /// is another one now.
    pub(super) fn update(
        &mut self,
        subject: &dyn Subject,
        serial: u64,
        options: &OverlayOptions,
    ) -> bool {
        let of = (serial, options.light, options.scale);
        if !options.has(Layer::Names) || self.of == Some(of) {
            return false;
        }
        self.of = Some(of);
        let before = self.written.is_some();
        // Of the fonts of the machine none is refused.
        self.written = WrittenNames::new(subject, options, &mut self.fonts).unwrap_or_default();
        before || self.written.is_some()
    }

    /// The names, if there are any.
    pub(super) fn letters(&self) -> Option<&Letters> {
        self.written.as_ref().map(|written| &written.letters)
    }
}

#[cfg(test)]
mod name_tests {
    use super::*;

    #[test]
    fn what_was_picked_is_the_answer_and_nothing_is_one_too() {
        let picked = vec![PathBuf::from("a"), PathBuf::from("b")];
        assert_eq!(answer_of("", Some(picked.clone())), Ok(picked));
        assert_eq!(answer_of("", Some(Vec::new())), Ok(Vec::new()));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_dialog_that_cannot_be_shown_is_a_problem_that_says_what_to_do() {
        let problem = answer_of(OPEN_OTHERWISE, None).unwrap_err();
        assert_eq!(problem.title, "No file dialog");
        assert!(problem.message.ends_with("paste a path, or name them on the command line."));
    }
}
