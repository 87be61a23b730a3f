//! Options of the program that opens the window.

use std::path::PathBuf;

use pchr::render::GpuOptions;
use pchr_tools::open::Openers;
use pchr_tools::view::{Playing, Shown};

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
    /// View of the first file; background, directions and companions also of others.
    pub shown: Shown,
    /// How it plays.
    pub playing: Playing,
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
            shown: Shown::default(),
            playing: Playing::default(),
            gpu: GpuOptions::default(),
            window_size: None,
        }
    }
}
