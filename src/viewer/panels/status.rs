//! The status line: hints for beginners, warnings, the view, and the zoom as a field with a menu.

use egui::{
    Align, Align2, Button, Key, Label, Layout, RichText, TextEdit, TextStyle, Ui, WidgetInfo, vec2,
};
use lucide_icons::Icon;

use pchr::finding::{Finding, Severity, counted};
use pchr::scene::OrbitCamera;
use pchr_foreign::motion::UpAxis;

use super::Panels;
use super::menu::Menu;
use super::space::unit_sign;
use super::widgets::{
    Look, cut, format_key, icon_button, name_text, progress_bar, select_all, shown, small_button,
    tip, weak,
};
use crate::viewer::action::{Action, CameraAction, ExportAction, LookAction};
use crate::viewer::backgrounds_and_rulers::Facing;
use crate::viewer::kept::Keep;
use crate::viewer::model::Model;
use crate::viewer::state::State;
use crate::viewer::switch::{ContentKind, Destination, Switch};
use crate::viewer::theme;

/// Width of the name of the mesh under the pointer in logical pixels, at most.
const NAME: f32 = 180.0;

pub(super) fn ui(ui: &mut Ui, state: &Panels<'_>) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 14.0;
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            ui.spacing_mut().interact_size.y = HEIGHT;
            choices(ui, state);
            field(ui, state);
        });
        if let Some(orbit) = state.orbit() {
            ui.scope(|ui| view(ui, &orbit, state));
        }
        software(ui, state);
        exporting(ui, state);
        warnings(ui, state);
        pointed(ui, state);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| hints(ui, state));
    });
}

/// Names the mesh under the pointer, whose row may not be in sight.
fn pointed(ui: &mut Ui, state: &State) {
    let mesh = state.parts().pointed.filter(|_| state.pointer().is_some());
    let mesh = mesh.and_then(|mesh| state.model()?.subject().mesh(mesh));
    if let Some(mesh) = mesh {
        let name = cut(ui, &shown(mesh.name()), NAME).into_owned();
        let label = ui.label(RichText::new(&name).small());
        let words = format!("Under the pointer: {name}");
        label.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, &words));
    }
}

/// Draws viewpoint and projection of a motion in space.
fn view(ui: &mut Ui, orbit: &OrbitCamera, state: &Panels<'_>) {
    let up = if orbit.up == UpAxis::Z { "Z up" } else { "Y up" };
    let projection = match orbit.fov {
        fov if fov > 0.0 => format!("Perspective {fov:.0}°"),
        _ => "Orthographic".to_owned(),
    };
    ui.spacing_mut().item_spacing.x = 4.0;
    for (text, width, switch) in
        [(up.to_owned(), 38.0, Switch::ZUp), (projection, 92.0, Switch::Perspective)]
    {
        let action = Action::Toggle(switch);
        let tip = tip(ui, &action, "", state);
        let button = Button::new(weak(ui, text)).frame_when_inactive(false).small();
        state.push_if(ui.add_sized([width, 20.0], button).on_hover_text(tip).clicked(), action);
    }
    let facing = Facing::of([orbit.yaw, orbit.pitch]);
    let text = facing.map_or_else(
        || format!("{:.0}°, {:.0}°", orbit.yaw, orbit.pitch),
        |facing| facing.name().to_owned(),
    );
    let tip = "Degrees around the up axis, and above the ground";
    ui.add_sized([70.0, 20.0], Label::new(weak(ui, text))).on_hover_text(tip);
}

/// Draws the progress of an export, and a button that ends it.
fn exporting(ui: &mut Ui, state: &Panels<'_>) {
    let Some(job) = state.exports().under_way() else { return };
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let cancel = Action::Export(ExportAction::Cancel);
        small_button(ui, Icon::X, (cancel.name(), cancel.name()), cancel, state);
        ui.add(progress_bar(job).desired_width(80.0).desired_height(8.0));
        ui.label(weak(ui, "Exporting"));
    });
}

/// Warns where no graphics hardware draws.
fn software(ui: &mut Ui, state: &Panels<'_>) {
    if !state.around.software {
        return;
    }
    let name = "Software adapter";
    let adapter = &state.around.adapter;
    let tip = format!(
        "{name}: no graphics hardware was found.\n{adapter} draws on the CPU, which is slower.\nClick for statistics"
    );
    small_button(ui, Icon::TriangleAlert, (name, &tip), Action::Toggle(Switch::Hud), state);
}

fn warnings(ui: &mut Ui, state: &Panels<'_>) {
    let Some(model) = state.model() else { return };
    let count = count(model).saturating_add(state.around.warnings.len() as u64);
    if count == 0 {
        return;
    }
    let is_error = |finding: &&Finding| finding.rule.severity() == Severity::Error;
    let errors = model.findings().filter(is_error).count();
    let warnings = usize::try_from(count).unwrap_or(usize::MAX).saturating_sub(errors);
    let said = [(errors, "error", "errors"), (warnings, "warning", "warnings")];
    let said = said.into_iter().filter(|(count, ..)| *count > 0);
    let said: Vec<String> = said.map(|(count, one, many)| counted(count, one, many)).collect();
    let color = match errors {
        0 => theme::of(ui).warning,
        _ => theme::of(ui).error,
    };
    let text = RichText::new(said.join(", ")).small().color(color);
    let button = Button::new(text).frame_when_inactive(false).small();
    let tip = "Warnings about the file; click to list them";
    let response = ui.add(button).on_hover_text(tip);
    if response.clicked() {
        // If it was opened by keyboard, the focus moves into it.
        let opens = response.has_focus() && !state.is_on(Switch::Findings);
        state.push(match opens {
            true => Action::Looking(LookAction::GoTo(Destination::Warnings)),
            false => Action::Toggle(Switch::Findings),
        });
    }
}

/// Returns the number of findings, including those that were not kept.
pub(super) fn count(model: &Model) -> u64 {
    let file = model.subject().warnings().total(Severity::Warning);
    let images = model.image_finding_count() as u64;
    file.saturating_add(images).saturating_add(model.bind_warnings().total(Severity::Warning))
}

/// Draws the hints that are left, and a button that turns them off.
fn hints(ui: &mut Ui, state: &Panels<'_>) {
    if state.hints().left().next().is_none() {
        return;
    }
    let texts: Vec<String> = { state.hints().left() }
        .map(|hint| hint.text(state.kind(), |action| format_key(ui, action)))
        .collect();
    let text = texts.join("   ·   ");
    ui.spacing_mut().item_spacing.x = 6.0;
    let room = ui.available_width() - Look::SMALL.size.x - 6.0;
    ui.allocate_ui(egui::vec2(room, ui.available_height()), |ui| {
        ui.set_max_width(room);
        ui.add(Label::new(weak(ui, &text)).truncate());
    });
    let words = ("Turn hints off", "Turn hints off");
    small_button(ui, Icon::X, words, Action::Toggle(Switch::Hints), state);
}

/// Width of the field in logical pixels: of a plane, and of space.
const WIDTHS: [f32; 2] = [56.0, 88.0];
/// Height of the field in logical pixels.
const HEIGHT: f32 = 20.0;
/// Zooms of the menu in percent.
const PERCENTS: [u16; 5] = [25, 50, 100, 200, 400];

/// Returns the zoom in words.
fn in_words(state: &State) -> String {
    let spatial = state.model().and_then(|model| model.subject().spatial());
    if let Some((orbit, spatial)) = state.orbit().zip(spatial) {
        return pixels_per_unit(orbit.zoom, unit_sign(spatial.unit()));
    }
    let percent = state.camera().zoom * 100.0;
    in_percent(percent)
}

/// Formats percent with decimals where it is little, and as a factor where it is much.
fn in_percent(percent: f64) -> String {
    match percent {
        percent if percent >= 9999.5 => format!("{:.0}×", percent / 100.0),
        percent if percent >= 9.95 => format!("{percent:.0} %"),
        percent if percent >= 0.095 => format!("{percent:.1} %"),
        percent => format!("{percent:.2} %"),
    }
}

/// Formats a zoom in pixels per unit, with three digits.
fn pixels_per_unit(zoom: f64, unit: &str) -> String {
    let decimals = match zoom {
        zoom if zoom >= 99.95 => 0,
        zoom if zoom >= 9.995 => 1,
        zoom if zoom >= 0.01 => 2,
        zoom => return format!("{zoom:.1e} px/{unit}"),
    };
    format!("{zoom:.decimals$} px/{unit}")
}

/// Reads a zoom: `150`, `150 %`, `2x`, `fit`; in space `40` or `40 px/m`.
fn typed(text: &str, in_space: bool) -> Option<CameraAction> {
    let text = text.trim().to_lowercase().replace(',', ".");
    if text == "fit" {
        return Some(CameraAction::Fit);
    }
    let per_unit = text.split_once("px").map(|(number, _)| number);
    let (number, is_percent) = if let Some(number) = per_unit.filter(|_| in_space) {
        (number, false)
    } else if let Some(number) = text.strip_suffix('%').filter(|_| !in_space) {
        (number, true)
    } else if let Some(number) = text.strip_suffix(['x', '×']) {
        (number, false)
    } else {
        (text.as_str(), !in_space)
    };
    let number = number.trim();
    let zoom = match is_percent {
        // Of decimals, so that 33.3 % is 0.333 and not the number beside it.
        true => format!("{number}e-2").parse(),
        false => number.parse::<f64>(),
    };
    let zoom = zoom.or_else(|_| number.parse().map(|percent: f64| percent / 100.0));
    let zoom = zoom.ok()?;
    (zoom.is_finite() && zoom > 0.0).then_some(CameraAction::ZoomTo(zoom))
}

fn field(ui: &mut Ui, state: &Panels<'_>) {
    let in_space = state.kind() == ContentKind::Motion;
    let id = egui::Id::unique("zoom");
    let kept = &state.kept().zoom;
    let mut text = kept.clone().unwrap_or_else(|| in_words(state));
    let colors = theme::of(ui);
    let color = match typed(&text, in_space) {
        None if ui.memory(|memory| memory.has_focus(id)) => colors.error,
        _ => colors.text_weak,
    };
    let field = TextEdit::singleline(&mut text)
        .id(id)
        .font(TextStyle::Small)
        .text_color(color)
        .align(Align2::RIGHT_CENTER)
        .min_size(vec2(0.0, HEIGHT))
        .margin(egui::Margin::symmetric(4, 2));
    let [plane, space] = WIDTHS;
    let width = if in_space { space } else { plane };
    let response = ui.add_sized(vec2(width, HEIGHT), field);
    name_text(&response, ("Zoom", "150 %"), "", &text);
    if response.gained_focus() {
        select_all(ui, id, &text);
    }
    if response.lost_focus()
        && ui.input(|input| input.key_pressed(Key::Enter))
        && let Some(zoom) = typed(&text, in_space)
    {
        state.push(zoom);
    }
    let draft = Some(text).filter(|_| response.has_focus());
    state.push_if(draft != *kept, Keep::Zoom(draft));
    response.on_hover_text(match in_space {
        true => "Zoom: click to type pixels per unit, 2x or fit",
        false => "Zoom: click to type 150, 150 %, 2x or fit",
    });
}

fn choices(ui: &mut Ui, state: &Panels<'_>) {
    let fit = Action::Camera(CameraAction::Fit);
    let more = match state.kind() {
        ContentKind::Motion => "Drag to turn, Shift+drag to pan, scroll to zoom",
        ContentKind::Character | ContentKind::Atlas => "Drag to pan, scroll to zoom",
    };
    let tip = tip(ui, &fit, more, state);
    let look = Look::sized(16.0, HEIGHT);
    let response = icon_button(ui, Icon::ChevronUp, look, "Zoom levels", &tip);
    egui::Popup::menu(&response).show(|ui| {
        let mut menu = Menu::begin(ui, state);
        let now = state.camera().zoom * 100.0;
        let in_space = state.kind() == ContentKind::Motion;
        for percent in PERCENTS.into_iter().filter(|_| !in_space) {
            let percent = f64::from(percent);
            let current = (now - percent).abs() < 0.5;
            let is_chosen = menu.button(ui, &format!("{percent} %"), current);
            state.push_if(is_chosen, CameraAction::ZoomTo(percent / 100.0));
        }
        state.push_if(menu.button(ui, "Fit", false), fit);
        for (text, by) in [("Zoom in", 1), ("Zoom out", -1)] {
            state.push_if(menu.button(ui, text, false), CameraAction::ZoomBy(by));
        }
        menu.end(ui, true, state);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zoom_is_short_at_any_size() {
        for (zoom, words) in [
            (1e-4, "0.01 %"),
            (0.0034, "0.3 %"),
            (0.04, "4.0 %"),
            (0.0999, "10 %"),
            (1.5, "150 %"),
            (64.0, "6400 %"),
            (1e4, "10000×"),
        ] {
            assert_eq!(in_percent(zoom * 100.0), words);
        }
    }

    #[test]
    fn a_zoom_is_typed_as_percent_or_as_a_factor() {
        for (text, zoom) in [
            ("150", 1.5),
            ("150%", 1.5),
            (" 150 % ", 1.5),
            ("2x", 2.0),
            ("0,5 ×", 0.5),
            ("12.5", 0.125),
            ("33.3 %", 0.333),
            ("1e2", 1.0),
        ] {
            assert_eq!(typed(text, false), Some(CameraAction::ZoomTo(zoom)), "{text}");
        }
        for (text, zoom) in [("40", 40.0), ("40 px/m", 40.0), ("1.5e-3 px/cm", 0.0015)] {
            assert_eq!(typed(text, true), Some(CameraAction::ZoomTo(zoom)), "{text}");
        }
        assert_eq!(typed("FIT", false), Some(CameraAction::Fit));
        for wrong in ["", "%", "0", "-5", "nan", "inf", "big", "1e400", "5 %%"] {
            assert_eq!(typed(wrong, false), None, "{wrong}");
            assert_eq!(typed(wrong, true), None, "{wrong}");
        }
    }
}
