//! The eye of a bone in the tree: hides or shows the meshes that it moves most.

use egui::{Color32, Rect, Response, Ui, UiBuilder, pos2, vec2};

use pchr::document::BoneId;

use super::beside;
use super::icons::Icon;
use super::rows::is_space;
use super::widgets::Look;
use crate::viewer::action::{Action, PartAction};
use crate::viewer::model::Model;
use crate::viewer::state::State;
use crate::viewer::theme;

/// Width in logical pixels.
const WIDTH: f32 = 22.0;

/// Draws it at the right edge of the list in sight, for bones that have meshes; returns the left edge of what it takes of the row.
pub(super) fn ui(
    ui: &mut Ui,
    row: Rect,
    state: &State,
    bone: BoneId,
    (name, response): (&str, &Response),
    actions: &mut Vec<Action>,
) -> f32 {
    let right = row.right().min(ui.clip_rect().right());
    let has_own = state.is_bone_shown(bone, false).is_some();
    let shift = ui.input(|input| input.modifiers.shift);
    let below = shift || !has_own;
    let Some(shown) = state.is_bone_shown(bone, below) else {
        return right;
    };
    let place = Rect::from_min_size(
        pos2(right - WIDTH - 4.0, row.top()),
        vec2(WIDTH, row.height()),
    );
    let colors = theme::of(ui);
    let is_changed = |model: &Model| {
        let mut meshes = model.held_by(bone, below).iter();
        meshes.any(|mesh| state.mesh_view(*mesh).visible.is_some())
    };
    let is_over = response.hovered() || ui.rect_contains_pointer(row);
    let color = match (state.model().is_some_and(is_changed), is_over) {
        (true, _) => colors.accent,
        (false, true) => colors.text,
        (false, false) if has_own => colors.text_weak,
        (false, false) => Color32::TRANSPARENT,
    };
    let (icon, word) = match shown {
        true => (Icon::EyeOpen, "Hide"),
        false => (Icon::EyeClosed, "Show"),
    };
    let tip = match (has_own, below) {
        (true, false) => {
            format!(
                "{word} the meshes that this bone moves most\nWith Shift, also those of the bones below"
            )
        }
        _ => format!("{word} the meshes of this bone and of those below"),
    };
    let builder = UiBuilder::new().max_rect(place).id_salt("eye");
    ui.scope_builder(builder, |ui| {
        let mut look = Look::SMALL.color(color);
        look.size = place.size();
        let label = format!("{word} the meshes of {name}");
        let is_pressed = beside::icon(ui, response, (icon, look), &label, &tip).clicked();
        if is_pressed || is_space(ui, response) {
            actions.push(Action::Parts(PartAction::HideBone(bone, below)));
        }
    });
    place.left()
}
