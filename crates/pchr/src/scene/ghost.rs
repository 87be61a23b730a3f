//! Other frames that are shown with a frame.

use crate::image::Tint;
use crate::pose::FrameAt;

/// A whole frame that lies under the current one: drawn as a layer of its own, which is tinted and laid down as one, so that no
/// part of it shows through another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ghost {
    /// Its moment.
    pub at: FrameAt,
    /// Colour and opacity of the layer.
    pub tint: Tint,
}
