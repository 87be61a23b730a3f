//! Capture jobs, shots and errors, posing a shot, finishing a picture, and the time that each stage takes; shared by all drawers.
//! Captures with the CPU renderer: each thread draws whole frames, so that no frame waits for another.

use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pchr::bytes::has_room_for;
use pchr::image::{Effort, EncodeError, Pixels, Tint, encode_png_with_text};
use pchr::pose::{FrameAt, Mix};
use pchr::raster::{Raster, RasterFigure, RasterModel, RasterOptions, RasterOverlay, Simd};
use pchr::scene::{
    Camera, CrowdFrames, Frame, Ghost, Overlay, Picture, Samples, Subject, TooMuchWork,
    ViewOptions, WorkJob, WrongSubject,
};

use super::composite::{Arrangement, moment_in};
use super::output_names_and_formats::Finish;
use crate::threads;

/// One picture to take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shot {
    /// The moment it shows; `None` shows the vertices as they are stored.
    pub at: Option<FrameAt>,
    /// Cross-fade from that moment to another.
    pub mix: Option<Mix>,
    /// Camera of the picture.
    pub camera: Camera,
}

/// The second subject of a job.
#[derive(Clone, Debug)]
pub struct Against<'a> {
    /// Pictures of it, of the size of those of the first.
    pub job: CaptureJob<'a>,
    /// Its model.
    pub model: &'a RasterModel,
    /// The whole picture.
    pub arrangement: Arrangement,
}

/// Returns the same shot of another subject: of the animation of the same name, and of its last frame if it is shorter; `None` if it
/// has no such animation.
pub(crate) fn shot_in(other: &dyn Subject, subject: &dyn Subject, shot: &Shot) -> Option<Shot> {
    let at = match shot.at {
        Some(at) => Some(moment_in(other, subject, at)?),
        None => None,
    };
    let mix = match shot.mix {
        Some(mix) => Some(Mix { to: moment_in(other, subject, mix.to)?, ..mix }),
        None => None,
    };
    Some(Shot { at, mix, ..*shot })
}

/// Receiver of pictures: called from any thread, in any order.
pub type Sink<'a> = &'a (dyn Fn(&mut Taken<'_>) -> Result<(), CaptureError> + Sync);

/// A picture that was taken.
#[derive(Debug)]
pub struct Taken<'a> {
    /// Index of its shot.
    pub shot: usize,
    /// Pixels for its file: straight alpha.
    pub pixels: &'a Pixels,
    /// Memory for its file.
    png: &'a mut Vec<u8>,
    encoding: Duration,
}

impl Taken<'_> {
    /// Returns the picture as a PNG.
    ///
    /// # Errors
    /// [`CaptureError::Encode`].
    pub fn png(&mut self) -> Result<&[u8], CaptureError> {
        self.encode(self.pixels, None)
    }

    /// Returns this picture, or another one that was made of it, as a PNG, perhaps with a text: its keyword (1 to 79 letters), and the
    /// text itself.
    pub(crate) fn encode(
        &mut self,
        pixels: &Pixels,
        text: Option<(&str, &str)>,
    ) -> Result<&[u8], CaptureError> {
        let start = Instant::now();
        self.png.clear();
        let encoded = encode_png_with_text(pixels, Effort::Least, text, self.png);
        self.encoding += start.elapsed();
        let shot = self.shot;
        encoded.map_err(|source| CaptureError::Encode { shot, source })?;
        Ok(self.png)
    }
}

/// Failure to take pictures.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// A picture could not be encoded.
    #[error("picture {shot} cannot be encoded")]
    Encode {
        /// Index of the shot.
        shot: usize,
        /// Error of the encoder.
        source: EncodeError,
    },
    /// A picture does not fit in memory.
    #[error("not enough memory for a picture of {} x {} pixels; choose a smaller one", size[0], size[1])]
    Memory {
        /// Its size.
        size: [u32; 2],
    },
    /// A picture would take too long.
    #[error("picture {shot} would take too long; choose a smaller one, or hide meshes")]
    Work {
        /// Index of the shot.
        shot: usize,
        /// Bytes that it would take.
        source: TooMuchWork,
    },
    /// The model is of another subject.
    #[error(transparent)]
    Subject(#[from] WrongSubject),
    /// The CPU renderer cannot draw the picture.
    #[error(transparent)]
    Draw(#[from] pchr::raster::DrawError),
    /// A picture could not be written.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// The adapter cannot draw the crowd.
    #[cfg(feature = "render")]
    #[error("the figures do not fit a graphics adapter; draw them with --renderer cpu")]
    Crowd(#[from] pchr::render::CrowdError),
    /// The GPU failed.
    #[cfg(feature = "render")]
    #[error(transparent)]
    Gpu(#[from] pchr::render::GpuError),
}

/// Pictures to take of a subject.
#[derive(Clone, Debug)]
pub struct CaptureJob<'a> {
    /// The subject.
    pub subject: &'a dyn Subject,
    /// Overrides of its visibility and order.
    pub view: &'a ViewOptions,
    /// Size and colours, the same for all pictures. The camera is each shot's own.
    pub picture: Picture,
    /// Coverage samples per pixel.
    pub samples: Samples,
    /// Overlays on the picture.
    pub overlay: Option<pchr::overlay::OverlayOptions>,
    /// Names in the drawings that the built-in font cannot write.
    pub letters: Option<&'a pchr::overlay::Letters>,
    /// Steps to the finished picture.
    pub finish: Finish,
    /// A second subject in the same picture.
    pub against: Option<Box<Against<'a>>>,
    /// Threads that draw (CPU) and encode; at least 1.
    pub jobs: usize,
}

impl<'a> CaptureJob<'a> {
    /// Returns a job that draws nothing but the subject, on one thread.
    #[must_use]
    pub fn plain(
        subject: &'a dyn Subject,
        view: &'a ViewOptions,
        picture: Picture,
        samples: Samples,
    ) -> Self {
        Self {
            subject,
            view,
            picture,
            samples,
            overlay: None,
            letters: None,
            finish: Finish::default(),
            against: None,
            jobs: 1,
        }
    }

    /// Returns the atlas of the overlay, if there is one.
    pub(super) fn atlas(&self) -> Option<Pixels> {
        self.overlay.map(|options| {
            let mut atlas = match self.letters {
                Some(letters) => letters.atlas().clone(),
                None => pchr::overlay::atlas(),
            };
            pchr::overlay::tint_ghosts(&mut atlas, options.tints());
            atlas
        })
    }

    /// Returns the number of pictures in memory that one shot is drawn in on the CPU: with ghosts of meshes there is a layer
    /// for the ghosts.
    pub(super) fn layers(&self) -> u8 {
        let has_ghosts = self.overlay.is_some_and(|options| options.has_ghosts());
        let own = if has_ghosts && self.subject.spatial().is_none() { 2 } else { 1 };
        // The second picture, and the whole of both, which may be two.
        self.against.as_ref().map_or(own, |against| own + against.job.layers() + 2)
    }

    /// Returns the renderers' input for one shot.
    pub(crate) fn picture_of(&self, shot: &Shot) -> Picture {
        Picture { camera: shot.camera.flat(), ..self.picture }
    }
}

/// Poses shots one after the other, reusing its memory.
pub(super) struct ShotPoser<'a> {
    job: &'a CaptureJob<'a>,
    pub(super) frame: Frame,
    crowd: CrowdFrames,
    /// Frames under it, the lowest first.
    ghosts: Vec<Ghost>,
    ghost: Frame,
    points: Vec<[f32; 2]>,
    scratch: pchr::overlay::OverlayScratch,
    overlay: pchr::scene::Overlay,
}

impl<'a> ShotPoser<'a> {
    pub(super) fn new(job: &'a CaptureJob<'a>) -> Self {
        Self {
            job,
            frame: Frame::default(),
            crowd: CrowdFrames::default(),
            ghosts: Vec::new(),
            ghost: Frame::default(),
            points: Vec::new(),
            scratch: pchr::overlay::OverlayScratch::default(),
            overlay: pchr::scene::Overlay::default(),
        }
    }

    /// Poses the shot with an index, and prepares its overlays.
    pub(super) fn run(
        &mut self,
        index: usize,
        shot: &Shot,
        times: &StageTimes,
    ) -> Result<(), CaptureError> {
        let CaptureJob { subject, view, .. } = *self.job;
        times.measure(PipelineStage::Pose, || {
            self.frame.fill_pose(subject, shot.at, shot.mix, view);
        });
        times.measure(PipelineStage::Order, || self.frame.fill_order(subject, view));
        times.measure(PipelineStage::Prepare, || self.prepare(index, shot))
    }

    /// Checks the work of the posed shot, finds its ghosts, and draws its overlays as triangles.
    fn prepare(&mut self, index: usize, shot: &Shot) -> Result<(), CaptureError> {
        let CaptureJob { subject, .. } = *self.job;
        if let Some(options) = &self.job.overlay {
            let at = self.frame.at();
            options.ghosts(subject, at, &mut self.ghosts);
        }
        // Ghosts are of one figure, beside which those of a crowd count little.
        let frames = if subject.crowd().is_some() { 1 } else { self.ghosts.len() + 1 };
        check(self.job, subject, index, shot, &self.frame, frames, &mut self.points)?;
        if let Some(options) = &self.job.overlay {
            let job = pchr::overlay::OverlayJob {
                subject,
                frame: &self.frame,
                camera: shot.camera,
                size: self.job.picture.size,
                options,
                letters: self.job.letters,
            };
            job.run(&mut self.scratch, &mut self.overlay);
        }
        Ok(())
    }

    /// Returns the number of frames under the one that was posed.
    pub(super) fn ghosts(&self) -> usize {
        self.ghosts.len()
    }

    /// Poses one of those frames, the lowest first.
    pub(super) fn ghost(
        &mut self,
        number: usize,
        index: usize,
        shot: &Shot,
    ) -> Result<Option<(&Frame, Tint)>, CaptureError> {
        let CaptureJob { subject, view, .. } = *self.job;
        let Some(Ghost { at, tint }) = self.ghosts.get(number).copied() else { return Ok(None) };
        self.ghost.fill_mixed(subject, Some(at), None, view);
        let one = subject.crowd().map_or(subject, |crowd| &**crowd.one());
        let frames = self.ghosts.len() + 1;
        check(self.job, one, index, shot, &self.ghost, frames, &mut self.points)?;
        Ok(Some((&self.ghost, tint)))
    }

    /// Returns the overlays of the subject, if there are any.
    pub(super) fn overlay(&self) -> Option<&Overlay> {
        self.job.overlay.is_some().then_some(&self.overlay)
    }
}

/// Checks that a frame of `subject` can be drawn in reasonable time: it may take the work of one of `frames`.
fn check(
    job: &CaptureJob<'_>,
    subject: &dyn Subject,
    index: usize,
    shot: &Shot,
    frame: &Frame,
    frames: usize,
    points: &mut Vec<[f32; 2]>,
) -> Result<(), CaptureError> {
    let frames = u32::try_from(frames).unwrap_or(u32::MAX);
    let (camera, size) = (&shot.camera.flat(), job.picture.size);
    let work = WorkJob { subject, frame, camera, size, frames };
    work.run(points).map_err(|source| CaptureError::Work { shot: index, source })
}

/// Finishes a drawn picture and passes it to the sink.
pub(super) fn finish(
    job: &CaptureJob<'_>,
    shot: usize,
    pixels: &mut Pixels,
    png: &mut Vec<u8>,
    times: &StageTimes,
    sink: Sink<'_>,
) -> Result<(), CaptureError> {
    times.measure(PipelineStage::Encode, || job.finish.run(pixels));
    let start = Instant::now();
    let mut taken = Taken { shot, pixels, png, encoding: Duration::ZERO };
    let result = sink(&mut taken);
    times.add(PipelineStage::Encode, taken.encoding);
    times.add(PipelineStage::Write, start.elapsed().saturating_sub(taken.encoding));
    result
}

/// Approximate bytes of the pictures that are drawn at the same time.
const DRAWN_AT_ONCE: u64 = 1 << 32;

fn bytes_of([width, height]: [u32; 2]) -> u64 {
    u64::from(width).saturating_mul(height.into()).saturating_mul(4)
}

/// Returns the number of pictures of a size, each of this many layers, that may be drawn at the same time; at least 1.
pub(super) fn at_once(size: [u32; 2], layers: u8) -> usize {
    let most = DRAWN_AT_ONCE / bytes_of(size).saturating_mul(layers.into()).max(1);
    usize::try_from(most).unwrap_or(usize::MAX).max(1)
}

/// Copies of a picture's pixels beside its layers: compressed, and in a file.
const COPIES: usize = 2;

/// Checks that a picture fits in memory: its layers, compressed, and in a file.
pub(super) fn room_for(size: [u32; 2], layers: u8) -> Result<(), CaptureError> {
    let parts = usize::from(layers).saturating_add(COPIES);
    match has_room_for(std::iter::repeat_n(bytes_of(size), parts)) {
        true => Ok(()),
        false => Err(CaptureError::Memory { size }),
    }
}

/// The first error of several threads, which stops the others.
#[derive(Default)]
pub(super) struct FirstError(OnceLock<CaptureError>);

impl FirstError {
    pub(super) fn stopped(&self) -> bool {
        self.0.get().is_some()
    }

    pub(super) fn note(&self, result: Result<(), CaptureError>) {
        if let Err(error) = result {
            let _ = self.0.set(error); // a later one is dropped
        }
    }

    pub(super) fn into_result(self) -> Result<(), CaptureError> {
        self.0.into_inner().map_or(Ok(()), Err)
    }
}

/// Time spent in each stage, over all pictures and threads.
#[derive(Debug, Default)]
pub struct StageTimes([AtomicU64; PipelineStage::NAMES.len()]);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PipelineStage {
    Pose,
    Order,
    Prepare,
    Draw,
    #[cfg_attr(
        not(feature = "render"),
        expect(dead_code, reason = "only the GPU's pictures are read back")
    )]
    ReadBack,
    Encode,
    Write,
}

impl PipelineStage {
    /// Names of the stages, in the order of the pipeline.
    const NAMES: [&str; 7] = ["pose", "order", "prepare", "draw", "readBack", "encode", "write"];
}

impl StageTimes {
    /// Runs `work` and adds its time to a stage.
    pub(super) fn measure<T>(&self, stage: PipelineStage, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.add(stage, start.elapsed());
        result
    }

    pub(crate) fn add(&self, stage: PipelineStage, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        if let Some(sum) = self.0.get(stage as usize) {
            sum.fetch_add(nanos, Ordering::Relaxed);
        }
    }

    pub(crate) fn of(&self, stage: PipelineStage) -> Duration {
        let nanos = self.0.get(stage as usize).map(|nanos| nanos.load(Ordering::Relaxed));
        Duration::from_nanos(nanos.unwrap_or_default())
    }

    /// Returns the name and time of each stage, in the order of the pipeline.
    pub fn stages(&self) -> impl Iterator<Item = (&'static str, Duration)> {
        let times = self.0.iter().map(|nanos| nanos.load(Ordering::Relaxed));
        PipelineStage::NAMES.into_iter().zip(times.map(Duration::from_nanos))
    }
}

/// Takes pictures of a job one after the other, on one thread, reusing its memory.
#[expect(missing_debug_implementations, reason = "buffers")]
pub struct CpuWorker<'a> {
    job: &'a CaptureJob<'a>,
    poser: ShotPoser<'a>,
    raster: Raster,
    pixels: Pixels,
    layer: Pixels,
    png: Vec<u8>,
    atlas: Option<Pixels>,
    /// The worker of the second subject.
    other: Option<Box<Self>>,
    /// The whole picture of both.
    whole: Pixels,
}

impl<'a> CpuWorker<'a> {
    /// Creates a worker that draws each picture with `threads` threads; at least 1.
    #[must_use]
    pub fn new(job: &'a CaptureJob<'a>, threads: usize) -> Self {
        Self {
            job,
            poser: ShotPoser::new(job),
            raster: Raster::new(RasterOptions { samples: job.samples, threads, simd: Simd::Auto }),
            pixels: Pixels::empty(),
            layer: Pixels::empty(),
            png: Vec::new(),
            atlas: job.atlas(),
            other: job.against.as_ref().map(|it| Box::new(Self::new(&it.job, threads))),
            whole: Pixels::empty(),
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
        self.draw(model, index, shot, times)?;
        let job = self.job;
        let Some((against, other)) = job.against.as_ref().zip(self.other.as_mut()) else {
            return finish(job, index, &mut self.pixels, &mut self.png, times, sink);
        };
        let second = shot_in(against.job.subject, job.subject, shot);
        if let Some(shot) = &second {
            other.draw(against.model, index, shot, times)?;
        }
        let second = second.map(|_| &other.pixels);
        times.measure(PipelineStage::Draw, || {
            against.arrangement.compose(&self.pixels, second, &mut self.whole);
        });
        finish(job, index, &mut self.whole, &mut self.png, times, sink)
    }

    /// Draws the picture of a shot.
    pub(crate) fn draw(
        &mut self,
        model: &RasterModel,
        index: usize,
        shot: &Shot,
        times: &StageTimes,
    ) -> Result<(), CaptureError> {
        let Self { job, poser, raster, pixels, layer, atlas, .. } = self;
        if [pixels.width, pixels.height] != job.picture.size {
            room_for(job.picture.size, job.layers())?;
        }
        poser.run(index, shot, times)?;
        let crowd = job.subject.crowd();
        if let Some(crowd) = crowd {
            times.measure(PipelineStage::Pose, || poser.crowd.fill(crowd, &poser.frame));
        }
        times.measure(PipelineStage::Draw, || {
            let picture = job.picture_of(shot);
            if poser.ghosts() > 0 {
                pixels.clear(picture.size, picture.clear);
            }
            for number in 0..poser.ghosts() {
                if let Some((ghost, tint)) = poser.ghost(number, index, shot)? {
                    let picture = Picture { clear: [0; 4], ..picture };
                    raster.draw(model, ghost.list(), ghost.pose(), &picture, layer)?;
                    tint.lay(layer, pixels);
                }
            }
            let (list, pose) = (poser.frame.list(), poser.frame.pose());
            let overlay = poser.overlay().zip(atlas.as_ref());
            let overlay = overlay.map(|(overlay, atlas)| RasterOverlay { overlay, atlas });
            let figures = match crowd {
                Some(_) => RasterFigure::of_crowd(model, &poser.crowd),
                None => vec![RasterFigure::new(model, list, pose)],
            };
            let clear = (poser.ghosts() == 0).then_some(picture.clear);
            raster.draw_figures(&figures, &picture, clear, overlay, pixels)?;
            Ok(())
        })
    }
}

pub(super) fn run(
    job: &CaptureJob<'_>,
    model: &RasterModel,
    shots: &[Shot],
    times: &StageTimes,
    sink: Sink<'_>,
) -> Result<(), CaptureError> {
    let most = shots.len().min(at_once(job.picture.size, job.layers())).max(1);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_for_ghosts_halves_the_pictures_that_are_drawn_at_once() {
        let size = [1 << 13, 1 << 13]; // 256 MiB
        assert_eq!((at_once(size, 1), at_once(size, 2)), (16, 8));
        assert_eq!(at_once([u32::MAX; 2], 2), 1);
        assert!(room_for([16, 16], 2).is_ok());
    }

    #[test]
    fn ghosts_of_meshes_take_a_layer() {
        use pchr::overlay::{Onion, OverlayOptions, Pin};
        let document = crate::fixture::Builder::new().bones(1).still("walk", true, 4).document();
        let subject = pchr::character::Character::new(document, pchr::pose::BindChoice::Auto);
        let layers = |onion, pin| {
            let (view, picture) = (ViewOptions::default(), crate::fixture::picture([16, 16]));
            let overlay = Some(OverlayOptions { onion, pin, ..OverlayOptions::default() });
            let plain = CaptureJob::plain(&subject, &view, picture, Samples::default());
            CaptureJob { overlay, ..plain }.layers()
        };
        let pin = Pin { animation: pchr::document::AnimationId(0), frame: 1, tint: Pin::TINT };
        let counts = [(Onion::NONE, None), (Onion::of(0, 1), None), (Onion::NONE, Some(pin))];
        assert_eq!(counts.map(|(onion, pin)| layers(onion, pin)), [1, 2, 2]);
    }
}
