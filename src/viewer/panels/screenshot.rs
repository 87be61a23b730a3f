//! The button of screenshots, and the menu of their choices.

use egui::{Button, Checkbox, Response, Ui};
use lucide_icons::Icon;

use super::context;
use super::widgets::{Look, action_button, labelled, size_fields, tip, tipped};
use crate::viewer::action::{Action, ExportAction};
use crate::viewer::screenshot::ScreenshotSize;
use crate::viewer::state::State;
use crate::viewer::switch::Destination;

/// Width of the names of choices in logical pixels.
const LABELS: f32 = 80.0;

pub(super) fn button(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let action = Action::Export(ExportAction::Screenshot { overlays: true });
    let words = state.exports().screenshot.in_words();
    let more = format!("{words}; right-click to change");
    let response = action_button(ui, (Icon::Camera, Look::TOOL), ("", &more), action, actions);
    context::settings(&response, state, Destination::Screenshot)
        .show(|ui| settings(ui, state, actions));
}

/// Draws the choices. Another one is an action.
fn settings(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = 6.0;
    let now = state.exports().screenshot;
    let mut to = now;
    let parts = [
        (false, "View", "What the window shows"),
        (true, "Character", "All of it, cropped to what is drawn; without grid and origin"),
    ];
    let first = choice(ui, ("Part", LABELS), &mut to.cropped, parts);
    if state.looking().target == Some(Destination::Screenshot)
        && let Some(first) = first
    {
        first.request_focus();
    }
    let backgrounds = [
        (false, "As in the window", "Its colour, picture or checkerboard"),
        (true, "Transparent", "None, whatever the window shows"),
    ];
    choice(ui, ("Background", LABELS), &mut to.transparent, backgrounds);
    let sizes = [
        (ScreenshotSize::One, "1×", "The pixels of the window"),
        (ScreenshotSize::Two, "2×", "Drawn with twice as many pixels on each side"),
        (ScreenshotSize::Four, "4×", "Drawn with four times as many pixels on each side"),
        (ScreenshotSize::Fixed, "Fixed", "The part is fitted into this width and height"),
    ];
    choice(ui, ("Size", LABELS), &mut to.size, sizes);
    labelled(ui, "", LABELS, |ui| {
        size_fields(ui, &mut to.fixed);
    });
    if to.fixed != now.fixed {
        to.size = ScreenshotSize::Fixed;
    }
    labelled(ui, "Show", LABELS, |ui| {
        let tip = "Bones, names and other drawings that are on";
        tipped(ui.add(Checkbox::new(&mut to.overlays, "Overlays")), tip);
    });
    if to != now {
        actions.push(Action::Export(ExportAction::ChooseScreenshot(to)));
    }
    ui.separator();
    ui.horizontal(|ui| {
        for (name, export) in [
            ("Screenshot", ExportAction::Screenshot { overlays: true }),
            ("Copy", ExportAction::CopyPicture),
        ] {
            let action = Action::Export(export);
            if tipped(ui.button(name), &tip(ui, &action, "")).clicked() {
                actions.push(action);
                ui.close();
            }
        }
    });
}

/// Draws a name, and the values to choose from. Returns the first of them.
pub(super) fn choice<T: Copy + PartialEq, const N: usize>(
    ui: &mut Ui,
    (name, width): (&str, f32),
    value: &mut T,
    of: [(T, &str, &str); N],
) -> Option<Response> {
    let mut first = None;
    labelled(ui, name, width, |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for (other, name, about) in of {
            let button = Button::selectable(*value == other, name);
            let response = tipped(ui.add(button), about);
            if response.clicked() {
                *value = other;
            }
            first.get_or_insert(response);
        }
    });
    first
}
