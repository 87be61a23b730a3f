//! Tests of formats other than PCHR v1: Pachario JSON with separate images, and legacy packed files.

use std::fs;
use std::time::Instant;

use pchr::format::json::Dialect;

use crate::command::assert_captured;
use crate::desk::{Desk, PATIENCE, Start};
use crate::fixture::{BLUE, GREEN, RED, exported, packed, squares};
use crate::look::{assert_square, bounds, canvas, frame_of, makes_room, picture, risen};
use crate::x11::Shot;

const WHITE: [u8; 3] = [250; 3];

fn shows(color: [u8; 3]) -> impl Fn(&Shot) -> bool {
    move |shot| bounds(shot, RED).is_some() && bounds(shot, color).is_some()
}

/// Screen after a file is dropped, paused in its first frame.
fn dropped(desk: &mut Desk, name: &str, file: &[u8]) -> Shot {
    // Another file is shown before.
    let other = desk.file("other.pchr", &squares(WHITE));
    desk.drop_file(&other);
    desk.wait_for("the other file", shows(WHITE));
    let path = desk.file(name, file);
    desk.drop_file(&path);
    desk.wait_for(name, shows(GREEN));
    let shot = desk.settled();
    picture(&shot, canvas(&shot).unwrap())
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn every_format_of_a_document_looks_the_same_and_plays() {
    let mut desk = Desk::open(&squares(BLUE), &["--paused"]);
    let wanted = dropped(&mut desk, "file.pchr", &squares(GREEN));
    for dialect in [Dialect::Pchr, Dialect::Pachario] {
        let (text, images) = exported(GREEN, dialect, "textures/");
        for (path, png) in &images {
            desk.file(path, png);
        }
        let shown = dropped(&mut desk, "text.json", &text);
        assert!(shown == wanted, "{dialect:?} looks otherwise");
    }
    let [file, legacy] = packed(GREEN);
    let wanted = dropped(&mut desk, "one.pchr", &file);
    // The file name does not matter.
    let shown = dropped(&mut desk, "legacy.bin", &legacy);
    assert!(shown == wanted, "the legacy packed file looks different");

    desk.key("space");
    let (mut met, start) = ([false; 5], Instant::now());
    while met.contains(&false) {
        if let Some(frame) = frame_of(&desk.shot()) {
            met[usize::from(frame)] = true;
        }
        assert!(start.elapsed() < PATIENCE, "frames seen: {met:?}");
    }
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn an_image_file_that_is_exported_again_is_seen_and_a_bad_one_leaves_the_picture() {
    let (text, images) = exported(GREEN, Dialect::Pachario, "textures/");
    let mut desk = Desk::start(&Start {
        file: &text,
        name: "squares.json",
        beside: &images,
        options: &["--paused", "--frame", "2"],
        ..Start::default()
    });
    // A camera moved by the user.
    desk.key("minus minus shift+Right");
    let before = desk.settled();
    let square = bounds(&before, GREEN).unwrap();
    let in_place = |color| move |shot: &Shot| bounds(shot, color) == Some(square);

    let png = |color| exported(color, Dialect::Pachario, "").1.remove(1).1;
    let path = desk.folder().join("textures/1.png");
    fs::write(&path, png(BLUE)).unwrap();
    desk.wait_for("the image in blue", in_place(BLUE));
    let blue = desk.settled();
    assert_eq!(bounds(&blue, GREEN), None);

    // Half the file, an empty file, and no file: a note appears over the picture, which stays.
    let good = png(WHITE);
    let bad: [&dyn Fn(); 3] = [
        &|| fs::write(&path, &good[..good.len() / 2]).unwrap(),
        &|| fs::write(&path, []).unwrap(),
        &|| fs::remove_file(&path).unwrap(),
    ];
    for bad in bad {
        fs::write(&path, png(BLUE)).unwrap();
        desk.wait_for("the good one without a note", |shot| *shot == blue);
        bad();
        let noted = desk.wait_for("a note", |shot| *shot != blue);
        assert!(in_place(BLUE)(&noted));
        assert!(in_place(BLUE)(&desk.settled()));
    }
    let aside = desk.file("textures/1.tmp", &good);
    fs::rename(aside, &path).unwrap();
    desk.wait_for("the image in white", in_place(WHITE));
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_text_without_its_image_leaves_the_picture_and_shows_an_error() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused", "--frame", "1"]);
    let before = desk.settled();
    let canvas = canvas(&before).unwrap();
    let (text, images) = exported(BLUE, Dialect::Pchr, "");
    let path = desk.file("hero.json", &text);
    for there in [&images[..0], &images[..1]] {
        for (path, png) in there {
            desk.file(path, png);
        }
        desk.drop_file(&path);
        let card = |shot: &Shot| makes_room(shot, canvas);
        desk.wait_for("the error above the old picture", card);
        let shown = desk.settled();
        assert!(card(&shown));
        assert_eq!(bounds(&shown, BLUE), None);
        desk.key("Escape");
        desk.wait_for("the old picture", |shot| {
            picture(shot, canvas) == picture(&before, canvas)
        });
    }
    let (name, png) = &images[1];
    desk.file(name, png);
    desk.drop_file(&path);
    desk.wait_for("the text with its images", shows(BLUE));
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn images_outside_of_the_folder_are_shown_and_captured_if_that_is_allowed() {
    let (text, images) = exported(BLUE, Dialect::Pchr, "../");
    for options in [&["--paused"][..], &["--paused", "--allow-outside"]] {
        let mut desk = Desk::open(&squares(GREEN), options);
        let before = desk.settled();
        let canvas = canvas(&before).unwrap();
        for (path, png) in &images {
            desk.file(&path.replace("../", ""), png);
        }
        let path = desk.file("in/squares.json", &text);
        desk.drop_file(&path);
        if options.len() == 1 {
            let card = |shot: &Shot| makes_room(shot, canvas);
            desk.wait_for("the error above the old picture", card);
            let shown = desk.settled();
            assert!(card(&shown));
            assert_eq!(bounds(&shown, BLUE), None);
            continue;
        }
        desk.wait_for("the file", shows(BLUE));
        let shot = desk.settled();
        assert_square(&shot, BLUE, risen(0));
        let line = assert_captured(&mut desk, &picture(&shot, canvas), "");
        assert!(line.contains(" --allow-outside "), "{line}");
    }
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn texts_are_walked_to_and_json_about_something_else_is_passed_by() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let (text, images) = exported(BLUE, Dialect::Pachario, "");
    for (path, png) in &images {
        desk.file(&format!("exports/{path}"), png);
    }
    desk.file("exports/1 blue.json", &text);
    desk.file("exports/2 package.json", br#"{"version":"1.0.0"}"#);
    desk.file("exports/3 white.pchr", &squares(WHITE));
    let folder = desk.folder().join("exports");
    desk.drop_file(&folder);
    desk.wait_for("the text", shows(BLUE));
    desk.key("ctrl+Right");
    desk.wait_for("the file behind the other JSON", shows(WHITE));
    desk.key("ctrl+Left");
    desk.wait_for("the text again", shows(BLUE));
    assert_square(&desk.settled(), BLUE, risen(0));
}
