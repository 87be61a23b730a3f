//! Draws what lies behind the character.

use bytemuck::{Pod, Zeroable};

use super::theme;
use crate::scene::Samples;

/// Logical pixels a side of the checkerboard's squares.
const CELL: f32 = 12.0;

/// Mirrors `Backdrop` in `backdrop.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
struct Uniform {
    even: [f32; 4],
    odd: [f32; 4],
    origin: [f32; 2],
    cell: f32,
    _pad: f32,
}

const _: () = assert!(
    size_of::<Uniform>() == 48,
    "keep in step with backdrop.wgsl"
);

/// The pipeline, and the colours that were written last.
#[derive(Debug)]
pub(crate) struct Backdrop {
    pipeline: wgpu::RenderPipeline,
    group: wgpu::BindGroup,
    buffer: wgpu::Buffer,
    written: Option<Uniform>,
}

impl Backdrop {
    pub(crate) fn new(
        device: &wgpu::Device,
        format: wgpu::TextureFormat,
        samples: Samples,
    ) -> Self {
        let shader = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("Backdrop::shader"),
            source: wgpu::ShaderSource::Wgsl(include_str!("backdrop.wgsl").into()),
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("Backdrop::pipeline"),
            layout: None,
            vertex: wgpu::VertexState {
                module: &shader,
                entry_point: Some("vs_backdrop"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState {
                count: samples.count(),
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: &shader,
                entry_point: Some("fs_backdrop"),
                compilation_options: Default::default(),
                targets: &[Some(format.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("Backdrop::buffer"),
            size: size_of::<Uniform>() as wgpu::BufferAddress,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("Backdrop::group"),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: buffer.as_entire_binding(),
            }],
        });
        Self {
            pipeline,
            group,
            buffer,
            written: None,
        }
    }

    /// `color` (straight RGBA) covers the checkerboard as far as it is opaque; `origin` is the picture's corner.
    pub(crate) fn prepare(
        &mut self,
        queue: &wgpu::Queue,
        color: Option<[u8; 4]>,
        origin: [f32; 2],
        pixels_per_point: f32,
    ) {
        let uniform = Uniform {
            even: over(color, theme::CHECKER_EVEN),
            odd: over(color, theme::CHECKER_ODD),
            origin,
            cell: (CELL * pixels_per_point).round().max(1.0),
            _pad: 0.0,
        };
        if self.written != Some(uniform) {
            self.written = Some(uniform);
            queue.write_buffer(&self.buffer, 0, bytemuck::bytes_of(&uniform));
        }
    }

    /// Records it, within the pass's viewport.
    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.draw(0..3, 0..1);
    }
}

/// `color` over an opaque `under`, blended as they are encoded.
fn over(color: Option<[u8; 4]>, under: egui::Color32) -> [f32; 4] {
    let [r, g, b, a] = color
        .unwrap_or([0; 4])
        .map(|channel| f32::from(channel) / 255.0);
    let [under_r, under_g, under_b, _] = under.to_array().map(|channel| f32::from(channel) / 255.0);
    let mix = |over: f32, under: f32| over * a + under * (1.0 - a);
    [mix(r, under_r), mix(g, under_g), mix(b, under_b), 1.0]
}
