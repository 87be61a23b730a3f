//! What the program that opens the window asks for.

use std::path::PathBuf;

use crate::files::Companions;
use crate::motion::UpAxis;
use crate::open::Openers;
use crate::render::GpuOptions;
use crate::view::{Point, ViewDirection};

/// How the window starts. The default shows the sample as a fit, playing.
#[derive(Clone, Debug)]
pub struct ViewerOptions {
    /// The files to show, walked with Left and Right; without any the sample is shown. `-` is the standard input.
    pub files: Vec<PathBuf>,
    /// Kinds of content that can be opened.
    pub openers: Openers,
    /// Whether images are read that a JSON file names outside of its folder.
    pub allow_outside: bool,
    /// The built-in sample, a PCHR file.
    pub sample: &'static [u8],
    /// The animation to show first: its name, or its index.
    pub animation: Option<String>,
    /// The frame to show first.
    pub frame: Option<u32>,
    /// Whether it starts paused.
    pub paused: bool,
    /// Seconds of animation per second; more than 0.
    pub speed: f64,
    /// Whether frames are blended.
    pub smooth: bool,
    /// The bind pose: `ANIMATION`, `ANIMATION:FRAME` or `none`.
    pub bind: Option<String>,
    /// Whether the files were authored with Y down.
    pub y_down: bool,
    /// A flat colour instead of the checkerboard: straight RGBA, sRGB-encoded; alpha lets the checkerboard through.
    pub background: Option<[u8; 4]>,
    /// A PNG file to lay behind the character.
    pub background_picture: Option<PathBuf>,
    /// Direction that a 3D motion is seen from.
    pub view: Option<ViewDirection>,
    /// Degrees that a picture of a 3D motion is high; 0 is orthographic.
    pub fov: Option<f64>,
    /// The axis of a 3D motion that points up, instead of the file's.
    pub up: Option<UpAxis>,
    /// True if the movement of the whole model by a 3D motion is left out.
    pub in_place: bool,
    /// Screen pixels per world pixel, instead of the fit's.
    pub zoom: Option<f64>,
    /// World point in the middle, instead of the fit's.
    pub center: Option<Point>,
    /// Skeleton and motions that the files are shown with.
    pub companions: Companions,
    /// Which graphics adapter draws.
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
