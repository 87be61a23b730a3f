//! Captures with the CPU renderer. Each thread draws whole frames, so that no frame waits for another.

use std::sync::atomic::{AtomicUsize, Ordering};

use pchr::image::Pixels;
use pchr::raster::{Raster, RasterModel, RasterOptions, RasterOverlay, Simd};
use pchr::scene::Picture;

use super::encode::Encoder;
use super::job::{
    CaptureError, CaptureJob, FirstError, PipelineStage, Shot, ShotPoser, Sink, StageTimes,
    at_once, finish, room_for,
};
use crate::threads;

/// Takes pictures of a job one after the other, on one thread, reusing its memory.
#[expect(missing_debug_implementations, reason = "buffers")]
pub struct CpuWorker<'a> {
    job: &'a CaptureJob<'a>,
    poser: ShotPoser<'a>,
    raster: Raster,
    pixels: Pixels,
    layer: Pixels,
    encoder: Encoder,
    atlas: Option<Pixels>,
}

impl<'a> CpuWorker<'a> {
    /// Creates a worker that draws each picture with `threads` threads; at least 1.
    #[must_use]
    pub fn new(job: &'a CaptureJob<'a>, threads: usize) -> Self {
        Self {
            job,
            poser: ShotPoser::new(job),
            raster: Raster::new(RasterOptions {
                samples: job.samples,
                threads,
                simd: Simd::Auto,
            }),
            pixels: Pixels::empty(),
            layer: Pixels::empty(),
            encoder: Encoder::default(),
            atlas: job.atlas(),
        }
    }

    /// Takes the picture of a shot, whose index is `index`, and gives it to `sink`.
    ///
    /// # Errors
    /// [`CaptureError::Work`], [`CaptureError::Memory`] or [`CaptureError::Subject`], and errors of the sink.
    pub fn take(
        &mut self,
        model: &RasterModel,
        index: usize,
        shot: &Shot,
        times: &StageTimes,
        sink: Sink<'_>,
    ) -> Result<(), CaptureError> {
        let Self {
            job,
            poser,
            raster,
            pixels,
            layer,
            encoder,
            atlas,
        } = self;
        if [pixels.width, pixels.height] != job.picture.size {
            room_for(job.picture.size, job.layers())?;
        }
        times.measure(PipelineStage::Pose, || poser.run(index, shot))?;
        times.measure(PipelineStage::Draw, || {
            let picture = job.picture_of(shot);
            if poser.ghosts() > 0 {
                pixels.clear(picture.size, picture.clear);
            }
            for number in 0..poser.ghosts() {
                if let Some((ghost, tint)) = poser.ghost(number, index, shot)? {
                    let picture = Picture {
                        clear: [0; 4],
                        ..picture
                    };
                    raster.draw(model, ghost.list(), ghost.pose(), &picture, layer)?;
                    tint.lay(layer, pixels);
                }
            }
            let (list, pose) = (poser.frame.list(), poser.frame.pose());
            let overlay = poser.overlay().zip(atlas.as_ref());
            let overlay = overlay.map(|(overlay, atlas)| RasterOverlay { overlay, atlas });
            if poser.ghosts() > 0 {
                raster.draw_over(model, list, pose, &picture, overlay, pixels)?;
            } else {
                raster.draw_with(model, list, pose, &picture, overlay, pixels)?;
            }
            Ok::<_, CaptureError>(())
        })?;
        finish(job, index, pixels, encoder, times, sink)
    }
}

pub(super) fn run(
    job: &CaptureJob<'_>,
    model: &RasterModel,
    shots: &[Shot],
    times: &StageTimes,
    sink: Sink<'_>,
) -> Result<(), CaptureError> {
    let most = shots
        .len()
        .min(at_once(job.picture.size, job.layers()))
        .max(1);
    let workers = job.jobs.clamp(1, most);
    // Threads left over draw bands of the same picture.
    let threads = (job.jobs / workers).max(1);
    let next = AtomicUsize::new(0);
    let errors = FirstError::default();
    let work = || {
        let mut worker = CpuWorker::new(job, threads);
        while !errors.stopped() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(shot) = shots.get(index) else { break };
            errors.note(worker.take(model, index, shot, times, sink));
        }
    };
    threads::together(workers, work);
    errors.into_result()
}
