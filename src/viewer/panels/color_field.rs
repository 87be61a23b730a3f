//! A colour by hue, saturation and value: a field and a bar, for the pointer and for arrows.

use egui::{
    Color32, Key, Mesh, Modifiers, Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, vec2,
};

use crate::viewer::rounding::pixel;
use crate::viewer::theme;

/// Heights of the field and of the bar in logical pixels.
const FIELD: f32 = 104.0;
const BAR: f32 = 16.0;
/// Part of a side that an arrow moves.
const STEP: f32 = 0.02;

/// Hue, saturation and value, 0 to 1 each, of sRGB-encoded colours.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Hsv {
    hue: f32,
    saturation: f32,
    value: f32,
}

impl Hsv {
    fn of([r, g, b]: [u8; 3]) -> Self {
        let [r, g, b] = [r, g, b].map(|channel| f32::from(channel) / 255.0);
        let value = r.max(g).max(b);
        let range = value - r.min(g).min(b);
        if range <= 0.0 {
            return Self {
                value,
                ..Self::default()
            };
        }
        let sixths = if value == r {
            ((g - b) / range).rem_euclid(6.0)
        } else if value == g {
            (b - r) / range + 2.0
        } else {
            (r - g) / range + 4.0
        };
        Self {
            hue: sixths / 6.0,
            saturation: range / value,
            value,
        }
    }

    fn rgb(self) -> [u8; 3] {
        let sixths = self.hue * 6.0;
        [5.0, 3.0, 1.0].map(|offset: f32| {
            let at = (offset + sixths).rem_euclid(6.0);
            let part = at.min(4.0 - at).clamp(0.0, 1.0);
            let channel = self.value * (1.0 - self.saturation * part) * 255.0;
            u8::try_from(pixel(channel)).unwrap_or(u8::MAX)
        })
    }

    fn color(self) -> Color32 {
        let [r, g, b] = self.rgb();
        Color32::from_rgb(r, g, b)
    }
}

/// Draws the field and the bar. Returns the new colour when it is changed.
pub(super) fn ui(ui: &mut Ui, color: [u8; 3]) -> Option<[u8; 3]> {
    // Black has no hue and grey no saturation: what they had before is kept.
    let id = egui::Id::unique("hue, saturation and value");
    let kept: Option<Hsv> = ui.data(|data| data.get_temp(id));
    let before = kept.filter(|kept| kept.rgb() == color);
    let mut hsv = before.unwrap_or_else(|| Hsv::of(color));
    let start = hsv;
    field(ui, &mut hsv);
    bar(ui, &mut hsv);
    ui.data_mut(|data| data.insert_temp(id, hsv));
    (hsv != start).then(|| hsv.rgb())
}

/// Draws the field of saturation and value.
fn field(ui: &mut Ui, hsv: &mut Hsv) {
    let size = vec2(ui.available_width(), FIELD);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    if let Some(at) = response.interact_pointer_pos() {
        let at = (at - rect.min) / rect.size();
        hsv.saturation = at.x.clamp(0.0, 1.0);
        hsv.value = 1.0 - at.y.clamp(0.0, 1.0);
    }
    let [x, y] = arrows(ui, &response);
    hsv.saturation = (hsv.saturation + x).clamp(0.0, 1.0);
    hsv.value = (hsv.value - y).clamp(0.0, 1.0);
    let percent = |part: f32| pixel(part * 100.0);
    let name = format!(
        "Saturation {} %, value {} %",
        percent(hsv.saturation),
        percent(hsv.value)
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, &name));
    let full = Hsv {
        saturation: 1.0,
        value: 1.0,
        ..*hsv
    };
    let [white, black] = [Color32::WHITE, Color32::BLACK];
    let clear = Color32::TRANSPARENT;
    gradient(ui, rect, [white, full.color(), white, full.color()]);
    gradient(ui, rect, [clear, clear, black, black]);
    let at = rect.min + vec2(hsv.saturation, 1.0 - hsv.value) * rect.size();
    handle(
        ui,
        Rect::from_center_size(at, vec2(10.0, 10.0)),
        rect,
        hsv.color(),
    );
    response.on_hover_text("Saturation across, value up");
}

/// Draws the bar of hues.
fn bar(ui: &mut Ui, hsv: &mut Hsv) {
    let size = vec2(ui.available_width(), BAR);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    if let Some(at) = response.interact_pointer_pos() {
        hsv.hue = ((at.x - rect.left()) / rect.width()).clamp(0.0, 1.0);
    }
    let [x, _] = arrows(ui, &response);
    hsv.hue = (hsv.hue + x).clamp(0.0, 1.0);
    let name = format!("Hue {}°", pixel(hsv.hue * 360.0));
    response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, &name));
    let pure = |hue| Hsv {
        hue,
        saturation: 1.0,
        value: 1.0,
    };
    for sixth in 0..6_u8 {
        let [from, to] = [f32::from(sixth) / 6.0, f32::from(sixth + 1) / 6.0];
        let [a, b] = [pure(from).color(), pure(to).color()];
        let x = |part: f32| rect.left() + part * rect.width();
        let part = Rect::from_x_y_ranges(x(from)..=x(to), rect.y_range());
        gradient(ui, part, [a, b, a, b]);
    }
    let at = egui::pos2(rect.left() + hsv.hue * rect.width(), rect.center().y);
    handle(
        ui,
        Rect::from_center_size(at, vec2(8.0, BAR)),
        rect,
        pure(hsv.hue).color(),
    );
    response.on_hover_text("Hue");
}

/// Returns how far arrows move a control that has the keyboard focus, across and down. They do nothing else then.
fn arrows(ui: &Ui, response: &Response) -> [f32; 2] {
    if !response.has_focus() {
        return [0.0; 2];
    }
    let mut presses = |key| {
        let count = ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
        f32::from(u8::try_from(count).unwrap_or(u8::MAX)) * STEP
    };
    let [left, right] = [Key::ArrowLeft, Key::ArrowRight].map(&mut presses);
    let [up, down] = [Key::ArrowUp, Key::ArrowDown].map(&mut presses);
    [right - left, down - up]
}

/// Draws a rectangle between colours of its corners: upper left and right, lower left and right.
fn gradient(ui: &Ui, rect: Rect, colors: [Color32; 4]) {
    let mut mesh = Mesh::default();
    let corners = [
        rect.left_top(),
        rect.right_top(),
        rect.left_bottom(),
        rect.right_bottom(),
    ];
    for (corner, color) in corners.into_iter().zip(colors) {
        mesh.colored_vertex(corner, color);
    }
    mesh.add_triangle(0, 1, 2);
    mesh.add_triangle(1, 2, 3);
    ui.painter().add(mesh);
}

/// Draws a handle, black around white: it is seen on any colour.
fn handle(ui: &Ui, at: Rect, within: Rect, color: Color32) {
    let line = theme::of(ui).outline;
    let painter = ui.painter().with_clip_rect(within.expand(7.0));
    let kind = egui::StrokeKind::Inside;
    painter.rect_stroke(within, 2.0, Stroke::new(1.0, line), kind);
    painter.rect(
        at.expand(1.0),
        5.0,
        color,
        Stroke::new(1.0, Color32::BLACK),
        kind,
    );
    painter.rect_stroke(at, 4.0, Stroke::new(1.5, Color32::WHITE), kind);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_survive_the_way_to_hue_saturation_and_value_and_back() {
        let parts = [0, 1, 63, 64, 127, 128, 200, 254, 255];
        for r in parts {
            for g in parts {
                for b in parts {
                    assert_eq!(Hsv::of([r, g, b]).rgb(), [r, g, b]);
                }
            }
        }
        assert_eq!(Hsv::of([0, 255, 0]).hue, 1.0 / 3.0);
    }
}
