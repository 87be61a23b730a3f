//! Files that are dragged out of the window on X11, and those that are dropped on it.
//!
//! Dragging out follows the protocol XDND, version 5 (freedesktop.org). winit starts no drags, and holds the pointer until its button is
//! released. So a connection of its own asks the X server where the pointer is, tells the window there, and hands out the addresses of the
//! files.
//!
//! Of drops, winit drops a list without a word if an address in it names a host (`file://localhost/…`), a name is not UTF-8, or a line ends
//! with a line feed alone; and it resolves links. So the X server is asked to report the messages that it delivers to the window (extension
//! RECORD), and the list is read again when it is dropped. On a server without that extension, winit's events are used.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use winit::raw_window_handle::{HasWindowHandle as _, RawWindowHandle};
use winit::window::Window;
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::record::{ConnectionExt as _, Range, Range8};
use x11rb::protocol::xproto::{
    AtomEnum, CLIENT_MESSAGE_EVENT, ClientMessageEvent, ConnectionExt as _, CreateWindowAux,
    EventMask, KeyButMask, PropMode, SELECTION_NOTIFY_EVENT, SelectionNotifyEvent,
    SelectionRequestEvent, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;
use x11rb::x11_utils::TryParse as _;
use x11rb::{COPY_DEPTH_FROM_PARENT, COPY_FROM_PARENT, CURRENT_TIME, NONE};

use super::events;
use super::files::{of_address, uri};
use crate::viewer::action::{Action, FileAction};
use crate::viewer::problem::Problem;

/// Time between two looks at the pointer.
const PACE: Duration = Duration::from_millis(10);
/// Time in which a window answers, and accepts files after the button is released, at most.
const ANSWER: Duration = Duration::from_secs(3);
/// Time in which a program reads what was dropped on it, at most.
const READING: Duration = Duration::from_secs(60);
/// Version of the protocol.
const VERSION: u32 = 5;

x11rb::atom_manager! {
    Atoms: AtomsCookie {
        XdndAware,
        XdndEnter,
        XdndPosition,
        XdndStatus,
        XdndLeave,
        XdndDrop,
        XdndFinished,
        XdndSelection,
        XdndActionCopy,
        TARGETS,
        List: b"text/uri-list",
    }
}

/// A drag that goes on until the pointer's first button is released. It is cancelled when this value is dropped.
pub(super) struct Drag {
    cancelled: Arc<AtomicBool>,
}

impl Drop for Drag {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

impl Drag {
    /// Starts to drag files out of the window `from`, which takes none itself. Their paths are absolute. `failed` is called if the desktop
    /// does not allow it.
    ///
    /// # Errors
    /// Without another thread.
    pub(super) fn start(
        files: &[PathBuf],
        from: u32,
        failed: impl FnOnce(Box<dyn Error>) + Send + 'static,
    ) -> Result<Self, Problem> {
        let cancelled = Arc::new(AtomicBool::new(false));
        let (addresses, stop) = (addresses(files), Arc::clone(&cancelled));
        events::start(move || {
            let dragged = Source::new(addresses).and_then(|source| source.drag(from, &stop));
            if let Err(error) = dragged {
                failed(error);
            }
        })?;
        Ok(Self { cancelled })
    }
}

/// Returns the addresses of files, a line each.
fn addresses(files: &[PathBuf]) -> Vec<u8> {
    let address = |file: &PathBuf| format!("{}\r\n", uri(file)).into_bytes();
    files.iter().flat_map(address).collect()
}

/// The side of the protocol that owns the files.
struct Source {
    server: RustConnection,
    atoms: Atoms,
    root: u32,
    window: u32,
    addresses: Vec<u8>,
}

/// A window that can be dropped on.
#[derive(Clone, Copy)]
struct Target {
    window: u32,
    version: u32,
    /// Point that it was last told.
    told: Option<[i16; 2]>,
    /// Time since when it owes an answer.
    asked: Option<Instant>,
    accepts: bool,
}

impl Target {
    /// Returns true while it may still answer.
    fn is_asked(&self) -> bool {
        self.asked.is_some_and(|since| since.elapsed() < ANSWER)
    }
}

impl Source {
    fn new(addresses: Vec<u8>) -> Result<Self, Box<dyn Error>> {
        let (server, screen) = x11rb::connect(None)?;
        let root = server.setup().roots.get(screen).ok_or("no screen")?.root;
        let atoms = Atoms::new(&server)?.reply()?;
        let window = server.generate_id()?;
        let (depth, visual) = (COPY_DEPTH_FROM_PARENT, COPY_FROM_PARENT);
        let (class, aux) = (WindowClass::INPUT_OUTPUT, CreateWindowAux::new());
        server.create_window(depth, window, root, 0, 0, 1, 1, 0, class, visual, &aux)?;
        server.set_selection_owner(window, atoms.XdndSelection, CURRENT_TIME)?;
        server.flush()?;
        Ok(Self { server, atoms, root, window, addresses })
    }

    /// Follows the pointer until its button is released, and drops the files there.
    fn drag(&self, from: u32, cancelled: &AtomicBool) -> Result<(), Box<dyn Error>> {
        let mut over: Option<Target> = None;
        let mut released = None;
        loop {
            while let Some(event) = self.server.poll_for_event()? {
                match event {
                    Event::SelectionRequest(request) => self.answer(&request)?,
                    Event::ClientMessage(message) if message.type_ == self.atoms.XdndStatus => {
                        let [by, flags, ..] = message.data.as_data32();
                        if let Some(target) = over.as_mut().filter(|target| target.window == by) {
                            target.asked = None;
                            target.accepts = flags & 1 == 1;
                        }
                    }
                    _ => {}
                }
            }
            let pointer = self.server.query_pointer(self.root)?.reply()?;
            let at = [pointer.root_x, pointer.root_y];
            if !pointer.mask.contains(KeyButMask::BUTTON1) {
                released.get_or_insert((at, Instant::now()));
            }
            let at = released.map_or(at, |(at, _)| at);
            let window = |target: Option<Target>| target.map(|target| target.window);
            let now = self.target_at(at)?.filter(|target| target.window != from);
            if window(now) != window(over) {
                if let Some(left) = over {
                    self.tell(left, self.atoms.XdndLeave, [0; 4])?;
                }
                if let Some(entered) = now {
                    let version = VERSION.min(entered.version) << 24;
                    let data = [version, self.atoms.List, NONE, NONE];
                    self.tell(entered, self.atoms.XdndEnter, data)?;
                }
                over = now;
            }
            // A browser asks the page, and refuses until that has answered.
            let is_again = |target: &Target| released.is_some() && !target.accepts;
            if let Some(target) = over.as_mut().filter(|target| !target.is_asked())
                && (target.told != Some(at) || is_again(target))
            {
                let [x, y] = at.map(|side| u32::from(side.max(0).unsigned_abs()));
                let data = [0, (x << 16) | y, CURRENT_TIME, self.atoms.XdndActionCopy];
                self.tell(*target, self.atoms.XdndPosition, data)?;
                (target.told, target.asked) = (Some(at), Some(Instant::now()));
            }
            let is_cancelled = cancelled.load(Ordering::Relaxed);
            let is_late = released.is_some_and(|(_, since)| since.elapsed() > ANSWER);
            let is_ready =
                |target: Target| target.accepts && target.told == Some(at) && !target.is_asked();
            let is_over = released.is_some() && over.is_none_or(is_ready);
            if is_cancelled || is_over || is_late {
                return match over {
                    Some(target) if target.accepts && !is_cancelled => self.give(target),
                    Some(target) => self.tell(target, self.atoms.XdndLeave, [0; 4]),
                    None => Ok(()),
                };
            }
            std::thread::sleep(PACE);
        }
    }

    /// Drops the files on a window, and hands them out until it has read them.
    fn give(&self, target: Target) -> Result<(), Box<dyn Error>> {
        self.tell(target, self.atoms.XdndDrop, [0, CURRENT_TIME, 0, 0])?;
        let start = Instant::now();
        while start.elapsed() < READING {
            match self.server.poll_for_event()? {
                Some(Event::SelectionRequest(request)) => self.answer(&request)?,
                Some(Event::ClientMessage(message)) if message.type_ == self.atoms.XdndFinished => {
                    break;
                }
                Some(_) => {}
                None => std::thread::sleep(PACE),
            }
        }
        Ok(())
    }

    /// Returns the window at a point that can be dropped on. One may be gone while it is asked.
    fn target_at(&self, [x, y]: [i16; 2]) -> Result<Option<Target>, Box<dyn Error>> {
        let mut window = self.root;
        loop {
            let place = self.server.translate_coordinates(self.root, window, x, y)?;
            window = match place.reply() {
                Ok(place) if place.child != NONE => place.child,
                _ => return Ok(None),
            };
            let (aware, atom) = (self.atoms.XdndAware, AtomEnum::ATOM);
            let aware = self.server.get_property(false, window, aware, atom, 0, 1)?.reply();
            let version = aware.ok().and_then(|value| value.value32()?.next());
            if let Some(version) = version {
                let (told, asked) = (None, None);
                return Ok(Some(Target { window, version, told, asked, accepts: false }));
            }
        }
    }

    /// Sends a message of the protocol to a window.
    fn tell(&self, to: Target, kind: u32, data: [u32; 4]) -> Result<(), Box<dyn Error>> {
        let [a, b, c, d] = data;
        let message = ClientMessageEvent::new(32, to.window, kind, [self.window, a, b, c, d]);
        self.server.send_event(false, to.window, EventMask::NO_EVENT, message)?;
        Ok(self.server.flush()?)
    }

    /// Hands out the addresses.
    fn answer(&self, request: &SelectionRequestEvent) -> Result<(), Box<dyn Error>> {
        let SelectionRequestEvent { requestor, selection, target, property, time, .. } = *request;
        let kinds = [self.atoms.TARGETS, self.atoms.List];
        let mut property = property;
        if target == self.atoms.List {
            let list = &self.addresses;
            self.server.change_property8(PropMode::REPLACE, requestor, property, target, list)?;
        } else if target == self.atoms.TARGETS {
            let atom = AtomEnum::ATOM;
            self.server.change_property32(PropMode::REPLACE, requestor, property, atom, &kinds)?;
        } else {
            property = NONE;
        }
        let (response_type, sequence) = (SELECTION_NOTIFY_EVENT, 0);
        let notice = SelectionNotifyEvent {
            response_type,
            sequence,
            time,
            requestor,
            selection,
            target,
            property,
        };
        self.server.send_event(false, requestor, EventMask::NO_EVENT, notice)?;
        Ok(self.server.flush()?)
    }
}

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
    let atoms = Atoms::new(&control)?.reply()?;
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
            if event.type_ == atoms.XdndPosition && event.window == window {
                let [_, _, place, ..] = event.data.as_data32();
                at = [place >> 16, place & 0xffff].map(|side| side.try_into().unwrap_or(i16::MAX));
            }
            if event.type_ != atoms.XdndDrop || event.window != window {
                continue;
            }
            // The dragging program has put the list on the window while it hovered. It is taken away, so that no other drop opens it.
            let (selection, list) = (atoms.XdndSelection, atoms.List);
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

    #[test]
    fn addresses_are_read_as_they_were_written() {
        let files = ["/a b/c%.gif", "/tmp/größe, -_~.json"].map(PathBuf::from);
        let list = String::from_utf8(addresses(&files)).unwrap();
        let lines: Vec<&str> = list.split_terminator("\r\n").collect();
        let wanted = ["file:///a%20b/c%25.gif", "file:///tmp/gr%C3%B6%C3%9Fe%2C%20-_~.json"];
        assert_eq!(lines, wanted);
        let read = lines.iter().map(|line| of_address(line.as_bytes()).unwrap());
        assert!(read.eq(files));
    }
}
