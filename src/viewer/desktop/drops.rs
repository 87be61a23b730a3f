//! Files that are dropped on the window on X11.
//!
//! winit drops a list without a word if an address in it names a host (`file://localhost/…`), a name is not UTF-8, or a line ends with a
//! line feed alone; and it resolves links. So the X server is asked to report the messages that it delivers to the window (extension
//! RECORD), and the list is read again when it is dropped. On a server without that extension, winit's events are used.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use winit::raw_window_handle::{HasWindowHandle as _, RawWindowHandle};
use winit::window::Window;
use x11rb::connection::Connection as _;
use x11rb::protocol::record::{ConnectionExt as _, Range, Range8};
use x11rb::protocol::xproto::{
    CLIENT_MESSAGE_EVENT, ClientMessageEvent, ConnectionExt as _, KeyButMask,
};
use x11rb::x11_utils::TryParse as _;

use super::events;
use super::files::of_address;
use crate::viewer::action::{Action, FileAction};
use crate::viewer::problem::Problem;

/// A thread that opens the files that are dropped on a window.
pub(crate) struct Drops {
    heard: Arc<AtomicBool>,
}

impl Drops {
    /// Starts the thread, for a window on X11. It posts an action for each drop.
    pub(crate) fn start(window: &Window, post: impl Fn(Action) + Send + 'static) -> Option<Self> {
        let window = x11_id(window)?;
        let heard = Arc::new(AtomicBool::new(false));
        let hears = Arc::clone(&heard);
        let started = events::start(move || {
            let _ = listen(window, &hears, &post); // winit's events are used instead
            hears.store(false, Ordering::Relaxed);
        });
        started.is_ok().then_some(Self { heard })
    }

    /// Returns true while drops are posted, so that winit's events are not needed.
    pub(crate) fn are_heard(&self) -> bool {
        self.heard.load(Ordering::Relaxed)
    }
}

pub(super) fn x11_id(window: &Window) -> Option<u32> {
    match window.window_handle().ok()?.as_raw() {
        RawWindowHandle::Xlib(handle) => handle.window.try_into().ok(),
        _ => None,
    }
}

fn listen(window: u32, hears: &AtomicBool, post: &dyn Fn(Action)) -> Result<(), Box<dyn Error>> {
    let (control, _) = x11rb::connect(None)?;
    let (data, _) = x11rb::connect(None)?;
    let atom = |name: &str| -> Result<u32, Box<dyn Error>> {
        Ok(control.intern_atom(false, name.as_bytes())?.reply()?.atom)
    };
    let (dropped, moved) = (atom("XdndDrop")?, atom("XdndPosition")?);
    let (selection, list) = (atom("XdndSelection")?, atom("text/uri-list")?);
    let root = control.query_tree(window)?.reply()?.root;
    let mut at = [0; 2]; // on the screen
    let context = control.generate_id()?;
    let range = Range {
        delivered_events: Range8 { first: CLIENT_MESSAGE_EVENT, last: CLIENT_MESSAGE_EVENT },
        ..Range::default()
    };
    let created = control.record_create_context(context, 0, &[window], &[range])?;
    created.check()?;
    // The first reply says that it starts.
    for reply in data.record_enable_context(context)? {
        let reply = reply?;
        hears.store(true, Ordering::Relaxed);
        let mut rest = reply.data.as_slice();
        while let Ok((event, after)) = ClientMessageEvent::try_parse(rest) {
            rest = after;
            if event.type_ == moved && event.window == window {
                let [_, _, place, ..] = event.data.as_data32();
                at = [place >> 16, place & 0xffff].map(|side| side.try_into().unwrap_or(i16::MAX));
            }
            if event.type_ != dropped || event.window != window {
                continue;
            }
            // The dragging program has put the list on the window while it hovered. It is taken away, so that no other drop opens it.
            let list = control.get_property(true, window, selection, list, 0, u32::MAX)?;
            let list = list.reply()?.value;
            let held = control.query_pointer(window)?.reply()?.mask;
            let [x, y] = at;
            let at = control.translate_coordinates(root, window, x, y)?.reply()?;
            let keys = [KeyButMask::CONTROL, KeyButMask::SHIFT].map(|key| held.contains(key));
            post(match open(&list, keys) {
                Action::Files(FileAction::Open(paths)) => {
                    Action::Files(FileAction::Drop(paths, [at.dst_x, at.dst_y].map(f32::from)))
                }
                other => other,
            });
        }
    }
    Ok(())
}

/// Returns the action for the files of a list.
fn open(list: &[u8], [ctrl, shift]: [bool; 2]) -> Action {
    let lines = list.split(|byte| matches!(byte, b'\r' | b'\n' | 0));
    let lines = lines.map(<[u8]>::trim_ascii);
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with(b"#"));
    let first = lines.clone().next().unwrap_or_default();
    let files: Vec<PathBuf> = lines.by_ref().filter_map(of_address).collect();
    if !files.is_empty() {
        return events::of_drop(files, ctrl, shift);
    }
    let what = match first {
        [] => "What was dropped".to_owned(),
        first => String::from_utf8_lossy(first).into_owned(),
    };
    let title = format!("{what} cannot be opened");
    Action::Report(Problem::new(title, "Drop files of this machine."))
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt as _;

    use super::*;
    use crate::viewer::action::{CompareAction, StageAction};
    use crate::viewer::compare::Counterpart;

    fn opened(list: &[u8]) -> Vec<Vec<u8>> {
        match open(list, [false; 2]) {
            Action::Files(FileAction::Open(paths)) => {
                paths.iter().map(|path| path.as_os_str().as_bytes().to_vec()).collect()
            }
            Action::Report(problem) => vec![problem.title.into_bytes()],
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_list_is_read_however_its_addresses_and_lines_are_written() {
        for (list, files) in [
            (&b"file:///a%20b/c.pchr\r\n"[..], &[&b"/a b/c.pchr"[..]][..]),
            (b"file:///a\nfile:///b", &[b"/a", b"/b"]),
            (b"# copied\r\nfile://localhost/a\r\nfile:/b\r\n\0", &[b"/a", b"/b"]),
            (b"FILE:///a\r\n\r\nhttp://x/b\r\n", &[b"/a"]),
            (b"file:///%83%65%83X.pchr\r\n", &[b"/\x83e\x83X.pchr"]),
            (b"file:///\xe9.pchr\r\n", &[b"/\xe9.pchr"]),
            (b"file:///a%0Ab%25\r\n", &[b"/a\nb%"]),
            (b"https://x/a\r\n", &[b"https://x/a cannot be opened"]),
            (b"file://host\r\n", &[b"file://host cannot be opened"]),
            (b"", &[b"What was dropped cannot be opened"]),
        ] {
            assert_eq!(opened(list), files, "{}", list.escape_ascii());
        }
    }

    #[test]
    fn keys_that_are_held_compare_and_add_to_the_stage() {
        let list = b"file:///a\r\nfile:///b\r\n";
        let with = Counterpart::File("/a".into());
        let wanted = Action::Compare(CompareAction::With(with));
        assert_eq!(open(list, [true, false]), wanted);
        let paths = ["/a", "/b"].map(PathBuf::from).to_vec();
        let added = open(list, [false, true]);
        assert_eq!(added, Action::Stage(StageAction::Add(paths)));
    }
}
