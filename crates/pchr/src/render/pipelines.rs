//! Pipelines for one kind of target, and samplers.

use super::gpu_data;
use super::gpu_data::{
    Layouts, MASKED_LAYOUT, MEMBER_LAYOUT, OVERLAY_LAYOUT, TINT_LAYOUT, VERTEX_LAYOUT, uniform,
};
use super::shaders::{CROWD, GHOST, MASKED, OVERLAY, RESOLVE, SKINNED, with_common};
use super::target_options::{Blending, TargetOptions};
use crate::scene::{Filter, Samples};

/// Draws skinned meshes: premultiplied blending, painter's order, both sides.
pub(super) fn skinned(
    device: &wgpu::Device,
    layouts: &Layouts,
    target: &TargetOptions,
) -> wgpu::RenderPipeline {
    let what = Painter {
        label: "Renderer::pipeline",
        source: SKINNED,
        entry_points: ["vs_skinned", "fs_skinned"],
        groups: &[Some(&layouts.frame), Some(&layouts.model), Some(&layouts.texture)],
        vertices: &[Some(VERTEX_LAYOUT), Some(TINT_LAYOUT)],
        blend: OVER,
    };
    painter(device, &what, target)
}

/// Draws crowds with the same blending.
pub(super) fn crowd(
    device: &wgpu::Device,
    layouts: &Layouts,
    target: &TargetOptions,
) -> wgpu::RenderPipeline {
    let what = Painter {
        label: "CrowdRenderer::pipeline",
        source: CROWD,
        entry_points: ["vs_crowd", "fs_crowd"],
        groups: &[Some(&layouts.frame), Some(&layouts.model), Some(&layouts.texture)],
        vertices: &[Some(VERTEX_LAYOUT), Some(MEMBER_LAYOUT)],
        blend: OVER,
    };
    painter(device, &what, target)
}

/// Draws overlays with the same blending.
pub(super) fn overlay(
    device: &wgpu::Device,
    layouts: &Layouts,
    target: &TargetOptions,
) -> wgpu::RenderPipeline {
    let what = Painter {
        label: "OverlayRenderer::pipeline",
        source: OVERLAY,
        entry_points: ["vs_overlay", "fs_overlay"],
        groups: &[Some(&layouts.frame), None, Some(&layouts.texture)],
        vertices: &[Some(OVERLAY_LAYOUT)],
        blend: OVER,
    };
    painter(device, &what, target)
}

/// Draws overlays within the texels of an image. Group 1 is the atlas.
pub(super) fn masked(
    device: &wgpu::Device,
    layouts: &Layouts,
    target: &TargetOptions,
) -> wgpu::RenderPipeline {
    let what = Painter {
        label: "OverlayRenderer::masked",
        source: MASKED,
        entry_points: ["vs_masked", "fs_masked"],
        groups: &[Some(&layouts.frame), Some(&layouts.texture), Some(&layouts.texture)],
        vertices: &[Some(MASKED_LAYOUT)],
        blend: OVER,
    };
    painter(device, &what, target)
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
        source: GHOST,
        entry_points: ["vs_ghost", "fs_tinted"],
        groups: &[None, Some(tint), Some(&layouts.texture)],
        vertices: &[],
        blend: OVER,
    };
    painter(device, &what, &TargetOptions::of_pictures(Samples::One))
}

/// Replaces a picture by all layers.
pub(super) fn plain(
    device: &wgpu::Device,
    layouts: &Layouts,
    samples: Samples,
) -> wgpu::RenderPipeline {
    let what = Painter {
        label: "GhostLayers::plain",
        source: GHOST,
        entry_points: ["vs_ghost", "fs_plain"],
        groups: &[None, None, Some(&layouts.texture)],
        vertices: &[],
        blend: None,
    };
    painter(device, &what, &TargetOptions::of_pictures(samples))
}

/// Averages the four samples of each pixel. Group 2 is the texture that has them.
pub(super) fn resolve(device: &wgpu::Device) -> wgpu::RenderPipeline {
    let samples = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("Gpu::resolve"),
        entries: &[wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty: wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Float { filterable: false },
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: true,
            },
            count: None,
        }],
    });
    let what = Painter {
        label: "Gpu::resolve",
        source: RESOLVE,
        entry_points: ["vs_resolve", "fs_resolve"],
        groups: &[None, None, Some(&samples)],
        vertices: &[],
        blend: None,
    };
    painter(device, &what, &TargetOptions::of_pictures(Samples::One))
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
    target: &TargetOptions,
) -> wgpu::RenderPipeline {
    let label = Some(what.label);
    let [vs, fs] = what.entry_points;
    let flag = |set: bool| f64::from(u8::from(set));
    let linear = flag(target.blending == Blending::Linear);
    let depth = flag(target.writes_depth());
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label,
        source: wgpu::ShaderSource::Wgsl(with_common(what.source).into()),
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
        depth_stencil: target.depth_stencil.clone(),
        multisample: wgpu::MultisampleState { count: target.sample_count, ..Default::default() },
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some(fs),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &[("common_linear", linear), ("common_depth", depth)],
                ..Default::default()
            },
            targets: &[Some(wgpu::ColorTargetState {
                format: target.color_format,
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
        label: Some("View::sampler"),
        mag_filter: texels,
        min_filter: texels,
        mipmap_filter: levels,
        lod_min_clamp: 0.0,
        lod_max_clamp,
        ..Default::default()
    })
}
