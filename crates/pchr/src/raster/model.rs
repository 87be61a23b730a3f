//! Meshes and textures, laid out for drawing.

use std::fmt;
use std::ops::Range;

use super::sample::{Level, Prepared, UvBounds};
use crate::document::{ImageId, MeshId, Vertex};
use crate::image::{Pixels, images_given, mip_chain};
use crate::pose::Pose;
use crate::scene::{DrawList, Filter, Geometry, GeometryFacts, WrongSubject};

/// Vertices, indices and textures of a subject, decoded once.
#[derive(Clone)]
pub struct RasterModel {
    vertices: Vec<Vertex>,
    triangles: Vec<[u16; 3]>,
    meshes: Vec<MeshRange>,
    textures: Vec<Texture>,
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

/// An image and its smaller copies, if requested.
#[derive(Clone, Debug)]
pub(super) struct Texture {
    base: Pixels,
    smaller: Vec<Pixels>,
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
            let mut indices = mesh.indices();
            while let (Some(a), Some(b), Some(c)) = (indices.next(), indices.next(), indices.next())
            {
                model.triangles.push([a, b, c]);
            }
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
        for (i, image) in images.iter().enumerate() {
            let warning = Texture::warning(image);
            let warning = warning.map(|warning| format!("images[{i}]: {warning}"));
            model.warnings.extend(warning);
        }
        let missing = std::iter::repeat_with(Pixels::transparent);
        model.textures.extend(
            images
                .into_iter()
                .chain(missing)
                .take(count)
                .map(Texture::new),
        );
        model
    }

    /// Returns a warning for each image that is missing or cannot be drawn.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Returns the images, by [`ImageId`], such as for [`crate::scene::PickJob`]. A transparent pixel replaces each that is not drawn.
    pub fn images(&self) -> impl ExactSizeIterator<Item = &Pixels> + Clone {
        self.textures.iter().map(Texture::base)
    }

    /// Checks that a frame can be of the model's subject.
    pub(super) fn check(&self, list: &DrawList, pose: &Pose) -> Result<(), WrongSubject> {
        WrongSubject::check(list, pose, self.facts)
    }

    /// Makes the smaller copies that [`crate::scene::Picture::mipmaps`] uses; without them that setting has no effect. They take a
    /// third of the images' memory.
    pub fn build_mips(&mut self) {
        self.textures.iter_mut().for_each(Texture::build_mips);
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

    pub(super) fn texture(&self, image: ImageId) -> Option<&Texture> {
        self.textures.get(image.index())
    }
}

impl Texture {
    /// Takes an image. One with a [`Self::warning`] becomes a transparent pixel.
    pub(super) fn new(pixels: Pixels) -> Self {
        let usable = Self::warning(&pixels).is_none();
        Self {
            base: if usable {
                pixels
            } else {
                Pixels::transparent()
            },
            smaller: Vec::new(),
        }
    }

    /// Returns the reason why an image is not drawn. More bytes than it needs are ignored.
    pub(super) fn warning(pixels: &Pixels) -> Option<String> {
        let (width, height, most) = (pixels.width, pixels.height, u32::from(u16::MAX));
        let fault = if width.max(height) > most {
            format!("{width} x {height} pixels, expected at most {most} on each side")
        } else {
            let lacks = pixels.check().err().filter(|fault| !fault.has_enough());
            lacks?.to_string()
        };
        Some(format!("{fault}; its meshes are not drawn"))
    }

    /// Returns the image in full size.
    pub(super) fn base(&self) -> &Pixels {
        &self.base
    }

    /// Makes its smaller copies.
    pub(super) fn build_mips(&mut self) {
        self.smaller = mip_chain(&self.base);
    }

    /// Prepares the texture for the triangles of a mesh.
    #[inline]
    pub(super) fn prepare(&self, uv: UvBounds, filter: Filter, mipmaps: bool) -> Prepared<'_> {
        let base = Level::new(&self.base);
        let smaller: &[Pixels] = if mipmaps { &self.smaller } else { &[] };
        Prepared {
            margin: base.margin(&uv),
            base,
            filter,
            smaller,
            tint: None,
        }
    }
}
