//! Menus of the item under the pointer, or of the one with the keyboard, and their entries.

use egui::style::StyleModifier;
use egui::{
    Popup, PopupAnchor, PopupCloseBehavior, Pos2, Rect, Response, ScrollArea, SetOpenCommand, Ui,
};

use pchr::document::BoneId;
use pchr::overlay::Layer;
use pchr::scene::MeshView;

use super::Panels;
use super::menu::Menu;
use super::pointer_and_wheel::on_screen;
use super::widgets::{bone_name, cut, format_key, shown, weak};
use crate::viewer::action::{Action, Ask, CameraAction, ExportAction, LookAction, PartAction};
use crate::viewer::focus::{self, Uses};
use crate::viewer::input::Over;
use crate::viewer::kept::Keep;
use crate::viewer::model::Model;
use crate::viewer::state::State;
use crate::viewer::switch::{ContentKind, Destination, Switch, Tab};

/// Distance in logical pixels that a menu keeps from the edges of the window.
const MARGIN: f32 = 24.0;

/// Shows the menu of a control: at the pointer after a right click, and at `asked` where a key asks for it.
pub(super) fn show(
    response: &Response,
    state: &Panels<'_>,
    asked: Option<Pos2>,
    add: impl FnOnce(&mut Ui, Pos2),
) {
    let context = &response.ctx;
    let clicked = response.secondary_clicked();
    let at_pointer = response.interact_pointer_pos().filter(|_| clicked);
    let opened = at_pointer.or(asked);
    if let Some(at) = opened {
        state.push(Keep::MenuAt(Some((response.id, at))));
    }
    let kept = state.kept().menu_at;
    let kept = kept.filter(|(control, _)| *control == response.id);
    let Some(at) = opened.or(kept.map(|(_, at)| at)) else { return };
    let set = match opened {
        Some(_) => Some(SetOpenCommand::Bool(true)),
        None => response.clicked().then_some(SetOpenCommand::Bool(false)),
    };
    let room = (context.content_rect().height() - MARGIN).max(MARGIN);
    let popup = Popup::menu(response).open_memory(set).at_position(at);
    popup.show(|ui| {
        let area = ScrollArea::vertical().max_height(room);
        area.min_scrolled_height(room).show(ui, |ui| {
            add(ui, at);
            focus::scroll(ui);
        })
    });
}

/// Returns the menu of a control's settings, below it: for a right click, where a key asks for it, or when it is gone to.
pub(super) fn settings<'a>(control: &Response, state: &State, target: Destination) -> Popup<'a> {
    let is_wanted = state.looking().target == Some(target);
    let is_asked = asked(state, control).is_some() || is_wanted;
    let popup = Popup::context_menu(control);
    below(
        if is_asked { popup.open_memory(Some(SetOpenCommand::Bool(true))) } else { popup },
        control,
    )
}

/// Places a menu of settings below a control. Its fields have frames, as in the other panels.
pub(super) fn below<'a>(popup: Popup<'a>, control: &Response) -> Popup<'a> {
    popup
        .anchor(PopupAnchor::ParentRect(control.rect))
        .style(StyleModifier::default())
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
}

/// Returns the place for the menu of a control, if a key asks for it. The picture leaves the key to controls that ask here.
pub(super) fn asked(state: &State, response: &Response) -> Option<Pos2> {
    if response.has_focus() {
        let id = with_menu();
        response.ctx.data_mut(|data| data.insert_temp(id, response.id));
    }
    let wanted = state.looking().target == Some(Destination::Menu) && response.has_focus();
    let at = response.rect.left_bottom() + egui::vec2(16.0, 0.0);
    wanted.then_some(at)
}

/// Place for the id of the control that had the keyboard focus last and has a menu of its own.
fn with_menu() -> egui::Id {
    egui::Id::unique("control with a menu")
}

/// Chooses the item under a right click on the picture, and shows its menu.
pub(super) fn of_picture(ui: &Ui, response: &Response, rect: Rect, reach: f64, state: &Panels<'_>) {
    let scale = ui.pixels_per_point();
    let place = |at: Pos2| on_screen(rect.min, at, scale);
    if let Some(at) = response.interact_pointer_pos()
        && response.secondary_clicked()
        && state.model().is_some()
    {
        let at = place(at);
        state.push(match state.kind() {
            ContentKind::Motion => PartAction::PickBone(at, reach),
            ContentKind::Character | ContentKind::Atlas => PartAction::PickTop(at),
        });
    }
    let focused = ui.memory(|memory| memory.focused());
    let has_own = focused.is_some() && focused == ui.data(|data| data.get_temp(with_menu()));
    let is_row = focus::used(ui.ctx()) == Some(Uses::Rows);
    let wanted = state.looking().target == Some(Destination::Menu) && !is_row && !has_own;
    let is_covered = Over::of(state).is_some();
    let asked = (wanted && !is_covered).then(|| {
        let chosen = state.chosen_on_screen().map(|at| {
            let [x, y] = at.map(crate::viewer::interface::narrow);
            rect.min + egui::vec2(x, y) / scale
        });
        let inside = chosen.filter(|at| rect.contains(*at));
        inside.unwrap_or(rect.center())
    });
    show(response, state, asked, |ui, at| {
        let mut entries = ContextEntries::begin(ui, state);
        if let Some(model) = state.model() {
            entries.mesh(ui, model);
            if let Some(bone) = state.chosen_bone() {
                entries.bone(ui, model, bone);
            }
        }
        entries.camera(ui, place(at));
        entries.picture(ui);
        entries.menu.end(ui, true, state);
    });
}

/// Shows the menu of a bone's row.
pub(super) fn of_bone(response: &Response, state: &Panels<'_>, model: &Model, bone: BoneId) {
    let asked = asked(state, response);
    show(response, state, asked, |ui, _| {
        let mut entries = ContextEntries::begin(ui, state);
        entries.bone(ui, model, bone);
        entries.menu.end(ui, true, state);
    });
}

/// Shows a menu of plain entries, only some of which are enabled.
pub(super) fn of_row(
    response: &Response,
    state: &Panels<'_>,
    entries: &[(bool, String, Action)],
    more: impl FnOnce(&mut Ui, &mut Menu),
) {
    let asked = asked(state, response);
    show(response, state, asked, |ui, _| {
        let mut menu = Menu::begin(ui, state);
        for (enabled, text, action) in entries {
            if menu.add_enabled(ui, *enabled, text) {
                state.push(action.clone());
            }
        }
        more(ui, &mut menu);
        menu.end(ui, true, state);
    });
}

/// Least width of a menu in logical pixels.
const WIDTH: f32 = 230.0;
/// Widest name in a heading.
const NAME: f32 = 200.0;

struct ContextEntries<'a> {
    state: &'a Panels<'a>,
    menu: Menu,
    /// True once a group of entries has begun.
    any: bool,
}

impl<'a> ContextEntries<'a> {
    fn begin(ui: &mut Ui, state: &'a Panels<'a>) -> Self {
        ui.set_min_width(WIDTH);
        ui.spacing_mut().item_spacing.y = 1.0;
        ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
        Self { state, menu: Menu::begin(ui, state), any: false }
    }

    /// Begins a group, with a heading if it is about a part.
    fn group(&mut self, ui: &mut Ui, name: Option<&str>) {
        if std::mem::replace(&mut self.any, true) {
            ui.separator();
        }
        if let Some(name) = name {
            let text = cut(ui, name, NAME).into_owned();
            ui.label(weak(ui, text));
        }
    }

    /// Adds an entry with the key of its action. `on` marks one that is in force.
    fn add(&mut self, ui: &mut Ui, text: &str, action: &Action, on: bool) -> bool {
        let key = weak(ui, format_key(ui, action));
        let response = self.menu.keyed(ui, self.state.kind().words(text), key, (on, false));
        response.is_some_and(|response| response.clicked())
    }

    /// Adds an entry that does its action.
    fn does(&mut self, ui: &mut Ui, text: &str, action: Action, on: bool) {
        let is_chosen = self.add(ui, text, &action, on);
        self.state.push_if(is_chosen, action);
    }

    /// Adds an entry under the name of its action.
    fn plain(&mut self, ui: &mut Ui, action: Action) {
        if action.concerns(self.state.kind()) {
            self.does(ui, action.name(), action, false);
        }
    }

    /// Adds what can be done with the selected mesh.
    fn mesh(&mut self, ui: &mut Ui, model: &Model) {
        let Some(id) = self.state.chosen_mesh() else { return };
        let name = model.subject().mesh(id).map_or("", |mesh| mesh.name());
        self.group(ui, Some(&shown(name)));
        let text = if model.shown(id).visible { "Hide this mesh" } else { "Show this mesh" };
        self.does(ui, text, Action::Parts(PartAction::ToggleChosen), false);
        let alone = self.state.solo() == Some(id);
        let text = if alone { "Show the other meshes again" } else { "Isolate this mesh" };
        self.does(ui, text, Action::Parts(PartAction::SoloChosen), alone);
        if self.state.mesh_view(id) != MeshView::default() {
            let reset = Action::Parts(PartAction::ResetMesh(id));
            self.does(ui, "Reset this mesh", reset, false);
        }
        let any = |view: &MeshView| view.visible.is_some();
        if self.state.parts().view.meshes.iter().any(any) {
            self.plain(ui, Action::Parts(PartAction::ShowAll(true)));
        }
    }

    /// Adds what can be done with a bone.
    fn bone(&mut self, ui: &mut Ui, model: &Model, bone: BoneId) {
        self.group(ui, Some(&format!("Bone {}", bone_name(model, bone))));
        let is_chosen = self.state.chosen_bone() == Some(bone);
        for below in [false, true] {
            let meshes = self.state.is_bone_shown(bone, below);
            let as_many = model.held_by(bone, false).len() == model.held_by(bone, true).len();
            let Some(any) = meshes.filter(|_| !(below && as_many)) else { continue };
            let text = match (any, below) {
                (true, false) => "Hide this bone's meshes",
                (false, false) => "Show this bone's meshes",
                (true, true) => "Hide with the bones below",
                (false, true) => "Show with the bones below",
            };
            let action = Action::Parts(PartAction::HideChosenBone(below));
            let is_chosen = self.add(ui, text, &action, false);
            self.state.push_if(is_chosen, PartAction::HideBone(bone, below));
        }
        for (switch, text) in [
            (Switch::Weights, "Weights"),
            (Switch::Trail, "Trail"),
            (Switch::Follow, "Follow with the camera"),
        ] {
            let action = Action::Toggle(switch);
            if !action.concerns(self.state.kind()) {
                continue;
            }
            let on = self.state.is_on(switch) && is_chosen;
            if self.add(ui, text, &action, on) {
                self.state.push_if(!is_chosen, PartAction::ChooseBone(Some(bone)));
                self.state.push_if(on || !self.state.is_on(switch), action);
            }
        }
        if is_chosen {
            let go_to = Action::Looking(LookAction::GoTo(Destination::List(Tab::Bones)));
            self.does(ui, "Show in the tree", go_to, false);
        }
    }

    /// Adds what can be done with the camera, at a point of the picture.
    fn camera(&mut self, ui: &mut Ui, at: [f64; 2]) {
        self.group(ui, None);
        for action in [
            CameraAction::Middle(at),
            CameraAction::FitAll,
            CameraAction::Fit,
            CameraAction::FitFrame,
            CameraAction::FitChosen,
            CameraAction::ActualSize,
        ] {
            self.plain(ui, Action::Camera(action));
        }
    }

    /// Adds what can be done with the picture.
    fn picture(&mut self, ui: &mut Ui) {
        self.group(ui, None);
        for action in [
            Action::Export(ExportAction::CopyPicture),
            Action::Export(ExportAction::Screenshot { overlays: true }),
            Action::Export(ExportAction::CopyCommandLine),
            Action::Export(ExportAction::CopyWindowCommand),
        ] {
            self.plain(ui, action);
        }
        self.group(ui, None);
        for action in [
            Action::Looking(LookAction::CycleBackground),
            Action::Ask(Ask::Picture),
            Action::Ask(Ask::Reference),
        ] {
            self.plain(ui, action);
        }
        for switch in [Switch::Overlay(Layer::Grid), Switch::Ruler, Switch::Preview] {
            let action = Action::Toggle(switch);
            let has_it = self.state.kind() != ContentKind::Motion || switch == Switch::Preview;
            if has_it {
                self.does(ui, action.name(), action, self.state.is_on(switch));
            }
        }
    }
}
