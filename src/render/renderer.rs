//! Draws models into render passes of one format.

use super::pipelines::{self, Layouts};
use super::{Gpu, GpuModel, gpu_data};
use crate::pose::Pose;
use crate::scene::{DrawList, Filter, Picture, Samples};

/// Draws models into render passes of one target format and sample count.
///
/// [`Self::prepare`] writes a frame's data and [`Self::draw`] records it. Submit the frame before preparing the next one.
#[derive(Debug)]
pub struct Renderer {
    layouts: Layouts,
    pipeline: wgpu::RenderPipeline,
    frame: wgpu::Buffer,
    /// Contents of `frame`.
    written: Option<gpu_data::Frame>,
    /// Group 0 for each sampler, created on first use.
    groups: [Option<wgpu::BindGroup>; 4],
    way: usize,
}

impl Renderer {
    /// Creates a renderer for targets of a format and sample count. The format must not be an sRGB one: colours are blended
    /// sRGB-encoded.
    #[must_use]
    pub fn new(
        device: &wgpu::Device,
        target_format: wgpu::TextureFormat,
        samples: Samples,
    ) -> Self {
        let layouts = Layouts::new(device);
        Self {
            pipeline: pipelines::skinned(device, &layouts, target_format, samples),
            frame: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("Renderer::frame"),
                size: size_of::<gpu_data::Frame>() as wgpu::BufferAddress,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            layouts,
            written: None,
            groups: [const { None }; 4],
            way: 0,
        }
    }

    /// Returns the bind group layouts, for pipelines that draw beside this one. Group 0 is [`Self::group`], group 1
    /// [`GpuModel::group`].
    #[must_use]
    pub fn layouts(&self) -> &Layouts {
        &self.layouts
    }

    /// Returns bind group 0, as last prepared; `None` before the first [`Self::prepare`].
    #[must_use]
    pub fn group(&self) -> Option<&wgpu::BindGroup> {
        self.groups.get(self.way)?.as_ref()
    }

    /// Writes the data of a frame that changed. Records nothing.
    ///
    /// [`Picture::size`] is the viewport's size in physical pixels. [`Picture::clear`] is not used: the pass clears.
    pub fn prepare(
        &mut self,
        gpu: &Gpu,
        model: &mut GpuModel,
        list: &DrawList,
        pose: &Pose,
        picture: &Picture,
    ) {
        let frame = gpu_data::Frame::new(picture);
        if self.written != Some(frame) {
            self.written = Some(frame);
            gpu.queue
                .write_buffer(&self.frame, 0, bytemuck::bytes_of(&frame));
        }
        self.way = match picture.filter {
            Filter::Linear => 0,
            Filter::Nearest => 2,
        } + usize::from(picture.mipmaps);
        if let Some(group) = self.groups.get_mut(self.way) {
            group.get_or_insert_with(|| {
                let sampler = pipelines::sampler(&gpu.device, picture.filter, picture.mipmaps);
                gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: Some("Renderer::group"),
                    layout: &self.layouts.frame,
                    entries: &[
                        wgpu::BindGroupEntry {
                            binding: 0,
                            resource: self.frame.as_entire_binding(),
                        },
                        wgpu::BindGroupEntry {
                            binding: 1,
                            resource: wgpu::BindingResource::Sampler(&sampler),
                        },
                    ],
                })
            });
        }
        model.prepare(gpu, list, pose);
    }

    /// Records the frame that was last prepared, within the pass's viewport and scissor rectangle.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, model: &GpuModel) {
        let (Some(frame), Some(vertices), Some(indices)) =
            (self.group(), model.vertices(), model.indices())
        else {
            return;
        };
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, frame, &[]);
        pass.set_bind_group(1, model.group(), &[]);
        pass.set_vertex_buffer(0, vertices.slice(..));
        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
        for (run, image) in model.runs() {
            pass.set_bind_group(2, image, &[]);
            pass.draw_indexed(run.indices.clone(), 0, 0..1);
        }
    }
}
