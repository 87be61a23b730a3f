//! An image of a document on the GPU.

use super::Gpu;
use super::pipelines::Layouts;
use crate::image::{Pixels, mip_chain};

/// Group 2 for an image. `pixels` is premultiplied and fits the device.
pub(super) fn upload(
    gpu: &Gpu,
    layouts: &Layouts,
    pixels: &Pixels,
    mipmaps: bool,
) -> wgpu::BindGroup {
    let smaller = if mipmaps {
        mip_chain(pixels)
    } else {
        Vec::new()
    };
    let size = |pixels: &Pixels| wgpu::Extent3d {
        width: pixels.width,
        height: pixels.height,
        depth_or_array_layers: 1,
    };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("GpuModel::image"),
        size: size(pixels),
        // A side has at most 32 bits, so there are at most 32 levels.
        mip_level_count: u32::try_from(smaller.len() + 1).unwrap_or(1),
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        // Not an sRGB format: texels are blended as they are encoded.
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (mip_level, level) in (0..).zip(std::iter::once(pixels).chain(&smaller)) {
        gpu.queue.write_texture(
            wgpu::TexelCopyTextureInfo {
                mip_level,
                ..texture.as_image_copy()
            },
            &level.rgba,
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(level.width * 4),
                rows_per_image: None,
            },
            size(level),
        );
    }
    let view = texture.create_view(&wgpu::TextureViewDescriptor {
        label: Some("GpuModel::image_view"),
        ..Default::default()
    });
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("GpuModel::image_group"),
        layout: &layouts.texture,
        entries: &[wgpu::BindGroupEntry {
            binding: 0,
            resource: wgpu::BindingResource::TextureView(&view),
        }],
    })
}
