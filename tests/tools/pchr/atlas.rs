//! Tests of atlases in `pchr`: inspecting, unpacking and converting agree on one atlas.

use std::collections::BTreeMap;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::corpus;
use crate::desk::{Desk, Picture, succeeded};

/// A page of 8 x 6 pixels, each with its own colour; one is transparent.
pub(crate) fn page() -> Vec<u8> {
    let picture = Picture { width: 8, height: 6, pixels: (0..48).map(texel).collect() };
    picture.encode()
}

fn texel(index: u8) -> [u8; 4] {
    match index {
        0 => [0; 4],
        _ => [index * 5, 255 - index * 5, 128, if index.is_multiple_of(5) { 100 } else { 255 }],
    }
}

/// Colour of the page at a position.
fn at(x: u8, y: u8) -> [u8; 4] {
    texel(y * 8 + x)
}

/// PCT text with sprites of each kind on that page.
pub(crate) const TEXT: &str = "PCT:1.0
P:page.png,RGBA8888,8,6,0
F:walk
B:0,0,4,2,2
0/w_#1-4
whole~1|0|0,2,3,2
cut|2|3,2,2,3|6,7,1,2
turned|3|5,2,3,2|4,4,1,1
A:0/w_1=0/w_5
";

/// TexturePacker JSON with a sprite on that page.
pub(crate) const JSON: &str = r#"{"frames":{"a":{"frame":{"x":0,"y":0,"w":2,"h":2}}},
"meta":{"image":"page.png","format":"RGBA8888","size":{"w":8,"h":6},"scale":"1"}}"#;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put_bytes("in/hero.pct", TEXT.as_bytes());
    desk.put_bytes("in/page.png", &page());
    desk
}

/// Runs `pchr`, which must succeed, and returns its output.
#[track_caller]
pub(crate) fn run(desk: &Desk, args: &[&str]) -> String {
    let output = desk.run_pchr(args);
    succeeded(&output);
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_character_that_was_an_atlas_shows_the_same_pixels() {
    let desk = desk();
    run(&desk, &["convert", "in/hero.pct", "-o", "hero.pchr"]);
    for name in ["walk/w_*", "whole", "cut", "turned"] {
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
            let first = Picture::decode(&atlas["0.png"]);
            assert!(first.pixels.iter().any(|texel| texel[3] > 0), "{name}");
            desk.remove("atlas");
            desk.remove("character");
        }
    }
}

#[test]
fn trimmed_sprites_are_written_as_they_lie_on_the_page() {
    let desk = desk();
    let said = run(&desk, &["unpack", "in/hero.pct", "-o", "out", "--trimmed", "--json"]);
    let report: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(report["format"], "pct");
    assert_eq!(report["outputs"].as_array().unwrap().len(), 8);
    let cut = [at(3, 2), at(4, 2), at(3, 3), at(4, 3), at(3, 4), at(4, 4)];
    let shown = desk.picture("out/cut.png");
    assert_eq!((shown.width, &*shown.pixels), (2, &cut[..]));
    let turned = [at(6, 2), at(6, 3), at(6, 4), at(5, 2), at(5, 3), at(5, 4)];
    let shown = desk.picture("out/turned.png");
    assert_eq!((shown.width, &*shown.pixels), (3, &turned[..]));
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn sprites_of_the_corpus_have_their_pixels() {
    let desk = Desk::new();
    let mut sprites = 0;
    for folder in std::fs::read_dir(corpus::root().join("pct/png")).unwrap() {
        let folder = folder.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let atlas = folder.join(format!("{name}.pct"));
        let sums = corpus::json(&folder.join(format!("{name}.pixels.json")));
        for (key, options) in [("source_sha256", None), ("region_sha256", Some("--trimmed"))] {
            let out = format!("{name}/{key}");
            let mut args = vec!["unpack", atlas.to_str().unwrap(), "-o", &out];
            args.extend(options);
            run(&desk, &args);
            let files: BTreeMap<String, Vec<u8>> = desk.files(&out);
            let wanted = sums["frames"].as_object().unwrap();
            assert_eq!(files.len(), wanted.len());
            for (sprite, sums) in wanted {
                let file = match sprite.ends_with(".png") {
                    true => sprite.clone(),
                    false => format!("{sprite}.png"),
                };
                let sum = Sha256::digest(Picture::decode(&files[&file]).pixels.concat());
                let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
                assert_eq!(sums[key], sum.as_str(), "{name}, {sprite}: {key}");
                sprites += 1;
            }
        }
    }
    assert!(sprites > 100);
}
