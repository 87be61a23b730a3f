//! Icons: a subset of Lucide as a font.

use egui::{Align2, Color32, FontId, Painter, Rect};

/// An icon, named after the effect of its button.
///
/// In the order of the font, which `assets/icons/make.py` makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Icon {
    Play,
    Pause,
    First,
    Back,
    Forward,
    Last,
    Backwards,
    EyeOpen,
    EyeClosed,
    Up,
    Down,
    Left,
    Right,
    Reset,
    Close,
    Copy,
    Warning,
    Once,
    Loop,
    PingPong,
    More,
    Folder,
    Recent,
    Bones,
    Wireframe,
    Bounds,
    Origin,
    Order,
    LiveOrder,
    Weights,
    Atlas,
    Background,
    Texels,
    YDown,
    Statistics,
    Fit,
    Camera,
    CommandLine,
    Theme,
    Help,
    Search,
    Solo,
    Names,
    Axes,
    Grid,
    Path,
    Trail,
    Ghosts,
    InPlace,
    ZUp,
    Perspective,
    Curves,
    Ruler,
    /// 1:1, in letters.
    Actual,
}

/// Largest side of an icon in logical pixels.
const SIDE: f32 = 16.0;

/// Draws an icon in the middle of `rect`.
pub(super) fn paint(painter: &Painter, rect: Rect, icon: Icon, color: Color32) {
    let side = rect.width().min(rect.height()).min(SIDE);
    let sign = char::from_u32(0xe000 + icon as u32).unwrap_or_default();
    let (text, font) = match icon {
        Icon::Actual => ("1:1".into(), FontId::proportional(side * 0.78)),
        _ => (sign.to_string(), FontId::proportional(side)),
    };
    painter.text(rect.center(), Align2::CENTER_CENTER, text, font, color);
}
