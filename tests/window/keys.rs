//! Tests of input: focus by Tab, and gestures of the pointer that are undone by a key.

use crate::desk::{BACKGROUND, Desk};
use crate::fixture::{GREEN, RED, squares};
use crate::look::{bounds, canvas, difference, picture};

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

fn comes_back(desk: &mut Desk, wanted: [usize; 4]) {
    desk.wait_for("the place before", |shot| bounds(shot, RED) == Some(wanted));
}

#[test]
#[cfg_attr(skip_window_tests, ignore = "needs an X server and an adapter: PCHR_TEST_WINDOW=1")]
fn a_drag_and_a_burst_of_the_wheel_are_a_step_each() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let shot = desk.settled();
    let picture = canvas(&shot).unwrap();
    let mut places = vec![bounds(&shot, RED).unwrap()];
    let [x, y] = [picture.x + picture.width / 2, picture.y + picture.height / 3];
    for by in [40, -64] {
        desk.press(x, y);
        for step in 1..=8 {
            desk.point(x.checked_add_signed(by * step / 8).unwrap(), y);
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

#[test]
#[cfg_attr(skip_window_tests, ignore = "needs an X server and an adapter: PCHR_TEST_WINDOW=1")]
fn a_pinned_frame_stays_behind_while_others_are_shown() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let before = desk.settled();
    let shown = canvas(&before).unwrap();
    desk.key("p Right Right Right");
    let pinned = desk.settled();
    desk.key("alt+p");
    let plain = desk.wait_for("no ghost", |shot| picture(shot, shown) != picture(&pinned, shown));
    // The ghost is where the green square was in the first frame.
    let [left, _, right, bottom] = bounds(&before, GREEN).unwrap();
    let (x, y) = ((left + right) / 2, bottom - 8);
    assert_eq!(plain.at(x, y), BACKGROUND);
    let [red, green, blue] = pinned.at(x, y);
    assert!(green > red && green > blue, "{red} {green} {blue}");
    desk.key("alt+p Home p");
    desk.wait_for("the picture before", |shot| picture(shot, shown) == picture(&before, shown));
}
