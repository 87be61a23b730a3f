//! Meshes and textures, laid out for drawing, and a figure: a model in a pose; memory that pictures are drawn into, and reasons why one
//! is not drawn.

use std::fmt;
use std::ops::Range;

use glam::Affine2;

use super::sample::{Level, PreparedTexels, UvBounds};
use crate::document::{ImageId, MeshId, Vertex};
use crate::finding::Findings;
use crate::image::{Levels, Pixels, decode_all, images_given};
use crate::pose::Pose;
use crate::scene::{CrowdFrames, DrawList, Filter, Geometry, GeometryFacts, WrongSubject};

/// Vertices, indices and textures of a subject, decoded once.
#[derive(Clone)]
pub struct RasterModel {
    vertices: Vec<Vertex>,
    triangles: Vec<[u16; 3]>,
    meshes: Vec<MeshRange>,
    textures: Vec<Levels>,
    facts: GeometryFacts,
    warnings: Vec<String>,
}

/// Shows counts instead of vertices and texels.
impl fmt::Debug for RasterModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RasterModel")
            .field("meshes", &self.meshes.len())
            .field("vertices", &self.vertices.len())
            .field("triangles", &self.triangles.len())
            .field("textures", &self.textures.len())
            .field("warnings", &self.warnings)
            .finish_non_exhaustive()
    }
}

#[derive(Clone, Debug)]
struct MeshRange {
    vertices: Range<usize>,
    triangles: Range<usize>,
    uv: UvBounds,
}

impl RasterModel {
    /// Takes the `images` of a subject, premultiplied, by [`ImageId`]. An image that is missing, has fewer texels than its size says, or
    /// a side of more than 65,535, is not drawn, and [`Self::warnings`] reports it.
    #[must_use]
    pub fn new(geometry: &dyn Geometry, images: Vec<Pixels>) -> Self {
        let mut model = Self {
            vertices: Vec::with_capacity(geometry.meshes().map(|mesh| mesh.vertex_count()).sum()),
            triangles: Vec::with_capacity(
                geometry.meshes().map(|mesh| mesh.index_count() / 3).sum(),
            ),
            meshes: Vec::with_capacity(geometry.mesh_count()),
            textures: Vec::with_capacity(geometry.image_count()),
            facts: GeometryFacts::of(geometry),
            warnings: Vec::new(),
        };
        for mesh in geometry.meshes() {
            let (vertices, triangles) = (model.vertices.len(), model.triangles.len());
            model.vertices.extend(mesh.vertices());
            model.triangles.extend(mesh.triangles());
            let mut uv = UvBounds::NONE;
            for vertex in mesh.vertices() {
                uv.add(vertex.uv.map(f64::from));
            }
            model.meshes.push(MeshRange {
                vertices: vertices..model.vertices.len(),
                triangles: triangles..model.triangles.len(),
                uv,
            });
        }
        let count = geometry.image_count();
        model.warnings.extend(images_given(images.len(), count));
        let missing = std::iter::repeat_with(Pixels::transparent);
        for (i, image) in images.into_iter().chain(missing).take(count).enumerate() {
            let (texture, warning) = drawable(image);
            model.warnings.extend(warning.map(|warning| format!("images[{i}]: {warning}")));
            model.textures.push(texture);
        }
        model
    }

    /// Creates the model of a subject with all of its images decoded. A placeholder replaces an image that cannot be decoded, and
    /// [`Self::warnings`] names it.
    #[must_use]
    pub fn decoded(geometry: &dyn Geometry) -> Self {
        let mut findings = Findings::default();
        let mut model = Self::new(geometry, decode_all(geometry, &mut findings));
        let warnings = findings.iter().map(ToString::to_string);
        model.warnings.splice(0..0, warnings);
        model
    }

    /// Returns a warning for each image that is missing or cannot be drawn.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Returns the images, by [`ImageId`], such as for [`crate::scene::PickJob`]. A transparent pixel replaces each that is not drawn.
    pub fn images(&self) -> impl ExactSizeIterator<Item = &Pixels> + Clone {
        self.textures.iter().map(Levels::base)
    }

    /// Checks that a frame can be of the model's subject.
    pub(super) fn check(&self, list: &DrawList, pose: &Pose) -> Result<(), WrongSubject> {
        WrongSubject::check(list, pose, self.facts)
    }

    /// Makes the smaller copies that [`crate::scene::Picture::mipmaps`] uses; without them that setting has no effect. They take a
    /// third of the images' memory.
    pub fn build_mips(&mut self) {
        self.textures.iter_mut().for_each(Levels::build_mips);
    }

    /// Returns the vertices of a mesh; none if there is no such mesh.
    pub(super) fn vertices(&self, mesh: MeshId) -> &[Vertex] {
        self.meshes
            .get(mesh.index())
            .and_then(|mesh| self.vertices.get(mesh.vertices.clone()))
            .unwrap_or_default()
    }

    /// Returns the triangles of a mesh, as indices into its vertices.
    pub(super) fn triangles(&self, mesh: MeshId) -> &[[u16; 3]] {
        self.meshes
            .get(mesh.index())
            .and_then(|mesh| self.triangles.get(mesh.triangles.clone()))
            .unwrap_or_default()
    }

    pub(super) fn uv_bounds(&self, mesh: MeshId) -> Option<UvBounds> {
        self.meshes.get(mesh.index()).map(|mesh| mesh.uv)
    }

    pub(super) fn texture(&self, image: ImageId) -> Option<&Levels> {
        self.textures.get(image.index())
    }
}

/// Takes an image. One that cannot be drawn becomes a transparent pixel, with a warning. More bytes than it needs are ignored.
fn drawable(pixels: Pixels) -> (Levels, Option<String>) {
    let (width, height, most) = (pixels.width, pixels.height, u32::from(u16::MAX));
    let fault = if width.max(height) > most {
        Some(format!("{width} x {height} pixels, expected at most {most} on each side"))
    } else {
        let lacks = pixels.check().err().filter(|fault| !fault.has_enough());
        lacks.map(|fault| fault.to_string())
    };
    let base = if fault.is_none() { pixels } else { Pixels::transparent() };
    let warning = fault.map(|fault| format!("{fault}; its meshes are not drawn"));
    (Levels::new(base), warning)
}

/// Prepares a texture for the triangles of a mesh.
#[inline]
pub(super) fn prepare(
    texture: &Levels,
    uv: UvBounds,
    filter: Filter,
    mipmaps: bool,
) -> PreparedTexels<'_> {
    let base = Level::new(texture.base());
    let smaller = if mipmaps { texture.smaller() } else { &[] };
    PreparedTexels { margin: base.margin(&uv), base, filter, smaller, tint: None }
}

/// A figure to draw: a model in a pose, at a place, in its own colours. The model, the list and the pose are of one subject;
/// [`WrongSubject`] is the error if they cannot be. Nothing is drawn where its place or its vertices are not finite numbers.
#[derive(Clone, Copy, Debug)]
pub struct RasterFigure<'a> {
    /// Vertices and textures.
    pub model: &'a RasterModel,
    /// Visible meshes, back to front.
    pub list: &'a DrawList,
    /// The pose.
    pub pose: &'a Pose,
    /// Its place in the world.
    pub world_from_model: Affine2,
    /// Factors of red, green, blue and opacity: 1.0 leaves a value as it is, up to 255 brightens. Colours are multiplied as they are
    /// sRGB-encoded; ones leave every bit as it is, and are drawn several times as fast as others. Each mesh is faded by itself, so where
    /// meshes overlap the one below shows through; to fade a figure as a whole, draw it to a picture of its own.
    /// Above 1, colours may exceed their opacity, so soft edges and shadows become brighter than what they belong to.
    pub tint: [f32; 4],
    /// Looks of meshes, by mesh. Those that are missing look as the model has them.
    pub parts: &'a [RasterPart<'a>],
}

impl<'a> RasterFigure<'a> {
    /// Returns a figure at the world's origin that looks as its model does.
    #[must_use]
    pub fn new(model: &'a RasterModel, list: &'a DrawList, pose: &'a Pose) -> Self {
        Self { model, list, pose, world_from_model: Affine2::IDENTITY, tint: [1.0; 4], parts: &[] }
    }

    /// Returns the figures of a crowd, from the farthest to the nearest.
    #[must_use]
    pub fn of_crowd(model: &'a RasterModel, frames: &'a CrowdFrames) -> Vec<Self> {
        let figures = frames.figures().map(|(frame, origin)| Self {
            world_from_model: Affine2::from_translation(origin.into()),
            ..Self::new(model, frame.list(), frame.pose())
        });
        figures.collect()
    }
}

/// Looks of one mesh of a figure.
#[derive(Clone, Copy, Debug)]
pub struct RasterPart<'a> {
    /// Factors of red, green, blue and opacity, beside the figure's.
    pub tint: [f32; 4],
    /// Texture that replaces the model's; `None` keeps the model's.
    pub texture: Option<&'a RasterTexture>,
}

impl Default for RasterPart<'_> {
    fn default() -> Self {
        Self { tint: [1.0; 4], texture: None }
    }
}

/// A texture of another source than a model's.
#[derive(Clone, Debug)]
pub struct RasterTexture {
    pub(super) texture: Levels,
    warning: Option<String>,
}

impl RasterTexture {
    /// Takes a premultiplied image; with `mipmaps` its smaller copies are made too. One that has fewer texels than its size
    /// says, or a side of more than 65,535, is not drawn, and [`Self::warning`] reports it.
    #[must_use]
    pub fn new(pixels: Pixels, mipmaps: bool) -> Self {
        let (mut texture, warning) = drawable(pixels);
        if mipmaps {
            texture.build_mips();
        }
        Self { texture, warning }
    }

    /// Returns a warning if the image cannot be drawn.
    #[must_use]
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }
}

/// Rows of pixels that a figure is drawn into: RGBA, premultiplied, the top row first.
#[derive(Debug)]
pub struct RasterTarget<'a> {
    /// The bytes.
    pub rgba: &'a mut [u8],
    /// Bytes from row to row; at least four for each column.
    pub stride: usize,
}

/// A buffer has no room for a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a picture of {} x {} pixels does not fit into {bytes} bytes with {stride} bytes per row", size[0], size[1]
)]
pub struct TargetTooSmall {
    /// Size of the picture.
    pub size: [u32; 2],
    /// Bytes of the buffer.
    pub bytes: usize,
    /// Bytes from row to row.
    pub stride: usize,
}

/// Maximum side of a picture in pixels.
pub(super) const MOST_PIXELS: u32 = 65_536;

/// Reason why a picture or a figure is not drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// A side of the picture is too long.
    #[error("invalid picture size {} x {}: expected at most {MOST_PIXELS} pixels on a side", size[0], size[1])]
    Size {
        /// Size of the picture.
        size: [u32; 2],
    },
    /// The target has no room for the picture.
    #[error(transparent)]
    SpanTarget(#[from] TargetTooSmall),
    /// List and pose cannot be of the model's subject.
    #[error(transparent)]
    Subject(#[from] WrongSubject),
}

impl DrawError {
    pub(super) fn check_size(size: [u32; 2]) -> Result<(), Self> {
        if size.iter().any(|side| *side > MOST_PIXELS) {
            return Err(Self::Size { size });
        }
        Ok(())
    }
}

impl RasterTarget<'_> {
    /// Returns the rows of a picture, each of four bytes a column.
    ///
    /// # Errors
    /// [`TargetTooSmall`].
    pub(super) fn rows(
        &mut self,
        size: [u32; 2],
    ) -> Result<impl Iterator<Item = &mut [u8]>, TargetTooSmall> {
        let [columns, rows] = size.map(|side| side as usize);
        let row = columns.saturating_mul(4);
        let needed = match rows.checked_sub(1) {
            Some(above) if row > 0 => self.stride.saturating_mul(above).saturating_add(row),
            _ => 0,
        };
        if needed > self.rgba.len() || row > self.stride {
            return Err(TargetTooSmall { size, bytes: self.rgba.len(), stride: self.stride });
        }
        let strided = self.rgba.chunks_mut(self.stride.max(1)).take(rows);
        Ok(strided.filter_map(move |bytes| bytes.get_mut(..row)))
    }
}
