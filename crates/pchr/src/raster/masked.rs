//! Triangles of an overlay that are seen only where an image is.

use super::clip::{FarCorner, clip};
use super::model::RasterModel;
use super::project::{OUTSIDE, Point, heights};
use super::sample::{Prepared, UvBounds};
use super::setup::Corner;
use super::spans::Target;
use crate::scene::{Filter, MaskedVertex, Overlay};

/// Draws the masked triangles of an overlay that may touch the target, from the atlas `texture`. `points` are their corners on the
/// screen.
pub(super) fn masked<T: Target>(
    (model, filter): (&RasterModel, Filter),
    (overlay, points): (&Overlay, &[Point]),
    texture: &Prepared<'_>,
    target: &mut T,
) {
    let band = target.band();
    for (image, range) in overlay.masks() {
        let Some(image) = model.texture(image) else {
            continue;
        };
        let mask = image.prepare(UvBounds::NONE, filter, false);
        let range = range.start as usize..range.end as usize;
        let corners = overlay.masked_vertices().get(range.clone());
        let points = points.get(range);
        let (Some(corners), Some(points)) = (corners, points) else {
            continue;
        };
        let triangles = corners.as_chunks::<3>().0.iter();
        for (corners, points) in triangles.zip(points.as_chunks::<3>().0) {
            let is_near = || {
                let rows = T::rows(heights(points));
                rows.start < band.end && rows.end > band.start && rows.start < rows.end
            };
            if points.contains(&OUTSIDE) || is_near() {
                triangle(corners, *points, texture, &mask, target);
            }
        }
    }
}

fn triangle<T: Target>(
    corners: &[MaskedVertex; 3],
    points: [Point; 3],
    texture: &Prepared<'_>,
    mask: &Prepared<'_>,
    target: &mut T,
) {
    let [a, b, c] = *corners;
    let [uv_a, uv_b, uv_c] = [a, b, c].map(|corner| texture.base.uv(corner.vertex.texel));
    let mask_uvs = [a, b, c].map(|corner| corner.image_uv.map(f64::from));
    let [at_a, at_b, at_c] = points;
    if !points.contains(&OUTSIDE) {
        let corners = [(at_a, uv_a), (at_b, uv_b), (at_c, uv_c)].map(|(at, uv)| Corner { at, uv });
        return target.masked(&corners, texture, mask, mask_uvs);
    }
    let far = |[a_uv, b_uv, c_uv]: [[f64; 2]; 3]| {
        let corners = [(a, a_uv), (b, b_uv), (c, c_uv)];
        clip(corners.map(|(corner, uv)| FarCorner {
            at: corner.vertex.position.map(f64::from),
            uv,
        }))
    };
    // Both are cut at the same places.
    let (on_atlas, on_image) = (far([uv_a, uv_b, uv_c]), far(mask_uvs));
    for (piece, on_image) in on_atlas.iter().flatten().zip(on_image.iter().flatten()) {
        let uvs = on_image.each_ref().map(|corner| corner.uv);
        target.masked(piece, texture, mask, uvs);
    }
}
