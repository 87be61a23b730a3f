//! Ghosts of the frames before and after, under the window's picture.

use pchr::overlay::Onion;
use pchr::render::{GhostLayers, Gpu, Renderer, View};
use pchr::scene::{Frame, Ghost, Picture, TooMuchWork, ViewOptions, WorkJob};

use super::picture_target::SAMPLES;
use super::upload::OnGpu;
use crate::viewer::model::Model;

/// The ghosts of a picture. Nothing is kept while there are none.
#[derive(Debug, Default)]
pub(crate) struct Ghosts {
    list: Vec<Ghost>,
    frame: Frame,
    layers: Option<GhostLayers>,
    /// Scratch memory for counting work.
    points: Vec<[f32; 2]>,
}

impl Ghosts {
    /// Checks the work of the current frame beside its ghosts, and of each ghost, and draws those into their layers.
    ///
    /// # Errors
    /// [`TooMuchWork`]; then nothing is to be drawn.
    pub(crate) fn draw(
        &mut self,
        gpu: &Gpu,
        (renderer, of_picture): (&Renderer, &View),
        (model, on_gpu): (&Model, &mut OnGpu),
        (view, picture): (&ViewOptions, &Picture),
        onion: Onion,
    ) -> Result<(), TooMuchWork> {
        let subject = model.subject();
        onion.ghosts(subject, model.frame().at(), &mut self.list);
        if self.list.is_empty() {
            self.layers = None;
        }
        let Self {
            list,
            frame,
            layers,
            points,
        } = self;
        let frames = u32::try_from(list.len()).unwrap_or(u32::MAX);
        let frames = frames.saturating_add(1);
        let mut check = |frame: &Frame| {
            let job = WorkJob {
                geometry: subject,
                frame,
                camera: &picture.camera,
                size: picture.size,
                frames,
            };
            job.run(points)
        };
        check(model.frame())?;
        if list.is_empty() {
            return Ok(());
        }
        let layers = match layers {
            Some(layers) if layers.size() == picture.size => layers,
            _ => layers.insert(GhostLayers::new(&gpu.device, picture.size, SAMPLES)),
        };
        layers.clear(picture.clear);
        for ghost in list {
            frame.fill(subject, Some(ghost.at), view);
            check(frame)?;
            on_gpu.prepare(gpu, frame);
            layers.add(&gpu.device, &gpu.queue, ghost.tint, |pass| {
                renderer.draw(pass, of_picture, &on_gpu.model, &on_gpu.instance);
            });
        }
        Ok(())
    }

    /// Records the ghosts, first in the picture's pass.
    pub(crate) fn record(&self, pass: &mut wgpu::RenderPass<'_>) {
        if let Some(layers) = &self.layers {
            layers.draw(pass);
        }
    }
}
