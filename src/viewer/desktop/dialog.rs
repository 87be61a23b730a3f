//! The system's dialogs. They stay open on their own thread while the window keeps running.

use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;

use winit::window::Window;

use pchr_tools::open::Openers;

use super::threads;
use crate::viewer::problem::Problem;

/// Purpose of a dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    /// One or several files to show.
    Files,
    /// Folders to show.
    Folder,
    /// A picture to lay behind the character.
    Picture,
    /// A picture to compare the character with.
    Reference,
    /// The file that a missing one is now.
    Missing,
}

/// Result of a dialog: the chosen paths, none if it was cancelled.
pub(crate) type Answer = Result<Vec<PathBuf>, Problem>;

/// Opens a dialog over `window`, starting in a folder. Calls `answer` on another thread. Must be called on the window's
/// thread, since some systems require it.
pub(crate) fn open(
    (ask, openers): (Ask, Openers),
    window: &Arc<Window>,
    folder: Option<PathBuf>,
    answer: impl FnOnce(Answer) + Send + 'static,
) {
    let mut dialog = rfd::AsyncFileDialog::new().set_parent(window.as_ref());
    if let Some(folder) = folder {
        dialog = dialog.set_directory(folder);
    }
    match ask {
        Ask::Files => {
            let mut dialog = dialog.set_title("Open files");
            let all: Vec<&str> = openers
                .0
                .iter()
                .flat_map(|opener| opener.endings)
                .copied()
                .collect();
            let with_sessions: Vec<&str> = all.iter().copied().chain(["toml"]).collect();
            dialog = dialog.add_filter("All supported files", &with_sessions);
            let offered = openers.0.iter().filter(|opener| !opener.endings.is_empty());
            for opener in offered {
                dialog = dialog.add_filter(opener.name, opener.endings);
            }
            let dialog = dialog
                .add_filter("Sessions", &["toml"])
                .add_filter("All files", &["*"]);
            run(ask, window, dialog.pick_files(), answer);
        }
        Ask::Missing => {
            let dialog = dialog.set_title("Locate the missing file");
            run(ask, window, dialog.pick_files(), answer);
        }
        Ask::Folder => {
            let dialog = dialog.set_title("Open a folder");
            run(ask, window, dialog.pick_folders(), answer);
        }
        Ask::Picture | Ask::Reference => {
            let title = match ask {
                Ask::Reference => "Choose a reference picture",
                _ => "Choose a background picture",
            };
            let dialog = dialog.set_title(title).add_filter("PNG pictures", &["png"]);
            run(ask, window, dialog.pick_files(), answer);
        }
    }
}

fn run(
    ask: Ask,
    window: &Arc<Window>,
    picked: impl Future<Output = Option<Vec<rfd::FileHandle>>> + Send + 'static,
    answer: impl FnOnce(Answer) + Send + 'static,
) {
    let window = Arc::clone(window); // the dialog knows it only by its number
    // If the system refuses threads, no dialog opens.
    let _ = threads::start(move || {
        let picked = pollster::block_on(picked);
        let paths = picked.map(|files| files.iter().map(|file| file.path().to_owned()).collect());
        answer(answer_of(ask, paths));
        drop(window);
    });
}

/// Returns the answer of a closed dialog. On Linux, where a portal or `zenity` shows the dialogs, a cancelled dialog
/// for files returns an empty list; `None` means that neither exists.
fn answer_of(ask: Ask, picked: Option<Vec<PathBuf>>) -> Answer {
    let tells = cfg!(all(unix, not(target_os = "macos")));
    match picked {
        None if tells => {
            let how = match ask {
                Ask::Files | Ask::Folder => {
                    "Drop files on the window, paste a path, or name them on the command line."
                }
                Ask::Picture => "Or choose a colour in the background menu, without a dialog.",
                Ask::Reference => "Drop the picture on the window.",
                Ask::Missing => "Or change its path in the session, a text file.",
            };
            let message = format!(
                "This desktop has no file dialogs: install xdg-desktop-portal or zenity. {how}"
            );
            Err(Problem::new("No file dialog", message))
        }
        None => Ok(Vec::new()),
        Some(paths) => Ok(paths),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_picked_is_the_answer_and_nothing_is_one_too() {
        let picked = vec![PathBuf::from("a"), PathBuf::from("b")];
        assert_eq!(answer_of(Ask::Files, Some(picked.clone())), Ok(picked));
        assert_eq!(answer_of(Ask::Folder, Some(Vec::new())), Ok(Vec::new()));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_dialog_that_cannot_be_shown_is_a_problem_that_says_what_to_do() {
        let problem = answer_of(Ask::Files, None).unwrap_err();
        assert_eq!(problem.title, "No file dialog");
        assert!(
            problem
                .message
                .ends_with("paste a path, or name them on the command line.")
        );
    }
}
