//! Options of the program that draws.

use clap::Args;

#[cfg(feature = "render")]
use super::ViewError;
use super::choices::RendererArg;

/// Renderer of pictures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub(crate) struct RendererArgs {
    /// Renderer
    #[arg(long, value_enum, default_value_t)]
    pub(crate) renderer: RendererArg,
    #[command(flatten)]
    pub(crate) adapter: AdapterArgs,
}

/// Graphics adapter that draws.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct AdapterArgs {
    /// Graphics interface: vulkan, gl, metal or dx12 (also WGPU_BACKEND)
    #[arg(long, value_name = "BACKEND", value_parser = ["vulkan", "gl", "metal", "dx12"])]
    pub backend: Option<String>,
    /// Part of the graphics adapter's name (also WGPU_ADAPTER_NAME)
    #[arg(long, value_name = "TEXT")]
    pub adapter: Option<String>,
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
        let backend = self
            .backend
            .as_deref()
            .map(str::parse::<pchr::render::BackendChoice>)
            .transpose();
        let backend =
            backend.map_err(|error| ViewError::new("backend", error.to_string()).of(""))?;
        let options = pchr::render::GpuOptions {
            backend,
            adapter: self.adapter.clone(),
        };
        options
            .with_environment()
            .map_err(|error| ViewError::new("backend", format!("WGPU_BACKEND: {error}")))
    }
}
