//! The tools above the picture: opening, viewing and exporting.

use egui::{Align, Color32, Layout, Role, Ui, WidgetInfo};

use super::icons::Icon;
use super::menu::Menu;
use super::onion;
use super::tools;
use super::widgets::{Look, icon_button, switch_button, tip, tool_button};
use super::words::{fit, has_sprites};
use crate::text::visible;
use crate::viewer::action::{Action, CameraAction, FileAction, LookAction};
use crate::viewer::background::Background;
use crate::viewer::kind::Kind;
use crate::viewer::onion::in_words;
use crate::viewer::state::State;
use crate::viewer::switch::Switch;
use crate::viewer::theme;

/// Overlays of bones in space, and ways to view them.
const IN_SPACE: [&[(Icon, Switch, &str)]; 2] = [
    &[
        (Icon::Names, Switch::Names, ""),
        (Icon::Axes, Switch::Axes, "X red, Y green, Z blue"),
        (
            Icon::Grid,
            Switch::Grid,
            "The distance of its lines stands in the corner",
        ),
        (Icon::Path, Switch::Path, "Where root motion goes"),
        (
            Icon::Trail,
            Switch::Trail,
            "Choose a bone on the picture or in the tree",
        ),
        (Icon::Ghosts, Switch::Onion, ""),
    ],
    &[
        (Icon::InPlace, Switch::InPlace, "Leave out root motion"),
        (Icon::ZUp, Switch::ZUp, "Else Y does"),
        (Icon::Perspective, Switch::Perspective, "Else orthographic"),
    ],
];

/// Overlays of the picture.
const OVERLAYS: [(Icon, Switch, &str); 9] = [
    (Icon::Bones, Switch::Bones, ""),
    (Icon::Wireframe, Switch::Wireframe, ""),
    (
        Icon::Bounds,
        Switch::Bounds,
        "Of the meshes, and of the frame",
    ),
    (
        Icon::Origin,
        Switch::Origin,
        "Where the axes of the world cross",
    ),
    (Icon::Order, Switch::Order, "0 is drawn first"),
    (Icon::Weights, Switch::Weights, "Choose a bone in the tree"),
    (Icon::Trail, Switch::Trail, "Choose a bone in the tree"),
    (Icon::Ghosts, Switch::Onion, ""),
    (
        Icon::Atlas,
        Switch::Atlas,
        "Choose a mesh on the picture or in the list",
    ),
];

/// Backgrounds that reveal what the usual ones hide.
const SWATCHES: [[u8; 3]; 6] = [
    [0x40, 0x60, 0x80],
    [0x4c, 0x7a, 0x4c],
    [0xb8, 0xa0, 0x78],
    [0x7a, 0x3c, 0x46],
    [0x00, 0xb1, 0x40],
    [0xff, 0x00, 0xff],
];

pub(super) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        tool_button(ui, Icon::Folder, Action::OpenDialog, actions);
        recent(ui, state, actions);
        gap(ui);
        if state.kind() == Kind::Motion {
            for group in IN_SPACE {
                for (icon, switch, more) in group {
                    overlay(ui, *icon, *switch, state, more, actions);
                }
                gap(ui);
            }
        } else {
            of_the_plane(ui, state, actions);
            gap(ui);
        }
        background(ui, state, actions);
        if state.kind() != Kind::Motion {
            texels_and_y(ui, state, actions);
        }
        tools::ui(ui, state, actions);
        let hud = state.is_on(Switch::Hud);
        switch_button(
            ui,
            Icon::Statistics,
            Switch::Hud,
            hud,
            "What a frame costs",
            actions,
        );
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            tool_button(ui, Icon::Help, Action::Toggle(Switch::Keys), actions);
            tool_button(ui, Icon::Search, Action::Toggle(Switch::Palette), actions);
            tool_button(
                ui,
                Icon::Theme,
                Action::Looking(LookAction::CycleTheme),
                actions,
            );
            gap(ui);
            tool_button(ui, Icon::CommandLine, Action::CopyCommandLine, actions);
            tool_button(
                ui,
                Icon::Camera,
                Action::Screenshot { overlays: true },
                actions,
            );
            gap(ui);
            if state.kind() != Kind::Motion {
                let actual = Action::Camera(CameraAction::ActualSize);
                tool_button(ui, Icon::Actual, actual, actions);
            }
            tool_button(ui, Icon::Fit, Action::Camera(CameraAction::Fit), actions);
        });
    });
}

/// Draws the switches of overlays over meshes or sprites.
fn of_the_plane(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let sprites = has_sprites(state);
    let of_bones = |switch| matches!(switch, Switch::Bones | Switch::Weights | Switch::Trail);
    for (icon, switch, more) in OVERLAYS {
        let more = match switch {
            Switch::Atlas if sprites => "Where the sprites lie, and what is not used".into(),
            _ => fit(ui, more),
        };
        if !(sprites && of_bones(switch)) {
            overlay(ui, icon, switch, state, &more, actions);
        }
    }
}

/// Draws the switch of an overlay; that of onion skin has a menu.
fn overlay(
    ui: &mut Ui,
    icon: Icon,
    switch: Switch,
    state: &State,
    more: &str,
    actions: &mut Vec<Action>,
) {
    let on = state.is_on(switch);
    if switch == Switch::Onion {
        let words = in_words(state.looking().onion);
        let more = format!("{words}; right-click to change");
        let response = switch_button(ui, icon, switch, on, &more, actions);
        onion::menu(&response, state, actions);
    } else {
        switch_button(ui, icon, switch, on, more, actions);
    }
}

/// Draws the switches of the texel filter and of the Y axis.
fn texels_and_y(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let nearest = state.is_on(Switch::Nearest);
    let more = "Show texels as squares when zoomed in";
    switch_button(ui, Icon::Texels, Switch::Nearest, nearest, more, actions);
    let y_down = state.is_on(Switch::YDown);
    let more = "Turn the picture over, for files that were authored so";
    switch_button(ui, Icon::YDown, Switch::YDown, y_down, more, actions);
}

/// Draws a gap with a line.
fn gap(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(egui::vec2(13.0, 18.0), egui::Sense::hover());
    let stroke = egui::Stroke::new(1.0, theme::of(ui).line);
    ui.painter().vline(rect.center().x, rect.y_range(), stroke);
}

/// Draws the menu of recent files.
fn recent(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let files = state.recent();
    let response = ui
        .add_enabled_ui(!files.is_empty(), |ui| {
            icon_button(ui, Icon::Recent, Look::TOOL, "Recent files", "Recent files")
        })
        .inner;
    egui::Popup::menu(&response).show(|ui| {
        ui.set_max_width(420.0);
        let mut menu = Menu::begin(ui);
        for path in files {
            let name = path
                .file_name()
                .map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy());
            let name = visible(&name);
            let whole = visible(&path.to_string_lossy()).into_owned();
            let response = ui.push_id(&whole, |ui| {
                menu.add(ui, &name, false, egui::Button::new(&*name))
            });
            let Some(response) = response.inner else {
                continue;
            };
            if response.on_hover_text(whole).clicked() {
                actions.push(Action::Files(FileAction::Open(vec![path.clone()])));
            }
        }
        ui.separator();
        let clear = Action::Files(FileAction::ClearRecent);
        if menu.button(ui, clear.name(), false) {
            actions.push(clear);
        }
        menu.end(ui, true);
    });
}

/// Draws the menu of backgrounds.
fn background(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let tip = tip(
        ui,
        &Action::Looking(LookAction::CycleBackground),
        "Click for colours and pictures",
    );
    let response = icon_button(ui, Icon::Background, Look::TOOL, "Background", &tip);
    let close = egui::PopupCloseBehavior::CloseOnClickOutside;
    egui::Popup::menu(&response)
        .close_behavior(close)
        .show(|ui| {
            let now = &state.looking().background;
            let mut menu = Menu::begin(ui);
            if menu.button(ui, "Checkerboard", *now == Background::Checker) {
                actions.push(Action::Looking(LookAction::Background(Background::Checker)));
            }
            let named = [
                ("Black", [0, 0, 0, 255]),
                ("Grey", [128, 128, 128, 255]),
                ("White", [255; 4]),
            ];
            for (name, color) in named {
                let color = Background::Color(color);
                if menu.button(ui, name, *now == color) {
                    actions.push(Action::Looking(LookAction::Background(color)));
                }
            }
            ui.separator();
            swatches(ui, now, &mut menu, actions);
            hex_field(ui, now, actions);
            ui.separator();
            let is_picture = matches!(now, Background::Picture(..));
            if menu.button(ui, Action::BackgroundDialog.name(), is_picture) {
                actions.push(Action::BackgroundDialog);
                ui.close();
            }
            menu.end(ui, false);
        });
}

/// Draws colours to click on.
fn swatches(ui: &mut Ui, now: &Background, menu: &mut Menu, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for [r, g, b] in SWATCHES {
            let color = Background::Color([r, g, b, 255]);
            let name = format!("Background #{r:02x}{g:02x}{b:02x}");
            if !menu.shows(&name) {
                continue;
            }
            let size = egui::vec2(22.0, 22.0);
            let add = |ui: &mut Ui| ui.allocate_exact_size(size, egui::Sense::click());
            let (rect, response) = ui.push_id(&name, add).inner;
            let chosen = *now == color;
            menu.entry(&response, chosen);
            response.widget_info(|| WidgetInfo::selected(Role::Button, true, chosen, &name));
            let lit = chosen || response.hovered() || response.has_focus();
            let line = if lit {
                theme::of(ui).accent
            } else {
                theme::of(ui).outline
            };
            let stroke = egui::Stroke::new(if lit { 2.0 } else { 1.0 }, line);
            let fill = Color32::from_rgb(r, g, b);
            ui.painter()
                .rect(rect, 4.0, fill, stroke, egui::StrokeKind::Inside);
            if response.on_hover_text(name).clicked() {
                actions.push(Action::Looking(LookAction::Background(color)));
            }
        }
    });
}

/// Draws a field for any other colour.
fn hex_field(ui: &mut Ui, now: &Background, actions: &mut Vec<Action>) {
    let id = egui::Id::unique("background colour");
    let shown = match now {
        Background::Color([r, g, b, _]) => format!("#{r:02x}{g:02x}{b:02x}"),
        Background::Checker | Background::Picture(..) => "#".to_owned(),
    };
    let kept: Option<String> = ui.data(|data| data.get_temp(id));
    let mut text = kept.unwrap_or(shown);
    let field = egui::TextEdit::singleline(&mut text)
        .id(id.with("field"))
        .desired_width(104.0)
        .font(egui::TextStyle::Monospace);
    let response = ui.add(field).on_hover_text("A colour as #rrggbb");
    response.widget_info(|| {
        let mut info = WidgetInfo::text_edit(true, "", text.as_str(), "#rrggbb");
        info.label = Some("Background colour".into());
        info
    });
    if response.changed()
        && let Some([r, g, b]) = rgb(&text)
    {
        actions.push(Action::Looking(LookAction::Background(Background::Color(
            [r, g, b, 255],
        ))));
    }
    if response.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, text));
    } else {
        ui.data_mut(|data| data.remove_temp::<String>(id));
    }
}

/// Parses `#rrggbb`, with or without the sign.
fn rgb(text: &str) -> Option<[u8; 3]> {
    let digits = text.trim();
    let digits = digits.strip_prefix('#').unwrap_or(digits);
    let sound = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16).ok();
    let [_, r, g, b] = number.filter(|_| sound)?.to_be_bytes();
    Some([r, g, b])
}

#[cfg(test)]
mod tests {
    use super::rgb;

    #[test]
    fn a_colour_has_six_digits() {
        assert_eq!(rgb("#1a2B3c"), Some([0x1a, 0x2b, 0x3c]));
        assert_eq!(rgb(" 000000 "), Some([0; 3]));
        for text in ["", "#", "#12345", "#1234567", "#12345g", "+12345"] {
            assert_eq!(rgb(text), None, "{text}");
        }
    }
}
