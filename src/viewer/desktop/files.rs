//! Opening of paths: files, folders and the clipboard's content become a list with one file chosen; dialogs of the system, which ask for
//! files; and the file manager, which shows them.

use std::future::Future;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::process::Command;
#[cfg(not(windows))]
use std::process::Stdio;
use std::sync::Arc;
use std::{fs, io};

use percent_encoding::percent_decode;
use winit::window::Window;

use pchr_tools::open::Openers;
use pchr_tools::session::is_session;
use pchr_tools::text::Natural;

use super::events;
use crate::viewer::loaded::Listing;
use crate::viewer::problem::Problem;
use crate::viewer::state::Ask;

/// Number of folder entries after which no deeper folders are searched.
const SEARCHED: usize = 100_000;
/// Bytes of a file that show its format.
const HEAD: u64 = 4096;

/// Lists the files that `paths` mean, as absolute paths. A folder means all files in and below it that can be opened,
/// sorted by name. Folders whose names begin with a dot are skipped.
///
/// # Errors
/// A [`Problem`] if there are no such files.
pub(crate) fn list(openers: Openers, paths: &[PathBuf]) -> Result<Listing, Problem> {
    let mut files = Vec::new();
    let mut unread = Vec::new();
    let (mut trouble, mut is_of_folder) = (None, false);
    for path in paths {
        if path.as_os_str() == "-" {
            files.push(path.clone());
            continue;
        }
        let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        if !path.is_dir() {
            files.push(path); // a missing file is reported when it is read
            continue;
        }
        is_of_folder = true;
        match below(openers, &path) {
            Ok(found) if found.files.is_empty() => {
                let title = format!("Nothing to show in {}", path.display());
                let message = match found.unread.first() {
                    None => format!("no {} file in it can be opened", openers.endings()),
                    Some(folder) => format!("{} cannot be read", folder.display()),
                };
                trouble = Some(Problem::new(title, message));
            }
            Ok(found) => {
                files.extend(found.files);
                unread.extend(found.unread);
            }
            Err(error) => {
                let title = format!("{} cannot be searched", path.display());
                trouble = Some(Problem::new(title, error.to_string()));
            }
        }
    }
    match trouble.filter(|_| files.is_empty()) {
        Some(problem) => Err(problem),
        None => Ok(Listing { files, unread, is_of_folder, ..Listing::default() }),
    }
}

/// Lists the files that dropped, pasted or picked `paths` mean. Of several, those that cannot be opened by themselves are skipped, such as the
/// pictures of a character.
///
/// # Errors
/// A [`Problem`] if there are no files to open.
pub(crate) fn list_openable(openers: Openers, paths: &[PathBuf]) -> Result<Listing, Problem> {
    if paths.len() < 2 {
        return list(openers, paths);
    }
    let paths = paths.iter().cloned();
    let (open, skipped): (Vec<_>, Vec<_>) = paths.partition(|path| may_open(openers, path));
    if open.is_empty() {
        let title = format!("None of the {} files can be opened", skipped.len());
        let message = format!("expected {} files", openers.endings());
        return Err(Problem::new(title, message));
    }
    let listing = list(openers, &open)?;
    Ok(Listing { skipped, ..listing })
}

/// Returns true for a file that looks like one to open, by its extension or its first bytes. Also for folders, pipes, and files that are
/// missing or cannot be read: opening them reports the reason.
fn may_open(openers: Openers, path: &Path) -> bool {
    if !path.is_file() || openers.is_in(path) || is_session(path) {
        return true;
    }
    let mut head = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    let others = openers.0.split_last().map_or(&[][..], |(_, others)| others);
    read.is_err()
        || head.starts_with(b"PCHR")
        || others.iter().any(|opener| (opener.recognises)(&head))
}

/// Returns the list of files in the folder of a single file, so that its neighbours can be opened. `path` is absolute.
/// Returns `None` if there are no neighbours.
pub(crate) fn siblings(openers: Openers, path: &Path) -> Option<Listing> {
    let name = path.file_name()?;
    let mut found = FolderContents::default();
    found.add(openers, path.parent()?).ok()?;
    let mut files = found.files;
    let is_it = |file: &PathBuf| file.file_name() == Some(name);
    if !files.iter().any(is_it) {
        files.push(path.to_owned()); // it has another extension
    }
    sort(&mut files);
    let chosen = files.iter().position(is_it)?;
    (files.len() > 1).then_some(Listing { files, chosen, ..Listing::default() })
}

/// Lists the files of a folder, then the files of the folders in it, and so on, and the folders among them that cannot be read.
fn below(openers: Openers, folder: &Path) -> io::Result<FolderContents> {
    let mut found = FolderContents::default();
    found.add(openers, folder)?;
    // The nearest folders first: they are all searched before deeper ones.
    let mut next = 0_usize;
    while let Some(folder) = found.folders.get(next).cloned() {
        next = next.saturating_add(1);
        if found.entries < SEARCHED
            && let Err(error) = found.add(openers, &folder)
            && error.kind() != io::ErrorKind::NotFound
        {
            found.unread.push(folder);
        }
    }
    sort(&mut found.files);
    found.files.sort_by_cached_key(|path| {
        let folder = path.parent().unwrap_or(path);
        let names = folder.iter().map(|name| name.to_string_lossy());
        names.map(|name| Natural::new(&name)).collect::<Vec<_>>()
    });
    Ok(found)
}

/// Contents of folders.
#[derive(Debug, Default)]
struct FolderContents {
    files: Vec<PathBuf>,
    /// Folders in them. Links to other folders are not followed, since they may form a cycle.
    folders: Vec<PathBuf>,
    /// Folders that exist and cannot be read.
    unread: Vec<PathBuf>,
    entries: usize,
}

impl FolderContents {
    fn add(&mut self, openers: Openers, folder: &Path) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = entry.path();
            self.entries = self.entries.saturating_add(1);
            let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                self.folders.extend((!hidden).then_some(path));
            } else if path.is_file() && (openers.is_in(&path) || is_session(&path)) {
                self.files.push(path);
            }
        }
        Ok(())
    }
}

fn sort(files: &mut [PathBuf]) {
    files.sort_by_cached_key(|path| {
        Natural::new(&path.file_name().unwrap_or_default().to_string_lossy())
    });
}

/// Returns the paths in a text, one per line, as file managers, terminals and people write them. Removes quotes,
/// decodes `file://` addresses, and replaces `~` with `home`.
pub(crate) fn pasted(text: &str, home: Option<&Path>) -> Vec<PathBuf> {
    let lines = text.lines().map(str::trim);
    // Some file managers put the operation (copy or cut) on its own line.
    let paths = lines.filter(|line| !line.is_empty() && !matches!(*line, "copy" | "cut"));
    paths.map(|line| path_of(line, home)).collect()
}

fn path_of(line: &str, home: Option<&Path>) -> PathBuf {
    let mut quotes = ['"', '\''].into_iter();
    let unquoted = quotes.find_map(|quote| line.strip_prefix(quote)?.strip_suffix(quote));
    let line = unquoted.unwrap_or(line);
    if let Some(path) = of_address(line.as_bytes()) {
        return path;
    }
    if let Some((home, rest)) = home.zip(line.strip_prefix("~/")) {
        return home.join(rest);
    }
    PathBuf::from(line)
}

/// Returns the path of a `file:` address.
pub(super) fn of_address(address: &[u8]) -> Option<PathBuf> {
    let (scheme, rest) = address.split_at_checked(5)?;
    let path = match rest.strip_prefix(b"//") {
        // The part before the path names this machine.
        Some(rest) => rest.get(rest.iter().position(|byte| *byte == b'/')?..)?,
        None => rest,
    };
    let is_file = scheme.eq_ignore_ascii_case(b"file:") && path.starts_with(b"/");
    is_file.then(|| path_of_bytes(percent_decode(path).collect()))
}

#[cfg(unix)]
fn path_of_bytes(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    std::ffi::OsString::from_vec(bytes).into()
}

/// Returns a path of bytes. `/C:/x` becomes `C:/x`.
#[cfg(not(unix))]
fn path_of_bytes(bytes: Vec<u8>) -> PathBuf {
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let drive = text.strip_prefix('/').filter(|rest| rest.get(1..2) == Some(":"));
    drive.map(PathBuf::from).unwrap_or_else(|| text.clone().into())
}

/// Result of a dialog: the chosen paths, none if it was cancelled.
pub(crate) type Picked = Result<Vec<PathBuf>, Problem>;

/// Opens a dialog over `window`, starting in a folder. Calls `answer` on another thread. Must be called on the window's
/// thread, since some systems require it.
pub(crate) fn open_dialog(
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
    if picked.is_none() && cfg!(all(unix, not(target_os = "macos"))) {
        let message = format!(
            "This desktop has no file dialogs: install xdg-desktop-portal or zenity. {how}"
        );
        return Err(Problem::new("No file dialog", message));
    }
    Ok(picked.unwrap_or_default())
}

/// Opens the folder of a file in the file manager and selects the file there, if the file manager can.
///
/// # Errors
/// The system has no file manager, or it failed.
pub(super) fn reveal(file: &Path) -> io::Result<()> {
    show(&std::path::absolute(file)?)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn names(listing: &Listing) -> Vec<String> {
        let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        listing.files.iter().map(name).collect()
    }

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            fs::write(folder.path().join(file), b"").unwrap();
        }
        folder
    }

    /// The list of a whole folder.
    fn all_in(folder: &tempfile::TempDir) -> Result<Listing, Problem> {
        list(Openers::ALL, &[folder.path().to_owned()])
    }

    /// A file of a folder among its neighbours, and its place there.
    fn beside(folder: &tempfile::TempDir, file: &str) -> (Vec<String>, usize) {
        let listing = siblings(Openers::ALL, &folder.path().join(file)).unwrap();
        (names(&listing), listing.chosen)
    }

    #[test]
    fn names_are_in_the_order_in_which_people_list_them() {
        let given = "b.pchr A10.pchr a9.pchr a010.pchr a.pchr B1.pchr É.pchr 10 9";
        let mut files: Vec<PathBuf> = given.split(' ').map(PathBuf::from).collect();
        sort(&mut files);
        let sorted: Vec<&str> = files.iter().filter_map(|file| file.to_str()).collect();
        let wanted = "9 10 a.pchr a9.pchr A10.pchr a010.pchr b.pchr B1.pchr É.pchr";
        assert_eq!(sorted.join(" "), wanted);
    }

    #[test]
    fn a_folder_is_searched_downwards_but_not_what_is_hidden_and_not_in_circles() {
        let folder = folder(&["2.pchr"]);
        for path in ["10/deep", "9", ".git"] {
            fs::create_dir_all(folder.path().join(path)).unwrap();
        }
        let files = "10/deep/a.pchr 10/deep/readme.txt 10/z.pct 9/b10.pchr 9/b9.pchr .git/c.pchr";
        for file in files.split(' ') {
            fs::write(folder.path().join(file), b"").unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.path(), folder.path().join("9/round")).unwrap();
        let listing = all_in(&folder).unwrap();
        assert_eq!(names(&listing), ["2.pchr", "b9.pchr", "b10.pchr", "z.pct", "a.pchr"]);
        // The neighbours of a file are those beside it.
        assert_eq!(siblings(Openers::ALL, &folder.path().join("2.pchr")), None);
    }

    #[test]
    fn files_and_folders_become_one_list_in_the_order_given() {
        let (one, empty) = (folder(&["b.pchr", "a.pchr"]), folder(&[]));
        let paths = ["x.json".into(), one.path().to_owned(), empty.path().to_owned(), "-".into()];
        let listing = list(Openers::ALL, &paths).unwrap();
        assert_eq!(names(&listing), ["x.json", "a.pchr", "b.pchr", "-"]);
        assert_eq!(listing.files[3], PathBuf::from("-"));
    }

    #[test]
    fn a_folder_without_a_file_to_open_is_a_problem_that_says_so() {
        let problem = all_in(&folder(&["readme.txt"])).unwrap_err();
        assert!(problem.title.starts_with("Nothing to show in "), "{problem:?}");
        for ending in [".pchr", ".json", ".pct"] {
            assert!(problem.message.contains(ending), "{problem:?}");
        }
        assert_eq!(list(Openers::ALL, &[]), Ok(Listing::default()));
    }

    #[test]
    fn of_several_files_those_that_cannot_be_opened_are_left_out() {
        let folder = folder(&["a.png", "notes.txt", "b.json", "hero", "cut.pchr"]);
        let path = |name: &str| folder.path().join(name);
        fs::write(path("hero"), b"PCHR\x01").unwrap();
        fs::write(path("walk"), b"SEAnim\x01").unwrap();
        let of = |files: &[&str]| {
            let paths: Vec<_> = files.iter().map(|name| path(name)).collect();
            list_openable(Openers::ALL, &paths)
        };
        let names = |listing: &Listing| {
            let skipped = Listing { files: listing.skipped.clone(), ..Listing::default() };
            (names(listing).join(" "), names(&skipped).join(" "))
        };
        let found = of(&["a.png", "b.json", "notes.txt", "cut.pchr", "hero", "walk", "gone"]);
        let wanted = "b.json cut.pchr hero walk gone";
        assert_eq!(names(&found.unwrap()), (wanted.into(), "a.png notes.txt".into()));
        // A single one is opened, whatever it is: an error says why it cannot be.
        assert_eq!(names(&of(&["notes.txt"]).unwrap()).0, "notes.txt");
        let problem = of(&["notes.txt", "a.png"]).unwrap_err();
        assert_eq!(problem.title, "None of the 2 files can be opened");
    }

    #[test]
    fn a_file_stands_among_its_neighbours_and_one_that_is_alone_has_no_list() {
        let several = folder(&["a.pchr", "b.pchr", "c.pchr", "b.bin"]);
        let wanted = ["a.pchr", "b.pchr", "c.pchr"].map(str::to_owned).to_vec();
        assert_eq!(beside(&several, "b.pchr"), (wanted, 1));
        // With any name.
        let wanted = ["a.pchr", "b.bin", "b.pchr", "c.pchr"].map(str::to_owned).to_vec();
        assert_eq!(beside(&several, "b.bin"), (wanted, 1));
        let folder = folder(&["a.pchr"]);
        assert_eq!(siblings(Openers::ALL, &folder.path().join("a.pchr")), None);
        assert_eq!(siblings(Openers::ALL, Path::new("/no/such/folder/a.pchr")), None);
    }

    #[test]
    fn a_folder_means_the_characters_and_atlases_in_it_also_those_of_json() {
        let files = ["a10.pchr", "a9.PCHR", "a9.pct", "hero.pchr", "empty.json", "big.txt", "pchr"];
        let folder = folder(&files);
        for (name, text) in [
            ("hero.json", r#"{"version":1,"fps":24,"images":[]"#),
            ("ball.JSON", r#"{"bones":[{"name":"a","parentIdx":-1}]"#),
            ("package.json", r#"{"name":"a","version":"1.0.0"}"#),
            ("list.json", "[]"),
        ] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        for name in ["folder.json", "deeper.pchr"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let listing = all_in(&folder).unwrap();
        let found = "a9.PCHR a9.pct a10.pchr ball.JSON empty.json hero.json hero.pchr";
        assert_eq!((names(&listing).join(" ").as_str(), listing.chosen), (found, 0));
        // A file that is opened by name is always listed.
        let (names, chosen) = beside(&folder, "package.json");
        assert_eq!((names.len(), chosen), (8, 7));
    }

    #[test]
    fn a_pasted_text_means_paths_however_they_are_written() {
        let home = Some(Path::new("/home/me"));
        let text =
            "copy\nfile:///a%20b/c.pchr\r\n\"/with quotes/d\"\n '/e f'\n~/g\n\n/plain/h.pchr ";
        let expected = ["/a b/c.pchr", "/with quotes/d", "/e f", "/home/me/g", "/plain/h.pchr"];
        assert_eq!(pasted(text, home), expected.map(PathBuf::from));
        assert_eq!(pasted("file://localhost/x%", None), [PathBuf::from("/x%")]);
        assert_eq!(pasted("~/x", None), [PathBuf::from("~/x")]);
        assert!(pasted(" \n", home).is_empty());
        assert_eq!(pasted("\"", home), [PathBuf::from("\"")]);
    }

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
