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
use fearless_simd::{i32x4, kernel, u8x16, u32x8};

use super::edges::RowSpan;
use super::kernel::Kernel;
use super::portable::Portable;
use super::run::{BLOCK, Block, Source};
use super::sample::{ACROSS, Rgba};

/// Pixels that fit in a vector.
const GROUP: usize = BLOCK / 2;

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
            for half in [0, GROUP] {
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
            for (pixels, half) in pixels.chunks_mut(GROUP).zip([0, GROUP]) {
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
fn last(token: Avx2, row: &mut [Rgba], count: usize, colours: __m128i) {
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

/// Four pixels of a block, from number `first` on.
#[inline(always)]
fn colours(token: Avx2, source: &Source<'_>, block: &Block, first: usize) -> __m128i {
    let a = colour(token, source, block, first);
    let b = colour(token, source, block, first + 1);
    let c = colour(token, source, block, first + 2);
    let d = colour(token, source, block, first + 3);
    pack(token, a, b, c, d)
}

/// One pixel of a block: a channel in each quarter.
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "`i` is below the constant length")]
fn colour(token: Avx2, source: &Source<'_>, block: &Block, i: usize) -> __m128i {
    let Some(texels) = source.texels(block.offset[i]) else {
        return none(token);
    };
    blend_texels(token, texels, block.across[i], block.down[i])
}

/// See [`super::blend::over`].
#[inline(always)]
fn over_pixels(token: Avx2, pixels: &mut [Rgba; 4], colours: __m128i) {
    let colours = if opaque(token, colours) {
        colours
    } else {
        let target = u8x16::from_slice(token, pixels.as_flattened());
        over(token, colours, target.into())
    };
    let colours: u8x16<_> = colours.simd_into(token);
    colours.store_slice(pixels.as_flattened_mut());
}

kernel!(
    #[inline(always)]
    fn none(_token: Avx2) -> __m128i {
        _mm_setzero_si128()
    }
);

kernel!(
    /// The first `count` of four pixels; the rest transparent.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        reason = "less than four"
    )]
    fn first_of(_token: Avx2, colours: __m128i, count: usize) -> __m128i {
        let number = _mm_setr_epi32(0, 1, 2, 3);
        _mm_and_si128(
            colours,
            _mm_cmpgt_epi32(_mm_set1_epi32(count as i32), number),
        )
    }
);

kernel!(
    /// Each of four pixels, four times.
    #[inline(always)]
    fn each(_token: Avx2, colours: __m128i) -> [__m128i; 4] {
        [
            _mm_shuffle_epi32::<0b00_00_00_00>(colours),
            _mm_shuffle_epi32::<0b01_01_01_01>(colours),
            _mm_shuffle_epi32::<0b10_10_10_10>(colours),
            _mm_shuffle_epi32::<0b11_11_11_11>(colours),
        ]
    }
);

kernel!(
    /// The samples that are covered in column `x`; the rest transparent.
    #[inline(always)]
    fn covered(token: Avx2, colour: __m128i, x: i32, span: &RowSpan<4>) -> __m128i {
        let left = i32x4::load_array(token, span.left);
        let right = i32x4::load_array(token, span.right);
        let x = _mm_set1_epi32(x);
        let before = _mm_cmpgt_epi32(left.into(), x);
        let inside = _mm_andnot_si128(before, _mm_cmpgt_epi32(right.into(), x));
        _mm_and_si128(colour, inside)
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
            u: _mm256_mullo_epi32(_mm256_set1_epi32((du >> 16) as i32), number),
            v: _mm256_mullo_epi32(_mm256_set1_epi32((dv >> 16) as i32), number),
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
    fn block(token: Avx2, ready: &Ready<'_>, at: [i64; 2]) -> Block {
        let [u, v] = at;
        let u = _mm256_add_epi32(_mm256_set1_epi32((u >> 16) as i32), ready.u);
        let v = _mm256_add_epi32(_mm256_set1_epi32((v >> 16) as i32), ready.v);
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
        let offset: u32x8<Avx2> = offset.simd_into(token);
        let across: u32x8<Avx2> = across.simd_into(token);
        let down: u32x8<Avx2> = down.simd_into(token);
        Block {
            offset: offset.into(),
            across: across.into(),
            down: down.into(),
        }
    }
);

kernel!(
    /// Two upper and two lower texels, by their weights: a channel in each quarter.
    #[inline(always)]
    #[expect(clippy::cast_possible_wrap, reason = "a constant of fifteen bits")]
    fn blend_texels(_token: Avx2, texels: [u64; 2], across: u32, down: u32) -> __m128i {
        let [upper, lower] = texels;
        let texels = _mm_set_epi64x(lower.cast_signed(), upper.cast_signed());
        // For each channel: upper left, lower left, upper right, lower right.
        let order = _mm_setr_epi8(0, 8, 4, 12, 1, 9, 5, 13, 2, 10, 6, 14, 3, 11, 7, 15);
        // The product of bytes takes one side as signed: 128 is taken off the texels, and put back with the rounding.
        let texels = _mm_xor_si128(_mm_shuffle_epi8(texels, order), _mm_set1_epi8(-128));
        let columns = _mm_maddubs_epi16(_mm_set1_epi32(down.cast_signed()), texels);
        let sum = _mm_madd_epi16(columns, _mm_set1_epi32(across.cast_signed()));
        let bias = _mm_set1_epi32(128 * 255 * (ACROSS as i32) + (1 << 21));
        _mm_srli_epi32::<22>(_mm_add_epi32(sum, bias))
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
    fn opaque(_token: Avx2, colours: __m128i) -> bool {
        _mm_test_all_ones(_mm_or_si128(colours, _mm_set1_epi32(0x00ff_ffff))) != 0
    }
);

kernel!(
    #[inline(always)]
    fn over(_token: Avx2, colours: __m128i, target: __m128i) -> __m128i {
        let target = _mm256_cvtepu8_epi16(target);
        let source = _mm256_cvtepu8_epi16(colours);
        let alpha = _mm256_broadcastsi128_si256(_mm_setr_epi8(
            6, 7, 6, 7, 6, 7, 6, 7, 14, 15, 14, 15, 14, 15, 14, 15,
        ));
        let rest = _mm256_sub_epi16(_mm256_set1_epi16(255), _mm256_shuffle_epi8(source, alpha));
        let product = _mm256_add_epi16(_mm256_mullo_epi16(target, rest), _mm256_set1_epi16(128));
        let product = _mm256_add_epi16(product, _mm256_srli_epi16::<8>(product));
        let sum = _mm256_add_epi16(source, _mm256_srli_epi16::<8>(product));
        let (low, high) = (
            _mm256_castsi256_si128(sum),
            _mm256_extracti128_si256::<1>(sum),
        );
        _mm_packus_epi16(low, high)
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
