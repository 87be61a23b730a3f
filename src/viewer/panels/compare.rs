//! The comparison: the bar above the picture, names and the line between both files over it, and the list of changes.

use core::time::Duration;

use egui::{
    Align, Align2, Button, Color32, ComboBox, CursorIcon, FontId, Key, Label, Layout, Panel, Rect,
    RichText, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};
use lucide_icons::Icon;

use pchr::finding::counted;
use pchr::scene::Camera;

use super::menu::combo;
use super::widgets::{
    Look, action_button, choice_button, cut, icon_button, name_value, shown, tip,
};
use super::{Panels, edges, frame, problem_and_empty_cards};
use crate::viewer::action::{Action, CompareAction};
use crate::viewer::compare::{ChangeRow, Changes, CompareMode, Comparison, Counterpart};
use crate::viewer::focus::{self, Uses};
use crate::viewer::interface::narrow;
use crate::viewer::kept::Keep;
use crate::viewer::state::State;
use crate::viewer::switch::Switch;
use crate::viewer::theme;

/// Height of the bar in logical pixels.
pub(super) const HEIGHT: f32 = 32.0;
/// Seconds that each file is on show while they blink, and the same with less motion.
const BLINK: [f64; 2] = [0.5, 1.5];
/// Logical pixels beside the line at which it reacts.
const REACH: f32 = 5.0;
/// Part of the width that a key moves the line.
const STEP: f32 = 0.02;
/// Radius of a mark in logical pixels at least.
const MARK: f32 = 14.0;
/// Height of the list in logical pixels, unless it was changed, and height of what it shares with the picture at least.
const LIST: f32 = 170.0;
const LOW: f32 = 230.0;
/// Width in logical pixels below which modes and counts have no room beside each other.
const NARROW: f32 = 560.0;
/// Width below which the modes have no room beside each other.
const TIGHT: f32 = 440.0;

/// Draws the bar: the modes, the figures, and the buttons.
pub(super) fn bar(ui: &mut Ui, state: &Panels<'_>) {
    let is_narrow = ui.available_width() < NARROW;
    let is_tight = ui.available_width() < TIGHT;
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let end = CompareAction::End;
        action_button(ui, (Icon::X, Look::SMALL), ("End the comparison", ""), end, state);
        if matches!(state.counterpart(), Some(Counterpart::File(_))) {
            let exchange = CompareAction::Exchange;
            action_button(ui, (Icon::ArrowLeftRight, Look::SMALL), ("", ""), exchange, state);
        }
        let changes = state.comparison().and_then(|now| now.changes.as_deref());
        list_button(ui, state, changes);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            if is_tight {
                mode_menu(ui, state);
            } else {
                modes(ui, state);
            }
            if !is_narrow {
                ui.add_space(8.0);
                said(ui, state);
            }
        });
    });
}

/// Draws a button for each mode.
fn modes(ui: &mut Ui, state: &Panels<'_>) {
    for mode in CompareMode::ALL {
        let on = state.compare_mode() == Some(mode);
        let action: Action = CompareAction::Mode(mode).into();
        let tip = tip(ui, &action, "", state);
        let name = (Role::Button, action.name());
        choice_button(ui, mode.name(), name, on, action, state).on_hover_text(tip);
    }
}

fn mode_menu(ui: &mut Ui, state: &Panels<'_>) {
    let chosen = state.compare_mode().unwrap_or_default();
    let list = ComboBox::from_id_salt("mode of the comparison");
    combo(ui, state, list, ("Way of comparing", chosen.name()), |ui, menu| {
        for mode in CompareMode::ALL {
            state.push_if(menu.button(ui, mode.name(), mode == chosen), CompareAction::Mode(mode));
        }
    });
}

/// Draws the button of the list, with the number of changes.
fn list_button(ui: &mut Ui, state: &Panels<'_>, changes: Option<&Changes>) {
    let count = changes.map_or(0, |changes| changes.rows.len());
    if count == 0 {
        return;
    }
    let text = counted(count, "change", "changes");
    let list: Action = CompareAction::List.into();
    let response = ui.add(Button::selectable(state.lists_changes(), text));
    state.push_if(response.on_hover_text(tip(ui, &list, "", state)).clicked(), list);
}

/// Draws the state of the comparison, or the figures of the pictures on show.
fn said(ui: &mut Ui, state: &State) {
    let colors = theme::of(ui);
    let now = state.comparison();
    let moment = state.model().and_then(|model| model.moment().0);
    let text = match now {
        None => "Opening…".to_owned(),
        Some(now) if !now.has_moment => match moment.zip(state.model()) {
            Some((at, model)) => {
                let name = shown(model.subject().animation_name(at.animation));
                format!("{} has no animation {name}", now.names[1])
            }
            None => format!("{} has nothing to show here", now.names[1]),
        },
        Some(Comparison { figures: Some(figures), .. }) => figures.in_words(),
        Some(Comparison { changes: None, .. }) => "Comparing…".to_owned(),
        Some(Comparison { changes: Some(changes), .. }) => changes.summary.clone(),
    };
    let fault = state.compare_fault().map(str::to_owned);
    // The other file may have fewer frames than the one on show.
    let held = now.and_then(|now| {
        let last = now.held_at(moment)?;
        Some(format!("{text}; {} ends at frame {last}", now.names[1]))
    });
    let text = fault.or(held).unwrap_or(text);
    let is_odd = state.compare_fault().is_some() || now.is_some_and(|now| !now.has_moment);
    let color = if is_odd { colors.warning } else { colors.text_weak };
    ui.add(Label::new(RichText::new(&text).color(color)).truncate()).on_hover_text(text);
}

/// Draws what lies over the picture: the line between both files, their names, and the mark of a change.
pub(super) fn over(ui: &mut Ui, picture: Rect, state: &Panels<'_>) {
    let Some((mode, now)) = state.compare_mode().zip(state.comparison()) else { return };
    let [left, right] = now.left_and_right();
    let middle = picture.center().x;
    match mode {
        CompareMode::Side => {
            let stroke = Stroke::new(1.0, theme::of(ui).line);
            ui.painter().vline(middle.round(), picture.y_range(), stroke);
            tag(ui, picture.with_max_x(middle), Align2::LEFT_TOP, left);
            tag(ui, picture.with_min_x(middle), Align2::LEFT_TOP, right);
        }
        CompareMode::Split => {
            let at = line(ui, picture, state);
            tag(ui, picture.with_max_x(at), Align2::RIGHT_TOP, left);
            tag(ui, picture.with_min_x(at), Align2::LEFT_TOP, right);
        }
        CompareMode::Blink => {
            blink(ui, state);
            let name = if state.shows_other() { right } else { left };
            tag(ui, picture, Align2::LEFT_TOP, name);
        }
        CompareMode::Difference => {}
    }
    mark(ui, picture, state);
}

/// Draws a name in a corner of a part of the picture, if it has room.
fn tag(ui: &Ui, part: Rect, corner: Align2, name: &str) {
    let colors = theme::of(ui);
    let room = part.shrink(8.0);
    if room.width() < 60.0 || room.height() < 30.0 {
        return;
    }
    let text = cut(ui, name, room.width() - 16.0).into_owned();
    let galley = ui.painter().layout_no_wrap(text, FontId::proportional(12.5), colors.text);
    let card = corner.align_size_within_rect(galley.size() + vec2(16.0, 8.0), room);
    ui.painter().rect_filled(card, 6.0, colors.floating());
    ui.painter().galley(card.min + vec2(8.0, 4.0), galley, colors.text);
}

/// Draws the line between both files, which the pointer and keys move. Returns its place.
fn line(ui: &Ui, picture: Rect, state: &Panels<'_>) -> f32 {
    let at = picture.left() + picture.width() * state.split();
    let rect = Rect::from_x_y_ranges(at - REACH..=at + REACH, picture.y_range());
    let id = ui.scope_id().with("split");
    let response = ui.interact(rect, id, Sense::click_and_drag());
    let percent = f64::from((state.split() * 100.0).round());
    name_value(&response, Role::Splitter, "Line between both files", percent);
    focus::uses(ui.ctx(), id, Uses::Edge);
    let is_lit = response.hovered() || response.dragged() || response.has_focus();
    if is_lit {
        ui.set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    let colors = theme::of(ui);
    let color = if is_lit { colors.accent } else { Color32::WHITE };
    for (width, color) in [(4.0, Color32::from_black_alpha(130)), (2.0, color)] {
        ui.painter().vline(at, picture.y_range(), Stroke::new(width, color));
    }
    let handle = Rect::from_center_size(pos2(at, picture.center().y), vec2(10.0, 36.0));
    let edge = Stroke::new(1.0, Color32::from_black_alpha(130));
    ui.painter().rect(handle, 5.0, color, edge, StrokeKind::Outside);
    if response.drag_started() || response.clicked() {
        response.request_focus(); // keys move it on
    }
    let by = edges::pressed_way(ui, [Key::ArrowRight, Key::ArrowLeft]) * STEP;
    let is_put_back = response.double_clicked()
        || response.has_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    let wanted = match response.interact_pointer_pos().filter(|_| response.dragged()) {
        _ if is_put_back => Some(0.5),
        Some(pointer) => Some((pointer.x - picture.left()) / picture.width().max(1.0)),
        None if response.has_focus() && by != 0.0 => Some(state.split() + by),
        None => None,
    };
    if let Some(at) = wanted {
        state.push(CompareAction::Split(at));
    }
    response.on_hover_text("Drag to see more of one file; double-click for the middle");
    at
}

/// Shows the other file when its time comes.
fn blink(ui: &Ui, state: &Panels<'_>) {
    let has_motion = ui.style().animation_time > 0.0;
    let [usual, slow] = BLINK;
    let stay = if has_motion { usual } else { slow };
    let now = ui.input(|input| input.time);
    let is_other = (now / stay).rem_euclid(2.0) >= 1.0;
    state.push_if(is_other != state.shows_other(), CompareAction::Blink(is_other));
    let left = stay - now.rem_euclid(stay);
    ui.ctx().request_repaint_after(Duration::from_secs_f64(left.max(0.001)));
}

/// Draws a frame around the place of the change that was gone to, in each picture.
fn mark(ui: &Ui, picture: Rect, state: &State) {
    let Some((_, Some(spot))) = state.jumped() else { return };
    let scale = ui.pixels_per_point();
    let (camera, size) = (state.scene_camera(), state.viewport());
    let Camera::Flat(camera) = camera else {
        return; // the bone is selected, and in the middle
    };
    let [x, y, _] = spot.middle;
    let [x, y] = camera.screen_at([x, y], size).map(narrow).map(|side| side / scale);
    let half = spot.half.map(|half| narrow(half * camera.zoom) / scale);
    let [wide, high] = half.map(|half| (half + 4.0).max(MARK));
    let half_width = picture.width() / 2.0;
    let offsets = if state.is_side_by_side() { vec![0.0, half_width] } else { vec![0.0] };
    let colors = theme::of(ui);
    for offset in offsets {
        let middle = picture.min + vec2(x + offset, y);
        let frame = Rect::from_center_size(middle, vec2(wide, high) * 2.0);
        let rounding = if spot.half == [0.0; 2] { MARK } else { 4.0 };
        let left = picture.min + vec2(offset, 0.0);
        let half = Rect::from_min_size(left, vec2(half_width, picture.height()));
        let clip = if state.is_side_by_side() { half } else { picture };
        let painter = ui.painter().with_clip_rect(clip);
        for (width, color) in [(4.0, colors.floating()), (2.0, colors.accent)] {
            painter.rect_stroke(frame, rounding, Stroke::new(width, color), StrokeKind::Middle);
        }
    }
}

/// Draws the list of changes below the picture, if there is room for both.
pub(super) fn list(ui: &mut Ui, state: &Panels<'_>) {
    let room = ui.available_height();
    let changes = state.comparison().and_then(|now| now.changes.as_deref());
    let is_shown = state.lists_changes() && room >= LOW && state.is_on(Switch::Panels);
    let Some(changes) = changes.filter(|_| is_shown) else { return };
    let panel = Panel::bottom("changes").resizable(true).default_size(LIST);
    let panel = panel.size_range(80.0..=(room * 0.6).max(80.0));
    panel.frame(frame(ui, theme::MARGIN, 6)).show(ui, |ui| {
        problem_and_empty_cards::name_card(ui, Role::Group, "Changes");
        head(ui, changes, state);
        let area = ScrollArea::vertical().auto_shrink([false, false]);
        let jumped = state.jumped().map(|(row, _)| row);
        edges::scrolled_by_keys(ui, "List of changes", area, |ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            let mut section = "";
            for (number, row) in changes.rows.iter().enumerate() {
                if row.section != section {
                    section = row.section;
                    ui.label(theme::section(section, theme::of(ui)));
                }
                let on = jumped == Some(number);
                let response = entry(ui, row, on);
                if on && state.kept().change != jumped {
                    response.scroll_to_me(None);
                }
                state.push_if(response.clicked(), CompareAction::Jump(number));
            }
        });
        state.push_if(state.kept().change != jumped, Keep::Change(jumped));
    });
}

fn head(ui: &mut Ui, changes: &Changes, state: &Panels<'_>) {
    let [old, new] = &changes.of;
    let title = format!("From {old} to {new}");
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let list = CompareAction::List;
            action_button(ui, (Icon::X, Look::SMALL), ("Close the list", ""), list, state);
            let lines = changes.rows.iter().map(|row| format!("{}: {}\n", row.name, row.text));
            let tip = "Copy everything as text";
            if icon_button(ui, Icon::Copy, Look::SMALL, "Copy", tip).clicked() {
                ui.ctx().copy_text(lines.collect());
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let text = RichText::new(&title).size(14.0).color(theme::of(ui).text_strong);
                ui.add(Label::new(text).truncate()).on_hover_text(&title);
            });
        });
    });
}

/// Draws a row, which leads to its frame and its part.
fn entry(ui: &mut Ui, row: &ChangeRow, on: bool) -> egui::Response {
    let name = shown(&row.name);
    let text = if name.is_empty() { row.text.clone() } else { format!("{name}: {}", row.text) };
    let button = Button::selectable(on, &text).wrap();
    let size = vec2(ui.available_width(), theme::ROW);
    let response = ui.add(button.min_size(size));
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, on, &text));
    response
}
