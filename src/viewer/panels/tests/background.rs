//! The menu of backgrounds: nothing, any colour, and the recent ones.

use super::*;

#[test]
fn a_background_is_nothing_or_a_colour_of_the_menu() {
    let magenta = Background::Color([255, 0, 255, 255]);
    for (name, wanted, clear) in [
        ("Transparent", Background::Transparent, [0; 4]),
        ("Background #ff00ff", magenta, [255, 0, 255, 255]),
    ] {
        let mut window = window(|_| ());
        click(&mut window, "Background");
        click(&mut window, name);
        assert_eq!(window.state().looking().background, wanted);
        assert_eq!(window.state().picture().clear, clear);
        window.run_ok();
        assert!(!has(&window, "Background #ff00ff"), "the menu is closed");
    }
}

#[test]
fn the_menu_closes_with_its_choice_and_keys_that_it_has_no_use_for_work() {
    let mut window = window(|_| ());
    click(&mut window, "Background");
    click(&mut window, "Black");
    window.run_ok();
    assert!(!has(&window, "Checkerboard"), "it is closed");
    click(&mut window, "Background");
    window.state_mut().take_requests();
    key(&mut window, Key::F12);
    let shot = |request: &Request| matches!(request, Request::Export(_));
    assert!(window.state_mut().take_requests().iter().any(shot));
    assert!(has(&window, "Checkerboard"), "a screenshot does not close it");
    press_and_wait(&mut window, Modifiers::COMMAND, Key::ArrowRight);
    assert!(!has(&window, "Checkerboard"), "another file does");
    click(&mut window, "Background");
    focus(&mut window, "Background colour");
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_text(&mut window, "#00ff10");
    press_and_wait(&mut window, Modifiers::NONE, Key::Enter);
    assert!(!has(&window, "Checkerboard"));
    assert_eq!(window.state().looking().background, Background::Color([0, 255, 16, 255]));
}

#[test]
fn a_colour_is_made_and_kept_when_the_menu_closes() {
    let mut window = opened();
    type_text(&mut window, "#ff0010");
    assert!(window.state().interface().colors.is_empty());
    press_and_wait(&mut window, Modifiers::NONE, Key::Escape);
    assert_eq!(window.state().interface().colors, [[255, 0, 16]]);
    // It is on offer the next time.
    click(&mut window, "Background");
    assert!(has(&window, "Background #ff0010"));
}

fn opened() -> Window {
    let mut window = window(|_| ());
    focus(&mut window, "Background");
    press(&mut window, Modifiers::NONE, Key::Enter);
    focus(&mut window, "Background colour");
    press(&mut window, Modifiers::COMMAND, Key::A);
    window
}

fn type_text(window: &mut Window, text: &str) {
    for letter in text.chars() {
        at_once(window, vec![Event::Text(letter.to_string())]);
    }
}

#[test]
fn a_text_that_is_no_colour_changes_nothing_and_its_last_digit_may_come_with_enter() {
    let mut window = opened();
    type_text(&mut window, "#ff880");
    at_once(&mut window, vec![Event::Text("0".into()), down(Key::Enter, Modifiers::NONE)]);
    let background = &window.state().looking().background;
    assert_eq!(*background, Background::Color([0xff, 0x88, 0, 255]));
    let mut window = opened();
    type_text(&mut window, "#12");
    type_text(&mut window, "x");
    assert_eq!(window.state().looking().background, Background::Checker);
    press(&mut window, Modifiers::NONE, Key::Backspace);
    type_text(&mut window, "3456");
    let color = Background::Color([0x12, 0x34, 0x56, 255]);
    assert_eq!(window.state().looking().background, color);
    type_text(&mut window, "7");
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(window.state().looking().background, color);
}
