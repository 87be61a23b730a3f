//! Layers of a picture: number of triangles that cover the centre of each pixel.

use std::ops::Range;

use super::edges::{CENTRE, centre_rows, column, trapezoids};
use super::sample::{Level, PreparedTexels, Rgba};
use super::setup::{Corner, Point, area};
use super::spans::{SpanTarget, Upright};
use super::{Raster, RasterFigure, RasterModel};
use crate::scene::{CrowdFrames, Frame, GeometryFacts, Picture, Subject, TooMuchWork, WorkJob};

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

    fn polygon(&mut self, _: &[Point], _: impl FnOnce() -> Rgba) -> bool {
        true
    }

    fn upright(&mut self, _: &Upright, _: &Level<'_>) -> bool {
        true
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
