//! One figure: a model in a pose, at a place, in its own colours.

use std::ops::Range;
use std::sync::Arc;

use glam::Affine2;

use super::looks::{Looks, PartLook};
use super::order::DrawOrder;
use super::palette::Palette;
use super::{GpuModel, Layouts};
use crate::document::MeshId;
use crate::pose::{Affine, IDENTITY, Pose};
use crate::scene::{DrawList, WrongSubject};

/// A model in a pose, at a place, in its own colours and textures. Any number of them share a [`GpuModel`].
///
/// [`Self::prepare`] writes what changed, and [`super::Renderer::draw`] records it. Both renderers take which meshes are visible, and in which
/// order, from the [`DrawList`]: [`crate::scene::ViewOptions`] changes it for one figure.
#[derive(Debug)]
pub struct Instance {
    model: Arc<()>,
    palette: Palette,
    placement: Affine,
    order: Option<DrawOrder>,
    looks: Looks,
}

/// Triangles that are drawn with one texture and one tint.
#[derive(Clone, Debug)]
pub struct DrawRun<'a> {
    /// Range in [`Instance::indices`].
    pub indices: Range<u32>,
    /// Group 2: the texture.
    pub texture: &'a wgpu::BindGroup,
    /// Number of the tint in [`Instance::tints`], to be drawn as that instance.
    pub tint: u32,
}

impl Instance {
    /// Creates an instance of a model. It is drawn once it is prepared.
    #[must_use]
    pub fn new(device: &wgpu::Device, layouts: &Layouts, model: &GpuModel) -> Self {
        Self {
            model: Arc::clone(model.identity()),
            palette: Palette::new(device, layouts, model.bone_count()),
            placement: IDENTITY,
            order: None,
            looks: Looks::new(device),
        }
    }

    /// Places it in the world, from the next [`Self::prepare`] or [`Self::refresh`] on. With numbers that are not finite nothing is drawn.
    pub fn set_placement(&mut self, world_from_model: Affine2) {
        let [[a, b], [c, d]] = world_from_model.matrix2.to_cols_array_2d();
        let [x, y] = world_from_model.translation.to_array();
        self.placement = [[a, c, x, 0.0], [b, d, y, 0.0]];
    }

    /// Sets the factors of red, green, blue and opacity, 1.0 for no change and up to 255, from the next [`Self::prepare`] or [`Self::refresh`] on. Colours are multiplied as they
    /// are sRGB-encoded; ones leave every bit as it is. Each mesh is faded by itself, so where meshes overlap the one below shows through.
    ///
    /// Above 1, colours may exceed their opacity, so soft edges and shadows become brighter than what they belong to. Negative factors and
    /// NaN count as 0.
    pub fn set_tint(&mut self, tint: [f32; 4]) {
        self.looks.set_tint(tint);
    }

    /// Sets the looks of a mesh, from the next [`Self::prepare`] or [`Self::refresh`] on. The default look is the model's.
    pub fn set_part(&mut self, mesh: MeshId, look: PartLook) {
        self.looks.set_part(mesh, look);
    }

    /// Returns the looks of a mesh.
    #[must_use]
    pub fn part(&self, mesh: MeshId) -> Option<&PartLook> {
        self.looks.part(mesh)
    }

    /// Writes a pose and an order, and what else changed. Records nothing. `model` is the one that it was made for; it keeps the draw
    /// orders that its instances share, and so is changed when a new one is seen.
    ///
    /// Passes that are recorded and not submitted yet are drawn in the new pose.
    ///
    /// # Errors
    /// [`WrongSubject`], if `model` is another's, or list and pose cannot be of its subject. Then nothing is drawn until it is
    /// prepared again.
    pub fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        model: &mut GpuModel,
        list: &DrawList,
        pose: &Pose,
    ) -> Result<(), WrongSubject> {
        let checked = if self.is_of(model) {
            model.check(list, pose)
        } else {
            Err(WrongSubject::Model)
        };
        if checked.is_err() {
            self.order = None;
            return checked;
        }
        self.palette.write(queue, pose, self.placement);
        let same = |order: &DrawOrder| order.is_of(list.draws());
        if !self.order.as_ref().is_some_and(same) {
            self.order = model.order(device, queue, list);
            self.looks.set_order();
        }
        self.looks.write(device, queue, self.order.as_ref());
        Ok(())
    }

    /// Writes what changed of place, tint and parts; pose and order stay as they were prepared.
    pub fn refresh(&mut self, device: &wgpu::Device, queue: &wgpu::Queue) {
        self.palette.place(queue, self.placement);
        self.looks.write(device, queue, self.order.as_ref());
    }

    /// Returns true if the instance was made for `model`; otherwise it is not drawn.
    #[must_use]
    pub fn is_of(&self, model: &GpuModel) -> bool {
        Arc::ptr_eq(&self.model, model.identity())
    }

    /// Returns bind group 1, as last written.
    #[must_use]
    pub fn group(&self) -> &wgpu::BindGroup {
        self.palette.group()
    }

    /// Returns the texture of the palette: two `Rgba32Float` texels per bone, [`super::gpu_data::BONES_PER_ROW`] bones per row.
    #[must_use]
    pub fn palette(&self) -> &wgpu::TextureView {
        self.palette.view()
    }

    /// Returns the indices of the order that was last prepared, as `u32`, counted from the first vertex of the model; `None` if nothing is
    /// drawn. Other instances may share the buffer.
    #[must_use]
    pub fn indices(&self) -> Option<&wgpu::Buffer> {
        self.order.as_ref()?.buffer()
    }

    /// Returns the tints of its runs ([`super::gpu_data::TINT_LAYOUT`]).
    #[must_use]
    pub fn tints(&self) -> &wgpu::Buffer {
        self.looks.tints()
    }

    /// Returns the runs of the order that was last prepared, back to front; none if `model` is another's.
    pub fn runs<'a>(&'a self, model: &'a GpuModel) -> impl Iterator<Item = DrawRun<'a>> {
        let order = self.order.as_ref().filter(|_| self.is_of(model));
        let runs = order.map(|order| self.looks.runs(order));
        runs.into_iter().flatten().filter_map(|run| {
            let texture = run.texture.or_else(|| model.image_group(run.image))?;
            Some(DrawRun {
                indices: run.indices,
                texture,
                tint: run.tint,
            })
        })
    }
}
