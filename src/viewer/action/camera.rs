//! Actions of the group [`Action::Camera`](super::Action::Camera).

use crate::viewer::facing::Facing;

/// Moving, zooming and turning the picture.
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
    /// Zooms to this many screen pixels per world unit, about the middle.
    ZoomTo(f64),
    /// Brings a point of the picture to the middle, in screen pixels.
    Middle([f64; 2]),
    /// Shows a world pixel as a screen pixel.
    ActualSize,
    /// Turns the camera by degrees: to the right and up.
    Turn([f64; 2]),
    /// Turns the camera by steps: to the right and up.
    TurnBy([i8; 2]),
    /// Looks from there; from the opposite end if it did so already.
    Face(Facing),
    /// Brings the bone at a point of the picture, or within this many screen pixels of it, to the middle; shows the whole animation
    /// if there is none.
    Center([f64; 2], f64),
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
            Self::ZoomTo(_) => "Set the zoom",
            Self::Middle(_) => "Centre here",
            Self::ActualSize => "Actual size, 100 %",
            Self::Turn(_) => "Turn",
            Self::TurnBy([x, _]) if *x < 0 => "Turn the camera left",
            Self::TurnBy([x, _]) if *x > 0 => "Turn the camera right",
            Self::TurnBy([_, y]) if *y > 0 => "Turn the camera up",
            Self::TurnBy(_) => "Turn the camera down",
            Self::Face(facing) => facing.action_name(),
            Self::Center(..) => "Centre in the picture",
        }
    }
}
