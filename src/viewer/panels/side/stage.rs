//! The characters of a stage, topmost first, and the place and clip of the chosen one.

use egui::{Button, Checkbox, ComboBox, DragValue, Response, Role, ScrollArea, Ui, WidgetInfo};
use lucide_icons::Icon;

use pchr::scene::{Bounds, Subject};
use pchr_tools::stage::Member;
use pchr_tools::view::naming;

use crate::viewer::action::{Action, StageAction};
use crate::viewer::model::Model;
use crate::viewer::order::OrderStep;
use crate::viewer::panels::menu::Menu;
use crate::viewer::panels::widgets::{
    Look, cut, fixed, icon_button, labelled, name_combo, name_number, section, shown, tipped,
};
use crate::viewer::panels::{edges, padded};
use crate::viewer::state::State;

/// Width of the names of fields in logical pixels.
const LABELS: f32 = 76.0;

/// Draws the list, and the fields of the chosen character.
pub(crate) fn ui(ui: &mut Ui, state: &State, model: &Model, actions: &mut Vec<Action>) {
    let Some(layout) = state.layout() else {
        return;
    };
    let names = layout.names();
    let chosen = state.chosen_member();
    edges::scrolled_by_keys(ui, "Stage", ScrollArea::vertical().auto_shrink(false), |ui| {
        padded(ui, |ui| {
            for (index, name) in names.iter().enumerate().rev() {
                row(ui, (index, names.len()), name, chosen == Some(index), actions);
            }
            let add = Action::Stage(StageAction::Dialog);
            if tipped(ui.button("Add to stage…"), "Or hold Shift and drop files").clicked() {
                actions.push(add);
            }
            let member = chosen.and_then(|index| Some((index, layout.members.get(index)?)));
            let subject = model.stage().zip(chosen);
            let subject = subject.and_then(|(stage, index)| stage.member_subject(index));
            if let (Some((index, member)), Some(subject)) = (member, subject) {
                ui.add_space(6.0);
                section(ui, "Character");
                let mut changed = member.clone();
                size(ui, model.member_bounds(index));
                fields(ui, state, subject, &mut changed, actions);
                if changed != *member {
                    actions.push(Action::Stage(StageAction::Set(index, Box::new(changed))));
                }
            }
        });
    });
}

fn row(
    ui: &mut Ui,
    (index, count): (usize, usize),
    name: &str,
    is_chosen: bool,
    actions: &mut Vec<Action>,
) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let name = shown(name);
        let width = (ui.available_width() - 3.0 * (Look::SMALL.size.x + 2.0)).max(0.0);
        let text = cut(ui, &name, width - 12.0).into_owned();
        let response = ui.add_sized([width, 24.0], Button::selectable(is_chosen, text));
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_chosen, &name));
        let mut pushed = |action| actions.push(Action::Stage(action));
        if response.clicked() {
            pushed(StageAction::Choose(Some(index).filter(|_| !is_chosen)));
        }
        for (icon, does, step, can) in [
            (Icon::ChevronUp, "forwards", OrderStep::Up, index.saturating_add(1) < count),
            (Icon::ChevronDown, "backwards", OrderStep::Down, index > 0),
        ] {
            let words = format!("Bring {name} {does}");
            let button = |ui: &mut Ui| icon_button(ui, icon, Look::SMALL, &words, &words);
            if ui.add_enabled_ui(can, button).inner.clicked() {
                pushed(StageAction::Reorder(index, step));
            }
        }
        let words = format!("Remove {name}");
        let button = |ui: &mut Ui| icon_button(ui, Icon::X, Look::SMALL, &words, &words);
        if ui.add_enabled_ui(count > 1, button).inner.clicked() {
            pushed(StageAction::Remove(index));
        }
    });
}

/// Says how large a character is, and where its feet are.
fn size(ui: &mut Ui, bounds: Option<Bounds>) {
    let Some(Bounds { min: [left, bottom], max: [right, top] }) = bounds else {
        return;
    };
    let [width, height] = [right - left, top - bottom].map(|side| fixed(side, 0));
    let text = format!("{width} × {height} px, from y {}", fixed(bottom, 0));
    labelled(ui, "Size", LABELS, |ui| {
        tipped(ui.label(text), "All that it draws over its animation, in pixels of the world");
    });
}

/// Draws the fields of a character.
fn fields(
    ui: &mut Ui,
    state: &State,
    subject: &dyn Subject,
    member: &mut Member,
    actions: &mut Vec<Action>,
) {
    labelled(ui, "Place", LABELS, |ui| {
        for (name, side) in ["X", "Y"].into_iter().zip(&mut member.at) {
            let value = f64::from(*side);
            number(ui, name, DragValue::new(side).max_decimals(2), value);
        }
    });
    labelled(ui, "Turn", LABELS, |ui| {
        let turn = member.turn.into();
        number(ui, "Turn", DragValue::new(&mut member.turn).max_decimals(2).suffix("°"), turn);
        let response = ui.add(Checkbox::new(&mut member.mirror, "Mirror"));
        tipped(response, "Flip horizontally, before the turn");
    });
    labelled(ui, "Scale", LABELS, |ui| {
        let scale = member.scale.into();
        let drag = DragValue::new(&mut member.scale).range(0.001..=1000.0).speed(0.01);
        number(ui, "Scale", drag.max_decimals(3).suffix(" ×"), scale);
    });
    labelled(ui, "Animation", LABELS, |ui| animation(ui, state, subject, member, actions));
    labelled(ui, "Start", LABELS, |ui| {
        let start = member.start;
        let drag = DragValue::new(&mut member.start).speed(0.01).max_decimals(3);
        number(ui, "Start", drag.suffix(" s"), start);
    });
    labelled(ui, "Speed", LABELS, |ui| {
        let speed = member.speed;
        let drag = DragValue::new(&mut member.speed).range(0.0..=100.0).speed(0.01);
        number(ui, "Speed of the character", drag.max_decimals(3).suffix(" ×"), speed);
    });
    labelled(ui, "Tint", LABELS, |ui| {
        let response = ui.color_edit_button_srgb(&mut member.tint);
        tipped(response, "Colour that the images are multiplied by");
    });
}

fn number(ui: &mut Ui, name: &str, drag: DragValue<'_>, value: f64) -> Response {
    let response = tipped(ui.add(drag), name);
    name_number(&response, name, value);
    response
}

/// Draws the choice of the animation in the group play.
fn animation(
    ui: &mut Ui,
    state: &State,
    subject: &dyn Subject,
    member: &mut Member,
    actions: &mut Vec<Action>,
) {
    let of_file = subject.default_animation();
    let named = member.animation.as_deref();
    let chosen = named.and_then(|name| naming::find_animation(subject, name)).or(of_file);
    let text = chosen.map_or_else(String::new, |id| shown(subject.animation_name(id)));
    let combo = ComboBox::from_id_salt("animation of the character").selected_text(&text);
    let response = combo.width(140.0).show_ui(ui, |ui| {
        let mut menu = Menu::begin(ui, state);
        for id in subject.animation_ids() {
            let (name, is_chosen) = (shown(subject.animation_name(id)), chosen == Some(id));
            let button = Button::selectable(is_chosen, &name);
            if menu.add(ui, &name, is_chosen, button).is_some_and(|it| it.clicked()) {
                member.animation = Some(naming::animation(subject, id));
                ui.close();
            }
        }
        menu.end(ui, true, actions);
    });
    name_combo(&response.response, "Animation of the character", &text);
}
