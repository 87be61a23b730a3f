//! Tests of drawings over the picture, of panels, cards and themes, and of screenshots.

use crate::desk::{BACKGROUND, Desk, PATIENCE, SCREEN, Start};
use crate::fixture::{FIRST, GREEN, RED, squares};
use crate::look::{
    Canvas, assert_square, bounds, canvas, difference, expected, frame_of, picture, place, risen,
};
use crate::x11::Shot;
use std::time::Instant;

/// Screen area that a drawing may change, and a point near which it must.
struct Wanted {
    key: &'static str,
    what: &'static str,
    /// Returns true if a point of the screen may change.
    may: fn(Canvas, [f64; 2]) -> bool,
    /// World point and distance: a changed point must lie within that distance of it.
    must: ([f64; 2], f64),
}

/// Distance of a point from a square's sides, positive outside.
fn outside(canvas: Canvas, corner: [f64; 2], [x, y]: [f64; 2]) -> f64 {
    let [left, top, right, bottom] = expected(canvas, corner);
    (left - x).max(x - right).max(top - y).max(y - bottom)
}

fn near_squares(canvas: Canvas, at: [f64; 2], by: f64) -> bool {
    [FIRST, risen(1)]
        .iter()
        .any(|corner| outside(canvas, *corner, at) < by)
}

/// Returns true near the joints of both bones, which lie on one vertical line.
fn near_bones(canvas: Canvas, [x, y]: [f64; 2], by: f64) -> bool {
    let [joint, low] = place(canvas, [0.0, 0.0]);
    let [_, high] = place(canvas, [0.0, 50.0]);
    (x - joint).abs() < by && (high - 60.0..low + 60.0).contains(&y)
}

const DRAWINGS: [Wanted; 6] = [
    Wanted {
        key: "b",
        what: "bones",
        may: |canvas, at| near_bones(canvas, at, 40.0),
        must: ([0.0, 0.0], 20.0),
    },
    Wanted {
        key: "shift+b",
        what: "names",
        may: |canvas, at| near_bones(canvas, at, 160.0),
        must: ([0.0, 0.0], 80.0),
    },
    Wanted {
        key: "e",
        what: "wireframe",
        may: |canvas, at| near_squares(canvas, at, 3.0),
        // Both triangles share this diagonal.
        must: ([-150.0, 0.0], 3.0),
    },
    Wanted {
        key: "u",
        what: "bounds",
        // Around each mesh and around all, but not inside the first square.
        may: |canvas, at| outside(canvas, FIRST, at) > -6.0,
        must: ([-200.0, -50.0], 4.0),
    },
    Wanted {
        key: "o",
        what: "origin",
        may: |canvas, [x, y]| {
            let [left, top] = place(canvas, [0.0, 0.0]);
            (x - left).abs() < 10.0 || (y - top).abs() < 10.0
        },
        must: ([0.0, 0.0], 8.0),
    },
    Wanted {
        key: "d",
        what: "draw order",
        may: |canvas, at| near_squares(canvas, at, 16.0),
        must: ([-150.0, 0.0], 20.0),
    },
];

/// Points of the picture that changed.
fn changed(canvas: Canvas, before: &Shot, after: &Shot) -> Vec<[f64; 2]> {
    let rows = canvas.y..canvas.y + canvas.height;
    let points = rows.flat_map(|y| (canvas.x..canvas.x + canvas.width).map(move |x| [x, y]));
    points
        .filter(|[x, y]| before.at(*x, *y) != after.at(*x, *y))
        .map(|at| at.map(|c| c as f64 + 0.5))
        .collect()
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn each_drawing_changes_the_picture_where_it_should_and_nowhere_else() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused", "--frame", "1"]);
    let before = desk.settled();
    let canvas = canvas(&before).unwrap();
    for Wanted {
        key,
        what,
        may,
        must,
    } in DRAWINGS
    {
        desk.key(key);
        desk.wait_for(what, |shot| {
            picture(shot, canvas) != picture(&before, canvas)
        });
        let drawn = desk.settled();
        let points = changed(canvas, &before, &drawn);
        for at in &points {
            assert!(may(canvas, *at), "{what} at {at:?}");
        }
        let (world, reach) = must;
        let [x, y] = place(canvas, world);
        let meets = points
            .iter()
            .any(|[px, py]| (px - x).hypot(py - y) <= reach);
        assert!(meets, "{what} is not drawn at {world:?}");
        desk.key(key);
        desk.wait_for("the picture without it", |shot| {
            picture(shot, canvas) == picture(&before, canvas)
        });
    }
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn k_walks_through_the_backgrounds() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let before = desk.settled();
    let canvas = canvas(&before).unwrap();
    let square = bounds(&before, RED).unwrap();
    let behind = |shot: &Shot| {
        let picture = picture(shot, canvas);
        let mut colors = picture.rgb;
        colors.sort_unstable();
        // Square edges are blended and cover few pixels; the background covers many.
        let runs = colors
            .chunk_by(|a, b| a == b)
            .filter(|run| run.len() > 20_000);
        runs.map(|run| run[0])
            .filter(|color| ![RED, GREEN].contains(color))
            .collect::<Vec<_>>()
    };
    assert_eq!(behind(&before), [BACKGROUND]);
    desk.key("k");
    let checkered = desk.wait_for("a checkerboard", |shot| behind(shot).len() == 2);
    assert_eq!(bounds(&checkered, RED), Some(square));
    // A checkerboard: both colours in every row, and rows that differ.
    let row = |y: usize| checkered.part(canvas.x, canvas.y + y, 64, 1);
    assert!(
        (1..32).any(|y| row(y) != row(0)),
        "columns are not a checkerboard"
    );
    for color in [[0; 3], [128; 3], [255; 3]] {
        desk.key("k");
        desk.wait_for("one colour", |shot| behind(shot) == [color]);
    }
    desk.key("k");
    desk.wait_for("the checkerboard again", |shot| {
        picture(shot, canvas) == picture(&checkered, canvas)
    });
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn i_shows_what_a_frame_costs_in_a_corner() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let before = desk.settled();
    let canvas = canvas(&before).unwrap();
    desk.key("i");
    let shown = desk.wait_for("the figures", |shot| {
        picture(shot, canvas) != picture(&before, canvas)
    });
    let part = difference(&picture(&before, canvas), &picture(&shown, canvas));
    let [left, top, right, bottom] = part.unwrap();
    assert!(right - left < canvas.width / 2 && bottom - top < canvas.height * 2 / 3);
    assert!(bounds(&shown, RED).is_some() && bounds(&shown, GREEN).is_some());
    desk.key("i");
    desk.wait_for("the picture alone", |shot| {
        picture(shot, canvas) == picture(&before, canvas)
    });
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn f9_hides_all_panels_and_the_picture_grows() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused", "--frame", "2"]);
    let before = desk.settled();
    let small = canvas(&before).unwrap();
    desk.key("F9");
    let [width, height] = SCREEN.map(usize::from);
    let all = Canvas {
        x: 0,
        y: 0,
        width,
        height,
    };
    let alone = desk.wait_for("the picture alone", |shot| canvas(shot) == Some(all));
    assert!(small.width < width && small.height < height);
    assert_square(&alone, RED, FIRST);
    assert_square(&alone, GREEN, risen(2));
    desk.key("F9");
    let again = desk.wait_for("the panels", |shot| canvas(shot) == Some(small));
    assert!(picture(&again, small) == picture(&before, small));
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn f11_fills_the_screen_and_gives_it_back() {
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
    desk.wait_for("the window", |shot| {
        canvas(shot).is_some_and(|canvas| canvas.width == before.width)
    });
    desk.assert_running();
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn the_sheet_of_keys_comes_and_escape_takes_it_away_and_nothing_more() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let before = desk.settled();
    let canvas = canvas(&before).unwrap();
    desk.key("question");
    let sheet = desk.wait_for("the sheet", |shot| {
        picture(shot, canvas) != picture(&before, canvas)
    });
    let [left, top, right, bottom] = difference(&before, &sheet).unwrap();
    assert!(right - left > 200 && bottom - top > 200, "a sheet is large");
    desk.settled();
    desk.key("Escape");
    desk.wait_for("the picture", |shot| {
        picture(shot, canvas) == picture(&before, canvas)
    });
    desk.key("Escape Escape");
    desk.settled();
    desk.assert_running();
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn the_sheet_of_keys_comes_each_time_whichever_of_shift_and_its_key_is_let_go_first() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let before = desk.settled();
    let canvas = canvas(&before).unwrap();
    let closed = |shot: &Shot| picture(shot, canvas) == picture(&before, canvas);
    for round in 0..10 {
        for [first, second] in [["shift", "slash"], ["slash", "shift"]] {
            let down = ["keydown", "shift", "keydown", "slash"];
            let up = ["keyup", first, "keyup", second];
            desk.xdotool(&[down, up].concat());
            desk.wait_for(&format!("the sheet, {first} first, {round}"), |shot| {
                !closed(shot)
            });
            desk.key("Escape");
            desk.wait_for("the picture", closed);
        }
    }
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn letters_right_after_the_key_of_the_palette_go_to_it() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let _ = desk.settled();
    // The keys come without a pause and may arrive within one frame.
    desk.xdotool(&[
        "key", "--delay", "0", "ctrl+k", "l", "a", "s", "t", "space", "f", "r", "a", "Return",
    ]);
    desk.wait_for("the last frame", |shot| frame_of(shot) == Some(4));
    assert_square(&desk.settled(), GREEN, risen(4));
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn the_palette_finds_an_action_and_no_single_key_acts_while_one_types() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let before = desk.settled();
    let canvas = canvas(&before).unwrap();
    desk.key("ctrl+k");
    let palette = desk.wait_for("the palette", |shot| {
        picture(shot, canvas) != picture(&before, canvas)
    });
    // Each of these keys is a shortcut of an action.
    desk.key("b e k period comma f u o space y 1 minus");
    desk.wait_for("what was typed", |shot| *shot != palette);
    desk.settled();
    desk.key("Escape");
    let after = desk.wait_for("the picture", |shot| {
        picture(shot, canvas) == picture(&before, canvas)
    });
    assert_eq!(frame_of(&after), Some(0));

    desk.key("ctrl+k");
    desk.wait_for("the palette", |shot| {
        picture(shot, canvas) != picture(&before, canvas)
    });
    desk.xdotool(&["type", "--delay", "40", "last fra"]);
    desk.settled();
    desk.key("Return");
    desk.wait_for("the last frame", |shot| frame_of(shot) == Some(4));
    assert_square(&desk.settled(), GREEN, risen(4));
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn t_walks_through_the_themes_and_the_picture_stays() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let dark = desk.settled();
    let canvas = canvas(&dark).unwrap();
    // Luminance of the right panel's background, and of the text on it.
    let panel = |shot: &Shot| {
        let [width, height] = SCREEN.map(usize::from);
        let part = shot.part(
            canvas.x + canvas.width + 1,
            40,
            width - canvas.x - canvas.width - 1,
            height - 80,
        );
        let mut colors: Vec<[u8; 3]> = part.rgb;
        colors.sort_unstable();
        let most = colors.chunk_by(|a, b| a == b).max_by_key(|run| run.len());
        let fill = most.unwrap()[0];
        let contrasts = colors.iter().map(|color| contrast(*color, fill));
        (luminance(fill), contrasts.fold(0.0, f64::max))
    };
    let (fill, text) = panel(&dark);
    assert!(fill < 0.1 && text > 7.0, "{fill} {text}");
    let mut light = None;
    for _ in 0..3 {
        let before = desk.settled();
        desk.key("t");
        // The theme's name appears above the picture, which stays as it is.
        desk.wait_for("its name", |shot| *shot != before);
        let shot = desk.settled();
        assert!(picture(&shot, canvas) == picture(&dark, canvas));
        let (fill, text) = panel(&shot);
        if fill > 0.5 {
            light = Some(text);
        }
    }
    assert!(light.is_some_and(|text| text > 7.0), "{light:?}");
    assert!(panel(&desk.settled()).0 < 0.1, "dark again");
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn names_are_drawn_for_a_new_theme_at_once() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let canvas = canvas(&desk.settled()).unwrap();
    desk.key("k shift+b"); // the theme's checkerboard, and names
    let mut pictures = vec![];
    for _ in 0..3 {
        let before = desk.settled();
        desk.key("t");
        desk.wait_for("its name", |shot| *shot != before);
        let at_once = desk.settled();
        desk.key("shift+b");
        desk.wait_for("no names", |shot| {
            picture(shot, canvas) != picture(&at_once, canvas)
        });
        desk.key("shift+b");
        let again = desk.settled();
        assert!(picture(&again, canvas) == picture(&at_once, canvas));
        pictures.push(picture(&again, canvas));
    }
    assert!(pictures.iter().any(|other| *other != pictures[0]));
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_screenshot_is_shown_in_its_folder() {
    // A stand-in for the desktop's opener that records its arguments.
    let bin = tempfile::tempdir().unwrap();
    let asked = bin.path().join("asked");
    let scripts = [
        (
            "xdg-open",
            "printf %s \"$1\" > asked.new; mv asked.new asked",
        ),
        ("dbus-send", "exit 1"),
    ];
    for (name, script) in scripts {
        let path = bin.path().join(name);
        let text = format!("#!/bin/sh\ncd '{}'\n{script}\n", bin.path().display());
        std::fs::write(&path, text).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&path, mode).unwrap();
    }
    let path = format!(
        "{}:{}",
        bin.path().display(),
        std::env::var("PATH").unwrap()
    );
    let mut desk = Desk::start(&Start {
        file: &squares(GREEN),
        options: &["--paused"],
        variables: &[("PATH", &path)],
        ..Start::default()
    });
    desk.key("F12");
    let _ = screenshot(&desk, 1);
    desk.settled();
    desk.key("ctrl+k");
    desk.settled();
    desk.xdotool(&["type", "--delay", "30", "reveal"]);
    desk.settled();
    desk.key("Return");
    let start = Instant::now();
    while !asked.exists() {
        assert!(start.elapsed() < PATIENCE, "the opener was not called");
        std::thread::sleep(std::time::Duration::from_millis(30));
    }
    let folder = std::fs::read_to_string(asked).unwrap();
    assert_eq!(std::path::Path::new(&folder), desk.shots());
}

/// Relative luminance as WCAG defines it.
fn luminance(color: [u8; 3]) -> f64 {
    let [r, g, b] = color.map(|channel| {
        let channel = f64::from(channel) / 255.0;
        if channel <= 0.04045 {
            channel / 12.92
        } else {
            ((channel + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let [a, b] = [a, b].map(luminance);
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Newest of `count` screenshots, once it is written.
fn screenshot(desk: &Desk, count: usize) -> Shot {
    let start = Instant::now();
    loop {
        let files = std::fs::read_dir(desk.shots()).into_iter().flatten();
        let paths = files.map(|file| file.unwrap().path());
        let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some()).collect();
        if paths.len() >= count {
            paths.sort_by_key(|path| path.metadata().unwrap().modified().unwrap());
            return read_png(&paths[paths.len() - 1]);
        }
        assert!(start.elapsed() < PATIENCE, "{paths:?}");
        std::thread::sleep(std::time::Duration::from_millis(30));
    }
}

pub(crate) fn read_png(path: &std::path::Path) -> Shot {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut rgba).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgba);
    let pixels = rgba.as_chunks::<4>().0.iter();
    Shot {
        width: info.width as usize,
        height: info.height as usize,
        rgb: pixels
            .map(|[r, g, b, a]| {
                assert_eq!(*a, 255, "the window is opaque");
                [*r, *g, *b]
            })
            .collect(),
    }
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_screenshot_is_what_the_window_shows_with_overlays_and_without() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused", "--frame", "3"]);
    let plain = desk.settled();
    let canvas = canvas(&plain).unwrap();
    desk.key("b e");
    desk.wait_for("drawings", |shot| {
        picture(shot, canvas) != picture(&plain, canvas)
    });
    let drawn = desk.settled();
    desk.key("F12");
    assert!(screenshot(&desk, 1) == picture(&drawn, canvas));
    desk.key("ctrl+F12");
    assert!(screenshot(&desk, 2) == picture(&plain, canvas));
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn the_picture_keeps_its_place_whatever_the_panels_say() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let at = canvas(&desk.settled());
    // Overrides add buttons that reset them.
    for key in [
        "l",
        "bracketright",
        "s",
        "y",
        "l",
        "period",
        "shift+bracketright",
        "ctrl+2",
        "ctrl+1",
    ] {
        desk.key(key);
        assert_eq!(canvas(&desk.settled()), at, "after {key}");
    }
}
