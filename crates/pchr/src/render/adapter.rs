//! The program's one adapter and device, the capabilities of an adapter, and a survey of all adapters.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::GpuError;

/// The backends that a user may choose.
const BACKENDS: [wgpu::Backend; 4] =
    [wgpu::Backend::Vulkan, wgpu::Backend::Gl, wgpu::Backend::Metal, wgpu::Backend::Dx12];

/// Returns true if the program was built with a backend. That depends on the platform.
#[must_use]
pub fn is_built(backend: wgpu::Backend) -> bool {
    wgpu::Instance::enabled_backend_features().contains(backend.into())
}

/// Returns the backends of this platform in the order in which they are tried. They are tried one at a time, because loading
/// drivers takes most of the start-up time.
#[must_use]
pub fn default_backends() -> &'static [wgpu::Backend] {
    if cfg!(target_vendor = "apple") {
        &[wgpu::Backend::Metal]
    } else if cfg!(windows) {
        &[wgpu::Backend::Dx12, wgpu::Backend::Vulkan, wgpu::Backend::Gl]
    } else {
        &[wgpu::Backend::Vulkan, wgpu::Backend::Gl]
    }
}

/// Returns the backend with a name, as on command lines: `vulkan`, `gl`, `metal` or `dx12`.
///
/// # Errors
/// [`UnknownBackend`] for any other name.
pub fn backend_named(name: &str) -> Result<wgpu::Backend, UnknownBackend> {
    let mut backends = BACKENDS.into_iter();
    let backend = backends.find(|backend| backend.to_str() == name);
    backend.ok_or_else(|| UnknownBackend(name.to_owned()))
}

/// The text names no backend.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown backend {0:?}: expected vulkan, gl, metal or dx12")]
pub struct UnknownBackend(pub String);

/// Choice of an adapter. The default takes the best one available.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GpuOptions {
    /// Accepts only adapters of this backend.
    pub backend: Option<wgpu::Backend>,
    /// Accepts only adapters with this text in their name, ignoring case.
    pub adapter: Option<String>,
}

impl GpuOptions {
    /// Fills options that are not set from `WGPU_BACKEND` and `WGPU_ADAPTER_NAME`.
    ///
    /// # Errors
    /// [`UnknownBackend`] if the backend is needed and the variable names none.
    pub fn with_environment(mut self) -> Result<Self, UnknownBackend> {
        let read = |name| {
            let value = std::env::var_os(name).filter(|value| !value.is_empty());
            value.map(|value| value.to_string_lossy().into_owned())
        };
        if self.backend.is_none() {
            let backend = read("WGPU_BACKEND").map(|name| backend_named(&name.to_lowercase()));
            self.backend = backend.transpose()?;
        }
        if self.adapter.is_none() {
            self.adapter = read("WGPU_ADAPTER_NAME");
        }
        Ok(self)
    }

    fn backends(&self) -> &[wgpu::Backend] {
        match &self.backend {
            Some(choice) => std::slice::from_ref(choice),
            None => default_backends(),
        }
    }

    fn allows(&self, info: &wgpu::AdapterInfo) -> bool {
        self.adapter
            .as_ref()
            .is_none_or(|part| info.name.to_lowercase().contains(&part.to_lowercase()))
    }

    /// Describes the options in words; `None` if any adapter will do.
    fn wanted(&self) -> Option<String> {
        match (self.backend, &self.adapter) {
            (None, None) => None,
            (Some(backend), None) => Some(backend.to_string()),
            (None, Some(adapter)) => Some(format!("the name {adapter:?}")),
            (Some(backend), Some(adapter)) => Some(format!("{backend} and the name {adapter:?}")),
        }
    }
}

/// Window for which an adapter is chosen. The adapter must be able to present to its surface.
#[expect(missing_debug_implementations, reason = "closures")]
#[derive(Clone, Copy)]
pub struct GpuWindow<'a> {
    /// Returns a descriptor that knows the display. [`Gpu::request`] sets its backends and flags.
    pub instance: &'a dyn Fn() -> wgpu::InstanceDescriptor,
    /// Creates the window's surface.
    pub surface:
        &'a dyn Fn(&wgpu::Instance) -> Result<wgpu::Surface<'static>, wgpu::CreateSurfaceError>,
}

/// An adapter, its device, and what they reported. The whole program uses one; clones for other threads share it.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// Instance that creates surfaces.
    pub instance: wgpu::Instance,
    /// The chosen adapter.
    pub adapter: wgpu::Adapter,
    /// The adapter's device.
    pub device: wgpu::Device,
    /// The device's queue.
    pub queue: wgpu::Queue,
    /// Name, type and driver of the adapter.
    pub info: wgpu::AdapterInfo,
    faults: Arc<Mutex<Faults>>,
    /// Pipeline that averages the samples of pictures, made when it is first needed.
    pub(super) resolve: Arc<OnceLock<wgpu::RenderPipeline>>,
}

impl Gpu {
    /// Finds an adapter and opens it. With a window, the adapter can present to it, and its surface is returned too.
    ///
    /// Backends are tried one after the other, hardware before software. A software adapter (`llvmpipe`, `WARP`, `SwiftShader`) is
    /// taken if nothing better is found: see [`Self::is_software`].
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`], with the adapters that were found.
    pub async fn request(
        options: &GpuOptions,
        window: Option<&GpuWindow<'_>>,
    ) -> Result<(Self, Option<wgpu::Surface<'static>>), GpuError> {
        let mut found = Vec::new();
        let mut refused = Vec::new();
        let mut software = Vec::new();
        let mut backends = options.backends().iter().peekable();
        while let Some(backend) = backends.next() {
            let mut loaded = match LoadedBackend::new(*backend, window).await {
                Ok(loaded) => loaded,
                Err(reason) => {
                    refused.push(format!("{backend}: {reason}"));
                    continue;
                }
            };
            found.extend(loaded.adapters.iter().map(|(_, info)| describe(info)));
            loaded.adapters.retain(|(_, info)| options.allows(info));
            // Another backend is loaded only if it is likely to be better: loading costs more than a frame.
            let may_wait = backends.peek().is_some() && options.adapter.is_none();
            let all_software = loaded.adapters.iter().all(|(_, info)| is_software(info));
            if may_wait && all_software && hardware_may_exist() {
                software.push(loaded);
            } else if let Some(opened) = loaded.open(&mut refused).await {
                return Ok(opened);
            }
        }
        for loaded in software {
            if let Some(opened) = loaded.open(&mut refused).await {
                return Ok(opened);
            }
        }
        Err(GpuError::NoAdapter { wanted: options.wanted(), found, refused })
    }

    /// Finds an adapter and opens it, without a window. Blocks until it is open.
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`], with the adapters that were found.
    #[cfg(not(target_family = "wasm"))]
    pub fn headless(options: &GpuOptions) -> Result<Self, GpuError> {
        pollster::block_on(Self::request(options, None)).map(|(gpu, _)| gpu)
    }

    /// Returns true if the adapter draws on the CPU.
    #[must_use]
    pub fn is_software(&self) -> bool {
        is_software(&self.info)
    }

    /// Describes the adapter: its name, its backend, and whether it is software.
    #[must_use]
    pub fn describe(&self) -> String {
        describe(&self.info)
    }

    /// Returns true if `adapter` is the one that was opened.
    #[must_use]
    pub fn is(&self, adapter: &AdapterSurvey) -> bool {
        self.info == adapter.info
    }

    /// Returns the error that the device reported since the last call.
    ///
    /// # Errors
    /// [`GpuError::Lost`] on every call after the device is lost; each [`GpuError::Fault`] once.
    pub fn check(&self) -> Result<(), GpuError> {
        let mut faults = lock(&self.faults);
        if let Some(lost) = &faults.lost {
            return Err(GpuError::Lost(lost.clone()));
        }
        match faults.fault.take() {
            Some(fault) => Err(GpuError::Fault(fault)),
            None => Ok(()),
        }
    }
}

/// Loads the Vulkan drivers if [`Gpu::request`] tries them first: that takes most of its time, and a program may do it on a thread while
/// it opens its window.
#[cfg(not(target_family = "wasm"))]
pub fn load_drivers(options: &GpuOptions) {
    if options.backends().first() == Some(&wgpu::Backend::Vulkan) {
        let descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        drop(instance(descriptor, wgpu::Backends::VULKAN));
    }
}

/// Creates an instance. Drivers stay loaded until the process ends: some register functions that run then, and crash if their code has
/// gone. An instance that is never dropped keeps them.
fn instance(mut descriptor: wgpu::InstanceDescriptor, backends: wgpu::Backends) -> wgpu::Instance {
    descriptor.backends = backends;
    descriptor.flags = if cfg!(debug_assertions) {
        wgpu::InstanceFlags::DEBUG | wgpu::InstanceFlags::VALIDATION
    } else {
        wgpu::InstanceFlags::empty()
    };
    let instance = wgpu::Instance::new(descriptor);
    std::mem::forget(instance.clone());
    instance
}

/// Loaded drivers of one backend; hardware adapters come first.
pub(super) struct LoadedBackend {
    instance: wgpu::Instance,
    surface: Option<wgpu::Surface<'static>>,
    pub(super) adapters: Vec<(wgpu::Adapter, wgpu::AdapterInfo)>,
}

impl LoadedBackend {
    pub(super) async fn new(
        backend: wgpu::Backend,
        window: Option<&GpuWindow<'_>>,
    ) -> Result<Self, String> {
        let backends = backend.into();
        if !is_built(backend) {
            return Err("not on this platform".to_owned());
        }
        let descriptor = match window {
            Some(window) => (window.instance)(),
            None => wgpu::InstanceDescriptor::new_without_display_handle(),
        };
        let instance = instance(descriptor, backends);
        let surface = match window {
            Some(window) => Some((window.surface)(&instance).map_err(|error| error.to_string())?),
            None => None,
        };
        let with_info = |adapter: wgpu::Adapter| {
            let info = adapter.get_info();
            (adapter, info)
        };
        let adapters = instance.enumerate_adapters(backends).await.into_iter();
        let mut adapters: Vec<_> = adapters.map(with_info).collect();
        if adapters.is_empty() {
            return Err("no driver".to_owned());
        }
        // Stable: equal adapters stay in the driver's order, which follows the user's setting.
        adapters.sort_by_key(|(_, info)| is_software(info));
        Ok(Self { instance, surface, adapters })
    }

    /// Opens the first adapter that can be opened.
    async fn open(
        self,
        refused: &mut Vec<String>,
    ) -> Option<(Gpu, Option<wgpu::Surface<'static>>)> {
        for (adapter, info) in self.adapters {
            let supported =
                self.surface.as_ref().is_none_or(|surface| adapter.is_surface_supported(surface));
            let opened = if supported {
                open(&adapter).await
            } else {
                Err("it cannot present to this window".to_owned())
            };
            match opened {
                Ok((device, queue)) => {
                    let faults = watch(&device);
                    let resolve = Arc::default();
                    let instance = self.instance;
                    let gpu = Gpu { instance, adapter, device, queue, info, faults, resolve };
                    return Some((gpu, self.surface));
                }
                Err(reason) => refused.push(format!("{}: {reason}", describe(&info))),
            }
        }
        None
    }
}

pub(super) async fn open(adapter: &wgpu::Adapter) -> Result<(wgpu::Device, wgpu::Queue), String> {
    Capabilities::of(adapter).check()?;
    let limits = adapter.limits();
    let descriptor = wgpu::DeviceDescriptor {
        label: Some("Gpu::device"),
        // To measure what a pass takes, where that can be done.
        required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
        required_limits: wgpu::Limits {
            // Long meshes and large pictures: as with the texture size, use all that the adapter offers.
            max_buffer_size: limits.max_buffer_size,
            ..wgpu::Limits::downlevel_webgl2_defaults().using_resolution(limits)
        },
        // Few and small objects: no large blocks of memory in advance.
        memory_hints: wgpu::MemoryHints::MemoryUsage,
        ..Default::default()
    };
    adapter.request_device(&descriptor).await.map_err(|error| error.to_string())
}

pub(super) fn is_software(info: &wgpu::AdapterInfo) -> bool {
    info.device_type == wgpu::DeviceType::Cpu
}

fn describe(info: &wgpu::AdapterInfo) -> String {
    let software = if is_software(info) { ", software" } else { "" };
    format!("{} ({}{software})", info.name, info.backend)
}

/// Returns true if one more backend may have a hardware adapter. A Linux machine without a graphics device node (a container, a
/// build server) has none.
fn hardware_may_exist() -> bool {
    !cfg!(target_os = "linux")
        || ["/dev/dri", "/dev/dxg", "/dev/nvidiactl"]
            .iter()
            .any(|node| std::path::Path::new(node).exists())
}

/// Errors that the device reported outside a call.
#[derive(Debug, Default)]
struct Faults {
    lost: Option<String>,
    /// The first fault. Later ones are mostly consequences of it.
    fault: Option<String>,
}

fn watch(device: &wgpu::Device) -> Arc<Mutex<Faults>> {
    let faults: Arc<Mutex<Faults>> = Arc::default();
    let on_error = faults.clone();
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
        lock(&on_error).fault.get_or_insert(error.to_string());
    }));
    let on_lost = faults.clone();
    device.set_device_lost_callback(move |reason, message| {
        let text = if message.is_empty() { format!("{reason:?}") } else { message };
        lock(&on_lost).lost.get_or_insert(text);
    });
    faults
}

fn lock(faults: &Mutex<Faults>) -> MutexGuard<'_, Faults> {
    faults.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adapter capabilities that the program checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Largest side of a texture, and so of a picture, in pixels.
    pub texture_side: u32,
    /// Largest buffer in bytes. Limits the vertices of a file and a picture that is read back.
    pub buffer_bytes: u64,
    /// True if the adapter reads 32-bit float textures. Required: the bone matrices are in one.
    pub float_textures: bool,
    /// True if the adapter draws 8-bit RGBA with 4 samples per pixel. Required.
    pub four_samples: bool,
    /// True if all textures reach the shaders. Required. False for OpenGL 3.3 to 4.1 with compute shaders, which wgpu is given by NVIDIA's
    /// driver for Linux: wgpu 30 leaves the places of textures to the shader then (`SHADER_BINDING_LAYOUT` of wgpu-hal), whose language
    /// has none before 4.2.
    pub textures: bool,
    /// True if the adapter can measure its own time.
    pub timestamps: bool,
}

impl Capabilities {
    pub(super) fn of(adapter: &wgpu::Adapter) -> Self {
        let usable = |format, usage, samples| {
            let features = adapter.get_texture_format_features(format);
            features.allowed_usages.contains(usage)
                && features.flags.sample_count_supported(samples)
        };
        let color = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        let palette = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST;
        let limits = adapter.limits();
        let info = adapter.get_info();
        let flags = adapter.get_downlevel_capabilities().flags;
        let computes = flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS);
        let is_gl = info.backend == wgpu::Backend::Gl;
        Self {
            texture_side: limits.max_texture_dimension_2d,
            buffer_bytes: limits.max_buffer_size,
            float_textures: usable(wgpu::TextureFormat::Rgba32Float, palette, 1),
            four_samples: usable(wgpu::TextureFormat::Rgba8Unorm, color, 4),
            textures: !(is_gl && computes && is_before_4_2(&info.driver_info)),
            timestamps: adapter.features().contains(wgpu::Features::TIMESTAMP_QUERY),
        }
    }

    /// Checks that no required capability is missing.
    ///
    /// # Errors
    /// The first missing capability, in words.
    pub(super) fn check(&self) -> Result<(), &'static str> {
        let Self { four_samples, float_textures, textures, .. } = self;
        let needed = [
            (four_samples, "it cannot draw 8-bit RGBA with 4 samples"),
            (float_textures, "it cannot read 32-bit float textures"),
            (
                textures,
                "its OpenGL is older than 4.2, so textures would be missing; use another backend",
            ),
        ];
        needed.into_iter().try_for_each(|(has, reason)| if *has { Ok(()) } else { Err(reason) })
    }
}

/// Returns true for a version as desktop OpenGL writes it, like `3.3.0 NVIDIA 580.159.04`, below 4.2. OpenGL ES and WebGL begin with their
/// name.
fn is_before_4_2(version: &str) -> bool {
    let mut numbers = version.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
    matches!((numbers.next(), numbers.next()), (Some(Ok(major)), Some(Ok(minor))) if (major, minor) < (4, 2))
}

/// A backend and its adapters.
#[derive(Clone, Debug)]
pub struct BackendSurvey {
    /// The backend.
    pub backend: wgpu::Backend,
    /// Its adapters, hardware first, or the reason why there are none.
    pub adapters: Result<Vec<AdapterSurvey>, String>,
}

/// An adapter.
#[derive(Clone, Debug)]
pub struct AdapterSurvey {
    /// Name, type and driver.
    pub info: wgpu::AdapterInfo,
    /// Its capabilities.
    pub capabilities: Capabilities,
    /// Reason why it cannot be used; `None` if it can.
    pub refused: Option<String>,
}

impl AdapterSurvey {
    /// Returns true if it draws on the CPU.
    #[must_use]
    pub fn is_software(&self) -> bool {
        is_software(&self.info)
    }
}

/// Loads the drivers of all backends that the program was built with, and opens each of their adapters in turn.
#[cfg(not(target_family = "wasm"))]
#[must_use]
pub fn survey() -> Vec<BackendSurvey> {
    let built = BACKENDS.into_iter().filter(|backend| is_built(*backend));
    built
        .map(|backend| BackendSurvey { backend, adapters: pollster::block_on(adapters(backend)) })
        .collect()
}

#[cfg(not(target_family = "wasm"))]
async fn adapters(backend: wgpu::Backend) -> Result<Vec<AdapterSurvey>, String> {
    let loaded = LoadedBackend::new(backend, None).await?;
    let mut adapters = Vec::new();
    for (adapter, info) in loaded.adapters {
        adapters.push(AdapterSurvey {
            capabilities: Capabilities::of(&adapter),
            refused: open(&adapter).await.err(),
            info,
        });
    }
    Ok(adapters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backend_is_called_what_it_prints() {
        for backend in BACKENDS {
            assert_eq!(backend_named(&backend.to_string()), Ok(backend));
        }
        assert!(backend_named("opengl").is_err());
    }

    #[test]
    fn versions_of_desktop_opengl_are_compared() {
        let old = ["3.3.0 NVIDIA 580.159.04", "4.1 ATI-4.8.13"];
        let new =
            ["4.2", "4.5 (Core Profile) Mesa 22.3.6", "10.0", "OpenGL ES 3.2", "WebGL 2.0", ""];
        assert!(old.into_iter().all(is_before_4_2) && !new.into_iter().any(is_before_4_2));
    }

    #[test]
    fn an_adapter_that_is_not_there_is_answered_with_those_that_are() {
        let error = GpuError::NoAdapter {
            wanted: GpuOptions {
                backend: Some(wgpu::Backend::Gl),
                adapter: Some("Voodoo".to_owned()),
            }
            .wanted(),
            found: vec!["llvmpipe (gl, software)".to_owned()],
            refused: vec!["vulkan: no driver".to_owned()],
        };
        let expected = "no usable graphics adapter for gl and the name \"Voodoo\"; available: llvmpipe (gl, software); vulkan: no driver";
        assert_eq!(error.to_string(), expected);
    }
}
