//! The menu of tools on the picture, the ruler, and the controls of the reference picture.

use egui::{
    Align, Align2, Button, Color32, DragValue, Layout, Painter, Popup, PopupCloseBehavior, Pos2,
    Rect, RichText, Role, ScrollArea, Sense, Slider, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2,
};
use lucide_icons::Icon;

use pchr::overlay::Layer;
use pchr_tools::text::visible;

use super::Panels;
use super::menu::Menu;
use super::widgets::{
    Look, cut, fixed, format_key, icon_button, labelled, name_number, shown, weak,
};
use crate::viewer::action::{Action, Ask, ReferenceAction, RulerAction};
use crate::viewer::backgrounds_and_rulers::{
    MeasuredParts, Reference, ReferenceLook, Ruler, SCALES,
};
use crate::viewer::focus;
use crate::viewer::interface::narrow;
use crate::viewer::model::Model;
use crate::viewer::state::State;
use crate::viewer::switch::Switch;
use crate::viewer::theme;

/// Width of the menu in logical pixels.
const WIDTH: f32 = 250.0;
/// Logical pixels of the window that the menu leaves free.
const AROUND: f32 = 40.0;
/// Note on what captures leave out.
const AIDS: &str = "Ruler and reference are left out of screenshots";

pub(super) fn tools(ui: &mut Ui, state: &Panels<'_>) {
    let tip = "Tools: grid, ruler, follow a bone, reference picture, comparison";
    let is_used = [Switch::Ruler, Switch::Follow].into_iter().any(|switch| state.is_on(switch));
    let response = icon_button(ui, Icon::Ruler, Look::TOOL.lit(ui, is_used), "Tools", tip);
    Popup::menu(&response).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.set_width(WIDTH);
        let room = (ui.ctx().content_rect().height() - AROUND).max(AROUND);
        let area = ScrollArea::vertical().max_height(room).min_scrolled_height(room);
        area.show(ui, |ui| entries(ui, state));
    });
}

fn entries(ui: &mut Ui, state: &Panels<'_>) {
    ui.spacing_mut().item_spacing.y = 2.0;
    let mut menu = Menu::begin(ui, state);
    let [grid, ruler, follow] =
        [Switch::Overlay(Layer::Grid), Switch::Ruler, Switch::Follow].map(Action::Toggle);
    for (action, tip) in [
        (grid, "Lines at round-number intervals, behind the character"),
        (ruler, "Drag from A to B; hold Shift for steps of 15°. Not in screenshots"),
        (follow, "The bone keeps its place in the picture during playback"),
        (RulerAction::Chosen.into(), "A bone to the next joint, or a mesh from corner to corner"),
        (
            Action::Ask(Ask::Reference),
            "A picture to compare with, above or below. Not in screenshots",
        ),
        (Action::Ask(Ask::Compare), "Another version or file, beside it or in the same place"),
    ] {
        if action == Action::Ask(Ask::Reference) {
            ui.separator();
        }
        if !action.concerns(state.kind()) {
            continue;
        }
        let on = matches!(&action, Action::Toggle(switch) if state.is_on(*switch));
        let key = weak(ui, format_key(ui, &action));
        // It always begins at the top.
        let entry = menu.keyed(ui, action.name(), key, (on, false));
        if entry.is_some_and(|entry| entry.on_hover_text(tip).clicked()) {
            state.push(action);
            ui.close();
        }
    }
    let is_whole = menu.typed().is_empty();
    if let Some(shown) = state.reference().filter(|_| is_whole) {
        ui.scope(|ui| {
            ui.reset_style(); // menus draw buttons without frames
            ui.spacing_mut().item_spacing.y = 4.0;
            controls(ui, state, shown, &mut menu);
        });
    }
    ui.add_space(2.0);
    ui.label(weak(ui, AIDS));
    focus::scroll(ui);
    menu.end(ui, false, state);
}

/// Width of the column with names.
const LABELS: f32 = 58.0;

fn controls(ui: &mut Ui, state: &Panels<'_>, reference: &Reference, menu: &mut Menu) {
    head(ui, reference, menu, state);
    let before = reference.look;
    let mut look = before;
    labelled(ui, "Place", LABELS, |ui| {
        for (above, text) in [(false, "Below"), (true, "Above")] {
            let button = Button::selectable(look.above == above, text);
            let response = ui.add_sized([64.0, 24.0], button);
            menu.entry(&response, false);
            if response.clicked() {
                look.above = above;
            }
        }
    });
    labelled(ui, "Opacity", LABELS, |ui| {
        let mut percent = look.opacity * 100.0;
        ui.spacing_mut().slider_width = 96.0;
        let slider = Slider::new(&mut percent, 0.0..=100.0).suffix(" %");
        let response = ui.add(slider.max_decimals(0));
        name_number(&response, "Opacity of the reference", percent.into());
        if response.changed() {
            look.opacity = percent / 100.0;
        }
    });
    place(ui, state, &mut look);
    labelled(ui, "", LABELS, |ui| {
        let button = ui.add_sized([64.0, 24.0], Button::new("Fit"));
        menu.entry(&button, false);
        let button = button.on_hover_text("Same size as the character");
        state.push_if(button.clicked(), ReferenceAction::Fit);
    });
    state.push_if(look != before, ReferenceAction::Look(look));
}

fn head(ui: &mut Ui, reference: &Reference, menu: &mut Menu, state: &Panels<'_>) {
    let name = reference.path.file_name().unwrap_or_default();
    let name = visible(&name.to_string_lossy()).into_owned();
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let shown = reference.look.visible;
            let eye = if shown { Icon::Eye } else { Icon::EyeClosed };
            let tip = if shown { "Hide the reference" } else { "Show the reference" };
            for (icon, tip, action) in [
                (Icon::X, "Remove the reference", ReferenceAction::Remove),
                (eye, tip, ReferenceAction::Toggle),
            ] {
                let response = icon_button(ui, icon, Look::SMALL, tip, tip);
                // Enter must not remove by accident: Tab goes there.
                if action != ReferenceAction::Remove {
                    menu.entry(&response, false);
                }
                state.push_if(response.clicked(), action);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let text = cut(ui, &name, ui.available_width()).into_owned();
                let text = RichText::new(text).color(theme::of(ui).text);
                let path = reference.path.to_string_lossy();
                ui.label(text).on_hover_text(visible(&path).into_owned());
            });
        });
    });
}

/// Draws size and middle, along the axes of the picture.
fn place(ui: &mut Ui, state: &State, look: &mut ReferenceLook) {
    let axes = match state.orbit() {
        Some(orbit) => {
            let [right, up, _] = orbit.axes();
            [right, up].map(|axis| axis.to_array())
        }
        None => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
    };
    let zoom = state.orbit().map_or(state.camera().zoom, |orbit| orbit.zoom);
    labelled(ui, "Size", LABELS, |ui| {
        let mut percent = look.scale * 100.0;
        let range = SCALES.start() * 100.0..=SCALES.end() * 100.0;
        let drag = DragValue::new(&mut percent).range(range);
        let drag = drag.speed(look.scale * 0.5).max_decimals(2).suffix(" %");
        let response = ui.add_sized([84.0, 24.0], drag);
        name_number(&response, "Size of the reference", percent);
        let tip = "World units per pixel of the reference picture; drag, or click to type";
        if response.on_hover_text(tip).changed() {
            look.scale = percent / 100.0;
        }
    });
    labelled(ui, "Centre", LABELS, |ui| {
        for (name, axis) in ["X", "Y"].into_iter().zip(axes) {
            let before: f64 = look.middle.iter().zip(axis).map(|(at, by)| at * by).sum();
            let mut value = before;
            let drag = DragValue::new(&mut value).speed(1.0 / zoom).max_decimals(2);
            let drag = drag.prefix(format!("{name} "));
            let response = ui.add_sized([84.0, 24.0], drag);
            name_number(&response, &format!("{name} of the reference"), value);
            if response.changed() {
                for (at, by) in look.middle.iter_mut().zip(axis) {
                    *at += (value - before) * by;
                }
            }
        }
    });
}

/// Half the length of the marks at both ends in logical pixels.
const END: f32 = 6.0;
/// Widest name in logical pixels.
const NAME: f32 = 220.0;
/// Distance of the numbers from the line.
const ASIDE: f32 = 12.0;

pub(super) fn ruler(ui: &mut Ui, picture: Rect, state: &State) {
    let Some(ruler) = state.ruler() else { return };
    let scale = ui.pixels_per_point();
    let (camera, size) = (state.camera(), state.viewport());
    let on_screen = |at: [f64; 2]| {
        let [x, y] = camera.screen_at(at, size).map(narrow);
        picture.min + vec2(x, y) / scale
    };
    let (from, to) = (on_screen(ruler.from), on_screen(ruler.to));
    let painter = ui.painter().with_clip_rect(picture);
    line(&painter, from, to, ui);
    let [first, second] = in_words(ruler);
    let of = parts(ruler, state);
    label(&painter, ui, [from, to], picture, [&of, &first, &second]);
    let whole = Rect::from_two_pos(from, to).expand(END);
    let id = ui.scope_id().with("ruler");
    let sensed = ui.interact(whole.intersect(picture), id, Sense::empty());
    sensed.widget_info(|| {
        let text = format!("Ruler: {of}, {first}, {second}");
        WidgetInfo::labeled(Role::Label, true, text)
    });
}

/// Returns the names of the measured items.
fn parts(ruler: &Ruler, state: &State) -> String {
    let subject = state.model().map(Model::subject);
    let bone = |id| subject.and_then(|it| it.bone(id)).map(|it| shown(it.name()));
    let name = match ruler.of {
        None => None,
        Some(MeasuredParts::Bones([from, to])) => {
            let names = bone(from).zip(bone(to));
            names.map(|(from, to)| format!("{from} → {to}"))
        }
        Some(MeasuredParts::Mesh(id)) => {
            let mesh = subject.and_then(|subject| subject.mesh(id));
            mesh.map(|mesh| format!("{}, box", shown(mesh.name())))
        }
    };
    name.unwrap_or_else(|| "on the picture".to_owned())
}

/// Returns length and angle, and the way along each axis.
fn in_words(ruler: &Ruler) -> [String; 2] {
    let [x, y] = ruler.along().map(pixels);
    let (length, angle) = (pixels(ruler.length()), ruler.angle());
    [format!("{length} px   {}°", fixed(angle, 1)), format!("x {x}   y {y}")]
}

/// Formats world pixels, with more decimals where they are few.
fn pixels(pixels: f64) -> String {
    match pixels.abs() {
        large if large >= 1000.0 => fixed(pixels, 0),
        large if large >= 10.0 => fixed(pixels, 1),
        _ => fixed(pixels, 2),
    }
}

fn line(painter: &Painter, from: Pos2, to: Pos2, ui: &Ui) {
    let colors = theme::of(ui);
    let along = (to - from).normalized();
    let across = if along == Vec2::ZERO { Vec2::UP } else { along.rot90() } * END;
    let ends = [[from - across, from + across], [to - across, to + across]];
    let legs = [[from, pos2(to.x, from.y)], [pos2(to.x, from.y), to]];
    let halo = Color32::from_black_alpha(130);
    for leg in legs {
        painter.line_segment(leg, Stroke::new(2.5, halo.gamma_multiply(0.5)));
        let dashes = egui::Shape::dashed_line(&leg, Stroke::new(1.0, Color32::WHITE), 4.0, 4.0);
        painter.extend(dashes);
    }
    for (width, color) in [(4.0, halo), (2.0, colors.accent)] {
        let stroke = Stroke::new(width, color);
        painter.line_segment([from, to], stroke);
        for end in ends {
            painter.line_segment(end, stroke);
        }
    }
}

/// Draws the numbers beside the middle of the line, within the picture.
fn label(painter: &Painter, ui: &Ui, [from, to]: [Pos2; 2], picture: Rect, lines: [&str; 3]) {
    let colors = theme::of(ui);
    let [strong, weak] = [13.0, 12.0].map(egui::FontId::proportional);
    let [of, first, second] = lines;
    let of = cut(ui, of, NAME).into_owned();
    let of = painter.layout_no_wrap(of, weak.clone(), colors.text_weak);
    let first = painter.layout_no_wrap(first.to_owned(), strong, colors.text_strong);
    let second = painter.layout_no_wrap(second.to_owned(), weak, colors.text);
    let width = first.size().x.max(second.size().x).max(of.size().x);
    let height = of.size().y + first.size().y + second.size().y;
    let size = vec2(width + 16.0, height + 12.0);
    // On the side of the line where the legs are not.
    let across = (to - from).rot90();
    let across = match across {
        across if across == Vec2::ZERO => vec2(0.0, 1.0),
        across if (to.x - from.x) * (to.y - from.y) > 0.0 => -across.normalized(),
        across => across.normalized(),
    };
    let reach = across.x.abs() * size.x / 2.0 + across.y.abs() * size.y / 2.0 + ASIDE;
    let middle = from.lerp(to, 0.5) + across * reach;
    let room = picture.shrink2(size / 2.0 + Vec2::splat(4.0));
    let middle = if room.is_positive() { room.clamp(middle) } else { picture.center() };
    let card = Align2::CENTER_CENTER.anchor_size(middle, size);
    let edge = Stroke::new(1.0, colors.outline);
    painter.rect(card, 6.0, colors.card, edge, egui::StrokeKind::Inside);
    let at = card.min + vec2(8.0, 6.0);
    let under = of.size().y;
    painter.galley(at, of, colors.text_weak);
    let at = at + vec2(0.0, under);
    let below = at + vec2(0.0, first.size().y);
    painter.galley(at, first, colors.text_strong);
    painter.galley(below, second, colors.text);
}

#[cfg(test)]
mod tests {

    #[test]
    fn numbers_have_the_decimals_that_they_need_and_no_negative_zero() {
        for (pixels, wanted) in [
            (1234.56, "1235"),
            (123.456, "123.5"),
            (-12.345, "-12.3"),
            (1.234, "1.23"),
            (0.0, "0.00"),
            (-0.001, "0.00"),
        ] {
            assert_eq!(super::pixels(pixels), wanted);
        }
    }
}
