//! Draws overlays into render passes of one format.

use super::gpu_data::{Frame, OverlayVertex};
use super::pipelines::{self, Layouts};
use super::{Gpu, texture};
use crate::image::Pixels;
use crate::scene::{Overlay, Samples};

/// Draws overlays into render passes of one target format and sample count, behind the character and over it.
///
/// [`Self::prepare`] writes a frame's data, [`Self::draw_behind`] and [`Self::draw`] record it. Submit the frame before preparing the next one.
#[derive(Debug)]
pub struct OverlayRenderer {
    pipeline: wgpu::RenderPipeline,
    frame: wgpu::Buffer,
    /// Picture size that `frame` holds.
    written: Option<[u32; 2]>,
    group: wgpu::BindGroup,
    atlas: wgpu::BindGroup,
    /// Width and height of the atlas in texels.
    atlas_size: [f32; 2],
    vertices: Option<wgpu::Buffer>,
    indices: Option<wgpu::Buffer>,
    count: u32,
    /// Number of the first indices that lie behind the character.
    behind: u32,
    /// Vertices in the form in which they are uploaded.
    staged: Vec<OverlayVertex>,
}

impl OverlayRenderer {
    /// Creates a renderer for targets of a format and sample count. The format must not be an sRGB one. `atlas` holds the overlays'
    /// texels, premultiplied.
    #[must_use]
    pub fn new(
        gpu: &Gpu,
        atlas: &Pixels,
        target_format: wgpu::TextureFormat,
        samples: Samples,
    ) -> Self {
        let device = &gpu.device;
        let layouts = Layouts::new(device);
        let frame = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("OverlayRenderer::frame"),
            size: size_of::<Frame>() as wgpu::BufferAddress,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let sampler = pipelines::sampler(device, crate::scene::Filter::Nearest, false);
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("OverlayRenderer::group"),
            layout: &layouts.frame,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: frame.as_entire_binding(),
                },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::Sampler(&sampler),
                },
            ],
        });
        Self {
            pipeline: pipelines::overlay(device, &layouts, target_format, samples),
            frame,
            written: None,
            group,
            atlas: texture::upload(gpu, &layouts, atlas, &[]).1,
            atlas_size: size(atlas),
            vertices: None,
            indices: None,
            count: 0,
            behind: 0,
            staged: Vec::new(),
        }
    }

    /// Replaces the atlas.
    pub fn set_atlas(&mut self, gpu: &Gpu, atlas: &Pixels) {
        let layouts = Layouts::new(&gpu.device);
        self.atlas = texture::upload(gpu, &layouts, atlas, &[]).1;
        self.atlas_size = size(atlas);
    }

    /// Writes an overlay for a viewport of `size` physical pixels. Buffers grow as needed and are kept. Records nothing.
    pub fn prepare(&mut self, gpu: &Gpu, overlay: &Overlay, size: [u32; 2]) {
        (self.count, self.behind) = (0, 0);
        if overlay.is_empty() {
            return;
        }
        if self.written != Some(size) {
            self.written = Some(size);
            let frame = Frame::of_screen(size);
            gpu.queue
                .write_buffer(&self.frame, 0, bytemuck::bytes_of(&frame));
        }
        self.staged.clear();
        self.staged.extend(
            overlay
                .vertices()
                .iter()
                .map(|vertex| OverlayVertex::new(*vertex, self.atlas_size)),
        );
        let vertices: &[u8] = bytemuck::cast_slice(&self.staged);
        let indices: &[u8] = bytemuck::cast_slice(overlay.indices());
        let (vertex, index) = (wgpu::BufferUsages::VERTEX, wgpu::BufferUsages::INDEX);
        let written = write(
            gpu,
            "OverlayRenderer::vertices",
            vertex,
            vertices,
            &mut self.vertices,
        ) && write(
            gpu,
            "OverlayRenderer::indices",
            index,
            indices,
            &mut self.indices,
        );
        if written {
            let count = u32::try_from(overlay.indices().len());
            debug_assert!(
                count.is_ok(),
                "an overlay keeps its vertices within a bound"
            );
            self.count = count.unwrap_or(0);
            let behind = u32::try_from(overlay.indices_behind());
            self.behind = behind.unwrap_or(0).min(self.count);
        }
    }

    /// Records what lies behind the character of the overlay that was last prepared, within the pass's viewport and scissor
    /// rectangle.
    pub fn draw_behind(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.record(pass, 0..self.behind);
    }

    /// Records the rest of it.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.record(pass, self.behind..self.count);
    }

    fn record(&self, pass: &mut wgpu::RenderPass<'_>, range: std::ops::Range<u32>) {
        let (Some(vertices), Some(indices)) = (&self.vertices, &self.indices) else {
            return;
        };
        if range.is_empty() {
            return;
        }
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.set_bind_group(2, &self.atlas, &[]);
        pass.set_vertex_buffer(0, vertices.slice(..));
        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(range, 0, 0..1);
    }
}

/// Returns the width and height of an atlas.
fn size(atlas: &Pixels) -> [f32; 2] {
    [atlas.width, atlas.height].map(|side| side as f32)
}

/// Writes bytes into a buffer, which grows if needed. Returns false if they exceed the adapter's largest buffer.
fn write(
    gpu: &Gpu,
    label: &'static str,
    usage: wgpu::BufferUsages,
    bytes: &[u8],
    buffer: &mut Option<wgpu::Buffer>,
) -> bool {
    let wanted = bytes.len() as u64;
    if buffer.as_ref().is_none_or(|buffer| buffer.size() < wanted) {
        let most = gpu.device.limits().max_buffer_size;
        if wanted > most {
            return false;
        }
        *buffer = Some(gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: wanted.next_power_of_two().clamp(1 << 16, most.max(1 << 16)),
            usage: usage | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        }));
    }
    if let Some(buffer) = buffer {
        gpu.queue.write_buffer(buffer, 0, bytes);
    }
    true
}
