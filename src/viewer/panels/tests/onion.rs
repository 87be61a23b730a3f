//! The menu of onion skin, through the names of its controls.

use pchr::overlay::Onion;

use super::*;

const FIELDS: [&str; 3] = ["Ghosts before", "Ghosts after", "Frames between ghosts"];

fn menu() -> Window {
    let mut window = window(|_| ());
    open_menu(&mut window, "Onion skin");
    window
}

pub(super) fn set(window: &mut Window, field: &str, text: &str) {
    click_role(window, Role::SpinButton, field);
    window.run_ok();
    press(window, Modifiers::COMMAND, Key::A);
    type_text(window, text);
    press_and_wait(window, Modifiers::NONE, Key::Enter);
}

fn onion(window: &Window) -> Onion {
    window.state().overlays(1).onion
}

#[test]
fn the_menu_has_what_is_set_and_opening_it_changes_nothing() {
    let window = menu();
    for (field, value) in FIELDS.into_iter().zip([2.0, 2.0, 1.0]) {
        let field = window.get_by_role_and_label(Role::SpinButton, field);
        assert_eq!(field.accesskit_node().numeric_value(), Some(value));
    }
    for name in ["Colour of ghosts before", "Colour of ghosts after"] {
        assert!(has(&window, name), "{name}");
    }
    assert!(!window.state().is_on(Switch::Onion));
    assert!(window.get_by_label("Reset").accesskit_node().is_disabled(), "it is as at first");
}

#[test]
fn numbers_that_are_typed_show_at_once_and_reset_takes_them_back() {
    let mut window = menu();
    for (field, text) in FIELDS.into_iter().zip(["3", "0", "4"]) {
        set(&mut window, field, text);
    }
    let wanted = Onion { before: 3, after: 0, step: 4, ..Onion::NONE };
    assert_eq!(onion(&window), wanted);
    assert!(window.state().is_on(Switch::Onion));
    // No more than there can be, and no less than one frame apart.
    for (field, text) in FIELDS.into_iter().zip(["999", "-3", "0"]) {
        set(&mut window, field, text);
    }
    assert_eq!((onion(&window).before, onion(&window).after), (32, 0));
    assert_eq!(onion(&window).step, 1);
    click(&mut window, "Reset");
    assert_eq!(onion(&window), Onion::of(2, 2));
    press_and_wait(&mut window, Modifiers::NONE, Key::Escape);
    assert!(!has(&window, FIELDS[0]));
    assert!(window.state().is_on(Switch::Onion), "only the menu closes");
}

#[test]
fn a_colour_is_chosen_beside_the_menu() {
    let mut window = menu();
    let before = window.state().looking().onion.tints;
    click(&mut window, "Colour of ghosts before");
    focus(&mut window, "B");
    for _ in 0..4 {
        press(&mut window, Modifiers::NONE, Key::ArrowDown);
    }
    let after = window.state().looking().onion.tints;
    assert_ne!(after[0], before[0]);
    assert_eq!(after[1], before[1]);
    press_and_wait(&mut window, Modifiers::NONE, Key::Escape);
    assert!(!has(&window, FIELDS[0]));
}
