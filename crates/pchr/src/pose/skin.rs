//! Linear blend skinning: the CPU twin of the vertex shader.

use super::affine::{Affine, transform_point};
use crate::document::{Mesh, Vertex};

/// Returns `Σ wᵢ · world_from_bindᵢ · v` over the slots with positive weight, never renormalised.
///
/// `world_from_bind` is the palette of [`super::Pose`]. The check made sure that ids of positive weights are within it.
#[must_use]
#[inline]
pub fn skin_point(vertex: &Vertex, world_from_bind: &[Affine]) -> [f32; 2] {
    let mut world = [0.0; 2];
    for (weight, id) in vertex.bone_weights.into_iter().zip(vertex.bone_ids) {
        if weight > 0.0
            && let Some(map) = world_from_bind.get(usize::from(id))
        {
            let [x, y] = transform_point(map, vertex.position);
            let [sum_x, sum_y] = &mut world;
            *sum_x += weight * x;
            *sum_y += weight * y;
        }
    }
    world
}

/// Appends the world positions of a mesh's vertices to `out`.
///
/// `moving` is false for a document without frames. Its vertices are drawn as stored, regardless of their weights.
pub fn skin_mesh(
    mesh: &Mesh<'_>,
    world_from_bind: &[Affine],
    moving: bool,
    out: &mut Vec<[f32; 2]>,
) {
    if moving {
        out.extend(
            mesh.vertices()
                .map(|vertex| skin_point(&vertex, world_from_bind)),
        );
    } else {
        out.extend(mesh.vertices().map(|vertex| vertex.position));
    }
}
