//! The menu of screenshots, through the names of its controls.

use super::onion::set;
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
    set(&mut window, "Width", "99999");
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
