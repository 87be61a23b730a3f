//! Pictures become an atlas, which shows the same pixels when it is captured itself.

use crate::desk::{Desk, succeeded};
use crate::fixture::CLIPS;
use serde_json::Value;

const SIZE: [&str; 2] = ["-s", "64x48"];
/// One screen pixel for a pixel of the page, the source in the middle.
const EXACT: [&str; 6] = ["--zoom", "1", "--center", "0,0", "--msaa", "1"];

#[test]
fn an_atlas_shows_what_the_captures_show() {
    let desk = Desk::new();
    let all = ["-a", "all", "-f", "all"];
    desk.capture(
        "puppet.pchr",
        &[
            &SIZE[..],
            &all,
            &["-o", "direct/{animation}-{frame:04}.png"],
        ]
        .concat(),
    );
    let json = desk.run(
        &[
            &[
                "capture",
                "puppet.pchr",
                "--renderer",
                "cpu",
                "--json",
                "-o",
                "sheet/puppet.pct",
            ],
            &SIZE[..],
            &all,
        ]
        .concat(),
    );
    succeeded(&json);
    let report: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(report["sheet"]["path"], "sheet/puppet.pct");
    assert_eq!(report["sheet"]["pages"][0], "sheet/puppet.png");
    let animations = report["sheet"]["animations"].as_array().unwrap();
    assert_eq!(animations.len(), CLIPS.len());
    for (animation, (name, count)) in animations.iter().zip(CLIPS) {
        assert_eq!(animation["name"], name);
        let sprites = animation["sprites"].as_array().unwrap();
        assert_eq!(sprites.len(), count);
        assert_eq!(sprites[0], format!("{name}/0000"));
        assert!(animation["fps"].as_f64().unwrap() > 0.0);
        let pivot = [0, 1].map(|i| animation["pivot"][i].as_f64().unwrap());
        assert!(pivot.iter().all(|part| part.is_finite()), "{pivot:?}");
    }
    for (name, count) in CLIPS {
        for frame in 0..count {
            // A flip-book is called by its names, a sprite alone by its own.
            let book = if count == 1 {
                format!("{name}/0000")
            } else {
                format!("{name}/*")
            };
            let args = ["-a", &book, "-f", &frame.to_string(), "-o", "again.png"];
            desk.capture("sheet/puppet.pct", &[&SIZE[..], &EXACT, &args].concat());
            let direct = format!("direct/{name}-{frame:04}.png");
            assert_eq!(
                desk.picture("again.png").pixels,
                desk.picture(&direct).pixels,
                "{direct}"
            );
        }
    }
}

#[test]
fn an_atlas_is_never_written_over_an_input() {
    let desk = Desk::new();
    desk.capture("puppet.pchr", &["-s", "32x32", "-o", "a.pct"]);
    let before = desk.bytes("a.pct");
    for (file, out) in [("a.pct", "a.pct"), ("a.pct", "./a.pct")] {
        let output = desk.run(&["capture", file, "-o", out, "--renderer", "cpu"]);
        assert_eq!(output.status.code(), Some(2), "{out}");
    }
    assert_eq!(desk.bytes("a.pct"), before);
}

#[test]
fn patterns_mean_animations() {
    let desk = Desk::new();
    let take = |pattern: &str| {
        desk.capture(
            "puppet.pchr",
            &["-a", pattern, "-s", "8x8", "-o", "out/{animation}.png"],
        );
        let names: Vec<String> = desk.files("out").into_keys().collect();
        desk.remove("out");
        names
    };
    let (first, _) = CLIPS[0];
    assert_eq!(take(first), [format!("{first}.png")]);
    assert_eq!(take("*").len(), CLIPS.len());
    let absent = desk.run(&["capture", "puppet.pchr", "-a", "nothing*", "-o", "a.png"]);
    assert_eq!(absent.status.code(), Some(2));
}
