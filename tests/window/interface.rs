//! Tests of the interface's size and cards: the picture keeps its pixels, and an idle window does no work.

use std::thread::sleep;
use std::time::Duration;

use crate::command::{assert_captured, captured, copied};
use crate::desk::{Desk, Start};
use crate::fixture::{RED, squares};
use crate::look::{Canvas, bounds, canvas, difference, picture};

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_larger_interface_leaves_the_pixels_of_the_picture_as_they_are() {
    let mut desk = Desk::start(&Start {
        file: &squares([40, 200, 60]),
        options: &["--paused"],
        screen: [1600, 1000],
        ..Start::default()
    });
    desk.key("1");
    let side = |shot: &crate::x11::Shot| {
        let [left, top, right, bottom] = bounds(shot, RED).unwrap();
        [right - left, bottom - top]
    };
    let before = desk.settled();
    let is_100 = |side: [usize; 2]| side.iter().all(|side| side.abs_diff(100) <= 1);
    assert!(is_100(side(&before)), "one unit is one pixel");
    let usual = canvas(&before).unwrap();
    for (key, larger) in [
        ("ctrl+plus", true),
        ("ctrl+plus", true),
        ("ctrl+minus", true),
    ] {
        desk.key(key);
        let shot = desk.settled();
        assert!(is_100(side(&shot)), "{key}: {:?}", side(&shot));
        let now = canvas(&shot).unwrap();
        assert_eq!(now.width < usual.width && now.height < usual.height, larger);
        let shown = picture(&shot, now);
        desk.key("Escape");
        let line = copied(&desk, "");
        // The capture may be a little larger: the window loses pixels that a panel covers in part.
        let whole = captured(&desk, &line);
        let spare = whole.height - now.height;
        assert!(spare <= 2 && whole.width - now.width <= 1, "{line}");
        let same = (0..=spare).any(|y| {
            let inside = Canvas { x: 0, y, ..now };
            difference(&picture(&whole, inside), &shown).is_none()
        });
        assert!(same, "{line} captures other pixels");
        desk.copy("");
    }
    desk.key("ctrl+0");
    let shot = desk.settled();
    assert_eq!(canvas(&shot).unwrap(), usual);
    desk.key("Escape");
    assert_captured(&mut desk, &picture(&before, usual), "");
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_window_with_cards_rests_while_nothing_happens() {
    let mut desk = Desk::start(&Start {
        file: &squares([40, 200, 60]),
        options: &["--paused"],
        ..Start::default()
    });
    desk.key("i a");
    let _ = desk.settled();
    sleep(Duration::from_millis(800)); // time for tooltips and the like to appear
    let before = desk.cpu_ticks();
    sleep(Duration::from_secs(2));
    let used = desk.cpu_ticks() - before;
    assert!(used <= 2, "{used} hundredths of a second");
}
