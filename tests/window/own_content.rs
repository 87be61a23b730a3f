//! A test of content other than characters in the window of `examples/own_content`.

use crate::command::assert_captured;
use crate::desk::{Desk, Start};
use crate::look::{bounds, canvas, picture};
use crate::own::example;
use crate::x11::Shot;

const RED: [u8; 3] = [255, 0, 0];
const GREEN: [u8; 3] = [0, 255, 0];
const BLUE: [u8; 3] = [0, 0, 255];

fn start(options: &[&str]) -> Desk {
    Desk::start(&Start {
        program: Some(&example("own_content")),
        file: b"quads\n",
        name: "squares.quads",
        options,
        drawn: |shot| bounds(shot, BLUE).is_some(),
        ..Start::default()
    })
}

fn shown(shot: &Shot) -> [bool; 3] {
    [RED, GREEN, BLUE].map(|color| bounds(shot, color).is_some())
}

#[test]
#[cfg_attr(skip_window_tests, ignore = "needs an X server and an adapter: PCHR_TEST_WINDOW=1")]
fn it_is_shown_picked_hidden_ordered_and_copied_as_a_command() {
    let mut desk = start(&["--paused", "--animation", "all"]);
    let shot = desk.settled();
    let canvas = canvas(&shot).unwrap();
    assert_eq!(shown(&shot), [true; 3]);
    let line = assert_captured(&mut desk, &picture(&shot, canvas), "");
    assert!(line.contains("-a '#1'"), "{line}");
    desk.key("Escape");
    let [left, top, right, bottom] = bounds(&shot, GREEN).unwrap();
    desk.click(usize::midpoint(left, right), usize::midpoint(top, bottom));
    desk.key("h");
    desk.wait_for("the picture without green", |shot| shown(shot) == [true, false, true]);
    desk.point(canvas.x + 2, canvas.y + 2);
    let shown_now = picture(&desk.settled(), canvas);
    let line = assert_captured(&mut desk, &shown_now, &line);
    assert!(line.contains("--hide green"), "{line}");
}
