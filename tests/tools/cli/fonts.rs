//! Tests of names with letters that the built-in font lacks.

use epaint_default_fonts::{HACK_REGULAR, UBUNTU_LIGHT};
use serde_json::Value;

use crate::desk::{Desk, Picture, said, succeeded};
use crate::fixture::puppet;

/// Creates a folder with fonts, and a puppet whose bones have these names.
fn desk(names: [&str; 3]) -> Desk {
    let desk = Desk::new();
    desk.put_bytes("sans.ttf", UBUNTU_LIGHT);
    desk.put_bytes("mono.ttf", HACK_REGULAR);
    let mut puppet = puppet();
    for (bone, name) in puppet.parts.bones.iter_mut().zip(names) {
        bone.name = (*name).into();
    }
    desk.put("names.pchr", &puppet);
    desk
}

const RUSSIAN: [&str; 3] = ["бедро", "Рука_левая", "arm"];

/// Picture with names, text on stderr, and the font families in the report.
fn shown(desk: &Desk, options: &[&str]) -> (Picture, String, Vec<String>) {
    let args = [
        "capture",
        "names.pchr",
        "--renderer=cpu",
        "--json",
        "--overlay=names",
        "-s=200x120",
        "--center=0,0",
        "--zoom=1",
        "-o=names.png",
    ];
    let output = desk.run(&[&args, options].concat());
    succeeded(&output);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let fonts = report["fonts"].as_array().unwrap();
    let fonts = fonts.iter().map(|font| font.as_str().unwrap().to_owned());
    let said = said(&output).to_owned();
    (desk.picture("names.png"), said, fonts.collect())
}

#[test]
fn names_are_written_in_the_font_that_is_given() {
    let desk = desk(RUSSIAN);
    let (sans, said, fonts) = shown(&desk, &["--font=sans.ttf"]);
    assert_eq!(fonts, ["Ubuntu"]);
    assert_eq!(said.trim_end(), "note: names.pchr: names use Ubuntu");
    let (mono, _, fonts) = shown(&desk, &["--font=mono.ttf"]);
    assert_eq!(fonts, ["Hack"]);
    assert_ne!(sans, mono);
    // The first font that has the letters is used.
    let (both, _, fonts) = shown(&desk, &["--font=sans.ttf", "--font=mono.ttf"]);
    assert_eq!((both, fonts), (sans, vec!["Ubuntu".to_owned()]));
    for scale in ["2", "5"] {
        let (large, ..) = shown(&desk, &["--font=mono.ttf", "--overlay-scale", scale]);
        assert_ne!(large, mono);
    }
}

#[test]
fn names_that_the_built_in_font_has_need_no_other() {
    let desk = desk(["hip", "Ünterarm", "ÿ"]);
    let (plain, said, fonts) = shown(&desk, &[]);
    assert_eq!((said.as_str(), fonts.len()), ("", 0));
    let (same, said, _) = shown(&desk, &["--font=mono.ttf"]);
    assert_eq!((same, said.as_str()), (plain, ""));
}

#[test]
fn letters_that_no_font_has_are_named() {
    let desk = desk(["骨", "бедро", "arm"]);
    let (_, said, fonts) = shown(&desk, &["--font=sans.ttf"]);
    assert_eq!(fonts, ["Ubuntu"]);
    assert!(
        said.contains(
            "no font has '骨' (U+9AA8), so boxes are drawn; choose a font with --font FILE"
        ),
        "{said}"
    );
}

#[test]
fn hostile_names_leave_a_picture() {
    let long = "ж".repeat(5000);
    for names in [
        ["\u{202e}бедро", "\u{0}\u{1b}[31mж", "\u{feff}"],
        [&long, "ж\u{301}\u{301}\u{301}\u{301}\u{301}", "👨‍👩‍👧‍👦"],
        ["\u{2066}\u{2067}ж\u{2069}", "\n\r\tж", "\u{e000}\u{10ffff}"],
    ] {
        let desk = desk(names);
        let (first, said, _) = shown(&desk, &["--font=sans.ttf"]);
        let lines = said.lines();
        assert!(
            lines.into_iter().all(|line| !line.contains('\u{1b}')),
            "{said:?}"
        );
        let (second, ..) = shown(&desk, &["--font=sans.ttf"]);
        assert_eq!(first, second);
    }
}

#[test]
fn a_font_that_cannot_be_read_is_named_and_nothing_is_written() {
    let desk = desk(RUSSIAN);
    desk.put_bytes("broken.ttf", &UBUNTU_LIGHT[..2000]);
    for file in ["absent.ttf", "broken.ttf", "names.pchr", "."] {
        let font = format!("--font={file}");
        let output = desk.run(&[
            "capture",
            "names.pchr",
            "--renderer=cpu",
            "--overlay=names",
            &font,
            "-o=never.png",
        ]);
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        let text = said(&output);
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.starts_with("error: ") && text.contains(file), "{text}");
        assert!(!desk.path("never.png").exists());
    }
}

#[test]
fn threads_do_not_change_names() {
    let desk = desk(RUSSIAN);
    let (one, ..) = shown(&desk, &["--font=mono.ttf", "--jobs=1"]);
    let (four, ..) = shown(&desk, &["--font=mono.ttf", "--jobs=4"]);
    assert_eq!(one, four);
}
