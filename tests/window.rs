//! The real program on a real X server with a software adapter, driven by real events and judged by the pixels on the
//! screen.

#![cfg(all(target_os = "linux", feature = "cli", feature = "viewer"))]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "a test may fail, and world and screen coordinates are small"
)]

#[path = "window/desk.rs"]
mod desk;
#[path = "window/fixture.rs"]
mod fixture;
#[path = "window/x11.rs"]
mod x11;

use std::thread::sleep;
use std::time::{Duration, Instant};

use desk::{BACKGROUND, Canvas, Desk, SCREEN, bounds, canvas};
use fixture::{BLUE, BOUNDS, FIRST, FRAMES, GREEN, RED, RISE, SECOND, SIDE, squares};
use x11::Shot;

/// Where a square must be on the screen: left, top, right, bottom.
fn expected(canvas: Canvas, [x, y]: [f64; 2]) -> [f64; 4] {
    let [left, bottom, right, top] = BOUNDS;
    let (width, height) = (canvas.width as f64, canvas.height as f64);
    let zoom = (width * 0.9 / (right - left)).min(height * 0.9 / (top - bottom));
    let screen_x = |x: f64| canvas.x as f64 + width / 2.0 + (x - (left + right) / 2.0) * zoom;
    let screen_y = |y: f64| canvas.y as f64 + height / 2.0 - (y - (bottom + top) / 2.0) * zoom;
    [
        screen_x(x),
        screen_y(y + SIDE),
        screen_x(x + SIDE),
        screen_y(y),
    ]
}

fn assert_square(shot: &Shot, color: [u8; 3], corner: [f64; 2]) {
    let canvas = canvas(shot).expect("there is a picture");
    let found = bounds(shot, color).expect("the square is drawn");
    let wanted = expected(canvas, corner);
    for (found, wanted) in found.iter().zip(wanted) {
        let off = (*found as f64 - wanted).abs();
        assert!(off <= 1.5, "{color:?}: found {found}, wanted {wanted}");
    }
    let [left, top, right, bottom] = found;
    let inside = (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
    let other = inside.filter(|(x, y)| shot.at(*x, *y) != color).count();
    assert_eq!(other, 0, "the square of {color:?} is not whole");
}

/// The corner of the square that rises, in a frame.
fn risen(frame: u16) -> [f64; 2] {
    let [x, y] = SECOND;
    [x, y + RISE * f64::from(frame)]
}

/// The picture without the panels.
fn picture(shot: &Shot, canvas: Canvas) -> Shot {
    shot.part(canvas.x, canvas.y, canvas.width, canvas.height)
}

/// The lower half of the picture: no card covers it.
fn lower_half(shot: &Shot, canvas: Canvas) -> Shot {
    let half = canvas.height / 2;
    shot.part(
        canvas.x,
        canvas.y + half,
        canvas.width,
        canvas.height - half,
    )
}

#[test]
#[cfg_attr(
    skip_gpu_tests,
    ignore = "needs a display server and a graphics adapter: set PCHR_REQUIRE_GPU=1"
)]
fn it_opens_fitted_and_shows_every_square_where_it_belongs() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused", "--frame", "3"]);
    let shot = desk.settled();
    let canvas = canvas(&shot).unwrap();
    assert!(canvas.width > 500 && canvas.height > 400, "{canvas:?}");
    assert_square(&shot, RED, FIRST);
    assert_square(&shot, GREEN, risen(3));
    // Beside the squares and the blended pixels of their edges there is background only.
    let picture = picture(&shot, canvas);
    let count = |color| picture.rgb.iter().filter(|pixel| **pixel == color).count();
    let rest = picture.rgb.len() - count(RED) - count(GREEN) - count(BACKGROUND);
    let edges = [RED, GREEN].map(|color| bounds(&shot, color).unwrap());
    let edges: usize = edges
        .iter()
        .map(|[l, t, r, b]| 2 * (r - l + b - t + 4))
        .sum();
    assert!(
        rest <= edges,
        "{rest} pixels of other colours, {edges} on edges"
    );
}

#[test]
#[cfg_attr(
    skip_gpu_tests,
    ignore = "needs a display server and a graphics adapter: set PCHR_REQUIRE_GPU=1"
)]
fn it_plays_and_space_pauses_and_then_nothing_is_drawn() {
    let mut desk = Desk::open(&squares(GREEN), &[]);
    let mut seen = std::collections::BTreeSet::new();
    let start = Instant::now();
    while seen.len() < usize::from(FRAMES) {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "only {seen:?} were shown"
        );
        let shot = desk.shot();
        assert_square(&shot, RED, FIRST);
        seen.insert(bounds(&shot, GREEN).unwrap());
        sleep(Duration::from_millis(20));
    }
    assert_eq!(seen.len(), usize::from(FRAMES));

    desk.key("space");
    let paused = desk.settled();
    let before = desk.cpu_ticks();
    sleep(Duration::from_secs(2));
    let used = desk.cpu_ticks() - before;
    assert!(desk.shot() == paused, "the picture changes while paused");
    assert!(
        used <= 2,
        "{used} ticks of processor time in 2 s while paused"
    );

    desk.key("space");
    desk.wait_for("another frame", |shot| {
        bounds(shot, GREEN) != bounds(&paused, GREEN)
    });
}

#[test]
#[cfg_attr(
    skip_gpu_tests,
    ignore = "needs a display server and a graphics adapter: set PCHR_REQUIRE_GPU=1"
)]
fn keys_step_and_jump_to_the_ends() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let steps = [
        ("period", 1),
        ("period", 2),
        ("comma", 1),
        ("End", FRAMES - 1),
        ("period", 0),
        ("comma", FRAMES - 1),
        ("Home", 0),
    ];
    for (key, frame) in steps {
        desk.key(key);
        let shot = desk.settled();
        assert_square(&shot, GREEN, risen(frame));
    }
}

#[test]
#[cfg_attr(
    skip_gpu_tests,
    ignore = "needs a display server and a graphics adapter: set PCHR_REQUIRE_GPU=1"
)]
fn a_click_hides_a_mesh_and_another_shows_it_again() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let start = desk.settled();
    let canvas = canvas(&start).unwrap();
    // The list ends the panel at the right, its switches stand at its left edge: upwards from below, the first click
    // that does anything meets the lowest row, which is the square at the back.
    let x = canvas.x + canvas.width + 20;
    let rows = (0..canvas.height).rev().step_by(10);
    let hit = rows.into_iter().find(|y| {
        desk.click(x, canvas.y + y);
        sleep(Duration::from_millis(150));
        bounds(&desk.shot(), RED).is_none()
    });
    let y = canvas.y + hit.expect("a click hides the red square");
    let hidden = desk.settled();
    assert_eq!(bounds(&hidden, RED), None);
    assert_square(&hidden, GREEN, risen(0));
    desk.click(x, y);
    let shown = desk.wait_for("the red square", |shot| bounds(shot, RED).is_some());
    assert!(picture(&shown, canvas) == picture(&start, canvas));
}

#[test]
#[cfg_attr(
    skip_gpu_tests,
    ignore = "needs a display server and a graphics adapter: set PCHR_REQUIRE_GPU=1"
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

    // The corner of the square stays under the pointer while everything grows.
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

#[test]
#[cfg_attr(
    skip_gpu_tests,
    ignore = "needs a display server and a graphics adapter: set PCHR_REQUIRE_GPU=1"
)]
fn a_bad_file_that_is_dropped_leaves_the_picture_and_shows_an_error() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused", "--frame", "1"]);
    let before = desk.settled();
    let canvas = canvas(&before).unwrap();
    let mut bad = squares(BLUE);
    bad.truncate(bad.len() - 7);
    let bad = desk.file("bad.pchr", &bad);
    let at = [SCREEN[0] / 4, SCREEN[1] / 2].map(u32::from);

    let window = desk.window;
    let [width, height] = SCREEN;
    let mut hovering = None;
    desk.x11
        .drop_file(window, bad.to_str().unwrap(), at, |x11| {
            let start = Instant::now();
            loop {
                let shot = x11.shot(width, height);
                if shot != before {
                    hovering = Some(shot);
                    break;
                }
                assert!(
                    start.elapsed() < Duration::from_secs(10),
                    "hovering is not seen"
                );
                sleep(Duration::from_millis(30));
            }
        });
    let hovering = hovering.unwrap();
    assert_eq!(
        bounds(&hovering, BACKGROUND),
        None,
        "the picture dims under a file"
    );

    let card = |shot: &Shot| {
        lower_half(shot, canvas) == lower_half(&before, canvas)
            && picture(shot, canvas) != picture(&before, canvas)
    };
    desk.wait_for("the error above the old picture", card);
    let shown = desk.settled();
    assert!(card(&shown));
    assert_eq!(bounds(&shown, BLUE), None);

    desk.key("Escape");
    let after = desk.wait_for("the old picture", |shot| {
        picture(shot, canvas) == picture(&before, canvas)
    });
    assert_square(&after, GREEN, risen(1));
}

#[test]
#[cfg_attr(
    skip_gpu_tests,
    ignore = "needs a display server and a graphics adapter: set PCHR_REQUIRE_GPU=1"
)]
fn a_file_that_is_dropped_opens() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let other = desk.file("other name.pchr", &squares(BLUE));
    let path = other.to_str().unwrap().replace(' ', "%20");
    let window = desk.window;
    desk.x11.drop_file(window, &path, [300, 300], |_| {});
    desk.wait_for("the blue square", |shot| bounds(shot, BLUE).is_some());
    let shot = desk.settled();
    assert_eq!(bounds(&shot, GREEN), None);
    assert_square(&shot, BLUE, risen(0));
}

#[test]
#[cfg_attr(
    skip_gpu_tests,
    ignore = "needs a display server and a graphics adapter: set PCHR_REQUIRE_GPU=1"
)]
fn it_survives_every_size_and_being_put_away() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let before = desk.settled();
    for (width, height) in [(1, 1), (640, 1), (1, 480), (333, 222), (2000, 1500)] {
        desk.resize(width, height);
        sleep(Duration::from_millis(300));
        desk.assert_running();
    }
    let [width, height] = SCREEN.map(usize::from);
    desk.resize(width, height);
    desk.wait_for("the same screen", |shot| *shot == before);

    // Many sizes at once while it plays.
    desk.key("space");
    for i in 0..40 {
        desk.resize(width - 13 * i, height - 7 * i);
    }
    let id = desk.window.to_string();
    desk.xdotool(&["windowunmap", "--sync", &id]);
    sleep(Duration::from_millis(300));
    desk.xdotool(&["windowmap", "--sync", &id]);
    desk.resize(width, height);
    desk.wait_for("a frame of the animation", |shot| {
        bounds(shot, GREEN).is_some() && canvas(shot) == canvas(&before)
    });
    desk.assert_running();
}

#[test]
#[cfg_attr(
    skip_gpu_tests,
    ignore = "needs a display server and a graphics adapter: set PCHR_REQUIRE_GPU=1"
)]
fn it_closes_with_code_0_by_key_and_by_the_window_manager() {
    let mut desk = Desk::open(&squares(GREEN), &[]);
    desk.key("ctrl+q");
    assert_eq!(desk.ended().code(), Some(0));

    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let window = desk.window;
    desk.x11.close(window);
    assert_eq!(desk.ended().code(), Some(0));
}
