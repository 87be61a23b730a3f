//! Tests of the panels through their screen-reader names: controls are found by name, clicked, and walked through.

mod atlas;
mod background;
mod card;
mod clips;
mod compare;
mod curves;
mod fade;
mod focus;
mod gallery;
mod keyboard;
mod list;
mod menu;
mod message_strip;
mod onion;
mod rows;
mod screenshot;
mod sheet;
mod smoothness;
mod space;
mod stage;
mod time_line;
mod tool;
mod toolbar;
mod undo;
mod way;

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, Vec2, pos2, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use egui_kittest::{Harness, Node};
use pchr::document::{AnimationId, BoneId, BoneTransform, MeshId};
use pchr::image::{Levels, Pixels};
use pchr::overlay::Layer;
use pchr_tools::view::Playing;

use super::*;
use crate::fixture::{Builder, WHITE, at};
use crate::viewer::action::{
    CameraAction, FileAction, LookAction, PartAction, PlaybackAction, ReferenceAction,
};
use crate::viewer::backgrounds_and_rulers::Background;
use crate::viewer::command_line::ViewerOptions;
use crate::viewer::desktop::load;
use crate::viewer::input;
use crate::viewer::input::Over;
use crate::viewer::loaded::{Candidate, LoadDone, LoadError, Loaded, Source};
use crate::viewer::problem::Problem;
use crate::viewer::question::Question;
use crate::viewer::state::Request;
use crate::viewer::state::tests::curves::MOTION;
use crate::viewer::state::tests::orbit::WALK;
use crate::viewer::state::tests::page::ATLAS;
use crate::viewer::state::tests::{apply, requested};

const SIZE: [f32; 2] = [1024.0, 640.0];

/// The whole user interface, without a window.
pub(super) type Window = Harness<'static, State>;

fn hat() -> Builder {
    Builder::new().image(1, &[WHITE]).bone("root", None).quad("hat", 0, 0, [0.0, 0.0], [40.0, 40.0])
}

/// So many animations of different lengths.
fn clips(count: u16) -> &'static [u8] {
    let clip = |hat: Builder, clip| hat.still(&format!("clip {clip:05}"), true, 1 + clip % 30);
    (0..count).fold(hat(), clip).bytes().leak()
}

/// Returns a file with two squares beside each other on two bones of a root, and two animations.
fn file() -> &'static [u8] {
    let bones = Builder::new().image(1, &[WHITE]).bone("root", None).bone("left", Some(0));
    let hat = bones.bone("right", Some(0)).quad("hat", 0, 1, [0.0, 0.0], [40.0, 40.0]);
    let both = hat.quad("shoe", 0, 2, [60.0, 0.0], [100.0, 40.0]);
    both.still("walk", true, 8).still("run", true, 6).bytes().leak()
}

/// Preparation of the state before the window is checked.
type SetUp = fn(&mut State);

/// Opens a window that shows two squares.
pub(super) fn window(setup: impl FnOnce(&mut State)) -> Window {
    window_of(file(), setup)
}

/// Does the same as [`window`] with another file.
fn window_of(sample: &'static [u8], setup: impl FnOnce(&mut State)) -> Window {
    let mut state = State::new(&ViewerOptions {
        sample,
        playing: Playing { paused: Some(true), ..Playing::default() },
        ..ViewerOptions::default()
    });
    for request in state.take_requests() {
        if let Request::Load(id, source, _) = request {
            let result = load(&source, || true).map(Arc::new);
            state.apply(FileAction::Loaded(LoadDone { id, source, files: Vec::new(), result }));
        }
    }
    setup(&mut state);
    let mut is_installed = false;
    let mut harness = Harness::builder().with_size(SIZE).build_ui_state(
        move |ui, state: &mut State| {
            if !std::mem::replace(&mut is_installed, true) {
                theme::install(ui.ctx()); // its fonts come in the next frame
                crate::viewer::input::install(ui.ctx());
                return ui.ctx().request_repaint();
            }
            crate::viewer::focus::recall(ui.ctx(), state.kept().focus);
            let (over, mesh) = (Over::of(state), input::focused_mesh(ui.ctx(), state));
            let mut actions = input::of_keys(ui.ctx(), over, state.kind(), mesh);
            let around = Surroundings {
                adapter: "An adapter".into(),
                atlas: Some(egui::TextureId::default()),
                ..Surroundings::default()
            };
            super::ui(ui, state, &around, &mut actions);
            for action in actions {
                state.apply(action);
            }
        },
        state,
    );
    harness.run_ok();
    harness
}

/// Answers the load that was asked for last with two squares.
fn answer_load(state: &mut State) {
    answer_load_with(state, load(&Source::Sample(file()), || true));
}

/// Answers the load that was asked for last.
fn answer_load_with(state: &mut State, loaded: Result<Loaded, LoadError>) {
    let (id, source) = requested!(state, Request::Load(id, source, _) => (id, source));
    let result = loaded.map(|loaded| Arc::new(Loaded { source: source.clone(), ..loaded }));
    state.apply(FileAction::Loaded(LoadDone { id, source, files: Vec::new(), result }));
}

/// A window with little room, in which a mesh and a bone are chosen.
fn small_with_details() -> Window {
    let mut window = window(|state| {
        state.apply(PartAction::ChooseMesh(Some(MeshId(0))));
        state.apply(PartAction::ChooseBone(Some(BoneId(2))));
    });
    resize(&mut window, vec2(700.0, 420.0));
    window
}

fn at_once(harness: &mut Window, events: Vec<Event>) {
    harness.input_mut().events.extend(events);
    harness.run_ok();
}

fn all_on(state: &mut State) {
    apply!(state, PartAction::ChooseMesh(Some(MeshId(0))), PartAction::ChooseBone(Some(BoneId(1))));
    for switch in [Switch::Weights, Switch::Hud, Switch::Atlas] {
        state.apply(Action::Toggle(switch));
    }
}

/// Returns true for the roles of usable controls, which need a name.
pub(super) fn is_control(role: Role) -> bool {
    matches!(
        role,
        Role::Button
            | Role::CheckBox
            | Role::ComboBox
            | Role::Link
            | Role::ListBoxOption
            | Role::MenuItem
            | Role::RadioButton
            | Role::Slider
            | Role::SpinButton
            | Role::TextInput
            | Role::TreeItem
            | Role::ColorWell
            | Role::Image
    )
}

fn frame(window: &Window) -> u16 {
    let state = window.state();
    state.playback().frame_at(state.timelines()).map_or(0, |at| at.frame)
}

fn playing(window: &Window) -> Option<u16> {
    window.state().playback().animation.map(|id| id.0)
}

pub(super) fn nodes(harness: &Window) -> Vec<Node<'_>> {
    let mut all = vec![harness.root()];
    let mut next = 0;
    while next < all.len() {
        let children: Vec<_> = all[next].children().collect();
        all.extend(children);
        next += 1;
    }
    all
}

/// What the user chose for the first two meshes.
fn visible(window: &Window) -> [Option<bool>; 2] {
    [0, 1].map(|mesh| window.state().mesh_view(MeshId(mesh)).visible)
}

/// Texts by which a node is known: its name, its value, and what a field asks for.
fn texts(node: &Node<'_>) -> Vec<String> {
    let access = node.accesskit_node();
    let all = [access.label(), access.value(), access.placeholder().map(str::to_owned)];
    all.into_iter().flatten().collect()
}

/// Checks that each control has a name, and lies within the width of the window.
fn check_controls(harness: &Window, of: &str) {
    let width = harness.ctx.content_rect().width();
    let mut count = 0;
    for node in nodes(harness) {
        let access = node.accesskit_node();
        if is_control(access.role()) {
            count += 1;
            let role = access.role();
            let place = node.rect();
            let named = texts(&node).iter().any(|text| !text.trim().is_empty());
            assert!(named, "{of}: {role:?} at {place} has no name");
            let is_within = place.left() > -1.0 && place.right() < width + 1.0;
            assert!(is_within, "{of}: {:?} lies at {place}", texts(&node));
        }
    }
    assert!(count > 20, "{of}: only {count} controls are seen");
}

/// Name and place of the control that has the keyboard focus.
fn focused(harness: &Window) -> Option<(String, Rect)> {
    let all = nodes(harness);
    let nothing = Role::Window;
    let is_it = |node: &&Node<'_>| node.is_focused() && node.accesskit_node().role() != nothing;
    let found = all.iter().find(is_it)?;
    Some((found.accesskit_node().label().unwrap_or_default(), found.rect()))
}

/// Name of the control that has the keyboard focus.
fn stop(window: &Window) -> String {
    focused(window).map(|(name, _)| name).unwrap_or_default()
}

pub(super) fn has(window: &Window, name: &str) -> bool {
    window.query_by_label(name).is_some()
}

pub(super) fn click(window: &mut Window, name: &str) {
    window.get_by_label(name).click();
    window.run_ok();
}

fn click_role(window: &mut Window, role: Role, name: &str) {
    window.get_by_role_and_label(role, name).click();
    window.run_ok();
}

fn focus(window: &mut Window, name: &str) {
    window.get_by_label(name).focus();
    window.run_ok();
}

fn type_into(window: &mut Window, field: &str, text: &str) {
    focus(window, field);
    window.get_by_label(field).type_text(text);
    window.run_ok();
}

/// Types where the keyboard focus is. Returns the name of the control that has it then.
fn type_text(window: &mut Window, text: &str) -> String {
    window.event(Event::Text(text.into()));
    window.run_ok();
    stop(window)
}

fn apply(window: &mut Window, action: impl Into<Action>) {
    window.state_mut().apply(action);
    window.run_ok();
}

/// Carries out an action and lets what it opens settle.
fn apply_and_wait(window: &mut Window, action: impl Into<Action>) {
    apply(window, action);
    window.run_ok();
}

/// Gives the window a size and lets its layout settle.
pub(super) fn resize(window: &mut Window, size: impl Into<Vec2>) {
    window.set_size(size.into());
    window.run_ok();
    window.run_ok();
}

fn hover(window: &mut Window, at: Pos2) {
    window.hover_at(at);
    window.run_ok();
}

pub(super) fn press(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_ok();
}

/// Presses a key and lets what it opens or closes settle.
fn press_and_wait(window: &mut Window, modifiers: Modifiers, key: Key) {
    press(window, modifiers, key);
    window.run_ok();
}

/// Presses a key. Returns the name of the control that has the keyboard focus then.
pub(super) fn key(window: &mut Window, key: Key) -> String {
    press(window, Modifiers::NONE, key);
    stop(window)
}

fn down(key: Key, modifiers: Modifiers) -> Event {
    Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }
}

fn button(pos: Pos2, pressed: bool) -> Event {
    button_with(pos, pressed, PointerButton::Primary, Modifiers::NONE)
}

fn button_with(pos: Pos2, pressed: bool, button: PointerButton, modifiers: Modifiers) -> Event {
    Event::PointerButton { pos, button, pressed, modifiers }
}

fn wheel(by: f32, modifiers: Modifiers) -> Event {
    Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: vec2(0.0, by),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers,
    }
}

/// Clicks at a place within one frame.
fn click_at(window: &mut Window, at: Pos2) {
    hover(window, at);
    at_once(window, vec![button(at, true), button(at, false)]);
}

/// A press at one place and a release at another.
fn stroke(from: Pos2, to: Pos2) -> Vec<Event> {
    stroke_with(from, to, PointerButton::Primary, Modifiers::NONE)
}

fn stroke_with(from: Pos2, to: Pos2, button: PointerButton, modifiers: Modifiers) -> Vec<Event> {
    let press = |pos, pressed| button_with(pos, pressed, button, modifiers);
    vec![Event::PointerMoved(from), press(from, true), Event::PointerMoved(to), press(to, false)]
}

fn one_by_one(window: &mut Window, events: impl IntoIterator<Item = Event>) {
    for event in events {
        window.event(event);
        window.step();
    }
}

/// Opens the menu of a control by the secondary button of the pointer.
fn open_menu(window: &mut Window, name: &str) {
    window.get_by_label(name).click_secondary();
    window.run_ok();
    window.run_ok();
}

/// Presses at a place, goes to another one in steps, and lets go there.
fn drag(window: &mut Window, from: Pos2, to: Pos2) {
    let moves = [0.3, 0.7, 1.0].map(|part| Event::PointerMoved(from.lerp(to, part)));
    let mut events = vec![Event::PointerMoved(from), button(from, true)];
    events.extend(moves);
    events.push(button(to, false));
    for event in events {
        window.event(event);
        window.run_ok();
    }
    window.run_ok();
}

#[test]
fn every_control_has_a_name_and_a_place_in_the_window() {
    let of_motion: SetUp = |state| {
        apply!(state, PartAction::ChooseBone(Some(BoneId(1))), Action::Toggle(Switch::Hud));
    };
    let states: [(&str, &[u8], SetUp); 6] = [
        ("start", file(), |_| ()),
        ("all overlays", file(), all_on),
        ("bones", file(), |state| state.apply(LookAction::Tab(Tab::Bones))),
        ("palette", file(), |state| state.apply(Action::Toggle(Switch::Palette))),
        ("keys", file(), |state| state.apply(Action::Toggle(Switch::Keys))),
        ("motion", WALK, of_motion),
    ];
    for (name, sample, setup) in states {
        check_controls(&window_of(sample, setup), name);
    }
}

#[test]
fn controls_are_found_by_their_names_and_do_what_they_say() {
    let mut harness = window(|_| ());
    click(&mut harness, "Hide hat");
    assert_eq!(harness.state().mesh_view(MeshId(0)).visible, Some(false));
    click(&mut harness, "Reset all meshes");
    assert_eq!(harness.state().mesh_view(MeshId(0)).visible, None);

    click(&mut harness, "shoe");
    assert_eq!(harness.state().chosen_mesh(), Some(MeshId(1)));
    click(&mut harness, "Tree of bones");
    click_role(&mut harness, Role::TreeItem, "right");
    assert_eq!(harness.state().chosen_bone(), Some(BoneId(2)));
}

#[test]
fn escape_closes_an_open_list_or_leaves_a_field_and_nothing_else() {
    let mut harness = window(|state| state.apply(PartAction::ChooseMesh(Some(MeshId(0)))));
    click(&mut harness, "Background");
    assert!(has(&harness, "Grey"));
    key(&mut harness, Key::Escape);
    assert!(!has(&harness, "Grey"));
    assert_eq!(harness.state().chosen_mesh(), Some(MeshId(0)));
    focus(&mut harness, "Filter meshes");
    key(&mut harness, Key::Escape);
    assert_eq!(harness.state().chosen_mesh(), Some(MeshId(0)));
    key(&mut harness, Key::Escape);
    assert_eq!(harness.state().chosen_mesh(), None);
}

#[test]
fn the_format_is_said_and_an_error_in_a_text_is_placed_by_line_and_column() {
    let mut harness = window(|_| ());
    assert!(harness.query_by_label_contains("PCHR v1").is_some());
    let source = Source::Sample(b"{\n  \"version\": 1,\n  \"fps\": \"fast\"}");
    let error = load(&source, || true).unwrap_err();
    let problem = Problem::of_load(&source, &error);
    let text = problem.text();
    assert!(text.contains("at line 3, column 10 (byte 27)"), "{text}");
    apply(&mut harness, Action::Report(problem));
    assert!(harness.query_by_label_contains("fps, line 3, column 10").is_some());
}
