//! Menus of the item under the pointer, or of the one with the keyboard.

mod entries;

use egui::{Pos2, Rect, Response, ScrollArea, SetOpenCommand, Ui};

use self::entries::Entries;
use crate::viewer::action::{Action, PartAction};
use crate::viewer::focus::{self, Uses};
use crate::viewer::kind::Kind;
use crate::viewer::model::Model;
use crate::viewer::over::Over;
use crate::viewer::state::State;
use crate::viewer::target::Target;

use pchr::document::BoneId;

use super::menu::Menu;

/// Distance in logical pixels that a menu keeps from the edges of the window.
const MARGIN: f32 = 24.0;

/// Shows the menu of a control: at the pointer after a right click, and at `asked` where a key asks for it.
pub(super) fn show(response: &Response, asked: Option<Pos2>, add: impl FnOnce(&mut Ui)) {
    let context = &response.ctx;
    let id = response.id.with("place of the menu");
    let clicked = response.secondary_clicked();
    let at_pointer = response.interact_pointer_pos().filter(|_| clicked);
    let opened = at_pointer.or(asked);
    if let Some(at) = opened {
        context.data_mut(|data| data.insert_temp(id, at));
    }
    let Some(at) = context.data(|data| data.get_temp::<Pos2>(id)) else {
        return;
    };
    let set = match opened {
        Some(_) => Some(SetOpenCommand::Bool(true)),
        None => response.clicked().then_some(SetOpenCommand::Bool(false)),
    };
    let room = (context.content_rect().height() - MARGIN).max(MARGIN);
    let popup = egui::Popup::menu(response).open_memory(set).at_position(at);
    popup.show(|ui| {
        let area = ScrollArea::vertical().max_height(room);
        area.min_scrolled_height(room).show(ui, |ui| {
            add(ui);
            focus::scroll(ui);
        })
    });
}

/// Returns the place for the menu of a control, if a key asks for it. The picture leaves the key to controls that ask here.
pub(super) fn asked(state: &State, response: &Response) -> Option<Pos2> {
    if response.has_focus() {
        let id = with_menu();
        response
            .ctx
            .data_mut(|data| data.insert_temp(id, response.id));
    }
    let wanted = state.looking().target == Some(Target::Menu) && response.has_focus();
    let at = response.rect.left_bottom() + egui::vec2(16.0, 0.0);
    wanted.then_some(at)
}

/// Place for the id of the control that had the keyboard focus last and has a menu of its own.
fn with_menu() -> egui::Id {
    egui::Id::unique("control with a menu")
}

/// Chooses the item under a right click on the picture, and shows its menu.
pub(super) fn of_picture(
    ui: &Ui,
    response: &Response,
    rect: Rect,
    reach: f64,
    state: &State,
    actions: &mut Vec<Action>,
) {
    let scale = ui.pixels_per_point();
    let on_screen = |at: Pos2| {
        let at = (at - rect.min) * scale;
        [at.x, at.y].map(f64::from)
    };
    if let Some(at) = response.interact_pointer_pos()
        && response.secondary_clicked()
        && state.model().is_some()
    {
        let at = on_screen(at);
        actions.push(Action::Parts(match state.kind() {
            Kind::Motion => PartAction::PickBone(at, reach),
            Kind::Character | Kind::Atlas => PartAction::PickTop(at),
        }));
    }
    let focused = ui.memory(|memory| memory.focused());
    let has_own = focused.is_some() && focused == ui.data(|data| data.get_temp(with_menu()));
    let is_row = focus::used(ui.ctx()) == Some(Uses::Rows);
    let wanted = state.looking().target == Some(Target::Menu) && !is_row && !has_own;
    let is_covered = matches!(Over::of(state), Some(Over::Sheet(_) | Over::Question));
    let asked = (wanted && !is_covered).then(|| {
        let chosen = state.chosen_on_screen().map(|at| {
            let [x, y] = at.map(crate::viewer::rounding::narrow);
            rect.min + egui::vec2(x, y) / scale
        });
        let inside = chosen.filter(|at| rect.contains(*at));
        inside.unwrap_or(rect.center())
    });
    show(response, asked, |ui| {
        let id = response.id.with("place of the menu");
        let at = ui.data(|data| data.get_temp(id)).unwrap_or(rect.center());
        let mut entries = Entries::begin(ui, state);
        if let Some(model) = state.model() {
            entries.mesh(ui, model, actions);
            entries.chosen_bone(ui, model, actions);
        }
        entries.camera(ui, on_screen(at), actions);
        entries.picture(ui, actions);
        entries.end(ui);
    });
}

/// Shows the menu of a bone's row.
pub(super) fn of_bone(
    response: &Response,
    state: &State,
    model: &Model,
    bone: BoneId,
    actions: &mut Vec<Action>,
) {
    show(response, asked(state, response), |ui| {
        let mut entries = Entries::begin(ui, state);
        entries.bone(ui, model, bone, actions);
        entries.end(ui);
    });
}

/// Shows a menu of plain entries, only some of which are enabled.
pub(super) fn of_row(
    response: &Response,
    state: &State,
    entries: &[(bool, String, Action)],
    actions: &mut Vec<Action>,
    more: impl FnOnce(&mut Ui, &mut Menu),
) {
    show(response, asked(state, response), |ui| {
        let mut menu = Menu::begin(ui);
        for (enabled, text, action) in entries {
            if menu.add_enabled(ui, *enabled, text) {
                actions.push(action.clone());
            }
        }
        more(ui, &mut menu);
        menu.end(ui, true);
    });
}
