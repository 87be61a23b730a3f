//! Going from file to file, and from one animation to the next.

use super::*;

const ONCE: AnimationId = AnimationId(2);

fn walk(state: &mut State, action: FileAction) {
    read_as(state, action, file());
}

/// Plays what plays once, to its end.
fn play_to_the_end(state: &mut State) {
    apply!(state, PlaybackAction::Animation(ONCE), PlaybackAction::Advance(10.0));
    assert!(!state.playback().playing);
    assert_eq!(frame(state), 3);
}

#[test]
fn what_follows_an_animation_that_has_ended_plays() {
    type Step = fn(&mut State);
    let steps: [(&str, Step); 5] = [
        ("an animation", |state| state.apply(PlaybackAction::WalkAnimations(1))),
        ("one that is chosen", |state| state.apply(PlaybackAction::Animation(AnimationId(1)))),
        ("the same again", |state| state.apply(PlaybackAction::Animation(ONCE))),
        ("the next file", |state| walk(state, FileAction::NextFile)),
        ("a drop", |state| show(state, &["c"], file())),
    ];
    for (name, step) in steps {
        let mut state = showing(&["a", "b"], file());
        play_to_the_end(&mut state);
        step(&mut state);
        assert!(state.playback().playing, "{name}");
        // A person's pause stays, also one at the end.
        let mut state = showing(&["a", "b"], file());
        play_to_the_end(&mut state);
        state.apply(PlaybackAction::Step(-1));
        step(&mut state);
        assert!(!state.playback().playing, "{name}");
    }
    // When it is played, it starts again.
    let mut state = showing(&["a"], file());
    play_to_the_end(&mut state);
    state.apply(PlaybackAction::TogglePlay);
    assert!(state.playback().playing && frame(&state) == 0);
    apply!(state, PlaybackAction::TogglePlay, PlaybackAction::WalkAnimations(1));
    assert!(!state.playback().playing);
}

#[test]
fn who_comes_back_to_a_file_finds_it_as_it_was_left() {
    let mut state = showing(&["a", "b", "c"], file());
    apply!(state, PlaybackAction::TogglePlay, PlaybackAction::Animation(ONCE));
    apply!(state, PlaybackAction::Seek(2.0), PartAction::ShowMesh(MeshId(1), Some(false)));
    state.apply(PartAction::MoveMesh(MeshId(0), OrderStep::Up));
    apply!(state, PartAction::ChooseMesh(Some(MeshId(2))), PartAction::ChooseBone(Some(BoneId(1))));
    apply!(state, CameraAction::Mirror, CameraAction::Zoom(3.0, [10.0, 20.0]));
    let (camera, view) = (state.camera(), state.parts().view.clone());
    read_as(&mut state, FileAction::NextFile, stranger());
    assert_eq!(state.playback().animation, Some(AnimationId(1)));
    assert_eq!(state.mesh_view(MeshId(1)).visible, None);
    assert_ne!(state.camera(), camera);
    read_as(&mut state, FileAction::NextFile, stranger());
    walk(&mut state, FileAction::Show(0));
    assert_eq!(state.playback().animation, Some(ONCE));
    assert_eq!(frame(&state), 2);
    assert_eq!(state.camera(), camera);
    assert_eq!(state.parts().view, view);
    assert_eq!((state.chosen_mesh(), state.chosen_bone()), (Some(MeshId(2)), Some(BoneId(1))));
    // Opened again, it is as in the file.
    read_as(&mut state, FileAction::NextFile, stranger());
    show(&mut state, &["a"], file());
    assert_eq!((state.mesh_view(MeshId(1)).visible, frame(&state)), (None, 0));
}

#[test]
fn another_version_of_a_rig_is_shown_at_the_same_moment_from_the_same_place() {
    let mut version = parts();
    version.bones[2].name = "tail".into();
    version.meshes[1].name = "another".into();
    version.animations.swap(0, 2);
    let mut state = showing(&["a", "b"], file());
    apply!(state, PlaybackAction::Animation(ONCE), PlaybackAction::Seek(2.0));
    state.apply(PartAction::ShowMesh(MeshId(0), Some(false)));
    state.apply(PartAction::ChooseMesh(Some(MeshId(2))));
    let fitted = state.camera();
    for zoom in [1.0, 3.0] {
        state.apply(CameraAction::Zoom(zoom, [10.0, 20.0]));
        let camera = state.camera();
        read_as(&mut state, FileAction::NextFile, written(&version));
        assert_eq!((state.playback().animation, frame(&state)), (Some(AnimationId(0)), 2));
        assert_eq!((state.camera(), state.chosen_mesh()), (camera, Some(MeshId(2))));
        assert_eq!(state.mesh_view(MeshId(0)).visible, Some(false));
        state.apply(PlaybackAction::Step(1));
        walk(&mut state, FileAction::PreviousFile);
        assert_eq!((state.playback().animation, frame(&state)), (Some(ONCE), 3));
        state.apply(PlaybackAction::Step(-1));
    }
    assert_ne!(state.camera(), fitted);
    // A file that is opened starts fresh.
    show(&mut state, &["c"], file());
    assert_eq!((state.camera(), frame(&state), state.chosen_mesh()), (fitted, 0, None));
}

#[test]
fn a_file_is_wished_for_as_it_was_left_and_not_as_another_was() {
    let mut state = showing(&["a", "b", "c"], file());
    apply!(state, PlaybackAction::Animation(ONCE), PlaybackAction::Seek(2.0));
    read_as(&mut state, FileAction::NextFile, stranger());
    state.apply(PlaybackAction::Seek(5.0));
    let wish = |state: &mut State, file| {
        let _ = asked(state);
        state.apply(FileAction::Show(file));
        let requests = asked(state);
        assert_eq!(requests.len(), 1, "{requests:?}");
        let wish = wish_of(&requests).unwrap();
        (wish.animation.clone(), wish.frame)
    };
    assert_eq!(wish(&mut state, 2), (Some("walk".into()), 0), "c was never shown");
    finish_file(&mut state, file());
    assert_eq!(wish(&mut state, 1), (Some("walk".into()), 5));
    assert_eq!(wish(&mut state, 0), (Some("once".into()), 2));
}

#[test]
fn a_view_that_follows_the_fit_follows_it_when_it_is_come_back_to_and_all_files_are_recent() {
    let mut state = showing(&["a", "b", "c", "d"], file());
    let camera = state.camera();
    walk(&mut state, FileAction::NextFile);
    walk(&mut state, FileAction::NextFile);
    assert_eq!(state.recent(), ["c", "b", "a"].map(Path::new));
    let [width, height] = state.viewport();
    state.apply(CameraAction::Viewport([width * 2, height * 2]));
    walk(&mut state, FileAction::Show(0));
    assert!((state.camera().zoom - 2.0 * camera.zoom).abs() < 1e-9);
    walk(&mut state, FileAction::Show(3));
    assert_eq!(state.recent()[0], Path::new("d"));
}

#[test]
fn what_is_shown_beside_an_isolated_mesh_stays_and_so_does_the_fit() {
    let mut state = showing(&["a", "b"], file());
    let camera = state.camera();
    apply!(state, PartAction::Solo(MeshId(0)), PartAction::ShowMesh(MeshId(1), None));
    let view = state.parts().view.clone();
    walk(&mut state, FileAction::NextFile);
    walk(&mut state, FileAction::PreviousFile);
    assert_eq!(state.parts().view, view);
    assert_eq!(state.solo(), Some(MeshId(0)));
    assert_eq!(state.camera(), camera);
    // The same when the file is read again.
    walk(&mut state, FileAction::Reload);
    assert_eq!(state.parts().view, view);
    assert_eq!(state.camera(), camera);
}

#[test]
fn one_file_that_cannot_be_read_leaves_the_list_and_what_is_shown() {
    let mut state = showing(&["a", "b", "c"], file());
    walk(&mut state, FileAction::NextFile);
    let _ = asked(&mut state);
    open_files(&mut state, &["broken"], 0);
    // Its neighbours may be found before it is read, or after.
    list_files(&mut state, &["broken", "other"], 0);
    assert_eq!(state.file_of(), Some((1, 3)), "while it is read, too");
    finish_file(&mut state, b"nothing");
    assert!(state.problem().is_some());
    assert_eq!(state.file_of(), Some((1, 3)));
    let source = &state.model().unwrap().loaded().source;
    assert_eq!(source.path(), Some(Path::new("b")));
    assert_eq!(asks(&mut state, FileAction::NextFile).as_deref(), Some("c"));
    finish_file(&mut state, file());

    show(&mut state, &["broken"], b"nothing");
    list_files(&mut state, &["broken", "other"], 0);
    assert_eq!(state.file_of(), Some((2, 3)));
    // Once it can be read it is shown, among its neighbours.
    walk(&mut state, FileAction::Changed("broken".into()));
    assert_eq!(state.file_of(), Some((0, 2)));
    assert!(state.problem().is_none());
}

#[test]
fn a_list_is_walked_past_a_broken_file_also_when_another_one_or_nothing_is_on_show() {
    let on_show = showing(&["a", "b", "c"], file());
    for mut state in [on_show, State::new(&of_files(&["folder"]))] {
        let is_shown = state.model().is_some();
        show(&mut state, &["folder/broken", "folder/good"], b"nothing");
        assert!(state.model().is_some() == is_shown && state.problem().is_some());
        assert_eq!(state.listed_files().1, None, "what is shown is none of them");
        assert_eq!(state.file_of(), Some((0, 2)));
        state.apply(FileAction::PreviousFile);
        assert!(state.loading().is_none() && state.can_walk(1) && !state.can_walk(-1));
        walk(&mut state, FileAction::NextFile);
        assert!(state.model().is_some() && state.problem().is_none());
        assert_eq!(state.file_of(), Some((1, 2)));
        // Back to the broken file: the shown one stays, and the number and the name beside it are those of the broken one, from
        // which the buttons continue.
        read_as(&mut state, FileAction::PreviousFile, b"nothing");
        assert_eq!(state.file_of(), Some((0, 2)));
        assert!(state.can_walk(1) && !state.can_walk(-1));
        assert_eq!(state.unopened_file(), Some(Path::new("folder/broken")));
        walk(&mut state, FileAction::NextFile);
        assert_eq!(state.unopened_file(), None);
        state.apply(FileAction::NextFile);
        assert!(state.loading().is_none() && state.can_walk(-1) && !state.can_walk(1));
    }
}

#[test]
fn filters_of_the_lists_go_with_the_file() {
    let mut state = showing(&["a", "b"], file());
    let filter = |tab| Action::Parts(PartAction::Filter(tab, "x".into()));
    let set = |state: &mut State| {
        for tab in [Tab::Meshes, Tab::Bones, Tab::Motions] {
            state.apply(filter(tab));
        }
        state.apply(LookAction::ClipFilter("x".into()));
    };
    let texts = |state: &State| {
        let Looking { mesh_filter, bone_filter, clip_filter, motion_filter, .. } = state.looking();
        [mesh_filter, bone_filter, clip_filter, motion_filter].map(|text| !text.is_empty())
    };
    set(&mut state);
    walk(&mut state, FileAction::Reload);
    assert_eq!(texts(&state), [true; 4], "another version is the same file");
    walk(&mut state, FileAction::NextFile);
    assert_eq!(texts(&state), [false, false, false, true]);
    set(&mut state);
    open_files(&mut state, &["c"], 0);
    assert_eq!(texts(&state), [true; 4], "it is not there yet");
    finish_file(&mut state, file());
    assert_eq!(texts(&state), [false; 4]);
    // From motion to motion the bones stay filtered.
    show(&mut state, &["m", "n"], WALK);
    set(&mut state);
    read_as(&mut state, FileAction::NextFile, WALK);
    assert_eq!(texts(&state), [false, true, false, true]);
}

fn rows(state: &State) -> Vec<u16> {
    state.parts().mesh_rows.iter().map(|mesh| mesh.0).collect()
}

fn rows_after(state: &mut State, action: impl Into<Action>) -> Vec<u16> {
    state.apply(action);
    rows(state)
}

/// Two squares that change places in the draw order in each frame.
pub(in crate::viewer) fn swapping() -> &'static [u8] {
    let order = |z_order| [BoneTransform { z_order, ..at(0.0, 0.0) }, at(0.0, 0.0)];
    let square =
        |rig: Builder, bone| rig.quad(&format!("square {bone}"), 0, bone, [0.0, 0.0], [20.0, 20.0]);
    let rig = (0..2).fold(Builder::new().image(1, &[WHITE]).bones(2), square);
    rig.animation("swap", true, &[1, -1, 1, -1, 1, -1].map(order)).bytes().leak()
}

#[test]
fn rows_of_meshes_keep_their_places_while_it_plays_or_the_pointer_is_over_them() {
    let mut state = showing(&["a"], swapping());
    assert_eq!(rows(&state), [0, 1]);
    let advance = Action::Playback(PlaybackAction::Advance(0.1));
    assert_eq!(rows_after(&mut state, advance.clone()), [0, 1], "it plays");
    assert_eq!(state.model().unwrap().rows(), [MeshId(1), MeshId(0)]);
    assert_eq!(rows_after(&mut state, PlaybackAction::TogglePlay), [1, 0], "it stands");
    state.apply(PartAction::PointAtMeshes(true));
    assert_eq!(rows_after(&mut state, PlaybackAction::Step(1)), [1, 0], "it is pointed at");
    assert_eq!(rows_after(&mut state, PartAction::PointAtMeshes(false)), [0, 1]);
    // A move is shown at once, but not under the pointer, which may click again.
    let up = Action::Parts(PartAction::MoveMesh(MeshId(1), OrderStep::Up));
    assert_eq!(rows_after(&mut state, up.clone()), [1, 0]);
    apply!(state, PartAction::ResetMeshes, PartAction::PointAtMeshes(true));
    assert_eq!(rows_after(&mut state, up), [0, 1]);
    assert_eq!(rows_after(&mut state, PartAction::PointAtMeshes(false)), [1, 0]);
    state.apply(PartAction::PointAtMeshes(true));
    assert_eq!(rows_after(&mut state, PartAction::ResetMeshes), [0, 1]);
    apply!(state, Action::Toggle(Switch::LiveOrder), PlaybackAction::TogglePlay);
    assert_eq!(rows_after(&mut state, advance), [1, 0], "it is live");
}

#[test]
fn the_page_and_the_curves_of_a_file_come_back_with_it() {
    let atlas = super::page::ATLAS;
    let mut state = showing(&["a", "b"], atlas);
    let page = |action| Action::Page(PageAction::Camera(action));
    apply!(state, page(CameraAction::Viewport([300, 200])), PageAction::Show(ImageId(1)));
    state.apply(page(CameraAction::Zoom(3.0, [20.0, 30.0])));
    let left = state.page().unwrap().camera();
    read_as(&mut state, FileAction::NextFile, atlas);
    assert_ne!(state.page().unwrap().camera(), left);
    state.apply(page(CameraAction::Pan([5.0, 5.0])));
    read_as(&mut state, FileAction::PreviousFile, atlas);
    assert_eq!(state.page().unwrap().image, ImageId(1));
    assert_eq!(state.page().unwrap().camera(), left);
    // A file that is opened again is shown whole.
    show(&mut state, &["a"], atlas);
    assert_ne!(state.page().unwrap().camera(), left);

    let mut state = showing(&["a", "b"], file());
    apply!(state, Action::Toggle(Switch::Curves), PartAction::ChooseBone(Some(BoneId(1))));
    let zoom = |state: &State| {
        let view = state.curves_view();
        (view.frames(9), view.values(CurveKind::Rotation))
    };
    state.apply(CurvesAction::Frames(Some([2.0, 7.0])));
    state.apply(CurvesAction::Values(CurveKind::Rotation, Some([-1.0, 1.0])));
    let left = zoom(&state);
    read_as(&mut state, FileAction::NextFile, stranger());
    assert_eq!(zoom(&state), ([0.0, 9.0], None));
    walk(&mut state, FileAction::PreviousFile);
    assert_eq!(zoom(&state), left);
}

#[test]
fn the_folder_of_the_file_on_show_is_listed_again_even_if_the_named_one_is_gone() {
    let mut state = showing(&["/f/a", "/f/b"], file());
    state.files.list_of = vec!["/f/gone".into()];
    state.apply(FileAction::Reload);
    let of_shown = |request: &Request| matches!(request, Request::List(_, of) if *of == [PathBuf::from("/f/a")]);
    assert!(state.take_requests().iter().any(of_shown));
}
