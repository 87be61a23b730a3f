//! The view on screen as a command: what it captures is what the window shows.

use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::desk::{Desk, PATIENCE, Start};
use crate::fixture::{BLUE, GREEN, RED, overlapping, squares};
use crate::look::{bounds, canvas, difference, picture};
use crate::looking::read_png;
use crate::reload::Numbers;
use crate::x11::Shot;

/// The command that a copy puts on the clipboard, once it is another one than `before`.
fn copied(desk: &Desk, before: &str) -> String {
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

/// Runs a line as a shell does; the picture that it wrote.
fn captured(desk: &Desk, line: &str) -> Shot {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_pchr-view"));
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", line])
        .env(
            "PATH",
            format!("{}:{path}", program.parent().unwrap().display()),
        )
        .current_dir(desk.folder())
        .output()
        .unwrap();
    assert!(output.status.success(), "{line}: {output:?}");
    read_png(&desk.folder().join("squares.png"))
}

fn assert_captured(desk: &mut Desk, shown: &Shot, before: &str) -> String {
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

#[test]
#[cfg_attr(
    skip_gpu_tests,
    ignore = "needs a display server and a graphics adapter: set PCHR_REQUIRE_GPU=1"
)]
fn ten_views_are_captured_by_the_commands_that_they_are_copied_as() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let canvas = canvas(&desk.settled()).unwrap();
    let mut numbers = Numbers(3);
    let mut line = String::new();
    let ways = [
        "b",
        "shift+b",
        "e",
        "u",
        "o",
        "d",
        "k",
        "n",
        "y",
        "period",
        "period",
        "plus",
        "minus",
        "minus",
        "shift+Right",
        "shift+Left",
        "Up",
        "Down",
        "l",
        "End",
    ];
    for view in 0..10 {
        for _ in 0..6 {
            desk.key(ways[numbers.below(ways.len())]);
        }
        // No view is the one before it, whatever the keys did.
        desk.key(if view % 2 == 0 {
            "plus"
        } else {
            "minus minus shift+Left"
        });
        let shown = picture(&desk.settled(), canvas);
        line = assert_captured(&mut desk, &shown, &line);
        desk.key("Escape"); // what was said of the copy lies over the picture
        desk.wait_for("the picture alone", |shot| picture(shot, canvas) == shown);
    }
}

#[test]
#[cfg_attr(
    skip_gpu_tests,
    ignore = "needs a display server and a graphics adapter: set PCHR_REQUIRE_GPU=1"
)]
fn blended_frames_choices_and_overrides_are_captured_as_they_are_shown() {
    let mut desk = Desk::open(&squares(GREEN), &["--smooth", "--speed", "0.7"]);
    let canvas = canvas(&desk.shot()).unwrap();
    sleep(Duration::from_millis(400));
    desk.key("space");
    let shown = picture(&desk.settled(), canvas);
    let line = assert_captured(&mut desk, &shown, "");
    assert!(line.contains("--time ") || line.contains("-f "), "{line}");

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
    // Chosen; hidden; another one shown alone.
    for (color, keys) in [(GREEN, ""), (BLUE, "h"), (RED, "shift+h w")] {
        let [x, y] = middle(color);
        desk.click(x - 20, y + 20);
        desk.point(canvas.x + 2, canvas.y + 2);
        desk.settled();
        if !keys.is_empty() {
            desk.key(keys);
        }
        // The legend of the weights is the window's, and not the picture's.
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
