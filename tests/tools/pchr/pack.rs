//! Tests of `pchr pack`, `pchr unpack` and `pchr convert`: contents survive the round trip.

use pchr::format;
use serde_json::Value;

use crate::desk::{Desk, said, succeeded};
use crate::fixture::{Builder, puppet};

/// Runs `pchr`, which must succeed.
fn run(desk: &Desk, args: &[&str]) -> String {
    let output = desk.run_pchr(args);
    succeeded(&output);
    said(&output).to_owned()
}

/// Runs `pchr`, which must fail with this code and an error line on stderr, and print nothing on stdout.
#[track_caller]
fn refused(desk: &Desk, args: &[&str], code: i32) -> String {
    let output = desk.run_pchr(args);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
    assert_eq!(output.stdout, b"", "{args:?}");
    assert!(!said.contains("panicked"), "{said}");
    let line = said.lines().next().unwrap();
    line.strip_prefix("error: ")
        .unwrap_or_else(|| panic!("{said}"))
        .to_owned()
}

/// The puppet with PNG images, which are packed unchanged.
fn png_puppet(desk: &Desk) -> Builder {
    desk.put("raw.pchr", &puppet());
    run(
        desk,
        &[
            "pack",
            "raw.pchr",
            "-o",
            "png.pchr",
            "--image-format",
            "png",
        ],
    );
    let document = format::read(desk.bytes("png.pchr")).unwrap();
    Builder {
        parts: (&document).into(),
    }
}

#[test]
fn what_is_not_carried_over_is_listed() {
    let desk = Desk::new();
    let mut odd = puppet();
    odd.parts.flags = 3;
    odd.parts.trailing = vec![1, 2];
    odd.parts.meshes[0].vertices[1].bone_ids[3] = 77;
    odd.parts.animations[1].transforms[4].x = f32::NAN;
    odd.parts.animations[2].flags |= 4;
    desk.put("odd.pchr", &odd);
    let said = run(
        &desk,
        &[
            "-q",
            "unpack",
            "odd.pchr",
            "-o",
            "quiet",
            "--dialect",
            "pachario",
        ],
    );
    assert_eq!(said, "");
    let said = run(
        &desk,
        &["unpack", "odd.pchr", "-o", "out", "--dialect", "pachario"],
    );
    for wanted in [
        "not carried over: 1 reserved header flag (flags)",
        "not carried over: 3 rgba8888 images (they become PNG files) (first images[0].format)",
        "not carried over: 1 bone id and sign of a zero weight (meshes[0].vertices[1])",
        "not carried over: 1 transform that is not finite (written as 0, a scale as 1) (animations[1].frames[1][1])",
        "not carried over: the reserved flags of 1 animation (animations[2].flags)",
        "not carried over: 2 bytes after the last animation (first byte ",
    ] {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
    let said = run(&desk, &["unpack", "odd.pchr", "-o", "out"]);
    assert!(!said.contains("not carried over"), "{said}");
    run(&desk, &["-q", "pack", "out/odd.json", "-o", "again.pchr"]);
    assert!(desk.bytes("again.pchr") == desk.bytes("odd.pchr"));
}

#[test]
fn json_says_what_was_written() {
    let desk = Desk::new();
    let report = |args: &[&str]| -> Value {
        let output = desk.run_pchr(args);
        succeeded(&output);
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let unpacked = report(&[
        "-q",
        "unpack",
        "puppet.pchr",
        "-o",
        "out",
        "--dialect",
        "pachario",
        "--json",
    ]);
    assert_eq!(unpacked["format"], "pchr");
    assert_eq!(unpacked["notCarriedOver"][0]["count"], 3);
    let outputs = unpacked["outputs"].as_array().unwrap();
    assert_eq!(outputs.len(), 4);
    for output in outputs {
        let path = output["path"].as_str().unwrap().replace('\\', "/");
        assert_eq!(output["bytes"], desk.bytes(&path).len(), "{path}");
    }
    let packed = report(&["pack", "out/puppet.json", "-o", "a.pchr", "--json"]);
    assert_eq!(packed["format"], "pachario-json");
    assert_eq!(packed["outputs"][0]["path"], "a.pchr");
}

#[test]
fn a_dash_is_stdin_and_stdout() {
    let desk = Desk::new();
    run(&desk, &["unpack", "puppet.pchr", "-o", "."]);
    let json = desk.bytes("puppet.json");
    let output = desk.run_pchr_with(&["pack", "-", "-o", "-"], &json);
    succeeded(&output);
    assert!(
        output.stdout == desk.bytes("puppet.pchr"),
        "images beside stdin lie where the program runs"
    );
    let output = desk.run_pchr_with(&["unpack", "-", "-o", "-"], &desk.bytes("puppet.pchr"));
    succeeded(&output);
    assert!(output.stdout == json);
    let output = desk.run_pchr_with(&["convert", "-", "--to", "pchr", "-o", "-"], &json);
    succeeded(&output);
    assert!(output.stdout == desk.bytes("puppet.pchr"));
    refused(&desk, &["pack", "puppet.json", "-o", "-", "--json"], 2);
}

#[test]
fn legacy_packed_files_are_written_for_those_who_read_nothing_else() {
    let desk = Desk::new();
    let mut one = puppet();
    one.parts.images.truncate(1);
    one.parts.meshes.iter_mut().for_each(|mesh| mesh.image = 0);
    desk.put("raw.pchr", &one);
    run(
        &desk,
        &[
            "convert",
            "raw.pchr",
            "-o",
            "one.pchr",
            "--image-format",
            "png",
        ],
    );
    assert_eq!(
        run(&desk, &["pack", "one.pchr", "-o", "old.pchr", "--legacy"]),
        ""
    );
    assert_eq!(desk.bytes("old.pchr")[16], b'{');
    let png = [
        "pack",
        "raw.pchr",
        "-o",
        "png.pchr",
        "--legacy",
        "--image-format",
        "png",
    ];
    assert_eq!(run(&desk, &png), "");
    assert!(desk.bytes("png.pchr") == desk.bytes("old.pchr"));
    run(&desk, &["convert", "old.pchr", "-o", "new.pchr"]);
    assert!(desk.bytes("new.pchr") == desk.bytes("one.pchr"));
    let line = refused(
        &desk,
        &["pack", "puppet.pchr", "-o", "old.pchr", "--legacy"],
        1,
    );
    assert_eq!(
        line,
        "puppet.pchr: a legacy packed file holds one image, but the character has 3"
    );
    one.parts.images[0].width = 0;
    one.parts.images[0].data.clear();
    desk.put("empty.pchr", &one);
    let line = refused(
        &desk,
        &["pack", "empty.pchr", "-o", "old.pchr", "--legacy"],
        1,
    );
    assert!(line.ends_with("image \"image 0\" has no pixels"), "{line}");
    refused(
        &desk,
        &[
            "pack",
            "one.pchr",
            "-o",
            "a",
            "--legacy",
            "--image-format",
            "rgba8888",
        ],
        2,
    );
}

#[test]
fn images_stay_in_their_folder() {
    let desk = Desk::new();
    run(&desk, &["unpack", "puppet.pchr", "-o", "out"]);
    let text = String::from_utf8(desk.bytes("out/puppet.json")).unwrap();
    desk.put_bytes("image 0.png", &desk.bytes("out/image 0.png"));
    let absolute = desk
        .path("image 0.png")
        .to_str()
        .unwrap()
        .replace('\\', "/");
    for path in [
        "../image 0.png",
        "./../image 0.png",
        "..\\\\image 0.png",
        &absolute,
    ] {
        desk.put_bytes(
            "out/moved.json",
            text.replace("\"image 0.png\"", &format!("\"{path}\""))
                .as_bytes(),
        );
        let line = refused(&desk, &["pack", "out/moved.json", "-o", "a.pchr"], 4);
        assert!(
            line.starts_with(
                "out/moved.json: PCHR-E060 sidecar-path: images[0] at line 5, column 5 "
            ),
            "{line}"
        );
        run(
            &desk,
            &["pack", "--allow-outside", "out/moved.json", "-o", "a.pchr"],
        );
        assert!(desk.bytes("a.pchr") == desk.bytes("puppet.pchr"));
    }
    desk.put_bytes(
        "out/moved.json",
        text.replace("\"image 0.png\"", "\"gone.png\"").as_bytes(),
    );
    let line = refused(&desk, &["pack", "out/moved.json", "-o", "b.pchr"], 4);
    assert!(
        line.contains("PCHR-E061 sidecar-missing: images[0]") && line.contains("gone.png"),
        "{line}"
    );
    assert!(!desk.path("b.pchr").exists());
}

#[test]
fn images_whose_names_lead_elsewhere_are_refused_and_equal_ones_told_apart() {
    let desk = Desk::new();
    let named = |names: [&str; 3]| {
        let mut named = puppet();
        for (image, name) in named.parts.images.iter_mut().zip(names) {
            image.name = name.into();
        }
        desk.put("named.pchr", &named);
    };
    for name in ["../x", "/x", "C:\\x", "a/../../x", "con", "LPT1.png", ".."] {
        named(["fine", name, "also fine"]);
        let line = refused(&desk, &["unpack", "named.pchr", "-o", "out"], 4);
        assert!(
            line.starts_with("named.pchr: PCHR-E063 image-file-name: images[1].name at byte "),
            "{line}"
        );
        assert!(!desk.path("out").exists(), "{name}");
        run(
            &desk,
            &["unpack", "named.pchr", "-o", "out", "--safe-names"],
        );
        run(&desk, &["-q", "pack", "out/named.json", "-o", "again.pchr"]);
        assert!(
            desk.bytes("again.pchr") == desk.bytes("named.pchr"),
            "{name}"
        );
        desk.remove("out");
    }
    named(["atlas", "ATLAS.png", "atlas"]);
    run(&desk, &["-q", "unpack", "named.pchr", "-o", "out"]);
    let files: Vec<String> = desk.files("out").into_keys().collect();
    assert_eq!(
        files,
        ["ATLAS-2.png", "atlas-3.png", "atlas.png", "named.json"]
    );
    run(&desk, &["-q", "pack", "out/named.json", "-o", "again.pchr"]);
    assert!(desk.bytes("again.pchr") == desk.bytes("named.pchr"));
}

#[test]
fn png_files_that_are_none_or_of_another_size_are_packed_with_a_warning() {
    let desk = Desk::new();
    let mut odd = png_puppet(&desk);
    odd.parts.images[0].data = b"GIF89a".to_vec();
    odd.parts.images[1].width = 9;
    desk.put("odd.pchr", &odd);
    run(&desk, &["unpack", "odd.pchr", "-o", "out"]);
    let said = run(&desk, &["-v", "pack", "out/odd.json", "-o", "again.pchr"]);
    let decode = "warning: out/odd.json: PCHR-E008 image-decode: images[0].path at line 5, column ";
    assert!(said.contains(decode), "{said}");
    let size = "PCHR-W107 image-size: images[1].width at line 6, column ";
    assert!(
        said.contains(size) && said.contains("declared as 9 x 1, but the PNG is 1 x 1"),
        "{said}"
    );
    let output = desk.run_pchr(&["-q", "pack", "out/odd.json", "-o", "again.pchr", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["warnings"].as_array().unwrap().len(), 2, "{report}");
    assert!(desk.bytes("again.pchr") == desk.bytes("odd.pchr"));
    let line = refused(
        &desk,
        &[
            "pack",
            "out/odd.json",
            "-o",
            "raw.pchr",
            "--image-format",
            "rgba8888",
        ],
        4,
    );
    assert!(
        line.contains("PCHR-E008 image-decode: images[0].path at line 5, column "),
        "{line}"
    );
}

#[test]
fn an_image_whose_pixels_do_not_decode_is_carried_over_with_a_warning() {
    let desk = Desk::new();
    let mut odd = png_puppet(&desk);
    let data = &mut odd.parts.images[0].data;
    let pixels = data.windows(4).position(|name| name == b"IDAT").unwrap() + 4;
    data[pixels..pixels + 4].fill(0xff);
    odd.parts.images.truncate(1); // a legacy file has one
    odd.parts.meshes.iter_mut().for_each(|mesh| mesh.image = 0);
    desk.put("odd.pchr", &odd);
    let legacy = format::legacy::write(&format::read(desk.bytes("odd.pchr")).unwrap());
    desk.put_bytes("odd.legacy.pchr", &legacy.unwrap().0);
    for args in [
        &["unpack", "odd.pchr", "-o", "out"][..],
        &["unpack", "odd.legacy.pchr", "-o", "legacy"],
        &["pack", "out/odd.json", "-o", "a.pchr"],
        &["pack", "odd.pchr", "-o", "b.pchr", "--legacy"],
        &["convert", "odd.legacy.pchr", "-o", "c.pchr"],
        &["convert", "odd.pchr", "-o", "c.json"],
        &["convert", "odd.pchr", "-o", "d/d.json", "--to", "pachario"],
        &[
            "convert",
            "odd.pchr",
            "-o",
            "e.pchr",
            "--image-format",
            "png",
        ],
    ] {
        let said = run(&desk, args);
        let what = "PCHR-E008 image-decode: images[0].";
        let found = said.matches(what).count();
        assert_eq!(found, 1, "{args:?}: {said}");
    }
    for file in [
        "out/odd.json",
        "a.pchr",
        "b.pchr",
        "c.pchr",
        "d/d.json",
        "e.pchr",
    ] {
        let output = desk.run_pchr(&["validate", file]);
        assert_eq!(output.status.code(), Some(4), "{file}");
    }
}

#[test]
fn any_number_of_images_is_unpacked_whatever_they_are_called() {
    let desk = Desk::new();
    let mut many = puppet();
    let image = many.parts.images[0].clone();
    many.parts.images = vec![image; 2000];
    desk.put("many.pchr", &many);
    // The limit on open files is lower than the number of outputs.
    let script = "ulimit -n 64; exec \"$0\" -q unpack many.pchr -o out";
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_pchr")])
        .current_dir(desk.folder())
        .output()
        .unwrap();
    succeeded(&output);
    assert_eq!(desk.files("out").len(), 2001);
    run(&desk, &["-q", "pack", "out/many.json", "-o", "again.pchr"]);
    assert!(desk.bytes("again.pchr") == desk.bytes("many.pchr"));
}

#[test]
fn an_image_of_something_else_is_not_replaced_without_a_word() {
    let desk = Desk::new();
    assert_eq!(
        run(&desk, &["convert", "puppet.pchr", "-o", "out/a.json"]),
        ""
    );
    assert_eq!(
        run(&desk, &["convert", "puppet.pchr", "-o", "out/b.json"]),
        "",
        "it is the same image"
    );
    let mut other = puppet();
    other.parts.images[1].data = vec![9; 4];
    desk.put("other.pchr", &other);
    let said = run(&desk, &["convert", "other.pchr", "-o", "out/c.json"]);
    let there = desk.path("out").join("image 1.png");
    let there = there.strip_prefix(desk.folder()).unwrap();
    assert_eq!(
        said,
        format!(
            "warning: {} had other content and was replaced\n",
            there.display()
        )
    );
}

#[cfg(unix)]
#[test]
fn what_is_read_only_once_is_told_of_as_well() {
    use std::os::unix::fs::PermissionsExt as _;

    let desk = Desk::new();
    let mut odd = puppet();
    odd.parts.animations[0].transforms[1].scale_y = 0.0;
    desk.put("odd.pchr", &odd);
    run(&desk, &["unpack", "odd.pchr", "-o", "."]);
    // A file named like standard input is not read.
    desk.put_bytes("-", b"{}\n\n\n");
    let text = desk.bytes("odd.json");
    let place = |said: &str| {
        said.lines()
            .find(|line| line.contains("scaleY") || line.contains("frames[0][1]"))
            .map(str::to_owned)
    };
    let of_file = desk.run_pchr(&["validate", "odd.json"]);
    let of_stdin = desk.run_pchr_with(&["validate", "-"], &text);
    let (of_file, of_stdin) = (
        String::from_utf8(of_file.stdout).unwrap(),
        String::from_utf8(of_stdin.stdout).unwrap(),
    );
    assert!(place(&of_file).is_some(), "{of_file}");
    assert_eq!(place(&of_file), place(&of_stdin));
    let script = "mkfifo pipe; cat odd.json > pipe & exec \"$0\" validate pipe";
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_pchr")])
        .current_dir(desk.folder())
        .output()
        .unwrap();
    assert_eq!(
        place(&String::from_utf8(output.stdout).unwrap()),
        place(&of_file)
    );

    // An overwritten output keeps its permissions.
    desk.put_bytes("secret.pchr", b"");
    let mode = |mode| {
        std::fs::set_permissions(
            desk.path("secret.pchr"),
            std::fs::Permissions::from_mode(mode),
        )
        .unwrap()
    };
    mode(0o600);
    run(&desk, &["convert", "puppet.pchr", "-o", "secret.pchr"]);
    assert_eq!(
        std::fs::metadata(desk.path("secret.pchr"))
            .unwrap()
            .permissions()
            .mode()
            & 0o777,
        0o600
    );
}
