//! What this machine has to draw with, whether it can be used or not.

use super::gpu::{Loaded, open};
use super::{BackendChoice, Gpu};

/// What an adapter can do, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// The largest side of a texture, and so of a picture, in pixels.
    pub texture_side: u32,
    /// The largest buffer in bytes: vertices of a file, a picture that is read back.
    pub buffer_bytes: u64,
    /// Whether 32-bit float textures are read. Needed: matrices of bones are in one.
    pub float_textures: bool,
    /// Whether 8-bit RGBA is drawn with 4 samples a pixel. Needed.
    pub four_samples: bool,
    /// Whether it can be measured how long the adapter takes.
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

    /// What it cannot do and must, in words.
    ///
    /// # Errors
    /// The first of it.
    pub(super) fn check(&self) -> Result<(), &'static str> {
        match (self.four_samples, self.float_textures) {
            (false, _) => Err("it draws no 8-bit RGBA with 4 samples"),
            (true, false) => Err("it reads no 32-bit float textures"),
            (true, true) => Ok(()),
        }
    }
}

/// A graphics interface, and what can be reached by it.
#[derive(Clone, Debug)]
pub struct BackendSurvey {
    /// Which one.
    pub backend: BackendChoice,
    /// Its adapters, hardware first; or why there are none.
    pub adapters: Result<Vec<AdapterSurvey>, String>,
}

/// An adapter.
#[derive(Clone, Debug)]
pub struct AdapterSurvey {
    /// Its name, kind and driver.
    pub info: wgpu::AdapterInfo,
    /// What it can do.
    pub capabilities: Capabilities,
    /// Why it cannot be used; `None` if it can.
    pub refused: Option<String>,
}

impl AdapterSurvey {
    /// Whether it draws on the CPU.
    #[must_use]
    pub fn is_software(&self) -> bool {
        super::gpu::is_software(&self.info)
    }
}

/// Loads the drivers of all graphics interfaces that the program was built for, and opens all their adapters, one after
/// the other: each is asked, not guessed.
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
    let loaded = Loaded::new(backend, None).await?;
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
    /// Whether this is the adapter that was opened.
    #[must_use]
    pub fn is(&self, adapter: &AdapterSurvey) -> bool {
        self.info == adapter.info
    }
}
