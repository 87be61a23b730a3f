//! The page view: a page of the atlas with the places of all its sprites, beside the picture.

mod paint;

use egui::{
    Align, Button, ComboBox, CursorIcon, Frame, Layout, Margin, Panel, Rect, Response, RichText,
    Sense, Ui, Vec2,
};
use lucide_icons::Icon;

pub(super) use paint::color_of;

use pchr::document::{ImageId, MeshId};
use pchr::finding::counted;
use pchr_foreign::atlas::Sprite;
use pchr_foreign::sheet::atlas_of;

use self::paint::Painting;
use super::edges::{Edge, Side};
use super::menu::combo;
use super::pointer_and_wheel::{drag_of, released_at, zoom_of};
use super::widgets::{ACTUAL_SIZE, Look, action_button, shown, small_button, weak};
use super::{Panels, cards, pointer_and_wheel};
use crate::viewer::action::{Action, CameraAction, PageAction};
use crate::viewer::interface::pixel;
use crate::viewer::model::Model;
use crate::viewer::sprites::{PageFacts, SpriteList};
use crate::viewer::state::{PageView, State};
use crate::viewer::switch::Switch;
use crate::viewer::theme;

/// Logical pixels that the picture keeps.
const PICTURE: f32 = 200.0;

/// Lays the page view out beside the picture, or above it where that is higher than wide.
pub(super) fn ui(
    ui: &mut Ui,
    state: &Panels<'_>,
    model: &Model,
    (sprites, view): (&SpriteList, &PageView),
) {
    let room = ui.available_size();
    let side = room.x >= room.y;
    let length = if side { room.x } else { room.y };
    let (panel, name, at) = match side {
        true => (Panel::left("page beside"), "page beside", Side::Left),
        false => (Panel::top("page above"), "page above", Side::Top),
    };
    let usual = (length * 0.5).min(640.0);
    let most = (length - PICTURE).max(PICTURE.min(length * 0.5));
    panel
        .resizable(true)
        .default_size(usual)
        .size_range(PICTURE.min(most)..=most)
        .frame(Frame::new().fill(theme::of(ui).panel))
        .show(ui, |ui| {
            let Some(page) = sprites.pages.get(view.image.index()) else { return };
            bar(ui, |ui| head(ui, state, model, (sprites, view)));
            let foot = ui.available_height() - FOOT;
            let size = Vec2::new(ui.available_width(), foot.max(40.0));
            let (rect, response) = ui.allocate_exact_size(size, Sense::CLICK | Sense::DRAG);
            let name = image_name(model, view.image);
            response.widget_info(|| {
                let label = format!("Page {name}");
                egui::WidgetInfo::labeled(egui::Role::Image, true, label)
            });
            cards::keep_area(ui, state, rect);
            let texture = state.around.atlas;
            Painting { state, model, page, view, texture, rect, name: &name }.ui(ui);
            pointer(ui, state, view, &response);
            bar(ui, |ui| below(ui, state, model, view, page));
        });
    Edge { panel: name, name: "Edge of the atlas page", side: at, usual }.keys(ui);
}

fn image_name(model: &Model, id: ImageId) -> String {
    model.subject().image(id).map_or_else(String::new, |image| shown(image.name()))
}

/// Facts about a sprite at a glance.
pub(super) fn sprite_in_words(model: &Model, mesh: MeshId) -> String {
    let subject = model.subject();
    let Some(atlas) = atlas_of(subject) else { return String::new() };
    let Some((name, sprite)) = atlas.sprites.get_index(mesh.index()) else { return String::new() };
    let mut lines = vec![shown(name)];
    lines.push(format!("{} on page {}", place(sprite), sprite.page));
    lines.extend(sprite.trim.map(|trim| {
        let ([width, height], [x, y]) = (trim.source, trim.offset);
        format!("Trimmed from {width} × {height}, lies at {x}, {y}")
    }));
    if sprite.rotated {
        lines.push("Rotated on the page".into());
    }
    let original = sprite.alias_of.and_then(|index| atlas.sprites.get_index(index as usize));
    if let Some((original, _)) = original {
        lines.push(format!("Alias of {}", shown(original)));
    }
    lines.join("\n")
}

/// Size and place on the page.
pub(super) fn place(sprite: &Sprite) -> String {
    let rect = sprite.rect;
    let (x, y, width, height) = (rect.x, rect.y, rect.width, rect.height);
    format!("{width} × {height} at {x}, {y}")
}

/// Height of a line of facts.
const FOOT: f32 = 28.0;

fn bar(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let margin = Margin::symmetric(8, 2);
    Frame::new().inner_margin(margin).show(ui, |ui| {
        ui.set_height(FOOT - 4.0);
        ui.horizontal_centered(|ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            add(ui);
        });
    });
}

fn head(ui: &mut Ui, state: &Panels<'_>, model: &Model, (sprites, view): (&SpriteList, &PageView)) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let close = Action::Toggle(Switch::Atlas);
        action_button(ui, (Icon::X, Look::SMALL), ("Close the page", ""), close, state);
        for (icon, name, action) in [
            (ACTUAL_SIZE, "Page at actual size, 100 %", CameraAction::ActualSize),
            (Icon::Expand, "Whole page", CameraAction::Fit),
        ] {
            small_button(ui, icon, (name, name), PageAction::Camera(action), state);
        }
        cards::replacing(ui, model, view.image, state);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            if sprites.pages.len() > 1 {
                chooser(ui, state, model, sprites, view);
            } else {
                let name = image_name(model, view.image);
                let name = RichText::new(name).color(theme::of(ui).text);
                ui.add(egui::Label::new(name).truncate());
            }
        });
    });
}

fn chooser(ui: &mut Ui, state: &Panels<'_>, model: &Model, sprites: &SpriteList, view: &PageView) {
    let name = |id: ImageId| format!("{} · {}", id.0, image_name(model, id));
    let chosen = name(view.image);
    let width = (ui.available_width() - 8.0).clamp(60.0, 260.0);
    let list = ComboBox::from_id_salt("page").width(width).truncate();
    combo(ui, state, list, ("Page", &chosen), |ui, menu| {
        for (id, page) in (0..=u16::MAX).map(ImageId).zip(&sprites.pages) {
            let more =
                if page.missing { "missing".to_owned() } else { format!("{:.1} %", page.fill()) };
            let name = name(id);
            let is_shown = view.image == id;
            let button = Button::selectable(is_shown, name.as_str()).right_text(weak(ui, more));
            let response = menu.add(ui, &name, is_shown, button);
            let is_chosen = response.is_some_and(|response| response.clicked());
            state.push_if(is_chosen, PageAction::Show(id));
        }
    });
}

/// Zooms, pans and chooses.
fn pointer(ui: &Ui, state: &Panels<'_>, view: &PageView, response: &Response) {
    let scale = ui.pixels_per_point();
    let rect = response.rect;
    let size = [rect.width(), rect.height()].map(|side| pixel(side * scale));
    let drag = drag_of(ui, state, response);
    let camera = |action| state.push(PageAction::Camera(action));
    if size != view.size() {
        camera(CameraAction::Viewport(size));
    }
    let at = |pos: egui::Pos2| pointer_and_wheel::on_screen(rect.min, pos, scale);
    if let Some(drag) = drag {
        let by = drag.by * scale;
        if by != Vec2::ZERO {
            camera(CameraAction::Pan([by.x.into(), by.y.into()]));
        }
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    }
    let pointer = response.hover_pos().map(at);
    let before = view.pointer();
    if pointer != before {
        camera(CameraAction::Point(pointer));
    }
    if let Some(pointer) = pointer {
        let factor = zoom_of(ui);
        if factor != 1.0 {
            camera(CameraAction::Zoom(factor, pointer));
        }
    }
    if response.double_clicked() {
        camera(CameraAction::Fit);
    } else if response.clicked()
        && let Some(pos) = released_at(ui).or_else(|| response.interact_pointer_pos())
    {
        state.push(PageAction::Pick(at(pos)));
    }
    let Some(under) = view.pointed_at().filter(|_| response.hovered()) else { return };
    if let (Some(mesh), Some(model)) = (state.sprites_at(under).first(), state.model()) {
        let words = sprite_in_words(model, *mesh);
        response.clone().on_hover_text_at_pointer(words);
    }
}

/// The sprite under the pointer, else what there is on the page.
fn below(ui: &mut Ui, state: &State, model: &Model, view: &PageView, page: &PageFacts) {
    let colors = theme::of(ui);
    let under = view.pointed_at().map(|at| state.sprites_at(at));
    let name = |mesh| model.subject().mesh(mesh).map_or("", |mesh| mesh.name());
    let text = match under.as_deref() {
        Some([mesh, others @ ..]) => {
            let more = match others.len() {
                0 => String::new(),
                more => format!("  and {more} more"),
            };
            RichText::new(format!("{}{more}", shown(name(*mesh)))).color(colors.text)
        }
        _ => {
            let [width, height] = page.size;
            let replaced = cards::replaced_by(model, view.image);
            let mut facts: Vec<_> = replaced.into_iter().collect();
            facts.extend([
                format!("{:.1} % used", page.fill()),
                format!("{width} × {height}"),
                counted(page.sprites.len(), "place", "places"),
            ]);
            if !page.blocks.is_empty() {
                facts.push(counted(page.blocks.len(), "block", "blocks"));
            }
            weak(ui, facts.join("  ·  "))
        }
    };
    ui.add(egui::Label::new(text).truncate());
}

/// The part of the page view that a rectangle of the page covers.
fn on_screen(view: &PageView, rect: Rect, scale: f32, edges: [i64; 4]) -> Rect {
    #[expect(clippy::cast_precision_loss, reason = "edges are 33 bit numbers")]
    let [left, top, right, bottom] = edges.map(|edge| edge as f64);
    let camera = view.camera();
    let [width, height] = view.size().map(|side| f64::from(side) / 2.0);
    let place = |x: f64, y: f64| {
        let x = (x - camera.center[0]) * camera.zoom + width;
        let y = (y - camera.center[1]) * camera.zoom + height;
        let [x, y] = [x, y].map(crate::viewer::interface::narrow);
        rect.min + Vec2::new(x, y) / scale
    };
    Rect::from_min_max(place(left, top), place(right, bottom))
}
