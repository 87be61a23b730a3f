//! The GPU side of the window, and the order in which a frame is drawn. First the character goes into a texture with
//! four samples per pixel, if it may have changed. Then that texture goes over the background into the window's surface.
//! The panels go on top.

use std::sync::Arc;
use std::time::{Duration, Instant};

use winit::event_loop::{ActiveEventLoop, EventLoopProxy};
use winit::window::Window;

use pchr::image::Pixels;
use pchr::overlay::OverlayOptions;
use pchr::render::{
    Gpu, GpuError, GpuOptions, GpuTimer, GpuWindow, OffscreenTarget, PictureTexture, Renderer,
};
use pchr::scene::Picture;
use pchr_tools::capture::{self, Arrangement, Backdrop, Finish};

use super::composite::{Checker, Composite, TwoPictures};
use super::drawn_model::{DrawnModel, Looks, ModelPicture};
use super::egui_bridge::EguiBridge;
use super::events::{Posted, ViewerError};
use super::surface::{Acquired, FrameCosts, WindowSurface};
use super::uploads_and_targets::{ReferencePlace, SAMPLES};
use crate::viewer::action::Action;
use crate::viewer::backgrounds_and_rulers::Background;
use crate::viewer::compare::{CompareMode, Comparison};
use crate::viewer::interface::{narrow, pixel};
use crate::viewer::panels::Costs;
use crate::viewer::problem::Problem;
use crate::viewer::screenshot::ShotFrame;
use crate::viewer::state::State;
use crate::viewer::switch::Switch;
use crate::viewer::theme;

/// Side of the checkerboard's squares in logical pixels.
const CELL: f32 = 12.0;
/// Time that the first frame waits for the picture of a file that is being opened.
const PATIENCE: Duration = Duration::from_millis(200);

/// The GPU side of the window.
pub(crate) struct Graphics {
    pub gpu: Gpu,
    surface: WindowSurface,
    pub egui: EguiBridge,
    renderer: Renderer,
    composite: Composite,
    /// The open file.
    open: DrawnModel,
    /// The file that it is compared with.
    other: Option<DrawnModel>,
    timer: Option<GpuTimer>,
    /// Background picture and the size that it was fitted to.
    behind: Option<(Background, [u32; 2])>,
    /// Time until which the first frame waits for the picture; `None` once a frame was drawn.
    patient_until: Option<Instant>,
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
    pub(crate) fn new(
        options: &GpuOptions,
        window: &Arc<Window>,
        event_loop: &ActiveEventLoop,
        proxy: EventLoopProxy<Posted>,
    ) -> Result<Self, ViewerError> {
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
        Ok(Self {
            egui: EguiBridge::new(&gpu, format, window, event_loop, proxy),
            open: DrawnModel::new(&gpu, &renderer, window)?,
            other: None,
            renderer,
            composite: Composite::new(&gpu.device, format),
            timer: GpuTimer::new(&gpu),
            behind: None,
            patient_until: Instant::now().checked_add(PATIENCE),
            gpu,
            surface,
        })
    }

    /// Returns the costs of these frames, on the GPU if the adapter can measure them, and of the picture, while they are measured.
    pub(crate) fn costs(&self, frames: &FrameCosts) -> Costs {
        let gpu = self.timer.as_ref().and_then(|timer| timer.milliseconds());
        Costs { picture: self.open.meter.costs, ..frames.get(gpu) }
    }

    /// Returns the serial number of the model on the GPU.
    pub(crate) fn uploaded(&self) -> Option<u64> {
        self.open.uploader.model.as_ref().map(|(serial, _)| *serial)
    }

    /// Returns the texture of the image beside the picture, if it is to be shown in a panel.
    pub(crate) fn atlas(&mut self, state: &State) -> Option<egui::TextureId> {
        let wanted = || {
            let model = state.model().filter(|_| state.is_on(Switch::Atlas))?;
            let image = state.image_shown()?;
            let (serial, uploaded) = self.open.uploader.model.as_ref()?;
            (*serial == model.serial()).then(|| uploaded.model.image_view(image))?
        };
        let view = wanted();
        let filter = match state.is_on(Switch::Nearest) {
            true => wgpu::FilterMode::Nearest,
            false => wgpu::FilterMode::Linear,
        };
        self.egui.show_texture(&self.gpu, view, filter)
    }

    /// Returns the steps to a finished screenshot of a size, as a capture has them, `factor` times as large as in the window. The
    /// checkerboard on screen behind transparent areas is not part of it; transparent screenshots have no backdrop.
    pub(crate) fn finish(&self, state: &State, size: [u32; 2], factor: f64) -> Finish {
        let backdrop = match &state.looking().background {
            _ if state.exports().screenshot.transparent => Backdrop::None,
            Background::Checker => {
                let Checker { colors: [even, odd], cell } = self.checker();
                // Its squares stay large enough to be seen.
                Backdrop::Checker { even, odd, size: scaled(cell, factor.max(1.0)) }
            }
            background => {
                let fitted = background.fitted(size);
                fitted.map_or(Backdrop::None, |fitted| Backdrop::Picture(Arc::new(fitted)))
            }
        };
        Finish { backdrop }
    }

    /// Returns the overlay options of the picture.
    pub(crate) fn overlays(&self, state: &State) -> OverlayOptions {
        OverlayOptions { light: self.is_light(state), ..state.overlays(self.scale()) }
    }

    /// Returns true if the overlays lie on a light background.
    fn is_light(&self, state: &State) -> bool {
        let behind = match state.looking().background {
            Background::Checker => self.checker().background(),
            Background::Color(color) => capture::Background::Color(color),
            Background::Transparent | Background::Picture(..) => capture::Background::Transparent,
        };
        behind.is_light()
    }

    /// Returns the number of screen pixels per logical pixel of the interface, as a whole number: letters and lines over the picture
    /// grow with the interface. From 1 to 8.
    pub(crate) fn scale(&self) -> u32 {
        pixel(self.egui.scale()).clamp(1, 8)
    }

    /// Returns the checkerboard of the current theme.
    pub(crate) fn checker(&self) -> Checker {
        let colors = theme::colors(self.egui.is_dark()).checker;
        Checker { colors, cell: pixel(CELL * self.egui.screen_scale()).max(1) }
    }

    /// Sets the window's size.
    pub(crate) fn resize(&mut self, size: [u32; 2]) {
        self.surface.resize(&self.gpu, size);
    }

    /// Returns the warnings about parts of the model that the adapter could not take unchanged.
    pub(crate) fn warnings(&self) -> &[String] {
        let model = self.open.uploader.model.as_ref();
        model.map(|(_, on_gpu)| on_gpu.model.warnings()).unwrap_or_default()
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
        self.update(window, state)?; // uploads start before the panels are laid out
        let mut corner = [0; 2];
        let painted = self.egui.run(&self.gpu, window, |root| corner = ui(state, root));
        self.update(window, state)?; // what the panels changed
        let mut drawn = DrawnFrame {
            repaint_after: painted.repaint_after,
            again: false,
            waited: Duration::ZERO,
        };
        let asked = Instant::now();
        if let Some(patience) = self.patience(state, asked) {
            self.egui.finish(&painted);
            drawn.repaint_after = patience;
            return Ok(drawn);
        }
        let acquired = self.surface.acquire(&self.gpu, window);
        drawn.waited = asked.elapsed();
        match acquired {
            Acquired::Nothing => self.gpu.queue.submit([]),
            Acquired::Again => {
                drawn.again = true;
                self.gpu.queue.submit([])
            }
            Acquired::Frame(frame) => {
                self.patient_until = None;
                let size = self.surface.size();
                let view = self.surface.view(&frame);
                let mut encoder =
                    self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
                        label: Some("Graphics::encoder"),
                    });
                let scale = self.scale();
                if let Err(problem) = self.draw_picture(&mut encoder, state, scale) {
                    state.apply(Action::Report(problem));
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
                if let Some(picture) = &self.open.texture {
                    let reference = ReferencePlace::of(state);
                    let other = self.other.as_ref().and_then(|other| other.texture.as_ref());
                    let mut both = [picture, other.unwrap_or(picture)];
                    if state.comparison().is_some_and(Comparison::is_first) {
                        both.reverse();
                    }
                    let views = both.map(PictureTexture::view);
                    let place = (corner, TwoPictures::of(state, picture.size()));
                    self.composite.prepare(&self.gpu, views, checker, place, reference);
                }
                let mut pass = begin(&mut encoder, &view, colors);
                self.lay_over(&mut pass, corner, state);
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

    /// Returns the time that the first frame still waits for the picture: a frame without it would only delay it.
    fn patience(&self, state: &State, now: Instant) -> Option<Duration> {
        let awaited = match state.model() {
            Some(_) => !self.is_ready(state),
            None => state.loading().is_some(),
        };
        let until = self.patient_until.filter(|_| awaited)?;
        until.checked_duration_since(now).filter(|left| !left.is_zero())
    }

    /// Sends new data of both models to the GPU.
    ///
    /// # Errors
    /// [`ViewerError`] if the system refuses a thread.
    fn update(&mut self, window: &Arc<Window>, state: &State) -> Result<(), ViewerError> {
        if let Some(model) = state.model() {
            self.open.update(model);
        }
        let Some(now) = state.comparison() else {
            if self.other.take().is_some() {
                self.composite.set_picture();
            }
            return Ok(());
        };
        let Self { other, gpu, renderer, .. } = self;
        let other = match other {
            Some(other) => other,
            None => other.insert(DrawnModel::new(gpu, renderer, window)?),
        };
        other.update(&now.model);
        Ok(())
    }

    /// Draws the character into its texture, if it may have changed, and the one that it is compared with.
    ///
    /// # Errors
    /// [`Problem`] when that first leaves a picture empty.
    fn draw_picture(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        state: &State,
        scale: u32,
    ) -> Result<(), Problem> {
        let size = state.viewport();
        let [width, height] = size;
        let limit = self.gpu.device.limits().max_texture_dimension_2d;
        if width == 0 || height == 0 || width > limit || height > limit {
            return Ok(());
        }
        let behind = state.has_reference_behind();
        let light = self.is_light(state);
        let measured = state.is_on(Switch::Hud);
        let looks = Looks { revision: state.revision(), scale, behind, light, measured };
        self.fit_behind(state);
        let options = OverlayOptions { light, ..state.overlays_and_pointed(scale) };
        let options = as_compared(state, options);
        let (picture, camera) = (state.picture(), state.scene_camera());
        let Self { gpu, renderer, open, other, composite, timer, .. } = self;
        let mut shot = ModelPicture {
            model: state.model(),
            view: &state.parts().view,
            picture,
            camera,
            overlays: options,
        };
        if open.resize(gpu, size) {
            composite.set_picture();
        }
        let drawn = open.draw((gpu, renderer), encoder, timer.as_mut(), looks, &shot);
        let Some((other, now)) = other.as_mut().zip(state.comparison()) else { return drawn };
        if other.resize(gpu, size) {
            composite.set_picture();
        }
        (shot.model, shot.view, shot.overlays) = (now.shown(), &now.view, now.overlays(options));
        drawn.and(other.draw((gpu, renderer), encoder, None, looks, &shot))
    }

    /// Returns true if the current models are on the GPU, too.
    pub(crate) fn is_ready(&self, state: &State) -> bool {
        let is_other_ready = match (state.comparison(), &self.other) {
            (Some(now), Some(other)) => other.is_ready(Some(&now.model)),
            (Some(_), None) => false,
            (None, _) => true,
        };
        self.open.is_ready(state.model()) && is_other_ready
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
            self.composite.set_behind(&self.gpu, background.fitted(size).as_ref());
            self.behind = is_picture.then(|| (background.clone(), size));
        }
    }

    /// Records the picture over its background.
    fn lay_over(&self, pass: &mut wgpu::RenderPass<'_>, corner: [u32; 2], state: &State) {
        let Some(picture) = &self.open.texture else { return };
        // Only within the surface: its size may lag behind that of the window, for which the panels were laid out.
        let ([x, y], [width, height]) = (corner, whole(state, picture.size()));
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

    /// Draws the character with its overlays as the window shows it, in another size, and in the same picture the one that it is
    /// compared with: premultiplied, over the colour `clear`, without the other backgrounds.
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
        let overlays = as_compared(state, overlays);
        let target = OffscreenTarget::new(&self.gpu, size, SAMPLES, 1);
        let mut target = target.map_err(|error| no_picture(&error))?;
        let mut shot = ModelPicture {
            model: state.model(),
            view: &state.parts().view,
            picture,
            camera,
            overlays,
        };
        let Self { gpu, renderer, open, other, .. } = self;
        let mut taken = |drawn: &mut DrawnModel, shot: &ModelPicture<'_>| {
            let checked = drawn.prepare((gpu, renderer), shot);
            drawn.drawn = None; // the window's picture is prepared again
            checked?;
            let ready = drawn.is_ready(shot.model);
            let mut pixels = Pixels::transparent();
            { target.submit(gpu, clear, |pass| drawn.record(renderer, pass, ready)) }
                .and_then(|ticket| target.wait(gpu, ticket, &mut pixels))
                .map_err(|error| no_picture(&error))?;
            Ok(pixels)
        };
        let first = taken(open, &shot)?;
        let both = other.as_mut().zip(state.comparison()).zip(state.compare_mode());
        let Some(((other, now), mode)) = both else { return Ok(first) };
        (shot.model, shot.view, shot.overlays) = (now.shown(), &now.view, now.overlays(overlays));
        let second = taken(other, &shot)?;
        let (left, right) = if now.is_first() { (second, first) } else { (first, second) };
        if mode == CompareMode::Blink {
            return Ok(if state.shows_other() { right } else { left });
        }
        let mut pixels = Pixels::empty();
        let split = f64::from(state.split());
        let arrangement = Arrangement { mode: mode.option(), split, size: whole(state, size) };
        arrangement.compose(&left, Some(&right), &mut pixels);
        Ok(pixels)
    }
}

/// Returns the overlays of two files that are compared: drawings over both would hide the differences, of all but motions in space.
fn as_compared(state: &State, options: OverlayOptions) -> OverlayOptions {
    let is_difference =
        state.comparison().is_some() && state.compare_mode() == Some(CompareMode::Difference);
    match is_difference && state.orbit().is_none() {
        true => {
            OverlayOptions { scale: options.scale, light: options.light, ..OverlayOptions::NOTHING }
        }
        false => options,
    }
}

/// Returns the size of the whole picture of files whose pictures have this size.
fn whole(state: &State, [width, height]: [u32; 2]) -> [u32; 2] {
    let width = if state.is_side_by_side() { width.saturating_mul(2) } else { width };
    [width, height]
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

/// Begins the pass into the window's surface, which has the colour of panels.
fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    view: &wgpu::TextureView,
    colors: &theme::Colors,
) -> wgpu::RenderPass<'a> {
    let [r, g, b, _] = colors.panel.to_array().map(|channel| f64::from(channel) / 255.0);
    let clear = wgpu::Color { r, g, b, a: 1.0 };
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
