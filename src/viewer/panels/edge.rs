//! Edges of panels, which the pointer drags: keys move them too.

use egui::containers::panel::PanelState;
use egui::{Id, Key, Role, Ui, WidgetInfo};

use crate::viewer::focus::{self, Uses};

/// Distance in logical pixels that a key moves an edge.
const STEP: f32 = 16.0;

/// A side of the window that a panel lies at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
    Top,
    Bottom,
}

/// The edge of a panel that can be resized.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// Salt of the panel's id.
    pub panel: &'static str,
    /// Name for assistive technology.
    pub name: &'static str,
    pub side: Side,
    /// Size in logical pixels that Enter goes back to.
    pub usual: f32,
}

impl Edge {
    /// Moves the edge by arrow keys while it has the keyboard focus. Its panel was laid out in `ui` just now, and keeps its range of sizes
    /// in the next frame.
    pub(super) fn keys(self, ui: &Ui) {
        let context = ui.ctx();
        let panel = ui.scope_id().with(self.panel);
        // As egui names it.
        let id = panel.with("__resize");
        let (Some(response), Some(state)) =
            (context.read_response(id), PanelState::load(context, panel))
        else {
            return;
        };
        let size = self.size(&state);
        response.widget_info(|| {
            let mut info = WidgetInfo::labeled(Role::Splitter, true, self.name);
            info.value = Some(f64::from(size.round()));
            info
        });
        focus::uses(context, id, Uses::Edge);
        if !response.has_focus() {
            return;
        }
        let [larger, smaller] = match self.side {
            Side::Left => [Key::ArrowRight, Key::ArrowLeft],
            Side::Right => [Key::ArrowLeft, Key::ArrowRight],
            Side::Top => [Key::ArrowDown, Key::ArrowUp],
            Side::Bottom => [Key::ArrowUp, Key::ArrowDown],
        };
        let pressed = |key| ui.input(|input| input.key_pressed(key));
        let by = f32::from(u8::from(pressed(larger))) - f32::from(u8::from(pressed(smaller)));
        if pressed(Key::Enter) {
            self.resize(ui, panel, state, self.usual);
        } else if by != 0.0 {
            self.resize(ui, panel, state, size + by * STEP);
        }
    }

    fn size(self, state: &PanelState) -> f32 {
        let size = state.outer_rect.size();
        match self.side {
            Side::Left | Side::Right => size.x,
            Side::Top | Side::Bottom => size.y,
        }
    }

    fn resize(self, ui: &Ui, panel: Id, mut state: PanelState, size: f32) {
        let rect = &mut state.outer_rect;
        match self.side {
            Side::Left => rect.max.x = rect.min.x + size,
            Side::Right => rect.min.x = rect.max.x - size,
            Side::Top => rect.max.y = rect.min.y + size,
            Side::Bottom => rect.min.y = rect.max.y - size,
        }
        ui.data_mut(|data| data.insert_persisted(panel, state));
        ui.ctx().request_repaint();
    }
}
