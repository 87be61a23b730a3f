//! Choice of the instructions for this machine. All give the same bits: products are never fused with sums.

use super::job::Job;
use super::transform::Transform;

/// The instructions that are used.
#[derive(Clone, Copy, Debug)]
pub(super) enum Path {
    Portable,
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx2(fearless_simd::x86::Avx2),
}

impl Path {
    /// The best that this machine has.
    pub(super) fn new() -> Self {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        if let Some(avx2) = fearless_simd::Level::new().as_avx2() {
            return Self::Avx2(avx2);
        }
        Self::Portable
    }

    /// See [`Job::run`].
    pub(super) fn run(self, job: &Job<'_>, out: &mut [Transform]) {
        match self {
            Self::Portable => portable(job, out),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx2(avx2) => with_avx2(avx2, job, out),
        }
    }
}

#[inline(never)]
fn portable(job: &Job<'_>, out: &mut [Transform]) {
    job.run(out);
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fearless_simd::kernel!(
    #[inline(never)]
    fn with_avx2(_token: Avx2, job: &Job<'_>, out: &mut [Transform]) {
        job.run(out);
    }
);
