//! Tests of a 3D motion in the window: the copied command captures the picture in the window.

use std::time::Duration;

use crate::command::{captured, copied};
use crate::desk::{BACKGROUND, Desk, Start};
use crate::look::{Canvas, canvas, difference, picture};
use crate::reload::Numbers;
use crate::rig;
use crate::x11::Shot;

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
    std::thread::sleep(Duration::from_millis(50));
    desk.point(usize::midpoint(x0, x1), usize::midpoint(y0, y1));
    desk.point(x1, y1);
    std::thread::sleep(Duration::from_millis(50));
    desk.release();
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
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
    let canvas = canvas(&desk.settled()).unwrap();
    let keys = "1 3 7 5 z m x p g shift+b shift+o shift+t f period comma plus minus Up shift+Right";
    let keys: Vec<&str> = keys.split(' ').collect();
    let mut numbers = Numbers(29);
    let (mut line, mut lines) = (String::new(), Vec::new());
    for view in 0..10 {
        for _ in 0..5 {
            desk.key(keys[numbers.below(keys.len())]);
        }
        drag(&mut desk, canvas, &mut numbers);
        if view % 3 == 0 {
            desk.click(canvas.x + canvas.width / 2, canvas.y + canvas.height / 2);
        }
        let shown = picture(&desk.settled(), canvas);
        assert!(has_bones(&shown));
        line = copied(&desk, &line);
        let captured = captured(&desk, &line);
        assert_eq!(
            [captured.width, captured.height],
            [shown.width, shown.height],
            "{line}"
        );
        let below = |shot: &Shot| shot.part(0, AXES, shot.width, shot.height - AXES);
        assert_eq!(
            difference(&below(&captured), &below(&shown)),
            None,
            "{line}"
        );
        lines.push(line.clone());
        desk.key("Escape");
        desk.wait_for("the picture alone", |shot| {
            below(&picture(shot, canvas)) == below(&shown)
        });
    }
    let lines = lines.join("\n");
    for part in [
        "--view", "--fov", "names", "axes", "onion=", "--center", "--zoom",
    ] {
        assert!(lines.contains(part), "no view has {part}:\n{lines}");
    }
}
