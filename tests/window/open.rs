//! Tests of opening, resizing and closing the window.

use std::thread::sleep;
use std::time::Duration;

use crate::desk::{BACKGROUND, Desk, SCREEN, Start};
use crate::fixture::{FIRST, GREEN, RED, squares};
use crate::look::{assert_square, bounds, canvas, picture, risen};

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn it_opens_fitted_and_shows_every_square_where_it_belongs() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused", "--frame", "3"]);
    let shot = desk.settled();
    let canvas = canvas(&shot).unwrap();
    assert!(canvas.width > 500 && canvas.height > 400, "{canvas:?}");
    assert_square(&shot, RED, FIRST);
    assert_square(&shot, GREEN, risen(3));
    // Apart from the squares and their blended edges there is only background.
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
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
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

    // Many resizes at once during playback.
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
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn it_opens_no_larger_than_the_screen_whatever_is_asked_or_remembered() {
    let absurd = b"[window]\nsize = [4294967295, 4294967295]\nmaximised = false\n".to_vec();
    let remembered = [("config/state.toml".to_owned(), absurd)];
    let twice = [("WINIT_X11_SCALE_FACTOR", "2")];
    let asked = ["--paused", "--window-size", "32768x200"];
    for (beside, variables) in [(&remembered[..], &[][..]), (&[], &twice[..])] {
        let file = squares(GREEN);
        let without_size = Start {
            file: &file,
            beside,
            variables,
            options: if beside.is_empty() {
                &asked
            } else {
                &["--paused"]
            },
            sized: beside.is_empty(),
            drawn: |_| true,
            ..Start::default()
        };
        let mut desk = Desk::start(&without_size);
        desk.settled();
        let geometry = desk.xdotool(&["getwindowgeometry", "--shell", &desk.window.to_string()]);
        let side = |name: &str| -> u16 {
            let line = geometry.lines().find_map(|line| line.strip_prefix(name));
            line.unwrap().trim().parse().unwrap()
        };
        let (width, height) = (side("WIDTH="), side("HEIGHT="));
        assert!(width <= SCREEN[0] && height <= SCREEN[1], "{geometry}");
        desk.key("ctrl+q");
        assert_eq!(desk.ended().code(), Some(0));
    }
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
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
