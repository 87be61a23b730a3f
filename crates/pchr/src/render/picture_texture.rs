//! Textures that pictures are drawn into, with one or four samples a pixel.

use super::gpu_data::bind_group;
use super::target_options::PICTURE_FORMAT;
use super::{Gpu, GpuTimer, pipelines};
use crate::scene::Samples;

/// A texture that pictures of one size are drawn into, in [`super::OffscreenTarget::FORMAT`]. With four samples a pixel they are drawn into
/// another texture, whose samples are averaged after each pass.
#[derive(Debug)]
pub struct PictureTexture {
    size: [u32; 2],
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    multisampled: Option<Multisampled>,
}

#[derive(Debug)]
struct Multisampled {
    view: wgpu::TextureView,
    /// Averages the samples; `None` if the driver does it.
    resolve: Option<(wgpu::RenderPipeline, wgpu::BindGroup)>,
}

impl PictureTexture {
    /// Creates one for pictures of a size that the device can draw. It can be drawn from, and copied.
    #[must_use]
    pub fn new(gpu: &Gpu, size: [u32; 2], samples: Samples) -> Self {
        let [width, height] = size;
        let attachment = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let sampled = attachment | wgpu::TextureUsages::TEXTURE_BINDING;
        let texture = |label, samples: Samples, usage| {
            gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: samples.count(),
                dimension: wgpu::TextureDimension::D2,
                format: PICTURE_FORMAT,
                usage,
                view_formats: &[],
            })
        };
        let view = |texture: &wgpu::Texture| texture.create_view(&Default::default());
        let copied = sampled | wgpu::TextureUsages::COPY_SRC;
        let single = texture("PictureTexture::texture", Samples::One, copied);
        let multisampled = || {
            let resolve = resolve(gpu);
            let usage = if resolve.is_some() { sampled } else { attachment };
            let view = view(&texture("PictureTexture::multisampled", samples, usage));
            let resolve = resolve.map(|pipeline| {
                let layout = pipeline.get_bind_group_layout(2);
                let samples = [wgpu::BindingResource::TextureView(&view)];
                let group = bind_group(&gpu.device, "PictureTexture::group", &layout, samples);
                (pipeline.clone(), group)
            });
            Multisampled { view, resolve }
        };
        Self {
            size,
            view: view(&single),
            texture: single,
            multisampled: (samples != Samples::One).then(multisampled),
        }
    }

    /// Returns the width and height in pixels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Returns the texture with one sample a pixel. Its pixels are premultiplied.
    #[must_use]
    pub fn texture(&self) -> &wgpu::Texture {
        &self.texture
    }

    /// Returns a view of [`Self::texture`].
    #[must_use]
    pub fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    /// Records a pass over the whole picture, cleared to `clear`: RGBA, sRGB-encoded, premultiplied. `draw` records its contents.
    /// `timer` measures the pass and the averaging of its samples.
    pub fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        clear: [u8; 4],
        mut timer: Option<&mut GpuTimer>,
        draw: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) {
        let [r, g, b, a] = clear.map(|channel| f64::from(channel) / 255.0);
        let load = wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a });
        let mut times = timer.as_mut().and_then(|timer| timer.begin());
        let resolve = self.multisampled.as_ref().and_then(|it| it.resolve.as_ref());
        let after = times.clone().filter(|_| resolve.is_some()).map(|after| {
            wgpu::RenderPassTimestampWrites { beginning_of_pass_write_index: None, ..after }
        });
        if let (Some(times), Some(_)) = (&mut times, &after) {
            times.end_of_pass_write_index = None;
        }
        let (view, by_driver, store) = match &self.multisampled {
            None => (&self.view, None, wgpu::StoreOp::Store),
            Some(Multisampled { view, resolve: None }) => {
                (view, Some(&self.view), wgpu::StoreOp::Discard)
            }
            Some(Multisampled { view, .. }) => (view, None, wgpu::StoreOp::Store),
        };
        let label = "PictureTexture::pass";
        let ops = wgpu::Operations { load, store };
        let mut pass = begin(encoder, label, view, by_driver, ops, times);
        draw(&mut pass);
        if by_driver.is_some() {
            // The GL backend resolves within the scissor rectangle that was set last.
            let [width, height] = self.size;
            pass.set_scissor_rect(0, 0, width, height);
        }
        drop(pass);
        if let Some((pipeline, group)) = resolve {
            let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
            let mut pass = begin(encoder, label, &self.view, None, ops, after);
            pass.set_pipeline(pipeline);
            pass.set_bind_group(2, group, &[]);
            pass.draw(0..3, 0..1);
        }
        if let Some(timer) = timer {
            timer.end(encoder);
        }
    }
}

/// Returns the pipeline that averages the samples of a picture; `None` if the driver does it.
///
/// lavapipe of Mesa 22.3 translates its own shader for that anew in each process, as it keeps that one in no cache: 80 to 110 ms.
fn resolve(gpu: &Gpu) -> Option<&wgpu::RenderPipeline> {
    let translates = gpu.is_software() && gpu.info.backend == wgpu::Backend::Vulkan;
    translates.then(|| gpu.resolve.get_or_init(|| pipelines::resolve(&gpu.device)))
}

pub(super) fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    label: &str,
    view: &wgpu::TextureView,
    resolve_target: Option<&wgpu::TextureView>,
    ops: wgpu::Operations<wgpu::Color>,
    timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target,
            ops,
        })],
        timestamp_writes,
        ..Default::default()
    })
}
