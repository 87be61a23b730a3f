//! Everything of the window that lives on the GPU, and the order in which a frame is drawn: backdrop and character with
//! four samples a pixel, resolved into the window's surface, and the panels on top.

use std::sync::Arc;
use std::time::Duration;

use winit::event_loop::{ActiveEventLoop, EventLoopProxy};
use winit::window::Window;

use super::backdrop::Backdrop;
use super::egui_bridge::EguiBridge;
use super::error::ViewerError;
use super::rounding::narrow;
use super::state::State;
use super::surface::{Acquired, WindowSurface};
use super::theme;
use crate::render::{Gpu, GpuModel, GpuOptions, GpuWindow, Renderer};
use crate::scene::{Filter, Picture, Samples};

const SAMPLES: Samples = Samples::Four;

/// The GPU's side of the window.
pub(crate) struct Graphics {
    gpu: Gpu,
    surface: WindowSurface,
    pub egui: EguiBridge,
    renderer: Renderer,
    backdrop: Backdrop,
    /// The model that was uploaded last, and which one it is.
    model: Option<(u64, GpuModel)>,
    multisampled: Option<([u32; 2], wgpu::TextureView)>,
}

/// What a frame left to be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drawn {
    /// When egui wants to be drawn again; `Duration::MAX` for never.
    pub repaint_after: Duration,
    /// Whether the frame could not be shown and is worth another try.
    pub again: bool,
}

impl Graphics {
    /// Opens the adapter and everything that draws to the window.
    pub(crate) fn new<T>(
        options: &GpuOptions,
        window: &Arc<Window>,
        event_loop: &ActiveEventLoop,
        proxy: EventLoopProxy<T>,
    ) -> Result<Self, ViewerError>
    where
        T: From<egui_winit::accesskit_winit::Event> + Send,
    {
        let display = event_loop.owned_display_handle();
        let of_window = GpuWindow {
            instance: &|| {
                wgpu::InstanceDescriptor::new_with_display_handle(Box::new(display.clone()))
            },
            surface: &|instance| instance.create_surface(Arc::clone(window)),
        };
        let (gpu, surface) = pollster::block_on(Gpu::request(options, Some(&of_window)))?;
        let surface = surface.ok_or_else(|| ViewerError::Window("no surface".into()))?;
        let surface = WindowSurface::new(surface, &gpu, window.inner_size().into())?;
        let format = surface.format();
        Ok(Self {
            egui: EguiBridge::new(&gpu, format, window, event_loop, proxy),
            renderer: Renderer::new(&gpu.device, format, SAMPLES),
            backdrop: Backdrop::new(&gpu.device, format, SAMPLES),
            gpu,
            surface,
            model: None,
            multisampled: None,
        })
    }

    /// The adapter in words.
    pub(crate) fn adapter(&self) -> String {
        self.gpu.describe()
    }

    pub(crate) fn is_software(&self) -> bool {
        self.gpu.is_software()
    }

    /// The window has another size.
    pub(crate) fn resize(&mut self, size: [u32; 2]) {
        self.surface.resize(&self.gpu, size);
    }

    /// What the adapter could not take of the model as it is.
    pub(crate) fn warnings(&self) -> &[String] {
        self.model
            .as_ref()
            .map(|(_, model)| model.warnings())
            .unwrap_or_default()
    }

    /// Lays the panels out with `ui`, then draws the frame. `ui` may change `state`; the corner of the picture on the
    /// screen is what it returns.
    ///
    /// # Errors
    /// [`ViewerError::Gpu`] if the device is lost.
    pub(crate) fn draw(
        &mut self,
        window: &Arc<Window>,
        state: &mut State,
        mut ui: impl FnMut(&mut State, &mut egui::Ui) -> [u32; 2],
    ) -> Result<Drawn, ViewerError> {
        let mut corner = [0; 2];
        let painted = self
            .egui
            .run(&self.gpu, window, |root| corner = ui(state, root));
        let mut drawn = Drawn {
            repaint_after: painted.repaint_after,
            again: false,
        };
        self.upload(state);
        match self.surface.acquire(&self.gpu, window) {
            Acquired::Nothing => self.gpu.queue.submit([]),
            Acquired::Again => {
                drawn.again = true;
                self.gpu.queue.submit([])
            }
            Acquired::Frame(frame) => {
                let size = self.surface.size();
                let view = self.surface.view(&frame);
                let mut encoder =
                    self.gpu
                        .device
                        .create_command_encoder(&wgpu::CommandEncoderDescriptor {
                            label: Some("Graphics::encoder"),
                        });
                self.draw_picture(&mut encoder, &view, state, corner, painted.pixels_per_point);
                self.egui.prepare(&self.gpu, &mut encoder, &painted, size);
                let pass = begin(
                    &mut encoder,
                    "Graphics::panels",
                    &view,
                    None,
                    wgpu::LoadOp::Load,
                );
                self.egui.draw(&mut pass.forget_lifetime(), &painted, size);
                let submission = self.gpu.queue.submit([encoder.finish()]);
                window.pre_present_notify();
                self.gpu.queue.present(frame);
                submission
            }
        };
        self.egui.finish(&painted);
        match self.gpu.check() {
            Err(error @ crate::render::GpuError::Lost(_)) => Err(error.into()),
            Err(error) => {
                state.apply(super::action::Action::Report(super::problem::Problem::new(
                    "The graphics driver reported an error",
                    error.to_string(),
                )));
                drawn.again = true;
                Ok(drawn)
            }
            Ok(()) => Ok(drawn),
        }
    }

    /// Uploads the model if it is another one than before.
    fn upload(&mut self, state: &State) {
        let Some(model) = state.model() else {
            return;
        };
        if self.model.as_ref().map(|(serial, _)| *serial) != Some(model.serial()) {
            self.model = None; // its memory may be needed for the new one
            let images = &model.loaded().images;
            let uploaded = GpuModel::new(&self.gpu, &self.renderer, model.document(), images, true);
            self.model = Some((model.serial(), uploaded));
        }
    }

    fn draw_picture(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        view: &wgpu::TextureView,
        state: &State,
        corner: [u32; 2],
        pixels_per_point: f32,
    ) {
        let size = self.surface.size();
        let picture = Picture {
            size: state.viewport(),
            camera: state.camera(),
            filter: Filter::Linear,
            mipmaps: true,
            clear: [0; 4],
        };
        let origin = corner.map(|side| narrow(side.into()));
        self.backdrop.prepare(
            &self.gpu.queue,
            match state.looking().background {
                super::background::Background::Color(color) => Some(color),
                _ => None,
            },
            origin,
            pixels_per_point,
        );
        if let Some((model, (_, uploaded))) = state.model().zip(self.model.as_mut()) {
            let list = model.scene().list();
            self.renderer
                .prepare(&self.gpu, uploaded, list, model.pose(), &picture);
        }
        let target = self.multisampled(size);
        let clear = wgpu::LoadOp::Clear(theme::clear_color());
        let mut pass = begin(encoder, "Graphics::picture", &target, Some(view), clear);
        // Within the frame, whatever the panels worked out: the surface may be a size behind the window.
        let [x, y] = corner;
        let [width, height] = picture.size;
        let fits = |from: u32, len: u32, of: u32| len > 0 && from.saturating_add(len) <= of;
        let [of_width, of_height] = size;
        if fits(x, width, of_width) && fits(y, height, of_height) {
            let [left, top] = origin;
            let [wide, high] = picture.size.map(|side| narrow(side.into()));
            pass.set_viewport(left, top, wide, high, 0.0, 1.0);
            pass.set_scissor_rect(x, y, width, height);
            self.backdrop.draw(&mut pass);
            if let Some((_, model)) = &self.model {
                self.renderer.draw(&mut pass, model);
            }
            // On GL the pass's end resolves only what the last scissor rectangle holds.
            pass.set_scissor_rect(0, 0, of_width, of_height);
        }
    }

    /// The texture with several samples a pixel, as large as the surface.
    fn multisampled(&mut self, size: [u32; 2]) -> wgpu::TextureView {
        if let Some((_, view)) = self.multisampled.as_ref().filter(|(of, _)| *of == size) {
            return view.clone();
        }
        let [width, height] = size;
        let texture = self.gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("Graphics::multisampled"),
            size: wgpu::Extent3d {
                width,
                height,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: SAMPLES.count(),
            dimension: wgpu::TextureDimension::D2,
            format: self.surface.format(),
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        self.multisampled = Some((size, view.clone()));
        view
    }
}

fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    label: &str,
    view: &wgpu::TextureView,
    resolve_target: Option<&wgpu::TextureView>,
    load: wgpu::LoadOp<wgpu::Color>,
) -> wgpu::RenderPass<'a> {
    let store = match resolve_target {
        Some(_) => wgpu::StoreOp::Discard,
        None => wgpu::StoreOp::Store,
    };
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target,
            ops: wgpu::Operations { load, store },
        })],
        ..Default::default()
    })
}
