//! Menus of the toolbar: backgrounds (the checkerboard, nothing, colours to choose or to type, and a picture), and choices of screenshots.

use egui::color_picker::{Alpha, color_picker_color32};
use egui::{
    Button, Checkbox, Color32, Id, Key, Response, Role, Stroke, StrokeKind, TextEdit, Ui,
    WidgetInfo, vec2,
};
use lucide_icons::Icon;

use super::menu::Menu;
use super::widgets::{
    Look, action_button, icon_button, labelled, name_text, section, size_fields, tip, tipped,
};
use super::{Panels, context};
use crate::viewer::action::{Action, Ask, ExportAction, InterfaceAction, LookAction};
use crate::viewer::backgrounds_and_rulers::{Background, color_of_hex, hex_of_color};
use crate::viewer::kept::Keep;
use crate::viewer::screenshot::ScreenshotSize;
use crate::viewer::switch::Destination;
use crate::viewer::theme;

/// Backgrounds that reveal details hidden by the usual ones.
const SWATCHES: [[u8; 3]; 8] = [
    [0x40, 0x60, 0x80],
    [0x4c, 0x7a, 0x4c],
    [0xb8, 0xa0, 0x78],
    [0x7a, 0x3c, 0x46],
    [0x87, 0xce, 0xeb],
    [0x00, 0xb1, 0x40],
    [0xff, 0x00, 0xff],
    [0xff, 0xd4, 0x00],
];

/// Backgrounds with names.
const NAMED: [(&str, Background); 5] = [
    ("Checkerboard", Background::Checker),
    ("Transparent", Background::Transparent),
    ("Black", Background::Color([0, 0, 0, 255])),
    ("Grey", Background::Color([128, 128, 128, 255])),
    ("White", Background::Color([255; 4])),
];

pub(super) fn background_menu(ui: &mut Ui, state: &Panels<'_>) {
    let cycle = Action::Looking(LookAction::CycleBackground);
    let tip = tip(ui, &cycle, "Click for colours and pictures", state);
    let response = icon_button(ui, Icon::Wallpaper, Look::TOOL, "Background", &tip);
    let close = egui::PopupCloseBehavior::CloseOnClickOutside;
    let popup = egui::Popup::menu(&response).close_behavior(close);
    let is_wanted = state.looking().target == Some(Destination::Background);
    let open = egui::SetOpenCommand::Bool(true);
    let popup = if is_wanted { popup.open_memory(Some(open)) } else { popup };
    let shown = popup.show(|ui| {
        let now = &state.looking().background;
        let mut menu = Menu::begin(ui, state);
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 12.0;
            ui.vertical(|ui| entries(ui, now, &mut menu, state));
            ui.vertical(|ui| {
                ui.set_width(WIDTH);
                colors(ui, state, &mut menu);
            });
        });
        menu.end(ui, true, state);
    });
    // A colour is kept when the menu closes: on the way to it there are many others.
    let made = state.kept().made.filter(|_| shown.is_none());
    if let Some(color) = made {
        state.push(Keep::Made(None));
        state.push(InterfaceAction::KeepColor(color));
    }
}

fn choose([r, g, b]: [u8; 3]) -> Action {
    Action::Looking(LookAction::Background(Background::Color([r, g, b, 255])))
}

/// Draws the backgrounds with names.
fn entries(ui: &mut Ui, now: &Background, menu: &mut Menu, state: &Panels<'_>) {
    for (name, background) in NAMED {
        let chosen = *now == background;
        let button = egui::Button::selectable(chosen, name);
        let Some(mut response) = menu.add(ui, name, chosen, button) else { continue };
        if background == Background::Transparent {
            let tip =
                "Screenshots and captures have no background; here the checkerboard shows through";
            response = response.on_hover_text(tip);
        }
        state.push_if(response.clicked(), LookAction::Background(background));
    }
    let is_picture = matches!(now, Background::Picture(..));
    if menu.button(ui, "Picture…", is_picture) {
        state.push(Action::Ask(Ask::Picture));
        ui.close();
    }
}

/// Draws the colours: to make, on offer, and recent.
fn colors(ui: &mut Ui, state: &Panels<'_>, menu: &mut Menu) {
    let color = match state.looking().background {
        Background::Color([r, g, b, _]) => Some([r, g, b]),
        Background::Checker | Background::Transparent | Background::Picture(..) => None,
    };
    let picked = color_picker(ui, color.unwrap_or([128; 3]));
    let typed = color_field(ui, state, color);
    // Made, not picked from those on offer.
    for color in picked.into_iter().chain(typed) {
        state.push(Keep::Made(Some(color)));
        state.push(choose(color));
    }
    swatches(ui, &SWATCHES, menu, state);
    let recent = &state.interface().colors;
    if !recent.is_empty() {
        section(ui, "Recent");
        swatches(ui, recent, menu, state);
    }
}

fn swatches(ui: &mut Ui, colors: &[[u8; 3]], menu: &mut Menu, state: &Panels<'_>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for color in colors {
            let [r, g, b] = *color;
            let chosen = state.looking().background == Background::Color([r, g, b, 255]);
            let name = format!("Background {}", hex_of_color(*color));
            if !menu.shows(&name) {
                continue;
            }
            let size = vec2(22.0, 22.0);
            let add = |ui: &mut Ui| ui.allocate_exact_size(size, egui::Sense::click());
            let (rect, response) = ui.push_id(&name, add).inner;
            menu.entry(&response, chosen);
            response.widget_info(|| WidgetInfo::selected(Role::Button, true, chosen, &name));
            let lit = chosen || response.hovered() || response.has_focus();
            let line = if lit { theme::of(ui).accent } else { theme::of(ui).outline };
            let stroke = egui::Stroke::new(if lit { 2.0 } else { 1.0 }, line);
            let fill = Color32::from_rgb(r, g, b);
            ui.painter().rect(rect, 4.0, fill, stroke, egui::StrokeKind::Inside);
            state.push_if(tipped(response, &name).clicked(), choose(*color));
        }
    });
}

/// Width of a picker in logical pixels.
pub(super) const WIDTH: f32 = 160.0;

/// Draws a picker. Returns the new colour when it is changed.
pub(super) fn color_picker(ui: &mut Ui, [r, g, b]: [u8; 3]) -> Option<[u8; 3]> {
    let mut color = Color32::from_rgb(r, g, b);
    ui.spacing_mut().slider_width = WIDTH;
    ui.spacing_mut().item_spacing.x = 4.0;
    let is_changed = color_picker_color32(ui, &mut color, Alpha::Opaque);
    is_changed.then(|| [color.r(), color.g(), color.b()])
}

/// Draws the field; a text that is no colour has a red frame, and is forgotten on leaving. Returns the colour that was typed.
fn color_field(ui: &mut Ui, state: &Panels<'_>, color: Option<[u8; 3]>) -> Option<[u8; 3]> {
    let shown = color.map_or_else(|| "#".to_owned(), hex_of_color);
    let id = Id::unique("background colour");
    let is_typed = ui.memory(|memory| memory.has_focus(id));
    let kept = &state.kept().color;
    let mut text = kept.clone().filter(|_| is_typed).unwrap_or(shown);
    let response = ui.add(TextEdit::singleline(&mut text).id(id).desired_width(100.0));
    let response = tipped(response, "A colour as #rrggbb");
    name_text(&response, ("Background colour", "#rrggbb"), "", &text);
    let typed = color_of_hex(&text);
    if response.has_focus() && typed.is_none() && text.len() > 1 {
        let stroke = Stroke::new(1.5, theme::of(ui).error);
        let frame = response.rect;
        ui.painter().rect_stroke(frame, 4.0, stroke, StrokeKind::Inside);
    }
    let draft = Some(text).filter(|_| response.has_focus());
    state.push_if(draft != *kept, Keep::Color(draft));
    if typed.is_some() && response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
        ui.close();
    }
    // The last digit and Enter may come in one frame.
    let is_done = response.has_focus() || response.lost_focus();
    typed.filter(|typed| is_done && Some(*typed) != color)
}

/// Width of the names of choices in logical pixels.
const LABELS: f32 = 80.0;

/// Draws the button of screenshots, whose menu has their choices.
pub(super) fn screenshot_button(ui: &mut Ui, state: &Panels<'_>) {
    let action = Action::Export(ExportAction::Screenshot { overlays: true });
    let words = state.exports().screenshot.in_words();
    let more = format!("{words}; right-click to change");
    let response = action_button(ui, (Icon::Camera, Look::TOOL), ("", &more), action, state);
    context::settings(&response, state, Destination::Screenshot)
        .show(|ui| screenshot_settings(ui, state));
}

/// Draws the choices. Another one is an action.
fn screenshot_settings(ui: &mut Ui, state: &Panels<'_>) {
    ui.spacing_mut().item_spacing.y = 6.0;
    let now = state.exports().screenshot;
    let mut to = now;
    let parts = [
        (false, "View", "What the window shows"),
        (true, "Character", "All of it, cropped to what is drawn; without grid and origin"),
    ];
    let first = choice(ui, ("Part", LABELS), &mut to.cropped, parts);
    if state.looking().target == Some(Destination::Screenshot)
        && let Some(first) = first
    {
        first.request_focus();
    }
    let backgrounds = [
        (false, "As in the window", "Its colour, picture or checkerboard"),
        (true, "Transparent", "None, whatever the window shows"),
    ];
    choice(ui, ("Background", LABELS), &mut to.transparent, backgrounds);
    let sizes = [
        (ScreenshotSize::One, "1×", "The pixels of the window"),
        (ScreenshotSize::Two, "2×", "Drawn with twice as many pixels on each side"),
        (ScreenshotSize::Four, "4×", "Drawn with four times as many pixels on each side"),
        (ScreenshotSize::Fixed, "Fixed", "The part is fitted into this width and height"),
    ];
    choice(ui, ("Size", LABELS), &mut to.size, sizes);
    labelled(ui, "", LABELS, |ui| size_fields(ui, &mut to.fixed));
    if to.fixed != now.fixed {
        to.size = ScreenshotSize::Fixed;
    }
    labelled(ui, "Show", LABELS, |ui| {
        let tip = "Bones, names and other drawings that are on";
        tipped(ui.add(Checkbox::new(&mut to.overlays, "Overlays")), tip);
    });
    state.push_if(to != now, ExportAction::ChooseScreenshot(to));
    ui.separator();
    ui.horizontal(|ui| {
        for (name, export) in [
            ("Screenshot", ExportAction::Screenshot { overlays: true }),
            ("Copy", ExportAction::CopyPicture),
        ] {
            let action = Action::Export(export);
            if tipped(ui.button(name), &tip(ui, &action, "", state)).clicked() {
                state.push(action);
                ui.close();
            }
        }
    });
}

/// Draws a name, and the values to choose from. Returns the first of them.
pub(super) fn choice<T: Copy + PartialEq, const N: usize>(
    ui: &mut Ui,
    (name, width): (&str, f32),
    value: &mut T,
    of: [(T, &str, &str); N],
) -> Option<Response> {
    let mut first = None;
    labelled(ui, name, width, |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for (other, name, about) in of {
            let button = Button::selectable(*value == other, name);
            let response = tipped(ui.add(button), about);
            if response.clicked() {
                *value = other;
            }
            first.get_or_insert(response);
        }
    });
    first
}
