//! Grid, ruler, following, hiding of bones, zoom and the reference picture, without a window.

use super::*;
use crate::viewer::action::{ReferenceAction, RulerAction};
use crate::viewer::backgrounds_and_rulers::MeasuredParts;

const FIRST: BoneId = BoneId(0);

fn open_motion() -> State {
    let mut state = empty();
    finish(&mut state, WALK);
    state
}

fn still(state: &mut State) {
    state.apply(PlaybackAction::FirstFrame);
}

fn choose(state: &mut State, bone: BoneId) {
    state.apply(PartAction::ChooseBone(Some(bone)));
}

#[test]
fn the_grid_of_the_plane_is_off_at_first_and_the_ground_is_not() {
    let mut state = open();
    assert!(!state.overlays(1).has(Layer::Grid) && !state.is_on(Switch::Overlay(Layer::Grid)));
    let before = state.revision();
    state.apply(Action::Toggle(Switch::Overlay(Layer::Grid)));
    assert!(state.overlays(1).has(Layer::Grid) && state.is_on(Switch::Overlay(Layer::Grid)));
    assert_ne!(state.revision(), before);
    show(&mut state, &["x"], WALK);
    assert!(state.overlays(1).has(Layer::Grid));
    state.apply(Action::Toggle(Switch::Overlay(Layer::Grid)));
    assert!(!state.overlays(1).has(Layer::Grid));
    show(&mut state, &["x"], file());
    assert!(state.overlays(1).has(Layer::Grid), "each has its own");
}

#[test]
fn a_line_measures_world_pixels_and_shift_keeps_to_fifteen_degrees() {
    let mut state = open();
    still(&mut state);
    apply!(state, Action::Toggle(Switch::Ruler), CameraAction::ZoomTo(2.0));
    apply!(state, RulerAction::From([100.0, 100.0]), RulerAction::To([160.0, 20.0], false));
    let line = *state.ruler().unwrap();
    assert_eq!((line.along(), line.length()), ([30.0, 40.0], 50.0));
    state.apply(RulerAction::To([160.0, 98.0], true));
    assert_eq!(state.ruler().unwrap().along(), [30.0, 0.0]);
    // It stays where it is in the world.
    let before = *state.ruler().unwrap();
    state.apply(CameraAction::Pan([30.0, 10.0]));
    assert_eq!(*state.ruler().unwrap(), before);
    apply!(state, Action::Unsay, Action::Dismiss);
    assert!(state.ruler().is_none() && state.is_on(Switch::Ruler));
    state.apply(Action::Dismiss);
    assert!(!state.is_on(Switch::Ruler));
    let mut motion = open_motion();
    motion.apply(RulerAction::From([1.0, 1.0]));
    assert!(motion.ruler().is_none());
}

#[test]
fn a_measured_mesh_or_bone_is_measured_in_every_frame_and_a_drawn_line_is_not() {
    let mut state = open();
    still(&mut state);
    state.apply(RulerAction::Chosen);
    assert!(state.ruler().is_none() && state.said().is_some(), "nothing is chosen");
    apply!(state, PartAction::ChooseMesh(Some(MeshId(0))), RulerAction::Chosen);
    let line = |state: &State| *state.ruler().unwrap();
    let before = line(&state);
    assert_eq!(before.along(), [20.0, 20.0]);
    state.apply(PlaybackAction::Step(1));
    let after = line(&state);
    assert_eq!(after.of, before.of);
    assert!((after.from[0] - before.from[0] - 10.0).abs() < 1e-6);
    assert_eq!(after.along(), before.along());
    // Through a reload, too.
    reload_with(&mut state, file());
    assert_eq!(line(&state), after);
    apply!(state, RulerAction::From([10.0, 10.0]), RulerAction::To([60.0, 10.0], false));
    let drawn = line(&state);
    assert_eq!(drawn.of, None);
    state.apply(PlaybackAction::Step(1));
    assert_eq!(line(&state), drawn);

    // A bone to its child, in a file where both move.
    let mut state = empty();
    let turned =
        [0.0, 90.0].map(|rotation| [BoneTransform { rotation, ..at(0.0, 0.0) }, at(10.0, 0.0)]);
    let chain = Builder::new().bone("root", None).bone("tip", Some(0));
    finish(&mut state, chain.animation("turn", true, &turned).bytes().leak());
    still(&mut state);
    choose(&mut state, FIRST);
    state.apply(RulerAction::Chosen);
    assert_eq!(line(&state).of, Some(MeasuredParts::Bones([BoneId(0), BoneId(1)])));
    let along = |state: &State| line(state).along().map(f64::round);
    assert_eq!(along(&state), [10.0, 0.0]);
    state.apply(PlaybackAction::Step(1));
    assert_eq!(along(&state), [0.0, 10.0]);
}

#[test]
fn the_wish_for_a_bone_to_follow_goes_when_there_is_one_or_following_ends() {
    let mut state = open();
    still(&mut state);
    state.apply(Action::Toggle(Switch::Follow));
    assert!(state.said().is_some());
    choose(&mut state, FIRST);
    assert_eq!(state.said(), None);
    apply!(state, Action::Toggle(Switch::Follow), PartAction::ChooseNothing);
    state.apply(Action::Toggle(Switch::Follow));
    assert!(state.said().is_some());
    state.apply(Action::Toggle(Switch::Follow));
    assert_eq!(state.said(), None);
}

#[test]
fn a_typed_zoom_is_exactly_that_keeps_the_middle_and_can_be_undone() {
    let mut state = open();
    for (zoom, wanted) in [(1.5, 1.5), (0.333, 0.333), (1e-9, 1e-4), (64.0, 64.0), (1e9, 1e4)] {
        state.apply(CameraAction::Zoom(1.37, [31.0, 77.0]));
        let middle = SIZE.map(|side| f64::from(side) / 2.0);
        let before = state.camera().world_at(middle, SIZE);
        state.apply(CameraAction::ZoomTo(zoom));
        assert_eq!(state.camera().zoom, wanted);
        let [x, y] = state.camera().world_at(middle, SIZE);
        assert!((x - before[0]).abs() + (y - before[1]).abs() < 1e-6);
    }
    apply!(state, CameraAction::Zoom(1.37, [31.0, 77.0]), CameraAction::ActualSize);
    assert_eq!(state.camera().zoom, 1.0);
    let mut motion = open_motion();
    motion.apply(CameraAction::ZoomTo(0.1));
    assert_eq!(motion.orbit().unwrap().zoom, 0.1);
    let before = state.camera();
    apply!(state, Action::Rest, CameraAction::ZoomTo(1.5), Action::Undo);
    assert_eq!(state.camera(), before);
    for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        state.apply(CameraAction::ZoomTo(wrong));
        assert_eq!(state.camera(), before, "{wrong}");
    }
    let world = before.world_at([30.0, 40.0], SIZE);
    state.apply(CameraAction::Middle([30.0, 40.0]));
    let center = state.camera().center;
    assert!((center[0] - world[0]).abs() + (center[1] - world[1]).abs() < 1e-9);
}

#[test]
fn the_camera_keeps_a_bone_at_its_place() {
    let mut state = open();
    still(&mut state);
    choose(&mut state, FIRST);
    state.apply(Action::Toggle(Switch::Follow));
    let place = |state: &State| {
        let [x, y, _] = state.joint(FIRST).unwrap();
        state.camera().screen_at([x, y], SIZE).map(|c| (c * 1e6).round())
    };
    let before = (place(&state), state.camera());
    use PlaybackAction::{FirstFrame, LastFrame, Seek, Step};
    for action in [Step(1), Seek(5.0), LastFrame, FirstFrame, Seek(3.0)] {
        state.apply(action);
        assert_eq!(place(&state), before.0);
    }
    let [x, _] = before.1.center;
    assert!((state.camera().center[0] - x - 30.0).abs() < 1e-6);
    // A drag moves it on the screen, and from there on it stays.
    state.apply(CameraAction::Pan([7.0, 0.0]));
    let panned = place(&state);
    assert!((panned[0] - before.0[0] - 7e6).abs() < 2.0);
    state.apply(PlaybackAction::Step(1));
    assert_eq!(place(&state), panned);
    // Nothing moves while nothing happens.
    let revision = state.revision();
    state.apply(CameraAction::Point(Some([1.0, 1.0])));
    assert_eq!(state.revision(), revision);
    // Another bone is followed from where it is.
    let camera = state.camera();
    choose(&mut state, BoneId(1));
    assert_eq!(state.camera(), camera);
    choose(&mut state, FIRST);
    apply!(state, Action::Toggle(Switch::Follow), PlaybackAction::Step(1));
    assert_eq!(state.camera(), camera);
}

#[test]
fn in_space_the_target_goes_along_with_a_bone() {
    let mut state = open_motion();
    still(&mut state);
    choose(&mut state, FIRST);
    state.apply(Action::Toggle(Switch::Follow));
    let away = |state: &State| {
        let (joint, target) = (state.joint(FIRST).unwrap(), state.orbit().unwrap().target);
        joint.into_iter().zip(target).map(|(a, b)| ((a - b) * 1e6).round()).collect::<Vec<_>>()
    };
    let (before, target) = (away(&state), state.orbit().unwrap().target);
    state.apply(PlaybackAction::LastFrame);
    assert_eq!(away(&state), before);
    assert_ne!(state.orbit().unwrap().target, target, "it walks");
}

#[test]
fn a_bone_is_hidden_with_its_meshes_and_shown_again() {
    let mut state = open();
    still(&mut state);
    let all = drawn(&state);
    assert_eq!(state.is_bone_shown(FIRST, false), Some(true));
    let hide = Action::Parts(PartAction::HideBone(FIRST, false));
    state.apply(hide.clone());
    assert_eq!(state.is_bone_shown(FIRST, false), Some(false));
    let others: Vec<u16> = all.iter().copied().filter(|mesh| *mesh != 0).collect();
    assert_eq!(drawn(&state), others);
    state.apply(Action::Undo);
    assert_eq!(drawn(&state), all);
    apply!(state, Action::Redo, hide);
    assert_eq!((drawn(&state), state.mesh_view(MeshId(0)).visible), (all, None));
    // Hidden by the file in this frame: shown all the same.
    state.apply(PlaybackAction::Seek(8.0));
    let third = BoneId(2);
    choose(&mut state, third);
    assert_eq!(state.is_bone_shown(third, false), Some(false));
    state.apply(PartAction::HideChosenBone(false));
    assert_eq!(state.is_bone_shown(third, false), Some(true));
}

#[test]
fn a_bone_without_own_meshes_is_hidden_with_those_below() {
    let square = Builder::new().image(1, &[WHITE]).bone("leg", None);
    let square = square.bone("leg#display", Some(0)).bone("tip", Some(1));
    let square = square.quad("leg", 0, 1, [0.0, 0.0], [9.0, 9.0]).still("still", true, 1);
    let mut state = open();
    show(&mut state, &["x"], square.bytes().leak());
    let leg = BoneId(0);
    assert_eq!([false, true].map(|below| state.is_bone_shown(leg, below)), [None, Some(true)]);
    state.apply(PartAction::HideBone(leg, false));
    assert_eq!(state.is_bone_shown(leg, true), Some(false));
    state.apply(PartAction::HideBone(BoneId(2), false));
    assert_eq!(state.said().unwrap().text, "tip and the bones below it move no mesh");
}

#[test]
fn a_reference_is_as_large_as_the_character_and_stays_with_its_file() {
    let mut state = showing(&["a", "b"], file());
    apply!(state, Action::Ask(Ask::Reference), ReferenceAction::Open("r.png".into()));
    let asked = [Request::Ask(Ask::Reference), Request::ReadReference("r.png".into())];
    assert_eq!(state.take_requests(), asked);
    let picture = Pixels { width: 55, height: 10, rgba: vec![255; 55 * 10 * 4] };
    let picture = Arc::new(Levels::with_mipmaps(picture));
    state.apply(ReferenceAction::Show("r.png".into(), picture));
    // The squares walk from 0 to 110, and are 20 high.
    let look = state.reference().unwrap().look;
    assert_eq!((look.middle, look.scale), ([55.0, 10.0, 0.0], 2.0));
    assert!(look.visible && !look.above);
    let [left, _, wide, _] = state.reference().unwrap().on_screen(&state.scene_camera(), SIZE);
    assert!((wide - 110.0 * state.camera().zoom).abs() < 1e-6 && (left - 20.0).abs() < 1e-3);
    state.apply(CameraAction::Mirror);
    let [right, _, mirrored, _] = state.reference().unwrap().on_screen(&state.scene_camera(), SIZE);
    assert_eq!((right, mirrored), (left + wide, -wide));
    state.apply(CameraAction::Mirror);
    // Captures and screenshots know nothing of it.
    let revision = state.revision();
    state.apply(ReferenceAction::Turn);
    let mut look = state.reference().unwrap().look;
    assert!(look.above && state.revision() == revision);
    (look.opacity, look.scale, look.middle[0]) = (7.0, f64::NAN, 3.0);
    state.apply(ReferenceAction::Look(look));
    let look = state.reference().unwrap().look;
    assert_eq!((look.opacity, look.scale, look.middle[0]), (1.0, 2.0, 55.0));
    read_as(&mut state, FileAction::NextFile, file());
    assert!(state.reference().is_none());
    read_as(&mut state, FileAction::PreviousFile, file());
    assert_eq!(state.reference().unwrap().look, look);
    state.apply(ReferenceAction::Toggle);
    assert!(!state.reference().unwrap().look.visible);
    state.apply(ReferenceAction::Remove);
    assert!(state.reference().is_none());
}
