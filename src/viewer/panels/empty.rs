//! A window or a list with nothing to show: what to do, and the recent files.

use egui::{
    Align2, Area, Button, Frame, Id, Order, Rect, RichText, Role, Sense, Ui, WidgetInfo, vec2,
};
use lucide_icons::Icon;

use pchr_tools::text::visible;

use super::problem_cards::name_card;
use super::widgets::{format_key, paint_icon};
use crate::viewer::action::{Action, FileAction};
use crate::viewer::loaded::told_apart;
use crate::viewer::state::State;
use crate::viewer::theme;

/// Width in logical pixels.
const WIDTH: f32 = 320.0;
/// Recent files that are listed.
const RECENT: usize = 6;
/// Height in logical pixels that it takes at least.
const LEAST: f32 = 180.0;
/// Height of the picture in logical pixels below which recent files have no room.
const LOW: f32 = 360.0;

/// Offers files to open in the middle of the picture, or of what a card leaves of it, while nothing is open.
pub(super) fn ui(
    ui: &Ui,
    picture: Rect,
    card: Option<Rect>,
    state: &State,
    actions: &mut Vec<Action>,
) {
    let is_empty = state.model().is_none() && state.loading().is_none();
    if !is_empty || !state.hovering().is_empty() {
        return;
    }
    // Below a card that says the reason, as far as there is room.
    let top = card.map_or(picture.top(), |card| card.bottom());
    let picture = picture.with_min_y(top.min(picture.bottom() - LEAST).max(picture.top()));
    Area::new(Id::unique("nothing open"))
        .order(Order::Background)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(picture.center())
        .constrain_to(picture)
        .show(ui.ctx(), |ui| {
            name_card(ui, Role::Group, "Nothing is open");
            let colors = theme::of(ui);
            ui.set_width(WIDTH.min(picture.width()));
            // A remembered background may have any colour.
            let card = Frame::new().fill(colors.panel).corner_radius(8).inner_margin(12);
            card.show(ui, |ui| {
                ui.vertical_centered(|ui| {
                    let (icon, _) = ui.allocate_exact_size(vec2(40.0, 40.0), Sense::empty());
                    paint_icon(ui.painter(), icon, Icon::FolderOpen, colors.text_weak);
                    let title = RichText::new("Drop a file or a folder here").size(18.0);
                    ui.label(title.color(colors.text_strong));
                    ui.add_space(6.0);
                    let entries = [Action::OpenDialog, Action::OpenFolderDialog];
                    let sample = Action::Files(FileAction::OpenSample);
                    for action in entries.into_iter().chain([sample]) {
                        let key = RichText::new(format_key(ui, &action)).color(colors.text_weak);
                        let button = Button::new(action.name()).right_text(key);
                        let response = ui.add_sized([200.0, 28.0], button);
                        // The key is not part of the name.
                        let name = action.name();
                        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
                        if response.clicked() {
                            actions.push(action);
                        }
                    }
                    if picture.height() >= LOW {
                        recent(ui, state, actions);
                    }
                })
            });
        });
}

fn recent(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let files = state.recent();
    if files.is_empty() {
        return;
    }
    ui.add_space(10.0);
    ui.label(theme::section("Recent files", theme::of(ui)));
    for path in files.iter().take(RECENT) {
        let button = Button::new(told_apart(path, files)).frame(false).truncate();
        let whole = visible(&path.to_string_lossy()).into_owned();
        if ui.add(button).on_hover_text(whole).clicked() {
            actions.push(Action::Files(FileAction::Open(vec![path.clone()])));
        }
    }
}
