//! The panels around the picture. They read the state and make actions, but change nothing: [`Panels`] is what each of them is given.

mod background_and_screenshot;
mod cards;
mod compare;
mod context;
mod curves;
mod edges;
mod export;
mod gallery;
mod list;
mod menu;
mod message_strip;
mod page;
mod palette_and_key_sheet;
mod picture;
mod playback;
mod pointer_and_wheel;
mod problem_and_empty_cards;
mod ruler_and_reference;
mod side;
mod space;
mod status;
mod toolbar;
mod widgets;

use std::cell::RefCell;
use std::ops::Deref;

use egui::{CentralPanel, Frame, Margin, Panel, Popup, Ui, UiBuilder};

use super::action::{Action, FileAction, LookAction, Message};
use super::focus;
use super::state::{SIDE, State};
use super::theme;
use crate::viewer::input::Over;
use crate::viewer::kept::Keep;
use crate::viewer::switch::{ContentKind, Destination, Switch, Tab};
pub(crate) use cards::{Costs, PictureCosts};
use edges::{Edge, Side};
use playback::animations;
use side::{bones, meshes, sprites, stage};

/// Data of the panels that is not part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surroundings {
    /// Description of the graphics adapter.
    pub adapter: String,
    /// True if the adapter draws on the CPU, and the last one did not.
    pub software: bool,
    /// Warnings about what the adapter could not take unchanged.
    pub warnings: Vec<String>,
    /// Costs of a frame.
    pub costs: Costs,
    /// Texture of the image that the selected mesh is drawn from, if it is shown.
    pub atlas: Option<egui::TextureId>,
}

/// The state and its surroundings as panels read them, and the actions that they make.
#[derive(Debug)]
pub(crate) struct Panels<'a> {
    state: &'a State,
    around: &'a Surroundings,
    actions: RefCell<Vec<Action>>,
}

impl Deref for Panels<'_> {
    type Target = State;

    fn deref(&self) -> &State {
        self.state
    }
}

impl Panels<'_> {
    fn push(&self, action: impl Into<Action>) {
        self.actions.borrow_mut().push(action.into());
    }

    /// Makes an action if a condition holds, such as that a button was clicked. The action is built in each frame: one that clones or
    /// allocates goes to [`Self::push`] behind an `if`.
    fn push_if(&self, holds: bool, action: impl Into<Action>) {
        if holds {
            self.push(action);
        }
    }
}

/// Width of a window in logical pixels below which the side panel does not fit at its set width.
const NARROW: f32 = 720.0;
/// Width in logical pixels that the timeline and its margins need beside the side panel.
const TIME_LINE: f32 = 290.0;
const NO_SKELETON: &str =
    "No skeleton, so bones are shown as points. Drop a .skl.pxd or glTF file to join them.";
/// Height in logical pixels below which a narrow window has no room for the side panel beside curves.
const LOW: f32 = 220.0;
/// Height in logical pixels below which the picture has no room for a strip above it.
const LOW_STRIP: f32 = 200.0;
/// Height in logical pixels below which the side panel cannot show everything.
const LOW_SIDE: f32 = 480.0;
/// Logical pixels between its controls then.
const LOW_SPACE: f32 = 3.0;
/// Height in logical pixels below which it has no room for a hint beside what is chosen.
const HINT: f32 = 520.0;

/// Seconds without the wheel or a key that end a burst.
const BURST: f64 = 0.4;

/// Lays out the whole window. Returns the upper left corner of the picture in screen pixels.
pub(crate) fn ui(
    ui: &mut Ui,
    state: &State,
    around: &Surroundings,
    actions: &mut Vec<Action>,
) -> [u32; 2] {
    let panels = Panels { state, around, actions: RefCell::new(std::mem::take(actions)) };
    let corner = lay_out(ui, &panels);
    *actions = panels.actions.into_inner();
    corner
}

fn lay_out(ui: &mut Ui, state: &Panels<'_>) -> [u32; 2] {
    // Laid out last, since Tab comes to it last.
    let is_gallery = state.is_on(Switch::Gallery);
    let status = (state.is_on(Switch::Panels) && !is_gallery).then(|| {
        let status = Panel::bottom("status").exact_size(28.0);
        fixed(ui, status, (theme::MARGIN, 2), |ui| ui.max_rect())
    });
    let hides_side = !is_gallery && state.is_on(Switch::Panels) && panels(ui, state);
    state.push_if(hides_side != state.kept().are_lists_hidden, Keep::AreListsHidden(hides_side));
    let corner = match is_gallery {
        false => picture_and_cards(ui, state),
        true => {
            gallery::ui(ui, state);
            [0, 0]
        }
    };
    if let Some(status) = status {
        let mut ui = ui.new_child(UiBuilder::new().id_salt("status").max_rect(status));
        status::ui(&mut ui, state);
    }
    // Without panels Tab has nowhere to go, and says how to bring them back.
    let is_tab = ui.input(|input| input.key_pressed(egui::Key::Tab));
    if is_tab && !state.is_on(Switch::Panels) && !state.is_on(Switch::Palette) {
        state.push(Action::Say(Message::panels_hidden()));
    }
    export::ui(ui, state);
    if state.is_on(Switch::Palette) {
        palette_and_key_sheet::palette(ui, state);
    }
    if state.is_on(Switch::Keys) {
        palette_and_key_sheet::key_sheet(ui, state);
    }
    let is_in_side = matches!(
        state.looking().target,
        Some(Destination::List(_) | Destination::Animations | Destination::Blend)
    );
    if hides_side && is_in_side {
        // The requested list replaces the curves.
        state.push(Action::Toggle(Switch::Curves));
    } else if state.looking().target.is_some() {
        state.push(LookAction::Reached);
    }
    let focus = focus::end(ui, Over::of(state).is_some());
    state.push_if(focus != state.kept().focus, Keep::Focus(focus));
    rest(ui, state);
    corner
}

/// Draws the picture, the strip above it and the cards over it. Returns the upper left corner of the picture in screen pixels.
fn picture_and_cards(ui: &mut Ui, state: &Panels<'_>) -> [u32; 2] {
    let page = state.model().zip(state.page()).and_then(|(model, page)| {
        let sprites = model.loaded().sprites.as_deref()?;
        Some((model, (sprites, page)))
    });
    let is_preview = state.is_on(Switch::Preview);
    if let Some((model, page)) = page.filter(|_| state.is_on(Switch::Atlas) && !is_preview) {
        page::ui(ui, state, model, page);
    }
    let has_strip = state.is_on(Switch::Panels) && ui.available_height() >= LOW_STRIP;
    if has_strip {
        let panel = Panel::top("strip").exact_size(message_strip::HEIGHT);
        fixed(ui, panel, (theme::MARGIN, 2), |ui| message_strip::ui(ui, state));
    }
    if has_strip && state.compare_mode().is_some() {
        let panel = Panel::top("comparison").exact_size(compare::HEIGHT);
        fixed(ui, panel, (theme::MARGIN, 2), |ui| compare::bar(ui, state));
    }
    compare::list(ui, state);
    CentralPanel::no_frame()
        .show(ui, |ui| {
            let picture = ui.max_rect();
            let corner = picture::ui(ui, state);
            ruler_and_reference::ruler(ui, picture, state);
            compare::over(ui, picture, state);
            let message = if has_strip { None } else { message_strip::over(ui, picture, state) };
            let [above, below] = problem_and_empty_cards::taken(ui.ctx(), state);
            let taken = [message, above, below];
            if let Some(model) = state.model().filter(|_| !is_preview) {
                if state.kind() != ContentKind::Motion && state.is_on(Switch::Weights) {
                    picture::legend(ui, picture, state, model);
                }
                space::gizmo(ui, picture, state);
                if state.is_on(Switch::Hud) {
                    let place = (picture, space::gizmo_height(picture, state), &taken);
                    cards::statistics(ui, place, state);
                }
                if state.kind() != ContentKind::Motion
                    && state.is_on(Switch::Atlas)
                    && page.is_none()
                {
                    cards::atlas_page(ui, (picture, &taken), state);
                }
            }
            problem_and_empty_cards::nothing_open(ui, picture, above, state);
            problem_and_empty_cards::ui(ui, message, state);
            corner
        })
        .inner
}

/// Ends a gesture when the pointer is released, or shortly after the last turn of the wheel or press of a key; forgets a menu that
/// was closed.
fn rest(ui: &Ui, state: &Panels<'_>) {
    let kept = state.kept().gesture;
    let is_menu_gone = state.kept().menu.is_some() && !Popup::is_any_open(ui.ctx());
    state.push_if(is_menu_gone, Keep::Menu(None));
    if !state.is_in_gesture() {
        return state.push_if(kept.is_some(), Keep::Gesture(None));
    }
    let (down, released, now) = ui.input(|input| {
        let pointer = &input.pointer;
        (pointer.any_down(), pointer.any_released(), input.time)
    });
    let count = state.step_count();
    let since = kept.filter(|(of, _)| *of == count);
    let since = since.map_or(now, |(_, since)| since);
    let gesture = (!down).then_some((count, since));
    state.push_if(kept != gesture, Keep::Gesture(gesture));
    let left = since + BURST - now;
    if released || (!down && left <= 0.0) {
        state.push(Action::Rest);
    } else if !down {
        let left = core::time::Duration::from_secs_f64(left);
        ui.ctx().request_repaint_after(left);
    }
}

/// Returns the frame of a panel with margins in logical pixels.
fn frame(ui: &Ui, x: i8, y: i8) -> Frame {
    let fill = theme::of(ui).panel;
    Frame::new().fill(fill).inner_margin(Margin::symmetric(x, y))
}

/// Draws a panel that cannot be resized, with margins in logical pixels.
fn fixed<R>(ui: &mut Ui, panel: Panel, (x, y): (i8, i8), add: impl FnOnce(&mut Ui) -> R) -> R {
    panel.resizable(false).frame(frame(ui, x, y)).show(ui, add).inner
}

/// Draws the panels around the picture. Returns true if curves leave no room for the side panel.
fn panels(ui: &mut Ui, state: &Panels<'_>) -> bool {
    let tools = Panel::top("tools").exact_size(36.0);
    fixed(ui, tools, (8, 2), |ui| toolbar::ui(ui, state));
    // A narrow window has its own side panel, so that the width chosen by the user is kept.
    let width = ui.available_width();
    let transport = |ui: &mut Ui| {
        let has_rail = !curves::ui(ui, state);
        let height = playback::height(ui, state, has_rail);
        let panel = Panel::bottom("transport").exact_size(height);
        let add = |ui: &mut Ui| playback::ui(ui, state, has_rail);
        fixed(ui, panel, (theme::MARGIN, 8), add);
    };
    let narrow = width < NARROW;
    let side = if narrow {
        transport(ui);
        if state.shows_curves() && ui.available_height() < LOW {
            return true; // the picture takes what curves leave
        }
        Panel::right("narrow side").resizable(false).exact_size((width * 0.5).min(260.0))
    } else {
        Panel::right("side")
            .default_size(state.looking().side)
            .size_range(250.0..=(width - TIME_LINE).clamp(250.0, 460.0))
    };
    let heights = ui.available_rect_before_wrap().y_range();
    // The panel's own line is as long as what is in it, which may be longer than the panel.
    let shown =
        side.show_separator_line(false).frame(frame(ui, 0, 0)).show(ui, |ui| side_panel(ui, state));
    let stroke = ui.visuals().widgets.noninteractive.bg_stroke;
    let left = shown.response.rect.left();
    ui.painter().vline(left + 0.5, heights, stroke);
    if !narrow {
        let edge =
            Edge { panel: "side", name: "Edge of the side panel", side: Side::Right, usual: SIDE };
        edge.keys(ui);
        let width = shown.response.rect.width().round();
        state.push_if((width - state.looking().side).abs() >= 1.0, LookAction::SideWidth(width));
        transport(ui);
    }
    false
}

fn side_panel(ui: &mut Ui, state: &Panels<'_>) {
    let low = ui.available_height() < LOW_SIDE;
    // Details of the selection replace the hint.
    let brief = ui.available_height() < HINT && side::has_details(state);
    if low {
        ui.spacing_mut().item_spacing.y = LOW_SPACE;
    }
    animations::ui(ui, state, low);
    line(ui);
    let Some(model) = state.model() else { return };
    let spatial = model.subject().spatial();
    let has_bones = model.subject().bone_count() > 0;
    let has_no_skeleton = spatial.is_some_and(|spatial| has_bones && !spatial.has_skeleton());
    let room = edges::SideRoom {
        height: ui.available_height(),
        low,
        has_buttons: has_tab(state, Tab::Meshes) && model.loaded().sprites.is_none(),
        has_hint: !brief && has_no_skeleton,
    };
    // Laid out after the list, since Tab comes to them then.
    let details = side::has_details(state).then(|| {
        let height = edges::details_height(state, room);
        let panel = Panel::bottom("details").resizable(false).exact_size(height);
        let panel = panel.frame(Frame::new().fill(theme::of(ui).panel));
        let shown = panel.show(ui, |ui| ui.max_rect());
        (shown.response.rect, shown.inner)
    });
    if has_bones || model.loaded().sprites.is_none() {
        tabs(ui, state);
    }
    if room.has_hint {
        let choose = Action::Files(FileAction::ChooseSkeleton);
        padded(ui, |ui| {
            ui.add(egui::Label::new(widgets::weak(ui, NO_SKELETON)).wrap());
            state.push_if(ui.button(choose.name()).clicked(), choose);
        });
    }
    let list = ui.available_rect_before_wrap();
    // Each file has its own scroll position.
    let file = UiBuilder::new().id_salt(model.loaded().source.name());
    ui.scope_builder(file.max_rect(list), |ui| {
        ui.set_clip_rect(ui.clip_rect().intersect(list));
        match (front(state), &model.loaded().sprites) {
            (_, Some(sprites)) => sprites::ui(ui, state, model, sprites, low),
            (Tab::Motions, None) => space::motion_list(ui, state),
            (Tab::Meshes, None) => meshes::ui(ui, state, model, low),
            (Tab::Bones, None) => bones::ui(ui, state, model),
            (Tab::Stage, None) => stage::ui(ui, state, model),
        }
    });
    if let Some((details, inside)) = details {
        edges::border(ui, state, room, details); // above the list, whose edge is near
        let mut ui = ui.new_child(UiBuilder::new().id_salt("details").max_rect(inside));
        ui.set_clip_rect(inside);
        side::details(&mut ui, state, model);
    }
}

fn tabs(ui: &mut Ui, state: &Panels<'_>) {
    padded(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            for tab in [Tab::Meshes, Tab::Bones, Tab::Motions, Tab::Stage] {
                if !has_tab(state, tab) {
                    continue;
                }
                let on = front(state) == tab;
                let button = egui::Button::selectable(on, tab.name());
                let action = Action::Looking(LookAction::Tab(tab));
                let go_to = Action::Looking(LookAction::GoTo(Destination::List(tab)));
                let tip = widgets::tip(ui, &go_to, "", state);
                let response = ui.add_sized([72.0, 24.0], button).on_hover_text(tip);
                response.widget_info(|| {
                    egui::WidgetInfo::selected(egui::Role::Tab, true, on, action.name())
                });
                state.push_if(response.clicked(), action);
            }
        });
    });
}

/// Returns true if the current content has this list.
fn has_tab(state: &State, tab: Tab) -> bool {
    let is_motion = state.kind() == ContentKind::Motion;
    match tab {
        Tab::Meshes => !is_motion && !state.is_bare(),
        Tab::Bones => true,
        Tab::Motions => is_motion && state.listed_files().0.len() > 1,
        Tab::Stage => state.layout().is_some(),
    }
}

/// Returns the list in front: the chosen one, if it exists.
fn front(state: &State) -> Tab {
    let chosen = state.looking().tab;
    match state.kind() {
        _ if has_tab(state, chosen) => chosen,
        ContentKind::Motion => Tab::Bones,
        _ if state.is_bare() => Tab::Bones,
        ContentKind::Character | ContentKind::Atlas => Tab::Meshes,
    }
}

fn line(ui: &Ui) {
    let stroke = ui.visuals().widgets.noninteractive.bg_stroke;
    let (left, right) = (ui.max_rect().left(), ui.max_rect().right());
    ui.painter().hline(left..=right, ui.cursor().top() - 3.0, stroke);
}

/// Adds controls within the panel's margins.
fn padded(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    // A low panel has narrow spaces.
    let is_low = ui.spacing().item_spacing.y <= LOW_SPACE;
    let (x, y) = (theme::MARGIN, if is_low { 1 } else { 3 });
    let margin = Margin::symmetric(x, y);
    Frame::new().inner_margin(margin).show(ui, |ui| {
        ui.set_width(ui.available_width());
        add(ui);
    });
}

#[cfg(test)]
mod tests;
