//! The innermost work, in a version for each kind of machine. All of them give the same bits.

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use fearless_simd::Simd as _;

use super::Simd;
use super::band::{Frame, Scratch, draw_band};
use super::edges::RowSpan;
use super::portable::Portable;
use super::run::Source;
use super::sample::Rgba;

/// Colours and blends runs of pixels, bilinearly, and makes pixels of samples.
pub(super) trait Kernel: Copy {
    /// What is worked out once a triangle.
    type Ready<'a>: Copy;

    /// Gets ready for runs of one triangle.
    fn ready(self, source: Source<'_>) -> Self::Ready<'_>;

    /// One sample: the run starts at `at` and covers the first `count` pixels of `row`. The row goes on behind them.
    fn one(self, ready: &Self::Ready<'_>, row: &mut [Rgba], count: usize, at: [i64; 2]);

    /// Four samples: the run covers `row`, whose first pixel is in column `x`; `span` says which samples are covered.
    fn four(
        self,
        ready: &Self::Ready<'_>,
        row: &mut [[Rgba; 4]],
        x: i32,
        span: &RowSpan<4>,
        at: [i64; 2],
    );

    /// The mean of each pixel's samples.
    fn resolve(self, samples: &[[Rgba; 4]], pixels: &mut [Rgba]);
}

/// The version that is used.
#[derive(Clone, Copy, Debug)]
pub(super) enum Path {
    Portable,
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx2(fearless_simd::x86::Avx2),
}

impl Path {
    /// The best that this machine has, or that every machine has.
    pub(super) fn new(simd: Simd) -> Self {
        match simd {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Simd::Auto => fearless_simd::Level::new()
                .as_avx2()
                .map_or(Self::Portable, Self::Avx2),
            _ => Self::Portable,
        }
    }

    /// See [`draw_band`].
    pub(super) fn draw_band(
        self,
        frame: &Frame<'_>,
        first: i32,
        pixels: &mut [Rgba],
        scratch: &mut Scratch,
    ) {
        match self {
            Self::Portable => draw_band(Portable, frame, first, pixels, scratch),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx2(avx2) => avx2.vectorize(
                #[inline(always)]
                || draw_band(avx2, frame, first, pixels, scratch),
            ),
        }
    }
}
