//! Tests of undo: one continuous pointer gesture is one step.

use crate::desk::Desk;
use crate::fixture::{GREEN, RED, squares};
use crate::look::{bounds, canvas};

/// Waits until the first square is back at a place.
fn comes_back(desk: &mut Desk, wanted: [usize; 4]) {
    desk.wait_for("the place before", |shot| bounds(shot, RED) == Some(wanted));
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_drag_and_a_burst_of_the_wheel_are_a_step_each() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let shot = desk.settled();
    let picture = canvas(&shot).unwrap();
    let mut places = vec![bounds(&shot, RED).unwrap()];
    let [x, y] = [
        picture.x + picture.width / 2,
        picture.y + picture.height / 3,
    ];
    for by in [40, -64] {
        desk.press(x, y);
        for step in 1..=8 {
            let x = x.checked_add_signed(by * step / 8).unwrap();
            desk.point(x, y);
        }
        desk.release();
        let place = bounds(&desk.settled(), RED).unwrap();
        let [before, after] = [places.last().unwrap()[0], place[0]];
        let moved = after as isize - before as isize;
        assert!((moved - by).abs() <= 2, "{moved} instead of {by}");
        places.push(place);
    }
    // The pointer is near the middle of the square, so that the square stays in view.
    let [left, top, right, bottom] = *places.last().unwrap();
    desk.point((left + right) / 2, (top + bottom) / 2);
    for (button, turns) in [("4", "2"), ("5", "4"), ("4", "1")] {
        // A burst ends when the screen has been still for longer than a pause within it.
        desk.xdotool(&["click", "--repeat", turns, "--delay", "60", button]);
        let place = bounds(&desk.settled(), RED).unwrap();
        assert_ne!(place, *places.last().unwrap());
        places.push(place);
    }
    let places: Vec<_> = places.into_iter().rev().collect();
    for place in &places[1..] {
        desk.key("ctrl+z");
        comes_back(&mut desk, *place);
    }
    for place in places.iter().rev().skip(1) {
        desk.key("ctrl+shift+z");
        comes_back(&mut desk, *place);
    }
}
