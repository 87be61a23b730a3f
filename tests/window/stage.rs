//! Tests of stages: a file that is dropped with Shift, and dragging its character.

use std::time::Duration;

use crate::desk::Desk;
use crate::fixture::{BLUE, GREEN, squares};
use crate::look::bounds;
use crate::x11::Shot;

fn middle(shot: &Shot, color: [u8; 3]) -> Option<[usize; 2]> {
    let [left, top, right, bottom] = bounds(shot, color)?;
    Some([usize::midpoint(left, right), usize::midpoint(top, bottom)])
}

#[test]
#[cfg_attr(skip_window_tests, ignore = "needs an X server and an adapter: PCHR_TEST_WINDOW=1")]
fn a_file_dropped_with_shift_joins_the_stage_and_is_dragged_and_saved() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused", "--frame", "2"]);
    desk.settled();
    let other = desk.file("other.pchr", &squares(BLUE));
    desk.xdotool(&["keydown", "shift"]);
    desk.drop_file(&other);
    desk.wait_for("both characters", |shot| {
        middle(shot, GREEN).is_some() && middle(shot, BLUE).is_some()
    });
    desk.xdotool(&["keyup", "shift"]);
    desk.key("space");
    let before = desk.settled();
    let [green, blue] = [GREEN, BLUE].map(|color| middle(&before, color).unwrap());
    assert!(green[0] < blue[0], "side by side: {green:?} {blue:?}");
    let [x, y] = blue;
    desk.click(x, y);
    std::thread::sleep(Duration::from_millis(600)); // else it is a double click
    desk.press(x, y);
    std::thread::sleep(Duration::from_millis(50));
    desk.point(x - 40, y - 10);
    desk.point(x - 80, y - 20);
    std::thread::sleep(Duration::from_millis(50));
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
