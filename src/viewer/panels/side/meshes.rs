//! List of the meshes in the draw order of the frame on screen, topmost first.

use egui::{
    Align, Color32, DragAndDrop, Label, Layout, Rect, Response, RichText, ScrollArea, Sense, Ui,
    UiBuilder, vec2,
};
use lucide_icons::Icon;

use pchr::document::MeshId;
use pchr::finding::counted;
use pchr::scene::MeshView;

use crate::viewer::action::{Action, PartAction};
use crate::viewer::kept::MESHES;
use crate::viewer::model::Model;
use crate::viewer::model::meshes::OrderStep;
use crate::viewer::panels::list::{PICTURE, RowList, Rows, holds, is_space};
use crate::viewer::panels::menu::Menu;
use crate::viewer::panels::pointer_and_wheel::drag_starts;
use crate::viewer::panels::widgets::{Look, action_button, row_text, shown, weak};
use crate::viewer::panels::{Panels, context, list};
use crate::viewer::state::State;
use crate::viewer::switch::{Switch, Tab};
use crate::viewer::theme;

/// Draws the list. In a `low` panel its filter lies beside its buttons.
pub(crate) fn ui(ui: &mut Ui, state: &Panels<'_>, model: &Model, low: bool) {
    let filter = &state.looking().mesh_filter;
    crate::viewer::panels::padded(ui, |ui| {
        if low {
            head(ui, state, |ui| list::filter_field(ui, Tab::Meshes, filter, state));
        } else {
            head(ui, state, |ui| count(ui, state, model));
            list::filter_field(ui, Tab::Meshes, filter, state);
        }
    });
    ui.spacing_mut().item_spacing.y = 0.0;
    let name = |mesh: MeshId| model.subject().mesh(mesh).map_or("", |mesh| mesh.name());
    let all = &state.parts().mesh_rows;
    let points = ui.rect_contains_pointer(ui.available_rect_before_wrap())
        || egui::Popup::is_any_open(ui.ctx());
    state.push_if(points != state.parts().points_at_meshes, PartAction::PointAtMeshes(points));
    let chosen = state.chosen_mesh();
    let is_listed = |mesh: MeshId| match filter.is_empty() {
        true => chosen == Some(mesh) || stands_for_others(state, model, mesh),
        false => holds(name(mesh), filter),
    };
    let listed: Vec<(usize, MeshId)> =
        all.iter().copied().enumerate().filter(|(_, mesh)| is_listed(*mesh)).collect();
    let list = RowList {
        name: MESHES,
        filter: ("Filter meshes", filter),
        count: listed.len(),
        chosen: chosen.map(|mesh| mesh.0.into()),
        place: listed.iter().position(|(_, mesh)| Some(*mesh) == chosen),
        number: &|row| listed.get(row).map_or(0, |(_, mesh)| u64::from(mesh.0)),
    };
    let mut pointed = None;
    let area = ScrollArea::vertical().auto_shrink(false);
    let shown = list.show(ui, state, area, |ui, rows, range| {
        for (position, mesh) in listed.iter().skip(range.start).take(range.len()) {
            let place = place_of(*mesh, *position, model.rows());
            let add = |ui: &mut Ui| row(ui, rows, (state, model), (*mesh, place));
            let points = ui.push_id(mesh.0, add);
            pointed = pointed.or(points.inner.then_some((*mesh, place)));
        }
    });
    list::point_at(state, pointed.map(|(mesh, _)| mesh));
    // After all rows: within one slow frame, the row that was pressed may be laid out after the one below which it is dropped.
    let is_released = ui.input(|input| input.pointer.any_released());
    if let Some((_, place)) = pointed.filter(|_| is_released)
        && let Some(mesh) = DragAndDrop::take_payload::<MeshId>(ui.ctx())
    {
        state.push(PartAction::PlaceMesh(*mesh, place));
    }
    if let Some(mesh) = DragAndDrop::payload::<MeshId>(ui.ctx()) {
        list::dragged_row(ui, shown.inner_rect, name(*mesh));
    }
}

/// Draws the buttons of the list, and something to their left.
fn head(ui: &mut Ui, state: &Panels<'_>, add: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.set_min_height(Look::SMALL.size.y);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            // Its place is kept, so that the others stay where they are.
            if !reset_all(ui, state) {
                ui.allocate_space(Look::SMALL.size);
            }
            live(ui, state);
            for (icon, visible) in [(Icon::EyeClosed, false), (Icon::Eye, true)] {
                let action = Action::Parts(PartAction::ShowAll(visible));
                action_button(ui, (icon, Look::SMALL), ("", ""), action, state);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), add);
        });
    });
}

/// Draws the button that resets all meshes or sprites, if any is changed. Returns true if one is.
pub(super) fn reset_all(ui: &mut Ui, state: &Panels<'_>) -> bool {
    let any = state.parts().view.meshes.iter().any(changed);
    if any {
        let look = Look::SMALL.color(theme::of(ui).accent);
        let reset = Action::Parts(PartAction::ResetMeshes);
        action_button(ui, (Icon::RotateCcw, look), ("", "As in the file"), reset, state);
    }
    any
}

fn count(ui: &mut Ui, state: &State, model: &Model) {
    let (drawn, all) = (model.frame().draws().len(), model.rows().len());
    let order =
        if state.parts().mesh_rows == model.rows() { "topmost first" } else { "order kept" };
    let count = weak(ui, format!("{drawn} of {all} drawn, {order}"));
    ui.add(Label::new(count).truncate());
}

/// Draws the switch that lets rows move during playback.
fn live(ui: &mut Ui, state: &Panels<'_>) {
    let action = Action::Toggle(Switch::LiveOrder);
    let (on, name) = (state.is_on(Switch::LiveOrder), action.name());
    let more = "Also sort the rows by draw order during playback";
    let button = (Icon::ArrowUpDown, Look::SMALL.lit(ui, on));
    let response = action_button(ui, button, (name, more), action, state);
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, on, name));
}

fn changed(view: &MeshView) -> bool {
    *view != MeshView::default()
}

/// Width of a row in logical pixels from which it has room for the button that shows its mesh alone.
const SOLO_WIDTH: f32 = 270.0;

/// Returns the place of a mesh in the draw order on screen, counted from the topmost. `listed` is the mesh's row, which differs only while
/// rows keep the order of an earlier frame.
fn place_of(mesh: MeshId, listed: usize, rows: &[MeshId]) -> usize {
    let here = Some(listed).filter(|at| rows.get(*at) == Some(&mesh));
    let found = || rows.iter().position(|row| *row == mesh);
    here.or_else(found).unwrap_or(listed)
}

/// Lays out a row. Returns true if the pointer is on it.
fn row(
    ui: &mut Ui,
    rows: &mut Rows,
    (state, model): (&Panels<'_>, &Model),
    (mesh, place): (MeshId, usize),
) -> bool {
    let colors = theme::of(ui);
    let chosen = state.chosen_mesh() == Some(mesh);
    let (rect, response) = rows.row(ui, mesh.0.into(), Sense::click_and_drag());
    let name = model.subject().mesh(mesh).map_or("", |mesh| mesh.name());
    let name = &shown(name);
    response
        .widget_info(|| egui::WidgetInfo::selected(egui::Role::ListBoxOption, true, chosen, name));
    if is_space(ui, &response) {
        state.push(hide_or_show(model, mesh));
    } else if response.clicked() {
        rows.choose((!chosen).then_some(mesh.0.into()));
        state.push(PartAction::ChooseMesh((!chosen).then_some(mesh)));
    }
    if drag_starts(ui, state, &response) {
        DragAndDrop::set_payload(ui.ctx(), mesh);
    }
    if let Some(other) = response.dnd_hover_payload::<MeshId>() {
        let from_above = model.rows().iter().take(place).any(|row| *row == *other);
        list::mark_drop(ui, rect, from_above);
    }
    let over = ui.rect_contains_pointer(rect) && !DragAndDrop::has_any_payload(ui.ctx());
    let is_pointed_at = state.parts().pointed == Some(mesh) && !over;
    list::fill_row(ui, rect, chosen, over || is_pointed_at);
    if is_pointed_at {
        let bar = rect.with_max_x(rect.left() + 3.0);
        ui.painter().rect_filled(bar, 0.0, theme::of(ui).accent);
    }
    let line = MeshLine { state, model, mesh, name, place, response: &response, over };
    let margin = f32::from(theme::MARGIN);
    let inner =
        Rect::from_min_max(rect.min + vec2(margin - 4.0, 0.0), rect.max - vec2(margin - 2.0, 0.0));
    let builder = UiBuilder::new()
        .scope_id(response.id.with("controls"))
        .max_rect(inner)
        .layout(Layout::left_to_right(Align::Center));
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        line.eye(ui);
        let (square, _) = ui.allocate_exact_size(vec2(PICTURE, PICTURE), Sense::empty());
        list::picture(ui, square, state, mesh);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            line.arrows(ui);
            // The menu of the row has it, too.
            if rect.width() >= SOLO_WIDTH || state.solo() == Some(mesh) {
                line.solo(ui);
            }
            line.z_order(ui);
            line.alternatives(ui);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let color = match (chosen, model.shown(mesh).visible) {
                    (true, _) => colors.text_strong,
                    (false, true) => colors.text,
                    (false, false) => colors.text_weak,
                };
                row_text(ui, name, color);
            });
        });
    });
    line.menu();
    // After those of its controls, which go first.
    list::tip_beside(ui, &response, rect, |ui| {
        ui.label(facts(model, mesh));
    });
    response.contains_pointer()
}

/// Returns true for a mesh without alternatives, and for those of several that are shown; for the first if none is.
fn stands_for_others(state: &State, model: &Model, mesh: MeshId) -> bool {
    let all = state.alternatives(mesh);
    let is_shown = |mesh: MeshId| model.shown(mesh).visible;
    let is_first = || all.first() == Some(&mesh) && !all.iter().any(|other| is_shown(*other));
    all.is_empty() || is_shown(mesh) || is_first()
}

/// Returns the main facts about a mesh.
fn facts(model: &Model, id: MeshId) -> String {
    let subject = model.subject();
    let Some(mesh) = subject.mesh(id) else { return String::new() };
    let owner = model.subject().owner(id).and_then(|bone| subject.bone(bone));
    let owner = owner.map_or_else(|| "none".to_owned(), |bone| shown(bone.name()));
    let image = subject.image(mesh.image()).map_or("", |image| image.name());
    format!(
        "{}\nOwner {owner}\nImage {}\n{}, {}",
        shown(mesh.name()),
        shown(image),
        counted(mesh.vertex_count(), "vertex", "vertices"),
        counted(mesh.index_count() / 3, "triangle", "triangles")
    )
}

/// Returns the action that hides or shows a mesh. The override is removed if the file agrees.
fn hide_or_show(model: &Model, mesh: MeshId) -> Action {
    let shown = model.shown(mesh).visible;
    let next = (shown == model.authored(mesh).visible).then_some(!shown);
    Action::Parts(PartAction::ShowMesh(mesh, next))
}

/// A row while it is laid out.
struct MeshLine<'a> {
    state: &'a Panels<'a>,
    model: &'a Model,
    mesh: MeshId,
    name: &'a str,
    /// Place in the draw order on screen, counted from the topmost.
    place: usize,
    response: &'a Response,
    /// True if the pointer is on it, and no row is dragged.
    over: bool,
}

impl MeshLine<'_> {
    /// Draws the switch between a mesh and its alternatives, if it has any.
    fn alternatives(&self, ui: &mut Ui) {
        let Self { state, model, mesh, response: row, .. } = *self;
        let all = state.alternatives(mesh);
        let Some(number) = all.iter().position(|other| *other == mesh) else { return };
        let name = |mesh: MeshId| model.subject().mesh(mesh).map_or("", |mesh| mesh.name());
        let text = format!("{} of {}", number.saturating_add(1), all.len());
        let color = match state.mesh_view(mesh).visible {
            Some(true) => theme::of(ui).accent,
            _ => theme::of(ui).text_weak,
        };
        let button = egui::Button::new(RichText::new(&text).small().color(color)).small();
        let sense = if row.sense.is_focusable() { Sense::click() } else { Sense::CLICK };
        let response = ui.add(button.sense(sense));
        let label = format!("Alternatives of {}", self.name);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &label));
        list::text_beside(ui, &response, row.rect, "Choose which of them is shown");
        egui::Popup::menu(&response).show(|ui| {
            let mut menu = Menu::begin(ui, state);
            for other in all {
                let is_shown = model.shown(*other).visible;
                let is_chosen = menu.button(ui, &shown(name(*other)), is_shown);
                state.push_if(is_chosen, PartAction::Alternative(*other));
            }
            ui.separator();
            let follow = Action::Parts(PartAction::FollowFile(mesh));
            let follows = all.iter().all(|mesh| state.mesh_view(*mesh).visible.is_none());
            state.push_if(menu.add_enabled(ui, !follows, follow.name()), follow);
            menu.end(ui, true, state);
        });
    }

    fn menu(&self) {
        let Self { state, model, mesh, name, .. } = *self;
        let word = if model.shown(mesh).visible { "Hide" } else { "Show" };
        let alone = match state.solo() == Some(mesh) {
            true => "Show the others again".to_owned(),
            false => format!("Isolate {name}"),
        };
        let touched = changed(&state.mesh_view(mesh));
        let any = state.parts().view.meshes.iter().any(changed) || state.solo().is_some();
        let reset_all = Action::Parts(PartAction::ResetMeshes);
        let entries = [
            (true, format!("{word} {name}"), hide_or_show(model, mesh)),
            (true, alone, Action::Parts(PartAction::Solo(mesh))),
            (true, "To the front".into(), Action::Parts(PartAction::PlaceMesh(mesh, 0))),
            (true, "To the back".into(), Action::Parts(PartAction::PlaceMesh(mesh, usize::MAX))),
            (touched, format!("Reset {name}"), Action::Parts(PartAction::ResetMesh(mesh))),
            (any, reset_all.name().into(), reset_all),
        ];
        context::of_row(self.response, state, &entries, |_, _| {});
    }

    /// Draws the visibility switch. The first click overrides the file, the second follows it again.
    fn eye(&self, ui: &mut Ui) {
        let Self { state, model, mesh, name, .. } = *self;
        let authored = model.authored(mesh).visible;
        let wish = state.mesh_view(mesh).visible;
        let shown = model.shown(mesh).visible;
        let colors = theme::of(ui);
        let chosen = state.chosen_mesh() == Some(mesh);
        let color = match (chosen, wish, shown) {
            (true, ..) => colors.text_strong,
            (false, Some(_), _) => colors.accent,
            (false, None, true) => colors.text,
            (false, None, false) => colors.text_weak,
        };
        let icon = if shown { Icon::Eye } else { Icon::EyeClosed };
        let file = if authored { "shown" } else { "hidden" };
        let tip = match wish {
            None if shown => format!("Hide {name}"),
            None => format!("Show {name}\nThe file hides it in this frame"),
            Some(wish) => {
                let always = if wish { "shown" } else { "hidden" };
                format!(
                    "Always {always}: click to follow the file\n{file} by the file in this frame"
                )
            }
        };
        let label = if shown { "Hide" } else { "Show" };
        let look = Look::SMALL.color(color);
        let place = ui.cursor().min;
        let label = format!("{label} {name}");
        let next = hide_or_show(model, mesh);
        list::button_beside(ui, self.response, (icon, look), (&label, &tip), next, state);
        if wish.is_some() {
            // Not by colour alone: a dot says that it is not as the file has it.
            let dot = place + vec2(look.size.x - 3.0, (theme::ROW - look.size.y) / 2.0 + 5.0);
            ui.painter().circle_filled(dot, 2.0, color);
        }
    }

    /// Draws the button that shows one mesh alone. It is visible under the pointer and while it is active.
    fn solo(&self, ui: &mut Ui) {
        let (mesh, name) = (self.mesh, self.name);
        let alone = self.state.solo() == Some(mesh);
        let colors = theme::of(ui);
        let color = match (alone, self.over) {
            (true, _) => colors.accent,
            (false, true) => colors.text,
            (false, false) => Color32::TRANSPARENT,
        };
        let (label, tip) = if alone {
            (format!("Show the others again, not only {name}"), "Show the others again")
        } else {
            (format!("Isolate {name}"), "Isolate this mesh")
        };
        let button = (Icon::Focus, Look::NARROW.color(color));
        let solo = PartAction::Solo(mesh);
        list::button_beside(ui, self.response, button, (&label, tip), solo, self.state);
    }

    fn z_order(&self, ui: &mut Ui) {
        let Self { state, model, mesh, .. } = *self;
        let authored = model.authored(mesh).z_order;
        let z = model.shown(mesh).z_order;
        let moved = state.mesh_view(mesh).z_order.is_some();
        let mark = if moved { "*" } else { "" };
        let text = if z.fract() == 0.0 { format!("{mark}{z:.0}") } else { format!("{mark}{z:.2}") };
        let colors = theme::of(ui);
        let color = match (state.chosen_mesh() == Some(mesh), moved) {
            (true, _) => colors.text_strong,
            (false, true) => colors.accent,
            (false, false) => colors.text_weak,
        };
        let tip = if moved {
            format!("Draw order {z}, moved\nThe file has {authored} in this frame")
        } else {
            format!("Draw order {authored} in this frame")
        };
        let response = ui.add(Label::new(RichText::new(text).monospace().color(color)));
        list::text_beside(ui, &response, self.response.rect, &tip);
    }

    /// Draws the arrows, right to left.
    fn arrows(&self, ui: &mut Ui) {
        let (mesh, name) = (self.mesh, self.name);
        let colors = theme::of(ui);
        let color = if self.over { colors.text_strong } else { colors.text_weak };
        let look = Look::NARROW.color(color);
        let is_last = self.place.saturating_add(1) == self.model.rows().len();
        let moves = [
            (Icon::ChevronDown, OrderStep::Down, is_last, "down"),
            (Icon::ChevronUp, OrderStep::Up, self.place == 0, "up"),
        ];
        for (icon, direction, at_end, word) in moves {
            ui.add_enabled_ui(!at_end, |ui| {
                let label = format!("Move {name} {word}");
                let tip = format!("Move {word} in the draw order; rows can be dragged, too");
                let step = PartAction::MoveMesh(mesh, direction);
                let button = (icon, look);
                list::button_beside(ui, self.response, button, (&label, &tip), step, self.state);
            });
        }
    }
}
