//! The panel under the timeline: curves of the selected bone, or the sheet of the keys of all bones: a row a bone, a diamond a frame.

mod frames;
mod plot;

use egui::scroll_area::{DragScroll, ScrollSource};
use egui::{
    Align, Color32, Frame, Label, Layout, Margin, Panel, Rect, RichText, Role, ScrollArea, Sense,
    Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};
use lucide_icons::Icon;

use pchr::finding::counted;
use pchr::playback::Timeline;
use pchr::scene::{CurveKind, KeyRow, RowKey};

use self::frames::{FrameAxis, runs};
use super::edges::{Edge, Side};
use super::playback::seek_and_section;
use super::playback::time_line::diamond;
use super::pointer_and_wheel::drag_of;
use super::widgets::{
    Look, action_button, bone_name, choice_button, format_key, inside, row_text, shown,
    small_button, weak,
};
use super::{Panels, list};
use crate::viewer::action::{Action, CurvesAction, LookAction, PartAction, PlaybackAction};
use crate::viewer::curves::{HEIGHT, HEIGHTS, name_of};
use crate::viewer::interface::narrow;
use crate::viewer::kept::Keep;
use crate::viewer::model::Model;
use crate::viewer::state::State;
use crate::viewer::switch::{Destination, Switch, Tab};
use crate::viewer::theme;

/// Logical pixels of height that timeline and picture keep.
const ABOVE: f32 = 44.0 + 150.0;
/// Least height that shows anything.
const LEAST: f32 = 96.0;
/// Height of the line above the curves.
const HEAD: f32 = 30.0;

/// Lays the panel out at the bottom, as far as there is room. Returns true if it is there, with the timeline.
pub(super) fn ui(ui: &mut Ui, state: &Panels<'_>) -> bool {
    let Some(model) = state.model().filter(|_| state.shows_curves()) else { return false };
    let most = ui.available_height() - ABOVE;
    if most < LEAST {
        return false;
    }
    let view = state.curves_view();
    // A low window has its own panel, so that the height chosen by the user is kept.
    let roomy = most >= *HEIGHTS.end();
    let panel = if roomy {
        Panel::bottom("curves").resizable(true).default_size(view.height).size_range(HEIGHTS)
    } else {
        Panel::bottom("low curves").resizable(false).exact_size(most.min(view.height))
    };
    let response = panel.frame(Frame::new().fill(theme::of(ui).panel)).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        head(ui, state, model);
        let rect = ui.available_rect_before_wrap();
        ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| body(ui, state, model, rect));
        ui.advance_cursor_after_rect(rect);
    });
    if roomy {
        let edge =
            Edge { panel: "curves", name: "Edge of the curves", side: Side::Bottom, usual: HEIGHT };
        edge.keys(ui);
    }
    let height = response.response.rect.height().round();
    state.push_if(roomy && (height - view.height).abs() >= 1.0, CurvesAction::Height(height));
    true
}

/// The choice of a sheet, of kinds and of bones.
fn head(ui: &mut Ui, state: &Panels<'_>, model: &Model) {
    let margin = Margin::symmetric(8, 3);
    Frame::new().inner_margin(margin).show(ui, |ui| {
        ui.set_height(HEAD - 6.0);
        ui.horizontal_centered(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let view = state.curves_view();
            for (keys, name) in [(false, "Curves"), (true, "Keys")] {
                let action = Action::Curves(CurvesAction::Keys(keys));
                let more = if keys {
                    "Frames on which each bone has keys or moves"
                } else {
                    "Values of the selected bone over all frames"
                };
                choice_button(ui, name, (Role::Tab, name), view.keys == keys, action, state)
                    .on_hover_text(more);
            }
            ui.add_space(4.0);
            ui.separator();
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                let close = Action::Toggle(Switch::Curves);
                action_button(ui, (Icon::X, Look::SMALL), ("Close the curves", ""), close, state);
                let words = (
                    "All frames and values",
                    "All frames and values (double click)\nWheel zooms frames, Ctrl+wheel zooms values",
                );
                ui.add_enabled_ui(view.is_zoomed(), |ui| {
                    small_button(ui, Icon::Expand, words, CurvesAction::Fit, state);
                });
                ui.add_space(4.0);
                if view.keys {
                    let width = (ui.available_width() - 8.0).clamp(60.0, 200.0);
                    ui.allocate_ui_with_layout(
                        egui::vec2(width, 24.0),
                        Layout::left_to_right(Align::Center),
                        |ui| list::filter_field(ui, Tab::Bones, &state.looking().bone_filter, state),
                    );
                } else {
                    kinds(ui, state);
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    name_of_bone(ui, state, model);
                });
            });
        });
    });
}

/// Kinds of curves to show, from the right.
fn kinds(ui: &mut Ui, state: &Panels<'_>) {
    let tracks = state.tracks();
    let view = state.curves_view();
    ui.spacing_mut().button_padding.x = 6.0;
    for kind in CurveKind::ALL.into_iter().rev() {
        if !tracks.curves.iter().any(|curve| curve.kind == kind) {
            continue;
        }
        let name = name_of(kind);
        let label = format!("Curves of {}", name.to_lowercase());
        let action = Action::Curves(CurvesAction::Show(kind));
        let on = view.shown.has(kind);
        choice_button(ui, name, (Role::CheckBox, &label), on, action, state);
    }
}

fn name_of_bone(ui: &mut Ui, state: &State, model: &Model) {
    let bone = state.chosen_bone();
    let Some(bone) = bone.and_then(|bone| model.subject().bone(bone)) else { return };
    if ui.available_width() < 40.0 {
        return;
    }
    ui.add_space(6.0);
    let name = RichText::new(shown(bone.name())).color(theme::of(ui).text_weak);
    ui.add(Label::new(name).truncate());
}

fn body(ui: &mut Ui, state: &Panels<'_>, model: &Model, rect: Rect) {
    let colors = theme::of(ui);
    ui.painter().rect_filled(rect, 0.0, colors.well);
    let line = Stroke::new(1.0, colors.line);
    ui.painter().hline(rect.x_range(), rect.top() + 0.5, line);
    let timeline = state.playback().timeline(state.timelines());
    let Some(timeline) = timeline.filter(|timeline| timeline.frame_count > 0) else {
        return empty(ui, rect, "There is nothing to play", "");
    };
    if state.curves_view().keys {
        return key_sheet(ui, state, model, &timeline, rect);
    }
    let Some(bone) = state.chosen_bone() else {
        let hint = match state.kept().are_lists_hidden {
            true => without_list(ui),
            false => "In the list of bones, in the picture, or among the keys".to_owned(),
        };
        let (_, rest) = frames::ruler(ui, state, &timeline, rect, plot::GUTTER);
        return empty(ui, rest, "Select a bone to see its curves", &hint);
    };
    let curves = &state.tracks().curves;
    let bare = |curve: &pchr::scene::Curve| curve.keys.as_ref().is_some_and(Vec::is_empty);
    if curves.iter().all(bare) {
        let name = bone_name(model, bone);
        let (_, rest) = frames::ruler(ui, state, &timeline, rect, plot::GUTTER);
        let hint = if model.stage().is_some() { IN_ITS_FILE } else { "" };
        let text = match hint {
            "" => format!("{name} has no keys in this animation"),
            _ => format!("{name} has no keys on a stage"),
        };
        return empty(ui, rest, &text, hint);
    }
    plot::ui(ui, state, model, &timeline, rect);
}

/// Place of the keys of a stage.
const IN_ITS_FILE: &str = "Open the character's own file to see its keys";

/// Says how to choose a bone where there is no room for the list of bones.
fn without_list(ui: &Ui) -> String {
    let list = Action::Looking(LookAction::GoTo(Destination::List(Tab::Bones)));
    let key = format_key(ui, &list);
    let list = match key.as_str() {
        "" => "Close the curves to see the list".to_owned(),
        key => format!("{key} closes the curves and shows the list"),
    };
    format!("In the picture, or among the keys. {list}.")
}

/// Says why there is nothing to see.
fn empty(ui: &mut Ui, rect: Rect, text: &str, hint: &str) {
    let colors = theme::of(ui);
    let builder =
        UiBuilder::new().max_rect(rect.shrink(8.0)).layout(Layout::top_down(Align::Center));
    ui.scope_builder(builder, |ui| {
        ui.add_space((rect.height() * 0.5 - 26.0).max(0.0));
        ui.label(RichText::new(text).color(colors.text));
        if !hint.is_empty() {
            ui.add_space(4.0);
            ui.label(weak(ui, hint));
        }
    });
}

/// Height of a row of keys.
const ROW: f32 = 20.0;
/// Logical pixels from a diamond's middle that are taken for it.
const NEAR: f32 = 6.0;

/// Lays the sheet of keys out.
fn key_sheet(ui: &mut Ui, state: &Panels<'_>, model: &Model, timeline: &Timeline, rect: Rect) {
    let names = (rect.width() * 0.24).clamp(80.0, 190.0);
    let mut above = rect;
    if let Some(frame) = state.tracks().keys.left_out {
        above.max.y -= ROW;
        left_out(ui, rect.with_min_y(above.bottom()), frame);
    }
    let (axis, plot) = frames::ruler(ui, state, timeline, above, names);
    let body = above.with_min_y(plot.top());
    let tracks = state.tracks();
    if tracks.keys.rows.is_empty() {
        let text = if model.subject().skinned().is_some() {
            "No bone moves in this animation"
        } else {
            "No bone has keys in this animation"
        };
        let hint = if model.stage().is_some() { IN_ITS_FILE } else { "" };
        return empty(ui, body, text, hint);
    }
    frames::grid(ui, &axis, plot);
    let count = tracks.row_count();
    let chosen = state.chosen_bone();
    ui.scope_builder(UiBuilder::new().max_rect(body), |ui| {
        ui.set_clip_rect(ui.clip_rect().intersect(body));
        ui.spacing_mut().item_spacing.y = 0.0;
        if count == 0 {
            return list::nothing(ui);
        }
        let source = ScrollSource { drag: DragScroll::OnTouch, ..ScrollSource::default() };
        let mut area =
            ScrollArea::vertical().id_salt("rows").auto_shrink(false).scroll_source(source);
        if let Some(row) = row_to_reveal(state) {
            let row = f32::from(u16::try_from(row).unwrap_or(u16::MAX));
            area = area.vertical_scroll_offset((row * ROW - body.height() * 0.5).max(0.0));
        }
        area.show_rows(ui, ROW, count, |ui, range| {
            for keys in tracks.rows(range) {
                ui.push_id(keys.bone.0, |ui| {
                    let row = KeysLine {
                        state,
                        model,
                        keys,
                        axis: &axis,
                        plot,
                        chosen: chosen == Some(keys.bone),
                    };
                    row.ui(ui);
                });
            }
        });
    });
    frames::head(ui, state, &axis, plot);
}

/// States the frame from which no keys are listed.
fn left_out(ui: &mut Ui, rect: Rect, frame: u16) {
    let text = format!("Frames from {frame} on are left out: too many bones and frames to compare");
    inside(ui, rect.shrink2(vec2(10.0, 0.0)), |ui| {
        let text = weak(ui, text).color(theme::of(ui).warning);
        ui.add(egui::Label::new(text).truncate());
    });
}

/// The row of the selected bone, when that was chosen elsewhere.
fn row_to_reveal(state: &Panels<'_>) -> Option<usize> {
    let chosen = state.chosen_bone();
    if state.kept().keys_of == Some(chosen) {
        return None;
    }
    state.push(Keep::KeysOf(Some(chosen)));
    state.tracks().row_of(chosen?)
}

/// Keys of one bone.
struct KeysLine<'a> {
    state: &'a Panels<'a>,
    model: &'a Model,
    keys: &'a KeyRow,
    axis: &'a FrameAxis,
    plot: Rect,
    chosen: bool,
}

impl KeysLine<'_> {
    fn ui(&self, ui: &mut Ui) {
        let state = self.state;
        let colors = theme::of(ui);
        let size = vec2(ui.available_width(), ROW);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        let name = bone_name(self.model, self.keys.bone);
        response.widget_info(|| {
            let frames = counted(self.keys.keys.len(), "frame", "frames");
            let label = format!("{name}, keys on {frames}");
            WidgetInfo::selected(egui::Role::ListBoxOption, true, self.chosen, label)
        });
        let fill = match (self.chosen, response.hovered()) {
            (true, _) => colors.accent_fill.gamma_multiply(0.55),
            (false, true) => colors.row_hovered,
            (false, false) => Color32::TRANSPARENT,
        };
        ui.painter().rect_filled(rect, 0.0, fill);
        let text = Rect::from_min_max(
            pos2(rect.left() + 10.0, rect.top()),
            pos2(self.plot.left() - 6.0, rect.bottom()),
        );
        let color = if self.chosen { colors.text_strong } else { colors.text };
        ui.scope_builder(UiBuilder::new().max_rect(text), |ui| row_text(ui, &name, color));
        let pointer = response.hover_pos();
        let near = pointer.and_then(|at| self.near(at.x));
        self.paint(ui, rect, near);
        frames::pinch(ui, self.axis, &response, state);
        if let Some(drag) = drag_of(ui, state, &response) {
            frames::drag(ui, self.axis, &drag, state);
        }
        state.push_if(response.double_clicked() && near.is_none(), CurvesAction::Fit);
        if response.clicked() {
            let bone = Some(self.keys.bone);
            state.push(Keep::KeysOf(Some(bone)));
            if let Some(key) = near {
                state.push(PlaybackAction::Seek(key.frame.into()));
            }
            state.push(PartAction::ChooseBone(bone));
        }
        if let Some(key) = near {
            let words = in_words(&name, key);
            response.on_hover_text_at_pointer(words);
        }
    }

    /// The key at a place.
    fn near(&self, x: f32) -> Option<RowKey> {
        let place = |key: &RowKey| self.axis.x(key.frame.into());
        let near = seek_and_section::near(&self.keys.keys, place, x, NEAR);
        near.filter(|_| x >= self.plot.left()).copied()
    }

    fn paint(&self, ui: &Ui, rect: Rect, near: Option<RowKey>) {
        let colors = theme::of(ui);
        let clip = rect.intersect(self.plot.with_min_y(rect.top()).with_max_y(rect.bottom()));
        let painter = ui.painter().with_clip_rect(clip.intersect(ui.clip_rect()));
        let y = rect.center().y;
        let color = if self.chosen { colors.accent } else { colors.text_weak };
        let gap = 7.0 / self.axis.pitch();
        let x = |frame: u16| self.axis.x(frame.into());
        runs(
            &self.keys.keys,
            |key| key.frame,
            self.axis.seen(),
            gap,
            |[first, last]| {
                if first == last {
                    painter.add(diamond(pos2(x(first), y), 4.0, color, Stroke::NONE));
                    return;
                }
                // Too close to distinguish.
                let bar = Rect::from_x_y_ranges(x(first) - 3.0..=x(last) + 3.0, y - 3.0..=y + 3.0);
                painter.rect_filled(bar, 3.0, color.gamma_multiply(0.55));
            },
        );
        if let Some(key) = near {
            let line = Stroke::new(1.5, colors.text_strong);
            let at = pos2(narrow(f64::from(x(key.frame))), y);
            painter.add(diamond(at, 5.5, color, line));
        }
    }
}

/// `arm_l, frame 12: place, turn`.
fn in_words(name: &str, key: RowKey) -> String {
    let kinds = CurveKind::ALL.into_iter();
    let kinds = kinds.filter(|kind| key.kinds.has(*kind));
    let kinds: Vec<String> = kinds.map(|kind| name_of(kind).to_lowercase()).collect();
    format!("{name}, frame {}: {}", key.frame, kinds.join(", "))
}
