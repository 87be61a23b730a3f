//! Tests of recorded cameras: a new frame is compared from its baseline's camera, so growth shows as a difference.

use serde_json::Value;

use crate::desk::Desk;
use crate::suite::stage::{SMALL, blessed, cameras, ended, grown, stamps, test, told};

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
