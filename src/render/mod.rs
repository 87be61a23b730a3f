//! Draws a [`crate::scene::DrawList`] with wgpu. Does not depend on a window.
//!
//! Structs follow lifetime: [`Gpu`] lives as long as the program, [`Renderer`] as long as a target format,
//! [`GpuModel`] as long as a file, [`OffscreenTarget`] as long as a picture size. Objects are created in `new`, written
//! in [`Renderer::prepare`] and only recorded in [`Renderer::draw`]; once warm a frame allocates nothing here.
//!
//! ```text
//! Document + Pixels ──GpuModel::new──► vertices, indices, textures ─┐
//! DrawList + Pose + Picture ──prepare──► palette, frame ────────────┼─draw──► render pass ──OffscreenTarget──► Pixels
//! Overlay ──OverlayRenderer::prepare──► vertices, indices ──────────┘
//! ```

mod capabilities;
mod error;
mod fit;
mod ghosts;
mod gpu;
pub mod gpu_data;
mod model;
mod order;
mod overlay;
mod palette;
mod pipelines;
mod renderer;
pub mod shaders;
mod survey;
mod target;
mod texture;
mod timer;

use core::time::Duration;

pub use capabilities::Capabilities;
pub use error::GpuError;
pub use ghosts::GhostLayers;
pub use gpu::{BackendChoice, Gpu, GpuOptions, GpuWindow, UnknownBackend};
pub use model::GpuModel;
pub use overlay::OverlayRenderer;
pub use pipelines::Layouts;
pub use renderer::Renderer;
#[cfg(not(target_family = "wasm"))]
pub use survey::survey;
pub use survey::{AdapterSurvey, BackendSurvey};
pub use target::{OffscreenTarget, Ticket, patience};
pub use texture::GpuImage;
pub use timer::GpuTimer;

/// Time limit for a driver to answer.
pub const PATIENCE: Duration = Duration::from_secs(30);
