//! A view of the world, and the renderer that draws instances in it.

use glam::Mat4;

use super::gpu_data::{self, GpuFrame, Layouts};
use super::pipelines_and_samplers::{self as pipelines, TargetOptions};
use super::{GpuModel, Instance, UnsupportedTarget};
use crate::scene::{Filter, Picture};

/// A view of the world: its projection, and how texels are read. Any number of them may be drawn from in one submission.
///
/// Passes that are recorded and not submitted yet are drawn as it was set last. Until a view is set it shows nothing.
#[derive(Debug)]
pub struct View {
    layout: wgpu::BindGroupLayout,
    frame: wgpu::Buffer,
    /// Contents of `frame`.
    written: Option<GpuFrame>,
    /// Group 0 for each sampler, created on first use.
    groups: [Option<wgpu::BindGroup>; 4],
    way: usize,
}

impl View {
    /// Creates a view that reads texels bilinearly, without smaller copies.
    #[must_use]
    pub fn new(device: &wgpu::Device, layouts: &Layouts) -> Self {
        let (size, usage) = (size_of::<GpuFrame>() as u64, wgpu::BufferUsages::UNIFORM);
        let mut view = Self {
            layout: layouts.frame.clone(),
            frame: gpu_data::buffer(device, "View::frame", size, usage),
            written: None,
            groups: [const { None }; 4],
            way: 0,
        };
        view.set_sampling(device, Filter::Linear, false);
        view
    }

    /// Sets any projection; where it gives numbers that are not finite, nothing is drawn. The world's plane is `z = 0` in the input of `clip_from_world`, and depths are 0 to 1. The world's y is as the
    /// characters were authored, up unless the file says otherwise.
    pub fn set_matrix(&mut self, queue: &wgpu::Queue, clip_from_world: Mat4) {
        self.write(queue, GpuFrame::of_matrix(clip_from_world));
    }

    /// Sets the projection and the filter of a picture, exactly as captures have them. [`Picture::size`] is the viewport's size in physical
    /// pixels; a picture without an area shows nothing. [`Picture::clear`] is not used: the pass clears.
    pub fn set_picture(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, picture: &Picture) {
        self.write(queue, GpuFrame::new(picture));
        self.set_sampling(device, picture.filter, picture.mipmaps);
    }

    /// Sets how texels are read. Smaller copies are used if the images were uploaded with them, and not with [`Filter::Nearest`].
    pub fn set_sampling(&mut self, device: &wgpu::Device, filter: Filter, mipmaps: bool) {
        self.way = match filter {
            Filter::Linear => 0,
            Filter::Nearest => 2,
        } + usize::from(mipmaps);
        if let Some(group) = self.groups.get_mut(self.way) {
            group.get_or_insert_with(|| {
                let sampler = pipelines::sampler(device, filter, mipmaps);
                let sampler = wgpu::BindingResource::Sampler(&sampler);
                let resources = [self.frame.as_entire_binding(), sampler];
                gpu_data::bind_group(device, "View::group", &self.layout, resources)
            });
        }
    }

    /// Returns bind group 0, as last set.
    #[must_use]
    pub fn group(&self) -> Option<&wgpu::BindGroup> {
        self.groups.get(self.way)?.as_ref()
    }

    pub(super) fn write(&mut self, queue: &wgpu::Queue, frame: GpuFrame) {
        if self.written != Some(frame) {
            self.written = Some(frame);
            queue.write_buffer(&self.frame, 0, bytemuck::bytes_of(&frame));
        }
    }
}

/// Draws instances into render passes of one kind of target.
#[derive(Debug)]
pub struct Renderer {
    layouts: Layouts,
    pipeline: wgpu::RenderPipeline,
}

impl Renderer {
    /// Creates a renderer for the passes that `target` describes, on a device with any features, and at least the limits of WebGL2.
    ///
    /// # Errors
    /// [`UnsupportedTarget`], if the device cannot draw into such a target, or characters would look wrong there.
    pub fn new(device: &wgpu::Device, target: &TargetOptions) -> Result<Self, UnsupportedTarget> {
        target.check(device)?;
        UnsupportedTarget::catch(device, || {
            let layouts = Layouts::new(device);
            let pipeline = pipelines::SKINNED.pipeline(device, layouts.all(), target);
            Self { layouts, pipeline }
        })
    }

    /// Returns the bind group layouts, for all that is made on this device, and for pipelines that draw beside this one: group 0 is
    /// [`View::group`], group 1 [`Instance::group`], group 2 [`super::GpuImage::group`].
    #[must_use]
    pub fn layouts(&self) -> &Layouts {
        &self.layouts
    }

    /// Records an instance as it was prepared, within the pass's viewport and scissor rectangle. It sets the pipeline, bind groups 0 to 2,
    /// vertex buffers 0 and 1 and the index buffer of the pass, and nothing else.
    ///
    /// Nothing is drawn if `model` is not the instance's. View, model, instance and pass are of one device; otherwise wgpu panics.
    pub fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        view: &View,
        model: &GpuModel,
        instance: &Instance,
    ) {
        let (Some(group), Some(vertices), Some(indices)) =
            (view.group(), model.vertices(), instance.indices())
        else {
            return;
        };
        let mut runs = instance.runs(model).peekable();
        if runs.peek().is_none() {
            return;
        }
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, group, &[]);
        pass.set_bind_group(1, instance.group(), &[]);
        pass.set_vertex_buffer(0, vertices.slice(..));
        pass.set_vertex_buffer(1, instance.tints().slice(..));
        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
        for run in runs {
            pass.set_bind_group(2, run.texture, &[]);
            pass.draw_indexed(run.indices, 0, run.tint..run.tint + 1);
        }
    }
}
