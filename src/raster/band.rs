//! Some rows of the picture, drawn by one thread.

use std::ops::Range;

use super::clip::{FarCorner, clip};
use super::edges::{Center, Edge, Grid, Pattern, RowSpan, first_row, rows};
use super::kernel::Kernel;
use super::model::RasterModel;
use super::project::{OUTSIDE, Point, Projection};
use super::sample::{Prepared, Rgba, Sampler};
use super::setup::{Corner, Plane, area};
use super::spans::{FourSamples, OneSample, Target};
use crate::document::{ImageId, MeshId};
use crate::scene::{Filter, Samples};

/// A mesh of the draw list after projection.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pub(super) mesh: MeshId,
    pub(super) image: ImageId,
    /// Its vertices among [`Frame::points`].
    pub(super) points: Range<usize>,
    /// Lowest and highest of their rows, in 1/256 pixels.
    pub(super) height: Range<i32>,
}

/// A frame that is ready to be drawn: shared by all threads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'a> {
    pub(super) model: &'a RasterModel,
    pub(super) projection: Projection<'a>,
    pub(super) draws: &'a [Drawn],
    pub(super) points: &'a [Point],
    pub(super) width: usize,
    pub(super) filter: Filter,
    pub(super) mipmaps: bool,
    pub(super) clear: Rgba,
    pub(super) samples: Samples,
}

/// Memory that a thread keeps from frame to frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    one: Vec<RowSpan<1>>,
    four: Vec<RowSpan<4>>,
    samples: Vec<[Rgba; 4]>,
    /// Columns of each row whose samples were written.
    touched: Vec<Range<usize>>,
}

/// Draws the rows from `first` on: as many as `pixels` holds.
#[inline(always)]
pub(super) fn draw_band<K: Kernel>(
    kernel: K,
    frame: &Frame<'_>,
    first: i32,
    pixels: &mut [Rgba],
    scratch: &mut Scratch,
) {
    pixels.fill(frame.clear);
    let height = pixels.len().checked_div(frame.width).unwrap_or(0);
    match frame.samples {
        Samples::One => {
            scratch.one.resize(height, RowSpan::EMPTY);
            let mut band = Band {
                frame,
                first,
                spans: &mut scratch.one,
                target: OneSample {
                    kernel,
                    pixels,
                    width: frame.width,
                },
            };
            band.draw::<Center>();
        }
        Samples::Four => {
            scratch.four.resize(height, RowSpan::EMPTY);
            scratch.touched.clear();
            scratch.touched.resize(height, 0..0);
            scratch.samples.resize(pixels.len(), [frame.clear; 4]);
            let mut band = Band {
                frame,
                first,
                spans: &mut scratch.four,
                target: FourSamples {
                    kernel,
                    samples: &mut scratch.samples,
                    touched: &mut scratch.touched,
                    width: frame.width,
                    clear: frame.clear,
                },
            };
            band.draw::<Grid>();
            let rows = pixels.chunks_exact_mut(frame.width);
            let rows = rows.zip(scratch.samples.chunks_exact(frame.width));
            for ((pixels, samples), touched) in rows.zip(&scratch.touched) {
                let pixels = pixels.get_mut(touched.clone()).unwrap_or_default();
                let samples = samples.get(touched.clone()).unwrap_or_default();
                kernel.resolve(samples, pixels);
            }
        }
    }
}

struct Band<'a, const S: usize, T> {
    frame: &'a Frame<'a>,
    /// Its uppermost row in the picture.
    first: i32,
    spans: &'a mut [RowSpan<S>],
    target: T,
}

impl<const S: usize, T: Target<S>> Band<'_, S, T> {
    #[inline(always)]
    fn rows(&self) -> Range<i32> {
        let height = i32::try_from(self.spans.len()).unwrap_or(i32::MAX);
        self.first..self.first.saturating_add(height)
    }

    #[inline(always)]
    fn draw<P: Pattern<S>>(&mut self) {
        let frame = self.frame;
        let band = self.rows();
        for draw in frame.draws {
            let mesh = rows::<S, P>(draw.height.start, draw.height.end);
            if mesh.start >= band.end || mesh.end <= band.start {
                continue;
            }
            let (texture, uv) = (
                frame.model.texture(draw.image),
                frame.model.uv_bounds(draw.mesh),
            );
            let (Some(texture), Some(uv)) = (texture, uv) else {
                continue;
            };
            let texture = texture.prepare(uv, frame.filter, frame.mipmaps);
            let vertices = frame.model.vertices(draw.mesh);
            let points = frame.points.get(draw.points.clone()).unwrap_or_default();
            for triangle in frame.model.triangles(draw.mesh) {
                let corner = |i: u16| {
                    let i = usize::from(i);
                    Some((*points.get(i)?, vertices.get(i)?))
                };
                let [a, b, c] = *triangle;
                // Indices are within the mesh: the check saw to it.
                let (Some(a), Some(b), Some(c)) = (corner(a), corner(b), corner(c)) else {
                    continue;
                };
                let corners = [a, b, c];
                if a.0 == OUTSIDE || b.0 == OUTSIDE || c.0 == OUTSIDE {
                    let far = corners.map(|(_, vertex)| FarCorner {
                        at: frame.projection.place(vertex).map(f64::from),
                        uv: vertex.uv.map(f64::from),
                    });
                    for piece in clip(far).into_iter().flatten() {
                        self.triangle::<P>(&piece, &texture);
                    }
                } else {
                    let near = corners.map(|(at, vertex)| Corner {
                        at,
                        uv: vertex.uv.map(f64::from),
                    });
                    self.triangle::<P>(&near, &texture);
                }
            }
        }
    }

    #[inline(always)]
    fn triangle<P: Pattern<S>>(&mut self, corners: &[Corner; 3], texture: &Prepared<'_>) {
        let [a, b, c] = corners.map(|corner| corner.at);
        let ([ax, ay], [bx, by], [cx, cy]) = (a, b, c);
        let band = self.rows();
        let all = rows::<S, P>(ay.min(by).min(cy), ay.max(by).max(cy));
        let (start, end) = (all.start.max(band.start), all.end.min(band.end));
        let right = first_row(ax.max(bx).max(cx), 0);
        let left = first_row(ax.min(bx).min(cx), 255);
        let width = i32::try_from(self.frame.width).unwrap_or(i32::MAX);
        let area = area([a, b, c]);
        if start >= end || right <= 0 || left >= width || area == 0 {
            return;
        }
        let from = usize::try_from(start - self.first).unwrap_or(0);
        let to = usize::try_from(end - self.first).unwrap_or(0);
        let Some(spans) = self.spans.get_mut(from..to) else {
            return;
        };
        if S > 1 {
            spans.fill(RowSpan::EMPTY);
        }
        let clockwise = area > 0;
        Edge::new(a, b, clockwise).walk::<S, P>(start, spans);
        Edge::new(b, c, clockwise).walk::<S, P>(start, spans);
        Edge::new(c, a, clockwise).walk::<S, P>(start, spans);
        let sampler = Sampler::new(texture, &Plane::new(corners, area), corners);
        self.target.triangle(from, start, spans, &sampler);
    }
}
