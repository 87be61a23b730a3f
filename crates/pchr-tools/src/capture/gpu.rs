//! Captures with a graphics adapter. This thread poses, submits and reads back; others encode.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use parking_lot::Mutex;

use pchr::image::Pixels;
use pchr::render::{
    CrowdInstance, GhostLayers, Gpu, GpuError, GpuModel, GpuTimer, Instance, OffscreenTarget,
    OverlayRenderer, Renderer, Ticket, View,
};
use pchr::scene::{Geometry, Overlay, Samples};

use super::job::{
    CaptureError, CaptureJob, FirstError, PipelineStage, Shot, ShotPoser, Sink, StageTimes,
    at_once, finish, room_for, shot_in,
};

/// Frames that may be submitted before the first is read back.
const IN_FLIGHT: usize = 3;

/// An adapter with an uploaded subject.
#[derive(Debug)]
pub struct GpuDrawer {
    gpu: Gpu,
    samples: Samples,
    renderer: Renderer,
    view: View,
    model: GpuModel,
    instance: Instance,
}

impl GpuDrawer {
    /// Uploads a subject with its premultiplied images.
    ///
    /// # Errors
    /// [`GpuError::Target`], if the adapter draws no captures.
    pub fn new(
        gpu: Gpu,
        samples: Samples,
        geometry: &dyn Geometry,
        images: &[Pixels],
        mipmaps: bool,
    ) -> Result<Self, GpuError> {
        let renderer = Renderer::new(&gpu.device, &OffscreenTarget::options(samples))?;
        let (model, instance) = upload(&gpu, &renderer, geometry, images, mipmaps);
        Ok(Self {
            view: View::new(&gpu.device, renderer.layouts()),
            gpu,
            samples,
            renderer,
            model,
            instance,
        })
    }

    /// Sets the samples of each pixel.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn set_samples(&mut self, samples: Samples) -> Result<(), GpuError> {
        if samples != self.samples {
            self.renderer = Renderer::new(&self.gpu.device, &OffscreenTarget::options(samples))?;
            self.samples = samples;
        }
        Ok(())
    }

    /// Replaces the uploaded subject.
    pub fn replace(&mut self, geometry: &dyn Geometry, images: &[Pixels], mipmaps: bool) {
        (self.model, self.instance) = upload(&self.gpu, &self.renderer, geometry, images, mipmaps);
    }

    /// Returns a warning for each item that the adapter could not use unchanged.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        self.model.warnings()
    }
}

fn upload(
    gpu: &Gpu,
    renderer: &Renderer,
    geometry: &dyn Geometry,
    images: &[Pixels],
    mipmaps: bool,
) -> (GpuModel, Instance) {
    let Gpu { device, queue, .. } = gpu;
    let layouts = renderer.layouts();
    let model = GpuModel::new(device, queue, layouts, geometry, images, mipmaps);
    let instance = Instance::new(device, layouts, &model);
    (model, instance)
}

/// A picture on its way to an encoder.
type DrawnPicture = (usize, Pixels);

pub(super) fn run(
    job: &CaptureJob<'_>,
    drawer: &mut GpuDrawer,
    shots: &[Shot],
    times: &StageTimes,
    sink: Sink<'_>,
) -> Result<(), CaptureError> {
    // The layer of ghosts lies on the adapter.
    let layers = if job.against.is_some() { 4 } else { 1 };
    room_for(job.picture.size, layers)?;
    let most = shots.len().min(at_once(job.picture.size, layers)).max(1);
    let encoders = job.jobs.clamp(1, most);
    let sides = if job.against.is_some() { 2 } else { 1 };
    let in_flight = IN_FLIGHT.min(shots.len().max(1)).saturating_mul(sides);
    let mut target = OffscreenTarget::new(&drawer.gpu, job.picture.size, job.samples, in_flight)?;
    let errors = FirstError::default();
    let (to_encoders, drawn) = sync_channel::<DrawnPicture>(encoders);
    let (give_back, free) = sync_channel::<Pixels>(encoders * 2 + 1);
    // Only the encoders hold it, so sending fails once all of them have ended.
    let drawn = Arc::new(Mutex::new(drawn));
    std::thread::scope(|scope| {
        let mut started = 0;
        for _ in 0..encoders {
            let (give_back, drawn, errors) = (give_back.clone(), drawn.clone(), &errors);
            let work = move || encode(job, &drawn, &give_back, errors, times, sink);
            if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break; // fewer take longer; without any, pictures are encoded here
            }
            started += 1;
        }
        drop(drawn);
        let pools = Pools { to_encoders: (started > 0).then_some(to_encoders), free };
        errors.note(draw(job, drawer, &mut target, shots, times, &errors, &pools, sink));
    });
    errors.into_result()
}

struct Pools {
    /// `None` if there are no encoders.
    to_encoders: Option<SyncSender<DrawnPicture>>,
    free: Receiver<Pixels>,
}

/// One of the subjects of a picture, on the adapter.
struct GpuSide<'a> {
    job: &'a CaptureJob<'a>,
    poser: ShotPoser<'a>,
    overlays: Option<OverlayRenderer>,
    ghosts: Option<GhostLayers>,
    /// The figures, if it is a crowd.
    crowd: Option<CrowdInstance>,
    model: &'a mut GpuModel,
    instance: &'a mut Instance,
}

impl<'a> GpuSide<'a> {
    fn new(
        gpu: &Gpu,
        job: &'a CaptureJob<'a>,
        model: &'a mut GpuModel,
        instance: &'a mut Instance,
    ) -> Result<Self, CaptureError> {
        let Gpu { device, queue, .. } = gpu;
        let options = OffscreenTarget::options(job.samples);
        let overlays =
            job.atlas().map(|atlas| OverlayRenderer::new(device, queue, &atlas, &options));
        let overlays = overlays.transpose().map_err(GpuError::from)?;
        let crowd = job.subject.crowd().map(|_| CrowdInstance::new(device, &options));
        let crowd = crowd.transpose().map_err(GpuError::from)?;
        Ok(Self { job, poser: ShotPoser::new(job), overlays, ghosts: None, crowd, model, instance })
    }

    /// Poses a shot and submits its picture.
    fn submit(
        &mut self,
        (gpu, renderer, view): (&Gpu, &Renderer, &mut View),
        target: &mut OffscreenTarget,
        (index, shot): (usize, &Shot),
        (times, timer): (&StageTimes, Option<&mut GpuTimer>),
    ) -> Result<Ticket, CaptureError> {
        let Self { job, poser, overlays, ghosts, crowd, model, instance } = self;
        let Gpu { device, queue, .. } = gpu;
        poser.run(index, shot, times)?;
        let picture = job.picture_of(shot);
        let under = poser.ghosts();
        times.measure(PipelineStage::Prepare, || view.set_picture(device, queue, &picture));
        times.measure(PipelineStage::Draw, || {
            for number in 0..under {
                let Some((ghost, tint)) = poser.ghost(number, index, shot)? else { continue };
                instance.prepare(device, queue, model, ghost.list(), ghost.pose())?;
                let layers =
                    ghosts.get_or_insert_with(|| GhostLayers::new(gpu, picture.size, job.samples));
                if number == 0 {
                    layers.clear(picture.clear);
                }
                layers.add(device, queue, tint, |pass| {
                    renderer.draw(pass, view, model, instance);
                });
            }
            Ok::<_, CaptureError>(())
        })?;
        times.measure(PipelineStage::Prepare, || {
            let frame = &poser.frame;
            match crowd.as_mut().zip(job.subject.crowd()) {
                Some((crowd, figures)) => {
                    crowd.prepare((device, queue), renderer.layouts(), model, figures, frame)?;
                }
                None => instance.prepare(device, queue, model, frame.list(), frame.pose())?,
            }
            if let Some((overlays, overlay)) = overlays.as_mut().zip(poser.overlay()) {
                overlays.prepare(device, queue, overlay, &picture);
            }
            Ok::<_, CaptureError>(())
        })?;
        times.measure(PipelineStage::Draw, || {
            let ticket = target.submit_timed(gpu, job.picture.clear, timer, |pass| {
                if let Some(ghosts) = ghosts.as_ref().filter(|_| under > 0) {
                    ghosts.draw(pass);
                }
                if let Some(overlays) = &overlays {
                    overlays.draw_behind(pass);
                }
                match crowd {
                    _ if poser.overlay().is_some_and(Overlay::hides_meshes) => {}
                    Some(crowd) => {
                        crowd.draw(pass, view, model);
                    }
                    None => renderer.draw(pass, view, model, instance),
                }
                if let Some(overlays) = &overlays {
                    overlays.draw(pass, model);
                }
            })?;
            Ok(ticket)
        })
    }
}

/// Takes pictures of a job one after the other, each alone, reusing its memory.
pub(crate) struct GpuWorker<'a> {
    gpu: &'a Gpu,
    renderer: &'a Renderer,
    view: &'a mut View,
    side: GpuSide<'a>,
    target: OffscreenTarget,
    timer: Option<GpuTimer>,
    pixels: Pixels,
}

impl<'a> GpuWorker<'a> {
    /// Creates a worker for the uploaded subject.
    pub(crate) fn new(
        job: &'a CaptureJob<'a>,
        drawer: &'a mut GpuDrawer,
    ) -> Result<Self, CaptureError> {
        room_for(job.picture.size, 1)?;
        let GpuDrawer { gpu, renderer, view, model, instance, .. } = drawer;
        Ok(Self {
            side: GpuSide::new(gpu, job, model, instance)?,
            target: OffscreenTarget::new(gpu, job.picture.size, job.samples, 1)?,
            timer: GpuTimer::new(gpu),
            pixels: Pixels::empty(),
            gpu,
            renderer,
            view,
        })
    }

    /// Draws the picture of a shot, and waits for it. Returns the adapter's own time, if it has timestamps.
    pub(crate) fn draw(
        &mut self,
        index: usize,
        shot: &Shot,
        times: &StageTimes,
    ) -> Result<Option<Duration>, CaptureError> {
        let Self { gpu, renderer, view, side, target, timer, pixels } = self;
        let on = (&**gpu, &**renderer, &mut **view);
        let ticket = side.submit(on, target, (index, shot), (times, timer.as_mut()))?;
        times.measure(PipelineStage::ReadBack, || target.wait(gpu, ticket, pixels))?;
        Ok(timer.as_mut().and_then(GpuTimer::take))
    }
}

/// Draws the shots, with several in flight, and passes each to the encoders.
#[expect(clippy::too_many_arguments, reason = "called in one place")]
fn draw(
    job: &CaptureJob<'_>,
    drawer: &mut GpuDrawer,
    target: &mut OffscreenTarget,
    shots: &[Shot],
    times: &StageTimes,
    errors: &FirstError,
    pools: &Pools,
    sink: Sink<'_>,
) -> Result<(), CaptureError> {
    let GpuDrawer { gpu, renderer, view, model, instance, .. } = drawer;
    let mut first = GpuSide::new(gpu, job, model, instance)?;
    let against = job.against.as_deref();
    let mut uploaded = against.map(|against| {
        let images: Vec<Pixels> = against.model.images().cloned().collect();
        let of = &against.job;
        upload(gpu, renderer, of.subject, &images, of.picture.mipmaps)
    });
    let mut second = match (against, &mut uploaded) {
        (Some(against), Some((model, instance))) => {
            Some((against, GpuSide::new(gpu, &against.job, model, instance)?))
        }
        _ => None,
    };
    let mut png = Vec::new();
    let mut in_flight = VecDeque::with_capacity(IN_FLIGHT);
    let mut ahead = shots.iter().enumerate();
    let (mut alone, mut other) = (Pixels::empty(), Pixels::empty());
    loop {
        while in_flight.len() < IN_FLIGHT
            && !errors.stopped()
            && let Some((index, shot)) = ahead.next()
        {
            let untimed = || (times, None);
            let ticket = first.submit((gpu, renderer, view), target, (index, shot), untimed())?;
            let mut beside = None;
            if let Some((against, side)) = &mut second
                && let Some(shot) = shot_in(against.job.subject, job.subject, shot)
            {
                let on = (&*gpu, &*renderer, &mut *view);
                beside = Some(side.submit(on, target, (index, &shot), untimed())?);
            }
            in_flight.push_back((index, ticket, beside));
        }
        let Some((index, ticket, beside)) = in_flight.pop_front() else { return Ok(()) };
        let mut pixels = pools.free.try_recv().unwrap_or(Pixels::empty());
        times.measure(PipelineStage::ReadBack, || {
            let Some(against) = against else { return target.wait(gpu, ticket, &mut pixels) };
            target.wait(gpu, ticket, &mut alone)?;
            let has_second = beside.is_some();
            if let Some(ticket) = beside {
                target.wait(gpu, ticket, &mut other)?;
            }
            against.arrangement.compose(&alone, has_second.then_some(&other), &mut pixels);
            Ok(())
        })?;
        let Some(encoders) = &pools.to_encoders else {
            finish(job, index, &mut pixels, &mut png, times, sink)?;
            continue;
        };
        if encoders.send((index, pixels)).is_err() {
            return Ok(()); // the encoders have ended, each with its own error
        }
    }
}

/// Encodes drawn pictures until there are no more.
fn encode(
    job: &CaptureJob<'_>,
    drawn: &Mutex<Receiver<DrawnPicture>>,
    give_back: &SyncSender<Pixels>,
    errors: &FirstError,
    times: &StageTimes,
    sink: Sink<'_>,
) {
    let mut png = Vec::new();
    loop {
        let received = drawn.lock().recv();
        let Ok((index, mut pixels)) = received else { return };
        if !errors.stopped() {
            errors.note(finish(job, index, &mut pixels, &mut png, times, sink));
        }
        let _ = give_back.try_send(pixels); // with the pool full it is dropped
    }
}
