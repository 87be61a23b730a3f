//! A separate X display with the real program on it. Both end with the test.

use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::fixture::RED;
use super::look::{bounds, canvas};
use super::x11::{Shot, X11};

/// Size of the screen; the window fills it.
pub(crate) const SCREEN: [u16; 2] = [1024, 640];
pub(crate) const BACKGROUND: [u8; 3] = [32, 48, 96];
/// Longest wait for anything, even on a slow machine.
const PATIENCE: Duration = Duration::from_secs(60);

const XCLIP: &str = "xclip must be installed (Debian and Ubuntu: apt-get install xclip)";
const XDOTOOL: &str = "xdotool must be installed (Debian and Ubuntu: apt-get install xdotool)";

/// Settings that a desk starts with.
pub(crate) struct Start<'a> {
    pub(crate) program: Option<&'a Path>,
    pub(crate) file: &'a [u8],
    pub(crate) name: &'a str,
    /// Files in the same folder, by their relative paths.
    pub(crate) beside: &'a [(String, Vec<u8>)],
    /// Options of the program. By default the window fills the screen and shows [`BACKGROUND`].
    pub(crate) options: &'a [&'a str],
    pub(crate) variables: &'a [(&'a str, &'a str)],
    pub(crate) screen: [u16; 2],
    /// True if a window manager runs.
    pub(crate) manager: bool,
    /// Returns true once the file is drawn.
    pub(crate) drawn: fn(&Shot) -> bool,
}

impl Default for Start<'_> {
    fn default() -> Self {
        Self {
            program: None,
            file: &[],
            name: "squares.pchr",
            beside: &[],
            options: &[],
            variables: &[],
            screen: SCREEN,
            manager: false,
            drawn: |shot| bounds(shot, RED).is_some(),
        }
    }
}

pub(crate) struct Desk {
    server: Child,
    manager: Option<Child>,
    program: Child,
    display: String,
    screen: [u16; 2],
    pub(crate) x11: X11,
    pub(crate) window: u32,
    name: String,
    folder: tempfile::TempDir,
}

impl Drop for Desk {
    fn drop(&mut self) {
        let children = [&mut self.program].into_iter().chain(self.manager.as_mut());
        for child in children.chain([&mut self.server]) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Desk {
    /// Starts a display with the program on it showing `file`, and waits until the file is drawn.
    pub(crate) fn open(file: &[u8], options: &[&str]) -> Self {
        Self::start(&Start { file, options, ..Start::default() })
    }

    /// Does the same with the program's sample, paused. GIFs are exported small.
    pub(crate) fn open_sample() -> Self {
        let small = b"[export.choices.gif]\nscale = 25\n".to_vec();
        let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sample.pchr");
        Self::start(&Start {
            file: &fs::read(sample).unwrap(),
            beside: &[("config/state.toml".to_owned(), small)],
            options: &["--paused"],
            drawn: |shot| {
                canvas(shot).is_some_and(|canvas| {
                    let [x, y] = [canvas.width / 2, canvas.height / 2];
                    shot.at(canvas.x + x, canvas.y + y) != BACKGROUND
                })
            },
            ..Start::default()
        })
    }

    pub(crate) fn start(start: &Start<'_>) -> Self {
        let Start { program, file, name, beside, options, .. } = *start;
        let Start { variables, screen, manager, drawn, .. } = *start;
        let folder = tempfile::tempdir().unwrap();
        let path = write(folder.path(), name, file);
        for (name, bytes) in beside {
            write(folder.path(), name, bytes);
        }
        let config = folder.path().join("config");
        let shots = folder.path().join("shots");
        fs::create_dir_all(&config).unwrap();
        let setting = format!("theme = \"dark\"\nscreenshots = {:?}\n", shots.to_str().unwrap());
        fs::write(config.join("config.toml"), setting).unwrap();
        let (server, display) = start_server(screen);
        let manager = manager.then(|| {
            let mut manager = Command::new("openbox");
            manager.env("DISPLAY", format!(":{display}"));
            manager.env("HOME", folder.path()).stderr(Stdio::null());
            let manager = manager
                .spawn()
                .expect("openbox must be installed (Debian and Ubuntu: apt-get install openbox)");
            wait_for_manager(&display);
            manager
        });
        let [width, height] = screen;
        let [r, g, b] = BACKGROUND;
        let is_session = name.ends_with(".pchr-view.toml"); // which says its background
        let missing = |option: &'static str, value: String| {
            let own = !options.contains(&option);
            own.then(|| [option.to_owned(), value]).into_iter().flatten()
        };
        let program = program.unwrap_or(Path::new(env!("CARGO_BIN_EXE_pchr-view")));
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).unwrap();
        std::os::unix::fs::symlink(program, bin.join("pchr-view")).unwrap();
        let mut program = Command::new(program);
        let background = missing("--background", format!("#{r:02x}{g:02x}{b:02x}"));
        program.arg(&path).args(missing("--window-size", format!("{width}x{height}")));
        program.args(background.filter(|_| !is_session)).args(options);
        program.env("DISPLAY", format!(":{display}")).env("XDG_RUNTIME_DIR", folder.path());
        program.env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
        program.env("PCHR_VIEW_CONFIG_DIR", config).envs(variables.iter().copied());
        program.current_dir(folder.path()).stdin(Stdio::null());
        let program = program.spawn().unwrap();
        let x11 = X11::connect(&display).unwrap();
        let mut desk = Self {
            server,
            manager,
            program,
            display,
            screen,
            x11,
            window: 0,
            name: name.to_owned(),
            folder,
        };
        desk.window = desk.find_window();
        desk.wait_for("the picture", drawn);
        desk.xdotool(&["windowfocus", "--sync", &desk.window.to_string()]);
        desk
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }

    pub(crate) fn shots(&self) -> PathBuf {
        self.folder.path().join("shots")
    }

    /// Folder in which the program is called `pchr-view`.
    pub(crate) fn bin(&self) -> PathBuf {
        self.folder.path().join("bin")
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("DISPLAY", format!(":{}", self.display));
        command
    }

    /// Puts text on the clipboard from another program.
    pub(crate) fn copy(&self, text: &str) {
        let mut xclip = self.command("xclip");
        xclip.args(["-selection", "clipboard", "-in"]).stdin(Stdio::piped()).stdout(Stdio::null());
        let mut xclip = xclip.spawn().expect(XCLIP);
        xclip.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        assert!(xclip.wait().unwrap().success());
    }

    /// Text on the clipboard as another program receives it.
    pub(crate) fn clipboard(&self) -> String {
        let mut xclip = self.command("xclip");
        let output = xclip.args(["-selection", "clipboard", "-out"]).output().expect(XCLIP);
        String::from_utf8(output.stdout).unwrap()
    }

    fn find_window(&mut self) -> u32 {
        until(|| {
            self.assert_running();
            let search = ["search", "--onlyvisible", "--name", "pchr-view"];
            let found = self.command("xdotool").args(search).output().expect(XDOTOOL);
            let ids = String::from_utf8(found.stdout).unwrap();
            ids.lines().next().map(|id| id.trim().parse().unwrap()).ok_or("no window opens")
        })
    }

    /// Writes a file beside the one that is shown.
    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        write(self.folder.path(), name, bytes)
    }

    pub(crate) fn drop_file(&mut self, path: &Path) {
        let window = self.window;
        self.x11.drop_file(window, &path.to_str().unwrap().replace(' ', "%20"), [300, 300], |_| {});
    }

    /// Runs `xdotool` on the display and returns its output.
    pub(crate) fn xdotool(&self, arguments: &[&str]) -> String {
        let output = self.command("xdotool").args(arguments).output().expect(XDOTOOL);
        assert!(output.status.success(), "xdotool {arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn key(&self, keys: &str) {
        for key in keys.split(' ') {
            self.xdotool(&["key", key]);
        }
    }

    /// Chooses a command by words in the palette.
    pub(crate) fn choose(&self, words: &str) {
        self.key("ctrl+k");
        self.xdotool(&["type", "--delay", "40", words]);
        self.key("Return");
    }

    pub(crate) fn click(&self, x: usize, y: usize) {
        self.point(x, y);
        self.xdotool(&["click", "1"]);
    }

    /// Presses and holds the pointer's first button at a point.
    pub(crate) fn press(&self, x: usize, y: usize) {
        self.point(x, y);
        self.xdotool(&["mousedown", "1"]);
    }

    pub(crate) fn release(&self) {
        self.xdotool(&["mouseup", "1"]);
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
        let [width, height] = self.screen;
        self.x11.shot(width, height)
    }

    /// Returns the screen once it satisfies `wanted`.
    pub(crate) fn wait_for(&mut self, what: &str, wanted: impl Fn(&Shot) -> bool) -> Shot {
        let start = Instant::now();
        loop {
            let shot = self.shot();
            if wanted(&shot) {
                return shot;
            }
            self.assert_running();
            if start.elapsed() > PATIENCE {
                panic!("{what} does not appear: see {}", keep(&shot).display());
            }
            sleep(Duration::from_millis(30));
        }
    }

    /// Returns the text of a file in the folder once it satisfies `wanted`.
    pub(crate) fn wait_for_file(&mut self, name: &str, wanted: impl Fn(&str) -> bool) -> String {
        until(|| {
            self.assert_running();
            let text = fs::read_to_string(self.folder.path().join(name)).unwrap_or_default();
            let is_it = !text.is_empty() && wanted(&text);
            if is_it { Ok(text) } else { Err(format!("{name} is not written")) }
        })
    }

    /// Returns the screen once it stops changing and the program is idle: a frame may take long on a busy machine.
    pub(crate) fn settled(&mut self) -> Shot {
        let mut before = self.shot();
        let mut since = Instant::now();
        let start = Instant::now();
        while since.elapsed() < Duration::from_millis(500) {
            sleep(Duration::from_millis(30));
            let is_at_work = self.is_at_work(); // before the display works for the screenshot
            let shot = self.shot();
            if start.elapsed() > PATIENCE {
                panic!("the screen does not settle: see {}", keep(&shot).display());
            }
            if shot != before || is_at_work {
                before = shot;
                since = Instant::now();
            }
        }
        before
    }

    /// Returns true if a thread of the program or of the display is running or waiting for a processor.
    fn is_at_work(&self) -> bool {
        [self.program.id(), self.server.id()].iter().any(|id| {
            let tasks = fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten();
            // A thread may have ended in the meantime.
            let mut stats =
                tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("stat")).ok());
            stats.any(|stat| stat.contains(") R") || stat.contains(") D"))
        })
    }

    pub(crate) fn assert_running(&mut self) {
        let ended = self.program.try_wait().unwrap();
        assert!(ended.is_none(), "the program ended: {ended:?}");
    }

    pub(crate) fn ended(&mut self) -> ExitStatus {
        until(|| self.program.try_wait().unwrap().ok_or("the program does not end"))
    }

    /// Processor time used by the program, in clock ticks.
    pub(crate) fn cpu_ticks(&self) -> u64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.program.id())).unwrap();
        let fields = stat.rsplit_once(')').unwrap().1.split_whitespace();
        fields.skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum()
    }
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
    path
}

/// Waits until the window manager is ready: a window that opens while it takes over may be lost.
fn wait_for_manager(display: &str) {
    until(|| {
        let mut xprop = Command::new("xprop");
        xprop.args(["-root", "_NET_SUPPORTING_WM_CHECK"]).env("DISPLAY", format!(":{display}"));
        let found = xprop.output();
        let found =
            found.expect("xprop must be installed (Debian and Ubuntu: apt-get install x11-utils)");
        let is_there = String::from_utf8_lossy(&found.stdout).contains("window id");
        is_there.then_some(()).ok_or("no window manager takes over")
    });
}

/// Looks until there is a value, or fails with the last reason why there is none.
pub(crate) fn until<T, E: std::fmt::Display>(mut look: impl FnMut() -> Result<T, E>) -> T {
    let start = Instant::now();
    loop {
        match look() {
            Ok(value) => return value,
            Err(why) => assert!(start.elapsed() < PATIENCE, "{why}"),
        }
        sleep(Duration::from_millis(30));
    }
}

/// Starts an X server, which chooses a free display number.
fn start_server([width, height]: [u16; 2]) -> (Child, String) {
    let mut server = Command::new("Xvfb");
    server.args(["-displayfd", "1", "-ac", "-nolisten", "tcp", "-screen", "0"]);
    server.arg(format!("{width}x{height}x24")).stdout(Stdio::piped()).stderr(Stdio::null());
    let server = server.spawn();
    let mut server =
        server.expect("Xvfb must be installed (Debian and Ubuntu: apt-get install xvfb)");
    let mut display = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut display).unwrap();
    (server, display.trim().to_owned())
}

/// Saves an unexpected screen for inspection and returns its path.
fn keep(shot: &Shot) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("window-{}.ppm", std::process::id()));
    let mut bytes = format!("P6 {} {} 255\n", shot.width, shot.height).into_bytes();
    bytes.extend(shot.rgb.as_flattened());
    fs::write(&path, bytes).unwrap();
    path
}
