//! Cards over the picture: statistics of a frame, and the image that the selected mesh is drawn from.

use egui::{
    Align, Align2, AreaState, Grid, Id, Key, Label, Layout, Margin, Modifiers, Rect, RichText,
    Role, ScrollArea, Sense, Shape, Stroke, TextStyle, TextureId, Ui, Vec2, WidgetInfo, Window,
    WindowDrag, vec2,
};
use lucide_icons::Icon;

use pchr::document::{ImageId, MeshId};
use pchr::scene::Bake;

use super::pointer_and_wheel::{drag_of, zoom_of};
use super::widgets::{Look, WHOLE, action_button, cut, shown, weak};
use super::{Panels, edges};
use crate::viewer::action::{Action, ImageAction, InterfaceAction};
use crate::viewer::export_choices::InBytes;
use crate::viewer::focus::{self, Uses};
use crate::viewer::interface::PageZoom;
use crate::viewer::interface::narrow;
use crate::viewer::kept::Keep;
use crate::viewer::loaded::Source;
use crate::viewer::model::Model;
use crate::viewer::state::State;
use crate::viewer::switch::{ContentKind, Switch};
use crate::viewer::theme;

/// Costs of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Costs {
    /// Time of the window's thread per frame in milliseconds: mean and maximum of the last frames.
    pub cpu: [f64; 2],
    /// Time of the graphics adapter for the character in milliseconds, if it can be measured.
    pub gpu: Option<f64>,
    /// Frames in the last second that something was drawn in, per second.
    pub fps: Option<f64>,
    /// Those of the picture shown, while the statistics are.
    pub picture: Option<PictureCosts>,
}

/// Costs of a picture, by the names of `pchr-view bench`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PictureCosts {
    /// Milliseconds that the window's thread takes for each of [`STAGES`].
    pub stages: [f64; STAGES.len()],
    /// Draws of meshes, or of figures.
    pub draws: usize,
    /// Bytes of the posed frames that the figures of a crowd are drawn from.
    pub palette_bytes: Option<usize>,
    /// Mean layers of the pixels that are covered; `None` if they take too much work to be counted.
    pub overdraw: Option<f64>,
}

/// Stages of a picture: posing the bones, sorting the meshes, overlays and buffers, recording the commands.
const STAGES: [&str; 4] = ["Pose", "Order", "Prepare", "Draw"];

const FPS: &str = "Frames/s";
const ADAPTER: &str = "Adapter";

/// Width of the names in logical pixels.
const NAMES: f32 = 74.0;

/// Width of the statistics in logical pixels.
const WIDTH: f32 = 224.0;
/// Logical pixels between a card and the edges of the picture.
const SPACE: f32 = 12.0;
/// Logical pixels that frame and title take around the content of a card.
const AROUND: Vec2 = vec2(20.0, 46.0);
/// Logical pixels of the content at least.
const LEAST: f32 = 60.0;

/// Rectangles of messages over the picture, from above.
type Taken = [Option<Rect>; 3];

/// Draws the statistics in the upper right corner: below what takes `above` of the height, and clear of `taken`.
pub(super) fn statistics(
    ui: &Ui,
    (picture, above, taken): (Rect, f32, &Taken),
    state: &Panels<'_>,
) {
    let Some(model) = state.model() else { return };
    let mut room = inner(picture);
    room.min.y = (room.min.y + above).min(room.max.y - SPACE).max(room.min.y);
    let Some((window, free)) = card(ui, Switch::Hud, "Statistics", room, taken) else { return };
    let window = window.auto_sized().pivot(Align2::RIGHT_TOP);
    let window = window.fixed_pos(free.right_top());
    show(ui, Switch::Hud, window, state, |ui| {
        ui.set_width(WIDTH);
        // A low picture has no room for all of them.
        let most = (free.height() - AROUND.y).max(0.0);
        let area = ScrollArea::vertical().max_height(most).min_scrolled_height(most);
        let add = |ui: &mut Ui| lines(ui, state, model);
        edges::scrolled_by_keys(ui, "Lines of the statistics", area, add);
    });
}

pub(super) fn id(switch: Switch) -> Id {
    Id::unique(("card", switch))
}

/// Returns the window of a card and its room: the part of `room` that is clear of what is taken. `None` if too little is left.
fn card(
    ui: &Ui,
    switch: Switch,
    title: &str,
    room: Rect,
    taken: &Taken,
) -> Option<(Window<'static>, Rect)> {
    let before = AreaState::load(ui.ctx(), id(switch)).map(|area| area.rect());
    let free = clear(room, before.unwrap_or(room), taken)?;
    let colors = theme::of(ui);
    let frame = theme::card(colors, 8).fill(colors.floating()).inner_margin(9);
    let title = RichText::new(title).text_style(TextStyle::Body);
    let window = Window::new(title.color(colors.text))
        .id(id(switch))
        .collapsible(false)
        .constrain_to(free)
        .frame(frame)
        .title_frame(frame.inner_margin(Margin::symmetric(9, 4)));
    Some((window, free))
}

/// Shows the window of a card. Its button closes it, and so does Escape in it.
fn show(ui: &Ui, switch: Switch, card: Window<'_>, state: &Panels<'_>, add: impl FnOnce(&mut Ui)) {
    let mut open = true;
    let shown = card.open(&mut open).show(ui.ctx(), add);
    let is_left = shown.is_some_and(|shown| focus::leaves(ui.ctx(), shown.response.layer_id));
    state.push_if(!open || is_left, Action::Toggle(switch));
}

/// Returns the room for cards within a picture.
fn inner(picture: Rect) -> Rect {
    let shrunk = picture.shrink(SPACE);
    if shrunk.is_positive() { shrunk } else { picture }
}

/// Returns the part of `room` for a card that would lie at `card`, clear of what is taken above and below; `None` if too
/// little is left.
fn clear(room: Rect, card: Rect, taken: &Taken) -> Option<Rect> {
    let mut free = room;
    for taken in taken.iter().flatten() {
        if !taken.x_range().expand(SPACE).intersects(card.x_range()) {
            continue;
        }
        if taken.center().y <= room.center().y {
            free.min.y = free.min.y.max(taken.bottom() + SPACE);
        } else {
            free.max.y = free.max.y.min(taken.top() - SPACE);
        }
    }
    (free == room || free.height() >= AROUND.y + LEAST).then_some(free)
}

fn lines(ui: &mut Ui, state: &Panels<'_>, model: &Model) {
    let subject = model.subject();
    let draws = model.frame().draws();
    let drawn = |of: fn(&pchr::document::Mesh<'_>) -> usize| -> usize {
        let meshes = draws.iter().filter_map(|draw| subject.mesh(draw.mesh));
        meshes.map(|mesh| of(&mesh)).sum()
    };
    let [mean, most] = state.around.costs.cpu;
    let bytes = subject.file().bytes;
    let gpu = match state.around.costs.gpu {
        Some(ms) => format!("{ms:.2} ms"),
        None => "not measured here".into(),
    };
    // Frames drawn only for panels are not counted.
    let moves = state.until_change().is_some();
    let fps = match state.around.costs.fps.filter(|_| moves) {
        Some(fps) => format!("{fps:.0}"),
        None if moves => "–".into(),
        None => "paused".into(),
    };
    let is_atlas = model.kind() == ContentKind::Atlas;
    let of_picture = state.around.costs.picture.unwrap_or_default();
    let overdraw = of_picture.overdraw.map(|mean| format!("{mean:.2} layers"));
    let mut rows = vec![(FPS, fps), ("CPU", format!("{mean:.2} ms, peak {most:.2}"))];
    let stages = STAGES.into_iter().zip(of_picture.stages);
    rows.extend(stages.map(|(name, time)| (name, format!("{time:.3} ms"))));
    let figures = model.loaded().instances().count;
    let each = if figures > 1 { "a figure" } else { "drawn" };
    if figures > 1 {
        rows.push(("Figures", figures.to_string()));
    }
    rows.extend([
        ("GPU", gpu),
        (ADAPTER, state.around.adapter.clone()),
        ("Draws", of_picture.draws.to_string()),
        ("Overdraw", overdraw.unwrap_or_else(|| "–".into())),
        (if is_atlas { "Sprites" } else { "Meshes" }, format!("{} drawn", draws.len())),
        ("Vertices", format!("{} {each}", drawn(|mesh| mesh.vertex_count()))),
        ("Triangles", format!("{} {each}", drawn(|mesh| mesh.index_count() / 3))),
        ("Bones", subject.bone_count().to_string()),
        ("File", InBytes(bytes).to_string()),
        ("Textures", InBytes(model.image_bytes()).to_string()),
    ]);
    if let Some(bytes) = of_picture.palette_bytes {
        let [bytes, most] = [bytes, Bake::MOST_BYTES].map(|bytes| InBytes(bytes as u64));
        rows.push(("Palettes", format!("{bytes} of {most}")));
    }
    ui.spacing_mut().interact_size.y = 16.0;
    let grid = Grid::new("statistics").num_columns(2).min_col_width(NAMES).spacing([8.0, 2.0]);
    grid.show(ui, |ui| {
        let shown = rows.into_iter().filter(|(name, _)| match model.kind() {
            ContentKind::Character => true,
            ContentKind::Atlas => *name != "Bones",
            ContentKind::Motion => {
                matches!(*name, FPS | "CPU" | "GPU" | ADAPTER | "Bones" | "File")
                    || STAGES.contains(name)
            }
        });
        for (name, value) in shown {
            ui.label(weak(ui, name));
            let room = WIDTH - NAMES - 8.0;
            let text = RichText::new(cut(ui, &value, room)).color(theme::of(ui).text);
            let label = ui.add(Label::new(text));
            label.widget_info(|| WidgetInfo::labeled(Role::Label, true, &value));
            if name == ADAPTER {
                label.on_hover_text(&value);
            }
            ui.end_row();
        }
    });
}

/// Logical pixels of the image's longer side, at least and at most, before the card is resized.
const SIDES: [f32; 2] = [100.0, 420.0];
/// Size of a card without an image.
const EMPTY: Vec2 = vec2(220.0, 40.0);
/// Height of the line about the image in logical pixels.
const LINE: f32 = 24.0;
/// Zoom factor of a key.
const STEP: f32 = 1.25;

/// Draws the card of the atlas page, at first in the upper left corner, clear of `taken`.
pub(super) fn atlas_page(ui: &Ui, (picture, taken): (Rect, &Taken), state: &Panels<'_>) {
    let Some(model) = state.model() else { return };
    let room = inner(picture);
    let title = title(state, model);
    let Some((window, _)) = card(ui, Switch::Atlas, &title, room, taken) else { return };
    // If only the title could be dragged, it would be a control without a name.
    let window = window
        .drag_area(WindowDrag::Anywhere)
        .default_pos(room.min)
        .default_size(usual_size(picture, state, model) + AROUND + vec2(0.0, LINE))
        .min_size(AROUND + Vec2::splat(LEAST));
    if let Some(area) = AreaState::load(ui.ctx(), id(Switch::Atlas)) {
        keep_area(ui, state, area.rect());
    }
    show(ui, Switch::Atlas, window, state, |ui| {
        match (state.chosen_mesh(), state.image_shown(), state.around.atlas) {
            (Some(mesh), Some(image), Some(texture)) => {
                let size = vec2(ui.available_width(), LINE - ui.spacing().item_spacing.y);
                let layout = Layout::right_to_left(Align::Center);
                ui.allocate_ui_with_layout(size, layout, |ui| {
                    replacing(ui, model, image, state);
                    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                        if let Some(text) = replaced_by(model, image) {
                            let text = RichText::new(text).small().color(theme::of(ui).accent);
                            ui.add(Label::new(text).truncate());
                        }
                    });
                });
                page(ui, state, model, mesh, texture);
            }
            _ => {
                let text = state.kind().words("Select a mesh to see its image");
                ui.label(RichText::new(text).color(theme::of(ui).text_weak));
                ui.allocate_space(ui.available_size());
            }
        }
    });
}

/// Keeps the place where a dropped picture replaces the image.
pub(super) fn keep_area(ui: &Ui, state: &Panels<'_>, area: Rect) {
    let area = area * ui.pixels_per_point();
    state.push_if(state.kept().image_area != Some(area), Keep::ImageArea(Some(area)));
}

/// Adds the buttons that replace the image shown, and that take this back.
pub(super) fn replacing(ui: &mut Ui, model: &Model, image: ImageId, state: &Panels<'_>) {
    let is_replaced = model.loaded().picture_of(image).is_some();
    let original = (Icon::RotateCcw, ImageAction::Original, "");
    let more = "A PNG file of any size. You can also drop one here.";
    let replace = (Icon::ImageUp, ImageAction::Ask, more);
    for (icon, action, more) in [replace].into_iter().chain(is_replaced.then_some(original)) {
        action_button(ui, (icon, Look::SMALL), ("", more), Action::Image(action), state);
    }
}

/// Returns the name and the size of the picture in place of an image, if there is one.
pub(super) fn replaced_by(model: &Model, image: ImageId) -> Option<String> {
    let path = model.loaded().picture_of(image)?;
    let base = model.images().get(image.index())?.base();
    let name = Source::File(path.to_owned()).name();
    Some(format!("Replaced by {name}, {} × {}", base.width, base.height))
}

/// Returns the size of the content at first, at which the image fits the picture.
fn usual_size(picture: Rect, state: &State, model: &Model) -> Vec2 {
    let Some(image) = image_size(state, model) else { return EMPTY };
    let [least, limit] = SIDES;
    let side = (picture.size().min_elem() * 0.55).clamp(least, limit);
    image * (side / image.max_elem())
}

/// Returns the size in texels of the image that is shown, or of the picture in its place.
fn image_size(state: &State, model: &Model) -> Option<Vec2> {
    let subject = model.subject();
    let id = subject.mesh(state.chosen_mesh()?)?.image();
    let image = subject.image(id)?;
    let picture = model.loaded().picture_of(id).and_then(|_| model.images().get(id.index()));
    let [width, height] = match picture.map(|levels| levels.base()) {
        Some(base) => [base.width, base.height].map(|side| narrow(side.max(1).into())),
        None => [image.width(), image.height()].map(|side| f32::from(side.max(1))),
    };
    Some(vec2(width, height))
}

fn title(state: &State, model: &Model) -> String {
    let subject = model.subject();
    let mesh = state.chosen_mesh().and_then(|id| subject.mesh(id));
    let title = mesh.and_then(|mesh| {
        let image = subject.image(mesh.image())?;
        let (width, height) = (image.width(), image.height());
        Some(format!("{} on {}, {width} × {height}", shown(mesh.name()), shown(image.name())))
    });
    title.unwrap_or_else(|| "Atlas page".to_owned())
}

/// Draws the image, as far as it is in sight. While it has the keyboard focus, + and − zoom it, and Home shows all of it.
fn page(ui: &mut Ui, state: &Panels<'_>, model: &Model, id: MeshId, texture: TextureId) {
    let subject = model.subject();
    let Some(mesh) = subject.mesh(id) else { return };
    let Some(image) = subject.image(mesh.image()) else { return };
    let texels = image_size(state, model).unwrap_or(Vec2::splat(1.0));
    let size = ui.available_size().max(Vec2::splat(1.0));
    let fitted = texels * (size / texels).min_elem();
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    focus::uses(ui.ctx(), response.id, Uses::Zoom);
    let label =
        format!("Image {} with the triangles of {}", shown(image.name()), shown(mesh.name()));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, &label));
    // Another image is shown whole at first.
    let now = (model.serial(), mesh.image());
    let before = state.kept().card_image;
    state.push_if(before != Some(now), Keep::CardImage(Some(now)));
    let kept = state.interface().page;
    let mut zoom = match before {
        Some(before) if before != now => PageZoom::default(),
        _ => kept,
    };
    let (steps, is_home) = if response.has_focus() { zoom_pressed(ui) } else { (0.0, false) };
    if is_home || response.double_clicked() {
        zoom = PageZoom::default();
    }
    zoom = zoom.zoomed(STEP.powf(steps), rect.center(), rect, fitted);
    if let Some(drag) = drag_of(ui, state, &response) {
        zoom = zoom.panned(drag.by, rect, fitted);
        ui.ctx().set_cursor_icon(egui::CursorIcon::Grabbing);
    }
    if let Some(pointer) = response.hover_pos() {
        let factor = narrow(zoom_of(ui));
        if factor != 1.0 {
            zoom = zoom.zoomed(factor, pointer, rect, fitted);
        }
    }
    state.push_if(zoom != kept, InterfaceAction::PageZoom(zoom));
    let painter = ui.painter().with_clip_rect(rect.expand(1.0));
    painter.rect_filled(rect, 0.0, theme::of(ui).well);
    let painter = ui.painter().with_clip_rect(rect);
    let shown = zoom.image(rect, fitted);
    painter.image(texture, shown, WHOLE, egui::Color32::WHITE);
    let at: Vec<egui::Pos2> =
        mesh.vertices().map(|vertex| shown.min + Vec2::from(vertex.uv) * shown.size()).collect();
    let line = Stroke::new(1.0, theme::of(ui).accent);
    let indices: Vec<u16> = mesh.indices().collect();
    for triangle in indices.chunks_exact(3) {
        let corners = triangle.iter().filter_map(|i| at.get(usize::from(*i)).copied());
        painter.add(Shape::closed_line(corners.collect(), line));
    }
}

/// Takes the keys that zoom out of the input. Returns the steps, and true if everything is to be shown.
fn zoom_pressed(ui: &Ui) -> (f32, bool) {
    ui.input_mut(|input| {
        let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
        let step = |is_pressed| f32::from(u8::from(is_pressed));
        let larger = step(pressed(Key::Plus) | pressed(Key::Equals));
        (larger - step(pressed(Key::Minus)), pressed(Key::Home))
    })
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    #[test]
    fn a_card_lies_clear_of_messages_above_and_below_or_not_at_all() {
        let room = Rect::from_min_max(pos2(0.0, 0.0), pos2(500.0, 400.0));
        let card = Rect::from_min_max(pos2(300.0, 0.0), pos2(500.0, 200.0));
        let bar = |top, bottom| Some(Rect::from_min_max(pos2(0.0, top), pos2(320.0, bottom)));
        let free = clear(room, card, &[None, bar(0.0, 100.0), bar(350.0, 400.0)]).unwrap();
        assert_eq!((free.top(), free.bottom()), (112.0, 338.0));
        assert_eq!(clear(room, card, &[None, bar(0.0, 320.0), None]), None);
        // Nothing beside it is occupied.
        let beside = clear(room, card.translate(vec2(40.0, 0.0)), &[None, bar(0.0, 320.0), None]);
        assert_eq!(beside, Some(room));
    }
}
