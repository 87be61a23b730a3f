//! What a picture shows besides its subject: a second one, beside the first, on the other half, or as a picture of the differences; and the
//! background, its text form on command lines, and drawing.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;

use pchr::compare::{Pair, Tolerance};
use pchr::image::{CHECKER, Pixels, premultiply, unpremultiply};
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
    #[expect(clippy::cast_possible_truncation, reason = "a part of the width")]
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

/// The largest side of a picture.
pub const MAX_SIDE: u32 = 32_768;

/// Background of the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Background {
    /// No background.
    Transparent,
    /// A checkerboard.
    Checker {
        /// Colour of the square in the upper left corner: RGB, sRGB-encoded.
        even: [u8; 3],
        /// Colour of the squares next to it.
        odd: [u8; 3],
        /// Side of a square in pixels.
        size: u32,
    },
    /// A colour: straight RGBA, sRGB-encoded.
    Color([u8; 4]),
    /// A picture: the path of a PNG file. [`Self::CHECKER`] shows where it is not opaque.
    Picture(PathBuf),
}

impl Background {
    /// Light and dark grey squares.
    pub const CHECKER: Self = Self::Checker { even: CHECKER.0, odd: CHECKER.1, size: CHECKER.2 };

    /// Returns true if dark text is more readable on it than light text. Pictures and transparent backgrounds count as dark.
    #[must_use]
    pub fn is_light(&self) -> bool {
        match self {
            Self::Color([r, g, b, alpha]) => *alpha >= 128 && is_light([[*r, *g, *b]; 2]),
            Self::Checker { even, odd, .. } => is_light([*even, *odd]),
            Self::Transparent | Self::Picture(_) => false,
        }
    }

    /// Returns the colour, if it is one.
    #[must_use]
    pub fn color(&self) -> Option<[u8; 4]> {
        match self {
            Self::Color(color) => Some(*color),
            Self::Transparent | Self::Checker { .. } | Self::Picture(_) => None,
        }
    }

    /// Returns the colour with which drawing starts: RGBA, premultiplied.
    #[must_use]
    pub fn clear(&self) -> [u8; 4] {
        let mut clear = self.color().unwrap_or_default();
        premultiply(&mut clear);
        clear
    }
}

/// Returns true if the mean luma (BT.709) of two colours is above that of a medium grey.
fn is_light(colors: [[u8; 3]; 2]) -> bool {
    const MEDIUM: u32 = 140;
    let luma = |[r, g, b]: [u8; 3]| 2126 * u32::from(r) + 7152 * u32::from(g) + 722 * u32::from(b);
    colors.into_iter().map(luma).sum::<u32>() > 2 * 10_000 * MEDIUM
}

/// Formats the background as on command lines.
impl fmt::Display for Background {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = |color: &[u8]| {
            let digits: String = color.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("#{digits}")
        };
        match self {
            Self::Transparent => f.write_str("none"),
            Self::Checker { even, odd, size } => {
                write!(f, "checker:{},{},{size}", hex(even), hex(odd))
            }
            Self::Color([r, g, b, 255]) => f.write_str(&hex(&[*r, *g, *b])),
            Self::Color(color) => f.write_str(&hex(color)),
            Self::Picture(path) => {
                let text = path.to_string_lossy();
                // A name that would be read as something else.
                let is_itself = text.parse::<Self>().as_ref() == Ok(self);
                write!(f, "{}{text}", if is_itself { "" } else { "./" })
            }
        }
    }
}

impl FromStr for Background {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = match text {
            "none" | "transparent" => Some(Self::Transparent),
            "checker" => Some(Self::CHECKER),
            _ if text.starts_with('#') => color(text).map(Self::Color),
            _ => match text.strip_prefix("checker:") {
                Some(checker) => self::checker(checker),
                None => is_path(text).then(|| Self::Picture(text.into())),
            },
        };
        parsed.ok_or_else(|| {
            format!(
                "invalid background {text:?}: expected none, checker, checker:#EVEN,#ODD[,SIZE], #RRGGBB, #RRGGBBAA or the path of a .png"
            )
        })
    }
}

/// Parses `#EVEN,#ODD` or `#EVEN,#ODD,SIZE`.
fn checker(text: &str) -> Option<Background> {
    let mut parts = text.split(',');
    let mut square = || match color(parts.next()?.trim())? {
        [r, g, b, 255] => Some([r, g, b]),
        _ => None,
    };
    let (even, odd) = (square()?, square()?);
    let size = match parts.next() {
        None => CHECKER.2,
        Some(size) => size.trim().parse().ok().filter(|size| (1..=MAX_SIDE).contains(size))?,
    };
    parts.next().is_none().then_some(Background::Checker { even, odd, size })
}

/// Returns true for the path of a picture. A bare file name counts only with a picture's extension.
fn is_path(text: &str) -> bool {
    text.to_ascii_lowercase().ends_with(".png") || text.contains(std::path::is_separator)
}

/// Reads `#RRGGBB`.
pub(crate) fn rgb(text: &str) -> Option<[u8; 3]> {
    let [r, g, b, _] = color(text).filter(|_| text.len() == 7)?;
    Some([r, g, b])
}

/// Reads `#RRGGBB` or `#RRGGBBAA`.
fn color(text: &str) -> Option<[u8; 4]> {
    let digits = text.strip_prefix('#')?;
    let hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16).ok().filter(|_| hex)?;
    match digits.len() {
        6 => Some(((number << 8) | 0xff).to_be_bytes()),
        8 => Some(number.to_be_bytes()),
        _ => None,
    }
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
        let is_less = same.iter().zip(&other).all(|(same, other)| same.0 < other.0);
        assert!(is_less, "{same:?} {other:?}");
    }

    #[test]
    fn dark_text_is_for_light_colours_that_are_seen() {
        let light = ["#ffffff", "#e0e0e0", "#ffff00ff", "checker", "checker:#ffffff,#808080"];
        let dark = "none #000000 #808080 #0000ff #ffffff40 a.png checker:#000000,#ffffff";
        let is_light = |text: &&str| text.parse::<Background>().unwrap().is_light();
        assert_eq!(light.iter().filter(|text| !is_light(text)).count(), 0);
        assert_eq!(dark.split(' ').filter(|text| is_light(text)).count(), 0);
    }

    #[test]
    fn a_picture_is_written_so_that_it_is_read_as_one() {
        for name in ["a.png", "./#fff.png", "./checker:.png"] {
            assert_eq!(Background::Picture(name.trim_start_matches("./").into()).to_string(), name);
        }
    }
}
