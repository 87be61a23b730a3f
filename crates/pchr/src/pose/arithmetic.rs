//! Arithmetic of poses: affine maps of the plane, as the two rows that the shader reads; and eight lanes at a time, with the same bits on
//! every machine: no product is fused, and sine and cosine are our own.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x4, f32x8, i32x8, u32x8};
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

/// Bones, or moments, that are computed together, one in each lane of a vector.
pub(super) const LANES: usize = 8;

/// Instructions of a machine, with the shuffles that compilers do not find by themselves.
pub(super) trait Lanes: Copy {
    /// Token of the vectors of these instructions.
    type Token: Simd;

    /// An affine map in registers.
    type Map: Copy;

    fn simd(self) -> Self::Token;

    /// Transposes 4 × 4 numbers in each half: number `i` of vector `k` becomes number `k` of vector `i`.
    fn transpose(self, vectors: [f32x8<Self::Token>; 4]) -> [f32x8<Self::Token>; 4];

    fn load(self, map: &Affine) -> Self::Map;

    /// Returns `a_from_b · b_from_c` with the bits of [`multiply`].
    fn multiply(self, a_from_b: Self::Map, b_from_c: &Affine) -> Self::Map;

    fn store(self, map: Self::Map, out: &mut Affine);
}

/// Work that is compiled for each kind of [`Lanes`].
pub(super) trait LaneWork {
    fn run<L: Lanes>(self, lanes: L);
}

/// Does work with the best instructions of `level`.
pub(super) fn run(level: Level, work: impl LaneWork) {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(avx2) = level.as_avx2() {
        return avx2.vectorize(
            #[inline(always)]
            || work.run(avx2),
        );
    }
    let _ = level;
    dispatch!(Level::baseline(), simd => work.run(AnyLanes(simd)));
}

/// Lanes of any machine.
#[derive(Clone, Copy)]
struct AnyLanes<S>(S);

impl<S: Simd> Lanes for AnyLanes<S> {
    type Token = S;
    type Map = Affine;

    #[inline(always)]
    fn simd(self) -> S {
        self.0
    }

    #[inline(always)]
    fn transpose(self, vectors: [f32x8<S>; 4]) -> [f32x8<S>; 4] {
        let [a, b, c, d] = vectors;
        let ((a, e), (b, f), (c, g), (d, h)) = (a.split(), b.split(), c.split(), d.split());
        let ([a, b, c, d], [e, f, g, h]) = (transpose(a, b, c, d), transpose(e, f, g, h));
        [a.combine(e), b.combine(f), c.combine(g), d.combine(h)]
    }

    #[inline(always)]
    fn load(self, map: &Affine) -> Affine {
        *map
    }

    #[inline(always)]
    fn multiply(self, a_from_b: Affine, b_from_c: &Affine) -> Affine {
        multiply(&a_from_b, b_from_c)
    }

    #[inline(always)]
    fn store(self, map: Affine, out: &mut Affine) {
        *out = map;
    }
}

#[inline(always)]
fn transpose<S: Simd>(a: f32x4<S>, b: f32x4<S>, c: f32x4<S>, d: f32x4<S>) -> [f32x4<S>; 4] {
    let (ac, bd) = (a.zip_low(c), b.zip_low(d));
    let (ac_high, bd_high) = (a.zip_high(c), b.zip_high(d));
    [ac.zip_low(bd), ac.zip_high(bd), ac_high.zip_low(bd_high), ac_high.zip_high(bd_high)]
}

/// Returns `(sin, cos)` of finite angles in degrees; absolute error below 1.2e-7, exact at multiples of 90.
///
/// The nearest multiple of 90 is subtracted exactly, and the rest, within ±45 degrees, goes through the minimax polynomials of
/// Cephes `sinf`/`cosf`.
#[inline(always)]
pub(super) fn sin_cos_degrees<S: Simd>(degrees: f32x8<S>) -> (f32x8<S>, f32x8<S>) {
    /// Adding and subtracting 1.5 · 2²³ rounds to the nearest integer and leaves it in the low bits.
    const ROUND: f32 = 12_582_912.0;
    /// Beyond this, quarter turns no longer round exactly and whole turns are subtracted first.
    const LARGE: f32 = 1_000_000.0;
    /// Angles nearer to 0 count as 0. Exporters leave such angles, and products of them are denormal, which is slow.
    const TINY: f32 = 1e-12;

    let simd = degrees.simd;
    let k = |value: f32| f32x8::splat(simd, value);
    let size = degrees.abs();
    let angle = if size.simd_gt(k(LARGE)).any_true() {
        without_whole_turns(degrees)
    } else {
        size.simd_lt(k(TINY)).select(k(0.0), degrees)
    };
    let rounded = angle * k(1.0 / 90.0) + k(ROUND);
    let x = (angle - (rounded - k(ROUND)) * k(90.0)) * k(std::f32::consts::PI / 180.0);
    let x2 = x * x;
    let s =
        x * (k(1.0) + x2 * (k(-1.666_665_5e-1) + x2 * (k(8.332_161e-3) - x2 * k(1.951_529_6e-4))));
    let c = k(1.0)
        - x2 * (k(0.5)
            - x2 * (k(4.166_664_6e-2) + x2 * (k(-1.388_731_6e-3) + x2 * k(2.443_315_7e-5))));
    // Odd quarters swap the two; sine is negative in quarters 2 and 3, cosine in 1 and 2.
    let quarter: u32x8<S> = rounded.bitcast();
    let (s, c): (u32x8<S>, u32x8<S>) = (s.bitcast(), c.bitcast());
    let odd = quarter << 31;
    let swap: u32x8<S> = (odd.bitcast::<i32x8<S>>() >> 31).bitcast();
    let exchange = (s ^ c) & swap;
    let sin_sign = (quarter << 30) & u32x8::splat(simd, 1 << 31);
    ((s ^ exchange ^ sin_sign).bitcast(), (c ^ exchange ^ (sin_sign ^ odd)).bitcast())
}

#[cold]
#[inline(never)]
fn without_whole_turns<S: Simd>(degrees: f32x8<S>) -> f32x8<S> {
    f32x8::simd_from(degrees.simd, <[f32; LANES]>::from(degrees).map(|angle| angle % 360.0))
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod avx2 {
    //! Lanes of x86 processors with AVX2: a vector is one register.

    #[cfg(target_arch = "x86")]
    use std::arch::x86::*;
    #[cfg(target_arch = "x86_64")]
    use std::arch::x86_64::*;

    use fearless_simd::prelude::*;
    use fearless_simd::x86::Avx2;
    use fearless_simd::{f32x4, f32x8, kernel};

    use super::{Affine, Lanes};

    impl Lanes for Avx2 {
        type Token = Self;
        /// A row in each half.
        type Map = __m256;

        #[inline(always)]
        fn simd(self) -> Self {
            self
        }

        #[inline(always)]
        fn transpose(self, vectors: [f32x8<Self>; 4]) -> [f32x8<Self>; 4] {
            let [a, b, c, d] = vectors;
            let [a, b, c, d] = transpose(self, a.into(), b.into(), c.into(), d.into());
            [a.simd_into(self), b.simd_into(self), c.simd_into(self), d.simd_into(self)]
        }

        #[inline(always)]
        fn load(self, map: &Affine) -> __m256 {
            f32x8::from_slice(self, map.as_flattened()).into()
        }

        #[inline(always)]
        fn multiply(self, a_from_b: __m256, b_from_c: &Affine) -> __m256 {
            let [x, y] = b_from_c;
            let (x, y) = (f32x4::simd_from(self, *x), f32x4::simd_from(self, *y));
            let (x, y) = (f32x8::block_splat(x), f32x8::block_splat(y));
            multiply(self, a_from_b, x.into(), y.into())
        }

        #[inline(always)]
        fn store(self, map: __m256, out: &mut Affine) {
            let map: f32x8<Self> = map.simd_into(self);
            map.store_slice(out.as_flattened_mut());
        }
    }

    kernel!(
        #[inline]
        fn transpose(token: Avx2, a: __m256, b: __m256, c: __m256, d: __m256) -> [__m256; 4] {
            let (ab, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
            let (cd, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
            [
                _mm256_shuffle_ps::<0b01_00_01_00>(ab, cd),
                _mm256_shuffle_ps::<0b11_10_11_10>(ab, cd),
                _mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
                _mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
            ]
        }
    );

    kernel!(
        #[inline]
        fn multiply(token: Avx2, a: __m256, x: __m256, y: __m256) -> __m256 {
            let origin = _mm256_blend_ps::<0b0100_0100>(_mm256_setzero_ps(), a);
            let along_y = _mm256_mul_ps(_mm256_permute_ps::<0b01_01_01_01>(a), y);
            let along_x = _mm256_mul_ps(_mm256_permute_ps::<0>(a), x);
            _mm256_add_ps(along_x, _mm256_add_ps(along_y, origin))
        }
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sine and cosine of eight angles, by the instructions of `level`.
    fn sin_cos(level: Level, degrees: [f32; LANES]) -> [[f32; LANES]; 2] {
        struct Job<'a>([f32; LANES], &'a mut [[f32; LANES]; 2]);
        impl LaneWork for Job<'_> {
            #[inline(always)]
            fn run<L: Lanes>(self, lanes: L) {
                let (sin, cos) = sin_cos_degrees(f32x8::simd_from(lanes.simd(), self.0));
                *self.1 = [sin.into(), cos.into()];
            }
        }
        let mut out = [[0.0; LANES]; 2];
        run(level, Job(degrees, &mut out));
        out
    }

    #[test]
    fn it_is_within_its_stated_error_of_f64_and_exact_at_quarter_turns() {
        let mut worst: f64 = 0.0;
        for i in -50_000..50_000_i32 {
            let lanes = [0, 1, 2, 3, 4, 5, 6, 7];
            let degrees = lanes.map(|lane: i32| (i * 8 + lane) as f32 * 0.037);
            let found = sin_cos(Level::new(), degrees);
            assert_eq!(found, sin_cos(Level::baseline(), degrees));
            for (lane, degrees) in degrees.into_iter().enumerate() {
                let (s, c) = f64::from(degrees).to_radians().sin_cos();
                worst = worst.max((f64::from(found[0][lane]) - s).abs());
                worst = worst.max((f64::from(found[1][lane]) - c).abs());
            }
        }
        assert!(worst < 1.2e-7, "{worst}");
        let turns = [0.0, 90.0, 180.0, 270.0, 360.0, -90.0, 360e6, 90.0 + 7200.0];
        let [sin, cos] = sin_cos(Level::new(), turns);
        assert_eq!(sin, [0.0, 1.0, 0.0, -1.0, 0.0, -1.0, 0.0, 1.0]);
        assert_eq!(cos, [1.0, 0.0, -1.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
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
            let [sin, cos] =
                sin_cos(Level::new(), [degrees, 0.0, 0.0, 0.0, 0.0, degrees, 2e6, 0.0]);
            let (s, c) = (f64::from(degrees) % 360.0).to_radians().sin_cos();
            for (found, exact) in [(sin[0], s), (cos[0], c), (sin[5], s), (cos[5], c)] {
                let off = (f64::from(found) - exact).abs();
                assert!(off < 1.2e-7, "{degrees}: {found}, expected {exact}");
            }
        }
    }

    #[test]
    fn large_angles_stay_within_one() {
        let angles = [f32::MAX, f32::MIN, 1e30, -1e7, 1e6, 1e-38, 123_456_790.0, 1e9];
        let [sin, cos] = sin_cos(Level::new(), angles);
        for (sin, cos) in sin.iter().zip(cos) {
            assert!((sin * sin + cos * cos - 1.0).abs() < 1e-6, "{sin} {cos}");
        }
    }
}
