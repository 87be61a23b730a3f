//! Actions of the group [`Action::Camera`](super::Action::Camera).

/// Moving and zooming the picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CameraAction {
    /// The picture has another size, in screen pixels.
    Viewport([u32; 2]),
    /// Moves the picture by screen pixels.
    Pan([f64; 2]),
    /// Moves the picture by steps: right and down.
    Nudge([i8; 2]),
    /// Zooms by a factor about a point of the picture.
    Zoom(f64, [f64; 2]),
    /// Zooms by that many steps about the pointer, or about the middle where it is not over the picture.
    ZoomBy(i32),
    /// Place of the pointer over the picture, in screen pixels.
    Point(Option<[f64; 2]>),
    /// Shows the whole animation.
    Fit,
    /// Shows a world pixel as a screen pixel.
    ActualSize,
}

impl CameraAction {
    /// Name in a few words.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Viewport(_) => "Resize the picture",
            Self::Pan(_) => "Pan",
            Self::Nudge([x, _]) if *x < 0 => "Nudge left",
            Self::Nudge([x, _]) if *x > 0 => "Nudge right",
            Self::Nudge([_, y]) if *y < 0 => "Nudge up",
            Self::Nudge(_) => "Nudge down",
            Self::Zoom(..) => "Zoom",
            Self::Point(_) => "Point",
            Self::ZoomBy(by) if *by < 0 => "Zoom out",
            Self::ZoomBy(_) => "Zoom in",
            Self::Fit => "Fit the animation",
            Self::ActualSize => "Actual size, 100 %",
        }
    }
}
