//! The settings of onion skin.

use egui::{
    Button, Color32, DragValue, PopupCloseBehavior, Response, RichText, Role, Ui, Vec2, WidgetInfo,
};

use pchr::overlay::{MOST_GHOSTS, Onion};

use super::backgrounds;
use super::widgets::name_number;
use crate::viewer::action::{Action, LookAction};
use crate::viewer::kept::Keep;
use crate::viewer::state::State;
use crate::viewer::switch::Destination;
use crate::viewer::theme;

/// Largest distance between ghosts in frames that can be dragged to.
const FARTHEST: u16 = 24;
/// Size of a colour in logical pixels.
const SWATCH: Vec2 = Vec2::new(40.0, 20.0);

/// Shows the menu on the secondary button of the switch.
pub(super) fn onion_menu(switch: &Response, state: &State, actions: &mut Vec<Action>) {
    let is_wanted = state.looking().target == Some(Destination::Onion);
    let is_asked = super::context::asked(state, switch).is_some() || is_wanted;
    let popup = egui::Popup::context_menu(switch);
    let popup =
        if is_asked { popup.open_memory(Some(egui::SetOpenCommand::Bool(true))) } else { popup };
    onion_settings(popup, switch, state, actions);
}

/// Shows the same at the menu of more tools, which the switch is in.
pub(super) fn onion_at_more(more: &Response, state: &State, actions: &mut Vec<Action>) {
    let is_wanted = state.looking().target == Some(Destination::Onion);
    let set = is_wanted.then_some(egui::SetOpenCommand::Bool(true));
    let popup = egui::Popup::from_response(more).id(more.id.with("onion skin")).open_memory(set);
    onion_settings(popup, more, state, actions);
}

fn onion_settings(popup: egui::Popup<'_>, at: &Response, state: &State, actions: &mut Vec<Action>) {
    let is_wanted = state.looking().target == Some(Destination::Onion);
    // Its fields have frames, as in the other panels.
    popup
        .anchor(egui::PopupAnchor::ParentRect(at.rect))
        .style(egui::style::StyleModifier::default())
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            let now = state.looking().onion;
            let mut onion = now;
            let mut picked = state.kept().tint;
            egui::Grid::new("onion skin").num_columns(3).spacing([10.0, 6.0]).show(ui, |ui| {
                let first = side(ui, "Before", &mut onion.before);
                swatch(ui, "Before", onion.tints[0], &mut picked, 0);
                if is_wanted {
                    first.request_focus();
                }
                side(ui, "After", &mut onion.after);
                swatch(ui, "After", onion.tints[1], &mut picked, 1);
                ui.label("Step");
                onion_number(ui, "Frames between ghosts", &mut onion.step, 1, FARTHEST);
                ui.label(RichText::new("frames").color(theme::of(ui).text_weak));
                ui.end_row();
            });
            if let Some(tint) = picked.and_then(|side| onion.tints.get_mut(side)) {
                let color = ui.scope(|ui| backgrounds::color_picker(ui, *tint)).inner;
                *tint = color.unwrap_or(*tint);
            }
            if picked != state.kept().tint {
                actions.push(Action::Keep(Keep::Tint(picked)));
            }
            ui.separator();
            let plain = Onion::of(2, 2);
            let reset = ui.add_enabled(onion != plain, egui::Button::new("Reset"));
            if reset.on_hover_text("2 before, 2 after, blue and orange").clicked() {
                onion = plain;
            }
            if onion != now {
                actions.push(Action::Looking(LookAction::Onion(onion)));
            }
        });
}

/// Draws name and number of one side. Returns the number.
fn side(ui: &mut Ui, name: &str, count: &mut u16) -> Response {
    ui.label(name);
    onion_number(ui, &format!("Ghosts {}", name.to_lowercase()), count, 0, MOST_GHOSTS)
}

/// Draws the colour of a side. A press shows the picker for it, or takes that away.
fn swatch(ui: &mut Ui, name: &str, [r, g, b]: [u8; 3], picked: &mut Option<usize>, side: usize) {
    let fill = Color32::from_rgb(r, g, b);
    let is_picked = *picked == Some(side);
    let button = Button::new("").fill(fill).min_size(SWATCH).selected(is_picked);
    let response = ui.add(button.stroke((1.0, theme::of(ui).outline)));
    let label = format!("Colour of ghosts {}", name.to_lowercase());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_picked, &label));
    if response.on_hover_text(label).clicked() {
        *picked = (!is_picked).then_some(side);
    }
    ui.end_row();
}

fn onion_number(ui: &mut Ui, name: &str, value: &mut u16, least: u16, most: u16) -> Response {
    let most = most.max(*value);
    let drag = DragValue::new(value).range(least..=most).speed(0.1);
    let response = ui.add(drag).on_hover_text(name);
    name_number(&response, name, f64::from(*value));
    response
}
