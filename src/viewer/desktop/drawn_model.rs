//! A model with its ghosts and overlays, drawn into a texture of its own: the open file, or the one that it is compared with.

use std::sync::Arc;
use std::time::{Duration, Instant};

use winit::window::Window;

use pchr::overlay::{
    Layer, Letters, OverlayJob, OverlayOptions, OverlayScratch, atlas, tint_ghosts,
};
use pchr::raster::{LayerCounter, LayerCounts};
use pchr::render::{
    CrowdInstance, Gpu, GpuTimer, OffscreenTarget, OverlayRenderer, PictureTexture, Renderer, View,
};
use pchr::scene::{Camera, Frame, Overlay, Picture, Subject, ViewOptions};
use pchr_tools::typeface::{Fonts, WrittenNames};

use super::events::ViewerError;
use super::uploads_and_targets::{Ghosts, OnGpu, SAMPLES, Uploader};
use crate::viewer::model::Model;
use crate::viewer::panels::PictureCosts;
use crate::viewer::problem::Problem;

/// A picture of a model.
#[derive(Clone, Copy)]
pub(crate) struct ModelPicture<'a> {
    /// `None` draws nothing.
    pub model: Option<&'a Model>,
    pub view: &'a ViewOptions,
    /// Size and colours.
    pub picture: Picture,
    pub camera: Camera,
    pub overlays: OverlayOptions,
}

/// Returns the problem of a crowd that cannot be drawn.
fn no_figures(error: &dyn std::error::Error) -> Problem {
    Problem::new("This file cannot be shown as several figures", error.to_string())
}

/// The values that decide how the picture looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Looks {
    /// [`crate::viewer::state::State::revision`].
    pub revision: u64,
    /// Screen pixels per logical pixel.
    pub scale: u32,
    /// True if a reference lies behind it.
    pub behind: bool,
    /// True if overlays are drawn for a light background.
    pub light: bool,
    /// True if its costs are measured.
    pub measured: bool,
}

/// The GPU side of a model.
pub(crate) struct DrawnModel {
    pub uploader: Uploader,
    view: View,
    /// Texture of the last picture.
    pub texture: Option<PictureTexture>,
    /// Made when they are first drawn.
    overlays: Option<OverlayRenderer>,
    overlay: Overlay,
    scratch: OverlayScratch,
    names: NameLetters,
    /// Colours of ghosts on the overlays' atlas.
    tints: [[u8; 3]; 3],
    ghosts: Ghosts,
    /// The figures, once the model is shown as several.
    crowd: Option<CrowdInstance>,
    /// The picture as drawn; `None` to draw it again.
    pub drawn: Option<Looks>,
    /// Title of the problem that the picture stays empty because of.
    fault: Option<String>,
    pub meter: Meter,
}

/// Measures pictures, reusing its memory.
#[derive(Default)]
pub(crate) struct Meter {
    frame: Frame,
    counter: LayerCounter,
    /// Costs of the last picture, if they were measured.
    pub costs: Option<PictureCosts>,
}

impl Meter {
    /// Measures a picture that was prepared and recorded in these times. It is posed again, as it was when the state changed.
    fn measure(
        &mut self,
        shot: &ModelPicture<'_>,
        crowd: Option<&CrowdInstance>,
        [prepare, draw]: [Duration; 2],
    ) {
        let Some(model) = shot.model else {
            self.costs = None;
            return;
        };
        let (subject, (at, mix)) = (model.subject(), model.moment());
        let start = Instant::now();
        self.frame.fill_pose(subject, at, mix, shot.view);
        let pose = start.elapsed();
        self.frame.fill_order(subject, shot.view);
        let order = start.elapsed().saturating_sub(pose);
        let layers = self.counter.count(subject, model.frame(), &shot.picture, 1);
        let run_count = || self.frame.list().run_count();
        self.costs = Some(PictureCosts {
            draws: crowd.map_or_else(run_count, CrowdInstance::draw_count),
            palette_bytes: crowd.map(CrowdInstance::palette_bytes),
            stages: [pose, order, prepare, draw].map(|time| time.as_secs_f64() * 1e3),
            overdraw: layers.ok().map(LayerCounts::overdraw),
        });
    }
}

impl DrawnModel {
    /// Starts the upload thread.
    ///
    /// # Errors
    /// [`ViewerError`] if the device or the system refuses it.
    pub(crate) fn new(
        gpu: &Gpu,
        renderer: &Renderer,
        window: &Arc<Window>,
    ) -> Result<Self, ViewerError> {
        Ok(Self {
            uploader: Uploader::new(gpu, renderer.layouts(), window)?,
            view: View::new(&gpu.device, renderer.layouts()),
            texture: None,
            overlays: None,
            overlay: Overlay::default(),
            scratch: OverlayScratch::default(),
            names: NameLetters::default(),
            tints: OverlayOptions::NOTHING.tints(),
            ghosts: Ghosts::default(),
            crowd: None,
            drawn: None,
            fault: None,
            meter: Meter::default(),
        })
    }

    /// Sends new data of the model to the GPU, and takes what has arrived there.
    pub(crate) fn update(&mut self, model: &Model) {
        if self.uploader.update(model) {
            self.drawn = None;
        }
    }

    pub(crate) fn is_ready(&self, model: Option<&Model>) -> bool {
        let both = model.zip(self.uploader.model.as_ref());
        both.is_some_and(|(model, (serial, _))| model.serial() == *serial)
    }

    /// Makes the texture as large as the picture. Returns true if it is another one than before.
    pub(crate) fn resize(&mut self, gpu: &Gpu, size: [u32; 2]) -> bool {
        let is_other = self.texture.as_ref().map(PictureTexture::size) != Some(size);
        if is_other {
            self.texture = Some(PictureTexture::new(gpu, size, SAMPLES));
            self.drawn = None;
        }
        is_other
    }

    /// Draws a picture into the texture if it may have changed. `shot` makes it.
    ///
    /// # Errors
    /// [`Problem`] when that first leaves the picture empty.
    pub(crate) fn draw<'a>(
        &mut self,
        (gpu, renderer): (&Gpu, &Renderer),
        encoder: &mut wgpu::CommandEncoder,
        timer: Option<&mut GpuTimer>,
        looks: Looks,
        shot: &ModelPicture<'a>,
    ) -> Result<(), Problem> {
        if self.drawn == Some(looks) {
            return Ok(());
        }
        // A picture without a model is ready at once.
        let ready = shot.model.is_none() || self.is_ready(shot.model);
        if !ready && self.drawn.is_some() {
            return Ok(()); // until the new model is uploaded the picture stays as it is
        }
        self.drawn = Some(looks).filter(|_| ready);
        let start = Instant::now();
        let checked = self.prepare((gpu, renderer), shot);
        let prepared = start.elapsed();
        let ready = ready && shot.model.is_some() && checked.is_ok();
        if let Some(target) = &self.texture {
            // A reference lies between the colour of the background and the character.
            let clear = if looks.behind { [0; 4] } else { shot.picture.clear };
            target.draw(encoder, clear, timer, |pass| self.record(renderer, pass, ready));
        }
        if looks.measured {
            let drawn = start.elapsed().saturating_sub(prepared);
            self.meter.measure(shot, self.crowd.as_ref(), [prepared, drawn]);
        }
        let fault = checked.as_ref().err().map(|problem| problem.title.clone());
        let is_known = self.fault == fault;
        self.fault = fault;
        if is_known { Ok(()) } else { checked }
    }

    /// Prepares the model, its ghosts and its overlays for drawing.
    ///
    /// # Errors
    /// [`Problem`] if the picture cannot be drawn.
    pub(crate) fn prepare(
        &mut self,
        (gpu, renderer): (&Gpu, &Renderer),
        shot: &ModelPicture<'_>,
    ) -> Result<(), Problem> {
        let Gpu { device, queue, .. } = gpu;
        let ModelPicture { view, picture, camera, overlays: options, .. } = shot;
        self.overlay.clear();
        let mut checked = Ok(());
        if let Some((model, (serial, uploaded))) = shot.model.zip(self.uploader.model.as_mut())
            && model.serial() == *serial
        {
            self.view.set_picture(device, queue, picture);
            let ghosts = self.ghosts.draw(
                gpu,
                (renderer, &self.view),
                (model, uploaded),
                (view, picture),
                options,
            );
            checked = ghosts.map_err(|error| {
                Problem::new("This view would take too long to draw", error.to_string())
            });
            let frame = model.frame();
            match model.subject().crowd() {
                None => {
                    uploaded.prepare(gpu, frame);
                    self.crowd = None;
                }
                Some(figures) if checked.is_ok() => {
                    let target = OffscreenTarget::options(SAMPLES);
                    let crowd = match self.crowd.take() {
                        Some(crowd) => Ok(crowd),
                        None => CrowdInstance::new(device, &target),
                    };
                    checked = crowd.map_err(|error| no_figures(&error)).and_then(|crowd| {
                        let crowd = self.crowd.insert(crowd);
                        let (on, layouts) = ((device, queue), renderer.layouts());
                        let prepared =
                            crowd.prepare(on, layouts, &mut uploaded.model, figures, frame);
                        prepared.map_err(|error| no_figures(&error))
                    });
                }
                Some(_) => {}
            }
            // Bones that move in space are always drawn by the overlay.
            if !options.is_empty() || camera.orbit().is_some() {
                let tints = options.tints();
                let named = self.names.update(model.subject(), *serial, options);
                let is_new = self.overlays.is_none();
                if is_new || named || self.tints != tints {
                    self.tints = tints;
                    let letters = self.names.letters();
                    let mut atlas = letters.map_or_else(atlas, |letters| letters.atlas().clone());
                    tint_ghosts(&mut atlas, tints);
                    match &mut self.overlays {
                        Some(overlays) => overlays.set_atlas(device, queue, &atlas),
                        None => {
                            let target = OffscreenTarget::options(SAMPLES);
                            let made = OverlayRenderer::new(device, queue, &atlas, &target);
                            debug_assert!(
                                made.is_ok(),
                                "{made:?}: characters are drawn into the same target"
                            );
                            self.overlays = made.ok();
                        }
                    }
                }
                let job = OverlayJob {
                    subject: model.subject(),
                    frame,
                    camera: *camera,
                    size: picture.size,
                    options,
                    letters: self.names.letters(),
                };
                job.run(&mut self.scratch, &mut self.overlay);
            }
        }
        if let Some(overlays) = &mut self.overlays {
            overlays.prepare(device, queue, &self.overlay, picture);
        }
        checked
    }

    /// Records the model and its overlays.
    pub(crate) fn record(&self, renderer: &Renderer, pass: &mut wgpu::RenderPass<'_>, ready: bool) {
        if let Some((_, on_gpu)) = self.uploader.model.as_ref().filter(|_| ready) {
            self.ghosts.record(pass);
            if let Some(overlays) = &self.overlays {
                overlays.draw_behind(pass);
            }
            let OnGpu { model, instance } = on_gpu;
            match &self.crowd {
                _ if self.overlay.hides_meshes() => {}
                Some(crowd) => {
                    crowd.draw(pass, &self.view, model);
                }
                None => renderer.draw(pass, &self.view, model, instance),
            }
            if let Some(overlays) = &self.overlays {
                overlays.draw(pass, model);
            }
        }
    }
}

/// Names of the current subject, in the system's fonts.
#[derive(Debug, Default)]
struct NameLetters {
    fonts: Fonts,
    /// Everything that they depend on: the model's serial number, a light background, and the scale.
    of: Option<(u64, bool, u32)>,
    written: Option<WrittenNames>,
}

impl NameLetters {
    /// Writes the names of a model whose serial number is given, if they are wanted and others than before. Returns true if the atlas
    /// is another one now.
    fn update(&mut self, subject: &dyn Subject, serial: u64, options: &OverlayOptions) -> bool {
        let of = (serial, options.light, options.scale);
        if !options.has(Layer::Names) || self.of == Some(of) {
            return false;
        }
        self.of = Some(of);
        let before = self.written.is_some();
        // Of the fonts of the machine none is refused.
        self.written = WrittenNames::new(subject, options, &mut self.fonts).unwrap_or_default();
        before || self.written.is_some()
    }

    /// The names, if there are any.
    fn letters(&self) -> Option<&Letters> {
        self.written.as_ref().map(|written| &written.letters)
    }
}
