//! The menu of screenshots, through the names of its controls.

use super::*;
use crate::viewer::action::ExportAction;
use crate::viewer::screenshot::{ScreenshotChoices, ScreenshotSize};

fn menu() -> Window {
    let mut window = window(|_| ());
    open_menu(&mut window, "Screenshot");
    window.state_mut().take_requests();
    window
}

fn choices(window: &Window) -> ScreenshotChoices {
    window.state().exports().screenshot
}

#[test]
fn what_is_chosen_is_remembered() {
    let mut window = menu();
    assert_eq!(choices(&window), ScreenshotChoices::default());
    assert_eq!(window.state_mut().take_requests(), [], "opening it changes nothing");
    for name in ["Character", "Transparent", "4×", "Overlays"] {
        click(&mut window, name);
        let requests = window.state_mut().take_requests();
        assert!(requests.contains(&Request::Remember), "{name}");
    }
    let (cropped, transparent, overlays, size) = (true, true, false, ScreenshotSize::Four);
    let usual = ScreenshotChoices::default();
    let wanted = ScreenshotChoices { cropped, transparent, overlays, size, ..usual };
    assert_eq!(choices(&window), wanted);
    for name in ["View", "As in the window", "1×", "Overlays"] {
        click(&mut window, name);
    }
    assert_eq!(choices(&window), ScreenshotChoices::default());
    // A width that is typed is a fixed size.
    click_role(&mut window, Role::SpinButton, "Width");
    window.run_ok();
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_text(&mut window, "99999");
    key(&mut window, Key::Enter);
    window.run_ok();
    assert_eq!(choices(&window).size, ScreenshotSize::Fixed);
    assert_eq!(choices(&window).fixed, [16_384, 512], "no larger than it can be");
}

#[test]
fn its_buttons_take_a_picture_and_close_it() {
    for (name, export) in [
        ("Screenshot", ExportAction::Screenshot { overlays: true }),
        ("Copy", ExportAction::CopyPicture),
    ] {
        let mut window = menu();
        let all = window.get_all_by_label(name);
        let lowest = all.max_by(|a, b| a.rect().top().total_cmp(&b.rect().top()));
        lowest.expect("it is there").click();
        window.run_ok();
        let requests = window.state_mut().take_requests();
        assert!(requests.contains(&Request::Export(export)), "{name}");
        assert!(!has(&window, "Transparent"), "{name}");
    }
}

#[test]
fn it_opens_by_a_command_and_by_a_key_within_any_window() {
    for size in [[700.0, 420.0], [2560.0, 1440.0]] {
        let mut window = window(|_| ());
        resize(&mut window, size);
        apply(&mut window, LookAction::GoTo(Destination::Screenshot));
        window.run_ok();
        assert_eq!(stop(&window), "View");
        let room = Rect::from_min_size(Pos2::ZERO, size.into());
        for name in ["View", "Fixed", "Copy"] {
            let rect = window.get_by_label(name).rect();
            assert!(room.contains_rect(rect), "{size:?} {name}: {rect}");
        }
        press(&mut window, Modifiers::NONE, Key::Escape);
        window.run_ok();
        assert!(!has(&window, "Transparent"));
        focus(&mut window, "Screenshot");
        press(&mut window, Modifiers::SHIFT, Key::F10);
        window.run_ok();
        assert!(has(&window, "Transparent"), "{size:?}");
    }
}
