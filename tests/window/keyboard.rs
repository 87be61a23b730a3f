//! Tests of use by keyboard alone: focus with Tab, lists, and undo.

use crate::desk::Desk;
use crate::fixture::{GREEN, RED, squares};
use crate::look::{bounds, canvas, picture};
use crate::x11::Shot;

/// Left, top, right and bottom of the rectangle in which two screens differ.
fn changed(a: &Shot, b: &Shot) -> Option<[usize; 4]> {
    let mut found: Option<[usize; 4]> = None;
    for (i, (a, b)) in a.rgb.iter().zip(&b.rgb).enumerate() {
        if a != b {
            let (x, y) = (i % 1024, i / 1024);
            let [left, top, right, bottom] = found.unwrap_or([x, y, x, y]);
            found = Some([left.min(x), top.min(y), right.max(x + 1), bottom.max(y + 1)]);
        }
    }
    found
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn tab_moves_a_ring_and_space_presses_what_is_in_it() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let before = desk.settled();
    desk.key("Tab");
    let first = desk.wait_for("a ring", |shot| *shot != before);
    let [left, top, right, bottom] = changed(&before, &first).unwrap();
    assert!(right < 60 && bottom < 40, "{left} {top} {right} {bottom}");
    desk.key("Tab");
    let second = desk.wait_for("the next ring", |shot| *shot != first);
    desk.key("shift+Tab");
    desk.wait_for("the ring before", |shot| *shot == first);
    desk.key("Tab");
    desk.wait_for("the next ring", |shot| *shot == second);
    // The buttons that open files are followed by the one that draws the bones.
    let canvas = canvas(&before).unwrap();
    desk.key("Tab");
    desk.wait_for("the third ring", |shot| *shot != second);
    desk.key("space");
    desk.wait_for("the bones", |shot| {
        picture(shot, canvas) != picture(&before, canvas)
    });
    desk.key("space Escape");
    desk.wait_for("the picture without a ring", |shot| *shot == before);
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn rows_are_hidden_by_keys_and_that_is_undone() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let start = desk.settled();
    let canvas = canvas(&start).unwrap();
    let same = |shot: &Shot| picture(shot, canvas) == picture(&start, canvas);
    desk.key("ctrl+1 End space"); // all keys may arrive within one frame
    desk.wait_for("no red", |shot| bounds(shot, RED).is_none());
    desk.key("Home space");
    desk.wait_for("no green", |shot| bounds(shot, GREEN).is_none());
    desk.key("ctrl+z ctrl+z Escape Escape");
    desk.wait_for("both squares", same);
}
