//! Draws characters with wgpu, in any program's render passes.
//!
//! Needs the feature `render`.
//!
//! ```no_run
//! use pchr::character::Character;
//! use pchr::finding::Findings;
//! use pchr::glam::camera::rh::proj::directx::orthographic;
//! use pchr::glam::{Affine2, Vec2};
//! use pchr::image::decode_all;
//! use pchr::playback::FrameAt;
//! use pchr::pose::BindChoice;
//! use pchr::render::{GpuModel, Instance, Renderer, TargetOptions, View};
//! use pchr::scene::{Frame, ViewOptions};
//! use pchr::{format, wgpu};
//!
//! # fn draw(device: wgpu::Device, queue: wgpu::Queue, pass: wgpu::RenderPass<'_>) -> Result<(), Box<dyn std::error::Error>> {
//! // Once for each kind of render pass: its formats, samples and depth.
//! let renderer = Renderer::new(&device, &TargetOptions::new(wgpu::TextureFormat::Bgra8Unorm))?;
//! let layouts = renderer.layouts();
//!
//! // Once for each character.
//! let document = format::read(std::fs::read("fox.pchr")?)?;
//! let mut findings = Findings::default();
//! let images = decode_all(&document, &mut findings);
//! findings.iter().for_each(|finding| eprintln!("{finding}")); // such as an image that does not decode: a placeholder is drawn
//! let mut model = GpuModel::new(&device, &queue, layouts, &document, &images, true);
//! model.warnings().iter().for_each(|warning| eprintln!("{warning}")); // such as an image that the device takes no larger
//! let walk = document.animation_named("walk").ok_or("no walk")?;
//! let fox = Character::new(document, BindChoice::Auto);
//!
//! // Once for each camera, and for each figure.
//! let mut view = View::new(&device, layouts);
//! let mut instance = Instance::new(&device, layouts, &model);
//! let mut frame = Frame::default();
//!
//! // For each picture: pose, place, write ...
//! view.set_matrix(&queue, orthographic(-640.0, 640.0, -360.0, 360.0, -1.0, 1.0));
//! frame.fill(&fox, Some(FrameAt::exact(walk, 7)), &ViewOptions::default());
//! instance.set_placement(Affine2::from_translation(Vec2::new(100.0, 0.0)));
//! instance.set_tint([1.0, 0.9, 0.8, 1.0]);
//! instance.prepare(&device, &queue, &mut model, frame.list(), frame.pose())?;
//!
//! // ... and draw, as many as there are, in a pass of your own.
//! # let mut pass = pass;
//! renderer.draw(&mut pass, &view, &model, &instance);
//! # Ok(())
//! # }
//! ```
//!
//! `examples/embed_wgpu.rs` and `examples/crowd_wgpu.rs` are whole programs.
//!
//! # Lifetimes
//!
//! | struct | represents | shared by |
//! | --- | --- | --- |
//! | [`Renderer`] | pipelines for one kind of target | all that is drawn into it |
//! | [`View`] | a projection, and how texels are read | all that it shows |
//! | [`GpuModel`] | vertices, draw orders and textures of a character | its instances |
//! | [`Instance`] | a pose, a place, a tint, looks of parts | – |
//! | [`Crowd`] | many figures, 32 bytes each, that play baked clips ([`crate::scene::Bake`]) | – |
//!
//! The device is the caller's, with any limits and features: those of WebGL2 are enough. Nothing here has a thread, a surface or a global;
//! nothing blocks, and once warm nothing is allocated but what wgpu does for writes. What is written (`set_…` of a view, `prepare`, `refresh`)
//! counts for all that is submitted afterwards: a figure in two poses or places in one submission is two instances.
//!
//! # Exact colours
//!
//! Characters are blended sRGB-encoded, as they were painted and as captures have them ([`Blending::Exact`]). A target in an sRGB format blends
//! linearly, so [`Renderer::new`] refuses it, and there are two ways out:
//!
//! - Draw into a view of the same texture without the suffix. It was created (or the surface configured) with
//!   `view_formats: &[format.remove_srgb_suffix()]`, the view has `format: Some(format.remove_srgb_suffix())`, and so has [`TargetOptions`].
//!   The pixels are a capture's. GL has no such views; draw into a texture in a plain format and copy from there for the same result.
//! - Ask for [`Blending::Linear`]: the shader writes linear colours, and opaque areas look the same. Soft edges and shadows do not: see there
//!   how far.
//!
//! # Own pipelines
//!
//! [`Layouts`] has the bind groups, [`gpu_data`] the structs and vertices, [`shaders`] the sources; [`GpuModel::vertices`],
//! [`Instance::indices`], [`Instance::runs`], [`Instance::palette`] and [`Instance::tints`] are the inputs of [`Renderer::draw`].
//!
//! ```text
//! Document + Pixels ──GpuModel::new──► vertices, orders, textures ─┐
//! DrawList + Pose ──Instance::prepare──► palette, order, tints ────┤
//! Mat4 or Picture ──View::set_…──► frame ──────────────────────────┼─draw──► render pass ──(OffscreenTarget──► Pixels)
//! Overlay ──OverlayRenderer::prepare──► vertices, indices ─────────┘
//! ```
//!
//! [`Gpu`] and [`OffscreenTarget`] are how the programs here find a device and read pictures back.

mod adapter;
mod crowd;
mod error;
pub mod gpu_data;
mod instance;
mod model;
mod order;
mod overlay;
mod picture_target;
mod pipelines_and_samplers;
mod texture;
mod view;

use core::time::Duration;

pub use adapter::{
    AdapterSurvey, BackendSurvey, Capabilities, Gpu, GpuOptions, GpuWindow, UnknownBackend,
    backend_named, default_backends, is_built,
};
#[cfg(not(target_family = "wasm"))]
pub use adapter::{load_drivers, survey};
pub use crowd::{Crowd, CrowdError, CrowdInstance, CrowdRenderer};
pub use error::{GpuError, UnsupportedTarget, UnsupportedTexture};
pub use gpu_data::Layouts;
pub use instance::{DrawRun, Instance, PartLook};
pub use model::GpuModel;
pub use overlay::{GhostLayers, OverlayRenderer};
pub use picture_target::{GpuTimer, OffscreenTarget, PictureTexture, Ticket, patience};
pub use pipelines_and_samplers::{Blending, TargetOptions};
pub use texture::GpuImage;
pub use view::{Renderer, View};

/// Time limit for a driver to answer.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub mod shaders {
    //! WGSL sources. A pipeline's shader is [`COMMON`] followed by its own file.
    //!
    #![doc = include_str!("../../shaders/README.md")]

    /// Frame, model, skinning, projection to the screen, and the colours and depth of a target. Names start with `common_`.
    pub const COMMON: &str = concat!(
        include_str!("../../shaders/common_skinning.wgsl"),
        include_str!("../../shaders/common_color_and_depth.wgsl")
    );

    /// Draws skinned meshes.
    pub const SKINNED: &str = include_str!("../../shaders/skinned.wgsl");

    /// Draws crowds.
    pub const CROWD: &str = include_str!("../../shaders/crowd.wgsl");

    /// Draws overlays.
    pub const OVERLAY: &str = include_str!("../../shaders/overlay.wgsl");

    /// Draws overlays within the texels of an image.
    pub const MASKED: &str = include_str!("../../shaders/masked.wgsl");

    /// Lays the layers of ghosts.
    pub const GHOST: &str = include_str!("../../shaders/ghost.wgsl");

    /// Averages the samples of a picture.
    pub const RESOLVE: &str = include_str!("../../shaders/resolve.wgsl");

    /// Returns a whole shader: [`COMMON`] followed by `source`.
    #[must_use]
    pub fn with_common(source: &str) -> String {
        [COMMON, source].join("\n")
    }
}
