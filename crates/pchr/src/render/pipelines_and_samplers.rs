//! Kinds of targets that renderers draw into, and the pipelines for them, with samplers.

use super::error::UnsupportedTarget;
use super::gpu_data::{
    GpuFrame, MASKED_LAYOUT, MEMBER_LAYOUT, OVERLAY_LAYOUT, TINT_LAYOUT, VERTEX_LAYOUT, layout,
    texture,
};
use super::shaders;
use crate::scene::{Filter, Samples};

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
    fn writes_depth(&self) -> bool {
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

/// Parameters in which the pipelines differ.
pub(super) struct Painter {
    label: &'static str,
    source: &'static str,
    entry_points: [&'static str; 2],
    vertices: &'static [Option<wgpu::VertexBufferLayout<'static>>],
    blend: Option<wgpu::BlendState>,
}

/// Painter's order, premultiplied.
const OVER: Option<wgpu::BlendState> = Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);

/// Draws skinned meshes: premultiplied blending, painter's order, both sides.
pub(super) const SKINNED: Painter = Painter {
    label: "Renderer::pipeline",
    source: shaders::SKINNED,
    entry_points: ["vs_skinned", "fs_skinned"],
    vertices: &[Some(VERTEX_LAYOUT), Some(TINT_LAYOUT)],
    blend: OVER,
};

/// Draws crowds with the same blending.
pub(super) const CROWD: Painter = Painter {
    label: "CrowdRenderer::pipeline",
    source: shaders::CROWD,
    entry_points: ["vs_crowd", "fs_crowd"],
    vertices: &[Some(VERTEX_LAYOUT), Some(MEMBER_LAYOUT)],
    blend: OVER,
};

/// Draws overlays with the same blending. There is no group 1.
pub(super) const OVERLAY: Painter = Painter {
    label: "OverlayRenderer::pipeline",
    source: shaders::OVERLAY,
    entry_points: ["vs_overlay", "fs_overlay"],
    vertices: &[Some(OVERLAY_LAYOUT)],
    blend: OVER,
};

/// Draws overlays within the texels of an image. Group 1 is the atlas.
pub(super) const MASKED: Painter = Painter {
    label: "OverlayRenderer::masked",
    source: shaders::MASKED,
    entry_points: ["vs_masked", "fs_masked"],
    vertices: &[Some(MASKED_LAYOUT)],
    blend: OVER,
};

/// Lays a ghost's layer in its tint over other layers. Group 1 is the tint.
pub(super) const TINTED: Painter = Painter {
    label: "GhostLayers::tinted",
    source: shaders::GHOST,
    entry_points: ["vs_ghost", "fs_tinted"],
    vertices: &[],
    blend: OVER,
};

/// Replaces a picture by all layers. There is only group 2.
pub(super) const PLAIN: Painter = Painter {
    label: "GhostLayers::plain",
    source: shaders::GHOST,
    entry_points: ["vs_ghost", "fs_plain"],
    vertices: &[],
    blend: None,
};

/// Averages the four samples of each pixel. Group 2 is the texture that has them.
const RESOLVE: Painter = Painter {
    label: "Gpu::resolve",
    source: shaders::RESOLVE,
    entry_points: ["vs_resolve", "fs_resolve"],
    vertices: &[],
    blend: None,
};

pub(super) fn resolve(device: &wgpu::Device) -> wgpu::RenderPipeline {
    let samples = [(wgpu::ShaderStages::FRAGMENT, texture(false, true))];
    let samples = layout(device, RESOLVE.label, &samples);
    let target = TargetOptions::of_pictures(Samples::One);
    RESOLVE.pipeline(device, [None, None, Some(&samples)], &target)
}

impl Painter {
    /// Creates the pipeline for a target. `groups` are the layouts of groups 0 to 2.
    pub(super) fn pipeline(
        &self,
        device: &wgpu::Device,
        groups: [Option<&wgpu::BindGroupLayout>; 3],
        target: &TargetOptions,
    ) -> wgpu::RenderPipeline {
        let label = Some(self.label);
        let [vs, fs] = self.entry_points;
        let flag = |set: bool| f64::from(u8::from(set));
        let linear = flag(target.blending == Blending::Linear);
        let depth = flag(target.writes_depth());
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label,
            source: wgpu::ShaderSource::Wgsl(shaders::with_common(self.source).into()),
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: &groups,
            immediate_size: 0,
        });
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label,
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some(vs),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: self.vertices,
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: target.depth_stencil.clone(),
            multisample: wgpu::MultisampleState {
                count: target.sample_count,
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some(fs),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: &[("common_linear", linear), ("common_depth", depth)],
                    ..Default::default()
                },
                targets: &[Some(wgpu::ColorTargetState {
                    format: target.color_format,
                    blend: self.blend,
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// Creates a sampler, clamped to the edge. Mipmap levels are blended (trilinear) or not read at all. The nearest filter always
/// reads the largest level, as the CPU renderer does.
pub(super) fn sampler(device: &wgpu::Device, filter: Filter, mipmaps: bool) -> wgpu::Sampler {
    let texels = match filter {
        Filter::Linear => wgpu::FilterMode::Linear,
        Filter::Nearest => wgpu::FilterMode::Nearest,
    };
    let (levels, lod_max_clamp) = if mipmaps && filter == Filter::Linear {
        (wgpu::MipmapFilterMode::Linear, 32.0)
    } else {
        (wgpu::MipmapFilterMode::Nearest, 0.0)
    };
    device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("View::sampler"),
        mag_filter: texels,
        min_filter: texels,
        mipmap_filter: levels,
        lod_min_clamp: 0.0,
        lod_max_clamp,
        ..Default::default()
    })
}
