//! A view of the world, and looks of parts.

use std::ops::Range;

use glam::Mat4;

use super::gpu_data::Layouts;
use super::instance::{DrawOrder, OrderPiece};
use super::{GpuImage, gpu_data, pipelines};
use crate::document::{ImageId, MeshId};
use crate::scene::{Filter, Picture};

/// A view of the world: its projection, and how texels are read. Any number of them may be drawn from in one submission.
///
/// Passes that are recorded and not submitted yet are drawn as it was set last. Until a view is set it shows nothing.
#[derive(Debug)]
pub struct View {
    layout: wgpu::BindGroupLayout,
    frame: wgpu::Buffer,
    /// Contents of `frame`.
    written: Option<gpu_data::Frame>,
    /// Group 0 for each sampler, created on first use.
    groups: [Option<wgpu::BindGroup>; 4],
    way: usize,
}

impl View {
    /// Creates a view that reads texels bilinearly, without smaller copies.
    #[must_use]
    pub fn new(device: &wgpu::Device, layouts: &Layouts) -> Self {
        let frame = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("View::frame"),
            size: size_of::<gpu_data::Frame>() as wgpu::BufferAddress,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut view = Self {
            layout: layouts.frame.clone(),
            frame,
            written: None,
            groups: [const { None }; 4],
            way: 0,
        };
        view.set_sampling(device, Filter::Linear, false);
        view
    }

    /// Sets any projection; where it gives numbers that are not finite, nothing is drawn. The world's plane is `z = 0` in the input of `clip_from_world`, and depths are 0 to 1. The world's y is as the
    /// characters were authored, up unless the file says otherwise.
    pub fn set_matrix(&mut self, queue: &wgpu::Queue, clip_from_world: Mat4) {
        self.write(queue, gpu_data::Frame::of_matrix(clip_from_world));
    }

    /// Sets the projection and the filter of a picture, exactly as captures have them. [`Picture::size`] is the viewport's size in physical
    /// pixels; a picture without an area shows nothing. [`Picture::clear`] is not used: the pass clears.
    pub fn set_picture(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, picture: &Picture) {
        self.write(queue, gpu_data::Frame::new(picture));
        self.set_sampling(device, picture.filter, picture.mipmaps);
    }

    /// Sets the projection of a target's pixels, for positions in screen pixels.
    pub(super) fn set_screen(&mut self, queue: &wgpu::Queue, size: [u32; 2]) {
        self.write(queue, gpu_data::Frame::of_screen(size));
    }

    /// Sets how texels are read. Smaller copies are used if the images were uploaded with them, and not with [`Filter::Nearest`].
    pub fn set_sampling(&mut self, device: &wgpu::Device, filter: Filter, mipmaps: bool) {
        self.way = match filter {
            Filter::Linear => 0,
            Filter::Nearest => 2,
        } + usize::from(mipmaps);
        if let Some(group) = self.groups.get_mut(self.way) {
            group.get_or_insert_with(|| {
                let sampler = pipelines::sampler(device, filter, mipmaps);
                device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: Some("View::group"),
                    layout: &self.layout,
                    entries: &[
                        wgpu::BindGroupEntry {
                            binding: 0,
                            resource: self.frame.as_entire_binding(),
                        },
                        wgpu::BindGroupEntry {
                            binding: 1,
                            resource: wgpu::BindingResource::Sampler(&sampler),
                        },
                    ],
                })
            });
        }
    }

    /// Returns bind group 0, as last set.
    #[must_use]
    pub fn group(&self) -> Option<&wgpu::BindGroup> {
        self.groups.get(self.way)?.as_ref()
    }

    fn write(&mut self, queue: &wgpu::Queue, frame: gpu_data::Frame) {
        if self.written != Some(frame) {
            self.written = Some(frame);
            queue.write_buffer(&self.frame, 0, bytemuck::bytes_of(&frame));
        }
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
        Self {
            tint: ONES,
            texture: None,
        }
    }
}

/// Triangles that are drawn with one texture and one tint.
#[derive(Debug)]
struct OwnRun {
    image: ImageId,
    /// Group 2 of a texture instead of the image.
    texture: Option<wgpu::BindGroup>,
    tint: u32,
    indices: Range<u32>,
}

/// A run of an instance: an image of the model, or the texture instead of it.
#[derive(Debug)]
pub(super) struct LookRun<'a> {
    pub(super) image: ImageId,
    pub(super) texture: Option<&'a wgpu::BindGroup>,
    pub(super) tint: u32,
    pub(super) indices: Range<u32>,
}

/// Tints and textures of an instance.
#[derive(Debug)]
pub(super) struct PartLooks {
    tint: [f32; 4],
    /// By mesh; those that are missing are as the model has them.
    parts: Vec<PartLook>,
    /// True if the order's runs are drawn, as no part has looks of its own.
    plain: bool,
    runs: Vec<OwnRun>,
    /// Factors by run; the first are the instance's.
    rows: Vec<[f32; 4]>,
    /// False if runs and rows no longer match the parts and the order.
    split: bool,
    /// False if the buffer does not hold the rows.
    written: bool,
    buffer: wgpu::Buffer,
}

impl PartLooks {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        Self {
            tint: ONES,
            parts: Vec::new(),
            plain: true,
            runs: Vec::new(),
            rows: Vec::new(),
            split: false,
            written: false,
            buffer: buffer(device, 1),
        }
    }

    pub(super) fn set_tint(&mut self, tint: [f32; 4]) {
        let tint = tint.map(within);
        self.split &= tint == self.tint;
        self.tint = tint;
    }

    pub(super) fn set_part(&mut self, mesh: MeshId, look: PartLook) {
        if self
            .part(mesh)
            .map_or(look == PartLook::default(), |is| *is == look)
        {
            return;
        }
        self.split = false;
        let most = self.parts.len().max(mesh.index() + 1);
        self.parts.resize_with(most, PartLook::default);
        if let Some(part) = self.parts.get_mut(mesh.index()) {
            *part = look;
        }
        let plain = PartLook::default();
        while self.parts.last() == Some(&plain) {
            self.parts.pop();
        }
    }

    pub(super) fn part(&self, mesh: MeshId) -> Option<&PartLook> {
        self.parts.get(mesh.index())
    }

    /// Notes that there is another order.
    pub(super) fn set_order(&mut self) {
        self.split &= self.parts.is_empty();
    }

    pub(super) fn tints(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// Splits the order, and writes the tints, if either changed.
    pub(super) fn write(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        order: Option<&DrawOrder>,
    ) {
        if !self.split {
            self.split = true;
            self.written = false;
            self.runs.clear();
            self.rows.clear();
            self.rows.push(self.tint);
            self.plain = self.parts.is_empty();
            if !self.plain {
                let pieces = order.map(DrawOrder::pieces).unwrap_or_default();
                pieces.iter().for_each(|piece| self.add(piece));
            }
        }
        if !self.written {
            self.written = true;
            let bytes: &[u8] = bytemuck::cast_slice(&self.rows);
            if self.buffer.size() < bytes.len() as u64 {
                self.buffer = buffer(device, self.rows.len().next_power_of_two());
            }
            queue.write_buffer(&self.buffer, 0, bytes);
        }
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
            None => self.runs.push(OwnRun {
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

    /// Returns the runs of the order that was last written.
    pub(super) fn runs<'a>(&'a self, order: &'a DrawOrder) -> impl Iterator<Item = LookRun<'a>> {
        let (plain, own) = if self.plain {
            (order.runs(), [].as_slice())
        } else {
            ([].as_slice(), self.runs.as_slice())
        };
        let plain = plain.iter().map(|run| LookRun {
            image: run.image,
            texture: None,
            tint: 0,
            indices: run.indices.clone(),
        });
        let own = own.iter().map(|run| LookRun {
            image: run.image,
            texture: run.texture.as_ref(),
            tint: run.tint,
            indices: run.indices.clone(),
        });
        plain.chain(own)
    }
}

fn buffer(device: &wgpu::Device, rows: usize) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("Instance::tints"),
        size: (rows * size_of::<[f32; 4]>()) as wgpu::BufferAddress,
        usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}
