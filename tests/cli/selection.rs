//! Tests of the selection of animations, frames, times, meshes and the bind pose.

use crate::desk::{Desk, Picture};
use crate::fixture::{BLUE, Builder, CLIPS, GREEN, RED, at, puppet};

/// Columns that red covers under the plain camera, if any.
fn red_columns(picture: &Picture) -> Option<std::ops::RangeInclusive<usize>> {
    picture.extent(RED).map(|(columns, _)| columns)
}

#[test]
fn the_first_animation_but_the_bind_pose_is_the_default() {
    let desk = Desk::new();
    let shown = desk.plain(&["-f", "3"]);
    assert_eq!(red_columns(&shown), Some(70..=109));
    assert_eq!(shown, desk.plain(&["-a", "walk", "-f", "3"]));
}

#[test]
fn an_animation_is_chosen_by_name_or_by_index() {
    let desk = Desk::new();
    for (index, (name, _)) in CLIPS.iter().enumerate() {
        let by_index = desk.plain(&["-a", &index.to_string()]);
        assert_eq!(desk.plain(&["-a", name]), by_index, "{name}");
    }
    assert_eq!(desk.plain(&["-a", "blink", "-f", "1"]).count(GREEN), 0);
    assert_eq!(desk.plain(&["--animation", "blink"]).count(GREEN), 1600);
}

#[test]
fn a_name_made_of_digits_is_a_name_first() {
    let desk = Desk::new();
    let mut named = puppet();
    named.parts.animations[2].name = "1".into();
    desk.put("named.pchr", &named);
    desk.capture("named.pchr", &["-a", "1", "-f", "1", "-o", "a.png"]);
    assert_eq!(desk.picture("a.png").count(GREEN), 0);
}

#[test]
fn all_animations_are_captured_with_all_their_frames() {
    let desk = Desk::new();
    desk.capture(
        "puppet.pchr",
        &[
            "-a",
            "all",
            "-f",
            "all",
            "-o",
            "out/{file}-{animation}.{frame:03}.png",
        ],
    );
    let wanted: Vec<String> = CLIPS
        .iter()
        .flat_map(|(name, count)| (0..*count).map(move |i| format!("puppet-{name}.{i:03}.png")))
        .collect();
    let mut files: Vec<String> = desk.files("out").into_keys().collect();
    files.sort_by_key(|file| wanted.iter().position(|name| name == file));
    assert_eq!(files, wanted);
}

#[test]
fn each_form_of_a_frame_choice_makes_its_files() {
    let desk = Desk::new();
    for (spec, frames) in [
        ("2", &[2][..]),
        ("0..2", &[0, 1]),
        ("0..=2", &[0, 1, 2]),
        ("0..4:2", &[0, 2]),
        ("1..=3:2", &[1, 3]),
        ("3,0..=1", &[0, 1, 3]),
        ("all", &[0, 1, 2, 3]),
    ] {
        desk.capture("puppet.pchr", &["-f", spec, "-o", "out/{frame}.png"]);
        let files: Vec<String> = desk.files("out").into_keys().collect();
        let wanted: Vec<String> = frames.iter().map(|frame| format!("{frame}.png")).collect();
        assert_eq!(files, wanted, "{spec}");
        desk.remove("out");
    }
}

#[test]
fn frames_show_what_the_file_has() {
    let desk = Desk::new();
    for frame in 0..4 {
        let shown = desk.plain(&["-f", &frame.to_string()]);
        let left = 40 + 10 * frame;
        assert_eq!(red_columns(&shown), Some(left..=left + 39));
        assert_eq!(shown.extent(GREEN), Some((120..=159, 40..=79)));
        assert_eq!(shown.extent(BLUE), Some((30..=169, 90..=99)));
    }
    let above = desk.plain(&["-a", "swap", "-f", "0"]);
    assert_eq!((above.count(RED), above.count(GREEN)), (1600, 0));
    let below = desk.plain(&["-a", "swap", "-f", "1"]);
    assert_eq!((below.count(RED), below.count(GREEN)), (0, 1600));
}

#[test]
fn a_time_shows_the_frame_it_falls_in_and_smooth_what_lies_between() {
    let desk = Desk::new();
    let frame = |frame: &str| desk.plain(&["-f", frame]);
    assert_eq!(desk.plain(&["--time", "0.1"]), frame("1"));
    assert_eq!(desk.plain(&["--time", "0.19"]), frame("1"));
    assert_eq!(desk.plain(&["--time", "0.55"]), frame("1"), "walk loops");
    assert_eq!(desk.plain(&["--time", "-0.1"]), frame("3"));
    let smooth = |time: &str| desk.plain(&["--time", time, "--smooth"]);
    assert_eq!(smooth("0.1"), frame("1"));
    assert_eq!(red_columns(&smooth("0.15")), Some(55..=94));
    assert_eq!(
        red_columns(&smooth("0.35")),
        Some(55..=94),
        "the last frame blends into the first"
    );
    let held = desk.plain(&["-a", "jump", "--time", "99"]);
    assert_eq!(
        held,
        desk.plain(&["-a", "jump", "-f", "1"]),
        "jump does not loop"
    );
    let risen = desk.plain(&["-a", "jump", "--time", "0.05", "--smooth"]);
    assert_eq!(risen.extent(RED), Some((40..=79, 10..=49)));
}

#[test]
fn meshes_are_hidden_and_chosen_by_name_and_by_pattern() {
    let desk = Desk::new();
    let counts = |args: &[&str]| {
        let shown = desk.plain(args);
        [RED, GREEN, BLUE].map(|color| shown.count(color) > 0)
    };
    assert_eq!(counts(&["--hide", "part.red"]), [false, true, true]);
    assert_eq!(counts(&["--hide", "part.*"]), [false, false, true]);
    assert_eq!(
        counts(&["--hide", "shadow", "--hide", "*.gree?"]),
        [true, false, false]
    );
    assert_eq!(counts(&["--only", "part.[gr]*"]), [true, true, false]);
    assert_eq!(
        counts(&["--only", "shadow", "--only", "part.red"]),
        [true, false, true]
    );
    assert_eq!(
        counts(&["--only", "part.*", "--hide", "*.red"]),
        [false, true, false]
    );
    assert_eq!(counts(&["--hide", "*"]), [false; 3]);
}

#[test]
fn a_mesh_whose_name_is_a_pattern_is_meant_by_its_name() {
    let desk = Desk::new();
    let mut named = puppet();
    named.parts.meshes[1].name = "part.*".into();
    desk.put("named.pchr", &named);
    desk.capture("named.pchr", &["--hide", "part.*", "-o", "a.png"]);
    let shown = desk.picture("a.png");
    assert!(shown.count(RED) == 0 && shown.count(GREEN) > 0);
}

#[test]
fn the_bind_pose_can_be_chosen() {
    let desk = Desk::new();
    let red = |bind: &str| red_columns(&desk.plain(&["--bind", bind, "-f", "0"]));
    assert_eq!(red("bind"), Some(40..=79));
    assert_eq!(red("bind:0"), Some(40..=79));
    // With a bind pose 20 to the right, red is drawn 20 to the left.
    assert_eq!(red("walk:2"), Some(20..=59));
    assert_eq!(red("1:2"), Some(20..=59));
    // With vertices in bone space, red is drawn at the bone, 40 to the left.
    assert_eq!(red("none"), Some(0..=39));
}

#[test]
fn a_file_without_frames_is_drawn_as_it_is_stored() {
    let desk = Desk::new();
    let still = Builder::new().image(1, &[RED]).bone("root", None).quad(
        "square",
        0,
        0,
        [-10.0, -10.0],
        [10.0, 10.0],
    );
    desk.put("still.pchr", &still);
    desk.put("empty.pchr", &still.still("nothing", true, 0));
    for file in ["still.pchr", "empty.pchr"] {
        desk.capture(
            file,
            &["-s", "40x40", "--fit", "none", "--msaa", "1", "-o", "a.png"],
        );
        let shown = desk.picture("a.png");
        assert_eq!(shown.extent(RED), Some((10..=29, 10..=29)), "{file}");
        desk.capture(file, &["-o", "{animation}.png", "-f", "all"]);
        assert!(desk.path("stored.png").exists());
    }
}

#[test]
fn an_animation_without_frames_is_passed_over() {
    let desk = Desk::new();
    let clips = Builder::new()
        .image(1, &[RED])
        .bone("root", None)
        .quad("square", 0, 0, [-10.0, -10.0], [10.0, 10.0])
        .still("nothing", true, 0)
        .animation("rest", false, &[[at(0.0, 0.0)]])
        .animation("move", true, &[[at(5.0, 0.0)]]);
    desk.put("clips.pchr", &clips);
    desk.capture("clips.pchr", &["-a", "all", "-o", "out/{animation}.png"]);
    let files: Vec<String> = desk.files("out").into_keys().collect();
    assert_eq!(files, ["move.png", "rest.png"]);
}
