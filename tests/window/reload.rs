//! Tests of a file that is rewritten again and again while it is shown.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use crate::desk::{Desk, Start};
use crate::fixture::{BLUE, GREEN, RED, squares};
use crate::look::{assert_square, bounds, canvas, picture, risen};
use crate::x11::Shot;

/// Pseudo-random numbers, the same in every run.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % end
    }
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
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
                let other = desk.file("written aside.tmp", &good[..cut]);
                fs::rename(other, &path).unwrap();
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
        let wait = if round % 10 == 9 {
            250
        } else {
            numbers.below(20)
        };
        sleep(Duration::from_millis(wait as u64));
        desk.assert_running();
        if round % 10 == 9 {
            let shot = desk.shot();
            assert!(
                in_place(&shot, RED, red) && in_place(&shot, GREEN, green),
                "round {round}"
            );
        }
    }

    let aside = desk.file("written aside.tmp", &good);
    fs::rename(aside, &path).unwrap();
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

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_file_that_could_not_be_opened_is_shown_when_it_can_be_and_the_error_goes() {
    let mut desk = Desk::start(&Start {
        file: b"nothing yet",
        options: &["--paused", "--frame", "1"],
        drawn: |shot| canvas(shot).is_some(),
        ..Start::default()
    });
    let empty = desk.settled();
    assert_eq!(bounds(&empty, RED), None);
    let path = desk.path();
    fs::write(&path, squares(GREEN)).unwrap();
    desk.wait_for("the file", |shot| bounds(shot, RED).is_some());
    let shown = desk.settled();
    assert_square(&shown, GREEN, risen(1)); // all of it: no card covers it
    let clean = picture(&shown, canvas(&shown).unwrap());

    // The same for dropped files: the one that is shown, and another.
    let whole = canvas(&shown).unwrap();
    fs::write(&path, b"damaged").unwrap();
    desk.wait_for("the note", |shot| *shot != shown);
    let noted = desk.settled();
    desk.drop_file(&path);
    desk.wait_for("the error", |shot| *shot != noted);
    desk.settled();
    fs::write(&path, squares(GREEN)).unwrap();
    desk.wait_for("the picture without the error", |shot| {
        picture(shot, whole) == clean
    });
    let other = desk.file("other.pchr", b"damaged");
    desk.drop_file(&other);
    desk.wait_for("the error", |shot| picture(shot, whole) != clean);
    desk.settled();
    desk.file("other.pchr", &squares(BLUE));
    desk.wait_for("the other file", |shot| bounds(shot, BLUE).is_some());
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_folder_that_is_made_again_or_exchanged_stays_watched_and_f5_reads_it() {
    let mut desk = Desk::start(&Start {
        file: &squares(GREEN),
        name: "out/hero.pchr",
        options: &["--paused"],
        ..Start::default()
    });
    let path = desk.path();
    let folder = path.parent().unwrap().to_owned();
    let shows = |desk: &mut Desk, what: &str, color| {
        desk.wait_for(what, |shot| {
            bounds(shot, RED).is_some() && bounds(shot, color).is_some()
        });
    };
    fs::remove_dir_all(&folder).unwrap();
    fs::create_dir(&folder).unwrap();
    fs::write(&path, squares(BLUE)).unwrap();
    shows(&mut desk, "the file in the new folder", BLUE);
    fs::write(&path, squares([250; 3])).unwrap();
    shows(&mut desk, "the next export", [250; 3]);
    desk.file("new/hero.pchr", &squares(GREEN));
    fs::rename(&folder, folder.with_extension("old")).unwrap();
    fs::rename(folder.with_file_name("new"), &folder).unwrap();
    shows(&mut desk, "the file in the exchanged folder", GREEN);
    // While nothing moves, nothing is drawn and hardly anything is looked at.
    desk.settled();
    let ticks = desk.cpu_ticks();
    sleep(Duration::from_secs(5));
    let used = desk.cpu_ticks() - ticks;
    assert!(used <= 5, "{used} ticks of processor time in 5 seconds");
    fs::remove_dir_all(&folder).unwrap();
    fs::create_dir(&folder).unwrap();
    fs::write(&path, squares(BLUE)).unwrap();
    desk.key("F5");
    shows(&mut desk, "the file that is read again", BLUE);
    fs::write(&path, squares([250; 3])).unwrap();
    shows(&mut desk, "the export after that", [250; 3]);
}
