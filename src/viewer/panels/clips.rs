//! The animations as a list: names, frames and seconds.

use egui::{Align2, FontId, Rect, RichText, ScrollArea, Sense, Ui, UiBuilder, WidgetInfo, pos2};

use pchr::document::AnimationId;
use pchr::playback::{LoopMode, Timeline};
use pchr::scene::Subject;

use super::beside;
use super::filter;
use super::names::shown;
use super::rows::{CLIPS, Rows};
use super::widgets::{chosen_here, row_text, scroll_to_chosen};
use crate::viewer::action::{Action, LookAction, PlaybackAction};
use crate::viewer::state::State;
use crate::viewer::theme;

/// Maximum number of rows in sight.
const MOST: usize = 6;
/// Minimum number of rows for a list to be shown.
const FEWEST: usize = 3;
/// Logical pixels of the side panel that are left to everything else.
const OTHERS: f32 = 450.0;
/// Minimum number of animations for a filter to be shown.
const FILTERED: usize = 12;
/// Size of the numbers.
const NUMBERS: f32 = 11.0;
/// Logical pixels between two columns.
const APART: f32 = 10.0;

/// Number of rows that there is room for in a side panel of that height; `None` if a list has no room, or nothing to list.
pub(super) fn rows(height: f32, count: usize) -> Option<usize> {
    let fits = |rows: &usize| f32::from(u8::try_from(*rows).unwrap_or(u8::MAX)) * theme::ROW;
    let room = (FEWEST..=MOST)
        .rev()
        .find(|rows| fits(rows) <= height - OTHERS);
    room.map(|rows| rows.min(count)).filter(|rows| *rows > 0)
}

/// Draws the list with this many rows in sight.
pub(super) fn ui(
    ui: &mut Ui,
    state: &State,
    subject: &dyn Subject,
    in_sight: usize,
    actions: &mut Vec<Action>,
) {
    let text = state.looking().clip_filter.as_str();
    if state.timelines().len() >= FILTERED || !text.is_empty() {
        super::padded(ui, |ui| {
            if let Some(edited) = filter::field(ui, "Filter animations", text) {
                actions.push(Action::Looking(LookAction::ClipFilter(edited)));
            }
        });
    }
    let chosen = state.playback().animation;
    let count = state.clip_count();
    let row_of_chosen = chosen.and_then(|clip| state.row_of_clip(clip));
    let number = |row: usize| state.clip_at(row).map_or(0, |clip| u64::from(clip.0));
    let height = theme::ROW * f32::from(u8::try_from(in_sight).unwrap_or(u8::MAX));
    let columns = Columns::new(ui, state.timelines());
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        if count == 0 {
            filter::nothing(ui);
        }
        let area = ScrollArea::vertical()
            .id_salt("animations")
            .auto_shrink([false, true])
            .max_height(height);
        let area = filter::list(ui, area, text);
        let mut rows = Rows::new(ui, state, (CLIPS, count), row_of_chosen, number);
        area.show_rows(ui, theme::ROW, count, |ui, range| {
            scroll_to_chosen(ui, chosen, row_of_chosen.map(|row| (row, 0.0)), range.start);
            rows.begin(ui, &range);
            for clip in range.filter_map(|row| state.clip_at(row)) {
                row(ui, &mut rows, state, subject, clip, &columns, actions);
            }
        });
    });
}

/// Widths of the numbers.
struct Columns {
    frames: f32,
    seconds: f32,
}

impl Columns {
    fn new(ui: &Ui, timelines: &[Timeline]) -> Self {
        let frames = timelines.iter().map(|timeline| timeline.frame_count).max();
        let seconds = { timelines.iter() }.fold(0.0, |most: f64, it| most.max(it.duration()));
        let font = FontId::monospace(NUMBERS);
        let digit = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
        let width = |text: String| {
            let letters = u8::try_from(text.len()).unwrap_or(u8::MAX);
            digit * f32::from(letters)
        };
        Self {
            frames: width(frames.unwrap_or_default().to_string()),
            seconds: width(in_seconds(seconds)),
        }
    }
}

fn in_seconds(seconds: f64) -> String {
    format!("{seconds:.2} s")
}

fn row(
    ui: &mut Ui,
    rows: &mut Rows,
    state: &State,
    subject: &dyn Subject,
    clip: AnimationId,
    columns: &Columns,
    actions: &mut Vec<Action>,
) {
    let colors = theme::of(ui);
    let is_chosen = state.playback().animation == Some(clip);
    let (rect, response) = rows.row(ui, clip.0.into(), Sense::click());
    let Some(timeline) = state.timelines().get(clip.index()) else {
        return;
    };
    let name = &shown(subject.animation_name(clip));
    let frames = timeline.frame_count;
    let word = if frames == 1 { "frame" } else { "frames" };
    let seconds = in_seconds(timeline.duration());
    let is_any = frames > 0;
    response.widget_info(|| {
        let text = format!("{name}, {frames} {word}, {seconds}");
        WidgetInfo::selected(egui::Role::ListBoxOption, is_any, is_chosen, text)
    });
    let fill = match (is_chosen, response.hovered() && is_any) {
        (true, _) => colors.accent_fill,
        (false, true) => colors.row_hovered,
        (false, false) => egui::Color32::TRANSPARENT,
    };
    let painter = ui.painter();
    painter.rect_filled(rect, 0.0, fill);
    let margin = f32::from(theme::MARGIN);
    let (name_color, color) = match (is_chosen, is_any) {
        (true, _) => (colors.text_strong, colors.text_strong),
        (false, true) => (colors.text, colors.text_weak),
        (false, false) => (colors.text_weak, colors.text_weak),
    };
    let right = rect.right() - margin;
    let middle = right - columns.seconds - APART;
    for (x, text) in [(right, seconds.clone()), (middle, frames.to_string())] {
        let (at, font) = (pos2(x, rect.center().y), FontId::monospace(NUMBERS));
        painter.text(at, Align2::RIGHT_CENTER, text, font, color);
    }
    let end = middle - columns.frames - APART;
    let place = Rect::from_min_max(
        pos2(rect.left() + margin, rect.top()),
        pos2(end.max(rect.left() + margin), rect.bottom()),
    );
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    ui.scope_builder(UiBuilder::new().max_rect(place).layout(layout), |ui| {
        row_text(ui, name, name_color);
    });
    if response.clicked() && is_any {
        chosen_here(ui, Some(clip));
        actions.push(Action::Playback(PlaybackAction::Animation(clip)));
    }
    beside::tip(ui, &response, rect, |ui| {
        ui.label(RichText::new(name).color(colors.text_strong));
        let end = match timeline.loop_mode() {
            LoopMode::Once => "plays once",
            LoopMode::Loop => "loops",
            LoopMode::PingPong => "plays ping-pong",
        };
        ui.label(match frames {
            0 => "No frames".to_owned(),
            _ => format!("{frames} {word}, {seconds} at {} fps, {end}", timeline.fps),
        });
    });
}
