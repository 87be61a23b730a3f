//! Tests of an atlas in the window: flip-books play, sprites are picked on pages, and the text and pages are reloaded.

use crate::command::{click, ten_views};
use crate::desk::{BACKGROUND, Desk, Start};
use crate::fixture::{BLUE, GREEN, RED, squares};
use crate::look::{Canvas, bounds, canvas};
use crate::sheet::{SIDE, Sheet, sheet};
use crate::x11::Shot;

const YELLOW: [u8; 3] = [220, 200, 20];
const PINK: [u8; 3] = [250, 60, 200];
const WALK: [[u8; 3]; 4] = [RED, GREEN, BLUE, YELLOW];

fn open_with(sheet: &Sheet, options: &[&str]) -> Desk {
    Desk::start(&Start {
        file: sheet.text.as_bytes(),
        name: "squares.pct",
        beside: &sheet.pages,
        options,
        ..Start::default()
    })
}

fn open(options: &[&str]) -> Desk {
    open_with(&sheet(WALK, PINK), options)
}

/// Colour near the middle of the picture, where a picked sprite's triangles have no edge.
fn middle(shot: &Shot, canvas: Canvas) -> [u8; 3] {
    let aside = canvas.width.min(canvas.height) / 8;
    let (x, y) = (canvas.width / 2 + aside, canvas.height / 2 - aside);
    shot.at(canvas.x + x, canvas.y + y)
}

fn center([left, top, right, bottom]: [usize; 4]) -> [usize; 2] {
    [usize::midpoint(left, right), usize::midpoint(top, bottom)]
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_flip_book_plays_in_the_order_of_its_numbers() {
    let mut desk = open(&["--speed", "0.05"]);
    desk.key("n"); // blended pixels have no clear edge
    let canvas = canvas(&desk.shot()).unwrap();
    for color in WALK.into_iter().chain(WALK) {
        desk.wait_for("a frame", |shot| middle(shot, canvas) == color);
    }
    // Fitted to the view, with a margin on each side.
    desk.key("space");
    let shot = desk.settled();
    let shown = middle(&shot, canvas);
    let [left, top, right, bottom] = bounds(&shot, shown).unwrap();
    let side = canvas.height * 9 / 10;
    assert!((bottom - top).abs_diff(side) <= 2 && (right - left).abs_diff(side) <= 2);
    // The next clip is a wider sprite.
    desk.key("Next");
    let shot = desk.wait_for("the sword", |shot| middle(shot, canvas) == [250; 3]);
    let [left, top, right, bottom] = bounds(&shot, [250; 3]).unwrap();
    assert!(((right - left) * 2).abs_diff((bottom - top) * 3) <= 4);
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_click_on_the_page_shows_a_sprite_and_its_page_follows_what_is_chosen() {
    let mut desk = open(&["--paused"]);
    let wide = canvas(&desk.settled()).unwrap();
    desk.key("a");
    let shot = desk.wait_for("the page", |shot| bounds(shot, YELLOW).is_some());
    let canvas = canvas(&shot).unwrap();
    assert!(canvas.x > wide.x + 150, "the page lies beside the picture");
    for color in [GREEN, YELLOW, BLUE] {
        let shot = desk.settled();
        // The page is left of the picture.
        let page = shot.part(0, 0, canvas.x, shot.height);
        let [x, y] = center(bounds(&page, color).unwrap());
        desk.click(x, y);
        desk.wait_for("the sprite in the picture", |shot| {
            middle(shot, canvas) == color
        });
    }
    // The next clips are on this page, then on the other page, which appears with its sprite picked.
    desk.key("Next Next");
    let shot = desk.wait_for("the spark", |shot| middle(shot, canvas) == PINK);
    let page = |shot: &Shot| shot.part(0, 0, canvas.x, shot.height);
    assert_eq!(bounds(&page(&shot), PINK), None);
    desk.click(canvas.x + canvas.width / 2, canvas.y + canvas.height / 2);
    desk.wait_for("its page", |shot| bounds(&page(shot), PINK).is_some());
    desk.key("Escape Escape");
    desk.wait_for("the picture alone", |shot| {
        crate::look::canvas(shot) == Some(wide)
    });
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_page_and_the_text_are_read_again_alone() {
    let mut desk = open(&["--paused"]);
    let canvas = canvas(&desk.settled()).unwrap();
    desk.key("period");
    desk.wait_for("the second frame", |shot| middle(shot, canvas) == GREEN);
    // Another page.
    let other = sheet([RED, [10, 90, 90], BLUE, YELLOW], PINK);
    desk.file("a.png", &other.pages[0].1);
    desk.wait_for("the new page", |shot| middle(shot, canvas) == [10, 90, 90]);
    // Another text, in which the former third square is the second.
    let text = other
        .text
        .replace("walk_#1-4", "walk_1,0/walk_3,0/walk_2,0/walk_4");
    desk.file("squares.pct", text.as_bytes());
    desk.wait_for("the new text", |shot| middle(shot, canvas) == BLUE);
    // A partly written page leaves the picture unchanged.
    let half = &other.pages[0].1[..60];
    desk.file("a.png", half);
    let shot = desk.settled();
    assert_eq!(middle(&shot, canvas), BLUE);
    desk.file("a.png", &sheet(WALK, PINK).pages[0].1);
    desk.settled();
    // A missing page is reported, and the other one stays usable.
    std::fs::remove_file(desk.folder().join("a.png")).unwrap();
    let colors = [[224, 64, 176], [48, 16, 40]];
    let placeholder = |shot: &Shot| colors.iter().any(|color| bounds(shot, *color).is_some());
    desk.wait_for("a placeholder", placeholder);
    desk.key("Next Next");
    desk.wait_for("the other page", |shot| middle(shot, canvas) == PINK);
    desk.key("Prior Prior");
    desk.wait_for("the placeholder again", placeholder);
    desk.file("a.png", &sheet(WALK, PINK).pages[0].1);
    desk.wait_for("the page again", |shot| middle(shot, canvas) == RED);
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn ten_views_of_an_atlas_are_captured_by_the_commands_that_they_are_copied_as() {
    let mut desk = open(&["--paused"]);
    let keys = "e u o d k n y period period Next Next plus minus shift+Right Up h shift+h r alt+h";
    let lines = ten_views(&mut desk, keys, 11, |desk, canvas, numbers, view| {
        if view % 2 == 0 {
            click(desk, canvas, numbers, 3);
            desk.key(["h", "shift+h", "period"][view / 2 % 3]);
        }
    });
    for part in [
        "squares.pct",
        "-a ",
        "-f ",
        "checker:",
        "wireframe",
        "bounds",
        "origin",
        "order",
        "mesh=",
        "nearest",
        "--y-down",
        "--zoom",
    ] {
        assert!(lines.contains(part), "no view has {part}:\n{lines}");
    }
    let hidden = ["--hide", "--only", "--show"];
    assert!(hidden.iter().any(|part| lines.contains(part)), "{lines}");
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn atlases_and_characters_are_dropped_and_walked_through_alike() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let canvas = canvas(&desk.settled()).unwrap();
    let folder = desk.folder().join("art");
    std::fs::create_dir(&folder).unwrap();
    let atlas = sheet([YELLOW; 4], PINK);
    for (name, bytes) in &atlas.pages {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
    std::fs::write(folder.join("1.pct"), &atlas.text).unwrap();
    std::fs::write(folder.join("2.pchr"), squares(BLUE)).unwrap();
    desk.drop_file(&folder.join("1.pct"));
    let shown = |shot: &Shot, color| bounds(shot, color).is_some();
    let shot = desk.wait_for("the atlas", |shot| middle(shot, canvas) == YELLOW);
    assert!(!shown(&shot, RED) && !shown(&shot, GREEN));
    desk.settled(); // its neighbours in the folder are found
    desk.key("ctrl+Right");
    desk.wait_for("the character", |shot| {
        shown(shot, BLUE) && shown(shot, RED)
    });
    desk.key("a ctrl+Left");
    let shot = desk.wait_for("the atlas and its page", |shot| {
        shown(shot, YELLOW) && !shown(shot, BLUE) && shown(shot, [250; 3])
    });
    assert!(shown(&shot, BACKGROUND) && !shown(&shot, PINK));
    assert!(bounds(&shot, [250; 3]).is_some_and(|[l, _, r, _]| r - l > SIDE as usize));
}
