//! Tests of the camera: panning, zooming and fitting.

use crate::desk::{Desk, Start};
use crate::fixture::{GREEN, RED, squares};
use crate::look::{bounds, canvas, picture};

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_drag_pans_the_wheel_zooms_about_the_pointer_and_f_fits() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let fitted = desk.settled();
    let canvas = canvas(&fitted).unwrap();
    let [left, top, right, bottom] = bounds(&fitted, RED).unwrap();

    let (x, y) = (canvas.x + canvas.width / 2, canvas.y + canvas.height / 2);
    desk.point(x, y);
    desk.xdotool(&["mousedown", "1"]);
    for step in 1..=10 {
        desk.point(x + step * 3, y + step * 2);
    }
    let wanted = [left + 30, top + 20, right + 30, bottom + 20];
    let near = |found: &[usize; 4]| found.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 1);
    desk.wait_for("the dragged picture", |shot| {
        bounds(shot, RED).as_ref().is_some_and(near)
    });
    desk.xdotool(&["mouseup", "1"]);
    let panned = desk.settled();
    let moved = bounds(&panned, RED).unwrap();
    assert!(near(&moved), "{moved:?} instead of {wanted:?}");

    // The corner of the square stays under the pointer while the picture grows.
    let [left, top, right, _] = moved;
    desk.point(left, top);
    desk.xdotool(&["click", "4"]);
    let zoomed = desk.settled();
    let grown = bounds(&zoomed, RED).unwrap();
    assert!(
        grown[0].abs_diff(left) <= 1 && grown[1].abs_diff(top) <= 1,
        "{grown:?}"
    );
    assert!(grown[2] - grown[0] > (right - left) * 11 / 10, "{grown:?}");

    desk.key("f");
    let again = desk.settled();
    assert!(picture(&again, canvas) == picture(&fitted, canvas));
}

/// Bounds of the red square on the settled screen.
fn red(desk: &mut Desk) -> [usize; 4] {
    let shot = desk.settled();
    bounds(&shot, RED).expect("the red square is visible")
}

fn moved([left, top, right, bottom]: [usize; 4], [x, y]: [isize; 2]) -> [usize; 4] {
    let by = |at: usize, by| at.checked_add_signed(by).unwrap();
    [by(left, x), by(top, y), by(right, x), by(bottom, y)]
}

/// Compares bounds to within a pixel, since edge pixels may be blended.
fn assert_near(found: [usize; 4], wanted: [usize; 4]) {
    let near = found.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 1);
    assert!(near, "{found:?} instead of {wanted:?}");
}

fn width([left, _, right, _]: [usize; 4]) -> usize {
    right - left
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn keys_zoom_about_the_pointer_nudge_and_show_the_actual_size() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused", "--frame", "2"]);
    let fitted = desk.settled();
    let canvas = canvas(&fitted).unwrap();
    let start = bounds(&fitted, RED).unwrap();

    // Fitting centres the world's origin in the picture; the centre lies between pixels where a side is odd.
    let [x, y] = [canvas.x + canvas.width / 2, canvas.y + canvas.height / 2];
    let actual = [x - 200, y - 50, x - 100, y + 50];
    desk.point(x, y);
    desk.key("1");
    assert_near(red(&mut desk), actual);
    desk.key("minus minus minus minus");
    assert_near(red(&mut desk), [x - 100, y - 25, x - 50, y + 25]);
    desk.key("plus plus plus plus");
    assert_near(red(&mut desk), actual);

    desk.key("shift+Right");
    let step = red(&mut desk)[0].cast_signed() - actual[0].cast_signed();
    assert!(step > 8, "{step}");
    assert_near(red(&mut desk), moved(actual, [step, 0]));
    desk.key("shift+Left Down");
    assert_near(red(&mut desk), moved(actual, [0, step]));
    desk.key("Up");
    assert_near(red(&mut desk), actual);

    // The point under the pointer stays in place.
    let [left, top, _, _] = actual;
    desk.point(left, top);
    desk.key("plus plus");
    let grown = red(&mut desk);
    assert_near([grown[0], grown[1], 0, 0], [left, top, 0, 0]);
    assert!(width(grown) > 135, "{grown:?}");

    desk.key("f");
    let again = desk.settled();
    assert_eq!(bounds(&again, RED), Some(start));
    assert!(picture(&again, canvas) == picture(&fitted, canvas));
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn y_turns_the_world_upside_down_and_back() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let before = desk.settled();
    let canvas = canvas(&before).unwrap();
    desk.key("y");
    let turned = desk.settled();
    let flipped = |color| {
        let [left, top, right, bottom] = bounds(&before, color).unwrap();
        let mirror = |y: usize| 2 * canvas.y + canvas.height - y;
        [left, mirror(bottom), right, mirror(top)]
    };
    for color in [RED, GREEN] {
        assert_near(bounds(&turned, color).unwrap(), flipped(color));
    }
    desk.key("y");
    let again = desk.settled();
    assert!(picture(&again, canvas) == picture(&before, canvas));
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_drag_with_space_held_pans_and_does_not_play() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused", "--frame", "1"]);
    let before = desk.settled();
    let canvas = canvas(&before).unwrap();
    let start = bounds(&before, RED).unwrap();
    let (x, y) = (canvas.x + canvas.width / 2, canvas.y + canvas.height / 2);
    desk.point(x, y);
    desk.xdotool(&["keydown", "space"]);
    desk.xdotool(&["mousedown", "1"]);
    for step in 1..=10 {
        desk.point(x + step * 4, y + step);
    }
    let wanted = moved(start, [40, 10]);
    desk.wait_for("the dragged picture", |shot| {
        bounds(shot, RED) == Some(wanted)
    });
    desk.release();
    desk.xdotool(&["keyup", "space"]);
    // Playback stays paused.
    let after = desk.settled();
    assert_eq!(bounds(&after, RED), Some(wanted));
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn at_scale_factor_2_the_picture_is_as_sharp_and_the_panels_are_twice_as_large() {
    let view = ["--paused", "--zoom", "1", "--center", "0,0"];
    let mut once = Desk::open(&squares(GREEN), &view);
    // A window size is given in points.
    let mut twice = Desk::start(&Start {
        file: &squares(GREEN),
        options: &[&view[..], &["--window-size", "1024x640"]].concat(),
        variables: &[("WINIT_X11_SCALE_FACTOR", "2")],
        screen: [2048, 1280],
        ..Start::default()
    });
    let shots = [once.settled(), twice.settled()];
    let panels = shots.each_ref().map(|shot| {
        let canvas = canvas(shot).unwrap();
        [canvas.y, shot.height - canvas.y - canvas.height]
    });
    let [own, scaled] = panels;
    for (own, scaled) in own.iter().zip(scaled) {
        assert!(scaled.abs_diff(2 * own) <= 2, "{panels:?}");
    }
    // A world pixel is a screen pixel at either scale; blended edge pixels are not counted.
    for shot in &shots {
        let red = bounds(shot, RED).unwrap();
        assert!((99..=100).contains(&width(red)), "{red:?}");
    }
}
