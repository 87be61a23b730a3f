//! A subject on the GPU, and the palette texture of its bones.

use std::sync::Arc;

use super::gpu_data::Layouts;
use super::order::{DrawOrder, DrawOrders};
use super::{GpuImage, gpu_data};
use crate::document::{ImageId, VERTEX_SIZE};
use crate::image::{Pixels, images_given};
use crate::pose::{Affine, Pose};
use crate::scene::{DrawList, Geometry, GeometryFacts, WrongSubject};

/// A subject on the GPU, uploaded once for all its instances: vertices, draw orders, and a texture for each image.
#[derive(Debug)]
pub struct GpuModel {
    vertices: Option<wgpu::Buffer>,
    orders: DrawOrders,
    /// `None` for one that is not uploaded yet.
    images: Vec<Option<GpuImage>>,
    facts: GeometryFacts,
    warnings: Vec<String>,
    /// Identity that the model shares with its instances.
    identity: Arc<()>,
}

impl GpuModel {
    /// Uploads a subject. `images` are its decoded images, premultiplied, in order. With `mipmaps` their smaller copies are made
    /// too.
    ///
    /// Data that does not fit the adapter is made smaller or left out, and [`Self::warnings`] reports it, as it does images that are
    /// missing or not of their size.
    #[must_use]
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        layouts: &Layouts,
        geometry: &dyn Geometry,
        images: &[Pixels],
        mipmaps: bool,
    ) -> Self {
        let images = images
            .iter()
            .map(|pixels| GpuImage::new(device, queue, layouts, pixels, mipmaps))
            .collect();
        Self::with_images(device, geometry, images)
    }

    /// Uploads a subject with images that are already uploaded. [`Self::set_image`] adds or replaces those that load later; until then
    /// meshes of missing images are not drawn. This may run on any thread.
    #[must_use]
    pub fn with_images(
        device: &wgpu::Device,
        geometry: &dyn Geometry,
        images: Vec<GpuImage>,
    ) -> Self {
        let limits = device.limits();
        let meshes = meshes_that_fit(geometry, limits.max_buffer_size);
        let given = images_given(images.len(), geometry.image_count());
        let mut images: Vec<_> = images.into_iter().map(Some).collect();
        images.resize_with(geometry.image_count(), || None);
        let mut model = Self {
            vertices: vertex_buffer(device, geometry, meshes),
            orders: DrawOrders::new(limits.max_buffer_size, geometry, meshes),
            images,
            facts: GeometryFacts::of(geometry),
            warnings: Vec::new(),
            identity: Arc::default(),
        };
        if meshes < geometry.mesh_count() {
            model.warnings.push(format!(
                "only the first {meshes} of {} meshes are drawn; the others do not fit in the adapter's largest buffer ({} bytes)",
                geometry.mesh_count(),
                limits.max_buffer_size
            ));
        }
        model.warnings.extend(given);
        for (i, image) in model.images.iter().flatten().enumerate() {
            model.warnings.extend(warning(i, image));
        }
        model
    }

    /// Returns an image for pipelines other than [`super::Renderer`]'s: premultiplied, sRGB-encoded.
    #[must_use]
    pub fn image_view(&self, id: ImageId) -> Option<&wgpu::TextureView> {
        self.images.get(id.index())?.as_ref().map(GpuImage::view)
    }

    /// Adds or replaces an image from the next frame on.
    pub fn set_image(&mut self, id: ImageId, image: GpuImage) {
        if let Some(place) = self.images.get_mut(id.index()) {
            self.warnings.extend(warning(id.index(), &image));
            *place = Some(image);
        }
    }

    /// Returns a warning for each item that could not be used unchanged: data that does not fit the adapter, and images that are missing
    /// or broken.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Returns the vertex records of all meshes, one mesh after the other ([`super::gpu_data::VERTEX_LAYOUT`]); `None` if there are
    /// none.
    #[must_use]
    pub fn vertices(&self) -> Option<&wgpu::Buffer> {
        self.vertices.as_ref()
    }

    /// Returns group 2 of an image; `None` if there is no such image.
    #[must_use]
    pub fn image_group(&self, image: ImageId) -> Option<&wgpu::BindGroup> {
        self.images.get(image.index())?.as_ref().map(GpuImage::group)
    }

    /// Returns the number of matrices in an instance's palette.
    #[must_use]
    pub fn bone_count(&self) -> usize {
        self.facts.bones
    }

    /// Checks that a frame can be of the model's subject.
    pub(super) fn check(&self, list: &DrawList, pose: &Pose) -> Result<(), WrongSubject> {
        WrongSubject::check(list, pose, self.facts)
    }

    /// Returns an identity: equal only for the same model.
    pub(super) fn identity(&self) -> &Arc<()> {
        &self.identity
    }

    /// Lays out an order, or returns the one that was laid before.
    pub(super) fn order(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        list: &DrawList,
    ) -> Option<Arc<DrawOrder>> {
        self.orders.choose(device, queue, list.draws())
    }
}

fn warning(image: usize, of: &GpuImage) -> Option<String> {
    Some(format!("images[{image}]: {}", of.warning()?))
}

/// Counts the meshes, from the first, that fit in a vertex and an index buffer of `max_size` bytes each.
fn meshes_that_fit(geometry: &dyn Geometry, max_size: u64) -> usize {
    let mut vertices = 0;
    let mut indices = 0;
    geometry
        .meshes()
        .take_while(|mesh| {
            vertices += (mesh.vertex_count() * VERTEX_SIZE) as u64;
            indices += (mesh.index_count() * size_of::<u32>()) as u64;
            vertices <= max_size && indices <= max_size
        })
        .count()
}

fn vertex_buffer(
    device: &wgpu::Device,
    geometry: &dyn Geometry,
    meshes: usize,
) -> Option<wgpu::Buffer> {
    let meshes = || geometry.meshes().take(meshes);
    let count: usize = meshes().map(|mesh| mesh.vertex_count()).sum();
    if count == 0 {
        return None;
    }
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("GpuModel::vertices"),
        size: (count * VERTEX_SIZE) as wgpu::BufferAddress,
        usage: wgpu::BufferUsages::VERTEX,
        mapped_at_creation: true,
    });
    // If memory ran out, the device's error handler is notified.
    if let Ok(mut view) = buffer.get_mapped_range_mut(..) {
        let records = meshes().flat_map(|mesh| mesh.vertex_records());
        view.slice(..).into_chunks().0.write_iter(records.map(clean));
    }
    buffer.unmap();
    Some(buffer)
}

/// Returns the record with its unused slots cleared: the bone ids of slots without weight may be out of range.
fn clean(record: &[u8; VERTEX_SIZE]) -> [u8; VERTEX_SIZE] {
    let mut record = *record;
    let (_, influences) = record.split_at_mut(16);
    let (ids, weights) = influences.split_at_mut(8);
    for (id, weight) in ids.as_chunks_mut::<2>().0.iter_mut().zip(weights.as_chunks_mut::<4>().0) {
        if f32::from_le_bytes(*weight) <= 0.0 {
            *id = [0; 2];
            *weight = [0; 4];
        }
    }
    record
}

/// Bytes of an `Rgba32Float` texel, half an [`Affine`].
const TEXEL_SIZE: u32 = 16;

/// Group 1: a placement, and matrices as a texture.
#[derive(Debug)]
pub(super) struct PaletteGroup {
    texture: wgpu::Texture,
    pub(super) view: wgpu::TextureView,
    model: wgpu::Buffer,
    pub(super) group: wgpu::BindGroup,
}

impl PaletteGroup {
    /// Returns columns and rows of a texture for `count` matrices.
    pub(super) fn size(count: usize) -> [usize; 2] {
        let row = gpu_data::BONES_PER_ROW as usize;
        let count = count.max(1);
        if count <= row { [count, 1] } else { [row, count.div_ceil(row)] }
    }

    /// Creates a texture for `count` matrices. Its rows are within the device's limits.
    pub(super) fn new(device: &wgpu::Device, layouts: &Layouts, count: usize) -> Self {
        let [columns, rows] = Self::size(count);
        let side = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("Palette::texture"),
            size: wgpu::Extent3d {
                width: side(columns * 2),
                height: side(rows),
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba32Float,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let (size, usage) = (size_of::<gpu_data::Model>() as u64, wgpu::BufferUsages::UNIFORM);
        let model = gpu_data::buffer(device, "Palette::model", size, usage);
        let view = texture.create_view(&wgpu::TextureViewDescriptor {
            label: Some("Palette::view"),
            ..Default::default()
        });
        let palette = wgpu::BindingResource::TextureView(&view);
        let resources = [model.as_entire_binding(), palette];
        let group = gpu_data::bind_group(device, "Palette::group", &layouts.model, resources);
        Self { texture, view, model, group }
    }

    pub(super) fn write_model(&self, queue: &wgpu::Queue, model: &gpu_data::Model) {
        queue.write_buffer(&self.model, 0, bytemuck::bytes_of(model));
    }

    /// Writes the first matrices: whole rows, then what is left.
    pub(super) fn write_matrices(&self, queue: &wgpu::Queue, matrices: &[Affine]) {
        let size = self.texture.size();
        let columns = (size.width / 2) as usize;
        let whole = matrices.len() / columns * columns;
        let (rows, rest) = matrices.split_at(whole);
        for (row, matrices) in [(0, rows), (whole / columns, rest)] {
            let columns = matrices.len().min(columns);
            let side = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
            if matrices.is_empty() {
                continue;
            }
            let mut to = self.texture.as_image_copy();
            to.origin.y = side(row);
            let width = side(columns * 2);
            queue.write_texture(
                to,
                bytemuck::cast_slice(matrices),
                wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(width * TEXEL_SIZE),
                    rows_per_image: None,
                },
                wgpu::Extent3d {
                    width,
                    height: side(matrices.len() / columns),
                    depth_or_array_layers: 1,
                },
            );
        }
    }
}

/// Group 1 of a single figure. Written only when it changes.
#[derive(Debug)]
pub(super) struct Palette {
    pub(super) on_gpu: PaletteGroup,
    /// Contents of the texture; none before it is written.
    written: Vec<Affine>,
    /// Contents of `model`.
    placed: Option<gpu_data::Model>,
}

impl Palette {
    pub(super) fn new(device: &wgpu::Device, layouts: &Layouts, bones: usize) -> Self {
        Self {
            on_gpu: PaletteGroup::new(device, layouts, bones),
            written: Vec::with_capacity(bones),
            placed: None,
        }
    }

    pub(super) fn write(&mut self, queue: &wgpu::Queue, pose: &Pose, placement: Affine) {
        self.write_model(queue, pose.is_skinned(), placement);
        if pose.is_skinned() {
            self.write_matrices(queue, pose.world_from_bind());
        }
    }

    /// Writes the placement; the pose stays.
    pub(super) fn place(&mut self, queue: &wgpu::Queue, placement: Affine) {
        let moving = self.placed.is_some_and(|model| model.moving != 0);
        self.write_model(queue, moving, placement);
    }

    fn write_model(&mut self, queue: &wgpu::Queue, moving: bool, world_from_model: Affine) {
        let model = gpu_data::Model {
            world_from_model,
            moving: moving.into(),
            palette_len: 0,
            pad: [0; 2],
        };
        if self.placed != Some(model) {
            self.placed = Some(model);
            self.on_gpu.write_model(queue, &model);
        }
    }

    /// Writes one matrix for each bone of the model.
    fn write_matrices(&mut self, queue: &wgpu::Queue, world_from_bind: &[Affine]) {
        // Compared as bytes: a matrix that is not a number equals itself, too.
        let [old, new] =
            [self.written.as_slice(), world_from_bind].map(bytemuck::cast_slice::<_, u8>);
        if old != new {
            self.written.clear();
            self.written.extend_from_slice(world_from_bind);
            self.on_gpu.write_matrices(queue, world_from_bind);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Vertex;

    #[test]
    fn only_slots_without_weight_are_cleaned() {
        let mut record = [7_u8; VERTEX_SIZE];
        record[24..28].copy_from_slice(&0.25_f32.to_le_bytes());
        record[28..32].copy_from_slice(&0.0_f32.to_le_bytes());
        record[32..36].copy_from_slice(&(-1.0_f32).to_le_bytes());
        record[36..40].copy_from_slice(&2.0_f32.to_le_bytes());
        let (before, after) = (Vertex::from_record(&record), Vertex::from_record(&clean(&record)));
        assert_eq!(after.position, before.position);
        assert_eq!(after.uv, before.uv);
        assert_eq!(after.bone_ids, [0x0707, 0, 0, 0x0707]);
        assert_eq!(after.bone_weights, [0.25, 0.0, 0.0, 2.0]);
    }
}
