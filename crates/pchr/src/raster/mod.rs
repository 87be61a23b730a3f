//! The built-in renderer: draws a [`DrawList`] in plain Rust, with the same bits on every machine.
//!
//! Needs the feature `raster`.
//!
//! ```
//! use pchr::character::Character;
//! use pchr::finding::Findings;
//! use pchr::format;
//! use pchr::glam::{Affine2, Vec2};
//! use pchr::image::decode_all;
//! use pchr::playback::FrameAt;
//! use pchr::pose::BindChoice;
//! use pchr::raster::{Raster, RasterFigure, RasterModel, RasterOptions, RasterTarget};
//! use pchr::scene::{Camera2d, Filter, Frame, Picture, ViewOptions};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Once for each character.
//! let document = format::read(std::fs::read("../../assets/sample.pchr")?)?;
//! let jump = document.animation_named("jump").ok_or("no jump")?;
//! let mut findings = Findings::default();
//! let model = RasterModel::new(&document, decode_all(&document, &mut findings));
//! findings.iter().for_each(|finding| eprintln!("{finding}")); // such as an image that does not decode: a placeholder is drawn
//! let fox = Character::new(document, BindChoice::Auto);
//!
//! // A picture that the program owns: RGBA, premultiplied, the top row first; here it is white.
//! let size = [320, 240];
//! let mut screen = vec![255; 320 * 240 * 4];
//!
//! // For each picture: pose, place, draw over the existing pixels.
//! let mut raster = Raster::new(RasterOptions::default());
//! let frame = Frame::new(&fox, Some(FrameAt::exact(jump, 22)), &ViewOptions::default());
//! let (scale, at) = (Vec2::splat(0.5), Vec2::new(40.0, -12.0));
//! let figure = RasterFigure {
//!     world_from_model: Affine2::from_scale_angle_translation(scale, 0.1, at),
//!     tint: [1.0, 0.9, 0.8, 1.0],
//!     ..RasterFigure::new(&model, frame.list(), frame.pose())
//! };
//! let camera = Camera2d::default(); // the world's origin in the middle, Y up, a pixel a unit
//! let picture = Picture { size, camera, filter: Filter::Linear, mipmaps: false, clear: [0; 4] };
//! let mut target = RasterTarget { rgba: &mut screen, stride: 320 * 4 };
//! raster.draw_figure(&figure, &picture, &mut target)?;
//! assert!(screen.iter().any(|byte| *byte < 128));
//! # Ok(())
//! # }
//! ```
//!
//! `examples/cpu_sprite.rs` is a whole program.
//!
//! ```text
//! vertices ──project──► points ─┐
//!                               ├─► band: setup ──► edges ──► spans { sample, blend } ──► resolve
//! triangles, textures (model) ──┤
//! overlay, atlas ───────────────┘
//! ```
//!
//! It follows the rules of GPUs: positions snap to 1/256 of a pixel, a sample on a left or top edge is covered, both
//! windings are drawn, texture coordinates are affine and taken at the pixel's centre, texels are premultiplied and
//! blended in sRGB-encoded space. With four samples, a pixel is coloured once, and each of its samples is covered separately.
//!
//! Only whole numbers and `+ - * /` of IEEE doubles and floats are used, and no product is fused, so neither the machine
//! nor the number of threads shows in the picture.

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod avx2;
mod band;
mod edges;
mod kernel;
mod models_and_targets;
mod overdraw_and_budget_measures;
mod run;
mod sample;
mod setup;
mod spans;

pub use models_and_targets::{
    DrawError, RasterFigure, RasterModel, RasterPart, RasterTarget, RasterTexture, TargetTooSmall,
};
pub use overdraw_and_budget_measures::{Cost, Dearest, LayerCounter, LayerCounts, SubjectSizes};

use std::ops::Range;

use band::{BandFigure, BandFrame, BandScratch, DrawnMesh, KernelPath, triangles};
use overdraw_and_budget_measures::LayerTarget;
use sample::Rgba;
use setup::{FARTHEST, OUTSIDE, Point, heights, snap};

use crate::image::Pixels;
use crate::pose::Pose;
use crate::scene::{DrawList, Overlay, Picture, Samples, WrongSubject};

/// Choice of processor instructions; [`Self::Auto`] by default. It does not change the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Simd {
    /// The best that the machine supports.
    #[default]
    Auto,
    /// Instructions that every machine of its architecture supports.
    Portable,
}

/// Settings of a [`Raster`]: by default four samples, one thread, and the best instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RasterOptions {
    /// Coverage samples per pixel.
    pub samples: Samples,
    /// Number of drawing threads; 1 draws on the caller's thread. More need the feature `threads`, else one is used.
    pub threads: usize,
    /// Choice of processor instructions.
    pub simd: Simd,
}

impl Default for RasterOptions {
    fn default() -> Self {
        Self { samples: Samples::default(), threads: 1, simd: Simd::default() }
    }
}

/// The renderer: its settings, and memory that it reuses for each frame.
#[derive(Clone, Debug)]
pub struct Raster {
    options: RasterOptions,
    path: KernelPath,
    points: Vec<Point>,
    draws: Vec<DrawnMesh>,
    overlay_points: Vec<Point>,
    overlay_heights: Vec<Range<i32>>,
    masked_points: Vec<Point>,
    scratch: Vec<BandScratch>,
    /// The picture, while it is drawn for a buffer of another program.
    rows: Vec<Rgba>,
}

/// An overlay drawn over the meshes.
#[derive(Clone, Copy, Debug)]
pub struct RasterOverlay<'a> {
    /// The overlay's triangles.
    pub overlay: &'a Overlay,
    /// The atlas of the triangles: premultiplied, not filtered.
    pub atlas: &'a Pixels,
}

impl Default for Raster {
    fn default() -> Self {
        Self::new(RasterOptions::default())
    }
}

impl Raster {
    /// Creates a renderer.
    #[must_use]
    pub fn new(options: RasterOptions) -> Self {
        let threads = if cfg!(feature = "threads") { options.threads.max(1) } else { 1 };
        Self {
            options,
            path: KernelPath::new(options.simd),
            points: Vec::new(),
            draws: Vec::new(),
            overlay_points: Vec::new(),
            overlay_heights: Vec::new(),
            masked_points: Vec::new(),
            scratch: vec![BandScratch::default(); threads],
            rows: Vec::new(),
        }
    }

    /// Draws `list`, posed by `pose`, into `out`: RGBA, premultiplied, resized to `picture.size`.
    ///
    /// Nothing is drawn where vertices are not finite numbers.
    ///
    /// # Errors
    /// [`DrawError::Size`] if a side of the picture has more than 65,536 pixels; then `out` stays as it is. [`DrawError::Subject`] if list
    /// and pose cannot be of the subject that `model` was made from; then no mesh is drawn.
    pub fn draw(
        &mut self,
        model: &RasterModel,
        list: &DrawList,
        pose: &Pose,
        picture: &Picture,
        out: &mut Pixels,
    ) -> Result<(), DrawError> {
        self.draw_with(model, list, pose, picture, None, out)
    }

    /// Draws figures over one another, the first one farthest, with an optional overlay over all of them. With four samples, their edges
    /// meet as those of the meshes of one figure do. Without a colour to `clear` the picture with, they go over what `out` holds, if
    /// that has the picture's size.
    ///
    /// # Errors
    /// As [`Self::draw`]; figures that cannot be of their models are left out.
    pub fn draw_figures(
        &mut self,
        figures: &[RasterFigure<'_>],
        picture: &Picture,
        clear: Option<[u8; 4]>,
        overlay: Option<RasterOverlay<'_>>,
        out: &mut Pixels,
    ) -> Result<(), DrawError> {
        DrawError::check_size(picture.size)?;
        let [width, height] = picture.size;
        let bytes = (width as usize).saturating_mul(height as usize).saturating_mul(4);
        let fits = [out.width, out.height] == picture.size && out.rgba.len() == bytes;
        let clear = clear.or((!fits).then_some(picture.clear));
        (out.width, out.height) = (width, height);
        out.rgba.resize(bytes, 0);
        let pixels = out.rgba.as_chunks_mut().0;
        Ok(self.run(figures, picture, clear, overlay, pixels)?)
    }

    /// Draws as [`Self::draw`] does, with an optional overlay over all meshes.
    ///
    /// # Errors
    /// As [`Self::draw`].
    pub fn draw_with(
        &mut self,
        model: &RasterModel,
        list: &DrawList,
        pose: &Pose,
        picture: &Picture,
        overlay: Option<RasterOverlay<'_>>,
        out: &mut Pixels,
    ) -> Result<(), DrawError> {
        let figure = RasterFigure::new(model, list, pose);
        self.draw_figures(&[figure], picture, Some(picture.clear), overlay, out)
    }

    /// Draws a figure over what `target` holds, with a picture's camera, size and filter. Nothing outside the picture is changed, such as
    /// padding between its rows.
    ///
    /// # Errors
    /// [`DrawError`]; then nothing is drawn.
    pub fn draw_figure(
        &mut self,
        figure: &RasterFigure<'_>,
        picture: &Picture,
        target: &mut RasterTarget<'_>,
    ) -> Result<(), DrawError> {
        DrawError::check_size(picture.size)?;
        figure.model.check(figure.list, figure.pose)?;
        let mut pixels = std::mem::take(&mut self.rows);
        pixels.clear();
        let rows = target.rows(picture.size)?;
        pixels.extend(rows.flat_map(|row| row.as_chunks().0));
        self.run(std::slice::from_ref(figure), picture, None, None, &mut pixels)?;
        let mut drawn = pixels.as_flattened();
        for row in target.rows(picture.size)? {
            let Some((this, rest)) = drawn.split_at_checked(row.len()) else {
                break; // as many as there were before
            };
            row.copy_from_slice(this);
            drawn = rest;
        }
        self.rows = pixels;
        Ok(())
    }

    /// Counts the layers of a picture of figures into `out` instead of drawing it: triangles over the centre of each pixel, transparent
    /// ones, too.
    ///
    /// # Errors
    /// As [`Self::draw`].
    pub fn count_layers(
        &mut self,
        figures: &[RasterFigure<'_>],
        picture: &Picture,
        out: &mut LayerCounts,
    ) -> Result<(), DrawError> {
        DrawError::check_size(picture.size)?;
        let [width, height] = picture.size.map(|side| side as usize);
        out.size = picture.size;
        out.counts.clear();
        out.counts.resize(width.saturating_mul(height), 0);
        BandFigure::all(figures, picture, |on_screen| {
            let checked = self.project(figures, on_screen);
            let picture = Picture { mipmaps: false, ..*picture };
            let frame = self.frame(on_screen, &picture, None, None);
            triangles(&frame, &mut LayerTarget { counts: &mut out.counts, width });
            Ok(checked?)
        })
    }

    /// Draws figures into as many pixels as the picture has. Those that cannot be of their models are left out.
    fn run(
        &mut self,
        figures: &[RasterFigure<'_>],
        picture: &Picture,
        clear: Option<[u8; 4]>,
        overlay: Option<RasterOverlay<'_>>,
        pixels: &mut [Rgba],
    ) -> Result<(), WrongSubject> {
        BandFigure::all(figures, picture, |on_screen| {
            let checked = self.project(figures, on_screen);
            if overlay.is_some_and(|over| over.overlay.hides_meshes()) {
                self.draws.clear();
            }
            self.project_overlay(overlay);
            let mut scratch = std::mem::take(&mut self.scratch);
            let frame = self.frame(on_screen, picture, clear, overlay);
            self.path.draw_bands(&frame, picture.size[1] as usize, pixels, &mut scratch);
            self.scratch = scratch;
            checked
        })
    }

    fn project_overlay(&mut self, overlay: Option<RasterOverlay<'_>>) {
        self.overlay_points.clear();
        self.overlay_heights.clear();
        self.masked_points.clear();
        if let Some(RasterOverlay { overlay, .. }) = overlay {
            let positions = overlay.vertices().iter().map(|vertex| vertex.position);
            self.overlay_points.extend(positions.map(snap));
            let corners = overlay.polygons();
            let corners = corners.map(|of| self.overlay_points.get(of).unwrap_or_default());
            self.overlay_heights.extend(corners.map(heights));
            let corners = overlay.masked_vertices().iter();
            let positions = corners.map(|corner| corner.vertex.position);
            self.masked_points.extend(positions.map(snap));
        }
    }

    fn frame<'a>(
        &'a self,
        figures: &'a [BandFigure<'a>],
        picture: &Picture,
        clear: Option<Rgba>,
        overlay: Option<RasterOverlay<'a>>,
    ) -> BandFrame<'a> {
        BandFrame {
            figures,
            draws: &self.draws,
            points: &self.points,
            overlay,
            overlay_points: &self.overlay_points,
            overlay_heights: &self.overlay_heights,
            masked_points: &self.masked_points,
            width: picture.size[0] as usize,
            filter: picture.filter,
            mipmaps: picture.mipmaps,
            clear,
            samples: self.options.samples,
        }
    }

    /// Projects the vertices of all drawn meshes. Figures that cannot be of their models are left out.
    fn project(
        &mut self,
        figures: &[RasterFigure<'_>],
        on_screen: &[BandFigure<'_>],
    ) -> Result<(), WrongSubject> {
        self.points.clear();
        self.draws.clear();
        let mut all = Ok(());
        for (number, (figure, placed)) in figures.iter().zip(on_screen).enumerate() {
            let RasterFigure { model, list, pose, .. } = figure;
            match model.check(list, pose) {
                Ok(()) => self.project_meshes(number, figure, placed),
                error => all = all.and(error),
            }
        }
        all
    }

    fn project_meshes(
        &mut self,
        figure: usize,
        RasterFigure { model, list, .. }: &RasterFigure<'_>,
        BandFigure { projection, rows, .. }: &BandFigure<'_>,
    ) {
        for draw in list.draws() {
            let start = self.points.len();
            let (mut top, mut bottom) = (FARTHEST, -FARTHEST);
            for vertex in model.vertices(draw.mesh) {
                let point = snap(projection.place(vertex));
                let [_, y] = point;
                let [low, high] = if point == OUTSIDE { [-FARTHEST, FARTHEST] } else { [y, y] };
                top = top.min(low);
                bottom = bottom.max(high);
                self.points.push(point);
            }
            if top >= bottom || bottom < 0 || top > *rows {
                self.points.truncate(start); // of many figures, most may be elsewhere
            } else {
                self.draws.push(DrawnMesh {
                    figure,
                    mesh: draw.mesh,
                    image: draw.image,
                    points: start..self.points.len(),
                    height: top..bottom,
                });
            }
        }
    }
}
