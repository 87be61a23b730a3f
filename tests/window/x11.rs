//! The parts of the X11 protocol needed to capture a screen, to drop a file on a window (XDND), and to ask a window to close
//! as a window manager does.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// Connection to a display. Requests are laid out as in the protocol's tables, little-endian.
pub(crate) struct X11 {
    stream: UnixStream,
    root: u32,
    ids: u32,
}

/// Pixels of the screen at one moment: RGB, row by row.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Shot {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) rgb: Vec<[u8; 3]>,
}

impl Shot {
    pub(crate) fn at(&self, x: usize, y: usize) -> [u8; 3] {
        self.rgb[y * self.width + x]
    }

    pub(crate) fn part(&self, x: usize, y: usize, width: usize, height: usize) -> Self {
        let rows = (y..y + height).map(|y| y * self.width);
        let rgb = rows.flat_map(|row| &self.rgb[row + x..row + x + width]);
        Self { width, height, rgb: rgb.copied().collect() }
    }
}

type Event = [u8; 32];

const CLIENT_MESSAGE: u8 = 33;
const SELECTION_REQUEST: u8 = 30;
const SELECTION_NOTIFY: u8 = 31;

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

impl X11 {
    pub(crate) fn connect(display: &str) -> std::io::Result<Self> {
        let mut stream = UnixStream::connect(format!("/tmp/.X11-unix/X{display}"))?;
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        stream.write_all(&[b'l', 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0])?;
        let mut head = [0; 8];
        stream.read_exact(&mut head)?;
        assert_eq!(head[0], 1, "the X server refuses the connection");
        let mut body = vec![0; usize::from(u16::from_le_bytes([head[6], head[7]])) * 4];
        stream.read_exact(&mut body)?;
        let vendor = usize::from(u16::from_le_bytes([body[16], body[17]]));
        let screen = 32 + vendor.next_multiple_of(4) + usize::from(body[21]) * 8;
        Ok(Self { stream, root: word(&body, screen), ids: word(&body, 4) })
    }

    /// Sends a request; `data` follows its first four bytes.
    fn request(&mut self, opcode: u8, detail: u8, data: &[u8]) {
        let padded = data.len().next_multiple_of(4);
        let length = u16::try_from(1 + padded / 4).unwrap().to_le_bytes();
        let mut bytes = vec![opcode, detail, length[0], length[1]];
        bytes.extend_from_slice(data);
        bytes.resize(4 + padded, 0);
        self.stream.write_all(&bytes).unwrap();
    }

    fn packet(&mut self) -> (Event, Vec<u8>) {
        let mut head = [0; 32];
        self.stream.read_exact(&mut head).unwrap();
        assert_ne!(head[0], 0, "the X server reports error {}", head[1]);
        let mut rest = Vec::new();
        if head[0] == 1 {
            rest.resize(word(&head, 4) as usize * 4, 0);
            self.stream.read_exact(&mut rest).unwrap();
        }
        (head, rest)
    }

    /// Reply to the last request; events before it are skipped.
    fn reply(&mut self) -> (Event, Vec<u8>) {
        loop {
            let packet = self.packet();
            if packet.0[0] == 1 {
                return packet;
            }
        }
    }

    fn atom(&mut self, name: &str) -> u32 {
        let mut data = u32::try_from(name.len()).unwrap().to_le_bytes().to_vec();
        data[2] = 0;
        data.extend_from_slice(name.as_bytes());
        self.request(16, 0, &data);
        word(&self.reply().0, 8)
    }

    /// The whole screen.
    pub(crate) fn shot(&mut self, width: u16, height: u16) -> Shot {
        self.part([0, 0], width, height)
    }

    pub(crate) fn part(&mut self, [x, y]: [u16; 2], width: u16, height: u16) -> Shot {
        let mut data = self.root.to_le_bytes().to_vec();
        data.extend([x, y, width, height].map(u16::to_le_bytes).as_flattened());
        data.extend(u32::MAX.to_le_bytes());
        self.request(73, 2, &data);
        let pixels = self.reply().1;
        let (width, height) = (usize::from(width), usize::from(height));
        let rgb = pixels.as_chunks::<4>().0.iter().take(width * height);
        Shot { width, height, rgb: rgb.map(|[b, g, r, _]| [*r, *g, *b]).collect() }
    }

    fn send(&mut self, window: u32, event: &Event) {
        let mut data = window.to_le_bytes().to_vec();
        data.extend([0; 4]);
        data.extend(event);
        self.request(25, 0, &data);
    }

    fn message(&mut self, window: u32, kind: u32, data: [u32; 5]) {
        let mut event = [0; 32];
        event[0] = CLIENT_MESSAGE;
        event[1] = 32;
        event[4..8].copy_from_slice(&window.to_le_bytes());
        event[8..12].copy_from_slice(&kind.to_le_bytes());
        for (to, from) in event[12..].as_chunks_mut().0.iter_mut().zip(data) {
            *to = from.to_le_bytes();
        }
        self.send(window, &event);
    }

    /// Asks a window to close, as a window manager does when its close button is clicked.
    pub(crate) fn close(&mut self, window: u32) {
        let protocols = self.atom("WM_PROTOCOLS");
        let delete = self.atom("WM_DELETE_WINDOW");
        self.message(window, protocols, [delete, 0, 0, 0, 0]);
    }

    /// Drags a file over a window and drops it at a point of the screen. Calls `hovering` before the drop.
    pub(crate) fn drop_file(
        &mut self,
        window: u32,
        path: &str,
        at: [u32; 2],
        hovering: impl FnOnce(&mut Self),
    ) {
        self.drop_list(window, format!("file://{path}\r\n").as_bytes(), at, hovering);
    }

    /// Does the same with a list of addresses.
    pub(crate) fn drop_list(
        &mut self,
        window: u32,
        addresses: &[u8],
        at: [u32; 2],
        hovering: impl FnOnce(&mut Self),
    ) {
        let [selection, enter, position, drop] =
            ["Selection", "Enter", "Position", "Drop"].map(|it| self.atom(&format!("Xdnd{it}")));
        let [copy, list, status, finished] =
            ["XdndActionCopy", "text/uri-list", "XdndStatus", "XdndFinished"]
                .map(|name| self.atom(name));
        let source = self.ids;
        let mut create = source.to_le_bytes().to_vec();
        create.extend(self.root.to_le_bytes());
        create.extend([0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        self.request(1, 0, &create);
        let mut own = source.to_le_bytes().to_vec();
        own.extend(selection.to_le_bytes());
        own.extend([0; 4]);
        self.request(22, 0, &own);
        let [x, y] = at;
        self.message(window, enter, [source, 5 << 24, list, 0, 0]);
        self.message(window, position, [source, 0, (x << 16) | y, 0, copy]);
        self.serve(status, list, addresses);
        hovering(self);
        self.message(window, drop, [source, 0, 0, 0, 0]);
        self.serve(finished, list, addresses);
        // The window is destroyed, so the next one gets the same id.
        self.request(4, 0, &source.to_le_bytes());
    }

    /// Serves the dragged data until a message of kind `until` arrives.
    fn serve(&mut self, until: u32, list: u32, addresses: &[u8]) {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(10) {
            let (event, _) = self.packet();
            match event[0] & 0x7f {
                CLIENT_MESSAGE if word(&event, 8) == until => return,
                SELECTION_REQUEST => {
                    // Bytes 8: owner, 12: requestor, 16: selection, 20: target, 24: property.
                    let [requestor, selection, target, property] =
                        [12, 16, 20, 24].map(|at| word(&event, at));
                    let answered = target == list;
                    if answered {
                        self.property(requestor, property, list, addresses);
                    }
                    let mut notify = [0; 32];
                    notify[0] = SELECTION_NOTIFY;
                    let property = if answered { property } else { 0 };
                    let fields = [0, requestor, selection, target, property];
                    for (to, from) in notify[4..].as_chunks_mut().0.iter_mut().zip(fields) {
                        *to = u32::to_le_bytes(from);
                    }
                    self.send(requestor, &notify);
                }
                _ => {}
            }
        }
        panic!("the window does not answer the drag");
    }

    fn property(&mut self, window: u32, property: u32, kind: u32, bytes: &[u8]) {
        let mut data = window.to_le_bytes().to_vec();
        data.extend(property.to_le_bytes());
        data.extend(kind.to_le_bytes());
        data.extend([8, 0, 0, 0]);
        data.extend(u32::try_from(bytes.len()).unwrap().to_le_bytes());
        data.extend_from_slice(bytes);
        self.request(18, 0, &data);
    }
}
