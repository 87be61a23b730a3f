//! Pictures by the CPU renderer: each thread takes whole frames, so that no frame waits for another.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::encode::Encoder;
use super::pipeline::{CaptureError, CaptureJob, FirstError, Poser, Shot, Sink, finish};
use super::times::{Stage, StageTimes};
use crate::image::Pixels;
use crate::raster::{Raster, RasterModel, RasterOptions, RasterOverlay, Simd};

pub(super) fn run(
    job: &CaptureJob<'_>,
    model: &RasterModel,
    shots: &[Shot],
    times: &StageTimes,
    sink: Sink<'_>,
) -> Result<(), CaptureError> {
    let workers = job.jobs.clamp(1, shots.len().max(1));
    // Threads left over draw bands of the same picture.
    let threads = (job.jobs / workers).max(1);
    let next = AtomicUsize::new(0);
    let errors = FirstError::default();
    let atlas = job.atlas();
    let work = || {
        let mut poser = Poser::new(job);
        let mut raster = Raster::new(RasterOptions {
            samples: job.samples,
            threads,
            simd: Simd::Auto,
        });
        let mut pixels = Pixels {
            width: 0,
            height: 0,
            rgba: Vec::new(),
        };
        let mut encoder = Encoder::default();
        while !errors.stopped() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(shot) = shots.get(index) else { break };
            times.measure(Stage::Pose, || poser.run(shot));
            times.measure(Stage::Draw, || {
                let overlay = poser.overlay().zip(atlas.as_ref());
                raster.draw_with(
                    model,
                    poser.scene.list(),
                    &poser.pose,
                    &job.picture_of(shot),
                    overlay.map(|(overlay, atlas)| RasterOverlay { overlay, atlas }),
                    &mut pixels,
                );
            });
            errors.note(finish(job, index, &mut pixels, &mut encoder, times, sink));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..workers {
            let started = std::thread::Builder::new().spawn_scoped(scope, work);
            errors.note(started.map(drop).map_err(CaptureError::Thread));
        }
        work();
    });
    errors.into_result()
}
