//! Several files in a window: comparisons, their screenshots and captures, and stages.

use std::thread::sleep;
use std::time::Duration;

use crate::command::{captured, copied, screenshot};
use crate::desk::{Desk, Start};
use crate::fixture::{BLUE, GREEN, squares};
use crate::look::{bounds, difference};
use crate::x11::Shot;

fn middle(shot: &Shot, color: [u8; 3]) -> Option<[usize; 2]> {
    let [left, top, right, bottom] = bounds(shot, color)?;
    Some([usize::midpoint(left, right), usize::midpoint(top, bottom)])
}

fn both(shot: &Shot) -> bool {
    bounds(shot, GREEN).is_some() && bounds(shot, BLUE).is_some()
}

/// Drops a file while a key is held.
fn drop_with(desk: &mut Desk, key: &str, path: &std::path::Path) {
    desk.xdotool(&["keydown", key]);
    desk.drop_file(path);
    desk.wait_for("both files", both);
    desk.xdotool(&["keyup", key]);
}

fn assert_side_by_side(shot: &Shot) -> [[usize; 2]; 2] {
    let [green, blue] = [GREEN, BLUE].map(|color| middle(shot, color).unwrap());
    assert!(green[0] < blue[0] && green[1] == blue[1], "{green:?} {blue:?}");
    [green, blue]
}

#[test]
#[cfg_attr(skip_window_tests, ignore = "needs an X server and an adapter: PCHR_TEST_WINDOW=1")]
fn a_file_dropped_with_ctrl_is_compared_and_with_shift_it_joins_the_stage() {
    let name = "other.pchr";
    let mut desk = Desk::start(&Start {
        file: &squares(GREEN),
        beside: &[(name.to_owned(), squares(BLUE))],
        options: &["--paused", "--frame", "2", "--against", name],
        ..Start::default()
    });
    let other = desk.folder().join(name);
    desk.wait_for("both files", both);
    assert_side_by_side(&desk.settled());
    let is_alone = |shot: &Shot| bounds(shot, GREEN).is_some() && bounds(shot, BLUE).is_none();
    desk.key("Escape");
    desk.wait_for("the open file alone", is_alone);
    drop_with(&mut desk, "ctrl", &other);
    assert_side_by_side(&desk.settled());
    std::fs::write(&other, squares(GREEN)).unwrap();
    desk.wait_for("the new version", |shot| bounds(shot, BLUE).is_none());
    std::fs::write(&other, squares(BLUE)).unwrap();
    desk.wait_for("the old version", both);
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
    desk.key("Escape Escape"); // the message, the comparison
    desk.wait_for("the open file alone", is_alone);

    drop_with(&mut desk, "shift", &other);
    desk.key("space");
    let [green, [x, y]] = assert_side_by_side(&desk.settled());
    desk.click(x, y);
    sleep(Duration::from_millis(600)); // else it is a double click
    desk.press(x, y);
    sleep(Duration::from_millis(50));
    desk.point(x - 40, y - 10);
    desk.point(x - 80, y - 20);
    sleep(Duration::from_millis(50));
    desk.release();
    let is_at = |shot: &Shot, [x, y]: [usize; 2]| {
        middle(shot, BLUE).is_some_and(|[a, b]| a.abs_diff(x) <= 2 && b.abs_diff(y) <= 2)
    };
    let moved = desk.wait_for("the dragged character", |shot| is_at(shot, [x - 80, y - 20]));
    assert_eq!(middle(&moved, GREEN), Some(green), "the other one stays");
    desk.key("ctrl+z");
    desk.wait_for("the place before", |shot| is_at(shot, [x, y]));
    desk.key("ctrl+shift+z");
    desk.key("ctrl+s");
    let stem = desk.path().file_stem().unwrap().to_str().unwrap().to_owned();
    let text = desk
        .wait_for_file(&format!("{stem}-stage.pchr-view.toml"), |text| text.contains("other.pchr"));
    assert!(text.contains("at = ["), "{text}");
}
