//! The program itself, and the external program that it may call.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{FfmpegReport, ProgramReport};

/// Looks at the program and the machine.
pub(super) fn look(has_window: bool) -> ProgramReport {
    ProgramReport {
        version: crate::version(),
        platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        cores: std::thread::available_parallelism().map_or(1, NonZero::get),
        features: features(has_window),
        ffmpeg: on_path("ffmpeg").map(|path| FfmpegReport { version: version(&path), path }),
    }
}

fn features(has_window: bool) -> Vec<&'static str> {
    let features = [
        ("cli", true),
        ("raster", true),
        ("render", cfg!(feature = "render")),
        ("viewer", has_window),
    ];
    let built = features.into_iter().filter(|(_, built)| *built);
    built.map(|(name, _)| name).collect()
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
