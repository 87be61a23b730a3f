//! Tests of PCT texts: they are read as Phaser reads them, and input that Phaser silently repairs is reported.

use crate::corpus;

use pchr::finding::{Findings, Invalid, Severity};
use pchr_foreign::atlas::{Atlas, PctRule};
use pchr_foreign::format::pct;
use serde_json::{Map, Value, json};

/// Result of Phaser's decoder for the same text.
fn decoded(atlas: &Atlas) -> Value {
    let page = |page: &pchr_foreign::atlas::Page| {
        json!({
            "filename": page.file, "format": page.format,
            "width": page.size[0], "height": page.size[1], "padding": page.padding,
        })
    };
    let sprites = atlas.sprites.iter().map(|(name, sprite)| {
        let ([w, h], [x, y]) = (sprite.source_size(), sprite.source_offset());
        let rect = sprite.rect;
        let value = json!({
            "key": name, "page": sprite.page,
            "x": rect.x, "y": rect.y, "w": rect.width, "h": rect.height,
            "trimmed": sprite.trim.is_some(), "rotated": sprite.rotated,
            "sourceW": w, "sourceH": h, "trimX": x, "trimY": y,
        });
        (name.to_owned(), value)
    });
    json!({
        "pages": atlas.pages.iter().map(page).collect::<Vec<_>>(),
        "folders": atlas.folders,
        "frames": sprites.collect::<Map<_, _>>(),
    })
}

fn read(bytes: &[u8]) -> (Option<Atlas>, Findings) {
    match pct::read(bytes) {
        Ok((atlas, found)) => (Some(atlas), found),
        Err(Invalid(found)) => (None, found),
    }
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn every_text_has_its_verdict_and_its_frames() {
    for case in corpus::cases("pct", 60) {
        let (atlas, found) = read(&case.bytes);
        let name = &case.file;
        let verdict = match (&atlas, found.total(Severity::Warning)) {
            (None, _) => "error",
            (Some(_), 0) => "ok",
            (Some(_), _) => "ok_warn",
        };
        let fits = match case.expect.as_str() {
            "ok" => atlas.is_some(),
            "error_or_warn" => verdict != "ok",
            expect => verdict == expect,
        };
        assert!(fits, "{name}: {verdict}, expected {}: {found:?}", case.expect);
        let Some(decoded) = atlas.as_ref().map(decoded) else { continue };
        if let Some(expected) = &case.expected {
            for part in ["pages", "folders", "frames"] {
                assert_eq!(decoded[part], expected[part], "{name}: {part}");
            }
        }
        // Phaser's result for odd texts is the same, except for frames without a position.
        if let Some(phaser) = &case.phaser {
            for (sprite, frame) in decoded["frames"].as_object().unwrap() {
                assert_eq!(phaser["frames"][sprite], *frame, "{name}: {sprite}");
            }
        }
    }
}

/// Findings of a text with a header, a page and these records.
fn found(records: &str) -> Vec<String> {
    let (_, found) = read(format!("PCT:1.0\nP:a.png,RGBA8888,64,64,1\n{records}").as_bytes());
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn findings_have_rule_line_column_and_byte() {
    let wanted = [
        r#"PCT-W105 number-missing: sprite "s".x at line 3, column 5 (byte 37): "x" is not a number; the sprite is left out"#,
        "PCT-W122 sprites-none: sprites at line 1, column 1 (byte 0): no sprites; nothing plays",
    ];
    assert_eq!(found("s|0|x,1,2,3"), wanted);
}

#[test]
fn a_range_that_javascript_cannot_count_through_is_an_error() {
    let over = "its last number is too large, expected at most 9007199254740991; Phaser never finishes reading it";
    for range in [
        "a#1-99999999999999999999",
        "a#99999999999999999999-99999999999999999999",
        "a#9007199254740992-9007199254740992",
    ] {
        let error = |place| format!("PCT-E003 limit: range \"{range}\" at line {place}: {over}");
        assert_eq!(found(&format!("B:0,0,1,1,1\nb,{range},c")), [error("4, column 3 (byte 47)")]);
        assert_eq!(found(&format!("s|0|1,2,3,4\nA:s={range}")), [error("4, column 5 (byte 49)")]);
    }
    // Phaser ends at once where the last number is below the first, and counts up to the largest.
    let (up, down) = ("a#9007199254740991-9007199254740991", "a#99999999999999999999-5");
    let found = found(&format!("B:0,0,1,1,1\n{up},{down}"));
    let wanted = [format!(
        "PCT-W112 range: range \"{down}\" at line 4, column 37 (byte 81): ends before it begins; it has no sprites, and later names move up a cell"
    )];
    assert_eq!(found, wanted);
}

#[test]
fn a_range_is_padded_to_the_digits_of_its_first_number() {
    let text = "PCT:1.0\nP:a.png,RGBA8888,64,64,1\nB:0,0,1,1,1\na#098-1002,b#8-011,c#08-9";
    let (atlas, _) = read(text.as_bytes());
    let names: Vec<_> = atlas.as_ref().unwrap().sprites.names().collect();
    assert_eq!(names[..4], ["a098", "a099", "a100", "a101"]);
    let wanted = ["a998", "a999", "a1000", "a1001", "a1002", "b8", "b9", "b10", "b11"];
    assert_eq!(names[900..909], wanted);
    assert_eq!(names[909..], ["c08", "c09"]);
}

#[test]
fn names_are_counted_before_they_are_made() {
    for names in ["a#1-4000000000", "a#1-1000000,b", "a#1-9223372036854775807"] {
        let found = found(&format!("B:0,0,1,1,1\n{names}"));
        assert!(found[0].starts_with("PCT-E003 limit"), "{found:?}");
    }
    // Aliases are made before their original is looked for.
    for original in ["s", "nobody"] {
        let found = found(&format!("s|0|1,2,3,4\nA:{original}=a#1-4000000000"));
        assert!(found[0].starts_with("PCT-E003 limit"), "{found:?}");
    }
    // Long names from a few bytes are limited as well.
    let folder = "f".repeat(1 << 20);
    let found = found(&format!("F:{folder}\nB:0,0,1,1,1\n0/a#1-1000000"));
    assert!(found[0].starts_with("PCT-E003 limit"), "{found:?}");
}

#[test]
fn findings_lie_in_their_text_although_it_is_not_utf8() {
    let text = b"PCT:1.0\nP:a.png,RGBA8888,64,64,1\nok|0|\xc7\xd3\xc6\xc99,9";
    let (_, found) = read(text);
    assert!(found.count(PctRule::Utf8) == 1 && found.count(PctRule::NumberMissing) > 0);
    for finding in &found {
        assert!(finding.offset <= text.len() as u64, "{finding}");
    }
}

#[test]
fn aliases_end_at_an_original() {
    let atlas = |records: &str| {
        let text = format!("PCT:1.0\nP:a.png,RGBA8888,64,64,1\n{records}");
        let atlas = pct::read(text.as_bytes()).unwrap().0;
        let aliases = atlas.sprites.iter().map(|(name, sprite)| (name.to_owned(), sprite.alias_of));
        aliases.collect::<Vec<_>>()
    };
    let own = |list: &[(&str, Option<u32>)]| {
        list.iter().map(|(name, of)| ((*name).to_owned(), *of)).collect::<Vec<_>>()
    };
    let wanted = own(&[("a", None), ("b", Some(0)), ("c", Some(0))]);
    assert_eq!(atlas("a|0|1,1,2,2\nA:a=b\nA:b=c"), wanted);
    assert_eq!(atlas("a|0|1,1,2,2\nA:a=a,b"), own(&[("a", None), ("b", Some(0))]));
    // The original was replaced by another sprite.
    assert_eq!(atlas("a|0|1,1,2,2\nA:a=b\na|0|9,9,2,2"), own(&[("a", None), ("b", None)]));
    // A cycle of aliases.
    let circle = atlas("a|0|1,1,2,2\nb|0|1,1,2,2\nA:a=c\nA:b=a\nA:c=b");
    for (name, of) in &circle {
        assert!(of.is_none_or(|of| circle[of as usize].1.is_none()), "{name}: {circle:?}");
    }
}

#[test]
fn sprites_that_overlap_are_found_once_for_two_groups() {
    let text = "B:0,0,4,8,8\na#1-8\nB:22,0,4,8,8\nb#1-8\nsame|0|1,1,8,8\nin|0|2,2,4,4\nA:in=alias";
    let overlaps: Vec<_> = found(text).into_iter().filter(|it| it.contains("overlap")).collect();
    assert_eq!(overlaps.len(), 3, "{overlaps:#?}");
    assert!(overlaps[0].contains(r#"sprite "b1""#) && overlaps[0].contains(r#"overlaps "a3""#));
}

#[test]
fn a_record_is_late_after_any_earlier_record_of_a_later_kind() {
    let found = found("s|0|1,1,2,2\nA:s=a\nt|0|9,1,2,2\nF:f\nu|0|1,9,2,2\nA:s=b");
    let late = |text: &String| text.contains(": comes after aliases, ");
    let late: Vec<_> = found.iter().filter(|text| late(text)).collect();
    let lines = ["at line 5,", "at line 6,", "at line 7,"];
    let are_these = late.iter().zip(lines).all(|(text, line)| text.contains(line));
    assert!(late.len() == lines.len() && are_these, "{found:#?}");
}

/// Texts shorter than our output: a range names cells of a block, and aliases take some of them away.
const SHORTER: [&str; 1] = ["good/example2_seed.pct"];

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn what_is_written_reads_the_same_and_is_no_longer() {
    let mut longer = Vec::new();
    let mut written = 0;
    for case in corpus::cases("pct", 60) {
        let Some(atlas) = read(&case.bytes).0 else { continue };
        let text = pct::write(&atlas).expect(&case.file);
        let again = read(text.as_bytes()).0.expect(&case.file);
        assert_eq!(decoded(&again)["frames"], decoded(&atlas)["frames"], "{}", case.file);
        assert_eq!(pct::write(&again).unwrap(), text, "{}", case.file);
        if case.expect == "ok" && text.len() > case.bytes.len() + 1 {
            longer.push(case.file);
        }
        written += 1;
    }
    assert!(written >= 40, "{written}");
    assert_eq!(longer, SHORTER);
}
