//! Skeletons: bones with parents, at rest.

use pchr::finding::there_are;

use super::{Conventions, Motion, Name, PxdLayout, Transform};

/// Bones in file order, which is arbitrary. There may be several roots.
///
/// Two skeletons are equal if their contents are, bit for bit.
#[derive(Clone, Debug, Default)]
pub struct Skeleton {
    /// Axes, unit and chain of scales.
    pub conventions: Conventions,
    /// Other content of a PXD file.
    pub pxd_layout: PxdLayout,
    bones: Vec<Bone>,
    parents_first: Vec<u32>,
}

/// A bone of a skeleton.
#[derive(Clone, Debug, Default)]
pub struct Bone {
    /// Its name, which may be empty or a duplicate.
    pub name: Name,
    /// Index of the parent; `None` for a root.
    pub parent: Option<u32>,
    /// The rest transform, in the parent's space.
    pub rest: Transform,
    /// Byte offset of the transform in the file that was read.
    pub offset: u64,
}

impl PartialEq for Bone {
    fn eq(&self, other: &Self) -> bool {
        let bits = |bone: &Self| bone.rest.numbers().map(f64::to_bits);
        self.name == other.name && self.parent == other.parent && bits(self).eq(bits(other))
    }
}

impl Skeleton {
    /// Creates a skeleton. Its parents must be bones, none its own ancestor, and 32 bits must count all bones.
    ///
    /// # Errors
    /// [`InvalidParent`] of the first bone with an invalid parent.
    pub fn new(bones: Vec<Bone>, conventions: Conventions) -> Result<Self, InvalidParent> {
        let parents: Vec<Option<u32>> = bones.iter().map(|bone| bone.parent).collect();
        Ok(Self {
            conventions,
            bones,
            parents_first: parents_first(&parents)?,
            pxd_layout: PxdLayout::default(),
        })
    }

    /// Creates a skeleton with a bone for each track of a motion, without parents, at rest in the origin: for showing a motion
    /// alone.
    #[must_use]
    pub fn of_tracks(motion: &Motion) -> Self {
        let bones = motion.tracks().iter().map(|track| {
            let name = track.target.name().cloned().unwrap_or_default();
            Bone { name, ..Bone::default() }
        });
        Self::new(bones.collect(), motion.conventions).unwrap_or_default() // none has a parent
    }

    /// Returns the same bones with other rest transforms.
    #[must_use]
    pub fn with_rests(&self, rest: impl Fn(&Transform) -> Transform) -> Self {
        let mut skeleton = self.clone();
        for bone in &mut skeleton.bones {
            bone.rest = rest(&bone.rest);
        }
        skeleton
    }

    /// Returns the bones, in file order.
    #[must_use]
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// Returns the indices of all bones, parents before their children; in file order if that is already so.
    #[must_use]
    pub fn parents_first(&self) -> &[u32] {
        &self.parents_first
    }

    /// Fills `values` with a value for each bone, which `of` makes of its index, the bone and the value of its parent. That of a bone
    /// without a parent is made of `above`.
    pub(crate) fn walk<T: Copy>(
        &self,
        above: T,
        values: &mut Vec<T>,
        mut of: impl FnMut(usize, &Bone, T) -> T,
    ) {
        values.clear();
        values.resize(self.bones.len(), above);
        for index in &self.parents_first {
            let index = *index as usize;
            let Some(bone) = self.bones.get(index) else { continue };
            let parent = bone.parent.and_then(|parent| values.get(parent as usize));
            let value = of(index, bone, parent.copied().unwrap_or(above));
            if let Some(place) = values.get_mut(index) {
                *place = value;
            }
        }
    }
}

impl PartialEq for Skeleton {
    fn eq(&self, other: &Self) -> bool {
        self.conventions == other.conventions && self.bones == other.bones
    }
}

/// An invalid parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidParent {
    /// The index is no bone's.
    #[error("bone {bone} has parent {parent}, but {}", there_are(.count, "bone", "bones"))]
    Range {
        /// The bone.
        bone: u32,
        /// Its parent.
        parent: u32,
        /// Number of bones.
        count: usize,
    },
    /// The bone is an ancestor of its parent, or the parent itself.
    #[error("bone {bone} is its own ancestor")]
    Circle {
        /// The bone of the circle that comes first.
        bone: u32,
    },
}

impl InvalidParent {
    /// Returns the bone with the invalid parent.
    #[must_use]
    pub const fn bone(self) -> u32 {
        match self {
            Self::Range { bone, .. } | Self::Circle { bone } => bone,
        }
    }
}

/// Sorts bones so that parents come first; otherwise they keep their order.
fn parents_first(parents: &[Option<u32>]) -> Result<Vec<u32>, InvalidParent> {
    let parent_of = |bone: u32| -> Option<u32> { parents.get(bone as usize).copied().flatten() };
    let count = parents.len();
    for (bone, parent) in (0..).zip(parents) {
        if let Some(parent) = parent.filter(|parent| *parent as usize >= count) {
            return Err(InvalidParent::Range { bone, parent, count });
        }
    }
    let mut order = Vec::with_capacity(count);
    // 0: not met, `bone + 1`: met on the way up from there, `u32::MAX`: sorted.
    let mut met = vec![0_u32; count];
    let mut chain = Vec::new();
    for (start, _) in (0_u32..).zip(parents) {
        let mut next = Some(start);
        let mark = start.saturating_add(1);
        while let Some(bone) = next {
            let Some(met) = met.get_mut(bone as usize).filter(|met| **met != u32::MAX) else {
                break;
            };
            if *met == mark {
                let from = chain.iter().position(|other| *other == bone);
                let circle = chain.get(from.unwrap_or(0)..).unwrap_or_default();
                let bone = circle.iter().copied().min().unwrap_or(bone);
                return Err(InvalidParent::Circle { bone });
            }
            *met = mark;
            chain.push(bone);
            next = parent_of(bone);
        }
        for bone in chain.drain(..).rev() {
            if let Some(met) = met.get_mut(bone as usize) {
                *met = u32::MAX;
            }
            order.push(bone);
        }
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_come_first_and_the_rest_keeps_its_order() {
        let sorted = parents_first(&[Some(2), None, Some(3), Some(1), None]);
        assert_eq!(sorted, Ok(vec![1, 3, 2, 0, 4]));
        assert_eq!(parents_first(&[None, Some(0), Some(0)]), Ok(vec![0, 1, 2]));
    }

    #[test]
    fn circles_and_missing_parents_are_errors() {
        let circle = |bone| Err(InvalidParent::Circle { bone });
        assert_eq!(parents_first(&[Some(0)]), circle(0));
        assert_eq!(parents_first(&[Some(3), None, Some(1), Some(4), Some(3)]), circle(3));
        let error = parents_first(&[None, Some(99), None]).unwrap_err();
        assert_eq!(error.to_string(), "bone 1 has parent 99, but there are 3 bones");
    }

    #[test]
    fn a_long_chain_is_walked_once() {
        let parents: Vec<Option<u32>> = (1..200_000).map(Some).chain([None]).collect();
        let order = parents_first(&parents).unwrap();
        assert!(order.iter().copied().eq((0..200_000).rev()));
    }
}
