//! A lane of the panel: curves of one kind on an axis of their own, and their colours.

use egui::{Color32, Rect, vec2};

use pchr::scene::{Curve, CurveKind};

use crate::viewer::rounding::narrow;
use crate::viewer::theme::Colors;

/// Numbers of one kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lane {
    pub(super) kind: CurveKind,
    pub(super) rect: Rect,
    /// Values at the bottom and at the top.
    pub(super) range: [f64; 2],
}

impl Lane {
    /// Place of a value.
    pub(super) fn y(&self, value: f64) -> f32 {
        let [low, high] = self.range;
        let rect = self.rect.shrink2(vec2(0.0, 5.0));
        let part = (value - low) / (high - low);
        let y = f64::from(rect.bottom()) - part * f64::from(rect.height());
        // Far out of sight is far enough.
        narrow(y.clamp(-1e4, 1e5))
    }

    /// Value at a place.
    pub(super) fn value_at(&self, y: f32) -> f64 {
        let [low, high] = self.range;
        let rect = self.rect.shrink2(vec2(0.0, 5.0));
        low + f64::from((rect.bottom() - y) / rect.height()) * (high - low)
    }
}

/// Colour of a number: that of its axis; a turn in the plane is one about z.
pub(super) fn color_of(curve: &Curve, colors: &Colors) -> Color32 {
    let [x, y, z] = colors.axes;
    match (curve.kind, curve.name) {
        (CurveKind::Visible, _) => colors.text_weak,
        (CurveKind::Order, _) => colors.warning,
        (_, "x") => x,
        (_, "y") => y,
        _ => z,
    }
}
