//! Cases drawn by an adapter, one after the other.

use std::sync::{Mutex, mpsc};
use std::time::Instant;

use super::open::{close, open};
use super::{Run, Work, lock};
use crate::capture::{Drawer, GpuDrawer, StageTimes, Taken};
use crate::image::Pixels;
use crate::render::Gpu;
use crate::run::Failure;
use crate::run::device::Opened;
use crate::run::prepare::decode;

/// The images of a case's file.
fn decoded(work: &Work<'_>) -> Result<Vec<Pixels>, Failure> {
    let (input, _) = work.source.input()?;
    decode(&input).map(|(images, _)| images)
}

/// Runs cases with an adapter.
pub(in crate::suite) fn run(run: &Run<'_>, works: &[Work<'_>], opened: &Opened) {
    let Opened::Gpu(gpu, watchdog) = opened else {
        return;
    };
    let by = &opened.drawn_by();
    let (ready, next) = mpsc::sync_channel(1);
    let prepare = |work| {
        // First, so that a case that cannot be drawn keeps its record.
        match decoded(work) {
            Ok(images) => Some((open(run, work, by)?, images)),
            Err(failure) => {
                close(run, work, by, &failure);
                None
            }
        }
    };
    std::thread::scope(|scope| {
        let ahead = move || {
            let mut prepared = works.iter().filter_map(prepare);
            let _ = prepared.all(|prepared| ready.send(prepared).is_ok());
        };
        let started = std::thread::Builder::new().spawn_scoped(scope, ahead);
        // Without another thread each case is made ready when its turn comes.
        let here = if started.is_ok() { &[] } else { works };
        let mut drawer: Option<Drawer> = None;
        for (open, images) in next.into_iter().chain(here.iter().filter_map(prepare)) {
            let geometry = &open.prepared.character;
            let (samples, mipmaps) = (open.prepared.samples, open.prepared.picture.mipmaps);
            let size = open.prepared.picture.size;
            watchdog.expect(size);
            if let Some(Drawer::Gpu(drawer)) = &mut drawer {
                drawer.replace(samples, geometry, &images, mipmaps);
            }
            let drawer = drawer.get_or_insert_with(|| {
                let new = GpuDrawer::new(Gpu::clone(gpu), samples, geometry, &images, mipmaps);
                Drawer::Gpu(Box::new(new))
            });
            if let Drawer::Gpu(drawer) = &drawer {
                lock(&open.warnings).extend_from_slice(drawer.warnings());
            }
            // Frames overlap: each takes the time since the one before it was done.
            let last = Mutex::new(Instant::now());
            let sink = |taken: &mut Taken<'_>| {
                open.take(run, taken);
                watchdog.expect(size);
                let now = Instant::now();
                let before = std::mem::replace(&mut *lock(&last), now);
                open.note_time(run, taken.shot, now.saturating_duration_since(before));
                Ok(())
            };
            let shots = &open.prepared.plan.shots;
            let result = open
                .job(run.jobs)
                .run(drawer, shots, &StageTimes::default(), &sink);
            watchdog.rest(); // until the next case is ready
            *lock(&open.failed) = result.err();
            open.end(run, by);
        }
        watchdog.expect([1, 1]); // the drawer goes
    });
}
