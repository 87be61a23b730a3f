//! The meshes in draw order, as the frame on screen has them: topmost first.

use egui::{
    Align, Frame, Label, Layout, Margin, Rect, RichText, ScrollArea, Sense, Ui, UiBuilder, vec2,
};

use super::icons::Icon;
use super::widgets::{Look, icon_button};
use crate::document::MeshId;
use crate::viewer::action::Action;
use crate::viewer::model::Model;
use crate::viewer::order::Direction;
use crate::viewer::state::State;
use crate::viewer::theme;

pub(super) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let Some(model) = state.model() else {
        return;
    };
    let header = Frame::new().inner_margin(Margin {
        left: theme::MARGIN,
        right: theme::MARGIN,
        top: 3,
        bottom: 0,
    });
    ui.spacing_mut().item_spacing.y = 0.0;
    header.show(ui, |ui| head(ui, state, model, actions));
    let rows = model.rows();
    ui.add_space(2.0);
    ScrollArea::vertical()
        .auto_shrink(false)
        .show_rows(ui, theme::ROW, rows.len(), |ui, range| {
            for (position, mesh) in rows.iter().enumerate().skip(range.start).take(range.len()) {
                let place = Place {
                    first: position == 0,
                    last: position.saturating_add(1) == rows.len(),
                };
                ui.push_id(mesh.0, |ui| row(ui, state, model, *mesh, place, actions));
            }
        });
}

fn head(ui: &mut Ui, state: &State, model: &Model, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.set_min_height(Look::SMALL.size.y);
        ui.label(theme::section("Meshes", theme::of(ui)));
        let (drawn, all) = (model.draws().len(), model.rows().len());
        let count = RichText::new(format!("{drawn} of {all} drawn, topmost first"));
        ui.label(count.small().color(theme::of(ui).text_weak));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if state.view().meshes.iter().any(changed) {
                let tip = "Show and order all meshes as the file has them";
                let look = Look::SMALL.color(theme::of(ui).accent);
                if icon_button(ui, Icon::Reset, look, "Reset all meshes", tip).clicked() {
                    actions.push(Action::ResetMeshes);
                }
            }
        });
    });
}

fn changed(view: &crate::scene::MeshView) -> bool {
    view.visible.is_some() || view.z_order.is_some()
}

/// Where a row lies in the list.
#[derive(Clone, Copy)]
struct Place {
    first: bool,
    last: bool,
}

fn row(
    ui: &mut Ui,
    state: &State,
    model: &Model,
    mesh: MeshId,
    place: Place,
    actions: &mut Vec<Action>,
) {
    let size = vec2(ui.available_width(), theme::ROW);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let over = ui.rect_contains_pointer(rect);
    if over {
        ui.painter()
            .rect_filled(rect, 0.0, theme::of(ui).row_hovered);
    }
    let margin = f32::from(theme::MARGIN);
    let inner = Rect::from_min_max(
        rect.min + vec2(margin - 4.0, 0.0),
        rect.max - vec2(margin - 2.0, 0.0),
    );
    let builder = UiBuilder::new()
        .max_rect(inner)
        .layout(Layout::left_to_right(Align::Center));
    let name = model.document().mesh(mesh).map_or("", |mesh| mesh.name());
    let name = if name.is_empty() { "(no name)" } else { name };
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        eye(ui, state, model, mesh, name, actions);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            arrows(ui, mesh, name, place, over, actions);
            z_order(ui, state, model, mesh);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let color = if model.scene().visible(mesh) {
                    theme::of(ui).text
                } else {
                    theme::of(ui).text_weak
                };
                ui.add(Label::new(RichText::new(name).color(color)).truncate());
            });
        });
    });
    response.context_menu(|ui| {
        let touched = changed(&state.mesh_view(mesh));
        let reset = egui::Button::new(format!("Reset {name}"));
        if ui.add_enabled(touched, reset).clicked() {
            actions.push(Action::ResetMesh(mesh));
        }
        if ui.button("Reset all meshes").clicked() {
            actions.push(Action::ResetMeshes);
        }
    });
}

/// The switch: once to turn against the file, once more to follow it again.
fn eye(
    ui: &mut Ui,
    state: &State,
    model: &Model,
    mesh: MeshId,
    name: &str,
    actions: &mut Vec<Action>,
) {
    let (authored, _) = model.authored(mesh);
    let wish = state.mesh_view(mesh).visible;
    let shown = model.scene().visible(mesh);
    let color = match (wish, shown) {
        (Some(_), _) => theme::of(ui).accent,
        (None, true) => theme::of(ui).text,
        (None, false) => theme::of(ui).text_weak,
    };
    let icon = if shown {
        Icon::EyeOpen
    } else {
        Icon::EyeClosed
    };
    let file = if authored { "shown" } else { "hidden" };
    let tip = match wish {
        None if shown => format!("Hide {name}"),
        None => format!("Show {name}\nThe file hides it in this frame"),
        Some(true) => {
            format!("Always shown: click to follow the file\n{file} by the file in this frame")
        }
        Some(false) => {
            format!("Always hidden: click to follow the file\n{file} by the file in this frame")
        }
    };
    let next = if wish.is_some() { None } else { Some(!shown) };
    let label = if shown { "Hide" } else { "Show" };
    let look = Look::SMALL.color(color);
    if icon_button(ui, icon, look, &format!("{label} {name}"), &tip).clicked() {
        actions.push(Action::ShowMesh(mesh, next));
    }
}

fn z_order(ui: &mut Ui, state: &State, model: &Model, mesh: MeshId) {
    let (_, authored) = model.authored(mesh);
    let z = model.scene().z_order(mesh).unwrap_or(0.0);
    let moved = state.mesh_view(mesh).z_order.is_some();
    let text = if z.fract() == 0.0 {
        format!("{z:.0}")
    } else {
        format!("{z:.2}")
    };
    let color = if moved {
        theme::of(ui).accent
    } else {
        theme::of(ui).text_weak
    };
    let tip = if moved {
        format!("Draw order {z}, moved\nThe file has {authored} in this frame")
    } else {
        format!("Draw order {authored} in this frame")
    };
    ui.add(Label::new(RichText::new(text).monospace().color(color)))
        .on_hover_text(tip);
}

/// Right to left.
fn arrows(
    ui: &mut Ui,
    mesh: MeshId,
    name: &str,
    place: Place,
    over: bool,
    actions: &mut Vec<Action>,
) {
    let color = if over {
        theme::of(ui).text
    } else {
        theme::of(ui).button_active
    };
    let mut look = Look::SMALL.color(color);
    look.size.x = 20.0;
    let moves = [
        (Icon::Down, Direction::Down, place.last, "down"),
        (Icon::Up, Direction::Up, place.first, "up"),
    ];
    for (icon, direction, at_end, word) in moves {
        ui.add_enabled_ui(!at_end, |ui| {
            let label = format!("Move {name} {word}");
            let tip = format!("Move {word} in the draw order");
            if icon_button(ui, icon, look, &label, &tip).clicked() {
                actions.push(Action::MoveMesh(mesh, direction));
            }
        });
    }
}
