//! The options of a capture.

use std::path::PathBuf;

use clap::Args;

use super::values::{
    Background, FilterArg, Fit, LoopArg, Output, OverlayItem, Point, RendererArg, Size, ZOrder,
    finite, positive,
};
use crate::capture::FrameSpec;
#[cfg(feature = "render")]
use crate::run::Failure;
use crate::run::input::InputArgs;

/// Which graphics adapter draws.
#[derive(Clone, Debug, Default, Args)]
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
    pub(crate) fn asked(&self) -> bool {
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

/// What a capture is asked for.
#[derive(Debug, Args)]
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
pub(crate) struct CaptureArgs {
    /// The file; - reads it from stdin
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Where the pictures go: a .png, with several frames a template with {frame}, {frame:04}, {animation} and {file};
    /// - writes one PNG to stdout
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Output,
    /// Which animation, by name or index; all captures every one [default: the first that is not the bind pose]
    #[arg(short, long, value_name = "NAME|INDEX|#INDEX|all")]
    pub(crate) animation: Option<String>,
    /// Which frames: 7, 0..24, 0..=24, 0..48:2 (every 2nd), all, or a list like 0,6,12
    #[arg(
        short,
        long,
        value_name = "SPEC",
        default_value = "0",
        conflicts_with = "time"
    )]
    pub(crate) frame: FrameSpec,
    /// A moment instead of a frame, in seconds; with --smooth between frames
    #[arg(long, value_name = "SECONDS", value_parser = finite, allow_hyphen_values = true)]
    pub(crate) time: Option<f64>,
    /// Size of the picture
    #[arg(short = 's', long, value_name = "WxH", default_value = "512x512")]
    pub(crate) resolution: Size,
    /// What the view must hold, with a margin of 5 %
    #[arg(long, value_enum, default_value_t)]
    pub(crate) fit: Fit,
    /// World point in the middle, instead of the fit's
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub(crate) center: Option<Point>,
    /// Pixels per world unit, instead of the fit's
    #[arg(long, value_name = "PIXELS_PER_UNIT", value_parser = positive)]
    pub(crate) zoom: Option<f64>,
    /// none, checker, checker:#EVEN,#ODD[,SIZE], #RRGGBB, #RRGGBBAA, or a .png file, which is scaled to cover the picture
    #[arg(long, value_name = "BACKGROUND", default_value = "none")]
    pub(crate) background: Background,
    /// Coverage samples a pixel
    #[arg(long, value_name = "1|4", default_value = "4", value_parser = ["1", "4"])]
    pub(crate) msaa: String,
    /// How texels are read
    #[arg(long, value_enum, default_value_t)]
    pub(crate) filter: FilterArg,
    /// Draw from smaller copies of the images when zoomed out
    #[arg(long)]
    pub(crate) mipmaps: bool,
    /// Debug drawings (repeatable, with commas between them): bones, names, wireframe, bounds, origin, order (the number
    /// of each mesh in draw order), weights=BONE (colours of how much it moves), mesh=MESH and bone=BONE (stand out)
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) overlay: Vec<OverlayItem>,
    /// Pixels that a line of the debug drawings is wide
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=8))]
    pub(crate) overlay_scale: u32,
    /// Leave out meshes of this name (repeatable; * ? [..] match)
    #[arg(long, value_name = "MESH")]
    pub(crate) hide: Vec<String>,
    /// Leave out all meshes but those of this name (repeatable; * ? [..] match)
    #[arg(long, value_name = "MESH")]
    pub(crate) only: Vec<String>,
    /// Show meshes of this name, whatever the file says (repeatable; * ? [..] match); --hide counts more
    #[arg(long, value_name = "MESH")]
    pub(crate) show: Vec<String>,
    /// Draw meshes of this name at this place in the order instead of the file's (repeatable; * ? [..] match)
    #[arg(long, value_name = "MESH=N")]
    pub(crate) z_order: Vec<ZOrder>,
    /// Blend neighbouring frames
    #[arg(long)]
    pub(crate) smooth: bool,
    /// Whether the animation starts over behind its end, whatever the file says: for --time and --smooth
    #[arg(
        long = "loop",
        value_enum,
        value_name = "on|off",
        hide_possible_values = true
    )]
    pub(crate) looping: Option<LoopArg>,
    /// Pose that the vertices are stored in: ANIMATION, ANIMATION:FRAME or none
    #[arg(long, value_name = "POSE")]
    pub(crate) bind: Option<String>,
    /// The file was authored with Y down
    #[arg(long)]
    pub(crate) y_down: bool,
    /// What draws
    #[arg(long, value_enum, default_value_t)]
    pub(crate) renderer: RendererArg,
    #[command(flatten)]
    pub(crate) adapter: AdapterArgs,
    /// Threads that draw and encode [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
    /// Say on stdout, as JSON, what was written
    #[arg(long)]
    pub(crate) json: bool,
}
