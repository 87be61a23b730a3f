//! Target of the picture, before it is drawn over its background. It has the format and samples of a capture, and so
//! the same pixels.

use pchr::render::OffscreenTarget;
use pchr::scene::Samples;

/// Coverage samples per pixel of the window's picture.
pub(crate) const SAMPLES: Samples = Samples::Four;

/// A texture with the picture's size. Its pixels are premultiplied.
#[derive(Debug)]
pub(crate) struct PictureTarget {
    size: [u32; 2],
    view: wgpu::TextureView,
    multisampled: wgpu::TextureView,
}

impl PictureTarget {
    /// Creates a target. `size` must not be empty.
    pub(crate) fn new(device: &wgpu::Device, size: [u32; 2]) -> Self {
        let [width, height] = size;
        let view = |label, samples: Samples, usage| {
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
        Self {
            size,
            view: view("PictureTarget::view", Samples::One, sampled),
            multisampled: view("PictureTarget::multisampled", SAMPLES, attachment),
        }
    }

    pub(crate) fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Returns the resolved picture.
    pub(crate) fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    /// Begins a pass over the whole picture, cleared to `clear`: RGBA, sRGB-encoded, premultiplied.
    pub(crate) fn begin<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
        clear: [u8; 4],
        timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
    ) -> wgpu::RenderPass<'a> {
        let [r, g, b, a] = clear.map(|channel| f64::from(channel) / 255.0);
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("PictureTarget::pass"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.multisampled,
                depth_slice: None,
                resolve_target: Some(&self.view),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a }),
                    store: wgpu::StoreOp::Discard,
                },
            })],
            timestamp_writes,
            ..Default::default()
        })
    }
}
