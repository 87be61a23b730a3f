//! The tools above the picture, in groups, and the settings of onion skin. Tools without room are in a menu.

use egui::{Button, Color32, DragValue, Key, Response, RichText, Role, Ui, Vec2, WidgetInfo};
use lucide_icons::Icon;

use pchr::overlay::{Layer, MOST_GHOSTS, Onion};
use pchr_tools::text::visible;

use super::background_and_screenshot::{background_menu, color_picker, screenshot_button};
use super::menu::Menu;
use super::widgets::{
    ACTUAL_SIZE, Look, action_button, format_key, icon_button, line_size, name_number, section,
    switch_button,
};
use super::{Panels, context, ruler_and_reference};
use crate::viewer::action::{Action, Ask, CameraAction, ExportAction, FileAction, LookAction};
use crate::viewer::kept::Keep;
use crate::viewer::loaded::told_apart;
use crate::viewer::state::{State, onion_in_words};
use crate::viewer::switch::{ContentKind, Destination, Switch};
use crate::viewer::theme;

/// Switches of overlays after the layers.
const OVERLAYS: [Switch; 6] =
    [Switch::Weights, Switch::Trail, Switch::Onion, Switch::Pin, Switch::Atlas, Switch::Hud];

/// Ways to view the picture.
const VIEWS: [Switch; 5] =
    [Switch::Nearest, Switch::YDown, Switch::InPlace, Switch::ZUp, Switch::Perspective];

/// A button of the toolbar.
#[derive(Clone, Debug)]
enum ToolButton {
    Do(Icon, Action),
    /// Turns something on or off; a text says more in the tooltip.
    Turn(Icon, Switch, &'static str),
    /// Has a menu of its own.
    Own(fn(&mut Ui, &Panels<'_>)),
}

/// Buttons that belong together.
#[derive(Debug)]
struct ToolGroup {
    name: &'static str,
    tools: Vec<ToolButton>,
    /// True if what has no room goes to the menu of more tools.
    yields: bool,
}

/// Width of the window in logical pixels from which groups have labels.
const LABELLED: f32 = 1400.0;
/// Logical pixels between buttons.
const SPACING: f32 = 2.0;
/// Logical pixels of a gap between groups.
const GAP: f32 = 13.0;

pub(super) fn ui(ui: &mut Ui, state: &Panels<'_>) {
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = SPACING;
        let [mut left, right] = [left(state), right()];
        let all = || left.iter().chain(&right);
        let room = ui.available_width();
        let bare: f32 = all().map(|group| group.width(0.0)).sum();
        let labels: f32 = all().map(|group| label_width(ui, group.name)).sum();
        let is_wide = ui.ctx().content_rect().width() >= LABELLED;
        let labelled = is_wide && bare + labels <= room;
        let more = if labelled { Vec::new() } else { yield_to(&mut left, bare, room) };
        groups(ui, state, &left, labelled);
        if !more.is_empty() {
            more_menu(ui, state, &more);
        }
        let label_of = |group: &ToolGroup| if labelled { label_width(ui, group.name) } else { 0.0 };
        let width: f32 = right.iter().map(|group| group.width(label_of(group))).sum();
        ui.add_space(ui.available_width() - width + GAP + SPACING);
        groups(ui, state, &right, labelled);
    });
}

/// Draws the groups that have tools, with gaps between them.
fn groups(ui: &mut Ui, state: &Panels<'_>, groups: &[ToolGroup], labelled: bool) {
    let seen = groups.iter().filter(|group| !group.tools.is_empty());
    for (at, group) in seen.enumerate() {
        if at > 0 {
            gap(ui);
        }
        if labelled {
            label(ui, group.name);
        }
        ui.add_enabled_ui(group.is_usable(state), |ui| {
            for tool in &group.tools {
                tool.ui(ui, state);
            }
        });
    }
}

/// Returns the groups on the left.
fn left(state: &State) -> Vec<ToolGroup> {
    let group = |name, tools, yields| ToolGroup { name, tools, yields };
    let kind = state.kind();
    let turn = |switch| ToolButton::turn(switch, kind);
    let overlays = Layer::ALL.map(Switch::Overlay).into_iter().chain(OVERLAYS);
    let overlays = overlays.filter_map(turn).collect();
    let mut view = vec![ToolButton::Do(Icon::Expand, Action::Camera(CameraAction::Fit))];
    if kind != ContentKind::Motion {
        view.push(ToolButton::Do(ACTUAL_SIZE, Action::Camera(CameraAction::ActualSize)));
    }
    view.extend(VIEWS.into_iter().filter_map(turn));
    let open = ToolButton::Do(Icon::Folder, Action::Ask(Ask::Files));
    vec![
        group("File", vec![open, ToolButton::Own(recent)], false),
        group("Overlays", overlays, true),
        group("View", view, true),
        group("Background", vec![ToolButton::Own(background_menu)], false),
        group("Tools", vec![ToolButton::Own(ruler_and_reference::tools)], false),
    ]
}

/// Returns the groups on the right.
fn right() -> Vec<ToolGroup> {
    let group = |name, tools| ToolGroup { name, tools, yields: false };
    let export = Action::Export(ExportAction::Dialog);
    let theme = Action::Looking(LookAction::CycleTheme);
    let of_window = [
        (Icon::Sun, theme),
        (Icon::Search, Action::Toggle(Switch::Palette)),
        (Icon::CircleQuestionMark, Action::Toggle(Switch::Keys)),
    ];
    let of_window = of_window.map(|(icon, action)| ToolButton::Do(icon, action));
    vec![
        group(
            "Export",
            vec![ToolButton::Do(Icon::Share, export), ToolButton::Own(screenshot_button)],
        ),
        group("Window", of_window.to_vec()),
    ]
}

impl ToolGroup {
    /// Returns false for tools of the picture while nothing is open.
    fn is_usable(&self, state: &State) -> bool {
        state.model().is_some() || !matches!(self.name, "Overlays" | "View" | "Export")
    }

    /// Returns its width in logical pixels, with the gap beside it.
    fn width(&self, label: f32) -> f32 {
        let buttons: f32 = self.tools.iter().map(|_| Look::TOOL.size.x + SPACING).sum();
        buttons + label + GAP + SPACING
    }
}

/// Takes what has no room out of the groups, and returns it. `needed` is their width.
fn yield_to(groups: &mut [ToolGroup], needed: f32, room: f32) -> Vec<(&'static str, ToolButton)> {
    let mut more = Vec::new();
    if needed <= room {
        return more;
    }
    let mut over = needed + Look::TOOL.size.x + SPACING - room;
    for group in groups.iter_mut().rev().filter(|group| group.yields) {
        while over > 0.0
            && let Some(tool) = group.tools.pop()
        {
            more.push((group.name, tool));
            over -= Look::TOOL.size.x + SPACING;
        }
    }
    more.reverse();
    more
}

impl ToolButton {
    /// Returns the button of a switch, if it is in the toolbar of a kind of content.
    fn turn(switch: Switch, kind: ContentKind) -> Option<Self> {
        let tool = Action::Toggle(switch).command()?.tool?;
        let more = match (switch, kind) {
            (Switch::Atlas, ContentKind::Atlas) => "Positions of sprites, and unused space",
            (Switch::Trail, ContentKind::Motion) => "Select a bone in the picture or in the tree",
            _ => kind.words(tool.more),
        };
        tool.kinds.contains(&kind).then_some(Self::Turn(tool.icon, switch, more))
    }

    fn ui(&self, ui: &mut Ui, state: &Panels<'_>) {
        match self {
            Self::Do(icon, action) => {
                action_button(ui, (*icon, Look::TOOL), ("", ""), action.clone(), state);
            }
            Self::Turn(icon, Switch::Onion, _) => {
                let words = onion_in_words(state.looking().onion);
                let more = format!("{words}; right-click to change");
                let on = state.is_on(Switch::Onion);
                let response = switch_button(ui, *icon, Switch::Onion, on, &more, state);
                let popup = context::settings(&response, state, Destination::Onion);
                onion_settings(popup, state);
            }
            Self::Turn(icon, switch, more) => {
                switch_button(ui, *icon, *switch, state.is_on(*switch), more, state);
            }
            Self::Own(draw) => draw(ui, state),
        }
    }
}

/// Distance in logical pixels that the menu of tools keeps from the edges of the window.
const MENU_MARGIN: f32 = 72.0;

/// Draws the menu of tools that have no room.
fn more_menu(ui: &mut Ui, state: &Panels<'_>, more: &[(&'static str, ToolButton)]) {
    let response = icon_button(ui, Icon::Ellipsis, Look::TOOL, "More tools", "More tools");
    let close = egui::PopupCloseBehavior::CloseOnClickOutside;
    let popup = egui::Popup::menu(&response).close_behavior(close);
    let room = (ui.ctx().content_rect().height() - MENU_MARGIN).max(MENU_MARGIN);
    let area = egui::ScrollArea::vertical().max_height(room).min_scrolled_height(room);
    popup.show(|ui| area.show(ui, |ui| more_tools(ui, state, more)));
    let is_onion =
        |(_, tool): &(&str, ToolButton)| matches!(tool, ToolButton::Turn(_, Switch::Onion, _));
    if more.iter().any(is_onion) {
        // The switch is in this menu.
        let is_wanted = state.looking().target == Some(Destination::Onion);
        let set = is_wanted.then_some(egui::SetOpenCommand::Bool(true));
        let popup = egui::Popup::from_response(&response).id(response.id.with("onion skin"));
        onion_settings(context::below(popup.open_memory(set), &response), state);
    }
}

/// Draws the entries of the menu of tools.
fn more_tools(ui: &mut Ui, state: &Panels<'_>, more: &[(&'static str, ToolButton)]) {
    let mut menu = Menu::begin(ui, state);
    let mut heading = "";
    for (group, tool) in more {
        if heading != *group {
            heading = group;
            section(ui, group);
        }
        let (action, on) = match tool {
            ToolButton::Do(_, action) => (action.clone(), false),
            ToolButton::Turn(_, switch, _) => (Action::Toggle(*switch), state.is_on(*switch)),
            ToolButton::Own(_) => continue, // these do not yield
        };
        let name = state.kind().words(action.name());
        let key = RichText::new(format_key(ui, &action)).color(theme::of(ui).text_weak);
        let Some(response) = menu.keyed(ui, name, key, (on, on)) else { continue };
        if response.clicked() {
            state.push(action.clone());
        }
        let has_settings = action == Action::Toggle(Switch::Onion);
        if has_settings && asks_for_settings(ui, &response) {
            state.push(LookAction::GoTo(Destination::Onion));
            ui.close();
        }
    }
    menu.end(ui, true, state);
}

/// Returns true if the menu of an entry is asked for, by the pointer or by a key.
fn asks_for_settings(ui: &Ui, entry: &egui::Response) -> bool {
    let is_key = |input: &egui::InputState| {
        input.key_pressed(Key::Menu) || input.modifiers.shift && input.key_pressed(Key::F10)
    };
    entry.secondary_clicked() || entry.has_focus() && ui.input(is_key)
}

/// Space around a label.
const AROUND: f32 = 4.0;

/// Draws the label of a group.
fn label(ui: &mut Ui, name: &str) {
    ui.add_space(AROUND);
    section(ui, name);
    ui.add_space(AROUND);
}

/// Returns the width of the label of a group in logical pixels.
fn label_width(ui: &Ui, name: &str) -> f32 {
    line_size(ui, theme::section(name, theme::of(ui))).x + 2.0 * AROUND + 3.0 * SPACING
}

/// Draws a gap with a line.
fn gap(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(egui::vec2(GAP, 18.0), egui::Sense::hover());
    let stroke = egui::Stroke::new(1.0, theme::of(ui).line);
    ui.painter().vline(rect.center().x, rect.y_range(), stroke);
}

/// Draws the menu of recent files.
fn recent(ui: &mut Ui, state: &Panels<'_>) {
    let files = state.recent();
    let response = ui
        .add_enabled_ui(!files.is_empty(), |ui| {
            icon_button(ui, Icon::Clock, Look::TOOL, "Recent files", "Recent files")
        })
        .inner;
    egui::Popup::menu(&response).show(|ui| {
        ui.set_max_width(420.0);
        let mut menu = Menu::begin(ui, state);
        for path in files {
            let name = told_apart(path, files);
            let whole = visible(&path.to_string_lossy()).into_owned();
            let response =
                ui.push_id(&whole, |ui| menu.add(ui, &name, false, egui::Button::new(&name)));
            if let Some(response) = response.inner
                && response.on_hover_text(whole).clicked()
            {
                state.push(FileAction::Open(vec![path.clone()]));
            }
        }
        ui.separator();
        let clear = Action::Files(FileAction::ClearRecent);
        state.push_if(menu.button(ui, clear.name(), false), clear);
        menu.end(ui, true, state);
    });
}

/// Largest distance between ghosts in frames that can be dragged to.
const FARTHEST: u16 = 24;
/// Size of a colour in logical pixels.
const SWATCH: Vec2 = Vec2::new(40.0, 20.0);

/// Shows the settings of onion skin.
fn onion_settings(popup: egui::Popup<'_>, state: &Panels<'_>) {
    let is_wanted = state.looking().target == Some(Destination::Onion);
    popup.show(|ui| {
        let now = state.looking().onion;
        let mut onion = now;
        let mut picked = state.kept().tint;
        egui::Grid::new("onion skin").num_columns(3).spacing([10.0, 6.0]).show(ui, |ui| {
            ui.label("Before");
            let first = onion_number(ui, "Ghosts before", &mut onion.before, 0, MOST_GHOSTS);
            swatch(ui, "Colour of ghosts before", onion.tints[0], &mut picked, 0);
            ui.end_row();
            if is_wanted {
                first.request_focus();
            }
            ui.label("After");
            onion_number(ui, "Ghosts after", &mut onion.after, 0, MOST_GHOSTS);
            swatch(ui, "Colour of ghosts after", onion.tints[1], &mut picked, 1);
            ui.end_row();
            ui.label("Step");
            onion_number(ui, "Frames between ghosts", &mut onion.step, 1, FARTHEST);
            ui.label(RichText::new("frames").color(theme::of(ui).text_weak));
            ui.end_row();
        });
        ui.separator();
        pinned(ui, state, &mut picked);
        let pin = state.parts().pin.filter(|_| picked == Some(PINNED));
        let tint = pin.map(|pin| pin.tint);
        let tint = tint.or_else(|| onion.tints.get(picked?).copied());
        let color = tint.and_then(|tint| ui.scope(|ui| color_picker(ui, tint)).inner);
        if let Some(color) = color {
            match picked.and_then(|side| onion.tints.get_mut(side)) {
                Some(tint) => *tint = color,
                None => state.push(LookAction::PinTint(color)),
            }
        }
        state.push_if(picked != state.kept().tint, Keep::Tint(picked));
        ui.separator();
        let plain = Onion::of(2, 2);
        let reset = ui.add_enabled(onion != plain, egui::Button::new("Reset"));
        if reset.on_hover_text("2 before, 2 after, blue and orange").clicked() {
            onion = plain;
        }
        state.push_if(onion != now, LookAction::Onion(onion));
    });
}

/// Number of the pinned frame among the colours of ghosts.
const PINNED: usize = 2;

/// Draws the pinned frame with its colour, and the buttons to pin the current one and to clear it.
fn pinned(ui: &mut Ui, state: &Panels<'_>, picked: &mut Option<usize>) {
    let named = state.parts().pin.zip(state.model()).map(|(pin, model)| {
        let name = visible(model.subject().animation_name(pin.animation)).into_owned();
        (format!("{name}, frame {}", pin.frame), pin.tint)
    });
    if let Some((name, tint)) = &named {
        ui.horizontal(|ui| {
            ui.add(egui::Label::new(name).truncate()).on_hover_text("Pinned frame");
            swatch(ui, "Colour of the pinned frame", *tint, picked, PINNED);
        });
    }
    ui.horizontal(|ui| {
        let clear = named.is_some().then_some(LookAction::Unpin);
        for action in [Some(LookAction::PinFrame), clear].into_iter().flatten() {
            let action = Action::Looking(action);
            state.push_if(ui.button(action.name()).clicked(), action);
        }
    });
}

/// Draws the colour of a side. A press shows the picker for it, or takes that away.
fn swatch(ui: &mut Ui, name: &str, [r, g, b]: [u8; 3], picked: &mut Option<usize>, side: usize) {
    let fill = Color32::from_rgb(r, g, b);
    let is_picked = *picked == Some(side);
    let button = Button::new("").fill(fill).min_size(SWATCH).selected(is_picked);
    let response = ui.add(button.stroke((1.0, theme::of(ui).outline)));
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_picked, name));
    if response.on_hover_text(name).clicked() {
        *picked = (!is_picked).then_some(side);
    }
}

fn onion_number(ui: &mut Ui, name: &str, value: &mut u16, least: u16, most: u16) -> Response {
    let most = most.max(*value);
    let drag = DragValue::new(value).range(least..=most).speed(0.1);
    let response = ui.add(drag).on_hover_text(name);
    name_number(&response, name, f64::from(*value));
    response
}
