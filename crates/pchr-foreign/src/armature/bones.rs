//! The bones of a skeleton, parents first.

use pchr::document::{Bone, BoneId};

use crate::motion::{Motion, Skeleton, Track};

/// Maximum number of bones: as many as indices of parents can express.
const MOST: usize = i16::MAX as usize;

/// Bones by id.
#[derive(Debug)]
pub(super) struct Bones {
    /// Index in the skeleton, by bone id.
    order: Vec<u32>,
    names: Vec<String>,
    parents: Vec<i16>,
    /// For each track, true if it has positions.
    placed: Option<Vec<bool>>,
}

impl Bones {
    /// The bones of a skeleton, which may be the tracks of a motion.
    pub(super) fn new(skeleton: &Skeleton, tracks: Option<&Motion>) -> Self {
        let order: Vec<u32> = { skeleton.parents_first().iter().copied() }
            .take(MOST)
            .collect();
        let mut ids = vec![-1_i16; skeleton.bones().len()];
        for (id, index) in (0..=i16::MAX).zip(&order) {
            if let Some(place) = ids.get_mut(*index as usize) {
                *place = id;
            }
        }
        let bone = |index: &u32| skeleton.bones().get(*index as usize);
        let name = |index: &u32| match bone(index) {
            Some(bone) if !bone.name.as_bytes().is_empty() => bone.name.text().into_owned(),
            _ => format!("bone {index}"),
        };
        let parent = |index: &u32| {
            let parent = bone(index).and_then(|bone| bone.parent);
            let id = parent.and_then(|parent| ids.get(parent as usize));
            id.copied().unwrap_or(-1)
        };
        Self {
            names: order.iter().map(name).collect(),
            parents: order.iter().map(parent).collect(),
            placed: tracks.map(|motion| {
                let track = |index: &u32| motion.tracks().get(*index as usize);
                let has_place = |index| {
                    let keys = track(index).and_then(|track| motion.translation(track));
                    let timed = track(index).and_then(Track::timed);
                    motion.sampled().is_some()
                        || keys.is_some_and(|keys| !keys.is_empty())
                        || timed.is_some_and(|timed| timed.translation.is_some())
                };
                order.iter().map(has_place).collect()
            }),
            order,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    pub(super) fn get(&self, id: BoneId) -> Option<Bone<'_>> {
        let (name, parent) = (self.names.get(id.index())?, self.parents.get(id.index())?);
        Some(Bone::new(name, *parent))
    }

    /// Index of a bone in the skeleton.
    pub(super) fn index(&self, id: BoneId) -> Option<usize> {
        self.order.get(id.index()).map(|index| *index as usize)
    }

    /// Indices of all bones in the skeleton, by id.
    pub(super) fn order(&self) -> &[u32] {
        &self.order
    }

    pub(super) fn has_place(&self, id: BoneId) -> bool {
        let placed = self.placed.as_ref();
        placed.is_none_or(|placed| placed.get(id.index()).copied().unwrap_or(false))
    }
}
