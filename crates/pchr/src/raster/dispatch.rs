//! Choice of the kernel for this machine.

use super::Simd;
use super::band::{BandFrame, BandScratch, draw_band};
use super::kernel::Portable;
use super::sample::Rgba;

/// The chosen kernel.
#[derive(Clone, Copy, Debug)]
pub(super) enum KernelPath {
    Portable,
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx2(fearless_simd::x86::Avx2),
}

impl KernelPath {
    /// Returns the best kernel of this machine, or the portable one.
    pub(super) fn new(simd: Simd) -> Self {
        match simd {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Simd::Auto => fearless_simd::Level::new().as_avx2().map_or(Self::Portable, Self::Avx2),
            _ => Self::Portable,
        }
    }

    /// See [`draw_band`].
    pub(super) fn draw_band(
        self,
        frame: &BandFrame<'_>,
        first: i32,
        pixels: &mut [Rgba],
        scratch: &mut BandScratch,
    ) {
        match self {
            Self::Portable => draw_band(Portable, frame, first, pixels, scratch),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx2(avx2) => draw_band(avx2, frame, first, pixels, scratch),
        }
    }
}
