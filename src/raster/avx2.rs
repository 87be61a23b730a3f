//! The kernels for x86 processors with AVX2.
//!
//! Functions with several callers are plain and forced inline: only so they end up in code that may use AVX2. The
//! instructions themselves are in the small `kernel!` functions below.

#[cfg(target_arch = "x86")]
use std::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

use fearless_simd::prelude::*;
use fearless_simd::x86::Avx2;
use fearless_simd::{i32x4, kernel, u8x16, u64x4};

use super::edges::RowSpan;
use super::kernel::Kernel;
use super::portable::Portable;
use super::run::{BLOCK, Source, TO_16};
use super::sample::{ACROSS, Rgba};

/// Pixels that fit in a vector.
const GROUP: usize = BLOCK / 2;

/// Half of a block.
#[derive(Clone, Copy, Debug)]
enum Half {
    First,
    Second,
}

/// [`super::run::Block`], in vectors. The weights are those of the same name.
#[derive(Clone, Copy, Debug)]
struct Vectors {
    offset: [u64; BLOCK / 2],
    across: __m256i,
    down: __m256i,
}

/// [`Source`], in vectors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ready<'a> {
    source: Source<'a>,
    /// How far each pixel of a block is from the first, in 16.16 bits.
    u: __m256i,
    v: __m256i,
    /// In each lane, 1 and the texels a row.
    one_row: __m256i,
}

impl Kernel for Avx2 {
    type Ready<'a> = Ready<'a>;

    #[inline(always)]
    fn ready(self, source: Source<'_>) -> Ready<'_> {
        ready(self, source)
    }

    #[inline(always)]
    fn one(self, ready: &Ready<'_>, mut row: &mut [Rgba], count: usize, mut at: [i64; 2]) {
        let mut left = count;
        loop {
            let block = block(self, ready, at);
            for half in [Half::First, Half::Second] {
                let colours = colours(self, &ready.source, &block, half);
                if left < GROUP {
                    if left > 0 {
                        last(self, row, left, colours);
                    }
                    return;
                }
                let Some((pixels, rest)) = row.split_first_chunk_mut::<GROUP>() else {
                    return;
                };
                over_pixels(self, pixels, colours);
                row = rest;
                left -= GROUP;
            }
            if left == 0 {
                return;
            }
            at = ready.source.next(at);
        }
    }

    #[inline(always)]
    fn four(
        self,
        ready: &Ready<'_>,
        row: &mut [[Rgba; 4]],
        mut x: i32,
        span: &RowSpan<4>,
        mut at: [i64; 2],
    ) {
        for pixels in row.chunks_mut(BLOCK) {
            let block = block(self, ready, at);
            for (pixels, half) in pixels.chunks_mut(GROUP).zip([Half::First, Half::Second]) {
                let colours = colours(self, &ready.source, &block, half);
                for (samples, colour) in pixels.iter_mut().zip(each(self, colours)) {
                    over_pixels(self, samples, covered(self, colour, x, span));
                    x += 1;
                }
            }
            at = ready.source.next(at);
        }
    }

    #[inline(always)]
    fn resolve(self, samples: &[[Rgba; 4]], pixels: &mut [Rgba]) {
        let (samples, rest) = samples.as_chunks::<GROUP>();
        let (pixels, pixels_rest) = pixels.as_chunks_mut::<GROUP>();
        for (pixels, samples) in pixels.iter_mut().zip(samples) {
            let [a, b, c, d] = samples.map(|samples| {
                let samples = u8x16::from_slice(self, samples.as_flattened());
                mean(self, samples.into())
            });
            let mean: u8x16<_> = pack(self, a, b, c, d).simd_into(self);
            mean.store_slice(pixels.as_flattened_mut());
        }
        Portable.resolve(rest, pixels_rest);
    }
}

/// One to three pixels.
#[inline(always)]
fn last(token: Avx2, row: &mut [Rgba], count: usize, colours: __m256i) {
    // What is transparent changes nothing, so that pixels right of the run may be written too.
    let colours = first_of(token, colours, count);
    if let Some(pixels) = row.first_chunk_mut() {
        over_pixels(token, pixels, colours);
    } else {
        let mut pixels = [[0; 4]; GROUP];
        for (pixel, from) in pixels.iter_mut().zip(row.iter()) {
            *pixel = *from;
        }
        over_pixels(token, &mut pixels, colours);
        for (pixel, from) in row.iter_mut().zip(pixels) {
            *pixel = from;
        }
    }
}

/// Four pixels of a block: a channel in each sixteenth.
#[inline(always)]
#[expect(
    clippy::cast_possible_truncation,
    reason = "two offsets of 32 bits in each word"
)]
fn colours(token: Avx2, source: &Source<'_>, block: &Vectors, half: Half) -> __m256i {
    let [a, b, c, d] = block.offset;
    let (first, second, start) = match half {
        Half::First => (a, b, 0),
        Half::Second => (c, d, 4),
    };
    let texels = |offset: u64| source.texels(offset as u32).unwrap_or_default();
    let [p0, p1] = [texels(first), texels(first >> 32)];
    let [p2, p3] = [texels(second), texels(second >> 32)];
    let even = blend_texels(token, p0, p2, block, lanes(token, start, start + 2));
    let odd = blend_texels(token, p1, p3, block, lanes(token, start + 1, start + 3));
    join(token, even, odd)
}

/// See [`super::blend::over`]; colours have a channel in each sixteenth.
#[inline(always)]
fn over_pixels(token: Avx2, pixels: &mut [Rgba; 4], colours: __m256i) {
    let colours = if opaque(token, colours) {
        narrow(token, colours)
    } else {
        let target = u8x16::from_slice(token, pixels.as_flattened());
        over(token, colours, target.into())
    };
    let colours: u8x16<_> = colours.simd_into(token);
    colours.store_slice(pixels.as_flattened_mut());
}

kernel!(
    /// The first `count` of four pixels; the rest transparent.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        reason = "less than four"
    )]
    fn first_of(_token: Avx2, colours: __m256i, count: usize) -> __m256i {
        let number = _mm256_setr_epi64x(0, 1, 2, 3);
        let keep = _mm256_cmpgt_epi64(_mm256_set1_epi64x(count as i64), number);
        _mm256_and_si256(colours, keep)
    }
);

kernel!(
    /// Each of four pixels, four times.
    #[inline(always)]
    fn each(_token: Avx2, colours: __m256i) -> [__m256i; 4] {
        [
            _mm256_permute4x64_epi64::<0b00_00_00_00>(colours),
            _mm256_permute4x64_epi64::<0b01_01_01_01>(colours),
            _mm256_permute4x64_epi64::<0b10_10_10_10>(colours),
            _mm256_permute4x64_epi64::<0b11_11_11_11>(colours),
        ]
    }
);

kernel!(
    /// The samples that are covered in column `x`; the rest transparent.
    #[inline(always)]
    fn covered(token: Avx2, colour: __m256i, x: i32, span: &RowSpan<4>) -> __m256i {
        let left = i32x4::load_array(token, span.left);
        let right = i32x4::load_array(token, span.right);
        let x = _mm_set1_epi32(x);
        let before = _mm_cmpgt_epi32(left.into(), x);
        let inside = _mm_andnot_si128(before, _mm_cmpgt_epi32(right.into(), x));
        _mm256_and_si256(colour, _mm256_cvtepi32_epi64(inside))
    }
);

kernel!(
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        reason = "coordinates of a run fit in 16.16 bits"
    )]
    fn ready(_token: Avx2, source: Source<'_>) -> Ready<'_> {
        let number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        let [du, dv] = source.dx;
        Ready {
            source,
            u: _mm256_mullo_epi32(_mm256_set1_epi32((du >> TO_16) as i32), number),
            v: _mm256_mullo_epi32(_mm256_set1_epi32((dv >> TO_16) as i32), number),
            one_row: _mm256_set1_epi32(1 | (source.stride << 16) as i32),
        }
    }
);

kernel!(
    /// See [`Source::block`].
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        reason = "coordinates of a run fit in 16.16 bits"
    )]
    fn block(token: Avx2, ready: &Ready<'_>, at: [i64; 2]) -> Vectors {
        let [u, v] = at;
        let u = _mm256_add_epi32(_mm256_set1_epi32((u >> TO_16) as i32), ready.u);
        let v = _mm256_add_epi32(_mm256_set1_epi32((v >> TO_16) as i32), ready.v);
        // Column and row side by side, times 1 and the row's length: all have fifteen bits.
        let place = _mm256_blend_epi16::<0b1010_1010>(_mm256_srli_epi32::<16>(u), v);
        let offset = _mm256_slli_epi32::<2>(_mm256_madd_epi16(place, ready.one_row));
        let low = _mm256_set1_epi32(0xffff);
        let part = _mm256_and_si256(u, low);
        let part = _mm256_add_epi32(part, _mm256_slli_epi32::<8>(part));
        let right = _mm256_srli_epi32::<10>(part);
        let left = _mm256_sub_epi32(_mm256_set1_epi32(ACROSS as i32), right);
        let across = _mm256_or_si256(left, _mm256_slli_epi32::<16>(right));
        let part = _mm256_and_si256(v, low);
        let part = _mm256_sub_epi32(_mm256_slli_epi32::<8>(part), part);
        let below = _mm256_srli_epi32::<16>(_mm256_add_epi32(part, _mm256_set1_epi32(0x8000)));
        let above = _mm256_sub_epi32(_mm256_set1_epi32(255), below);
        let pair = _mm256_or_si256(above, _mm256_slli_epi32::<8>(below));
        let down = _mm256_or_si256(pair, _mm256_slli_epi32::<16>(pair));
        let offset: u64x4<Avx2> = offset.simd_into(token);
        Vectors {
            offset: offset.into(),
            across,
            down,
        }
    }
);

kernel!(
    /// Two pixels: each from two upper and two lower texels, by the weights in the lanes that `lanes` names.
    /// A channel in each eighth.
    #[inline(always)]
    #[expect(clippy::cast_possible_wrap, reason = "a constant of fifteen bits")]
    fn blend_texels(
        _token: Avx2,
        first: [u64; 2],
        second: [u64; 2],
        block: &Vectors,
        lanes: __m256i,
    ) -> __m256i {
        let [a, b, c, d] = [first[0], first[1], second[0], second[1]].map(u64::cast_signed);
        let texels = _mm256_set_m128i(_mm_set_epi64x(d, c), _mm_set_epi64x(b, a));
        // For each channel: upper left, lower left, upper right, lower right.
        let order = _mm_setr_epi8(0, 8, 4, 12, 1, 9, 5, 13, 2, 10, 6, 14, 3, 11, 7, 15);
        let texels = _mm256_shuffle_epi8(texels, _mm256_broadcastsi128_si256(order));
        // The product of bytes takes one side as signed: 128 is taken off the texels, and put back with the rounding.
        let texels = _mm256_xor_si256(texels, _mm256_set1_epi8(-128));
        let down = _mm256_permutevar8x32_epi32(block.down, lanes);
        let across = _mm256_permutevar8x32_epi32(block.across, lanes);
        let sum = _mm256_madd_epi16(_mm256_maddubs_epi16(down, texels), across);
        let bias = _mm256_set1_epi32(128 * 255 * (ACROSS as i32) + (1 << 21));
        _mm256_srli_epi32::<22>(_mm256_add_epi32(sum, bias))
    }
);

kernel!(
    /// The lanes of two pixels of a block, for [`blend_texels`].
    #[inline(always)]
    fn lanes(_token: Avx2, first: i32, second: i32) -> __m256i {
        _mm256_set_m128i(_mm_set1_epi32(second), _mm_set1_epi32(first))
    }
);

kernel!(
    /// Pixels 0 and 2, and 1 and 3, side by side: a channel in each sixteenth.
    #[inline(always)]
    fn join(_token: Avx2, even: __m256i, odd: __m256i) -> __m256i {
        _mm256_packus_epi32(even, odd)
    }
);

kernel!(
    /// Four pixels with a channel in each sixteenth, in bytes.
    #[inline(always)]
    fn narrow(_token: Avx2, colours: __m256i) -> __m128i {
        let (low, high) = (
            _mm256_castsi256_si128(colours),
            _mm256_extracti128_si256::<1>(colours),
        );
        _mm_packus_epi16(low, high)
    }
);

kernel!(
    /// Four pixels, each with a channel in each quarter, side by side.
    #[inline(always)]
    fn pack(_token: Avx2, a: __m128i, b: __m128i, c: __m128i, d: __m128i) -> __m128i {
        _mm_packus_epi16(_mm_packus_epi32(a, b), _mm_packus_epi32(c, d))
    }
);

kernel!(
    /// Whether all four pixels are.
    #[inline(always)]
    fn opaque(_token: Avx2, colours: __m256i) -> bool {
        _mm256_testc_si256(colours, _mm256_set1_epi64x(0x00ff_0000_0000_0000)) != 0
    }
);

kernel!(
    #[inline(always)]
    fn over(token: Avx2, source: __m256i, target: __m128i) -> __m128i {
        let target = _mm256_cvtepu8_epi16(target);
        let alpha = _mm256_shufflehi_epi16::<0xff>(_mm256_shufflelo_epi16::<0xff>(source));
        let rest = _mm256_sub_epi16(_mm256_set1_epi16(255), alpha);
        let product = _mm256_add_epi16(_mm256_mullo_epi16(target, rest), _mm256_set1_epi16(128));
        let product = _mm256_add_epi16(product, _mm256_srli_epi16::<8>(product));
        narrow(
            token,
            _mm256_add_epi16(source, _mm256_srli_epi16::<8>(product)),
        )
    }
);

kernel!(
    /// The rounded mean of four samples: a channel in each quarter.
    #[inline(always)]
    fn mean(_token: Avx2, samples: __m128i) -> __m128i {
        let order = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
        let pairs = _mm_maddubs_epi16(_mm_shuffle_epi8(samples, order), _mm_set1_epi8(1));
        let sums = _mm_madd_epi16(pairs, _mm_set1_epi16(1));
        _mm_srli_epi32::<2>(_mm_add_epi32(sums, _mm_set1_epi32(2)))
    }
);
