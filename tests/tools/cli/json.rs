//! Tests of `--json`: its contents and their stability.

use serde_json::Value;

use crate::desk::{Desk, said, succeeded};

fn report(desk: &Desk, args: &[&str]) -> Value {
    let args = [
        &["capture", "puppet.pchr", "--renderer", "cpu", "--json"],
        args,
    ]
    .concat();
    let output = desk.run(&args);
    succeeded(&output);
    assert_eq!(said(&output), "");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn it_says_what_was_written_by_what_and_how_long_it_took() {
    let desk = Desk::new();
    let report = report(
        &desk,
        &["-f", "1..3", "-s", "64x32", "-o", "out/{frame}.png"],
    );
    assert_eq!(report["file"], "puppet.pchr");
    assert!(
        report["version"]
            .as_str()
            .unwrap()
            .starts_with(env!("CARGO_PKG_VERSION"))
    );
    assert_eq!(report["drawnBy"]["renderer"], "cpu");
    assert_eq!(report["drawnBy"]["adapter"], Value::Null);
    assert_eq!(report["bindPose"]["source"], "named");
    assert_eq!(report["bindPose"]["animation"], "bind");
    assert_eq!(report["bindPose"]["animationIndex"], 0);
    assert_eq!(report["warnings"], Value::Array(Vec::new()));
    let captures = report["captures"].as_array().unwrap();
    assert_eq!(captures.len(), 2);
    for (frame, capture) in (1..).zip(captures) {
        assert_eq!(capture["path"], format!("out/{frame}.png"));
        assert!(desk.path(capture["path"].as_str().unwrap()).exists());
        assert_eq!(capture["animation"], "walk");
        assert_eq!(capture["animationIndex"], 1);
        assert_eq!(capture["frame"], frame);
        assert_eq!(capture["time"], f64::from(frame) / 10.0);
        assert_eq!(
            (&capture["width"], &capture["height"]),
            (&64.into(), &32.into())
        );
        assert_eq!(capture["camera"]["yDown"], false);
    }
    let stages = report["milliseconds"].as_object().unwrap();
    for stage in ["read", "decode", "pose", "draw", "encode", "write", "total"] {
        assert!(stages[stage].as_f64().unwrap() >= 0.0, "{stage}");
    }
}

#[test]
fn the_camera_that_it_says_reproduces_the_picture() {
    let desk = Desk::new();
    for fit in ["animation", "frame", "character", "none"] {
        for size in ["512x512", "301x77"] {
            let view = ["-a", "jump", "-s", size, "--time", "0.033", "--smooth"];
            let args = [&view[..], &["--fit", fit, "-o", "a.png"]].concat();
            let report = report(&desk, &args);
            let camera = &report["captures"][0]["camera"];
            let center = format!("{},{}", camera["center"][0], camera["center"][1]);
            let zoom = camera["zoom"].to_string();
            let given = ["--center", &center, "--zoom", &zoom, "-o", "b.png"];
            desk.capture("puppet.pchr", &[&view[..], &given].concat());
            assert_eq!(desk.bytes("a.png"), desk.bytes("b.png"), "{fit} {size}");
        }
    }
}

#[test]
fn it_says_which_moment_a_time_means() {
    let desk = Desk::new();
    let moment = |args: &[&str]| {
        let report = report(&desk, &[args, &["-o", "a.png"]].concat());
        let capture = &report["captures"][0];
        (
            capture["frame"].as_u64().unwrap(),
            capture["time"].as_f64().unwrap(),
        )
    };
    assert_eq!(moment(&["--time", "0.19"]), (1, 0.1));
    let (frame, time) = moment(&["--time", "0.19", "--smooth"]);
    assert!(frame == 1 && (time - 0.19).abs() < 1e-6);
}

#[test]
fn it_repeats_the_warnings_that_the_file_gave_rise_to() {
    let desk = Desk::new();
    let mut odd = crate::fixture::puppet();
    odd.parts.fps = 0;
    desk.put("odd.pchr", &odd);
    let args = [
        "capture",
        "odd.pchr",
        "--renderer",
        "cpu",
        "-q",
        "--json",
        "-o",
        "a.png",
    ];
    let output = desk.run(&args);
    succeeded(&output);
    assert_eq!(said(&output), "");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(
        report["warnings"][0]
            .as_str()
            .unwrap()
            .starts_with("PCHR-W102 fps-zero")
    );
}
