//! The pipeline from frames to encoded pictures.

use super::job::{CaptureError, CaptureJob, Shot, Sink, StageTimes};

/// Renderer of the pictures.
#[derive(Debug)]
pub enum Drawer {
    /// The built-in CPU renderer.
    Cpu(pchr::raster::RasterModel),
    /// A graphics adapter, hardware or software.
    #[cfg(feature = "render")]
    Gpu(Box<super::GpuDrawer>),
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
            Drawer::Cpu(model) => super::cpu::run(self, model, shots, times, sink),
            #[cfg(feature = "render")]
            Drawer::Gpu(drawer) => super::gpu::run(self, drawer, shots, times, sink),
        }
    }
}
