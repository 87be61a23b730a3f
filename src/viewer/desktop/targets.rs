//! Textures that the picture is drawn into: the character, ghosts, and the reference picture.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use pchr::image::{Levels, Pixels};
use pchr::overlay::OverlayOptions;
use pchr::render::{GhostLayers, Gpu, Renderer, View};
use pchr::scene::{Frame, Ghost, Picture, Samples, TooMuchWork, ViewOptions, WorkJob};

use super::upload::OnGpu;
use crate::viewer::interface::narrow;
use crate::viewer::model::Model;
use crate::viewer::ruler_and_reference::Reference;
use crate::viewer::state::State;

/// Coverage samples per pixel of the window's picture.
pub(crate) const SAMPLES: Samples = Samples::Four;

/// Place of the reference in the picture; mirrors a part of `Composite` in `composite.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(crate) struct ReferencePlace {
    /// 1 over the picture, 0 behind it.
    above: u32,
    /// 0 without a reference.
    opacity: f32,
    /// Factors and offsets of its uv by the pixels of the picture.
    from_pixel: [f32; 4],
    /// Level of its smaller copies that is drawn.
    lod: f32,
}

impl ReferencePlace {
    /// Finds the place of the reference in the current picture.
    pub(crate) fn of(state: &State) -> Self {
        let shown = |reference: &&Reference| reference.look.visible;
        let Some(reference) = state.reference().filter(shown) else {
            return Self::default();
        };
        let camera = state.scene_camera();
        let [left, top, wide, high] = reference.on_screen(&camera, state.viewport());
        let [width, _] = reference.size();
        let lod = (f64::from(width) / wide.abs()).log2().max(0.0);
        let place = [1.0 / wide, 1.0 / high, -left / wide, -top / high];
        Self {
            above: reference.look.above.into(),
            opacity: reference.look.opacity,
            from_pixel: place.map(narrow),
            lod: narrow(lod),
        }
    }
}

/// The texture of the reference.
#[derive(Debug)]
pub(crate) struct ReferenceTarget {
    shown: Option<Arc<Levels>>,
    view: wgpu::TextureView,
    sampler: wgpu::Sampler,
}

impl ReferenceTarget {
    const LABEL: &str = "ReferenceTarget::texture";

    pub(crate) fn new(device: &wgpu::Device) -> Self {
        Self {
            shown: None,
            view: texture(device, Self::LABEL, [1, 1], 1).1,
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("ReferenceTarget::sampler"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                ..Default::default()
            }),
        }
    }

    pub(crate) fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    pub(crate) fn sampler(&self) -> &wgpu::Sampler {
        &self.sampler
    }

    /// Uploads another reference, without the copies that are too large for the adapter. Returns true if it is another one than
    /// before.
    pub(crate) fn update(&mut self, gpu: &Gpu, reference: Option<&Arc<Levels>>) -> bool {
        let same = match (&self.shown, reference) {
            (Some(shown), Some(wanted)) => Arc::ptr_eq(shown, wanted),
            (None, None) => true,
            _ => false,
        };
        if same {
            return false;
        }
        self.shown = reference.cloned();
        let limit = gpu.device.limits().max_texture_dimension_2d;
        let fits = |level: &&Pixels| level.width.max(level.height) <= limit;
        let levels = reference.into_iter().flat_map(|levels| {
            let all = std::iter::once(levels.base()).chain(levels.smaller());
            all.filter(fits)
        });
        self.view = upload(gpu, Self::LABEL, &levels.collect::<Vec<_>>());
        true
    }
}

/// Brings a picture and its smaller copies to the GPU; without any, the texture is one transparent pixel.
pub(super) fn upload(gpu: &Gpu, label: &str, levels: &[&Pixels]) -> wgpu::TextureView {
    let size = levels.first().map_or([1, 1], |it| [it.width, it.height]);
    let count = u32::try_from(levels.len()).unwrap_or(1).max(1);
    let (texture, view) = texture(&gpu.device, label, size, count);
    for (mip_level, level) in (0..).zip(levels) {
        let Pixels { width, height, rgba } = level;
        gpu.queue.write_texture(
            wgpu::TexelCopyTextureInfo { mip_level, ..texture.as_image_copy() },
            rgba,
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(width.saturating_mul(4)),
                rows_per_image: None,
            },
            wgpu::Extent3d { width: *width, height: *height, depth_or_array_layers: 1 },
        );
    }
    view
}

/// Creates a texture that is sampled, and its view.
pub(super) fn texture(
    device: &wgpu::Device,
    label: &str,
    [width, height]: [u32; 2],
    mip_level_count: u32,
) -> (wgpu::Texture, wgpu::TextureView) {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    (texture, view)
}

/// The ghosts of a picture. Nothing is kept while there are none.
#[derive(Debug, Default)]
pub(crate) struct Ghosts {
    list: Vec<Ghost>,
    frame: Frame,
    layers: Option<GhostLayers>,
    /// Scratch memory for counting work.
    points: Vec<[f32; 2]>,
}

impl Ghosts {
    /// Checks the work of the current frame beside its ghosts, and of each ghost, and draws those into their layers.
    ///
    /// # Errors
    /// [`TooMuchWork`]; then nothing is to be drawn.
    pub(crate) fn draw(
        &mut self,
        gpu: &Gpu,
        (renderer, of_picture): (&Renderer, &View),
        (model, on_gpu): (&Model, &mut OnGpu),
        (view, picture): (&ViewOptions, &Picture),
        options: &OverlayOptions,
    ) -> Result<(), TooMuchWork> {
        let subject = model.subject();
        options.ghosts(subject, model.frame().at(), &mut self.list);
        if self.list.is_empty() {
            self.layers = None;
        }
        let Self { list, frame, layers, points } = self;
        let frames = u32::try_from(list.len()).unwrap_or(u32::MAX);
        let frames = frames.saturating_add(1);
        let mut check = |frame: &Frame| {
            let job =
                WorkJob { subject, frame, camera: &picture.camera, size: picture.size, frames };
            job.run(points)
        };
        check(model.frame())?;
        if list.is_empty() {
            return Ok(());
        }
        let layers = match layers {
            Some(layers) if layers.size() == picture.size => layers,
            _ => layers.insert(GhostLayers::new(gpu, picture.size, SAMPLES)),
        };
        layers.clear(picture.clear);
        for ghost in list {
            frame.fill(subject, Some(ghost.at), view);
            check(frame)?;
            on_gpu.prepare(gpu, frame);
            layers.add(&gpu.device, &gpu.queue, ghost.tint, |pass| {
                renderer.draw(pass, of_picture, &on_gpu.model, &on_gpu.instance);
            });
        }
        Ok(())
    }

    /// Records the ghosts, first in the picture's pass.
    pub(crate) fn record(&self, pass: &mut wgpu::RenderPass<'_>) {
        if let Some(layers) = &self.layers {
            layers.draw(pass);
        }
    }
}
