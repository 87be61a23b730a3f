//! Tests of cross-fades of two animations: `--mix A:B:T`.

use serde_json::Value;

use crate::desk::{Desk, Picture, said, succeeded};
use crate::fixture::{Builder, GREEN, RED, at, puppet};
use crate::rig;

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
fn bones_lie_between_both_moments() {
    let desk = Desk::new();
    // Red is at -40 + 10 per frame in walk, and at -40 in jump, which lifts everything by 60 in its second frame.
    let between = |args: &[&str]| corner(&shot(&desk, args), RED);
    let walk = between(&["-a", "walk", "-f", "2"]);
    let jump = between(&["-a", "jump", "-f", "1"]);
    assert_eq!([walk[0] - jump[0], walk[1] - jump[1]], [20, 60]);
    let mixed = between(&["--mix", "walk:jump:0.5", "-f", "2", "--mix-frame", "1"]);
    assert_eq!(mixed, [jump[0] + 10, jump[1] + 30]);
    let mixed = between(&["--mix", "#1:4:0.25", "-f", "2", "--mix-frame", "1"]);
    assert_eq!(mixed, [jump[0] + 15, jump[1] + 45]);
}

#[test]
fn the_ends_are_the_animations_alone() {
    let desk = Desk::new();
    let both = ["-f", "2", "--mix-frame", "1"];
    let mixed = |mix| shot(&desk, &[&["--mix", mix], &both[..]].concat());
    assert!(mixed("walk:jump:0") == shot(&desk, &["-a", "walk", "-f", "2"]));
    assert!(mixed("walk:jump:1") == shot(&desk, &["-a", "jump", "-f", "1"]));
    // Visibility comes from the animation with more weight.
    let green = |mix| mixed(mix).count(GREEN) > 0;
    let weights = ["walk:blink:0.49", "walk:blink:0.5", "walk:blink:1"];
    assert_eq!(weights.map(green), [true, false, false]);
}

#[test]
fn the_other_animation_is_as_long_after_its_start() {
    let desk = Desk::new();
    let same = |args: &[&str], frame: &str, b: &str| {
        let own = [&["--mix", "jump:walk:0.5"], args].concat();
        let told = ["--mix", "jump:walk:0.5", "-f", frame, "--mix-frame", b];
        assert!(shot(&desk, &own) == shot(&desk, &told), "{args:?}");
    };
    same(&["-f", "1"], "1", "1");
    same(&["--time", "0.1"], "1", "1");
    same(&["--time", "0.1", "--mix-time", "0.3"], "1", "3");
    same(&["-f", "1", "--mix-time", "0.3"], "1", "3");
    // walk loops over 4 frames, and jump stays at its last frame.
    let walk = |b: &str, args: &[&str]| {
        let own = [&["--mix", "walk:jump:0.5", "-f", "3"], args].concat();
        let told = ["--mix", "walk:jump:0.5", "-f", "3", "--mix-frame", b];
        assert!(shot(&desk, &own) == shot(&desk, &told));
    };
    walk("1", &[]);
    walk("1", &["--loop", "on"]);
    // A time between two frames.
    let smooth = ["--mix", "walk:jump:0.5", "--smooth", "--time", "0.05"];
    assert_eq!(corner(&shot(&desk, &smooth), RED)[0], 200 / 2 - 60 + 2);
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
fn bones_in_space_are_mixed_too() {
    let desk = Desk::new();
    desk.put_bytes("hero.skl.pxd", &rig::biped_file());
    desk.put_bytes("hero@kick.anm.pxd", &rig::numbered_file());
    desk.put_bytes("walk.seanim", &rig::walk_file());
    let shot = |args: &[&str]| {
        let all = [
            &[
                "capture",
                "hero.skl.pxd",
                "--motion",
                "walk.seanim",
                "--motion",
                "hero@kick.anm.pxd",
                "--renderer",
                "cpu",
                "-o",
                "m.png",
                "--center",
                "0,1,0",
                "--zoom",
                "80",
            ],
            args,
        ]
        .concat();
        succeeded(&desk.run(&all));
        desk.picture("m.png")
    };
    let mixed = |t| {
        shot(&[
            "--mix",
            &format!("#0:#1:{t}"),
            "-f",
            "4",
            "--mix-frame",
            "6",
        ])
    };
    let [from, to] = [["#0", "4"], ["#1", "6"]].map(|[a, f]| shot(&["-a", a, "-f", f]));
    assert!(from != to);
    assert!(mixed("0") == from);
    assert!(mixed("1") == to);
    let half = mixed("0.5");
    assert!(half != from && half != to);
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
