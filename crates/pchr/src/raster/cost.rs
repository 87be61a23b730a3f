//! Cost of drawing a subject: its sizes, and the dearest moments of its animations.

use super::layers::Layers;
use super::{Raster, RasterFigure, RasterModel, RasterOptions};
use crate::document::{ImageId, Images, MeshId, VERTEX_SIZE};
use crate::playback::FrameAt;
use crate::scene::{Camera2d, Draw, Frame, Geometry, Picture, Subject, ViewOptions};

/// Largest side of the picture in which layers are counted, in pixels.
const SIDE: u32 = 512;

/// Cost of drawing a subject.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    /// Vertices of all meshes.
    pub vertices: usize,
    /// The mesh with the most vertices, and their number.
    pub largest_mesh: Option<(MeshId, usize)>,
    /// Bones.
    pub bones: usize,
    /// Width and height of each image in pixels, by id.
    pub images: Vec<[u32; 2]>,
    /// Bytes on a graphics device: images of 4 bytes a pixel, vertices and indices.
    pub memory: u64,
    /// The most draws of a moment.
    pub draws: Dearest<usize>,
    /// The highest overdraw of a moment: mean layers of the pixels that are covered, in a picture that fits the subject.
    pub overdraw: Dearest<f64>,
}

/// The largest value of all moments, and the first moment that has it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dearest<T> {
    /// The value.
    pub value: T,
    /// The moment; `None` without animations.
    pub at: Option<FrameAt>,
}

impl<T: PartialOrd + Copy> Dearest<T> {
    fn add(&mut self, value: T, at: Option<FrameAt>) {
        if value > self.value {
            *self = Self { value, at };
        }
    }
}

impl Cost {
    /// Measures a subject at each moment that differs.
    #[must_use]
    pub fn of(subject: &dyn Subject) -> Self {
        let geometry: &dyn Geometry = subject;
        let mut cost = Self { bones: subject.bone_count(), ..Self::default() };
        let mut bytes = 0_usize;
        for (id, mesh) in geometry.mesh_ids().zip(geometry.meshes()) {
            let count = mesh.vertex_count();
            cost.vertices = cost.vertices.saturating_add(count);
            if cost.largest_mesh.is_none_or(|(_, most)| count > most) {
                cost.largest_mesh = Some((id, count));
            }
            let indices = mesh.index_count().saturating_mul(size_of::<u16>());
            bytes = bytes.saturating_add(count.saturating_mul(VERTEX_SIZE)).saturating_add(indices);
        }
        let images: &dyn Images = subject;
        cost.images =
            images.images().map(|image| [image.width(), image.height()].map(u32::from)).collect();
        let texels =
            cost.images.iter().map(|[width, height]| u64::from(*width) * u64::from(*height));
        cost.memory =
            texels.map(|count| count.saturating_mul(4)).sum::<u64>().saturating_add(bytes as u64);
        cost.measure(subject);
        cost
    }

    /// Measures the moments of all animations; of a subject without any, the one as stored.
    fn measure(&mut self, subject: &dyn Subject) {
        let view = ViewOptions::default();
        let mut moments: Vec<_> =
            subject.animation_ids().flat_map(|id| subject.moments(id)).collect();
        if moments.is_empty() {
            moments.push(None);
        }
        let model = RasterModel::new(subject, Vec::new());
        let mut raster = Raster::new(RasterOptions::default());
        let (mut frame, mut layers) = (Frame::default(), Layers::default());
        let bounds = subject.sweep(&view).over(&mut moments.iter().copied());
        let size = [SIDE; 2];
        let camera = Camera2d::fit(bounds, size, false);
        let picture = Picture::new(size, camera);
        for at in moments {
            frame.fill(subject, at, &view);
            self.draws.add(draw_count(frame.draws()), at);
            let figure = RasterFigure::new(&model, frame.list(), frame.pose());
            if raster.count_layers(&figure, &picture, &mut layers).is_ok() {
                self.overdraw.add(layers.overdraw(), at);
            }
        }
    }
}

/// Returns the number of draws for meshes back to front: one for each run of the same image.
#[must_use]
pub fn draw_count(draws: &[Draw]) -> usize {
    let mut last: Option<ImageId> = None;
    draws.iter().filter(|draw| last.replace(draw.image) != Some(draw.image)).count()
}
