//! The way of the keyboard through menus over lists, cards, lists that are come back to, and small windows.

use super::tool::show_reference;
use super::*;
use crate::viewer::action::InterfaceAction;

const SAMPLE: &[u8] = include_bytes!("../../../../assets/sample.pchr");

fn with(window: &mut Window, modifiers: Modifiers, key: Key) -> String {
    press(window, modifiers, key);
    stop(window)
}

#[test]
fn tab_goes_through_a_menu_and_closes_it_behind_its_last_control() {
    for [width, height] in [[640.0, 360.0], [700.0, 420.0], [640.0, 260.0]] {
        let mut window = window_of(SAMPLE, show_reference);
        resize(&mut window, [width, height]);
        focus(&mut window, "Tools");
        press_and_wait(&mut window, Modifiers::NONE, Key::Enter);
        let mut there = Vec::new();
        while has(&window, "Fit") {
            there.push(key(&mut window, Key::Tab));
            let (_, place) = focused(&window).unwrap();
            assert!(place.top() > -1.0 && place.bottom() < height + 1.0, "{there:?}");
            window.run_ok();
        }
        let mut rest = there.iter();
        let names = "Remove the reference|Hide the reference|Below|Above|Opacity of the reference|\
            Size of the reference|X of the reference|Y of the reference|Fit";
        for name in names.split('|') {
            assert!(rest.any(|stop| stop == name), "{name}: {there:?}");
        }
    }
}

#[test]
fn the_warnings_have_the_keyboard_if_a_command_opens_them() {
    let warnings = || Action::Looking(LookAction::GoTo(Destination::Warnings));
    let mut plain = window(|_| ());
    apply_and_wait(&mut plain, warnings());
    let said = plain.state().said().map(|message| message.text.clone());
    assert_eq!(said.as_deref(), Some("No warnings"));
    assert!(!plain.state().is_on(Switch::Findings));
    let mut window = window_of(ATLAS, |_| ());
    apply_and_wait(&mut window, warnings());
    window.run_ok();
    let (name, _) = focused(&window).expect("the card has the keyboard");
    assert!(name == "Copy" || name == "List of warnings", "{name}");
    let camera = window.state().camera();
    for pressed in [Key::ArrowDown, Key::PageDown, Key::End, Key::ArrowRight] {
        assert_eq!(key(&mut window, pressed), name);
    }
    let state = window.state();
    assert_eq!(state.camera(), camera);
    assert!(state.playback().position(state.timelines()) == 0.0);
    key(&mut window, Key::Escape);
    assert!(!window.state().is_on(Switch::Findings));
}

#[test]
fn arrows_pan_only_while_no_control_has_the_keyboard() {
    let mut window = window(|state| state.apply(PartAction::ChooseMesh(Some(MeshId(0)))));
    focus(&mut window, "Deselect mesh");
    let camera = window.state().camera();
    assert_eq!(key(&mut window, Key::ArrowDown), "Deselect mesh");
    assert_eq!(window.state().camera(), camera);
    key(&mut window, Key::Escape);
    key(&mut window, Key::ArrowDown);
    assert_ne!(window.state().camera(), camera);
}

#[test]
fn tab_comes_back_to_the_row_that_was_left() {
    let mut window = window_of(SAMPLE, |_| ());
    window.run_ok();
    with(&mut window, Modifiers::COMMAND, Key::Num1);
    let row = (0..3).fold(String::new(), |_, _| key(&mut window, Key::ArrowDown));
    assert!(!row.is_empty());
    let mut there = Vec::new();
    while there.last().is_none_or(|name: &String| name.ends_with(&row)) || there.len() < 3 {
        there.push(key(&mut window, Key::Tab));
        assert!(there.len() < 9, "{there:?}");
    }
    let back = with(&mut window, Modifiers::SHIFT, Key::Tab);
    assert!(back.contains(&row), "{back} is no control of {row}");
}

#[test]
fn tab_goes_on_where_the_keyboard_was_before_a_question_and_an_empty_list_sends_it_to_its_filter() {
    let mut window = super::focus::asked();
    window.run_ok();
    assert_eq!(stop(&window), "alpha");
    press_and_wait(&mut window, Modifiers::NONE, Key::Enter);
    assert!(window.state().question().is_none());
    assert_eq!(stop(&window), "Filter meshes");
    focus(&mut window, "Play");
    apply_and_wait(&mut window, Action::Parts(PartAction::Filter(Tab::Meshes, "zzz".into())));
    assert_eq!(with(&mut window, Modifiers::COMMAND, Key::Num1), "Filter meshes");
}

#[test]
fn a_list_that_curves_leave_no_room_for_takes_their_place_when_it_is_gone_to() {
    let mut window = window_of(MOTION, |state| state.apply(Action::Toggle(Switch::Curves)));
    resize(&mut window, [640.0, 380.0]);
    assert!(!has(&window, "Filter bones"));
    assert!(window.query_by_label_contains("closes the curves and shows the list").is_some());
    with(&mut window, Modifiers::COMMAND, Key::Num2);
    window.run_ok();
    window.run_ok();
    assert!(!window.state().is_on(Switch::Curves) && has(&window, "Filter bones"));
    let (_, place) = focused(&window).expect("a row has the keyboard");
    assert!(place.left() > 300.0);
}

#[test]
fn menus_open_by_a_command_within_the_window() {
    let menus = [
        (Destination::Background, "Checkerboard|Picture…|Background colour|Background #000000"),
        (Destination::Onion, "Ghosts before|Ghosts after|Frames between ghosts"),
        (Destination::Screenshot, "View|Fixed|Copy"),
    ];
    for (size, (menu, names)) in
        [[700.0, 420.0], [2560.0, 1440.0]].into_iter().flat_map(|size| menus.map(|it| (size, it)))
    {
        let mut window = window(|state| {
            (0..8).for_each(|color| state.apply(InterfaceAction::KeepColor([color, 0, 0])));
        });
        resize(&mut window, size);
        apply_and_wait(&mut window, LookAction::GoTo(menu));
        window.run_ok();
        assert_eq!(names.split('|').next(), Some(&*stop(&window)));
        let room = Rect::from_min_size(Pos2::ZERO, size.into());
        for name in names.split('|') {
            let mut places = window.query_all_by_label(name).map(|node| node.rect()).peekable();
            assert!(places.peek().is_some(), "{size:?}: {name}");
            assert!(places.all(|place| room.contains_rect(place)), "{size:?}: {name}");
        }
    }
}

#[test]
fn settings_of_onion_skin_open_by_a_command_wherever_its_switch_is() {
    for [width, height] in [[1600.0, 1000.0], [640.0, 360.0]] {
        let mut window = window_of(SAMPLE, |_| ());
        resize(&mut window, [width, height]);
        apply_and_wait(&mut window, LookAction::GoTo(Destination::Onion));
        window.run_ok();
        assert_eq!(stop(&window), "Ghosts before", "{width}");
        let colour = "Colour of ghosts before";
        assert!((0..80).any(|_| key(&mut window, Key::Tab) == colour), "{width}");
    }
}

#[test]
fn nothing_to_reset_cannot_be_chosen() {
    let mut window = window(|_| ());
    for disabled in [true, false] {
        focus(&mut window, "hat");
        press_and_wait(&mut window, Modifiers::SHIFT, Key::F10);
        let is_disabled = {
            let mut all = window.query_all_by_label("Reset all meshes");
            all.any(|node| node.accesskit_node().is_disabled())
        };
        assert_eq!(is_disabled, disabled);
        key(&mut window, Key::Escape);
        apply_and_wait(&mut window, PartAction::ShowMesh(MeshId(1), Some(false)));
    }
}
