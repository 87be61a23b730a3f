//! Constant data of a skeleton for posing frames, laid out for four bones at a time, in an order in which few of them depend on
//! each other.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::{Mat4, Vec4};

use super::affine::{Affine, IDENTITY};
use super::sample::{LANES, Locals};
use crate::document::{BoneId, Document};

/// Four affine maps, lane by lane: rows `(xx, xy, xt)` and `(yx, yy, yt)`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Affines {
    pub(super) xx: Vec4,
    pub(super) xy: Vec4,
    pub(super) xt: Vec4,
    pub(super) yx: Vec4,
    pub(super) yy: Vec4,
    pub(super) yt: Vec4,
}

impl Affines {
    #[inline(always)]
    pub(super) fn from_lanes(maps: [&Affine; LANES]) -> Self {
        let [a, b, c, d] = maps.map(|rows| rows.map(Vec4::from_array));
        let [ax, ay] = a;
        let [bx, by] = b;
        let [cx, cy] = c;
        let [dx, dy] = d;
        let x = Mat4::from_cols(ax, bx, cx, dx).transpose();
        let y = Mat4::from_cols(ay, by, cy, dy).transpose();
        Self { xx: x.x_axis, xy: x.y_axis, xt: x.z_axis, yx: y.x_axis, yy: y.y_axis, yt: y.z_axis }
    }

    #[inline(always)]
    pub(super) fn to_lanes(self) -> [Affine; LANES] {
        let x = Mat4::from_cols(self.xx, self.xy, self.xt, Vec4::ZERO).transpose();
        let y = Mat4::from_cols(self.yx, self.yy, self.yt, Vec4::ZERO).transpose();
        [
            [x.x_axis.to_array(), y.x_axis.to_array()],
            [x.y_axis.to_array(), y.y_axis.to_array()],
            [x.z_axis.to_array(), y.z_axis.to_array()],
            [x.w_axis.to_array(), y.w_axis.to_array()],
        ]
    }

    /// Returns `self · other`, with the same order of operations as [`super::multiply`].
    #[inline(always)]
    pub(super) fn multiply(&self, o: &Self) -> Self {
        Self {
            xx: self.xx * o.xx + self.xy * o.yx,
            xy: self.xx * o.xy + self.xy * o.yy,
            xt: self.xx * o.xt + (self.xy * o.yt + self.xt),
            yx: self.yx * o.xx + self.yy * o.yx,
            yy: self.yx * o.xy + self.yy * o.yy,
            yt: self.yx * o.xt + (self.yy * o.yt + self.yt),
        }
    }
}

impl From<Locals> for Affines {
    #[inline(always)]
    fn from(l: Locals) -> Self {
        Self { xx: l.a, xy: l.minus_c, xt: l.x, yx: l.b, yy: l.d, yt: l.y }
    }
}

/// Bones that are posed together.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoneBlock {
    /// The bones. Unused lanes repeat one of them.
    pub(super) bones: [u16; LANES],
    /// Indices of their world matrices: a bone's index + 1. Unused lanes write after the last bone.
    pub(super) places: [u32; LANES],
    /// Indices of their parents' world matrices: 0 for a root, else the parent's index + 1.
    pub(super) parents: [u32; LANES],
    /// True if no bone of the block is the parent of another one, so that all four can be computed at once.
    pub(super) independent: bool,
    /// True if the bones follow each other in the file.
    pub(super) contiguous: bool,
    pub(super) bone_from_bind: Affines,
}

/// Returns the blocks of a skeleton, parents before children. Bones with long chains below them come first, so that most blocks
/// hold four bones that do not depend on each other.
pub(super) fn blocks(document: &Document, bone_from_bind: &[Affine]) -> Vec<BoneBlock> {
    let parents: Vec<Option<BoneId>> = document.bones().map(|bone| bone.parent()).collect();
    let trash = parents.len().saturating_add(1);
    debug_assert_eq!(bone_from_bind.len(), parents.len(), "a matrix for each bone");
    order(&parents).iter().map(|group| block(group, &parents, bone_from_bind, trash)).collect()
}

fn block(
    group: &[u16],
    parents: &[Option<BoneId>],
    bone_from_bind: &[Affine],
    trash: usize,
) -> BoneBlock {
    let place = |bone: u16| u32::from(bone).saturating_add(1);
    debug_assert!(!group.is_empty(), "groups are made with a bone");
    let first = group.first().copied().unwrap_or_default();
    let lanes: [usize; LANES] = std::array::from_fn(|lane| lane);
    let bones = lanes.map(|lane| group.get(lane).copied().unwrap_or(first));
    let parent = |bone: u16| parents.get(usize::from(bone)).copied().flatten();
    let follows = |(lane, bone): (u16, &u16)| first.checked_add(lane) == Some(*bone);
    BoneBlock {
        bones,
        places: lanes.map(|lane| {
            let bone = group.get(lane).copied();
            bone.map_or(u32::try_from(trash).unwrap_or(u32::MAX), place)
        }),
        parents: bones.map(|bone| parent(bone).map_or(0, |parent| place(parent.0))),
        independent: group
            .iter()
            .all(|bone| parent(*bone).is_none_or(|parent| !group.contains(&parent.0))),
        contiguous: group.len() == LANES && (0..).zip(group).all(follows),
        bone_from_bind: Affines::from_lanes(
            bones.map(|bone| bone_from_bind.get(usize::from(bone)).unwrap_or(&IDENTITY)),
        ),
    }
}

/// Returns all bones in groups of up to four.
fn order(parents: &[Option<BoneId>]) -> Vec<Vec<u16>> {
    let count = parents.len();
    let bones = || (0..=u16::MAX).zip(parents);
    let mut heights = vec![0_u32; count];
    let mut children: Vec<Vec<u16>> = vec![Vec::new(); count];
    for (bone, parent) in bones().collect::<Vec<_>>().into_iter().rev() {
        let height = heights.get(usize::from(bone)).copied().unwrap_or(0);
        if let Some(parent) = parent {
            if let Some(of_parent) = heights.get_mut(parent.index()) {
                *of_parent = height.saturating_add(1).max(*of_parent);
            }
            if let Some(children) = children.get_mut(parent.index()) {
                children.push(bone);
            }
        }
    }
    let key = |bone: u16| {
        let height = heights.get(usize::from(bone)).copied().unwrap_or(0);
        (height, Reverse(bone))
    };
    let mut ready: BinaryHeap<_> =
        bones().filter(|(_, parent)| parent.is_none()).map(|(bone, _)| key(bone)).collect();
    let mut groups = Vec::new();
    while let Some((_, Reverse(first))) = ready.pop() {
        let mut group = vec![first];
        let follow = |bone: &u16, ready: &mut BinaryHeap<_>| {
            let children = children.get(usize::from(*bone));
            ready.extend(children.into_iter().flatten().map(|child| key(*child)));
        };
        // A bone that is alone takes its children along.
        let alone = ready.is_empty();
        if alone {
            follow(&first, &mut ready);
        }
        while group.len() < LANES
            && let Some((_, Reverse(bone))) = ready.pop()
        {
            group.push(bone);
            if alone {
                follow(&bone, &mut ready);
            }
        }
        if !alone {
            group.iter().for_each(|bone| follow(bone, &mut ready));
        }
        groups.push(group);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parents(of: &[i32]) -> Vec<Option<BoneId>> {
        of.iter().map(|parent| u16::try_from(*parent).ok().map(BoneId)).collect()
    }

    #[test]
    fn every_bone_comes_once_and_after_its_parent() {
        let wide: Vec<i32> = (0..50).map(|i| (i - 1) / 3 - i32::from(i == 0)).collect();
        let deep: Vec<i32> = (-1..40).collect();
        let mixed = [-1, 0, 1, 2, 0, 4, 5, -1, 7, 7, 9, 10, 3, 3];
        for skeleton in [&[][..], &[-1], &wide, &deep, &mixed] {
            let parents = parents(skeleton);
            let order = order(&parents).concat();
            assert_eq!(order.len(), parents.len());
            for (i, bone) in order.iter().enumerate() {
                assert!(!order[..i].contains(bone), "{bone} twice");
                let parent = parents[usize::from(*bone)];
                assert!(parent.is_none_or(|parent| order[..i].contains(&parent.0)));
            }
        }
    }

    #[test]
    fn bones_that_can_be_placed_together_are() {
        // Two parallel chains, one after the other in the file.
        let order = order(&parents(&[-1, 0, 1, 2, -1, 4, 5, 6]));
        assert_eq!(order, [[0, 4], [1, 5], [2, 6], [3, 7]]);
        // A single chain is split into groups of four.
        let chain: Vec<i32> = (-1..7).collect();
        assert_eq!(super::order(&parents(&chain)), [[0, 1, 2, 3], [4, 5, 6, 7]]);
    }
}
