//! What of one version of a file is what in another: by name, and where names changed by place.

use crate::document::{AnimationId, BoneId, MeshId};
use crate::pose::BindChoice;
use crate::scene::Subject;

/// From the ids of an old subject to those of a new one.
#[derive(Debug)]
pub(crate) struct Carry {
    animations: Vec<Option<u16>>,
    bones: Vec<Option<u16>>,
    meshes: Vec<Option<u16>>,
}

/// Names of a subject that may be gone.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Names {
    animations: Vec<Box<str>>,
    bones: Vec<Box<str>>,
    meshes: Vec<Box<str>>,
}

impl Names {
    pub(crate) fn of(subject: &dyn Subject) -> Self {
        Self {
            animations: subject.animation_names().map(Into::into).collect(),
            bones: subject.bone_names().map(Into::into).collect(),
            meshes: subject.mesh_names().map(Into::into).collect(),
        }
    }
}

impl Carry {
    pub(crate) fn new(old: &dyn Subject, new: &dyn Subject) -> Self {
        Self {
            animations: pairs(old.animation_names(), new.animation_names()),
            bones: pairs(old.bone_names(), new.bone_names()),
            meshes: pairs(old.mesh_names(), new.mesh_names()),
        }
    }

    /// The same of names that were kept.
    pub(crate) fn of_names(old: &Names, new: &dyn Subject) -> Self {
        Self {
            animations: pairs(
                old.animations.iter().map(|name| &**name),
                new.animation_names(),
            ),
            bones: pairs(old.bones.iter().map(|name| &**name), new.bone_names()),
            meshes: pairs(old.meshes.iter().map(|name| &**name), new.mesh_names()),
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
    pub(crate) fn bind(&self, choice: BindChoice, new: &dyn Subject) -> BindChoice {
        let BindChoice::Frame(id, frame) = choice else {
            return choice;
        };
        self.animation(id)
            .filter(|id| frame < new.frame_count(*id))
            .map_or(BindChoice::Auto, |id| BindChoice::Frame(id, frame))
    }

    /// One value a mesh, for the meshes of the new subject.
    pub(crate) fn meshes<T: Clone + Default>(&self, old: &[T], new: &dyn Subject) -> Vec<T> {
        let mut carried = vec![T::default(); new.mesh_count()];
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
fn pairs<'a>(
    old: impl Iterator<Item = &'a str>,
    new: impl ExactSizeIterator<Item = &'a str>,
) -> Vec<Option<u16>> {
    let mut taken = vec![false; new.len()];
    let mut places: std::collections::HashMap<&str, std::collections::VecDeque<usize>> =
        std::collections::HashMap::new();
    for (i, name) in new.enumerate() {
        places.entry(name).or_default().push_back(i);
    }
    let mut found: Vec<Option<usize>> = old.map(|name| places.get_mut(name)?.pop_front()).collect();
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
        pairs(old.iter().copied(), new.iter().copied())
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
