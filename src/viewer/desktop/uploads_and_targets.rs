//! What the window keeps on the GPU: the model and its images, uploaded on a thread of their own since they may hold hundreds of
//! megabytes, and the textures that the picture is drawn into (ghosts) and from (the reference picture).

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Weak};

use bytemuck::{Pod, Zeroable};
use winit::window::Window;

use pchr::document::ImageId;
use pchr::image::{Levels, Pixels};
use pchr::overlay::OverlayOptions;
use pchr::render::{GhostLayers, Gpu, GpuImage, GpuModel, Instance, Layouts, Renderer, View};
use pchr::scene::{Frame, Ghost, Picture, Samples, Subject, TooMuchWork, ViewOptions, WorkJob};

use super::events;
use super::events::ViewerError;
use crate::viewer::backgrounds_and_rulers::Reference;
use crate::viewer::interface::narrow;
use crate::viewer::loaded::Loaded;
use crate::viewer::model::Model;
use crate::viewer::state::State;

/// A model or an image to upload, with the serial number of its model.
enum UploadJob {
    Model(u64, Arc<Loaded>, Vec<Arc<Levels>>),
    Image(u64, ImageId, Arc<Levels>),
}

/// An uploaded model, and the one instance of it that the window shows.
pub(crate) struct OnGpu {
    pub model: GpuModel,
    pub instance: Instance,
}

impl OnGpu {
    /// Writes a frame to be drawn.
    pub(crate) fn prepare(&mut self, gpu: &Gpu, frame: &Frame) {
        let Self { model, instance } = self;
        let (list, pose) = (frame.list(), frame.pose());
        let prepared = instance.prepare(&gpu.device, &gpu.queue, model, list, pose);
        debug_assert!(prepared.is_ok(), "models are matched to frames by their serial numbers");
    }
}

/// An uploaded model or image, with the serial number of its model.
enum Uploaded {
    Model(u64, Box<OnGpu>),
    Image(u64, ImageId, GpuImage),
}

/// The upload thread, and the requests to it.
pub(crate) struct Uploader {
    jobs: Sender<UploadJob>,
    uploaded: Receiver<Uploaded>,
    asked: Option<u64>,
    /// Images that were sent, kept while some are still missing.
    sent: Vec<Arc<Levels>>,
    pending: usize,
    /// Last uploaded model with its serial number.
    pub model: Option<(u64, OnGpu)>,
}

impl Uploader {
    /// Starts the thread. It redraws the window after each upload.
    ///
    /// # Errors
    /// [`ViewerError::Thread`] if the system refuses the thread.
    pub(crate) fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        window: &Arc<Window>,
    ) -> Result<Self, ViewerError> {
        let (jobs, todo) = mpsc::channel();
        let (done, uploaded) = mpsc::channel();
        let (gpu, layouts) = (gpu.clone(), layouts.clone());
        let window = Arc::downgrade(window);
        events::start(move || work(&gpu, &layouts, &todo, &done, &window))
            .map_err(|problem| ViewerError::Thread(problem.message))?;
        Ok(Self { jobs, uploaded, asked: None, sent: Vec::new(), pending: 0, model: None })
    }

    /// Sends new data and takes finished uploads. Returns true if there were any. The previous model stays until the
    /// next one is ready.
    pub(crate) fn update(&mut self, model: &Model) -> bool {
        let serial = model.serial();
        // The thread ends only when it panics, which is a bug that was reported then.
        let send = |job| drop(self.jobs.send(job));
        if self.asked != Some(serial) {
            self.asked = Some(serial);
            self.sent = model.images().to_vec();
            let loaded = Arc::clone(model.loaded());
            send(UploadJob::Model(serial, loaded, self.sent.clone()));
        } else if self.pending != model.pending() {
            let both = self.sent.iter_mut().zip(model.images());
            for (id, (sent, now)) in (0..=u16::MAX).zip(both) {
                if !Arc::ptr_eq(sent, now) {
                    *sent = Arc::clone(now);
                    send(UploadJob::Image(serial, ImageId(id), Arc::clone(now)));
                }
            }
        }
        self.pending = model.pending();
        let mut any = false;
        for uploaded in self.uploaded.try_iter() {
            match uploaded {
                Uploaded::Model(of, ready) if of == serial => self.model = Some((of, *ready)),
                Uploaded::Image(of, id, image) => {
                    if let Some((_, on_gpu)) = self.model.as_mut().filter(|(at, _)| *at == of) {
                        on_gpu.model.set_image(id, image);
                    }
                }
                Uploaded::Model(..) => continue, // something newer is on its way
            }
            any = true;
        }
        any
    }
}

fn work(
    gpu: &Gpu,
    layouts: &Layouts,
    todo: &Receiver<UploadJob>,
    done: &Sender<Uploaded>,
    window: &Weak<Window>,
) {
    // Kept until something newer comes, so that its memory is given back here: that takes time, too.
    let mut kept: (Option<Arc<Loaded>>, Vec<Arc<Levels>>) = Default::default();
    let Gpu { device, queue, .. } = gpu;
    for job in todo {
        let uploaded = match job {
            UploadJob::Model(serial, loaded, images) => {
                let upload =
                    |levels: &Arc<Levels>| GpuImage::of_levels(device, queue, layouts, levels);
                let on_gpu = images.iter().map(upload).collect();
                let model = GpuModel::with_images(device, &*loaded.opened.subject, on_gpu);
                let instance = Instance::new(device, layouts, &model);
                let on_gpu = OnGpu { model, instance };
                kept = (Some(loaded), images);
                Uploaded::Model(serial, Box::new(on_gpu))
            }
            UploadJob::Image(serial, id, levels) => {
                let image = GpuImage::of_levels(device, queue, layouts, &levels);
                kept.1.push(levels);
                Uploaded::Image(serial, id, image)
            }
        };
        queue.submit([]); // texels are copied now, not with the frame that needs them
        if done.send(uploaded).is_err() {
            return;
        }
        if let Some(window) = window.upgrade() {
            window.request_redraw();
        }
    }
}

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
        let Some(reference) = state.reference().filter(shown) else { return Self::default() };
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
    pub view: wgpu::TextureView,
    pub sampler: wgpu::Sampler,
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

    /// Uploads another reference, without the copies that are too large for the adapter. Returns true if it is another one than
    /// before.
    pub(crate) fn update(&mut self, gpu: &Gpu, reference: Option<&Arc<Levels>>) -> bool {
        if self.shown.as_ref().map(Arc::as_ptr) == reference.map(Arc::as_ptr) {
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
        let frames = u32::try_from(list.len()).unwrap_or(u32::MAX).saturating_add(1);
        let mut check = |subject: &dyn Subject, frame: &Frame, frames: u32| {
            let job =
                WorkJob { subject, frame, camera: &picture.camera, size: picture.size, frames };
            job.run(points)
        };
        // Ghosts are of one figure, beside which those of a crowd count little.
        let of_all = if subject.crowd().is_some() { 1 } else { frames };
        check(subject, model.frame(), of_all)?;
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
            check(model.one(), frame, frames)?;
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
