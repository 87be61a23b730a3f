//! The list of animations, rows that are dragged, and tooltips beside the side panel.

use super::*;

#[test]
fn animations_are_a_list_that_keys_walk_and_enter_plays() {
    let mut window = window_of(clips(40), |_| ());
    press(&mut window, Modifiers::COMMAND, Key::Num3);
    assert_eq!(stop(&window), "clip 00000, 1 frame, 0.10 s");
    assert!(key(&mut window, Key::ArrowDown).starts_with("clip 00001, 2 frames"));
    assert!(key(&mut window, Key::End).starts_with("clip 00039"));
    assert_eq!(playing(&window), Some(0));
    key(&mut window, Key::Enter);
    assert_eq!(playing(&window), Some(39));
    let list = window.get_by_label_contains("clip 00039").rect();
    let tabs = window.get_by_label("List of meshes").rect();
    assert!(list.bottom() < tabs.top(), "{list:?} {tabs:?}");
    // One that was chosen elsewhere comes into sight.
    apply_and_wait(&mut window, PlaybackAction::Animation(AnimationId(20)));
    let row = window.get_by_label_contains("clip 00020").rect();
    assert!(row.top() > 60.0 && row.bottom() < tabs.top(), "{row:?}");
    // The other list is gone to by its own key.
    press(&mut window, Modifiers::COMMAND, Key::Num1);
    assert_eq!(stop(&window), "hat");
}

#[test]
fn many_animations_are_filtered_and_only_rows_in_sight_are_laid_out() {
    let mut window = window_of(clips(10_000), |_| ());
    let laid_out = window.query_all_by_label_contains("clip 0").count();
    assert!((3..12).contains(&laid_out), "{laid_out}");
    type_into(&mut window, "Filter animations", "4321");
    assert!(window.query_by_label_contains("clip 04321, ").is_some());
    assert!(window.query_by_label_contains("clip 00001, ").is_none());
    press(&mut window, Modifiers::COMMAND, Key::Num3);
    key(&mut window, Key::Enter);
    assert_eq!(playing(&window), Some(4321));
    apply(&mut window, LookAction::ClipFilter("none".into()));
    assert!(has(&window, "No results"));
}

#[test]
fn the_list_is_as_high_as_it_is_made_and_shows_that_it_goes_on() {
    let mut window = window_of(clips(40), |_| ());
    resize(&mut window, vec2(1024.0, 900.0));
    let name = "Lower border of the animations";
    let border = |window: &Window| window.get_by_label(name).rect().center();
    let first = |window: &Window| window.get_by_label("clip 00000, 1 frame, 0.10 s").rect().top();
    let rows = |window: &Window| (border(window).y - first(window)) / theme::ROW;
    let part = rows(&window).fract();
    assert!((0.4..0.9).contains(&part), "a part of the next row is in sight: {part}");
    let (from, to) = (border(&window), border(&window) + vec2(0.0, 52.0));
    let before = rows(&window);
    one_by_one(&mut window, stroke(from, to));
    window.run_ok();
    assert!((rows(&window) - before - 2.0).abs() < 0.1, "{} {before}", rows(&window));
    assert!(window.state().looking().clips.is_some());
    focus(&mut window, name);
    key(&mut window, Key::ArrowUp);
    assert!(rows(&window) < before + 2.0);
    press_and_wait(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!((rows(&window), window.state().looking().clips), (before, None));
}

#[test]
fn a_low_window_has_menus_instead_and_choosing_a_bone_moves_no_row() {
    let mut window = window(|state| state.apply(LookAction::Tab(Tab::Bones)));
    resize(&mut window, vec2(700.0, 420.0));
    assert!(window.query_by_label_contains("walk, 8").is_none());
    let row = |window: &Window| window.get_by_role_and_label(Role::TreeItem, "left").rect();
    let before = row(&window);
    apply_and_wait(&mut window, PartAction::ChooseBone(Some(BoneId(1))));
    assert_eq!(row(&window).top(), before.top());
    click(&mut window, "More animation settings");
    for name in ["Ping-pong", "Smooth playback", "Found by name"] {
        assert!(has(&window, name), "{name}");
    }
    click(&mut window, "Ping-pong");
    let state = window.state();
    assert_eq!(state.playback().mode(state.timelines()), pchr::playback::LoopMode::PingPong);
}

#[test]
fn a_bind_pose_that_was_not_found_is_said_until_one_is_chosen() {
    let mut window = window(|_| ());
    let note = "No animation is named like a bind pose: frame 0 of walk is used";
    assert!(has(&window, note));
    apply(&mut window, PlaybackAction::BindHere);
    assert!(!has(&window, note));
    apply(&mut window, Action::Undo);
    assert!(has(&window, note));
}

#[test]
fn nothing_moves_sideways_when_something_can_be_reset() {
    let names = ["Frame rate", "Speed", "Smooth", "Sort list by current draw order"];
    let mut window = window(|_| ());
    let places = |window: &Window| names.map(|name| window.get_by_label(name).rect());
    let before = places(&window);
    for action in [
        Action::Playback(PlaybackAction::Fps(Some(12.5))),
        Action::Playback(PlaybackAction::Speed(0.25)),
        Action::Playback(PlaybackAction::CycleLoop),
        Action::Parts(PartAction::ShowMesh(MeshId(0), Some(false))),
    ] {
        apply(&mut window, action);
    }
    assert_eq!(window.query_all_by_label("Reset").count(), 3);
    assert_eq!(places(&window), before);
    for side in [250.0, 300.0] {
        apply(&mut window, LookAction::SideWidth(side));
        for place in window.query_all_by_label("Reset") {
            assert!(place.rect().right() <= 1024.0);
        }
    }
}

/// Drags the row of the upper mesh below the other one, up to its release.
fn drag_row(window: &mut Window) -> Pos2 {
    let row = |window: &Window, name: &str| window.get_by_label(name).rect();
    let (from, to) = (row(window, "shoe").center(), row(window, "hat").center());
    let mut events = stroke(from, from + vec2(0.0, 10.0));
    events.pop();
    events.push(Event::PointerMoved(to));
    one_by_one(window, events);
    to
}

#[test]
fn escape_cancels_the_drag_of_a_row() {
    let mut window = window(|_| ());
    let to = drag_row(&mut window);
    window.event(button(to, false));
    window.run_ok();
    assert_eq!(window.state().parts().mesh_rows, [MeshId(0), MeshId(1)]);
    apply!(window.state_mut(), Action::Undo, PartAction::ChooseMesh(Some(MeshId(0))));
    window.run_ok();
    let to = drag_row(&mut window);
    window.key_press(Key::Escape);
    window.step();
    window.event(button(to, false));
    window.run_ok();
    assert_eq!(window.state().parts().mesh_rows, [MeshId(1), MeshId(0)]);
    assert_eq!(window.state().chosen_mesh(), Some(MeshId(0)), "Escape does no more than that");
}

#[test]
fn tooltips_of_rows_lie_beside_the_side_panel() {
    let mut window = window(|_| ());
    for (name, tip) in [
        ("walk, 8 frames, 0.80 s", "8 frames, 0 to 7, 0.80 s at 10 fps, loops"),
        ("hat", "Owner left"),
        ("Hide shoe", "Hide shoe"),
    ] {
        let row = window.get_by_label(name).rect();
        window.hover_at(row.center());
        window.run_steps(60);
        let side = 1024.0 - 300.0;
        let tips = window.query_all_by_label_contains(tip);
        let left = tips.map(|tip| tip.rect()).find(|tip| tip.right() <= side);
        let tip = left.unwrap_or_else(|| panic!("{name} has no tooltip beside the panel"));
        assert!((tip.center().y - row.center().y).abs() < 80.0, "{tip:?}");
    }
}

#[test]
fn tab_reaches_controls_of_the_details_that_are_scrolled_out_of_sight() {
    let mut window = small_with_details();
    focus(&mut window, "Deselect mesh");
    let mut names = Vec::new();
    for _ in 0..3 {
        let name = key(&mut window, Key::Tab);
        window.run_ok();
        let (_, place) = focused(&window).unwrap();
        names.push((name, place));
    }
    let line = window.get_by_label("Border between list and details").rect();
    for name in ["left", "Deselect bone", "root"] {
        let found = names.iter().find(|(seen, _)| seen == name);
        let (_, place) = found.unwrap_or_else(|| panic!("{name}: {names:?}"));
        let is_in_sight = place.top() >= line.top() && place.bottom() < 392.0;
        assert!(is_in_sight, "{name}: {place:?} {line:?}");
    }
}
