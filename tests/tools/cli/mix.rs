//! Tests of cross-fades of two animations: `--mix A:B:T`.

use serde_json::Value;

use crate::desk::{Desk, Picture, said, succeeded};
use crate::fixture::{Builder, RED, at, puppet};

const VIEW: [&str; 8] = [
    "--center", "0,0", "--zoom", "1", "-s", "200x200", "--msaa", "1",
];

fn shot(desk: &Desk, args: &[&str]) -> Picture {
    let capture = [
        "capture",
        "puppet.pchr",
        "-q",
        "--renderer",
        "cpu",
        "-o",
        "shot.png",
    ];
    succeeded(&desk.run(&[&capture[..], &VIEW, args].concat()));
    desk.picture("shot.png")
}

/// Column and row of the upper left corner of a colour.
fn corner(picture: &Picture, color: [u8; 4]) -> [usize; 2] {
    let (columns, rows) = picture.extent(color).unwrap();
    [*columns.start(), *rows.start()]
}

#[test]
fn each_frame_has_one_of_the_other() {
    let desk = Desk::new();
    let mix = ["--mix", "walk:blink:0.25", "-o", "{frame}.png"];
    let many = [
        &mix[..],
        &["-f", "1,2,3", "--mix-frame", "0,1,2", "--json"],
        &VIEW,
    ]
    .concat();
    let output = desk.run(&[&["capture", "puppet.pchr", "--renderer", "cpu"], &many[..]].concat());
    succeeded(&output);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let of = |i: usize| &report["captures"][i];
    assert_eq!(
        (&of(2)["animation"], &of(2)["frame"]),
        (&"walk".into(), &3.into())
    );
    let mixes: Vec<_> = (0..3).map(|i| of(i)["mix"]["frame"].clone()).collect();
    assert_eq!(mixes, [0, 1, 2]);
    let mix = &of(1)["mix"];
    assert_eq!(
        (&mix["animation"], &mix["animationIndex"]),
        (&"blink".into(), &2.into())
    );
    assert_eq!((&mix["amount"], &mix["time"]), (&0.25.into(), &0.1.into()));
    let alone = ["--mix", "walk:blink:0.25", "-f", "2", "--mix-frame", "1"];
    assert!(shot(&desk, &alone) == desk.picture("2.png"));
    let plain = desk.run(&[
        "capture",
        "puppet.pchr",
        "--renderer",
        "cpu",
        "-o",
        "p.png",
        "--json",
    ]);
    let report: Value = serde_json::from_slice(&plain.stdout).unwrap();
    assert_eq!(report["captures"][0]["mix"], Value::Null);
}

#[test]
fn the_fit_holds_both_animations_at_any_amount() {
    let desk = Desk::new();
    let camera = |args: &[&str]| -> Value {
        let all = [
            "capture",
            "puppet.pchr",
            "--renderer",
            "cpu",
            "-o",
            "c.png",
            "--json",
        ];
        let output = desk.run(&[&all[..], args].concat());
        succeeded(&output);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        report["captures"][0]["camera"].clone()
    };
    let half = camera(&["--mix", "walk:jump:0.5"]);
    for mix in ["walk:jump:0", "walk:jump:1", "jump:walk:0.3"] {
        assert_eq!(camera(&["--mix", mix]), half, "{mix}");
    }
    assert_ne!(camera(&["-a", "walk"]), half);
    let close = camera(&["--mix", "walk:jump:0.5", "--fit", "frame"]);
    assert_ne!(close, half);
}

#[test]
fn names_may_hold_colons() {
    let desk = Desk::new();
    let bone = |x| [at(x, 0.0)];
    let builder = Builder::new()
        .image(1, &[RED])
        .bone("root", None)
        .quad("quad", 0, 0, [-4.0, -4.0], [4.0, 4.0])
        .animation("run:fast", true, &[bone(0.0)])
        .animation("a:b", true, &[bone(40.0)]);
    desk.put("colons.pchr", &builder);
    let capture = ["capture", "colons.pchr", "--renderer", "cpu", "-o", "c.png"];
    let args = [&capture[..], &VIEW, &["--mix", "run:fast:a:b:0.25"]].concat();
    succeeded(&desk.run(&args));
    assert_eq!(corner(&desk.picture("c.png"), RED), [106, 96]);
}

#[test]
fn what_cannot_be_mixed_is_said() {
    let desk = Desk::new();
    desk.put(
        "still.pchr",
        &puppet().animation("empty", true, &[] as &[[_; 3]]),
    );
    for (args, wanted) in [
        (
            &["--mix", "walk:jmp:0.5"][..],
            "no animation is named \"jmp\"; ",
        ),
        (
            &["--mix", "wlk:jump:0.5"],
            "no animation is named \"wlk\"; ",
        ),
        (
            &["--mix", "walk:empty:0.5"],
            "animation \"empty\" has no frames",
        ),
        (
            &["--mix", "walk:jump:1.5"],
            "invalid T 1.5: expected 0 (only A) to 1 (only B)",
        ),
        (&["--mix", "walk:jump"], ": expected A:B:T"),
        (
            &["--mix", "walk:jump:0.5", "-a", "walk"],
            "cannot be used with",
        ),
        (
            &[
                "--mix",
                "walk:jump:0.5",
                "--mix-frame",
                "1",
                "--mix-time",
                "0",
            ],
            "cannot be used with",
        ),
        (
            &["--mix", "walk:jump:0.5", "--mix-frame", "2"],
            "--mix-frame: animation \"jump\": ",
        ),
        (
            &["--mix", "walk:jump:0.5", "-f", "all", "--mix-frame", "0,1"],
            "--mix-frame: 2 frames for 4 pictures; choose one frame, or one for each",
        ),
        (&["--mix-frame", "1"], "--mix-frame is for --mix A:B:T"),
        (&["--mix-time", "1"], "--mix-time is for --mix A:B:T"),
    ] {
        let capture = [
            "capture",
            "still.pchr",
            "--renderer",
            "cpu",
            "-o",
            "{frame}.png",
        ];
        let output = desk.run(&[&capture[..], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", said(&output));
        assert!(
            said(&output).contains(wanted),
            "{args:?}: {}",
            said(&output)
        );
    }
    succeeded(&desk.run(&[
        "capture",
        "puppet.pchr",
        "-q",
        "-a",
        "all",
        "-f",
        "all",
        "-o",
        "a.pct",
    ]));
    let output = desk.run(&["capture", "a.pct", "--mix", "0:1:0.5", "-o", "b.png"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said(&output).contains("this kind of file has no bones to mix"),
        "{}",
        said(&output)
    );
}
