//! Tests of `pchr unpack` with atlases.

use std::collections::BTreeMap;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{assert_shows, at, corpus, desk, page, put, refused, run};
use crate::desk::{Desk, said, succeeded};

const NOTHING: [u8; 4] = [0; 4];

#[test]
fn sprites_are_written_as_large_as_their_sources() {
    let desk = desk();
    run(&desk, &["unpack", "in/hero.pct", "-o", "out"]);
    let files = desk.files("out");
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "cut.png",
            "turned.png",
            "walk/w_1.png",
            "walk/w_2.png",
            "walk/w_3.png",
            "walk/w_4.png",
            "walk/w_5.png",
            "whole.png"
        ]
    );
    let whole = [at(0, 2), at(1, 2), at(2, 2), at(0, 3), at(1, 3), at(2, 3)];
    assert_shows(&desk.picture("out/whole.png"), [3, 2], &whole);
    let square = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)];
    assert_shows(&desk.picture("out/walk/w_1.png"), [2, 2], &square);
    assert_eq!(files["walk/w_1.png"], files["walk/w_5.png"], "an alias");
    let cut = desk.picture("out/cut.png");
    assert_eq!([cut.width, cut.height], [6, 7]);
    for y in 0..7_usize {
        for x in 0..6_usize {
            let inside = (1..3).contains(&x) && (2..5).contains(&y);
            let wanted = match inside {
                true => at(x as u8 + 2, y as u8),
                false => NOTHING,
            };
            assert_eq!(cut.at(x, y), wanted, "{x},{y}");
        }
    }
    // The sprite was packed turned clockwise, so its upper row is the page's right column.
    let turned = desk.picture("out/turned.png");
    let row = |y: usize| (1..4).map(move |x| (x, y));
    let upper: Vec<_> = row(1).map(|(x, y)| turned.at(x, y)).collect();
    assert_eq!(upper, [at(6, 2), at(6, 3), at(6, 4)]);
    let lower: Vec<_> = row(2).map(|(x, y)| turned.at(x, y)).collect();
    assert_eq!(lower, [at(5, 2), at(5, 3), at(5, 4)]);
    assert_eq!(turned.at(0, 0), NOTHING);
}

#[test]
fn trimmed_sprites_are_written_as_they_lie_on_the_page() {
    let desk = desk();
    let said = run(
        &desk,
        &["unpack", "in/hero.pct", "-o", "out", "--trimmed", "--json"],
    );
    let report: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(report["format"], "pct");
    assert_eq!(report["outputs"].as_array().unwrap().len(), 8);
    let cut = [at(3, 2), at(4, 2), at(3, 3), at(4, 3), at(3, 4), at(4, 4)];
    assert_shows(&desk.picture("out/cut.png"), [2, 3], &cut);
    let turned = [at(6, 2), at(6, 3), at(6, 4), at(5, 2), at(5, 3), at(5, 4)];
    assert_shows(&desk.picture("out/turned.png"), [3, 2], &turned);
}

#[test]
fn what_is_not_on_the_page_or_in_the_source_is_left_out() {
    let desk = Desk::new();
    let text = "PCT:1.0\nP:page.png,RGBA8888,8,6,0
out|0|6,5,4,3\nleft|0|-1,-1,2,2\nfar|2|0,0,2,2|3,3,2,-1\nnone|0|0,0,0,4\nall|2|1,1,0,0|2,1,0,0\nbeyond|0|8,0,2,2\n";
    put(&desk, "a.pct", text.as_bytes());
    put(&desk, "page.png", &page());
    let output = desk.run_pchr(&["unpack", "a.pct", "-o", "out"]);
    succeeded(&output);
    let wanted = "warning: a.pct: 2 sprites have no pixels on the page; no files written for: \"none\"; \"beyond\"\n";
    assert!(said(&output).ends_with(wanted), "{}", said(&output));
    let out = desk.picture("out/out.png");
    assert_eq!([out.width, out.height], [4, 3]);
    assert_eq!([out.at(0, 0), out.at(1, 0)], [at(6, 5), at(7, 5)]);
    assert!(out.pixels[2..].iter().all(|texel| *texel == NOTHING));
    let left = desk.picture("out/left.png");
    assert_shows(&left, [2, 2], &[NOTHING, NOTHING, NOTHING, at(0, 0)]);
    let far = desk.picture("out/far.png");
    let mut wanted = [NOTHING; 9];
    wanted[2] = at(0, 1);
    assert_shows(&far, [3, 3], &wanted);
    let all = desk.picture("out/all.png");
    assert_shows(&all, [2, 1], &[NOTHING; 2]);
    let names: Vec<String> = desk.files("out").into_keys().collect();
    assert_eq!(names, ["all.png", "far.png", "left.png", "out.png"]);
}

#[test]
fn names_that_lead_elsewhere_are_refused_by_name_and_byte() {
    let desk = Desk::new();
    put(&desk, "page.png", &page());
    for (name, why) in [
        ("../x", "leads outside the folder"),
        ("a/../../x", "leads outside the folder"),
        ("/etc/x", "is an absolute path"),
        ("C:\\x", "has a ':'"),
        ("NUL", "is a reserved name on Windows"),
        ("a/com1.png", "is a reserved name on Windows"),
        ("a\u{7}b", "has a control character"),
        ("a//b", "has a folder without a name"),
        ("b.", ""),
        ("B", "would be written to the same file as \"b.png\""),
        ("b.png/c", "would be written to the same file as \"b.png\""),
        ("", "has no name before its extension"),
    ] {
        let text = format!("PCT:1.0\nP:page.png,RGBA8888,8,6,0\nb|0|0,0,2,2\n{name}|0|2,2,2,2\n");
        put(&desk, "a.pct", text.as_bytes());
        if !why.is_empty() {
            let said = refused(&desk, &["unpack", "a.pct", "-o", "out"], 4);
            assert!(
                said.starts_with("a.pct: PCT-E011 file-name: sprite "),
                "{said}"
            );
            assert!(said.contains("at line 4, column 1 (byte 46)"), "{said}");
            assert!(said.contains(why), "{name}: {said}");
            assert!(!desk.path("out").exists(), "{name}");
        }
        let told = desk.run_pchr(&["unpack", "a.pct", "-o", "out", "--safe-names", "--json"]);
        succeeded(&told);
        let report: Value = serde_json::from_slice(&told.stdout).unwrap();
        let renamed = report["renamed"].as_array().map_or(&[][..], Vec::as_slice);
        assert_eq!(renamed.len(), usize::from(!why.is_empty()), "{name}");
        for renamed in renamed {
            let [from, to] = ["from", "to"].map(|key| &renamed[key]);
            assert!(from.as_str().unwrap().starts_with(name), "{from}");
            assert!(
                said(&told).contains(&format!(" is now named {to}")),
                "{}",
                said(&told)
            );
        }
        let files = desk.files("out");
        assert_eq!(files.len(), 2, "{name}: {:?}", files.keys());
        desk.remove("out");
        assert_eq!(desk.made().len(), 2, "{name}: nothing beside it");
    }
}

#[cfg(unix)]
#[test]
fn no_link_in_the_folder_leads_out_of_it() {
    let desk = desk();
    std::fs::create_dir(desk.path("out")).unwrap();
    std::fs::create_dir(desk.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", desk.path("out/walk")).unwrap();
    let said = refused(&desk, &["unpack", "in/hero.pct", "-o", "out"], 1);
    assert!(said.contains("is a link, which is not followed"), "{said}");
    assert!(desk.files("elsewhere").is_empty());
}

#[test]
fn sizes_are_held_against_the_budget_before_memory_is_taken() {
    let desk = Desk::new();
    put(&desk, "page.png", &page());
    for (record, why) in [
        ("a|2|0,0,2,2|2000000000,2000000000,0,0", "of memory needed"),
        (
            "B:0,0,1,1,1|16000,16000,0,0\na#1-100",
            "its pixels would exceed the limit of 17179869184 for all files",
        ),
    ] {
        let text = format!("PCT:1.0\nP:page.png,RGBA8888,8,6,0\n{record}\n");
        put(&desk, "a.pct", text.as_bytes());
        let said = refused(&desk, &["unpack", "a.pct", "-o", "out"], 4);
        assert!(said.contains("PCT-E003 limit"), "{said}");
        assert!(said.contains(why), "{said}");
        assert!(!desk.path("out").exists());
        run(&desk, &["unpack", "a.pct", "-o", "out", "--trimmed"]);
        desk.remove("out");
    }
}

#[test]
fn pages_that_are_missing_or_damaged_are_told_and_nothing_is_written() {
    let desk = desk();
    std::fs::remove_file(desk.path("in/page.png")).unwrap();
    let said = refused(&desk, &["unpack", "in/hero.pct", "-o", "out"], 1);
    assert!(
        said.starts_with("in/hero.pct: page 0 \"page.png\": "),
        "{said}"
    );
    put(&desk, "in/page.png", &page()[..60]);
    let said = refused(&desk, &["unpack", "in/hero.pct", "-o", "out"], 4);
    assert!(
        said.starts_with("in/hero.pct: PCT-E010 page-decode: page 0"),
        "{said}"
    );
    assert!(!desk.path("out").exists());
}

#[test]
fn an_input_is_never_overwritten() {
    let desk = Desk::new();
    put(
        &desk,
        "a.pct",
        b"PCT:1.0\nP:page.png,RGBA8888,8,6,0\npage|0|0,0,2,2\n",
    );
    put(&desk, "page.png", &page());
    let said = refused(&desk, &["unpack", "a.pct", "-o", "."], 2);
    assert!(said.contains("would overwrite the input"), "{said}");
    assert_eq!(desk.bytes("page.png"), page());
    let said = refused(&desk, &["unpack", "a.pct", "-o", "-"], 2);
    assert!(said.contains("many files"), "{said}");
    let args = ["unpack", "a.pct", "-o", "out", "--dialect", "pachario"];
    let said = refused(&desk, &args, 2);
    assert_eq!(said, "--dialect is for characters; this is an atlas");
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn sprites_of_the_corpus_have_their_pixels() {
    let desk = Desk::new();
    let mut sprites = 0;
    for folder in std::fs::read_dir(corpus("pct/png")).unwrap() {
        let folder = folder.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let atlas = folder.join(format!("{name}.pct"));
        let sums = std::fs::read(folder.join(format!("{name}.pixels.json"))).unwrap();
        let sums: Value = serde_json::from_slice(&sums).unwrap();
        for (key, options) in [
            ("source_sha256", None),
            ("region_sha256", Some("--trimmed")),
        ] {
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
                let picture = crate::desk::Picture::decode(&files[&file]);
                let sum = Sha256::digest(picture.pixels.concat());
                let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
                assert_eq!(sums[key], sum.as_str(), "{name}, {sprite}: {key}");
                sprites += 1;
            }
        }
    }
    assert!(sprites > 100);
}
