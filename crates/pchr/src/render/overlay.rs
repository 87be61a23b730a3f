//! Draws overlays, and layers of ghosts, into render passes of one kind of target.

use std::ops::Range;

use super::gpu_data::{self, GpuFrame, GpuGhost, Layouts};
use super::picture_target::begin;
use super::pipelines_and_samplers as pipelines;
use super::{Gpu, GpuModel, PictureTexture, TargetOptions, UnsupportedTarget, View, texture};
use crate::document::ImageId;
use crate::image::{Pixels, Tint};
use crate::scene::{Overlay, Picture, Samples};

/// Draws overlays into render passes of one kind of target, behind the character and over it.
///
/// [`Self::prepare`] writes a frame's data, [`Self::draw_behind`] and [`Self::draw`] record it. Submit the frame before preparing the next one.
#[derive(Debug)]
pub struct OverlayRenderer {
    pipeline: wgpu::RenderPipeline,
    masked: Masked,
    view: View,
    atlas: wgpu::BindGroup,
    vertices: Option<wgpu::Buffer>,
    indices: Option<wgpu::Buffer>,
    count: u32,
    /// Number of the first indices that lie behind the character.
    behind: u32,
}

impl OverlayRenderer {
    /// Creates a renderer for the passes that `target` describes. `atlas` holds the overlays' texels, premultiplied.
    ///
    /// # Errors
    /// [`UnsupportedTarget`], as of [`super::Renderer::new`].
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        atlas: &Pixels,
        target: &TargetOptions,
    ) -> Result<Self, UnsupportedTarget> {
        target.check(device)?;
        let (layouts, pipeline, masked) = UnsupportedTarget::catch(device, || {
            let layouts = Layouts::new(device);
            let [frame, _, texture] = layouts.all();
            let pipeline = pipelines::OVERLAY.pipeline(device, [frame, None, texture], target);
            let masked = pipelines::MASKED.pipeline(device, [frame, texture, texture], target);
            (layouts, pipeline, masked)
        })?;
        Ok(Self {
            pipeline,
            view: View::new(device, &layouts),
            masked: Masked { pipeline: masked, vertices: None, runs: Vec::new() },
            atlas: texture::upload(device, queue, &layouts, atlas, &[]).1,
            vertices: None,
            indices: None,
            count: 0,
            behind: 0,
        })
    }

    /// Replaces the atlas.
    pub fn set_atlas(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, atlas: &Pixels) {
        let layouts = Layouts::new(device);
        self.atlas = texture::upload(device, queue, &layouts, atlas, &[]).1;
    }

    /// Writes an overlay of a picture. Buffers grow as needed and are kept. Records nothing.
    pub fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        overlay: &Overlay,
        picture: &Picture,
    ) {
        (self.count, self.behind) = (0, 0);
        self.masked.runs.clear();
        if overlay.is_empty() {
            return;
        }
        self.view.write(queue, GpuFrame::of_screen(picture.size));
        self.view.set_sampling(device, picture.filter, false);
        self.masked.prepare(device, queue, overlay);
        let vertices: &[u8] = bytemuck::cast_slice(overlay.vertices());
        let indices: &[u8] = bytemuck::cast_slice(overlay.indices());
        let (vertex, index) = (wgpu::BufferUsages::VERTEX, wgpu::BufferUsages::INDEX);
        let written =
            write(device, queue, "OverlayRenderer::vertices", vertex, vertices, &mut self.vertices)
                && write(
                    device,
                    queue,
                    "OverlayRenderer::indices",
                    index,
                    indices,
                    &mut self.indices,
                );
        if written {
            let count = u32::try_from(overlay.indices().len());
            debug_assert!(count.is_ok(), "an overlay keeps its vertices within a bound");
            self.count = count.unwrap_or(0);
            let behind = u32::try_from(overlay.indices_behind());
            self.behind = behind.unwrap_or(0).min(self.count);
        }
    }

    /// Records the part behind the character of the overlay that was last prepared, within the pass's viewport and scissor
    /// rectangle.
    pub fn draw_behind(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.record(pass, 0..self.behind);
    }

    /// Records the part of the overlay in front of the character, or in its place: [`Overlay::hides_meshes`]. `model` has the images.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, model: &GpuModel) {
        if let Some(group) = self.view.group() {
            pass.set_bind_group(0, group, &[]);
            self.masked.draw(pass, &self.atlas, model);
        }
        self.record(pass, self.behind..self.count);
    }

    fn record(&self, pass: &mut wgpu::RenderPass<'_>, range: Range<u32>) {
        let Some(group) = self.view.group() else { return };
        let (Some(vertices), Some(indices)) = (&self.vertices, &self.indices) else { return };
        if range.is_empty() {
            return;
        }
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, group, &[]);
        pass.set_bind_group(2, &self.atlas, &[]);
        pass.set_vertex_buffer(0, vertices.slice(..));
        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(range, 0, 0..1);
    }
}

/// Triangles that are seen where an image is.
#[derive(Debug)]
struct Masked {
    pipeline: wgpu::RenderPipeline,
    vertices: Option<wgpu::Buffer>,
    /// Images, and their vertices.
    runs: Vec<(ImageId, Range<u32>)>,
}

impl Masked {
    fn prepare(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, overlay: &Overlay) {
        let vertices: &[u8] = bytemuck::cast_slice(overlay.masked_vertices());
        let (label, usage) = ("OverlayRenderer::masked", wgpu::BufferUsages::VERTEX);
        if !vertices.is_empty() && write(device, queue, label, usage, vertices, &mut self.vertices)
        {
            self.runs.extend(overlay.masks());
        }
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, atlas: &wgpu::BindGroup, model: &GpuModel) {
        let Some(vertices) = self.vertices.as_ref().filter(|_| !self.runs.is_empty()) else {
            return;
        };
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(1, atlas, &[]);
        pass.set_vertex_buffer(0, vertices.slice(..));
        for (image, range) in &self.runs {
            if let Some(image) = model.image_group(*image) {
                pass.set_bind_group(2, image, &[]);
                pass.draw(range.clone(), 0..1);
            }
        }
    }
}

/// Writes bytes into a buffer, which grows if needed. Returns false if they exceed the adapter's largest buffer.
fn write(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    label: &'static str,
    usage: wgpu::BufferUsages,
    bytes: &[u8],
    buffer: &mut Option<wgpu::Buffer>,
) -> bool {
    let wanted = bytes.len() as u64;
    if buffer.as_ref().is_none_or(|buffer| buffer.size() < wanted) {
        let most = device.limits().max_buffer_size;
        if wanted > most {
            return false;
        }
        let size = wanted.next_power_of_two().clamp(1 << 16, most.max(1 << 16));
        *buffer = Some(gpu_data::buffer(device, label, size, usage));
    }
    if let Some(buffer) = buffer {
        queue.write_buffer(buffer, 0, bytes);
    }
    true
}

/// Draws frames into layers, and lays them in their tints under a picture of one size and sample count. Nothing is created after
/// [`Self::new`].
///
/// For each picture: [`Self::clear`], [`Self::add`] for each ghost from the lowest on, and [`Self::draw`] first in the picture's
/// pass.
#[derive(Debug)]
pub struct GhostLayers {
    layer: PictureTexture,
    /// All layers so far, over the picture's clear colour.
    below: PictureTexture,
    /// Colour to clear `below` to, until that is done.
    clear: Option<[u8; 4]>,
    tint: wgpu::Buffer,
    tint_group: wgpu::BindGroup,
    layer_group: wgpu::BindGroup,
    below_group: wgpu::BindGroup,
    tinted: wgpu::RenderPipeline,
    plain: wgpu::RenderPipeline,
}

impl GhostLayers {
    /// Creates layers for pictures of a size that the device can draw, in [`super::OffscreenTarget::FORMAT`].
    #[must_use]
    pub fn new(gpu: &Gpu, size: [u32; 2], samples: Samples) -> Self {
        let device = &gpu.device;
        let layouts = Layouts::new(device);
        let layer = PictureTexture::new(gpu, size, samples);
        let below = PictureTexture::new(gpu, size, Samples::One);
        let (size, usage) = (size_of::<GpuGhost>() as u64, wgpu::BufferUsages::UNIFORM);
        let tint = gpu_data::buffer(device, "GhostLayers::tint", size, usage);
        let of_texture = |label, view| {
            let resource = wgpu::BindingResource::TextureView(view);
            gpu_data::bind_group(device, label, &layouts.texture, [resource])
        };
        let of_tint = gpu_data::uniform(size_of::<GpuGhost>());
        let of_tint = [(wgpu::ShaderStages::FRAGMENT, of_tint)];
        let of_tint = gpu_data::layout(device, "Layouts::tint", &of_tint);
        let tint_group = [tint.as_entire_binding()];
        let tint_group =
            gpu_data::bind_group(device, "GhostLayers::tint_group", &of_tint, tint_group);
        let pictures = TargetOptions::of_pictures;
        let texture = Some(&layouts.texture);
        let (tinted, plain) = ([None, Some(&of_tint), texture], [None, None, texture]);
        Self {
            tint_group,
            layer_group: of_texture("GhostLayers::layer_group", layer.view()),
            below_group: of_texture("GhostLayers::below_group", below.view()),
            tinted: pipelines::TINTED.pipeline(device, tinted, &pictures(Samples::One)),
            plain: pipelines::PLAIN.pipeline(device, plain, &pictures(samples)),
            layer,
            below,
            clear: None,
            tint,
        }
    }

    /// Returns the width and height in pixels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.layer.size()
    }

    /// Begins with a picture's clear colour: RGBA, sRGB-encoded, premultiplied.
    pub fn clear(&mut self, clear: [u8; 4]) {
        self.clear = Some(clear);
    }

    /// Adds a frame over those so far, and submits it. `draw` records the frame into a pass.
    pub fn add(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        tint: Tint,
        draw: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) {
        let ghost = GpuGhost::new(tint);
        queue.write_buffer(&self.tint, 0, bytemuck::bytes_of(&ghost));
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("GhostLayers::encoder"),
        });
        self.layer.draw(&mut encoder, [0; 4], None, draw);
        let load = match self.clear.take() {
            Some(clear) => {
                let [r, g, b, a] = clear.map(|channel| f64::from(channel) / 255.0);
                wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a })
            }
            None => wgpu::LoadOp::Load,
        };
        let (label, view) = ("GhostLayers::pass", self.below.view());
        let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
        let mut pass = begin(&mut encoder, label, view, None, ops, None);
        pass.set_pipeline(&self.tinted);
        pass.set_bind_group(1, &self.tint_group, &[]);
        pass.set_bind_group(2, &self.layer_group, &[]);
        pass.draw(0..3, 0..1);
        drop(pass);
        queue.submit([encoder.finish()]);
    }

    /// Records all frames that were added, over the whole picture.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.plain);
        pass.set_bind_group(2, &self.below_group, &[]);
        pass.draw(0..3, 0..1);
    }
}
