//! The image that the chosen mesh is drawn from, with the mesh's triangles upon it.

use egui::{
    Align2, Area, Frame, Margin, Order, Rect, RichText, Sense, Shape, Stroke, Ui, pos2, vec2,
};

use super::Surroundings;
use super::animation::shown;
use super::icons::Icon;
use super::widgets::{Look, icon_button, tip};
use super::words::fit;
use crate::document::MeshId;
use crate::viewer::action::Action;
use crate::viewer::model::Model;
use crate::viewer::state::State;
use crate::viewer::switch::Switch;
use crate::viewer::theme;

/// Logical pixels of the image's longer side, at least and at most.
const SIDES: [f32; 2] = [100.0, 420.0];
/// Space around the card.
const SPACE: f32 = 12.0;
/// Space around the image, within the card.
const WITHIN: f32 = 10.0;

/// Place of the card on the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    rect: Rect,
    /// Wished length of the image's longer side.
    side: f32,
}

impl Room {
    pub(super) fn of(picture: Rect) -> Self {
        Self {
            rect: picture,
            side: picture.size().min_elem() * 0.55,
        }
    }

    /// The same beside the statistics, or below them where that is too narrow.
    pub(super) fn beside(self, statistics: Rect) -> Self {
        let [least, _] = SIDES;
        let left = self.rect.with_max_x(statistics.left());
        let rect = if left.width() >= least + 2.0 * (SPACE + WITHIN) {
            left
        } else {
            let top = statistics.bottom().min(self.rect.bottom());
            self.rect.with_min_y(top)
        };
        Self { rect, ..self }
    }

    /// Length of the image's longer side.
    fn side(&self) -> f32 {
        let [least, most] = SIDES;
        let room = self.rect.width() - 2.0 * (SPACE + WITHIN);
        self.side.min(room).clamp(least, most)
    }
}

pub(super) fn ui(
    ui: &Ui,
    room: Room,
    state: &State,
    model: &Model,
    around: &Surroundings,
    actions: &mut Vec<Action>,
) {
    let colors = theme::of(ui);
    let side = room.side();
    Area::new(egui::Id::unique("atlas"))
        .order(Order::Middle)
        .pivot(Align2::LEFT_TOP)
        .fixed_pos(room.rect.left_top() + vec2(SPACE, SPACE))
        .constrain_to(room.rect)
        .show(ui.ctx(), |ui| {
            Frame::new()
                .fill(colors.card)
                .stroke(Stroke::new(1.0, colors.line))
                .corner_radius(8)
                .inner_margin(Margin::same(10))
                .show(ui, |ui| {
                    ui.set_width(side);
                    title(ui, state, model, actions);
                    match (state.chosen_mesh(), around.atlas) {
                        (Some(mesh), Some(texture)) => page(ui, model, mesh, texture, side),
                        _ => {
                            let text = "Choose a mesh to see the image that it is drawn from";
                            let text = fit(ui, text);
                            ui.label(RichText::new(text).color(theme::of(ui).text_weak));
                        }
                    }
                });
        });
}

fn title(ui: &mut Ui, state: &State, model: &Model, actions: &mut Vec<Action>) {
    let subject = model.subject();
    let mesh = state.chosen_mesh().and_then(|id| subject.mesh(id));
    let image = mesh.and_then(|mesh| subject.image(mesh.image()));
    let text = match (&mesh, &image) {
        (Some(mesh), Some(image)) => format!(
            "{} on {}, {} × {}",
            shown(mesh.name()),
            shown(image.name()),
            image.width(),
            image.height()
        ),
        _ => "Atlas page".into(),
    };
    ui.horizontal(|ui| {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let action = Action::Toggle(Switch::Atlas);
            let tip = tip(ui, &action, "");
            if icon_button(ui, Icon::Close, Look::SMALL, "Close the atlas page", &tip).clicked() {
                actions.push(action);
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                ui.add(egui::Label::new(RichText::new(text).color(theme::of(ui).text)).truncate());
            });
        });
    });
}

fn page(ui: &mut Ui, model: &Model, id: MeshId, texture: egui::TextureId, side: f32) {
    let subject = model.subject();
    let Some((mesh, image)) = subject
        .mesh(id)
        .and_then(|mesh| Some((mesh, subject.image(mesh.image())?)))
    else {
        return;
    };
    let (width, height) = (
        f32::from(image.width().max(1)),
        f32::from(image.height().max(1)),
    );
    let scale = side / width.max(height);
    let (rect, response) = ui.allocate_exact_size(vec2(width, height) * scale, Sense::hover());
    let label = format!(
        "Image {} with the triangles of {}",
        shown(image.name()),
        shown(mesh.name())
    );
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, &label));
    let painter = ui.painter().with_clip_rect(rect.expand(1.0));
    painter.rect_filled(rect, 0.0, theme::of(ui).well);
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    painter.image(texture, rect, whole, egui::Color32::WHITE);
    let at: Vec<egui::Pos2> = mesh
        .vertices()
        .map(|vertex| {
            let [u, v] = vertex.uv;
            pos2(
                rect.left() + u * rect.width(),
                rect.top() + v * rect.height(),
            )
        })
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
