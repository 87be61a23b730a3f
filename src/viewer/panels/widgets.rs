//! Controls that several panels use, their icons, and words for the open content.

use std::borrow::Cow;

use egui::emath::Numeric;
use egui::text::{CCursorRange, LayoutJob, TextFormat};
use egui::text_edit::TextEditState;
use egui::{
    Align, Align2, Button, Color32, ColorImage, DragValue, FontId, Grid, Id, Key, KeyboardShortcut,
    Layout, ModifierNames, Painter, Pos2, ProgressBar, Rect, Response, RichText, Role, Sense,
    TextWrapMode, TextureHandle, TextureId, TextureOptions, Tooltip, Ui, UiBuilder, Vec2,
    WidgetInfo, WidgetText,
};
use lucide_icons::Icon;

use pchr::document::BoneId;
use pchr_tools::text::visible;

use super::Panels;
use crate::viewer::action::{Action, Bindings, Command};
use crate::viewer::focus;
use crate::viewer::model::Model;
use crate::viewer::screenshot::MOST_SIDE;
use crate::viewer::state::{ExportProgress, State};
use crate::viewer::switch::Switch;
use crate::viewer::theme;

/// Returns a name without hidden characters, or a replacement for an empty one.
pub(super) fn shown(name: &str) -> String {
    match name {
        "" => "(no name)".to_owned(),
        name => visible(name).into_owned(),
    }
}

/// Returns the name of a bone, as [`shown`].
pub(super) fn bone_name(model: &Model, bone: BoneId) -> String {
    shown(model.subject().bone(bone).map_or("", |bone| bone.name()))
}

/// Returns a button's action in words, with its key.
pub(super) fn tip(ui: &Ui, action: &Action, more: &str, state: &State) -> String {
    let mut tip = state.kind().words(action.name()).to_owned();
    let key = format_key(ui, action);
    if !key.is_empty() {
        tip = format!("{tip} ({key})");
    }
    if !more.is_empty() {
        tip = format!("{tip}\n{more}");
    }
    tip
}

/// Returns the shown key of an action in words; empty without one.
pub(super) fn format_key(ui: &Ui, action: &Action) -> String {
    let keys = action.command().map(|command| keys_of(ui, command));
    keys.and_then(|keys| keys.into_iter().next()).unwrap_or_default()
}

/// Returns all keys of an action in words.
pub(super) fn keys_of(ui: &Ui, command: &Command) -> Vec<String> {
    let is_mac = ui.ctx().os().is_mac();
    let names = ModifierNames::NAMES;
    let format = |key: &KeyboardShortcut| {
        // Signs are shown as they are on the key.
        let sign = match key.logical_key {
            Key::OpenBracket => "[",
            Key::CloseBracket => "]",
            Key::OpenCurlyBracket => "{",
            Key::CloseCurlyBracket => "}",
            Key::ArrowLeft => "Left",
            Key::ArrowRight => "Right",
            Key::ArrowUp => "Up",
            Key::ArrowDown => "Down",
            Key::PageUp => "Page Up",
            Key::PageDown => "Page Down",
            key => key.symbol_or_name(),
        };
        let held = names.format(&key.modifiers, is_mac);
        if held.is_empty() { sign.to_owned() } else { format!("{held}+{sign}") }
    };
    let keys = Bindings::installed(ui.ctx());
    keys.of(command.id).iter().map(format).collect()
}

/// Look of an icon button.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub size: Vec2,
    /// Colour of the icon. `None` is the colour of text: strong if framed, weak if not.
    pub color: Option<Color32>,
    /// True if the button always has a background, not only under the pointer.
    pub framed: bool,
    /// True if the button can have the keyboard focus.
    pub focusable: bool,
}

impl Look {
    /// A separate button.
    pub(super) const BUTTON: Self = Self { framed: true, ..Self::sized(30.0, 28.0) };
    /// A button in a row of tools.
    pub(super) const TOOL: Self = Self::sized(28.0, 28.0);
    /// A small button in a row.
    pub(super) const SMALL: Self = Self::sized(22.0, 22.0);
    /// One of several in a row, or one that removes an override.
    pub(super) const NARROW: Self = Self::sized(20.0, 22.0);

    pub(super) const fn sized(width: f32, height: f32) -> Self {
        Self { size: Vec2::new(width, height), color: None, framed: false, focusable: true }
    }

    pub(super) fn color(self, color: Color32) -> Self {
        Self { color: Some(color), ..self }
    }

    /// Returns the look of a button for something that may be on.
    pub(super) fn lit(self, ui: &Ui, on: bool) -> Self {
        if on { self.color(theme::of(ui).accent) } else { self }
    }
}

/// Adds a tooltip, which also comes when Tab has gone to the control.
pub(super) fn tipped(response: Response, tip: &str) -> Response {
    let (context, id) = (response.ctx.clone(), response.id);
    let next = || Tooltip::next_tooltip_id(&context, id);
    let before = next();
    let response = response.on_hover_text(tip);
    let is_shown = next() != before; // under the pointer
    if !is_shown && focus::is_tip_due(&context, id) {
        Tooltip::for_widget(&response).show(|ui| {
            ui.set_max_width(ui.spacing().tooltip_width);
            ui.label(tip);
        });
    }
    response
}

/// Draws a button with an icon. `name` is for screen readers, `tip` for the tooltip.
pub(super) fn icon_button(ui: &mut Ui, icon: Icon, look: Look, name: &str, tip: &str) -> Response {
    tipped(icon_control(ui, icon, look, name), tip)
}

/// Does the same without a tooltip.
pub(super) fn icon_control(ui: &mut Ui, icon: Icon, look: Look, name: &str) -> Response {
    let sense = if look.focusable { Sense::click() } else { Sense::CLICK };
    let (rect, response) = ui.allocate_exact_size(look.size, sense);
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, name));
    if ui.is_rect_visible(rect) {
        let visuals = *ui.style().interact(&response);
        let lit = response.hovered() || response.has_focus();
        if look.framed || lit {
            let line = if look.framed { visuals.bg_stroke } else { egui::Stroke::NONE };
            let (fill, radius) = (visuals.weak_bg_fill, visuals.corner_radius);
            ui.painter().rect(rect, radius, fill, line, egui::StrokeKind::Inside);
        }
        let colors = theme::of(ui);
        let color = match look.color {
            Some(color) if !lit || color == colors.accent => color,
            None if !lit && look.framed => colors.text,
            None if !lit => colors.text_weak,
            _ => colors.text_strong,
        };
        paint_icon(ui.painter(), rect.shrink(3.0), icon, color);
    }
    response
}

/// Draws a button that turns a switch on or off, and is lit while it is `on`.
pub(super) fn switch_button(
    ui: &mut Ui,
    icon: Icon,
    switch: Switch,
    on: bool,
    more: &str,
    state: &Panels<'_>,
) -> Response {
    let action = Action::Toggle(switch);
    let name = state.kind().words(action.name());
    let look = Look::TOOL.lit(ui, on);
    if on {
        let rect = Rect::from_min_size(ui.cursor().min, look.size);
        ui.painter().rect_filled(rect, 5.0, theme::of(ui).lit());
    }
    let response = action_button(ui, (icon, look), (name, more), action, state);
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::selected(Role::Button, enabled, on, name));
    response
}

/// Draws a button for an action. `name` is for screen readers, and the action's if it is empty; the tooltip says the action with its
/// key, and `more`.
pub(super) fn action_button(
    ui: &mut Ui,
    (icon, look): (Icon, Look),
    (name, more): (&str, &str),
    action: impl Into<Action>,
    state: &Panels<'_>,
) -> Response {
    let action = action.into();
    let tip = tip(ui, &action, more, state);
    let name = if name.is_empty() { state.kind().words(action.name()) } else { name };
    let response = icon_button(ui, icon, look, name, &tip);
    state.push_if(response.clicked(), action);
    response
}

/// Draws a small button for an action in other words: `name` is for screen readers, `tip` for the tooltip.
pub(super) fn small_button(
    ui: &mut Ui,
    icon: Icon,
    (name, tip): (&str, &str),
    action: impl Into<Action>,
    state: &Panels<'_>,
) {
    let response = icon_button(ui, icon, Look::SMALL, name, tip);
    state.push_if(response.clicked(), action);
}

/// Draws a button for one of several choices, which is lit while it is `on`. `name` is for screen readers.
pub(super) fn choice_button(
    ui: &mut Ui,
    text: &str,
    (role, name): (Role, &str),
    on: bool,
    action: impl Into<Action>,
    state: &Panels<'_>,
) -> Response {
    let response = ui.add(Button::selectable(on, text));
    response.widget_info(|| WidgetInfo::selected(role, true, on, name));
    state.push_if(response.clicked(), action);
    response
}

/// Opacity of the folders in a name.
const FAINT: f32 = 0.65;

/// Draws the name in a row, its folders fainter than its end. The row itself has named it for screen readers.
pub(super) fn row_text(ui: &mut Ui, text: &str, color: Color32) {
    let (_, rect) = ui.allocate_space(ui.available_size());
    let (folders, name) = text.split_at(text.rfind('/').map_or(0, |slash| slash.saturating_add(1)));
    // What tells it from its neighbours is shown first.
    let name = cut(ui, name, rect.width());
    let room = rect.width() - text_width(ui, &name);
    let folders = cut(ui, folders, room);
    let folders = if text_width(ui, &folders) <= room { &*folders } else { "" };
    let font = egui::TextStyle::Body.resolve(ui.style());
    let mut job = LayoutJob::default();
    job.wrap.max_rows = 1;
    for (part, color) in [(folders, color.gamma_multiply(FAINT)), (&*name, color)] {
        job.append(part, 0.0, TextFormat::simple(font.clone(), color));
    }
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let at = egui::pos2(rect.left(), rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(at, galley, color);
}

/// Returns small secondary text.
pub(super) fn weak(ui: &Ui, text: impl Into<String>) -> RichText {
    RichText::new(text).small().color(theme::of(ui).text_weak)
}

/// Returns the size of a text in one line, in logical pixels.
pub(super) fn line_size(ui: &Ui, text: RichText) -> Vec2 {
    let extend = Some(TextWrapMode::Extend);
    WidgetText::from(text).into_galley(ui, extend, f32::INFINITY, egui::TextStyle::Body).size()
}

/// Adds controls in a row within a rectangle.
pub(super) fn inside(ui: &mut Ui, rect: Rect, add: impl FnOnce(&mut Ui)) {
    let layout = Layout::left_to_right(Align::Center);
    ui.scope_builder(UiBuilder::new().max_rect(rect).layout(layout), add);
}

/// Returns the texture for a purpose, which is cached: it is made again only when what it is `of` changes.
pub(super) fn cached_texture<T: Clone + PartialEq + Send + Sync + 'static>(
    ui: &Ui,
    purpose: &str,
    of: T,
    options: TextureOptions,
    image: impl FnOnce() -> ColorImage,
) -> TextureId {
    let id = Id::unique(purpose);
    let known: Option<(T, TextureHandle)> = ui.data(|data| data.get_temp(id));
    let handle = match known {
        Some((known, handle)) if known == of => return handle.id(),
        Some((_, mut handle)) => {
            handle.set(image(), options);
            handle
        }
        None => ui.ctx().load_texture(purpose, image(), options),
    };
    let texture = handle.id();
    ui.data_mut(|data| data.insert_temp(id, (of, handle)));
    texture
}

/// The whole of a texture.
pub(super) const WHOLE: Rect = Rect { min: Pos2::ZERO, max: Pos2::new(1.0, 1.0) };

/// Returns the width of a text in a row, in logical pixels.
fn text_width(ui: &Ui, text: &str) -> f32 {
    let font = egui::TextStyle::Body.resolve(ui.style());
    ui.fonts_mut(|fonts| text.chars().map(|letter| fonts.glyph_width(&font, letter)).sum())
}

/// Shortens a name to a width by leaving out its middle, since related names begin alike and differ at the end.
pub(super) fn cut<'a>(ui: &Ui, text: &'a str, width: f32) -> Cow<'a, str> {
    cut_as(ui, egui::TextStyle::Body, text, width)
}

/// Does the same as [`cut`] in another text style.
pub(super) fn cut_as<'a>(
    ui: &Ui,
    style: egui::TextStyle,
    text: &'a str,
    width: f32,
) -> Cow<'a, str> {
    let font = style.resolve(ui.style());
    let widths: Vec<f32> = ui.fonts_mut(|fonts| {
        let width = |letter| fonts.glyph_width(&font, letter);
        text.chars().chain(['…']).map(width).collect()
    });
    let all: f32 = widths.iter().sum();
    let Some((dots, letters)) = widths.split_last() else { return text.into() };
    if all - dots <= width {
        return text.into();
    }
    let mut left = width - dots;
    // A letter of the beginning for each of the end.
    let fits = |at: &usize| {
        let at_end = letters.len().saturating_sub(1).saturating_sub(at / 2);
        let next = if at.is_multiple_of(2) { at_end } else { at / 2 };
        left -= letters.get(next).copied().unwrap_or_default();
        left >= 0.0
    };
    let kept = (0..letters.len()).take_while(fits).count();
    let (head, tail) = (kept / 2, kept.div_ceil(2));
    let skipped = letters.len().saturating_sub(tail);
    let beginning = text.chars().take(head);
    beginning.chain(['…']).chain(text.chars().skip(skipped)).collect::<String>().into()
}

/// Draws the title of a group of controls.
pub(super) fn section(ui: &mut Ui, title: &str) {
    ui.label(theme::section(title, theme::of(ui)));
}

/// Returns the bar of an export's progress.
pub(super) fn progress_bar(job: &ExportProgress) -> ProgressBar {
    let [drawn, all] = job.drawn;
    #[expect(clippy::cast_precision_loss, reason = "at most 200,000 pictures")]
    let share = drawn as f32 / all.max(1) as f32;
    ProgressBar::new(share)
}

/// Draws a number to drag or to type, which is named for screen readers; `with` gives it its range and format.
pub(super) fn number<N: Numeric>(
    ui: &mut Ui,
    value: &mut N,
    (name, tip): (&str, &str),
    with: impl for<'a> FnOnce(DragValue<'a>) -> DragValue<'a>,
) -> Response {
    let response = ui.add(with(DragValue::new(value)));
    let response = if tip.is_empty() { response } else { tipped(response, tip) };
    name_number(&response, name, value.to_f64());
    response
}

/// Draws width and height in pixels.
pub(super) fn size_fields(ui: &mut Ui, [width, height]: &mut [u32; 2]) {
    number(ui, width, ("Width", ""), |drag| drag.range(1..=MOST_SIDE).speed(1.0));
    ui.label("×");
    number(ui, height, ("Height", ""), |drag| drag.range(1..=MOST_SIDE).speed(1.0));
}

/// Names a number that can be dragged, for screen readers.
pub(super) fn name_number(response: &Response, name: &str, value: f64) {
    name_value(response, Role::SpinButton, name, value);
}

/// Names a control with a value, for screen readers.
pub(super) fn name_value(response: &Response, role: Role, name: &str, value: f64) {
    let enabled = response.enabled();
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(role, enabled, name);
        info.value = Some(value);
        info
    });
}

/// Names a field with a text that was `before`, for screen readers.
pub(super) fn name_text(response: &Response, (name, hint): (&str, &str), before: &str, text: &str) {
    response.widget_info(|| {
        let mut info = WidgetInfo::text_edit(true, before, text, hint);
        info.label = Some(name.to_owned());
        info
    });
}

/// Selects the whole text of a field.
pub(super) fn select_all(ui: &Ui, field: Id, text: &str) {
    let mut edit = TextEditState::load(ui.ctx(), field).unwrap_or_default();
    edit.cursor.set_char_range(Some(CCursorRange::select_all_str(text)));
    edit.store(ui.ctx(), field);
}

/// Actual size. Lucide has no sign for it, so it is written in digits.
pub(super) const ACTUAL_SIZE: Icon = Icon::Ratio;

/// Largest side of an icon in logical pixels.
const SIDE: f32 = 16.0;

/// Draws an icon in the middle of `rect`.
pub(super) fn paint_icon(painter: &Painter, rect: Rect, icon: Icon, color: Color32) {
    let side = rect.width().min(rect.height()).min(SIDE);
    let (text, font) = match icon {
        Icon::Ratio => ("1:1".to_owned(), FontId::proportional(side * 0.78)),
        _ => (char::from(icon).into(), FontId::new(side, theme::icons())),
    };
    painter.text(rect.center(), Align2::CENTER_CENTER, text, font, color);
}

/// Draws a name that takes `width`, and its controls beside it.
pub(super) fn labelled(ui: &mut Ui, name: &str, width: f32, add: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let size = egui::vec2(width, ui.spacing().interact_size.y);
        let layout = Layout::left_to_right(Align::Center);
        ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_width(width);
            ui.label(RichText::new(name).color(theme::of(ui).text_weak));
        });
        add(ui);
    });
}

/// Names on the left, values on the right.
pub(super) fn table(ui: &mut Ui, id: &str, add: impl FnOnce(&mut Ui)) {
    ui.spacing_mut().interact_size.y = 16.0;
    Grid::new(id).num_columns(2).min_col_width(64.0).spacing([10.0, 3.0]).show(ui, add);
}

/// Numbers from here on have an exponent, so that they stay in their column.
const MOST_IN_FULL: f64 = 1e6;

/// Formats a number with some decimals. One that is rounded to 0 has no sign.
pub(super) fn fixed(number: impl Into<f64>, decimals: usize) -> String {
    let number = number.into();
    let text = match number.abs() < MOST_IN_FULL {
        true => format!("{number:.decimals$}"),
        false => format!("{number:.2e}"),
    };
    let digits = text.trim_start_matches('-');
    if digits.chars().all(|digit| "0.".contains(digit)) { digits.to_owned() } else { text }
}

/// A name and its value.
pub(super) fn line(ui: &mut Ui, name: &str, value: String) {
    let value = visible(&value);
    ui.label(RichText::new(name).color(theme::of(ui).text_weak));
    ui.add(egui::Label::new(RichText::new(value).monospace()).selectable(true).truncate());
    ui.end_row();
}
