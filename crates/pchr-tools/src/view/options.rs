//! The options of pictures.

use std::path::PathBuf;

use clap::Args;

use pchr::playback::FrameSpec;

use super::Background;
#[cfg(feature = "render")]
use super::ViewError;
use super::choices::{FilterArg, Fit, LoopArg, RendererArg, UpArg};
use super::mixing::Mixing;
use super::numbers::{fov, positive};
use super::values::{OverlayItem, OverlayList, Point, Size, Tints, ViewDirection, ZOrder};
use crate::files::Companions;
use crate::text::seconds;

/// Graphics adapter that draws.
#[derive(Clone, Debug, Default, Args)]
pub struct AdapterArgs {
    /// Graphics interface: vulkan, gl, metal or dx12 (also WGPU_BACKEND)
    #[arg(long, value_name = "BACKEND", value_parser = ["vulkan", "gl", "metal", "dx12"])]
    pub backend: Option<String>,
    /// Part of the graphics adapter's name (also WGPU_ADAPTER_NAME)
    #[arg(long, value_name = "TEXT")]
    pub adapter: Option<String>,
}

impl Options {
    /// Files that are shown together with the named one.
    pub(crate) fn companions(&self) -> Companions {
        Companions {
            skeleton: self.skeleton.clone(),
            offered: None,
            motions: self.motion.clone(),
        }
    }

    /// All overlays.
    pub(crate) fn overlays(&self) -> impl Iterator<Item = &OverlayItem> {
        self.overlay.iter().flat_map(|list| &list.0)
    }
}

impl AdapterArgs {
    /// Returns true if the command line names an adapter.
    pub(crate) fn asked(&self) -> bool {
        self.backend.is_some() || self.adapter.is_some()
    }
}

#[cfg(feature = "render")]
impl AdapterArgs {
    /// Returns the adapter that the command line or the environment asks for.
    ///
    /// # Errors
    /// [`ViewError`] for an unknown backend.
    pub fn gpu_options(&self) -> Result<pchr::render::GpuOptions, ViewError> {
        let backend = self.backend.as_deref().map(str::parse).transpose();
        let backend =
            backend.map_err(|error| ViewError::new("backend", format!("--backend: {error}")))?;
        let options = pchr::render::GpuOptions {
            backend,
            adapter: self.adapter.clone(),
        };
        options
            .with_environment()
            .map_err(|error| ViewError::new("backend", format!("WGPU_BACKEND: {error}")))
    }
}

/// View and renderer of pictures.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Animation, by name or index; all captures every animation, or every sprite of an atlas in turn (for an animation named all,
    /// use #INDEX) [default: the first that is not the bind pose]
    #[arg(short, long, value_name = "NAME|INDEX|#INDEX|all")]
    pub(crate) animation: Option<String>,
    /// Frames: 7, 0..24, 0..=24, 0..48:2 (every 2nd), 0..:2 (to the end), all, or a list like 0,6,12
    #[arg(
        short,
        long,
        value_name = "SPEC",
        default_value = "0",
        conflicts_with = "time"
    )]
    pub(crate) frame: FrameSpec,
    /// Time in seconds, instead of a frame; FRAME / rate, also if rounded to 6 or more digits, is that frame. A negative one counts
    /// back from the end if the animation loops. With --smooth, times between frames are blended; glTF is always shown at exactly
    /// this time
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true)]
    pub(crate) time: Option<f64>,
    /// Cross-fade from animation A to B, bone by bone, instead of one animation; T is 0 (only A) to 1 (only B). A and B are names or
    /// indices; --frame or --time chooses the moment of A
    #[arg(long, value_name = "A:B:T", conflicts_with = "animation")]
    pub(crate) mix: Option<Mixing>,
    /// Frames of B in --mix: one, or one for each picture [default: those of A; a shorter B starts over if it loops, else holds its last frame]
    #[arg(long, value_name = "SPEC", conflicts_with = "mix_time")]
    pub(crate) mix_frame: Option<FrameSpec>,
    /// Time of B in --mix in seconds, instead of a frame [default: that of --time]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true)]
    pub(crate) mix_time: Option<f64>,
    /// Size of the picture
    #[arg(short = 's', long, value_name = "WxH", default_value = "512x512")]
    pub(crate) resolution: Size,
    /// Content to fit into the view, with a margin of 5 %
    #[arg(long, value_enum, default_value_t)]
    pub(crate) fit: Fit,
    /// World point in the middle, instead of the fitted one; X,Y,Z for a 3D motion
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub(crate) center: Option<Point>,
    /// Camera of another file, fitted as its own pictures with these options are; or of a PNG file that capture wrote. --center or
    /// --zoom replaces that part of it
    #[arg(long, value_name = "FILE")]
    pub(crate) camera_of: Option<PathBuf>,
    /// View of a 3D motion: front, side, top, or YAW,PITCH in degrees [default: 30,15]
    #[arg(long, value_name = "VIEW|YAW,PITCH", allow_hyphen_values = true)]
    pub(crate) view: Option<ViewDirection>,
    /// Vertical field of view of a 3D motion in degrees, 0 to 150; 0 is orthographic [default: 0]
    #[arg(long, value_name = "DEGREES", value_parser = fov, allow_hyphen_values = true)]
    pub(crate) fov: Option<f64>,
    /// Up axis of a 3D motion [default: the file's]
    #[arg(long, value_enum, value_name = "y|z", hide_possible_values = true)]
    pub(crate) up: Option<UpArg>,
    /// Leave out the root motion of a 3D motion
    #[arg(long)]
    pub(crate) in_place: bool,
    /// Skeleton of a 3D motion: .skl.pxd or glTF [default: the one beside the file]
    #[arg(long, value_name = "FILE")]
    pub(crate) skeleton: Option<PathBuf>,
    /// 3D motion to play on a skeleton or a character (repeatable)
    #[arg(long, value_name = "FILE")]
    pub(crate) motion: Vec<PathBuf>,
    /// Pixels per world unit, instead of the fitted scale
    #[arg(
        long,
        value_name = "PIXELS_PER_UNIT",
        value_parser = positive,
        allow_hyphen_values = true
    )]
    pub(crate) zoom: Option<f64>,
    /// none, checker, checker:#EVEN,#ODD[,SIZE], #RRGGBB, #RRGGBBAA, or a .png file, which is scaled to cover the picture (the
    /// checkerboard shows where it is transparent)
    #[arg(long, value_name = "BACKGROUND", default_value = "none")]
    pub(crate) background: Background,
    /// Coverage samples per pixel
    #[arg(long, value_name = "1|4", default_value = "4", value_parser = ["1", "4"])]
    pub(crate) msaa: String,
    /// Texture filter
    #[arg(long, value_enum, default_value_t)]
    pub(crate) filter: FilterArg,
    /// Draw from smaller copies of the images when zoomed out (ignored for atlases, whose sprites would show their neighbours)
    #[arg(long)]
    pub(crate) mipmaps: bool,
    /// Overlays (repeatable, or separated by commas): bones, names, wireframe, bounds, origin, grid, order (draw order of
    /// meshes), weights=BONE (its weights as colours), mesh=MESH and bone=BONE (highlighted), trail=BONE or trail=MESH:VERTEX (its
    /// path), onion=BEFORE,AFTER or onion=BEFORE,AFTER,STEP (ghosts of other frames); for a 3D motion also axes and path (root motion)
    #[arg(long, value_name = "LIST")]
    pub(crate) overlay: Vec<OverlayList>,
    /// Colours of the ghosts before and after [default: #408cff,#ff8636]
    #[arg(long, value_name = "#RRGGBB,#RRGGBB")]
    pub(crate) onion_tint: Option<Tints>,
    /// Line width of overlays in pixels
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=8))]
    pub(crate) overlay_scale: u32,
    /// Font for letters that the built-in font lacks, in --overlay names [default: the system's] (repeatable)
    #[arg(long, value_name = "FILE")]
    pub(crate) font: Vec<PathBuf>,
    /// Hide meshes with this name (repeatable; wildcards: * ? [..])
    #[arg(long, value_name = "MESH")]
    pub(crate) hide: Vec<String>,
    /// Show only meshes with this name (repeatable; wildcards: * ? [..])
    #[arg(long, value_name = "MESH")]
    pub(crate) only: Vec<String>,
    /// Show meshes with this name even if the file hides them (repeatable; wildcards: * ? [..]); --hide wins
    #[arg(long, value_name = "MESH")]
    pub(crate) show: Vec<String>,
    /// Change the draw order of meshes with this name (repeatable; wildcards: * ? [..])
    #[arg(long, value_name = "MESH=N")]
    pub(crate) z_order: Vec<ZOrder>,
    /// Blend neighbouring frames
    #[arg(long)]
    pub(crate) smooth: bool,
    /// Whether the animation loops, overriding the file; for --time and --smooth
    #[arg(
        long = "loop",
        value_enum,
        value_name = "on|off",
        hide_possible_values = true
    )]
    pub(crate) looping: Option<LoopArg>,
    /// Pose in which the vertices are stored: ANIMATION, ANIMATION:FRAME or none
    #[arg(long, value_name = "POSE")]
    pub(crate) bind: Option<String>,
    /// Flip a file that was authored with Y down
    #[arg(long)]
    pub(crate) y_down: bool,
    /// Renderer
    #[arg(long, value_enum, default_value_t)]
    pub(crate) renderer: RendererArg,
    #[command(flatten)]
    pub(crate) adapter: AdapterArgs,
}
