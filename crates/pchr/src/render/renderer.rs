//! Draws instances into render passes of one kind of target.

use super::pipelines;
use super::{GpuModel, Instance, Layouts, TargetOptions, UnsupportedTarget, View};

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
            let pipeline = pipelines::skinned(device, &layouts, target);
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
