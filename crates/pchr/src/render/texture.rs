//! An image of a subject on the GPU, made smaller if the device takes no larger.

use std::ops::Range;

use super::error::UnsupportedTexture;
use super::gpu_data::{Layouts, bind_group};
use crate::image::{Levels, Pixels, mip_chain};

/// Bytes passed to the queue at once. The queue is locked during the copy, and the drawing thread needs it, too.
const BAND: usize = 2 << 20;

/// An image of a subject on the GPU: group 2.
#[derive(Clone, Debug, PartialEq)]
pub struct GpuImage {
    group: wgpu::BindGroup,
    view: wgpu::TextureView,
    warning: Option<String>,
}

impl GpuImage {
    /// Uploads a premultiplied image. With `mipmaps` its smaller copies are made too. An image that the adapter cannot take is made
    /// smaller, and a transparent pixel replaces one whose bytes are not those of its size; [`Self::warning`] reports both.
    #[must_use]
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        layouts: &Layouts,
        pixels: &Pixels,
        mipmaps: bool,
    ) -> Self {
        let (other, warning) = match pixels.check() {
            Err(fault) => {
                let warning = format!("{fault}; its meshes are not drawn");
                (Some(Pixels::transparent()), Some(warning))
            }
            Ok(()) => {
                let fitted = fit(pixels, device.limits().max_texture_dimension_2d);
                let warning = fitted.as_ref().map(|Pixels { width, height, .. }| {
                    format!(
                        "drawn at {width} x {height} instead of {} x {}; the adapter takes no larger images",
                        pixels.width, pixels.height
                    )
                });
                (fitted, warning)
            }
        };
        let base = other.as_ref().unwrap_or(pixels);
        let smaller = if mipmaps { mip_chain(base) } else { Vec::new() };
        let (view, group) = upload(device, queue, layouts, base, &smaller);
        Self { view, group, warning }
    }

    /// Uploads an image whose smaller copies are already made.
    #[must_use]
    pub fn of_levels(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        layouts: &Layouts,
        levels: &Levels,
    ) -> Self {
        let base = levels.base();
        let limit = device.limits().max_texture_dimension_2d;
        if base.width.max(base.height) > limit || base.check().is_err() {
            return Self::new(device, queue, layouts, base, true);
        }
        let (view, group) = upload(device, queue, layouts, base, levels.smaller());
        Self { view, group, warning: None }
    }

    /// Takes a texture of the caller's: premultiplied, sRGB-encoded and not in an sRGB format, as [`Pixels`] are. What is
    /// written to it later is drawn.
    ///
    /// # Errors
    /// [`UnsupportedTexture`], if it cannot be read that way.
    pub fn of_texture(
        device: &wgpu::Device,
        layouts: &Layouts,
        texture: &wgpu::Texture,
    ) -> Result<Self, UnsupportedTexture> {
        UnsupportedTexture::check(device, texture)?;
        let (view, group) = bind(device, layouts, texture);
        Ok(Self { view, group, warning: None })
    }

    /// Returns the image and its smaller copies: premultiplied, sRGB-encoded.
    #[must_use]
    pub fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    /// Returns group 2.
    #[must_use]
    pub fn group(&self) -> &wgpu::BindGroup {
        &self.group
    }

    /// Returns a warning if the image could not be used unchanged: made smaller for the adapter, or not drawn.
    #[must_use]
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }
}

/// Uploads an image that fits the device, and creates group 2 for it.
pub(super) fn upload(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    layouts: &Layouts,
    base: &Pixels,
    smaller: &[Pixels],
) -> (wgpu::TextureView, wgpu::BindGroup) {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("GpuImage::texture"),
        size: extent(base.width, base.height),
        // A side has at most 32 bits, so there are at most 32 levels.
        mip_level_count: u32::try_from(smaller.len() + 1).unwrap_or(1),
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        // Not an sRGB format: texels are blended as they are encoded.
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (mip_level, level) in (0..).zip(std::iter::once(base).chain(smaller)) {
        write(queue, &texture, mip_level, level);
    }
    bind(device, layouts, &texture)
}

/// Creates group 2 for a texture.
fn bind(
    device: &wgpu::Device,
    layouts: &Layouts,
    texture: &wgpu::Texture,
) -> (wgpu::TextureView, wgpu::BindGroup) {
    let view = texture.create_view(&wgpu::TextureViewDescriptor {
        label: Some("GpuImage::view"),
        ..Default::default()
    });
    let resource = wgpu::BindingResource::TextureView(&view);
    let group = bind_group(device, "GpuImage::group", &layouts.texture, [resource]);
    (view, group)
}

/// Writes a level, a few rows at a time.
fn write(queue: &wgpu::Queue, texture: &wgpu::Texture, mip_level: u32, level: &Pixels) {
    let stride = level.width * 4;
    let row = stride as usize;
    let rows = (BAND / row.max(1)).max(1);
    let mut y = 0;
    for band in level.rgba.chunks(rows * row) {
        let height = u32::try_from(band.len() / row.max(1)).unwrap_or(0);
        queue.write_texture(
            wgpu::TexelCopyTextureInfo {
                mip_level,
                origin: wgpu::Origin3d { x: 0, y, z: 0 },
                ..texture.as_image_copy()
            },
            band,
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(stride),
                rows_per_image: None,
            },
            extent(level.width, height),
        );
        if band.len() == rows * row {
            queue.submit([]); // so that bands do not add up to a copy of the image
        }
        y += height;
    }
}

fn extent(width: u32, height: u32) -> wgpu::Extent3d {
    wgpu::Extent3d { width, height, depth_or_array_layers: 1 }
}

/// Scales the image down, keeping its proportions, so that no side is longer than `limit`. Returns `None` if it fits already.
///
/// Each texel is the mean of the box of texels that falls on it. Texture coordinates are relative, so they stay valid.
pub(super) fn fit(pixels: &Pixels, limit: u32) -> Option<Pixels> {
    let longest = pixels.width.max(pixels.height);
    if longest <= limit || limit == 0 {
        return None;
    }
    let scaled = |side: u32| {
        let side = u64::from(side) * u64::from(limit) / u64::from(longest);
        u32::try_from(side).unwrap_or(limit).max(1)
    };
    let (width, height) = (scaled(pixels.width), scaled(pixels.height));
    let texels = pixels.rgba.as_chunks::<4>().0;
    let stride = pixels.width as usize;
    let mut rgba = Vec::with_capacity(width as usize * height as usize * 4);
    for y in 0..height {
        let rows = source(y, height, pixels.height);
        for x in 0..width {
            let columns = source(x, width, pixels.width);
            let mut sum = [0_u64; 4];
            let mut count = 0_u64;
            for row in rows.clone() {
                let start = row * stride;
                let row = texels.get(start + columns.start..start + columns.end);
                debug_assert!(row.is_some(), "images are checked before they are fitted");
                let row = row.unwrap_or_default();
                count += row.len() as u64;
                for texel in row {
                    for (sum, channel) in sum.iter_mut().zip(texel) {
                        *sum += u64::from(*channel);
                    }
                }
            }
            let count = count.max(1);
            rgba.extend(sum.map(|sum| u8::try_from((sum + count / 2) / count).unwrap_or(u8::MAX)));
        }
    }
    Some(Pixels { width, height, rgba })
}

/// Returns the rows of `from` that fall on row `i` of `to`, at least one.
fn source(i: u32, to: u32, from: u32) -> Range<usize> {
    let edge = |i: u32| {
        let edge = u64::from(i) * u64::from(from) / u64::from(to.max(1));
        usize::try_from(edge).unwrap_or(usize::MAX)
    };
    let start = edge(i);
    start..edge(i + 1).max(start + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_that_fits_stays() {
        assert_eq!(fit(&Pixels::transparent(), 1), None);
    }

    #[test]
    fn a_texel_is_the_mean_of_those_that_fall_on_it() {
        let grey = |value: u8| [value, value, value, 255];
        let greys = [0, 10, 20, 30, 40, 50, 60, 71].map(grey);
        let image = Pixels { width: 4, height: 2, rgba: greys.concat() };
        let half = fit(&image, 2).expect("it is too wide");
        assert_eq!((half.width, half.height), (2, 1));
        assert_eq!(half.rgba, [grey(25), grey(45)].as_flattened());
        let third = fit(&image, 3).expect("it is too wide");
        assert_eq!((third.width, third.height), (3, 1));
        assert_eq!(third.rgba, [grey(20), grey(30), grey(45)].as_flattened());
    }
}
