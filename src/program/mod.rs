//! `pchr-view` as a whole: its command line and its window over the kinds of content that it opens.

#[cfg(feature = "viewer")]
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[cfg(feature = "viewer")]
use pchr_tools::cli::Failure;
use pchr_tools::cli::pchr_view as view;
use pchr_tools::open::Openers;

/// Runs `pchr-view` with the process's arguments. `openers` are the kinds of content that it opens: [`Openers::ALL`], or these and
/// more.
pub fn main(openers: Openers) -> ExitCode {
    #[cfg(feature = "viewer")]
    let window = Some(open_window as view::OpenWindow);
    #[cfg(not(feature = "viewer"))]
    let window = None;
    view::main(env!("PCHR_VERSION"), openers, window)
}

/// Returns the colour of a background that is one, or is transparent.
#[cfg(feature = "viewer")]
fn flat(background: &view::Background) -> Option<[u8; 4]> {
    match background {
        view::Background::Transparent => Some([0; 4]),
        background => background.color(),
    }
}

#[cfg(feature = "viewer")]
fn open_window(openers: Openers, args: view::WindowArgs) -> Result<(), Failure> {
    use crate::viewer::{ViewerError, ViewerOptions, run};
    use pchr_tools::files::Companions;

    let options = ViewerOptions {
        openers,
        gpu: args.adapter.gpu_options()?,
        background: args.background.as_ref().and_then(flat),
        background_picture: args.background.and_then(view::Background::picture),
        center: args.center,
        companions: Companions {
            skeleton: args.skeleton.as_deref().map(absolute),
            offered: None,
            motions: args.motion.iter().map(|path| absolute(path)).collect(),
        },
        window_size: args.window_size.map(|size| size.0),
        files: args.files,
        allow_outside: args.allow_outside,
        sample: view::SAMPLE,
        animation: args.animation,
        frame: args.frame,
        paused: args.paused,
        speed: args.speed,
        smooth: args.smooth,
        bind: args.bind,
        y_down: args.y_down,
        view: args.view,
        fov: args.fov,
        up: args.up.map(Into::into),
        in_place: args.in_place,
        zoom: args.zoom,
    };
    run(options).map_err(|error: ViewerError| {
        if error.is_no_adapter() {
            return Failure::NoAdapter(error.to_string());
        }
        if error.is_environment() {
            return Failure::Usage(error.to_string());
        }
        Failure::Running(error.into())
    })
}

/// A path that means the same in any current directory.
#[cfg(feature = "viewer")]
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
