//! Draw orders as index data: the indices of an order's meshes in sequence, shared by all instances that are drawn in that order.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::gpu_data::buffer;
use crate::document::{ImageId, MeshId};
use crate::scene::{Draw, Geometry};

/// A buffer of orders is replaced when they take more than this many indices (1 MiB), or four times the subject's.
const MIN_CAPACITY: u64 = 1 << 18;
const INDEX_SIZE: u64 = size_of::<u32>() as u64;

/// Triangles that are adjacent in an order, and drawn with one texture and one tint.
#[derive(Debug)]
pub(super) struct IndexRun {
    pub(super) image: ImageId,
    /// Group 2 of a texture instead of the image.
    pub(super) texture: Option<wgpu::BindGroup>,
    pub(super) tint: u32,
    pub(super) indices: Range<u32>,
}

#[derive(Clone, Debug)]
pub(super) struct OrderPiece {
    pub(super) mesh: MeshId,
    pub(super) image: ImageId,
    pub(super) indices: Range<u32>,
}

/// A draw order in an index buffer. Both stay as they are while anything holds them.
#[derive(Debug)]
pub(super) struct DrawOrder {
    pub(super) draws: Arc<[Draw]>,
    /// `None` if there is nothing to draw.
    pub(super) buffer: Option<wgpu::Buffer>,
    /// The meshes that have indices, back to front.
    pub(super) pieces: Vec<OrderPiece>,
    pub(super) runs: Vec<IndexRun>,
}

/// Range of a mesh's vertices and indices.
#[derive(Clone, Debug)]
struct IndexRange {
    first_vertex: u32,
    indices: Range<usize>,
}

/// The orders seen so far, and the index buffer that the next one is laid into.
#[derive(Debug)]
pub(super) struct DrawOrders {
    meshes: Vec<IndexRange>,
    /// Indices as in the file, counted from the mesh's first vertex.
    indices: Vec<u16>,
    buffer: Option<wgpu::Buffer>,
    /// Counted in indices, as are the next two.
    capacity: u64,
    limit: u64,
    used: u64,
    /// Number of meshes in all orders: a measure of the memory that the orders take.
    named: u64,
    orders: HashMap<Arc<[Draw]>, Arc<DrawOrder>>,
}

impl DrawOrders {
    /// Collects the indices of the first `meshes` meshes of a subject. A buffer takes at most `max_size` bytes.
    pub(super) fn new(max_size: u64, geometry: &dyn Geometry, meshes: usize) -> Self {
        let mut ranges = Vec::with_capacity(meshes);
        let mut indices = Vec::new();
        let mut first_vertex = 0_u32;
        for mesh in geometry.meshes().take(meshes) {
            let start = indices.len();
            indices.extend(mesh.indices());
            ranges.push(IndexRange { first_vertex, indices: start..indices.len() });
            first_vertex += u32::try_from(mesh.vertex_count()).unwrap_or(0);
        }
        let limit = (indices.len() as u64 * 4)
            .max(MIN_CAPACITY)
            .min(max_size / INDEX_SIZE)
            .min(u32::MAX.into());
        Self {
            meshes: ranges,
            indices,
            buffer: None,
            capacity: 0,
            limit,
            used: 0,
            named: 0,
            orders: HashMap::new(),
        }
    }

    /// Returns an order, laid out now if it is new; `None` if it cannot be of this model. Orders are compared by content: revisions of
    /// a draw list are unique only within a scene, and comparing costs a few nanoseconds per mesh.
    pub(super) fn choose(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        draws: &[Draw],
    ) -> Option<Arc<DrawOrder>> {
        if let Some(order) = self.orders.get(draws) {
            return Some(Arc::clone(order));
        }
        let meshes = draws.iter().filter_map(|draw| self.mesh(draw));
        let count = meshes.map(|mesh| mesh.indices.len() as u64).sum();
        if count > self.limit {
            return None; // a list names a mesh at most once: it cannot be
        }
        self.reserve(device, count, draws.len() as u64);
        let mut pieces = Vec::with_capacity(draws.len());
        let mut runs: Vec<IndexRun> = Vec::new();
        // Beyond the limit of a buffer nothing is laid, so no number here saturates.
        let mut at = u32::try_from(self.used).unwrap_or(u32::MAX);
        for draw in draws {
            let count = self.mesh(draw).map_or(0, |mesh| mesh.indices.len());
            let end = at.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
            let indices = at..end;
            at = end;
            if indices.is_empty() {
                continue;
            }
            match runs.last_mut() {
                Some(run) if run.image == draw.image => run.indices.end = end,
                _ => runs.push(IndexRun {
                    image: draw.image,
                    texture: None,
                    tint: 0,
                    indices: indices.clone(),
                }),
            }
            pieces.push(OrderPiece { mesh: draw.mesh, image: draw.image, indices });
        }
        self.write(queue, draws, count);
        self.used += count;
        self.named += draws.len() as u64;
        let draws: Arc<[Draw]> = draws.into();
        let order = Arc::new(DrawOrder {
            draws: Arc::clone(&draws),
            buffer: self.buffer.clone().filter(|_| count > 0),
            pieces,
            runs,
        });
        self.orders.insert(draws, Arc::clone(&order));
        Some(order)
    }

    fn mesh(&self, draw: &Draw) -> Option<&IndexRange> {
        self.meshes.get(draw.mesh.index())
    }

    /// Makes room for an order of `count` indices and `named` meshes. A buffer without room is left to those that draw from it: it is
    /// never written again.
    fn reserve(&mut self, device: &wgpu::Device, count: u64, named: u64) {
        let fits = self.used + count <= self.capacity;
        if fits && self.named + named <= self.limit.max(named) {
            return;
        }
        if !fits {
            self.capacity =
                (self.capacity * 2).max(count).max(self.indices.len() as u64).min(self.limit);
        }
        self.buffer = (self.capacity > 0).then(|| {
            let (size, usage) = (self.capacity * INDEX_SIZE, wgpu::BufferUsages::INDEX);
            buffer(device, "DrawOrders::buffer", size, usage)
        });
        self.used = 0;
        self.named = 0;
        self.orders.clear();
    }

    fn write(&self, queue: &wgpu::Queue, draws: &[Draw], count: u64) {
        let (Some(buffer), Some(size)) = (&self.buffer, wgpu::BufferSize::new(count * INDEX_SIZE))
        else {
            return;
        };
        let offset = self.used * INDEX_SIZE;
        let Some(mut view) = queue.write_buffer_with(buffer, offset, size) else {
            return; // reported to the device's error handler
        };
        let absolute = draws.iter().filter_map(|draw| self.mesh(draw)).flat_map(|mesh| {
            let indices = self.indices.get(mesh.indices.clone());
            debug_assert!(indices.is_some(), "ranges are made with the indices");
            indices
                .unwrap_or_default()
                .iter()
                .map(|index| (mesh.first_vertex + u32::from(*index)).to_ne_bytes())
        });
        view.slice(..).into_chunks().0.write_iter(absolute);
    }
}
