//! Undo and redo, without a window.

use proptest::prelude::*;

use super::*;

/// All that can be undone.
fn values(state: &State) -> String {
    let mut meshes = state.parts().view.meshes.clone();
    while meshes.pop_if(|last| *last == MeshView::default()).is_some() {}
    let playback = state.playback();
    let playing = (playback.section, playback.fps, playback.mode, playback.speed, playback.smooth);
    let bind = state.model().unwrap().bind_choice();
    let fitted = state.view.fitted;
    let solo = state.solo();
    let (blend, camera) = (state.blend(), state.scene_camera());
    format!("{meshes:?} {solo:?} {playing:?} {bind:?} {fitted} {blend:?} {camera:?}")
}

/// Undoes or redoes all, until this is said.
fn to_the_end(state: &mut State, action: &Action, said: &str) {
    for _ in 0..300 {
        state.apply(action.clone());
    }
    assert_eq!(self::said(state), Some(said));
}

/// Something that can be undone, and a little that cannot.
pub(super) fn any_action() -> impl Strategy<Value = Action> {
    let mesh = || (0..3_u16).prop_map(MeshId);
    let of_parts = prop_oneof![
        (mesh(), prop::option::of(any::<bool>()))
            .prop_map(|(mesh, on)| PartAction::ShowMesh(mesh, on)),
        mesh().prop_map(PartAction::Solo),
        any::<bool>().prop_map(PartAction::ShowAll),
        mesh().prop_map(|mesh| PartAction::MoveMesh(mesh, OrderStep::Up)),
        (mesh(), 0..3_usize).prop_map(|(mesh, row)| PartAction::PlaceMesh(mesh, row)),
        mesh().prop_map(PartAction::ResetMesh),
        Just(PartAction::ResetMeshes),
        Just(PartAction::ToggleChosen),
        Just(PartAction::SoloChosen),
        mesh().prop_map(|mesh| PartAction::ChooseMesh(Some(mesh))),
    ];
    let of_playback = prop_oneof![
        (0..9_u16, 0..9_u16).prop_map(|(a, b)| PlaybackAction::Section(Some([a, b]))),
        Just(PlaybackAction::Section(None)),
        Just(PlaybackAction::SectionStart),
        Just(PlaybackAction::SectionEnd),
        Just(PlaybackAction::Fps(Some(24.0))),
        Just(PlaybackAction::Fps(None)),
        Just(PlaybackAction::Looping(Some(LoopMode::Once))),
        Just(PlaybackAction::CycleLoop),
        prop::option::of((0..3_u16, 0.0..=1.0_f32)).prop_map(|blend| {
            let blend = blend.map(|(with, amount)| Blend { with: AnimationId(with), amount });
            PlaybackAction::Blend(blend)
        }),
        (-1..2).prop_map(PlaybackAction::WalkSpeed),
        Just(PlaybackAction::Bind(BindChoice::None)),
        (0..9_i32).prop_map(PlaybackAction::Step),
    ];
    let of_camera = prop_oneof![
        Just(CameraAction::Pan([10.0, -3.0])),
        Just(CameraAction::Nudge([1, 0])),
        Just(CameraAction::Zoom(1.5, [20.0, 30.0])),
        Just(CameraAction::ZoomBy(-1)),
        Just(CameraAction::Fit),
        Just(CameraAction::ActualSize),
        Just(CameraAction::Mirror),
        Just(CameraAction::Turn([12.0, 5.0])),
        Just(CameraAction::TurnBy([-1, 0])),
        Just(CameraAction::Face(Facing::Top)),
        Just(CameraAction::Center([200.0, 150.0], 9.0)),
    ];
    prop_oneof![
        of_parts.prop_map(Action::Parts),
        of_playback.prop_map(Action::Playback),
        of_camera.prop_map(Action::Camera),
        Just(Action::Toggle(Switch::Smooth)),
        Just(Action::Rest),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn undoing_all_ends_at_the_start_and_redoing_all_at_the_end(
        actions in prop::collection::vec(any_action(), 0..40),
        in_space in any::<bool>(),
    ) {
        let mut state = open();
        if in_space {
            finish(&mut state, WALK);
            state.apply(FileAction::OpenSample);
            finish(&mut state, WALK);
        }
        state.apply(PlaybackAction::TogglePlay);
        let start = values(&state);
        for action in actions {
            state.apply(action);
        }
        let end = values(&state);
        to_the_end(&mut state, &Action::Undo, "Nothing to undo");
        prop_assert_eq!(values(&state), start);
        to_the_end(&mut state, &Action::Redo, "Nothing to redo");
        prop_assert_eq!(values(&state), end);
    }
}

#[test]
fn what_was_undone_is_named_and_the_picture_is_as_before() {
    let mut state = open();
    let all = drawn(&state);
    apply!(state, Action::Toggle(Switch::Smooth), PartAction::ShowMesh(MeshId(1), Some(false)));
    state.apply(PartAction::Solo(MeshId(0)));
    for (action, named, shown, solo, smooth) in [
        (Action::Undo, "Undone: Isolate", vec![0, 2], None, true),
        (Action::Undo, "Undone: Hide", all.clone(), None, true),
        (Action::Undo, "Undone: Smooth playback", all.clone(), None, false),
        (Action::Redo, "Redone: Smooth playback", all, None, true),
        (Action::Redo, "Redone: Hide", vec![0, 2], None, true),
        (Action::Redo, "Redone: Isolate", vec![0], Some(MeshId(0)), true),
    ] {
        state.apply(action);
        assert_eq!((said(&state), drawn(&state), state.solo()), (Some(named), shown, solo));
        assert_eq!(state.is_on(Switch::Smooth), smooth, "{named}");
    }
}

#[test]
fn a_section_is_taken_back_in_the_animation_that_it_is_of() {
    let mut state = open();
    let walk = state.playback().animation;
    apply!(state, PlaybackAction::Section(Some([2, 5])), PlaybackAction::Animation(AnimationId(2)));
    assert_eq!(state.playback().section, None);
    state.apply(Action::Undo);
    assert_eq!((state.playback().animation, state.playback().section), (walk, None));
    state.apply(Action::Redo);
    assert_eq!(state.playback().section, Some([2, 5]));
}

#[test]
fn a_picture_that_followed_the_fit_follows_it_again() {
    let mut state = open();
    apply!(state, CameraAction::Pan([30.0, 0.0]), CameraAction::Viewport([800, 600]), Action::Undo);
    assert!(state.view.fitted);
    let undone = state.camera();
    state.apply(CameraAction::Fit);
    assert_eq!(state.camera(), undone, "it fits the size that it has now");
    state.apply(CameraAction::Viewport(SIZE));
    assert!(state.view.fitted);
}

#[test]
fn steps_are_of_a_file_and_come_back_with_it_but_not_those_of_other_parts() {
    let mut state = showing(&["a", "b"], file());
    state.apply(PartAction::ShowMesh(MeshId(1), Some(false)));
    read_as(&mut state, FileAction::NextFile, super::stranger());
    state.apply(Action::Undo);
    assert_eq!(said(&state), Some("Nothing to undo"));
    read_as(&mut state, FileAction::PreviousFile, file());
    assert_eq!(state.mesh_view(MeshId(1)).visible, Some(false));
    state.apply(Action::Undo);
    assert_eq!(state.mesh_view(MeshId(1)).visible, None);
    let mut state = showing(&["a", "b"], file());
    apply!(state, PartAction::ShowMesh(MeshId(1), Some(false)), Action::Undo);
    read_as(&mut state, FileAction::NextFile, file());
    read_as(&mut state, FileAction::PreviousFile, renamed());
    state.apply(Action::Redo);
    assert_eq!(said(&state), Some("Nothing to redo"));
    assert_eq!(state.mesh_view(MeshId(1)).visible, None);
}

fn renamed() -> &'static [u8] {
    let mut parts = super::parts();
    parts.meshes[1].name = "another".into();
    written(&parts)
}

#[test]
fn steps_survive_a_reload_with_the_same_names_and_never_act_on_a_mesh_that_took_an_index() {
    let hide = || PartAction::ShowMesh(MeshId(1), Some(false));
    let changed = |state: &mut State, bytes| {
        read_as(state, FileAction::Changed("a".into()), bytes);
    };
    let mut state = showing(&["a"], file());
    state.apply(hide());
    changed(&mut state, file());
    assert_eq!(state.mesh_view(MeshId(1)).visible, Some(false));
    state.apply(Action::Undo);
    assert_eq!(said(&state), Some("Undone: Hide"));
    assert_eq!(state.mesh_view(MeshId(1)).visible, None);

    // A step that was undone would hide the other mesh.
    changed(&mut state, renamed());
    state.apply(Action::Redo);
    assert_eq!(said(&state), Some("Nothing to redo"));
    assert_eq!(state.mesh_view(MeshId(1)).visible, None);

    // A step that was done would show it, though it was hidden by its own name.
    apply!(state, hide(), PartAction::ShowMesh(MeshId(1), None));
    changed(&mut state, file());
    state.apply(hide());
    changed(&mut state, renamed());
    assert_eq!(state.mesh_view(MeshId(1)).visible, None, "not that mesh");
    let shown = drawn(&state);
    state.apply(Action::Undo);
    assert_eq!(said(&state), Some("Nothing to undo"));
    assert_eq!(drawn(&state), shown);
}

fn said(state: &State) -> Option<&str> {
    state.said().map(|message| &*message.text)
}

#[test]
fn a_pin_is_undone_and_not_something_else() {
    let mut state = open();
    apply!(state, PlaybackAction::Animation(AnimationId(1)), LookAction::PinFrame);
    let pinned = state.overlays(1).pin;
    apply!(state, LookAction::PinTint([1, 2, 3]), LookAction::PinTint([4, 5, 6]));
    state.apply(LookAction::Unpin);
    assert_eq!(state.overlays(1).pin, None);
    state.apply(Action::Undo);
    assert_eq!(state.overlays(1).pin.map(|pin| pin.tint), Some([4, 5, 6]));
    state.apply(Action::Undo);
    assert_eq!(state.overlays(1).pin, pinned, "one step for all colours");
    state.apply(Action::Undo);
    assert_eq!((state.parts().pin, state.is_on(Switch::Pin)), (None, false));
    state.apply(Action::Redo);
    assert_eq!(state.overlays(1).pin, pinned);
}
