//! Actions of the group [`Action::Page`](super::Action::Page).

use pchr::document::ImageId;

use super::CameraAction;

/// Looking at the pages of an atlas.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PageAction {
    /// Shows another page.
    Show(ImageId),
    /// Moves and zooms the page.
    Camera(CameraAction),
    /// Chooses the sprite at a point of the view, in screen pixels.
    Pick([f64; 2]),
}

impl PageAction {
    /// Name in a few words.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Show(_) => "Show a page",
            Self::Camera(_) => "Move the page",
            Self::Pick(_) => "Select a sprite on the page",
        }
    }
}
