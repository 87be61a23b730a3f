//! Placement and skinning matrices of an instance.

use super::gpu_data;
use super::layouts::Layouts;
use crate::pose::{Affine, IDENTITY, Pose};

/// Bytes of an `Rgba32Float` texel, half an [`Affine`].
const TEXEL_SIZE: u32 = 16;

/// Group 1: the placement, and the palette, as a texture. Written only when they change.
#[derive(Debug)]
pub(super) struct Palette {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    model: wgpu::Buffer,
    group: wgpu::BindGroup,
    /// Contents of the texture, in whole rows.
    written: Vec<Affine>,
    /// True if `written` was uploaded.
    uploaded: bool,
    /// Contents of `model`.
    placed: Option<gpu_data::Model>,
}

impl Palette {
    pub(super) fn new(device: &wgpu::Device, layouts: &Layouts, bones: usize) -> Self {
        let row = gpu_data::BONES_PER_ROW as usize;
        let bones = bones.max(1);
        let (columns, rows) = if bones <= row {
            (bones, 1)
        } else {
            (row, bones.div_ceil(row))
        };
        // Bones are numbered with 16 bits, so neither is more than 2,048.
        let side = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("Palette::texture"),
            size: wgpu::Extent3d {
                width: side(columns * 2),
                height: side(rows),
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba32Float,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let model = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("Palette::model"),
            size: size_of::<gpu_data::Model>() as wgpu::BufferAddress,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor {
            label: Some("Palette::view"),
            ..Default::default()
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("Palette::group"),
            layout: &layouts.model,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: model.as_entire_binding(),
                },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::TextureView(&view),
                },
            ],
        });
        Self {
            texture,
            view,
            model,
            group,
            written: vec![IDENTITY; columns * rows],
            uploaded: false,
            placed: None,
        }
    }

    pub(super) fn group(&self) -> &wgpu::BindGroup {
        &self.group
    }

    /// Returns the texture of the palette.
    pub(super) fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    /// Writes a pose and the placement.
    pub(super) fn write(&mut self, queue: &wgpu::Queue, pose: &Pose, placement: Affine) {
        self.write_model(queue, pose.is_skinned(), placement);
        if pose.is_skinned() {
            self.write_matrices(queue, pose.world_from_bind());
        }
    }

    /// Writes the placement; the pose stays.
    pub(super) fn place(&mut self, queue: &wgpu::Queue, placement: Affine) {
        let moving = self.placed.is_some_and(|model| model.moving != 0);
        self.write_model(queue, moving, placement);
    }

    fn write_model(&mut self, queue: &wgpu::Queue, moving: bool, world_from_model: Affine) {
        let model = gpu_data::Model {
            world_from_model,
            moving: moving.into(),
            pad: [0; 3],
        };
        if self.placed != Some(model) {
            self.placed = Some(model);
            queue.write_buffer(&self.model, 0, bytemuck::bytes_of(&model));
        }
    }

    fn write_matrices(&mut self, queue: &wgpu::Queue, world_from_bind: &[Affine]) {
        let count = world_from_bind.len().min(self.written.len());
        let (Some(new), Some(old)) = (world_from_bind.get(..count), self.written.get_mut(..count))
        else {
            return;
        };
        // Compared as bytes: a matrix that is not a number equals itself, too.
        if self.uploaded && bytemuck::cast_slice::<_, u8>(new) == bytemuck::cast_slice::<_, u8>(old)
        {
            return;
        }
        old.copy_from_slice(new);
        self.uploaded = true;
        let size = self.texture.size();
        queue.write_texture(
            self.texture.as_image_copy(),
            bytemuck::cast_slice(&self.written),
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(size.width * TEXEL_SIZE),
                rows_per_image: None,
            },
            size,
        );
    }
}
