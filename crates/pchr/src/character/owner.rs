//! The bone that decides whether and when a mesh is drawn.

use crate::document::{BoneId, Document};

/// The owner of each mesh: the bone with the largest sum of its weights (ties: the lowest index); `None` for a mesh
/// without any positive weight.
#[must_use]
pub fn owners(document: &Document) -> Vec<Option<BoneId>> {
    let mut sums = vec![0.0_f64; document.bones().len()];
    let mut touched = Vec::new();
    let mut owners = Vec::with_capacity(document.meshes().len());
    for mesh in document.meshes() {
        for vertex in mesh.vertices() {
            for (weight, id) in vertex.bone_weights.into_iter().zip(vertex.bone_ids) {
                if weight > 0.0
                    && let Some(sum) = sums.get_mut(usize::from(id))
                {
                    if *sum == 0.0 {
                        touched.push(id);
                    }
                    *sum += f64::from(weight);
                }
            }
        }
        let mut best: Option<(f64, u16)> = None;
        for id in touched.drain(..) {
            let sum = sums
                .get_mut(usize::from(id))
                .map(std::mem::take)
                .unwrap_or_default();
            if best.is_none_or(|(most, owner)| sum > most || (sum == most && id < owner)) {
                best = Some((sum, id));
            }
        }
        owners.push(best.map(|(_, id)| BoneId(id)));
    }
    owners
}
