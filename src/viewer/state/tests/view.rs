//! Tests of views, choices and switches, without a window. The character is that of `tests`: three squares on three
//! bones, all at draw order 0 and in one place in the first frame.

use egui::ThemePreference;

use super::*;

fn paused() -> State {
    let mut state = open();
    state.apply(PlaybackAction::FirstFrame);
    state
}

/// Returns a point of the picture that lies in all squares.
fn inside(state: &State) -> [f64; 2] {
    state.camera().screen_at([10.0, 10.0], SIZE)
}

#[test]
fn meshes_are_hidden_shown_alone_moved_and_given_back() {
    use PartAction::{ChooseMesh, PlaceMesh, ResetMeshes, ShowAll, ShowMesh, Solo, ToggleChosen};
    let [first, one, two] = [0, 1, 2].map(MeshId);
    let mut state = paused();
    for (frame, action, wanted, solo) in [
        (0.0, ShowMesh(one, Some(false)), &[0_u16, 2][..], None),
        (0.0, Solo(one), &[1], Some(one)),
        (0.0, Solo(two), &[2], Some(two)),
        (0.0, Solo(two), &[0, 2], None),
        // The file hides the third in its last frame, and has no 78th.
        (9.0, ShowMesh(MeshId(77), Some(false)), &[0], None),
        (9.0, ShowMesh(two, Some(true)), &[0, 2], None),
        (9.0, ShowMesh(one, None), &[0, 1, 2], None),
        (9.0, ResetMeshes, &[0, 1], None),
        (9.0, ShowAll(true), &[0, 1, 2], None),
        (9.0, ShowAll(false), &[], None),
        (9.0, ResetMeshes, &[0, 1], None),
        (0.0, PartAction::ChooseNothing, &[0, 1, 2], None),
        (0.0, ToggleChosen, &[0, 1, 2], None),
        (0.0, ChooseMesh(Some(one)), &[0, 1, 2], None),
        (0.0, ToggleChosen, &[0, 2], None),
        (0.0, ToggleChosen, &[0, 1, 2], None),
        (0.0, PlaceMesh(first, 0), &[1, 2, 0], None), // topmost
        (0.0, PlaceMesh(first, 1), &[1, 0, 2], None),
        (0.0, PlaceMesh(two, usize::MAX), &[2, 1, 0], None),
        (0.0, PartAction::SoloChosen, &[1], Some(one)),
    ] {
        apply!(state, PlaybackAction::Seek(frame), action.clone());
        assert_eq!((&drawn(&state)[..], state.solo()), (wanted, solo), "{action:?}");
    }
}

#[test]
fn a_click_picks_the_topmost_mesh_and_more_clicks_those_below_it() {
    let mut state = paused();
    let at = inside(&state);
    let mut picked = Vec::new();
    for _ in 0..4 {
        state.apply(PartAction::Pick(at));
        picked.push(state.chosen_mesh().unwrap().0);
    }
    assert_eq!(picked, [2, 1, 0, 2]);
    let pick = state.parts().pick.unwrap();
    assert_eq!((pick.mesh, pick.draw_index), (MeshId(2), 2));
    assert_eq!((state.chosen_bone(), state.overlays(1).mesh), (Some(BoneId(2)), Some(MeshId(2))));
    state.apply(PartAction::Pick([1.0, 1.0]));
    assert_eq!((state.chosen_mesh(), state.parts().pick), (None, None));
    apply!(state, PartAction::ShowMesh(MeshId(2), Some(false)), PartAction::Pick(at));
    assert_eq!(state.chosen_mesh(), Some(MeshId(1)), "the one above it is hidden");
}

#[test]
fn the_trail_of_the_clicked_vertex_is_shown_until_something_else_is_selected() {
    let mut state = paused();
    state.apply(PartAction::TraceVertex);
    assert!(state.said().unwrap().text.starts_with("Click a mesh"));
    state.apply(PartAction::Pick(inside(&state)));
    let pick = state.parts().pick.unwrap();
    let of_vertex = Some(Trail::Vertex(pick.mesh, pick.vertex));
    for trail in [of_vertex, Some(Trail::Bone(BoneId(2))), of_vertex] {
        state.apply(PartAction::TraceVertex);
        assert_eq!(state.overlays(1).trail, trail);
    }
    // A file that is read again keeps it.
    reload_with(&mut state, file());
    assert_eq!(state.overlays(1).trail, of_vertex);
    state.apply(PartAction::ChooseBone(Some(BoneId(1))));
    assert_eq!(state.overlays(1).trail, Some(Trail::Bone(BoneId(1))));
    apply!(state, Action::Toggle(Switch::Trail), PartAction::ChooseNothing);
    state.apply(Action::Toggle(Switch::Trail));
    assert_eq!(state.said().unwrap().text, "Select a bone to see its trail");
}

#[test]
fn the_trail_of_a_vertex_that_is_gone_is_the_bones_again() {
    for left in [4, 3, 2, 0] {
        let mut state = paused();
        state.apply(PartAction::Pick(state.camera().screen_at([1.0, 19.0], SIZE)));
        state.apply(PartAction::TraceVertex);
        let last = Some(Trail::Vertex(MeshId(2), 3));
        assert_eq!(state.overlays(1).trail, last);
        let mut parts = parts();
        parts.meshes[2].vertices.truncate(left);
        parts.meshes[2].indices.clear();
        reload_with(&mut state, written(&parts));
        let wanted = last.filter(|_| left > 3).or(Some(Trail::Bone(BoneId(2))));
        assert_eq!(state.overlays(1).trail, wanted, "{left} vertices");
    }
}

#[test]
fn weights_are_those_of_the_chosen_bone() {
    let mut state = paused();
    state.apply(Action::Toggle(Switch::Weights));
    assert_eq!(state.overlays(1).weights, None);
    state.apply(PartAction::ChooseBone(Some(BoneId(1))));
    let overlays = state.overlays(3);
    assert_eq!((overlays.weights, overlays.scale), (Some(BoneId(1)), 3));
    state.apply(PartAction::ChooseNothing);
    assert!(state.overlays(1).is_empty());
}

#[test]
fn escape_puts_away_one_thing_after_the_other_and_never_the_program() {
    let mut state = paused();
    state.take_requests();
    apply!(state, PartAction::ChooseMesh(Some(MeshId(0))), Action::Toggle(Switch::Atlas));
    apply!(state, Action::Report(Problem::new("a", "b")), Action::Toggle(Switch::Keys));
    for left in [3, 2, 1, 0, 0] {
        state.apply(Action::Dismiss);
        let (keys, atlas) = (state.is_on(Switch::Keys), state.is_on(Switch::Atlas));
        let all = [state.chosen_mesh().is_some(), atlas, state.problem().is_some(), keys];
        assert_eq!(all, [0, 1, 2, 3].map(|place| place < left));
    }
    assert_eq!(state.take_requests(), []);
}

#[test]
fn backgrounds_themes_and_loop_modes_go_round() {
    let mut state = paused();
    let mut seen = Vec::new();
    for _ in 0..4 {
        seen.push(state.looking().background.clone());
        state.apply(LookAction::CycleBackground);
    }
    assert_eq!(state.looking().background, Background::Checker);
    assert_eq!(seen.iter().filter(|of| **of == Background::Checker).count(), 1);
    assert_eq!(state.picture().clear, [0; 4]);
    state.apply(LookAction::Background(Background::Color([200, 100, 0, 128])));
    assert_eq!(state.picture().clear, [100, 50, 0, 128]);

    let start = state.looking().theme;
    for _ in 0..3 {
        state.apply(LookAction::CycleTheme);
    }
    assert_eq!((start, state.looking().theme), (ThemePreference::System, start));

    for mode in [LoopMode::Loop, LoopMode::PingPong, LoopMode::Once] {
        assert_eq!(state.playback().mode(state.timelines()), mode);
        state.apply(PlaybackAction::CycleLoop);
    }
}

#[test]
fn the_camera_is_nudged_zoomed_about_the_middle_and_stays_when_the_clip_changes() {
    let mut state = paused();
    let start = state.camera();
    state.apply(CameraAction::Nudge([1, 0]));
    let nudged = state.camera();
    assert!((nudged.center[0] - (start.center[0] - 32.0 / start.zoom)).abs() < 1e-9);
    for _ in 0..4 {
        state.apply(CameraAction::ZoomBy(1));
    }
    assert!((state.camera().zoom / start.zoom - 2.0).abs() < 1e-9);
    assert!((state.camera().center[0] - nudged.center[0]).abs() < 1e-9);
    state.apply(CameraAction::ActualSize);
    assert!((state.camera().zoom - 1.0).abs() < 1e-12);
    let before = state.camera();
    state.apply(PlaybackAction::WalkAnimations(1));
    assert_eq!(state.camera(), before);
    state.apply(CameraAction::Fit);
    assert_ne!(state.camera(), before);
}

#[test]
fn a_file_opens_with_room_for_all_animations_and_one_a_frame_or_a_mesh_can_be_fitted() {
    let mut state = paused();
    let all = state.camera();
    let mut clips = Vec::new();
    for _ in 0..state.timelines().len() {
        state.apply(CameraAction::Fit);
        clips.push(state.camera());
        state.apply(PlaybackAction::WalkAnimations(1));
    }
    assert!(clips.iter().all(|clip| clip.zoom >= all.zoom), "{all:?} {clips:?}");
    assert!(clips.iter().any(|clip| *clip != all));
    state.apply(CameraAction::FitAll);
    assert_eq!(state.camera(), all);
    state.apply(CameraAction::FitChosen);
    assert_eq!(state.camera(), all);
    assert_eq!(state.said(), Some(&Message::new("Nothing is selected")));
    apply!(state, PartAction::ChooseMesh(Some(MeshId(1))), CameraAction::FitChosen);
    assert!(state.camera().zoom > all.zoom);
    let of_mesh = state.camera();
    state.apply(CameraAction::FitFrame);
    assert!(state.camera().zoom >= all.zoom && state.camera().zoom <= of_mesh.zoom);
}

#[test]
fn a_section_begins_and_ends_at_the_frame_on_screen() {
    let mut state = paused();
    apply!(state, PlaybackAction::Seek(3.0), PlaybackAction::SectionStart);
    apply!(state, PlaybackAction::Seek(6.0), PlaybackAction::SectionEnd);
    assert_eq!(state.playback().section, Some([3, 6]));
    state.apply(PlaybackAction::Seek(8.0));
    state.apply(PlaybackAction::SectionStart); // beyond its end: one frame
    assert_eq!(state.playback().section, Some([8, 8]));
    state.apply(PlaybackAction::Section(None));
    assert_eq!(state.playback().section, None);
}

#[test]
fn the_picture_is_drawn_again_only_when_something_of_it_may_have_changed() {
    let mut state = paused();
    let before = state.revision();
    apply!(state, CameraAction::Viewport(SIZE), Action::Say(Message::new("x")));
    state.apply(FileAction::Hover(None));
    assert_eq!(state.revision(), before);
    for action in [
        Action::Playback(PlaybackAction::Step(1)),
        Action::Camera(CameraAction::Pan([1.0, 0.0])),
        Action::Toggle(Switch::Overlay(Layer::Bones)),
        Action::Parts(PartAction::ChooseMesh(Some(MeshId(0)))),
        Action::Parts(PartAction::ShowMesh(MeshId(0), Some(false))),
        Action::Looking(LookAction::CycleBackground),
    ] {
        let before = state.revision();
        state.apply(action.clone());
        assert_ne!(state.revision(), before, "{action:?}");
    }
}

#[test]
fn palette_and_keys_are_open_one_at_a_time_and_begin_empty() {
    let mut state = paused();
    apply!(state, Action::Toggle(Switch::Palette), LookAction::Query("zoom".into()));
    state.apply(Action::Toggle(Switch::Keys));
    assert!(state.is_on(Switch::Keys) && !state.is_on(Switch::Palette));
    assert_eq!(state.looking().query, "");
}
