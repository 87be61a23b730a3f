//! Cards over the picture: problems, questions, and the list of warnings, whose texts can be read and copied; and what to do while nothing
//! is open.

use egui::style::ScrollAnimation;
use egui::text::{LayoutJob, TextFormat};
use egui::{
    Align, Align2, Area, AreaState, Button, Color32, Context, FontId, Frame, Id, Key, Label,
    LayerId, Layout, Margin, Modifiers, Order, Rect, RichText, Role, ScrollArea, Sense, Stroke, Ui,
    WidgetInfo, pos2, vec2,
};
use lucide_icons::Icon;

use pchr::finding::{Finding, Rule, Severity, TextPlace};
use pchr_tools::text::visible;

use super::widgets::{
    Look, action_button, format_key, icon_button, paint_icon, small_button, tip, weak,
};
use super::{Panels, edges, widgets};
use crate::viewer::action::{Action, Ask, FileAction, Message};
use crate::viewer::focus;
use crate::viewer::input::Over;
use crate::viewer::kept::Keep;
use crate::viewer::loaded::told_apart;
use crate::viewer::model::Model;
use crate::viewer::problem::{Problem, for_people};
use crate::viewer::question::Question;
use crate::viewer::state::State;
use crate::viewer::switch::{Destination, Switch};
use crate::viewer::theme;

const WIDTH: f32 = 560.0;
const INSET: f32 = 16.0;
/// Margin above and below a question or a problem.
const BAND: f32 = 8.0;
/// Height of a picture that the list of warnings takes at least.
const LOW: f32 = 150.0;

/// Draws the cards over the picture, which stays as it is, below a message at its upper edge.
pub(super) fn ui(ui: &mut Ui, message: Option<Rect>, state: &Panels<'_>) {
    let picture = ui.max_rect();
    let picture = match message {
        Some(message) => picture.with_min_y(message.bottom().min(picture.bottom())),
        None => picture,
    };
    let context = ui.ctx().clone();
    if let Some(question) = state.question() {
        card(&context, picture, "question", true, |ui| {
            name_card(ui, Role::AlertDialog, &visible(&question.text));
            asked(ui, question, picture.height(), state);
        });
    } else if let Some(problem) = state.problem() {
        let layer = card(&context, picture, "problem", true, |ui| {
            name_card(ui, Role::Alert, &problem.title);
            failed(ui, problem, picture.height(), state);
        });
        state.push_if(focus::leaves(&context, layer), Action::Dismiss);
    }
    let is_wanted = state.looking().target == Some(Destination::Warnings);
    if is_wanted && state.is_on(Switch::Findings) && warned(state).is_none() {
        state.push(Action::Toggle(Switch::Findings));
        state.push(Action::Say(Message::new("No warnings")));
    }
    if let Some(model) = warned(state) {
        let is_wanted = is_wanted || state.kept().wants_warnings;
        let mut is_reached = false;
        // Below a problem, as far as there is room.
        let top = at_top(&context, state).map_or(picture.top(), |above| above.bottom());
        let low = (picture.bottom() - LOW).max(picture.top());
        let picture = picture.with_min_y(top.min(low));
        let layer = card(&context, picture, "findings", false, |ui| {
            name_card(ui, Role::Dialog, "Warnings");
            is_reached = listed(ui, model, picture.height(), is_wanted, state);
        });
        let wants = is_wanted && !is_reached;
        state.push_if(wants != state.kept().wants_warnings, Keep::WantsWarnings(wants));
        state.push_if(focus::leaves(&context, layer), Action::Toggle(Switch::Findings));
    }
}

/// Returns the model if the list of warnings is shown.
fn warned<'a>(state: &'a Panels<'_>) -> Option<&'a Model> {
    let any = |model: &&Model| super::status::count(model) > 0 || !state.around.warnings.is_empty();
    let open = state.is_on(Switch::Findings);
    state.model().filter(any).filter(|_| open)
}

/// Returns the rectangle of the question or the problem in the last frame.
fn at_top(context: &Context, state: &State) -> Option<Rect> {
    let id = match (state.question(), state.problem()) {
        (Some(_), _) => "question",
        (None, Some(_)) => "problem",
        (None, None) => return None,
    };
    rect_of(context, id)
}

/// Returns the rectangles of all cards of this file that are shown.
pub(super) fn taken(context: &Context, state: &Panels<'_>) -> [Option<Rect>; 2] {
    let warnings = warned(state).and_then(|_| rect_of(context, "findings"));
    [at_top(context, state), warnings]
}

/// Returns the rectangle of an area in the last frame.
pub(super) fn rect_of(context: &Context, id: &str) -> Option<Rect> {
    AreaState::load(context, egui::Id::unique(id)).map(|area| area.rect())
}

/// Draws a card at the upper or the lower edge of the picture. Returns its layer.
fn card(
    context: &Context,
    picture: Rect,
    id: &str,
    at_top: bool,
    add: impl FnOnce(&mut Ui),
) -> LayerId {
    let width = (picture.width() - 2.0 * INSET).clamp(120.0, WIDTH);
    let (pivot, at) = if at_top {
        let top = pos2(picture.center().x, picture.top() + BAND);
        (Align2::CENTER_TOP, top)
    } else {
        let bottom = pos2(picture.right() - INSET, picture.bottom() - INSET);
        (Align2::RIGHT_BOTTOM, bottom)
    };
    let shown = Area::new(egui::Id::unique(id))
        .order(Order::Middle)
        .pivot(pivot)
        .fixed_pos(at)
        .constrain_to(picture)
        .show(context, |ui| {
            Frame::new()
                .fill(theme::of(ui).card)
                .stroke(Stroke::new(1.0, theme::of(ui).button_hovered))
                .corner_radius(8)
                .inner_margin(Margin::same(14))
                .shadow(context.global_style().visuals.popup_shadow)
                .show(ui, |ui| {
                    ui.set_width(width - 28.0);
                    // An area has no more room than its content took last.
                    ui.set_max_height((picture.height() - 2.0 * INSET).max(60.0));
                    ui.style_mut().interaction.selectable_labels = true;
                    add(ui);
                });
        });
    shown.response.layer_id
}

/// Tells assistive technology the role and the name of a card.
pub(super) fn name_card(ui: &Ui, role: Role, name: &str) {
    ui.ctx().accesskit_node_builder(ui.unique_id(), |node| {
        node.set_role(role);
        node.set_label(name);
    });
}

/// Draws the title, an icon and the buttons at the end. Returns the button that copies.
fn title(
    ui: &mut Ui,
    text: &str,
    color: Color32,
    copy: impl FnOnce() -> String,
    close: Action,
    state: &Panels<'_>,
) -> egui::Id {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(18.0, 22.0), Sense::hover());
        widgets::paint_icon(ui.painter(), rect, Icon::TriangleAlert, color);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let tip = tip(ui, &Action::Dismiss, "", state);
            small_button(ui, Icon::X, ("Dismiss", &tip), close, state);
            let tip = "Copy everything as text";
            let button = icon_button(ui, Icon::Copy, Look::SMALL, "Copy", tip);
            if button.clicked() {
                ui.ctx().copy_text(copy());
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let text = RichText::new(text).size(14.0).color(theme::of(ui).text_strong);
                ui.add(Label::new(text).truncate());
            });
            button.id
        })
        .inner
    })
    .inner
}

/// Draws a question and its answers, which keep the keyboard to themselves.
fn asked(ui: &mut Ui, question: &Question, height: f32, state: &Panels<'_>) {
    let text = RichText::new(visible(&question.text)).size(14.0).color(theme::of(ui).text_strong);
    let is_uppermost = Over::of(state) == Some(Over::Question);
    let dismiss = ui.horizontal(|ui| {
        let in_a_row = Layout::right_to_left(Align::Center);
        let dismiss = ui.with_layout(in_a_row, |ui| {
            let close = (Icon::X, Look::SMALL);
            let dismiss = action_button(ui, close, ("Dismiss", ""), Action::Dismiss, state);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(text).wrap());
            });
            dismiss.id
        });
        dismiss.inner
    });
    let dismiss = dismiss.inner;
    ui.add_space(6.0);
    let mut answers = Vec::new();
    let mut area = |ui: &mut Ui| {
        for answer in &question.answers {
            let mut button = ui.button(visible(&answer.label));
            if !answer.tip.is_empty() {
                button = button.on_hover_text(&answer.tip);
            }
            if button.clicked() {
                state.push(answer.action.clone());
            }
            answers.push((button.id, button.rect));
        }
        if is_uppermost {
            answers.push((dismiss, ui.min_rect()));
            walk(ui, &answers);
        }
    };
    ScrollArea::vertical()
        .max_height((height - 110.0).max(40.0))
        .auto_shrink([false, true])
        .show(ui, |ui| ui.horizontal_wrapped(&mut area));
}

/// Keeps the keyboard among the answers: Tab and the arrows go through them. It begins at the first, since Enter gives the likely one.
fn walk(ui: &Ui, answers: &[(Id, Rect)]) {
    let focused = ui.memory(|memory| memory.focused());
    let at = answers.iter().position(|(id, _)| Some(*id) == focused);
    let presses = |held, keys: &[Key]| {
        let count = |key: &Key| ui.input_mut(|input| input.count_and_consume_key(held, *key));
        keys.iter().map(count).sum::<usize>()
    };
    let [none, shift] = [Modifiers::NONE, Modifiers::SHIFT];
    let back = presses(shift, &[Key::Tab]) + presses(none, &[Key::ArrowLeft, Key::ArrowUp]);
    let on = presses(none, &[Key::Tab, Key::ArrowRight, Key::ArrowDown]);
    let count = answers.len();
    let to = (at.unwrap_or(0) + on + count * back - back) % count.max(1);
    if at.is_none() && egui::Popup::is_any_open(ui.ctx()) {
        if !ui.is_sizing_pass() {
            return; // a menu that was opened after the question
        }
        egui::Popup::close_all(ui.ctx());
    }
    if let Some((id, place)) = answers.get(to).filter(|_| at != Some(to)) {
        ui.memory_mut(|memory| memory.request_focus(*id));
        // With the answers around it, which Tab goes to next.
        let around = place.expand2(vec2(0.0, place.height()));
        ui.scroll_to_rect_animation(around, None, ScrollAnimation::none());
    }
}

fn failed(ui: &mut Ui, problem: &Problem, height: f32, state: &Panels<'_>) {
    let copy = || problem.text();
    title(ui, &problem.title, theme::of(ui).error, copy, Action::Dismiss, state);
    ui.spacing_mut().item_spacing.y = 5.0;
    let area = ScrollArea::vertical().max_height((height * 0.5).max(60.0));
    area.auto_shrink([false, true]).show(ui, |ui| {
        let message = RichText::new(sentence(&problem.message)).color(theme::of(ui).text);
        ui.add(Label::new(message).wrap());
        if let Some(finding) = &problem.finding {
            place(ui, finding);
        }
    });
    if problem.more > 0 {
        let errors = if problem.more == 1 { "error" } else { "errors" };
        ui.label(weak(ui, format!("and {} more {errors}", problem.more)));
    }
}

/// Draws the rule that a finding breaks, and its place in the file.
fn place(ui: &mut Ui, finding: &Finding) {
    let font = FontId::monospace(12.0);
    let mut job = LayoutJob::default();
    job.wrap.max_width = ui.available_width();
    let mut add = |text: &str, color: Color32| {
        job.append(text, 0.0, TextFormat::simple(font.clone(), color));
    };
    add(finding.rule.id(), color(ui, finding.rule));
    add(&format!(" {}", finding.rule.name()), color(ui, finding.rule));
    add("  at  ", theme::of(ui).text_weak);
    add(&visible(&finding.path), theme::of(ui).text);
    add(", ", theme::of(ui).text_weak);
    add(&in_words(finding), theme::of(ui).text);
    ui.add(Label::new(job));
}

/// Returns the place of a finding. For a text, the byte offset is left out, since nobody searches by it.
fn in_words(finding: &Finding) -> String {
    match finding.text {
        Some(TextPlace { line, column, .. }) => format!("line {line}, column {column}"),
        None => finding.place().to_string(),
    }
}

fn color(ui: &Ui, rule: Rule) -> Color32 {
    match rule.severity() {
        Severity::Error => theme::of(ui).error,
        Severity::Warning => theme::of(ui).warning,
        Severity::Note => theme::of(ui).text_weak,
    }
}

pub(super) fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// Draws the list of warnings. Returns true if it can be seen.
fn listed(ui: &mut Ui, model: &Model, height: f32, is_wanted: bool, state: &Panels<'_>) -> bool {
    let copy = || model.findings().map(|finding| format!("{finding}\n")).collect();
    let button =
        title(ui, "Warnings", theme::of(ui).warning, copy, Action::Toggle(Switch::Findings), state);
    ui.add_space(4.0);
    let area = ScrollArea::vertical()
        .max_height((height - 110.0).clamp(60.0, 320.0))
        .auto_shrink([false, true]);
    let list = edges::scrolled_by_keys(ui, "List of warnings", area, |ui| {
        for text in &state.around.warnings {
            entry(ui, "", text, "the graphics adapter", theme::of(ui).warning);
        }
        for finding in model.bind_warnings().iter().chain(model.findings()) {
            let place = format!("{} at {}", finding.path, in_words(finding));
            entry(ui, finding.rule.id(), &finding.message, &place, color(ui, finding.rule));
        }
    });
    let can_be_seen = !ui.is_sizing_pass();
    if is_wanted && can_be_seen {
        ui.memory_mut(|memory| memory.request_focus(list.unwrap_or(button)));
    }
    can_be_seen
}

fn entry(ui: &mut Ui, id: &str, message: &str, place: &str, color: Color32) {
    ui.horizontal_top(|ui| {
        if !id.is_empty() {
            ui.label(RichText::new(id).monospace().color(color));
        }
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            ui.add(Label::new(sentence(&for_people(message))).wrap());
            let place = RichText::new(place).monospace().size(11.0).color(theme::of(ui).text_weak);
            ui.add(Label::new(place).wrap());
        });
    });
    ui.add_space(4.0);
}

/// Width in logical pixels of the card while nothing is open.
const EMPTY_WIDTH: f32 = 320.0;
/// Recent files that are listed.
const RECENT: usize = 6;
/// Height in logical pixels that it takes at least.
const EMPTY_LEAST: f32 = 180.0;
/// Height of the picture in logical pixels below which recent files have no room.
const EMPTY_LOW: f32 = 360.0;

/// Offers files to open in the middle of the picture, or of what a card leaves of it, while nothing is open.
pub(super) fn nothing_open(ui: &Ui, picture: Rect, card: Option<Rect>, state: &Panels<'_>) {
    let is_empty = state.model().is_none() && state.loading().is_none();
    if !is_empty || !state.hovering().is_empty() {
        return;
    }
    // Below a card that says the reason, as far as there is room.
    let top = card.map_or(picture.top(), |card| card.bottom());
    let picture = picture.with_min_y(top.min(picture.bottom() - EMPTY_LEAST).max(picture.top()));
    Area::new(Id::unique("nothing open"))
        .order(Order::Background)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(picture.center())
        .constrain_to(picture)
        .show(ui.ctx(), |ui| {
            name_card(ui, Role::Group, "Nothing is open");
            let colors = theme::of(ui);
            ui.set_width(EMPTY_WIDTH.min(picture.width()));
            // A remembered background may have any colour.
            let card = Frame::new().fill(colors.panel).corner_radius(8).inner_margin(12);
            card.show(ui, |ui| {
                ui.vertical_centered(|ui| {
                    let (icon, _) = ui.allocate_exact_size(vec2(40.0, 40.0), Sense::empty());
                    paint_icon(ui.painter(), icon, Icon::FolderOpen, colors.text_weak);
                    let title = RichText::new("Drop a file or a folder here").size(18.0);
                    ui.label(title.color(colors.text_strong));
                    ui.add_space(6.0);
                    let sample = Action::Files(FileAction::OpenSample);
                    for action in [Action::Ask(Ask::Files), Action::Ask(Ask::Folder), sample] {
                        let key = RichText::new(format_key(ui, &action)).color(colors.text_weak);
                        let button = Button::new(action.name()).right_text(key);
                        let response = ui.add_sized([200.0, 28.0], button);
                        // The key is not part of the name.
                        let name = action.name();
                        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
                        state.push_if(response.clicked(), action);
                    }
                    if picture.height() >= EMPTY_LOW {
                        recent(ui, state);
                    }
                })
            });
        });
}

fn recent(ui: &mut Ui, state: &Panels<'_>) {
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
            state.push(FileAction::Open(vec![path.clone()]));
        }
    }
}
