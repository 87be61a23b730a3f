//! Affine maps of the plane, as the two rows that the shader reads, and sine and cosine that are the same on every machine.

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

/// Returns `(sin, cos)` of finite angles in degrees; absolute error below 1.2e-7, exact at multiples of 90.
///
/// The nearest multiple of 90 is subtracted exactly, and the rest, within ±45 degrees, goes through the minimax polynomials of
/// Cephes `sinf`/`cosf`. Written without branches so that it becomes vector code.
#[inline(always)]
pub(super) fn sin_cos_degrees(degrees: Vec4) -> (Vec4, Vec4) {
    /// Adding and subtracting 1.5 · 2²³ rounds to the nearest integer and leaves it in the low bits.
    const ROUND: Vec4 = Vec4::splat(12_582_912.0);
    /// Beyond this, quarter turns no longer round exactly and whole turns are subtracted first.
    const LARGE: Vec4 = Vec4::splat(1_000_000.0);
    /// Angles nearer to 0 count as 0. Exporters leave such angles, and products of them are denormal, which is slow.
    const TINY: Vec4 = Vec4::splat(1e-12);
    const SIGN: u32 = 1 << 31;

    let size = degrees.abs();
    let angle = if size.cmpgt(LARGE).any() {
        without_whole_turns(degrees)
    } else {
        Vec4::select(size.cmplt(TINY), Vec4::ZERO, degrees)
    };
    let k = |value: f32| Vec4::splat(value);
    let rounded = angle * k(1.0 / 90.0) + ROUND;
    let x = (angle - (rounded - ROUND) * k(90.0)) * k(std::f32::consts::PI / 180.0);
    let x2 = x * x;
    let s = x
        * (Vec4::ONE + x2 * (k(-1.666_665_5e-1) + x2 * (k(8.332_161e-3) - x2 * k(1.951_529_6e-4))));
    let c = Vec4::ONE
        - x2 * (k(0.5)
            - x2 * (k(4.166_664_6e-2) + x2 * (k(-1.388_731_6e-3) + x2 * k(2.443_315_7e-5))));
    // Odd quarters swap the two; sine is negative in quarters 2 and 3, cosine in 1 and 2.
    let quarter = rounded.to_array().map(f32::to_bits);
    let (s, c) = (s.to_array().map(f32::to_bits), c.to_array().map(f32::to_bits));
    let odd = quarter.map(|q| q << 31);
    let lanes = |lane: fn(u32, u32) -> u32, a: [u32; 4], b: [u32; 4]| {
        let [a0, a1, a2, a3] = a;
        let [b0, b1, b2, b3] = b;
        [lane(a0, b0), lane(a1, b1), lane(a2, b2), lane(a3, b3)]
    };
    let xor = |a, b| lanes(|a, b| a ^ b, a, b);
    let swap = odd.map(|odd| (odd.cast_signed() >> 31).cast_unsigned());
    let exchange = lanes(|a, b| a & b, xor(s, c), swap);
    let sin_sign = quarter.map(|q| (q << 30) & SIGN);
    let sin = xor(xor(s, exchange), sin_sign);
    let cos = xor(xor(c, exchange), xor(sin_sign, odd));
    let floats = |bits: [u32; 4]| Vec4::from_array(bits.map(f32::from_bits));
    (floats(sin), floats(cos))
}

#[cold]
#[inline(never)]
fn without_whole_turns(degrees: Vec4) -> Vec4 {
    // Not the vector's own remainder, which is not exact.
    Vec4::from_array(degrees.to_array().map(|angle| angle % 360.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_within_its_stated_error_of_f64_and_exact_at_quarter_turns() {
        let mut worst: f64 = 0.0;
        for i in -400_000..400_000 {
            let degrees = i as f32 * 0.037;
            let (sin, cos) = sin_cos_degrees(Vec4::splat(degrees));
            let (s, c) = f64::from(degrees).to_radians().sin_cos();
            worst = worst.max((f64::from(sin.w) - s).abs()).max((f64::from(cos.w) - c).abs());
        }
        assert!(worst < 1.2e-7, "{worst}");
        let (sin, cos) = sin_cos_degrees(Vec4::new(0.0, 90.0, 180.0, 270.0));
        assert_eq!(sin.to_array(), [0.0, 1.0, 0.0, -1.0]);
        assert_eq!(cos.to_array(), [1.0, 0.0, -1.0, 0.0]);
        let (sin, cos) = sin_cos_degrees(Vec4::new(360.0, -90.0, 360e6, 90.0 + 7200.0));
        assert_eq!(sin.to_array(), [0.0, -1.0, 0.0, 1.0]);
        assert_eq!(cos.to_array(), [1.0, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn large_angles_are_reduced_by_whole_turns() {
        let near_half_turns = (0..300_u16).map(|i| 180.0 + 360.0 * f32::from(i) * 1234.5);
        let mut state = 1_u32;
        let random = std::iter::repeat_with(move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // 2¹⁸ to 2⁴⁴, of either sign.
            let exponent = 145 + (state >> 4) % 26;
            f32::from_bits((state & 0x807f_ffff) | (exponent << 23))
        });
        let angles = [360e6 + 180.0, -360e6 - 180.0, 1e6 + 80.0, 1_000_260.0]
            .into_iter()
            .chain(near_half_turns)
            .chain(random.take(20_000));
        for degrees in angles {
            let (sin, cos) = sin_cos_degrees(Vec4::new(degrees, 0.0, degrees, 2e6));
            let (s, c) = (f64::from(degrees) % 360.0).to_radians().sin_cos();
            for (found, exact) in [(sin.x, s), (cos.x, c), (sin.z, s), (cos.z, c)] {
                let off = (f64::from(found) - exact).abs();
                assert!(off < 1.2e-7, "{degrees}: {found}, expected {exact}");
            }
        }
    }

    #[test]
    fn large_angles_stay_within_one() {
        for four in [f32::MAX, f32::MIN, 1e30, -1e7, 1e6, 1e-38, 123_456_790.0, 1e9].as_chunks().0 {
            let (sin, cos) = sin_cos_degrees(Vec4::from_array(*four));
            let one = sin * sin + cos * cos;
            assert!((one - Vec4::ONE).abs().max_element() < 1e-6, "{four:?}");
        }
    }
}
