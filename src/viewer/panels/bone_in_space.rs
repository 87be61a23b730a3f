//! The selected bone of a motion in space, in numbers: in its parent, in the world, and the whole model.

use egui::{Align2, FontId, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use glam::{DAffine3, DQuat, EulerRot};

use pchr::document::BoneId;
use pchr::scene::Spatial;
use pchr_foreign::motion::{Transform, Unit};

use super::widgets::section;
use crate::viewer::model::Model;
use crate::viewer::state::State;
use crate::viewer::switch::Switch;
use crate::viewer::theme;

/// Width of the column with the names of the rows.
const NAMES: f32 = 70.0;
const ROW: f32 = 18.0;

/// All numbers of a bone; nothing if the pose lacks it.
pub(super) fn ui(ui: &mut Ui, state: &State, model: &Model, spatial: &dyn Spatial, bone: BoneId) {
    let pose = model.frame().spatial();
    let unit = unit_sign(spatial.unit());
    let Some([local, in_model]) = spatial.transforms(bone, pose) else {
        return;
    };
    let place_unit = spatial.has_place(bone).then_some(unit);
    ui.add_space(4.0);
    section(ui, "Relative to its parent");
    block(ui, "Relative to its parent", &local, place_unit);
    ui.add_space(4.0);
    section(ui, "World");
    let root = pose.root().filter(|_| !state.is_on(Switch::InPlace));
    block(ui, "World", &moved(in_model, root), place_unit);
    if let Some(root) = pose.root() {
        ui.add_space(4.0);
        let in_place = state.is_on(Switch::InPlace);
        let title = if in_place {
            "Root motion, left out"
        } else {
            "Root motion"
        };
        section(ui, title);
        let (_, turn, place) = root.to_scale_rotation_translation();
        let places = place.to_array();
        row(ui, title, ("Position", unit), &places, decimals(unit));
        row(ui, title, ("Rotation", "°"), &angles(turn), 1);
    }
}

/// The numbers of a transform; without a unit, its position is unknown.
fn block(ui: &mut Ui, title: &str, transform: &Transform, unit: Option<&str>) {
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
    let texts: Vec<String> = { numbers.iter() }
        .map(|number| fixed(*number, decimals))
        .collect();
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
    painter.text(
        rect.left_center(),
        Align2::LEFT_CENTER,
        shown,
        body,
        colors.text_weak,
    );
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
        painter.text(
            at,
            Align2::RIGHT_CENTER,
            text,
            FontId::monospace(size),
            colors.text,
        );
    }
    let exact: Vec<String> = numbers.iter().map(f64::to_string).collect();
    if !exact.is_empty() {
        response.on_hover_text(exact.join("\n"));
    }
}

/// Numbers from here on have an exponent, so that they stay in their column.
const MOST_IN_FULL: f64 = 1e6;

/// A number with this many decimals, and never "-0".
fn fixed(number: f64, decimals: usize) -> String {
    let text = if number.abs() < MOST_IN_FULL {
        format!("{number:.decimals$}")
    } else {
        format!("{number:.2e}")
    };
    let is_zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    match text.strip_prefix('-').filter(|_| is_zero) {
        Some(zero) => zero.to_owned(),
        None => text.replace('-', "−"),
    }
}

/// Degrees around X, then Y, then Z of the parent.
fn angles(turn: DQuat) -> [f64; 3] {
    let (x, y, z) = turn.normalize().to_euler(EulerRot::XYZEx);
    [x, y, z].map(f64::to_degrees)
}

/// A transform after the movement of the whole model.
fn moved(transform: Transform, root: Option<&DAffine3>) -> Transform {
    let Some(root) = root else {
        return transform;
    };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_decimals_and_zero_has_no_sign() {
        assert_eq!(fixed(-0.0004, 3), "0.000");
        assert_eq!(fixed(-0.5, 3), "−0.500");
        assert_eq!(fixed(12.34567, 2), "12.35");
        assert_eq!(fixed(-3.4e38, 2), "−3.40e38");
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
        let transform = Transform {
            translation: [1.0, 0.0, 0.0],
            ..Transform::IDENTITY
        };
        let turn = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
        let root = DAffine3::from_rotation_translation(turn, [0.0, 0.0, 5.0].into());
        let world = moved(transform, Some(&root));
        for (number, wanted) in world.translation.into_iter().zip([0.0, 1.0, 5.0]) {
            assert!((number - wanted).abs() < 1e-12);
        }
        assert_eq!(moved(transform, None), transform);
    }
}
