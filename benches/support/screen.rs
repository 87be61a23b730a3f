//! An X server of its own (Xvfb) for windows that are measured.
#![allow(clippy::expect_used, reason = "a bench ends where a program would report")]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::x11::{Shot, X11};

/// Width and height of the screen.
pub(crate) const SCREEN: [u16; 2] = [1180, 760];

/// A server, which chooses its display, and the folder of the settings and caches of its programs.
pub(crate) struct Server {
    process: Child,
    display: String,
    home: tempfile::TempDir,
}

impl Server {
    pub(crate) fn start() -> Self {
        let [width, height] = SCREEN;
        let mut process = Command::new("Xvfb")
            .args(["-displayfd", "1", "-ac", "-noreset", "-nolisten", "tcp"])
            .args(["-screen", "0", &format!("{width}x{height}x24")])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb must be installed (Debian and Ubuntu: apt-get install xvfb)");
        let mut display = String::new();
        let output = process.stdout.take().expect("its output");
        BufReader::new(output).read_line(&mut display).expect("its display");
        let home = tempfile::tempdir().expect("a folder");
        Self { process, display: display.trim().to_owned(), home }
    }

    /// Returns the folder of settings and caches.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    pub(crate) fn connect(&self) -> X11 {
        X11::connect(&self.display).expect("the X server")
    }

    /// Returns the command that starts a program with a window.
    pub(crate) fn command(&self, program: &Path, arguments: &[&Path]) -> Command {
        let mut command = Command::new(program);
        for folder in ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"] {
            command.env(folder, self.home());
        }
        command
            .args(arguments)
            .env("DISPLAY", format!(":{}", self.display))
            .env_remove("WAYLAND_DISPLAY")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the middle of the screen, where the picture is.
pub(crate) fn middle(x11: &mut X11) -> Shot {
    x11.part([440, 180], 300, 300)
}
