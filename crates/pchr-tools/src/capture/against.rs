//! A second subject in the same picture: beside the first, on the other half, or as a picture of the differences.

use clap::ValueEnum;
use pchr::compare::{Pair, Tolerance};
use pchr::image::{Pixels, premultiply, unpremultiply};
use pchr::playback::FrameAt;
use pchr::scene::Subject;
/// Arrangement of two files in a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AgainstMode {
    /// Each on its half, the file on the left.
    #[default]
    Side,
    /// One picture: the left half of the file's, the right half of the other's.
    Split,
    /// The differences of both pictures, as compare --diff draws them.
    Difference,
}

/// The whole picture of two subjects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrangement {
    /// Places of both.
    pub mode: AgainstMode,
    /// Part of the width that is the first's, if they share one picture: 0 to 1.
    pub split: f64,
    /// Width and height.
    pub size: [u32; 2],
}

impl Arrangement {
    /// Makes the whole picture of both, premultiplied; without the second, that one is blank.
    pub fn compose(&self, first: &Pixels, second: Option<&Pixels>, out: &mut Pixels) {
        out.clear(self.size, [0; 4]);
        // Where the second begins in the whole picture, and how much of its left is left out.
        let (middle, hidden) = match self.mode {
            AgainstMode::Difference => return difference(first, second, out),
            AgainstMode::Side => (first.width, 0),
            AgainstMode::Split => {
                let at = split_at(self.split, first.width);
                (at, at)
            }
        };
        let bytes = |pixels: u32| (pixels as usize).saturating_mul(4);
        let (row, middle, hidden) = (bytes(first.width), bytes(middle), bytes(hidden));
        let rows = out.rgba.chunks_exact_mut(bytes(out.width).max(1));
        for (number, out) in rows.enumerate() {
            let of = |pixels| row_of(pixels, number, row);
            let (left, right) = out.split_at_mut(middle.min(out.len()));
            copy(of(first), left);
            let second = second.map_or(&[][..], of);
            copy(second.get(hidden..).unwrap_or_default(), right);
        }
    }
}

/// Returns the column at which the second of two pictures begins that share one of this width.
#[must_use]
pub fn split_at(split: f64, width: u32) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a part of the width"
    )]
    let at = (f64::from(width) * split.clamp(0.0, 1.0)) as u32;
    at.min(width)
}

/// Returns a row of a picture, of `bytes` bytes.
fn row_of(pixels: &Pixels, number: usize, bytes: usize) -> &[u8] {
    let from = number.saturating_mul(bytes);
    pixels.rgba.get(from..from.saturating_add(bytes)).unwrap_or_default()
}

/// Copies as much as both have.
fn copy(from: &[u8], to: &mut [u8]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
}

/// Makes the picture that `compare --diff` writes.
fn difference(first: &Pixels, second: Option<&Pixels>, out: &mut Pixels) {
    let blank = out.clone();
    let [mut first, mut second] = [first, second.unwrap_or(&blank)].map(Pixels::clone);
    unpremultiply(&mut first.rgba);
    unpremultiply(&mut second.rgba);
    if let Ok(pair) = Pair::new(&first, &second) {
        *out = pair.picture(Tolerance::default().channel);
        premultiply(&mut out.rgba);
    }
}

/// Returns the moment of `at` in another subject: the same frame, or the last one, of the animation of the same name, or of the only
/// animation that it has if both have one; `None` if there is no such animation.
#[must_use]
pub fn moment_in(other: &dyn Subject, subject: &dyn Subject, at: FrameAt) -> Option<FrameAt> {
    let named = other.animation_named(subject.animation_name(at.animation));
    let is_only = [subject, other].iter().all(|it| it.animation_count() == 1);
    let only = || other.animation_ids().next().filter(|_| is_only);
    let animation = named.or_else(only)?;
    let last = other.frame_count(animation).checked_sub(1)?;
    let held = |frame: u16| frame.min(last);
    Some(FrameAt { animation, frame: held(at.frame), next: held(at.next), blend: at.blend })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_lie_beside_each_other_or_share_one() {
        let picture = |color: [u8; 4]| Pixels { width: 2, height: 2, rgba: color.repeat(4) };
        let (red, blue) = (picture([255, 0, 0, 255]), picture([0, 0, 255, 255]));
        let made = |mode, second: Option<&Pixels>| {
            let mut out = Pixels::empty();
            let size = if mode == AgainstMode::Side { [4, 2] } else { [2, 2] };
            Arrangement { mode, split: 0.5, size }.compose(&red, second, &mut out);
            let reds = out.rgba.as_chunks::<4>().0.iter().map(|pixel| (pixel[0], pixel[2]));
            (out.width, reds.collect::<Vec<_>>())
        };
        let (r, b, none) = ((255, 0), (0, 255), (0, 0));
        let side = made(AgainstMode::Side, Some(&blue));
        assert_eq!(side, (4, vec![r, r, b, b, r, r, b, b]));
        assert_eq!(made(AgainstMode::Split, Some(&blue)), (2, vec![r, b, r, b]));
        assert_eq!(made(AgainstMode::Split, None), (2, vec![r, none, r, none]));
        assert_eq!([(0.0, 7), (0.5, 7), (1.0, 7)].map(|(at, of)| split_at(at, of)), [0, 3, 7]);
        let (_, same) = made(AgainstMode::Difference, Some(&red));
        let (_, other) = made(AgainstMode::Difference, Some(&blue));
        assert!(
            same.iter().zip(&other).all(|(same, other)| same.0 < other.0),
            "{same:?} {other:?}"
        );
    }
}
