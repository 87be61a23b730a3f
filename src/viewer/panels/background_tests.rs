//! The menu of backgrounds: nothing, any colour, and the recent ones.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;

use super::focus_tests::press;
use super::tests::window;
use super::*;
use crate::viewer::action::InterfaceAction;
use crate::viewer::background::Background;

#[test]
fn a_background_may_be_nothing() {
    let mut window = window(|_| ());
    window.get_by_label("Background").click();
    window.run_ok();
    window.get_by_label("Transparent").click();
    window.run_ok();
    assert_eq!(window.state().looking().background, Background::Transparent);
    assert_eq!(window.state().picture().clear, [0; 4]);
}

#[test]
fn a_colour_is_made_with_arrows_and_kept_when_the_menu_closes() {
    let mut window = window(|_| ());
    window.get_by_label("Background").focus();
    window.run_ok();
    press(&mut window, Modifiers::NONE, Key::Enter);
    window.get_by_label_contains("Saturation").focus();
    window.run_ok();
    for _ in 0..60 {
        press(&mut window, Modifiers::NONE, Key::ArrowRight);
        press(&mut window, Modifiers::NONE, Key::ArrowUp);
    }
    let background =
        |window: &egui_kittest::Harness<'_, State>| window.state().looking().background.clone();
    assert_eq!(background(&window), Background::Color([255, 0, 0, 255]));
    window.get_by_label_contains("Hue 0").focus();
    window.run_ok();
    for _ in 0..60 {
        press(&mut window, Modifiers::NONE, Key::ArrowRight);
    }
    assert_eq!(
        background(&window),
        Background::Color([255, 0, 0, 255]),
        "once around"
    );
    window.get_by_label_contains("Hue 360").focus();
    press(&mut window, Modifiers::NONE, Key::ArrowLeft);
    let Background::Color([r, g, b, 255]) = background(&window) else {
        panic!("a colour");
    };
    assert!(r == 255 && g == 0 && b > 0, "{r} {g} {b}");
    assert!(window.state().interface().colors.is_empty());
    window.key_press(Key::Escape);
    window.run_ok();
    window.run_ok();
    assert_eq!(window.state().interface().colors, [[r, g, b]]);
    // It is on offer the next time.
    window.get_by_label("Background").click();
    window.run_ok();
    let name = format!("Background #{r:02x}{g:02x}{b:02x}");
    assert!(window.query_by_label(&name).is_some());
}

#[test]
fn the_menu_lies_within_a_small_window() {
    let mut window = window(|_| ());
    window.set_size(egui::vec2(700.0, 420.0));
    window.run_ok();
    for color in 0..8 {
        let action = InterfaceAction::KeepColor([color, 0, 0]);
        window.state_mut().apply(Action::Interface(action));
    }
    window.get_by_label("Background").click();
    window.run_ok();
    window.run_ok();
    for name in [
        "Checkerboard",
        "Picture…",
        "Background colour",
        "Background #000000",
    ] {
        let rect = window.get_by_label(name).rect();
        assert!(
            rect.bottom() <= 420.0 && rect.right() <= 700.0,
            "{name}: {rect:?}"
        );
    }
}
