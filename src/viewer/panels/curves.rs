//! The panel under the timeline: curves of the selected bone, or the keys of all bones.

mod frames;
mod plot;
mod sheet;

use egui::{Align, Frame, Label, Layout, Margin, Panel, Rect, RichText, Role, Ui, UiBuilder};
use lucide_icons::Icon;

use pchr::scene::CurveKind;

use super::edges::{Edge, Side};
use super::list;
use super::widgets::{
    Look, action_button, bone_name, choice_button, format_key, icon_button, shown, weak,
};
use crate::viewer::action::{Action, CurvesAction, LookAction};
use crate::viewer::curves::{HEIGHT, HEIGHTS, name_of};
use crate::viewer::model::Model;
use crate::viewer::state::State;
use crate::viewer::switch::{Destination, Switch, Tab};
use crate::viewer::theme;

/// Logical pixels of height that timeline and picture keep.
const ABOVE: f32 = 44.0 + 150.0;
/// Least height that shows anything.
const LEAST: f32 = 96.0;
/// Height of the line above the curves.
const HEAD: f32 = 30.0;

/// Lays the panel out at the bottom, as far as there is room. Returns true if it is there, with the timeline.
pub(super) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> bool {
    let Some(model) = state.model().filter(|_| state.shows_curves()) else {
        return false;
    };
    let most = ui.available_height() - ABOVE;
    if most < LEAST {
        return false;
    }
    let view = state.curves_view();
    // A low window has its own panel, so that the height chosen by the user is kept.
    let roomy = most >= *HEIGHTS.end();
    let panel = if roomy {
        Panel::bottom("curves").resizable(true).default_size(view.height).size_range(HEIGHTS)
    } else {
        Panel::bottom("low curves").resizable(false).exact_size(most.min(view.height))
    };
    let response = panel.frame(Frame::new().fill(theme::of(ui).panel)).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        head(ui, state, model, actions);
        let rect = ui.available_rect_before_wrap();
        ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| {
            body(ui, state, model, rect, actions);
        });
        ui.advance_cursor_after_rect(rect);
    });
    if roomy {
        let edge =
            Edge { panel: "curves", name: "Edge of the curves", side: Side::Bottom, usual: HEIGHT };
        edge.keys(ui);
    }
    let height = response.response.rect.height().round();
    if roomy && (height - view.height).abs() >= 1.0 {
        actions.push(Action::Curves(CurvesAction::Height(height)));
    }
    true
}

/// The choice of a sheet, of kinds and of bones.
fn head(ui: &mut Ui, state: &State, model: &Model, actions: &mut Vec<Action>) {
    let margin = Margin::symmetric(8, 3);
    Frame::new().inner_margin(margin).show(ui, |ui| {
        ui.set_height(HEAD - 6.0);
        ui.horizontal_centered(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let view = state.curves_view();
            for (keys, name) in [(false, "Curves"), (true, "Keys")] {
                let action = Action::Curves(CurvesAction::Keys(keys));
                let more = if keys {
                    "Frames on which each bone has keys or moves"
                } else {
                    "Values of the selected bone over all frames"
                };
                choice_button(ui, name, (Role::Tab, name), view.keys == keys, action, actions)
                    .on_hover_text(more);
            }
            ui.add_space(4.0);
            ui.separator();
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                let close = Action::Toggle(Switch::Curves);
                action_button(ui, (Icon::X, Look::SMALL), ("Close the curves", ""), close, actions);
                let fit = "All frames and values";
                let words =
                    "All frames and values (double click)\nWheel zooms frames, Ctrl+wheel zooms values";
                ui.add_enabled_ui(view.is_zoomed(), |ui| {
                    if icon_button(ui, Icon::Expand, Look::SMALL, fit, words).clicked() {
                        actions.push(Action::Curves(CurvesAction::Fit));
                    }
                });
                ui.add_space(4.0);
                if view.keys {
                    let width = (ui.available_width() - 8.0).clamp(60.0, 200.0);
                    ui.allocate_ui_with_layout(
                        egui::vec2(width, 24.0),
                        Layout::left_to_right(Align::Center),
                        |ui| list::filter_field(ui, Tab::Bones, &state.looking().bone_filter, actions),
                    );
                } else {
                    kinds(ui, state, actions);
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    name_of_bone(ui, state, model);
                });
            });
        });
    });
}

/// Kinds of curves to show, from the right.
fn kinds(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let tracks = state.tracks();
    let view = state.curves_view();
    ui.spacing_mut().button_padding.x = 6.0;
    for kind in CurveKind::ALL.into_iter().rev() {
        if !tracks.curves.iter().any(|curve| curve.kind == kind) {
            continue;
        }
        let name = name_of(kind);
        let label = format!("Curves of {}", name.to_lowercase());
        let action = Action::Curves(CurvesAction::Show(kind));
        let on = view.shown.has(kind);
        choice_button(ui, name, (Role::CheckBox, &label), on, action, actions);
    }
}

fn name_of_bone(ui: &mut Ui, state: &State, model: &Model) {
    let bone = state.chosen_bone();
    let Some(bone) = bone.and_then(|bone| model.subject().bone(bone)) else {
        return;
    };
    if ui.available_width() < 40.0 {
        return;
    }
    ui.add_space(6.0);
    let name = RichText::new(shown(bone.name())).color(theme::of(ui).text_weak);
    ui.add(Label::new(name).truncate());
}

fn body(ui: &mut Ui, state: &State, model: &Model, rect: Rect, actions: &mut Vec<Action>) {
    let colors = theme::of(ui);
    ui.painter().rect_filled(rect, 0.0, colors.well);
    let line = egui::Stroke::new(1.0, colors.line);
    ui.painter().hline(rect.x_range(), rect.top() + 0.5, line);
    let timeline = state.playback().timeline(state.timelines());
    let Some(timeline) = timeline.filter(|timeline| timeline.frame_count > 0) else {
        return empty(ui, rect, "There is nothing to play", "");
    };
    if state.curves_view().keys {
        return sheet::ui(ui, state, model, &timeline, rect, actions);
    }
    let Some(bone) = state.chosen_bone() else {
        let hint = match state.kept().are_lists_hidden {
            true => without_list(ui),
            false => "In the list of bones, in the picture, or among the keys".to_owned(),
        };
        let (_, rest) = plot::ruler(ui, state, &timeline, rect, actions);
        return empty(ui, rest, "Select a bone to see its curves", &hint);
    };
    let curves = &state.tracks().curves;
    let bare = |curve: &pchr::scene::Curve| curve.keys.as_ref().is_some_and(Vec::is_empty);
    if curves.iter().all(bare) {
        let name = bone_name(model, bone);
        let (_, rest) = plot::ruler(ui, state, &timeline, rect, actions);
        let hint = if model.stage().is_some() { IN_ITS_FILE } else { "" };
        let text = match hint {
            "" => format!("{name} has no keys in this animation"),
            _ => format!("{name} has no keys on a stage"),
        };
        return empty(ui, rest, &text, hint);
    }
    plot::ui(ui, state, model, &timeline, rect, actions);
}

/// Place of the keys of a stage.
const IN_ITS_FILE: &str = "Open the character's own file to see its keys";

/// Says how to choose a bone where there is no room for the list of bones.
fn without_list(ui: &Ui) -> String {
    let list = Action::Looking(LookAction::GoTo(Destination::List(Tab::Bones)));
    let key = format_key(ui, &list);
    let list = match key.as_str() {
        "" => "Close the curves to see the list".to_owned(),
        key => format!("{key} closes the curves and shows the list"),
    };
    format!("In the picture, or among the keys. {list}.")
}

/// Says why there is nothing to see.
fn empty(ui: &mut Ui, rect: Rect, text: &str, hint: &str) {
    let colors = theme::of(ui);
    let builder =
        UiBuilder::new().max_rect(rect.shrink(8.0)).layout(Layout::top_down(Align::Center));
    ui.scope_builder(builder, |ui| {
        ui.add_space((rect.height() * 0.5 - 26.0).max(0.0));
        ui.label(RichText::new(text).color(colors.text));
        if !hint.is_empty() {
            ui.add_space(4.0);
            ui.label(weak(ui, hint));
        }
    });
}
