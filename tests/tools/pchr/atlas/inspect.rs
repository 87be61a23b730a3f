//! Tests of `pchr inspect` and `pchr validate` with atlases.

use serde_json::{Value, json};

use super::{corpus, desk, page, put, run};
use crate::desk::Desk;

#[test]
fn an_atlas_is_told_with_its_pages_and_its_share_of_json() {
    let desk = desk();
    let text = run(&desk, &["inspect", "in/hero.pct"]);
    for line in [
        "in/hero.pct: PCT 1.0, 141 bytes",
        "  contents    1 page, 8 sprites, 1 flip-book, 1 folder",
        "  packing     1 block of 4 sprites, 1 alias, 2 trimmed",
        "  fill        70.8% of 48 pixels",
        "  0  page.png   8 x 6  8 x 6  ",
        "  walk/w_*         5  walk/w_1",
        "  walk/w_5  walk/w_1",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(
        text.contains("bytes as compact hash: this text is 8"),
        "{text}"
    );
    let report: Value =
        serde_json::from_str(&run(&desk, &["inspect", "--json", "in/hero.pct"])).unwrap();
    assert_eq!(report["format"], "pct");
    assert_eq!(report["totals"]["coveredPixels"], 34);
    assert_eq!(report["totals"]["fillPercent"], 70.83);
    assert_eq!(report["images"][0]["size"], json!([8, 6]));
    assert_eq!(
        report["frames"]["turned"],
        json!({"key": "turned", "page": 0, "x": 5, "y": 2, "w": 3, "h": 2, "trimmed": true,
            "rotated": true, "sourceW": 4, "sourceH": 4, "trimX": 1, "trimY": 1})
    );
    run(&desk, &["convert", "in/hero.pct", "-o", "in/hero.json"]);
    let compact = desk
        .bytes("in/hero.json")
        .iter()
        .filter(|byte| **byte != b'\n')
        .count();
    assert_eq!(report["asJson"]["bytes"], compact);
    let of_json: Value =
        serde_json::from_str(&run(&desk, &["inspect", "--json", "in/hero.json"])).unwrap();
    assert_eq!(of_json["format"], "hash");
    assert_eq!(of_json["frames"], report["frames"]);
}

#[test]
fn a_page_that_is_missing_is_a_warning_and_a_damaged_one_an_error() {
    let desk = desk();
    put(&desk, "in/page.png", b"no PNG");
    let output = desk.run_pchr(&["inspect", "in/hero.pct"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(
        !output.stdout.is_empty(),
        "the output is complete despite the error"
    );
    std::fs::remove_file(desk.path("in/page.png")).unwrap();
    let text = run(&desk, &["inspect", "in/hero.pct"]);
    assert!(text.contains("PCT-W135 page-missing"), "{text}");
}

#[test]
fn atlases_are_validated_like_characters_and_found_in_folders() {
    let desk = desk();
    put(&desk, "in/deep/bad.pct", b"PCT:2.0\n");
    put(&desk, "in/deep/other.json", b"{\"frames\":{}}");
    let output = desk.run_pchr(&["validate", "--json", "in"]);
    assert_eq!(output.status.code(), Some(4));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let files: Vec<_> = report.as_array().unwrap().iter().collect();
    assert_eq!(files.len(), 2, "{report}");
    assert_eq!(files[0]["file"], "in/deep/bad.pct");
    let first = &files[0]["findings"][0];
    assert_eq!(
        [
            &first["id"],
            &first["line"],
            &first["column"],
            &first["offset"]
        ],
        [&json!("PCT-E002"), &json!(1), &json!(5), &json!(4)]
    );
    assert_eq!(files[1]["verdict"], "warnings");
    assert_eq!(files[1]["findings"][0]["id"], "PCT-W119");
    // A JSON atlas named directly, and the pixels of its page.
    put(
        &desk,
        "in/tp.json",
        br#"{"frames":{"a":{"frame":{"x":0,"y":0,"w":2,"h":2}}},"meta":{"image":"page.png"}}"#,
    );
    assert!(run(&desk, &["validate", "in/tp.json"]).contains("in/tp.json: valid"));
    put(&desk, "in/page.png", &page()[..60]);
    let said = run_invalid(&desk, "in/tp.json");
    assert!(said.contains("error PCT-E010 page-decode"), "{said}");
    let sarif = desk.run_pchr(&["validate", "--sarif", "in/hero.pct"]);
    let sarif: Value = serde_json::from_slice(&sarif.stdout).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert!(results.iter().any(|result| result["ruleId"] == "PCT-E010"));
}

fn run_invalid(desk: &Desk, file: &str) -> String {
    let output = desk.run_pchr(&["validate", file]);
    assert_eq!(output.status.code(), Some(4));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn the_corpus_is_told_as_phaser_decodes_it() {
    let desk = Desk::new();
    let root = corpus("pct");
    let index: Value =
        serde_json::from_slice(&std::fs::read(root.join("index.json")).unwrap()).unwrap();
    let mut compared = 0;
    for case in index["files"].as_array().unwrap() {
        let Some(expected) = case["expected"].as_str() else {
            continue;
        };
        let file = root.join(case["file"].as_str().unwrap());
        let said = run(&desk, &["inspect", "--json", file.to_str().unwrap()]);
        let report: Value = serde_json::from_str(&said).unwrap();
        let expected: Value =
            serde_json::from_slice(&std::fs::read(root.join(expected)).unwrap()).unwrap();
        for part in ["pages", "folders", "frames"] {
            assert_eq!(report[part], expected[part], "{}: {part}", file.display());
        }
        compared += 1;
    }
    assert!(compared > 30, "{compared}");
}
