//! Many figures of one model in few draws, and those of a subject that is a crowd, drawn from all frames of its model posed once.

use std::ops::Range;
use std::sync::Arc;

use glam::Affine2;

use super::gpu_data::{CrowdMember, Layouts};
use super::model::PaletteGroup;
use super::order::DrawOrder;
use super::pipelines_and_samplers::{self as pipelines, TargetOptions};
use super::{GpuModel, UnsupportedTarget, View, gpu_data};
use crate::pose::{Affine, IDENTITY};
use crate::scene::{Bake, Crowded, Frame, MeshView, Subject};

/// Palettes that do not fit a crowd's model or its device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// The palettes are of a subject with another number of bones.
    #[error("the palettes have {of_bake} bones, but the model has {of_model}")]
    Bones {
        /// Bones of the palettes.
        of_bake: usize,
        /// Bones of the model.
        of_model: usize,
    },
    /// The frames of a subject take too much memory.
    #[error(transparent)]
    Bake(#[from] crate::scene::TooLarge),
    /// The device takes no texture of that many rows.
    #[error("the palettes take a texture of {rows} rows, but the device takes at most {most}")]
    TooLarge {
        /// Rows of 1,024 matrices.
        rows: usize,
        /// The device's limit.
        most: u32,
    },
}

/// Many figures of a model: each has a palette, a place and a tint, 32 bytes in all, and nothing of its own on the CPU.
///
/// Figures are drawn in the order in which they are given, each whole before the next. Those that follow each other in the same draw
/// order are one draw, if all meshes of the model share an image; otherwise each figure takes a draw for each run of meshes with the
/// same image.
#[derive(Debug)]
pub struct Crowd {
    model: Arc<()>,
    palettes: PaletteGroup,
    /// Number of matrices that the texture holds.
    room: usize,
    bones: usize,
    orders: Vec<Option<Arc<DrawOrder>>>,
    /// Number of the order of each palette.
    order_of: Vec<usize>,
    members: wgpu::Buffer,
    batches: Vec<Batch>,
}

/// Members that follow each other in the same order.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Batch {
    order: usize,
    members: Range<u32>,
}

impl Crowd {
    /// Creates a crowd of a model, whose members take palettes of `bake`. Nothing is drawn until it is prepared.
    ///
    /// # Errors
    /// [`CrowdError`], if the palettes cannot be of the model, or do not fit the device.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        layouts: &Layouts,
        model: &mut GpuModel,
        bake: &Bake,
    ) -> Result<Self, CrowdError> {
        let (of_bake, of_model) = (bake.bones(), model.bone_count());
        if of_bake != of_model {
            return Err(CrowdError::Bones { of_bake, of_model });
        }
        let room = bake.matrices().len();
        let [_, rows] = PaletteGroup::size(room);
        let most = device.limits().max_texture_dimension_2d;
        if rows > most as usize {
            return Err(CrowdError::TooLarge { rows, most });
        }
        let palettes = PaletteGroup::new(device, layouts, room);
        palettes.write_model(
            queue,
            &gpu_data::Model {
                world_from_model: IDENTITY,
                moving: bake.is_skinned().into(),
                palette_len: u32::try_from(bake.bones()).unwrap_or(0),
                pad: [0; 2],
            },
        );
        palettes.write_matrices(queue, bake.matrices());
        let mut crowd = Self {
            model: Arc::clone(model.identity()),
            palettes,
            room,
            bones: bake.bones(),
            orders: Vec::new(),
            order_of: Vec::new(),
            members: buffer(device, 1),
            batches: Vec::new(),
        };
        crowd.set_orders(device, queue, model, bake);
        Ok(crowd)
    }

    /// Replaces the draw orders by those of a bake of the same frames with other changes to meshes. The palettes stay; figures are to be
    /// prepared again.
    pub fn set_orders(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        model: &mut GpuModel,
        bake: &Bake,
    ) {
        self.batches.clear();
        self.orders.clear();
        self.orders.extend(bake.lists().iter().map(|list| model.order(device, queue, list)));
        self.order_of = bake.list_of().to_vec();
    }

    /// Replaces the first palettes, for figures that are blended or have bones of their own: `world_from_bind` of each bone, palette by
    /// palette. The draw orders stay.
    pub fn set_palettes(&mut self, queue: &wgpu::Queue, world_from_bind: &[Affine]) {
        let fits = world_from_bind.get(..self.room).unwrap_or(world_from_bind);
        self.palettes.write_matrices(queue, fits);
    }

    pub(super) fn is_of(&self, model: &GpuModel) -> bool {
        Arc::ptr_eq(&self.model, model.identity())
    }

    /// Returns the number of matrices of a palette.
    #[must_use]
    pub fn bones(&self) -> usize {
        self.bones
    }

    /// Returns the number of draws of the figures as they were prepared.
    #[must_use]
    pub fn draw_count(&self) -> usize {
        let draws = self.batches.iter().map(|batch| {
            let order = self.orders.get(batch.order).and_then(Option::as_ref);
            match order.map_or(0, |order| order.runs.len()) {
                1 => 1,
                runs => runs.saturating_mul(batch.members.len()),
            }
        });
        draws.sum()
    }

    /// Writes the figures, from the farthest to the nearest. One whose palette does not exist is not drawn. Allocates only while the
    /// crowd grows.
    pub fn prepare(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, members: &[CrowdMember]) {
        self.batches.clear();
        for (number, member) in (0..).zip(members) {
            let Some(order) = self.order_of.get(member.palette as usize) else { continue };
            match self.batches.last_mut() {
                Some(last) if last.order == *order && last.members.end == number => {
                    last.members.end = number + 1;
                }
                _ => self.batches.push(Batch { order: *order, members: number..number + 1 }),
            }
        }
        let bytes: &[u8] = bytemuck::cast_slice(members);
        if self.members.size() < bytes.len() as u64 {
            self.members = buffer(device, members.len().next_power_of_two());
        }
        queue.write_buffer(&self.members, 0, bytes);
    }
}

fn buffer(device: &wgpu::Device, members: usize) -> wgpu::Buffer {
    let size = (members * size_of::<CrowdMember>()) as u64;
    gpu_data::buffer(device, "Crowd::members", size, wgpu::BufferUsages::VERTEX)
}

/// Draws crowds into render passes of one kind of target.
#[derive(Debug)]
pub struct CrowdRenderer {
    pipeline: wgpu::RenderPipeline,
}

impl CrowdRenderer {
    /// Creates a renderer for the passes that `target` describes, as [`super::Renderer::new`] does.
    ///
    /// # Errors
    /// [`UnsupportedTarget`], if the device cannot draw into such a target, or characters would look wrong there.
    pub fn new(device: &wgpu::Device, target: &TargetOptions) -> Result<Self, UnsupportedTarget> {
        target.check(device)?;
        UnsupportedTarget::catch(device, || {
            let layouts = Layouts::new(device);
            Self { pipeline: pipelines::CROWD.pipeline(device, layouts.all(), target) }
        })
    }

    /// Records a crowd as it was prepared, and returns the number of draws. It sets the pipeline, bind groups 0 to 2, vertex buffers 0
    /// and 1 and the index buffer of the pass. Nothing is drawn if `model` is not the crowd's.
    pub fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        view: &View,
        model: &GpuModel,
        crowd: &Crowd,
    ) -> usize {
        let (Some(group), Some(vertices)) = (view.group(), model.vertices()) else { return 0 };
        if !crowd.is_of(model) {
            return 0;
        }
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, group, &[]);
        pass.set_bind_group(1, &crowd.palettes.group, &[]);
        pass.set_vertex_buffer(0, vertices.slice(..));
        pass.set_vertex_buffer(1, crowd.members.slice(..));
        let mut draws = 0;
        for batch in &crowd.batches {
            let Some(order) = crowd.orders.get(batch.order).and_then(Option::as_ref) else {
                continue;
            };
            let Some(indices) = &order.buffer else { continue };
            pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
            // With several images a figure must be whole before the next one begins.
            let step = if order.runs.len() == 1 { batch.members.len() } else { 1 };
            for first in batch.members.clone().step_by(step) {
                let end = (first as usize + step).min(batch.members.end as usize);
                let members = first..u32::try_from(end).unwrap_or(first);
                for run in &order.runs {
                    if let Some(texture) = model.image_group(run.image) {
                        pass.set_bind_group(2, texture, &[]);
                        pass.draw_indexed(run.indices.clone(), 0, members.clone());
                        draws += 1;
                    }
                }
            }
        }
        draws
    }
}

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
