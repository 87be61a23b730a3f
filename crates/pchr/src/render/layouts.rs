//! Bind group layouts.

use super::gpu_data;

/// The layouts of the three bind groups, shared by all pipelines. [`super::shaders`] has them as a table.
#[derive(Clone, Debug)]
pub struct Layouts {
    /// Group 0: a view and its sampler.
    pub frame: wgpu::BindGroupLayout,
    /// Group 1: an instance and its palette.
    pub model: wgpu::BindGroupLayout,
    /// Group 2: an image.
    pub texture: wgpu::BindGroupLayout,
}

impl Layouts {
    /// Creates the layouts. Layouts of one device are interchangeable.
    #[must_use]
    pub fn new(device: &wgpu::Device) -> Self {
        let layout = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some(label),
                entries,
            })
        };
        let entry = |binding, visibility, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility,
            ty,
            count: None,
        };
        let (vertex, fragment) = (wgpu::ShaderStages::VERTEX, wgpu::ShaderStages::FRAGMENT);
        let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        Self {
            frame: layout(
                "Layouts::frame",
                &[
                    entry(0, vertex, uniform(size_of::<gpu_data::Frame>())),
                    entry(1, fragment, sampler),
                ],
            ),
            model: layout(
                "Layouts::model",
                &[
                    entry(0, vertex, uniform(size_of::<gpu_data::Model>())),
                    entry(1, vertex, texture(false)),
                ],
            ),
            texture: layout("Layouts::texture", &[entry(0, fragment, texture(true))]),
        }
    }
}

pub(super) fn uniform(size: usize) -> wgpu::BindingType {
    wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: wgpu::BufferSize::new(size as u64),
    }
}

fn texture(filterable: bool) -> wgpu::BindingType {
    wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    }
}
