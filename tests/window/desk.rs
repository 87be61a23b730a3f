//! A display of our own with the real program on it. Both end with the test.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::x11::{Shot, X11};

/// Size of the screen, which the window fills.
pub(crate) const SCREEN: [u16; 2] = [1024, 640];
/// What lies behind the character.
pub(crate) const BACKGROUND: [u8; 3] = [32, 48, 96];
/// How long anything may take on a slow machine.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Desk {
    server: Child,
    program: Child,
    display: String,
    pub(crate) x11: X11,
    pub(crate) window: u32,
    folder: tempfile::TempDir,
}

/// Where the picture lies in the window, in screen pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Canvas {
    pub(crate) x: usize,
    pub(crate) y: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl Drop for Desk {
    fn drop(&mut self) {
        for child in [&mut self.program, &mut self.server] {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Desk {
    /// Starts a display and the program on it, showing `file`, and waits until it is drawn.
    pub(crate) fn open(file: &[u8], options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("squares.pchr");
        fs::write(&path, file).unwrap();
        let (server, display) = start_server();
        let [width, height] = SCREEN;
        let [r, g, b] = BACKGROUND;
        let program = Command::new(env!("CARGO_BIN_EXE_pchr-view"))
            .arg(&path)
            .args(["--window-size", &format!("{width}x{height}")])
            .args(["--background", &format!("#{r:02x}{g:02x}{b:02x}")])
            .args(options)
            .env("DISPLAY", format!(":{display}"))
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET")
            .env("XDG_RUNTIME_DIR", folder.path())
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let x11 = X11::connect(&display).unwrap();
        let mut desk = Self {
            server,
            program,
            display,
            x11,
            window: 0,
            folder,
        };
        let id = desk.xdotool(&["search", "--sync", "--onlyvisible", "--name", "pchr-view"]);
        desk.window = id.lines().next().unwrap().trim().parse().unwrap();
        desk.wait_for("the picture", |shot| canvas(shot).is_some());
        desk.xdotool(&["windowfocus", "--sync", &desk.window.to_string()]);
        desk
    }

    /// Writes a file beside the one that is shown.
    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Runs `xdotool` on the display; what it printed.
    pub(crate) fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", format!(":{}", self.display))
            .output()
            .expect("xdotool must be installed (Debian and Ubuntu: apt-get install xdotool)");
        assert!(output.status.success(), "xdotool {arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn key(&self, key: &str) {
        self.xdotool(&["key", key]);
    }

    pub(crate) fn click(&self, x: usize, y: usize) {
        self.point(x, y);
        self.xdotool(&["click", "1"]);
    }

    pub(crate) fn point(&self, x: usize, y: usize) {
        self.xdotool(&["mousemove", &x.to_string(), &y.to_string()]);
    }

    pub(crate) fn resize(&self, width: usize, height: usize) {
        let id = self.window.to_string();
        let (width, height) = (width.to_string(), height.to_string());
        self.xdotool(&["windowsize", &id, &width, &height]);
    }

    pub(crate) fn shot(&mut self) -> Shot {
        let [width, height] = SCREEN;
        self.x11.shot(width, height)
    }

    /// The screen once it shows what `wanted` accepts.
    pub(crate) fn wait_for(&mut self, what: &str, wanted: impl Fn(&Shot) -> bool) -> Shot {
        let start = Instant::now();
        loop {
            let shot = self.shot();
            if wanted(&shot) {
                return shot;
            }
            self.assert_running();
            if start.elapsed() > PATIENCE {
                panic!("{what} does not come: see {}", keep(&shot).display());
            }
            sleep(Duration::from_millis(30));
        }
    }

    /// The screen once nothing on it changes any more.
    pub(crate) fn settled(&mut self) -> Shot {
        let mut before = self.shot();
        let mut since = Instant::now();
        let start = Instant::now();
        while since.elapsed() < Duration::from_millis(500) {
            sleep(Duration::from_millis(30));
            let shot = self.shot();
            if start.elapsed() > PATIENCE {
                panic!(
                    "the screen does not come to rest: see {}",
                    keep(&shot).display()
                );
            }
            if shot != before {
                before = shot;
                since = Instant::now();
            }
        }
        before
    }

    pub(crate) fn assert_running(&mut self) {
        let ended = self.program.try_wait().unwrap();
        assert!(ended.is_none(), "the program ended: {ended:?}");
    }

    /// Waits for the program to end by itself.
    pub(crate) fn ended(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.program.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "the program does not end");
            sleep(Duration::from_millis(20));
        }
    }

    /// Processor time that the program has used.
    pub(crate) fn cpu_ticks(&self) -> u64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.program.id())).unwrap();
        let fields = stat.rsplit_once(')').unwrap().1.split_whitespace();
        fields
            .skip(11)
            .take(2)
            .map(|ticks| ticks.parse::<u64>().unwrap())
            .sum()
    }
}

/// Starts an X server on a display number that it finds free itself.
fn start_server() -> (Child, String) {
    let [width, height] = SCREEN;
    let mut server = Command::new("Xvfb")
        .args(["-displayfd", "1", "-ac", "-nolisten", "tcp"])
        .args(["-screen", "0", &format!("{width}x{height}x24")])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("Xvfb must be installed (Debian and Ubuntu: apt-get install xvfb)");
    let mut display = String::new();
    let stdout = server.stdout.take().unwrap();
    BufReader::new(stdout).read_line(&mut display).unwrap();
    (server, display.trim().to_owned())
}

/// Writes a screen that was not as it should be to where it can be looked at.
fn keep(shot: &Shot) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("window-{}.ppm", std::process::id()));
    let mut bytes = format!("P6 {} {} 255\n", shot.width, shot.height).into_bytes();
    bytes.extend(shot.rgb.as_flattened());
    fs::write(&path, bytes).unwrap();
    path
}

/// Where the picture lies: the smallest rectangle that holds all of the background.
pub(crate) fn canvas(shot: &Shot) -> Option<Canvas> {
    bounds(shot, BACKGROUND).map(|[x, y, right, bottom]| Canvas {
        x,
        y,
        width: right - x,
        height: bottom - y,
    })
}

/// Left, top, right and bottom of the pixels of a colour, the latter two past the last.
pub(crate) fn bounds(shot: &Shot, color: [u8; 3]) -> Option<[usize; 4]> {
    let mut found: Option<[usize; 4]> = None;
    for (i, pixel) in shot.rgb.iter().enumerate() {
        if *pixel == color {
            let (x, y) = (i % shot.width, i / shot.width);
            let [left, top, right, bottom] = found.unwrap_or([x, y, x, y]);
            found = Some([left.min(x), top.min(y), right.max(x + 1), bottom.max(y + 1)]);
        }
    }
    found
}
