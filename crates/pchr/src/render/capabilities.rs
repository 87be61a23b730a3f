//! Capabilities of an adapter.

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
