//! The menu of onion skin: how many frames before and after, how far apart, and in which colours.

use egui::{
    Color32, DragValue, FocusDirection, Id, PopupCloseBehavior, Response, RichText, Role, Sense,
    Stroke, StrokeKind, Ui, Vec2, WidgetInfo,
};

use pchr::overlay::{MOST_GHOSTS, Onion};

use super::color_field;
use crate::viewer::action::{Action, LookAction};
use crate::viewer::focus;
use crate::viewer::state::State;
use crate::viewer::target::Target;
use crate::viewer::theme;

/// Largest distance between ghosts in frames that can be dragged to.
const FARTHEST: u16 = 24;
/// Size of a colour, and the width of the field in which it is chosen, in logical pixels.
const SWATCH: Vec2 = Vec2::new(40.0, 20.0);
const WIDTH: f32 = 180.0;

/// Shows the menu on the secondary button of the switch.
pub(super) fn menu(switch: &Response, state: &State, actions: &mut Vec<Action>) {
    let is_wanted = state.looking().target == Some(Target::Onion);
    let is_asked = super::context::asked(state, switch).is_some() || is_wanted;
    let popup = egui::Popup::context_menu(switch);
    let popup = if is_asked {
        popup.open_memory(Some(egui::SetOpenCommand::Bool(true)))
    } else {
        popup
    };
    settings(popup, switch, state, actions);
}

/// Shows the same at the menu of more tools, which the switch is in.
pub(super) fn at_more(more: &Response, state: &State, actions: &mut Vec<Action>) {
    let is_wanted = state.looking().target == Some(Target::Onion);
    let set = is_wanted.then_some(egui::SetOpenCommand::Bool(true));
    let popup = egui::Popup::from_response(more)
        .id(more.id.with("onion skin"))
        .open_memory(set);
    settings(popup, more, state, actions);
}

fn settings(popup: egui::Popup<'_>, at: &Response, state: &State, actions: &mut Vec<Action>) {
    let is_wanted = state.looking().target == Some(Target::Onion);
    // Its fields have frames, as in the other panels.
    popup
        .anchor(egui::PopupAnchor::ParentRect(at.rect))
        .style(egui::style::StyleModifier::default())
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            focus::own(ui);
            // Arrows are of the field that has the keyboard focus, and go to no other control.
            ui.memory_mut(|memory| memory.move_focus(FocusDirection::None));
            let now = state.looking().onion;
            let mut onion = now;
            let mut chosen = chosen_side(ui);
            egui::Grid::new("onion skin")
                .num_columns(3)
                .spacing([10.0, 6.0])
                .show(ui, |ui| {
                    let [before, after] = onion.tints;
                    let first = side(ui, "Before", &mut onion.before);
                    swatch(ui, ("Before", before), 0, &mut chosen);
                    if is_wanted {
                        first.request_focus();
                    }
                    side(ui, "After", &mut onion.after);
                    swatch(ui, ("After", after), 1, &mut chosen);
                    ui.label("Step");
                    number(ui, "Frames between ghosts", &mut onion.step, 1, FARTHEST);
                    ui.label(RichText::new("frames").color(theme::of(ui).text_weak));
                    ui.end_row();
                });
            if let Some(tint) = chosen.and_then(|side| onion.tints.get_mut(side)) {
                choose(ui, tint);
            }
            keep_side(ui, chosen);
            ui.separator();
            let plain = Onion::of(2, 2);
            let reset = ui.add_enabled(onion != plain, egui::Button::new("Reset"));
            if reset
                .on_hover_text("2 before, 2 after, blue and orange")
                .clicked()
            {
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
    number(
        ui,
        &format!("Ghosts {}", name.to_lowercase()),
        count,
        0,
        MOST_GHOSTS,
    )
}

/// Draws the colour of a side. A press shows the field to choose another one in, or takes it away.
fn swatch(ui: &mut Ui, (name, tint): (&str, [u8; 3]), side: usize, chosen: &mut Option<usize>) {
    let (rect, response) = ui.allocate_exact_size(SWATCH, Sense::click());
    let is_chosen = *chosen == Some(side);
    let label = format!("Colour of ghosts {}", name.to_lowercase());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_chosen, &label));
    let [r, g, b] = tint;
    let colors = theme::of(ui);
    let lit = is_chosen || response.hovered() || response.has_focus();
    let stroke = match lit {
        true => Stroke::new(2.0, colors.accent),
        false => Stroke::new(1.0, colors.outline),
    };
    let fill = Color32::from_rgb(r, g, b);
    ui.painter()
        .rect(rect, 4.0, fill, stroke, StrokeKind::Inside);
    if response.on_hover_text(label).clicked() {
        *chosen = (!is_chosen).then_some(side);
    }
    ui.end_row();
}

/// Draws the field in which a colour is chosen.
fn choose(ui: &mut Ui, tint: &mut [u8; 3]) {
    ui.add_space(4.0);
    ui.scope(|ui| {
        ui.set_max_width(WIDTH);
        if let Some(color) = color_field::ui(ui, *tint) {
            *tint = color;
        }
    });
}

fn side_id() -> Id {
    Id::unique("side whose ghosts get another colour")
}

/// Returns the side whose colour is being chosen. A menu that has just opened has none.
fn chosen_side(ui: &Ui) -> Option<usize> {
    let pass = ui.ctx().cumulative_pass_nr();
    let kept: Option<(usize, u64)> = ui.data(|data| data.get_temp(side_id()));
    let kept = kept.filter(|(_, last)| last.saturating_add(1) >= pass);
    kept.map(|(side, _)| side)
}

fn keep_side(ui: &Ui, chosen: Option<usize>) {
    let pass = ui.ctx().cumulative_pass_nr();
    ui.data_mut(|data| match chosen {
        Some(side) => {
            data.insert_temp(side_id(), (side, pass));
        }
        None => {
            data.remove_temp::<(usize, u64)>(side_id());
        }
    });
}

fn number(ui: &mut Ui, name: &str, value: &mut u16, least: u16, most: u16) -> Response {
    let most = most.max(*value);
    let drag = DragValue::new(value).range(least..=most).speed(0.1);
    let response = ui.add(drag).on_hover_text(name);
    response.widget_info(|| {
        let mut info = WidgetInfo::drag_value(true, f64::from(*value));
        info.label = Some(name.to_owned());
        info
    });
    response
}
