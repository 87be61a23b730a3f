//! Tests that screenshots, exports and captures by copied commands have exactly the pixels in the window, and of an export that is
//! dragged to a second viewer.

use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use pchr::bytes::Budget;
use pchr::image::decode_straight;

use crate::desk::{BACKGROUND, Desk, Start, until};
use crate::drop::Numbers;
use crate::look::{Canvas, canvas, difference, picture};
use crate::rig;
use crate::x11::Shot;

/// Command that a copy puts on the clipboard, once it differs from `before`.
pub(crate) fn copied(desk: &Desk, before: &str) -> String {
    desk.key("ctrl+shift+l");
    on_the_clipboard(desk, before)
}

fn on_the_clipboard(desk: &Desk, before: &str) -> String {
    until(|| match desk.clipboard() {
        text if text.starts_with("pchr-view capture ") && text != before => Ok(text),
        text => Err(format!("{text:?} is on the clipboard")),
    })
}

/// Runs a line as a shell does and returns the picture that it wrote.
pub(crate) fn captured(desk: &Desk, line: &str) -> Shot {
    run_line(desk, line);
    let (_, rest) = line.split_once(" -o ").unwrap();
    read_png(&desk.folder().join(rest.split(' ').next().unwrap()))
}

fn run_line(desk: &Desk, line: &str) {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut sh = Command::new("sh");
    sh.args(["-c", line]).env("PATH", format!("{}:{path}", desk.bin().display()));
    let output = sh.current_dir(desk.folder()).output().unwrap();
    assert!(output.status.success(), "{line}: {output:?}");
}

pub(crate) fn assert_captured(desk: &mut Desk, shown: &Shot, before: &str) -> String {
    let line = copied(desk, before);
    let captured = captured(desk, &line);
    assert_eq!((captured.width, captured.height), (shown.width, shown.height), "{line}");
    assert_eq!(difference(&captured, shown), None, "{line} captures other pixels");
    line
}

/// Shows ten views by pressing `count` keys and running `more`, and captures each with its copied command. Rows above `from` are
/// not compared. Returns the commands.
fn ten_views(
    desk: &mut Desk,
    keys: &str,
    (count, from): (usize, usize),
    mut numbers: Numbers,
    mut more: impl FnMut(&mut Desk, Canvas, &mut Numbers, usize),
) -> String {
    let canvas = canvas(&desk.settled()).unwrap();
    let below = |shot: &Shot| shot.part(0, from, shot.width, shot.height - from);
    let (mut line, mut lines) = (desk.clipboard(), Vec::new());
    let keys: Vec<&str> = keys.split(' ').collect();
    for view in 0..10 {
        for _ in 0..count {
            desk.key(keys[numbers.below(keys.len())]);
        }
        more(desk, canvas, &mut numbers, view);
        let shown = picture(&desk.settled(), canvas);
        line = copied(desk, &line);
        let captured = captured(desk, &line);
        assert_eq!([captured.width, captured.height], [shown.width, shown.height], "{line}");
        assert_eq!(difference(&below(&captured), &below(&shown)), None, "{line}");
        lines.push(line.clone());
        desk.key("Escape"); // dismisses the message
        desk.wait_for("the picture alone", |shot| below(&picture(shot, canvas)) == below(&shown));
    }
    lines.join("\n")
}

/// Clicks somewhere in the picture, outside a border of one `part`th of its sides.
pub(crate) fn click(desk: &mut Desk, canvas: Canvas, numbers: &mut Numbers, part: usize) {
    let sides = [canvas.width, canvas.height];
    let [x, y] = sides.map(|side| side / part + numbers.below(side - side / part * 2));
    desk.click(canvas.x + x, canvas.y + y);
}

fn read_png(path: &std::path::Path) -> Shot {
    let picture = decode_straight(&std::fs::read(path).unwrap(), &Budget::default()).unwrap();
    let rgb = picture.rgba.as_chunks::<4>().0.iter().map(|[r, g, b, a]| {
        assert_eq!(*a, 255, "the window is opaque");
        [*r, *g, *b]
    });
    Shot { width: picture.width as usize, height: picture.height as usize, rgb: rgb.collect() }
}

/// Newest of `count` screenshots, once it is written.
pub(crate) fn screenshot(desk: &Desk, count: usize) -> Shot {
    until(|| {
        let files = std::fs::read_dir(desk.shots()).into_iter().flatten();
        let paths = files.map(|file| file.unwrap().path());
        let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some()).collect();
        if paths.len() < count {
            return Err(format!("{paths:?}"));
        }
        paths.sort_by_key(|path| path.metadata().unwrap().modified().unwrap());
        Ok(read_png(&paths[paths.len() - 1]))
    })
}

#[test]
#[cfg_attr(skip_window_tests, ignore = "needs an X server and an adapter: PCHR_TEST_WINDOW=1")]
fn screenshots_exports_and_captures_by_copied_commands_are_what_the_window_shows() {
    // The sample has enough images, names, bones and meshes for every option.
    let mut desk = Desk::open_sample();
    let plain = desk.settled();
    let canvas = canvas(&plain).unwrap();
    desk.key("period period");
    let frame = desk.settled();
    assert!(picture(&frame, canvas) != picture(&plain, canvas));
    desk.key("b e");
    desk.wait_for("drawings", |shot| picture(shot, canvas) != picture(&frame, canvas));
    let drawn = desk.settled();
    desk.key("F12");
    assert!(screenshot(&desk, 1) == picture(&drawn, canvas));
    desk.key("ctrl+F12");
    assert!(screenshot(&desk, 2) == picture(&frame, canvas));
    desk.key("Home b e Escape");
    desk.wait_for("no drawings", |shot| picture(shot, canvas) == picture(&plain, canvas));

    desk.key("ctrl+e");
    desk.wait_for("the dialog", |shot| crate::look::canvas(shot).is_none());
    desk.key("Return"); // the button has the focus
    let exported = until(|| {
        let files = std::fs::read_dir(desk.shots()).into_iter().flatten().flatten();
        let mut paths = files.map(|file| file.path());
        let gif = paths.find(|path| path.extension() == Some("gif".as_ref()));
        gif.ok_or("nothing was exported")
    });
    desk.choose("copy command");
    let line = on_the_clipboard(&desk, "");
    run_line(&desk, &line);
    let by_command = std::fs::read(desk.folder().join(exported.file_name().unwrap())).unwrap();
    assert!(std::fs::read(&exported).unwrap() == by_command, "{line} makes another file");
    desk.key("Escape");
    desk.wait_for("the picture", |shot| picture(shot, canvas) == picture(&plain, canvas));

    // The palette covers the picture until it closes.
    let choose = |desk: &mut Desk, words: &str| {
        desk.choose(words);
        desk.settled()
    };
    let crowd = choose(&mut desk, "figures 100");
    assert!(picture(&crowd, canvas) != picture(&plain, canvas));
    desk.key("ctrl+z");
    desk.wait_for("one figure", |shot| picture(shot, canvas) == picture(&plain, canvas));
    desk.key("ctrl+shift+z Escape");
    desk.wait_for("the crowd", |shot| picture(shot, canvas) == picture(&crowd, canvas));
    desk.key("period period b u"); // bones and boxes of the figure in the middle
    let shown = picture(&desk.settled(), canvas);
    let line = assert_captured(&mut desk, &shown, &line);
    assert!(line.contains("--instances 100,scatter"), "{line}");
    desk.key("Escape"); // dismisses the message
    choose(&mut desk, "figures one");
    desk.key("Home b u");
    desk.wait_for("one figure", |shot| picture(shot, canvas) == picture(&plain, canvas));

    let keys = "ctrl+m b shift+b e u o d k n y period Next plus minus shift+Right Up h h shift+h r ctrl+shift+a";
    let lines = ten_views(&mut desk, keys, (6, 0), Numbers(5), |desk, canvas, numbers, view| {
        if view % 3 == 0 {
            click(desk, canvas, numbers, 4);
        }
        // Every view differs from the one before it.
        desk.key(["plus", "minus shift+Left"][view % 2]);
    });
    let parts =
        "checker: names wireframe bounds origin order mesh= nearest --y-down --mirror --hide";
    for part in parts.split(' ') {
        assert!(lines.contains(part), "no view has {part}:\n{lines}");
    }
}

/// Height in pixels at the top of the picture where the camera's axes cover it.
const AXES: usize = 150;

fn has_bones(picture: &Shot) -> bool {
    picture.rgb.iter().any(|pixel| *pixel != BACKGROUND)
}

/// Turns, moves and zooms the picture with the pointer.
fn drag(desk: &mut Desk, canvas: Canvas, numbers: &mut Numbers) {
    let Canvas { x, y, .. } = canvas;
    let mut place = || {
        let [right, down] =
            [canvas.width, canvas.height].map(|side| side / 4 + numbers.below(side / 2));
        [x + right, y + down]
    };
    let ([x0, y0], [x1, y1]) = (place(), place());
    desk.press(x0, y0);
    sleep(Duration::from_millis(50));
    desk.point(usize::midpoint(x0, x1), usize::midpoint(y0, y1));
    desk.point(x1, y1);
    sleep(Duration::from_millis(50));
    desk.release();
}

#[test]
#[cfg_attr(skip_window_tests, ignore = "needs an X server and an adapter: PCHR_TEST_WINDOW=1")]
fn ten_views_of_a_motion_are_captured_by_the_commands_that_they_are_copied_as() {
    let skeleton = ("squares.skl.pxd".to_owned(), rig::biped_file());
    let mut desk = Desk::start(&Start {
        file: &rig::numbered_file(),
        name: "squares.anm.pxd",
        beside: &[skeleton],
        options: &["--paused"],
        drawn: |shot| canvas(shot).is_some_and(|canvas| has_bones(&picture(shot, canvas))),
        ..Start::default()
    });
    let keys =
        "1 3 7 5 z m x p shift+g shift+b shift+o shift+t f period comma plus minus Up shift+Right";
    let lines =
        ten_views(&mut desk, keys, (5, AXES), Numbers(29), |desk, canvas, numbers, view| {
            drag(desk, canvas, numbers);
            if view % 3 == 0 {
                desk.click(canvas.x + canvas.width / 2, canvas.y + canvas.height / 2);
            }
            assert!(has_bones(&picture(&desk.settled(), canvas)));
        });
    for part in ["--view", "--fov", "names", "axes", "onion=", "--center", "--zoom"] {
        assert!(lines.contains(part), "no view has {part}:\n{lines}");
    }
}

#[test]
#[cfg_attr(skip_window_tests, ignore = "needs an X server and an adapter: PCHR_TEST_WINDOW=1")]
fn an_export_is_dragged_from_its_preview_to_another_program() {
    let sheet = ("config/state.toml".to_owned(), b"[export]\nformat = \"json\"\n".to_vec());
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sample.pchr");
    let mut desk = Desk::start(&Start {
        file: &std::fs::read(sample).unwrap(),
        name: "a b.pchr",
        beside: &[sheet],
        options: &["--paused"],
        screen: [1400, 800], // the other window covers the dialog's choices, not its preview
        drawn: |shot| canvas(shot).is_some(),
        ..Start::default()
    });
    let first = desk.window.to_string();
    let mut other = desk.command(env!("CARGO_BIN_EXE_pchr-view"));
    other.args(["--window-size", "700x420"]).env("PCHR_VIEW_CONFIG_DIR", desk.folder());
    let mut other = other.spawn().unwrap();
    let second = until(|| {
        let windows = desk.xdotool(&["search", "--onlyvisible", "--name", "pchr-view"]);
        let id = windows.lines().find(|id| *id != first).map(str::to_owned);
        id.ok_or("the second window does not open")
    });
    desk.xdotool(&["windowfocus", "--sync", &first]);
    desk.key("ctrl+e");
    desk.wait_for("the dialog", |shot| canvas(shot).is_none());
    // Nothing is dragged before the file is made.
    until(|| {
        desk.press(1000, 300);
        for (x, y) in [(990, 300), (600, 260), (200, 200)] {
            desk.point(x, y);
            sleep(Duration::from_millis(300)); // as slowly as the windows are drawn
        }
        desk.release();
        sleep(Duration::from_millis(300));
        let title = desk.xdotool(&["getwindowname", &second]);
        let is_it = title == "a b-sheet.json - pchr-view\n";
        is_it.then_some(()).ok_or(format!("the second window shows {title}"))
    });
    assert!(!desk.shots().exists(), "dragging writes nothing into the folder of exports");
    other.kill().unwrap();
    other.wait().unwrap();
    desk.assert_running();
}
