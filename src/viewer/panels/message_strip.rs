//! The strip above the picture: the open file, and messages. So no message lies over the picture.

use std::borrow::Cow;
use std::sync::Arc;

use egui::accesskit::Live;
use egui::text::{LayoutJob, TextFormat};
use egui::{
    Align, Align2, Area, Button, Color32, FontId, Galley, Label, Layout, Margin, Order, Popup,
    Rect, Response, RichText, Role, Ui, WidgetInfo, vec2,
};
use lucide_icons::Icon;

use pchr::document::{AnimationId, ImageId};
use pchr::finding::{Finding, counted};
use pchr_foreign::motion::{ArmatureRule, PlaneRule};
use pchr_tools::text::visible;

use super::playback::animations::bind_in_words;
use super::widgets::{Look, action_button, cut, format_key, line_size, shown, weak};
use super::{Panels, widgets};
use crate::viewer::action::{Action, FileAction, Message, StageAction};
use crate::viewer::kept::Keep;
use crate::viewer::loaded::Source;
use crate::viewer::model::Model;
use crate::viewer::problem::Note;
use crate::viewer::state::State;
use crate::viewer::switch::Switch;
use crate::viewer::theme;

/// Height in logical pixels.
pub(super) const HEIGHT: f32 = 28.0;
/// Size of letters where a text has two lines, and the height of a line.
const LETTERS: f32 = 10.0;
const LINE: f32 = 11.5;
/// Seconds that a message stays.
const STAY: f64 = 4.0;
/// Seconds that a message with a button stays.
const STAY_WITH_BUTTON: f64 = 12.0;
/// Part of the strip that a message may take from the file's facts.
const SHARE: f32 = 0.62;

/// Draws the strip.
pub(super) fn ui(ui: &mut Ui, state: &Panels<'_>) {
    let room = ui.available_width();
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        messages(ui, state, room * SHARE);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 14.0;
            walk(ui, state);
            file(ui, state);
        });
    });
}

/// Draws messages over the upper edge of the picture, while panels are hidden. Returns their rectangle.
pub(super) fn over(ui: &mut Ui, picture: Rect, state: &Panels<'_>) -> Option<Rect> {
    if state.said().is_none() && note(state).is_none() {
        forget(state);
        return None;
    }
    let shown = Area::new(egui::Id::unique("messages"))
        .order(Order::Middle)
        .pivot(Align2::CENTER_TOP)
        .fixed_pos(picture.center_top() + vec2(0.0, 6.0))
        .constrain_to(picture)
        .show(ui.ctx(), |ui| {
            theme::card(theme::of(ui), 6).inner_margin(Margin::symmetric(10, 2)).show(ui, |ui| {
                ui.horizontal(|ui| {
                    ui.set_height(HEIGHT - 6.0);
                    let room = (picture.width() - 40.0).max(80.0);
                    messages(ui, state, room);
                });
            });
        });
    Some(shown.response.rect)
}

/// Draws the message of the moment, or else the note that holds.
fn messages(ui: &mut Ui, state: &Panels<'_>, room: f32) {
    if let Some(message) = state.said() {
        return said(ui, state, message, room);
    }
    forget(state);
    if let Some(note) = note(state) {
        noted(ui, &note, room, state);
    }
}

/// Returns the note that holds: an older version is shown, a page is missing, or nothing moves.
fn note(state: &State) -> Option<Note> {
    let missing = |model: &Model| {
        let text = format!("{} is missing: a placeholder is drawn", missing_page(model)?);
        Some(Note { text, detail: String::new() })
    };
    let of_model = |model: &Model| {
        let note = missing(model).or_else(|| still(model)).or_else(|| unmatched(model));
        note.or_else(|| missing_clips(model))
    };
    let behind = || state.is_stage_behind().then(|| behind(state));
    state.note().cloned().or_else(behind).or_else(|| state.model().and_then(of_model))
}

/// Returns the note about a stage whose file was changed while it has other changes here.
fn behind(state: &State) -> Note {
    let name = state.model().map(|model| model.loaded().source.name());
    Note {
        text: format!("{} was changed in another program", name.unwrap_or_default()),
        detail: "The window shows its own changes, which are not saved. Discard them to see the file; Ctrl+S saves them to a new one.".to_owned(),
    }
}

/// Returns the note about characters of a stage that lack their animations.
fn missing_clips(model: &Model) -> Option<Note> {
    let clips = model.stage()?.missing();
    let lines: Vec<_> = clips.iter().map(|clip| visible(&clip.to_string()).into_owned()).collect();
    let first = lines.first()?;
    let more = lines.len().saturating_sub(1);
    let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
    Some(Note {
        text: format!("{first}{more}"),
        detail: format!(
            "{}:\n{}\nInstead, a character plays the rest of its list, or what its file shows first.",
            model.loaded().source.name(),
            lines.join("\n")
        ),
    })
}

/// Returns the note about a motion of which a part moves no bone of the character, or most of it none of the skeleton.
fn unmatched(model: &Model) -> Option<Note> {
    let mut findings = model.findings();
    let is_part = |finding: &&Finding| {
        finding.rule == PlaneRule::MotionUnmatched || finding.rule == ArmatureRule::MotionPart
    };
    let finding = findings.find(is_part)?;
    Some(Note {
        text: format!("The motion plays in part: {}", finding.message),
        detail: format!("{finding}\n{}", finding.rule.advice()),
    })
}

/// Returns the note about a file without bones, or about a motion that moves none.
fn still(model: &Model) -> Option<Note> {
    model.subject().spatial()?;
    let mut findings = model.findings();
    let is_still = |finding: &&Finding| {
        finding.rule == ArmatureRule::MotionUnmatched || finding.rule == ArmatureRule::NoBones
    };
    let finding = findings.find(is_still)?;
    let skeleton = model.loaded().rig.skeleton.clone();
    let skeleton = skeleton.map(|path| Source::File(path).name());
    let text = if finding.rule == ArmatureRule::NoBones {
        "No bones: nothing to show".to_owned()
    } else {
        let of = skeleton.unwrap_or_else(|| "the skeleton".to_owned());
        format!("No track of the motion matches a bone of {of}")
    };
    Some(Note { text, detail: format!("{finding}\n{}", finding.rule.advice()) })
}

/// Seconds after which a message on which the pointer or the keyboard is counts as new.
const RENEWAL: f64 = 1.0;

/// Draws a message and its buttons. It stays while the pointer or the keyboard is on it.
fn said(ui: &mut Ui, state: &Panels<'_>, message: &Message, room: f32) {
    let now = ui.input(|input| input.time);
    let kept = state.kept().said.as_ref();
    let kept = kept.filter(|(_, of)| *of == message.text);
    let mut since = kept.map_or(now, |(since, _)| *since);
    let text = with_key(ui, message);
    let before = ui.available_width();
    let button = |offer: &Action| {
        let response = ui.add(Button::new(offer.name()).small());
        if response.clicked() {
            state.push(offer.clone());
        }
        response
    };
    let buttons: Vec<Response> = message.offers.iter().rev().map(button).collect();
    let taken = before - ui.available_width();
    let color = theme::of(ui).text_strong;
    let label = line(ui, &text, (room - taken).max(60.0), color);
    let is_on = |it: &Response| it.hovered() || it.has_focus();
    let is_held = is_on(&label) || buttons.iter().any(is_on);
    if is_held && now - since >= RENEWAL {
        since = now;
    }
    if kept.is_none_or(|(before, _)| *before != since) {
        state.push(Keep::Said(Some((since, message.text.clone()))));
    }
    let stay = if message.offers.is_empty() { STAY } else { STAY_WITH_BUTTON };
    let left = since + stay - now;
    if left <= 0.0 {
        forget(state);
        state.push(Action::Unsay);
    } else {
        let left = core::time::Duration::from_secs_f64(left);
        ui.ctx().request_repaint_after(left);
    }
}

fn forget(state: &Panels<'_>) {
    state.push_if(state.kept().said.is_some(), Keep::Said(None));
}

/// Draws a note with a sign, and a button for its details.
fn noted(ui: &mut Ui, note: &Note, room: f32, state: &Panels<'_>) {
    let color = theme::of(ui).warning;
    let mut taken = 26.0;
    if !note.detail.is_empty() {
        let button = ui.add(Button::new("Details").small());
        taken += button.rect.width() + 8.0;
        Popup::menu(&button)
            .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
            .show(|ui| details(ui, &note.detail));
    }
    if state.note().is_none() && state.is_stage_behind() {
        let button = ui.add(Button::new("Discard changes").small());
        taken += button.rect.width() + 8.0;
        state.push_if(button.clicked(), StageAction::Discard);
    }
    line(ui, &note.text, (room - taken).max(60.0), color);
    let (rect, _) = ui.allocate_exact_size(vec2(18.0, 18.0), egui::Sense::hover());
    widgets::paint_icon(ui.painter(), rect, Icon::TriangleAlert, color);
}

/// Draws the details of a note, which can be selected and copied.
fn details(ui: &mut Ui, detail: &str) {
    ui.set_max_width(420.0);
    ui.style_mut().interaction.selectable_labels = true;
    // A menu stretches the lines of a text to its width.
    ui.with_layout(Layout::top_down(Align::LEFT), |ui| {
        let detail_label = Label::new(RichText::new(detail).color(theme::of(ui).text));
        ui.add(detail_label.wrap());
    });
    if ui.button("Copy").clicked() {
        ui.ctx().copy_text(detail.to_owned());
        ui.close();
    }
}

/// Draws a text in one line, or else in two of smaller letters. What has no room is in the tooltip.
fn line(ui: &mut Ui, text: &str, room: f32, color: Color32) -> Response {
    let cut = cut(ui, text, room);
    let in_two = if cut == text { None } else { two_lines(ui, text, room, color) };
    let is_cut = cut != text && in_two.is_none();
    let label = match in_two {
        Some(lines) => Label::new(lines),
        None => Label::new(RichText::new(&*cut).color(color)).extend(),
    };
    let response = ui.add(label);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    // A screen reader says it when it comes.
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_live(Live::Polite));
    if is_cut { response.on_hover_text(text) } else { response }
}

/// Lays a text out in two lines of small letters, if it fits.
fn two_lines(ui: &Ui, text: &str, room: f32, color: Color32) -> Option<Arc<Galley>> {
    let format = TextFormat {
        line_height: Some(LINE),
        ..TextFormat::simple(FontId::proportional(LETTERS), color)
    };
    let mut job = LayoutJob::single_section(text.to_owned(), format);
    job.wrap.max_width = room;
    job.wrap.max_rows = 2;
    let lines = ui.fonts_mut(|fonts| fonts.layout_job(job));
    (!lines.elided).then_some(lines)
}

/// Returns the text, with the key that shows hidden panels or ends a preview.
fn with_key<'a>(ui: &Ui, message: &'a Message) -> Cow<'a, str> {
    let text = message.text.as_str();
    let (switch, does, without) = match message.about {
        Some(it @ Switch::Panels) => (it, "shows them", "search “Panels” to show them"),
        Some(it @ Switch::Preview) => (it, "ends it", "Escape ends it"),
        _ => return text.into(),
    };
    match format_key(ui, &Action::Toggle(switch)).as_str() {
        "" => format!("{text}: {without}").into(),
        key => format!("{text}: {key} {does}").into(),
    }
}

/// Returns the name of a missing page that the picture needs.
fn missing_page(model: &Model) -> Option<String> {
    let pages = &model.loaded().sprites.as_ref()?.pages;
    let is_missing = |image: &ImageId| pages.get(image.index()).is_some_and(|page| page.missing);
    let mut images = model.frame().draws().iter().map(|draw| draw.image);
    let image = model.subject().image(images.find(is_missing)?)?;
    Some(shown(image.name()))
}

/// Draws the file's position in the list, between the buttons for its neighbours. A skeleton beside the motions of the list has none.
fn walk(ui: &mut Ui, state: &Panels<'_>) {
    let of_all = |at: usize, of: usize| format!("{at} of {of}");
    // As wide as it will be for the last file, so that the name beside it stays.
    let (text, widest) = match (state.file_of(), state.files_beside()) {
        (Some((at, of)), _) => (of_all(at.saturating_add(1), of), of_all(of, of)),
        (None, Some(files)) => {
            let text = counted(files, "file", "files");
            (text.clone(), text)
        }
        (None, None) => return,
    };
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let step = |ui: &mut Ui, icon, action: Action, enabled| {
            ui.add_enabled_ui(enabled, |ui| {
                action_button(ui, (icon, Look::SMALL), ("", ""), action, state);
            });
        };
        let previous = Action::Files(FileAction::PreviousFile);
        step(ui, Icon::ChevronLeft, previous, state.can_walk(-1));
        let size = line_size(ui, weak(ui, widest));
        ui.add_sized(size, Label::new(weak(ui, text)));
        step(ui, Icon::ChevronRight, Action::Files(FileAction::NextFile), state.can_walk(1));
        step(ui, Icon::LayoutGrid, Action::Toggle(Switch::Gallery), true);
    });
}

fn file(ui: &mut Ui, state: &State) {
    let Some(model) = state.model() else { return };
    let on_show = &model.loaded().source;
    // The name is that of the number beside it.
    let unopened = state.unopened_file().map(|path| Source::File(path.to_owned()));
    let source = unopened.as_ref().unwrap_or(on_show);
    let name = state.name_of(source);
    let path = source.path().map(|path| visible(&path.to_string_lossy()).into_owned());
    let room = (ui.available_width() * 0.6).max(80.0);
    let text = RichText::new(cut(ui, &name, room)).color(theme::of(ui).text);
    let label = ui.add(Label::new(text).truncate());
    label.widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
    if let Some(path) = path {
        label.on_hover_text(path);
    }
    if unopened.is_some() {
        let facts = format!("could not be opened; still showing {}", on_show.name());
        ui.add(Label::new(weak(ui, facts)).truncate());
        return;
    }
    let subject = model.subject();
    let mut facts = vec![subject.file().format.to_owned()];
    if model.loaded().sprites.is_some() {
        let is_book = |id: &AnimationId| subject.frame_count(*id) > 1 && subject.all() != Some(*id);
        let books = subject.animation_ids().filter(is_book).count();
        facts.extend([
            counted(subject.mesh_count(), "sprite", "sprites"),
            counted(subject.image_count(), "page", "pages"),
            counted(books, "flip-book", "flip-books"),
        ]);
    } else if subject.spatial().is_some() {
        facts.extend([
            counted(subject.bone_count(), "bone", "bones"),
            counted(subject.animation_count(), "animation", "animations"),
        ]);
    } else {
        facts.extend([
            counted(subject.bone_count(), "bone", "bones"),
            counted(subject.mesh_count(), "mesh", "meshes"),
            counted(subject.image_count(), "image", "images"),
        ]);
    }
    if let Some(path) = &model.loaded().rig.skeleton {
        let name = Source::File(path.clone()).name();
        facts.push(format!("skeleton: {name}"));
    }
    if let Some(bind) = subject.bind() {
        let bind = bind_in_words(subject, bind.source());
        facts.push(format!("bind pose: {bind}"));
    }
    ui.add(Label::new(weak(ui, facts.join("  ·  "))).truncate());
}
