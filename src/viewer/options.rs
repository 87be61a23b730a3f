//! Options of the program that opens the window.

use std::path::PathBuf;

use pchr::render::GpuOptions;
use pchr_foreign::motion::UpAxis;
use pchr_tools::files::Companions;
use pchr_tools::open::Openers;
use pchr_tools::view::{Point, ViewDirection};

/// Initial state of the window. The default shows the sample, fitted and playing.
#[derive(Clone, Debug)]
pub struct ViewerOptions {
    /// Files to show; Left and Right go through them. If empty, the sample is shown. `-` is standard input.
    pub files: Vec<PathBuf>,
    /// Kinds of content that can be opened.
    pub openers: Openers,
    /// True if images that a JSON file names may lie outside its folder.
    pub allow_outside: bool,
    /// Built-in sample, a PCHR file.
    pub sample: &'static [u8],
    /// First animation to show, by name or index.
    pub animation: Option<String>,
    /// First frame to show.
    pub frame: Option<u32>,
    /// True if playback starts paused.
    pub paused: bool,
    /// Playback speed in seconds of animation per second, above 0.
    pub speed: f64,
    /// True if frames are blended.
    pub smooth: bool,
    /// Bind pose: `ANIMATION`, `ANIMATION:FRAME` or `none`.
    pub bind: Option<String>,
    /// True if the files were authored with Y down.
    pub y_down: bool,
    /// Flat background instead of the checkerboard: straight RGBA, sRGB-encoded. On screen the checkerboard shows
    /// through where it is not opaque.
    pub background: Option<[u8; 4]>,
    /// PNG file with the background picture.
    pub background_picture: Option<PathBuf>,
    /// Viewing direction of a 3D motion.
    pub view: Option<ViewDirection>,
    /// Vertical field of view of a 3D motion in degrees; 0 is orthographic.
    pub fov: Option<f64>,
    /// Up axis of a 3D motion, instead of the file's.
    pub up: Option<UpAxis>,
    /// True if a 3D motion does not move the whole model.
    pub in_place: bool,
    /// Zoom in screen pixels per world pixel, instead of the fit's.
    pub zoom: Option<f64>,
    /// World point in the middle of the picture, instead of the fit's.
    pub center: Option<Point>,
    /// Skeleton and motions that are shown with the files.
    pub companions: Companions,
    /// Graphics adapter that draws.
    pub gpu: GpuOptions,
    /// Width and height of the window in logical pixels.
    pub window_size: Option<[u32; 2]>,
}

impl Default for ViewerOptions {
    fn default() -> Self {
        Self {
            files: Vec::new(),
            openers: Openers::ALL,
            allow_outside: false,
            sample: &[],
            animation: None,
            frame: None,
            paused: false,
            speed: 1.0,
            smooth: false,
            bind: None,
            y_down: false,
            background: None,
            background_picture: None,
            view: None,
            fov: None,
            up: None,
            in_place: false,
            zoom: None,
            center: None,
            companions: Companions::default(),
            gpu: GpuOptions::default(),
            window_size: None,
        }
    }
}
