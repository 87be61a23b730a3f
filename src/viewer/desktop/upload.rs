//! Uploads documents to the GPU on its own thread, since they may hold hundreds of megabytes.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Weak};

use winit::window::Window;

use pchr::document::ImageId;
use pchr::image::Levels;
use pchr::render::{Gpu, GpuImage, GpuModel, Instance, Layouts};
use pchr::scene::Frame;

use super::events;
use super::events::ViewerError;
use crate::viewer::loaded::Loaded;
use crate::viewer::model::Model;

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
