//! Cards over the picture: statistics of a frame, and the image that the selected mesh is drawn from.

use egui::{
    Grid, Label, Rect, RichText, Role, ScrollArea, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo,
    pos2, vec2,
};

use pchr::document::MeshId;

use super::floating::{AROUND, Floating, Pressed, SPACE, TakenRects, WIDTH, clear, inner, within};
use super::picture::ZOOM_PER_POINT;
use super::widgets::cut;
use super::words::fit;
use super::words::shown;
use super::{Surroundings, edges, pointer};
use crate::viewer::action::{Action, InterfaceAction};
use crate::viewer::interface::{Card, PageZoom};
use crate::viewer::kept::Keep;
use crate::viewer::model::Model;
use crate::viewer::rounding::narrow;
use crate::viewer::state::State;
use crate::viewer::switch::Kind;
use crate::viewer::switch::Switch;
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
}

const FPS: &str = "Frames/s";
const ADAPTER: &str = "Adapter";

/// Width of the names in logical pixels.
const NAMES: f32 = 74.0;

/// Draws the statistics: below what takes `above` of the height in the upper right corner, and clear of `taken`. Returns their
/// rectangle; `None` if there is no room left.
pub(super) fn statistics(
    ui: &Ui,
    (picture, above, taken): (Rect, f32, &TakenRects),
    (state, model): (&State, &Model),
    around: &Surroundings,
    actions: &mut Vec<Action>,
) -> Option<Rect> {
    let place = state.interface().place(Card::Statistics);
    let mut room = inner(picture);
    if place == Card::Statistics.usual() {
        room.min.y = (room.min.y + above).min(room.max.y - SPACE).max(room.min.y);
    }
    let usual = vec2(WIDTH + AROUND.x, AROUND.y);
    let free = clear(room, place.rect(usual, room), taken)?;
    let floating = Floating {
        state,
        card: Card::Statistics,
        title: "Statistics",
        close: "Close the statistics",
        switch: Switch::Hud,
        place,
        room,
        free,
        content: None,
        picture,
    };
    let shown = floating.show(ui, actions, |ui, _, _| {
        ui.set_width(WIDTH);
        // A low picture has no room for all of them.
        let most = (free.height() - AROUND.y).max(0.0);
        let area = ScrollArea::vertical()
            .max_height(most)
            .min_scrolled_height(most);
        let add = |ui: &mut Ui| lines(ui, (state, model), around);
        edges::scrolled_by_keys(ui, "Lines of the statistics", area, add);
    });
    Some(shown)
}

fn lines(ui: &mut Ui, (state, model): (&State, &Model), around: &Surroundings) {
    let subject = model.subject();
    let draws = model.draws();
    let drawn = |of: fn(&pchr::document::Mesh<'_>) -> usize| -> usize {
        let meshes = draws.iter().filter_map(|draw| subject.mesh(draw.mesh));
        meshes.map(|mesh| of(&mesh)).sum()
    };
    let runs = 1 + draws
        .windows(2)
        .filter(|pair| matches!(pair, [a, b] if a.image != b.image))
        .count();
    let runs = if draws.is_empty() { 0 } else { runs };
    let [mean, most] = around.costs.cpu;
    let bytes = subject.file().bytes;
    let gpu = match around.costs.gpu {
        Some(ms) => format!("{ms:.2} ms"),
        None => "not measured here".into(),
    };
    // Frames drawn only for panels are not counted.
    let moves = state.until_change().is_some();
    let fps = match around.costs.fps.filter(|_| moves) {
        Some(fps) => format!("{fps:.0}"),
        None if moves => "–".into(),
        None => "paused".into(),
    };
    let is_atlas = model.kind() == Kind::Atlas;
    let rows = [
        (FPS, fps),
        ("CPU", format!("{mean:.2} ms, peak {most:.2}")),
        ("GPU", gpu),
        (ADAPTER, around.adapter.clone()),
        ("Draw calls", runs.to_string()),
        (
            if is_atlas { "Sprites" } else { "Meshes" },
            format!("{} drawn", draws.len()),
        ),
        ("Vertices", drawn(|mesh| mesh.vertex_count()).to_string()),
        (
            "Triangles",
            drawn(|mesh| mesh.index_count() / 3).to_string(),
        ),
        ("Bones", subject.bone_count().to_string()),
        ("File", in_bytes(bytes)),
        ("Images", in_bytes(model.image_bytes())),
    ];
    ui.spacing_mut().interact_size.y = 16.0;
    Grid::new("statistics")
        .num_columns(2)
        .min_col_width(NAMES)
        .spacing([8.0, 2.0])
        .show(ui, |ui| {
            let shown = rows.into_iter().filter(|(name, _)| match model.kind() {
                Kind::Character => true,
                Kind::Atlas => *name != "Bones",
                Kind::Motion => {
                    matches!(*name, FPS | "CPU" | "GPU" | ADAPTER | "Bones" | "File")
                }
            });
            for (name, value) in shown {
                ui.label(RichText::new(name).small().color(theme::of(ui).text_weak));
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

/// Formats a number of bytes in the largest unit in which it is at least 1.
fn in_bytes(bytes: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1_000)];
    let unit = UNITS.iter().find(|(_, size)| bytes >= *size);
    match unit {
        Some((name, size)) => {
            let tenths = bytes.saturating_mul(10) / size;
            format!("{}.{} {name}", tenths / 10, tenths % 10)
        }
        None => format!("{bytes} bytes"),
    }
}

/// Logical pixels of the image's longer side, at least and at most, while the card has its own size.
const SIDES: [f32; 2] = [100.0, 420.0];
/// Size of a card without an image.
const EMPTY: Vec2 = vec2(220.0, 40.0);
/// Zoom factor of a key.
const STEP: f32 = 1.25;

/// Draws the card, clear of `taken` if there is room. `statistics` is the rectangle of the other card.
pub(super) fn atlas_page(
    ui: &Ui,
    (picture, statistics, taken): (Rect, Option<Rect>, &TakenRects),
    (state, model): (&State, &Model),
    around: &Surroundings,
    actions: &mut Vec<Action>,
) {
    let place = state.interface().place(Card::Atlas);
    let content = |room: Rect| size(picture, room, state, model);
    let mut room = inner(picture);
    let usual = place.rect(content(room) + AROUND, room);
    let Some(mut free) = clear(room, usual, taken) else {
        return;
    };
    let at = within(place.rect(content(free) + AROUND, room), free);
    // If both are docked at the same place, the statistics come first.
    let covered = statistics.filter(|_| place.is_docked());
    if let Some(statistics) = covered.filter(|statistics| statistics.intersects(at)) {
        room = beside(free, statistics);
        free = room;
    }
    let floating = Floating {
        state,
        card: Card::Atlas,
        title: &title(state, model),
        close: "Close the atlas page",
        switch: Switch::Atlas,
        place,
        room,
        free,
        content: Some(content(free)),
        picture,
    };
    floating.show(ui, actions, |ui, pressed, actions| {
        match (state.chosen_mesh(), around.atlas) {
            (Some(mesh), Some(texture)) => {
                let size = content(free);
                page(ui, (state, model), (mesh, texture), size, pressed, actions);
            }
            _ => {
                let text = fit(ui, "Select a mesh to see its image");
                ui.label(RichText::new(text).color(theme::of(ui).text_weak));
            }
        }
    });
}

/// Returns the larger part of the room beside or below the statistics.
fn beside(room: Rect, statistics: Rect) -> Rect {
    let parts = [
        room.with_max_x(statistics.left() - SPACE),
        room.with_min_y(statistics.bottom() + SPACE),
        room.with_min_x(statistics.right() + SPACE),
        room.with_max_y(statistics.top() - SPACE),
    ];
    let side = |part: &Rect| part.size().min_elem();
    let largest = |a: &Rect, b: &Rect| side(a).total_cmp(&side(b));
    let [least, _] = SIDES;
    // People look for the card on the left.
    let left = parts
        .first()
        .filter(|left| left.width() >= least + AROUND.x);
    let best = parts.iter().copied().max_by(largest);
    left.copied().or(best).unwrap_or(room)
}

/// Returns the size of the content: the chosen size, or one at which the image fits the picture.
fn size(picture: Rect, room: Rect, state: &State, model: &Model) -> Vec2 {
    let most = (room.size() - AROUND).max(Vec2::splat(1.0));
    let place = state.interface().place(Card::Atlas);
    if let Some([width, height]) = place.size {
        return vec2(width, height).min(most);
    }
    let Some(image) = image_size(state, model) else {
        return EMPTY.min(most);
    };
    let [least, limit] = SIDES;
    let side = (picture.size().min_elem() * 0.55).clamp(least, limit);
    let fitted = image * (side / image.max_elem());
    fitted * (most / fitted).min_elem().min(1.0)
}

/// Returns the size in texels of the image that is shown.
fn image_size(state: &State, model: &Model) -> Option<Vec2> {
    let subject = model.subject();
    let mesh = subject.mesh(state.chosen_mesh()?)?;
    let image = subject.image(mesh.image())?;
    let [width, height] = [image.width(), image.height()].map(|side| f32::from(side.max(1)));
    Some(vec2(width, height))
}

fn title(state: &State, model: &Model) -> String {
    let subject = model.subject();
    let mesh = state.chosen_mesh().and_then(|id| subject.mesh(id));
    let image = mesh.as_ref().and_then(|mesh| subject.image(mesh.image()));
    match (&mesh, &image) {
        (Some(mesh), Some(image)) => format!(
            "{} on {}, {} × {}",
            shown(mesh.name()),
            shown(image.name()),
            image.width(),
            image.height()
        ),
        _ => "Atlas page".into(),
    }
}

/// Draws the image, as far as it is in sight.
fn page(
    ui: &mut Ui,
    (state, model): (&State, &Model),
    (id, texture): (MeshId, egui::TextureId),
    size: Vec2,
    pressed: Pressed,
    actions: &mut Vec<Action>,
) {
    let subject = model.subject();
    let Some((mesh, image)) = subject
        .mesh(id)
        .and_then(|mesh| Some((mesh, subject.image(mesh.image())?)))
    else {
        return;
    };
    let texels = image_size(state, model).unwrap_or(Vec2::splat(1.0));
    let fitted = texels * (size / texels).min_elem();
    let (rect, response) = ui.allocate_exact_size(size, Sense::CLICK | Sense::DRAG);
    let label = format!(
        "Image {} with the triangles of {}",
        shown(image.name()),
        shown(mesh.name())
    );
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, &label));
    // Another image is shown whole at first.
    let now = (model.serial(), mesh.image());
    let before = state.kept().card_image;
    if before != Some(now) {
        actions.push(Action::Keep(Keep::CardImage(now)));
    }
    let kept = state.interface().page;
    let mut zoom = match before {
        Some(before) if before != now => PageZoom::default(),
        _ => kept,
    };
    if pressed.home || response.double_clicked() {
        zoom = PageZoom::default();
    }
    zoom = zoom.zoomed(STEP.powf(pressed.zoom), rect.center(), rect, fitted);
    if let Some(drag) = pointer::drag_of(ui, state, &response, actions) {
        zoom = zoom.panned(drag.by, rect, fitted);
        ui.ctx().set_cursor_icon(egui::CursorIcon::Grabbing);
    }
    if let Some(pointer) = response.hover_pos() {
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        let factor = narrow((f64::from(scroll) * ZOOM_PER_POINT).exp()) * pinch;
        if factor != 1.0 {
            zoom = zoom.zoomed(factor, pointer, rect, fitted);
        }
    }
    if zoom != kept {
        actions.push(Action::Interface(InterfaceAction::PageZoom(zoom)));
    }
    let painter = ui.painter().with_clip_rect(rect.expand(1.0));
    painter.rect_filled(rect, 0.0, theme::of(ui).well);
    let painter = ui.painter().with_clip_rect(rect);
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    let shown = zoom.image(rect, fitted);
    painter.image(texture, shown, whole, egui::Color32::WHITE);
    let at: Vec<egui::Pos2> = mesh
        .vertices()
        .map(|vertex| shown.min + Vec2::from(vertex.uv) * shown.size())
        .collect();
    let line = Stroke::new(1.0, theme::of(ui).accent);
    let indices: Vec<u16> = mesh.indices().collect();
    for triangle in indices.chunks_exact(3) {
        let corners = triangle
            .iter()
            .filter_map(|i| at.get(usize::from(*i)).copied());
        painter.add(Shape::closed_line(corners.collect(), line));
    }
}
