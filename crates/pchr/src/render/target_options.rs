//! Kinds of targets that renderers draw into.

use super::error::UnsupportedTarget;
use super::gpu_data::GpuFrame;
use crate::scene::Samples;

/// Format of pictures that are read back or laid over others. Not an sRGB one: colours are blended sRGB-encoded.
pub(super) const PICTURE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Space in which colours are blended; [`Self::Exact`] by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Blending {
    /// sRGB-encoded, as the characters were painted and as captures have them. The target's format must not be an sRGB one.
    #[default]
    Exact,
    /// Linear: premultiplied linear colours are written, as other parts of a linear pipeline do. What is opaque looks the same; soft edges,
    /// shadows and what shows through do not. With four samples the sample character is off by 0.5 of 255 on average over white, 0.2 over grey
    /// and 0.3 over nothing, by 67 at worst, and one pixel in twenty by more than 2.
    /// Small, tinted and half transparent figures differ far more. For sRGB and floating-point formats: a format that has an sRGB variant
    /// is refused, and in the rest, like `Rgb10a2Unorm`, colours are too dark unless they are encoded later.
    Linear,
}

/// Description of the render passes that a renderer draws into.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetOptions {
    /// Format of the pass's only colour attachment.
    pub color_format: wgpu::TextureFormat,
    /// Space in which colours are blended.
    pub blending: Blending,
    /// Depth and stencil of a pass that has them. A figure is drawn back to front in one plane: where depths are written, a comparison must
    /// let equal ones pass, and the view must give the plane one depth, as an orthographic one from the front does.
    ///
    /// Where depths are written, transparent texels write none, nor a stencil; half transparent ones do. So what lies behind soft edges and
    /// shadows is missing unless it was drawn before: draw figures after what is behind them, or without depth writes.
    pub depth_stencil: Option<wgpu::DepthStencilState>,
    /// Samples per pixel of all attachments.
    pub sample_count: u32,
}

impl TargetOptions {
    /// Describes passes with one sample a pixel and without depth, for [`Blending::Exact`].
    #[must_use]
    pub fn new(color_format: wgpu::TextureFormat) -> Self {
        Self { color_format, blending: Blending::Exact, depth_stencil: None, sample_count: 1 }
    }

    /// Describes the passes of pictures in [`PICTURE_FORMAT`].
    pub(super) fn of_pictures(samples: Samples) -> Self {
        Self { sample_count: samples.count(), ..Self::new(PICTURE_FORMAT) }
    }

    /// Returns true if a pass's depths are written.
    pub(super) fn writes_depth(&self) -> bool {
        let state = self.depth_stencil.as_ref();
        state.is_some_and(|state| state.depth_write_enabled == Some(true))
    }

    /// Checks what can be known before a pipeline is made.
    pub(super) fn check(&self, device: &wgpu::Device) -> Result<(), UnsupportedTarget> {
        let features = device.features();
        // Then the device takes what its adapter can, which only it knows.
        let guaranteed =
            !features.contains(wgpu::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES);
        check_limits(&device.limits(), self.color_format)?;
        self.check_color(features, guaranteed)?;
        if let Some(state) = &self.depth_stencil {
            check_depth(state, features)?;
        }
        let depth = self.depth_stencil.as_ref().map(|state| state.format);
        for format in [Some(self.color_format), depth].into_iter().flatten() {
            let flags = format.guaranteed_format_features(features).flags;
            let possible = [1, 2, 4, 8, 16];
            if !possible.contains(&self.sample_count)
                || guaranteed && !flags.sample_count_supported(self.sample_count)
            {
                return Err(UnsupportedTarget::SampleCount {
                    format,
                    asked: self.sample_count,
                    possible: flags.supported_sample_counts(),
                });
            }
        }
        Ok(())
    }

    fn check_color(
        &self,
        features: wgpu::Features,
        guaranteed: bool,
    ) -> Result<(), UnsupportedTarget> {
        let format = self.color_format;
        UnsupportedTarget::check_features(format, features)?;
        if format.is_depth_stencil_format() {
            return Err(UnsupportedTarget::NotColor(format));
        }
        if is_whole_numbers(format) {
            return Err(UnsupportedTarget::WholeNumbers(format));
        }
        if guaranteed && !is_drawable(format, features) {
            return Err(missing(format, features, is_drawable)
                .unwrap_or(UnsupportedTarget::NotDrawable(format)));
        }
        if guaranteed && !is_blendable(format, features) {
            return Err(missing(format, features, is_blendable)
                .unwrap_or(UnsupportedTarget::NotBlendable(format)));
        }
        if self.blending == Blending::Exact && format.is_srgb() {
            return Err(UnsupportedTarget::SrgbIsLinear {
                format,
                exact: format.remove_srgb_suffix(),
            });
        }
        let srgb = format.add_srgb_suffix();
        if self.blending == Blending::Linear && srgb != format {
            return Err(UnsupportedTarget::LinearIsDark { format, srgb });
        }
        Ok(())
    }
}

/// Features that let more formats be drawn into or blended.
const OF_FORMATS: [wgpu::Features; 2] =
    [wgpu::Features::RG11B10UFLOAT_RENDERABLE, wgpu::Features::FLOAT32_BLENDABLE];

/// Returns the error that a format lacks one of these features.
fn missing(
    format: wgpu::TextureFormat,
    features: wgpu::Features,
    is_enough: fn(wgpu::TextureFormat, wgpu::Features) -> bool,
) -> Option<UnsupportedTarget> {
    let mut lacking = OF_FORMATS.into_iter();
    let missing = lacking.find(|more| is_enough(format, features | *more))?;
    Some(UnsupportedTarget::Feature { format, missing })
}

fn is_drawable(format: wgpu::TextureFormat, features: wgpu::Features) -> bool {
    let usages = format.guaranteed_format_features(features).allowed_usages;
    usages.contains(wgpu::TextureUsages::RENDER_ATTACHMENT)
}

fn is_blendable(format: wgpu::TextureFormat, features: wgpu::Features) -> bool {
    let flags = format.guaranteed_format_features(features).flags;
    flags.contains(wgpu::TextureFormatFeatureFlags::BLENDABLE)
}

fn is_whole_numbers(format: wgpu::TextureFormat) -> bool {
    matches!(
        format.sample_type(None, None),
        Some(wgpu::TextureSampleType::Uint | wgpu::TextureSampleType::Sint)
    )
}

/// Checks the depth state as a pipeline would, and that it lets a figure's meshes cover each other.
fn check_depth(
    state: &wgpu::DepthStencilState,
    features: wgpu::Features,
) -> Result<(), UnsupportedTarget> {
    let format = state.format;
    UnsupportedTarget::check_features(format, features)?;
    if !format.is_depth_stencil_format() {
        return Err(UnsupportedTarget::NotDepth(format));
    }
    let wrong = |problem| Err(UnsupportedTarget::Depth { format, problem });
    let writes = state.depth_write_enabled == Some(true);
    let faces = [state.stencil.front, state.stencil.back];
    let depth_fails = { faces.iter() }.any(|f| f.depth_fail_op != wgpu::StencilOperation::Keep);
    if format.has_depth_aspect() {
        if state.depth_write_enabled.is_none() {
            return wrong("depth_write_enabled must be Some");
        }
        if (writes || depth_fails) && state.depth_compare.is_none() {
            return wrong("depth_compare must be Some");
        }
    } else if state.is_depth_enabled() {
        return wrong(
            "the format has no depth: depth_write_enabled and depth_compare must be None",
        );
    }
    if state.stencil.is_enabled() && !format.has_stencil_aspect() {
        return wrong("the format has no stencil");
    }
    let equal_fails = matches!(
        state.depth_compare,
        Some(
            wgpu::CompareFunction::Less
                | wgpu::CompareFunction::Greater
                | wgpu::CompareFunction::NotEqual
        )
    );
    if writes && equal_fails {
        return wrong(
            "the meshes of a figure lie in one plane, so with depth_write_enabled each would hide those above it: disable depth writes, or compare with LessEqual or GreaterEqual in a view that gives the plane one depth",
        );
    }
    Ok(())
}

/// Checks the limits that the shaders and a target need; the smallest limits of WebGL2 are enough.
fn check_limits(
    limits: &wgpu::Limits,
    color_format: wgpu::TextureFormat,
) -> Result<(), UnsupportedTarget> {
    let wide = |limit: u64| u32::try_from(limit).unwrap_or(u32::MAX);
    let frame = wide(size_of::<GpuFrame>() as u64);
    let needs = [
        ("max_bindings_per_bind_group", limits.max_bindings_per_bind_group, 2),
        ("max_uniform_buffer_binding_size", wide(limits.max_uniform_buffer_binding_size), frame),
        ("max_buffer_size", wide(limits.max_buffer_size), frame),
        ("max_inter_stage_shader_variables", limits.max_inter_stage_shader_variables, 2),
        ("max_color_attachments", limits.max_color_attachments, 1),
        (
            "max_color_attachment_bytes_per_sample",
            limits.max_color_attachment_bytes_per_sample,
            color_format.target_pixel_byte_cost().unwrap_or(0),
        ),
        ("max_bind_groups_plus_vertex_buffers", limits.max_bind_groups_plus_vertex_buffers, 5),
        ("max_bind_groups", limits.max_bind_groups, 3),
        ("max_vertex_buffers", limits.max_vertex_buffers, 2),
        ("max_vertex_attributes", limits.max_vertex_attributes, 5),
        ("max_vertex_buffer_array_stride", limits.max_vertex_buffer_array_stride, 40),
        ("max_uniform_buffers_per_shader_stage", limits.max_uniform_buffers_per_shader_stage, 2),
        ("max_sampled_textures_per_shader_stage", limits.max_sampled_textures_per_shader_stage, 2),
        ("max_samplers_per_shader_stage", limits.max_samplers_per_shader_stage, 1),
        ("max_texture_dimension_2d", limits.max_texture_dimension_2d, 2048),
    ];
    for (name, has, needed) in needs {
        if has < needed {
            return Err(UnsupportedTarget::Limit { name, has, needed });
        }
    }
    Ok(())
}
