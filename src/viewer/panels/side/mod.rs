//! The lists of the side panel, and the details of what is chosen there.

pub(crate) mod bones;
pub(crate) mod meshes;
pub(crate) mod sprites;
pub(crate) mod stage;

use egui::{Align, Label, RichText, Role, ScrollArea, Ui, WidgetInfo};
use lucide_icons::Icon;

use pchr::document::{BoneId, MeshId};
use pchr::finding::counted;
use pchr::overlay::Trail;
use pchr::scene::Pick;

use crate::viewer::action::{Action, PartAction};
use crate::viewer::kept::Keep;
use crate::viewer::model::Model;
use crate::viewer::panels::widgets::{
    Look, action_button, bone_name, cut_as, fixed, line, section, small_button, table,
};
use crate::viewer::panels::{Panels, edges, front, space};
use crate::viewer::state::State;
use crate::viewer::switch::{Switch, Tab};
use crate::viewer::theme;

/// Returns true if a mesh or a bone is chosen, and the list in front has not details of its own.
pub(crate) fn has_details(state: &State) -> bool {
    let is_chosen = state.chosen_mesh().is_some() || state.chosen_bone().is_some();
    is_chosen && front(state) != Tab::Stage
}

/// Shows the details of the selected mesh, the picked vertex and the selected bone, as names and values.
pub(crate) fn details(ui: &mut Ui, state: &Panels<'_>, model: &Model) {
    let mut area = ScrollArea::vertical().auto_shrink(false).min_scrolled_height(0.0);
    // A new selection is shown from its top.
    let chosen = (state.looking().tab, state.chosen_mesh(), state.chosen_bone());
    let before = state.kept().details;
    // The bone of a link is shown below the mesh that stays.
    let (tab, mesh_chosen, bone_chosen) = chosen;
    let is_linked = tab != Tab::Bones
        && mesh_chosen.is_some()
        && bone_chosen.is_some()
        && before.is_some_and(|(tab_before, mesh, bone)| {
            (tab_before, mesh) == (tab, mesh_chosen) && bone != bone_chosen
        });
    if !is_linked && before.is_some_and(|before| before != chosen) {
        area = area.vertical_scroll_offset(0.0);
    }
    state.push_if(before != Some(chosen), Keep::Details(Some(chosen)));
    edges::scrolled_by_keys(ui, "Details", area, |ui| {
        crate::viewer::panels::padded(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 3.0;
            // The open list decides which of the two comes first.
            if state.looking().tab == Tab::Bones {
                bone(ui, state, model);
                mesh(ui, state, model);
            } else {
                mesh(ui, state, model);
                if is_linked {
                    ui.scroll_to_cursor(Some(Align::Min));
                }
                bone(ui, state, model);
            }
        });
    });
}

fn mesh(ui: &mut Ui, state: &Panels<'_>, model: &Model) {
    let Some(mesh) = state.chosen_mesh() else { return };
    head(ui, state.kind().words("Mesh"), PartAction::ChooseMesh(None), state);
    match &model.loaded().sprites {
        Some(sprites) => sprites::sprite_facts(ui, model, sprites, mesh, state),
        None => of_mesh(ui, model, mesh, state),
    }
    if let Some(pick) = &state.parts().pick {
        ui.add_space(6.0);
        section(ui, "Clicked point");
        of_pick(ui, state, model, pick);
    }
    ui.add_space(6.0);
}

fn bone(ui: &mut Ui, state: &Panels<'_>, model: &Model) {
    let Some(bone) = state.chosen_bone() else { return };
    head(ui, "Bone", PartAction::ChooseBone(None), state);
    of_bone(ui, state, model, bone);
    ui.add_space(6.0);
}

fn head(ui: &mut Ui, title: &str, close: PartAction, state: &Panels<'_>) {
    ui.horizontal(|ui| {
        section(ui, title);
        ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
            let name = format!("Deselect {}", title.to_lowercase());
            small_button(ui, Icon::X, (&name, &name), close, state);
        });
    });
}

fn bone_link(ui: &mut Ui, model: &Model, bone: BoneId, state: &Panels<'_>) {
    let name = bone_name(model, bone);
    let in_room = cut_as(ui, egui::TextStyle::Monospace, &name, ui.available_width());
    let is_cut = in_room != name;
    let response = ui.add(egui::Link::new(RichText::new(in_room).monospace()));
    response.widget_info(|| WidgetInfo::labeled(Role::Link, ui.is_enabled(), &name));
    let tip =
        if is_cut { format!("{name}\nSelect this bone") } else { "Select this bone".to_owned() };
    state.push_if(response.on_hover_text(tip).clicked(), PartAction::ChooseBone(Some(bone)));
}

fn of_mesh(ui: &mut Ui, model: &Model, id: MeshId, state: &Panels<'_>) {
    let subject = model.subject();
    let Some(mesh) = subject.mesh(id) else { return };
    table(ui, "mesh", |ui| {
        line(ui, "Name", format!("{} (#{})", mesh.name(), id.0));
        ui.label(RichText::new("Owner").color(theme::of(ui).text_weak));
        match model.subject().owner(id) {
            Some(owner) => bone_link(ui, model, owner, state),
            None => {
                ui.label(RichText::new("none").monospace());
            }
        }
        ui.end_row();
        let z = model.shown(id).z_order;
        let draws = model.frame().draws();
        // 0 is at the back, as on the picture.
        let place = match draws.iter().position(|draw| draw.mesh == id) {
            Some(at) => format!("{z}, drawn {at} / {}", draws.len().saturating_sub(1)),
            None => format!("{z}, not drawn"),
        };
        line(ui, "Draw order", place);
        let in_file = match model.authored(id).visible {
            true => "visible in this frame",
            false => "hidden in this frame",
        };
        line(ui, "In the file", in_file.to_owned());
        if let Some(image) = subject.image(mesh.image()) {
            let (width, height) = (image.width(), image.height());
            let text = format!("{} (#{}), {width} × {height}", image.name(), mesh.image().0);
            line(ui, "Image", text);
        }
        line(ui, "Vertices", mesh.vertex_count().to_string());
        line(ui, "Triangles", (mesh.index_count() / 3).to_string());
    });
}

fn of_pick(ui: &mut Ui, state: &Panels<'_>, model: &Model, pick: &Pick) {
    table(ui, "pick", |ui| {
        if model.subject().bone_count() > 0 {
            ui.label(RichText::new("Vertex").color(theme::of(ui).text_weak));
            ui.horizontal(|ui| {
                let text = format!("{} (nearest)", pick.vertex);
                ui.add(Label::new(RichText::new(text).monospace()).selectable(true));
                trace(ui, state, pick);
            });
            ui.end_row();
            // Slots without a weight are padding.
            let influences = model.influences(pick);
            for (bone, weight) in influences.into_iter().filter(|(_, weight)| *weight != 0.0) {
                ui.label(RichText::new(fixed(weight, 3)).monospace());
                bone_link(ui, model, bone, state);
                ui.end_row();
            }
            line(ui, "Triangle", pick.triangle.to_string());
        }
        let ([x, y], [u, v], [column, row]) = (pick.world, pick.uv, pick.texel);
        line(ui, "World", pair(x, y, 2));
        line(ui, "uv", pair(u, v, 4));
        let [r, g, b, a] = pick.rgba;
        line(ui, "Texel", format!("{column}, {row}  #{r:02x}{g:02x}{b:02x}{a:02x}"));
    });
}

fn pair(x: impl Into<f64>, y: impl Into<f64>, decimals: usize) -> String {
    format!("{}, {}", fixed(x, decimals), fixed(y, decimals))
}

/// Draws the button for the trail of the nearest vertex.
fn trace(ui: &mut Ui, state: &Panels<'_>, pick: &Pick) {
    let action = Action::Parts(PartAction::TraceVertex);
    let own = Trail::Vertex(pick.mesh, pick.vertex);
    let on = state.is_on(Switch::Trail) && state.trail() == Some(own);
    let button = (Icon::Waypoints, Look::SMALL.lit(ui, on));
    let more = "The path of this vertex, with a dot for each frame";
    action_button(ui, button, ("", more), action, state);
}

fn of_bone(ui: &mut Ui, state: &Panels<'_>, model: &Model, id: BoneId) {
    let subject = model.subject();
    let Some(bone) = subject.bone(id) else { return };
    table(ui, "bone", |ui| {
        line(ui, "Name", format!("{} (#{})", bone.name(), id.0));
        if let Some(parent) = bone.parent() {
            ui.label(RichText::new("Parent").color(theme::of(ui).text_weak));
            bone_link(ui, model, parent, state);
            ui.end_row();
        }
        if let Some(local) = model.local(id) {
            line(ui, "Local", pair(local.x, local.y, 2));
            line(ui, "Rotation", format!("{}°", fixed(local.rotation, 2)));
            line(ui, "Scale", pair(local.scale_x, local.scale_y, 3));
            let shown = if local.visible() { "visible" } else { "hidden" };
            line(ui, "Draw order", format!("{}, {shown}", local.z_order));
        }
        if subject.spatial().is_some() {
            return;
        }
        if let Some(world) = model.frame().pose().world_from_bone().get(id.index()) {
            let [[a, c, x, _], [b, d, y, _]] = *world;
            line(ui, "World position", pair(x, y, 2));
            let rotation = b.atan2(a).to_degrees();
            line(ui, "World rotation", format!("{}°", fixed(rotation, 2)));
            line(ui, "World scale", pair(a.hypot(b), c.hypot(d), 3));
        }
        let wanted = state.is_on(Switch::Weights);
        let flags = if wanted { model.flagged() } else { Default::default() };
        if flags.unweighted.saturating_add(flags.not_summing) > 0 {
            let vertices = |count| counted(count, "vertex", "vertices");
            line(ui, "Unweighted", vertices(flags.unweighted));
            line(ui, "Sum is not 1", vertices(flags.not_summing));
        }
    });
    space::bone_numbers(ui, state, model, id);
}
