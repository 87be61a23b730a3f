//! Tests of recorded cameras: a new frame is compared from its baseline's camera, so growth shows as a difference.

use serde_json::Value;

use crate::desk::Desk;
use crate::stage::{
    SMALL, blessed, cameras, ended, grown, json, report, stamps, test, told, with_status,
};

const SUITE: &str =
    "[[case]]\nname = \"walk\"\nfile = \"puppet.pchr\"\nanimation = \"walk\"\nframe = \"0..3\"\n";

fn suite(more: &str) -> String {
    format!("{SMALL}{more}{SUITE}")
}

fn camera(desk: &Desk, frame: usize) -> Value {
    cameras(desk, "walk")[&format!("{frame:04}.png")].clone()
}

/// Topmost row of the picture that has visible pixels.
fn top(desk: &Desk) -> usize {
    let (_, rows) = desk.picture("baselines/walk/0000.png").drawn().unwrap();
    *rows.start()
}

#[test]
fn a_character_that_grew_differs_instead_of_being_fitted_anew() {
    let desk = blessed(&suite(""));
    let (old, old_top) = (camera(&desk, 0), top(&desk));
    desk.put("puppet.pchr", &grown());
    let output = test(&desk, &[]);
    ended(
        &output,
        3,
        "error: 3 of 3 frames differ from their baselines",
    );

    ended(&test(&desk, &["--update"]), 0, "");
    assert_eq!(
        camera(&desk, 0),
        old,
        "an updated baseline keeps its camera"
    );
    assert!(top(&desk) < old_top, "it is higher than it was");
    ended(&test(&desk, &[]), 0, "");

    let kept = desk.picture("baselines/walk/0000.png");
    ended(&test(&desk, &["--update=all"]), 0, "");
    let new = camera(&desk, 0);
    assert!(new["zoom"].as_f64() < old["zoom"].as_f64(), "{new} {old}");
    assert!(desk.picture("baselines/walk/0000.png") != kept);
    ended(&test(&desk, &[]), 0, "");
    let before = stamps(&desk, "");
    ended(&test(&desk, &["--update=all"]), 0, "");
    assert!(before == stamps(&desk, ""));
    // The result equals that of a new suite for the new character.
    let anew = desk.files("baselines");
    desk.remove("baselines");
    ended(&test(&desk, &["--update"]), 0, "");
    assert!(anew == desk.files("baselines"));
}

#[test]
fn frames_that_are_new_are_fitted_and_the_others_keep_their_cameras() {
    let desk = blessed(&suite(""));
    let old = camera(&desk, 0);
    desk.put("puppet.pchr", &grown());
    ended(&test(&desk, &["--update"]), 0, "");
    desk.put_bytes("suite.toml", suite("").replace("0..3", "all").as_bytes());
    let missing = report(&desk, &[]);
    assert_eq!(with_status(&missing, "missing"), ["walk/0003"]);
    ended(&test(&desk, &["--update"]), 0, "");
    assert_eq!(camera(&desk, 2), old);
    assert!(camera(&desk, 3)["zoom"].as_f64() < old["zoom"].as_f64());
    ended(&test(&desk, &[]), 0, "");
}

#[test]
fn an_update_that_writes_nothing_records_no_other_options() {
    let desk = blessed(&suite(""));
    let options = || json(&desk, "baselines/walk/baseline.json")["options"].clone();
    let before = options();
    for frame in 0..3 {
        desk.put_bytes(&format!("baselines/walk/{frame:04}.png"), b"damaged");
    }
    let other = suite("").replace(
        "frame = \"0..3\"",
        "frame = \"0..3\"\nbackground = \"#102030\"",
    );
    desk.put_bytes("suite.toml", other.as_bytes());
    assert_eq!(test(&desk, &["--update"]).status.code(), Some(1));
    assert_eq!(options(), before);
}

#[test]
fn another_view_is_fitted_anew() {
    for option in [
        "resolution = \"64x64\"",
        "fit = \"character\"",
        "zoom = 0.2",
        "center = \"3,4\"",
        "y_down = true",
    ] {
        let desk = blessed(
            &suite("")
                .replace("resolution = \"48x32\"\n", "")
                .replace("msaa = 1", "msaa = 1\nresolution = \"48x32\""),
        );
        let old = camera(&desk, 0);
        let changed = match option.starts_with("resolution") {
            true => suite("").replace("resolution = \"48x32\"", option),
            false => suite(&format!("{option}\n")),
        };
        desk.put_bytes("suite.toml", changed.as_bytes());
        let output = test(&desk, &[]);
        assert_eq!(output.status.code(), Some(3), "{option}: {}", told(&output));
        let name = option.split(' ').next().unwrap().replace('_', "-");
        assert!(
            told(&output).contains(&format!("note: {name} was ")),
            "{}",
            told(&output)
        );
        ended(&test(&desk, &["--update"]), 0, "");
        assert_ne!(camera(&desk, 0), old, "{option}");
        ended(&test(&desk, &[]), 0, "");
        // The result equals that of a new suite.
        let updated = desk.files("baselines");
        desk.remove("baselines");
        ended(&test(&desk, &["--update"]), 0, "");
        assert!(updated == desk.files("baselines"), "{option}");
    }
}

#[test]
fn a_record_without_a_camera_lets_the_view_be_fitted() {
    let desk = blessed(&suite(""));
    let right = desk.files("baselines");
    let mut record = json(&desk, "baselines/walk/baseline.json");
    record["frames"].as_object_mut().unwrap().clear();
    desk.put_bytes(
        "baselines/walk/baseline.json",
        record.to_string().as_bytes(),
    );
    ended(&test(&desk, &[]), 0, "");
    ended(&test(&desk, &["--update"]), 0, "");
    assert!(right == desk.files("baselines"));
}
