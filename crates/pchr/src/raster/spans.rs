//! Turns triangles into calls of the kernels, and upright pieces into rows of colours.

use std::ops::Range;

use super::edges::{Range32, RowSpan, Trapezoid, centre_rows, grid_rows, trapezoids};
use super::kernel::{
    Canvas, Convex, Kernel, KernelRows, RunSamples, SampleRun, each_row, each_row_of_samples, touch,
};
use super::run::RunSource;
use super::sample::{Level, Linear, PreparedTexels, Rgba, TexelSampler};
use super::setup::{Corner, ONE, Plane, Point, TexelPlane, TexelRows, area, clockwise};
use crate::image::over;
use crate::scene::OverlayVertex;

/// Rows of a picture that triangles are drawn into.
pub(super) trait SpanTarget {
    /// Returns its rows.
    fn band(&self) -> Range<i32>;

    /// Returns the rows that something between two heights, in 1/256 pixels, may cover.
    fn rows(heights: Range<i32>) -> Range<i32>;

    /// Returns true if something between two heights may cover any of its rows.
    fn is_near(&self, heights: Range<i32>) -> bool {
        let (rows, band) = (Self::rows(heights), self.band());
        rows.start < band.end && rows.end > band.start && rows.start < rows.end
    }

    fn triangle(&mut self, corners: &[Corner; 3], texture: &PreparedTexels<'_>);

    /// Draws a triangle that is visible where another image is, at `uvs`.
    fn masked(
        &mut self,
        corners: &[Corner; 3],
        texture: &PreparedTexels<'_>,
        mask: &PreparedTexels<'_>,
        uvs: [[f64; 2]; 3],
    );

    /// Draws a polygon of one colour if that is faster than a fan of triangles; else returns false.
    fn polygon(&mut self, _corners: &[Point], _colour: impl FnOnce() -> Rgba) -> bool {
        false
    }

    /// Draws an upright piece of an image if that is faster than two triangles; else returns false.
    fn upright(&mut self, _piece: &Upright, _level: &Level<'_>) -> bool {
        false
    }
}

/// Target with one sample per pixel.
#[derive(Debug)]
pub(super) struct OneSample<'a, K> {
    pub(super) kernel: K,
    pub(super) band: Range<i32>,
    pub(super) pixels: &'a mut [Rgba],
    pub(super) width: usize,
}

impl<K: Kernel> SpanTarget for OneSample<'_, K> {
    fn band(&self) -> Range<i32> {
        self.band.clone()
    }

    #[inline(always)]
    fn rows(heights: Range<i32>) -> Range<i32> {
        centre_rows(heights)
    }

    #[inline]
    fn triangle(&mut self, corners: &[Corner; 3], texture: &PreparedTexels<'_>) {
        let points = corners.map(|corner| corner.at);
        let area = area(points);
        if area == 0 {
            return;
        }
        let sampler = TexelSampler::new(texture, corners, area);
        for part in trapezoids(points, &self.band) {
            self.part(&part, &sampler);
        }
    }

    fn masked(
        &mut self,
        corners: &[Corner; 3],
        texture: &PreparedTexels<'_>,
        mask: &PreparedTexels<'_>,
        uvs: [[f64; 2]; 3],
    ) {
        let points = corners.map(|corner| corner.at);
        let area = area(points);
        if area == 0 {
            return;
        }
        let sampler = TexelSampler::masked(texture, corners, mask, uvs, area);
        for part in trapezoids(points, &self.band) {
            self.part(&part, &sampler);
        }
    }
}

impl<K: Kernel> OneSample<'_, K> {
    #[inline(always)]
    fn part(&mut self, part: &Trapezoid, sampler: &TexelSampler<'_>) {
        let Range32 { mut start, end } = part.rows;
        while start < end {
            let rows = usize::try_from(end - start).unwrap_or(0);
            let count = rows.min(part.left.reach()).min(part.right.reach());
            debug_assert!(start >= self.band.start, "trapezoids lie in the band");
            let from = usize::try_from(start - self.band.start).unwrap_or(0);
            let pixels = self.pixels.get_mut(from * self.width..).unwrap_or_default();
            let centre = [super::edges::CENTRE; 2];
            let rows = |at: TexelRows| KernelRows {
                count,
                left: part.left.crossing(start, centre),
                left_step: part.left.step(),
                right: part.right.crossing(start, centre),
                right_step: part.right.step(),
                at,
            };
            match sampler {
                TexelSampler::Linear(linear) => {
                    let rows = rows(linear.plane.rows(start));
                    let source = linear.level.source(linear.plane.dx);
                    if linear.inside {
                        self.kernel.one(&source, pixels, self.width, &rows);
                    } else {
                        near_edge(self.kernel, linear, &source, pixels, self.width, &rows);
                    }
                }
                TexelSampler::Flat(colour) => {
                    let (none, rows) = (RunSource::default(), rows(NUMBERS.rows(start)));
                    each_row(&none, pixels, self.width, &rows, |row, count, _| {
                        one_by_one(row, 0..count, |_| *colour);
                    });
                }
                _ => rare(sampler, pixels, self.width, &rows(NUMBERS.rows(start))),
            }
            start = start.saturating_add(i32::try_from(count).unwrap_or(i32::MAX));
        }
    }
}

/// Draws rows with pixels whose texels may be beyond the image's edge.
#[inline(never)]
fn near_edge<K: Kernel>(
    kernel: K,
    linear: &Linear<'_>,
    source: &RunSource<'_>,
    pixels: &mut [Rgba],
    width: usize,
    rows: &KernelRows,
) {
    each_row(source, pixels, width, rows, |row, count, at| {
        let inside = linear.inside(at, count);
        let (before, after) = (0..inside.start, inside.end..count);
        one_by_one(row, before, |i| linear.colour(at, i));
        if let Some(row) = row.get_mut(inside.start..)
            && inside.start < inside.end
        {
            let at = linear.plane.right(at, inside.start);
            kernel.one_run(source, row, inside.end - inside.start, at);
        }
        one_by_one(row, after, |i| linear.colour(at, i));
    });
}

/// Plane of columns and rows instead of texture coordinates.
const NUMBERS: TexelPlane = TexelPlane::NUMBERS;

/// Draws rows that are not plain bilinear. Their coordinates are [`NUMBERS`].
#[inline(never)]
fn rare(sampler: &TexelSampler<'_>, pixels: &mut [Rgba], width: usize, rows: &KernelRows) {
    let source = RunSource::default().with(NUMBERS.dx);
    each_row(&source, pixels, width, rows, |row, count, at| {
        let mut walk = sampler.walk(at);
        one_by_one(row, 0..count, |_| walk.next());
    });
}

/// Draws pixels whose colours are computed one by one.
#[inline(always)]
fn one_by_one(pixels: &mut [Rgba], part: Range<usize>, mut colour: impl FnMut(usize) -> Rgba) {
    debug_assert!(part.end <= pixels.len(), "a part ends within its row");
    for (i, pixel) in part.clone().zip(pixels.get_mut(part).unwrap_or_default()) {
        *pixel = over(colour(i), *pixel);
    }
}

/// Target with four samples per pixel. Only the `touched` columns of a row are valid.
#[derive(Debug)]
pub(super) struct FourSamples<'a, K> {
    pub(super) kernel: K,
    pub(super) band: Range<i32>,
    pub(super) spans: &'a mut Vec<RowSpan>,
    pub(super) samples: &'a mut [[Rgba; 4]],
    pub(super) touched: &'a mut [Range<usize>],
    pub(super) width: usize,
    pub(super) clear: Rgba,
}

impl<K: Kernel> SpanTarget for FourSamples<'_, K> {
    fn band(&self) -> Range<i32> {
        self.band.clone()
    }

    #[inline(always)]
    fn rows(heights: Range<i32>) -> Range<i32> {
        grid_rows(heights)
    }

    #[inline]
    fn triangle(&mut self, corners: &[Corner; 3], texture: &PreparedTexels<'_>) {
        let points = corners.map(|corner| corner.at);
        let area = area(points);
        if area == 0 {
            return;
        }
        let sampler = TexelSampler::new(texture, corners, area);
        let (kernel, canvas) = (self.kernel, self.canvas());
        let triangle = Convex { corners: &points, clockwise: area > 0 };
        if let TexelSampler::Flat(colour) = sampler {
            return kernel.flat(colour, &triangle, canvas);
        }
        let (start, samples, spans) = canvas.cover(&triangle);
        match &sampler {
            TexelSampler::Linear(linear) => {
                let at = linear.plane.rows(start);
                let source = linear.level.source(linear.plane.dx);
                if linear.inside {
                    kernel.four(&source, samples, spans, &at);
                } else {
                    samples_near_edge(kernel, linear, &source, samples, spans, &at);
                }
            }
            _ => rare_samples(kernel, &sampler, samples, spans, &NUMBERS.rows(start)),
        }
    }

    fn masked(
        &mut self,
        corners: &[Corner; 3],
        texture: &PreparedTexels<'_>,
        mask: &PreparedTexels<'_>,
        uvs: [[f64; 2]; 3],
    ) {
        let points = corners.map(|corner| corner.at);
        let area = area(points);
        if area == 0 {
            return;
        }
        let sampler = TexelSampler::masked(texture, corners, mask, uvs, area);
        let (kernel, canvas) = (self.kernel, self.canvas());
        let triangle = Convex { corners: &points, clockwise: area > 0 };
        let (start, samples, spans) = canvas.cover(&triangle);
        rare_samples(kernel, &sampler, samples, spans, &NUMBERS.rows(start));
    }

    fn polygon(&mut self, corners: &[Point], colour: impl FnOnce() -> Rgba) -> bool {
        let Some(clockwise) = clockwise(corners) else { return false };
        let polygon = Convex { corners, clockwise };
        self.kernel.flat(colour(), &polygon, self.canvas());
        true
    }

    fn upright(&mut self, piece: &Upright, level: &Level<'_>) -> bool {
        let width = i32::try_from(self.width).unwrap_or(i32::MAX);
        let columns = piece.columns.start.max(0)..piece.columns.end.min(width);
        let rows = piece.rows.start.max(self.band.start)..piece.rows.end.min(self.band.end);
        let [from, to] = [columns.start, columns.end].map(|x| usize::try_from(x).unwrap_or(0));
        let above = usize::try_from(rows.start - self.band.start).unwrap_or(0);
        if from >= to {
            return true;
        }
        let samples = self.samples.chunks_exact_mut(self.width);
        let lines = samples.zip(self.touched.iter_mut()).skip(above);
        for (y, (line, touched)) in rows.zip(lines) {
            if from < touched.start || touched.end < to {
                touch(touched, from..to, line, self.clear);
            }
            let mut rest = line.get_mut(from..to).unwrap_or_default();
            piece.each_part(level, columns.clone(), y, |colours| {
                let part = std::mem::take(&mut rest);
                let (part, right) = part.split_at_mut(colours.len().min(part.len()));
                self.kernel.whole(colours, part);
                rest = right;
            });
        }
        true
    }
}

impl<K> FourSamples<'_, K> {
    #[inline(always)]
    fn canvas(&mut self) -> Canvas<'_> {
        Canvas {
            band: self.band.clone(),
            samples: RunSamples {
                pixels: self.samples,
                touched: self.touched,
                width: self.width,
                clear: self.clear,
            },
            spans: self.spans,
        }
    }
}

/// Draws rows with pixels whose texels may be beyond the image's edge.
#[inline(never)]
fn samples_near_edge<K: Kernel>(
    kernel: K,
    linear: &Linear<'_>,
    source: &RunSource<'_>,
    samples: RunSamples<'_>,
    spans: &[RowSpan],
    at: &TexelRows,
) {
    each_row_of_samples(source, samples, spans, at, |row, run| {
        let count = usize::try_from(run.end - run.x).unwrap_or(0);
        let inside = linear.inside(run.at, count);
        samples_one_by_one(kernel, row, 0..inside.start, run, |i| linear.colour(run.at, i));
        if let Some(row) = row.get_mut(inside.start..inside.end)
            && inside.start < inside.end
        {
            let part = SampleRun {
                x: run.x + number(inside.start),
                end: run.x + number(inside.end),
                at: linear.plane.right(run.at, inside.start),
                ..*run
            };
            kernel.four_run(source, row, &part);
        }
        samples_one_by_one(kernel, row, inside.end..count, run, |i| linear.colour(run.at, i));
    });
}

/// Draws rows that are not plain bilinear. Their coordinates are [`NUMBERS`].
#[inline(never)]
fn rare_samples<K: Kernel>(
    kernel: K,
    sampler: &TexelSampler<'_>,
    samples: RunSamples<'_>,
    spans: &[RowSpan],
    at: &TexelRows,
) {
    let source = RunSource::default().with(NUMBERS.dx);
    each_row_of_samples(&source, samples, spans, at, |row, run| {
        let mut walk = sampler.walk(run.at);
        let count = usize::try_from(run.end - run.x).unwrap_or(0);
        samples_one_by_one(kernel, row, 0..count, run, |_| walk.next());
    });
}

/// Converts a column of the picture to a signed number.
#[inline(always)]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "pictures have at most 65,536 columns"
)]
fn number(column: usize) -> i32 {
    column as i32
}

/// Draws pixels of a run whose colours are computed one by one.
#[inline(always)]
fn samples_one_by_one<K: Kernel>(
    kernel: K,
    pixels: &mut [[Rgba; 4]],
    part: Range<usize>,
    run: &SampleRun<'_>,
    mut colour: impl FnMut(usize) -> Rgba,
) {
    debug_assert!(part.end <= pixels.len(), "a part ends within its row");
    let mut colours = [[0; 4]; 32];
    let (mut i, end) = (part.start, part.end);
    while let Some(pixels) = pixels.get_mut(i..end).filter(|pixels| !pixels.is_empty()) {
        let count = pixels.len().min(colours.len());
        for (slot, i) in colours.iter_mut().zip(i..i + count) {
            *slot = colour(i);
        }
        let colours = colours.get(..count).unwrap_or_default();
        kernel.colours(colours, pixels, run.x + number(i), run.span);
        i += count;
    }
}

/// A rectangle of whole pixels, with an upright rectangle of an image on it.
#[derive(Clone, Debug)]
pub(super) struct Upright {
    pub(super) columns: Range<i32>,
    pub(super) rows: Range<i32>,
    plane: TexelPlane,
}

impl Upright {
    /// Returns `None` for any other polygon.
    pub(super) fn new(
        points: &[Point],
        vertices: &[OverlayVertex],
        level: &Level<'_>,
    ) -> Option<Self> {
        let (&[a, b, c, d], [va, vb, vc, vd]) = (points, vertices) else { return None };
        let [a_texel, b_texel, c_texel, d_texel] = [va.texel, vb.texel, vc.texel, vd.texel];
        let is_upright =
            is_rectangle([a, b, c, d]) && is_rectangle([a_texel, b_texel, c_texel, d_texel]);
        let [[left, top], [right, bottom]] = [a, c];
        let is_whole = [a, c].iter().flatten().all(|c| c % ONE == 0);
        if !is_upright || !is_whole || left >= right || top >= bottom {
            return None;
        }
        let corner = |at: Point, texel: [f32; 2]| Corner { at, uv: level.uv(texel) };
        let corners = [corner(a, a_texel), corner(b, b_texel), corner(c, c_texel)];
        Some(Self {
            columns: left / ONE..right / ONE,
            rows: top / ONE..bottom / ONE,
            plane: Plane::new(&corners, area([a, b, c])).texels(level.size(), 0.0),
        })
    }

    /// Calls `put` with the colours of some columns of a row, part by part.
    #[inline(always)]
    pub(super) fn each_part(
        &self,
        level: &Level<'_>,
        columns: Range<i32>,
        row: i32,
        mut put: impl FnMut(&[Rgba]),
    ) {
        let mut at = self.plane.at(columns.start, row);
        if self.plane.is_one_to_one()
            && let Some(colours) = level.run(at, columns.len())
        {
            return put(colours);
        }
        let mut colours = [[0; 4]; 32];
        let mut left = columns.len();
        while left > 0 {
            let count = left.min(colours.len());
            for colour in colours.iter_mut().take(count) {
                *colour = level.nearest(at);
                at = self.plane.right(at, 1);
            }
            put(colours.get(..count).unwrap_or_default());
            left -= count;
        }
    }
}

/// Returns true if these are the upper left, upper right, lower right and lower left corners of an upright rectangle.
fn is_rectangle<T: PartialEq>([a, b, c, d]: [[T; 2]; 4]) -> bool {
    let ([ax, ay], [bx, by], [cx, cy], [dx, dy]) = (a, b, c, d);
    ay == by && bx == cx && cy == dy && dx == ax
}
