//! Tests of comparisons: two files in one window, whose screenshots are what copied commands capture.

use crate::command::{captured, copied, screenshot};
use crate::desk::{Desk, Start};
use crate::fixture::{BLUE, GREEN, squares};
use crate::look::{bounds, difference};
use crate::x11::Shot;

fn both(shot: &Shot) -> bool {
    bounds(shot, GREEN).is_some() && bounds(shot, BLUE).is_some()
}

#[test]
#[cfg_attr(skip_window_tests, ignore = "needs an X server and an adapter: PCHR_TEST_WINDOW=1")]
fn two_files_share_the_picture_and_screenshots_are_what_captures_draw() {
    let mut desk = Desk::start(&Start {
        file: &squares(GREEN),
        beside: &[("other.pchr".to_owned(), squares(BLUE))],
        options: &["--paused", "--frame", "3", "--against", "other.pchr"],
        ..Start::default()
    });
    let both = desk.wait_for("both files", both);
    let [green, blue] = [GREEN, BLUE].map(|color| bounds(&both, color).unwrap());
    assert!(green[0] < blue[0] && green[1] == blue[1], "side by side: {green:?} {blue:?}");
    let mut line = String::new();
    for (count, mode) in ["side", "split", "blink", "difference"].into_iter().enumerate() {
        desk.key("F12");
        let shot = screenshot(&desk, count + 1);
        // Blinking is captured as two halves, by the same command.
        line = copied(&desk, if mode == "blink" { "" } else { &line });
        assert!(line.contains("--against"), "{mode}: {line}");
        let captured = captured(&desk, &line);
        match mode {
            // One file is on show, which no capture knows; the grey is made of rounded colours.
            "blink" | "difference" => {
                assert_eq!((captured.width, captured.height), (shot.width, shot.height))
            }
            _ => assert_eq!(difference(&captured, &shot), None, "{mode}: {line}"),
        }
        desk.key("alt+d");
    }
}

#[test]
#[cfg_attr(skip_window_tests, ignore = "needs an X server and an adapter: PCHR_TEST_WINDOW=1")]
fn a_file_dropped_with_ctrl_is_compared_and_read_again_when_it_changes() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused", "--frame", "2"]);
    desk.settled();
    let other = desk.file("other.pchr", &squares(BLUE));
    desk.xdotool(&["keydown", "ctrl"]);
    desk.drop_file(&other);
    desk.wait_for("both files", both);
    desk.xdotool(&["keyup", "ctrl"]);
    std::fs::write(&other, squares(GREEN)).unwrap();
    desk.wait_for("the new version", |shot| bounds(shot, BLUE).is_none());
    std::fs::write(&other, squares(BLUE)).unwrap();
    desk.wait_for("the old version", both);
    desk.key("Escape");
    desk.wait_for("the open file alone", |shot| {
        bounds(shot, GREEN).is_some() && bounds(shot, BLUE).is_none()
    });
}
