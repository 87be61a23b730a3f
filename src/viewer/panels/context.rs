//! Menus of the item under the pointer, or of the one with the keyboard, and their entries.

use egui::style::StyleModifier;
use egui::{
    Button, Popup, PopupAnchor, PopupCloseBehavior, Pos2, Rect, Response, Role, ScrollArea,
    SetOpenCommand, Ui, WidgetInfo,
};

use pchr::document::BoneId;
use pchr::overlay::Layer;
use pchr::scene::MeshView;

use super::menu::Menu;
use super::widgets::{bone_name, cut, fit, format_key, shown, weak};
use crate::viewer::action::{
    Action, CameraAction, ExportAction, LookAction, PartAction, ReferenceAction,
};
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
    state: &State,
    asked: Option<Pos2>,
    actions: &mut Vec<Action>,
    add: impl FnOnce(&mut Ui, Pos2, &mut Vec<Action>),
) {
    let context = &response.ctx;
    let clicked = response.secondary_clicked();
    let at_pointer = response.interact_pointer_pos().filter(|_| clicked);
    let opened = at_pointer.or(asked);
    if let Some(at) = opened {
        actions.push(Action::Keep(Keep::MenuAt(response.id, at)));
    }
    let kept = state.kept().menu_at;
    let kept = kept.filter(|(control, _)| *control == response.id);
    let Some(at) = opened.or(kept.map(|(_, at)| at)) else {
        return;
    };
    let set = match opened {
        Some(_) => Some(SetOpenCommand::Bool(true)),
        None => response.clicked().then_some(SetOpenCommand::Bool(false)),
    };
    let room = (context.content_rect().height() - MARGIN).max(MARGIN);
    let popup = Popup::menu(response).open_memory(set).at_position(at);
    popup.show(|ui| {
        let area = ScrollArea::vertical().max_height(room);
        area.min_scrolled_height(room).show(ui, |ui| {
            add(ui, at, actions);
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
pub(super) fn of_picture(
    ui: &Ui,
    response: &Response,
    rect: Rect,
    reach: f64,
    state: &State,
    actions: &mut Vec<Action>,
) {
    let scale = ui.pixels_per_point();
    let on_screen = |at: Pos2| {
        let at = (at - rect.min) * scale;
        [at.x, at.y].map(f64::from)
    };
    if let Some(at) = response.interact_pointer_pos()
        && response.secondary_clicked()
        && state.model().is_some()
    {
        let at = on_screen(at);
        actions.push(Action::Parts(match state.kind() {
            ContentKind::Motion => PartAction::PickBone(at, reach),
            ContentKind::Character | ContentKind::Atlas => PartAction::PickTop(at),
        }));
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
    show(response, state, asked, actions, |ui, at, actions| {
        let mut entries = ContextEntries::begin(ui, state);
        if let Some(model) = state.model() {
            entries.mesh(ui, model, actions);
            if let Some(bone) = state.chosen_bone() {
                entries.bone(ui, model, bone, actions);
            }
        }
        entries.camera(ui, on_screen(at), actions);
        entries.picture(ui, actions);
        entries.end(ui, actions);
    });
}

/// Shows the menu of a bone's row.
pub(super) fn of_bone(
    response: &Response,
    state: &State,
    model: &Model,
    bone: BoneId,
    actions: &mut Vec<Action>,
) {
    let asked = asked(state, response);
    show(response, state, asked, actions, |ui, _, actions| {
        let mut entries = ContextEntries::begin(ui, state);
        entries.bone(ui, model, bone, actions);
        entries.end(ui, actions);
    });
}

/// Shows a menu of plain entries, only some of which are enabled.
pub(super) fn of_row(
    response: &Response,
    state: &State,
    entries: &[(bool, String, Action)],
    actions: &mut Vec<Action>,
    more: impl FnOnce(&mut Ui, &mut Menu),
) {
    let asked = asked(state, response);
    show(response, state, asked, actions, |ui, _, actions| {
        let mut menu = Menu::begin(ui, state);
        for (enabled, text, action) in entries {
            if menu.add_enabled(ui, *enabled, text) {
                actions.push(action.clone());
            }
        }
        more(ui, &mut menu);
        menu.end(ui, true, actions);
    });
}

/// Least width of a menu in logical pixels.
const WIDTH: f32 = 230.0;
/// Widest name in a heading.
const NAME: f32 = 200.0;

pub(super) struct ContextEntries<'a> {
    state: &'a State,
    menu: Menu,
    /// True once a group of entries has begun.
    any: bool,
}

impl<'a> ContextEntries<'a> {
    pub(super) fn begin(ui: &mut Ui, state: &'a State) -> Self {
        ui.set_min_width(WIDTH);
        ui.spacing_mut().item_spacing.y = 1.0;
        ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
        Self { state, menu: Menu::begin(ui, state), any: false }
    }

    pub(super) fn end(self, ui: &mut Ui, actions: &mut Vec<Action>) {
        self.menu.end(ui, true, actions);
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
        let text = fit(ui, text);
        let key = weak(ui, format_key(ui, action));
        let button = Button::selectable(on, text).right_text(key);
        let response = self.menu.add(ui, text, false, button);
        response.is_some_and(|response| {
            let info = || WidgetInfo::selected(Role::Button, true, on, text);
            response.widget_info(info);
            response.clicked()
        })
    }

    /// Adds an entry that does its action.
    fn does(&mut self, ui: &mut Ui, text: &str, action: Action, on: bool, out: &mut Vec<Action>) {
        if self.add(ui, text, &action, on) {
            out.push(action);
        }
    }

    /// Adds an entry under the name of its action.
    fn plain(&mut self, ui: &mut Ui, action: Action, actions: &mut Vec<Action>) {
        if action.concerns(self.state.kind()) {
            self.does(ui, action.name(), action, false, actions);
        }
    }

    /// Adds what can be done with the selected mesh.
    pub(super) fn mesh(&mut self, ui: &mut Ui, model: &Model, actions: &mut Vec<Action>) {
        let Some(id) = self.state.chosen_mesh() else {
            return;
        };
        let name = model.subject().mesh(id).map_or("", |mesh| mesh.name());
        self.group(ui, Some(&shown(name)));
        let text = match model.shown(id).visible {
            true => "Hide this mesh",
            false => "Show this mesh",
        };
        self.does(ui, text, Action::Parts(PartAction::ToggleChosen), false, actions);
        let alone = self.state.solo() == Some(id);
        let text = match alone {
            true => "Show the other meshes again",
            false => "Isolate this mesh",
        };
        self.does(ui, text, Action::Parts(PartAction::SoloChosen), alone, actions);
        if self.state.mesh_view(id) != MeshView::default() {
            let reset = Action::Parts(PartAction::ResetMesh(id));
            self.does(ui, "Reset this mesh", reset, false, actions);
        }
        let any = |view: &MeshView| view.visible.is_some();
        if self.state.view().meshes.iter().any(any) {
            self.plain(ui, Action::Parts(PartAction::ShowAll(true)), actions);
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
        self.group(ui, Some(&format!("Bone {}", bone_name(model, bone))));
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
            let go_to = Action::Looking(LookAction::GoTo(Destination::List(Tab::Bones)));
            self.does(ui, "Show in the tree", go_to, false, actions);
        }
    }

    /// Adds what can be done with the camera, at a point of the picture.
    pub(super) fn camera(&mut self, ui: &mut Ui, at: [f64; 2], actions: &mut Vec<Action>) {
        self.group(ui, None);
        for action in [
            CameraAction::Middle(at),
            CameraAction::FitAll,
            CameraAction::Fit,
            CameraAction::FitFrame,
            CameraAction::FitChosen,
            CameraAction::ActualSize,
        ] {
            self.plain(ui, Action::Camera(action), actions);
        }
    }

    /// Adds what can be done with the picture.
    pub(super) fn picture(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        self.group(ui, None);
        for action in [
            Action::Export(ExportAction::CopyPicture),
            Action::Export(ExportAction::Screenshot { overlays: true }),
            Action::Export(ExportAction::CopyCommandLine),
            Action::Export(ExportAction::CopyWindowCommand),
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
        for switch in [Switch::Overlay(Layer::Grid), Switch::Ruler, Switch::Preview] {
            let action = Action::Toggle(switch);
            let has_it = self.state.kind() != ContentKind::Motion || switch == Switch::Preview;
            if has_it {
                self.does(ui, action.name(), action, self.state.is_on(switch), actions);
            }
        }
    }
}
