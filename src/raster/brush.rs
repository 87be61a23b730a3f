//! A colour that goes over pixels, four samples at a time.
//!
//! [`super::blend::over`], written so that a compiler makes vectors of it.

use super::edges::RowSpan;
use super::kernel::SampleRun;
use super::sample::Rgba;

/// Four samples, channel by channel.
type Lanes = [u8; 16];

/// A colour: RGBA, premultiplied.
#[derive(Clone, Copy, Debug)]
pub(super) struct Brush {
    colour: Rgba,
    lanes: Lanes,
    /// What is left of the pixels below: 255 less the colour's alpha.
    rest: u16,
}

impl Brush {
    #[inline(always)]
    pub(super) fn new(colour: Rgba) -> Self {
        let [.., alpha] = colour;
        let mut lanes = [0; 16];
        lanes.as_chunks_mut().0.fill(colour);
        Self {
            colour,
            lanes,
            rest: u16::from(255 - alpha),
        }
    }

    #[inline(always)]
    fn over(&self, target: Lanes) -> Lanes {
        let mut out = self.lanes;
        for (out, target) in out.iter_mut().zip(target) {
            let product = u16::from(target) * self.rest + 128;
            #[expect(clippy::cast_possible_truncation, reason = "at most 255")]
            let rest = ((product + (product >> 8)) >> 8) as u8;
            *out = out.saturating_add(rest);
        }
        out
    }

    /// Pixels of one sample each.
    #[inline(always)]
    pub(super) fn pixels(&self, pixels: &mut [Rgba]) {
        let (fours, rest) = pixels.as_chunks_mut::<4>();
        for four in fours {
            let four = four.as_flattened_mut();
            if let Some(four) = four.first_chunk_mut() {
                *four = self.over(*four);
            }
        }
        for pixel in rest {
            *pixel = super::blend::over(self.colour, *pixel);
        }
    }

    /// The covered samples of the pixel in column `x`.
    #[inline(always)]
    pub(super) fn samples(&self, samples: &mut [Rgba; 4], span: &RowSpan, x: i32) {
        let Some(lanes) = samples.as_flattened_mut().first_chunk_mut::<16>() else {
            return;
        };
        let over = self.over(*lanes);
        let sides = span.left.into_iter().zip(span.right);
        let mut covered: [u32; 4] = [0; 4];
        for (covered, (left, right)) in covered.iter_mut().zip(sides) {
            *covered = u32::from((left <= x) & (x < right)).wrapping_neg();
        }
        let words = lanes.as_chunks_mut::<4>().0.iter_mut();
        for ((word, over), covered) in words.zip(over.as_chunks().0).zip(covered) {
            let (below, over) = (u32::from_ne_bytes(*word), u32::from_ne_bytes(*over));
            *word = ((over & covered) | (below & !covered)).to_ne_bytes();
        }
    }

    /// All covered samples of a run.
    #[inline(always)]
    pub(super) fn run(&self, row: &mut [[Rgba; 4]], run: &SampleRun<'_>) {
        for (x, samples) in (run.x..run.end).zip(row) {
            self.samples(samples, run.span, x);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::blend::over;
    use super::*;

    #[test]
    fn four_samples_at_a_time_are_blended_as_one() {
        let colours = [0_u8, 1, 127, 128, 254, 255];
        for (alpha, colour) in colours.into_iter().flat_map(|a| colours.map(|c| (a, c))) {
            let colour = [colour, colour / 2, 0, alpha];
            let brush = Brush::new(colour);
            for target in 0..=255 {
                let below = [target, 255 - target, 7, target];
                let mut pixels = [below; 7];
                brush.pixels(&mut pixels);
                assert_eq!(pixels, [over(colour, below); 7], "{colour:?} {below:?}");
            }
        }
    }

    #[test]
    fn only_covered_samples_change() {
        let span = RowSpan {
            left: [0, 1, 2, 3],
            right: [9, 9, 2, 9],
        };
        let colour = [10, 20, 30, 255];
        let mut row = [[[1; 4]; 4]; 4];
        let run = SampleRun {
            x: 0,
            end: 4,
            span: &span,
            at: [0; 2],
        };
        Brush::new(colour).run(&mut row, &run);
        for (x, samples) in row.iter().enumerate() {
            let covered = [true, x >= 1, false, x >= 3];
            let wanted = covered.map(|covered| if covered { colour } else { [1; 4] });
            assert_eq!(*samples, wanted, "{x}");
        }
    }
}
