//! The GPU side of the window, and the order in which a frame is drawn. First the character goes into a texture with
//! four samples per pixel, if it may have changed. Then that texture goes over the background into the window's surface.
//! The panels go on top.

use std::sync::Arc;
use std::time::{Duration, Instant};

use winit::event_loop::{ActiveEventLoop, EventLoopProxy};
use winit::window::Window;

use pchr::image::Pixels;
use pchr::overlay::{OverlayJob, OverlayOptions, OverlayScratch, atlas, tint_ghosts};
use pchr::render::{
    Gpu, GpuError, GpuOptions, GpuTimer, GpuWindow, OffscreenTarget, OverlayRenderer, Renderer,
    View,
};
use pchr::scene::{Camera, Overlay, Picture, TooMuchWork};
use pchr_tools::capture::{self, Backdrop};

use super::composite::{Checker, Composite};
use super::dialog::NameLetters;
use super::egui_bridge::EguiBridge;
use super::events::ViewerError;
use super::surface::{Acquired, WindowSurface};
use super::targets::{Ghosts, PictureTexture, ReferencePlace, SAMPLES};
use super::upload::{OnGpu, Uploader};
use crate::viewer::action::Action;
use crate::viewer::background::Background;
use crate::viewer::interface::{narrow, pixel};
use crate::viewer::problem::Problem;
use crate::viewer::screenshot::ShotFrame;
use crate::viewer::state::State;
use crate::viewer::switch::Switch;
use crate::viewer::theme;

/// Side of the checkerboard's squares in logical pixels.
const CELL: f32 = 12.0;
/// Title of the problem of too much work.
const TOO_LONG: &str = "This view would take too long to draw";

/// The values that decide how the picture looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Looks {
    /// [`State::revision`].
    revision: u64,
    /// Screen pixels per logical pixel.
    scale: u32,
    /// True if a reference lies behind it.
    behind: bool,
    /// True if overlays are drawn for a light background.
    light: bool,
}

/// The GPU side of the window.
pub(crate) struct Graphics {
    gpu: Gpu,
    surface: WindowSurface,
    pub egui: EguiBridge,
    renderer: Renderer,
    view: View,
    composite: Composite,
    uploader: Uploader,
    picture: Option<PictureTexture>,
    overlays: OverlayRenderer,
    overlay: Overlay,
    scratch: OverlayScratch,
    names: NameLetters,
    /// Colours of ghosts on the overlays' atlas.
    tints: [[u8; 3]; 3],
    ghosts: Ghosts,
    timer: Option<GpuTimer>,
    /// The picture as drawn; `None` to draw it again.
    drawn: Option<Looks>,
    /// True if the picture stays empty because it takes too much work.
    too_much: bool,
    /// Background picture and the size that it was fitted to.
    behind: Option<(Background, [u32; 2])>,
}

/// Result of drawing a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DrawnFrame {
    /// Time until egui wants to be drawn again; `Duration::MAX` for never.
    pub repaint_after: Duration,
    /// True if the frame could not be shown and is worth another try.
    pub again: bool,
    /// Time spent waiting for the display.
    pub waited: Duration,
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
        let target = OffscreenTarget::options(SAMPLES);
        let renderer = Renderer::new(&gpu.device, &target).map_err(GpuError::from)?;
        let overlays = OverlayRenderer::new(&gpu.device, &gpu.queue, &atlas(), &target);
        Ok(Self {
            egui: EguiBridge::new(&gpu, format, window, event_loop, proxy),
            uploader: Uploader::new(&gpu, renderer.layouts(), window)?,
            view: View::new(&gpu.device, renderer.layouts()),
            renderer,
            composite: Composite::new(&gpu.device, format),
            overlays: overlays.map_err(GpuError::from)?,
            overlay: Overlay::default(),
            scratch: OverlayScratch::default(),
            names: NameLetters::default(),
            tints: OverlayOptions::NOTHING.tints(),
            ghosts: Ghosts::default(),
            timer: GpuTimer::new(&gpu),
            picture: None,
            drawn: None,
            too_much: false,
            behind: None,
            gpu,
            surface,
        })
    }

    /// Returns the adapter's description.
    pub(crate) fn adapter(&self) -> String {
        self.gpu.describe()
    }

    pub(crate) fn is_software(&self) -> bool {
        self.gpu.is_software()
    }

    /// Returns the recent GPU time of the character in milliseconds, if the adapter can measure it.
    pub(crate) fn gpu_milliseconds(&self) -> Option<f64> {
        self.timer.as_ref()?.milliseconds()
    }

    /// Returns the serial number of the model on the GPU.
    pub(crate) fn uploaded(&self) -> Option<u64> {
        self.uploader.model.as_ref().map(|(serial, _)| *serial)
    }

    /// Returns the texture of the image beside the picture, if it is to be shown in a panel.
    pub(crate) fn atlas(&mut self, state: &State) -> Option<egui::TextureId> {
        let wanted = || {
            let model = state.model().filter(|_| state.is_on(Switch::Atlas))?;
            let image = state.image_shown()?;
            let (serial, uploaded) = self.uploader.model.as_ref()?;
            (*serial == model.serial()).then(|| uploaded.model.image_view(image))?
        };
        let view = wanted();
        let filter = if state.is_on(Switch::Nearest) {
            wgpu::FilterMode::Nearest
        } else {
            wgpu::FilterMode::Linear
        };
        self.egui.show_texture(&self.gpu, view, filter)
    }

    /// Returns the background of a picture of a size, as a capture has it, `factor` times as large as in the window. The checkerboard
    /// on screen behind transparent areas is not part of it.
    pub(crate) fn backdrop(&self, state: &State, size: [u32; 2], factor: f64) -> Backdrop {
        let background = &state.looking().background;
        match background {
            Background::Color(_) | Background::Transparent => Backdrop::None,
            Background::Picture(..) => background
                .fitted(size)
                .map_or(Backdrop::None, |fitted| Backdrop::Picture(Arc::new(fitted))),
            Background::Checker => {
                let Checker { colors: [even, odd], cell } = self.checker();
                // Its squares stay large enough to be seen.
                Backdrop::Checker { even, odd, size: scaled(cell, factor.max(1.0)) }
            }
        }
    }

    /// Returns the overlay options of the picture.
    pub(crate) fn overlays(&self, state: &State) -> OverlayOptions {
        OverlayOptions { light: self.is_light(state), ..state.overlays(self.scale()) }
    }

    /// Returns true if the overlays lie on a light background.
    fn is_light(&self, state: &State) -> bool {
        let behind = match state.looking().background {
            Background::Checker => {
                let Checker { colors, cell } = self.checker();
                let [even, odd] = colors;
                let size = cell;
                capture::Background::Checker { even, odd, size }
            }
            Background::Color(color) => capture::Background::Color(color),
            Background::Transparent | Background::Picture(..) => capture::Background::Transparent,
        };
        behind.is_light()
    }

    /// Returns the number of screen pixels per logical pixel of the interface, as a whole number: letters and lines over the picture
    /// grow with the interface.
    pub(crate) fn scale(&self) -> u32 {
        scale_of(self.egui.scale())
    }

    /// Returns the checkerboard of the current theme.
    pub(crate) fn checker(&self) -> Checker {
        checker(self.egui.is_dark(), self.egui.screen_scale())
    }

    /// Sets the window's size.
    pub(crate) fn resize(&mut self, size: [u32; 2]) {
        self.surface.resize(&self.gpu, size);
    }

    /// Returns the warnings about parts of the model that the adapter could not take unchanged.
    pub(crate) fn warnings(&self) -> &[String] {
        self.uploader.model.as_ref().map(|(_, on_gpu)| on_gpu.model.warnings()).unwrap_or_default()
    }

    /// Lays out the panels with `ui`, then draws the frame. `ui` may change `state`. It returns the corner of the
    /// picture on the screen.
    ///
    /// # Errors
    /// [`ViewerError::Gpu`] if the device is lost.
    pub(crate) fn draw(
        &mut self,
        window: &Arc<Window>,
        state: &mut State,
        mut ui: impl FnMut(&mut State, &mut egui::Ui) -> [u32; 2],
    ) -> Result<DrawnFrame, ViewerError> {
        let mut corner = [0; 2];
        let painted = self.egui.run(&self.gpu, window, |root| corner = ui(state, root));
        let mut drawn = DrawnFrame {
            repaint_after: painted.repaint_after,
            again: false,
            waited: Duration::ZERO,
        };
        if state.model().is_some_and(|model| self.uploader.update(model)) {
            self.drawn = None;
        }
        let asked = Instant::now();
        let acquired = self.surface.acquire(&self.gpu, window);
        drawn.waited = asked.elapsed();
        match acquired {
            Acquired::Nothing => self.gpu.queue.submit([]),
            Acquired::Again => {
                drawn.again = true;
                self.gpu.queue.submit([])
            }
            Acquired::Frame(frame) => {
                let size = self.surface.size();
                let view = self.surface.view(&frame);
                let mut encoder =
                    self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
                        label: Some("Graphics::encoder"),
                    });
                let scale = self.scale();
                if let Err(error) = self.draw_picture(&mut encoder, state, scale) {
                    state.apply(Action::Report(Problem::new(TOO_LONG, error.to_string())));
                    drawn.again = true;
                }
                let colors = theme::colors(painted.dark);
                let mut checker = self.checker();
                if let Background::Color(color) = state.looking().background
                    && state.has_reference_behind()
                {
                    checker = checker.below(color);
                }
                self.egui.prepare(&self.gpu, &mut encoder, &painted, size);
                let reference = state.reference().map(|reference| &reference.picture);
                self.composite.set_reference(&self.gpu, reference);
                if let Some(picture) = &self.picture {
                    let reference = ReferencePlace::of(state);
                    let view = picture.view();
                    self.composite.prepare(&self.gpu, view, checker, corner, reference);
                }
                let mut pass = begin(&mut encoder, &view, clear_color(colors));
                self.lay_over(&mut pass, corner);
                self.egui.draw(&mut pass.forget_lifetime(), &painted, size);
                let submission = self.gpu.queue.submit([encoder.finish()]);
                if let Some(timer) = &mut self.timer {
                    timer.submitted();
                }
                window.pre_present_notify();
                let handed = Instant::now();
                self.gpu.queue.present(frame);
                drawn.waited = drawn.waited.saturating_add(handed.elapsed());
                submission
            }
        };
        self.egui.finish(&painted);
        match self.gpu.check() {
            Err(error @ GpuError::Lost(_)) => Err(error.into()),
            Err(error) => {
                let title = "The graphics driver reported an error";
                state.apply(Action::Report(Problem::new(title, error.to_string())));
                drawn.again = true;
                Ok(drawn)
            }
            Ok(()) => Ok(drawn),
        }
    }

    /// Draws the character into its texture, if it may have changed.
    ///
    /// # Errors
    /// [`TooMuchWork`] when that first leaves the picture empty.
    fn draw_picture(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        state: &State,
        scale: u32,
    ) -> Result<(), TooMuchWork> {
        let size = state.viewport();
        let [width, height] = size;
        let limit = self.gpu.device.limits().max_texture_dimension_2d;
        if width == 0 || height == 0 || width > limit || height > limit {
            return Ok(());
        }
        if self.picture.as_ref().map(PictureTexture::size) != Some(size) {
            self.picture = Some(PictureTexture::new(&self.gpu.device, size));
            self.composite.set_picture();
            self.drawn = None;
        }
        let behind = state.has_reference_behind();
        let shows =
            Some(Looks { revision: state.revision(), scale, behind, light: self.is_light(state) });
        if self.drawn == shows {
            return Ok(());
        }
        let ready = self.is_ready(state);
        if !ready && self.drawn.is_some() {
            return Ok(()); // until the new model is uploaded the picture stays as it is
        }
        self.drawn = shows.filter(|_| ready);
        self.fit_behind(state);
        let picture = state.picture();
        let options = state.overlays_and_pointed(self.scale());
        let options = OverlayOptions { light: self.is_light(state), ..options };
        let checked = self.prepare(state, (&picture, state.scene_camera()), &options);
        let ready = ready && checked.is_ok();
        if let Some(target) = &self.picture {
            let timestamps = self.timer.as_mut().and_then(GpuTimer::begin);
            // A reference lies between the colour of the background and the character.
            let clear = if behind { [0; 4] } else { picture.clear };
            let mut pass = target.begin(encoder, clear, timestamps);
            self.record(&mut pass, ready);
        }
        if let Some(timer) = &mut self.timer {
            timer.end(encoder);
        }
        let known = std::mem::replace(&mut self.too_much, checked.is_err());
        if known { Ok(()) } else { checked }
    }

    /// Returns true if the current model is on the GPU, too.
    pub(crate) fn is_ready(&self, state: &State) -> bool {
        let both = state.model().zip(self.uploader.model.as_ref());
        both.is_some_and(|(model, (serial, _))| model.serial() == *serial)
    }

    /// Prepares the character, its ghosts and its overlays for drawing.
    ///
    /// # Errors
    /// [`TooMuchWork`] if the picture takes too much work.
    fn prepare(
        &mut self,
        state: &State,
        (picture, camera): (&Picture, Camera),
        options: &OverlayOptions,
    ) -> Result<(), TooMuchWork> {
        let Gpu { device, queue, .. } = &self.gpu;
        self.overlay.clear();
        let mut checked = Ok(());
        if let Some((model, (serial, uploaded))) = state.model().zip(self.uploader.model.as_mut())
            && model.serial() == *serial
        {
            self.view.set_picture(device, queue, picture);
            checked = self.ghosts.draw(
                &self.gpu,
                (&self.renderer, &self.view),
                (model, uploaded),
                (state.view(), picture),
                options,
            );
            let frame = model.frame();
            uploaded.prepare(&self.gpu, frame);
            // Bones that move in space are always drawn by the overlay.
            if !options.is_empty() || state.orbit().is_some() {
                let tints = options.tints();
                let named = self.names.update(model.subject(), *serial, options);
                if named || self.tints != tints {
                    self.tints = tints;
                    let letters = self.names.letters();
                    let mut atlas = letters.map_or_else(atlas, |letters| letters.atlas().clone());
                    tint_ghosts(&mut atlas, tints);
                    self.overlays.set_atlas(device, queue, &atlas);
                }
                let job = OverlayJob {
                    subject: model.subject(),
                    frame,
                    camera,
                    size: picture.size,
                    options,
                    letters: self.names.letters(),
                };
                job.run(&mut self.scratch, &mut self.overlay);
            }
        }
        self.overlays.prepare(device, queue, &self.overlay, picture);
        checked
    }

    /// Records the character and its overlays.
    fn record(&self, pass: &mut wgpu::RenderPass<'_>, ready: bool) {
        if let Some((_, on_gpu)) = self.uploader.model.as_ref().filter(|_| ready) {
            self.ghosts.record(pass);
            self.overlays.draw_behind(pass);
            let OnGpu { model, instance } = on_gpu;
            self.renderer.draw(pass, &self.view, model, instance);
            self.overlays.draw(pass, model);
        }
    }

    /// Fits the background picture to the character's picture.
    fn fit_behind(&mut self, state: &State) {
        let background = &state.looking().background;
        let size = state.viewport();
        let is_picture = matches!(background, Background::Picture(..));
        let same = match &self.behind {
            Some((of, at)) => is_picture && of == background && *at == size,
            None => !is_picture,
        };
        if !same {
            let wanted = is_picture.then(|| (background.clone(), size));
            let fitted = background.fitted(size);
            self.composite.set_behind(&self.gpu, fitted.as_ref());
            self.behind = wanted;
        }
    }

    /// Records the picture over its background.
    fn lay_over(&self, pass: &mut wgpu::RenderPass<'_>, corner: [u32; 2]) {
        let Some(picture) = &self.picture else {
            return;
        };
        // Only within the surface: its size may lag behind that of the window, for which the panels were laid out.
        let ([x, y], [width, height]) = (corner, picture.size());
        let fits = |from: u32, len: u32, of: u32| from.saturating_add(len) <= of;
        let [of_width, of_height] = self.surface.size();
        if fits(x, width, of_width) && fits(y, height, of_height) {
            let [left, top, wide, high] = [x, y, width, height].map(|side| narrow(side.into()));
            pass.set_viewport(left, top, wide, high, 0.0, 1.0);
            self.composite.draw(pass);
            let [wide, high] = [of_width, of_height].map(|side| narrow(side.into()));
            pass.set_viewport(0.0, 0.0, wide, high, 0.0, 1.0);
        }
    }

    /// Draws the character with its overlays as the window shows it, in another size: premultiplied, over the colour `clear`, without
    /// the other backgrounds.
    ///
    /// # Errors
    /// [`Problem`] if the picture is larger than the device allows or takes too much work, or if the device fails.
    pub(crate) fn shot(
        &mut self,
        state: &State,
        frame: &ShotFrame,
        overlays: OverlayOptions,
        clear: [u8; 4],
    ) -> Result<Pixels, Problem> {
        let ShotFrame { size, camera, factor, .. } = *frame;
        let picture = Picture { size, camera: camera.flat(), clear, ..state.picture() };
        let overlays = OverlayOptions { scale: scaled(overlays.scale, factor).min(8), ..overlays };
        let target = OffscreenTarget::new(&self.gpu, size, SAMPLES, 1);
        let mut target = target.map_err(|error| no_picture(&error))?;
        let checked = self.prepare(state, (&picture, camera), &overlays);
        self.drawn = None; // what the window shows is prepared again
        let too_much = |error: TooMuchWork| Problem::new(TOO_LONG, error.to_string());
        checked.map_err(too_much)?;
        let ready = self.is_ready(state);
        let mut pixels = Pixels::transparent();
        { target.submit(&self.gpu, clear, |pass| self.record(pass, ready)) }
            .and_then(|ticket| target.wait(&self.gpu, ticket, &mut pixels))
            .map_err(|error| no_picture(&error))?;
        Ok(pixels)
    }
}

/// Returns a number of pixels of the window in a picture that is larger by a factor; at least 1.
fn scaled(pixels: u32, factor: f64) -> u32 {
    pixel(narrow(f64::from(pixels) * factor)).max(1)
}

/// Returns the reason why a picture could not be taken.
fn no_picture(error: &GpuError) -> Problem {
    let title = "The picture could not be taken";
    match error {
        GpuError::Size { size: [width, height], limit, bytes } => {
            let message = format!(
                "It would have {width} × {height} pixels. This adapter draws up to {limit} on each side, and {} million in all. \
                 Choose a smaller size.",
                bytes / 4_000_000
            );
            Problem::new(title, message)
        }
        error => {
            Problem::new(title, format!("{error}. If the picture is large, choose a smaller size."))
        }
    }
}

fn checker(dark: bool, pixels_per_point: f32) -> Checker {
    Checker { colors: theme::colors(dark).checker, cell: pixel(CELL * pixels_per_point).max(1) }
}

/// Returns the number of screen pixels per logical pixel, as a whole number from 1 to 8.
pub(crate) fn scale_of(pixels_per_point: f32) -> u32 {
    pixel(pixels_per_point).clamp(1, 8)
}

/// Returns the clear colour of the surface.
fn clear_color(colors: &theme::Colors) -> wgpu::Color {
    let [r, g, b, _] = colors.panel.to_array();
    let [r, g, b] = [r, g, b].map(|channel| f64::from(channel) / 255.0);
    wgpu::Color { r, g, b, a: 1.0 }
}

/// Begins the pass into the window's surface.
fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    view: &wgpu::TextureView,
    clear: wgpu::Color,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("Graphics::pass"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(clear), store: wgpu::StoreOp::Store },
        })],
        ..Default::default()
    })
}
