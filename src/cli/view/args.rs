//! What can be typed.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand};

use super::compare::CompareArgs;
use super::doctor::DoctorArgs;
use super::test::{ReportArgs, TestArgs};
use super::values::{
    Background, FilterArg, Fit, LoopArg, Output, OverlayItem, Point, RendererArg, Size, ZOrder,
    finite, positive, speed,
};
use crate::capture::FrameSpec;
#[cfg(feature = "render")]
use crate::cli::Failure;
use crate::cli::input::InputArgs;
use crate::cli::messages::Verbosity;

/// Shows PCHR characters in a window, and captures them to pictures without one.
#[derive(Debug, Parser)]
#[command(
    name = "pchr-view",
    version = env!("PCHR_VERSION"),
    args_conflicts_with_subcommands = true,
    help_expected = true,
    after_help = "Examples:
  pchr-view                        # the built-in sample
  pchr-view hero.pchr              # opens, fits and plays; drop other files on the window
  pchr-view capture hero.pchr -o hero.png
  pchr-view capture hero.pchr -a walk -f all -o 'walk/{frame:04}.png' --renderer cpu
  pchr-view compare old.png new.png --diff diff.png
  pchr-view test suite.toml --report report

Exit codes: 0 done, 1 failed while running, 2 usage, 3 pictures differ, 4 invalid input file, 5 no usable graphics \
adapter, 6 a baseline is missing"
)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) window: WindowArgs,
    #[command(flatten)]
    pub(super) verbosity: Verbosity,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Draws frames to PNG files; needs no display and, with --renderer cpu, no graphics driver
    Capture(Box<CaptureArgs>),
    /// Says how two pictures differ, or the pictures of two folders
    Compare(CompareArgs),
    /// Says what this machine has to draw and to show with, and tests the renderers
    Doctor(DoctorArgs),
    /// Holds a suite of captures against baselines
    Test(Box<TestArgs>),
    /// Works on the reports of tests
    Report(ReportArgs),
}

#[cfg(all(feature = "render", target_os = "linux"))]
impl Command {
    /// Whether it may load graphics drivers without a window.
    pub(super) fn may_open_adapter(&self) -> bool {
        match self {
            Self::Capture(capture) => capture.renderer != RendererArg::Cpu,
            Self::Doctor(_) | Self::Test(_) => true,
            Self::Compare(_) | Self::Report(_) => false,
        }
    }
}

/// Which graphics adapter draws.
#[derive(Clone, Debug, Default, ClapArgs)]
pub struct AdapterArgs {
    /// Graphics interface: vulkan, gl, metal or dx12 (also WGPU_BACKEND)
    #[arg(long, value_name = "BACKEND", value_parser = ["vulkan", "gl", "metal", "dx12"])]
    pub backend: Option<String>,
    /// Part of the graphics adapter's name (also WGPU_ADAPTER_NAME)
    #[arg(long, value_name = "TEXT")]
    pub adapter: Option<String>,
}

impl AdapterArgs {
    /// Whether a certain adapter is asked for on the command line.
    pub(super) fn asked(&self) -> bool {
        self.backend.is_some() || self.adapter.is_some()
    }
}

#[cfg(feature = "render")]
impl AdapterArgs {
    /// The adapter that is wanted here or by the environment.
    ///
    /// # Errors
    /// [`Failure::Usage`] for an unknown backend.
    pub fn gpu_options(&self) -> Result<crate::render::GpuOptions, Failure> {
        let backend = self.backend.as_deref().map(str::parse).transpose();
        let backend = backend.map_err(|error| Failure::Usage(format!("--backend: {error}")))?;
        let options = crate::render::GpuOptions {
            backend,
            adapter: self.adapter.clone(),
        };
        options
            .with_environment()
            .map_err(|error| Failure::Usage(format!("WGPU_BACKEND: {error}")))
    }
}

/// What the window is asked for.
#[derive(Clone, Debug, ClapArgs)]
pub struct WindowArgs {
    /// Files to show; without any, the built-in sample
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Read images that a JSON file names outside of its folder, too
    #[arg(long)]
    pub allow_outside: bool,
    /// Animation to show first, by name or index
    #[arg(short, long, value_name = "NAME|INDEX")]
    pub animation: Option<String>,
    /// Frame to show first
    #[arg(short, long, value_name = "N")]
    pub frame: Option<u32>,
    /// Start paused
    #[arg(long)]
    pub paused: bool,
    /// Playback speed, 0.05 to 8, 1 as authored
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = speed)]
    pub speed: f64,
    /// Blend neighbouring frames
    #[arg(long)]
    pub smooth: bool,
    /// Pose that the vertices are stored in: ANIMATION, ANIMATION:FRAME or none
    #[arg(long, value_name = "POSE")]
    pub bind: Option<String>,
    /// The files were authored with Y down
    #[arg(long)]
    pub y_down: bool,
    /// checker, #RRGGBB, #RRGGBBAA or a PNG file; the window has a checkerboard of its own
    #[arg(long, value_name = "BACKGROUND")]
    pub background: Option<Background>,
    /// Screen pixels per world pixel
    #[arg(long, value_name = "FACTOR", value_parser = positive)]
    pub zoom: Option<f64>,
    /// World point in the middle
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub center: Option<Point>,
    /// Which adapter draws.
    #[command(flatten)]
    pub adapter: AdapterArgs,
    /// Window size
    #[arg(long, value_name = "WxH")]
    pub window_size: Option<Size>,
}

/// What a capture is asked for.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  pchr-view capture hero.pchr -o hero.png
  pchr-view capture hero.pchr -a walk -f 0..24:6 -s 256x256 -o 'walk/{frame:04}.png'
  pchr-view capture hero.pchr -a all -f all -o '{animation}/{frame}.png' --renderer cpu
  pchr-view capture hero.pchr --time 0.35 --smooth --background '#808080' -o - > now.png
  pchr-view capture hero.pchr --hide '*shadow' --center 0,120 --zoom 2 -o close.png --json
  pchr-view capture hero.pchr --overlay bones,names --overlay wireframe -s 1024x1024 -o rig.png
  pchr-view capture hero.pchr --overlay weights=hand_near --background studio.png -o hand.png
  pchr-view capture hero.pchr --z-order 'tail=2' --renderer cpu -o behind.png

MESH is a name, a pattern (* ? [..] match) or an index like #3; a name that is there counts first. In --overlay, BONE and \
MESH are a name or an index; one whose name holds a comma is meant by its index.")]
pub(super) struct CaptureArgs {
    /// The file; - reads it from stdin
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    #[command(flatten)]
    pub(super) input: InputArgs,
    /// Where the pictures go: a .png, with several frames a template with {frame}, {frame:04}, {animation} and {file};
    /// - writes one PNG to stdout
    #[arg(short, long, value_name = "PATH")]
    pub(super) output: Output,
    /// Which animation, by name or index; all captures every one [default: the first that is not the bind pose]
    #[arg(short, long, value_name = "NAME|INDEX|#INDEX|all")]
    pub(super) animation: Option<String>,
    /// Which frames: 7, 0..24, 0..=24, 0..48:2 (every 2nd), all, or a list like 0,6,12
    #[arg(
        short,
        long,
        value_name = "SPEC",
        default_value = "0",
        conflicts_with = "time"
    )]
    pub(super) frame: FrameSpec,
    /// A moment instead of a frame, in seconds; with --smooth between frames
    #[arg(long, value_name = "SECONDS", value_parser = finite, allow_hyphen_values = true)]
    pub(super) time: Option<f64>,
    /// Size of the picture
    #[arg(short = 's', long, value_name = "WxH", default_value = "512x512")]
    pub(super) resolution: Size,
    /// What the view must hold, with a margin of 5 %
    #[arg(long, value_enum, default_value_t)]
    pub(super) fit: Fit,
    /// World point in the middle, instead of the fit's
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub(super) center: Option<Point>,
    /// Pixels per world unit, instead of the fit's
    #[arg(long, value_name = "PIXELS_PER_UNIT", value_parser = positive)]
    pub(super) zoom: Option<f64>,
    /// none, checker, checker:#EVEN,#ODD[,SIZE], #RRGGBB, #RRGGBBAA, or a .png file, which is scaled to cover the picture
    #[arg(long, value_name = "BACKGROUND", default_value = "none")]
    pub(super) background: Background,
    /// Coverage samples a pixel
    #[arg(long, value_name = "1|4", default_value = "4", value_parser = ["1", "4"])]
    pub(super) msaa: String,
    /// How texels are read
    #[arg(long, value_enum, default_value_t)]
    pub(super) filter: FilterArg,
    /// Draw from smaller copies of the images when zoomed out
    #[arg(long)]
    pub(super) mipmaps: bool,
    /// Debug drawings (repeatable, with commas between them): bones, names, wireframe, bounds, origin, order (the number
    /// of each mesh in draw order), weights=BONE (colours of how much it moves), mesh=MESH and bone=BONE (stand out)
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(super) overlay: Vec<OverlayItem>,
    /// Pixels that a line of the debug drawings is wide
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=8))]
    pub(super) overlay_scale: u32,
    /// Leave out meshes of this name (repeatable; * ? [..] match)
    #[arg(long, value_name = "MESH")]
    pub(super) hide: Vec<String>,
    /// Leave out all meshes but those of this name (repeatable; * ? [..] match)
    #[arg(long, value_name = "MESH")]
    pub(super) only: Vec<String>,
    /// Show meshes of this name, whatever the file says (repeatable; * ? [..] match); --hide counts more
    #[arg(long, value_name = "MESH")]
    pub(super) show: Vec<String>,
    /// Draw meshes of this name at this place in the order instead of the file's (repeatable; * ? [..] match)
    #[arg(long, value_name = "MESH=N")]
    pub(super) z_order: Vec<ZOrder>,
    /// Blend neighbouring frames
    #[arg(long)]
    pub(super) smooth: bool,
    /// Whether the animation starts over behind its end, whatever the file says: for --time and --smooth
    #[arg(
        long = "loop",
        value_enum,
        value_name = "on|off",
        hide_possible_values = true
    )]
    pub(super) looping: Option<LoopArg>,
    /// Pose that the vertices are stored in: ANIMATION, ANIMATION:FRAME or none
    #[arg(long, value_name = "POSE")]
    pub(super) bind: Option<String>,
    /// The file was authored with Y down
    #[arg(long)]
    pub(super) y_down: bool,
    /// What draws
    #[arg(long, value_enum, default_value_t)]
    pub(super) renderer: RendererArg,
    #[command(flatten)]
    pub(super) adapter: AdapterArgs,
    /// Threads that draw and encode [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(super) jobs: Option<u16>,
    /// Say on stdout, as JSON, what was written
    #[arg(long)]
    pub(super) json: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_sound() {
        Args::command().debug_assert();
    }
}
