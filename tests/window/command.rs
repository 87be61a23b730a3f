//! Tests of the view copied as a command: it captures exactly the picture in the window.

use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::desk::{Desk, PATIENCE, Start};
use crate::fixture::{BLUE, GREEN, RED, overlapping, squares};
use crate::look::{Canvas, bounds, canvas, difference, picture};
use crate::looking::read_png;
use crate::reload::Numbers;
use crate::x11::Shot;

/// Command that a copy puts on the clipboard, once it differs from `before`.
pub(crate) fn copied(desk: &Desk, before: &str) -> String {
    desk.key("ctrl+shift+l");
    let start = Instant::now();
    loop {
        let text = desk.clipboard();
        if text.starts_with("pchr-view capture ") && text != before {
            return text;
        }
        assert!(start.elapsed() < PATIENCE, "{text:?} is on the clipboard");
        sleep(Duration::from_millis(30));
    }
}

/// Runs a line as a shell does and returns the picture that it wrote.
pub(crate) fn captured(desk: &Desk, line: &str) -> Shot {
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", line])
        .env("PATH", format!("{}:{path}", desk.bin().display()))
        .current_dir(desk.folder())
        .output()
        .unwrap();
    assert!(output.status.success(), "{line}: {output:?}");
    let (_, rest) = line.split_once(" -o ").unwrap();
    let name = rest.split(' ').next().unwrap();
    read_png(&desk.folder().join(name))
}

pub(crate) fn assert_captured(desk: &mut Desk, shown: &Shot, before: &str) -> String {
    let line = copied(desk, before);
    let captured = captured(desk, &line);
    assert_eq!(
        (captured.width, captured.height),
        (shown.width, shown.height),
        "{line}"
    );
    let off = difference(&captured, shown);
    assert_eq!(off, None, "{line} captures other pixels");
    line
}

/// Shows ten views by pressing keys and running `more`, and captures each with its copied command. Returns the commands.
pub(crate) fn ten_views(
    desk: &mut Desk,
    keys: &str,
    seed: u64,
    mut more: impl FnMut(&mut Desk, Canvas, &mut Numbers, usize),
) -> String {
    let canvas = canvas(&desk.settled()).unwrap();
    let mut numbers = Numbers(seed);
    let (mut line, mut lines) = (String::new(), Vec::new());
    let keys: Vec<&str> = keys.split(' ').collect();
    for view in 0..10 {
        for _ in 0..6 {
            desk.key(keys[numbers.below(keys.len())]);
        }
        more(desk, canvas, &mut numbers, view);
        // Every view differs from the one before it.
        desk.key(["plus", "minus shift+Left"][view % 2]);
        let shown = picture(&desk.settled(), canvas);
        line = assert_captured(desk, &shown, &line);
        lines.push(line.clone());
        desk.key("Escape"); // dismisses the message
        desk.wait_for("the picture alone", |shot| picture(shot, canvas) == shown);
    }
    lines.join("\n")
}

/// Clicks somewhere in the picture, outside a border of one `part`th of its sides.
pub(crate) fn click(desk: &mut Desk, canvas: Canvas, numbers: &mut Numbers, part: usize) {
    let sides = [canvas.width, canvas.height];
    let [x, y] = sides.map(|side| side / part + numbers.below(side - side / part * 2));
    desk.click(canvas.x + x, canvas.y + y);
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn onion_skin_and_trails_are_captured_by_the_command() {
    let mut desk = Desk::open_sample();
    let canvas = canvas(&desk.settled()).unwrap();
    let mut line = String::new();
    for (keys, part) in [
        ("shift+o period period", "onion=2,2"),
        ("ctrl+2 Down Down Return shift+t", "trail="),
        ("period", "onion=2,2"),
    ] {
        for key in keys.split(' ') {
            desk.key(key);
        }
        let shown = picture(&desk.settled(), canvas);
        line = assert_captured(&mut desk, &shown, &line);
        assert!(line.contains(part), "{line}");
        desk.key("Escape"); // dismisses the message
        desk.settled();
    }
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn ten_views_are_captured_by_the_commands_that_they_are_copied_as() {
    // The sample has enough images, names, bones and meshes for every option.
    let mut desk = Desk::open_sample();
    let keys = "b shift+b e u o d k n y period Next plus minus shift+Right Up h h shift+h r ctrl+d";
    let lines = ten_views(&mut desk, keys, 5, |desk, canvas, numbers, view| {
        if view % 3 == 0 {
            click(desk, canvas, numbers, 4);
        }
    });
    for part in [
        "checker:",
        "names",
        "wireframe",
        "bounds",
        "origin",
        "order",
        "mesh=",
        "nearest",
        "--y-down",
        "--hide",
    ] {
        assert!(lines.contains(part), "no view has {part}:\n{lines}");
    }
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn ten_views_with_ghosts_and_trails_are_captured_by_the_commands_that_they_are_copied_as() {
    let mut desk = Desk::open_sample();
    let keys = "b d y y period comma Next plus shift+Right h g";
    let lines = ten_views(&mut desk, keys, 17, |desk, canvas, numbers, view| {
        click(desk, canvas, numbers, 3);
        // Each one alone, both, and neither.
        desk.key(["shift+o", "shift+t"][view % 2]);
    });
    let has_both = |line: &str| line.contains("trail=") && line.contains("onion=2,2");
    assert!(lines.lines().any(has_both), "no view has both:\n{lines}");
    assert!(lines.contains("--y-down"), "no view has --y-down:\n{lines}");
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn blended_frames_choices_and_overrides_are_captured_as_they_are_shown() {
    let mut desk = Desk::open(&squares(GREEN), &["--smooth", "--speed", "0.3", "--paused"]);
    let canvas = canvas(&desk.settled()).unwrap();
    let mut line = String::new();
    // A pause may fall exactly on a frame, so this is tried up to three times.
    for _ in 0..3 {
        desk.key("space");
        sleep(Duration::from_millis(700));
        desk.key("space");
        let shown = picture(&desk.settled(), canvas);
        line = assert_captured(&mut desk, &shown, &line);
        if line.contains("--time ") {
            break;
        }
    }
    assert!(line.contains("--time "), "{line}");

    let mut desk = Desk::start(&Start {
        file: &overlapping(),
        options: &["--paused"],
        ..Start::default()
    });
    let start = desk.settled();
    let canvas = crate::look::canvas(&start).unwrap();
    let middle = |color| {
        let [left, top, right, bottom] = bounds(&start, color).unwrap();
        [usize::midpoint(left, right), usize::midpoint(top, bottom)]
    };
    let mut line = String::new();
    // Picked; hidden; another one shown alone.
    for (color, keys) in [(GREEN, ""), (BLUE, "h"), (RED, "shift+h w")] {
        let [x, y] = middle(color);
        desk.click(x - 20, y + 20);
        desk.point(canvas.x + 2, canvas.y + 2);
        desk.settled();
        if !keys.is_empty() {
            desk.key(keys);
        }
        // The legend of the weights belongs to the window, not to the picture.
        let shot = desk.settled();
        let upper = canvas.height * 3 / 4;
        let part = |shot: &Shot| shot.part(0, 0, canvas.width, upper);
        let shown = picture(&shot, canvas);
        let text = copied(&desk, &line);
        let captured = captured(&desk, &text);
        assert_eq!(
            difference(&part(&captured), &part(&shown)),
            None,
            "{text} captures other pixels"
        );
        line = text;
        desk.key("Escape");
        desk.settled();
    }
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_view_on_a_display_of_scale_2_is_captured_with_drawings_as_large() {
    let mut desk = Desk::start(&Start {
        file: &squares(GREEN),
        options: &["--paused", "--frame", "2", "--window-size", "800x500"],
        variables: &[("WINIT_X11_SCALE_FACTOR", "2")],
        screen: [1600, 1000],
        ..Start::default()
    });
    desk.key("F9");
    desk.wait_for("the picture alone", |shot| {
        canvas(shot).is_some_and(|canvas| [canvas.width, canvas.height] == [1600, 1000])
    });
    desk.key("b d Escape"); // the message about the panels covers the picture
    let shown = desk.settled();
    let line = assert_captured(&mut desk, &shown, "");
    assert!(line.contains("--overlay-scale 2"), "{line}");
}
