//! The axes of the world in a corner of the picture: they show which way the camera looks, and a click turns it.

use egui::{Align2, Color32, FontId, Pos2, Rect, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, vec2};
use glam::DVec3;

use pchr::scene::OrbitCamera;

use crate::viewer::action::{Action, CameraAction};
use crate::viewer::facing::Facing;
use crate::viewer::state::State;
use crate::viewer::theme;

/// Logical pixels from the middle to an end, in the smallest pictures and in those that have room.
const ARM: [f32; 2] = [18.0, 30.0];
/// Smallest side of a picture that has room for long arms.
const AMPLE: f32 = 400.0;
/// Radius of an end.
const END: f32 = 8.5;
/// Space to the edges of the picture.
const INSET: f32 = 10.0;
/// Smallest side of a picture that has room for it.
const ROOM: f32 = 200.0;

/// Logical pixels from the middle to an end. In a small picture it covers less of the bones.
fn arm(picture: Rect) -> f32 {
    egui::remap_clamp(picture.size().min_elem(), ROOM..=AMPLE, ARM[0]..=ARM[1])
}

/// Radius of all.
fn reach(picture: Rect) -> f32 {
    arm(picture) + END + 3.0
}

/// Logical pixels of the picture's height that it takes; 0 if it is not shown.
pub(super) fn height(picture: Rect, state: &State) -> f32 {
    let shown = state.orbit().is_some() && picture.size().min_elem() >= ROOM;
    if shown {
        2.0 * reach(picture) + INSET
    } else {
        0.0
    }
}

pub(super) fn ui(ui: &mut Ui, picture: Rect, state: &State, actions: &mut Vec<Action>) {
    let Some(orbit) = state.orbit().filter(|_| height(picture, state) > 0.0) else {
        return;
    };
    let reach = reach(picture);
    let middle = picture.right_top() + vec2(-INSET - reach, INSET + reach);
    let all = Rect::from_center_size(middle, Vec2::splat(2.0 * reach));
    if ui.rect_contains_pointer(all) {
        let fill = theme::of(ui).card.gamma_multiply(0.75);
        ui.painter().circle_filled(middle, reach, fill);
    }
    let mut ends = Facing::ALL.map(|facing| End::new(facing, &orbit));
    ends.sort_by(|a, b| a.depth.total_cmp(&b.depth)); // the farthest first
    for end in ends {
        end.ui(ui, [middle, middle + end.at * arm(picture)], actions);
    }
}

/// One end of an axis.
struct End {
    facing: Facing,
    axis: Axis,
    is_positive: bool,
    /// From the middle, in parts of an arm.
    at: Vec2,
    /// Towards the camera: -1 to 1.
    depth: f64,
}

/// An axis of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    X,
    Y,
    Z,
}

impl Axis {
    fn letter(self) -> &'static str {
        match self {
            Self::X => "X",
            Self::Y => "Y",
            Self::Z => "Z",
        }
    }

    fn color(self, dark: bool) -> Color32 {
        match (self, dark) {
            (Self::X, true) => Color32::from_rgb(0xf0, 0x5c, 0x60),
            (Self::Y, true) => Color32::from_rgb(0x66, 0xc2, 0x5c),
            (Self::Z, true) => Color32::from_rgb(0x5c, 0x96, 0xff),
            (Self::X, false) => Color32::from_rgb(0xc4, 0x30, 0x2b),
            (Self::Y, false) => Color32::from_rgb(0x2c, 0x80, 0x22),
            (Self::Z, false) => Color32::from_rgb(0x24, 0x5f, 0xd0),
        }
    }
}

impl End {
    fn new(facing: Facing, orbit: &OrbitCamera) -> Self {
        let toward = facing.toward(orbit.up);
        let [x, y, depth] = orbit.axes().map(|axis| axis.dot(toward));
        let largest = |axis: DVec3| toward.dot(axis).abs() > 0.5;
        let axis = if largest(DVec3::X) {
            Axis::X
        } else if largest(DVec3::Y) {
            Axis::Y
        } else {
            Axis::Z
        };
        #[expect(clippy::cast_possible_truncation, reason = "-1 to 1")]
        let at = vec2(x as f32, -y as f32);
        Self {
            facing,
            axis,
            is_positive: toward.element_sum() > 0.0,
            at,
            depth,
        }
    }

    fn name(&self) -> String {
        let sign = if self.is_positive { "+" } else { "−" };
        format!("{}, {sign}{}", self.facing.view_name(), self.axis.letter())
    }

    fn ui(&self, ui: &mut Ui, [middle, at]: [Pos2; 2], actions: &mut Vec<Action>) {
        let colors = theme::of(ui);
        let rect = Rect::from_center_size(at, Vec2::splat(2.0 * END));
        let id = ui.scope_id().with(("axis", self.facing));
        let response = ui.interact(rect, id, Sense::click());
        let name = self.name();
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        let color = self.axis.color(ui.visuals().dark_mode);
        // Axes that point away are fainter.
        let color = if self.depth < -0.1 {
            color.lerp_to_gamma(colors.card, 0.45)
        } else {
            color
        };
        let lit = response.hovered() || response.has_focus();
        let painter = ui.painter();
        if self.is_positive {
            painter.line_segment([middle, at], Stroke::new(2.0, color));
            painter.circle_filled(at, END, color);
        } else {
            painter.circle(at, END - 2.0, colors.card, Stroke::new(1.5, color));
        }
        if lit {
            painter.circle_stroke(at, END, Stroke::new(1.5, colors.text_strong));
        }
        if self.is_positive || lit {
            let ink = if self.is_positive {
                colors.card
            } else {
                colors.text_strong
            };
            let font = FontId::proportional(11.0);
            painter.text(at, Align2::CENTER_CENTER, self.axis.letter(), font, ink);
        }
        if response.on_hover_text(name).clicked() {
            actions.push(Action::Camera(CameraAction::Face(self.facing)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pchr_foreign::motion::UpAxis;

    #[test]
    fn ends_lie_where_their_axes_point() {
        let camera = |up| OrbitCamera {
            yaw: 0.0,
            pitch: 0.0,
            up,
            ..OrbitCamera::default()
        };
        let end = |facing, up| {
            let end = End::new(facing, &camera(up));
            (end.name(), [end.at.x.round(), end.at.y.round()])
        };
        let (front, at) = end(Facing::Front, UpAxis::Z);
        assert_eq!(
            (front.as_str(), at),
            ("View from the front, −Y", [0.0, 0.0])
        );
        let (top, at) = end(Facing::Top, UpAxis::Z);
        assert_eq!((top.as_str(), at), ("View from the top, +Z", [0.0, -1.0]));
        let (side, at) = end(Facing::Side, UpAxis::Y);
        assert_eq!((side.as_str(), at), ("View from the side, +X", [1.0, 0.0]));
        let (front, _) = end(Facing::Front, UpAxis::Y);
        assert_eq!(front, "View from the front, +Z");
    }
}
