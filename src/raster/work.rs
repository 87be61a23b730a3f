//! How much drawing a frame is, counted before it is drawn.

use super::project::{ONE, OUTSIDE, Point};
use super::setup::area;

/// Pixels that every picture may have coloured, whatever its size: some ten seconds of one thread.
const EVERY_PICTURE: u64 = 1 << 31;

/// How often, on average, each pixel of a large picture may be coloured.
const EVERY_PIXEL: u64 = 64;

/// The triangles of a frame colour more pixels than is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the triangles cover {covered} pixels, each pixel of the picture about {} times; at most {most} are drawn in a picture of this size",
    covered / pixels
)]
pub struct TooMuchWork {
    /// Pixels that the triangles cover, each triangle's counted by itself.
    pub covered: u64,
    /// Pixels of the picture, at least 1.
    pub pixels: u64,
    /// Most pixels that may be covered: 2^31, or 64 times the picture's own if that is more.
    pub most: u64,
}

/// What a picture of a size may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    width: u64,
    height: u64,
    pixels: u64,
    most: u64,
}

impl Allowance {
    pub(super) fn new([width, height]: [u32; 2]) -> Self {
        let (width, height) = (u64::from(width), u64::from(height));
        let pixels = width.saturating_mul(height).max(1);
        Self {
            width,
            height,
            pixels,
            most: EVERY_PICTURE.max(pixels.saturating_mul(EVERY_PIXEL)),
        }
    }

    /// Returns whether so many triangles are too few to be too much, however large they are.
    pub(super) fn holds(&self, triangles: usize) -> bool {
        (triangles as u64).saturating_mul(self.pixels) <= self.most
    }

    /// Checks triangles by their corners: each counts with its area, or with what its bounding box shares with the
    /// picture if that is less.
    pub(super) fn check(
        &self,
        triangles: impl Iterator<Item = [Point; 3]>,
    ) -> Result<(), TooMuchWork> {
        let covered = triangles.fold(0_u64, |sum, corners| {
            sum.saturating_add(self.covered(corners))
        });
        if covered <= self.most {
            return Ok(());
        }
        Err(TooMuchWork {
            covered,
            pixels: self.pixels,
            most: self.most,
        })
    }

    fn covered(&self, corners: [Point; 3]) -> u64 {
        if corners.contains(&OUTSIDE) {
            return self.pixels;
        }
        let [[ax, ay], [bx, by], [cx, cy]] = corners;
        let columns = shared(ax.min(bx).min(cx), ax.max(bx).max(cx), self.width);
        let rows = shared(ay.min(by).min(cy), ay.max(by).max(cy), self.height);
        let inside = area(corners).unsigned_abs() / (2 * 256 * 256);
        inside.min(columns.saturating_mul(rows))
    }
}

/// Pixels of a side of the picture, `0..length`, that lie in `low..high` (1/256 of a pixel).
fn shared(low: i32, high: i32, length: u64) -> u64 {
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let low = i64::from(low).div_euclid(ONE.into()).max(0);
    let high = (i64::from(high).div_euclid(ONE.into()) + 1).min(length);
    u64::try_from(high - low).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIXEL: i32 = ONE;

    /// The left upper half of a square.
    fn half(left: i32, top: i32, side: i32) -> [Point; 3] {
        [[left, top], [left + side, top], [left, top + side]].map(|at| at.map(|c| c * PIXEL))
    }

    #[test]
    fn a_triangle_counts_with_what_it_may_colour() {
        let picture = Allowance::new([100, 50]);
        assert_eq!(picture.covered(half(0, 0, 10)), 50);
        assert_eq!(
            picture.covered(half(90, 40, 1000)),
            100,
            "cut at both sides"
        );
        assert_eq!(picture.covered(half(-20, 0, 10)), 0, "beside it");
        assert_eq!(
            picture.covered(half(-9000, -9000, 60_000)),
            5000,
            "around it"
        );
        assert_eq!(picture.covered([OUTSIDE, [0, 0], [0, 9]]), 5000);
        assert_eq!(picture.covered([[7, 7]; 3]), 0);
    }

    #[test]
    fn small_pictures_may_take_two_billion_pixels_and_large_ones_64_times_their_own() {
        let check = |side: u32, times: usize| {
            let all = half(0, 0, 20_000);
            Allowance::new([side; 2]).check(std::iter::repeat_n(all, times))
        };
        assert_eq!(check(1024, 2048), Ok(()));
        let error = check(1024, 2049).unwrap_err();
        assert_eq!((error.pixels, error.most), (1 << 20, 1 << 31));
        assert_eq!(check(8192, 64), Ok(()));
        assert!(check(8192, 65).is_err());
        assert!(Allowance::new([1024; 2]).holds(2048) && !Allowance::new([1024; 2]).holds(2049));
    }
}
