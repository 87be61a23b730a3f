//! A character as plain arrays, which any engine in any language can take.

use pchr::document::Document;
use pchr::finding::Findings;
use pchr::image::{Pixels, decode_all};
use pchr::scene::Frame;

use crate::engine::{Draw, Texture, Vertices};

/// Constant data: uploaded once.
#[derive(Default)]
pub(crate) struct Arrays {
    pub(crate) positions: Vec<f32>,
    pub(crate) uvs: Vec<f32>,
    pub(crate) bone_ids: Vec<u16>,
    pub(crate) bone_weights: Vec<f32>,
    pub(crate) indices: Vec<u32>,
    /// Range of each mesh in the indices, and its texture.
    pub(crate) meshes: Vec<Draw>,
    pub(crate) images: Vec<Pixels>,
}

impl Arrays {
    pub(crate) fn new(document: &Document) -> Self {
        let mut arrays = Self {
            images: decode_all(document, &mut Findings::default()), // premultiplied
            ..Self::default()
        };
        for mesh in document.meshes() {
            // A mesh's indices count from its own first vertex; in the shared array they count from the first vertex of all.
            let first_vertex = arrays.positions.len() as u32 / 2;
            let first_index = arrays.indices.len() as u32;
            for vertex in mesh.vertices() {
                arrays.positions.extend(vertex.position);
                arrays.uvs.extend(vertex.uv);
                arrays.bone_ids.extend(vertex.bone_ids);
                arrays.bone_weights.extend(vertex.bone_weights);
            }
            let indices = mesh.indices().map(|index| first_vertex + u32::from(index));
            arrays.indices.extend(indices);
            arrays.meshes.push(Draw {
                first_index,
                index_count: mesh.index_count() as u32,
                texture: mesh.image().0.into(),
            });
        }
        arrays
    }

    pub(crate) fn vertices(&self) -> Vertices<'_> {
        Vertices {
            positions: &self.positions,
            uvs: &self.uvs,
            bone_ids: &self.bone_ids,
            bone_weights: &self.bone_weights,
        }
    }

    pub(crate) fn textures(&self) -> Vec<Texture<'_>> {
        let images = self.images.iter();
        images
            .map(|image| Texture { width: image.width, height: image.height, rgba: &image.rgba })
            .collect()
    }
}

/// Palette of a frame: eight numbers per bone.
pub(crate) fn palette(frame: &Frame) -> &[f32] {
    frame.pose().world_from_bind().as_flattened().as_flattened()
}

/// Visible meshes of a frame, back to front.
pub(crate) fn draws(frame: &Frame, arrays: &Arrays) -> Vec<Draw> {
    let draws = frame.draws().iter();
    draws.map(|draw| arrays.meshes[draw.mesh.index()]).collect()
}
