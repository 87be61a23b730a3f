//! Background of the character, and colours as text.

use std::path::PathBuf;
use std::sync::Arc;

use pchr::image::{Pixels, cover, premultiply};
use pchr_tools::view;

/// Background of the character.
#[derive(Clone, Debug, Default)]
pub(crate) enum Background {
    /// The checkerboard of the theme.
    #[default]
    Checker,
    /// Nothing: the checkerboard shows through on screen, and pictures that are taken are transparent.
    Transparent,
    /// One colour: straight RGBA, sRGB-encoded. The checkerboard shows through where it is not opaque.
    Color([u8; 4]),
    /// A picture in its own size, premultiplied. A light checkerboard shows where it is not opaque, as in captures.
    Picture(PathBuf, Arc<Pixels>),
}

/// Two pictures are equal if they have one path and share their pixels. The pixels themselves are not compared.
impl PartialEq for Background {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Checker, Self::Checker) | (Self::Transparent, Self::Transparent) => true,
            (Self::Color(a), Self::Color(b)) => a == b,
            (Self::Picture(path, a), Self::Picture(of, b)) => path == of && Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Background {
    /// The colours that [`Self::next`] walks through.
    const COLORS: [[u8; 4]; 3] = [[0, 0, 0, 255], [128, 128, 128, 255], [255, 255, 255, 255]];

    /// Returns a colour as a background; a transparent colour is no background.
    pub(crate) fn of_color(color: [u8; 4]) -> Self {
        match color {
            [.., 0] => Self::Transparent,
            color => Self::Color(color),
        }
    }

    /// Returns the background that an option names, unless it is a picture, which has to be read.
    pub(crate) fn of(background: &view::Background) -> Self {
        match background {
            view::Background::Transparent => Self::Transparent,
            background => background.color().map_or(Self::Checker, Self::of_color),
        }
    }

    /// Returns the option that names the background; `None` for the checkerboard.
    pub(crate) fn option(&self) -> Option<view::Background> {
        match self {
            Self::Checker => None,
            Self::Transparent => Some(view::Background::Transparent),
            Self::Color(color) => Some(view::Background::Color(*color)),
            Self::Picture(path, _) => Some(view::Background::Picture(path.clone())),
        }
    }

    /// Scales the picture to cover `size`. Returns `None` for other backgrounds.
    pub(crate) fn fitted(&self, size: [u32; 2]) -> Option<Pixels> {
        match self {
            Self::Picture(_, pixels) => Some(cover(pixels, size)),
            Self::Checker | Self::Transparent | Self::Color(_) => None,
        }
    }

    /// Returns the clear colour of the picture: RGBA, premultiplied.
    pub(crate) fn clear(&self) -> [u8; 4] {
        match self {
            Self::Color(color) => {
                let mut clear = *color;
                premultiply(&mut clear);
                clear
            }
            Self::Checker | Self::Transparent | Self::Picture(..) => [0; 4],
        }
    }

    /// Returns the next background: the checkerboard, then black, grey and white, then the checkerboard again.
    pub(crate) fn next(&self) -> Self {
        let next = match self {
            Self::Checker => Self::COLORS.first(),
            Self::Color(color) => Self::COLORS
                .iter()
                .position(|of| of == color)
                .and_then(|at| Self::COLORS.get(at.saturating_add(1))),
            Self::Transparent | Self::Picture(..) => None,
        };
        next.map_or(Self::Checker, |color| Self::Color(*color))
    }
}

/// Parses `#rrggbb`, with or without the sign.
pub(crate) fn color_of_hex(text: &str) -> Option<[u8; 3]> {
    let digits = text.trim();
    let digits = digits.strip_prefix('#').unwrap_or(digits);
    let sound = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16).ok();
    let [_, r, g, b] = number.filter(|_| sound)?.to_be_bytes();
    Some([r, g, b])
}

/// Returns a colour as `#rrggbb`.
pub(crate) fn hex_of_color([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_has_six_digits() {
        assert_eq!(color_of_hex("#1a2B3c"), Some([0x1a, 0x2b, 0x3c]));
        assert_eq!(color_of_hex(" 000000 "), Some([0; 3]));
        for text in ["", "#", "#12345", "#1234567", "#12345g", "+12345"] {
            assert_eq!(color_of_hex(text), None, "{text}");
        }
        assert_eq!(color_of_hex(&hex_of_color([1, 2, 255])), Some([1, 2, 255]));
    }
}
