//! Motions in space: turned, seen along axes, picked and kept, without a window.

use pchr::scene::{FRONT, OBLIQUE, OrbitCamera, SIDE, TOP};
use pchr_foreign::motion::UpAxis;
use pchr_tools::view::{Point, UpArg, ViewDirection};

use super::open as open_flat;
use super::*;

/// Hips 1 m above the ground and a head 1 m above them; the whole model walks 2 m along X in a second.
pub(in crate::viewer) const WALK: &[u8] = br#"{"asset":{"version":"2.0"},
"nodes":[{"name":"root motion","children":[1]},{"name":"hips","children":[2],"translation":[0,1,0]},
{"name":"head","translation":[0,1,0]}],
"buffers":[{"byteLength":32,"uri":"data:application/octet-stream;base64,AAAAAAAAgD8AAAAAAAAAAAAAAAAAAABAAAAAAAAAAAA="}],
"bufferViews":[{"buffer":0,"byteLength":32}],
"accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[1]},
{"bufferView":0,"byteOffset":8,"componentType":5126,"count":2,"type":"VEC3"}],
"animations":[{"name":"walk","samplers":[{"input":0,"output":1}],
"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]}]}"#;

/// A SEAnim file with a height for each of these bones, and no skeleton.
pub(in crate::viewer) fn placed(bones: &[(&str, f32)]) -> &'static [u8] {
    let mut bytes = b"SEAnim\x01\x00\x1c\x00\x00\x00\x01\x00\x00\x00".to_vec();
    bytes.extend(30.0_f32.to_le_bytes());
    for count in [1, u32::try_from(bones.len()).unwrap(), 0, 0] {
        bytes.extend(count.to_le_bytes()); // frames, bones, modifiers, notes
    }
    bones.iter().for_each(|(name, _)| bytes.extend([name.as_bytes(), b"\0"].concat()));
    for (_, height) in bones {
        bytes.extend([0, 1, 0]); // flags, one place, at frame 0
        bytes.extend([0.0, 0.0, *height].map(f32::to_le_bytes).concat());
    }
    bytes.leak()
}

pub(in crate::viewer) fn points() -> &'static [u8] {
    placed(&[("hips", 0.0), ("head", 10.0)])
}

const HIPS: BoneId = BoneId(0);
const HEAD: BoneId = BoneId(1);

fn open_with(options: &ViewerOptions) -> State {
    let mut state = State::new(options);
    state.apply(CameraAction::Viewport(SIZE));
    finish(&mut state, WALK);
    state.apply(PlaybackAction::FirstFrame);
    state
}

fn open() -> State {
    open_with(&ViewerOptions::default())
}

fn orbit(state: &State) -> OrbitCamera {
    state.orbit().unwrap()
}

fn direction(state: &State) -> [f64; 2] {
    [orbit(state).yaw, orbit(state).pitch]
}

/// Place of a joint on the screen.
fn joint(state: &State, bone: BoneId) -> [f64; 2] {
    let frame = state.model().unwrap().frame();
    let place = frame.spatial().worlds[bone.index()].translation;
    let view = orbit(state).view(SIZE);
    view.screen(view.see(place)).unwrap()
}

#[test]
fn a_motion_is_seen_whole_on_a_grid_from_aside() {
    let state = open();
    assert_eq!(state.kind(), ContentKind::Motion);
    assert_eq!(direction(&state), OBLIQUE);
    assert_eq!((orbit(&state).fov, orbit(&state).up), (0.0, UpAxis::Y));
    assert!(state.overlays(1).has(Layer::Grid));
    for bone in [HIPS, HEAD] {
        let [x, y] = joint(&state, bone);
        assert!((0.0..f64::from(SIZE[0])).contains(&x) && (0.0..f64::from(SIZE[1])).contains(&y));
    }
}

#[test]
fn what_is_for_the_plane_is_not_drawn_in_space_nor_the_other_way_round() {
    let of_plane = [Layer::Wireframe, Layer::Bounds, Layer::Order];
    let of_space = [Layer::Axes, Layer::Path];
    let (mut space, mut flat) = (open(), open_flat());
    for state in [&mut space, &mut flat] {
        for layer in [&of_plane[..], &of_space].concat() {
            state.apply(Action::Toggle(Switch::Overlay(layer)));
        }
        state.apply(Action::Toggle(Switch::Onion));
        assert!(state.overlays(1).onion.is_on(), "ghosts are for both");
    }
    let (space, flat) = (space.overlays(1), flat.overlays(1));
    assert!(of_plane.iter().all(|layer| flat.has(*layer) && !space.has(*layer)));
    assert!(of_space.iter().all(|layer| space.has(*layer) && !flat.has(*layer)));
    assert!(space.has(Layer::Grid) && !flat.has(Layer::Grid));
}

#[test]
fn a_turn_keeps_the_middle_and_the_size() {
    let mut state = open();
    let before = orbit(&state);
    state.apply(CameraAction::Turn([20.5, -5.0]));
    assert_eq!(direction(&state), [50.5, 10.0]);
    assert_eq!(orbit(&state).target, before.target);
    assert_eq!(orbit(&state).zoom.to_bits(), before.zoom.to_bits());
    state.apply(CameraAction::Turn([0.0, 1000.0]));
    assert_eq!(direction(&state), [50.5, 90.0]);
    // Keys turn it in steps.
    apply!(state, CameraAction::TurnBy([-1, 0]), CameraAction::TurnBy([0, -1]));
    assert_eq!(direction(&state), [35.5, 75.0]);
    state.apply(CameraAction::TurnBy([1, 1]));
    assert_eq!(orbit(&state).target, before.target);
    // A fit keeps the direction.
    apply!(state, CameraAction::Pan([500.0, 0.0]), CameraAction::Fit);
    assert_eq!(direction(&state), [50.5, 90.0]);
}

#[test]
fn views_along_axes_fit_and_the_same_again_is_the_opposite() {
    let mut state = open();
    for (facing, wanted, opposite) in [
        (Facing::Front, FRONT, [180.0, 0.0]),
        (Facing::Side, SIDE, [-90.0, 0.0]),
        (Facing::Top, TOP, [0.0, -90.0]),
    ] {
        for seen in [wanted, opposite, wanted] {
            state.apply(CameraAction::Face(facing));
            assert_eq!(direction(&state), seen);
        }
    }
    state.apply(CameraAction::Face(Facing::Front));
    // It walks 2 m, and is 1.5 m high: both fill the picture.
    let zoom = f64::from(SIZE[0]) * 0.9 / 2.0;
    assert!((orbit(&state).zoom - zoom).abs() < 1e-9);
    // Once it was moved nothing else changes.
    state.apply(CameraAction::Pan([10.0, 0.0]));
    let before = orbit(&state);
    state.apply(CameraAction::Face(Facing::Side));
    assert_eq!(orbit(&state).target, before.target);
    assert_eq!(orbit(&state).zoom.to_bits(), before.zoom.to_bits());
}

#[test]
fn perspective_up_and_place_are_switches() {
    let mut state = open();
    state.apply(CameraAction::Face(Facing::Front));
    for (switch, is_on, fov, up) in [
        (Switch::Perspective, true, 40.0, UpAxis::Y),
        (Switch::ZUp, true, 40.0, UpAxis::Z),
        (Switch::ZUp, false, 40.0, UpAxis::Y),
        (Switch::Perspective, false, 0.0, UpAxis::Y),
    ] {
        state.apply(Action::Toggle(switch));
        assert_eq!(state.is_on(switch), is_on);
        assert_eq!((orbit(&state).fov, orbit(&state).up), (fov, up));
    }
    // In place there is no width, and the height counts: 1 m, and half of that for the head.
    state.apply(Action::Toggle(Switch::InPlace));
    let zoom = f64::from(SIZE[1]) * 0.9 / 1.5;
    assert!((orbit(&state).zoom - zoom).abs() < 1e-9);
}

#[test]
fn a_click_chooses_a_joint_or_the_bone_between_two_and_a_double_click_brings_it_to_the_middle() {
    let mut state = open();
    state.apply(CameraAction::Center(joint(&state, HEAD), 12.0));
    let middle = SIZE.map(|side| f64::from(side) / 2.0);
    let [x, y] = joint(&state, HEAD);
    assert!((x - middle[0]).abs() + (y - middle[1]).abs() < 1e-9);
    assert_eq!(orbit(&state).target, [0.0, 2.0, 0.0]);
    state.apply(CameraAction::Center([1.0, 1.0], 12.0)); // beside all: it fits
    assert_eq!(orbit(&state).target[0].to_bits(), 1.0_f64.to_bits());
    state.apply(CameraAction::Face(Facing::Front));
    let pick = |state: &mut State, [x, y]: [f64; 2]| {
        state.apply(PartAction::PickBone([x, y], 12.0));
        state.chosen_bone()
    };
    let (hips, head) = (joint(&state, HIPS), joint(&state, HEAD));
    assert_eq!(pick(&mut state, head), Some(HEAD));
    assert_eq!(state.overlays(1).bone, Some(HEAD));
    assert_eq!(pick(&mut state, hips), Some(HIPS));
    // The line between belongs to the upper end of the chain.
    assert_eq!(pick(&mut state, [hips[0] + 5.0, f64::midpoint(hips[1], head[1])]), Some(HIPS));
    assert_eq!(pick(&mut state, [head[0] + 13.0, head[1]]), None);
    assert_eq!(pick(&mut state, [head[0] + 11.0, head[1]]), Some(HEAD));
    // From above the head lies in front of the hips.
    state.apply(CameraAction::Face(Facing::Top));
    let at = joint(&state, HIPS);
    assert_eq!(pick(&mut state, at), Some(HEAD));
    state.apply(CameraAction::Face(Facing::Bottom));
    assert_eq!(pick(&mut state, at), Some(HIPS));
    // A motion alone has points to pick.
    let mut state = empty();
    finish(&mut state, points());
    assert!(!state.model().unwrap().subject().spatial().unwrap().has_skeleton());
    let head = joint(&state, HEAD);
    assert_eq!(pick(&mut state, head), Some(HEAD));
}

#[test]
fn in_perspective_the_wheel_zooms_about_the_bone_under_the_pointer() {
    let mut state = open();
    state.apply(Action::Toggle(Switch::Perspective));
    state.apply(CameraAction::Face(Facing::Top)); // the head is far before the hips
    state.apply(CameraAction::TurnBy([0, -2]));
    for bone in [HEAD, HIPS] {
        let before = joint(&state, bone);
        let scale = |state: &State| {
            let view = orbit(state).view(SIZE);
            let worlds = &state.model().unwrap().frame().spatial().worlds;
            view.scale_at(view.see(worlds[bone.index()].translation)).unwrap()
        };
        let small = scale(&state);
        for _ in 0..20 {
            state.apply(CameraAction::Zoom(1.25, before));
        }
        let [x, y] = joint(&state, bone);
        assert!((x - before[0]).abs() < 0.01 && (y - before[1]).abs() < 0.01, "{bone:?}: {x} {y}");
        assert!(scale(&state) > 50.0 * small, "{bone:?}");
        // Beside all bones the depth stays.
        let depth = |state: &State| {
            let [.., toward] = orbit(state).axes();
            toward.dot(orbit(state).target.into())
        };
        let before = depth(&state);
        state.apply(CameraAction::Zoom(1.25, [1.0, 1.0]));
        assert!((depth(&state) - before).abs() < 1e-9, "{bone:?}");
        state.apply(CameraAction::Fit);
    }
}

#[test]
fn actual_size_and_views_are_each_for_one_kind() {
    let mut state = open();
    let before = orbit(&state);
    state.apply(CameraAction::ActualSize);
    assert_eq!(orbit(&state), before);
    state.apply(CameraAction::ZoomBy(4));
    assert!((orbit(&state).zoom / before.zoom - 2.0).abs() < 1e-9);
    state.apply(CameraAction::Nudge([1, 0]));
    assert!(orbit(&state).target != before.target);

    use CameraAction::{Center, Face, Turn};
    let mut flat = open_flat();
    let (before, revision) = (flat.camera(), flat.revision());
    for action in [Turn([10.0, 10.0]), Face(Facing::Side), Center([10.0, 10.0], 12.0)] {
        flat.apply(action);
    }
    flat.apply(Action::Toggle(Switch::ZUp));
    assert_eq!((flat.camera(), flat.revision()), (before, revision));
}

#[test]
fn direction_projection_up_and_place_stay_for_the_next_motion() {
    let mut state = open();
    state.apply(CameraAction::Turn([10.0, 10.0]));
    for switch in [Switch::Perspective, Switch::ZUp, Switch::InPlace] {
        state.apply(Action::Toggle(switch));
    }
    let kept = |state: &State| {
        assert_eq!(direction(state), [40.0, 25.0]);
        let orbit = orbit(state);
        assert_eq!((orbit.fov, orbit.up), (40.0, UpAxis::Z));
        assert!(state.is_on(Switch::InPlace) && state.parts().view.in_place);
    };
    show(&mut state, &["other.gltf"], WALK);
    kept(&state);
    // A character between changes nothing.
    show(&mut state, &["hero.pchr"], file());
    assert_eq!((state.kind(), state.orbit()), (ContentKind::Character, None));
    open_files(&mut state, &["other.gltf"], 0);
    finish(&mut state, WALK);
    kept(&state);
    // The same file again: the place stays, too.
    state.apply(CameraAction::Pan([50.0, 5.0]));
    let before = orbit(&state);
    state.apply(FileAction::Reload);
    finish(&mut state, WALK);
    assert_eq!(orbit(&state), before);
    kept(&state);
}

#[test]
fn the_command_line_says_where_the_camera_starts() {
    let mut state = open_with(&of_look(Shown {
        view: Some(ViewDirection(SIDE)),
        fov: Some(60.0),
        up: Some(UpArg::Z),
        in_place: Some(true),
        center: Some(Point::Space([1.0, 2.0, 3.0])),
        zoom: Some(77.0),
        ..Shown::default()
    }));
    let (target, up) = ([1.0, 2.0, 3.0], UpAxis::Z);
    let (zoom, yaw, pitch, fov, mirror) = (77.0, 90.0, 0.0, 60.0, false);
    let wanted = OrbitCamera { target, zoom, yaw, pitch, fov, up, mirror };
    assert_eq!(orbit(&state), wanted);
    assert!(state.parts().view.in_place);
    for _ in 0..2 {
        state.apply(Action::Toggle(Switch::Perspective));
    }
    assert_eq!(orbit(&state), wanted);
}
