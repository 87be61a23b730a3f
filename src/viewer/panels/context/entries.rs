//! Entries of menus: what can be done with a part, with the camera and with the picture.

use egui::{Button, RichText, Role, Ui, WidgetInfo};

use pchr::document::BoneId;

use super::super::menu::Menu;
use super::super::names::shown;
use super::super::widgets::{cut, format_key};
use super::super::words::fit;
use crate::viewer::action::{Action, CameraAction, LookAction, PartAction, ReferenceAction};
use crate::viewer::kind::Kind;
use crate::viewer::model::Model;
use crate::viewer::state::State;
use crate::viewer::switch::Switch;
use crate::viewer::tab::Tab;
use crate::viewer::target::Target;
use crate::viewer::theme;

/// Least width of a menu in logical pixels.
const WIDTH: f32 = 230.0;
/// Widest name in a heading.
const NAME: f32 = 200.0;

/// A menu to which entries are added.
pub(super) struct Entries<'a> {
    state: &'a State,
    menu: Menu,
    /// True once a group of entries has begun.
    any: bool,
}

impl<'a> Entries<'a> {
    pub(super) fn begin(ui: &mut Ui, state: &'a State) -> Self {
        ui.set_min_width(WIDTH);
        ui.spacing_mut().item_spacing.y = 1.0;
        ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
        Self {
            state,
            menu: Menu::begin(ui),
            any: false,
        }
    }

    pub(super) fn end(self, ui: &mut Ui) {
        self.menu.end(ui, true);
    }

    /// Begins a group, with a heading if it is about a part.
    fn group(&mut self, ui: &mut Ui, name: Option<&str>) {
        if std::mem::replace(&mut self.any, true) {
            ui.separator();
        }
        if let Some(name) = name {
            let text = cut(ui, name, NAME).into_owned();
            let text = RichText::new(text).small();
            ui.label(text.color(theme::of(ui).text_weak));
        }
    }

    /// Adds an entry with the key of its action. `on` marks one that is in force.
    fn add(&mut self, ui: &mut Ui, text: &str, action: &Action, on: bool) -> bool {
        let text = fit(ui, text).into_owned();
        let key = RichText::new(format_key(ui, action)).small();
        let key = key.color(theme::of(ui).text_weak);
        let button = Button::selectable(on, text.as_str()).right_text(key);
        let response = self.menu.add(ui, &text, false, button);
        response.is_some_and(|response| {
            let info = || WidgetInfo::selected(Role::Button, true, on, text.as_str());
            response.widget_info(info);
            response.clicked()
        })
    }

    /// Adds an entry under the name of its action.
    fn plain(&mut self, ui: &mut Ui, action: Action, actions: &mut Vec<Action>) {
        if action.concerns(self.state.kind()) && self.add(ui, action.name(), &action, false) {
            actions.push(action);
        }
    }

    /// Adds what can be done with the selected mesh.
    pub(super) fn mesh(&mut self, ui: &mut Ui, model: &Model, actions: &mut Vec<Action>) {
        let Some(id) = self.state.chosen_mesh() else {
            return;
        };
        let name = model.subject().mesh(id).map_or("", |mesh| mesh.name());
        self.group(ui, Some(&shown(name)));
        let hide = Action::Parts(PartAction::ToggleChosen);
        let text = match model.shown(id).visible {
            true => "Hide this mesh",
            false => "Show this mesh",
        };
        if self.add(ui, text, &hide, false) {
            actions.push(hide);
        }
        let solo = Action::Parts(PartAction::SoloChosen);
        let alone = self.state.solo() == Some(id);
        let text = match alone {
            true => "Show the other meshes again",
            false => "Isolate this mesh",
        };
        if self.add(ui, text, &solo, alone) {
            actions.push(solo);
        }
        let view = self.state.mesh_view(id);
        if view.visible.is_some() || view.z_order.is_some() {
            let reset = Action::Parts(PartAction::ResetMesh(id));
            if self.add(ui, "Reset this mesh", &reset, false) {
                actions.push(reset);
            }
        }
        let any = |view: &pchr::scene::MeshView| view.visible.is_some();
        if self.state.view().meshes.iter().any(any) {
            self.plain(ui, Action::Parts(PartAction::ShowAll(true)), actions);
        }
    }

    /// Adds what can be done with the selected bone.
    pub(super) fn chosen_bone(&mut self, ui: &mut Ui, model: &Model, actions: &mut Vec<Action>) {
        if let Some(bone) = self.state.chosen_bone() {
            self.bone(ui, model, bone, actions);
        }
    }

    /// Adds what can be done with a bone.
    pub(super) fn bone(
        &mut self,
        ui: &mut Ui,
        model: &Model,
        bone: BoneId,
        actions: &mut Vec<Action>,
    ) {
        let name = model.subject().bone(bone).map_or("", |bone| bone.name());
        self.group(ui, Some(&format!("Bone {}", shown(name))));
        let is_chosen = self.state.chosen_bone() == Some(bone);
        for below in [false, true] {
            let meshes = self.state.is_bone_shown(bone, below);
            let as_many = model.held_by(bone, false).len() == model.held_by(bone, true).len();
            let Some(any) = meshes.filter(|_| !(below && as_many)) else {
                continue;
            };
            let text = match (any, below) {
                (true, false) => "Hide this bone's meshes",
                (false, false) => "Show this bone's meshes",
                (true, true) => "Hide with the bones below",
                (false, true) => "Show with the bones below",
            };
            let action = Action::Parts(PartAction::HideChosenBone(below));
            if self.add(ui, text, &action, false) {
                actions.push(Action::Parts(PartAction::HideBone(bone, below)));
            }
        }
        let kind = self.state.kind();
        for switch in [Switch::Weights, Switch::Trail, Switch::Follow] {
            let action = Action::Toggle(switch);
            if !action.concerns(kind) {
                continue;
            }
            let on = self.state.is_on(switch) && is_chosen;
            let text = match switch {
                Switch::Weights => "Weights",
                Switch::Trail => "Trail",
                _ => "Follow with the camera",
            };
            if self.add(ui, text, &action, on) {
                if !is_chosen {
                    actions.push(Action::Parts(PartAction::ChooseBone(Some(bone))));
                }
                if on || !self.state.is_on(switch) {
                    actions.push(action);
                }
            }
        }
        if is_chosen {
            let go_to = Action::Looking(LookAction::GoTo(Target::List(Tab::Bones)));
            if self.add(ui, "Show in the tree", &go_to, false) {
                actions.push(go_to);
            }
        }
    }

    /// Adds what can be done with the camera, at a point of the picture.
    pub(super) fn camera(&mut self, ui: &mut Ui, at: [f64; 2], actions: &mut Vec<Action>) {
        self.group(ui, None);
        for action in [
            CameraAction::Middle(at),
            CameraAction::Fit,
            CameraAction::ActualSize,
        ] {
            self.plain(ui, Action::Camera(action), actions);
        }
    }

    /// Adds what can be done with the picture.
    pub(super) fn picture(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        self.group(ui, None);
        for action in [
            Action::CopyPicture,
            Action::Screenshot { overlays: true },
            Action::CopyCommandLine,
        ] {
            self.plain(ui, action, actions);
        }
        self.group(ui, None);
        for action in [
            Action::Looking(LookAction::CycleBackground),
            Action::BackgroundDialog,
            Action::Reference(ReferenceAction::Ask),
        ] {
            self.plain(ui, action, actions);
        }
        if self.state.kind() != Kind::Motion {
            for switch in [Switch::Grid, Switch::Ruler] {
                let action = Action::Toggle(switch);
                if self.add(ui, action.name(), &action, self.state.is_on(switch)) {
                    actions.push(action);
                }
            }
        }
    }
}
