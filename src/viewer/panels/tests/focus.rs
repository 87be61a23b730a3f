//! The keyboard: the way of Tab through the window, and keys of the control that has the focus.

use super::*;

fn tab(harness: &mut Window) -> (String, Rect) {
    press(harness, Modifiers::NONE, Key::Tab);
    focused(harness).expect("a control has the keyboard")
}

/// Every control on the way, once round.
pub(super) fn way(harness: &mut Window) -> Vec<(String, Rect)> {
    let first = tab(harness);
    let mut way = vec![first.clone()];
    loop {
        let next = tab(harness);
        if next == first {
            return way;
        }
        way.push(next);
        assert!(way.len() < 300, "{way:?}");
    }
}

#[test]
fn tab_goes_through_all_controls_and_shift_tab_back() {
    let mut harness = window(|state| state.apply(PartAction::ChooseMesh(Some(MeshId(0)))));
    let there = way(&mut harness);
    let tools: Vec<_> = there.iter().filter(|(_, at)| at.bottom() < 44.0).collect();
    assert!(tools.len() > 12, "{there:?}");
    assert_eq!(there[0], *tools[0]);
    let in_order = tools.windows(2).all(|pair| pair[0].1.left() < pair[1].1.left());
    assert!(in_order, "{tools:?}");
    let mut names: Vec<&str> = there.iter().map(|(name, _)| name.as_str()).collect();
    let some = "Open…|More animation settings|walk, 8 frames, 0.80 s|Filter meshes|hat|Play|Frame";
    for name in some.split('|') {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    for node in nodes(&harness) {
        let access = node.accesskit_node();
        let is_other = matches!(access.role(), Role::ListBoxOption | Role::Image);
        if is_control(access.role()) && !access.is_disabled() && !is_other {
            let name = access.label().unwrap_or_default();
            let of_row = name.contains("shoe");
            assert!(names.contains(&name.as_str()) || of_row, "{name:?} is not reached");
        }
    }
    let mut back = Vec::new();
    for _ in &there {
        press(&mut harness, Modifiers::SHIFT, Key::Tab);
        back.push(focused(&harness).unwrap().0);
    }
    back.sort_unstable();
    names.sort_unstable();
    assert_eq!(back, names);
}

#[test]
fn a_button_with_the_keyboard_takes_space_and_enter_and_other_keys_act_as_ever() {
    let mut harness = window(|_| ());
    press(&mut harness, Modifiers::NONE, Key::Space);
    assert!(harness.state().playback().playing);
    press(&mut harness, Modifiers::NONE, Key::Space);
    assert!(!harness.state().playback().playing);
    focus(&mut harness, "Statistics");
    for (key, on) in [(Key::Space, true), (Key::Enter, false)] {
        press(&mut harness, Modifiers::NONE, key);
        assert_eq!(harness.state().is_on(Switch::Hud), on);
        assert!(!harness.state().playback().playing);
    }
    press(&mut harness, Modifiers::NONE, Key::B);
    assert!(harness.state().is_on(Switch::Overlay(Layer::Bones)));
    let position = harness.state().playback().position(harness.state().timelines());
    press(&mut harness, Modifiers::NONE, Key::ArrowRight);
    let after = harness.state().playback().position(harness.state().timelines());
    assert!((after - position - 1.0).abs() < 1e-9, "{position} {after}");
    press(&mut harness, Modifiers::SHIFT, Key::Space);
    assert!(harness.state().playback().playing && harness.state().playback().backwards);
    // Escape gives the focus back, and does no more than that.
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert_eq!(focused(&harness).map(|(name, _)| name), None);
    press(&mut harness, Modifiers::NONE, Key::Space);
    assert!(!harness.state().is_on(Switch::Hud));
}

#[test]
fn keys_after_tab_are_of_the_next_control_however_slow_a_frame_is() {
    let mut harness = window(|_| ());
    let (first, _) = tab(&mut harness);
    assert_eq!(first, "Open…");
    focus(&mut harness, "Statistics");
    let (next, _) = tab(&mut harness);
    focus(&mut harness, "Statistics");
    for key in [Key::Tab, Key::Space] {
        harness.key_press(key);
    }
    harness.run_ok();
    assert_eq!(stop(&harness), next);
    assert!(!harness.state().is_on(Switch::Hud));
}

#[test]
fn a_key_hides_all_panels_and_a_note_says_how_they_come_back() {
    let mut harness = window(|_| ());
    let with = harness.state().viewport();
    press(&mut harness, Modifiers::NONE, Key::F9);
    assert!(!has(&harness, "Play") && has(&harness, "Panels are hidden: F9 shows them"));
    let [width, height] = harness.state().viewport();
    let [wide, high] = with;
    assert!(width > wide + 250 && height > high + 100);
    press(&mut harness, Modifiers::NONE, Key::F9);
    assert_eq!(harness.state().viewport(), with);
    assert!(harness.query_by_label_contains("hidden").is_none());
}

#[test]
fn a_preview_window_is_all_picture_and_its_menu_and_escape_end_it() {
    let mut harness = window(|state| state.apply(Action::Toggle(Switch::Hud)));
    press(&mut harness, Modifiers::SHIFT, Key::F9);
    resize(&mut harness, vec2(160.0, 160.0));
    assert_eq!(harness.state().viewport(), [144; 2], "all but the margin of the test");
    assert!(has(&harness, "Preview window: Shift+F9 ends it"));
    assert!(!has(&harness, "Play") && !has(&harness, "Statistics"));
    press(&mut harness, Modifiers::NONE, Key::Space);
    assert!(harness.state().playback().playing, "keys work as ever");
    press(&mut harness, Modifiers::NONE, Key::Space);
    harness.get_by_label_contains("Picture of").click_secondary();
    harness.run_ok();
    harness.run_ok();
    assert!(has(&harness, "Preview window"));
    for _ in 0..3 {
        press(&mut harness, Modifiers::NONE, Key::Escape); // menu, message, preview
    }
    assert!(!harness.state().is_on(Switch::Preview));
    resize(&mut harness, vec2(1024.0, 640.0));
    assert!(has(&harness, "Play"));
}

fn question() -> Option<Question> {
    let candidates =
        ["alpha", "beta", "gamma"].map(|name| Candidate { path: name.into(), bones: None });
    Question::of_skeletons("walk", None, &candidates)
}

/// The window with a question that has just appeared and is not laid out yet.
pub(super) fn asked() -> Window {
    let mut harness = window(|_| ());
    focus(&mut harness, "Filter meshes");
    let _ = harness.state_mut().take_requests();
    harness.state_mut().put_question(question());
    harness
}

/// The skeleton that was answered.
fn answer(harness: &mut Window) -> Option<String> {
    assert_eq!(harness.state().looking().mesh_filter, "");
    let skeleton = harness.state().companions().skeleton.clone();
    let loads = harness.state_mut().take_requests();
    let is_load = |request: &Request| matches!(request, Request::Load(..));
    assert_eq!(loads.iter().any(is_load), skeleton.is_some());
    skeleton.map(|path| path.to_string_lossy().into_owned())
}

#[test]
fn a_question_has_the_keyboard_as_soon_as_it_is_seen() {
    let cases: [(&[Key], Option<&str>); 7] = [
        (&[Key::Enter], Some("alpha")),
        (&[Key::Space], Some("alpha")),
        (&[Key::ArrowRight, Key::Enter], Some("beta")),
        (&[Key::Tab, Key::ArrowDown, Key::Space], Some("gamma")),
        (&[Key::ArrowDown, Key::ArrowDown, Key::ArrowUp, Key::Enter], Some("beta")),
        (&[Key::B, Key::H, Key::Home, Key::Escape], None),
        (&[Key::ArrowLeft, Key::Enter], None), // the button that dismisses
    ];
    for (keys, wanted) in cases {
        for slow in [true, false] {
            let mut harness = asked();
            harness.run_ok();
            for key in keys {
                harness.key_press(*key);
                if !slow {
                    harness.run_ok();
                }
            }
            harness.run_ok();
            harness.run_ok();
            let state = harness.state();
            assert_eq!(state.question(), None, "{keys:?} {slow}");
            assert!(!state.is_on(Switch::Overlay(Layer::Bones)) && !state.playback().playing);
            assert_eq!(answer(&mut harness).as_deref(), wanted, "{keys:?} {slow}");
        }
    }
}

#[test]
fn a_key_that_is_held_answers_nothing_and_others_with_ctrl_act_as_ever() {
    let mut harness = window(|_| ());
    let space = down(Key::Space, Modifiers::NONE);
    at_once(&mut harness, vec![space.clone()]);
    assert!(harness.state().playback().playing);
    let _ = harness.state_mut().take_requests();
    harness.state_mut().put_question(question());
    at_once(&mut harness, vec![space, Event::Text(" ".into())]);
    assert_eq!(stop(&harness), "alpha");
    assert!(harness.state().question().is_some() && harness.state().playback().playing);
    press(&mut harness, Modifiers::COMMAND, Key::K);
    assert!(harness.state().is_on(Switch::Palette));
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(harness.state().question().is_some());
    press(&mut harness, Modifiers::NONE, Key::ArrowRight);
    assert_eq!(stop(&harness), "beta");
    assert_eq!(answer(&mut harness), None);
}

#[test]
fn answers_without_room_are_scrolled_to() {
    let candidates: Vec<_> = { (0..60).map(|number| format!("skeleton number {number}")) }
        .map(|name| Candidate { path: name.into(), bones: Some(12) })
        .collect();
    let mut harness = window(|_| ());
    resize(&mut harness, [700.0, 420.0]);
    harness.state_mut().put_question(Question::of_skeletons("walk", Some(12), &candidates));
    harness.run_ok();
    let picture = harness.get_by_label_contains("Picture of").rect();
    for _ in 0..59 {
        press(&mut harness, Modifiers::NONE, Key::Tab);
    }
    harness.run_ok();
    let (name, rect) = focused(&harness).unwrap();
    assert_eq!(name, "skeleton number 59, 12 bones, fits");
    assert!(rect.bottom() <= picture.bottom(), "{rect:?} {picture:?}");
}
