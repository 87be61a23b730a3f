//! Files that are dragged out of the window on X11, by the protocol XDND, version 5 (freedesktop.org).
//!
//! winit starts no drags, and holds the pointer until its button is released. So a connection of its own asks the X server where the pointer
//! is, tells the window there, and hands out the addresses of the files.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, KeyButMask,
    PropMode, SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, SelectionRequestEvent, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;
use x11rb::{COPY_DEPTH_FROM_PARENT, COPY_FROM_PARENT, CURRENT_TIME, NONE};

use super::dialog::uri;
use super::events;
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
                    self.tell(
                        entered,
                        self.atoms.XdndEnter,
                        [version, self.atoms.List, NONE, NONE],
                    )?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::desktop::files::of_address;

    #[test]
    fn addresses_are_read_as_they_were_written() {
        let files = ["/a b/c%.gif", "/tmp/größe-é_1.json"].map(PathBuf::from);
        let list = addresses(&files);
        let lines: Vec<&str> =
            std::str::from_utf8(&list).unwrap().split_terminator("\r\n").collect();
        assert_eq!(lines[0], "file:///a%20b/c%25.gif");
        let read = lines.iter().map(|line| of_address(line.as_bytes()).unwrap());
        assert!(read.eq(files));
    }
}
