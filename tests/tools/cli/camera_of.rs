//! Tests of the camera of another file or picture, and of what pictures say about their own.

use serde_json::{Value, json};

use crate::desk::{Desk, said, succeeded};
use crate::fixture::{Builder, at, puppet};

/// The puppet, of which one frame of `walk` reaches farther up.
fn grown() -> Builder {
    let mut builder = puppet();
    let walk = &mut builder.parts.animations[1];
    let bones = builder.parts.bones.len();
    walk.transforms[bones * 3] = at(0.0, 400.0);
    builder
}

fn capture(desk: &Desk, file: &str, out: &str, more: &[&str]) {
    let out = format!("{out}/{{frame}}.png");
    let args = ["-a", "walk", "-f", "all", "-s", "64x64", "-o", &out];
    let args = [&["capture", file, "--renderer", "cpu"], &args[..], more].concat();
    succeeded(&desk.run(&args));
}

fn view(desk: &Desk, name: &str) -> Value {
    let png = desk.bytes(name);
    let reader = png::Decoder::new(std::io::Cursor::new(png)).read_info();
    let reader = reader.unwrap();
    let [text] = &reader.info().utf8_text[..] else {
        panic!("{:?}", reader.info().utf8_text)
    };
    assert_eq!(text.keyword, "pchr-view");
    serde_json::from_str(&text.get_text().unwrap()).unwrap()
}

fn refused(desk: &Desk, args: &[&str]) -> String {
    let args = [&["capture"], args, &["--renderer", "cpu", "-o", "no.png"]].concat();
    let output = desk.run(&args);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    said(&output).to_owned()
}

#[test]
fn with_the_camera_of_the_old_version_only_what_changed_differs() {
    let desk = Desk::new();
    desk.put("new.pchr", &grown());
    capture(&desk, "puppet.pchr", "old", &[]);
    capture(&desk, "new.pchr", "new", &[]);
    let compared = |args: &[&str]| {
        let output = desk.run(&[&["compare", "old"], args].concat());
        assert_eq!(output.status.code(), Some(3));
        String::from_utf8(output.stdout).unwrap()
    };
    let fitted = compared(&["new"]);
    assert!(fitted.contains("4 pairs: 4 differ"), "{fitted}");
    assert_eq!(
        fitted.matches("  the cameras differ: zoom ").count(),
        4,
        "{fitted}"
    );
    assert!(!fitted.contains("the moments differ"), "{fitted}");
    let hint = "hint: capture both with the same camera: --camera-of ";
    assert_eq!(fitted.matches(hint).count(), 1, "{fitted}");
    let report: Value = serde_json::from_str(&compared(&["new", "--json"])).unwrap();
    let pair = &report["pairs"][1];
    assert_eq!(
        [&pair["camerasDiffer"], &pair["momentsDiffer"]],
        [&json!(true), &json!(false)]
    );
    assert_eq!(pair["expectedView"], view(&desk, "old/1.png"));

    for (camera, more) in [("puppet.pchr", "like"), ("old/2.png", "like2")] {
        capture(&desk, "new.pchr", more, &["--camera-of", camera]);
        let same = compared(&[more]);
        assert!(same.contains("4 pairs: 3 the same, 1 differs"), "{same}");
        assert!(!same.contains("cameras"), "{same}");
        let text = view(&desk, &format!("{more}/3.png"));
        assert_eq!(text["camera"], view(&desk, "old/3.png")["camera"]);
    }
    let moved = desk.run(&["compare", "old/0.png", "old/3.png"]);
    let moved = String::from_utf8(moved.stdout).unwrap();
    let moments = "  the moments differ: \"walk\" frame 0 (0 s) against \"walk\" frame 3 (0.3 s)\n";
    assert!(moved.contains(moments), "{moved}");
}

#[test]
fn options_replace_parts_of_the_camera_and_what_cannot_be_is_refused() {
    let desk = Desk::new();
    capture(&desk, "puppet.pchr", "old", &[]);
    for of in ["puppet.pchr", "old/0.png"] {
        capture(
            &desk,
            "puppet.pchr",
            "zoomed",
            &["--camera-of", of, "--zoom", "3"],
        );
        let mut camera = view(&desk, "old/0.png")["camera"].clone();
        camera["zoom"] = json!(3.0);
        assert_eq!(view(&desk, "zoomed/0.png")["camera"], camera);
    }
    desk.put(
        "other.pchr",
        &Builder::new()
            .bones(1)
            .still("run", true, 2)
            .still("fly", true, 1),
    );
    desk.put_bytes("plain.png", &{
        let mut png = Vec::new();
        let encoder = png::Encoder::new(&mut png, 1, 1);
        encoder
            .write_header()
            .unwrap()
            .write_image_data(&[0])
            .unwrap();
        png
    });
    for (of, more, why) in [
        ("plain.png", &[][..], "the picture does not say its camera"),
        ("old/0.png", &["--fit", "frame"], "--fit is for files"),
        ("old/0.png", &["--y-down"], "--y-down is for files"),
        (
            "other.pchr",
            &["-a", "walk"],
            "no animation is named \"walk\" there",
        ),
        ("-", &[], "expected the path of a file"),
    ] {
        let text = refused(&desk, &[&["puppet.pchr", "--camera-of", of], more].concat());
        assert!(text.contains(why), "{text}");
    }
    let absent = desk.run(&[
        "capture",
        "puppet.pchr",
        "--camera-of",
        "no.pchr",
        "-o",
        "no.png",
    ]);
    assert_eq!(absent.status.code(), Some(1), "{}", said(&absent));
}

#[test]
fn a_suite_takes_the_camera_of_a_file_beside_it() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("tests")).unwrap();
    desk.put("tests/new.pchr", &grown());
    let case = "[defaults]\nresolution = \"64x64\"\n[[case]]\nname = \"walk\"\nfile = \"new.pchr\"\nanimation = \"walk\"\ncamera-of = \"../puppet.pchr\"\n";
    std::fs::write(desk.path("tests/suite.toml"), case).unwrap();
    succeeded(&desk.run(&["test", "tests/suite.toml", "--update"]));
    capture(&desk, "puppet.pchr", "old", &[]);
    let record: Value =
        serde_json::from_slice(&desk.bytes("tests/baselines/walk/baseline.json")).unwrap();
    assert_eq!(record["cameras"][0], view(&desk, "old/0.png")["camera"]);
}
