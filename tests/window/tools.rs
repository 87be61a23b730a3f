//! Tests of tools on the picture: those that captures include, and those that only the window has.

use std::os::unix::fs::PermissionsExt as _;

use crate::command::{assert_captured, ten_views};
use crate::desk::{BACKGROUND, Desk, Start};
use crate::fixture::{GREEN, squares};
use crate::look::{canvas, picture};

/// Colour that nothing else on the screen has.
const REFERENCE: [u8; 3] = [250, 10, 200];

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_grid_a_followed_bone_and_hidden_bones_are_captured_as_they_are_shown() {
    let mut desk = Desk::open_sample();
    let canvas = canvas(&desk.settled()).unwrap();
    desk.click(canvas.x + canvas.width / 2, canvas.y + canvas.height / 2);
    desk.key("shift+f");
    let keys = "g period period ctrl+h plus shift+Right b";
    let lines = ten_views(&mut desk, keys, 11, |_, _, _, _| ());
    for part in ["grid", "--hide", "bone="] {
        assert!(lines.contains(part), "no view has {part}:\n{lines}");
    }
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_reference_is_seen_in_the_window_and_left_out_of_captures() {
    // A stand-in for the file dialog that answers at once.
    let folder = tempfile::tempdir().unwrap();
    let reference = folder.path().join("reference.png");
    let file = std::fs::File::create(&reference).unwrap();
    let mut encoder = png::Encoder::new(file, 4, 4);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&REFERENCE.repeat(16)).unwrap();
    writer.finish().unwrap();
    let dialog = folder.path().join("zenity");
    let script = format!("#!/bin/sh\necho '{}'\n", reference.display());
    std::fs::write(&dialog, script).unwrap();
    std::fs::set_permissions(&dialog, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", folder.path().display());
    let mut desk = Desk::start(&Start {
        file: &squares(GREEN),
        options: &["--paused"],
        variables: &[("PATH", &path)],
        ..Start::default()
    });
    let canvas = canvas(&desk.settled()).unwrap();
    let before = picture(&desk.settled(), canvas);
    let mixed: Vec<u8> = { BACKGROUND.iter().zip(REFERENCE) }
        .map(|(under, over)| under.midpoint(over))
        .collect();
    let is_mixed = |rgb: &[u8; 3]| {
        let pairs = rgb.iter().zip(&mixed);
        pairs.map(|(a, b)| a.abs_diff(*b)).max() <= Some(2)
    };
    desk.key("shift+k");
    desk.wait_for("the reference", |shot| {
        picture(shot, canvas)
            .rgb
            .iter()
            .filter(|rgb| is_mixed(rgb))
            .count()
            > 1000
    });
    assert_captured(&mut desk, &before, "");
    desk.key("Escape");
    desk.key("shift+k");
    desk.wait_for("the picture alone", |shot| picture(shot, canvas) == before);
    // A right click opens a menu over the picture, and Escape closes it.
    let [x, y] = [canvas.x + 20, canvas.y + 20].map(|at| at.to_string());
    desk.xdotool(&["mousemove", &x, &y, "click", "3"]);
    desk.wait_for("a menu", |shot| picture(shot, canvas) != before);
    desk.key("Escape");
    desk.wait_for("the picture again", |shot| picture(shot, canvas) == before);
}
