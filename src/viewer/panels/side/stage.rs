//! The characters of a stage, topmost first, and the place and clip of the chosen one.

use std::ops::RangeInclusive;

use egui::{Button, Checkbox, ComboBox, DragAndDrop, Role, ScrollArea, Sense, Ui, WidgetInfo};
use lucide_icons::Icon;

use pchr::document::AnimationId;
use pchr::scene::Subject;
use pchr_tools::stage::{Layout, Member, PLACES, SCALES};
use pchr_tools::view::element_names;

use crate::viewer::action::{Action, Ask, StageAction};
use crate::viewer::model::Model;
use crate::viewer::panels::menu::combo;
use crate::viewer::panels::pointer_and_wheel::drag_starts;
use crate::viewer::panels::widgets::{
    Look, cut, fixed, icon_button, labelled, number, section, shown, small_button, tipped,
};
use crate::viewer::panels::{Panels, edges, list, padded};

/// Smallest and largest turn of a field, in degrees.
const TURNS: RangeInclusive<f64> = -360.0..=360.0;
/// Smallest and largest start of a field, in seconds.
const STARTS: RangeInclusive<f64> = -3600.0..=3600.0;
/// Largest height of the list in logical pixels.
const LIST: f32 = 200.0;
/// Width of the names of fields in logical pixels.
const LABELS: f32 = 76.0;

/// Draws the list, and the fields of the chosen character.
pub(crate) fn ui(ui: &mut Ui, state: &Panels<'_>, model: &Model) {
    let Some(layout) = state.layout() else { return };
    let names = layout.names();
    let chosen = state.chosen_member();
    edges::scrolled_by_keys(ui, "Stage", ScrollArea::vertical().auto_shrink(false), |ui| {
        padded(ui, |ui| {
            // A long list leaves room for the fields.
            let area = ScrollArea::vertical().id_salt("characters").max_height(LIST);
            area.min_scrolled_height(LIST).show(ui, |ui| {
                for (index, name) in names.iter().enumerate().rev() {
                    row(ui, state, (index, names.len()), name);
                }
            });
            let from = DragAndDrop::payload::<DraggedRow>(ui.ctx());
            if let Some(name) = from.and_then(|from| names.get(from.0)) {
                list::dragged_row(ui, ui.max_rect(), name);
            }
            let add = tipped(ui.button("Add to stage…"), "Or hold Shift and drop files");
            state.push_if(add.clicked(), Action::Ask(Ask::Stage));
            let member = chosen.and_then(|index| Some((index, layout.members.get(index)?)));
            let subject = model.stage().zip(chosen);
            let subject = subject.and_then(|(stage, index)| stage.member_subject(index));
            if let (Some((index, member)), Some(subject)) = (member, subject) {
                ui.add_space(6.0);
                section(ui, "Character");
                let mut changed = member.clone();
                size(ui, model.member_corners(index));
                place(ui, &mut changed);
                time(ui, state, subject, &mut changed);
                look(ui, layout, &mut changed);
                if changed != *member {
                    state.push(StageAction::Set(index, Box::new(changed)));
                }
            }
        });
    });
}

/// Index of the character whose row is dragged.
struct DraggedRow(usize);

fn row(ui: &mut Ui, state: &Panels<'_>, (index, count): (usize, usize), name: &str) {
    let is_chosen = state.chosen_member() == Some(index);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let name = shown(name);
        let width = (ui.available_width() - 3.0 * (Look::SMALL.size.x + 2.0)).max(0.0);
        let text = cut(ui, &name, width - 12.0).into_owned();
        let button = Button::selectable(is_chosen, text).sense(Sense::click_and_drag());
        let response = ui.add_sized([width, 24.0], button);
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_chosen, &name));
        let choice = Some(index).filter(|_| !is_chosen);
        state.push_if(response.clicked(), StageAction::Choose(choice));
        if let Some(from) = response.dnd_hover_payload::<DraggedRow>() {
            list::mark_drop(ui, response.rect, from.0 > index);
        }
        if let Some(from) = response.dnd_release_payload::<DraggedRow>() {
            state.push(StageAction::Reorder(from.0, index));
        }
        if drag_starts(ui, state, &response) {
            DragAndDrop::set_payload(ui.ctx(), DraggedRow(index));
        }
        for (icon, does, to) in [
            (Icon::ChevronUp, "forwards", index.checked_add(1).filter(|to| *to < count)),
            (Icon::ChevronDown, "backwards", index.checked_sub(1)),
        ] {
            let words = format!("Bring {name} {does}");
            let tip = format!("{words}; rows can be dragged, too");
            let reorder = StageAction::Reorder(index, to.unwrap_or(index));
            let add = |ui: &mut Ui| small_button(ui, icon, (&words, &tip), reorder, state);
            ui.add_enabled_ui(to.is_some(), add);
        }
        let words = format!("Remove {name}");
        let remove = StageAction::Remove(index);
        let add = |ui: &mut Ui| small_button(ui, Icon::X, (&words, &words), remove, state);
        ui.add_enabled_ui(count > 1, add);
    });
}

/// Says how large a character is, and where its feet are.
fn size(ui: &mut Ui, corners: Option<[[f32; 2]; 4]>) {
    let Some(corners) = corners else { return };
    let [a, b, _, d] = corners;
    let length = |[x, y]: [f32; 2], [to_x, to_y]: [f32; 2]| fixed((to_x - x).hypot(to_y - y), 0);
    let bottom = corners.iter().map(|[_, y]| *y).fold(f32::INFINITY, f32::min);
    let text = format!("{} × {} px, from y {}", length(a, b), length(a, d), fixed(bottom, 0));
    labelled(ui, "Size", LABELS, |ui| {
        tipped(ui.label(text), "All that it draws over its animation, in pixels of the world");
    });
}

/// Draws the fields of a character's place.
fn place(ui: &mut Ui, member: &mut Member) {
    labelled(ui, "Place", LABELS, |ui| {
        for (name, side) in ["X", "Y"].into_iter().zip(&mut member.at) {
            number(ui, side, (name, name), |drag| drag.range(PLACES).max_decimals(2));
        }
    });
    labelled(ui, "Turn", LABELS, |ui| {
        number(ui, &mut member.turn, ("Turn", "Turn"), |drag| {
            drag.range(TURNS).max_decimals(2).suffix("°")
        });
        let response = ui.add(Checkbox::new(&mut member.mirror, "Mirror"));
        tipped(response, "Flip horizontally, before the turn");
    });
    labelled(ui, "Scale", LABELS, |ui| {
        number(ui, &mut member.scale, ("Scale", "Scale"), |drag| {
            drag.range(SCALES).speed(0.01).max_decimals(3).suffix(" ×")
        });
    });
}

/// Draws the fields of a character's clips.
fn time(ui: &mut Ui, state: &Panels<'_>, subject: &dyn Subject, member: &mut Member) {
    let choose = |ui: &mut Ui, name: &str, chosen: Option<AnimationId>| {
        animation(ui, state, (subject, name), chosen)
    };
    let find = |name: &String| element_names::find_animation(subject, name);
    labelled(ui, "Animation", LABELS, |ui| {
        let named = member.animation.as_ref().or(member.play.first()).and_then(find);
        let chosen = named.or(subject.default_animation());
        let picked = choose(ui, "Animation of the character", chosen);
        member.animation = picked.or(member.animation.take());
    });
    let mut removed = None;
    for (index, entry) in member.play.iter_mut().enumerate() {
        let label = if index == 0 { "Play list" } else { "" };
        labelled(ui, label, LABELS, |ui| {
            let number = index.saturating_add(1);
            let name = format!("Animation {number} of the play list");
            let chosen = find(entry);
            if let Some(picked) = choose(ui, &name, chosen) {
                *entry = picked;
            }
            let words = format!("Take animation {number} off the play list");
            if icon_button(ui, Icon::X, Look::SMALL, &words, &words).clicked() {
                removed = Some(index);
            }
        });
    }
    if let Some(index) = removed {
        member.play.remove(index);
    }
    let label = if member.play.is_empty() { "Play list" } else { "" };
    labelled(ui, label, LABELS, |ui| {
        let tip = "Animations that are played one after another, while \u{201c}play\u{201d} is the animation of the stage";
        if tipped(ui.button("Add an animation"), tip).clicked() {
            let last = member.play.last().or(member.animation.as_ref()).cloned();
            let first = subject.default_animation().map(|id| element_names::animation(subject, id));
            member.play.extend(last.or(first));
        }
    });
    if !member.play.is_empty() {
        labelled(ui, "Fade", LABELS, |ui| {
            let name = "Fade of the play list";
            number(ui, &mut member.fade, (name, name), |drag| {
                drag.range(0.0..=60.0).speed(0.01).max_decimals(3).suffix(" s")
            });
        });
    }
    labelled(ui, "Start", LABELS, |ui| {
        number(ui, &mut member.start, ("Start", "Start"), |drag| {
            drag.range(STARTS).speed(0.01).max_decimals(3).suffix(" s")
        });
    });
    labelled(ui, "Speed", LABELS, |ui| {
        let name = "Speed of the character";
        number(ui, &mut member.speed, (name, name), |drag| {
            drag.range(0.0..=100.0).speed(0.01).max_decimals(3).suffix(" ×")
        });
    });
}

/// Draws the fields of a character's colours and images.
fn look(ui: &mut Ui, layout: &Layout, member: &mut Member) {
    labelled(ui, "Tint", LABELS, |ui| {
        let response = ui.color_edit_button_srgb(&mut member.tint);
        tipped(response, "Colour that the images are multiplied by");
    });
    let has_twin = layout.members.iter().filter(|other| other.file == member.file).count() > 1;
    if has_twin || member.own_images {
        labelled(ui, "", LABELS, |ui| {
            let response = ui.add(Checkbox::new(&mut member.own_images, "Own images"));
            tipped(response, "Replace images of this character alone, not of all from its file");
        });
    }
}

/// Draws a choice among the animations of a character. Returns the name of another one that was picked.
fn animation(
    ui: &mut Ui,
    state: &Panels<'_>,
    (subject, name): (&dyn Subject, &str),
    chosen: Option<AnimationId>,
) -> Option<String> {
    let mut picked = None;
    let text = chosen.map_or_else(String::new, |id| shown(subject.animation_name(id)));
    let list = ComboBox::from_id_salt(name).width(140.0);
    combo(ui, state, list, (name, &text), |ui, menu| {
        for id in subject.animation_ids() {
            if menu.button(ui, &shown(subject.animation_name(id)), chosen == Some(id)) {
                picked = Some(element_names::animation(subject, id));
            }
        }
    });
    picked
}
