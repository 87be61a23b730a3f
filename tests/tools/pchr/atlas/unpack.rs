//! Tests of `pchr unpack` with atlases.

use std::collections::BTreeMap;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{assert_shows, at, corpus, desk, page, put, refused, run};
use crate::desk::{Desk, said, succeeded};

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
