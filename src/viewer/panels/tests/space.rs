//! The panels around a motion in space: the pointer on the picture, its keys, the axes in the corner, and numbers.

use pchr::scene::{FRONT, OBLIQUE, OrbitCamera, SIDE, TOP};

use super::*;
use crate::viewer::backgrounds_and_rulers::Facing;
use crate::viewer::state::tests::orbit::{placed, points};

fn window() -> Window {
    window_of(WALK, |_| ())
}

fn orbit(window: &Window) -> OrbitCamera {
    window.state().orbit().unwrap()
}

fn direction(window: &Window) -> [f64; 2] {
    let OrbitCamera { yaw, pitch, .. } = orbit(window);
    [yaw, pitch]
}

/// Place of the head on the picture.
fn head(window: &Window) -> Pos2 {
    let state = window.state();
    let view = orbit(window).view(state.viewport());
    let worlds = &state.model().unwrap().frame().spatial().worlds;
    let head = view.screen(view.see(worlds[1].translation)).unwrap();
    let picture = window.get_by_label_contains("Picture of").rect();
    picture.min + Vec2::from(head.map(crate::viewer::interface::narrow))
}

pub(super) fn drag(window: &mut Window, button: PointerButton, modifiers: Modifiers, by: [f32; 2]) {
    let start = Pos2::new(300.0, 300.0);
    let steps = [start, start + by.map(|it| it / 2.0).into(), start + by.into()];
    hover(window, start);
    let press = |pos, pressed| button_with(pos, pressed, button, modifiers);
    let mut events = vec![Event::ModifiersChanged(modifiers), press(start, true)];
    events.extend(steps.map(Event::PointerMoved));
    events.extend([press(steps[2], false), Event::ModifiersChanged(Modifiers::NONE)]);
    one_by_one(window, events);
    window.run_ok();
}

#[test]
fn a_drag_turns_and_with_shift_or_the_middle_button_it_pans() {
    let mut window = window();
    let before = orbit(&window);
    drag(&mut window, PointerButton::Primary, Modifiers::NONE, [-50.0, 20.0]);
    let [yaw, pitch] = direction(&window);
    assert!((yaw - 50.0).abs() < 1e-3 && (pitch - 23.0).abs() < 1e-3, "{yaw} {pitch}");
    assert_eq!(orbit(&window).target, before.target);
    let (middle, shift) = (PointerButton::Middle, Modifiers::SHIFT);
    for (button, modifiers) in [(middle, Modifiers::NONE), (PointerButton::Primary, shift)] {
        let target = orbit(&window).target;
        drag(&mut window, button, modifiers, [40.0, 0.0]);
        assert_eq!(direction(&window), [yaw, pitch]);
        assert!(orbit(&window).target != target, "{button:?}");
    }
}

#[test]
fn keys_look_along_axes_and_switch_what_is_drawn() {
    let mut window = window();
    let back = [180.0, 0.0];
    let views = [(Key::Num1, FRONT), (Key::Num1, back), (Key::Num3, SIDE), (Key::Num7, TOP)];
    for (pressed, wanted) in views {
        key(&mut window, pressed);
        assert_eq!(direction(&window), wanted);
    }
    for (key, modifiers, switch) in [
        (Key::Num5, Modifiers::NONE, Switch::Perspective),
        (Key::Z, Modifiers::NONE, Switch::ZUp),
        (Key::M, Modifiers::NONE, Switch::InPlace),
        (Key::G, Modifiers::SHIFT, Switch::Overlay(Layer::Grid)),
        (Key::X, Modifiers::NONE, Switch::Overlay(Layer::Axes)),
        (Key::P, Modifiers::SHIFT, Switch::Overlay(Layer::Path)),
        (Key::P, Modifiers::NONE, Switch::Pin),
        (Key::T, Modifiers::SHIFT, Switch::Trail),
        (Key::O, Modifiers::SHIFT, Switch::Onion),
    ] {
        let before = window.state().is_on(switch);
        press(&mut window, modifiers, key);
        assert_eq!(window.state().is_on(switch), !before, "{switch:?}");
    }
    // The palette lists them, too.
    apply(&mut window, Action::Toggle(Switch::Palette));
    window.get_by_label("What do you want to do?").type_text("view from the side");
    window.run_ok();
    key(&mut window, Key::Enter);
    assert_eq!(direction(&window), SIDE);
}

#[test]
fn keys_of_motions_do_nothing_to_a_character() {
    let mut window = super::window(|_| ());
    let before = window.state().camera();
    for pressed in [Key::Num3, Key::Num5, Key::Num7] {
        key(&mut window, pressed);
    }
    press(&mut window, Modifiers::SHIFT, Key::G);
    assert_eq!(window.state().camera(), before);
    assert!(window.state().is_on(Switch::Overlay(Layer::Grid))); // as at first
    key(&mut window, Key::Num1);
    assert_eq!(window.state().camera().zoom.to_bits(), 1.0_f64.to_bits());
}

#[test]
fn the_axes_in_the_corner_turn_the_camera() {
    let mut window = window();
    assert_eq!(direction(&window), OBLIQUE);
    click(&mut window, "View from the top, +Y");
    assert_eq!(direction(&window), TOP);
    click(&mut window, "View from the side, +X");
    assert_eq!(direction(&window), SIDE);
    // They do not cover the text over the picture, and the toolbar has only what makes sense.
    assert!(!has(&window, "Wireframe") && !has(&window, "Actual size, 100 %"));
    assert!(!has(&window, "List of meshes"));
    for name in ["Grid", "Perspective", "Z points up", "Stay in place"] {
        window.get_by_label(name);
    }
    let flat = super::window(|_| ());
    assert!(flat.query_by_label("View from the front, +Z").is_none());
    assert!(flat.query_by_label("Ground grid").is_none());
}

#[test]
fn a_drag_turns_or_pans_as_its_button_went_down() {
    let [from, to] = [[300.0, 300.0], [350.0, 340.0]].map(Pos2::from);
    for (down, up) in [(Modifiers::SHIFT, Modifiers::NONE), (Modifiers::NONE, Modifiers::SHIFT)] {
        let mut window = window();
        let before = orbit(&window);
        hover(&mut window, from);
        // All in one slow frame.
        let mut events = stroke_with(from, to, PointerButton::Primary, down);
        events.insert(0, Event::ModifiersChanged(down));
        events.push(Event::ModifiersChanged(up));
        window.input_mut().events.extend(events);
        window.step();
        window.run_ok();
        let after = orbit(&window);
        let pans = down == Modifiers::SHIFT;
        assert_eq!(after.target != before.target, pans, "{down:?}");
        assert_eq!([after.yaw, after.pitch] != [before.yaw, before.pitch], !pans);
    }
}

#[test]
fn a_double_click_within_a_frame_chooses_the_bone_and_brings_it_to_the_middle() {
    let mut window = window();
    let at = head(&window);
    hover(&mut window, at);
    for pressed in [true, false, true, false] {
        window.input_mut().events.push(button(at, pressed));
    }
    window.step();
    window.run_ok();
    assert_eq!(window.state().chosen_bone(), Some(BoneId(1)));
    assert_eq!(orbit(&window).target, [0.0, 2.0, 0.0]);
}

#[test]
fn a_click_on_the_picture_chooses_a_bone_and_its_numbers_are_said() {
    let mut window = window();
    let at = head(&window);
    click_at(&mut window, at);
    assert_eq!(window.state().chosen_bone(), Some(BoneId(1)));
    window.get_by_label("Relative to its parent: Position 0.000, 1.000, 0.000 m");
    window.get_by_label("World: Position 0.000, 2.000, 0.000 m");
    window.get_by_label("World: x y z w 0.000, 0.000, 0.000, 1.000");
    window.get_by_label("Root motion: Position 0.000, 0.000, 0.000 m");
}

#[test]
fn a_long_name_of_a_parent_leaves_the_numbers_in_the_window() {
    let long = "character_left_upper_arm_sleeve_front_of_the_second_layer_02";
    let file = String::from_utf8_lossy(WALK).replace("\"hips\"", &format!("\"{long}\""));
    let file: &'static [u8] = file.into_bytes().leak();
    let window = window_of(file, |state| state.apply(PartAction::ChooseBone(Some(BoneId(1)))));
    let [width, _] = SIZE;
    for place in window.query_all_by_label_contains("Relative to its parent: Place") {
        assert!(place.rect().right() < width, "{:?}", place.rect());
    }
    let link = window.get_by_role_and_label(Role::Link, long);
    assert!(link.rect().right() < width, "{:?}", link.rect());
}

#[test]
fn the_status_says_how_a_motion_is_seen() {
    let mut window = window();
    for text in ["30°, 15°", "Orthographic", "Y up"] {
        window.get_by_label(text);
    }
    let zoom = window.get_by_role_and_label(Role::TextInput, "Zoom").accesskit_node().value();
    assert!(zoom.as_ref().is_some_and(|zoom| zoom.ends_with(" px/m")), "{zoom:?}");
    click(&mut window, "Orthographic");
    window.get_by_label("Perspective 40°");
    apply(&mut window, CameraAction::Face(Facing::Side));
    window.get_by_label("Side");
}

#[test]
fn a_motion_alone_says_what_joins_its_bones_and_a_file_without_bones_that_it_has_none() {
    for (file, is_alone) in [(points(), true), (WALK, false)] {
        let window = window_of(file, |_| ());
        assert_eq!(window.query_by_label_contains("Drop a .skl.pxd").is_some(), is_alone);
    }
    let window = window_of(br#"{"asset":{"version":"2.0"}}"#, |_| ());
    window.get_by_label("No bones: nothing to show");
}

#[test]
fn a_drag_counts_up_to_where_the_button_was_let_go() {
    let places = [[300.0, 300.0], [350.0, 300.0], [520.0, 420.0]].map(Pos2::from);
    let stroke = |[from, to, on]: [Pos2; 3], button| {
        // After it the pointer goes on to a third place.
        let mut events = stroke_with(from, to, button, Modifiers::NONE);
        events.push(Event::PointerMoved(on));
        events
    };
    let primary = PointerButton::Primary;
    // Frames end after these events: all in one frame, or the release in a slow one.
    for ends in [&[5][..], &[2, 5], &[1, 3, 5], &[1, 2, 3, 4, 5]] {
        let play = |window: &mut Window, events: Vec<Event>| {
            let mut from = 0;
            for to in ends {
                window.input_mut().events.extend_from_slice(&events[from..*to]);
                window.step();
                from = *to;
            }
            window.run_ok();
        };
        let mut window = window();
        play(&mut window, stroke(places, primary));
        let [yaw, pitch] = direction(&window);
        assert!((yaw - 10.0).abs() < 1e-3, "{ends:?}: {yaw}");
        assert!((pitch - OBLIQUE[1]).abs() < 1e-3, "{ends:?}: {pitch}");

        let mut window = super::window(|_| ());
        let before = window.state().camera();
        play(&mut window, stroke(places, primary));
        let after = window.state().camera();
        let moved = (before.center[0] - after.center[0]) * after.zoom;
        assert!((moved - 50.0).abs() < 1e-3, "{ends:?}: {moved}");
        assert_eq!(before.center[1], after.center[1], "{ends:?}");
        // A drag that starts on a panel does not move the camera.
        let beside = [[900.0, 300.0], [350.0, 300.0], [300.0, 300.0]].map(Pos2::from);
        play(&mut window, stroke(beside, PointerButton::Middle));
        assert_eq!(window.state().camera(), after, "{ends:?}");
    }
}

/// A SEAnim file with a place for each of so many bones.
pub(super) fn tracks(bones: u8) -> &'static [u8] {
    let names: Vec<String> = (0..bones).map(|bone| format!("b{bone}")).collect();
    let heights = (0..bones).map(f32::from);
    placed(&names.iter().map(String::as_str).zip(heights).collect::<Vec<_>>())
}

#[test]
fn a_low_window_lists_four_bones_beside_what_is_chosen() {
    for size in [[700.0, 420.0], [700.0, 520.0], [1024.0, 440.0]] {
        let mut window = window_of(tracks(12), |state| {
            state.apply(PartAction::ChooseBone(Some(BoneId(1))));
        });
        resize(&mut window, size);
        let close = window.get_by_label("Deselect bone").rect();
        let is_seen = |bone: &usize| {
            let name = format!("b{bone}");
            let row = window.query_by_role_and_label(Role::TreeItem, &name);
            row.is_some_and(|row| row.rect().bottom() <= close.top())
        };
        let seen = (0..12).filter(is_seen).count();
        assert!(seen >= 4, "{size:?}: {seen} above {close:?}");
        // The animation can still be selected.
        window.get_by_role(Role::ComboBox);
        let bottom = window.get_by_label("Frame").rect().top();
        assert!(bottom - close.top() > 60.0, "{size:?}: {close:?} {bottom}");
        apply(&mut window, PartAction::ChooseNothing);
        window.get_by_label("More animation settings");
    }
}
