//! Cost of drawing a subject: its sizes, the layers of its pictures (triangles that cover the centre of each pixel), and the dearest
//! moments of its animations.

use std::ops::Range;

use super::edges::{CENTRE, centre_rows, column, trapezoids};
use super::sample::PreparedTexels;
use super::setup::{Corner, area};
use super::spans::SpanTarget;
use super::{Raster, RasterFigure, RasterModel};
use crate::document::{Images, MeshId, VERTEX_SIZE};
use crate::playback::FrameAt;
use crate::scene::{
    Camera2d, CrowdFrames, Frame, Geometry, GeometryFacts, Picture, Subject, TooMuchWork,
    ViewOptions, WorkJob,
};

/// Target that counts triangles instead of drawing them.
#[derive(Debug)]
pub(super) struct LayerTarget<'a> {
    /// Counts, row by row from the top.
    pub(super) counts: &'a mut [u16],
    pub(super) width: usize,
}

impl SpanTarget for LayerTarget<'_> {
    fn band(&self) -> Range<i32> {
        let height = self.counts.len().checked_div(self.width).unwrap_or(0);
        0..i32::try_from(height).unwrap_or(i32::MAX)
    }

    fn rows(heights: Range<i32>) -> Range<i32> {
        centre_rows(heights)
    }

    fn triangle(&mut self, corners: &[Corner; 3], _: &PreparedTexels<'_>) {
        let points = corners.map(|corner| corner.at);
        if area(points) == 0 {
            return;
        }
        let width = i32::try_from(self.width).unwrap_or(i32::MAX);
        for part in trapezoids(points, &self.band()) {
            for row in part.rows.start..part.rows.end {
                let side = |edge: &super::edges::RowEdge| {
                    let at = column(edge.crossing(row, [CENTRE; 2])).clamp(0, width);
                    usize::try_from(at).unwrap_or(0)
                };
                let start = usize::try_from(row).unwrap_or(0).saturating_mul(self.width);
                let span =
                    start.saturating_add(side(&part.left))..start.saturating_add(side(&part.right));
                for count in self.counts.get_mut(span).unwrap_or_default() {
                    *count = count.saturating_add(1);
                }
            }
        }
    }

    fn masked(
        &mut self,
        _: &[Corner; 3],
        _: &PreparedTexels<'_>,
        _: &PreparedTexels<'_>,
        _: [[f64; 2]; 3],
    ) {
    }
}

/// Layers of a picture, counted by [`Raster::count_layers`](super::Raster::count_layers).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayerCounts {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Number of triangles over the centre of each pixel, row by row from the top.
    pub counts: Vec<u16>,
}

impl LayerCounts {
    /// Returns the mean number of layers of the pixels that are covered at all, which is called overdraw; 0 if none is.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a picture has fewer than 2^52 layers")]
    pub fn overdraw(&self) -> f64 {
        let covered = self.counts.iter().filter(|count| **count > 0).count();
        let layers: u64 = self.counts.iter().map(|count| u64::from(*count)).sum();
        if covered == 0 { 0.0 } else { layers as f64 / covered as f64 }
    }
}

/// Counts the layers of frames, reusing its memory. It keeps the meshes of one subject: counting those of several in turn is slower.
#[derive(Clone, Debug, Default)]
pub struct LayerCounter {
    /// The subject that the model is of, by its address and its facts.
    of: Option<(usize, GeometryFacts)>,
    model: Option<RasterModel>,
    raster: Raster,
    layers: LayerCounts,
    points: Vec<[f32; 2]>,
    crowd: CrowdFrames,
}

impl LayerCounter {
    /// Counts the layers of a picture of a frame, which may take the work of one of `frames`. There are none where the frame is of
    /// another subject, or the picture too large to be drawn.
    ///
    /// # Errors
    /// [`TooMuchWork`], before anything is counted.
    pub fn count(
        &mut self,
        subject: &dyn Subject,
        frame: &Frame,
        picture: &Picture,
        frames: u32,
    ) -> Result<&LayerCounts, TooMuchWork> {
        let Self { of, model, raster, layers, points, crowd } = self;
        let Picture { size, camera, .. } = picture;
        WorkJob { subject, frame, camera, size: *size, frames }.run(points)?;
        let now = (std::ptr::from_ref(subject).addr(), GeometryFacts::of(subject));
        let model = match model {
            Some(model) if *of == Some(now) => model,
            model => model.insert(RasterModel::new(subject, Vec::new())),
        };
        *of = Some(now);
        let counted = match subject.crowd() {
            Some(figures) => {
                crowd.fill(figures, frame);
                raster.count_layers(&RasterFigure::of_crowd(model, crowd), picture, layers)
            }
            None => {
                let figure = RasterFigure::new(model, frame.list(), frame.pose());
                raster.count_layers(&[figure], picture, layers)
            }
        };
        if counted.is_err() {
            layers.counts.clear();
        }
        Ok(layers)
    }
}

/// Sizes of a subject, which are known without posing it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubjectSizes {
    /// Vertices of all meshes.
    pub vertices: usize,
    /// Indices of all meshes, three for each triangle.
    pub indices: usize,
    /// The mesh with the most vertices, and their number.
    pub largest_mesh: Option<(MeshId, usize)>,
    /// Bones.
    pub bones: usize,
    /// Width and height of each image in pixels, by id.
    pub images: Vec<[u32; 2]>,
}

impl SubjectSizes {
    /// Adds up the sizes of a subject.
    #[must_use]
    pub fn of(subject: &dyn Subject) -> Self {
        let (geometry, images): (&dyn Geometry, &dyn Images) = (subject, subject);
        let mut sizes = Self { bones: subject.bone_count(), ..Self::default() };
        for (id, mesh) in geometry.mesh_ids().zip(geometry.meshes()) {
            let count = mesh.vertex_count();
            sizes.vertices = sizes.vertices.saturating_add(count);
            sizes.indices = sizes.indices.saturating_add(mesh.index_count());
            if sizes.largest_mesh.is_none_or(|(_, most)| count > most) {
                sizes.largest_mesh = Some((id, count));
            }
        }
        let sides = images.images().map(|image| [image.width(), image.height()].map(u32::from));
        sizes.images = sides.collect();
        sizes
    }

    /// Returns the bytes of the images on a graphics device: 4 a pixel.
    #[must_use]
    pub fn texture_bytes(&self) -> u64 {
        let texels =
            self.images.iter().map(|[width, height]| u64::from(*width) * u64::from(*height));
        texels.sum::<u64>().saturating_mul(4)
    }

    /// Returns the bytes of vertices and indices on a graphics device.
    #[must_use]
    pub fn mesh_bytes(&self) -> u64 {
        let vertices = self.vertices.saturating_mul(VERTEX_SIZE);
        vertices.saturating_add(self.indices.saturating_mul(size_of::<u16>())) as u64
    }

    /// Returns all bytes on a graphics device.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.texture_bytes().saturating_add(self.mesh_bytes())
    }

    /// Returns the number of moments whose layers are counted at most: fewer of a large subject.
    fn most_moments(&self) -> usize {
        let parts = self.vertices.saturating_add(self.indices).saturating_add(self.bones);
        EVERY_PART.checked_div(parts).unwrap_or(MOST_MOMENTS).clamp(1, MOST_MOMENTS)
    }
}

/// Largest side of the picture in which layers are counted, in pixels.
const SIDE: u32 = 512;

/// Moments whose layers are counted at most.
const MOST_MOMENTS: usize = 1024;

/// Vertices, indices and bones that are visited at most, over all moments: about three seconds of one thread.
const EVERY_PART: usize = 1 << 27;

/// Share of the work of a picture that one of the moments may take: 2^23 pixels, which is 32 layers everywhere.
const SHARE: u32 = 64;

/// The dearest of the moments of a subject.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    /// The most draws of a moment.
    pub draws: Dearest<usize>,
    /// The highest overdraw of a moment: mean layers of the pixels that are covered, in a picture that fits the subject.
    pub overdraw: Dearest<f64>,
    /// The first moment whose layers are too many to count. Those of later ones were not counted.
    pub uncounted: Option<(Option<FrameAt>, TooMuchWork)>,
    /// Distance between moments whose layers were counted: 1 if all were, n if every nth was.
    pub step: usize,
    /// Number of moments whose layers were counted.
    pub measured: usize,
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
    /// Measures the moments of all animations; of a subject without any, the one as stored. Draws are counted at every moment. Layers
    /// are counted at every nth, if there are many moments, or the subject is large, so that any file takes seconds at most.
    #[must_use]
    pub fn of(subject: &dyn Subject) -> Self {
        let view = ViewOptions::default();
        let all = subject.animation_ids().flat_map(|id| subject.moments(id));
        let mut moments: Vec<_> = all.collect();
        if moments.is_empty() {
            moments.push(None);
        }
        let step = moments.len().div_ceil(SubjectSizes::of(subject).most_moments()).max(1);
        let measured = moments.len().div_ceil(step);
        let mut cost = Self { step, measured, ..Self::default() };
        let (mut frame, mut counter) = (Frame::default(), LayerCounter::default());
        let bounds = subject.sweep(&view).over(&mut moments.iter().copied().step_by(step));
        let picture = Picture::new([SIDE; 2], Camera2d::fit(bounds, [SIDE; 2], false));
        for (number, at) in moments.into_iter().enumerate() {
            frame.fill(subject, at, &view);
            cost.draws.add(frame.list().run_count(), at);
            if cost.uncounted.is_none() && number.is_multiple_of(step) {
                match counter.count(subject, &frame, &picture, SHARE) {
                    Ok(layers) => cost.overdraw.add(layers.overdraw(), at),
                    Err(refused) => cost.uncounted = Some((at, refused)),
                }
            }
        }
        cost
    }
}
