//! A subject that is a crowd, drawn from all frames of its model posed once.

use std::sync::Arc;

use glam::Affine2;

use super::gpu_data::{CrowdMember, Layouts};
use super::target_options::TargetOptions;
use super::{Crowd, CrowdError, CrowdRenderer, GpuModel, UnsupportedTarget, View};
use crate::scene::{Bake, Crowded, Frame, MeshView, Subject};

/// The figures of a crowd on a device, as [`super::Instance`] is one figure. Palettes are uploaded again only for another model, orders also
/// for other changes to meshes; a frame writes 32 bytes a figure.
#[derive(Debug)]
pub struct CrowdInstance {
    renderer: CrowdRenderer,
    uploaded: Option<UploadedCrowd>,
    members: Vec<CrowdMember>,
}

#[derive(Debug)]
struct UploadedCrowd {
    one: Arc<dyn Subject>,
    changes: Vec<MeshView>,
    bake: Bake,
    crowd: Crowd,
}

impl CrowdInstance {
    /// Creates one for the passes that `target` describes. Nothing is drawn until it is prepared.
    ///
    /// # Errors
    /// [`UnsupportedTarget`], as [`CrowdRenderer::new`].
    pub fn new(device: &wgpu::Device, target: &TargetOptions) -> Result<Self, UnsupportedTarget> {
        let renderer = CrowdRenderer::new(device, target)?;
        Ok(Self { renderer, uploaded: None, members: Vec::new() })
    }

    /// Writes the figures at the moment of a frame of the crowd, with the frame's changes to meshes.
    ///
    /// # Errors
    /// [`CrowdError`]; then nothing is drawn.
    pub fn prepare(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        layouts: &Layouts,
        model: &mut GpuModel,
        crowd: &dyn Crowded,
        frame: &Frame,
    ) -> Result<(), CrowdError> {
        let is_same =
            |kept: &UploadedCrowd| Arc::ptr_eq(&kept.one, crowd.one()) && kept.crowd.is_of(model);
        let uploaded = match self.uploaded.take().filter(is_same) {
            Some(kept) => kept,
            None => {
                let (one, changes) = (Arc::clone(crowd.one()), frame.changes().to_vec());
                let bake = Bake::new(&*one, &changes, Bake::MOST_BYTES)?;
                let crowd = Crowd::new(device, queue, layouts, model, &bake)?;
                UploadedCrowd { one, changes, bake, crowd }
            }
        };
        let UploadedCrowd { one, changes, bake, crowd: uploaded } = self.uploaded.insert(uploaded);
        if changes.as_slice() != frame.changes() {
            frame.changes().clone_into(changes);
            bake.set_changes(&**one, changes);
            uploaded.set_orders(device, queue, model, bake);
        }
        self.members.clear();
        self.members.extend(crowd.figures(frame.at()).map(|(at, origin)| {
            CrowdMember::new(Affine2::from_translation(origin.into()), bake.palette_at(at))
        }));
        uploaded.prepare(device, queue, &self.members);
        Ok(())
    }

    /// Records the figures, and returns the number of draws, as [`CrowdRenderer::draw`] does.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, view: &View, model: &GpuModel) -> usize {
        let uploaded = self.uploaded.as_ref();
        uploaded.map_or(0, |it| self.renderer.draw(pass, view, model, &it.crowd))
    }

    /// Returns the number of draws of the figures as they were prepared.
    #[must_use]
    pub fn draw_count(&self) -> usize {
        self.uploaded.as_ref().map_or(0, |it| it.crowd.draw_count())
    }

    /// Returns the bytes of the palettes of all frames; at most [`Bake::MOST_BYTES`].
    #[must_use]
    pub fn palette_bytes(&self) -> usize {
        self.uploaded.as_ref().map_or(0, |it| size_of_val(it.bake.matrices()))
    }
}
