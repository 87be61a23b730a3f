//! A program around a scene: a device, and a window, or a picture in a file.
//!
//! Only the handling of exact colours is specific to this library: targets are drawn through views without sRGB.

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use pchr::finding::Findings;
use pchr::image::{Effort, Pixels, encode_png};
use pchr::render::GpuModel;
use pchr::wgpu;
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::window::{Window, WindowId};

/// Content of an example.
pub(crate) trait Scene: Sized {
    const TITLE: &'static str;
    const SIZE: [u32; 2];

    /// Loads the content, to be drawn into targets of a format.
    fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        format: wgpu::TextureFormat,
    ) -> Result<Self, Box<dyn Error>>;

    /// Draws a moment: the number of a frame, at 30 per second.
    fn draw(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        target: &wgpu::TextureView,
        size: [u32; 2],
        frame: u64,
    ) -> Result<(), Box<dyn Error>>;
}

/// An opaque colour, sRGB-encoded.
pub(crate) fn color([r, g, b]: [f64; 3]) -> wgpu::Color {
    wgpu::Color { r, g, b, a: 1.0 }
}

/// Prints what could not be used unchanged: an image that does not decode, for example, is drawn as a placeholder.
#[expect(clippy::print_stderr, reason = "a program's own messages")]
pub(crate) fn report(findings: &Findings, model: &GpuModel) {
    findings.iter().for_each(|finding| eprintln!("{finding}"));
    model.warnings().iter().for_each(|warning| eprintln!("{warning}"));
}

/// Shows a scene in a window. With `--screenshot FILE` it writes a picture of the scene after one second instead.
pub(crate) fn run<S: Scene>() -> Result<(), Box<dyn Error>> {
    let args: Vec<_> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--screenshot", path] => Ok(std::fs::write(path, screenshot::<S>()?)?),
        [] => window::<S>(),
        _ => Err("only --screenshot FILE is understood".into()),
    }
}

fn window<S: Scene>() -> Result<(), Box<dyn Error>> {
    let mut app = App::<S> { shown: None, failed: None };
    EventLoop::new()?.run_app(&mut app)?;
    app.failed.map_or(Ok(()), Err)
}

/// Opens a device as any program does.
fn device(
    instance: &wgpu::Instance,
    surface: Option<&wgpu::Surface<'_>>,
) -> Result<(wgpu::Adapter, wgpu::Device, wgpu::Queue), Box<dyn Error>> {
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
        compatible_surface: surface,
        ..Default::default()
    }))?;
    let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
        required_limits:
            wgpu::Limits::downlevel_webgl2_defaults().using_resolution(adapter.limits()),
        ..Default::default()
    }))?;
    Ok((adapter, device, queue))
}

/// Draws a picture of a scene and encodes it as PNG.
fn screenshot<S: Scene>() -> Result<Vec<u8>, Box<dyn Error>> {
    let instance =
        wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let (_, device, queue) = device(&instance, None)?;
    let [width, height] = S::SIZE;
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let view = texture.create_view(&Default::default());
    S::new(&device, &queue, texture.format())?.draw(&device, &queue, &view, S::SIZE, 30)?;
    let stride = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(stride) * u64::from(height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let layout = wgpu::TexelCopyBufferLayout { bytes_per_row: Some(stride), ..Default::default() };
    let mut encoder = device.create_command_encoder(&Default::default());
    let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
    queue.submit([encoder.finish()]);
    buffer.map_async(wgpu::MapMode::Read, .., |_| {});
    device.poll(wgpu::PollType::wait_indefinitely())?;
    let bytes = buffer.get_mapped_range(..)?;
    let rows = bytes.chunks(stride as usize).map(|row| row.split_at(width as usize * 4).0);
    let pixels = Pixels { width, height, rgba: rows.flatten().copied().collect() };
    let mut png = Vec::new();
    encode_png(&pixels, Effort::Some, &mut png)?;
    Ok(png)
}

/// A window with a scene.
struct Shown<S> {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    device: wgpu::Device,
    queue: wgpu::Queue,
    /// Format of the surface without sRGB.
    exact: wgpu::TextureFormat,
    scene: S,
    start: Instant,
}

struct App<S> {
    shown: Option<Shown<S>>,
    failed: Option<Box<dyn Error>>,
}

impl<S: Scene> Shown<S> {
    fn new(event_loop: &ActiveEventLoop) -> Result<Self, Box<dyn Error>> {
        let [width, height] = S::SIZE;
        let size = winit::dpi::LogicalSize::new(width, height);
        let attributes = Window::default_attributes().with_title(S::TITLE).with_inner_size(size);
        let window = Arc::new(event_loop.create_window(attributes)?);
        let display = Box::new(event_loop.owned_display_handle());
        let instance = wgpu::Instance::new(
            wgpu::InstanceDescriptor::new_with_display_handle_from_env(display),
        );
        let surface = instance.create_surface(Arc::clone(&window))?;
        let (adapter, device, queue) = device(&instance, Some(&surface))?;
        let size = window.inner_size();
        let mut config = surface
            .get_default_config(&adapter, size.width.max(1), size.height.max(1))
            .ok_or("no format for this window")?;
        // For exact colours, use a format without sRGB if the window has one, and otherwise such a view of the other format.
        let exact = config.format.remove_srgb_suffix();
        if surface.get_capabilities(&adapter).formats.contains(&exact) {
            config.format = exact;
        } else {
            config.view_formats = vec![exact];
        }
        surface.configure(&device, &config);
        let scene = S::new(&device, &queue, exact)?;
        let start = Instant::now();
        Ok(Self { window, surface, config, device, queue, exact, scene, start })
    }

    fn draw(&mut self) -> Result<(), Box<dyn Error>> {
        let texture = match self.surface.get_current_texture() {
            wgpu::CurrentSurfaceTexture::Success(texture)
            | wgpu::CurrentSurfaceTexture::Suboptimal(texture) => texture,
            _ => {
                self.surface.configure(&self.device, &self.config);
                return Ok(());
            }
        };
        let view = texture.texture.create_view(&wgpu::TextureViewDescriptor {
            format: Some(self.exact),
            ..Default::default()
        });
        let size = [self.config.width, self.config.height];
        let frames = self.start.elapsed().as_millis() * 30 / 1000;
        self.scene.draw(
            &self.device,
            &self.queue,
            &view,
            size,
            u64::try_from(frames).unwrap_or(0),
        )?;
        self.queue.present(texture);
        Ok(())
    }
}

impl<S: Scene> ApplicationHandler for App<S> {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        match Shown::new(event_loop) {
            Ok(shown) => self.shown = Some(shown),
            Err(error) => {
                self.failed = Some(error);
                event_loop.exit();
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(shown) = &mut self.shown else { return };
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Resized(size) => {
                (shown.config.width, shown.config.height) = (size.width.max(1), size.height.max(1));
                shown.surface.configure(&shown.device, &shown.config);
            }
            WindowEvent::RedrawRequested => {
                if let Err(error) = shown.draw() {
                    self.failed = Some(error);
                    return event_loop.exit();
                }
                shown.window.request_redraw();
            }
            _ => {}
        }
    }
}
