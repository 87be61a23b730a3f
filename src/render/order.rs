//! Draw orders as index data: for each order seen so far, the indices of its meshes in sequence.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::Gpu;
use crate::document::ImageId;
use crate::scene::{Draw, Geometry};

/// Orders are dropped when they take more than this many indices (1 MiB), or four times the subject's.
const MIN_CAPACITY: u64 = 1 << 18;
const INDEX_SIZE: u64 = size_of::<u32>() as u64;

/// Meshes that are adjacent in an order and share an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) image: ImageId,
    pub(super) indices: Range<u32>,
}

#[derive(Debug)]
struct Order {
    draws: Arc<[Draw]>,
    runs: Vec<Run>,
}

/// Range of a mesh's vertices and indices.
#[derive(Clone, Debug)]
struct MeshRange {
    first_vertex: u32,
    indices: Range<usize>,
}

/// The index buffer and the orders stored in it.
#[derive(Debug)]
pub(super) struct DrawOrders {
    meshes: Vec<MeshRange>,
    /// Indices as in the file, counted from the mesh's first vertex.
    indices: Vec<u16>,
    buffer: Option<wgpu::Buffer>,
    /// Counted in indices, as are the next two.
    capacity: u64,
    limit: u64,
    used: u64,
    /// Number of meshes in all orders: a measure of the memory that the orders take.
    named: u64,
    orders: Vec<Order>,
    by_draws: HashMap<Arc<[Draw]>, usize>,
    current: Option<usize>,
}

impl DrawOrders {
    /// Collects the indices of the first `meshes` meshes of a subject.
    pub(super) fn new(gpu: &Gpu, geometry: &dyn Geometry, meshes: usize) -> Self {
        let mut ranges = Vec::with_capacity(meshes);
        let mut indices = Vec::new();
        let mut first_vertex = 0_u32;
        for mesh in geometry.meshes().take(meshes) {
            let start = indices.len();
            indices.extend(mesh.indices());
            ranges.push(MeshRange {
                first_vertex,
                indices: start..indices.len(),
            });
            first_vertex += u32::try_from(mesh.vertex_count()).unwrap_or(0);
        }
        let limit = (indices.len() as u64 * 4)
            .max(MIN_CAPACITY)
            .min(gpu.device.limits().max_buffer_size / INDEX_SIZE)
            .min(u32::MAX.into());
        Self {
            meshes: ranges,
            indices,
            buffer: None,
            capacity: 0,
            limit,
            used: 0,
            named: 0,
            orders: Vec::new(),
            by_draws: HashMap::new(),
            current: None,
        }
    }

    pub(super) fn buffer(&self) -> Option<&wgpu::Buffer> {
        self.buffer.as_ref()
    }

    /// Returns the runs of the current order, back to front.
    pub(super) fn runs(&self) -> &[Run] {
        self.current()
            .map(|order| order.runs.as_slice())
            .unwrap_or_default()
    }

    fn current(&self) -> Option<&Order> {
        self.orders.get(self.current?)
    }

    /// Makes `draws` the current order, and lays it out if it is new. Orders are compared by content: revisions of a draw list are
    /// unique only within a scene, and comparing costs a few nanoseconds per mesh.
    pub(super) fn choose(&mut self, gpu: &Gpu, draws: &[Draw]) {
        if self.current().is_some_and(|order| *order.draws == *draws) {
            return;
        }
        self.current = self.by_draws.get(draws).copied();
        if self.current.is_none() {
            self.lay(gpu, draws);
        }
    }

    fn lay(&mut self, gpu: &Gpu, draws: &[Draw]) {
        let mut count = 0;
        let mut runs: Vec<Run> = Vec::new();
        let known = draws
            .iter()
            .filter_map(|draw| Some((draw.image, self.meshes.get(draw.mesh.index())?)));
        for (image, mesh) in known {
            let start = count;
            count += mesh.indices.len() as u64;
            // Longer ones are refused below.
            let range = |start: u64, end: u64| {
                u32::try_from(start).unwrap_or(u32::MAX)..u32::try_from(end).unwrap_or(u32::MAX)
            };
            match runs.last_mut() {
                _ if mesh.indices.is_empty() => {}
                Some(run) if run.image == image => run.indices.end = range(start, count).end,
                _ => runs.push(Run {
                    image,
                    indices: range(start, count),
                }),
            }
        }
        if !self.reserve(gpu, count, draws.len() as u64) {
            return;
        }
        debug_assert!(self.used + count <= self.limit, "reserved before");
        let shift = u32::try_from(self.used).unwrap_or(u32::MAX);
        for run in &mut runs {
            run.indices.start += shift;
            run.indices.end += shift;
        }
        self.write(gpu, draws, count);
        self.used += count;
        self.named += draws.len() as u64;
        let draws: Arc<[Draw]> = draws.into();
        self.by_draws.insert(draws.clone(), self.orders.len());
        self.current = Some(self.orders.len());
        self.orders.push(Order { draws, runs });
    }

    /// Makes room for an order of `count` indices and `named` meshes, if necessary by dropping all others.
    fn reserve(&mut self, gpu: &Gpu, count: u64, named: u64) -> bool {
        if count > self.limit {
            return false; // a list names a mesh at most once: it cannot be
        }
        if self.used + count <= self.capacity && self.named + named <= self.limit.max(named) {
            return true;
        }
        if self.used + count > self.capacity && self.capacity < self.limit {
            self.capacity = (self.capacity * 2)
                .max(count)
                .max(self.indices.len() as u64)
                .min(self.limit);
            self.buffer = (self.capacity > 0).then(|| {
                gpu.device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some("DrawOrders::buffer"),
                    size: self.capacity * INDEX_SIZE,
                    usage: wgpu::BufferUsages::INDEX | wgpu::BufferUsages::COPY_DST,
                    mapped_at_creation: false,
                })
            });
        }
        self.used = 0;
        self.named = 0;
        self.orders.clear();
        self.by_draws.clear();
        true
    }

    fn write(&self, gpu: &Gpu, draws: &[Draw], count: u64) {
        let (Some(buffer), Some(size)) = (&self.buffer, wgpu::BufferSize::new(count * INDEX_SIZE))
        else {
            return;
        };
        let offset = self.used * INDEX_SIZE;
        let Some(mut view) = gpu.queue.write_buffer_with(buffer, offset, size) else {
            return; // reported to the device's error handler
        };
        let absolute = draws
            .iter()
            .filter_map(|draw| self.meshes.get(draw.mesh.index()))
            .flat_map(|mesh| {
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
