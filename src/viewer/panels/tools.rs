//! The menu of tools on the picture: grid, ruler, following a bone, and the picture to compare with.

use egui::{Button, Popup, PopupCloseBehavior, RichText, Role, ScrollArea, Ui, WidgetInfo};

use super::icons::Icon;
use super::menu::Menu;
use super::reference;
use super::widgets::{Look, format_key, icon_button};
use crate::viewer::action::{Action, ReferenceAction, RulerAction};
use crate::viewer::focus;
use crate::viewer::kind::Kind;
use crate::viewer::state::State;
use crate::viewer::switch::Switch;
use crate::viewer::theme;

/// Width of the menu in logical pixels.
const WIDTH: f32 = 250.0;
/// Logical pixels of the window that the menu leaves free.
const AROUND: f32 = 40.0;
/// Note on what captures leave out.
const AIDS: &str = "Ruler and reference are left out of screenshots";

pub(super) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let tip = "Tools: grid, ruler, follow a bone, reference picture";
    let is_used = [Switch::Ruler, Switch::Follow]
        .into_iter()
        .any(|switch| state.is_on(switch));
    let look = match is_used {
        true => Look::TOOL.color(theme::of(ui).accent),
        false => Look::TOOL,
    };
    let response = icon_button(ui, Icon::Ruler, look, "Tools", tip);
    Popup::menu(&response)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            ui.set_width(WIDTH);
            let room = (ui.ctx().content_rect().height() - AROUND).max(AROUND);
            let area = ScrollArea::vertical()
                .max_height(room)
                .min_scrolled_height(room);
            area.show(ui, |ui| entries(ui, state, actions));
        });
}

fn entries(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = 2.0;
    let mut menu = Menu::begin(ui);
    for (switch, tip) in [
        (
            Switch::Grid,
            "Lines at round-number intervals, behind the character",
        ),
        (
            Switch::Ruler,
            "Drag from A to B; hold Shift for steps of 15°. Not in screenshots",
        ),
        (
            Switch::Follow,
            "The bone keeps its place in the picture during playback",
        ),
    ] {
        let action = Action::Toggle(switch);
        if action.concerns(state.kind()) {
            let on = state.is_on(switch);
            entry(ui, &mut menu, (action, on, tip), actions);
        }
    }
    if state.kind() != Kind::Motion {
        let measure = Action::Ruler(RulerAction::Chosen);
        let tip = "A bone to the next joint, or a mesh from corner to corner";
        entry(ui, &mut menu, (measure, false, tip), actions);
    }
    ui.separator();
    let ask = Action::Reference(ReferenceAction::Ask);
    let tip = "A picture to compare with, above or below. Not in screenshots";
    if entry(ui, &mut menu, (ask, false, tip), actions) {
        ui.close();
    }
    let is_whole = menu.typed().is_empty();
    if let Some(shown) = state.reference().filter(|_| is_whole) {
        reference::ui(ui, state, shown, &mut menu, actions);
    }
    ui.add_space(2.0);
    let note = RichText::new(AIDS).small();
    ui.label(note.color(theme::of(ui).text_weak));
    focus::scroll(ui);
    menu.end(ui, false);
}

/// Draws an entry with the key of its action; returns true if it was chosen.
fn entry(
    ui: &mut Ui,
    menu: &mut Menu,
    (action, on, tip): (Action, bool, &str),
    actions: &mut Vec<Action>,
) -> bool {
    let key = RichText::new(format_key(ui, &action)).small();
    let key = key.color(theme::of(ui).text_weak);
    let button = Button::selectable(on, action.name()).right_text(key);
    // It always begins at the top.
    let response = menu.add(ui, action.name(), false, button);
    let chosen = response.is_some_and(|response| {
        let info = || WidgetInfo::selected(Role::Button, true, on, action.name());
        response.widget_info(info);
        response.on_hover_text(tip).clicked()
    });
    if chosen {
        actions.push(action);
    }
    chosen
}
