//! Bones that move in space: the list of motions, the numbers of a bone, and the axes in the corner of the picture.

use std::path::PathBuf;

use egui::{
    Align2, Color32, FontId, Pos2, Rect, Role, ScrollArea, Sense, Stroke, Ui, Vec2, WidgetInfo,
    pos2, vec2,
};
use glam::{DAffine3, DQuat, EulerRot};

use pchr::document::BoneId;
use pchr::scene::OrbitCamera;
use pchr_foreign::motion::{Transform, Unit};

use super::Panels;
use super::list::{self, RowList, Rows, holds};
use super::widgets::{cut, fixed, inside, row_text, section};
use crate::viewer::action::{CameraAction, FileAction};
use crate::viewer::backgrounds_and_rulers::Facing;
use crate::viewer::loaded::Source;
use crate::viewer::model::Model;
use crate::viewer::state::State;
use crate::viewer::switch::{Switch, Tab};
use crate::viewer::theme;

pub(super) fn motion_list(ui: &mut Ui, state: &Panels<'_>) {
    let filter = &state.looking().motion_filter;
    super::padded(ui, |ui| list::filter_field(ui, Tab::Motions, filter, state));
    ui.spacing_mut().item_spacing.y = 0.0;
    let (files, shown) = state.listed_files();
    let name = |path: &PathBuf| Source::File(path.clone()).name();
    let listed: Vec<usize> = if filter.is_empty() {
        (0..files.len()).collect()
    } else {
        let files = files.iter().enumerate();
        let held = files.filter(|(_, path)| holds(&name(path), filter));
        held.map(|(index, _)| index).collect()
    };
    let list = RowList {
        name: "motions",
        filter: ("Filter motions", filter),
        count: listed.len(),
        chosen: shown.map(|index| index as u64),
        place: listed.iter().position(|index| Some(*index) == shown),
        number: &|row| listed.get(row).map_or(0, |index| *index as u64),
    };
    let area = ScrollArea::vertical().auto_shrink(false);
    list.show(ui, state, area, |ui, rows, range| {
        for index in listed.iter().skip(range.start).take(range.len()) {
            let Some(path) = files.get(*index) else { continue };
            let on = shown == Some(*index);
            let number = *index as u64;
            let row = |ui: &mut Ui| motion_row(ui, rows, number, &name(path), on);
            state.push_if(ui.push_id(index, row).inner, FileAction::Show(*index));
        }
    });
}

/// A file; returns whether it was clicked.
fn motion_row(ui: &mut Ui, rows: &mut Rows, number: u64, name: &str, on: bool) -> bool {
    let colors = theme::of(ui);
    let (rect, response) = rows.row(ui, number, Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::ListBoxOption, true, on, name));
    list::fill_row(ui, rect, on, response.hovered());
    let color = if on { colors.text_strong } else { colors.text };
    let mut at = rect;
    at.min.x += f32::from(theme::MARGIN);
    inside(ui, at, |ui| row_text(ui, name, color));
    if cut(ui, name, at.width()) != name {
        list::text_beside(ui, &response, rect, name);
    }
    response.clicked()
}

/// Width of the column with the names of the rows.
const NAMES: f32 = 70.0;
const ROW: f32 = 18.0;

/// All numbers of a bone in space; nothing if the pose lacks it.
pub(super) fn bone_numbers(ui: &mut Ui, state: &State, model: &Model, bone: BoneId) {
    let Some(spatial) = model.subject().spatial() else { return };
    let pose = model.frame().spatial();
    let unit = unit_sign(spatial.unit());
    let Some([local, in_model]) = spatial.transforms(bone, pose) else { return };
    let place_unit = spatial.has_place(bone).then_some(unit);
    block(ui, "Relative to its parent", &local, place_unit);
    let root = pose.root.as_ref().filter(|_| !state.is_on(Switch::InPlace));
    block(ui, "World", &moved(in_model, root), place_unit);
    if let Some(root) = &pose.root {
        ui.add_space(4.0);
        let in_place = state.is_on(Switch::InPlace);
        let title = if in_place { "Root motion, left out" } else { "Root motion" };
        section(ui, title);
        let (_, turn, place) = root.to_scale_rotation_translation();
        let places = place.to_array();
        row(ui, title, ("Position", unit), &places, decimals(unit));
        row(ui, title, ("Rotation", "°"), &angles(turn), 1);
    }
}

/// The numbers of a transform; without a unit, its position is unknown.
fn block(ui: &mut Ui, title: &str, transform: &Transform, unit: Option<&str>) {
    ui.add_space(4.0);
    section(ui, title);
    let places: &[f64] = match unit {
        Some(_) => &transform.translation,
        None => &[],
    };
    let unit = unit.unwrap_or_default();
    row(ui, title, ("Position", unit), places, decimals(unit));
    let turn = DQuat::from_array(transform.rotation);
    row(ui, title, ("Rotation", "°"), &angles(turn), 1);
    row(ui, title, ("x y z w", ""), &transform.rotation, 3);
    row(ui, title, ("Scale", ""), &transform.scale, 3);
}

/// A name and its numbers, each in a column of its own: digits stay where they are.
fn row(ui: &mut Ui, title: &str, (name, unit): (&str, &str), numbers: &[f64], decimals: usize) {
    let colors = theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let texts: Vec<String> = { numbers.iter() }.map(|number| fixed(*number, decimals)).collect();
    let said = if texts.is_empty() {
        format!("{title}: {name} unknown")
    } else {
        format!("{title}: {name} {} {unit}", texts.join(", "))
    };
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, said.trim_end()));
    let shown = match unit {
        "" => name.to_owned(),
        unit => format!("{name} {unit}"),
    };
    let painter = ui.painter();
    let body = FontId::proportional(12.0);
    painter.text(rect.left_center(), Align2::LEFT_CENTER, shown, body, colors.text_weak);
    let columns = if texts.len() > 3 { 4.0 } else { 3.0 };
    let width = (rect.width() - NAMES) / columns;
    if texts.is_empty() {
        let at = pos2(rect.left() + NAMES + 6.0, rect.center().y);
        let font = FontId::proportional(12.0);
        painter.text(at, Align2::LEFT_CENTER, "unknown", font, colors.text_weak);
    }
    let mut right = rect.left() + NAMES;
    for text in &texts {
        right += width;
        let at = pos2(right, rect.center().y);
        let size = if columns > 3.0 { 11.0 } else { 12.0 };
        painter.text(at, Align2::RIGHT_CENTER, text, FontId::monospace(size), colors.text);
    }
    let exact: Vec<String> = numbers.iter().map(f64::to_string).collect();
    if !exact.is_empty() {
        response.on_hover_text(exact.join("\n"));
    }
}

/// Degrees around X, then Y, then Z of the parent.
fn angles(turn: DQuat) -> [f64; 3] {
    let (x, y, z) = turn.normalize().to_euler(EulerRot::XYZEx);
    [x, y, z].map(f64::to_degrees)
}

/// A transform after the movement of the whole model.
fn moved(transform: Transform, root: Option<&DAffine3>) -> Transform {
    let Some(root) = root else { return transform };
    let (_, turn, _) = root.to_scale_rotation_translation();
    let rotation = turn * DQuat::from_array(transform.rotation);
    Transform {
        translation: root.transform_point3(transform.translation.into()).into(),
        rotation: rotation.into(),
        ..transform
    }
}

/// Sign of a unit; scenes have a unit of their own.
pub(super) fn unit_sign(unit: Unit) -> &'static str {
    match unit {
        Unit::Scene => "u",
        Unit::Metres => "m",
        Unit::Centimetres => "cm",
    }
}

/// Decimals of a place: about a millimetre, or a tenth.
fn decimals(unit: &str) -> usize {
    if unit == "m" { 3 } else { 2 }
}

/// Logical pixels from the middle to an end, in the smallest pictures and in those that have room.
const ARM: [f32; 2] = [18.0, 30.0];
/// Smallest side of a picture that has room for long arms.
const AMPLE: f32 = 400.0;
/// Radius of an end.
const END: f32 = 8.5;
/// Space to the edges of the picture.
const INSET: f32 = 10.0;
/// Smallest side of a picture that has room for it.
const ROOM: f32 = 200.0;

/// Logical pixels from the middle to an end. In a small picture it covers less of the bones.
fn arm(picture: Rect) -> f32 {
    egui::remap_clamp(picture.size().min_elem(), ROOM..=AMPLE, ARM[0]..=ARM[1])
}

/// Radius of all.
fn reach(picture: Rect) -> f32 {
    arm(picture) + END + 3.0
}

/// Logical pixels of the picture's height that it takes; 0 if it is not shown.
pub(super) fn gizmo_height(picture: Rect, state: &State) -> f32 {
    let shown = state.orbit().is_some() && picture.size().min_elem() >= ROOM;
    if shown { 2.0 * reach(picture) + INSET } else { 0.0 }
}

pub(super) fn gizmo(ui: &mut Ui, picture: Rect, state: &Panels<'_>) {
    let Some(orbit) = state.orbit().filter(|_| gizmo_height(picture, state) > 0.0) else { return };
    let reach = reach(picture);
    let middle = picture.right_top() + vec2(-INSET - reach, INSET + reach);
    let all = Rect::from_center_size(middle, Vec2::splat(2.0 * reach));
    if ui.rect_contains_pointer(all) {
        let fill = theme::of(ui).card.gamma_multiply(0.75);
        ui.painter().circle_filled(middle, reach, fill);
    }
    let mut ends = Facing::ALL.map(|facing| End::new(facing, &orbit));
    ends.sort_by(|a, b| a.depth.total_cmp(&b.depth)); // the farthest first
    for end in ends {
        end.ui(ui, [middle, middle + end.at * arm(picture)], state);
    }
}

/// Letters of the axes of the world, and their colours in dark and in light themes.
const AXES: [(&str, [Color32; 2]); 3] = [
    ("X", [Color32::from_rgb(0xf0, 0x5c, 0x60), Color32::from_rgb(0xc4, 0x30, 0x2b)]),
    ("Y", [Color32::from_rgb(0x66, 0xc2, 0x5c), Color32::from_rgb(0x2c, 0x80, 0x22)]),
    ("Z", [Color32::from_rgb(0x5c, 0x96, 0xff), Color32::from_rgb(0x24, 0x5f, 0xd0)]),
];

/// One end of an axis.
struct End {
    facing: Facing,
    letter: &'static str,
    colors: [Color32; 2],
    is_positive: bool,
    /// From the middle, in parts of an arm.
    at: Vec2,
    /// Towards the camera: -1 to 1.
    depth: f64,
}

impl End {
    fn new(facing: Facing, orbit: &OrbitCamera) -> Self {
        let toward = facing.toward(orbit.up);
        let [x, y, depth] = orbit.axes().map(|axis| axis.dot(toward));
        let [along_x, along_y, along_z] = AXES;
        let (letter, colors) = match toward.abs().to_array() {
            [x, ..] if x > 0.5 => along_x,
            [_, y, _] if y > 0.5 => along_y,
            _ => along_z,
        };
        #[expect(clippy::cast_possible_truncation, reason = "-1 to 1")]
        let at = vec2(x as f32, -y as f32);
        Self { facing, letter, colors, is_positive: toward.element_sum() > 0.0, at, depth }
    }

    fn name(&self) -> String {
        let sign = if self.is_positive { "+" } else { "−" };
        format!("{}, {sign}{}", self.facing.view_name(), self.letter)
    }

    fn ui(&self, ui: &mut Ui, [middle, at]: [Pos2; 2], state: &Panels<'_>) {
        let colors = theme::of(ui);
        let rect = Rect::from_center_size(at, Vec2::splat(2.0 * END));
        let id = ui.scope_id().with(("axis", self.facing));
        let response = ui.interact(rect, id, Sense::click());
        let name = self.name();
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        let [dark, light] = self.colors;
        let color = if ui.visuals().dark_mode { dark } else { light };
        // Axes that point away are fainter.
        let color = if self.depth < -0.1 { color.lerp_to_gamma(colors.card, 0.45) } else { color };
        let lit = response.hovered() || response.has_focus();
        let painter = ui.painter();
        if self.is_positive {
            painter.line_segment([middle, at], Stroke::new(2.0, color));
            painter.circle_filled(at, END, color);
        } else {
            painter.circle(at, END - 2.0, colors.card, Stroke::new(1.5, color));
        }
        if lit {
            painter.circle_stroke(at, END, Stroke::new(1.5, colors.text_strong));
        }
        if self.is_positive || lit {
            let ink = if self.is_positive { colors.card } else { colors.text_strong };
            let font = FontId::proportional(11.0);
            painter.text(at, Align2::CENTER_CENTER, self.letter, font, ink);
        }
        state.push_if(response.on_hover_text(name).clicked(), CameraAction::Face(self.facing));
    }
}

#[cfg(test)]
mod tests {
    use pchr_foreign::motion::UpAxis;

    use super::*;

    #[test]
    fn numbers_keep_their_decimals_and_zero_has_no_sign() {
        assert_eq!(fixed(-0.0004, 3), "0.000");
        assert_eq!(fixed(-0.5, 3), "-0.500");
        assert_eq!(fixed(12.34567, 2), "12.35");
        assert_eq!(fixed(-3.4e38, 2), "-3.40e38");
    }

    #[test]
    fn angles_are_around_the_axes_of_the_parent_one_after_the_other() {
        let turn =
            DQuat::from_rotation_z(0.3) * DQuat::from_rotation_y(0.2) * DQuat::from_rotation_x(0.1);
        let wanted = [0.1_f64, 0.2, 0.3].map(f64::to_degrees);
        for (angle, wanted) in angles(turn).into_iter().zip(wanted) {
            assert!((angle - wanted).abs() < 1e-9);
        }
    }

    #[test]
    fn the_whole_model_moves_its_bones() {
        let transform = Transform { translation: [1.0, 0.0, 0.0], ..Transform::IDENTITY };
        let turn = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
        let root = DAffine3::from_rotation_translation(turn, [0.0, 0.0, 5.0].into());
        let world = moved(transform, Some(&root));
        for (number, wanted) in world.translation.into_iter().zip([0.0, 1.0, 5.0]) {
            assert!((number - wanted).abs() < 1e-12);
        }
        assert_eq!(moved(transform, None), transform);
    }

    #[test]
    fn ends_lie_where_their_axes_point() {
        for (facing, up, name, at) in [
            (Facing::Front, UpAxis::Z, "View from the front, −Y", [0.0, 0.0]),
            (Facing::Top, UpAxis::Z, "View from the top, +Z", [0.0, -1.0]),
            (Facing::Side, UpAxis::Y, "View from the side, +X", [1.0, 0.0]),
            (Facing::Front, UpAxis::Y, "View from the front, +Z", [0.0, 0.0]),
        ] {
            let camera = OrbitCamera { yaw: 0.0, pitch: 0.0, up, ..OrbitCamera::default() };
            let end = End::new(facing, &camera);
            assert_eq!((&*end.name(), [end.at.x.round(), end.at.y.round()]), (name, at));
        }
    }
}
