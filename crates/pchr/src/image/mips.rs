//! Smaller copies of an image, for both renderers; an image with all of them.

use super::Pixels;

/// Returns the levels below `base`, each half as large (rounded down, at least 1), down to 1 x 1; none if `base` lacks bytes. `base` is
/// premultiplied.
///
/// A texel is the rounded mean of the 2 x 2 texels above it. If a side is odd, its last row or column is left out, as GPUs' own
/// generators do.
#[must_use]
pub fn mip_chain(base: &Pixels) -> Vec<Pixels> {
    let mut levels: Vec<Pixels> = Vec::new();
    if base.check().is_err_and(|fault| !fault.has_enough()) {
        return levels; // its size may be more than any memory holds
    }
    loop {
        let above = levels.last().unwrap_or(base);
        if above.width <= 1 && above.height <= 1 {
            return levels;
        }
        let level = half(above);
        levels.push(level);
    }
}

fn half(above: &Pixels) -> Pixels {
    let size = |side: u32| (side / 2).max(1);
    let (width, height) = (size(above.width), size(above.height));
    let stride = above.width as usize;
    let texels = above.rgba.as_chunks::<4>().0;
    let row = |y: u32| {
        let y = y.min(above.height.saturating_sub(1)) as usize;
        let start = y.saturating_mul(stride);
        texels.get(start..start.saturating_add(stride)).unwrap_or_default()
    };
    let mut halved = Vec::with_capacity((width as usize).saturating_mul(height as usize));
    for y in 0..height {
        let [upper, lower] = [row(y.saturating_mul(2)), row(y.saturating_mul(2).saturating_add(1))];
        if let ([upper], [lower]) = (upper, lower) {
            halved.push(mean([upper, upper, lower, lower]));
        }
        let pairs = upper.as_chunks::<2>().0.iter().zip(lower.as_chunks::<2>().0);
        halved.extend(pairs.map(|([a, b], [c, d])| mean([a, b, c, d])));
    }
    Pixels { width, height, rgba: halved.into_flattened() }
}

/// Returns the rounded mean of four texels.
fn mean([a, b, c, d]: [&[u8; 4]; 4]) -> [u8; 4] {
    let mut means = [0; 4];
    for ((((mean, a), b), c), d) in means.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        let others = [b, c, d].map(|channel| u16::from(*channel));
        let sum = others.into_iter().fold(u16::from(*a).wrapping_add(2), u16::wrapping_add);
        [*mean, _] = (sum / 4).to_le_bytes();
    }
    means
}

/// An image and its smaller copies, premultiplied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels {
    base: Pixels,
    smaller: Vec<Pixels>,
}

impl Levels {
    /// Returns `base` without smaller copies.
    pub(crate) fn new(base: Pixels) -> Self {
        Self { base, smaller: Vec::new() }
    }

    /// Returns `base` with all smaller copies down to one texel: [`mip_chain`].
    #[must_use]
    pub fn with_mipmaps(base: Pixels) -> Self {
        let mut levels = Self::new(base);
        levels.build_mips();
        levels
    }

    /// Makes the smaller copies.
    pub(crate) fn build_mips(&mut self) {
        self.smaller = mip_chain(&self.base);
    }

    /// Returns one transparent pixel: the placeholder for an image that is not decoded yet.
    #[must_use]
    pub fn transparent() -> Self {
        Self::new(Pixels::transparent())
    }

    /// Returns the image in full size.
    #[must_use]
    pub fn base(&self) -> &Pixels {
        &self.base
    }

    /// Returns the smaller copies, each half as large as the one before.
    #[must_use]
    pub fn smaller(&self) -> &[Pixels] {
        &self.smaller
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_without_its_bytes_has_no_levels() {
        for (width, height) in [(0, 0), (2, 2), (u32::MAX, u32::MAX)] {
            assert_eq!(mip_chain(&Pixels { width, height, rgba: vec![0; 15] }), []);
        }
    }

    #[test]
    fn each_level_is_the_mean_of_the_one_above() {
        let base = Pixels { width: 2, height: 3, rgba: (0..24).collect() };
        let levels = mip_chain(&base);
        assert_eq!(levels.len(), 1);
        assert_eq!(levels[0], Pixels { width: 1, height: 1, rgba: vec![6, 7, 8, 9] });
    }

    #[test]
    fn means_are_rounded_to_the_nearest_and_halves_up() {
        let texels = [[0, 1, 1, 255], [0, 0, 1, 255], [0, 0, 0, 255], [1, 1, 1, 254]];
        let base = Pixels { width: 2, height: 2, rgba: texels.concat() };
        assert_eq!(mip_chain(&base)[0].rgba, [0, 1, 1, 255]);
    }
}
