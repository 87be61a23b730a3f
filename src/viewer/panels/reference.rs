//! The controls of the picture to compare with.

use egui::{Align, Button, DragValue, Layout, RichText, Slider, Ui};

use pchr_tools::text::visible;

use super::icons::Icon;
use super::menu::Menu;
use super::widgets::{Look, cut, icon_button, name_number};
use crate::viewer::action::{Action, ReferenceAction};
use crate::viewer::reference::{Reference, ReferenceLook, SCALES};
use crate::viewer::state::State;
use crate::viewer::theme;

/// Width of the column with names.
const LABELS: f32 = 58.0;

pub(super) fn ui(
    ui: &mut Ui,
    state: &State,
    reference: &Reference,
    menu: &mut Menu,
    actions: &mut Vec<Action>,
) {
    ui.scope(|ui| {
        ui.reset_style(); // menus draw buttons without frames
        ui.spacing_mut().item_spacing.y = 4.0;
        controls(ui, state, reference, menu, actions);
    });
}

fn controls(
    ui: &mut Ui,
    state: &State,
    reference: &Reference,
    menu: &mut Menu,
    actions: &mut Vec<Action>,
) {
    head(ui, reference, menu, actions);
    let before = reference.look;
    let mut look = before;
    row(ui, "Place", |ui| {
        for (above, text) in [(false, "Below"), (true, "Above")] {
            let button = Button::selectable(look.above == above, text);
            let response = ui.add_sized([64.0, 24.0], button);
            menu.entry(&response, false);
            if response.clicked() {
                look.above = above;
            }
        }
    });
    row(ui, "Opacity", |ui| {
        let mut percent = look.opacity * 100.0;
        ui.spacing_mut().slider_width = 96.0;
        let slider = Slider::new(&mut percent, 0.0..=100.0).suffix(" %");
        let response = ui.add(slider.max_decimals(0));
        name_number(&response, "Opacity of the reference", percent.into());
        if response.changed() {
            look.opacity = percent / 100.0;
        }
    });
    place(ui, state, &mut look);
    row(ui, "", |ui| {
        let fit = Action::Reference(ReferenceAction::Fit);
        let button = ui.add_sized([64.0, 24.0], Button::new("Fit"));
        menu.entry(&button, false);
        if button.on_hover_text("Same size as the character").clicked() {
            actions.push(fit);
        }
    });
    if look != before {
        actions.push(Action::Reference(ReferenceAction::Look(look)));
    }
}

fn head(ui: &mut Ui, reference: &Reference, menu: &mut Menu, actions: &mut Vec<Action>) {
    let name = reference.path.file_name().unwrap_or_default();
    let name = visible(&name.to_string_lossy()).into_owned();
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let shown = reference.look.visible;
            let (eye, tip) = match shown {
                true => (Icon::EyeOpen, "Hide the reference"),
                false => (Icon::EyeClosed, "Show the reference"),
            };
            for (icon, tip, action) in [
                (Icon::Close, "Remove the reference", ReferenceAction::Remove),
                (eye, tip, ReferenceAction::Toggle),
            ] {
                let response = icon_button(ui, icon, Look::SMALL, tip, tip);
                // Enter must not remove by accident: Tab goes there.
                if action != ReferenceAction::Remove {
                    menu.entry(&response, false);
                }
                if response.clicked() {
                    actions.push(Action::Reference(action));
                }
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let text = cut(ui, &name, ui.available_width()).into_owned();
                let text = RichText::new(text).color(theme::of(ui).text);
                let path = reference.path.to_string_lossy();
                ui.label(text).on_hover_text(visible(&path).into_owned());
            });
        });
    });
}

/// Draws size and middle, along the axes of the picture.
fn place(ui: &mut Ui, state: &State, look: &mut ReferenceLook) {
    let axes = match state.orbit() {
        Some(orbit) => {
            let [right, up, _] = orbit.axes();
            [right, up].map(|axis| axis.to_array())
        }
        None => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
    };
    let zoom = state
        .orbit()
        .map_or(state.camera().zoom, |orbit| orbit.zoom);
    row(ui, "Size", |ui| {
        let mut percent = look.scale * 100.0;
        let range = SCALES.start() * 100.0..=SCALES.end() * 100.0;
        let drag = DragValue::new(&mut percent).range(range);
        let drag = drag.speed(look.scale * 0.5).max_decimals(2).suffix(" %");
        let response = ui.add_sized([84.0, 24.0], drag);
        name_number(&response, "Size of the reference", percent);
        let tip = "World units per pixel of the reference picture; drag, or click to type";
        if response.on_hover_text(tip).changed() {
            look.scale = percent / 100.0;
        }
    });
    row(ui, "Centre", |ui| {
        for (name, axis) in ["X", "Y"].into_iter().zip(axes) {
            let before: f64 = look.middle.iter().zip(axis).map(|(at, by)| at * by).sum();
            let mut value = before;
            let drag = DragValue::new(&mut value).speed(1.0 / zoom).max_decimals(2);
            let drag = drag.prefix(format!("{name} "));
            let response = ui.add_sized([84.0, 24.0], drag);
            name_number(&response, &format!("{name} of the reference"), value);
            if response.changed() {
                for (at, by) in look.middle.iter_mut().zip(axis) {
                    *at += (value - before) * by;
                }
            }
        }
    });
}

/// Draws a name and its controls.
fn row(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let size = egui::vec2(LABELS, ui.spacing().interact_size.y);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(LABELS);
            ui.label(RichText::new(name).color(theme::of(ui).text_weak));
        });
        add(ui);
    });
}
