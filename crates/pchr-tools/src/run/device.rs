//! The renderer: a graphics adapter, which is opened while files are read, or the CPU. A watchdog ends the program if a driver does
//! not answer.

#[cfg(feature = "render")]
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
#[cfg(feature = "render")]
use std::thread::Builder;
#[cfg(feature = "render")]
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use pchr::image::Pixels;
#[cfg(feature = "render")]
use pchr::render::{Gpu, GpuError, PATIENCE, patience};
use pchr::scene::Geometry;

use super::Failure;
use super::messages::Messages;
use super::prepare::{Prepared, cpu_model};
use crate::capture::Drawer;
use crate::view::{AdapterArgs, RendererArg};

/// A renderer that is being opened.
pub(crate) struct Device {
    /// True if only an adapter is acceptable.
    #[cfg(feature = "render")]
    required: bool,
    #[cfg(feature = "render")]
    opening: Option<Receiver<Result<Gpu, GpuError>>>,
    #[cfg(not(feature = "render"))]
    missed: bool,
}

/// The opened renderer.
#[derive(Clone)]
pub(crate) enum ReadyDevice {
    /// The built-in CPU renderer.
    Cpu,
    /// An adapter, and the watchdog that is notified before it works.
    #[cfg(feature = "render")]
    Gpu(Box<Gpu>, Watchdog),
}

fn requires_adapter(renderer: RendererArg, adapter: &AdapterArgs) -> bool {
    match renderer {
        RendererArg::Gpu => true,
        RendererArg::Auto => adapter.asked(),
        RendererArg::Cpu => false,
    }
}

#[cfg(feature = "render")]
impl Device {
    pub(crate) fn start(renderer: RendererArg, adapter: &AdapterArgs) -> Result<Self, Failure> {
        let required = requires_adapter(renderer, adapter);
        let mut opening = None;
        if renderer != RendererArg::Cpu {
            let options = adapter.gpu_options()?;
            let (done, opened) = mpsc::channel();
            let open = move || drop(done.send(Gpu::headless(&options)));
            // If no thread can be started, the channel closes. A driver could not start one either.
            let _ = Builder::new().spawn(open);
            opening = Some(opened);
        }
        Ok(Self { required, opening })
    }

    /// Waits until the renderer is open. If the adapter cannot be used, or not for pictures of `size`, falls back to the CPU
    /// renderer where that is allowed.
    ///
    /// # Errors
    /// [`Failure::NoAdapter`] if it is not allowed; [`Failure::Running`] for a driver that does not answer.
    pub(crate) fn open(
        mut self,
        size: Option<[u32; 2]>,
        messages: &Messages,
    ) -> Result<ReadyDevice, Failure> {
        let Some(opening) = self.opening.take() else { return Ok(ReadyDevice::Cpu) };
        let opened = match opening.recv_timeout(PATIENCE) {
            Ok(opened) => opened,
            Err(RecvTimeoutError::Timeout) => Err(GpuError::Timeout(PATIENCE)),
            Err(RecvTimeoutError::Disconnected) => Err(without_threads()),
        };
        let fits = |gpu: Gpu| match size.map(|size| gpu.check_size(size)) {
            Some(Err(error)) if !self.required => Err(error),
            _ => Ok(gpu), // what is required reports it when it draws
        };
        let watched = |gpu: Gpu| match Watchdog::start(messages) {
            Some(watchdog) => Ok((gpu, watchdog)),
            None => Err(without_threads()),
        };
        match opened.and_then(fits).and_then(watched) {
            Ok((gpu, watchdog)) => {
                let name = gpu.describe();
                if gpu.is_software() {
                    messages.note(&format!("no hardware graphics adapter; drawing with {name}"));
                } else {
                    messages.detail(&format!("drawing with {name}"));
                }
                Ok(ReadyDevice::Gpu(Box::new(gpu), watchdog))
            }
            Err(error @ GpuError::Timeout(_)) if self.required => {
                Err(Failure::Running(anyhow::Error::new(error)))
            }
            Err(error) if self.required => {
                Err(Failure::NoAdapter(format!("{error} (--renderer cpu needs no adapter)")))
            }
            Err(error) => {
                messages.note(&format!("{error}; drawing with the built-in CPU renderer"));
                Ok(ReadyDevice::Cpu)
            }
        }
    }
}

#[cfg(feature = "render")]
fn without_threads() -> GpuError {
    GpuError::NoAdapter {
        wanted: None,
        found: Vec::new(),
        refused: vec!["the system does not allow another thread".to_owned()],
    }
}

/// A driver that is still opening when the program ends can change the exit code.
#[cfg(feature = "render")]
impl Drop for Device {
    fn drop(&mut self) {
        if let Some(opening) = self.opening.take() {
            let _ = opening.recv_timeout(PATIENCE); // its result no longer matters: something else has already failed
        }
    }
}

#[cfg(not(feature = "render"))]
impl Device {
    pub(crate) fn start(renderer: RendererArg, adapter: &AdapterArgs) -> Result<Self, Failure> {
        if requires_adapter(renderer, adapter) {
            return Err(Failure::NoAdapter(
                "this program was built without the GPU renderer (feature `render`)".into(),
            ));
        }
        let missed = renderer == RendererArg::Auto;
        Ok(Self { missed })
    }

    pub(crate) fn open(
        self,
        _size: Option<[u32; 2]>,
        messages: &Messages,
    ) -> Result<ReadyDevice, Failure> {
        if self.missed {
            messages.note("built without the GPU renderer; drawing with the built-in CPU renderer");
        }
        Ok(ReadyDevice::Cpu)
    }
}

/// The renderer and, for a GPU, the adapter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "Renderer")]
pub(crate) struct DrawnBy {
    /// cpu is the built-in renderer, gpu a graphics adapter.
    #[schemars(extend("enum" = ["cpu", "gpu"]))]
    pub(crate) renderer: String,
    /// Name of the adapter; null for cpu.
    pub(crate) adapter: Option<String>,
    /// Its graphics interface, like vulkan; null for cpu.
    pub(crate) backend: Option<String>,
    /// Its driver; null for cpu.
    pub(crate) driver: Option<String>,
    /// True if the adapter draws in software.
    pub(crate) software: bool,
}

impl DrawnBy {
    /// Returns the name of the renderer: that of the adapter with its interface, or cpu.
    pub(crate) fn name(&self) -> String {
        match (&self.adapter, &self.backend) {
            (Some(adapter), Some(backend)) => format!("{adapter} ({backend})"),
            _ => self.renderer.clone(),
        }
    }

    pub(crate) fn cpu() -> Self {
        Self { renderer: "cpu".to_owned(), ..Self::default() }
    }
}

impl ReadyDevice {
    /// Starts the time limit for drawing a picture of a size. If a driver takes longer, the program ends.
    pub(crate) fn expect(&self, size: [u32; 2]) {
        match self {
            Self::Cpu => {
                let _ = size; // it draws as long as it takes
            }
            #[cfg(feature = "render")]
            Self::Gpu(_, watchdog) => watchdog.expect(size),
        }
    }

    /// Suspends the time limit while nothing is drawn.
    pub(crate) fn rest(&self) {
        #[cfg(feature = "render")]
        if let Self::Gpu(_, watchdog) = self {
            watchdog.rest();
        }
    }

    /// Returns its description for reports.
    pub(crate) fn drawn_by(&self) -> DrawnBy {
        match self {
            Self::Cpu => DrawnBy::cpu(),
            #[cfg(feature = "render")]
            Self::Gpu(gpu, _) => {
                let driver = format!("{} {}", gpu.info.driver, gpu.info.driver_info);
                DrawnBy {
                    renderer: "gpu".to_owned(),
                    adapter: Some(gpu.info.name.clone()),
                    backend: Some(gpu.info.backend.to_string()),
                    driver: Some(driver.trim().to_owned()),
                    software: gpu.is_software(),
                }
            }
        }
    }

    /// Creates the drawer of a subject with its premultiplied images.
    pub(crate) fn drawer(
        &self,
        geometry: &dyn Geometry,
        images: Vec<Pixels>,
        prepared: &Prepared,
        #[cfg_attr(not(feature = "render"), expect(unused_variables, reason = "for adapters"))]
        messages: &Messages,
    ) -> Result<Drawer, Failure> {
        let mipmaps = prepared.picture.mipmaps;
        match self {
            Self::Cpu => Ok(Drawer::Cpu(cpu_model(geometry, images, mipmaps))),
            #[cfg(feature = "render")]
            Self::Gpu(gpu, _) => {
                let (gpu, samples) = (Gpu::clone(gpu), prepared.samples);
                let drawer =
                    crate::capture::GpuDrawer::new(gpu, samples, geometry, &images, mipmaps)
                        .map_err(|error| Failure::Running(error.into()))?;
                let warnings = drawer.warnings().iter();
                warnings.for_each(|warning| messages.warning(warning));
                Ok(Drawer::Gpu(Box::new(drawer)))
            }
        }
    }
}

/// A thread that ends the program unless a graphics driver answers in time. It ends when this is dropped.
///
/// The calls of a driver can block for ever (if it gets no threads, or its device hangs), and a blocked call cannot be cancelled.
#[cfg(feature = "render")]
#[derive(Clone, Debug)]
pub(crate) struct Watchdog {
    /// Time until the next notification; `None` while no driver is at work.
    orders: Sender<Option<Duration>>,
}

#[cfg(feature = "render")]
impl Watchdog {
    /// Starts the thread; `None` if the system refuses it. A driver would not get its threads either.
    pub(crate) fn start(messages: &Messages) -> Option<Self> {
        let (orders, inbox) = mpsc::channel::<Option<Duration>>();
        let messages = *messages;
        let watch = move || {
            let mut limit = None;
            loop {
                let order = match limit {
                    Some(limit) => inbox.recv_timeout(limit),
                    None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                };
                match (order, limit) {
                    (Ok(order), _) => limit = order,
                    (Err(RecvTimeoutError::Timeout), Some(limit)) => {
                        let error = anyhow::Error::new(GpuError::Timeout(limit));
                        let failure = Failure::Running(error);
                        messages.failure(&failure);
                        std::process::exit(failure.code().into());
                    }
                    (Err(_), _) => return,
                }
            }
        };
        Builder::new().spawn(watch).ok().map(|_| Self { orders })
    }

    /// Expects an answer within the time limit for a picture of a size.
    pub(crate) fn expect(&self, size: [u32; 2]) {
        self.expect_within(patience(size));
    }

    /// Expects an answer within a time limit.
    pub(crate) fn expect_within(&self, limit: Duration) {
        let _ = self.orders.send(Some(limit)); // its thread lives as long as this
    }

    /// Suspends the time limit.
    pub(crate) fn rest(&self) {
        let _ = self.orders.send(None);
    }
}
