//! How a draw list becomes a picture: what both renderers are told beside it.

use super::Camera2d;

/// How texels are read between their centres.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Filter {
    /// Blended, clamped to the edge.
    #[default]
    Linear,
    /// The nearest one.
    Nearest,
}

/// Coverage samples a pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Samples {
    /// One, at the pixel's centre.
    One,
    /// Four, in the rotated grid that all GPUs share.
    #[default]
    Four,
}

impl Samples {
    /// 1 or 4.
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
    /// Where the world lies in it.
    pub camera: Camera2d,
    /// How texels are read.
    pub filter: Filter,
    /// Whether smaller copies of the images are drawn from when zoomed out (trilinear).
    pub mipmaps: bool,
    /// What the picture starts as: RGBA, sRGB-encoded, premultiplied.
    pub clear: [u8; 4],
}
