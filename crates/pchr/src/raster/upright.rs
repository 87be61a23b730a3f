//! Upright pieces of an image on whole pixels, such as glyphs. They cover all samples of their pixels.

use std::ops::Range;

use super::project::{ONE, Point};
use super::sample::{Level, Rgba};
use super::setup::{Corner, Plane, TexelPlane, area};
use crate::scene::OverlayVertex;

/// A rectangle of whole pixels, with an upright rectangle of an image on it.
#[derive(Clone, Debug)]
pub(super) struct Upright {
    pub(super) columns: Range<i32>,
    pub(super) rows: Range<i32>,
    plane: TexelPlane,
}

impl Upright {
    /// Returns `None` for any other polygon.
    pub(super) fn new(
        points: &[Point],
        vertices: &[OverlayVertex],
        level: &Level<'_>,
    ) -> Option<Self> {
        let (&[a, b, c, d], [va, vb, vc, vd]) = (points, vertices) else {
            return None;
        };
        let [a_texel, b_texel, c_texel, d_texel] = [va.texel, vb.texel, vc.texel, vd.texel];
        let is_upright =
            is_rectangle([a, b, c, d]) && is_rectangle([a_texel, b_texel, c_texel, d_texel]);
        let [[left, top], [right, bottom]] = [a, c];
        let is_whole = [a, c].iter().flatten().all(|c| c % ONE == 0);
        if !is_upright || !is_whole || left >= right || top >= bottom {
            return None;
        }
        let corner = |at: Point, texel: [f32; 2]| Corner {
            at,
            uv: level.uv(texel),
        };
        let corners = [corner(a, a_texel), corner(b, b_texel), corner(c, c_texel)];
        Some(Self {
            columns: left / ONE..right / ONE,
            rows: top / ONE..bottom / ONE,
            plane: Plane::new(&corners, area([a, b, c])).texels(level.size(), 0.0),
        })
    }

    /// Calls `put` with the colours of some columns of a row, part by part.
    #[inline(always)]
    pub(super) fn each_part(
        &self,
        level: &Level<'_>,
        columns: Range<i32>,
        row: i32,
        mut put: impl FnMut(&[Rgba]),
    ) {
        let mut at = self.plane.at(columns.start, row);
        if self.plane.is_one_to_one()
            && let Some(colours) = level.run(at, columns.len())
        {
            return put(colours);
        }
        let mut colours = [[0; 4]; 32];
        let mut left = columns.len();
        while left > 0 {
            let count = left.min(colours.len());
            for colour in colours.iter_mut().take(count) {
                *colour = level.nearest(at);
                at = self.plane.right(at, 1);
            }
            put(colours.get(..count).unwrap_or_default());
            left -= count;
        }
    }
}

/// Returns true if these are the upper left, upper right, lower right and lower left corners of an upright rectangle.
fn is_rectangle<T: PartialEq>([a, b, c, d]: [[T; 2]; 4]) -> bool {
    let ([ax, ay], [bx, by], [cx, cy], [dx, dy]) = (a, b, c, d);
    ay == by && bx == cx && cy == dy && dx == ax
}
