//! Ids of one version of a file in another version: found by name; for animations and bones also by position where names changed.

use std::collections::{HashMap, VecDeque};

use pchr::document::{AnimationId, BoneId, MeshId};
use pchr::pose::BindChoice;
use pchr::scene::Subject;

/// A map from the ids of an old subject to the ids of a new one.
#[derive(Debug)]
pub(crate) struct Carry {
    animations: Vec<Option<u16>>,
    /// Animations by name alone.
    namesakes: Vec<Option<u16>>,
    bones: Vec<Option<u16>>,
    meshes: Vec<Option<u16>>,
}

/// Names of the elements of a subject, kept after the subject is dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PartNames {
    animations: Vec<Box<str>>,
    bones: Vec<Box<str>>,
    meshes: Vec<Box<str>>,
}

impl PartNames {
    /// Returns the names of a subject; of figures those of the content of one.
    pub(crate) fn of(subject: &dyn Subject) -> Self {
        Self::of_all(subject.crowd().map_or(subject, |crowd| &**crowd.one()))
    }

    fn of_all(subject: &dyn Subject) -> Self {
        Self {
            animations: subject.animation_names().map(Into::into).collect(),
            bones: subject.bone_names().map(Into::into).collect(),
            meshes: subject.mesh_names().map(Into::into).collect(),
        }
    }

    /// Returns true for two versions of a rig: at least half of the bones of each, and of its meshes, have a namesake in the other.
    pub(crate) fn is_version_of(&self, other: &dyn Subject) -> bool {
        let other = Self::of(other);
        let shares = |old: &[Box<str>], new: &[Box<str>]| {
            let both = namesakes(texts(old), texts(new));
            both.iter().flatten().count() * 2 >= old.len().max(new.len())
        };
        !self.bones.is_empty()
            && shares(&self.bones, &other.bones)
            && shares(&self.meshes, &other.meshes)
    }
}

impl Carry {
    pub(crate) fn new(old: &dyn Subject, new: &dyn Subject) -> Self {
        Self::of_names(&PartNames::of_all(old), new)
    }

    /// Maps the ids of a subject whose names were kept.
    pub(crate) fn of_names(old: &PartNames, new: &dyn Subject) -> Self {
        Self {
            animations: pairs(texts(&old.animations), new.animation_names()),
            namesakes: namesakes(texts(&old.animations), new.animation_names()),
            bones: pairs(texts(&old.bones), new.bone_names()),
            meshes: namesakes(texts(&old.meshes), new.mesh_names()),
        }
    }

    pub(crate) fn animation(&self, id: AnimationId) -> Option<AnimationId> {
        self.animations.get(id.index()).copied().flatten().map(AnimationId)
    }

    /// Returns the animation of the same name, wherever it is.
    pub(crate) fn namesake(&self, id: AnimationId) -> Option<AnimationId> {
        self.namesakes.get(id.index()).copied().flatten().map(AnimationId)
    }

    pub(crate) fn bone(&self, id: BoneId) -> Option<BoneId> {
        self.bones.get(usize::from(id.0)).copied().flatten().map(BoneId)
    }

    pub(crate) fn mesh(&self, id: MeshId) -> Option<MeshId> {
        self.meshes.get(id.index()).copied().flatten().map(MeshId)
    }

    /// Carries over a choice of the bind pose. It becomes [`BindChoice::Auto`] if its frame is gone.
    pub(crate) fn bind(&self, choice: BindChoice, new: &dyn Subject) -> BindChoice {
        let BindChoice::Frame(id, frame) = choice else { return choice };
        self.animation(id)
            .filter(|id| frame < new.frame_count(*id))
            .map_or(BindChoice::Auto, |id| BindChoice::Frame(id, frame))
    }

    /// Carries over values per mesh to the meshes of the new subject.
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

fn texts(names: &[Box<str>]) -> impl Iterator<Item = &str> {
    names.iter().map(|name| &**name)
}

/// Returns the new index of each old name. If several elements share a name, the first old one becomes the first new
/// one, and so on.
fn namesakes<'a>(
    old: impl Iterator<Item = &'a str>,
    new: impl Iterator<Item = &'a str>,
) -> Vec<Option<u16>> {
    let mut places: HashMap<&str, VecDeque<u16>> = HashMap::new();
    for (i, name) in (0..=u16::MAX).zip(new) {
        places.entry(name).or_default().push_back(i);
    }
    old.map(|name| places.get_mut(name)?.pop_front()).collect()
}

/// Does the same, but an element without a namesake keeps its index, unless that is taken.
fn pairs<'a>(
    old: impl Iterator<Item = &'a str>,
    new: impl ExactSizeIterator<Item = &'a str>,
) -> Vec<Option<u16>> {
    let mut taken = vec![false; new.len()];
    let mut found = namesakes(old, new);
    for place in found.iter().flatten() {
        if let Some(taken) = taken.get_mut(usize::from(*place)) {
            *taken = true;
        }
    }
    for ((i, found), taken) in (0..=u16::MAX).zip(&mut found).zip(taken) {
        if found.is_none() && !taken {
            *found = Some(i);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use pchr::character::Character;

    use super::*;
    use crate::fixture::{Builder, WHITE};

    fn paired(old: &[&str], new: &[&str]) -> Vec<Option<u16>> {
        pairs(old.iter().copied(), new.iter().copied())
    }

    #[test]
    fn namesakes_are_the_same_and_what_was_renamed_keeps_its_place_unless_that_is_anothers() {
        assert_eq!(paired(&["a", "b"], &["b", "x", "a"]), [Some(2), Some(0)]);
        assert_eq!(paired(&["a", "b"], &["a", "c"]), [Some(0), Some(1)]);
        assert_eq!(paired(&["a", "b"], &["b", "c"]), [None, Some(0)]);
        assert_eq!(paired(&["a", "b"], &[]), [None, None]);
        // Those that share a name keep their order.
        assert_eq!(paired(&["a", "a", "a"], &["x", "a", "a"]), [Some(1), Some(2), None]);
        assert_eq!(paired(&[], &["a"]), []);
    }

    #[test]
    fn versions_of_a_rig_share_most_of_their_names() {
        let rig = |bones: &[&str], meshes: &[&str]| {
            let names = |names: &[&str]| names.iter().map(|name| (*name).into()).collect();
            PartNames { animations: Vec::new(), bones: names(bones), meshes: names(meshes) }
        };
        let mut new = Builder::new().image(1, &[WHITE]).bone("hip", None).bone("leg", Some(0));
        new = new.quad("shoe", 0, 1, [0.0; 2], [1.0; 2]);
        let new = Character::new(new.document(), BindChoice::Auto);
        for (old, is_version) in [
            (rig(&["hip", "leg"], &["shoe"]), true),
            (rig(&["hip", "leg", "tail", "ear"], &["shoe", "hat"]), true),
            (rig(&["hip", "leg", "tail", "ear", "eye"], &["shoe"]), false),
            (rig(&["hip", "leg"], &["hat"]), false),
            (rig(&[], &[]), false),
        ] {
            assert_eq!(old.is_version_of(&new), is_version, "{old:?}");
        }
    }
}
