//! Captures pictures of a subject to files: without a window, and with the CPU renderer without a driver.
//!
//! ```text
//! playback::FrameSpec ─► shots ─► pose ─► draw ─► read back ─► sink: encode and write, or compare
//! ```
//!
//! [`CaptureJob`] runs the chain as a pipeline: while one frame is drawn, earlier ones are in the sink on other threads. For many
//! jobs, run [`CpuWorker`]s yourself, or pass one [`GpuDrawer`] one subject after the other. The result depends on the inputs
//! alone: not on the number of threads, nor on other captures.

mod composite;
#[cfg(feature = "render")]
mod gpu;
mod job;
mod output_names_and_formats;

pub(crate) use composite::rgb;
pub use composite::{AgainstMode, Arrangement, Background, MAX_SIDE, moment_in, split_at};
#[cfg(feature = "render")]
pub use gpu::GpuDrawer;
#[cfg(feature = "render")]
pub(crate) use gpu::GpuWorker;
pub use job::{Against, CaptureError, CaptureJob, CpuWorker, Shot, Sink, StageTimes, Taken};
pub(crate) use job::{PipelineStage, shot_in};
pub(crate) use output_names_and_formats::{
    AnimationFile, AnimationFormat, Output, SheetFormat, VideoFormat,
};
pub use output_names_and_formats::{Backdrop, Finish, Template, TemplateFields};

/// Renderer of the pictures.
#[derive(Debug)]
pub enum Drawer {
    /// The built-in CPU renderer.
    Cpu(pchr::raster::RasterModel),
    /// A graphics adapter, hardware or software.
    #[cfg(feature = "render")]
    Gpu(Box<GpuDrawer>),
}

impl CaptureJob<'_> {
    /// Takes a picture of each shot and passes it to `sink`.
    ///
    /// The pixels depend only on the shot, the job's fields (without `jobs`) and the drawer.
    ///
    /// # Errors
    /// The first [`CaptureError`]. Pictures already passed to the sink stay.
    pub fn run(
        &self,
        drawer: &mut Drawer,
        shots: &[Shot],
        times: &StageTimes,
        sink: Sink<'_>,
    ) -> Result<(), CaptureError> {
        match drawer {
            Drawer::Cpu(model) => job::run(self, model, shots, times, sink),
            #[cfg(feature = "render")]
            Drawer::Gpu(drawer) => gpu::run(self, drawer, shots, times, sink),
        }
    }
}
