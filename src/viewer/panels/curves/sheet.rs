//! Keys of all bones: a row a bone, a diamond a frame.

use egui::scroll_area::{DragScroll, ScrollSource};
use egui::{Color32, Rect, ScrollArea, Sense, Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use pchr::finding::counted;
use pchr::playback::Timeline;
use pchr::scene::{CurveKind, KeyRow, RowKey};

use super::frames::{self, FrameAxis, RULER, diamond, runs};
use crate::viewer::action::{Action, CurvesAction, PartAction, PlaybackAction};
use crate::viewer::curves::name_of;
use crate::viewer::interface::narrow;
use crate::viewer::kept::Keep;
use crate::viewer::model::Model;
use crate::viewer::panels::widgets::{bone_name, inside, row_text, weak};
use crate::viewer::panels::{list, pointer};
use crate::viewer::state::State;
use crate::viewer::theme;

const ROW: f32 = 20.0;
/// Logical pixels from a diamond's middle that are taken for it.
const NEAR: f64 = 6.0;

pub(super) fn ui(
    ui: &mut Ui,
    state: &State,
    model: &Model,
    timeline: &Timeline,
    rect: Rect,
    actions: &mut Vec<Action>,
) {
    let names = (rect.width() * 0.24).clamp(80.0, 190.0);
    let (top, mut body) = rect.split_top_bottom_at_y(rect.top() + RULER);
    if let Some(frame) = state.tracks().keys.left_out {
        body.max.y -= ROW;
        left_out(ui, body.with_min_y(body.bottom()).with_max_y(rect.bottom()), frame);
    }
    let plot = Rect::from_min_max(pos2(body.left() + names, body.top()), body.max);
    let axis = FrameAxis::new(state, timeline, plot);
    let ruler = Rect::from_x_y_ranges(plot.x_range(), top.y_range());
    frames::ruler(ui, state, timeline, &axis, ruler, actions);
    let tracks = state.tracks();
    if tracks.keys.rows.is_empty() {
        let text = if model.subject().skinned().is_some() {
            "No bone moves in this animation"
        } else {
            "No bone has keys in this animation"
        };
        let hint = if model.stage().is_some() { super::IN_ITS_FILE } else { "" };
        return super::empty(ui, body, text, hint);
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
        if let Some(row) = row_to_reveal(state, actions) {
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
                    row.ui(ui, actions);
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
fn row_to_reveal(state: &State, actions: &mut Vec<Action>) -> Option<usize> {
    let chosen = state.chosen_bone();
    if state.kept().keys_of == Some(chosen) {
        return None;
    }
    actions.push(Action::Keep(Keep::KeysOf(chosen)));
    state.tracks().row_of(chosen?)
}

/// Keys of one bone.
struct KeysLine<'a> {
    state: &'a State,
    model: &'a Model,
    keys: &'a KeyRow,
    axis: &'a FrameAxis,
    plot: Rect,
    chosen: bool,
}

impl KeysLine<'_> {
    fn ui(&self, ui: &mut Ui, actions: &mut Vec<Action>) {
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
        ui.scope_builder(UiBuilder::new().max_rect(text), |ui| {
            row_text(ui, &name, color);
        });
        let pointer = response.hover_pos();
        let near = pointer.and_then(|at| self.near(at.x));
        self.paint(ui, rect, near);
        frames::pinch(ui, self.axis, &response, actions);
        if let Some(drag) = pointer::drag_of(ui, self.state, &response, actions) {
            frames::drag(ui, self.axis, &drag, actions);
        }
        if response.double_clicked() && near.is_none() {
            actions.push(Action::Curves(CurvesAction::Fit));
        }
        if response.clicked() {
            let bone = Some(self.keys.bone);
            actions.push(Action::Keep(Keep::KeysOf(bone)));
            if let Some(key) = near {
                let frame = f64::from(key.frame);
                actions.push(Action::Playback(PlaybackAction::Seek(frame)));
            }
            actions.push(Action::Parts(PartAction::ChooseBone(bone)));
        }
        if let Some(key) = near {
            let words = in_words(&name, key);
            response.on_hover_text_at_pointer(words);
        }
    }

    /// The key at a place.
    fn near(&self, x: f32) -> Option<RowKey> {
        if x < self.plot.left() {
            return None;
        }
        let keys = &self.keys.keys;
        let frame = self.axis.frame_at(x);
        let after = keys.partition_point(|key| f64::from(key.frame) < frame);
        let around = [after.checked_sub(1), Some(after)];
        let around = around.into_iter().flatten().filter_map(|at| keys.get(at));
        let distance = |key: &RowKey| {
            let by = self.axis.x(key.frame.into()) - x;
            f64::from(by.abs())
        };
        let near = around.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        near.filter(|key| distance(key) <= NEAR).copied()
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
