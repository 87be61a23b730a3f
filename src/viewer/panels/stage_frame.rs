//! The frame of the chosen character of a stage in the picture: dragged inside it is moved, at a corner scaled, at the knob turned.

use egui::{CursorIcon, Painter, Pos2, Rect, Stroke, Ui, Vec2, pos2, vec2};

use super::front;
use crate::viewer::action::Grip;
use crate::viewer::interface::narrow;
use crate::viewer::state::State;
use crate::viewer::switch::{Switch, Tab};
use crate::viewer::theme;

/// Side of a corner's handle in logical pixels.
const HANDLE: f32 = 8.0;
/// Distance within which a handle is hit.
const REACH: f32 = 9.0;
/// Distance of the knob from the top side.
const STALK: f32 = 26.0;

/// The frame on screen, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StageFrame {
    /// Counter-clockwise in the character's own world, from its lower left one.
    corners: [Pos2; 4],
    knob: Pos2,
    origin: Pos2,
}

impl StageFrame {
    /// Returns the frame of the chosen character while the list of characters is in front. `corner` is that of the picture.
    pub(super) fn of(state: &State, corner: Pos2, pixels_per_point: f32) -> Option<Self> {
        let is_plain = state.counterpart().is_none() && !state.is_on(Switch::Ruler);
        let is_listed = is_characters(state);
        let chosen = state.chosen_member().filter(|_| is_plain && is_listed)?;
        let member = state.layout()?.members.get(chosen)?;
        let corners = state.model()?.member_corners(chosen)?;
        let (camera, size) = (state.camera(), state.viewport());
        let on_screen = |at: [f32; 2]| {
            let [x, y] = camera.screen_at(at.map(f64::from), size).map(narrow);
            corner + vec2(x, y) / pixels_per_point
        };
        let corners = corners.map(on_screen);
        let [a, b, c, d] = corners;
        let (bottom, top) = (a + (b - a) / 2.0, d + (c - d) / 2.0);
        let up = (top - bottom).normalized();
        let up = if up == Vec2::ZERO { -Vec2::Y } else { up };
        Some(Self { corners, knob: top + up * STALK, origin: on_screen(member.at) })
    }

    /// Returns the effect of a drag that begins at a point.
    pub(super) fn grip_at(&self, at: Pos2) -> Option<Grip> {
        let is_near = |handle: &Pos2| handle.distance(at) <= REACH;
        if is_near(&self.knob) {
            Some(Grip::Turn)
        } else if self.corners.iter().any(is_near) {
            Some(Grip::Scale)
        } else {
            self.contains(at).then_some(Grip::Place)
        }
    }

    /// Returns true for a point on the same side of all edges.
    fn contains(&self, at: Pos2) -> bool {
        let next = self.corners.iter().cycle().skip(1);
        let side = |(a, b): (&Pos2, &Pos2)| {
            let (edge, to) = (*b - *a, at - *a);
            edge.x * to.y - edge.y * to.x
        };
        let sides: Vec<f32> = self.corners.iter().zip(next).map(side).collect();
        sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0)
    }

    /// Draws the frame within the picture.
    pub(super) fn draw(&self, ui: &Ui, picture: Rect) {
        let colors = theme::of(ui);
        let painter: Painter = ui.painter().with_clip_rect(picture);
        let (line, halo) = (Stroke::new(1.5, colors.accent), Stroke::new(3.5, colors.floating()));
        let [_, _, c, d] = self.corners;
        let next = self.corners.iter().cycle().skip(1);
        let sides = self.corners.iter().zip(next).map(|(a, b)| [*a, *b]);
        let stalk = [d + (c - d) / 2.0, self.knob];
        let lines: Vec<_> = sides.chain([stalk]).collect();
        for stroke in [halo, line] {
            for ends in &lines {
                painter.line_segment(*ends, stroke);
            }
        }
        for corner in self.corners {
            let handle = Rect::from_center_size(corner, Vec2::splat(HANDLE));
            painter.rect(handle, 1.0, colors.text_strong, line, egui::StrokeKind::Middle);
        }
        painter.circle(self.knob, HANDLE / 2.0 + 1.0, colors.text_strong, line);
        let Pos2 { x, y } = self.origin;
        for ends in [[pos2(x - 5.0, y), pos2(x + 5.0, y)], [pos2(x, y - 5.0), pos2(x, y + 5.0)]] {
            painter.line_segment(ends, halo);
            painter.line_segment(ends, line);
        }
    }
}

/// Returns true if clicks and drags in the picture are for the characters of a stage.
pub(super) fn is_characters(state: &State) -> bool {
    state.layout().is_some() && front(state) == Tab::Stage && state.is_on(Switch::Panels)
}

/// Returns the pointer's form over a grip.
pub(super) fn cursor(grip: Grip) -> CursorIcon {
    match grip {
        Grip::Place | Grip::PlaceTop => CursorIcon::Move,
        Grip::Turn => CursorIcon::Alias,
        Grip::Scale => CursorIcon::ResizeNwSe,
    }
}
