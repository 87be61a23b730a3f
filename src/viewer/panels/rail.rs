//! Frames along a rail from left to right.

use egui::Rect;

use crate::viewer::rounding::{narrow, pixel};

/// Frames along a rail.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rail {
    /// Place of the control.
    pub rect: Rect,
    /// Places of the first and of the last frame.
    pub left: f32,
    pub right: f32,
    pub last: u16,
}

impl Rail {
    /// Number of frames between the ends, at least 1.
    pub(super) fn steps(&self) -> f32 {
        f32::from(self.last.max(1))
    }

    /// Place of a frame.
    pub(super) fn x(&self, frame: f64) -> f32 {
        self.left + (self.right - self.left) * (narrow(frame) / self.steps()).min(1.0)
    }

    /// Frame at a place; not a whole one.
    pub(super) fn frame_at(&self, x: f32) -> f64 {
        let part = ((x - self.left) / (self.right - self.left)).clamp(0.0, 1.0);
        f64::from(part) * f64::from(self.last)
    }
}

/// The nearest whole frame.
pub(super) fn whole(frame: f64) -> u16 {
    u16::try_from(pixel(narrow(frame))).unwrap_or(u16::MAX)
}
