//! The menu of onion skin: how many frames before and after, how far apart, and in which colours.

use egui::{DragValue, PopupCloseBehavior, Response, RichText, Ui, WidgetInfo};

use crate::overlay::{MOST_GHOSTS, Onion};
use crate::viewer::action::{Action, LookAction};
use crate::viewer::focus;
use crate::viewer::state::State;
use crate::viewer::theme;

/// Largest distance between ghosts in frames that can be dragged to.
const FARTHEST: u16 = 24;

/// Shows the menu on the secondary button of the switch.
pub(super) fn menu(switch: &Response, state: &State, actions: &mut Vec<Action>) {
    let is_asked = super::context::asked(state, switch).is_some();
    let popup = egui::Popup::context_menu(switch);
    let popup = if is_asked {
        popup.open_memory(Some(egui::SetOpenCommand::Bool(true)))
    } else {
        popup
    };
    // Its fields have frames, as in the other panels.
    popup
        .anchor(egui::PopupAnchor::ParentRect(switch.rect))
        .style(egui::style::StyleModifier::default())
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            focus::own(ui);
            let now = state.looking().onion;
            let mut onion = now;
            egui::Grid::new("onion skin")
                .num_columns(3)
                .spacing([10.0, 6.0])
                .show(ui, |ui| {
                    let [before, after] = &mut onion.tints;
                    side(ui, "Before", &mut onion.before, before);
                    side(ui, "After", &mut onion.after, after);
                    ui.label("Step");
                    number(ui, "Frames between ghosts", &mut onion.step, 1, FARTHEST);
                    ui.label(RichText::new("frames").color(theme::of(ui).text_weak));
                    ui.end_row();
                });
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

/// Draws the row of one side.
fn side(ui: &mut Ui, name: &str, count: &mut u16, tint: &mut [u8; 3]) {
    ui.label(name);
    number(
        ui,
        &format!("Ghosts {}", name.to_lowercase()),
        count,
        0,
        MOST_GHOSTS,
    );
    let response = ui.color_edit_button_srgb(tint);
    let label = format!("Colour of ghosts {}", name.to_lowercase());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, &label));
    response.on_hover_text(label);
    ui.end_row();
}

fn number(ui: &mut Ui, name: &str, value: &mut u16, least: u16, most: u16) {
    let most = most.max(*value);
    let drag = DragValue::new(value).range(least..=most).speed(0.1);
    let response = ui.add(drag).on_hover_text(name);
    response.widget_info(|| {
        let mut info = WidgetInfo::drag_value(true, f64::from(*value));
        info.label = Some(name.to_owned());
        info
    });
}
