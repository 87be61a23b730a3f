//! Bands: rows of the picture that one thread draws at a time, how many they are, which thread draws which, and the kernel for this
//! machine.

use std::ops::Range;

use super::edges::{RowSpan, first_row};
use super::kernel::{Kernel, Portable};
use super::models_and_targets::{RasterFigure, RasterModel, RasterPart, RasterTexture, prepare};
use super::run::factors;
use super::sample::{Level, PreparedTexels, Rgba, UvBounds};
use super::setup::{Corner, FarCorner, ONE, OUTSIDE, Point, Projection, clip, heights};
use super::spans::{FourSamples, OneSample, SpanTarget, Upright};
use super::{RasterOverlay, Simd};
use crate::document::{ImageId, MeshId, Vertex};
use crate::scene::{Filter, MaskedVertex, Overlay, OverlayVertex, Picture, Samples};

/// A figure of a frame: its looks, and its place on the screen.
#[derive(Clone, Copy, Debug)]
pub(super) struct BandFigure<'a> {
    pub(super) model: &'a RasterModel,
    pub(super) tint: [f32; 4],
    pub(super) parts: &'a [RasterPart<'a>],
    pub(super) projection: Projection<'a>,
    /// Rows of the picture, in 1/256 pixels.
    pub(super) rows: i32,
}

impl<'a> BandFigure<'a> {
    pub(super) fn new(figure: &RasterFigure<'a>, picture: &Picture) -> Self {
        let RasterFigure { model, pose, world_from_model, tint, parts, .. } = *figure;
        let screen_from_world = picture.camera.screen_from_world(picture.size);
        let projection = Projection::new(pose, world_from_model, screen_from_world);
        let [_, height] = picture.size;
        let rows = i32::try_from(height).unwrap_or(i32::MAX).saturating_mul(ONE);
        Self { model, tint, parts, projection, rows }
    }

    /// Places figures in a picture. One alone takes no memory.
    pub(super) fn all<R>(
        figures: &[RasterFigure<'a>],
        picture: &Picture,
        work: impl FnOnce(&[Self]) -> R,
    ) -> R {
        match figures {
            [one] => work(&[Self::new(one, picture)]),
            many => work(&many.iter().map(|it| Self::new(it, picture)).collect::<Vec<_>>()),
        }
    }
}

/// A projected mesh of a draw list.
#[derive(Clone, Debug)]
pub(super) struct DrawnMesh {
    /// Its figure among [`BandFrame::figures`].
    pub(super) figure: usize,
    pub(super) mesh: MeshId,
    pub(super) image: ImageId,
    /// Its vertices among [`BandFrame::points`].
    pub(super) points: Range<usize>,
    /// Lowest and highest row, in 1/256 pixels.
    pub(super) height: Range<i32>,
}

/// A frame ready to be drawn, shared by all threads.
#[derive(Clone, Copy, Debug)]
pub(super) struct BandFrame<'a> {
    /// The figures; an overlay is the first one's.
    pub(super) figures: &'a [BandFigure<'a>],
    pub(super) draws: &'a [DrawnMesh],
    pub(super) points: &'a [Point],
    /// Overlay drawn over the meshes; its corners on the screen follow.
    pub(super) overlay: Option<RasterOverlay<'a>>,
    pub(super) overlay_points: &'a [Point],
    /// Lowest and highest row of each polygon of the overlay, in 1/256 pixels.
    pub(super) overlay_heights: &'a [Range<i32>],
    pub(super) masked_points: &'a [Point],
    pub(super) width: usize,
    pub(super) filter: Filter,
    pub(super) mipmaps: bool,
    /// `None` to draw over the existing pixels.
    pub(super) clear: Option<Rgba>,
    pub(super) samples: Samples,
}

/// Memory that a thread reuses for each frame.
#[derive(Clone, Debug, Default)]
pub(super) struct BandScratch {
    spans: Vec<RowSpan>,
    samples: Vec<[Rgba; 4]>,
    /// Columns of each row whose samples were written.
    touched: Vec<Range<usize>>,
}

/// Approximate bytes of a band's samples, so that they stay in the processor's cache. Smaller bands repeat triangle setup more
/// often.
const BAND_BYTES: usize = 1 << 20;
/// Bytes of the four samples of a pixel.
const SAMPLES_BYTES: usize = 16;

/// Returns the number of rows of a band; the last band of a picture may have fewer.
fn band_rows(samples: Samples, threads: usize, [columns, rows]: [usize; 2]) -> usize {
    match samples {
        Samples::One if threads == 1 => rows,
        Samples::One | Samples::Four => (BAND_BYTES / SAMPLES_BYTES / columns).clamp(64, 128),
    }
}

/// Draws the rows from `first` on, as many as `pixels` holds.
fn draw_band<K: Kernel>(
    kernel: K,
    frame: &BandFrame<'_>,
    first: i32,
    pixels: &mut [Rgba],
    scratch: &mut BandScratch,
) {
    if let Some(clear) = frame.clear {
        pixels.fill(clear);
    }
    debug_assert!(frame.width > 0, "pictures without pixels have no bands");
    let height = pixels.len().checked_div(frame.width).unwrap_or(0);
    let band = first..first.saturating_add(i32::try_from(height).unwrap_or(i32::MAX));
    if frame.samples == Samples::One {
        let mut target = OneSample { kernel, band, pixels, width: frame.width };
        overlay(frame, BandLayer::Behind, &mut target);
        triangles(frame, &mut target);
        overlay(frame, BandLayer::Over, &mut target);
        return;
    }
    scratch.touched.clear();
    let clear = frame.clear.unwrap_or_default();
    scratch.samples.resize(pixels.len(), [clear; 4]);
    if frame.clear.is_some() {
        scratch.touched.resize(height, 0..0);
    } else {
        scratch.touched.resize(height, 0..frame.width);
        for (samples, pixel) in scratch.samples.iter_mut().zip(pixels.iter()) {
            *samples = [*pixel; 4];
        }
    }
    let mut target = FourSamples {
        kernel,
        band,
        spans: &mut scratch.spans,
        samples: &mut scratch.samples,
        touched: &mut scratch.touched,
        width: frame.width,
        clear,
    };
    overlay(frame, BandLayer::Behind, &mut target);
    triangles(frame, &mut target);
    overlay(frame, BandLayer::Over, &mut target);
    let rows = pixels.chunks_exact_mut(frame.width);
    let rows = rows.zip(scratch.samples.chunks_exact(frame.width));
    for ((pixels, samples), touched) in rows.zip(&scratch.touched) {
        debug_assert!(touched.end <= frame.width, "within the row");
        let pixels = pixels.get_mut(touched.clone()).unwrap_or_default();
        let samples = samples.get(touched.clone()).unwrap_or_default();
        kernel.resolve(samples, pixels);
    }
}

/// Draws all triangles that may touch the target.
pub(super) fn triangles<T: SpanTarget>(frame: &BandFrame<'_>, target: &mut T) {
    let band = target.band();
    let width = i32::try_from(frame.width).unwrap_or(i32::MAX);
    for draw in frame.draws {
        let rows = T::rows(draw.height.clone());
        if rows.start >= band.end || rows.end <= band.start {
            continue;
        }
        let Some(figure) = frame.figures.get(draw.figure) else { continue };
        let BandFigure { model, tint, parts, projection, .. } = figure;
        let part = { parts.get(draw.mesh.index()) }.copied().unwrap_or_default();
        let texture = match part.texture {
            Some(RasterTexture { texture, .. }) => Some(texture),
            None => model.texture(draw.image),
        };
        let Some((texture, uv)) = texture.zip(model.uv_bounds(draw.mesh)) else { continue };
        let mut texture = prepare(texture, uv, frame.filter, frame.mipmaps);
        texture.tint = factors(*tint, part.tint);
        let vertices = model.vertices(draw.mesh);
        debug_assert!(draw.points.end <= frame.points.len(), "projected before");
        let points = frame.points.get(draw.points.clone()).unwrap_or_default();
        for [a, b, c] in model.triangles(draw.mesh) {
            let point = |i: &u16| points.get(usize::from(*i)).copied();
            let vertex = |i: &u16| vertices.get(usize::from(*i));
            // Indices are within the mesh: the check made sure of it.
            let (Some(at_a), Some(at_b), Some(at_c)) = (point(a), point(b), point(c)) else {
                continue;
            };
            let (Some(a), Some(b), Some(c)) = (vertex(a), vertex(b), vertex(c)) else { continue };
            if at_a == OUTSIDE || at_b == OUTSIDE || at_c == OUTSIDE {
                let far = [a, b, c].map(|vertex| FarCorner {
                    at: projection.place(vertex).map(f64::from),
                    uv: vertex.uv.map(f64::from),
                });
                for piece in clip(far).iter().flatten() {
                    target.triangle(piece, &texture);
                }
                continue;
            }
            let ([ax, ay], [bx, by], [cx, cy]) = (at_a, at_b, at_c);
            let rows = T::rows(ay.min(by).min(cy)..ay.max(by).max(cy));
            let right = first_row(ax.max(bx).max(cx), 0);
            let left = first_row(ax.min(bx).min(cx), ONE - 1);
            let beside = right <= 0 || left >= width;
            if rows.start >= band.end || rows.end <= band.start || rows.start >= rows.end || beside
            {
                continue;
            }
            let corner = |at: Point, vertex: &Vertex| Corner { at, uv: vertex.uv.map(f64::from) };
            let corners = [corner(at_a, a), corner(at_b, b), corner(at_c, c)];
            target.triangle(&corners, &texture);
        }
    }
}

/// A half of the overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BandLayer {
    /// Behind the meshes.
    Behind,
    /// Over the meshes.
    Over,
}

/// Draws the triangles of a layer of the overlay that may touch the target.
#[inline(never)]
fn overlay<T: SpanTarget>(frame: &BandFrame<'_>, layer: BandLayer, target: &mut T) {
    let Some(RasterOverlay { overlay, atlas }) = frame.overlay else { return };
    let behind = overlay.polygons_behind();
    let (first, count) = match layer {
        BandLayer::Behind => (0, behind),
        BandLayer::Over => (behind, usize::MAX),
    };
    if atlas.width == 0 || atlas.height == 0 || count == 0 {
        return;
    }
    let texture = PreparedTexels {
        base: Level::new(atlas),
        margin: 0.0,
        filter: Filter::Nearest,
        smaller: &[],
        tint: None,
    };
    if layer == BandLayer::Over
        && let Some(BandFigure { model, .. }) = frame.figures.first()
    {
        let (images, corners) = ((*model, frame.filter), (overlay, frame.masked_points));
        masked(images, corners, &texture, target);
    }
    let polygons = overlay.polygons().zip(frame.overlay_heights);
    for (polygon, heights) in polygons.skip(first).take(count) {
        // No other point is so high.
        let [_, outside] = OUTSIDE;
        let is_whole = heights.start != outside;
        if is_whole && !target.is_near(heights.clone()) {
            continue;
        }
        let points = frame.overlay_points.get(polygon.clone());
        let vertices = overlay.vertices().get(polygon);
        let (Some(points), Some(vertices)) = (points, vertices) else { continue };
        if is_whole {
            let level = &texture.base;
            let is_drawn = if let Some(texel) = only_texel(vertices) {
                target.polygon(points, || level.colour(level.uv(texel)))
            } else {
                let piece = Upright::new(points, vertices, level);
                piece.is_some_and(|piece| target.upright(&piece, level))
            };
            if is_drawn {
                continue;
            }
        }
        let corners = points.iter().zip(vertices);
        let Some(first) = corners.clone().next() else { continue };
        let seconds = corners.clone().skip(1);
        for (second, third) in seconds.clone().zip(seconds.skip(1)) {
            fan_triangle([first, second, third], &texture, target);
        }
    }
}

/// Returns the atlas position that all vertices share; `None` if they differ.
fn only_texel(vertices: &[OverlayVertex]) -> Option<[f32; 2]> {
    let (first, others) = vertices.split_first()?;
    let same = others.iter().all(|vertex| vertex.texel == first.texel);
    same.then_some(first.texel)
}

/// Draws a triangle of the overlay.
fn fan_triangle<T: SpanTarget>(
    corners: [(&Point, &OverlayVertex); 3],
    texture: &PreparedTexels<'_>,
    target: &mut T,
) {
    if corners.iter().any(|(at, _)| **at == OUTSIDE) {
        let far = corners.map(|(_, vertex)| FarCorner {
            at: vertex.position.map(f64::from),
            uv: texture.base.uv(vertex.texel),
        });
        for piece in clip(far).iter().flatten() {
            target.triangle(piece, texture);
        }
        return;
    }
    if target.is_near(heights(&corners.map(|(at, _)| *at))) {
        let corners =
            corners.map(|(at, vertex)| Corner { at: *at, uv: texture.base.uv(vertex.texel) });
        target.triangle(&corners, texture);
    }
}

/// Draws the masked triangles of an overlay that may touch the target, from the atlas `texture`. `points` are their corners on the
/// screen.
pub(super) fn masked<T: SpanTarget>(
    (model, filter): (&RasterModel, Filter),
    (overlay, points): (&Overlay, &[Point]),
    texture: &PreparedTexels<'_>,
    target: &mut T,
) {
    for (image, range) in overlay.masks() {
        let Some(image) = model.texture(image) else { continue };
        let mask = prepare(image, UvBounds::NONE, filter, false);
        let range = range.start as usize..range.end as usize;
        let corners = overlay.masked_vertices().get(range.clone());
        let points = points.get(range);
        let (Some(corners), Some(points)) = (corners, points) else { continue };
        let triangles = corners.as_chunks::<3>().0.iter();
        for (corners, points) in triangles.zip(points.as_chunks::<3>().0) {
            if points.contains(&OUTSIDE) || target.is_near(heights(points)) {
                masked_triangle(corners, *points, texture, &mask, target);
            }
        }
    }
}

fn masked_triangle<T: SpanTarget>(
    corners: &[MaskedVertex; 3],
    points: [Point; 3],
    texture: &PreparedTexels<'_>,
    mask: &PreparedTexels<'_>,
    target: &mut T,
) {
    let [a, b, c] = *corners;
    let [uv_a, uv_b, uv_c] = [a, b, c].map(|corner| texture.base.uv(corner.vertex.texel));
    let mask_uvs = [a, b, c].map(|corner| corner.image_uv.map(f64::from));
    let [at_a, at_b, at_c] = points;
    if !points.contains(&OUTSIDE) {
        let corners = [(at_a, uv_a), (at_b, uv_b), (at_c, uv_c)].map(|(at, uv)| Corner { at, uv });
        return target.masked(&corners, texture, mask, mask_uvs);
    }
    let far = |[a_uv, b_uv, c_uv]: [[f64; 2]; 3]| {
        let corners = [(a, a_uv), (b, b_uv), (c, c_uv)];
        clip(
            corners.map(|(corner, uv)| FarCorner { at: corner.vertex.position.map(f64::from), uv }),
        )
    };
    // Both are cut at the same places.
    let (on_atlas, on_image) = (far([uv_a, uv_b, uv_c]), far(mask_uvs));
    for (piece, on_image) in on_atlas.iter().flatten().zip(on_image.iter().flatten()) {
        let uvs = on_image.each_ref().map(|corner| corner.uv);
        target.masked(piece, texture, mask, uvs);
    }
}

/// The chosen kernel.
#[derive(Clone, Copy, Debug)]
pub(super) enum KernelPath {
    Portable,
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx2(fearless_simd::x86::Avx2),
}

impl KernelPath {
    /// Returns the best kernel of this machine, or the portable one.
    pub(super) fn new(simd: Simd) -> Self {
        match simd {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Simd::Auto => fearless_simd::Level::new().as_avx2().map_or(Self::Portable, Self::Avx2),
            _ => Self::Portable,
        }
    }

    /// Draws the bands of a picture with `rows` rows, with a thread for each `scratch`; with one, on the caller's thread.
    pub(super) fn draw_bands(
        self,
        frame: &BandFrame<'_>,
        rows: usize,
        pixels: &mut [Rgba],
        scratch: &mut [BandScratch],
    ) {
        let columns = frame.width;
        if columns == 0 || rows == 0 {
            return;
        }
        let band = band_rows(frame.samples, scratch.len(), [columns, rows]);
        let first_rows = (0_i32..).step_by(band);
        let bands = first_rows.zip(pixels.chunks_mut(columns.saturating_mul(band)));
        #[cfg(feature = "threads")]
        if scratch.len() > 1 {
            let bands = std::sync::Mutex::new(bands);
            // The lock is held while the iterator moves on, which does not panic.
            let next = || bands.lock().ok().and_then(|mut bands| bands.next());
            rayon::scope(|scope| {
                for scratch in scratch {
                    scope.spawn(|_| {
                        while let Some((first, pixels)) = next() {
                            self.draw_band(frame, first, pixels, scratch);
                        }
                    });
                }
            });
            return;
        }
        if let Some(scratch) = scratch.first_mut() {
            for (first, pixels) in bands {
                self.draw_band(frame, first, pixels, scratch);
            }
        }
    }

    /// See [`draw_band`].
    fn draw_band(
        self,
        frame: &BandFrame<'_>,
        first: i32,
        pixels: &mut [Rgba],
        scratch: &mut BandScratch,
    ) {
        match self {
            Self::Portable => draw_band(Portable, frame, first, pixels, scratch),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx2(avx2) => draw_band(avx2, frame, first, pixels, scratch),
        }
    }
}
