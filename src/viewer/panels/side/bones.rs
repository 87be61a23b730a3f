//! The bones as a tree, and the eye of a bone, which hides or shows the meshes that it moves most.

use egui::{Color32, Rect, Response, ScrollArea, Sense, Ui, UiBuilder, pos2, vec2};
use lucide_icons::Icon;

use pchr::document::BoneId;

use crate::viewer::action::PartAction;
use crate::viewer::model::Model;
use crate::viewer::panels::list::{RowList, Rows, holds, is_space};
use crate::viewer::panels::widgets::{Look, bone_name, cut, inside, row_text};
use crate::viewer::panels::{Panels, context, list};
use crate::viewer::switch::Tab;
use crate::viewer::theme;

/// Indent of a child, in logical pixels.
const INDENT: f32 = 12.0;
/// Logical pixels from the place of a bone to its name: the sign of a branch.
const SIGN: f32 = 14.0;
/// Part of the room for indents that is for the upper bones, which have whole indents.
const WHOLE: f32 = 0.6;

pub(crate) fn ui(ui: &mut Ui, state: &Panels<'_>, model: &Model) {
    let filter = &state.looking().bone_filter;
    crate::viewer::panels::padded(ui, |ui| list::filter_field(ui, Tab::Bones, filter, state));
    ui.spacing_mut().item_spacing.y = 0.0;
    let subject = model.subject();
    let name = |bone: BoneId| subject.bone(bone).map_or("", |bone| bone.name());
    let tree = model.tree().iter().copied();
    let listed: Vec<(BoneId, u16)> = if filter.is_empty() {
        // The descendants of a folded bone follow it, at greater depth.
        let mut folded = None;
        let unfolded = tree.filter(|(bone, depth)| {
            let away = folded.is_some_and(|folded| *depth > folded);
            if !away {
                folded = state.parts().folded.contains(bone).then_some(*depth);
            }
            !away
        });
        unfolded.collect()
    } else {
        let held = tree.filter(|(bone, _)| holds(name(*bone), filter));
        held.map(|(bone, _)| (bone, 0)).collect()
    };
    let chosen = state.chosen_bone();
    let deepest = listed.iter().map(|(_, depth)| *depth).max();
    let list = RowList {
        name: "bones",
        filter: ("Filter bones", filter),
        count: listed.len(),
        chosen: chosen.map(|bone| bone.0.into()),
        place: listed.iter().position(|(bone, _)| Some(*bone) == chosen),
        number: &|row| listed.get(row).map_or(0, |(bone, _)| u64::from(bone.0)),
    };
    let area = ScrollArea::vertical().auto_shrink(false);
    list.show(ui, state, area, |ui, rows, range| {
        let width = ui.available_width();
        for (bone, depth) in listed.iter().skip(range.start).take(range.len()) {
            ui.push_id(bone.0, |ui| {
                let left = left_of(*depth, deepest.unwrap_or(0), width);
                row(ui, rows, state, model, *bone, left)
            });
        }
    });
}

/// Returns the logical pixels to the left of a bone, by its depth and that of the deepest one. A name has at least half of the `width`:
/// bones that lie deep share the room that is left for them.
fn left_of(depth: u16, deepest: u16, width: f32) -> f32 {
    let margin = f32::from(theme::MARGIN);
    let room = (width * 0.5 - margin - SIGN).max(0.0);
    let [indent, whole] = [depth, deepest].map(|depth| INDENT * f32::from(depth));
    let upper = room * WHOLE;
    if whole <= room || indent <= upper {
        margin + indent
    } else {
        margin + (upper + (indent - upper) * (room - upper) / (whole - upper))
    }
}

fn row(ui: &mut Ui, rows: &mut Rows, state: &Panels<'_>, model: &Model, bone: BoneId, left: f32) {
    let colors = theme::of(ui);
    let name = &bone_name(model, bone);
    let chosen = state.chosen_bone() == Some(bone);
    let moves = state.parts().pick.is_some_and(|pick| model.weight_at(&pick, bone) > 0.0);
    let (rect, response) = rows.row(ui, bone.0.into(), Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::TreeItem, true, chosen, name));
    list::fill_row(ui, rect, chosen, response.hovered());
    let left = rect.left() + left;
    if model.has_children(bone) {
        let at = Rect::from_min_size(pos2(left - 8.0, rect.top()), vec2(20.0, theme::ROW));
        let folded = state.parts().folded.contains(&bone);
        let builder = UiBuilder::new().max_rect(at).id_salt("fold");
        ui.scope_builder(builder, |ui| {
            let look = Look::sized(20.0, theme::ROW);
            let (icon, word) =
                if folded { (Icon::ChevronRight, "Unfold") } else { (Icon::ChevronDown, "Fold") };
            let label = format!("{word} {name}");
            let fold = PartAction::Fold(bone);
            list::button_beside(ui, &response, (icon, look), (&label, word), fold, state);
        });
        state.push_if(list::is_fold(ui, &response, folded), PartAction::Fold(bone));
    }
    let color = match (chosen, moves) {
        (true, _) => colors.text_strong,
        (false, true) => colors.accent,
        (false, false) => colors.text,
    };
    let right = eye(ui, state, bone, name, &response);
    let at = Rect::from_min_max(pos2(left + SIGN, rect.top()), pos2(right, rect.bottom()));
    inside(ui, at, |ui| row_text(ui, name, color));
    context::of_bone(&response, state, model, bone);
    let is_hidden = is_space(ui, &response) && state.is_bone_shown(bone, true).is_some();
    if response.clicked() && !is_hidden {
        rows.choose((!chosen).then_some(bone.0.into()));
        state.push(PartAction::ChooseBone((!chosen).then_some(bone)));
    }
    let moving = "Moves the picked vertex";
    match (cut(ui, name, at.width()) != *name, moves) {
        (true, true) => list::text_beside(ui, &response, rect, &format!("{name}\n{moving}")),
        (true, false) => list::text_beside(ui, &response, rect, name),
        (false, true) => list::text_beside(ui, &response, rect, moving),
        (false, false) => {}
    }
}

/// Width in logical pixels.
const WIDTH: f32 = 22.0;

/// Draws it at the right edge of the list in sight, for bones that have meshes; returns the left edge of what it takes of the row.
fn eye(ui: &mut Ui, state: &Panels<'_>, bone: BoneId, name: &str, response: &Response) -> f32 {
    let row = response.rect;
    let right = row.right().min(ui.clip_rect().right());
    let has_own = state.is_bone_shown(bone, false).is_some();
    let shift = ui.input(|input| input.modifiers.shift);
    let below = shift || !has_own;
    let Some(shown) = state.is_bone_shown(bone, below) else { return right };
    let place =
        Rect::from_min_size(pos2(right - WIDTH - 4.0, row.top()), vec2(WIDTH, row.height()));
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
    let (icon, word) = if shown { (Icon::Eye, "Hide") } else { (Icon::EyeClosed, "Show") };
    let tip = match below {
        false => format!(
            "{word} the meshes that this bone moves most\nWith Shift, also those of the bones below"
        ),
        true => format!("{word} the meshes of this bone and of those below"),
    };
    let builder = UiBuilder::new().max_rect(place).id_salt("eye");
    ui.scope_builder(builder, |ui| {
        let look = Look::sized(place.width(), place.height()).color(color);
        let label = format!("{word} the meshes of {name}");
        let hide = PartAction::HideBone(bone, below);
        list::button_beside(ui, response, (icon, look), (&label, &tip), hide.clone(), state);
        state.push_if(is_space(ui, response), hide);
    });
    place.left()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_half_of_the_width_at_any_depth() {
        let margin = f32::from(theme::MARGIN);
        for deepest in [0, 1, 5, 20, 300, u16::MAX] {
            let left_of = |depth| left_of(depth, deepest, 300.0);
            assert!(left_of(deepest) + SIGN <= 150.01, "{deepest}");
            assert!((0..=deepest).map(left_of).is_sorted(), "{deepest}");
            assert_eq!(left_of(0), margin);
            assert_eq!(left_of(1.min(deepest)), margin + INDENT * f32::from(1.min(deepest)));
        }
        assert_eq!(left_of(8, 8, 300.0), margin + 8.0 * INDENT);
    }
}
