//! The kernels for x86 processors with AVX2.
//!
//! Functions with several callers are plain and forced inline, so that they end up in code that may use AVX2. The instructions
//! themselves are in small `kernel!` functions.

#[cfg(target_arch = "x86")]
use std::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

use fearless_simd::prelude::*;
use fearless_simd::x86::Avx2;
use fearless_simd::{i32x4, kernel, u8x16, u64x4};

use super::edges::RowSpan;
use super::kernel::{
    Canvas, Convex, Kernel, KernelRows, Portable, RunSamples, SampleRun, each_row,
    each_row_of_samples,
};
use super::run::{ACROSS, BLOCK, RunSource, TO_16};
use super::sample::Rgba;
use super::setup::{TexelPlane, TexelRows};

/// Pixels that fit in a vector.
const GROUP: usize = BLOCK / 2;

impl Kernel for Avx2 {
    #[inline(always)]
    fn one(self, source: &RunSource<'_>, pixels: &mut [Rgba], width: usize, rows: &KernelRows) {
        one(self, source, pixels, width, rows);
    }

    #[inline(always)]
    fn one_run(self, source: &RunSource<'_>, row: &mut [Rgba], count: usize, at: [i64; 2]) {
        one_run(self, source, row, count, at);
    }

    #[inline(always)]
    fn four(
        self,
        source: &RunSource<'_>,
        pixels: RunSamples<'_>,
        spans: &[RowSpan],
        at: &TexelRows,
    ) {
        four(self, source, pixels, spans, at);
    }

    #[inline(always)]
    fn four_run(self, source: &RunSource<'_>, row: &mut [[Rgba; 4]], run: &SampleRun<'_>) {
        four_run(self, source, row, run);
    }

    #[inline(always)]
    fn flat(self, colour: Rgba, polygon: &Convex<'_>, canvas: Canvas<'_>) {
        flat(self, colour, polygon, canvas);
    }

    #[inline(always)]
    fn colours(self, colours: &[Rgba], row: &mut [[Rgba; 4]], x: i32, span: &RowSpan) {
        worked_out(self, colours, row, x, span);
    }

    #[inline(always)]
    fn whole(self, colours: &[Rgba], row: &mut [[Rgba; 4]]) {
        whole(self, colours, row);
    }

    #[inline(always)]
    fn resolve(self, samples: &[[Rgba; 4]], pixels: &mut [Rgba]) {
        resolve(self, samples, pixels);
    }
}

kernel!(
    #[inline(never)]
    fn one(
        token: Avx2,
        source: &RunSource<'_>,
        pixels: &mut [Rgba],
        width: usize,
        rows: &KernelRows,
    ) {
        let Some(ready) = ready(token, *source) else { return };
        each_row(source, pixels, width, rows, |row, count, at| {
            run(token, source, &ready, row, count, at);
        });
    }
);

kernel!(
    #[inline(never)]
    fn one_run(token: Avx2, source: &RunSource<'_>, row: &mut [Rgba], count: usize, at: [i64; 2]) {
        let Some(ready) = ready(token, *source) else { return };
        run(token, source, &ready, row, count, at);
    }
);

kernel!(
    #[inline(never)]
    fn four(
        token: Avx2,
        source: &RunSource<'_>,
        pixels: RunSamples<'_>,
        spans: &[RowSpan],
        at: &TexelRows,
    ) {
        let Some(ready) = ready(token, *source) else { return };
        each_row_of_samples(source, pixels, spans, at, |row, run| {
            run_samples(token, source, &ready, row, run);
        });
    }
);

kernel!(
    #[inline(never)]
    fn four_run(token: Avx2, source: &RunSource<'_>, row: &mut [[Rgba; 4]], run: &SampleRun<'_>) {
        let Some(ready) = ready(token, *source) else { return };
        run_samples(token, source, &ready, row, run);
    }
);

kernel!(
    #[inline(never)]
    fn flat(token: Avx2, colour: Rgba, polygon: &Convex<'_>, canvas: Canvas<'_>) {
        let (_, pixels, spans) = canvas.cover(polygon);
        let (colour, at) = (four_times(token, colour), TexelPlane::NUMBERS.rows(0));
        let bytes = narrow(token, colour);
        let is_opaque = opaque(token, colour);
        each_row_of_samples(&RunSource::default(), pixels, spans, &at, |row, run| {
            let mut cover = cover(token, run.x, run.span);
            // Most rows are short. Nothing is covered after the end, so whole groups are written, without a branch for each pixel.
            let (groups, rest) = row.as_chunks_mut::<GROUP>();
            let mut left = run.end - run.x;
            for group in groups {
                for (samples, x) in group.iter_mut().zip(0..) {
                    if is_opaque {
                        put_covered(token, samples, bytes, covered(token, cover, x));
                    } else {
                        over_covered(token, samples, colour, cover, x);
                    }
                }
                left -= 4;
                if left <= 0 {
                    return;
                }
                cover.x = moved(token, cover, 4);
            }
            for (samples, x) in rest.iter_mut().zip(0..left) {
                over_covered(token, samples, colour, cover, x);
            }
        });
    }
);

kernel!(
    #[inline(never)]
    fn worked_out(token: Avx2, colours: &[Rgba], row: &mut [[Rgba; 4]], x: i32, span: &RowSpan) {
        let mut cover = cover(token, x, span);
        for (samples, colour) in row.iter_mut().zip(colours) {
            // Most of a glyph's cell shows nothing.
            if *colour != [0; 4] {
                let colour = four_times(token, *colour);
                over_covered(token, samples, colour, cover, 0);
            }
            cover.x = moved(token, cover, 1);
        }
    }
);

kernel!(
    #[inline(never)]
    fn whole(token: Avx2, colours: &[Rgba], row: &mut [[Rgba; 4]]) {
        for (samples, colours) in row.chunks_mut(GROUP).zip(colours.chunks(GROUP)) {
            if colours.iter().any(|colour| *colour != [0; 4]) {
                for (samples, colour) in samples.iter_mut().zip(colours) {
                    let target = u8x16::from_slice(token, samples.as_flattened());
                    let colour = over(token, four_times(token, *colour), target.into());
                    let colour: u8x16<_> = colour.simd_into(token);
                    colour.store_slice(samples.as_flattened_mut());
                }
            }
        }
    }
);

kernel!(
    #[inline(never)]
    fn resolve(token: Avx2, samples: &[[Rgba; 4]], pixels: &mut [Rgba]) {
        let (samples, rest) = samples.as_chunks::<GROUP>();
        let (pixels, pixels_rest) = pixels.as_chunks_mut::<GROUP>();
        for (pixels, [a, b, c, d]) in pixels.iter_mut().zip(samples) {
            let [a, b] = [mean(token, a), mean(token, b)];
            let [c, d] = [mean(token, c), mean(token, d)];
            let mean: u8x16<_> = pack(token, a, b, c, d).simd_into(token);
            mean.store_slice(pixels.as_flattened_mut());
        }
        Portable.resolve(rest, pixels_rest);
    }
);

#[inline(always)]
fn run(
    token: Avx2,
    source: &RunSource<'_>,
    ready: &Ready<'_>,
    mut row: &mut [Rgba],
    count: usize,
    mut at: [i64; 2],
) {
    let mut left = count;
    loop {
        let block = block(token, ready, at);
        for half in [Half::First, Half::Second] {
            let colours = colours(token, ready, &block, half);
            if left < GROUP {
                if left > 0 {
                    last(token, row, left, colours);
                }
                return;
            }
            let Some((pixels, rest)) = row.split_first_chunk_mut::<GROUP>() else { return };
            over_pixels(token, pixels, colours);
            row = rest;
            left -= GROUP;
        }
        if left == 0 {
            return;
        }
        at = source.next(at);
    }
}

/// Draws one to three pixels.
#[inline(always)]
fn last(token: Avx2, row: &mut [Rgba], count: usize, colours: __m256i) {
    // Transparent pixels change nothing, so pixels to the right of the run may be written too.
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

/// See [`crate::image::over`]. Colours have a channel in each sixteenth.
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

#[inline(always)]
fn run_samples(
    token: Avx2,
    source: &RunSource<'_>,
    ready: &Ready<'_>,
    mut row: &mut [[Rgba; 4]],
    run: &SampleRun<'_>,
) {
    let mut at = run.at;
    let mut left = run.end - run.x;
    let mut cover = cover(token, run.x, run.span);
    loop {
        let block = block(token, ready, at);
        // Written out, for a loop would not be unrolled.
        let colours_first = colours(token, ready, &block, Half::First);
        row = over_group(token, row, cover, colours_first);
        if left <= 4 {
            return;
        }
        cover.x = moved(token, cover, 4);
        let colours_second = colours(token, ready, &block, Half::Second);
        row = over_group(token, row, cover, colours_second);
        if left <= 8 {
            return;
        }
        cover.x = moved(token, cover, 4);
        left -= 8;
        at = source.next(at);
    }
}

/// Draws the samples of four pixels, or of as many as the row has left. Returns the rest of the row.
#[inline(always)]
fn over_group(
    token: Avx2,
    row: &mut [[Rgba; 4]],
    cover: Cover,
    colours: __m256i,
) -> &mut [[Rgba; 4]] {
    if row.len() < GROUP {
        for ((samples, colour), x) in row.iter_mut().zip(each(token, colours)).zip(0..) {
            over_covered(token, samples, colour, cover, x);
        }
        return &mut [];
    }
    let Some((pixels, rest)) = row.split_first_chunk_mut::<GROUP>() else { return &mut [] };
    // Nothing is covered after the end, so pixels there may be written too.
    if opaque(token, colours) {
        for ((samples, colour), x) in pixels.iter_mut().zip(each_narrow(token, colours)).zip(0..) {
            put_covered(token, samples, colour, covered(token, cover, x));
        }
    } else {
        for ((samples, colour), x) in pixels.iter_mut().zip(each(token, colours)).zip(0..) {
            over_covered(token, samples, colour, cover, x);
        }
    }
    rest
}

/// Puts an opaque colour into the covered samples of a pixel.
#[inline(always)]
fn put_covered(token: Avx2, samples: &mut [Rgba; 4], colour: __m128i, covered: __m128i) {
    let target = u8x16::from_slice(token, samples.as_flattened());
    let mixed: u8x16<_> = choose(token, target.into(), colour, covered).simd_into(token);
    mixed.store_slice(samples.as_flattened_mut());
}

/// Blends a colour over the covered samples of the pixel that is `by` pixels further right.
#[inline(always)]
fn over_covered(token: Avx2, samples: &mut [Rgba; 4], colour: __m256i, cover: Cover, by: i32) {
    let colours = only(token, colour, covered(token, cover, by));
    let target = u8x16::from_slice(token, samples.as_flattened());
    let colours: u8x16<_> = over(token, colours, target.into()).simd_into(token);
    colours.store_slice(samples.as_flattened_mut());
}

/// [`RunSource`], in vectors.
#[derive(Clone, Copy, Debug)]
struct Ready<'a> {
    /// Texel bytes, of the same length as `lower`.
    upper: &'a [u8],
    lower: &'a [u8],
    /// The largest offset.
    limit: __m256i,
    /// Distance of each pixel of a block from the first, in 16.16 bits.
    u: __m256i,
    v: __m256i,
    /// In each lane, 1 and the texels per row.
    one_row: __m256i,
}

kernel!(
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        reason = "coordinates of a run fit in 16.16 bits"
    )]
    fn ready(_token: Avx2, source: RunSource<'_>) -> Option<Ready<'_>> {
        // Pixels 0 and 2, 1 and 3, and so on in the same place of either half: they go together later.
        let number = _mm256_setr_epi32(0, 1, 4, 5, 2, 3, 6, 7);
        let [du, dv] = source.dx;
        let limit = u32::try_from(source.upper.len().saturating_sub(8)).unwrap_or(0);
        let lower = source.lower.get(..source.upper.len())?;
        Some(Ready {
            upper: source.upper,
            lower,
            limit: _mm256_set1_epi32(limit.cast_signed()),
            u: _mm256_mullo_epi32(_mm256_set1_epi32((du >> TO_16) as i32), number),
            v: _mm256_mullo_epi32(_mm256_set1_epi32((dv >> TO_16) as i32), number),
            one_row: _mm256_set1_epi32(1 | (source.stride << 16) as i32),
        })
    }
);

/// [`super::run::Block`] in vectors, in the order of [`ready`]. Each word holds two offsets.
#[derive(Clone, Copy, Debug)]
struct Vectors {
    offset: [u64; BLOCK / 2],
    across: __m256i,
    down: __m256i,
}

kernel!(
    /// See [`RunSource::block`].
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
        // Pixels of the block after the run's end may be anywhere.
        let offset: u64x4<Avx2> = _mm256_min_epu32(offset, ready.limit).simd_into(token);
        let low = _mm256_set1_epi32(0xffff);
        let part = _mm256_and_si256(u, low);
        let part = _mm256_add_epi32(part, _mm256_slli_epi32::<8>(part));
        let right = _mm256_srli_epi32::<10>(part);
        let left = _mm256_sub_epi32(_mm256_set1_epi32(ACROSS as i32), right);
        let part = _mm256_and_si256(v, low);
        let part = _mm256_sub_epi32(_mm256_slli_epi32::<8>(part), part);
        let below = _mm256_srli_epi32::<16>(_mm256_add_epi32(part, _mm256_set1_epi32(0x8000)));
        let above = _mm256_sub_epi32(_mm256_set1_epi32(255), below);
        let pair = _mm256_or_si256(above, _mm256_slli_epi32::<8>(below));
        Vectors {
            offset: offset.into(),
            across: _mm256_or_si256(left, _mm256_slli_epi32::<16>(right)),
            down: _mm256_or_si256(pair, _mm256_slli_epi32::<16>(pair)),
        }
    }
);

/// Half of a block.
#[derive(Clone, Copy, Debug)]
enum Half {
    First,
    Second,
}

/// Returns four pixels of a block: a channel in each sixteenth.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "two offsets of 32 bits in each word")]
fn colours(token: Avx2, ready: &Ready<'_>, block: &Vectors, half: Half) -> __m256i {
    let [a, b, c, d] = block.offset;
    let (low, high, even, odd) = match half {
        Half::First => (a, c, weights_0(token, block), weights_1(token, block)),
        Half::Second => (b, d, weights_2(token, block), weights_3(token, block)),
    };
    // One by one, and straight into vectors: what is left is a load and a check per row.
    let Some(p0) = texels(token, ready, low as u32) else { return none(token) };
    let Some(p1) = texels(token, ready, (low >> 32) as u32) else { return none(token) };
    let Some(p2) = texels(token, ready, high as u32) else { return none(token) };
    let Some(p3) = texels(token, ready, (high >> 32) as u32) else { return none(token) };
    let even = blend_texels(token, p0, p2, even);
    let odd = blend_texels(token, p1, p3, odd);
    join(token, even, odd)
}

/// Returns the two upper and the two lower texels at an offset. Offsets are limited so that they exist.
#[inline(always)]
fn texels(token: Avx2, ready: &Ready<'_>, offset: u32) -> Option<__m128i> {
    let from = offset as usize;
    let upper = ready.upper.get(from..from + 8)?.first_chunk()?;
    let lower = ready.lower.get(from..from + 8)?.first_chunk()?;
    Some(pair(token, i64::from_le_bytes(*upper), i64::from_le_bytes(*lower)))
}

kernel!(
    #[inline(always)]
    fn pair(_token: Avx2, low: i64, high: i64) -> __m128i {
        _mm_set_epi64x(high, low)
    }
);

kernel!(
    #[inline(always)]
    fn none(_token: Avx2) -> __m256i {
        _mm256_setzero_si256()
    }
);

/// Weights down and across of two pixels of a block, by their place in either half vector.
macro_rules! weights {
    ($name:ident, $place:literal) => {
        kernel!(
            #[inline(always)]
            fn $name(_token: Avx2, block: &Vectors) -> [__m256i; 2] {
                [
                    _mm256_shuffle_epi32::<$place>(block.down),
                    _mm256_shuffle_epi32::<$place>(block.across),
                ]
            }
        );
    };
}
weights!(weights_0, 0b00_00_00_00);
weights!(weights_1, 0b01_01_01_01);
weights!(weights_2, 0b10_10_10_10);
weights!(weights_3, 0b11_11_11_11);

kernel!(
    /// Blends two pixels, each from two upper and two lower texels, by the weights down and across. A channel in each eighth.
    #[inline(always)]
    #[expect(clippy::cast_possible_wrap, reason = "a constant of fifteen bits")]
    fn blend_texels(
        _token: Avx2,
        first: __m128i,
        second: __m128i,
        weights: [__m256i; 2],
    ) -> __m256i {
        let [down, across] = weights;
        let texels = _mm256_set_m128i(second, first);
        // For each channel: upper left, lower left, upper right, lower right.
        let order = _mm_setr_epi8(0, 8, 4, 12, 1, 9, 5, 13, 2, 10, 6, 14, 3, 11, 7, 15);
        let texels = _mm256_shuffle_epi8(texels, _mm256_broadcastsi128_si256(order));
        // The byte product treats one operand as signed: 128 is subtracted from the texels, and added again with the rounding.
        let texels = _mm256_xor_si256(texels, _mm256_set1_epi8(-128));
        let sum = _mm256_madd_epi16(_mm256_maddubs_epi16(down, texels), across);
        let bias = _mm256_set1_epi32(128 * 255 * (ACROSS as i32) + (1 << 21));
        _mm256_srli_epi32::<22>(_mm256_add_epi32(sum, bias))
    }
);

kernel!(
    /// Joins pixels 0 and 2 with pixels 1 and 3: a channel in each sixteenth.
    #[inline(always)]
    fn join(_token: Avx2, even: __m256i, odd: __m256i) -> __m256i {
        _mm256_packus_epi32(even, odd)
    }
);

kernel!(
    /// Returns true if all four pixels are opaque.
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
        narrow(token, _mm256_add_epi16(source, _mm256_srli_epi16::<8>(product)))
    }
);

kernel!(
    /// Converts four pixels with a channel in each sixteenth to bytes.
    #[inline(always)]
    fn narrow(_token: Avx2, colours: __m256i) -> __m128i {
        let (low, high) = (_mm256_castsi256_si128(colours), _mm256_extracti128_si256::<1>(colours));
        _mm_packus_epi16(low, high)
    }
);

kernel!(
    /// Returns the first `count` of four pixels; the rest are transparent.
    #[inline(always)]
    #[expect(clippy::cast_possible_wrap, reason = "less than four")]
    fn first_of(_token: Avx2, colours: __m256i, count: usize) -> __m256i {
        let number = _mm256_setr_epi64x(0, 1, 2, 3);
        let keep = _mm256_cmpgt_epi64(_mm256_set1_epi64x(count as i64), number);
        _mm256_and_si256(colours, keep)
    }
);

kernel!(
    /// Returns a pixel four times: a channel in each sixteenth.
    #[inline(always)]
    fn four_times(_token: Avx2, colour: Rgba) -> __m256i {
        _mm256_cvtepu8_epi16(_mm_set1_epi32(i32::from_le_bytes(colour)))
    }
);

kernel!(
    /// Returns each of four pixels, four times.
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
    /// Returns each of four pixels, four times, in bytes.
    #[inline(always)]
    fn each_narrow(token: Avx2, colours: __m256i) -> [__m128i; 4] {
        let colours = narrow(token, colours);
        [
            _mm_shuffle_epi32::<0b00_00_00_00>(colours),
            _mm_shuffle_epi32::<0b01_01_01_01>(colours),
            _mm_shuffle_epi32::<0b10_10_10_10>(colours),
            _mm_shuffle_epi32::<0b11_11_11_11>(colours),
        ]
    }
);

/// Coverage of four samples: those with `x < width` are covered.
#[derive(Clone, Copy, Debug)]
struct Cover {
    /// Columns from the left end of each sample's coverage, as unsigned numbers minus 2^31.
    x: __m128i,
    /// Number of covered columns, in the same form.
    width: __m128i,
}

kernel!(
    /// Returns the coverage of a pixel in column `x`.
    #[inline(always)]
    fn cover(token: Avx2, x: i32, span: &RowSpan) -> Cover {
        let left = i32x4::load_array(token, span.left).into();
        let right = i32x4::load_array(token, span.right).into();
        let low = _mm_set1_epi32(i32::MIN);
        let width = _mm_sub_epi32(_mm_max_epi32(right, left), left);
        Cover {
            x: _mm_xor_si128(_mm_sub_epi32(_mm_set1_epi32(x), left), low),
            width: _mm_xor_si128(width, low),
        }
    }
);

kernel!(
    /// Moves the columns `by` pixels to the right.
    #[inline(always)]
    fn moved(_token: Avx2, cover: Cover, by: i32) -> __m128i {
        _mm_add_epi32(cover.x, _mm_set1_epi32(by))
    }
);

kernel!(
    /// Returns a mask of the samples that are covered `by` pixels further right.
    #[inline(always)]
    fn covered(token: Avx2, cover: Cover, by: i32) -> __m128i {
        _mm_cmpgt_epi32(cover.width, moved(token, cover, by))
    }
);

kernel!(
    /// Returns the colours of the covered samples; the rest are transparent.
    #[inline(always)]
    fn only(_token: Avx2, colour: __m256i, covered: __m128i) -> __m256i {
        _mm256_and_si256(colour, _mm256_cvtepi32_epi64(covered))
    }
);

kernel!(
    /// Returns `colour` for covered samples, and `target` for the others.
    #[inline(always)]
    fn choose(_token: Avx2, target: __m128i, colour: __m128i, covered: __m128i) -> __m128i {
        _mm_blendv_epi8(target, colour, covered)
    }
);

kernel!(
    /// Returns the rounded mean of four samples: a channel in each quarter.
    #[inline(always)]
    fn mean(token: Avx2, samples: &[Rgba; 4]) -> __m128i {
        let samples = u8x16::from_slice(token, samples.as_flattened()).into();
        let order = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
        let pairs = _mm_maddubs_epi16(_mm_shuffle_epi8(samples, order), _mm_set1_epi8(1));
        let sums = _mm_madd_epi16(pairs, _mm_set1_epi16(1));
        _mm_srli_epi32::<2>(_mm_add_epi32(sums, _mm_set1_epi32(2)))
    }
);

kernel!(
    /// Packs four pixels, each with a channel in each quarter, side by side.
    #[inline(always)]
    fn pack(_token: Avx2, a: __m128i, b: __m128i, c: __m128i, d: __m128i) -> __m128i {
        _mm_packus_epi16(_mm_packus_epi32(a, b), _mm_packus_epi32(c, d))
    }
);
