//! Pipelines for one kind of target, and samplers.

use super::gpu_data::{
    GpuGhost, MASKED_LAYOUT, MEMBER_LAYOUT, OVERLAY_LAYOUT, TINT_LAYOUT, VERTEX_LAYOUT, layout,
    texture, uniform,
};
use super::shaders;
use super::target_options::{Blending, TargetOptions};
use crate::scene::{Filter, Samples};

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

/// Returns the layout of group 1 for [`TINTED`].
pub(super) fn tint_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let tint = uniform(size_of::<GpuGhost>());
    layout(device, "Layouts::tint", &[(wgpu::ShaderStages::FRAGMENT, tint)])
}

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
