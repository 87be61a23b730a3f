//! Weights of vertices on bones, gathered in one pass.

use pchr::document::{Document, MeshId};

/// Vertices by the number of their weights above 0.
pub(super) type ByInfluences = [u64; 5];

/// Result of one pass over the vertices.
#[derive(Debug)]
pub(super) struct Skin {
    /// By mesh index.
    pub(super) meshes: Vec<MeshSkin>,
    /// Number of vertices that each bone moves, by bone index.
    pub(super) moved: Vec<u64>,
}

/// The vertices of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MeshSkin {
    /// Bones that move it.
    pub(super) bones: usize,
    /// Its vertices by number of influences.
    pub(super) by_influences: ByInfluences,
}

impl Skin {
    pub(super) fn new(document: &Document) -> Self {
        let bones = document.bones().len();
        let mut moved = vec![0_u64; bones];
        // The mesh and the vertex that each bone was last met in: two slots may name the same bone.
        let mut last: Vec<Option<(MeshId, usize)>> = vec![None; bones];
        let mut meshes = Vec::with_capacity(document.meshes().len());
        for (id, mesh) in document.mesh_ids().zip(document.meshes()) {
            let mut skin = MeshSkin::default();
            for (v, vertex) in mesh.vertices().enumerate() {
                let mut influences = 0_usize;
                for (weight, bone) in vertex.bone_weights.into_iter().zip(vertex.bone_ids) {
                    if weight <= 0.0 {
                        continue;
                    }
                    influences += 1;
                    let bone = usize::from(bone);
                    if let (Some(last), Some(moved)) = (last.get_mut(bone), moved.get_mut(bone)) {
                        skin.bones += usize::from(last.is_none_or(|(mesh, _)| mesh != id));
                        *moved += u64::from(*last != Some((id, v)));
                        *last = Some((id, v));
                    }
                }
                if let Some(count) = skin.by_influences.get_mut(influences) {
                    *count += 1;
                }
            }
            meshes.push(skin);
        }
        Self { meshes, moved }
    }
}
