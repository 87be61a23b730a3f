//! Tests of dropped, pasted and rewritten files, and of stepping through a folder. The test process plays the drag source of XDND.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::thread::sleep;
use std::time::Duration;

use crate::desk::{BACKGROUND, Desk, SCREEN, until};
use crate::fixture::{BLUE, GREEN, RED, squares};
use crate::look::{anywhere, assert_square, bounds, canvas, picture, risen};
use crate::x11::Shot;

const WHITE: [u8; 3] = [250; 3];
const YELLOW: [u8; 3] = [220, 200, 20];

/// Returns true if something lies over a picture that is not dimmed.
fn is_covered(shot: &Shot, before: &Shot) -> bool {
    let canvas = canvas(before).unwrap();
    bounds(shot, BACKGROUND).is_some() && picture(shot, canvas) != picture(before, canvas)
}

#[test]
#[cfg_attr(skip_window_tests, ignore = "needs an X server and an adapter: PCHR_TEST_WINDOW=1")]
fn what_is_dropped_or_pasted_is_opened_and_a_bad_file_leaves_the_picture() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused", "--frame", "1"]);
    let before = desk.settled();
    let place = canvas(&before).unwrap();
    let mut bad = squares(BLUE);
    bad.truncate(bad.len() - 7);
    let bad = desk.file("bad.pchr", &bad);
    let at = [SCREEN[0] / 4, SCREEN[1] / 2].map(u32::from);

    let window = desk.window;
    let [width, height] = SCREEN;
    let mut hovering = None;
    desk.x11.drop_file(window, bad.to_str().unwrap(), at, |x11| {
        hovering = Some(until(|| {
            let shot = x11.shot(width, height);
            (shot != before).then_some(shot).ok_or("hovering does not change the window")
        }));
    });
    assert_eq!(bounds(&hovering.unwrap(), BACKGROUND), None, "the picture dims under a file");

    // The error lies over the picture, which stays as it was.
    desk.wait_for("the error over the old picture", |shot| is_covered(shot, &before));
    let shown = desk.settled();
    assert!(is_covered(&shown, &before));
    assert_square(&shown, GREEN, risen(1));
    assert_eq!(bounds(&shown, BLUE), None);

    desk.key("Escape");
    let after =
        desk.wait_for("the old picture", |shot| picture(shot, place) == picture(&before, place));
    assert_square(&after, GREEN, risen(1));

    // Addresses are written in several ways.
    let folder = desk.folder().to_owned();
    let at = folder.to_str().unwrap().to_owned();
    let japanese = OsStr::from_bytes(b"\x83e\x83X.pchr");
    fs::write(folder.join(japanese), squares(BLUE)).unwrap();
    desk.file("white.pchr", &squares(WHITE));
    desk.file("yellow.pchr", &squares(YELLOW));
    for (list, color) in [
        (format!("file://localhost{at}/white.pchr\r\n"), WHITE),
        (format!("file://{at}/%83e%83X.pchr\r\n"), BLUE),
        (format!("file://{at}/yellow.pchr\n"), YELLOW),
    ] {
        desk.x11.drop_list(window, list.as_bytes(), [300, 300], |_| {});
        desk.wait_for(&list, |shot| bounds(shot, color).is_some());
    }
    // No file: the reason is shown.
    let before = desk.settled();
    desk.x11.drop_list(window, b"https://host/a.pchr\r\n", [300, 300], |_| {});
    desk.wait_for("the error", |shot| is_covered(shot, &before));
    desk.key("Escape");

    // A link that is dropped stays a link.
    let link = desk.folder().join("link.pchr");
    let point_to = |name: &str| {
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(name, &link).unwrap();
    };
    point_to("white.pchr");
    desk.drop_file(&link);
    desk.wait_for("the first", |shot| bounds(shot, WHITE).is_some());
    point_to("yellow.pchr");
    desk.wait_for("the second", |shot| bounds(shot, YELLOW).is_some());

    // A path on the clipboard.
    desk.copy(desk.file("pasted one.pchr", &squares(BLUE)).to_str().unwrap());
    desk.key("ctrl+v");
    desk.wait_for("the blue square", |shot| bounds(shot, BLUE).is_some());
    let shot = desk.settled();
    assert_eq!(bounds(&shot, YELLOW), None);
    assert_square(&shot, BLUE, risen(0));

    // A folder is a gallery and a list to walk through.
    let folder = desk.folder().join("exports");
    fs::create_dir(&folder).unwrap();
    for (name, color) in [("1 blue.pchr", BLUE), ("2 white.pchr", WHITE), ("readme.txt", GREEN)] {
        fs::write(folder.join(name), squares(color)).unwrap();
    }
    desk.x11.drop_file(desk.window, folder.to_str().unwrap(), [300, 300], |_| {});
    let shows =
        |color| move |shot: &Shot| bounds(shot, RED).is_some() && bounds(shot, color).is_some();
    let is_gallery = |shot: &Shot| canvas(shot).is_none() && anywhere(shot, BLUE).is_some();
    desk.wait_for("the gallery", is_gallery);
    desk.key("Return");
    desk.wait_for("the first file", shows(BLUE));
    desk.key("Right Right");
    assert_square(&desk.settled(), BLUE, risen(2));
    desk.key("ctrl+Right");
    desk.wait_for("the second file", shows(WHITE));
    desk.key("ctrl+Left");
    desk.wait_for("the first file again", shows(BLUE));
    assert_square(&desk.settled(), BLUE, risen(2));
    desk.key("Escape");
    desk.wait_for("the gallery again", is_gallery);
}

/// Pseudo-random numbers, the same in every run.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % end
    }
}

#[test]
#[cfg_attr(skip_window_tests, ignore = "needs an X server and an adapter: PCHR_TEST_WINDOW=1")]
fn two_hundred_bad_versions_leave_the_picture_and_a_good_one_appears_where_one_looked() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused", "--frame", "2"]);
    let canvas = canvas(&desk.settled()).unwrap();
    // A camera moved by the user.
    desk.key("minus minus minus shift+Right");
    let before = desk.settled();
    let [red, green] = [RED, GREEN].map(|color| bounds(&before, color).unwrap());
    let in_place = |shot: &Shot, color, square| bounds(shot, color) == Some(square);

    let path = desk.path();
    let good = squares(BLUE);
    let mut numbers = Numbers(7);
    for round in 0..200 {
        let cut = numbers.below(good.len());
        match round % 8 {
            0 => fs::write(&path, &good[..cut]).unwrap(),
            1 => fs::write(&path, []).unwrap(),
            2 => {
                let garbage: Vec<u8> = (0..cut).map(|_| numbers.below(256) as u8).collect();
                fs::write(&path, garbage).unwrap();
            }
            3 => {
                // Written in two steps, still without the last byte.
                let half = good.len() / 2;
                fs::write(&path, &good[..half]).unwrap();
                sleep(Duration::from_millis(5));
                fs::write(&path, &good[..good.len() - 1]).unwrap();
            }
            4 => {
                fs::rename(desk.file("written aside.tmp", &good[..cut]), &path).unwrap();
            }
            5 => {
                fs::remove_file(&path).unwrap();
                sleep(Duration::from_millis(5));
                fs::write(&path, &good[..cut]).unwrap();
            }
            6 => {
                // A folder in place of the file.
                fs::remove_file(&path).unwrap();
                fs::create_dir(&path).unwrap();
                sleep(Duration::from_millis(10));
                fs::remove_dir(&path).unwrap();
            }
            _ => {
                let mut changed = good.clone();
                let at = numbers.below(64);
                changed[at] ^= 0xff;
                changed.truncate(cut.max(at));
                fs::write(&path, changed).unwrap();
            }
        }
        // Now and then there is time to read the file.
        let wait = if round % 10 == 9 { 250 } else { numbers.below(20) };
        sleep(Duration::from_millis(wait as u64));
        desk.assert_running();
        if round % 10 == 9 {
            let shot = desk.shot();
            assert!(in_place(&shot, RED, red) && in_place(&shot, GREEN, green), "round {round}");
        }
    }

    fs::rename(desk.file("written aside.tmp", &good), &path).unwrap();
    // The view shows the same frame, paused, from the same camera.
    desk.wait_for("the good version", |shot| {
        in_place(shot, RED, red) && in_place(shot, BLUE, green)
    });
    let after = desk.settled();
    assert!(in_place(&after, BLUE, green) && bounds(&after, GREEN).is_none());
    desk.key("period f");
    desk.wait_for("keys do what they do", |shot| {
        bounds(shot, BLUE).is_some_and(|square| square != green)
    });
    assert_eq!(crate::look::canvas(&desk.settled()), Some(canvas));
}
