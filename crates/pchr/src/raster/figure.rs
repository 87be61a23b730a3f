//! Figures with their own place and looks, drawn into buffers of other programs.

use glam::Affine2;

use super::model::{RasterModel, Texture};
use crate::image::Pixels;
use crate::pose::Pose;
use crate::scene::{DrawList, WrongSubject};

/// A figure to draw: a model in a pose, at a place, in its own colours. The model, the list and the pose are of one subject;
/// [`WrongSubject`] is the error if they cannot be. Nothing is drawn where its place or its vertices are not finite numbers.
#[derive(Clone, Copy, Debug)]
pub struct RasterFigure<'a> {
    /// Vertices and textures.
    pub model: &'a RasterModel,
    /// Visible meshes, back to front.
    pub list: &'a DrawList,
    /// The pose.
    pub pose: &'a Pose,
    /// Its place in the world.
    pub world_from_model: Affine2,
    /// Factors of red, green, blue and opacity: 1.0 leaves a value as it is, up to 255 brightens. Colours are multiplied as they are
    /// sRGB-encoded; ones leave every bit as it is, and are drawn several times as fast as others. Each mesh is faded by itself, so where
    /// meshes overlap the one below shows through; to fade a figure as a whole, draw it to a picture of its own.
    /// Above 1, colours may exceed their opacity, so soft edges and shadows become brighter than what they belong to.
    pub tint: [f32; 4],
    /// Looks of meshes, by mesh. Those that are missing look as the model has them.
    pub parts: &'a [RasterPart<'a>],
}

impl<'a> RasterFigure<'a> {
    /// Returns a figure at the world's origin that looks as its model does.
    #[must_use]
    pub fn new(model: &'a RasterModel, list: &'a DrawList, pose: &'a Pose) -> Self {
        Self {
            model,
            list,
            pose,
            world_from_model: Affine2::IDENTITY,
            tint: [1.0; 4],
            parts: &[],
        }
    }
}

/// Looks of one mesh of a figure.
#[derive(Clone, Copy, Debug)]
pub struct RasterPart<'a> {
    /// Factors of red, green, blue and opacity, beside the figure's.
    pub tint: [f32; 4],
    /// Texture that replaces the model's; `None` keeps the model's.
    pub texture: Option<&'a RasterTexture>,
}

impl Default for RasterPart<'_> {
    fn default() -> Self {
        Self {
            tint: [1.0; 4],
            texture: None,
        }
    }
}

/// A texture of another source than a model's.
#[derive(Clone, Debug)]
pub struct RasterTexture {
    pub(super) texture: Texture,
    warning: Option<String>,
}

impl RasterTexture {
    /// Takes a premultiplied image; with `mipmaps` its smaller copies are made too. One that has fewer texels than its size
    /// says, or a side of more than 65,535, is not drawn, and [`Self::warning`] reports it.
    #[must_use]
    pub fn new(pixels: Pixels, mipmaps: bool) -> Self {
        let warning = Texture::warning(&pixels);
        let mut texture = Texture::new(pixels);
        if mipmaps {
            texture.build_mips();
        }
        Self { texture, warning }
    }

    /// Returns a warning if the image cannot be drawn.
    #[must_use]
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }
}

/// Rows of pixels that a figure is drawn into: RGBA, premultiplied, the top row first.
#[derive(Debug)]
pub struct RasterTarget<'a> {
    /// The bytes.
    pub rgba: &'a mut [u8],
    /// Bytes from row to row; at least four for each column.
    pub stride: usize,
}

/// A buffer has no room for a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a picture of {} x {} pixels does not fit into {bytes} bytes with {stride} bytes per row", size[0], size[1]
)]
pub struct TargetTooSmall {
    /// Size of the picture.
    pub size: [u32; 2],
    /// Bytes of the buffer.
    pub bytes: usize,
    /// Bytes from row to row.
    pub stride: usize,
}

/// Maximum side of a picture in pixels.
pub(super) const MOST_PIXELS: u32 = 65_536;

/// Reason why a picture or a figure is not drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// A side of the picture is too long.
    #[error("invalid picture size {} x {}: expected at most {MOST_PIXELS} pixels on a side", size[0], size[1])]
    Size {
        /// Size of the picture.
        size: [u32; 2],
    },
    /// The target has no room for the picture.
    #[error(transparent)]
    Target(#[from] TargetTooSmall),
    /// List and pose cannot be of the model's subject.
    #[error(transparent)]
    Subject(#[from] WrongSubject),
}

impl DrawError {
    /// Checks the size of a picture.
    pub(super) fn check_size(size: [u32; 2]) -> Result<(), Self> {
        if size.iter().any(|side| *side > MOST_PIXELS) {
            return Err(Self::Size { size });
        }
        Ok(())
    }
}

impl RasterTarget<'_> {
    /// Returns the rows of a picture, each of four bytes a column.
    ///
    /// # Errors
    /// [`TargetTooSmall`].
    pub(super) fn rows(
        &mut self,
        size: [u32; 2],
    ) -> Result<impl Iterator<Item = &mut [u8]>, TargetTooSmall> {
        let [columns, rows] = size.map(|side| side as usize);
        let row = columns.saturating_mul(4);
        let needed = match rows.checked_sub(1) {
            Some(above) if row > 0 => self.stride.saturating_mul(above).saturating_add(row),
            _ => 0,
        };
        if needed > self.rgba.len() || row > self.stride {
            return Err(TargetTooSmall {
                size,
                bytes: self.rgba.len(),
                stride: self.stride,
            });
        }
        let strided = self.rgba.chunks_mut(self.stride.max(1)).take(rows);
        Ok(strided.filter_map(move |bytes| bytes.get_mut(..row)))
    }
}
