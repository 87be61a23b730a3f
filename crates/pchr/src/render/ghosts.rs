//! Ghosts: whole frames under the current one, each as a layer of its own.

use super::gpu_data::Ghost;
use super::layouts::Layouts;
use super::{OffscreenTarget, pipelines};
use crate::image::Tint;
use crate::scene::Samples;

/// Draws frames into layers, and lays them in their tints under a picture of one size and sample count. Nothing is created after
/// [`Self::new`].
///
/// For each picture: [`Self::clear`], [`Self::add`] for each ghost from the lowest on, and [`Self::draw`] first in the picture's
/// pass.
#[derive(Debug)]
pub struct GhostLayers {
    size: [u32; 2],
    layer: wgpu::TextureView,
    multisampled: Option<wgpu::TextureView>,
    /// All layers so far, over the picture's clear colour.
    below: wgpu::TextureView,
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
    /// Creates layers for pictures of a size that the device can draw, in [`OffscreenTarget::FORMAT`].
    #[must_use]
    pub fn new(device: &wgpu::Device, size: [u32; 2], samples: Samples) -> Self {
        let layouts = Layouts::new(device);
        let view = |label, samples: Samples, usage| {
            let [width, height] = size;
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d {
                    width,
                    height,
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: samples.count(),
                dimension: wgpu::TextureDimension::D2,
                format: OffscreenTarget::FORMAT,
                usage,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let attachment = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let sampled = attachment | wgpu::TextureUsages::TEXTURE_BINDING;
        let layer = view("GhostLayers::layer", Samples::One, sampled);
        let below = view("GhostLayers::below", Samples::One, sampled);
        let multisampled = (samples != Samples::One)
            .then(|| view("GhostLayers::multisampled", samples, attachment));
        let tint = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("GhostLayers::tint"),
            size: size_of::<Ghost>() as wgpu::BufferAddress,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let group = |label, layout: &wgpu::BindGroupLayout, resource| {
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(label),
                layout,
                entries: &[wgpu::BindGroupEntry {
                    binding: 0,
                    resource,
                }],
            })
        };
        let of_texture = |label, view| {
            let resource = wgpu::BindingResource::TextureView(view);
            group(label, &layouts.texture, resource)
        };
        let of_tint = pipelines::tint_layout(device);
        Self {
            size,
            tint_group: group(
                "GhostLayers::tint_group",
                &of_tint,
                tint.as_entire_binding(),
            ),
            layer_group: of_texture("GhostLayers::layer_group", &layer),
            below_group: of_texture("GhostLayers::below_group", &below),
            tinted: pipelines::tinted(device, &layouts, &of_tint),
            plain: pipelines::plain(device, &layouts, samples),
            layer,
            multisampled,
            below,
            clear: None,
            tint,
        }
    }

    /// Returns the width and height in pixels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.size
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
        let ghost = Ghost::new(tint);
        queue.write_buffer(&self.tint, 0, bytemuck::bytes_of(&ghost));
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("GhostLayers::encoder"),
        });
        let nothing = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
        let mut pass = match &self.multisampled {
            Some(multisampled) => begin(&mut encoder, multisampled, Some(&self.layer), nothing),
            None => begin(&mut encoder, &self.layer, None, nothing),
        };
        draw(&mut pass);
        if self.multisampled.is_some() {
            // The GL backend resolves within the scissor rectangle that was set last.
            let [width, height] = self.size;
            pass.set_scissor_rect(0, 0, width, height);
        }
        drop(pass);
        let load = match self.clear.take() {
            Some(clear) => {
                let [r, g, b, a] = clear.map(|channel| f64::from(channel) / 255.0);
                wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a })
            }
            None => wgpu::LoadOp::Load,
        };
        let mut pass = begin(&mut encoder, &self.below, None, load);
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

fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    view: &wgpu::TextureView,
    resolve_target: Option<&wgpu::TextureView>,
    load: wgpu::LoadOp<wgpu::Color>,
) -> wgpu::RenderPass<'a> {
    let store = match resolve_target {
        Some(_) => wgpu::StoreOp::Discard,
        None => wgpu::StoreOp::Store,
    };
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("GhostLayers::pass"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target,
            ops: wgpu::Operations { load, store },
        })],
        ..Default::default()
    })
}
