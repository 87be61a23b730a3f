//! A page as it is painted: what no sprite covers is hatched, and each place has the colour of its block.

use std::path::{Component, Path};
use std::sync::Arc;

use egui::ecolor::Hsva;
use egui::epaint::WHITE_UV;
use egui::{
    Align2, Color32, FontId, Mesh, Painter, Rect, Shape, Stroke, StrokeKind, TextureId, Ui, pos2,
    vec2,
};

use pchr::document::MeshId;
use pchr::finding::{Finding, Severity};
use pchr::scene::Camera2d;
use pchr_foreign::atlas::{Atlas, Sprite};
use pchr_foreign::sheet::atlas_of;

use super::on_screen;
use crate::viewer::model::Model;
use crate::viewer::panels::widgets::WHOLE;
use crate::viewer::sprites::PageFacts;
use crate::viewer::state::{PageView, State};
use crate::viewer::theme;
use crate::viewer::theme::Colors;

/// Logical pixels between the lines over unused space.
const HATCH: f32 = 9.0;
/// Sides of smaller places have no outline: it would be all that is seen.
const OUTLINED: f32 = 5.0;

/// Colour of a sprite's block; a plain colour for a sprite without a block.
pub(in crate::viewer::panels) fn color_of(sprite: &Sprite, colors: &Colors) -> Color32 {
    let Some(block) = sprite.block else { return colors.text_weak };
    // Neighbours in number are far apart in hue.
    #[expect(clippy::cast_precision_loss, reason = "a hue is coarse")]
    let hue = (0.58 + block as f32 * 0.618_034).fract();
    let bright = colors.panel.r() > 128;
    let (saturation, value) = if bright { (0.85, 0.72) } else { (0.62, 1.0) };
    Hsva::new(hue, saturation, value, 1.0).into()
}

/// A page view that is painted.
pub(super) struct Painting<'a> {
    pub state: &'a State,
    pub model: &'a Model,
    pub page: &'a PageFacts,
    pub view: &'a PageView,
    pub texture: Option<TextureId>,
    pub rect: Rect,
    /// Of the page.
    pub name: &'a str,
}

/// All places of a page, as long as they are at the same place of the screen.
#[derive(Clone)]
struct PagePlaces {
    key: PlacesKey,
    /// Drawing below the page's image.
    grounds: Arc<Mesh>,
    images: Arc<Mesh>,
    outlines: Arc<Mesh>,
}

/// All that the meshes depend on.
#[derive(Clone, Copy, PartialEq)]
struct PlacesKey {
    serial: u64,
    image: u16,
    texture: Option<TextureId>,
    camera: Camera2d,
    rect: Rect,
    scale: f32,
    dark: bool,
}

impl Painting<'_> {
    pub(super) fn ui(&self, ui: &Ui) {
        let colors = theme::of(ui);
        let painter = ui.painter_at(self.rect);
        painter.rect_filled(self.rect, 0.0, colors.well);
        let Some(atlas) = atlas_of(self.model.subject()) else { return };
        let scale = ui.pixels_per_point();
        let [width, height] = self.page.size.map(i64::from);
        let page = on_screen(self.view, self.rect, scale, [0, 0, width, height]);
        painter.rect_filled(page, 0.0, colors.panel);
        let texture = self.texture.filter(|_| !self.page.missing);
        if let Some(texture) = texture {
            painter.image(texture, page, WHOLE, Color32::from_white_alpha(70));
        }
        hatch(&painter.with_clip_rect(page.intersect(self.rect)), page, colors);
        let places = self.places(ui, atlas, texture, scale);
        painter.add(Shape::mesh(places.grounds));
        if texture.is_some() {
            painter.add(Shape::mesh(places.images));
        }
        painter.add(Shape::mesh(places.outlines));
        let line = Stroke::new(1.0, colors.outline);
        painter.rect_stroke(page, 0.0, line, StrokeKind::Outside);
        if let Some(fault) = self.fault(atlas) {
            label(&painter, page.intersect(self.rect), &fault, colors);
        }
        self.marks(&painter, atlas, scale, colors);
    }

    /// Says why the page is not shown, if it is not.
    fn fault(&self, atlas: &Atlas) -> Option<String> {
        let page = atlas.pages.get(self.view.image.index())?;
        let name = self.name;
        if self.page.missing {
            let outside = Path::new(&page.file)
                .components()
                .any(|part| !matches!(part, Component::Normal(_) | Component::CurDir));
            return Some(match outside {
                true => {
                    format!("{name} lies outside the atlas's folder; read it with --allow-outside")
                }
                false => format!("{name} is missing"),
            });
        }
        let is_fault = |finding: &&Finding| {
            finding.offset == page.offset && finding.rule.severity() == Severity::Error
        };
        let fault = self.model.findings().find(is_fault)?;
        Some(format!("{name} cannot be shown: {}", fault.message))
    }

    /// The sprites on screen in the picture, under the pointer and chosen.
    fn marks(&self, painter: &Painter, atlas: &Atlas, scale: f32, colors: &Colors) {
        let mark = |mesh: MeshId, width: f32, color: Color32| {
            let Some((_, sprite)) = atlas.sprites.get_index(mesh.index()) else { return };
            if sprite.page != u32::from(self.view.image.0) {
                return;
            }
            let edges = sprite.covered().edges();
            let rect = on_screen(self.view, self.rect, scale, edges).expand(1.0);
            let halo = Stroke::new(width + 2.0, colors.well);
            painter.rect_stroke(rect, 0.0, halo, StrokeKind::Middle);
            let line = Stroke::new(width, color);
            painter.rect_stroke(rect, 0.0, line, StrokeKind::Middle);
        };
        for draw in self.model.frame().draws().iter().take(MARKED) {
            mark(draw.mesh, 1.5, colors.text_strong);
        }
        let under = self.view.pointed_at().map(|at| self.state.sprites_at(at));
        let under = under.and_then(|under| under.first().copied());
        if let Some(mesh) = under.or(self.state.parts().pointed) {
            mark(mesh, 1.5, colors.accent);
        }
        if let Some(mesh) = self.state.chosen_mesh() {
            mark(mesh, 3.0, colors.accent);
        }
    }

    /// The places, rebuilt only when the view of the page changes.
    fn places(&self, ui: &Ui, atlas: &Atlas, texture: Option<TextureId>, scale: f32) -> PagePlaces {
        let key = PlacesKey {
            serial: self.model.serial(),
            image: self.view.image.0,
            texture,
            camera: self.view.camera(),
            rect: self.rect,
            scale,
            dark: ui.visuals().dark_mode,
        };
        let id = egui::Id::unique("places of a page");
        let known: Option<PagePlaces> = ui.data(|data| data.get_temp(id));
        if let Some(known) = known.filter(|known| known.key == key) {
            return known;
        }
        let made = self.make(key, atlas, theme::of(ui));
        ui.data_mut(|data| data.insert_temp(id, made.clone()));
        made
    }

    fn make(&self, key: PlacesKey, atlas: &Atlas, colors: &Colors) -> PagePlaces {
        let mut grounds = Mesh::default();
        let mut images = key.texture.map_or_else(Mesh::default, Mesh::with_texture);
        let mut outlines = Mesh::default();
        let [width, height] = self.page.size.map(|side| side.max(1));
        let sprites = atlas.sprites.values();
        let sprites: Vec<&Sprite> = sprites.collect();
        for mesh in &self.page.sprites {
            let Some(sprite) = sprites.get(mesh.index()) else { continue };
            let edges = sprite.covered().edges();
            let rect = on_screen(self.view, key.rect, key.scale, edges);
            if !rect.is_positive() || !rect.intersects(key.rect) {
                continue;
            }
            let color = color_of(sprite, colors);
            grounds.add_colored_rect(rect, colors.card.lerp_to_gamma(color, 0.16));
            #[expect(clippy::cast_precision_loss, reason = "pixels of a page")]
            let [left, top, right, bottom] = {
                let [left, top, right, bottom] = edges.map(|edge| edge as f32);
                let (width, height) = (width as f32, height as f32);
                [left / width, top / height, right / width, bottom / height]
            };
            // Parts outside the page are not drawn.
            let uv = Rect::from_min_max(pos2(left, top), pos2(right, bottom));
            let part = |t: f32, from: f32, to: f32| (t - from) / (to - from);
            let seen = uv.intersect(WHOLE);
            if seen.is_positive() {
                let x = |u: f32| rect.left() + part(u, uv.left(), uv.right()) * rect.width();
                let y = |v: f32| rect.top() + part(v, uv.top(), uv.bottom()) * rect.height();
                let at = Rect::from_min_max(
                    pos2(x(seen.left()), y(seen.top())),
                    pos2(x(seen.right()), y(seen.bottom())),
                );
                images.add_rect_with_uv(at, seen, Color32::WHITE);
            }
            if rect.width().min(rect.height()) >= OUTLINED {
                outline(&mut outlines, rect, color);
                let shared = self.model.loaded().sprites.as_ref();
                if shared.is_some_and(|sprites| sprites.aliases(*mesh) > 0) {
                    corner(&mut outlines, rect, color);
                }
            }
        }
        PagePlaces {
            key,
            grounds: Arc::new(grounds),
            images: Arc::new(images),
            outlines: Arc::new(outlines),
        }
    }
}

/// Maximum number of sprites of the picture that are marked.
const MARKED: usize = 200;

/// A line along the inner edge of a place.
fn outline(mesh: &mut Mesh, rect: Rect, color: Color32) {
    let wide = rect.width().min(rect.height()) >= 4.0 * OUTLINED;
    let inner = rect.shrink(if wide { 1.5 } else { 1.0 });
    let (l, r) = (rect.left(), rect.right());
    for line in [
        Rect::from_min_max(rect.min, pos2(r, inner.top())),
        Rect::from_min_max(pos2(l, inner.bottom()), rect.max),
        Rect::from_min_max(pos2(l, inner.top()), pos2(inner.left(), inner.bottom())),
        Rect::from_min_max(pos2(inner.right(), inner.top()), pos2(r, inner.bottom())),
    ] {
        mesh.add_colored_rect(line, color);
    }
}

/// The mark of a place that several sprites share.
fn corner(mesh: &mut Mesh, rect: Rect, color: Color32) {
    let side = (rect.width().min(rect.height()) * 0.4).min(11.0);
    let at = u32::try_from(mesh.vertices.len()).unwrap_or(u32::MAX);
    let corner = rect.right_top();
    for pos in [corner - vec2(side, 0.0), corner, corner + vec2(0.0, side)] {
        mesh.vertices.push(egui::epaint::Vertex { pos, uv: WHITE_UV, color });
    }
    mesh.add_triangle(at, at + 1, at + 2);
}

/// Lines over unused space.
fn hatch(painter: &Painter, page: Rect, colors: &Colors) {
    let seen = painter.clip_rect();
    if !seen.is_positive() {
        return;
    }
    let stroke = Stroke::new(1.0, colors.outline.gamma_multiply(0.7));
    let length = seen.height();
    // Along with the page when it is moved.
    let first = (seen.left() - length - page.left() + page.top() - seen.top()) / HATCH;
    let mut x = page.left() - page.top() + seen.top() + first.floor() * HATCH;
    while x < seen.right() {
        let from = pos2(x, seen.bottom());
        painter.line_segment([from, from + vec2(length, -length)], stroke);
        x += HATCH;
    }
}

/// Text in the middle of a page.
fn label(painter: &Painter, rect: Rect, text: &str, colors: &Colors) {
    let font = FontId::proportional(15.0);
    let galley = painter.layout(text.to_owned(), font, colors.warning, rect.width() - 32.0);
    let at = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size());
    let edge = Stroke::new(1.0, colors.outline);
    painter.rect(at.expand(10.0), 8.0, colors.card, edge, StrokeKind::Inside);
    painter.galley(at.min, galley, colors.warning);
}
