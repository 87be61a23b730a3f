//! Tests of the panels through their screen-reader names: controls are found by name, clicked, and walked through.

use std::sync::Arc;

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use pchr::document::{AnimationId, MeshId};

use super::*;
use crate::fixture::{Builder, WHITE};
use crate::viewer::action::{FileAction, LookAction, PartAction};
use crate::viewer::desktop::load;
use crate::viewer::input::Over;
use crate::viewer::loaded::{LoadDone, Source};
use crate::viewer::problem::Problem;
use crate::viewer::start::ViewerOptions;
use crate::viewer::state::Request;
use crate::viewer::{focus, input, key_order};
use pchr_tools::view::Playing;

pub(super) const SIZE: [f32; 2] = [1024.0, 640.0];

/// Returns a file with two squares beside each other on two bones of a root, and two animations.
fn file() -> &'static [u8] {
    Builder::new()
        .image(1, &[WHITE])
        .bone("root", None)
        .bone("left", Some(0))
        .bone("right", Some(0))
        .quad("hat", 0, 1, [0.0, 0.0], [40.0, 40.0])
        .quad("shoe", 0, 2, [60.0, 0.0], [100.0, 40.0])
        .still("walk", true, 8)
        .still("run", true, 6)
        .bytes()
        .leak()
}

/// Preparation of the state before the window is checked.
type SetUp = fn(&mut State);

/// Creates a harness with the whole user interface, without a window.
pub(super) fn window(setup: impl FnOnce(&mut State)) -> Harness<'static, State> {
    window_of(file(), setup)
}

/// Does the same as [`window`] with another file.
pub(super) fn window_of(
    sample: &'static [u8],
    setup: impl FnOnce(&mut State),
) -> Harness<'static, State> {
    let mut state = State::new(&ViewerOptions {
        sample,
        playing: Playing {
            paused: true,
            ..Playing::default()
        },
        ..ViewerOptions::default()
    });
    for request in state.take_requests() {
        if let Request::Load(id, source, _) = request {
            let result = load(&source, || true).map(Arc::new);
            state.apply(FileAction::Loaded(LoadDone {
                id,
                source,
                files: Vec::new(),
                result,
            }));
        }
    }
    setup(&mut state);
    let mut is_installed = false;
    let mut harness = Harness::builder().with_size(SIZE).build_ui_state(
        move |ui, state: &mut State| {
            if !std::mem::replace(&mut is_installed, true) {
                theme::install(ui.ctx()); // its fonts come in the next frame
                key_order::install(ui.ctx());
                return ui.ctx().request_repaint();
            }
            focus::recall(ui.ctx(), state.kept().focus);
            let mut actions = input::of_keys(
                ui.ctx(),
                Over::of(state),
                state.kind(),
                input::focused_mesh(ui.ctx(), state),
            );
            let around = Surroundings {
                adapter: "An adapter".into(),
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

/// Sends events within one frame.
pub(super) fn at_once(harness: &mut Harness<'static, State>, events: Vec<egui::Event>) {
    harness.input_mut().events.extend(events);
    harness.run_ok();
}

fn all_on(state: &mut State) {
    state.apply(PartAction::ChooseMesh(Some(MeshId(0))));
    state.apply(PartAction::ChooseBone(Some(pchr::document::BoneId(1))));
    for switch in [Switch::Weights, Switch::Hud, Switch::Atlas] {
        state.apply(Action::Toggle(switch));
    }
}

/// Returns true for the roles of usable controls, which need a name.
pub(super) fn is_control(role: egui::accesskit::Role) -> bool {
    use egui::accesskit::Role;
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

#[test]
fn every_control_has_a_name() {
    let states: [(&str, SetUp); 5] = [
        ("start", |_| ()),
        ("all overlays", all_on),
        ("bones", |state| state.apply(LookAction::Tab(Tab::Bones))),
        ("palette", |state| {
            state.apply(Action::Toggle(Switch::Palette))
        }),
        ("keys", |state| state.apply(Action::Toggle(Switch::Keys))),
    ];
    for (name, setup) in states {
        let harness = window(setup);
        let mut controls = 0;
        let mut open = vec![harness.root()];
        while let Some(node) = open.pop() {
            let access = node.accesskit_node();
            if is_control(access.role()) {
                controls += 1;
                let named = [
                    access.label(),
                    access.value(),
                    access.placeholder().map(str::to_owned),
                ];
                let said = named
                    .into_iter()
                    .flatten()
                    .any(|text| !text.trim().is_empty());
                assert!(
                    said,
                    "{name}: {:?} at {:?} has no name",
                    access.role(),
                    access.raw_bounds()
                );
            }
            open.extend(node.children());
        }
        assert!(controls > 30, "{name}: only {controls} controls are seen");
    }
}

#[test]
fn controls_are_found_by_their_names_and_do_what_they_say() {
    let mut harness = window(|_| ());
    harness.get_by_label("Play").click();
    harness.run_steps(2);
    assert!(harness.state().playback().playing);
    harness.get_by_label("Pause").click();
    harness.run_ok();
    assert!(!harness.state().playback().playing);

    harness.get_by_label("Hide hat").click();
    harness.run_ok();
    assert_eq!(harness.state().mesh_view(MeshId(0)).visible, Some(false));
    harness.get_by_label("Reset all meshes").click();
    harness.run_ok();
    assert_eq!(harness.state().mesh_view(MeshId(0)).visible, None);

    harness.get_by_label("shoe").click();
    harness.run_ok();
    assert_eq!(harness.state().chosen_mesh(), Some(MeshId(1)));
    harness.get_by_label("Tree of bones").click();
    harness.run_ok();
    let tree_item = egui::accesskit::Role::TreeItem;
    harness.get_by_role_and_label(tree_item, "right").click();
    harness.run_ok();
    assert_eq!(
        harness.state().chosen_bone(),
        Some(pchr::document::BoneId(2))
    );
}

#[test]
fn a_filter_leaves_only_what_holds_its_text_and_no_key_acts_meanwhile() {
    let mut harness = window(|_| ());
    harness.get_by_label("Filter meshes").focus();
    harness.run_ok();
    harness.get_by_label("Filter meshes").type_text("ho");
    harness.run_ok();
    assert_eq!(harness.state().looking().mesh_filter, "ho");
    assert!(harness.query_by_label("shoe").is_some());
    assert!(harness.query_by_label("hat").is_none());
    harness.key_press(egui::Key::B);
    harness.run_ok();
    assert!(!harness.state().is_on(Switch::Bones));
}

#[test]
fn the_palette_does_what_is_typed() {
    let mut harness = window(|state| state.apply(Action::Toggle(Switch::Palette)));
    harness
        .get_by_label("What do you want to do?")
        .type_text("show run");
    harness.run_ok();
    harness.key_press(egui::Key::Enter);
    harness.run_ok();
    assert_eq!(harness.state().playback().animation, Some(AnimationId(1)));
    assert!(!harness.state().is_on(Switch::Palette));
}

#[test]
fn nothing_is_cut_off_at_the_smallest_usual_window() {
    for setup in [|_: &mut State| (), all_on as fn(&mut State)] {
        let harness = window(setup);
        let mut open = vec![harness.root()];
        while let Some(node) = open.pop() {
            let access = node.accesskit_node();
            if is_control(access.role())
                && let Some(bounds) = access.raw_bounds()
            {
                let [width, height] = SIZE.map(f64::from);
                let sound = bounds.x0 > -1.0 && bounds.x1 < width + 1.0;
                assert!(sound, "{:?} lies at {bounds:?}", access.label());
                assert!(
                    bounds.y1 < height + 100.0, // details are scrolled
                    "{:?} lies at {bounds:?}",
                    access.label()
                );
            }
            open.extend(node.children());
        }
    }
}

#[test]
fn escape_closes_an_open_list_and_nothing_else() {
    let mut harness = window(|state| state.apply(PartAction::ChooseMesh(Some(MeshId(0)))));
    harness.get_by_label("Background").click();
    harness.run_ok();
    assert!(harness.query_by_label("Grey").is_some());
    harness.key_press(egui::Key::Escape);
    harness.run_ok();
    assert!(harness.query_by_label("Grey").is_none());
    assert_eq!(harness.state().chosen_mesh(), Some(MeshId(0)));
    harness.key_press(egui::Key::Escape);
    harness.run_ok();
    assert_eq!(harness.state().chosen_mesh(), None);
}

#[test]
fn escape_in_a_field_only_leaves_the_field() {
    let mut harness = window(|state| state.apply(PartAction::ChooseMesh(Some(MeshId(0)))));
    harness.get_by_label("Filter meshes").focus();
    harness.run_ok();
    harness.key_press(egui::Key::Escape);
    harness.run_ok();
    assert_eq!(harness.state().chosen_mesh(), Some(MeshId(0)));
}

#[test]
fn a_background_colour_is_picked_out_of_the_menu() {
    let mut harness = window(|_| ());
    harness.get_by_label("Background").click();
    harness.run_ok();
    harness.get_by_label("Background #ff00ff").click();
    harness.run_ok();
    let wanted = crate::viewer::background::Background::Color([255, 0, 255, 255]);
    assert_eq!(harness.state().looking().background, wanted);
    assert!(harness.query_by_label("Background #ff00ff").is_some());
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
    harness.state_mut().apply(Action::Report(problem));
    harness.run_ok();
    let placed = harness.query_by_label_contains("fps, line 3, column 10");
    assert!(placed.is_some());
}
