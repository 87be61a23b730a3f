//! Meshes by the bone that moves them most.

use std::ops::Range;

use pchr::document::{BoneId, Mesh, MeshId};
use pchr::scene::{Geometry, Subject};

use super::Model;

/// Meshes in the order of their bones in the tree.
#[derive(Debug, Default)]
pub(super) struct Held {
    meshes: Vec<MeshId>,
    /// Meshes of each bone, by bone index, and those of the bone and all below it.
    of: Vec<[Range<usize>; 2]>,
}

impl Held {
    /// Finds the bone of each mesh. `tree` has all bones with their depths, parents before children.
    fn new(subject: &dyn Subject, tree: &[(BoneId, u16)]) -> Self {
        let mut rows = vec![None; subject.bone_count()];
        for (row, (bone, _)) in tree.iter().enumerate() {
            if let Some(place) = rows.get_mut(bone.index()) {
                *place = Some(row);
            }
        }
        let row_of = |bone: BoneId| rows.get(bone.index()).copied().flatten();
        let mut weights = Vec::new();
        let ids = (subject as &dyn Geometry).mesh_ids();
        let mut held: Vec<(usize, MeshId)> = ids
            .filter_map(|id| {
                let mesh = subject.mesh(id)?;
                let bone = heaviest(&mesh, subject.bone_count(), &mut weights);
                let row = row_of(bone.or_else(|| subject.owner(id))?)?;
                Some((row, id))
            })
            .collect();
        held.sort_unstable();
        let mut of = vec![[0..0, 0..0]; subject.bone_count()];
        for (row, (bone, depth)) in tree.iter().enumerate() {
            let deeper = |(_, other): &&(BoneId, u16)| other > depth;
            let after = tree.iter().skip(row.saturating_add(1));
            let below = after.take_while(deeper).count();
            let first = held.partition_point(|(at, _)| *at < row);
            let until = |last: usize| held.partition_point(|(at, _)| *at <= last);
            if let Some(place) = of.get_mut(bone.index()) {
                *place = [first..until(row), first..until(row.saturating_add(below))];
            }
        }
        Self {
            meshes: held.into_iter().map(|(_, mesh)| mesh).collect(),
            of,
        }
    }
}

/// Returns the bone with the largest sum of weights, the first of several; `None` without any weight.
fn heaviest(mesh: &Mesh<'_>, bones: usize, weights: &mut Vec<f64>) -> Option<BoneId> {
    weights.clear();
    weights.resize(bones, 0.0);
    for vertex in mesh.vertices() {
        for (bone, weight) in vertex.bone_ids.into_iter().zip(vertex.bone_weights) {
            if let Some(sum) = weights.get_mut(usize::from(bone))
                && weight > 0.0
            {
                *sum += f64::from(weight);
            }
        }
    }
    let sums = (0..=u16::MAX).map(BoneId).zip(weights.iter().copied());
    let most = sums.fold((None, 0.0), |(best, most), (bone, sum)| {
        if sum > most {
            (Some(bone), sum)
        } else {
            (best, most)
        }
    });
    most.0
}

impl Model {
    /// Returns the meshes that a bone moves more than any other does; with `below` also those of all bones below it. Finds them on
    /// the first call.
    pub(crate) fn held_by(&self, bone: BoneId, below: bool) -> &[MeshId] {
        let held = self
            .held
            .get_or_init(|| Held::new(self.subject(), self.tree()));
        let ranges = held.of.get(bone.index());
        let range = ranges.map_or(0..0, |[own, all]| if below { all } else { own }.clone());
        held.meshes.get(range).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Builder, WHITE, read};
    use pchr::character::Character;
    use pchr::pose::BindChoice;

    #[test]
    fn meshes_are_held_by_their_heaviest_bone_and_by_those_above_it() {
        let parts = Builder::new()
            .image(1, &[WHITE])
            .bone("root", None)
            .bone("arm", Some(0))
            .bone("leg", Some(0))
            .bone("hand", Some(1))
            .quad("glove", 0, 3, [0.0; 2], [1.0; 2])
            .quad("shoe", 0, 2, [0.0; 2], [1.0; 2])
            .quad("ring", 0, 3, [0.0; 2], [1.0; 2])
            .quad("sleeve", 0, 1, [0.0; 2], [1.0; 2])
            .parts;
        let character = Character::new(read(&parts), BindChoice::Auto);
        let tree = [(0, 0), (1, 1), (3, 2), (2, 1)];
        let held = Held::new(&character, &tree.map(|(bone, depth)| (BoneId(bone), depth)));
        let of = |bone: usize| -> [Vec<u16>; 2] {
            let ids = |range: &Range<usize>| {
                let meshes = held.meshes[range.clone()].iter();
                meshes.map(|mesh| mesh.0).collect()
            };
            [ids(&held.of[bone][0]), ids(&held.of[bone][1])]
        };
        assert_eq!(of(0), [vec![], vec![3, 0, 2, 1]]);
        assert_eq!(of(1), [vec![3], vec![3, 0, 2]]);
        assert_eq!(of(2), [vec![1], vec![1]]);
        assert_eq!(of(3), [vec![0, 2], vec![0, 2]]);
    }
}
