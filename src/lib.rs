//! The window of `pchr-view`, and the program as a whole: its command line and window over the kinds of content that it opens.
#![forbid(unsafe_code)]

#[cfg(feature = "viewer")]
pub mod viewer;

#[cfg(feature = "viewer")]
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[cfg(feature = "viewer")]
use pchr_tools::cli::Failure;
use pchr_tools::cli::pchr_view as view;
use pchr_tools::open::Openers;

/// The built-in sample character.
const SAMPLE: &[u8] = include_bytes!("../assets/sample.pchr");

/// Runs `pchr-view` with the process's arguments. `openers` are the kinds of content that it opens: [`Openers::ALL`], or these and
/// more.
pub fn main(openers: Openers) -> ExitCode {
    #[cfg(feature = "viewer")]
    let window = Some(open_window as view::OpenWindow);
    #[cfg(not(feature = "viewer"))]
    let window = None;
    view::main(env!("PCHR_VERSION"), SAMPLE, openers, window)
}

#[cfg(feature = "viewer")]
fn open_window(openers: Openers, args: view::WindowArgs) -> Result<(), Failure> {
    use self::viewer::{ViewerError, ViewerOptions, run};

    let mut shown = args.shown;
    shown.check_window()?;
    for path in shown.paths_mut() {
        *path = absolute(path);
    }
    let options = ViewerOptions {
        openers,
        gpu: args.adapter.gpu_options()?,
        window_size: args.window_size.map(|size| size.0),
        preview: args.preview,
        files: args.files.iter().map(|path| absolute(path)).collect(),
        allow_outside: args.allow_outside,
        sample: SAMPLE,
        shown,
        playing: args.playing,
        no_defaults: args.no_defaults,
    };
    run(options).map_err(|error| match error {
        ViewerError::NoAdapter(_) | ViewerError::NoFormat => Failure::NoAdapter(error.to_string()),
        ViewerError::Environment(_) => Failure::Usage(error.to_string()),
        _ => Failure::Running(error.into()),
    })
}

/// A path that means the same in any current directory; `-` stays standard input.
#[cfg(feature = "viewer")]
fn absolute(path: &Path) -> PathBuf {
    if path.as_os_str() == "-" {
        return path.to_owned();
    }
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
#[path = "../tests/support/fixture.rs"]
mod fixture;
#[cfg(test)]
#[path = "../examples/own_content/quads.rs"]
mod quads;

/// The README's example compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
