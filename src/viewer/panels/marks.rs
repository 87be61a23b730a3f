//! Marks above the rail: notes, and frames at which something is shown, hidden or reordered.

use egui::{Color32, Painter, Rect, Shape, Stroke, pos2, vec2};

use pchr::scene::MarkKind;

use crate::viewer::theme::Colors;
use crate::viewer::tracks::{MARK_KINDS, Tracks};

/// Logical pixels from a mark's middle that are taken for it.
const NEAR: f32 = 4.0;
/// Least logical pixels between two marks of a kind.
const APART: f32 = 5.0;
/// Marks that are named under the pointer.
const NAMED: usize = 12;

/// Marks over a rail.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane<'a> {
    pub tracks: &'a Tracks,
    /// Places of the first and the last frame.
    pub left: f32,
    pub right: f32,
    /// Number of frames between them, at least 1.
    pub steps: f32,
    /// Middle of the marks.
    pub y: f32,
}

impl Lane<'_> {
    fn x(&self, frame: u16) -> f32 {
        self.left + (self.right - self.left) * (f32::from(frame) / self.steps).min(1.0)
    }

    /// Draws the marks; of those that would overlap, one of each kind.
    pub(super) fn paint(&self, painter: &Painter, colors: &Colors) {
        let gap = f64::from(APART) * f64::from(self.steps) / f64::from(self.right - self.left);
        for (kind, frames) in MARK_KINDS.into_iter().zip(self.tracks.mark_frames()).rev() {
            let mut from = 0_usize;
            while let Some(frame) = frames.get(from) {
                painter.add(shape(
                    kind,
                    pos2(self.x(*frame), self.y),
                    color(kind, colors),
                ));
                let next = f64::from(*frame) + gap;
                let next = frames.partition_point(|frame| f64::from(*frame) < next);
                from = next.max(from.saturating_add(1));
            }
        }
    }

    /// The frame with marks that is nearest to a place, if it is near.
    pub(super) fn near(&self, x: f32) -> Option<u16> {
        let marks = self.tracks.marks();
        let after = marks.partition_point(|mark| self.x(mark.frame) < x);
        let around = [after.checked_sub(1), Some(after)].into_iter().flatten();
        let distance = |frame: &u16| (self.x(*frame) - x).abs();
        let frames = around.filter_map(|at| marks.get(at)).map(|mark| mark.frame);
        let near = frames.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        near.filter(|frame| distance(frame) <= NEAR)
    }

    /// Adds a line for each mark on a frame, which is named if it is `elsewhere`.
    pub(super) fn tell(
        &self,
        frame: u16,
        elsewhere: bool,
        colors: &Colors,
        lines: &mut Vec<(Color32, String)>,
    ) {
        let marks = self.tracks.marks_on(frame);
        for mark in marks.iter().take(NAMED) {
            let text = match mark.kind {
                MarkKind::Note => format!("Note: {}", mark.text),
                MarkKind::Visible | MarkKind::Order => mark.text.clone(),
            };
            let text = match elsewhere {
                true => format!("{text}  (frame {frame})"),
                false => text,
            };
            lines.push((color(mark.kind, colors), text));
        }
        let more = marks.len().saturating_sub(NAMED);
        if more > 0 {
            lines.push((colors.text_weak, format!("and {more} more")));
        }
    }
}

fn color(kind: MarkKind, colors: &Colors) -> Color32 {
    let [_, green, _] = colors.axes;
    match kind {
        MarkKind::Note => colors.accent,
        MarkKind::Visible => green,
        MarkKind::Order => colors.warning,
    }
}

/// A flag that points at its frame, a dot, or a bar.
fn shape(kind: MarkKind, at: egui::Pos2, color: Color32) -> Shape {
    match kind {
        MarkKind::Note => {
            let corners = [vec2(-3.5, -3.0), vec2(3.5, -3.0), vec2(0.0, 3.5)];
            Shape::convex_polygon(corners.map(|by| at + by).to_vec(), color, Stroke::NONE)
        }
        MarkKind::Visible => Shape::circle_filled(at, 2.6, color),
        MarkKind::Order => {
            let bar = Rect::from_center_size(at, vec2(3.0, 7.0));
            Shape::rect_filled(bar, 1.0, color)
        }
    }
}
