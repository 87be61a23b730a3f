//! Shows PCHR characters in a window, and captures them to pictures without one.

use std::process::ExitCode;

use pchr_view::cli::Failure;
use pchr_view::cli::pchr_view::{self as program, WindowArgs};

fn main() -> ExitCode {
    program::main(open_window)
}

#[cfg(feature = "viewer")]
fn open_window(args: WindowArgs) -> Result<(), Failure> {
    use pchr_view::viewer::{ViewerError, ViewerOptions, run};

    let options = ViewerOptions {
        gpu: args.adapter.gpu_options()?,
        background: args
            .background
            .as_ref()
            .and_then(program::Background::color),
        background_picture: args.background.and_then(program::Background::picture),
        center: args.center.map(|point| point.0),
        window_size: args.window_size.map(|size| size.0),
        files: args.files,
        allow_outside: args.allow_outside,
        sample: program::SAMPLE,
        animation: args.animation,
        frame: args.frame,
        paused: args.paused,
        speed: args.speed,
        smooth: args.smooth,
        bind: args.bind,
        y_down: args.y_down,
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

#[cfg(not(feature = "viewer"))]
fn open_window(_args: WindowArgs) -> Result<(), Failure> {
    let message = "this program was built without the window (feature `viewer`); `pchr-view capture` draws to files";
    Err(Failure::Usage(message.into()))
}
