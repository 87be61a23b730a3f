//! Choice of the animation and its playback: a list or a drop-down, the bind pose, and the menu of what has no room.

use egui::{
    Align, Align2, Button, ComboBox, FontId, Layout, Rect, RichText, ScrollArea, Sense, Slider, Ui,
    Vec2, WidgetInfo, pos2,
};
use lucide_icons::Icon;

use pchr::document::AnimationId;
use pchr::finding::counted;
use pchr::playback::{LoopMode, Timeline};
use pchr::pose::{BindChoice, BindPose, BindSource};
use pchr::scene::{ClipSmoothness, Subject};
use pchr_tools::crowd::Instances;
use pchr_tools::text::smoothness as words;

use super::rate;
use crate::viewer::action::{Action, LookAction, PlaybackAction};
use crate::viewer::focus;
use crate::viewer::model::Model;
use crate::viewer::panels::edges::Border;
use crate::viewer::panels::list::{CLIPS, RowList, Rows, rows_high};
use crate::viewer::panels::menu::{Menu, combo};
use crate::viewer::panels::widgets::{
    Look, icon_button, inside, name_number, row_text, section, shown, weak,
};
use crate::viewer::panels::{Panels, list, padded, widgets};
use crate::viewer::switch::{ContentKind, Destination, Switch};
use crate::viewer::theme;

/// Draws the animations, and rate and loop of the one that plays. In a `low` window they are menus.
pub(crate) fn ui(ui: &mut Ui, state: &Panels<'_>, low: bool) {
    let room = ui.available_height();
    let Some(model) = state.model() else {
        ui.add_space(PADDING);
        padded(ui, |ui| {
            section(ui, "Animation");
            ui.label(RichText::new("No file").color(theme::of(ui).text_weak));
        });
        return ui.add_space(PADDING);
    };
    if low {
        ui.add_space(LOW_PADDING);
        padded(ui, |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                let width = ui.available_width() - Look::SMALL.size.x - 4.0;
                choice(ui, state, model.subject(), width);
                more_button(ui, state, model, true);
            });
        });
        return ui.add_space(LOW_PADDING);
    }
    ui.add_space(PADDING);
    padded(ui, |ui| head(ui, state, model));
    let room = if rate::can_fade(state, model) { room - FADE_ROW } else { room };
    let count = state.timelines().len();
    let rows = (FEWEST..=MOST).rev().find(|rows| rows_high(*rows) <= room - OTHERS);
    match rows.map(|rows| rows.min(count)).filter(|rows| *rows > 0) {
        Some(rows) => {
            // A part of one more row shows that the list goes on.
            let more = if rows < count { 0.5 * theme::ROW } else { 0.0 };
            let height = state.looking().clips.unwrap_or(rows_high(rows) + more);
            let least = rows_high(FEWEST.min(count));
            let most = rows_high(count).min(room - LEFT).max(least);
            let height = height.clamp(least, most);
            let list = clip_list(ui, state, model.subject(), height);
            if count > FEWEST {
                let border = Border {
                    name: "Lower border of the animations",
                    tip: "Drag to resize the list; double-click to reset",
                    of: list,
                    is_below: true,
                    heights: rows_high(FEWEST)..=most,
                    now: state.looking().clips,
                    moved: LookAction::Clips,
                };
                border.show(ui, state);
            }
        }
        None => padded(ui, |ui| {
            let width = ui.available_width();
            choice(ui, state, model.subject(), width);
        }),
    }
    padded(ui, |ui| {
        ui.add_space(3.0);
        rate::ui(ui, state, model);
        note(ui, model);
    });
    ui.add_space(PADDING);
}

/// Height that the cross-fade and the blend take from the list, in logical pixels.
const FADE_ROW: f32 = 30.0;
/// Space above and below in logical pixels.
const PADDING: f32 = 6.0;
/// Padding in a low panel.
const LOW_PADDING: f32 = 1.0;

/// Draws the title, the number of animations and the menu.
fn head(ui: &mut Ui, state: &Panels<'_>, model: &Model) {
    ui.horizontal(|ui| {
        ui.set_min_height(Look::SMALL.size.y);
        section(ui, "Animation");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            if model.subject().bind().is_some() || is_shown_as_figures(model) {
                more_button(ui, state, model, false);
            }
            let all = state.timelines().len();
            let count = match state.looking().clip_filter.trim() {
                "" if all < 2 => String::new(),
                "" => all.to_string(),
                _ => format!("{} of {all}", state.listed_clips().len()),
            };
            ui.label(weak(ui, count));
        });
    });
}

/// Says that the bind pose was not found.
fn note(ui: &mut Ui, model: &Model) {
    let pose = model.subject().bind();
    let Some(text) = pose.and_then(|pose| missing_bind(model, pose)) else { return };
    let colors = theme::of(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let (_, place) = ui.allocate_space(egui::vec2(14.0, 16.0));
        widgets::paint_icon(ui.painter(), place, Icon::TriangleAlert, colors.warning);
        let text = weak(ui, text);
        let tip = "No animation is named like a bind pose (bind, rest, setup, tpose).\nIf parts look torn apart, choose another frame in the menu above";
        ui.add(egui::Label::new(text).truncate()).on_hover_text(tip);
    });
}

fn choice(ui: &mut Ui, state: &Panels<'_>, subject: &dyn Subject, width: f32) {
    let chosen = state.playback().animation;
    let name = chosen
        .and_then(|id| subject.animation(id))
        .map_or_else(|| "No animations".to_owned(), |animation| shown(animation.name));
    let count = subject.animation_count();
    let list = ComboBox::from_id_salt("animation").width(width).truncate();
    let response = ui.add_enabled_ui(count > 0, |ui| {
        combo(ui, state, list, ("Animation", &name), |ui, menu| {
            let id = |row: usize| AnimationId(u16::try_from(row).unwrap_or(u16::MAX));
            let current = chosen.map(AnimationId::index);
            let text = |row| shown(subject.animation_name(id(row)));
            menu.list(ui, count, current, text, |ui, row| {
                let animation = subject.animation(id(row))?;
                let frames = animation.timeline.frame_count;
                let more = weak(ui, counted(frames, "frame", "frames"));
                let is_chosen = chosen == Some(id(row));
                let label = Button::selectable(is_chosen, shown(animation.name)).right_text(more);
                let response = ui.add_enabled(frames > 0, label);
                state.push_if(response.clicked(), PlaybackAction::Animation(id(row)));
                Some(response)
            });
        })
    });
    let response = response.inner;
    let tip = match count {
        0 => "The file has no animations: vertices are drawn as they are stored".to_owned(),
        count => format!("The file has {}", counted(count, "animation", "animations")),
    };
    if state.looking().target == Some(Destination::Animations) {
        response.request_focus();
        egui::Popup::open_id(ui.ctx(), egui::Popup::default_response_id(&response));
    }
    response.on_hover_text(tip);
}

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
/// Size of the sign of animations that jump.
const SIGN: f32 = 13.0;
/// Frames that jump which a tip lists.
const NAMED: usize = 4;
/// Logical pixels between two columns.
const APART: f32 = 10.0;

/// Logical pixels of the side panel that the list leaves to everything else, however high it is made.
const LEFT: f32 = 330.0;

const FILTER: &str = "Filter animations";

/// Draws the list. Returns its rectangle.
fn clip_list(ui: &mut Ui, state: &Panels<'_>, subject: &dyn Subject, height: f32) -> Rect {
    let text = state.looking().clip_filter.as_str();
    if state.timelines().len() >= FILTERED || !text.is_empty() {
        padded(ui, |ui| {
            if let Some(edited) = list::filter_text(ui, FILTER, text, state) {
                state.push(LookAction::ClipFilter(edited));
            }
        });
    }
    let chosen = state.playback().animation;
    let clips = state.listed_clips();
    let list = RowList {
        name: CLIPS,
        filter: (FILTER, text),
        count: clips.len(),
        chosen: chosen.map(|clip| clip.0.into()),
        place: chosen.and_then(|clip| clips.binary_search(&clip).ok()),
        number: &|row| clips.get(row).map_or(0, |clip| u64::from(clip.0)),
    };
    let widths = column_widths(ui, state.timelines());
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let area = ScrollArea::vertical().auto_shrink([false, true]).max_height(height);
        list.show(ui, state, area, |ui, rows, range| {
            for clip in clips.get(range).unwrap_or_default() {
                clip_row(ui, rows, state, subject, (*clip, widths));
            }
        });
    })
    .response
    .rect
}

/// Returns the widths of the numbers of frames and of seconds.
fn column_widths(ui: &Ui, timelines: &[Timeline]) -> [f32; 2] {
    let frames = timelines.iter().map(|timeline| timeline.frame_count).max();
    let seconds = { timelines.iter() }.fold(0.0, |most: f64, it| most.max(it.duration()));
    let font = FontId::monospace(NUMBERS);
    let digit = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
    [frames.unwrap_or_default().to_string(), in_seconds(seconds)].map(|text| {
        let letters = u8::try_from(text.len()).unwrap_or(u8::MAX);
        digit * f32::from(letters)
    })
}

fn in_seconds(seconds: f64) -> String {
    format!("{seconds:.2} s")
}

fn clip_row(
    ui: &mut Ui,
    rows: &mut Rows,
    state: &Panels<'_>,
    subject: &dyn Subject,
    (clip, [frames_width, seconds_width]): (AnimationId, [f32; 2]),
) {
    let colors = theme::of(ui);
    let is_chosen = state.playback().animation == Some(clip);
    let (rect, response) = rows.row(ui, clip.0.into(), Sense::click());
    let Some(timeline) = state.timelines().get(clip.index()) else { return };
    let name = &shown(subject.animation_name(clip));
    let frames = timeline.frame_count;
    let counted = counted(frames, "frame", "frames");
    let seconds = in_seconds(timeline.duration());
    let is_any = frames > 0;
    let smoothness = state.smoothness(clip);
    let jumps = smoothness.is_some_and(ClipSmoothness::jumps);
    response.widget_info(|| {
        let text = format!("{name}, {counted}, {seconds}{}", if jumps { ", jumps" } else { "" });
        WidgetInfo::selected(egui::Role::ListBoxOption, is_any, is_chosen, text)
    });
    list::fill_row(ui, rect, is_chosen, response.hovered() && is_any);
    let painter = ui.painter();
    let margin = f32::from(theme::MARGIN);
    let (name_color, color) = match (is_chosen, is_any) {
        (true, _) => (colors.text_strong, colors.text_strong),
        (false, true) => (colors.text, colors.text_weak),
        (false, false) => (colors.text_weak, colors.text_weak),
    };
    let right = rect.right() - margin;
    let middle = right - seconds_width - APART;
    for (x, text) in [(right, seconds.clone()), (middle, frames.to_string())] {
        let (at, font) = (pos2(x, rect.center().y), FontId::monospace(NUMBERS));
        painter.text(at, Align2::RIGHT_CENTER, text, font, color);
    }
    let mut end = middle - frames_width - APART;
    if jumps {
        let at = pos2(end - SIGN / 2.0, rect.center().y);
        let place = Rect::from_center_size(at, Vec2::splat(SIGN));
        widgets::paint_icon(painter, place, Icon::TriangleAlert, colors.warning);
        end -= SIGN + APART / 2.0;
    }
    let place = Rect::from_min_max(
        pos2(rect.left() + margin, rect.top()),
        pos2(end.max(rect.left() + margin), rect.bottom()),
    );
    inside(ui, place, |ui| row_text(ui, name, name_color));
    if response.clicked() && is_any {
        rows.choose(Some(clip.0.into()));
        state.push(PlaybackAction::Animation(clip));
    }
    list::tip_beside(ui, &response, rect, |ui| {
        ui.label(RichText::new(name).color(colors.text_strong));
        let end = match timeline.loop_mode() {
            LoopMode::Once => "plays once",
            LoopMode::Loop => "loops",
            LoopMode::PingPong => "plays ping-pong",
        };
        ui.label(match frames {
            0 => "No frames".to_owned(),
            1 => format!("{counted}, {seconds} at {} fps, {end}", timeline.fps),
            _ => {
                let last = frames.saturating_sub(1);
                format!("{counted}, 0 to {last}, {seconds} at {} fps, {end}", timeline.fps)
            }
        });
        if let Some(smoothness) = smoothness {
            smoothness_lines(ui, subject, clip, smoothness);
        }
    });
}

/// Adds the end of an animation in words, and the first frames that jump.
fn smoothness_lines(ui: &mut Ui, subject: &dyn Subject, clip: AnimationId, of: &ClipSmoothness) {
    let colors = theme::of(ui);
    if let Some(end) = words::end(subject, clip, of) {
        let is_fault = of.loop_jump().is_some();
        let color = if is_fault { colors.warning } else { colors.text };
        ui.label(RichText::new(format!("Loop {end}")).color(color));
    }
    for pop in of.pops.iter().take(NAMED) {
        let text = format!("Frame {}: {}", pop.frame, words::pop(subject, pop));
        ui.label(RichText::new(text).color(colors.warning));
    }
    let more = of.pops.len().saturating_sub(NAMED);
    if more > 0 {
        ui.label(RichText::new(format!("and {more} more frames")).color(colors.text_weak));
    }
    if let Some(frame) = of.left_out {
        ui.label(format!("Frame {frame} and later were not measured"));
    }
}

/// Returns a bind pose in words.
pub(crate) fn bind_in_words(subject: &dyn Subject, source: BindSource) -> String {
    let name = |id: AnimationId| shown(subject.animation_name(id));
    match source {
        BindSource::Named(id) => name(id),
        BindSource::FirstFrame(id) => format!("{}, first frame", name(id)),
        BindSource::Chosen(id, frame) => format!("{}, frame {frame}", name(id)),
        BindSource::Disabled | BindSource::Absent => "none".to_owned(),
    }
}

/// Returns what to say of a bind pose that no animation is named as.
fn missing_bind(model: &Model, pose: &BindPose) -> Option<String> {
    match pose.source() {
        BindSource::FirstFrame(id) if model.bind_choice() == BindChoice::Auto => {
            let name = shown(model.subject().animation_name(id));
            Some(format!("No animation is named like a bind pose: frame 0 of {name} is used"))
        }
        _ => None,
    }
}

/// Adds all possible bind poses to a menu.
fn bind_entries(ui: &mut Ui, model: &Model, menu: &mut Menu, state: &Panels<'_>) {
    let subject = model.subject();
    let chosen = model.bind_choice();
    let option = |ui: &mut Ui, menu: &mut Menu, choice: BindChoice, text: &str| {
        state.push_if(menu.button(ui, text, chosen == choice), PlaybackAction::Bind(choice));
    };
    option(ui, menu, BindChoice::Auto, "Found by name");
    option(ui, menu, BindChoice::None, "None");
    if let Some(at) = model.moment_of_one() {
        let choice = BindChoice::Frame(at.animation, at.frame);
        option(ui, menu, choice, "The frame on screen");
    }
    ui.separator();
    for (id, animation) in super::listed(subject) {
        if animation.timeline.frame_count > 0 && model.one().animation(id).is_some() {
            let choice = BindChoice::Frame(id, 0);
            let text = format!("{}, frame 0", shown(animation.name));
            option(ui, menu, choice, &text);
        }
    }
    super::unlisted(ui, subject);
}

/// Width of the menu in logical pixels.
const WIDTH: f32 = 240.0;

/// Returns true for content that can be shown as several figures.
fn is_shown_as_figures(model: &Model) -> bool {
    model.kind() != ContentKind::Motion && model.stage().is_none()
}

/// Adds the number of figures, and how they stand, to a menu.
fn figures(ui: &mut Ui, model: &Model, menu: &mut Menu, state: &Panels<'_>) {
    let Instances { mut count, scattered } = model.loaded().instances();
    let set = |count, scattered| {
        let instances = Instances { count, scattered: scattered && count > 1 };
        state.push(PlaybackAction::Instances(instances));
    };
    ui.spacing_mut().slider_width = WIDTH - 72.0;
    let slider = Slider::new(&mut count, 1..=Instances::MOST).logarithmic(true);
    let response = ui.add(slider);
    name_number(&response, "Number of figures", count.into());
    if response.changed() {
        set(count, scattered);
    }
    if count > 1 {
        for (is_scattered, text) in [(false, "In a grid"), (true, "Scattered")] {
            if menu.button(ui, text, scattered == is_scattered) {
                set(count, is_scattered);
            }
        }
    }
}

/// Draws the button of the menu. In a `low` window the menu has rate, speed and loop, too.
fn more_button(ui: &mut Ui, state: &Panels<'_>, model: &Model, low: bool) {
    let pose = model.subject().bind();
    let missing = pose.and_then(|pose| missing_bind(model, pose));
    let what = match (low, pose) {
        (true, Some(_)) => "Rate, loop, fade, blend, figures and bind pose",
        (true, None) => "Rate, loop, fade, blend and figures",
        (false, Some(_)) => "Figures and bind pose",
        (false, None) => "Figures",
    };
    let (look, tip) = match &missing {
        Some(missing) => (Look::SMALL.color(theme::of(ui).warning), format!("{what}\n{missing}")),
        None => (Look::SMALL, what.to_owned()),
    };
    let response = icon_button(ui, Icon::Ellipsis, look, "More animation settings", &tip);
    if low && state.looking().target == Some(Destination::Blend) {
        response.request_focus();
        egui::Popup::open_id(ui.ctx(), egui::Popup::default_response_id(&response));
    }
    let close = egui::PopupCloseBehavior::CloseOnClickOutside;
    let popup = egui::Popup::menu(&response).close_behavior(close);
    popup.show(|ui| {
        ui.set_width(WIDTH);
        let mut menu = Menu::begin(ui, state);
        let height = ui.ctx().content_rect().height() * 0.6;
        ScrollArea::vertical().max_height(height).show(ui, |ui| {
            if low {
                rate::rates(ui, state, model);
                section(ui, "Loop");
                rate::modes(ui, state, &mut menu);
                let smooth = Action::Toggle(Switch::Smooth);
                state.push_if(menu.button(ui, smooth.name(), state.playback().smooth), smooth);
                ui.add_space(4.0);
                if rate::can_fade(state, model) {
                    rate::mix_entries(ui, state, model, &mut menu);
                }
            }
            if is_shown_as_figures(model) {
                section(ui, "Figures");
                figures(ui, model, &mut menu, state);
            }
            if let Some(pose) = pose {
                section(ui, "Bind pose");
                let text = bind_in_words(model.subject(), pose.source());
                let text = format!(
                    "Current: {text}. The meshes are stored in this pose. If parts look torn apart, choose another one."
                );
                // A menu spreads the words of a line over its width.
                ui.vertical(|ui| ui.add(egui::Label::new(weak(ui, text)).wrap()));
                bind_entries(ui, model, &mut menu, state);
            }
            focus::scroll(ui);
        });
        menu.end(ui, true, state);
    });
}
