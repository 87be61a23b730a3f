//! Tests of `pchr convert` with atlases.

use serde_json::Value;

use super::{TEXT, desk, page, put, refused, run};
use crate::desk::{Desk, said, succeeded};

/// Pages and frames that `inspect` reports for a file.
fn frames(desk: &Desk, file: &str) -> Value {
    let report: Value = serde_json::from_str(&run(desk, &["inspect", "--json", file])).unwrap();
    report["frames"].clone()
}

#[test]
fn an_atlas_stays_the_same_in_every_text() {
    let desk = desk();
    let original = frames(&desk, "in/hero.pct");
    for dialect in ["hash", "array", "multiatlas"] {
        let json = format!("in/{dialect}.json");
        let args = ["convert", "in/hero.pct", "-o", &json, "--dialect", dialect];
        let output = desk.run_pchr(&args);
        succeeded(&output);
        assert_eq!(frames(&desk, &json), original, "{dialect}");
        let back = format!("in/{dialect}.pct");
        run(&desk, &["convert", &json, "-o", &back]);
        assert_eq!(frames(&desk, &back), original, "{dialect}");
    }
    run(
        &desk,
        &[
            "convert",
            "in/array.json",
            "-o",
            "in/again.json",
            "--dialect",
            "hash",
        ],
    );
    assert_eq!(desk.bytes("in/again.json"), desk.bytes("in/hash.json"));
    assert_eq!(desk.bytes("in/page.png"), page(), "nobody touched it");
}

#[test]
fn pct_is_written_as_short_as_it_can_be_and_then_stays() {
    let desk = desk();
    let long = "PCT:1.0\r\nP:page.png,RGBA8888,8,6,0\r\n\r\na_1|0|0,0,2,2\r\na_2|0|2,0,2,2\r\na_3|0|4,0,2,2\r\na_4|0|6,0,2,2\r\n";
    put(&desk, "in/long.pct", long.as_bytes());
    for file in ["hero", "long"] {
        let [from, once, twice] = ["", "-1", "-2"].map(|end| format!("in/{file}{end}.pct"));
        run(&desk, &["convert", &from, "-o", &once]);
        run(&desk, &["convert", &once, "-o", &twice]);
        assert_eq!(desk.bytes(&once), desk.bytes(&twice), "{file}");
        assert!(desk.bytes(&once).len() <= desk.bytes(&from).len());
        assert_eq!(frames(&desk, &once), frames(&desk, &from), "{file}");
    }
    let short = String::from_utf8(desk.bytes("in/long-1.pct")).unwrap();
    assert!(short.ends_with("B:0,0,4,2,2\na_#1-4\n"), "{short}");
}

#[test]
fn what_is_not_carried_over_is_listed() {
    let desk = desk();
    let json = r#"{"frames":{"a":{"frame":{"x":0,"y":0,"w":2,"h":2},"pivot":{"x":0,"y":1}},
        "b":{"frame":{"x":2,"y":0,"w":2,"h":2},"pivot":{"x":0,"y":1},"duration":100}},
        "meta":{"image":"page.png","scale":"2","frameTags":[{"name":"a"}],"slices":[], "layers": [ ]}}"#;
    put(&desk, "in/tp.json", json.as_bytes());
    let output = desk.run_pchr(&["convert", "in/tp.json", "-o", "in/tp.pct", "--json"]);
    succeeded(&output);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let lost: Vec<_> = report["notCarriedOver"]
        .as_array()
        .unwrap()
        .iter()
        .map(|loss| {
            (
                loss["what"].as_str().unwrap(),
                loss["count"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        lost,
        [
            ("scales", 1),
            ("frame tags", 1),
            ("pivots", 2),
            ("frame durations", 1)
        ]
    );
    // A character cannot hold these either.
    let other = desk.run_pchr(&["convert", "in/tp.json", "-o", "in/tp.pchr"]);
    for output in [output, other] {
        succeeded(&output);
        let said = said(&output);
        for wanted in [
            "2 pivots (first frames.a.pivot)",
            "1 scale (meta.scale)",
            "1 frame tag (meta.frameTags)",
            "1 frame duration (frames.b.duration)",
        ] {
            let wanted = format!("not carried over: {wanted}\n");
            assert!(said.contains(&wanted), "{wanted}{said}");
        }
    }
    let padded = TEXT.replace("8,6,0", "8,6,2");
    put(&desk, "in/padded.pct", padded.as_bytes());
    let output = desk.run_pchr(&["convert", "in/padded.pct", "-o", "-", "--dialect", "hash"]);
    succeeded(&output);
    assert!(crate::desk::said(&output).contains("the padding of 1 page (pages[0].padding)"));
    assert!(output.stdout.starts_with(b"{\"frames\":{"));
}

#[test]
fn a_character_that_was_an_atlas_shows_the_same_pixels() {
    let desk = desk();
    run(&desk, &["convert", "in/hero.pct", "-o", "hero.pchr"]);
    run(
        &desk,
        &[
            "convert",
            "in/hero.pct",
            "-o",
            "hero/hero.json",
            "--dialect",
            "pchr",
        ],
    );
    let names = ["walk/w_*", "whole", "cut", "turned"];
    for file in ["hero.pchr", "hero/hero.json"] {
        let report: Value =
            serde_json::from_str(&run(&desk, &["inspect", "--json", file])).unwrap();
        let animations: Vec<_> = report["animations"]
            .as_array()
            .unwrap()
            .iter()
            .map(|animation| (&animation["name"], &animation["frameCount"]))
            .collect();
        assert_eq!(animations.len(), names.len());
        for ((name, count), (wanted, frames)) in animations
            .into_iter()
            .zip(names.into_iter().zip([5, 1, 1, 1]))
        {
            assert_eq!((name, count), (&wanted.into(), &frames.into()));
        }
    }
    for name in names {
        for (size, zoom) in [("16x16", "1"), ("31x20", "2.5")] {
            let shot = |file: &str, out: &str| {
                desk.capture(
                    file,
                    &[
                        "-o", out, "-a", name, "-f", "all", "-s", size, "--center", "0,0",
                        "--zoom", zoom,
                    ],
                );
            };
            let [of_atlas, of_character] =
                ["atlas", "character"].map(|kind| format!("{kind}/{{frame}}.png"));
            shot("in/hero.pct", &of_atlas);
            shot("hero.pchr", &of_character);
            let (atlas, character) = (desk.files("atlas"), desk.files("character"));
            assert!(atlas == character, "{name}, {size}");
            let first = crate::desk::Picture::decode(&atlas["0.png"]);
            assert!(first.pixels.iter().any(|texel| texel[3] > 0), "{name}");
            desk.remove("atlas");
            desk.remove("character");
        }
    }
}

#[test]
fn a_page_that_does_not_decode_makes_no_character() {
    let desk = desk();
    let text = format!("{TEXT}\n").replace("F:walk", "P:unused.png,RGBA8888,8,6,0\nF:walk");
    put(&desk, "in/two.pct", text.as_bytes());
    for (damaged, why) in [
        (false, "PCT-W135 page-missing"),
        (true, "PCT-E010 page-decode"),
    ] {
        match damaged {
            true => put(&desk, "in/page.png", &page()[..60]),
            false => std::fs::remove_file(desk.path("in/page.png")).unwrap(),
        }
        let said = refused(&desk, &["convert", "in/two.pct", "-o", "out/a.pchr"], 4);
        assert!(
            said.starts_with(&format!("in/two.pct: {why}: page 0 \"page.png\"")),
            "{said}"
        );
        assert!(!said.contains("unused.png") && !desk.path("out").exists());
    }
    // Text formats keep the name of an unreadable page and report it.
    for out in ["in/again.pct", "out/again.json"] {
        let output = desk.run_pchr(&["convert", "in/two.pct", "-o", out, "--json"]);
        succeeded(&output);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let warnings = report["warnings"].to_string();
        assert!(warnings.contains("PCT-E010 page-decode"), "{warnings}");
        assert!(said(&output).contains("PCT-E010 page-decode"));
    }
    assert_eq!(desk.bytes("out/page.png"), page()[..60]);
    // A page without sprites may be missing.
    put(&desk, "in/page.png", &page());
    run(&desk, &["convert", "in/two.pct", "-o", "a.pchr"]);
    run(&desk, &["validate", "a.pchr"]);
}

#[test]
fn a_page_outside_is_not_another_one_for_the_output() {
    let desk = desk();
    let json = super::JSON.replace("page.png", "../else/pa,ge.png");
    put(&desk, "in/a.json", json.as_bytes());
    put(&desk, "else/pa,ge.png", &page());
    let args = ["convert", "in/a.json", "-o", "deep/out/a.json"];
    let said = refused(&desk, &args, 4);
    assert!(
        said.contains("copy it beside the output with --allow-outside"),
        "{said}"
    );
    run(&desk, &[&args[..], &["--allow-outside"]].concat());
    assert_eq!(desk.bytes("deep/out/pa,ge.png"), page());
    assert_eq!(frames(&desk, "deep/out/a.json"), frames(&desk, "in/a.json"));
    let args = ["convert", "deep/out/a.json", "-o", "pct/a.pct"];
    let refusal = refused(&desk, &args, 4);
    assert!(
        refusal.ends_with("rename these with --safe-names"),
        "{refusal}"
    );
    let output = desk.run_pchr(&[&args[..], &["--safe-names"]].concat());
    succeeded(&output);
    assert!(
        crate::desk::said(&output).contains("the page \"pa,ge.png\" is now named \"pa_ge.png\"")
    );
    assert_eq!(desk.bytes("pct/pa_ge.png"), page());
    let nameless = super::JSON.replace("\"image\":\"page.png\",", "");
    put(&desk, "in/a.json", nameless.as_bytes());
    let output = desk.run_pchr(&["convert", "in/a.json", "-o", "out/a.json"]);
    assert!(crate::desk::said(&output).contains("page 0 does not name an image file"));
}
