//! Settings of a picture, for both renderers.

use super::Camera2d;

/// Texture filter; [`Self::Linear`] by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Filter {
    /// Bilinear, clamped to the edge.
    #[default]
    Linear,
    /// The nearest texel.
    Nearest,
}

/// Coverage samples per pixel; [`Self::Four`] by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Samples {
    /// One, at the pixel's centre.
    One,
    /// Four, in the rotated grid that all GPUs use.
    #[default]
    Four,
}

impl Samples {
    /// Returns 1 or 4.
    #[must_use]
    pub fn count(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Four => 4,
        }
    }
}

/// The picture to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Picture {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Placement of the world in the picture.
    pub camera: Camera2d,
    /// Texture filter.
    pub filter: Filter,
    /// True to use the smaller copies of the images when zoomed out (trilinear).
    pub mipmaps: bool,
    /// Background: RGBA, sRGB-encoded, premultiplied.
    pub clear: [u8; 4],
}
