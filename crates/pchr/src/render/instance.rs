//! One figure: a model in a pose, at a place, in its own colours, with looks of its parts.

use std::ops::Range;
use std::sync::Arc;

use glam::Affine2;

use super::gpu_data::{self, Layouts};
use super::model::Palette;
use super::order::{DrawOrder, IndexRun, OrderPiece};
use super::{GpuImage, GpuModel};
use crate::document::MeshId;
use crate::pose::{Affine, IDENTITY, Pose, from_affine2};
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
    order: Option<Arc<DrawOrder>>,
    looks: PartLooks,
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
            looks: PartLooks::new(device),
        }
    }

    /// Places it in the world, from the next [`Self::prepare`] or [`Self::refresh`] on. With numbers that are not finite nothing is drawn.
    pub fn set_placement(&mut self, world_from_model: Affine2) {
        self.placement = from_affine2(&world_from_model);
    }

    /// Sets the factors of red, green, blue and opacity, 1.0 for no change and up to 255, from the next [`Self::prepare`] or [`Self::refresh`] on. Colours are multiplied as they
    /// are sRGB-encoded; ones leave every bit as it is. Each mesh is faded by itself, so where meshes overlap the one below shows through.
    ///
    /// Above 1, colours may exceed their opacity, so soft edges and shadows become brighter than what they belong to. Negative factors and
    /// NaN count as 0.
    pub fn set_tint(&mut self, tint: [f32; 4]) {
        let tint = tint.map(within);
        self.looks.split &= tint == self.looks.tint;
        self.looks.tint = tint;
    }

    /// Sets the looks of a mesh, from the next [`Self::prepare`] or [`Self::refresh`] on. The default look is the model's.
    pub fn set_part(&mut self, mesh: MeshId, look: PartLook) {
        if self.part(mesh).map_or(look == PartLook::default(), |is| *is == look) {
            return;
        }
        let PartLooks { parts, split, .. } = &mut self.looks;
        *split = false;
        let most = parts.len().max(mesh.index() + 1);
        parts.resize_with(most, PartLook::default);
        if let Some(part) = parts.get_mut(mesh.index()) {
            *part = look;
        }
        let plain = PartLook::default();
        while parts.last() == Some(&plain) {
            parts.pop();
        }
    }

    /// Returns the looks of a mesh.
    #[must_use]
    pub fn part(&self, mesh: MeshId) -> Option<&PartLook> {
        self.looks.parts.get(mesh.index())
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
        let checked =
            if self.is_of(model) { model.check(list, pose) } else { Err(WrongSubject::Model) };
        if checked.is_err() {
            self.order = None;
            return checked;
        }
        self.palette.write(queue, pose, self.placement);
        if self.order.as_ref().is_none_or(|order| *order.draws != *list.draws()) {
            self.order = model.order(device, queue, list);
            self.looks.split &= self.looks.parts.is_empty();
        }
        self.looks.write(device, queue, self.order.as_deref());
        Ok(())
    }

    /// Writes what changed of place, tint and parts; pose and order stay as they were prepared.
    pub fn refresh(&mut self, device: &wgpu::Device, queue: &wgpu::Queue) {
        self.palette.place(queue, self.placement);
        self.looks.write(device, queue, self.order.as_deref());
    }

    /// Returns true if the instance was made for `model`; otherwise it is not drawn.
    #[must_use]
    pub fn is_of(&self, model: &GpuModel) -> bool {
        Arc::ptr_eq(&self.model, model.identity())
    }

    /// Returns bind group 1, as last written.
    #[must_use]
    pub fn group(&self) -> &wgpu::BindGroup {
        &self.palette.on_gpu.group
    }

    /// Returns the texture of the palette: two `Rgba32Float` texels per bone, [`super::gpu_data::BONES_PER_ROW`] bones per row.
    #[must_use]
    pub fn palette(&self) -> &wgpu::TextureView {
        &self.palette.on_gpu.view
    }

    /// Returns the indices of the order that was last prepared, as `u32`, counted from the first vertex of the model; `None` if nothing is
    /// drawn. Other instances may share the buffer.
    #[must_use]
    pub fn indices(&self) -> Option<&wgpu::Buffer> {
        self.order.as_ref()?.buffer.as_ref()
    }

    /// Returns the tints of its runs ([`super::gpu_data::TINT_LAYOUT`]).
    #[must_use]
    pub fn tints(&self) -> &wgpu::Buffer {
        &self.looks.buffer
    }

    /// Returns the runs of the order that was last prepared, back to front; none if `model` is another's.
    pub fn runs<'a>(&'a self, model: &'a GpuModel) -> impl Iterator<Item = DrawRun<'a>> {
        let order = self.order.as_ref().filter(|_| self.is_of(model));
        let runs = order.map(|order| if self.looks.plain { &order.runs } else { &self.looks.runs });
        runs.into_iter().flatten().filter_map(|run| {
            let texture = run.texture.as_ref().or_else(|| model.image_group(run.image))?;
            Some(DrawRun { indices: run.indices.clone(), texture, tint: run.tint })
        })
    }
}

/// Factors that change nothing.
const ONES: [f32; 4] = [1.0; 4];

/// Largest factor.
const MOST: f32 = 255.0;

/// Looks of one mesh of an instance.
#[derive(Clone, Debug, PartialEq)]
pub struct PartLook {
    /// Factors of red, green, blue and opacity, beside the instance's.
    pub tint: [f32; 4],
    /// Texture that replaces the model's; `None` keeps the model's.
    pub texture: Option<GpuImage>,
}

/// Returns a factor from 0 to 255, and 0 if it is not a number. A negative colour times a negative opacity would add light where
/// nothing is drawn.
fn within(factor: f32) -> f32 {
    if factor > 0.0 { factor.min(MOST) } else { 0.0 }
}

impl Default for PartLook {
    fn default() -> Self {
        Self { tint: ONES, texture: None }
    }
}

/// Tints and textures of an instance.
#[derive(Debug)]
struct PartLooks {
    tint: [f32; 4],
    /// By mesh; those that are missing are as the model has them.
    parts: Vec<PartLook>,
    /// True if the order's runs are drawn, as no part has looks of its own.
    plain: bool,
    runs: Vec<IndexRun>,
    /// Factors by run; the first are the instance's.
    rows: Vec<[f32; 4]>,
    /// False if runs, rows and buffer no longer match the parts and the order.
    split: bool,
    buffer: wgpu::Buffer,
}

impl PartLooks {
    fn new(device: &wgpu::Device) -> Self {
        Self {
            tint: ONES,
            parts: Vec::new(),
            plain: true,
            runs: Vec::new(),
            rows: Vec::new(),
            split: false,
            buffer: buffer(device, 1),
        }
    }

    /// Splits the order, and writes the tints, if either changed.
    fn write(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, order: Option<&DrawOrder>) {
        if self.split {
            return;
        }
        self.split = true;
        self.runs.clear();
        self.rows.clear();
        self.rows.push(self.tint);
        self.plain = self.parts.is_empty();
        if let Some(order) = order.filter(|_| !self.plain) {
            order.pieces.iter().for_each(|piece| self.add(piece));
        }
        let bytes: &[u8] = bytemuck::cast_slice(&self.rows);
        if self.buffer.size() < bytes.len() as u64 {
            self.buffer = buffer(device, self.rows.len().next_power_of_two());
        }
        queue.write_buffer(&self.buffer, 0, bytes);
    }

    fn add(&mut self, piece: &OrderPiece) {
        let look = self.parts.get(piece.mesh.index());
        let own = look.and_then(|look| look.texture.as_ref());
        let texture = own.map(|image| image.group().clone());
        let tint = look.map_or(ONES, |look| look.tint);
        let tint = self.row(tint);
        let joins = self.runs.last().is_some_and(|run| {
            let same = run.image == piece.image || texture.is_some();
            run.tint == tint && run.texture == texture && same
        });
        match self.runs.last_mut().filter(|_| joins) {
            Some(run) => run.indices.end = piece.indices.end,
            None => self.runs.push(IndexRun {
                image: piece.image,
                texture,
                tint,
                indices: piece.indices.clone(),
            }),
        }
    }

    /// Returns the number of the instance's factors times those of a part. Only the first and the last are looked at, as there may be many.
    fn row(&mut self, [r, g, b, a]: [f32; 4]) -> u32 {
        let [of_r, of_g, of_b, of_a] = self.tint;
        let row = [of_r * r, of_g * g, of_b * b, of_a * a].map(within);
        let number = if row == self.tint {
            0
        } else {
            if self.rows.last() != Some(&row) {
                self.rows.push(row);
            }
            self.rows.len() - 1
        };
        u32::try_from(number).unwrap_or(0)
    }
}

fn buffer(device: &wgpu::Device, rows: usize) -> wgpu::Buffer {
    let size = (rows * size_of::<[f32; 4]>()) as u64;
    gpu_data::buffer(device, "Instance::tints", size, wgpu::BufferUsages::VERTEX)
}
