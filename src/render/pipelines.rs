//! Bind group layouts and pipelines.

use super::gpu_data::{self, MASKED_LAYOUT, OVERLAY_LAYOUT, VERTEX_LAYOUT};
use super::{OffscreenTarget, shaders};
use crate::scene::{Filter, Samples};

/// The layouts of the three bind groups, shared by all pipelines. `shaders/README.md` has them as a table.
#[derive(Clone, Debug)]
pub struct Layouts {
    /// Group 0: the frame and its sampler.
    pub frame: wgpu::BindGroupLayout,
    /// Group 1: the model and its palette.
    pub model: wgpu::BindGroupLayout,
    /// Group 2: an image.
    pub texture: wgpu::BindGroupLayout,
}

impl Layouts {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let layout = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some(label),
                entries,
            })
        };
        let entry = |binding, visibility, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility,
            ty,
            count: None,
        };
        let (vertex, fragment) = (wgpu::ShaderStages::VERTEX, wgpu::ShaderStages::FRAGMENT);
        let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        Self {
            frame: layout(
                "Layouts::frame",
                &[
                    entry(0, vertex, uniform(size_of::<gpu_data::Frame>())),
                    entry(1, fragment, sampler),
                ],
            ),
            model: layout(
                "Layouts::model",
                &[
                    entry(0, vertex, uniform(size_of::<gpu_data::Model>())),
                    entry(1, vertex, texture(false)),
                ],
            ),
            texture: layout("Layouts::texture", &[entry(0, fragment, texture(true))]),
        }
    }
}

fn uniform(size: usize) -> wgpu::BindingType {
    wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: wgpu::BufferSize::new(size as u64),
    }
}

fn texture(filterable: bool) -> wgpu::BindingType {
    wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    }
}

/// Draws skinned meshes: premultiplied blending in sRGB-encoded space, painter's order, both sides.
pub(super) fn skinned(
    device: &wgpu::Device,
    layouts: &Layouts,
    target_format: wgpu::TextureFormat,
    samples: Samples,
) -> wgpu::RenderPipeline {
    let what = Painter {
        label: "Renderer::pipeline",
        source: shaders::SKINNED,
        entry_points: ["vs_skinned", "fs_skinned"],
        groups: &[
            Some(&layouts.frame),
            Some(&layouts.model),
            Some(&layouts.texture),
        ],
        vertices: &[Some(VERTEX_LAYOUT)],
        blend: OVER,
    };
    painter(device, &what, target_format, samples)
}

/// Draws overlays with the same blending.
pub(super) fn overlay(
    device: &wgpu::Device,
    layouts: &Layouts,
    target_format: wgpu::TextureFormat,
    samples: Samples,
) -> wgpu::RenderPipeline {
    let what = Painter {
        label: "OverlayRenderer::pipeline",
        source: shaders::OVERLAY,
        entry_points: ["vs_overlay", "fs_overlay"],
        groups: &[Some(&layouts.frame), None, Some(&layouts.texture)],
        vertices: &[Some(OVERLAY_LAYOUT)],
        blend: OVER,
    };
    painter(device, &what, target_format, samples)
}

/// Draws overlays within the texels of an image. Group 1 is the atlas.
pub(super) fn masked(
    device: &wgpu::Device,
    layouts: &Layouts,
    target_format: wgpu::TextureFormat,
    samples: Samples,
) -> wgpu::RenderPipeline {
    let what = Painter {
        label: "OverlayRenderer::masked",
        source: shaders::MASKED,
        entry_points: ["vs_masked", "fs_masked"],
        groups: &[
            Some(&layouts.frame),
            Some(&layouts.texture),
            Some(&layouts.texture),
        ],
        vertices: &[Some(MASKED_LAYOUT)],
        blend: OVER,
    };
    painter(device, &what, target_format, samples)
}

/// Returns the layout of group 1 for [`tinted`].
pub(super) fn tint_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("Layouts::tint"),
        entries: &[wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty: uniform(size_of::<gpu_data::Ghost>()),
            count: None,
        }],
    })
}

/// Lays a ghost's layer in its tint over other layers.
pub(super) fn tinted(
    device: &wgpu::Device,
    layouts: &Layouts,
    tint: &wgpu::BindGroupLayout,
) -> wgpu::RenderPipeline {
    let what = Painter {
        label: "GhostLayers::tinted",
        source: shaders::GHOST,
        entry_points: ["vs_ghost", "fs_tinted"],
        groups: &[None, Some(tint), Some(&layouts.texture)],
        vertices: &[],
        blend: OVER,
    };
    painter(device, &what, OffscreenTarget::FORMAT, Samples::One)
}

/// Replaces a picture by all layers.
pub(super) fn plain(
    device: &wgpu::Device,
    layouts: &Layouts,
    samples: Samples,
) -> wgpu::RenderPipeline {
    let what = Painter {
        label: "GhostLayers::plain",
        source: shaders::GHOST,
        entry_points: ["vs_ghost", "fs_plain"],
        groups: &[None, None, Some(&layouts.texture)],
        vertices: &[],
        blend: None,
    };
    painter(device, &what, OffscreenTarget::FORMAT, samples)
}

/// Painter's order, premultiplied.
const OVER: Option<wgpu::BlendState> = Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);

/// Parameters in which the pipelines differ.
struct Painter<'a> {
    label: &'static str,
    source: &'static str,
    entry_points: [&'static str; 2],
    groups: &'a [Option<&'a wgpu::BindGroupLayout>],
    vertices: &'a [Option<wgpu::VertexBufferLayout<'static>>],
    blend: Option<wgpu::BlendState>,
}

fn painter(
    device: &wgpu::Device,
    what: &Painter<'_>,
    target_format: wgpu::TextureFormat,
    samples: Samples,
) -> wgpu::RenderPipeline {
    let label = Some(what.label);
    let [vs, fs] = what.entry_points;
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label,
        source: wgpu::ShaderSource::Wgsl(shaders::with_common(what.source).into()),
    });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label,
        bind_group_layouts: what.groups,
        immediate_size: 0,
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label,
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some(vs),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: what.vertices,
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState {
            count: samples.count(),
            ..Default::default()
        },
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some(fs),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(wgpu::ColorTargetState {
                format: target_format,
                blend: what.blend,
                write_mask: wgpu::ColorWrites::ALL,
            })],
        }),
        multiview_mask: None,
        cache: None,
    })
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
        label: Some("Renderer::sampler"),
        mag_filter: texels,
        min_filter: texels,
        mipmap_filter: levels,
        lod_min_clamp: 0.0,
        lod_max_clamp,
        ..Default::default()
    })
}
