//! The menu beside the animations: settings that rarely change, and, in a low window, those without room.

use egui::{RichText, Role, ScrollArea, Ui, WidgetInfo};

use super::bind;
use super::icons::Icon;
use super::menu::Menu;
use super::rate;
use super::widgets::{Look, icon_button, section};
use crate::viewer::action::Action;
use crate::viewer::focus;
use crate::viewer::model::Model;
use crate::viewer::state::State;
use crate::viewer::switch::Switch;
use crate::viewer::theme;

/// Name of the menu.
const NAME: &str = "More animation settings";
/// Width of the menu in logical pixels.
const WIDTH: f32 = 240.0;

/// Returns true if there is anything in it.
pub(super) fn any(model: &Model, low: bool) -> bool {
    low || model.subject().bind().is_some()
}

/// Draws the button of the menu. In a `low` window the menu has rate, speed and loop, too.
pub(super) fn ui(ui: &mut Ui, state: &State, model: &Model, low: bool, actions: &mut Vec<Action>) {
    let pose = model.subject().bind();
    let missing = pose.and_then(|pose| bind::missing(model, pose));
    let look = match &missing {
        Some(_) => Look::SMALL.color(theme::of(ui).warning),
        None => Look::SMALL,
    };
    let what = match (low, pose) {
        (true, Some(_)) => "Rate, loop, fade and bind pose",
        (true, None) => "Rate, loop and fade",
        (false, _) => "Bind pose",
    };
    let tip = match &missing {
        Some(missing) => format!("{what}\n{missing}"),
        None => what.to_owned(),
    };
    let response = icon_button(ui, Icon::More, look, NAME, &tip);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, NAME));
    let close = egui::PopupCloseBehavior::CloseOnClickOutside;
    let popup = egui::Popup::menu(&response).close_behavior(close);
    popup.show(|ui| {
        ui.set_width(WIDTH);
        let mut menu = Menu::begin(ui);
        let height = ui.ctx().content_rect().height() * 0.6;
        ScrollArea::vertical().max_height(height).show(ui, |ui| {
            if low {
                rate::rates(ui, state, model, actions);
                section(ui, "Loop");
                rate::modes(ui, state, &mut menu, actions);
                let smooth = Action::Toggle(Switch::Smooth);
                if menu.button(ui, smooth.name(), state.playback().smooth) {
                    actions.push(smooth);
                }
                ui.add_space(4.0);
                rate::fade_entries(ui, state, model, &mut menu, actions);
            }
            if let Some(pose) = pose {
                section(ui, "Bind pose");
                let text = bind::bind_in_words(model.subject(), pose.source());
                let text = format!(
                    "Current: {}. The meshes are stored in this pose. If parts look torn apart, choose another one.",
                    text
                );
                let text = RichText::new(text).small().color(theme::of(ui).text_weak);
                ui.add(egui::Label::new(text).wrap().halign(egui::Align::LEFT));
                bind::entries(ui, model, &mut menu, actions);
            }
            focus::scroll(ui);
        });
        menu.end(ui, true);
    });
}
