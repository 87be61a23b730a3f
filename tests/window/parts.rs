//! Tests of the list of meshes: showing, hiding, reordering and picking.

use std::thread::sleep;
use std::time::Duration;

use crate::desk::{Desk, Start};
use crate::fixture::{BLUE, GREEN, RED, overlapping, squares};
use crate::look::{Canvas, assert_square, bounds, canvas, difference, picture, risen};
use crate::x11::Shot;

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_click_hides_a_mesh_and_another_shows_it_again() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let start = desk.settled();
    let canvas = canvas(&start).unwrap();
    // The list is at the bottom of the right panel, with its switches at the left edge. Going upwards from the bottom, the
    // first click that has an effect hits the lowest row, which is the square at the back.
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
    desk.key("ctrl+d"); // clicks beside the switches select rows
    desk.wait_for("the same picture", |shot| {
        picture(shot, canvas) == picture(&start, canvas)
    });
}

/// Three squares on a screen with room for the whole list: red, green over a corner of it, and blue.
struct Three {
    desk: Desk,
    /// Screen with nothing picked.
    start: Shot,
    canvas: Canvas,
    /// Points with only red, with green over red, with only blue, and with nothing.
    red: [usize; 2],
    both: [usize; 2],
    blue: [usize; 2],
    nothing: [usize; 2],
}

impl Three {
    fn open() -> Self {
        let mut desk = Desk::start(&Start {
            file: &overlapping(),
            screen: [1024, 900],
            ..Start::default()
        });
        let start = desk.settled();
        let canvas = canvas(&start).unwrap();
        let [left, top, right, bottom] = bounds(&start, RED).unwrap();
        let [green_left, _, _, green_bottom] = bounds(&start, GREEN).unwrap();
        let [blue_left, blue_top, blue_right, blue_bottom] = bounds(&start, BLUE).unwrap();
        Self {
            desk,
            start,
            canvas,
            red: [left + 12, bottom - 12],
            both: [
                usize::midpoint(green_left, right),
                usize::midpoint(top, green_bottom),
            ],
            blue: [
                usize::midpoint(blue_left, blue_right),
                usize::midpoint(blue_top, blue_bottom),
            ],
            nothing: [canvas.x + 8, canvas.y + canvas.height - 8],
        }
    }

    /// Clicks a point and waits until the screen changes.
    fn choose(&mut self, [x, y]: [usize; 2]) -> Shot {
        let before = self.desk.settled();
        self.desk.click(x, y);
        let [x, y] = self.nothing; // the area under the pointer may look different
        self.desk.point(x, y);
        let canvas = self.canvas;
        self.desk.wait_for("another choice", |shot| {
            picture(shot, canvas) != picture(&before, canvas)
        });
        self.desk.settled()
    }

    fn choose_nothing(&mut self) {
        let (start, canvas) = (&self.start, self.canvas);
        self.desk.key("ctrl+d");
        self.desk.wait_for("no choice", |shot| {
            panel(shot, canvas) == panel(start, canvas)
        });
    }

    /// Vertical middle of the list row that is highlighted in `shot` but was not at the start.
    fn lit_row(&self, shot: &Shot) -> usize {
        let x = self.canvas.x + self.canvas.width + 6;
        let lit: Vec<usize> = (0..shot.height)
            .filter(|y| shot.at(x, *y) != self.start.at(x, *y))
            .collect();
        let rows: Vec<&[usize]> = lit.chunk_by(|a, b| a + 1 == *b).collect();
        let row = rows.iter().find(|row| (16..40).contains(&row.len()));
        let row = row.unwrap_or_else(|| panic!("no row is lit: {rows:?}"));
        row[row.len() / 2]
    }

    /// Screen bounds of the part of the picture that differs from the start.
    fn highlight(&self, shot: &Shot) -> Option<[usize; 4]> {
        let canvas = self.canvas;
        let part = difference(&picture(&self.start, canvas), &picture(shot, canvas));
        part.map(|[l, t, r, b]| [l + canvas.x, t + canvas.y, r + canvas.x, b + canvas.y])
    }
}

/// Left edge of the list, which shows the highlighted rows but no text.
fn panel(shot: &Shot, canvas: Canvas) -> Shot {
    shot.part(canvas.x + canvas.width + 6, 0, 1, shot.height)
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_click_on_the_picture_picks_what_lies_there_and_another_what_lies_below() {
    let mut three = Three::open();
    let square = |color| bounds(&three.start, color).unwrap();
    let [red, green, blue] = [RED, GREEN, BLUE].map(square);
    // The bones' joints are in the middle of the world, and the bone that owns the picked mesh is highlighted too.
    let shot = three.choose(three.blue);
    let lit = three.highlight(&shot).unwrap();
    assert!(
        lit[2].abs_diff(blue[2]) <= 12 && lit[1].abs_diff(blue[1]) <= 12,
        "{lit:?}"
    );
    let blue_row = three.lit_row(&shot);

    let shot = three.choose(three.both);
    let lit = three.highlight(&shot).unwrap();
    assert!(
        lit[1].abs_diff(green[1]) <= 12,
        "green's upper edge: {lit:?} {green:?}"
    );
    assert_eq!(
        shot.at(three.blue[0], three.blue[1]),
        BLUE,
        "blue is no longer highlighted"
    );
    let green_row = three.lit_row(&shot);
    let shot = three.choose(three.both);
    let lit = three.highlight(&shot).unwrap();
    assert!(
        lit[0].abs_diff(red[0]) <= 12 && lit[3].abs_diff(red[3]) <= 12,
        "red: {lit:?}"
    );
    let red_row = three.lit_row(&shot);
    assert!(blue_row < green_row && green_row < red_row, "topmost first");

    let details = difference(&three.start, &shot).unwrap();
    assert!(
        details[2] > three.canvas.x + three.canvas.width + 100,
        "the panel describes the mesh"
    );
    let (start, canvas, nothing) = (three.start.clone(), three.canvas, three.nothing);
    three.desk.click(nothing[0], nothing[1]);
    three.desk.wait_for("no choice", |shot| {
        picture(shot, canvas) == picture(&start, canvas)
    });
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn the_chosen_mesh_is_hidden_and_shown_alone_by_keys() {
    let mut three = Three::open();
    let colors = |shot: &Shot| [RED, GREEN, BLUE].map(|color| bounds(shot, color).is_some());
    let start = three.start.clone();
    let canvas = three.canvas;
    let same = |shot: &Shot| picture(shot, canvas) == picture(&start, canvas);

    three.choose(three.both);
    three.desk.key("h ctrl+d");
    three
        .desk
        .wait_for("green gone", |shot| colors(shot) == [true, false, true]);
    let hidden = three.desk.settled();
    assert_eq!(
        hidden.at(three.both[0], three.both[1]),
        RED,
        "the mesh below"
    );
    three.desk.key("r");
    three.desk.wait_for("everything again", same);

    three.choose(three.both);
    three.desk.key("shift+h ctrl+d");
    three
        .desk
        .wait_for("green alone", |shot| colors(shot) == [false, true, false]);
    three.choose(three.both);
    three.desk.key("shift+h ctrl+d");
    three.desk.wait_for("everything again", same);
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_row_that_is_dragged_takes_another_place_in_the_draw_order() {
    let mut three = Three::open();
    let shot = three.choose(three.red);
    let red_row = three.lit_row(&shot);
    let shot = three.choose(three.both);
    let green_row = three.lit_row(&shot);
    three.choose_nothing();
    let [x, y] = three.both;
    assert_eq!(three.start.at(x, y), GREEN);

    let along = three.canvas.x + three.canvas.width + 80;
    three.desk.press(along, green_row);
    for y in green_row.min(red_row)..=red_row.max(green_row) {
        three.desk.point(along, y);
    }
    three.desk.settled(); // the drop position is marked
    three.desk.release();
    three
        .desk
        .wait_for("red above green", |shot| shot.at(x, y) == RED);
    assert_eq!(
        bounds(&three.desk.settled(), BLUE),
        bounds(&three.start, BLUE)
    );
    three.desk.key("r");
    three
        .desk
        .wait_for("the file's order", |shot| shot.at(x, y) == GREEN);
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn weights_colour_what_the_chosen_bone_moves_and_the_atlas_shows_its_image() {
    let mut three = Three::open();
    let chosen = three.choose(three.blue);
    let canvas = three.canvas;
    let back = |shot: &Shot| picture(shot, canvas) == picture(&chosen, canvas);
    let [x, y] = three.blue;

    three.desk.key("w");
    three.desk.wait_for("weights", |shot| !back(shot));
    let weights = three.desk.settled();
    let [red_x, red_y] = three.red;
    let (full, none) = (weights.at(x, y), weights.at(red_x, red_y));
    assert_ne!(full, chosen.at(x, y), "blue follows only the picked bone");
    let apart: u32 = full
        .iter()
        .zip(none)
        .map(|(a, b)| u32::from(a.abs_diff(b)))
        .sum();
    assert!(apart > 100, "{full:?} and {none:?} cannot be told apart");
    three.desk.key("w");
    three.desk.wait_for("no weights", back);

    let blue = |shot: &Shot| shot.rgb.iter().filter(|pixel| **pixel == BLUE).count();
    three.desk.key("a");
    let atlas = three.desk.wait_for("the atlas", |shot| !back(shot));
    assert_eq!(atlas.width, chosen.width);
    let shot = three.desk.settled();
    assert!(blue(&shot) > blue(&chosen) + 200, "the blue image is shown");
    three.desk.key("a");
    three.desk.wait_for("no atlas", back);
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn the_filter_takes_what_is_typed_and_no_single_key_acts() {
    let mut three = Three::open();
    let shot = three.choose(three.blue);
    let row = three.lit_row(&shot);
    three.choose_nothing();
    let canvas = three.canvas;
    let x = canvas.x + canvas.width;
    let list = |shot: &Shot| shot.part(x + 12, row - 10, 120, 80);
    let before = three.desk.settled();
    // The filter field is right above the first row.
    three.desk.click(x + 150, row - 35);
    three.desk.settled(); // the field has the cursor
    // Each of these keys is a shortcut of an action, and no name contains them.
    three.desk.key("b e k h period 1");
    let typed = three
        .desk
        .wait_for("an empty list", |shot| list(shot) != list(&before));
    assert!(picture(&typed, canvas) == picture(&before, canvas));
    let typed = three.desk.settled();
    assert!(picture(&typed, canvas) == picture(&before, canvas));
    three
        .desk
        .key("BackSpace BackSpace BackSpace BackSpace BackSpace BackSpace");
    three
        .desk
        .wait_for("all meshes", |shot| list(shot) == list(&before));
}
