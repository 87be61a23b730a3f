//! Tests of opening, resizing and closing the window, of an idle one, and of focus by Tab.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::command::assert_captured;
use crate::desk::{BACKGROUND, Desk, SCREEN, Start};
use crate::fixture::{FIRST, FRAMES, GREEN, RED, squares};
use crate::look::{assert_square, bounds, canvas, difference, picture, risen};
use crate::x11::Shot;

#[test]
#[cfg_attr(skip_window_tests, ignore = "needs an X server and an adapter: PCHR_TEST_WINDOW=1")]
fn it_opens_fitted_survives_every_size_and_closes_by_the_window_manager() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused", "--frame", "3"]);
    let before = desk.settled();
    let place = canvas(&before).unwrap();
    assert!(place.width > 500 && place.height > 400, "{place:?}");
    assert_square(&before, RED, FIRST);
    assert_square(&before, GREEN, risen(3));
    // Apart from the squares and their blended edges there is only background.
    let shown = picture(&before, place);
    let count = |color| shown.rgb.iter().filter(|pixel| **pixel == color).count();
    let rest = shown.rgb.len() - count(RED) - count(GREEN) - count(BACKGROUND);
    let edges = [RED, GREEN].map(|color| bounds(&before, color).unwrap());
    let edges: usize = edges.iter().map(|[l, t, r, b]| 2 * (r - l + b - t + 4)).sum();
    assert!(rest <= edges, "{rest} pixels of other colours, {edges} on edges");

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
        bounds(shot, GREEN).is_some() && canvas(shot) == Some(place)
    });
    // Nothing is drawn any more when it is asked to close.
    desk.xdotool(&["windowfocus", "--sync", &id]);
    desk.key("space");
    desk.settled();
    desk.x11.close(desk.window);
    assert_eq!(desk.ended().code(), Some(0));
}

#[test]
#[cfg_attr(skip_window_tests, ignore = "needs an X server and an adapter: PCHR_TEST_WINDOW=1")]
fn it_plays_and_space_pauses_and_then_nothing_is_drawn_until_ctrl_q_closes_it() {
    let mut desk = Desk::open(&squares(GREEN), &[]);
    let mut seen = std::collections::BTreeSet::new();
    let start = Instant::now();
    while seen.len() < usize::from(FRAMES) {
        assert!(start.elapsed() < Duration::from_secs(20), "only {seen:?} were shown");
        let shot = desk.shot();
        assert_square(&shot, RED, FIRST);
        seen.insert(bounds(&shot, GREEN).unwrap());
        sleep(Duration::from_millis(20));
    }
    assert_eq!(seen.len(), usize::from(FRAMES));

    desk.key("space");
    let paused = desk.settled();
    let before = desk.cpu_ticks();
    sleep(Duration::from_secs(10));
    let used = desk.cpu_ticks() - before;
    assert!(desk.shot() == paused, "the picture changes while paused");
    assert!(used <= 1, "{used} ticks of processor time in 10 s while paused");

    desk.key("space");
    desk.wait_for("another frame", |shot| bounds(shot, GREEN) != bounds(&paused, GREEN));
    desk.key("ctrl+q");
    assert_eq!(desk.ended().code(), Some(0));
}

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

fn has_width(desk: &mut Desk, what: &str, width: usize) -> Shot {
    desk.wait_for(what, |shot| canvas(shot).is_some_and(|canvas| canvas.width == width))
}

#[test]
#[cfg_attr(skip_window_tests, ignore = "needs an X server and an adapter: PCHR_TEST_WINDOW=1")]
fn f11_fills_the_screen_a_preview_is_small_and_both_give_the_window_back() {
    // A window manager lets the window be smaller than the screen.
    let mut desk = Desk::start(&Start {
        file: &squares(GREEN),
        options: &["--paused", "--window-size", "760x520"],
        manager: true,
        ..Start::default()
    });
    let [width, height] = SCREEN.map(usize::from);
    let before = canvas(&desk.settled()).unwrap();
    assert!(before.width < width - 200);
    desk.key("F11");
    let full = desk.wait_for("the whole screen", |shot| {
        canvas(shot).is_some_and(|canvas| canvas.width > before.width && canvas.x == 0)
            && shot.at(0, height - 1) == shot.at(width - 1, height - 1)
    });
    assert_square(&full, RED, FIRST);
    desk.key("F11");
    has_width(&mut desk, "the window", before.width);

    desk.key("shift+F9");
    let small = desk.wait_for("a small window", |shot| {
        canvas(shot).is_some_and(|canvas| canvas.width == 320 && canvas.height <= 320)
    });
    assert!(bounds(&small, RED).is_some());
    desk.resize(160, 160);
    has_width(&mut desk, "the smallest window", 160);
    desk.key("shift+F9");
    has_width(&mut desk, "the window", before.width);
    desk.assert_running();
}

#[test]
#[cfg_attr(skip_window_tests, ignore = "needs an X server and an adapter: PCHR_TEST_WINDOW=1")]
fn at_scale_factor_2_the_picture_is_as_sharp_and_panels_and_drawings_are_twice_as_large() {
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
        assert!((99..=100).contains(&(red[2] - red[0])), "{red:?}");
    }
    // The copied command draws overlays twice as large, too.
    twice.key("period period f F9");
    twice.wait_for("the picture alone", |shot| {
        canvas(shot).is_some_and(|canvas| [canvas.width, canvas.height] == [2048, 1280])
    });
    twice.key("b d Escape"); // the message about the panels covers the picture
    let shown = twice.settled();
    let line = assert_captured(&mut twice, &shown, "");
    assert!(line.contains("--overlay-scale 2"), "{line}");
}
