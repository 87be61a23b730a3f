//! Affine maps of the plane, as the two rows that the shader reads.

use glam::{Affine2, Vec2, Vec4};

/// An affine map of the plane: `x' = r[0][0]·x + r[0][1]·y + r[0][2]`, and `y'` in the same way from `r[1]`.
///
/// The fourth number of each row is 0. Two rows are the two `Rgba32Float` texels of a bone in the palette texture.
/// Variables are named `target_from_source`, so that the inner names of a product match.
pub type Affine = [[f32; 4]; 2];

/// The identity map.
pub const IDENTITY: Affine = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]];

/// Least absolute determinant of a map that can be inverted.
const DEGENERATE: f64 = 1e-12;

/// Returns `a_from_c = a_from_b · b_from_c`.
#[must_use]
#[inline(always)]
pub fn multiply(a_from_b: &Affine, b_from_c: &Affine) -> Affine {
    let [x, y] = b_from_c.map(Vec4::from_array);
    a_from_b.map(|row| {
        let [rx, ry, t, _] = row;
        (Vec4::splat(rx) * x + (Vec4::splat(ry) * y + Vec4::new(0.0, 0.0, t, 0.0))).to_array()
    })
}

/// Maps a point.
#[must_use]
#[inline(always)]
pub fn transform_point(map: &Affine, [x, y]: [f32; 2]) -> [f32; 2] {
    map.map(|[rx, ry, t, _]| rx * x + ry * y + t)
}

/// Returns a map as glam's type.
#[must_use]
pub fn affine2(map: &Affine) -> Affine2 {
    let [[a, c, x, _], [b, d, y, _]] = *map;
    Affine2::from_cols(Vec2::new(a, b), Vec2::new(c, d), Vec2::new(x, y))
}

/// Returns a map of glam's type as the rows that shaders read.
#[must_use]
pub fn from_affine2(map: &Affine2) -> Affine {
    let [a, b, c, d, x, y] = map.to_cols_array();
    [[a, c, x, 0.0], [b, d, y, 0.0]]
}

/// Returns the inverse map; `None` if the determinant is nearer to 0 than 1e-12, or not finite.
///
/// Computed in double precision: it is done once per bind pose, and every frame depends on it.
#[must_use]
pub fn inverse(map: &Affine) -> Option<Affine> {
    let [[a, c, tx, _], [b, d, ty, _]] = map.map(|row| row.map(f64::from));
    let det = a * d - b * c;
    if !det.is_finite() || det.abs() < DEGENERATE {
        return None;
    }
    let rows = [
        [d / det, -c / det, (c * ty - d * tx) / det, 0.0],
        [-b / det, a / det, (b * tx - a * ty) / det, 0.0],
    ];
    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
    let rows = rows.map(|row| row.map(|value| value as f32));
    rows.iter().flatten().all(|value| value.is_finite()).then_some(rows)
}
