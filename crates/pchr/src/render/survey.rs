//! Survey of this machine's adapters, usable or not, and their capabilities.

use super::gpu::{LoadedBackend, open};
use super::{BackendChoice, Gpu};

/// A backend and its adapters.
#[derive(Clone, Debug)]
pub struct BackendSurvey {
    /// The backend.
    pub backend: BackendChoice,
    /// Its adapters, hardware first, or the reason why there are none.
    pub adapters: Result<Vec<AdapterSurvey>, String>,
}

/// An adapter.
#[derive(Clone, Debug)]
pub struct AdapterSurvey {
    /// Name, type and driver.
    pub info: wgpu::AdapterInfo,
    /// Its capabilities.
    pub capabilities: Capabilities,
    /// Reason why it cannot be used; `None` if it can.
    pub refused: Option<String>,
}

impl AdapterSurvey {
    /// Returns true if it draws on the CPU.
    #[must_use]
    pub fn is_software(&self) -> bool {
        super::gpu::is_software(&self.info)
    }
}

/// Loads the drivers of all backends that the program was built with, and opens each of their adapters in turn.
#[cfg(not(target_family = "wasm"))]
#[must_use]
pub fn survey() -> Vec<BackendSurvey> {
    let built = BackendChoice::ALL.into_iter().filter(|it| it.is_built());
    built
        .map(|backend| BackendSurvey {
            backend,
            adapters: pollster::block_on(adapters(backend)),
        })
        .collect()
}

#[cfg(not(target_family = "wasm"))]
async fn adapters(backend: BackendChoice) -> Result<Vec<AdapterSurvey>, String> {
    let loaded = LoadedBackend::new(backend, None).await?;
    let mut adapters = Vec::new();
    for (adapter, info) in loaded.adapters {
        adapters.push(AdapterSurvey {
            capabilities: Capabilities::of(&adapter),
            refused: open(&adapter).await.err(),
            info,
        });
    }
    Ok(adapters)
}

impl Gpu {
    /// Returns true if `adapter` is the one that was opened.
    #[must_use]
    pub fn is(&self, adapter: &AdapterSurvey) -> bool {
        self.info == adapter.info
    }
}

/// Adapter capabilities that the program checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Largest side of a texture, and so of a picture, in pixels.
    pub texture_side: u32,
    /// Largest buffer in bytes. Limits the vertices of a file and a picture that is read back.
    pub buffer_bytes: u64,
    /// True if the adapter reads 32-bit float textures. Required: the bone matrices are in one.
    pub float_textures: bool,
    /// True if the adapter draws 8-bit RGBA with 4 samples per pixel. Required.
    pub four_samples: bool,
    /// True if the adapter can measure its own time.
    pub timestamps: bool,
}

impl Capabilities {
    pub(super) fn of(adapter: &wgpu::Adapter) -> Self {
        let usable = |format, usage, samples| {
            let features = adapter.get_texture_format_features(format);
            features.allowed_usages.contains(usage)
                && features.flags.sample_count_supported(samples)
        };
        let color = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        let palette = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST;
        let limits = adapter.limits();
        Self {
            texture_side: limits.max_texture_dimension_2d,
            buffer_bytes: limits.max_buffer_size,
            float_textures: usable(wgpu::TextureFormat::Rgba32Float, palette, 1),
            four_samples: usable(wgpu::TextureFormat::Rgba8Unorm, color, 4),
            timestamps: adapter.features().contains(wgpu::Features::TIMESTAMP_QUERY),
        }
    }

    /// Checks that no required capability is missing.
    ///
    /// # Errors
    /// The first missing capability, in words.
    pub(super) fn check(&self) -> Result<(), &'static str> {
        match (self.four_samples, self.float_textures) {
            (false, _) => Err("it cannot draw 8-bit RGBA with 4 samples"),
            (true, false) => Err("it cannot read 32-bit float textures"),
            (true, true) => Ok(()),
        }
    }
}
