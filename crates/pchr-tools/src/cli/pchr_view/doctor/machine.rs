//! The program itself, the external program that it may call, and the display servers that answer.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{DisplayReport, FfmpegReport, ProgramReport};

/// Looks at the program and the machine.
pub(super) fn program(has_window: bool) -> ProgramReport {
    ProgramReport {
        version: crate::version(),
        platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        cores: std::thread::available_parallelism().map_or(1, NonZero::get),
        features: features(has_window),
        ffmpeg: on_path("ffmpeg").map(|path| FfmpegReport { version: version(&path), path }),
    }
}

fn features(has_window: bool) -> Vec<&'static str> {
    let mut features = vec!["cli", "raster"];
    features.extend(cfg!(feature = "render").then_some("render"));
    features.extend(has_window.then_some("viewer"));
    features
}

/// The first file of that name in the folders of PATH.
fn on_path(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let folders = std::env::var_os("PATH")?;
    let mut paths = std::env::split_paths(&folders).map(|folder| folder.join(&file));
    paths.find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::metadata(path)
            .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    path.is_file()
}

/// `6.1.1` of `ffmpeg version 6.1.1 Copyright ...`.
fn version(program: &Path) -> Option<String> {
    let output = Command::new(program).arg("-version").stdin(Stdio::null()).output();
    let output = output.ok().filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let (_, rest) = text.lines().next()?.split_once(" version ")?;
    rest.split_whitespace().next().map(str::to_owned)
}

/// Returns nothing where the system has a display of its own.
#[cfg(not(all(unix, not(target_vendor = "apple"))))]
pub(super) fn displays(_: bool) -> Vec<DisplayReport> {
    Vec::new()
}

#[cfg(all(unix, not(target_vendor = "apple")))]
pub(super) use self::of_unix::displays;

/// Display servers. Nothing is sent to them: accepting the connection is enough.
#[cfg(all(unix, not(target_vendor = "apple")))]
mod of_unix {
    use std::io;
    use std::net::{TcpStream, ToSocketAddrs as _};
    use std::os::unix::net::UnixStream;
    use std::path::PathBuf;
    use std::time::Duration;

    use super::DisplayReport;

    /// As long as another machine may take.
    const PATIENCE: Duration = Duration::from_secs(2);
    /// The port of display 0.
    const X11_PORT: u16 = 6000;

    /// Looks for display servers where the environment says that they are. The window uses X11 where there are both.
    pub(in super::super) fn displays(has_window: bool) -> Vec<DisplayReport> {
        let read = |variable| std::env::var(variable).ok().filter(|value| !value.is_empty());
        let [x11, wayland, handed] = ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].map(read);
        let problem = |answer: io::Result<()>| answer.err().map(|error| error.to_string());
        let is_x11 = x11.is_some();
        let display = |name, variable, value: Option<String>, answer: Option<_>, used: bool| {
            let problem = answer.and_then(problem);
            DisplayReport { name, variable, problem, value, used: has_window && used }
        };
        let answer = x11.as_deref().map(self::x11);
        let x11 = display("X11", "DISPLAY", x11, answer, is_x11);
        // A connection that was handed over is not tried: it would be used up.
        let wayland = if handed.is_some() {
            display("Wayland", "WAYLAND_SOCKET", handed, None, !is_x11)
        } else {
            let (answer, used) = (wayland.as_deref().map(self::wayland), wayland.is_some());
            display("Wayland", "WAYLAND_DISPLAY", wayland, answer, !is_x11 && used)
        };
        vec![x11, wayland]
    }

    /// Connects to `HOST:DISPLAY.SCREEN`; without a host, to this machine.
    fn x11(display: &str) -> io::Result<()> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidInput, "it does not name a display");
        let (host, number) = display.rsplit_once(':').ok_or_else(wrong)?;
        let number = number.split('.').next().unwrap_or_default();
        let number: u16 = number.parse().map_err(|_| wrong())?;
        if host.is_empty() || host == "unix" {
            return local(&format!("/tmp/.X11-unix/X{number}"));
        }
        let port = X11_PORT.checked_add(number).ok_or_else(wrong)?;
        let mut last = wrong();
        for address in (host, port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, PATIENCE) {
                Ok(_) => return Ok(()),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn local(path: &str) -> io::Result<()> {
        let answer = UnixStream::connect(path);
        #[cfg(target_os = "linux")]
        if answer.is_err() {
            use std::os::linux::net::SocketAddrExt as _;
            let name = std::os::unix::net::SocketAddr::from_abstract_name(path);
            if name.is_ok_and(|name| UnixStream::connect_addr(&name).is_ok()) {
                return Ok(());
            }
        }
        answer.map(drop)
    }

    /// A path, or a name in the folder that `XDG_RUNTIME_DIR` says.
    fn wayland(display: &str) -> io::Result<()> {
        let folder = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
        let folder = folder.filter(|folder| folder.is_dir());
        let path = match folder {
            Some(folder) => folder.join(display), // a path stays as it is
            None if display.starts_with('/') => display.into(),
            None => {
                let text = "XDG_RUNTIME_DIR does not name a folder";
                return Err(io::Error::new(io::ErrorKind::NotFound, text));
            }
        };
        UnixStream::connect(path).map(drop)
    }
}
