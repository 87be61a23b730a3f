//! What of one version of a file is what in another: by name, and where names changed by place.

use crate::document::{AnimationId, BoneId, Document, MeshId};
use crate::pose::BindChoice;

/// From the ids of an old document to those of a new one.
#[derive(Debug)]
pub(crate) struct Carry {
    animations: Vec<Option<u16>>,
    bones: Vec<Option<u16>>,
    meshes: Vec<Option<u16>>,
}

impl Carry {
    pub(crate) fn new(old: &Document, new: &Document) -> Self {
        let animations = |document: &Document| -> Vec<String> {
            document.animations().map(|a| a.name().to_owned()).collect()
        };
        let bones = |document: &Document| -> Vec<String> {
            document
                .bones()
                .map(|bone| bone.name().to_owned())
                .collect()
        };
        let meshes = |document: &Document| -> Vec<String> {
            document
                .meshes()
                .map(|mesh| mesh.name().to_owned())
                .collect()
        };
        Self {
            animations: pairs(&animations(old), &animations(new)),
            bones: pairs(&bones(old), &bones(new)),
            meshes: pairs(&meshes(old), &meshes(new)),
        }
    }

    pub(crate) fn animation(&self, id: AnimationId) -> Option<AnimationId> {
        let found = self.animations.get(usize::from(id.0)).copied();
        found.flatten().map(AnimationId)
    }

    pub(crate) fn bone(&self, id: BoneId) -> Option<BoneId> {
        self.bones
            .get(usize::from(id.0))
            .copied()
            .flatten()
            .map(BoneId)
    }

    pub(crate) fn mesh(&self, id: MeshId) -> Option<MeshId> {
        self.meshes.get(id.index()).copied().flatten().map(MeshId)
    }

    /// The same choice; the one that is found by itself where its frame is gone.
    pub(crate) fn bind(&self, choice: BindChoice, new: &Document) -> BindChoice {
        let BindChoice::Frame(id, frame) = choice else {
            return choice;
        };
        self.animation(id)
            .filter(|id| {
                new.animation(*id)
                    .is_some_and(|animation| frame < animation.frame_count())
            })
            .map_or(BindChoice::Auto, |id| BindChoice::Frame(id, frame))
    }

    /// One value a mesh, for the meshes of the new document.
    pub(crate) fn meshes<T: Clone + Default>(&self, old: &[T], new: &Document) -> Vec<T> {
        let mut carried = vec![T::default(); new.meshes().len()];
        for (value, to) in old.iter().zip(&self.meshes) {
            if let Some(place) = to.and_then(|to| carried.get_mut(usize::from(to))) {
                *place = value.clone();
            }
        }
        carried
    }
}

/// For each old name the place of the same name among the new ones: of several that share a name the first is the
/// first. What has no namesake keeps its place, if that is not another one's.
fn pairs(old: &[String], new: &[String]) -> Vec<Option<u16>> {
    let mut taken = vec![false; new.len()];
    let mut places: std::collections::HashMap<&str, std::collections::VecDeque<usize>> =
        std::collections::HashMap::new();
    for (i, name) in new.iter().enumerate() {
        places.entry(name).or_default().push_back(i);
    }
    let mut found: Vec<Option<usize>> = old
        .iter()
        .map(|name| places.get_mut(name.as_str())?.pop_front())
        .collect();
    for place in found.iter().flatten() {
        if let Some(taken) = taken.get_mut(*place) {
            *taken = true;
        }
    }
    for (i, found) in found.iter_mut().enumerate() {
        if found.is_none() && taken.get(i) == Some(&false) {
            *found = Some(i);
        }
    }
    let narrow = |place: usize| u16::try_from(place).ok();
    found
        .into_iter()
        .map(|place| place.and_then(narrow))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paired(old: &[&str], new: &[&str]) -> Vec<Option<u16>> {
        let owned = |names: &[&str]| {
            names
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<Vec<_>>()
        };
        pairs(&owned(old), &owned(new))
    }

    #[test]
    fn namesakes_are_the_same_wherever_they_are() {
        assert_eq!(paired(&["a", "b"], &["b", "x", "a"]), [Some(2), Some(0)]);
    }

    #[test]
    fn what_was_renamed_keeps_its_place_unless_that_is_anothers() {
        assert_eq!(paired(&["a", "b"], &["a", "c"]), [Some(0), Some(1)]);
        assert_eq!(paired(&["a", "b"], &["b", "c"]), [None, Some(0)]);
        assert_eq!(paired(&["a", "b"], &[]), [None, None]);
    }

    #[test]
    fn those_that_share_a_name_keep_their_order() {
        assert_eq!(
            paired(&["a", "a", "a"], &["x", "a", "a"]),
            [Some(1), Some(2), None]
        );
        assert_eq!(paired(&[], &["a"]), []);
    }
}
