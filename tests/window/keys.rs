//! Tests of input: focus by Tab.

use crate::desk::Desk;
use crate::fixture::{GREEN, squares};
use crate::look::{canvas, difference, picture};

#[test]
#[cfg_attr(skip_window_tests, ignore = "needs an X server and an adapter: PCHR_TEST_WINDOW=1")]
fn tab_moves_a_ring_and_space_presses_what_is_in_it() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let before = desk.settled();
    desk.key("Tab");
    let first = desk.wait_for("a ring", |shot| *shot != before);
    let [left, top, right, bottom] = difference(&before, &first).unwrap();
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
    desk.wait_for("the bones", |shot| picture(shot, canvas) != picture(&before, canvas));
    desk.key("space Escape");
    desk.wait_for("the picture without a ring", |shot| *shot == before);
}
