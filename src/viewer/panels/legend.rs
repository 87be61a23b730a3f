//! Legend of the weights' colours.

use egui::{Align2, Color32, FontId, Mesh, Rect, Ui, pos2, vec2};

use pchr::finding::counted;
use pchr::overlay::ramp;

use super::names::shown;
use crate::viewer::model::Model;
use crate::viewer::state::State;
use crate::viewer::switch::Switch;
use crate::viewer::theme;

/// Logical pixels that the label of the grid takes below the legend, where drawings are largest.
const GRID_LABEL: f32 = 20.0;
/// Number of colours along the bar.
const STEPS: u8 = 32;

/// Draws the legend, above the label of the grid if there is one.
pub(super) fn ui(ui: &Ui, picture: Rect, state: &State, model: &Model) {
    let bone = state.chosen_bone();
    let picture = match state.is_on(Switch::Grid) {
        true => picture.with_max_y(picture.bottom() - GRID_LABEL),
        false => picture,
    };
    let colors = theme::of(ui);
    let Some(bone) = bone else {
        let text = match model.subject().bone_count() {
            0 => "No bones, so no weights",
            _ => "Select a bone to see its weights",
        };
        return card(ui, picture, text, 0.0);
    };
    let name = model.subject().bone(bone).map_or("", |bone| bone.name());
    let flags = model.flagged();
    let mut text = format!("Weight of {}", shown(name));
    if flags.unweighted > 0 {
        let vertices = counted(flags.unweighted, "vertex", "vertices");
        text = format!("{text}\n{vertices} without any weight (pink crosses)");
    }
    if flags.not_summing > 0 {
        let vertices = counted(flags.not_summing, "vertex", "vertices");
        text = format!("{text}\n{vertices} with weights that do not sum to 1 (orange triangles)");
    }
    card(ui, picture, &text, 26.0);
    let left = picture.left() + 24.0;
    let bottom = picture.bottom() - 22.0;
    let bar = Rect::from_min_max(
        pos2(left + 12.0, bottom - 12.0),
        pos2(left + 172.0, bottom - 2.0),
    );
    let mut mesh = Mesh::default();
    for i in 0..=STEPS {
        let t = f32::from(i) / f32::from(STEPS);
        let [r, g, b] = ramp(t);
        let color = Color32::from_rgb(r, g, b);
        let x = bar.left() + bar.width() * t;
        mesh.colored_vertex(pos2(x, bar.top()), color);
        mesh.colored_vertex(pos2(x, bar.bottom()), color);
        if i > 0 {
            let at = u32::from(i) * 2;
            mesh.add_triangle(at - 2, at - 1, at);
            mesh.add_triangle(at - 1, at, at + 1);
        }
    }
    let painter = ui.painter();
    painter.add(mesh);
    let font = FontId::monospace(11.0);
    let label = |x: f32, align, text: &str| {
        painter.text(
            pos2(x, bar.center().y),
            align,
            text,
            font.clone(),
            colors.text,
        );
    };
    label(bar.left() - 5.0, Align2::RIGHT_CENTER, "0");
    label(bar.right() + 5.0, Align2::LEFT_CENTER, "1");
}

/// Draws a text in the lower left corner of the picture, with room below it.
fn card(ui: &Ui, picture: Rect, text: &str, below: f32) {
    let colors = theme::of(ui);
    let font = FontId::proportional(12.5);
    let galley = ui
        .painter()
        .layout(text.to_owned(), font, colors.text, 320.0);
    let size = vec2(galley.size().x.max(184.0), galley.size().y + below) + vec2(24.0, 18.0);
    let at = Rect::from_min_size(picture.left_bottom() + vec2(12.0, -12.0 - size.y), size);
    ui.painter().rect_filled(at, 8.0, colors.floating());
    let whole = ui.interact(at, egui::Id::unique("legend"), egui::Sense::hover());
    whole.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, text));
    ui.painter()
        .galley(at.min + vec2(12.0, 9.0), galley, colors.text);
}
