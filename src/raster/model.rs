//! Meshes and textures, laid out for drawing.

use std::ops::Range;

use super::sample::{Level, Prepared, UvBounds};
use crate::document::{ImageId, MeshId, Vertex};
use crate::image::{Pixels, mip_chain};
use crate::scene::{Filter, Geometry};

/// Vertices, indices and textures of a subject, decoded once.
#[derive(Clone, Debug)]
pub struct RasterModel {
    vertices: Vec<Vertex>,
    triangles: Vec<[u16; 3]>,
    meshes: Vec<MeshRange>,
    textures: Vec<Texture>,
}

#[derive(Clone, Debug)]
struct MeshRange {
    vertices: Range<usize>,
    triangles: Range<usize>,
    uv: UvBounds,
}

/// An image and its smaller copies, if requested. Never empty.
#[derive(Clone, Debug)]
pub(super) struct Texture {
    levels: Vec<Pixels>,
}

impl RasterModel {
    /// Takes the `images` of a subject, premultiplied, by [`ImageId`]. An image that is missing or has fewer texels than its size
    /// says is not drawn.
    #[must_use]
    pub fn new(geometry: &dyn Geometry, images: Vec<Pixels>) -> Self {
        let mut model = Self {
            vertices: Vec::with_capacity(geometry.meshes().map(|mesh| mesh.vertex_count()).sum()),
            triangles: Vec::with_capacity(
                geometry.meshes().map(|mesh| mesh.index_count() / 3).sum(),
            ),
            meshes: Vec::with_capacity(geometry.mesh_count()),
            textures: Vec::with_capacity(geometry.image_count()),
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
    /// Takes an image. One that has fewer texels than its size says becomes a transparent pixel.
    pub(super) fn new(pixels: Pixels) -> Self {
        let wanted = u64::from(pixels.width) * u64::from(pixels.height) * 4;
        let usable = wanted > 0
            && pixels.width <= u32::from(u16::MAX)
            && pixels.height <= u32::from(u16::MAX)
            && pixels.rgba.len() as u64 >= wanted;
        Self {
            levels: vec![if usable {
                pixels
            } else {
                Pixels::transparent()
            }],
        }
    }

    /// Makes its smaller copies.
    pub(super) fn build_mips(&mut self) {
        self.levels.truncate(1);
        if let Some(base) = self.levels.first() {
            let smaller = mip_chain(base);
            self.levels.extend(smaller);
        }
    }

    /// Prepares the texture for the triangles of a mesh.
    #[inline]
    pub(super) fn prepare(&self, uv: UvBounds, filter: Filter, mipmaps: bool) -> Prepared<'_> {
        let levels = self.levels.as_slice();
        debug_assert!(!levels.is_empty(), "every texture has its base");
        let base = levels.first().map(Level::new).unwrap_or_default();
        let smaller = if mipmaps { levels.get(1..) } else { None };
        Prepared {
            margin: base.margin(&uv),
            base,
            filter,
            smaller: smaller.unwrap_or_default(),
            tint: None,
        }
    }
}
