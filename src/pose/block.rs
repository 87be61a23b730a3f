//! What a skeleton brings to every frame, laid out for four bones at a time.

use glam::{Mat4, Vec4};

use super::affine::{Affine, IDENTITY};
use super::sample::{LANES, Locals};
use crate::document::Document;

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
        Self {
            xx: x.x_axis,
            xy: x.y_axis,
            xt: x.z_axis,
            yx: y.x_axis,
            yy: y.y_axis,
            yt: y.z_axis,
        }
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

    /// `self · other`, in the order of operations of [`super::multiply`].
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
        Self {
            xx: l.a,
            xy: l.minus_c,
            xt: l.x,
            yx: l.b,
            yy: l.d,
            yt: l.y,
        }
    }
}

/// Four bones that follow each other in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoneBlock {
    /// Parents as places in [`super::Pose`]'s world matrices: 0 for a root, else the parent's index + 1.
    pub(super) parents: [u16; LANES],
    /// Whether no bone of the block is another one's parent, so that all four can be placed at once.
    pub(super) independent: bool,
    pub(super) bone_from_bind: Affines,
}

/// The blocks of a skeleton; the last is filled up with roots.
pub(super) fn blocks(document: &Document, bone_from_bind: &[Affine]) -> Vec<BoneBlock> {
    let mut parents = document
        .bones()
        .map(|bone| bone.parent().map_or(0, |parent| parent.0.saturating_add(1)));
    bone_from_bind
        .chunks(LANES)
        .zip((0..).step_by(LANES))
        .map(|(maps, first): (_, usize)| {
            let parents = [(); LANES].map(|()| parents.next().unwrap_or(0));
            let mut lanes = [&IDENTITY; LANES];
            lanes
                .iter_mut()
                .zip(maps)
                .for_each(|(lane, map)| *lane = map);
            BoneBlock {
                parents,
                independent: parents.iter().all(|parent| usize::from(*parent) <= first),
                bone_from_bind: Affines::from_lanes(lanes),
            }
        })
        .collect()
}
